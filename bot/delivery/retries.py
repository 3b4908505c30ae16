"""Trying again: what Discord could not do just now is tried after a while, and then after ever longer ones.

After an outage for everybody nobody sits out a long wait: everything that is waiting is done in turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

import aiohttp
import discord

FIRST, LONGEST = 10, 900
"""Seconds until something is tried again: doubled each time, up to the longest."""

IN_A_ROW = 3
"""This many failures without any success in between mean trouble with Discord, not with one table."""

LOOKED_AFTER = 60
"""While Discord is away, something is tried at least this often, in seconds."""

TROUBLE = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, TimeoutError, OSError)
"""What a request to Discord may raise."""

Work = tuple[int, str]
"""What may have to be done again: of which table, and what."""


def passes(error: Exception) -> bool:
    """Whether the same request may work later: Discord has trouble, is too busy, or cannot be reached."""
    return not isinstance(error, discord.HTTPException) or error.status >= 500 or error.status == 429


class Retries:
    """Calls `again(table_id)` some time after each `failed(work)`.

    It also notices that Discord is away for everybody, and when it is back: then `catch_up(table_ids)` is called with
    all tables that are waiting. Until then one of them is tried every minute, however long it would have waited.
    """

    def __init__(self, again: Callable[[int], None], catch_up: Callable[[Collection[int]], None]) -> None:
        self._again = again
        self._catch_up = catch_up
        self._closed = False
        self._tries: dict[Work, int] = {}
        self._waiting: dict[Work, asyncio.TimerHandle] = {}
        self._in_a_row = 0
        self._look: asyncio.TimerHandle | None = None

    def failed(self, work: Work) -> None:
        """Try this again later."""
        if self._closed:
            return
        tries = self._tries.get(work, 0)
        self._tries[work] = tries + 1
        self._stop_waiting(work)
        loop = asyncio.get_running_loop()
        self._waiting[work] = loop.call_later(min(FIRST * 2**tries, LONGEST), self._now, work)
        self._in_a_row += 1
        if self._look is None and self._in_a_row >= IN_A_ROW:
            self._look = loop.call_later(LOOKED_AFTER, self._try_one)

    def worked(self, work: Work) -> None:
        """Begin again with the shortest time."""
        self._tries.pop(work, None)
        self._stop_waiting(work)

    def answered(self) -> None:
        """Discord has done something it was asked to do: if it was away, whatever waits for it is done."""
        away, self._in_a_row = self._in_a_row >= IN_A_ROW, 0
        self._stop_looking()
        if away and self._waiting:
            table_ids = {table_id for table_id, _ in self._waiting}
            self._stop()
            self._catch_up(table_ids)

    def close(self) -> None:
        """Do not try anything again."""
        self._closed = True
        self._stop_looking()
        self._stop()

    def _try_one(self) -> None:
        self._look = None
        if self._waiting:
            self._now(min(self._waiting, key=lambda work: self._waiting[work].when()))

    def _now(self, work: Work) -> None:
        self._stop_waiting(work)
        self._again(work[0])

    def _stop_waiting(self, work: Work) -> None:
        if (handle := self._waiting.pop(work, None)) is not None:
            handle.cancel()

    def _stop(self) -> None:
        for work in tuple(self._waiting):
            self._stop_waiting(work)

    def _stop_looking(self) -> None:
        if self._look is not None:
            self._look.cancel()
            self._look = None
