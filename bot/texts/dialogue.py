"""The private dialogue in words: what is asked, what each answer would do, and the letters on the picture for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.choosing import Answer, Asks, Decided, Question, piece_of
from bot.languages import Language
from bot.languages import mark as _
from bot.table import Table
from bot.texts.markup import bold
from bot.texts.moves import NO_EFFECT, OUT, SWAPPED, TAKES, card_and_moves, loses_card, tell_steps, tell_way
from bot.texts.names import (
    MARKS,
    SUBJECT,
    Names,
    capital,
    card_as,
    card_label,
    card_name,
    place_name,
    rank_name,
    the_card,
    the_rank,
)
from engine import KENNEL_TEXT, Action, ActionKind, Exchange, Part, Phase, Preview, Step, StepKind, View

_LABELS: Mapping[ActionKind, str] = {
    ActionKind.ASK: _("Ask for help"),
    ActionKind.NONE: _("Go on without help"),
    ActionKind.GIVE: _("Give a card"),
    ActionKind.DECLINE: _("Decline"),
    ActionKind.JUMP: _("Jump ahead to {place}"),
    ActionKind.STAY: _("Stay"),
    ActionKind.DISCARD: _("Discard"),
    ActionKind.PLACE: _("Place a piece"),
    ActionKind.FOLD: _("Fold"),
    ActionKind.PLAY: _("Play a card"),
}
"""The labels of actions, on buttons."""

_ASKED: Mapping[ActionKind, str] = {
    ActionKind.GIVE: _("Give {card} to {name}?"),
    ActionKind.ASK: _("Ask {name} for a card, and give {card} in return?"),
    ActionKind.NONE: _("Go without help?"),
    ActionKind.DECLINE: _("Decline? Then no cards change hands."),
    ActionKind.DISCARD: _("Discard {card}?"),
    ActionKind.PLACE: _("Place {rank} on your start?"),
    ActionKind.JUMP: _("Let the citizen jump ahead to {place}?"),
    ActionKind.STAY: _("Let the citizen stay where it is?"),
    ActionKind.FOLD: _("Fold your hand?"),
}
"""The last question before anything but a card is played."""

_DONE: Mapping[ActionKind, str] = {
    ActionKind.GIVE: _("You gave {card} to {name}."),
    ActionKind.ASK: _("You asked {name} for a card and offered {card}."),
    ActionKind.NONE: _("You're going without help."),
    ActionKind.DECLINE: _("You declined, so no cards change hands."),
    ActionKind.DISCARD: _("You discarded {card}."),
    ActionKind.PLACE: _("You placed {rank} on your start."),
    ActionKind.JUMP: _("Your citizen jumped ahead to {place}."),
    ActionKind.STAY: _("Your citizen stayed where it is."),
    ActionKind.FOLD: _("You folded."),
}


NOTHING_MORE = _("nothing more")
"""The answer that ends a card which is shared out."""

MANY_WAYS = 3
"""From so many ways of one piece on, they are told by how far it goes."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """The words for the person on a seat: their language, the names at the table, their team.

    `team` begins with their own seat; `to`: who gets a card that they give away, `to_opponent`: that is an opponent.
    `robbed`: another player's card costs them a card.
    """

    language: Language
    names: Names
    seat: int
    team: tuple[int, ...]
    to: str
    robbed: bool = False
    to_opponent: bool = False

    @classmethod
    def of(cls, language: Language, table: Table, seat: int) -> Speaker:
        """Return the speaker to this seat of a table."""
        names = Names.of(table, language)
        group = _in_exchange(table, seat)
        taker, team = group[(group.index(seat) + 1) % len(group)], (seat, *table.board.partners(seat))
        robbed = table.game is not None and table.game.phase is Phase.LOSE
        return cls(language, names, seat, team, names.marked(taker), robbed, taker not in team)

    def in_brief(self) -> Speaker:
        """Return the same with marks instead of names, for labels with little room."""
        return replace(self, names=Names(dict(enumerate(MARKS)), in_message=False))


def fitted(speaker: Speaker, limit: int, tell: Callable[[Speaker], str]) -> str:
    """Return a label with the names of players, or with their marks if it would have more than `limit` characters."""
    told = tell(speaker)
    return told if len(told) <= limit else tell(speaker.in_brief())


def giver(table: Table, seat: int) -> int:
    """Return the seat that a card came from in the exchange."""
    group = _in_exchange(table, seat)
    return group[group.index(seat) - 1]


def _in_exchange(table: Table, seat: int) -> tuple[int, ...]:
    """Return the seats among which a seat's cards go on, in that order: its team, or all seats."""
    board = table.board
    return board.seats if board.exchange is Exchange.NEXT else board.team(seat)


