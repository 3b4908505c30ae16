"""Thinking: what computer players decide, where, and what answers if there is no time for it.

Decisions that take a few milliseconds are made on the event loop, one at a time, with other work in between. Longer
ones are made in other processes, within a budget; if these are busy, slow or dead, or anything else goes wrong there,
the next lower level answers at once, and the log says when the trouble begins and when it is over.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from bot.errors import Busy
from bot.pools import Pools
from bot.tables.driver import Automove, AutoSeat, elsewhere
from bot.workers import WorkerDied
from engine import Action

log = logging.getLogger(__name__)

BUDGET = 0.6
"""Seconds that a computer player may take for one decision, waiting included."""

QUIET = 60.0
"""Seconds without trouble after which it counts as over; until then, nothing more is logged about it."""

_TROUBLES: Mapping[type[Exception], str] = {
    Busy: "are busy",
    TimeoutError: "are too slow",
    WorkerDied: "have ended",
}


class Thinking:
    """Decides for computer players: one at a time on the event loop, the slow ones in `pools`."""

    def __init__(self, pools: Pools) -> None:
        self._pools = pools
        self._turn = asyncio.Lock()
        self._trouble_at: float | None = None
        self._lowered = 0

    async def move(self, auto_seat: AutoSeat) -> Automove:
        """What this seat does; always an answer, within the budget."""
        if not auto_seat.quick:
            work, arguments = elsewhere(auto_seat)
            try:
                text = await self._pools.think(BUDGET, work, *arguments)
                move = auto_seat.does(Action.parse(text))
            except Exception as problem:
                # Also what nobody expects: no clock runs for a computer, so nothing else would play on.
                self._lower(problem)
                auto_seat = auto_seat.at_lower_level()
            else:
                self._well()
                return move
        async with self._turn:
            # Clicks and everything else that is waiting get their turn between two decisions.
            await asyncio.sleep(0)
            return auto_seat.move()

    def _lower(self, problem: Exception) -> None:
        now = asyncio.get_running_loop().time()
        if self._trouble_at is None:
            # Only the type: the exception's text could reveal a hand.
            trouble = _TROUBLES.get(type(problem), f"fail with {type(problem).__name__}")
            log.warning("the processes that think %s: computer players answer at a lower level meanwhile", trouble)
            self._lowered = 0
        self._trouble_at = now
        self._lowered += 1

    def _well(self) -> None:
        if self._trouble_at is None or asyncio.get_running_loop().time() - self._trouble_at < QUIET:
            return
        log.info("computer players think as they should again; %s answered at a lower level", self._lowered)
        self._trouble_at = None
