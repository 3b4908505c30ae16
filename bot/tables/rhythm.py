"""The rhythm of computer players: in live games they take their time as people do, in slow ones they act at once.

When one of them acts follows from the game and its log alone, so that a restart changes nothing.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from bot.table import RHYTHM, Logged, Table
from bot.tables.driver import AutoSeat, auto_seats
from engine.secret import whole

QUICKEST, SPREAD = 1.0, 1.0
"""Seconds that a computer player takes at such a pace: at least, and up to so many more."""

ROUNDED = 1.0
"""Times in the log are whole seconds, so that this much more may go by: one to three seconds in all."""


def has_rhythm(table: Table) -> bool:
    """Whether computer players take their time at this table, so that everybody can follow what they do."""
    return table.terms.pace in RHYTHM


def is_thinking(table: Table) -> bool:
    """Whether a computer player at this table takes its time now: the table is shown as it stands meanwhile."""
    return has_rhythm(table) and any(table.people[seat].computer is not None for seat in table.to_act)


def soonest(table: Table, log: Sequence[Logged]) -> tuple[AutoSeat, float] | None:
    """Who acts next without a person, and when (Unix seconds; 0: at once); None when nobody does.

    `log`: the actions so far, where computer players take their time: it counts from when each of them was asked. A
    forced fold needs none.
    """
    if table.game is None:
        return None
    found = list(auto_seats(whole(table.game), table.people))
    if not found:
        return None
    if not has_rhythm(table):
        return found[0], 0.0
    when, index = min(
        (0.0 if one.level is None else due(one, _asked_at(table, one, log)), index) for index, one in enumerate(found)
    )
    return found[index], when


def due(auto_seat: AutoSeat, since: float) -> float:
    """When a computer player acts that was asked at `since`; both are Unix seconds."""
    game = auto_seat.game
    words = b"pause|%d|%d|" % (game.decision(auto_seat.seat) or 0, auto_seat.seat)
    dice = random.Random(hashlib.sha256(words + game.seed).digest())
    return since + ROUNDED + QUICKEST + SPREAD * dice.random()


def _asked_at(table: Table, auto_seat: AutoSeat, log: Sequence[Logged]) -> float:
    """When a seat was asked what it is asked now."""
    number = auto_seat.game.decision(auto_seat.seat) or 0
    return log[number - 1].at if 0 < number <= len(log) else table.started_at or table.created_at
