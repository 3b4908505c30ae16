"""Choosing an action by answering small questions, one after another: a path down a tree.

The engine lists what a seat may do; a person answers one short question after another (card, what it stands for, which
piece goes where, the rest of a seven) until one action is left. Questions with only one answer are skipped. The same
questions serve every card of every rule system, in buttons, menus and direct messages alike.

The parts of a seven may be chosen in any order: an answer narrows a *set* of parts, and the order is only asked for
when it affects the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine import Action, ActionKind, Part


class Asks(StrEnum):
    """What a question asks for; the interface words it."""

    WHAT = "what"
    """Between different kinds of action: ask for help or not, give or decline, jump or stay."""
    CARD = "card"
    NAMED = "named"
    MOVE = "move"
    """Which piece goes where; for a card that is split, the next part."""
    ORDER = "order"
    """The same parts in a different order have a different result: which result is meant."""
    RANK = "rank"


_WORDS = (Asks.CARD, Asks.NAMED, Asks.RANK)
"""What is asked for in this order, each if any action has a word of this name."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One possible answer: `value` tells which, `actions` are those that remain after it.

    Depending on the question, `value` is an `ActionKind` (WHAT), a card (CARD, NAMED), a `Part` (MOVE), an `Action`
    (ORDER) or a rank letter (RANK); None in place of a part means "nothing more", where a seven may end early.
    """

    value: object
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked next, and everything chosen so far."""

    asks: Asks
    answers: tuple[Answer, ...]
    card: str | None = None
    named: str | None = None
    chosen: tuple[Part, ...] = ()
    path: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Decided:
    """The end of the path: the one action left."""

    action: Action
    path: tuple[int, ...] = ()


class NoSuchPath(LookupError):
    """The path does not exist in this tree: it was made for other legal actions."""


def choose(legal: Sequence[Action], path: Iterable[int] = ()) -> Question | Decided:
    """Follow the answers in `path` (the index of each answer given) and return the next open question or the action.

    Args:
        legal: the seat's legal actions, in the engine's order (which keeps the indexes stable).
        path: one index for each question asked, that is for each with more than one answer.

    Raises:
        NoSuchPath: an index does not exist, or there is nothing to choose from.
    """
    if not legal:
        raise NoSuchPath("there is nothing to choose from")
    given = tuple(path)
    used = 0
    state = _Choosing(tuple(legal))
    while True:
        step = state.next()
        if isinstance(step, Decided):
            if used != len(given):
                raise NoSuchPath("the path is longer than the tree")
            return Decided(step.action, given)
        if len(step.answers) == 1:
            state.take(step.asks, step.answers[0])
            continue
        if used == len(given):
            return Question(step.asks, step.answers, step.card, step.named, step.chosen, given)
        index = given[used]
        if not 0 <= index < len(step.answers):
            raise NoSuchPath(f"answer {index} does not exist")
        state.take(step.asks, step.answers[index])
        used += 1


class _Choosing:
    """The path so far: the actions that remain, and what has been chosen."""

    def __init__(self, actions: tuple[Action, ...]) -> None:
        self.actions = actions
        self.kind: ActionKind | None = None
        self.words: dict[Asks, str] = {}
        self.chosen: tuple[Part, ...] = ()
        self.final = False

    def next(self) -> Question | Decided:
        """The next question, trivial ones included."""
        if self.final or len(self.actions) == 1:
            return Decided(self.actions[0])
        if self.kind is None:
            return self._ask(Asks.WHAT, ((action.kind, action) for action in self.actions))
        for asks in _WORDS:
            if asks not in self.words and any(getattr(action, asks) for action in self.actions):
                return self._ask(asks, ((getattr(action, asks), action) for action in self.actions))
        return self._ask_part()

    def _ask_part(self) -> Question | Decided:
        complete = tuple(action for action in self.actions if len(action.parts) == len(self.chosen))
        if len(complete) == len(self.actions):
            if len(complete) == 1:
                return Decided(complete[0])
            return self._question(Asks.ORDER, (Answer(action, (action,)) for action in complete))
        pairs: list[tuple[object, Action]] = []
        for action in self.actions:
            rest = self._rest(action)
            pairs.extend((part, action) for part in rest)
            if not rest:
                pairs.append((None, action))
        return self._ask(Asks.MOVE, pairs)

    def _rest(self, action: Action) -> list[Part]:
        return [part for part in action.parts if part not in self.chosen]

    def _ask(self, asks: Asks, pairs: Iterable[tuple[object, Action]]) -> Question:
        groups: dict[object, list[Action]] = {}
        for value, action in pairs:
            group = groups.setdefault(value, [])
            if not group or group[-1] is not action:
                group.append(action)
        return self._question(asks, (Answer(value, tuple(actions)) for value, actions in groups.items()))

    def _question(self, asks: Asks, answers: Iterable[Answer]) -> Question:
        return Question(asks, tuple(answers), self.words.get(Asks.CARD), self.words.get(Asks.NAMED), self.chosen)

    def take(self, asks: Asks, answer: Answer) -> None:
        """Go down one answer."""
        self.actions = answer.actions
        value = answer.value
        if isinstance(value, ActionKind):
            self.kind = value
        elif asks in _WORDS:
            self.words[asks] = str(value)
        elif asks is Asks.MOVE and value is None:
            self.actions = tuple(action for action in answer.actions if not self._rest(action))
            self.final = len(self.actions) == 1
        elif isinstance(value, Part):
            self.chosen = (*self.chosen, value)
        elif asks is Asks.ORDER:
            self.final = True


def path_to(legal: Sequence[Action], action: Action) -> tuple[int, ...]:
    """The answers that lead to this action; none if it is the only one.

    Raises:
        NoSuchPath: it is not one of the legal actions.
    """
    path: tuple[int, ...] = ()
    step = choose(legal, path)
    while isinstance(step, Question):
        index = next((number for number, one in enumerate(step.answers) if action in one.actions), None)
        if index is None:
            raise NoSuchPath("this action is not allowed")
        path = (*path, index)
        step = choose(legal, path)
    return path
