"""Retries of what Discord could not do, and outages of Discord."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

FIRST, LONGEST, HERE_LONGEST = 10, 900, 120
"""Seconds until something is tried again: doubled each time, up to the longest; the last while Discord answers others.
"""

IN_A_ROW = 3
"""This many failures without any success in between mean trouble with Discord, not with a single table."""

LOOKED_AFTER = 60
"""While Discord is away, something is tried at least this often, in seconds."""

TOLD_AGAIN = (60, 300, 1_800)
"""Seconds after which what must not be lost is sent again that Discord could not deliver just then."""

Work = tuple[int, str]
"""Work that may have to be done again: the table, and the kind of work."""


class Retries:
    """Calls `again(table_id)` some time after each `retry_later(work)`.

    It also notices an outage of Discord, and its end: then `catch_up(table_ids)` is called with all tables that are
    waiting, instead of sitting out long waits. During the outage one of them is tried every minute.
    """

    def __init__(self, again: Callable[[int], None], catch_up: Callable[[Collection[int]], None]) -> None:
        self._again, self._catch_up = again, catch_up
        self._closed = False
        self._tries: dict[Work, int] = {}
        self._places: dict[Work, int] = {}
        self._waiting: dict[Work, asyncio.TimerHandle] = {}
        self._in_a_row = 0
        self._look: asyncio.TimerHandle | None = None

    def has_failed(self, work: Work) -> bool:
        """Return True if this has been tried in vain since it worked last."""
        return work in self._tries

    def retry_later(self, work: Work, place: int = 0) -> None:
        """Try this again later. `place`: the channel in which it failed."""
        if self._closed:
            return
        tries = self._tries.get(work, 0)
        self._tries[work] = tries + 1
        self._stop_waiting(work)
        self._in_a_row += 1
        longest = LONGEST if self._in_a_row >= IN_A_ROW else HERE_LONGEST
        loop = asyncio.get_running_loop()
        self._waiting[work] = loop.call_later(min(FIRST * 2**tries, longest), self._now, work)
        self._places[work] = place
        if self._look is None and self._in_a_row >= IN_A_ROW:
            self._look = loop.call_later(LOOKED_AFTER, self._try_one)

    def reset(self, work: Work) -> None:
        """Reset the backoff of this work."""
        self._tries.pop(work, None)
        self._stop_waiting(work)

    def resume(self, place: int | None = None) -> None:
        """Try what waits for this place, in which Discord has just done something; after an outage, all that waits."""
        away, self._in_a_row = self._in_a_row >= IN_A_ROW, 0
        self._stop_looking()
        ready = [work for work in self._waiting if away or (place and self._places.get(work) == place)]
        for work in ready:
            self._stop_waiting(work)
        if ready:
            self._catch_up({table_id for table_id, _ in ready})

    def close(self) -> None:
        """Do not try anything again."""
        self._closed = True
        self._stop_looking()
        for work in tuple(self._waiting):
            self._stop_waiting(work)

    def _try_one(self) -> None:
        self._look = None
        if self._waiting:
            self._now(min(self._waiting, key=lambda work: self._waiting[work].when()))

    def _now(self, work: Work) -> None:
        self._stop_waiting(work)
        self._again(work[0])

    def _stop_waiting(self, work: Work) -> None:
        self._places.pop(work, None)
        if (handle := self._waiting.pop(work, None)) is not None:
            handle.cancel()

    def _stop_looking(self) -> None:
        if self._look is not None:
            self._look.cancel()
            self._look = None
