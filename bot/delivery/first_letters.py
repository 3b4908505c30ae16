"""Turns to write to users who were not written to before: Discord takes many such letters for spam."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import Callable

from bot.delivery.unix_time import now

AT_ONCE, EVERY = 4, 15
"""The most users at once to whom direct messages are opened, and the seconds between further ones."""


class FirstLetters:
    """Turns to write to users who were not written to before, or did not ask for it: Discord takes many for spam.

    Those who play or have joined come before those who are only invited.
    """

    def __init__(self, clock: Callable[[], float] = now) -> None:
        self._clock = clock
        self._taken = -math.inf
        """The time by which all turns taken so far would have been due one by one."""
        self._waiting: set[tuple[bool, int]] = set()
        self._numbers = itertools.count()

    @property
    def _next(self) -> float:
        return max(self._taken, self._clock() - AT_ONCE * EVERY) + EVERY

    def take_at_once(self) -> bool:
        """Take a turn if one is free; False if not."""
        if self._waiting or self._next > self._clock():
            return False
        self._taken = self._next
        return True

    async def take(self, *, invited: bool = False) -> None:
        """Wait for a turn, and take it."""
        mine = (invited, next(self._numbers))
        self._waiting.add(mine)
        try:
            while True:
                left = self._next - self._clock()
                if left <= 0 and mine == min(self._waiting):
                    break
                await asyncio.sleep(max(left, 0.1))
            self._taken = self._next
        finally:
            self._waiting.discard(mine)
