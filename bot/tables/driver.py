"""Moves that need no person: those of computer players, and folds that the rules force.

Thinking is a pure function of the game, so it can run in another process, be discarded if somebody has acted in the
meantime, and gives the same move after a restart. The whole game goes to the worker, seed included; the player in it
gets no more than its seat's knowledge, and dice. The dice are a hash of the seed, from which the seed cannot be
recovered; the deck is drawn from other hashes.
"""

from __future__ import annotations

import hashlib
import logging
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from bot.table import Automatic, Level, Occupant
from engine import Action, ActionKind, Game, players

log = logging.getLogger(__name__)

SLOW = frozenset({Level.STRONG})
"""The levels that need more than a few milliseconds for an action: they think in another process."""

LOWER: Mapping[str, str] = {Level.STRONG: Level.NORMAL, Level.NORMAL: "heuristic", Level.EASY: "heuristic"}
"""What answers instead of a level that fails or has no time; for levels not listed here, chance decides."""


@dataclass(frozen=True, slots=True)
class Automove:
    """An action that needs no person, and the game after it; `actor`: a computer player, or a rule."""

    seat: int
    action: Action = field(repr=False)
    actor: Automatic
    after: Game


@dataclass(frozen=True, slots=True)
class AutoSeat:
    """A seat whose action needs no person: `level` of the computer player, None for a fold forced by the rules."""

    game: Game
    seat: int
    level: str | None

    @property
    def quick(self) -> bool:
        """Whether the action is found within a few milliseconds."""
        return self.level not in SLOW or len(self.game.legal(self.seat)) == 1

    def at_lower_level(self) -> AutoSeat:
        """The same seat at the next lower level."""
        return AutoSeat(self.game, self.seat, None if self.level is None else LOWER.get(self.level, self.level))

    def move(self) -> Automove:
        """What this seat does."""
        if self.level is None:
            return self.does(self.game.legal(self.seat)[0])
        return self.does(think(self.game, self.seat, self.level))

    def does(self, action: Action) -> Automove:
        """The move that takes this action."""
        actor = Automatic.RULE if self.level is None else Automatic.COMPUTER
        return Automove(self.seat, action, actor, self.game.play(self.seat, action))


def next_auto_seat(game: Game, people: Mapping[int, Occupant]) -> AutoSeat | None:
    """The next seat whose action needs no person; None if a person must act or the game has ended."""
    return next(auto_seats(game, people), None)


def auto_seats(game: Game, people: Mapping[int, Occupant]) -> Iterator[AutoSeat]:
    """All seats being asked now that need no person, in turn order."""
    for seat in game.to_act:
        level = people[seat].computer
        if level is not None:
            yield AutoSeat(game, seat, level)
        elif all(action.kind is ActionKind.FOLD for action in game.legal(seat)):
            yield AutoSeat(game, seat, None)


def elsewhere(auto_seat: AutoSeat) -> tuple[Callable[..., str], tuple[object, ...]]:
    """A module-level function and its arguments, ready to travel to another process; it returns what this seat does.

    The game travels as it stands: replaying its log would take longer than most decisions do.
    """
    return _think, (auto_seat.game, auto_seat.seat, auto_seat.level)


def _think(game: Game, seat: int, level: str) -> str:
    return str(think(game, seat, level))


def think(game: Game, seat: int, level: str) -> Action:
    """What a computer player of this level does; always the same for the same game and seat.

    If the player fails, the next lower level answers, and in the end any legal action will do, so that a bug in it
    cannot hold up a table.
    """
    legal = game.legal(seat)
    if len(legal) == 1:
        return legal[0]
    tried: str | None = level if level in players.PLAYERS else LOWER[Level.NORMAL]
    while tried is not None:
        dice = dice_of(game, seat)
        try:
            action = players.choose(tried, game, seat, dice)
            if action in legal:
                return action
            log.error("computer player %s chose an action that is not legal", tried)
        except Exception as problem:
            # Only the type: the exception's text could reveal a hand.
            log.error("computer player %s failed with %s", tried, type(problem).__name__)
        tried = LOWER.get(tried)
    return dice_of(game, seat).choice(legal)


def dice_of(game: Game, seat: int) -> random.Random:
    """The dice of a computer player for one decision: the same after a restart, and not those of the shuffles."""
    return random.Random(hashlib.sha256(b"computer|%d|%d|" % (game.number, seat) + game.seed).digest())
