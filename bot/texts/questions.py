"""The private dialogue in words: what is asked, and what each answer would do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.choosing import Answer, Asks, Question
from bot.languages import Language
from bot.table import Table
from bot.texts.markup import bold
from bot.texts.moves import tell_step
from bot.texts.names import (
    SUBJECT,
    Names,
    capital,
    card_as,
    card_label,
    card_name,
    card_title,
    listing,
    place_name,
    rank_name,
    the_card,
    the_rank,
    way,
)
from engine import Action, ActionKind, Exchange, Part, Preview, Step, StepKind

PreviewOf = Callable[[Action], Preview]


def receiver(table: Table, names: Names, seat: int) -> str:
    """Who gets the card that a seat gives away in the exchange: the next one in its team, or of all without teams."""
    board = table.board
    group = board.seats if board.exchange is Exchange.NEXT else board.team(seat)
    return names.marked(group[(group.index(seat) + 1) % len(group)])


def giver(table: Table, seat: int) -> int:
    """The seat that a card came from in the exchange; the counterpart of `receiver`."""
    board = table.board
    group = board.seats if board.exchange is Exchange.NEXT else board.team(seat)
    return group[(group.index(seat) - 1) % len(group)]


def question_line(language: Language, question: Question, to: str = "") -> str:
    """The question itself, one line. `to`: who gets a card that is given away."""
    card = card_title(language, question.named or question.card or "")
    match question.asks:
        case Asks.WHAT:
            return language.t("What would you like to do?")
        case Asks.CARD:
            kinds = {action.kind for answer in question.answers for action in answer.actions}
            if kinds <= {ActionKind.GIVE}:
                return language.t("Which card do you give to {name}?", name=to)
            if kinds <= {ActionKind.ASK}:
                return language.t("Which card do you offer in return?")
            if kinds <= {ActionKind.DISCARD}:
                return language.t("Nothing can be played. Which card do you discard?")
            return language.t("Which card do you play?")
        case Asks.NAMED:
            return language.t("What does {card} stand for?", card=the_card(language, question.card or "", SUBJECT))
        case Asks.RANK:
            return language.t("Which piece do you place on your start?")
        case Asks.MOVE:
            if question.chosen:
                return language.t("{card}: which piece takes the rest?", card=card)
            return language.t("{card}: which piece goes where?", card=card)
        case Asks.ORDER:
            return language.t("The order matters here. Which way?")


def answer_label(
    language: Language, names: Names, seat: int, question: Question, answer: Answer, preview: PreviewOf
) -> str:
    """One answer for a button or a menu line. `preview` tells what an action would do on the board."""
    value = answer.value
    match question.asks:
        case Asks.WHAT:
            kind = ActionKind(str(value))
            if kind is ActionKind.JUMP:
                return language.t("Jump on to {place}", place=_landing(language, preview(answer.actions[0])))
            return _kind_label(language, kind)
        case Asks.CARD | Asks.NAMED:
            return card_label(language, str(value))
        case Asks.RANK:
            return rank_name(language, str(value)).capitalize()
        case Asks.MOVE:
            if not isinstance(value, Part):
                return language.t("nothing more")
            step = step_of(preview(answer.actions[0]), value, seat)
            if step is None:
                return place_name(language, value.target)
            told = move_label(language, names, seat, step)
            if len(answer.actions[0].parts) > 1 and step.value:
                return language.n("{count} step: {move}", "{count} steps: {move}", step.value, move=told)
            return told
        case Asks.ORDER:
            assert isinstance(value, Action)
            return action_label(language, names, seat, preview(value), plain=True)


def action_label(language: Language, names: Names, seat: int, preview: Preview, *, plain: bool = False) -> str:
    """What an action does, all steps: "12 → 15, 20 → 24 (sends home ...)". `plain`: for a label, not for a message."""
    if not preview.steps:
        return language.t("no effect")
    return ", ".join(tell_step(language, names, step, seat, plain=plain) for step in preview.steps)


def confirm_line(language: Language, names: Names, seat: int, action: Action, preview: Preview, to: str) -> str:
    """The last line before `Play`: the whole action in words. `to`: who gets a card that is given away."""
    card = the_card(language, action.card or "")
    match action.kind:
        case ActionKind.GIVE:
            return language.t("Give {card} to {name}?", card=card, name=to)
        case ActionKind.ASK:
            return language.t("Ask {name} for a card, and give {card} in return?", name=to, card=card)
        case ActionKind.NONE:
            return language.t("Do without help?")
        case ActionKind.DECLINE:
            return language.t("Decline? Then no cards change hands.")
        case ActionKind.DISCARD:
            return language.t("Discard {card}?", card=card)
        case ActionKind.PLACE:
            return language.t("Place {rank} on your start?", rank=the_rank(language, action.rank or ""))
        case ActionKind.JUMP:
            return language.t("Let the citizen jump on to {place}?", place=_landing(language, preview))
        case ActionKind.STAY:
            return language.t("Let the citizen stay where it is?")
        case ActionKind.FOLD:
            return language.t("Lay your hand down?")
        case _:
            named = capital(card_as(language, card_name(language, action.card or ""), action.named))
            moves = action_label(language, names, seat, preview)
            if preview.draws:
                return language.t("{card}: {moves}. You draw a card there.", card=bold(named), moves=moves)
            return language.t("{card}: {moves}.", card=bold(named), moves=moves)


def done_line(language: Language, names: Names, seat: int, action: Action, preview: Preview, to: str) -> str:
    """What the person has just done, in words. `to`: who gets a card that was given away."""
    card = the_card(language, action.card or "")
    match action.kind:
        case ActionKind.GIVE:
            return language.t("You gave {card} to {name}.", card=card, name=to)
        case ActionKind.ASK:
            return language.t("You asked {name} for a card and offered {card}.", name=to, card=card)
        case ActionKind.NONE:
            return language.t("You do without help.")
        case ActionKind.DECLINE:
            return language.t("You declined; no cards change hands.")
        case ActionKind.DISCARD:
            return language.t("You discarded {card}.", card=card)
        case ActionKind.PLACE:
            return language.t("You placed {rank} on your start.", rank=the_rank(language, action.rank or ""))
        case ActionKind.JUMP:
            return language.t("Your citizen jumped on to {place}.", place=_landing(language, preview))
        case ActionKind.STAY:
            return language.t("Your citizen stayed where it is.")
        case ActionKind.FOLD:
            return language.t("You laid your hand down.")
        case _:
            played = card_as(language, card, action.named)
            moves = action_label(language, names, seat, preview)
            return language.t("You played {card}: {moves}.", card=played, moves=moves)


def already_done(language: Language, told: str) -> str:
    """Said to a late click: what the person did, as it was told."""
    return language.t("✅ You have done that already. {what}", what=told).rstrip()


def received_line(language: Language, names: Names, gave: str, got: str, giver: int) -> str:
    """What an exchange brought, told to one of those in it."""
    return language.t(
        "You gave {gave}, {name} gave you {got}.",
        gave=the_card(language, gave),
        name=names.marked(giver),
        got=the_card(language, got),
    )


def helped_line(language: Language, names: Names, gave: str, got: str, partner: int) -> str:
    """What a call for help brought, told to the caller or to the helper."""
    return language.t(
        "A swap for help: you gave {gave}, {name} gave you {got}.",
        gave=the_card(language, gave),
        name=names.marked(partner),
        got=the_card(language, got),
    )


def drawn_line(language: Language, cards: Sequence[str]) -> str:
    """What the person has drawn."""
    return language.t("You drew {cards}.", cards=listing(language, (the_card(language, card) for card in cards)))


def only_line(language: Language, hand: Sequence[str], card: str) -> str:
    """Said if only one card in the hand can be played, so that there is nothing to choose."""
    if len(hand) == 1:
        return language.t("Your last card: {card}.", card=card_name(language, card))
    cards = listing(language, (card_name(language, one) for one in hand))
    return language.t(
        "Your hand: {cards}. Only {card} can be played.", cards=cards, card=the_card(language, card, SUBJECT)
    )


def _landing(language: Language, preview: Preview) -> str:
    return place_name(language, preview.steps[0].target) if preview.steps else ""


def hand_line(language: Language, hand: tuple[str, ...]) -> str:
    """A hand in words, for the picture's alt text (only ever sent to its owner)."""
    if not hand:
        return language.t("Your hand is empty.")
    return language.t("Your hand: {cards}.", cards=listing(language, (card_name(language, card) for card in hand)))