_CARDS_ASKED: Mapping[ActionKind, str] = {
    ActionKind.GIVE: _("Which card for {name}?"),
    ActionKind.ASK: _("Which card will you offer in return?"),
    ActionKind.DISCARD: _("You can't play. Which card will you discard?"),
    ActionKind.PLAY: _("Your move?"),
}


def question_line(speaker: Speaker, question: Question, left: int = 0, letters: Letters | None = None) -> str:
    """Return the question in one line. `left`: the points of a card that are still to be shared out.

    `letters`: those of the pieces, for a question about one that was chosen among them.
    """
    t, language = speaker.language.t, speaker.language
    card = capital(card_as(language, card_name(language, question.card or ""), question.named))
    values = [answer.value for answer in question.answers]
    match question.asks:
        case Asks.WHAT if ActionKind.ASK in values:
            return t("Do you need help? {name} can give you a card for one of yours.", name=speaker.to)
        case Asks.WHAT:
            return t("What would you like to do?")
        case Asks.CARD if speaker.robbed:
            return t("You lose a card. Which one?")
        case Asks.CARD if speaker.to_opponent and question.answers[0].actions[0].kind is ActionKind.GIVE:
            return t("Which card for your opponent {name}?", name=speaker.to)
        case Asks.CARD:
            return t(_CARDS_ASKED[question.answers[0].actions[0].kind], name=speaker.to)
        case Asks.NAMED:
            return t("What does {card} stand for?", card=the_card(language, question.card or "", SUBJECT))
        case Asks.RANK:
            return t("Which piece will you place on your start?")
        case Asks.ORDER:
            return t("The order matters here. Which way?")
        case Asks.MOVE if question.piece is not None and (letter := _letter(speaker, question.piece, letters or {})):
            return t("{card}: how far does {letter} go?", card=card, letter=letter)
        case Asks.PIECE | Asks.MOVE if question.chosen:
            return language.n(
                "{card}: {count} space left. Which piece goes next?",
                "{card}: {count} spaces left. Which piece goes next?",
                left,
                card=card,
            )
        case Asks.PIECE if left:
            return t("{card}: which piece moves first?", card=card)
        case Asks.MOVE if question.piece is not None or _has_one_piece(question):
            return t("{card}: how far?", card=card)
        case Asks.MOVE if all(isinstance(value, Part) and value.swap for value in values):
            return t("{card}: which pieces will you swap?", card=card)
        case Asks.MOVE if _asks_where(question):
            return t("{card}: where to?", card=card)
        case _ if question.asks is Asks.PIECE or _count_pieces(question) == len(values):
            return t("{card}: which piece?", card=card)
        case _:
            return t("{card}: which piece goes where?", card=card)


def _letter(speaker: Speaker, piece: object, letters: Letters) -> str | None:
    """Return the letter of a piece that an answer names, if it has one."""
    match piece:
        case (int() | None as side, str() as origin):
            return letters.get((speaker.seat if side is None else side, origin))
    return None


def answer_label(speaker: Speaker, question: Question, answer: Answer, preview: Preview, letters: Letters) -> str:
    """Return an answer for a button or a menu line; `preview`: what follows from it."""
    language, value = speaker.language, answer.value
    match value:
        case None if answer.actions[0].victim is not None:
            return _costs(speaker, answer.actions[0])
        case None:
            return language.t(NOTHING_MORE)
        case ActionKind():
            return kind_label(language, value, preview)
        case Action():
            names = speaker.names.unmarked()
            told = tell_steps(language, names, preview.steps, speaker.seat, speaker.team)
            return capital(told, *map(names.safe, names.plain))
        case Part():
            step = step_of(preview, value, speaker.seat)
            if question.piece is None and not _has_one_piece(question):
                return move_label(speaker, step, None if _asks_where(question) else letters)
            place = place_name(language, step.target)
            if step.kind is StepKind.BACKWARD:
                told = language.n(
                    "{count} space backwards → {place}",
                    "{count} spaces backwards → {place}",
                    step.value,
                    context="move",
                    place=place,
                )
            else:
                told = language.n("{count} space → {place}", "{count} spaces → {place}", step.value, place=place)
            return add_captures(speaker, step, told)
        case (int() | None as owner, str() as origin):
            side = speaker.seat if owner is None else owner
            return f"{letters[side, origin]} · {_piece(speaker, side, origin, preview)}"
        case _ if question.asks is Asks.RANK:
            return capital(rank_name(language, str(value)))
        case _:
            return card_label(language, str(value))


