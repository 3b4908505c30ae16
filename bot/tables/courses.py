"""The newest states of games, so that no board replays the log to tell a move.

A `Course` holds whole games and stays inside the service; its `PublicCourse` is what is handed out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.errors import BrokenLog
from bot.rounds import RoundEnd, RoundLog
from bot.storage.rows import Snapshot
from bot.tables.effects import Effect
from engine import Action, ActionKind, DogError, Entry, Game, PublicGame, Reason, system_of
from engine.secret import whole

KEPT = 12
"""The most states that are kept, 5 KB each; a board nearly always tells of fewer actions than that."""


@dataclass(slots=True)
class Course:
    """The newest states of a game, one per action, the newest last. Earlier ones are replayed if asked for."""

    states: tuple[Game, ...]
    _rounds: RoundLog | None = field(default=None, compare=False)

    @property
    def game(self) -> Game:
        """The newest state."""
        return self.states[-1]

    @property
    def first(self) -> int:
        """The number of the oldest state that is kept."""
        return self.states[0].number

    def after(self, states: Sequence[Game]) -> Course:
        """Return the course after these states, one action each; if one is missing in between, it starts over."""
        known, rounds = self.states, self._rounds
        for state in states:
            follows = state.number == known[-1].number + 1
            known = (*known, state) if follows else (state,)
            rounds = rounds.after(state.board, state.history(state.number)) if follows and rounds is not None else None
        return Course(known[-KEPT:], rounds)

    def back(self, state: Game) -> Course:
        """Return the course of a game that was taken back to this state."""
        return Course((*(old for old in self.states if old.number < state.number), state))

    def until(self, game: Game) -> Course | None:
        """Return the course up to exactly this state, for a board that tells it; None if the state is not kept."""
        if game is self.game:
            return self
        index = game.number - self.first
        if 0 <= index < len(self.states) and self.states[index] is game:
            rounds = self.rounds()
            return Course(
                self.states[: index + 1], RoundLog(tuple(end for end in rounds.ended if end.number <= game.number))
            )
        return None

    def rounds(self) -> RoundLog:
        """Return the rounds so far; the log is replayed the first time."""
        if self._rounds is None:
            self._rounds = RoundLog().after(self.game.board, self.game.history(0))
        return self._rounds

    def at(self, number: int) -> Game:
        """Return the game after this many actions."""
        if number >= self.first:
            return self.states[number - self.first]
        return self.game.earlier(number)

    @classmethod
    def of(cls, game: Game) -> Course:
        """Return the course of a game that was just loaded."""
        first = max(0, game.number - KEPT + 1)
        state = game.earlier(first)
        states = [state]
        for seat, text in game.log[first:-1]:
            state = state.play(seat, text)
            states.append(state)
        return cls((*states, game) if game.number > first else (game,))

    def entries(self, first: int) -> tuple[Entry, ...]:
        """Return the entries from action `first` on; 0 is the first deal."""
        kept = self.first
        if first < kept:
            return self.game.history(first)
        return tuple(state.history(state.number)[0] for state in self.states[first - kept :])


def find_only_move(game: Game, seat: int, *, alone: bool) -> Action | None:
    """Return the only legal action of a seat, if it may be played for its person; None otherwise.

    Never a gift, a fold or a joker. `alone`: no other person would wait, so they begin each round themselves.
    """
    legal = () if game.phase.is_exchange else game.legal(seat)
    if len(legal) != 1 or legal[0].kind is ActionKind.FOLD or legal[0].named is not None:
        return None
    return None if alone and not game.has_acted(seat) else legal[0]


class PublicCourse:
    """The public part of a game's course."""

    __slots__ = ("_course",)

    def __init__(self, course: Course) -> None:
        self._course = course

    @property
    def first(self) -> int:
        """The number of the oldest state available without replaying."""
        return self._course.first

    def at(self, number: int) -> PublicGame:
        """Return the game after this many actions."""
        return PublicGame(self._course.at(number))

    def entries(self, first: int) -> tuple[Entry, ...]:
        """Return the entries from action `first` on; 0 is the first deal."""
        return self._course.entries(first)

    def was_only_move(self, number: int, *, alone: bool = False) -> bool:
        """Return True if action `number` is one that `find_only_move` finds; of an old one, the log is replayed."""
        if number <= 0:
            return False
        return find_only_move(self._course.at(number - 1), self._seat_of(number), alone=alone) is not None

    def _seat_of(self, number: int) -> int:
        return self._course.game.log[number - 1][0]

    def was_plainly_only_move(self, number: int) -> bool:
        """Return True if all can see that an action was the only legal one: it was played with the last card.

        Of other hands it would tell that no other card could be played.
        """
        if number <= max(self.first, 0):
            return False
        return self._course.at(number - 1).view().hands[self._seat_of(number)] == 1 and self.was_only_move(number)

    def rounds(self) -> tuple[RoundEnd, ...]:
        """Return the rounds that have ended."""
        return self._course.rounds().ended

    def why_folded(self, number: int) -> tuple[Reason, ...]:
        """Return why the cards that action `number` laid open could not be played; empty if it was not a fold."""
        entry = self._course.at(number).history(number)[0]
        if entry.kind is not ActionKind.FOLD or entry.seat is None:
            return ()
        before = self._course.at(number - 1)
        cards = dict.fromkeys(card for event in entry.events for card in event.cards)
        return tuple(reason for card in cards for reason in before.why_not(entry.seat, card))


def follow_course(course: Course | None, effect: Effect) -> Course | None:
    """Return the course of a game after a change; None in the lobby."""
    if effect.after.game is None:
        return None
    game = whole(effect.after.game)
    if course is None:
        return Course((game,))
    if effect.cut is not None:
        return course.back(game)
    return course.after(effect.games) if effect.games else course


def replay(snapshot: Snapshot) -> Course | None:
    """Return the course of a game that was just read, or None in the lobby. Raises `BrokenLog`."""
    table, actions = snapshot.table, snapshot.actions or ()
    if snapshot.seed is None:
        return None
    if [action.number for action in actions] != list(range(1, len(actions) + 1)):
        raise BrokenLog(table.id)
    try:
        system = system_of(table.system, snapshot.rules)
        log = [(action.seat, action.text) for action in actions]
        return Course.of(Game.replay(system, table.players, snapshot.seed, table.options, log, table.terms.origin))
    except DogError:
        # The engine's message may quote the log, so it stays out of ours.
        raise BrokenLog(table.id) from None
