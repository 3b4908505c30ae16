"""Trying again later: what Discord could not do just now is done after a while, and after a longer one each time.

When Discord has been away for everybody, and does something again, nobody waits for the end of a long while: all that
waits is done in turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

import aiohttp
import discord

FIRST, LONGEST = 10, 900
"""Seconds until a table is tried again: doubled each time, up to the longest."""

IN_A_ROW = 3
"""Failures with nothing done between them, from which on it is not one table that has trouble, but Discord."""

LOOKED_AFTER = 60
"""Seconds after which somebody tries, at the latest, while Discord is away."""

TROUBLE = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, TimeoutError, OSError)
"""What a request to Discord may raise."""


def passes(error: Exception) -> bool:
    """Whether the same request may work later: Discord has trouble or is too busy, or cannot be reached."""
    return not isinstance(error, discord.HTTPException) or error.status >= 500 or error.status == 429


class Outage:
    """Notices that Discord is away for everybody, and when it is back; shared by all `Retries`.

    Then `catch_up(table_ids)` is called with all tables that wait. Meanwhile one of them is tried every minute, however
    long they would have waited.
    """

    def __init__(self, catch_up: Callable[[Collection[int]], None]) -> None:
        self._catch_up = catch_up
        self._retries: list[Retries] = []
        self._failures = 0
        self._look: asyncio.TimerHandle | None = None

    def add(self, retries: Retries) -> None:
        """Let these be tried when Discord is back."""
        self._retries.append(retries)

    def failed(self) -> None:
        """Something could not be done."""
        self._failures += 1
        if self._look is None and self._failures >= IN_A_ROW:
            self._look = asyncio.get_running_loop().call_later(LOOKED_AFTER, self._try_one)

    def answered(self) -> None:
        """Discord has done what it was asked for."""
        away, self._failures = self._failures >= IN_A_ROW, 0
        self.close()
        if away and (waiting := {table_id for one in self._retries for table_id in one.take()}):
            self._catch_up(waiting)

    def close(self) -> None:
        """Look no more, until something fails again."""
        if self._look is not None:
            self._look.cancel()
            self._look = None

    def _try_one(self) -> None:
        self._look = None
        for retries in self._retries:
            if retries.try_one():
                return


class Retries:
    """Calls `again(table_id)` some time after each `failed(table_id)`; everything that may fail has one of these."""

    def __init__(self, again: Callable[[int], None], outage: Outage) -> None:
        self._again = again
        self._outage = outage
        self._closed = False
        self._failures: dict[int, int] = {}
        self._waiting: dict[int, asyncio.TimerHandle] = {}
        outage.add(self)

    def failed(self, table_id: int) -> None:
        """Try this table again later."""
        if self._closed:
            return
        tries = self._failures.get(table_id, 0)
        self._failures[table_id] = tries + 1
        if (previous := self._waiting.pop(table_id, None)) is not None:
            previous.cancel()
        seconds = min(FIRST * 2**tries, LONGEST)
        self._waiting[table_id] = asyncio.get_running_loop().call_later(seconds, self._now, table_id)
        self._outage.failed()

    def worked(self, table_id: int) -> None:
        """Begin with the shortest time again."""
        self._failures.pop(table_id, None)

    def answered(self) -> None:
        """Discord has done something that was asked of it: what waits for its return is done."""
        self._outage.answered()

    def take(self) -> tuple[int, ...]:
        """The tables that wait; they are not tried from here any more."""
        waiting = tuple(self._waiting)
        for handle in self._waiting.values():
            handle.cancel()
        self._waiting.clear()
        return waiting

    def try_one(self) -> bool:
        """Try the table that would be tried next; False if none waits."""
        soonest = min(self._waiting.items(), key=lambda one: one[1].when(), default=None)
        if soonest is None:
            return False
        soonest[1].cancel()
        self._now(soonest[0])
        return True

    def close(self) -> None:
        """Try nothing any more."""
        self._closed = True
        self._outage.close()
        self.take()

    def _now(self, table_id: int) -> None:
        self._waiting.pop(table_id, None)
        self._again(table_id)
