"""Paces: the time for a decision, as values and by their names and texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

HOUR, DAY = 3_600, 86_400
"""Seconds in an hour and a day."""

SLOW = DAY
"""From this many seconds a decision on, a game is slow: it can wait for players who are away."""

LIVE = "live"
"""The pace at which computer players take their time like people; at the others they act at once."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The time of a seat: `seconds` for a decision (None: no clock), and a `bank` of seconds for the whole game.

    What a decision takes beyond its own time comes from the bank. `weekends`: clocks run on Saturdays and Sundays too.
    """

    seconds: int | None
    bank: int = 0
    weekends: bool = True

    @property
    def is_slow(self) -> bool:
        """Return True if a decision can take a day or more: the game can wait for players who are away."""
        return self.seconds is None or self.seconds + self.bank >= SLOW


PACES: Mapping[str, Pace] = {
    "live": Pace(180),
    "brisk": Pace(HOUR),
    "steady": Pace(28_800, bank=259_200),
    "daily": Pace(DAY),
    "relaxed": Pace(259_200),
    "none": Pace(None),
}
"""The paces that have a name."""

MOST_HOURS, MOST_DAYS = 168, 14
"""The most hours for a decision, and days in the bank, of a pace without a name."""

NO_WEEKENDS = "-w"
"""Behind a pace: clocks stand still at weekends."""

_CUSTOM = re.compile(r"(\d{1,3})h(?:\+(\d{1,2})d)?")


@lru_cache(1_024)
def pace_of(text: str) -> Pace | None:
    """Return the pace with this name, or this text: `8h+3d` is 8 hours and a bank of 3 days; None if there is none."""
    base, weekends = text.removesuffix(NO_WEEKENDS), not text.endswith(NO_WEEKENDS)
    pace, custom = PACES.get(base), _CUSTOM.fullmatch(base)
    if pace is None and custom is not None:
        hours, days = int(custom[1]), int(custom[2] or 0)
        if 1 <= hours <= MOST_HOURS and days <= MOST_DAYS:
            pace = Pace(hours * HOUR, days * DAY)
    if pace is None or weekends:
        return pace
    return replace(pace, weekends=False) if pace.is_slow and pace.seconds is not None else None


def name_pace(base: str, hours: int, days: int, *, weekends: bool) -> str:
    """Return the text of a pace, if there is one (`pace_of`): the name or text `base`, or hours and days of its own.

    Without hours, days in the bank are added to the hours of `base`.
    """
    if hours or days:
        hours = hours or ((PACES[base].seconds or 0) // HOUR if base in PACES else 0)
        base = f"{hours}h+{days}d" if days else f"{hours}h"
        base = next((name for name, pace in PACES.items() if pace == pace_of(base)), base)
    return base if weekends or base.endswith(NO_WEEKENDS) else base + NO_WEEKENDS
