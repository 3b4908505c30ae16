"""What needs no person: the moves of computer players, and folds that the rules force.

Thinking is a plain function of the game, so it can run in a worker process, be thrown away when somebody acted in the
meantime, and gives the same move again after a restart. The whole game goes to the worker, seed included, for it is
replayed there; the player in it gets no more than its seat's knowledge, and dice. These are a hash of the seed: from it
nobody finds the way back, and the deck is drawn from other hashes.
"""

from __future__ import annotations

import hashlib
import logging
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.table import Automatic, Occupant
from engine import Action, ActionKind, Game, Options, players

log = logging.getLogger(__name__)

QUICK = frozenset({"heuristic", "random"})
"""The levels that find an action in about a millisecond, so that asking another process would take longer."""


@dataclass(frozen=True, slots=True)
class Automove:
    """An action that needs no person, and the game after it; `actor`: a computer player, or a rule."""

    seat: int
    action: Action = field(repr=False)
    actor: Automatic
    after: Game = field(repr=False)


@dataclass(frozen=True, slots=True)
class Mover:
    """A seat whose action needs no person: `level` of the computer player, None for a fold that the rules force."""

    game: Game = field(repr=False)
    seat: int
    level: str | None

    @property
    def quick(self) -> bool:
        """Whether the action is found in about a millisecond."""
        return self.level is None or self.level in QUICK or len(self.game.legal(self.seat)) == 1

    def move(self) -> Automove:
        """What this seat does."""
        if self.level is None:
            return self.does(self.game.legal(self.seat)[0])
        return self.does(think(self.game, self.seat, self.level))

    def does(self, action: Action) -> Automove:
        """The move of this action."""
        actor = Automatic.RULE if self.level is None else Automatic.COMPUTER
        return Automove(self.seat, action, actor, self.game.play(self.seat, action))


def next_mover(game: Game, people: Mapping[int, Occupant]) -> Mover | None:
    """The next seat whose action needs no person, or None when a person must act or the game has ended."""
    for seat in game.to_act:
        level = people[seat].computer
        if level is not None:
            return Mover(game, seat, level)
        if all(action.kind is ActionKind.FOLD for action in game.legal(seat)):
            return Mover(game, seat, None)
    return None


def think_elsewhere(mover: Mover) -> tuple[Callable[..., str], tuple[object, ...]]:
    """A plain function and its arguments, as they travel to another process, for what this mover does, as text."""
    game = mover.game
    return _think, (game.system.id, game.players, game.seed, game.options, game.log, mover.seat, mover.level)


def _think(
    system: str, players_: int, seed: bytes, options: Options, log_: tuple[tuple[int, str], ...], seat: int, level: str
) -> str:
    return str(think(Game.replay(system, players_, seed, options, log_), seat, level))


def think(game: Game, seat: int, level: str) -> Action:
    """What a computer player of this level does; the same every time for the same game and seat.

    Should the player fail, any legal action is taken, so that a mistake in it cannot hold up a table.
    """
    legal = game.legal(seat)
    if len(legal) == 1:
        return legal[0]
    dice = random.Random(hashlib.sha256(b"computer|%d|%d|" % (game.number, seat) + game.seed).digest())
    try:
        action = players.choose(level, game, seat, dice)
        if action in legal:
            return action
        log.error("computer player %s chose an action that is not legal", level)
    except Exception as problem:
        # Only the type: the text of the exception could show a hand.
        log.error("computer player %s failed with %s", level, type(problem).__name__)
    return dice.choice(legal)
