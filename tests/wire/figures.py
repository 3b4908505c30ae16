"""What a run knows of its machine, and figures for people: percentiles, tables, stolen time, the cost of a board.

On a shared host, a virtual machine may not run at all for half of a second ("steal" in /proc/stat), and everything in
it is late then, whatever the bot does: runs report how much was stolen, and their figures once more for what happened
undisturbed. And the same board took 5 ms on one day and 18 ms on another: while something is measured, a second process
draws a warm board of four every second, and costs are given in boards as well as in milliseconds.
"""

import asyncio
import bisect
import statistics
import sys
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from tests.wire.process import TREE

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


_PROGRAM = """
import time
from render import board_png
from tools.pictures.bench import course

for scene in course("classic", 4, 1, 60):
    board_png(scene)
while True:
    for scene in course("classic", 4, 2, 60):
        begun = time.thread_time()
        board_png(scene)
        print(time.thread_time() - begun, flush=True)
        time.sleep(1)
"""


LATELY = 10
"""How many boards tell what one costs at present."""


class Yardstick:
    """The boards that another process draws meanwhile."""

    def __init__(self, lines: asyncio.StreamReader) -> None:
        self._lines = lines
        self._costs: list[float] = []
        self._another = asyncio.Event()

    async def follow(self) -> None:
        """Note what each board costs, for as long as boards are drawn."""
        await self._lines.readline()  # The first one's numbers are not all kept yet.
        async for line in self._lines:
            self._costs.append(float(line))
            self._another.set()

    async def drawn(self, count: int) -> None:
        """Wait until so many boards have been drawn."""
        while len(self._costs) < count:
            self._another.clear()
            await self._another.wait()

    def board(self) -> float | None:
        """Seconds of processor time per warm board: the median so far; None if none was drawn in so short a time."""
        return statistics.median(self._costs) if self._costs else None

    def lately(self) -> float:
        """The same over the last boards only, as machines change their speed; after `drawn`."""
        return statistics.median(self._costs[-LATELY:])


@asynccontextmanager
async def yardstick() -> AsyncIterator[Yardstick]:
    """Have another process draw boards while the block runs."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _PROGRAM, cwd=TREE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    stick = Yardstick(process.stdout)
    following = asyncio.create_task(stick.follow())
    try:
        yield stick
    finally:
        following.cancel()
        process.kill()
        await process.wait()


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of them lies; 0 if there are none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def ms(seconds: float) -> str:
    """Seconds in milliseconds, as text."""
    return f"{seconds * 1000:.0f} ms"


def show(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """A small table."""
    lines = [f"  {name:<50}{value:>14}" for name, value in rows]
    return "\n".join([title, *lines])
