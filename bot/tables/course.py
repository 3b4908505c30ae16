"""The course of a game: its newest states, kept in memory so that nobody has to replay the log to tell a move.

A `Course` holds whole games and stays inside the service; its `PublicCourse` is what is handed out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine import ActionKind, Entry, Game, PublicGame, Reason

KEPT = 12
"""How many states are kept, 5 KB each; a board nearly always tells of fewer actions than that."""


@dataclass(frozen=True, slots=True)
class Course:
    """The newest states of a game, one per action, the newest last. Earlier ones are replayed if asked for."""

    states: tuple[Game, ...]

    @property
    def game(self) -> Game:
        """The newest state."""
        return self.states[-1]

    @property
    def first(self) -> int:
        """The number of the oldest state that is kept."""
        return self.states[0].number

    def after(self, states: Sequence[Game]) -> Course:
        """The course after these states, one action each; if one in between is missing, it starts over with them."""
        known = self.states
        for state in states:
            known = (*known, state) if state.number == known[-1].number + 1 else (state,)
        return Course(known[-KEPT:])

    def back(self, state: Game) -> Course:
        """The course of a game that was taken back to this state."""
        return Course((*(one for one in self.states if one.number < state.number), state))

    def until(self, game: Game) -> Course | None:
        """The course up to exactly this state, for a board that tells it; None if the state is not among those kept."""
        if game is self.game:
            return self
        index = game.number - self.first
        if 0 <= index < len(self.states) and self.states[index] is game:
            return Course(self.states[: index + 1])
        return None

    def at(self, number: int) -> Game:
        """The game after this many actions."""
        if number >= self.first:
            return self.states[number - self.first]
        return self.game.earlier(number)

    @classmethod
    def of(cls, game: Game) -> Course:
        """The course of a game that was just loaded."""
        first = max(0, game.number - KEPT + 1)
        state = game.earlier(first)
        states = [state]
        for seat, text in game.log[first:-1]:
            state = state.play(seat, text)
            states.append(state)
        return cls((*states, game) if game.number > first else (game,))

    def entries(self, first: int) -> tuple[Entry, ...]:
        """What happened from action `first` on; 0 is the first deal."""
        kept = self.first
        if first < kept:
            return self.game.history(first)
        return tuple(state.history(state.number)[0] for state in self.states[first - kept :])


class PublicCourse:
    """The course of a game as everybody may know it."""

    __slots__ = ("_course",)

    def __init__(self, course: Course) -> None:
        self._course = course

    @property
    def first(self) -> int:
        """The number of the oldest state available without replaying."""
        return self._course.first

    def at(self, number: int) -> PublicGame:
        """The game after this many actions."""
        return PublicGame(self._course.at(number))

    def entries(self, first: int) -> tuple[Entry, ...]:
        """What happened from action `first` on; 0 is the first deal."""
        return self._course.entries(first)

    def why_folded(self, number: int) -> tuple[Reason, ...]:
        """Why the cards that action `number` laid open could not be played; empty if it was not a fold."""
        entry = self._course.at(number).history(number)[0]
        if entry.kind is not ActionKind.FOLD or entry.seat is None:
            return ()
        before = self._course.at(number - 1)
        cards = dict.fromkeys(card for event in entry.events for card in event.cards)
        return tuple(reason for card in cards for reason in before.why_not(entry.seat, card))
