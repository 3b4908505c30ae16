"""The choices at a question: their words, the press of each, and where they show on the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import repeat

from bot.choosing import Answer, Asks, Decided, NoSuchPath, Question, branches, choose, ends, list_offered, piece_of
from bot.errors import need_current
from bot.languages import Language
from bot.moment import START, Moment
from bot.rights import Deed
from bot.showing.paging import split_page
from bot.showing.panels import LABEL_LIMIT
from bot.showing.presses import Press
from bot.table import SeatTable, Table
from bot.texts import dialogue
from bot.texts.dialogue import Speaker, Spot, letters_for, spot_of
from bot.texts.names import card_label, card_sign, rank_sign
from engine import KENNEL_TEXT, Action, ActionKind, DogError, Part, Preview, Step, StepKind
from engine.rules.placement import place_of

BUTTONS = 18
"""Up to this many answers get buttons; more go into menus."""

MOVES_IN_HAND = 10
"""Up to this many moves stand beside the hand, so that no card has to be chosen first."""

FEW, FEW_STEPS = 5, 7
"""Up to this many ways to share out the points of a card stand beside each other, before and after its first piece is
chosen."""

AT_ONCE = frozenset({ActionKind.DISCARD, ActionKind.NONE})
"""Actions taken as soon as they are chosen, since there is nothing to preview."""


class OfDecision(Press):
    """Part of the private dialogue about one decision. Before it is answered, `check` is asked."""

    decision: Moment

    def check(self, table: Table, user_id: int) -> None:
        """Raise `MovedOn` if the user is asked something else by now, or nothing."""
        need_current(self.decision, table.asked_of(user_id))


class Go(OfDecision, verb="go", deed=Deed.PLAY, menu="path"):
    """Answer the next question on the way to an action, go back, or turn to a page; `path`: the answers so far."""

    path: tuple[int, ...] = ()

    def check(self, table: Table, user_id: int) -> None:
        """Raise `MovedOn` as for any part of the dialogue; a hand that is asked nothing has pages all the same."""
        turns = len(self.path) == 1 and split_page(self.path)[1] is not None
        if not turns or table.asked_of(user_id) is not None:
            super().check(table, user_id)


class PlanGo(Go, verb="plan_go", deed=Deed.PLAN, menu="path"):
    """Answer the next question on the way to a plan; `decision`: the moment from which it looks ahead."""

    def check(self, table: Table, user_id: int) -> None:
        """Raise `NoSuchPath` once the game asks the user or, on the way, has moved on."""
        if table.asked_of(user_id) is not None or (self.path and table.moment != self.decision):
            raise NoSuchPath("the game has moved on from this plan")


class PlayNow(OfDecision, verb="play", deed=Deed.PLAY):
    """Play the action at the end of `path`."""

    path: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer as it is offered: its words and its press. `harms`: it sends back a piece of one's own team.

    `likely`: lower comes first. `group`: the piece that moves first, whose choices stand together, by `value`.
    `sign`: of the card or rank that it is about.
    """

    text: str
    press: Go | PlayNow
    harms: bool = False
    likely: int = 1
    group: Spot | None = None
    value: int = 0
    sign: str | None = None


