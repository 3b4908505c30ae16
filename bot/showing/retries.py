"""Trying again later: what Discord could not do just now is done after a while, and after a longer one each time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import aiohttp
import discord

FIRST, LONGEST = 10, 900
"""Seconds until a table is tried again: doubled each time, up to the longest."""

TROUBLE = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, TimeoutError, OSError)
"""What a request to Discord may raise."""


def passes(error: Exception) -> bool:
    """Whether the same request may work later: Discord has trouble or is too busy, or cannot be reached."""
    return not isinstance(error, discord.HTTPException) or error.status >= 500 or error.status == 429


class Retries:
    """Calls `again(table_id)` some time after each `failed(table_id)`; whoever may fail has one of these."""

    def __init__(self, again: Callable[[int], None]) -> None:
        self._again = again
        self._closed = False
        self._failures: dict[int, int] = {}
        self._waiting: dict[int, asyncio.TimerHandle] = {}

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

    def worked(self, table_id: int) -> None:
        """Begin with the shortest time again."""
        self._failures.pop(table_id, None)

    def close(self) -> None:
        """Try nothing any more."""
        self._closed = True
        for handle in self._waiting.values():
            handle.cancel()
        self._waiting.clear()

    def _now(self, table_id: int) -> None:
        self._waiting.pop(table_id, None)
        self._again(table_id)
