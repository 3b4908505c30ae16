"""The private dialogue in words: what is asked, and what each answer would do."""

from __future__ import annotations

from collections.abc import Callable

from bot.languages import Language
from bot.table import Table
from bot.texts.moves import tell_step
from bot.texts.words import Names, card_label, card_name, listing, place_name, rank_name
from bot.walk import Answer, Asks, Question
from engine import Action, ActionKind, Outcome, Part, Step, board_for
from engine.systems import Exchange

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The big letters that tie the answers of a menu to the marks in the preview picture."""

OutcomeOf = Callable[[Action], Outcome]


def receiver(table: Table, names: Names, seat: int) -> str:
    """Who gets the card that a seat gives away in the exchange: the next one of its team, or of all without teams."""
    board = board_for(table.system, table.players)
    group = board.seats if board.exchange is Exchange.NEXT else board.team(seat)
    return names.marked(group[(group.index(seat) + 1) % len(group)])


def question_line(language: Language, question: Question, to: str = "") -> str:
    """The question itself, one line. `to`: who gets a card that is given away."""
    card = card_name(language, question.named or question.card or "")
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
            return language.t("What does the {card} stand for?", card=card_name(language, question.card or ""))
        case Asks.RANK:
            return language.t("Which piece do you place on your start?")
        case Asks.PIECE:
            if question.chosen:
                return language.t("The {card}: which piece takes the rest?", card=card)
            return language.t("The {card}: which piece?", card=card)
        case Asks.TARGET:
            return language.t("The {card}: where to?", card=card)
        case Asks.ORDER:
            return language.t("The order matters here. Which way?")


def answer_label(
    language: Language, names: Names, seat: int, question: Question, answer: Answer, outcome: OutcomeOf
) -> str:
    """One answer for a button or a menu line. `outcome` tells what an action would do on the board."""
    value = answer.value
    match question.asks:
        case Asks.WHAT:
            return _kind_label(language, ActionKind(str(value)))
        case Asks.CARD | Asks.NAMED:
            return card_label(language, str(value))
        case Asks.RANK:
            return rank_name(language, str(value)).capitalize()
        case Asks.PIECE:
            if value is None:
                return language.t("nothing more")
            side, place = piece_of(value, seat)
            return _piece_label(language, names, seat, side, place, _rank_of(outcome(answer.actions[0]), side, place))
        case Asks.TARGET:
            assert isinstance(value, Part)
            step = _step_of(outcome(answer.actions[0]), value, seat)
            if step is None:
                return place_name(language, value.target)
            told = tell_step(language, names, step, seat)
            points = language.n("{count} point", "{count} points", step.value)
            return f"{told} · {points}" if len(answer.actions[0].parts) > 1 and step.value else told
        case Asks.ORDER:
            assert isinstance(value, Action)
            return action_label(language, names, seat, outcome(value))


def action_label(language: Language, names: Names, seat: int, outcome: Outcome) -> str:
    """What an action does, all steps: "12 → 15, 20 → 24 (sends home ...)"."""
    if not outcome.steps:
        return language.t("no effect")
    return ", ".join(tell_step(language, names, step, seat) for step in outcome.steps)


def confirm_line(language: Language, names: Names, seat: int, action: Action, outcome: Outcome, to: str) -> str:
    """The last line before `Play`: the whole action in words. `to`: who gets a card that is given away."""
    card = card_name(language, action.card or "")
    match action.kind:
        case ActionKind.GIVE:
            return language.t("You give the {card} to {name}.", card=card, name=to)
        case ActionKind.ASK:
            return language.t("You ask for help and give the {card} if your partner agrees.", card=card)
        case ActionKind.NONE:
            return language.t("You need no help.")
        case ActionKind.DECLINE:
            return language.t("You decline: no cards change hands.")
        case ActionKind.DISCARD:
            return language.t("You discard the {card}.", card=card)
        case ActionKind.PLACE:
            return language.t("You place the {rank} on your start.", rank=rank_name(language, action.rank or ""))
        case ActionKind.JUMP:
            return language.t("The citizen jumps on: {moves}.", moves=action_label(language, names, seat, outcome))
        case ActionKind.STAY:
            return language.t("The citizen stays where it is.")
        case ActionKind.FOLD:
            return language.t("You lay your hand down.")
        case _:
            named = (
                language.t("{card} as {named}", card=card, named=card_name(language, action.named))
                if action.named
                else card
            )
            moves = action_label(language, names, seat, outcome)
            drawn = language.t(" You draw a card for the special space.") if outcome.draws else ""
            return language.t("You play the {card}: {moves}.", card=named, moves=moves) + drawn


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
        case ActionKind.JUMP:
            return language.t("Jump on")
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


def _piece_label(language: Language, names: Names, seat: int, side: int, place: str, rank: str | None) -> str:
    kennel = place.endswith("-")
    if rank:
        label = (
            language.t("{rank} from the kennel", rank=rank_name(language, rank))
            if kennel
            else language.t("{rank} on {place}", rank=rank_name(language, rank), place=place_name(language, place))
        )
    else:
        label = (
            language.t("piece from the kennel")
            if kennel
            else language.t("piece on {place}", place=place_name(language, place))
        )
    return label if side == seat else language.t("{owner}: {piece}", owner=names.bare(side), piece=label)


def piece_of(value: object, seat: int) -> tuple[int, str]:
    """The piece that a PIECE answer means, as (side, place); the engine leaves out the player's own side."""
    assert isinstance(value, tuple)
    side, place = value
    return seat if side is None else int(side), str(place)


def _step_of(outcome: Outcome, part: Part, seat: int) -> Step | None:
    side = seat if part.side is None else part.side
    for step in outcome.steps:
        if (step.side, step.origin, step.target) == (side, part.origin, part.target):
            return step
    for step in outcome.steps:
        if (step.side, step.origin) == (side, part.origin):
            return step
    return None


def _rank_of(outcome: Outcome, side: int, place: str) -> str | None:
    """The rank of the piece that moves; in the kennel, where pieces have no space of their own, the place names it."""
    if place.endswith("-"):
        return place[:-1] or None
    for step in outcome.steps:
        if (step.side, step.origin) == (side, place):
            return step.rank
    return None


def place_of(outcome: OutcomeOf, seat: int, question: Question, answer: Answer) -> tuple[int, str] | None:
    """Where the letter of an answer belongs in the picture: (side, place), or None."""
    value = answer.value
    if question.asks is Asks.PIECE and value is not None:
        return piece_of(value, seat)
    if question.asks is Asks.TARGET and isinstance(value, Part):
        step = _step_of(outcome(answer.actions[0]), value, seat)
        if step is not None and step.other is not None:
            return step.other
        return (seat if value.side is None else value.side), value.target
    return None
