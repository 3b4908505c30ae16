"""The private dialogue in words: what is asked, what each answer would do, and the letters on the picture for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.choosing import Answer, Asks, Question
from bot.languages import Language
from bot.languages import mark as _
from bot.table import Table
from bot.texts.markup import bold
from bot.texts.moves import tell_steps
from bot.texts.names import (
    SUBJECT,
    Names,
    capital,
    card_as,
    card_label,
    card_name,
    listing,
    place_name,
    rank_name,
    the_card,
    the_rank,
    way,
)
from engine import Action, ActionKind, Exchange, Part, Preview, Step, StepKind

PreviewOf = Callable[[Action], Preview]

_LABELS: Mapping[ActionKind, str] = {
    ActionKind.ASK: _("Ask for help"),
    ActionKind.NONE: _("I need no help"),
    ActionKind.GIVE: _("Give a card"),
    ActionKind.DECLINE: _("Decline"),
    ActionKind.JUMP: _("Jump on to {place}"),
    ActionKind.STAY: _("Stay"),
    ActionKind.DISCARD: _("Discard"),
    ActionKind.PLACE: _("Place a piece"),
    ActionKind.FOLD: _("Lay the hand down"),
    ActionKind.PLAY: _("Play a card"),
}
"""What can be done, on buttons."""

_ASKED: Mapping[ActionKind, str] = {
    ActionKind.GIVE: _("Give {card} to {name}?"),
    ActionKind.ASK: _("Ask {name} for a card, and give {card} in return?"),
    ActionKind.NONE: _("Do without help?"),
    ActionKind.DECLINE: _("Decline? Then no cards change hands."),
    ActionKind.DISCARD: _("Discard {card}?"),
    ActionKind.PLACE: _("Place {rank} on your start?"),
    ActionKind.JUMP: _("Let the citizen jump on to {place}?"),
    ActionKind.STAY: _("Let the citizen stay where it is?"),
    ActionKind.FOLD: _("Lay your hand down?"),
}
"""Asked before anything but a card is played."""

_DONE: Mapping[ActionKind, str] = {
    ActionKind.GIVE: _("You gave {card} to {name}."),
    ActionKind.ASK: _("You asked {name} for a card and offered {card}."),
    ActionKind.NONE: _("You do without help."),
    ActionKind.DECLINE: _("You declined; no cards change hands."),
    ActionKind.DISCARD: _("You discarded {card}."),
    ActionKind.PLACE: _("You placed {rank} on your start."),
    ActionKind.JUMP: _("Your citizen jumped on to {place}."),
    ActionKind.STAY: _("Your citizen stayed where it is."),
    ActionKind.FOLD: _("You laid your hand down."),
}


def receiver(table: Table, names: Names, seat: int) -> str:
    """Who gets the card that a seat gives away in the exchange."""
    return names.marked(_in_exchange(table, seat, 1))


def giver(table: Table, seat: int) -> int:
    """The seat that a card came from in the exchange."""
    return _in_exchange(table, seat, -1)


def _in_exchange(table: Table, seat: int, by: int) -> int:
    """The seat that is so many further in the team, or among all where cards go on to the next seat."""
    board = table.board
    group = board.seats if board.exchange is Exchange.NEXT else board.team(seat)
    return group[(group.index(seat) + by) % len(group)]


def question_line(language: Language, question: Question, to: str = "") -> str:
    """The question itself, one line. `to`: who gets a card that is given away."""
    t, card = language.t, capital(card_name(language, question.named or question.card or ""))
    match question.asks:
        case Asks.WHAT:
            return t("What would you like to do?")
        case Asks.CARD:
            kinds = {action.kind for answer in question.answers for action in answer.actions}
            if kinds <= {ActionKind.GIVE}:
                return t("Which card do you give to {name}?", name=to)
            if kinds <= {ActionKind.ASK}:
                return t("Which card do you offer in return?")
            if kinds <= {ActionKind.DISCARD}:
                return t("Nothing can be played. Which card do you discard?")
            return t("Which card do you play?")
        case Asks.NAMED:
            return t("What does {card} stand for?", card=the_card(language, question.card or "", SUBJECT))
        case Asks.RANK:
            return t("Which piece do you place on your start?")
        case Asks.MOVE if question.chosen:
            return t("{card}: which piece takes the rest?", card=card)
        case Asks.MOVE:
            return t("{card}: which piece goes where?", card=card)
        case Asks.ORDER:
            return t("The order matters here. Which way?")


def answer_label(
    language: Language, names: Names, seat: int, question: Question, answer: Answer, preview: PreviewOf
) -> str:
    """One answer for a button or a menu line. `preview` tells what an action would do on the board."""
    value = answer.value
    match question.asks:
        case Asks.WHAT:
            action = answer.actions[0]
            place = _landing(language, preview(action)) if action.kind is ActionKind.JUMP else ""
            return language.t(_LABELS[action.kind], place=place)
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
            told = _move_label(language, names, seat, step)
            if len(answer.actions[0].parts) > 1 and step.value:
                return language.n("{count} step: {move}", "{count} steps: {move}", step.value, move=told)
            return told
        case Asks.ORDER:
            assert isinstance(value, Action)
            return action_label(language, names.unmarked(), seat, preview(value))


def action_label(language: Language, names: Names, seat: int, preview: Preview) -> str:
    """What an action does, all steps: "12 → 15, 20 → 24 (sends home ...)"."""
    return tell_steps(language, names, preview.steps, seat) or language.t("no effect")


def in_words(language: Language, texts: Mapping[ActionKind, str], action: Action, preview: Preview, to: str) -> str:
    """An action in the words that `texts` has for its kind, filled in; empty if it has none."""
    return language.t(
        texts.get(action.kind, ""),
        card=the_card(language, action.card or ""),
        name=to,
        rank=the_rank(language, action.rank) if action.rank else "",
        place=_landing(language, preview),
    )


def confirm_line(language: Language, names: Names, seat: int, action: Action, preview: Preview, to: str) -> str:
    """The last line before `Play`: the whole action in words. `to`: who gets a card that is given away."""
    if asked := in_words(language, _ASKED, action, preview, to):
        return asked
    card = bold(capital(card_as(language, card_name(language, action.card or ""), action.named)))
    moves = action_label(language, names, seat, preview)
    if preview.draws:
        return language.t("{card}: {moves}. You draw a card there.", card=card, moves=moves)
    return language.t("{card}: {moves}.", card=card, moves=moves)


def done_line(language: Language, names: Names, seat: int, action: Action, preview: Preview, to: str) -> str:
    """What the person has just done, in words. `to`: who gets a card that was given away."""
    if done := in_words(language, _DONE, action, preview, to):
        return done
    card = card_as(language, the_card(language, action.card or ""), action.named)
    return language.t("You played {card}: {moves}.", card=card, moves=action_label(language, names, seat, preview))


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
    return language.t(
        "Your hand: {cards}. Only {card} can be played.",
        cards=_cards(language, hand),
        card=the_card(language, card, SUBJECT),
    )


def hand_line(language: Language, hand: Sequence[str]) -> str:
    """A hand in words, for the picture's alt text (only ever sent to its owner)."""
    if not hand:
        return language.t("Your hand is empty.")
    return language.t("Your hand: {cards}.", cards=_cards(language, hand))