def _kind_label(language: Language, kind: ActionKind) -> str:
    match kind:
        case ActionKind.ASK:
            return language.t("Ask for help")
        case ActionKind.NONE:
            return language.t("I need no help")
        case ActionKind.GIVE:
            return language.t("Give a card")
        case ActionKind.DECLINE:
            return language.t("Decline")
        case ActionKind.STAY:
            return language.t("Stay")
        case ActionKind.DISCARD:
            return language.t("Discard")
        case ActionKind.PLACE:
            return language.t("Place a piece")
        case ActionKind.FOLD:
            return language.t("Lay the hand down")
        case _:
            return language.t("Play a card")


def move_label(language: Language, names: Names, seat: int, step: Step) -> str:
    """One piece's way in a few words, for a button: "1 → 12 ⚔ Bello". `seat` is the one that plays."""
    origin, target = place_name(language, step.origin), place_name(language, step.target)
    if step.kind is StepKind.SWAP and step.other is not None:
        owner, place = names.label(step.other[0]), place_name(language, step.other[1])
        if step.rank and step.other_rank:
            told = language.p(
                "move",
                "{rank} {origin} ⇄ {owner} {other_rank} {place}",
                rank=rank_name(language, step.rank),
                origin=origin,
                owner=owner,
                other_rank=rank_name(language, step.other_rank),
                place=place,
            )
        else:
            told = language.p("move", "{origin} ⇄ {owner} {place}", origin=origin, owner=owner, place=place)
    elif step.kind is StepKind.OUT and step.rank:
        told = language.p("move", "{rank} out of the kennel", rank=rank_name(language, step.rank))
    elif step.kind is StepKind.OUT:
        told = language.p("move", "out of the kennel")
    elif step.rank:
        rank = rank_name(language, step.rank)
        told = way(language, origin, target, rank)
    else:
        told = way(language, origin, target)
    if step.side != seat:
        told = language.p("move", "{owner}: {move}", owner=names.label(step.side), move=told)
    taken = ", ".join(dict.fromkeys(names.label(side) for side, _ in step.sent_home))
    return f"{told} ⚔ {taken}" if taken else told


