"""The rhythm of computer players: in live games they take their time like people, in slow ones they act at once.

When one of them acts depends only on the game and its log, so a restart changes nothing.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from bot.table import RHYTHM, Logged, Table
from bot.tables.driver import AutoSeat, auto_seats
from engine.secret import whole

QUICKEST, SPREAD = 1.0, 1.0
"""Seconds that a computer player takes at such a pace: a minimum, and up to this much more."""

ROUNDED = 1.0
"""Times in the log are whole seconds, so this much more may pass: one to three seconds in all."""


def has_rhythm(table: Table) -> bool:
    """Whether computer players take their time at this table, so that everybody can follow what they do."""
    return table.terms.pace in RHYTHM


def is_thinking(table: Table) -> bool:
    """Whether a computer player at this table is taking its time now; meanwhile the table is shown as it is."""
    return has_rhythm(table) and any(table.people[seat].computer is not None for seat in table.to_act)


def soonest(table: Table, log: Sequence[Logged]) -> tuple[AutoSeat, float] | None:
    """Who acts next without a person, and when (Unix seconds; 0: at once); None if nobody does.

    `log`: the actions so far, if computer players take their time, since that starts when each of them was asked. A
    forced fold takes no time.
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
    """When a computer player that was asked at `since` acts; both are Unix seconds."""
    game = auto_seat.game
    words = b"pause|%d|%d|" % (game.decision(auto_seat.seat) or 0, auto_seat.seat)
    dice = random.Random(hashlib.sha256(words + game.seed).digest())
    return since + ROUNDED + QUICKEST + SPREAD * dice.random()


def _asked_at(table: Table, auto_seat: AutoSeat, log: Sequence[Logged]) -> float:
    """When a seat was asked what it is being asked now."""
    number = auto_seat.game.decision(auto_seat.seat) or 0
    return log[number - 1].at if 0 < number <= len(log) else table.started_at or table.created_at
