"""What a warm board of four costs on this machine at this very moment: the unit in which other costs are given.

Machines are shared, and the same board took 5 ms on one day and 18 ms on another. So while something is measured, a
second process draws a board every second, and costs are given in boards as well as in milliseconds.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.wire.process import TREE

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
