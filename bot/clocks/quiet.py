"""When a person's clock stands still: daily quiet hours in their time zone, and the time they are away.

Pure arithmetic on Unix seconds. The windows follow the wall clock, so a night in which clocks are put forward or back
is as long as it really is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

DAY = 1_440
"""Minutes of a day."""

MOST_QUIET = 600
"""The most minutes a day that may be quiet."""


@dataclass(frozen=True, slots=True)
class Rest:
    """When one person's clock stands still.

    `quiet_from` and `quiet_until` are minutes of the day in `time_zone` (an IANA name; None: UTC), both None if there
    are no quiet hours. `away_until` is a Unix second or None.
    """

    time_zone: str | None = None
    quiet_from: int | None = None
    quiet_until: int | None = None
    away_until: int | None = None


NO_REST = Rest()
"""No rest at all: the clock never stands still."""


def due(start: float, seconds: float, rest: Rest = NO_REST) -> int:
    """The Unix second at which a clock started at `start` has run for `seconds` outside the rest.

    It never falls within the rest, not even for 0 seconds.
    """
    moment = max(start, rest.away_until or start)
    left = max(0.0, seconds)
    for begins, ends in _windows(moment, rest):
        if ends <= moment:
            continue
        if begins > moment + left:
            break
        # A clock that would run out just as the rest begins runs out before it.
        if begins > moment and begins - moment >= left:
            break
        left -= max(0.0, begins - moment)
        moment = ends
    reached = moment + left
    return int(reached) + (reached > int(reached))


def elapsed(start: float, end: float, rest: Rest = NO_REST) -> float:
    """How many seconds the clock ran between two moments; 0 if the end comes before the start."""
    moment = max(start, rest.away_until or start)
    total = 0.0
    for begins, ends in _windows(moment, rest):
        if begins >= end:
            break
        if ends <= moment:
            continue
        total += max(0.0, begins - moment)
        moment = ends
    return total + max(0.0, end - moment)


def resting_until(now: float, rest: Rest) -> int | None:
    """Until when the clock stands still, or None if it is running now."""
    until = due(now, 0, rest)
    return until if until > now and _rests(now, rest) else None


def _rests(now: float, rest: Rest) -> bool:
    if rest.away_until is not None and now < rest.away_until:
        return True
    begins = next((begins for begins, _ in _windows(now, rest)), None)
    return begins is not None and begins <= now


def quiet_minutes(quiet_from: int, quiet_until: int) -> int:
    """How many minutes of an ordinary day are quiet."""
    return (quiet_until - quiet_from) % DAY


def time_zones() -> tuple[str, ...]:
    """The names of all time zones a person may choose, in alphabetical order."""
    return _time_zones()


def is_time_zone(name: str) -> bool:
    """Whether there is a time zone with this name."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


@lru_cache(1)
def _time_zones() -> tuple[str, ...]:
    outdated = ("Etc/", "SystemV/", "posix/", "right/")
    return tuple(sorted(name for name in available_timezones() if "/" in name and not name.startswith(outdated)))


def _zone(name: str | None) -> ZoneInfo:
    """The zone with this name; UTC if this machine does not know it (any more)."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def _windows(moment: float, rest: Rest) -> Iterator[tuple[float, float]]:
    """The quiet hours that end after `moment`, an endless series in order; none for a person without quiet hours."""
    if rest.quiet_from is None or rest.quiet_until is None or rest.quiet_from == rest.quiet_until:
        return
    zone = _zone(rest.time_zone)
    over_midnight = timedelta(days=rest.quiet_until < rest.quiet_from)
    day = datetime.fromtimestamp(moment, UTC).astimezone(zone).date() - timedelta(days=2)
    while True:
        begins = _moment(day, rest.quiet_from, zone)
        ends = _moment(day + over_midnight, rest.quiet_until, zone)
        if begins < ends and ends > moment:
            yield begins, ends
        day += timedelta(days=1)


def _moment(day: date, minutes: int, zone: ZoneInfo) -> float:
    """The Unix second of a wall-clock time; one that is skipped counts as if clocks had not been put forward."""
    return datetime(day.year, day.month, day.day, minutes // 60, minutes % 60, tzinfo=zone).timestamp()
