"""SQLite without a thread of its own, in one process: waking it, and being woken, takes longer than most statements."""

import asyncio
from collections.abc import Callable
from typing import Any

import aiosqlite.core


def settle(future: asyncio.Future[Any], work: Callable[[], Any]) -> None:
    """Do this work, and give its future what comes of it."""
    try:
        result = work()
    except BaseException as problem:
        aiosqlite.core.set_exception(future, problem)
    else:
        aiosqlite.core.set_result(future, result)


class AtOnce:
    """Stands for the queue to a connection's thread: what would be queued is done at once, by the caller.

    Two connections to one file may wait for each other for ever: there may be one writer at a time.
    """

    def put_nowait(self, work: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        """Do this work."""
        future, function = work
        if future is None:
            function()
        else:
            settle(future, function)


class NoThread:
    """Stands for a connection's thread, which has nothing to do."""

    def __init__(self, **_: object) -> None:
        self.daemon = True

    def start(self) -> None:
        """Start nothing."""
