"""Choosing an action by answering small questions, one after another: a path down a tree.

The engine lists what a seat may do; a person answers one short question after another (card, what it stands for, which
piece, how far, the next piece with what is left) until one action is left. Questions with only one answer are skipped.
The same questions serve every card of every rule system, in buttons, menus and direct messages alike.

The engine lists one action for each effect. People look for it under every name that leads there (a joker brings a
piece out as an ace and as a king), so all of these are offered; what is done is the listed one. Where many pieces can
share points in too many ways to list, the engine lists anew after each part what can follow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from enum import StrEnum

from engine import KENNEL_TEXT, Action, ActionKind, DogError, Part, SeatGame, Shares, StepKind
from engine.rules.cards import Backward, Forward, Out, Power, Swap


class Offered(dict[Action, Action]):
    """Actions that can be chosen, in the engine's order, each with the listed action that it is.

    `unlisted`: cards, each with what it stands for, that have more ways; `shares` lists those that begin with some
    parts.
    """

    def __init__(
        self,
        listed: Iterable[Action],
        unlisted: Collection[tuple[str, str]] = (),
        shares: Callable[[Action], Shares] | None = None,
    ) -> None:
        super().__init__((action, action) for action in listed)
        self.unlisted = unlisted
        self.shares = shares


Piece = tuple[int | None, str]
"""A piece as actions name it: its side (None: the player's own) and place."""

AT_A_GLANCE = 12
"""With more ways for the pieces of a card than this, the piece is asked for first."""


class Asks(StrEnum):
    """The subject of a question; the interface words it."""

    WHAT = "what"
    """Between different kinds of action: ask for help or not, give or decline, jump or stay."""
    CARD = "card"
    NAMED = "named"
    PIECE = "piece"
    MOVE = "move"
    """Where to, and which piece if that has not been asked."""
    ORDER = "order"
    """The same parts in a different order have a different result: which result is meant."""
    RANK = "rank"


_WORDS = (Asks.CARD, Asks.NAMED, Asks.RANK)
"""The words asked for, in this order, each if any action has one of this name."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A possible answer: `value` tells which, `actions` are those that remain after it.

    Depending on the question, `value` is an `ActionKind` (WHAT), a card (CARD, NAMED), a `Piece` (PIECE), a `Part`
    (MOVE), an `Action` (ORDER) or a rank letter (RANK); None in place of a piece or part means "nothing more", where a
    seven may end early.
    """

    value: object
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """The next question, and everything chosen so far; `piece`: the one whose way is asked for."""

    asks: Asks
    answers: tuple[Answer, ...]
    card: str | None = None
    named: str | None = None
    chosen: tuple[Part, ...] = ()
    piece: Piece | None = None
    path: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Decided:
    """The end of the path: the one action left, in which form it was chosen, and which parts, first to last."""

    action: Action
    chosen_as: Action
    path: tuple[int, ...] = ()
    chosen: tuple[Part, ...] = field(default=(), compare=False)


class NoSuchPath(LookupError):
    """The path does not exist in this tree: it was made for other legal actions."""


def list_offered(game: SeatGame) -> Offered:
    """Return the legal actions of a seat, under every name that leads to the same."""
    cards = game.view.board.system.cards
    shared = [
        power for power, times in Counter(each for card in cards.values() for each in card.powers).items() if times > 1
    ]
    offered = Offered((), game.unlisted, game.shares)
    for action in game.legal:
        offered[action] = action
        if action.named is None or action.card is None or not cards[action.card].wild or len(action.parts) != 1:
            continue
        for power in shared:
            if not _has_effect(game, action, power):
                continue
            for other in (replace(action, named=card.id) for card in cards.values() if power in card.powers):
                if other not in offered and _is_alike(game, action, other):
                    offered[other] = action
    return offered


def _has_effect(game: SeatGame, action: Action, power: Power) -> bool:
    """Return True if an action of one part does what this power does."""
    (part,) = action.parts
    match power:
        case Out():
            return part.origin.endswith(KENNEL_TEXT)
        case Swap():
            return part.swap
        case Forward(steps) | Backward(steps):
            kind = StepKind.FORWARD if isinstance(power, Forward) else StepKind.BACKWARD
            return any((step.kind, step.value) == (kind, steps) for step in game.preview(action).steps)
        case _:
            return False


def _is_alike(game: SeatGame, action: Action, other: Action) -> bool:
    try:
        return game.preview(action).placement == game.preview(other).placement
    except DogError:
        return False


def choose(legal: Offered | Sequence[Action], path: Iterable[int] = ()) -> Question | Decided:
    """Follow the answers in `path` (the index of each answer given) and return the next open question or the action.

    Args:
        legal: what is offered or, if nothing ends alike, the seat's legal actions.
        path: one index for each question asked, that is for each with more than one answer.

    Raises:
        NoSuchPath: an index does not exist, or there is nothing to choose from.
    """
    return _walk(legal, tuple(path))[1]


def _walk(legal: Offered | Sequence[Action], path: tuple[int, ...]) -> tuple[_Choosing, Question | Decided]:
    """Return the end of a path: the choosing so far, and what comes next."""
    listed = legal if isinstance(legal, Offered) else Offered(legal)
    if not listed:
        raise NoSuchPath("there is nothing to choose from")
    state = _Choosing(listed)
    step = state.onward()
    for index in path:
        if isinstance(step, Decided):
            raise NoSuchPath("the path is longer than the tree")
        if not 0 <= index < len(step.answers):
            raise NoSuchPath(f"answer {index} does not exist")
        state, step = state.down(step, index)
    return state, step


class _Choosing:
    """The path so far: the actions that remain, and what has been chosen."""

    def __init__(self, listed: Offered) -> None:
        self.listed = listed
        self.actions = tuple(listed)
        self.kind: ActionKind | None = None
        self.words: dict[Asks, str] = {}
        self.chosen: tuple[Part, ...] = ()
        self.piece: Piece | None = None
        self.final = False
        self.path: tuple[int, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Return True if nothing else can follow than `actions`."""
        unlisted = self.listed.unlisted
        return not (unlisted and any((each.card, each.named or each.card) in unlisted for each in self.actions))

    def onward(self) -> Question | Decided:
        """Return the next question with several answers, or the action; take single answers on the way."""
        while isinstance(step := self.next(), Question) and len(step.answers) == 1:
            self.take(step.asks, step.answers[0])
        return replace(step, path=self.path, chosen=self.chosen)

    def down(self, question: Question, index: int) -> tuple[_Choosing, Question | Decided]:
        """Return the choosing after this answer, and what comes next."""
        after = copy(self)
        after.words = dict(self.words)
        after.path = (*self.path, index)
        after.take(question.asks, question.answers[index])
        return after, after.onward()

    def next(self) -> Question | Decided:
        """Return the next question, trivial ones included."""
        if self.final or (len({self.listed[action] for action in self.actions}) == 1 and self.is_whole):
            return Decided(self.listed[self.actions[0]], self.actions[0])
        if self.kind is None:
            return self._ask(Asks.WHAT, ((action.kind, action) for action in self.actions))
        for asks in _WORDS:
            if asks not in self.words and any(getattr(action, asks) for action in self.actions):
                return self._ask(asks, ((getattr(action, asks), action) for action in self.actions))
        return self._ask_part()

    def _ask_part(self) -> Question | Decided:
        complete = tuple(action for action in self.actions if len(action.parts) == len(self.chosen))
        if len(complete) == len(self.actions):
            # A player who chose the parts in a possible order means that order.
            meant = tuple(action for action in complete if action.parts == self.chosen) or complete
            if len({self.listed[action] for action in meant}) == 1:
                return Decided(self.listed[meant[0]], meant[0])
            return self._question(Asks.ORDER, (Answer(action, (action,)) for action in meant))
        pairs: list[tuple[Part | None, Action]] = []
        for action in self.actions:
            rest = self._rest(action)
            pairs.extend((part, action) for part in rest if self.piece in (None, piece_of(part)))
            if not rest:
                pairs.append((None, action))
        if self.piece is None and self._piece_first([part for part, _ in pairs if part is not None]):
            return self._ask(Asks.PIECE, ((part and piece_of(part), action) for part, action in pairs))
        return self._ask(Asks.MOVE, pairs)

    def _piece_first(self, parts: Sequence[Part]) -> bool:
        """Return True if the piece is asked for before its way: if points are shared out, or if ways are many."""
        if any(part.swap for part in parts):
            return False
        return any(len(action.parts) > 1 for action in self.actions) or len(set(parts)) > AT_A_GLANCE

    def _rest(self, action: Action) -> list[Part]:
        return [part for part in action.parts if part not in self.chosen]

    def _ask(self, asks: Asks, pairs: Iterable[tuple[object, Action]]) -> Question:
        groups: dict[object, dict[Action, None]] = {}
        for value, action in pairs:
            groups.setdefault(value, {})[action] = None
        return self._question(asks, (Answer(value, tuple(actions)) for value, actions in groups.items()))

    def _question(self, asks: Asks, answers: Iterable[Answer]) -> Question:
        card, named = self.words.get(Asks.CARD), self.words.get(Asks.NAMED)
        return Question(asks, tuple(answers), card, named, self.chosen, self.piece)

    def take(self, asks: Asks, answer: Answer) -> None:
        """Go down one answer."""
        self.actions = answer.actions
        value = answer.value
        if isinstance(value, ActionKind):
            self.kind = value
        elif asks in _WORDS:
            self.words[asks] = str(value)
        elif value is None:
            self.actions = tuple(action for action in answer.actions if not self._rest(action))
            self.final = len(self.actions) == 1
        elif isinstance(value, Part):
            self.chosen, self.piece = (*self.chosen, value), None
            self.list_anew()
        elif isinstance(value, tuple):
            self.piece = value
        elif asks is Asks.ORDER:
            self.final = True

    def list_anew(self) -> None:
        """List what can follow on the parts chosen, if that was not listed before."""
        if self.is_whole or self.listed.shares is None:
            return
        shared = self.listed.shares(replace(self.actions[0], parts=self.chosen))
        # Parts that cannot be carried out in the order in which they were chosen are in actions that were listed.
        listed = dict.fromkeys((*shared.actions, *(() if shared.whole and shared.actions else self.actions)))
        self.actions = tuple(listed)
        self.listed = Offered(listed, () if shared.whole else self.listed.unlisted, self.listed.shares)


def piece_of(part: Part) -> Piece:
    """Return the piece that a part moves."""
    return part.side, part.origin


def path_to(legal: Offered | Sequence[Action], action: Action) -> tuple[int, ...]:
    """Return the answers that lead to this action; none if it is the only one. Raises `NoSuchPath` if it is illegal."""
    path: tuple[int, ...] = ()
    step = choose(legal, path)
    while isinstance(step, Question):
        index = next((number for number, answer in enumerate(step.answers) if _leads_to(step, answer, action)), None)
        if index is None:
            raise NoSuchPath("this action is not allowed")
        path = (*path, index)
        step = choose(legal, path)
    if action not in (step.action, step.chosen_as) and set(action.parts) != set(step.chosen_as.parts):
        raise NoSuchPath("this action is not allowed")
    return path


def _leads_to(question: Question, answer: Answer, action: Action) -> bool:
    """Return True if an answer is the one on the way to an action, its parts one after the other."""
    left = [part for part in action.parts if part not in question.chosen]
    match question.asks:
        case Asks.PIECE:
            return answer.value == (piece_of(left[0]) if left else None)
        case Asks.MOVE:
            return answer.value == (left[0] if left else None)
        case Asks.WHAT:
            return answer.value is action.kind
        case Asks.ORDER:
            return action in answer.actions
    return bool(answer.value == getattr(action, question.asks))


def branches(legal: Offered | Sequence[Action], path: tuple[int, ...]) -> list[Question | Decided]:
    """Return the step after each answer to the question at the end of a path."""
    state, step = _walk(legal, path)
    return [state.down(step, index)[1] for index in range(len(step.answers))] if isinstance(step, Question) else []


def ends(legal: Offered | Sequence[Action], path: tuple[int, ...], most: int) -> list[Decided] | None:
    """Everything that can follow on a path, each action once; None if that is more than `most`."""
    state, step = _walk(legal, path)
    if not state.is_whole or len({state.listed[action] for action in state.actions}) > most:
        return None
    chosen: dict[Action, Decided] = {}
    for end in _leaves(state, step):
        chosen.setdefault(end.action, end)
    return list(chosen.values())


def _leaves(state: _Choosing, step: Question | Decided) -> Iterator[Decided]:
    if isinstance(step, Decided):
        yield step
    else:
        for index in range(len(step.answers)):
            yield from _leaves(*state.down(step, index))