def _cards(language: Language, cards: Sequence[str]) -> str:
    return listing(language, (card_name(language, card) for card in cards))


def _landing(language: Language, preview: Preview) -> str:
    return place_name(language, preview.steps[0].target) if preview.steps else ""


def _move_label(language: Language, names: Names, seat: int, step: Step) -> str:
    """One piece's way in a few words, for a button: "1 → 12 ⚔ Bello". `seat` is the one that plays."""
    p, origin, rank = language.p, place_name(language, step.origin), rank_name(language, step.rank) if step.rank else ""
    if step.kind is StepKind.SWAP and step.other is not None:
        filled = {"origin": origin, "owner": names.label(step.other[0]), "place": place_name(language, step.other[1])}
        if rank and step.other_rank:
            filled |= {"rank": rank, "other_rank": rank_name(language, step.other_rank)}
            told = p("move", "{rank} {origin} ⇄ {owner} {other_rank} {place}", **filled)
        else:
            told = p("move", "{origin} ⇄ {owner} {place}", **filled)
    elif step.kind is StepKind.OUT:
        told = p("move", "{rank} out of the kennel", rank=rank) if rank else p("move", "out of the kennel")
    else:
        told = way(language, origin, place_name(language, step.target), rank)
    if step.side != seat:
        told = p("move", "{owner}: {move}", owner=names.label(step.side), move=told)
    taken = ", ".join(dict.fromkeys(names.label(side) for side, _place in step.sent_home))
    return f"{told} ⚔ {taken}" if taken else told


def step_of(preview: Preview, part: Part, seat: int) -> Step | None:
    """The step of one part of an action, taken from its preview."""
    side = seat if part.side is None else part.side
    found = [step for step in preview.steps if (step.side, step.origin) == (side, part.origin)]
    return next((step for step in found if step.target == part.target), found[0] if found else None)


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
    """Letters for the steps of the answers; None for an answer that moves nothing.

    If every piece has one way to go, the letters are on the pieces; if there are more, on the places they can reach; if
    those are too many, or shared, on the pieces again, each with several answers. In a swap both pieces have one.
    """
    moves = [step for step in steps if step is not None]
    pieces = dict.fromkeys((step.side, step.origin) for step in moves)
    places = dict.fromkeys((step.side, step.target) for step in moves)
    others = dict.fromkeys(step.other for step in moves if step.other is not None)
    on_places = not others and len(pieces) < len(moves) == len(places) <= MOST_PLACES
    spots = dict(zip(places if on_places else pieces | others, LETTERS, strict=False))

    def head(step: Step | None) -> str:
        if step is None:
            return ""
        ends = [(step.side, step.target if on_places else step.origin), step.other]
        return " ⇄ ".join(spots[end] for end in ends if end is not None and end in spots)

    return Marks(spots, tuple(map(head, steps)))