class Choices:
    """The choices of a seat, in one language."""

    def __init__(self, language: Language, seated: SeatTable) -> None:
        self.speaker = Speaker.of(language, seated.table, seated.seat)
        self.offered = list_offered(seated.game)
        self.letters = letters_for(seated.game.view, seated.seat, _sharers(seated) if self.offered.unlisted else ())
        self.preview_of = cache(seated.game.preview)
        self.made_for = seated.decision or START
        """The decision that the presses carry; `START` if nothing is asked."""
        self._view = seated.game.view
        self._table_id = seated.table.id
        self._go = PlanGo if seated.ahead else Go
        self._at_once = frozenset() if seated.ahead else AT_ONCE

    def as_chosen(self, end: Decided) -> Decided:
        """Return the end of a path with the parts of its action in the order chosen, if that leads to the same."""
        action = end.chosen_as
        wanted = replace(action, parts=(*end.chosen, *(part for part in action.parts if part not in end.chosen)))
        try:
            alike = self.preview_of(wanted).placement == self.preview_of(action).placement
        except DogError:
            alike = False
        return replace(end, chosen_as=wanted) if alike else end

    def press_for(self, end: Decided) -> Go | PlayNow:
        """Return the press that leads to an action, or takes it at once if a preview is not needed."""
        kind = PlayNow if end.action.kind in self._at_once else self._go
        return kind(self._table_id, self.made_for, end.path)

    def go(self, path: tuple[int, ...]) -> Go:
        """Return the press that goes on along a path."""
        return self._go(self._table_id, self.made_for, path)

    def before(self, path: Sequence[int]) -> tuple[int, ...]:
        """Return the path of the question among whose choices a path stands: those of few moves leave questions out."""
        path, shown = tuple(path), tuple[int, ...]()
        while len(shown) + 1 < len(path):
            question = choose(self.offered, shown)
            if not isinstance(question, Question):
                break
            choices = self.cards(question) if question.asks is Asks.CARD else self.answers(question)
            on_the_way = [
                choice.press.path for choice in choices if choice.press.path == path[: len(choice.press.path)]
            ]
            following = max(on_the_way, key=len, default=path)
            if following == path:
                return shown if on_the_way else path[:-1]
            shown = following
        return path[:-1]

    def cards(self, question: Question) -> list[Choice]:
        """Return the choices for every playable card: its moves, likely moves first, or itself if they are many."""
        paths = {str(answer.value): (*question.path, index) for index, answer in enumerate(question.answers)}
        ends_of = {card: ends(self.offered, path, MOVES_IN_HAND) for card, path in paths.items()}
        ends_of |= {
            card: None for card in ends_of if self._view.board.system.cards[card].wild and len(ends_of[card] or ()) > 1
        }
        room, choices = MOVES_IN_HAND, list[Choice]()
        for card, moves in sorted(ends_of.items(), key=lambda item: MOVES_IN_HAND if item[1] is None else len(item[1])):
            parts = [part for end in moves or () for part in end.chosen_as.parts]
            lengths = {step.value for end in moves or () for step in self.preview_of(end.chosen_as).steps}
            # Ways of one length, forward and back, are told apart by where they end.
            far = dialogue.goes_far(parts) and len(lengths) > 1
            direct = [self._direct(end, far) for end in moves or ()] if len(moves or ()) <= max(room, 1) else []
            if direct and all(len(choice.text) <= LABEL_LIMIT for choice in direct):
                room -= len(direct)
                choices += direct
            else:
                text = dialogue.further_label(self.speaker.language, card_label(self.speaker.language, card))
                choices.append(Choice(text, self.go(paths[card]), likely=3, sign=self._sign(card)))
        hand = self._view.hand or ()
        order = {path: hand.index(card) for card, path in paths.items()}
        return sorted(choices, key=lambda choice: (choice.likely, order[choice.press.path[: len(question.path) + 1]]))

    def _label(self, tell: Callable[[Speaker], str]) -> str:
        return dialogue.fitted(self.speaker, LABEL_LIMIT, tell)

    def _sign(self, card: str) -> str:
        return card_sign(self._view.board.system.cards[card])

    def _sign_of(self, asks: Asks, answer: object) -> str | None:
        """Return the sign of an answer that is a card or a rank."""
        if not isinstance(answer, str) or asks not in (Asks.CARD, Asks.NAMED, Asks.RANK):
            return None
        return rank_sign(answer) if asks is Asks.RANK else self._sign(answer)

    def _direct(self, end: Decided, far: bool) -> Choice:
        """Return a choice that names a card with its only move, or with how `far` its only piece goes."""
        preview = self.preview_of(end.chosen_as)
        text = self._label(lambda speaker: dialogue.direct_label(speaker, end, preview, far=far))
        card = end.action.card
        sign = None if card is None else self._sign(card)
        return Choice(text, self.press_for(end), *self._weigh(preview.steps), sign=sign)

    def answers(self, question: Question) -> list[Choice]:
        """Return the answers to questions except that for a card: whole actions if they are few, to ask no more."""
        path, shared = question.path, self.left(question) > 0
        limit = BUTTONS if question.chosen else FEW if question.asks is Asks.PIECE else FEW_STEPS
        shared_ends = ends(self.offered, path, limit) if shared else None
        if shared_ends is not None:
            wholes = [self._rest_choice(question, end) for end in shared_ends]
            if all(len(choice.text) <= LABEL_LIMIT for choice in wholes):
                return self._in_order(wholes)
        choices = []
        # What follows on a part is only listed where a person goes on: where pieces are many, that takes time.
        after = branches(self.offered, path) if question.asks is not Asks.MOVE else repeat(None)
        for index, (answer, further) in enumerate(zip(question.answers, after, strict=False)):
            press = self.press_for(further) if isinstance(further, Decided) else self.go((*path, index))
            text = self._label(partial(self._answer_label, question, answer))
            if isinstance(answer.value, Part):
                step = dialogue.step_of(self._preview_answer(question, answer), answer.value, self.speaker.seat)
                choices.append(
                    Choice(text, press, *self._weigh([step]), self._spot(piece_of(answer.value)), step.value)
                )
            elif question.asks is Asks.PIECE and further is not None:
                # A player who wants to spend all that is left on one piece need not be asked how much.
                whole = further if isinstance(further, Decided) else self._find_whole(question, further)
                choices += [] if whole is None else [self._rest_choice(question, whole)]
                more = dialogue.further_label(self.speaker.language, text)
                choices += [] if isinstance(further, Decided) else [Choice(more, press, group=self._spot(answer.value))]
            else:
                choices.append(Choice(text, press, sign=self._sign_of(question.asks, answer.value)))
        if len(choices) > BUTTONS:
            # The lines of a menu have one answer each.
            choices = [choice for choice in choices if choice.press.path[:-1] == path]
        return self._in_order(choices)

    def _answer_label(self, question: Question, answer: Answer, speaker: Speaker) -> str:
        return dialogue.answer_label(speaker, question, answer, self._preview_answer(question, answer), self.letters)

    def _in_order(self, choices: Iterable[Choice]) -> list[Choice]:
        """Sort choices by the letters of their pieces; those without a piece first."""
        order = {spot: number for number, spot in enumerate(self.letters)}
        return sorted(choices, key=lambda choice: -1 if choice.group is None else order.get(choice.group, -1))

    def _spot(self, piece: object) -> Spot | None:
        """Return the spot of a piece that an answer names."""
        match piece:
            case (int() | None as side, str() as origin):
                return self.speaker.seat if side is None else side, origin
        return None

    def _preview_answer(self, question: Question, answer: Answer) -> Preview:
        """Return the preview of an answer, in the order in which the parts are chosen if that is possible."""
        wanted = (*question.chosen, answer.value)
        actions = (action for action in answer.actions if action.parts[: len(wanted)] == wanted)
        return self.preview_of(answer.value if isinstance(answer.value, Action) else next(actions, answer.actions[0]))

    def _find_whole(self, question: Question, step: Question) -> Decided | None:
        """Return the end at which a chosen piece takes all the points left, if there is one."""
        for index, answer in enumerate(step.answers):
            (first, *others) = answer.actions
            if not others and len(first.parts) == len(question.chosen) + 1:
                return Decided(self.offered.get(first, first), first, (*step.path, index))
        return None

    def _rest_choice(self, question: Question, end: Decided) -> Choice:
        rest = [part for part in end.chosen_as.parts if part not in question.chosen]
        rest.sort(key=lambda part: piece_of(part) != question.piece)
        steps = [self._step(end.chosen_as, part) for part in rest]
        group, value = (self._spot(piece_of(rest[0])), steps[0].value) if rest else (None, 0)
        text = self._label(lambda speaker: dialogue.rest_label(speaker, steps, self.letters))
        return Choice(text, self.press_for(end), *self._weigh(steps), group, value)

    def _weigh(self, steps: Iterable[Step]) -> tuple[bool, int]:
        """Return whether these steps harm one's own team, and their rank: ways out and in, and captures come first."""
        weighed = list(steps)
        if dialogue.is_harmful(self.speaker, weighed):
            return True, 2
        gains = any(step.kind is StepKind.OUT or step.sent_home or step.comes_home for step in weighed)
        return False, 0 if gains else 1

    def _step(self, action: Action, part: Part) -> Step:
        return dialogue.step_of(self.preview_of(action), part, self.speaker.seat)

    def done(self, question: Question) -> list[Step]:
        """Return the steps of the parts chosen so far."""
        actions = [action for answer in question.answers for action in answer.actions]
        chosen = question.chosen
        meant = next((action for action in actions if action.parts[: len(chosen)] == chosen), actions[0])
        return [self._step(meant, part) for part in chosen]

    def left(self, question: Question) -> int:
        """Return the points still to be shared out; 0 if there is nothing to share."""
        actions = [action for answer in question.answers for action in answer.actions]
        if question.asks not in (Asks.PIECE, Asks.MOVE) or all(len(action.parts) < 2 for action in actions):
            return 0
        longest = max(actions, key=lambda action: len(action.parts))
        return sum(step.value for step in self.preview_of(longest).steps) - sum(
            step.value for step in self.done(question)
        )

    def after(self, done: Sequence[Step]) -> Preview | None:
        """Return the board after the parts chosen so far; None if there are none."""
        if not done:
            return None
        pieces = {side: list(texts) for side, texts in self._view.pieces.items()}
        for step in done:
            for side, place in step.sent_home:
                _put(pieces[side], place, "-")
            _put(pieces[step.side], step.origin, step.target)
        return Preview(tuple(done), {side: tuple(texts) for side, texts in pieces.items()})

    def ways(self, question: Question) -> list[Step]:
        """Return the steps that the answers to a question would make."""
        return [
            self._step(action, part)
            for answer in question.answers
            if answer.value is not None
            for action in answer.actions[:1]
            for part in action.parts
            if part == answer.value or piece_of(part) == answer.value
        ]

    def spots(self, question: Question, ways: Sequence[Step]) -> dict[tuple[int, str], str]:
        """Return letters for the pieces, and for the places of pieces with several ways the number of spaces."""
        pieces = dict.fromkeys(spot for step in ways for spot in (spot_of(step), step.other) if spot)
        spots = {spot: self.letters[spot] for spot in pieces if spot in self.letters}
        places = [(step.side, step.target) for step in ways if step.value]
        if question.asks is Asks.MOVE and len(ways) > len({spot_of(step) for step in ways}):
            numbers = {(step.side, step.target): str(step.value) for step in ways if step.value}
            spots |= {spot: number for spot, number in numbers.items() if spot not in spots and places.count(spot) == 1}
        return spots


def _sharers(seated: SeatTable) -> Iterator[Spot]:
    """Yield the pieces of the seat's team that are not in their kennels."""
    view = seated.game.view
    for side in view.board.team(seated.seat):
        yield from ((side, place) for text in view.pieces[side] if (place := place_of(text)) != KENNEL_TEXT)


def _put(pieces: list[str], origin: str, target: str) -> None:
    """Move a piece of a side to another place."""
    for number, text in enumerate(pieces):
        if place_of(text) == place_of(origin):
            pieces[number] = target
            return
