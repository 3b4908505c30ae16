"""The course of a game that is kept in memory: its newest states, so that nobody replays the log to tell of a move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine import Entry, Game

KEPT = 24
"""How many states are kept; a board tells of fewer actions, nearly always."""


@dataclass(frozen=True, slots=True)
class Course:
    """The newest states of a game, one for each action, the newest last. What came before is replayed if asked for."""

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
        """The course after these states, one action each; it begins anew with them if one is missing in between."""
        known = self.states
        for state in states:
            known = (*known, state) if state.number == known[-1].number + 1 else (state,)
        return Course(known[-KEPT:])

    def back(self, state: Game) -> Course:
        """The course of a game that was taken back to this state."""
        return Course((*(one for one in self.states if one.number < state.number), state))

    def at(self, number: int) -> Game:
        """The game after so many actions."""
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
