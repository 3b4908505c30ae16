"""Which seconds the host of a virtual machine gave to other machines ("steal" in /proc/stat).

On a shared host, a virtual machine may not run at all for half of a second, and everything in it is late then, whatever
the bot does. So runs report how much was stolen, and their figures once more for what happened undisturbed.
"""

from __future__ import annotations

import asyncio
import bisect
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

STAT = Path("/proc/stat")
STEAL = 7
"""Which number of the line about all cores counts stolen time."""

MUCH = 0.05
"""A second of which more than this share was stolen disturbs."""

BEFORE, AFTER = 10.0, 3.0
"""Seconds before something happens, and after it, in which nothing must disturb: a queue takes a while to clear."""


class Stolen:
    """How much of the machine's time was stolen, second by second."""

    def __init__(self, stat: Path = STAT) -> None:
        self._stat = stat
        self._moments: list[float] = []
        self._first = self._last = self._now()

    def _now(self) -> tuple[int, int]:
        """Ticks of all cores since the machine was started, and how many of them were stolen; zeros if unknown."""
        with suppress(OSError, ValueError, IndexError):
            ticks = [int(word) for word in self._stat.read_text().splitlines()[0].split()[1:9]]
            return sum(ticks), ticks[STEAL]
        return 0, 0

    def look(self, moment: float) -> None:
        """Note how much was stolen since the last look, as of this moment (`time.perf_counter`)."""
        now = self._now()
        ticks, stolen = (new - old for new, old in zip(now, self._last, strict=True))
        if stolen > MUCH * ticks:
            self._moments.append(moment)
        self._last = now

    async def follow(self) -> None:
        """Look every second."""
        while True:
            await asyncio.sleep(1)
            self.look(time.perf_counter())

    @property
    def share(self) -> float:
        """The share of all cores' time that was stolen."""
        ticks, stolen = (new - old for new, old in zip(self._last, self._first, strict=True))
        return stolen / ticks if ticks else 0.0

    def undisturbed(self, moment: float) -> bool:
        """Whether nothing disturbed what happened at this moment (`time.perf_counter`)."""
        # A look tells about the second before it.
        after = bisect.bisect_left(self._moments, moment - BEFORE)
        return after == len(self._moments) or self._moments[after] > moment + AFTER + 1


@asynccontextmanager
async def stolen() -> AsyncIterator[Stolen]:
    """Watch what is stolen while something happens inside."""
    watched = Stolen()
    following = asyncio.create_task(watched.follow())
    try:
        yield watched
    finally:
        following.cancel()
