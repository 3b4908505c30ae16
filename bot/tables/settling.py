"""Work that follows a change of a table, in the background: at most one run at a time per table, none forgotten."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable

from bot.urgency import URGENCY, Urgency

log = logging.getLogger(__name__)

ROUNDS = 4
"""How many of the tables that are settled in turn are under way at the same time."""


LONGEST_GIVING_WAY = 1.0
"""Seconds for which a table that is settled in turn gives way to those where somebody acts."""


class Settler:
    """Runs `step(table_id)` after every `touch(table_id)`, one run at a time for each table.

    Touches during a run lead to one more run. A step that raises is logged, and the next touch runs it again.
    """

    def __init__(self, step: Callable[[int], Awaitable[None]]) -> None:
        self._step = step
        self._running: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._waiting: OrderedDict[int, None] = OrderedDict()
        self._rounds: set[asyncio.Task[None]] = set()
        self._in_turn: set[int] = set()
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether `close` has been called."""
        return self._closed

    def touch(self, table_id: int) -> None:
        """Ask for a run, at once or after the one under way."""
        if self._closed:
            return
        self._in_turn.discard(table_id)
        self._start(table_id)

    def _start(self, table_id: int) -> None:
        if table_id in self._running:
            self._again.add(table_id)
        else:
            self._running[table_id] = asyncio.create_task(self._run(table_id), name=f"settle table {table_id}")

    def touch_in_turn(self, table_ids: Iterable[int]) -> None:
        """Ask for runs of many tables, a few at a time, so that people who click meanwhile are not kept waiting."""
        if self._closed:
            return
        self._waiting.update(dict.fromkeys(table_ids))
        for _ in range(min(ROUNDS - len(self._rounds), len(self._waiting))):
            task = asyncio.create_task(self._round(), name="settle tables in turn")
            self._rounds.add(task)
            task.add_done_callback(self._rounds.discard)

    async def _round(self) -> None:
        while self._waiting:
            # Tables where somebody acts go first, but must not keep the others waiting forever.
            acting = {task for one, task in self._running.items() if one not in self._in_turn}
            if acting:
                await asyncio.wait(acting, timeout=LONGEST_GIVING_WAY)
            if not self._waiting:
                return
            table_id, _ = self._waiting.popitem(last=False)
            if table_id not in self._running:
                self._in_turn.add(table_id)
            self._start(table_id)
            if (task := self._running.get(table_id)) is not None:
                await asyncio.wait((task,))

    async def settled(self, table_id: int | None = None) -> None:
        """Wait until nothing is under way (for one table, or for all). Not to be called from within a step."""
        while tasks := self._tasks(table_id):
            await asyncio.wait(tasks)

    async def close(self, seconds: float = 2.0) -> None:
        """Accept no more touches, let whatever is under way finish, and cancel what takes longer than `seconds`."""
        self._closed = True
        self._again.clear()
        self._waiting.clear()
        if tasks := self._tasks(None):
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=seconds)

    def _tasks(self, table_id: int | None) -> set[asyncio.Task[None]]:
        if table_id is None:
            return {*self._running.values(), *self._rounds}
        return {self._running[table_id]} if table_id in self._running else set()

    async def _run(self, table_id: int) -> None:
        try:
            while True:
                self._again.discard(table_id)
                URGENCY.set(Urgency.CATCHING_UP if table_id in self._in_turn else Urgency.BOARD)
                try:
                    await self._step(table_id)
                except Exception:
                    log.exception("settling table %s failed", table_id)
                if table_id not in self._again:
                    return
        finally:
            del self._running[table_id]
            self._in_turn.discard(table_id)
            self._again.discard(table_id)