def _count_pieces(question: Question) -> int:
    """Return how many pieces the answers move."""
    return len({piece_of(answer.value) for answer in question.answers if isinstance(answer.value, Part)})


def _asks_where(question: Question) -> bool:
    """Return True if the answers are places for one piece."""
    has_swaps = any(isinstance(answer.value, Part) and answer.value.swap for answer in question.answers)
    return _count_pieces(question) == 1 and not has_swaps


def _has_one_piece(question: Question) -> bool:
    """Return True if the answers differ in how far one piece goes."""
    return goes_far([answer.value for answer in question.answers])


def goes_far(values: Iterable[object]) -> bool:
    """Return True if these are ways of one piece to many places, so that a player asks how far it goes."""
    parts = [value for value in values if isinstance(value, Part)]
    pieces = {(part.side, part.origin) for part in parts}
    is_walk = not any(part.swap or part.origin.endswith(KENNEL_TEXT) for part in parts)
    return is_walk and len(parts) >= MANY_WAYS and len(pieces) == 1


def _piece(speaker: Speaker, side: int, origin: str, preview: Preview) -> str:
    """Name a piece by its place, with its rank and owner where that matters."""
    language, place = speaker.language, place_name(speaker.language, origin)
    rank = next((step.rank for step in preview.steps if spot_of(step) == (side, origin)), None)
    told = language.p("piece", "{rank} on {place}", rank=rank_name(language, rank), place=place) if rank else place
    if side == speaker.seat:
        return told
    return _owned(speaker, side, told)


def _owned(speaker: Speaker, side: int, told: str) -> str:
    """Attribute a text to the owner of another player's piece."""
    return speaker.language.p("move", "{owner}: {move}", owner=speaker.names.label(side), move=told)


def further_label(language: Language, told: str) -> str:
    """Return a card or piece that leads to another question."""
    return language.p("label", "{what} …", what=told)


def kind_label(language: Language, kind: ActionKind, preview: Preview) -> str:
    """Return what can be done, whatever card it takes: "I need no help", "Jump on to 17"."""
    return language.t(_LABELS[kind], place=_landing(language, preview) if kind is ActionKind.JUMP else "")


def choice_label(language: Language, action: Action, preview: Preview) -> str:
    """Return the card of an action, for a list of cards, or what is done without one."""
    return kind_label(language, action.kind, preview) if action.card is None else card_label(language, action.card)


def direct_label(speaker: Speaker, end: Decided, preview: Preview, *, far: bool = False) -> str:
    """Return a card and all that it would do, for a button: "5: 12 → 17"; "1-7: +3 → 15" if it is about how `far`."""
    action, language = end.chosen_as, speaker.language
    if action.rank is not None:
        return capital(rank_name(language, action.rank))
    if action.kind is not ActionKind.PLAY:
        return choice_label(language, action, preview)
    card = capital(card_as(language, card_name(language, action.card or ""), action.named))
    if far:
        return _counted(speaker, card, preview.steps[0])
    moves = " + ".join(move_label(speaker, step) for step in preview.steps) or _costs(speaker, action)
    return card_and_moves(language, card, moves)


def _costs(speaker: Speaker, action: Action) -> str:
    """Return the effect of an action that moves no piece."""
    if action.victim is None:
        return speaker.language.t(NO_EFFECT)
    return loses_card(speaker.language, speaker.names.label(action.victim))


