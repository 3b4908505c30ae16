"""Pools by purpose: what takes long is done apart, so that it never keeps a move waiting.

*Deciding* takes about a millisecond and is done at once, on the event loop. *Drawing* boards and hands is for people
who wait; *filming* (replays, reviews, exports) may take seconds and has a pool of its own, in which few may wait;
*thinking* is what computer players do that need more than a moment. The last three run in worker processes: measured on
two cores, a board costs the event loop's process 0.6 ms so, and 7.4 ms in a thread.

What draws also draws ahead what pictures are put together from, whenever nobody waits for a picture.
"""

from __future__ import annotations

import asyncio
import copyreg
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

from bot.errors import Busy
from engine import SYSTEMS, RuleSystem, board_for
from engine.board import Board
from render import warm

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

MOST_FILMS = 4
"""How many films may be waited for at a time, the one under way included; further ones are refused with `Busy`."""


class Pools:
    """Worker processes, begun when they are first needed; with `processes` 0 threads do all of it.

    Work is a plain function of a module, its arguments plain values: they travel to another process.
    """

    def __init__(self, processes: int = 0, ahead: Sequence[str] = ()) -> None:
        """`ahead`: the themes for which is drawn ahead once `begin` is called."""
        self._processes = processes
        self._ahead = tuple(ahead)
        self._drawing: Executor | None = None
        self._filming: Executor | None = None
        self._thinking: Executor | None = None
        self._films = 0
        self._closed = False

    def begin(self) -> None:
        """Start the workers that draw and let them draw ahead; returns at once. Without it they start when needed."""
        if not self._ahead:
            return
        pool = self._draws()
        if self._processes == 0:
            _draw_ahead(self._ahead, lambda: self._closed)
        else:
            # One empty task for each: a pool begins a process for every task that finds none idle.
            for _ in range(self._processes):
                pool.submit(_nothing)

    async def draw(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do what somebody waits for: a board, a hand."""
        assert not kwargs
        try:
            return await self._run(self._draws(), _first, work, *args)
        except BrokenProcessPool:
            # The system took the process away, for its memory perhaps; another one does the same work.
            log.warning("a drawing process has ended, another one is begun")
            self._drawing = None
            return await self._run(self._draws(), _first, work, *args)

    async def film(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do what may take seconds, one after another. Raises `Busy` when too many wait already."""
        assert not kwargs
        if self._films >= MOST_FILMS:
            raise Busy
        self._films += 1
        try:
            if self._filming is None:
                self._filming = self._pool(1)
            return await self._run(self._filming, work, *args)
        except BrokenProcessPool:
            self._filming = None
            raise Busy from None
        finally:
            self._films -= 1

    async def think(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do what a computer player needs more than a moment for."""
        assert not kwargs
        if self._thinking is None:
            self._thinking = self._pool(max(1, self._processes))
        try:
            return await self._run(self._thinking, work, *args)
        except BrokenProcessPool:
            self._thinking = None
            raise

    def close(self) -> None:
        """End the processes; what they were doing is dropped."""
        self._closed = True
        for pool in (self._drawing, self._filming, self._thinking):
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)

    def _draws(self) -> Executor:
        if self._drawing is None:
            self._drawing = self._pool(max(1, self._processes), self._ahead)
        return self._drawing

    def _pool(self, workers: int, ahead: Sequence[str] = ()) -> Executor:
        if self._processes == 0:
            return ThreadPoolExecutor(workers + 1, thread_name_prefix="pool")
        return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (ahead,))

    async def _run(self, pool: Executor, work: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(pool, work, *args)


def _begin(ahead: Sequence[str] = ()) -> None:
    """In a worker: leave Ctrl+C to the bot, end when the bot ends, however that happens, and draw ahead meanwhile."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    if ahead:
        # It ends with the process: nothing waits for a daemon's thread.
        _draw_ahead(ahead, lambda: False)


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(0)


def _nothing() -> None:
    """What a worker is given to do so that it starts."""


class _Waiting:
    """How many pictures somebody waits for in this process. Drawing ahead leaves the processor to them."""

    def __init__(self) -> None:
        self._count = 0
        self._changed = threading.Condition()

    def __enter__(self) -> None:
        with self._changed:
            self._count += 1

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._count -= 1
            self._changed.notify_all()

    def until_none(self) -> None:
        """Return when nobody waits."""
        with self._changed:
            self._changed.wait_for(lambda: not self._count)


_waiting = _Waiting()


def _first(work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Do what somebody waits for, before anything is drawn ahead."""
    with _waiting:
        return work(*args, **kwargs)


def _draw_ahead(themes: Sequence[str], closed: Callable[[], bool]) -> threading.Thread:
    """Draw ahead in a thread that pauses between two cards while somebody waits, and stops once it is `closed`."""

    def stop() -> bool:
        _waiting.until_none()
        return closed()

    thread = threading.Thread(target=warm, args=(themes, stop), name="drawing ahead", daemon=True)
    thread.start()
    return thread


# How boards and systems travel: by name, so that the caches of the other process know them again.


def _system(system_id: str) -> RuleSystem:
    return SYSTEMS[system_id]


copyreg.pickle(RuleSystem, lambda system: (_system, (system.id,)))
copyreg.pickle(Board, lambda board: (board_for, (board.system.id, board.players)))
copyreg.pickle(MappingProxyType, lambda mapping: (MappingProxyType, (dict(mapping),)))
