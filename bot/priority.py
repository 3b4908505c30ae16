"""Priorities of work, and the gate that lets the most urgent work through first."""

from __future__ import annotations

import asyncio
import heapq
from contextvars import ContextVar
from enum import IntEnum
from types import TracebackType


class Priority(IntEnum):
    """Priority; lower runs first."""

    ANSWER = 0
    """A person is waiting for it."""
    BOARD = 1
    """A channel should show what has just happened."""
    CATCHING_UP = 2
    """A channel is behind, as after a start."""


PRIORITY: ContextVar[Priority] = ContextVar("priority", default=Priority.ANSWER)
"""The priority of the current task."""


class Gate:
    """Lets `size` tasks through at a time, the most urgent of those waiting first; `async with` waits for a turn."""

    def __init__(self, size: int) -> None:
        self._free = size
        self._tickets = 0
        self._queue: list[tuple[Priority, int, asyncio.Future[None]]] = []

    async def enter(self) -> None:
        """Wait for a turn; when done, call `leave`."""
        if self._free:
            self._free -= 1
            return
        self._tickets += 1
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (PRIORITY.get(), self._tickets, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                # The task was cancelled at the very moment it got its turn.
                self.leave()
            raise

    def leave(self) -> None:
        """Pass the turn on."""
        while self._queue:
            turn = heapq.heappop(self._queue)[2]
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    async def __aenter__(self) -> None:
        await self.enter()

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()