def rest_label(speaker: Speaker, rest: Sequence[Step], letters: Letters) -> str:
    """Return the rest of a card that is shared out: "F: +2 → 22, G: +3 → 40"."""
    told = (_counted(speaker, letters[spot_of(step)], step) for step in rest)
    return ", ".join(told) or speaker.language.t(NOTHING_MORE)


def _counted(speaker: Speaker, piece: str, step: Step) -> str:
    """Return how many spaces a piece goes, and where to; the sign keeps spaces from places."""
    count = f"{'−' if step.kind is StepKind.BACKWARD else '+'}{step.value}"
    place = place_name(speaker.language, step.target)
    told = speaker.language.p("move", "{piece}: {count} → {place}", piece=piece, count=count, place=place)
    return add_captures(speaker, step, told)


def move_label(speaker: Speaker, step: Step, letters: Letters | None = None) -> str:
    """Return a piece's way for a button, with its letter if there are any: "E · 1 → 12 ⚔ Bello"."""
    language, p, names = speaker.language, speaker.language.p, speaker.names
    rank = rank_name(language, step.rank) if step.rank else ""
    head = [(letters or {}).get(spot_of(step))]
    if step.kind is StepKind.SWAP and step.other is not None:
        head.append((letters or {}).get(step.other))
        filled = {"origin": place_name(language, step.origin), "place": place_name(language, step.other[1])}
        filled["owner"] = names.label(step.other[0])
        if rank and step.other_rank:
            filled |= {"rank": rank, "other_rank": rank_name(language, step.other_rank)}
            told = p("move", "{rank} {origin} ⇄ {owner} {other_rank} {place}", **filled)
        else:
            told = p(*SWAPPED, **filled)
    elif step.kind is StepKind.OUT:
        told = p("move", "bring {rank} out", rank=the_rank(language, step.rank)) if step.rank else ""
        told = told or p(*OUT, target=place_name(language, step.target))
    else:
        told = tell_way(language, step, rank)
    if step.side != speaker.seat:
        told = _owned(speaker, step.side, told)
    letter, told = " ⇄ ".join(filter(None, head)), add_captures(speaker, step, told)
    return f"{letter} · {told}" if letter else told


def add_captures(speaker: Speaker, step: Step, told: str) -> str:
    """Add to a label whose pieces a step sends back: the player's own and the partner's with a warning."""
    sides = dict.fromkeys(side for side, _place in step.sent_home)
    for side in sorted(sides, key=lambda side: side not in speaker.team):
        if side == speaker.seat:
            told = speaker.language.p("move", "{move} ⚠ your own", move=told)
        elif side in speaker.team and len(speaker.team) > 2:
            name = speaker.names.label(side)
            told = speaker.language.p("move", "{move} ⚠ your partner's ({name})", move=told, name=name)
        elif side in speaker.team:
            told = speaker.language.p("move", "{move} ⚠ your partner's", move=told)
        else:
            told = speaker.language.p(*TAKES, move=told, name=speaker.names.label(side))
    return told


def is_harmful(speaker: Speaker, steps: Iterable[Step]) -> bool:
    """Return True if these steps send back a piece of the player's own or of the partner's."""
    return any(side in speaker.team for step in steps for side, _place in step.sent_home)


def in_words(speaker: Speaker, texts: Mapping[ActionKind, str], action: Action, preview: Preview) -> str:
    """Word an action by its kind as `texts` does; empty if that has no words for it."""
    language = speaker.language
    return language.t(
        texts.get(action.kind, ""),
        card=the_card(language, action.card or ""),
        name=speaker.to,
        rank=the_rank(language, action.rank) if action.rank else "",
        place=_landing(language, preview),
    )


def confirm_line(speaker: Speaker, action: Action, preview: Preview) -> str:
    """Return the last line before `Play`: the whole action in words."""
    if told := in_words(speaker, _ASKED, action, preview):
        return told
    language, card = speaker.language, card_name(speaker.language, action.card or "")
    filled = {"card": bold(capital(card_as(language, card, action.named))), "moves": _moves(speaker, action, preview)}
    if preview.draws:
        return language.t("{card}: {moves}. You draw a card there.", **filled)
    return language.t("{card}: {moves}.", **filled)