def step_of(preview: Preview, part: Part, seat: int) -> Step | None:
    """The step of one part of an action, taken from its preview."""
    side = seat if part.side is None else part.side
    for step in preview.steps:
        if (step.side, step.origin, step.target) == (side, part.origin, part.target):
            return step
    for step in preview.steps:
        if (step.side, step.origin) == (side, part.origin):
            return step
    return None


def which_number(language: Language, last: int) -> str:
    """Said when answers have numbers and none of them was typed."""
    return language.t("Type a number from 1 to {last}.", last=last)


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


Spot = tuple[int, str]


"""A piece or a place of the board: side and place."""


MOST_PLACES = 15


"""More letters than this would cover the board; then they go on the pieces."""


@dataclass(frozen=True, slots=True)
class Marks:
    """`spots`: the letters in the picture. `heads`: what precedes each answer, in order; empty for none."""

    spots: Mapping[Spot, str]
    heads: tuple[str, ...]


def letters_for(steps: Sequence[Step | None]) -> Marks:
    """Letters for the steps of the answers; None for an answer that moves nothing."""
    moves = [step for step in steps if step is not None]
    pieces = _numbered((step.side, step.origin) for step in moves)
    if any(step.other is not None for step in moves):
        both = _numbered([*pieces, *(step.other for step in moves if step.other is not None)])
        heads = (None if step is None else _pair(both, step) for step in steps)
        return _letters(both, heads)
    targets = _numbered((step.side, step.target) for step in moves)
    if len(pieces) < len(moves) == len(targets) <= MOST_PLACES:
        return _letters(targets, (None if step is None else targets.get((step.side, step.target)) for step in steps))
    return _letters(pieces, (None if step is None else pieces.get((step.side, step.origin)) for step in steps))


def _numbered(spots: Iterable[Spot]) -> dict[Spot, str]:
    return dict(zip(dict.fromkeys(spots), LETTERS, strict=False))


def _pair(both: Mapping[Spot, str], step: Step) -> str | None:
    found = (both.get((step.side, step.origin)), None if step.other is None else both.get(step.other))
    return " ⇄ ".join(letter for letter in found if letter) or None


def _letters(spots: Mapping[Spot, str], heads: Iterable[str | None]) -> Marks:
    return Marks(spots, tuple(head or "" for head in heads))
