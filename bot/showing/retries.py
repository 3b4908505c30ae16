"""Trying again: what Discord could not do just now is tried after a while, and then after ever longer ones.

Once Discord works again after an outage for everybody, nobody sits out a long wait: everything that is waiting is done
in turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

import aiohttp
import discord

FIRST, LONGEST = 10, 900
"""Seconds until a table is tried again: doubled each time, up to the longest."""

IN_A_ROW = 3
"""This many failures without any success in between mean trouble with Discord, not with one table."""

LOOKED_AFTER = 60
"""While Discord is away, something is tried at least this often, in seconds."""

TROUBLE = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, TimeoutError, OSError)
"""What a request to Discord may raise."""


def passes(error: Exception) -> bool:
    """Whether the same request may work later: Discord has trouble, is too busy, or cannot be reached."""
    return not isinstance(error, discord.HTTPException) or error.status >= 500 or error.status == 429


class Outage:
    """Notices that Discord is away for everybody, and when it is back; shared by all `Retries`.

    When it is back, `catch_up(table_ids)` is called with all tables that are waiting. Until then one of them is tried
    every minute, however long it would have waited.
    """

    def __init__(self, catch_up: Callable[[Collection[int]], None]) -> None:
        self._catch_up = catch_up
        self._retries: list[Retries] = []
        self._failures = 0
        self._look: asyncio.TimerHandle | None = None

    def add(self, retries: Retries) -> None:
        """Have these tried when Discord is back."""
        self._retries.append(retries)

    def failed(self) -> None:
        """Called when something could not be done."""
        self._failures += 1
        if self._look is None and self._failures >= IN_A_ROW:
            self._look = asyncio.get_running_loop().call_later(LOOKED_AFTER, self._try_one)

    def answered(self) -> None:
        """Called when Discord has done what it was asked to do."""
        away, self._failures = self._failures >= IN_A_ROW, 0
        self.close()
        if away and (waiting := {table_id for one in self._retries for table_id in one.take()}):
            self._catch_up(waiting)

    def close(self) -> None:
        """Do not check any more until something fails again."""
        if self._look is not None:
            self._look.cancel()
            self._look = None

    def _try_one(self) -> None:
        self._look = None
        for retries in self._retries:
            if retries.try_one():
                return


class Retries:
    """Calls `again(table_id)` some time after each `failed(table_id)`; whatever may fail has one of these."""

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
        """Start again from the shortest time."""
        self._failures.pop(table_id, None)

    def answered(self) -> None:
        """Called when Discord has done something it was asked to do: whatever waits for its return gets done."""
        self._outage.answered()

    def take(self) -> tuple[int, ...]:
        """The tables that are waiting; they are no longer tried from here."""
        waiting = tuple(self._waiting)
        for handle in self._waiting.values():
            handle.cancel()
        self._waiting.clear()
        return waiting

    def try_one(self) -> bool:
        """Try the table that is next in line; False if none is waiting."""
        soonest = min(self._waiting.items(), key=lambda one: one[1].when(), default=None)
        if soonest is None:
            return False
        soonest[1].cancel()
        self._now(soonest[0])
        return True

    def close(self) -> None:
        """Do not try anything again."""
        self._closed = True
        self._outage.close()
        self.take()

    def _now(self, table_id: int) -> None:
        self._waiting.pop(table_id, None)
        self._again(table_id)