def done_line(speaker: Speaker, action: Action, preview: Preview) -> str:
    """Say what the person has just done."""
    if done := in_words(speaker, _DONE, action, preview):
        return done
    card = capital(card_as(speaker.language, card_name(speaker.language, action.card or ""), action.named))
    told = tell_steps(speaker.language, speaker.names, preview.steps, speaker.seat) or _costs(speaker, action)
    return card_and_moves(speaker.language, card, told)


def _moves(speaker: Speaker, action: Action, preview: Preview) -> str:
    """Return all steps of an action: "12 → 15, 20 → 24 (sends back ...)"."""
    told = tell_steps(speaker.language, speaker.names, preview.steps, speaker.seat, speaker.team)
    return told or _costs(speaker, action)


def already_done(language: Language, told: str) -> str:
    """Answer a late click: what the person did, as it was told."""
    return language.t("✅ Already done. {what}", what=told).rstrip()


def exchange_line(language: Language, gave: str, got: str, to: str, giver: str) -> str:
    """Tell a player what an exchange brought; `to` and `giver`: whom they gave a card, and who gave them one."""
    filled = {"to": to, "gave": the_card(language, gave), "got": the_card(language, got), "name": giver}
    if to == giver:
        return language.t("⇄ You gave {to} {gave} and got {got}.", **filled)
    return language.t("⇄ You gave {to} {gave} and got {got} from {name}.", **filled)


def help_line(language: Language, gave: str, got: str, _to: str, giver: str) -> str:
    """Tell a player what a call for help brought."""
    filled = {"gave": the_card(language, gave), "name": giver, "got": the_card(language, got)}
    return language.t("Help: you gave {gave} and got {got} from {name}.", **filled)


def drawn_line(language: Language, cards: Sequence[str]) -> str:
    """Tell the person their drawn cards."""
    return language.t("You drew {cards}.", cards=language.listed(the_card(language, card) for card in cards))


def hand_line(language: Language, hand: Sequence[str]) -> str:
    """Return a hand in words, for the picture's alt text (only ever sent to its owner)."""
    if not hand:
        return language.t("Your hand is empty.")
    return language.t("Your hand: {cards}.", cards=_cards(language, hand))


def _cards(language: Language, cards: Sequence[str]) -> str:
    return language.listed(card_name(language, card) for card in cards)


def _landing(language: Language, preview: Preview) -> str:
    return place_name(language, preview.steps[0].target) if preview.steps else ""


def step_of(preview: Preview, part: Part, seat: int) -> Step:
    """Return the step of one part of an action, taken from its preview."""
    side = seat if part.side is None else part.side
    found = [step for step in preview.steps if spot_of(step) == (side, part.origin)]
    return next((step for step in found if step.target == part.target), found[0])


def spot_of(step: Step) -> Spot:
    """Return the piece that a step moves, as actions name it: in the kennel by its rank, if it has one."""
    return step.side, f"{step.rank or ''}{step.origin}" if step.origin == KENNEL_TEXT else step.origin


Spot = tuple[int, str]
"""A piece or a place of the board: side and place."""

Letters = Mapping[Spot, str]
"""The letters of pieces in the picture and in the answers."""


def letters_for(view: View, seat: int, others: Iterable[Spot] = ()) -> dict[Spot, str]:
    """Return a letter for each piece that this seat could move or swap, the same throughout its decision.

    Its own come first, those in the kennel last. `others`: pieces that may move although no listed action moves them.
    """
    found: dict[Spot, None] = {}
    for action in view.legal:
        for part in action.parts:
            found[seat if part.side is None else part.side, part.origin] = None
    for action in view.legal:
        for part in action.parts:
            if part.swap:
                side, _dot, place = part.target.partition(".")
                found[int(side), place] = None
    found |= dict.fromkeys(others)
    ordered = sorted(found, key=lambda spot: spot[1].endswith(KENNEL_TEXT))
    return {spot: letter_of(number) for number, spot in enumerate(ordered)}


LETTERS = "EFGHLMNRSTUVWXYZ"
"""The letters of pieces: none that stands for a card (A, J, Q, K) or a space (a to d, P), or looks like a number."""


def letter_of(number: int) -> str:
    """Return the letter with this number, counted from 0: E to Z, then EE, EF and so on."""
    before, here = divmod(number, len(LETTERS))
    return (letter_of(before - 1) if before else "") + LETTERS[here]
