"""What needs no person: the moves of computer players, and folds that the rules force.

Thinking is a plain function of the game, so it can run in a worker thread, be thrown away when somebody acted in the
meantime, and gives the same move again after a restart.
"""

from __future__ import annotations

import hashlib
import logging
import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.table import Occupant
from engine import Action, ActionKind, Game, players

log = logging.getLogger(__name__)

COMPUTER = "computer"
RULE = "rule"
CLOCK = "clock"
"""Who acts in the log when no person does: a computer player, a rule, or the clock of an absent person."""


@dataclass(frozen=True, slots=True)
class Move:
    """An action that needs no person, and the game after it. `actor` goes into the log: `computer` or `rule`."""

    seat: int
    action: Action = field(repr=False)
    actor: str
    after: Game = field(repr=False)


def next_move(game: Game, people: Mapping[int, Occupant]) -> Move | None:
    """The next action that needs no person, or None when a person must act or the game has ended."""
    for seat in game.to_act:
        occupant = people[seat]
        legal = game.legal(seat)
        if all(action.kind is ActionKind.FOLD for action in legal):
            actor = RULE if occupant.computer is None else COMPUTER
            return Move(seat, legal[0], actor, game.play(seat, legal[0]))
        if occupant.computer is not None:
            action = think(game, seat, occupant.computer)
            return Move(seat, action, COMPUTER, game.play(seat, action))
    return None


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
