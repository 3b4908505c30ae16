"""The scheduler: sleeps until the earliest deadline, which lives in the database, and wakes what deals with it.

A restart, a clock put forward or back, or a failure costs nothing: the next look finds what is due.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

LONGEST_SLEEP = 900.0
"""Seconds after which to look again, in case the clock was changed or another program wrote a deadline."""

AFTER_FAILURE = 60.0
"""Seconds until the next attempt if looking at the database failed."""

JUMP = 30.0
"""A clock put back by more than this many seconds has jumped."""


class Scheduler:
    """Calls `work()` whenever something is due, `jumped(now)` if the clock was put back, and `looked()` each time.

    `next_due` returns the Unix second of the earliest deadline, or None; `clock` returns the time. `work` should deal
    with everything that is due; what it leaves is tried again after a while. Once `closed`, it is not to begin more.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        next_due: Callable[[], Awaitable[int | None]],
        work: Callable[[], Awaitable[None]],
        jumped: Callable[[float], Awaitable[None]],
        looked: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._clock, self._next_due, self._work, self._jumped, self._looked = clock, next_due, work, jumped, looked
        self._task: asyncio.Task[None] | None = None
        self._sleeping_until: float | None = None
        self._look_again = False
        self._last_seen = clock()
        self.closed = False

    def start(self) -> None:
        """Start; whatever is due already is done at once. A second call changes nothing."""
        if self._task is None and not self.closed:
            self._begin()

    def _begin(self) -> None:
        self._sleeping_until = None
        self._task = asyncio.create_task(self._run(), name="deadlines")

    def poke(self, due_at: float) -> None:
        """Announce a deadline at this Unix second; one earlier than the current sleep ends it."""
        if self._task is None or self.closed:
            return
        if self._sleeping_until is None:
            self._look_again = True
        elif due_at < self._sleeping_until:
            self._task.cancel()
            self._begin()

    async def close(self) -> None:
        """Wake up no more; work that is under way is finished."""
        self.closed = True
        if self._task is not None:
            if self._sleeping_until is not None:
                self._task.cancel()
            await asyncio.wait((self._task,))

    async def _run(self) -> None:
        while not self.closed:
            self._look_again = False
            seconds = await self._look()
            if self._look_again or self.closed:
                continue
            self._sleeping_until = self._clock() + seconds
            await asyncio.sleep(seconds)
            self._sleeping_until = None

    async def _look(self) -> float:
        """Do what is due, and return how many seconds to sleep; never raises."""
        try:
            now = self._clock()
            if now < self._last_seen - JUMP:
                await self._jumped(now)
            self._last_seen = now
            if self._looked is not None:
                await self._looked()
            due_at = await self._next_due()
            if due_at is not None and due_at <= now:
                await self._work()
                due_at = await self._next_due()
                if due_at is not None and due_at <= self._clock():
                    # What could not be dealt with must not keep the program busy.
                    return AFTER_FAILURE
        except Exception:
            log.exception("looking at the deadlines failed")
            return AFTER_FAILURE
        if due_at is None:
            return LONGEST_SLEEP
        return min(max(0.0, due_at - self._clock()), LONGEST_SLEEP)
