"""Pools by purpose: what takes long is done apart, so that it never keeps a move waiting.

*Deciding* takes about a millisecond and is done at once, on the event loop. *Drawing* boards and hands is for people
who wait; *filming* (replays, reviews, exports) may take seconds and has a pool of its own, in which few may wait;
*thinking* is what computer players do that need more than a moment. The last three run in worker processes: measured on
two cores, a board costs the event loop's process 0.6 ms so, and 7.4 ms in a thread.

Pictures that somebody waits for are drawn first, then come the boards of tables at which somebody acted, and
last those that are brought up to date after a start. How many may wait is bounded. What draws also draws ahead what
pictures are put together from, whenever nobody waits for a picture.
"""

from __future__ import annotations

import asyncio
import copyreg
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

from bot.errors import Busy
from bot.urgency import URGENCY, Gate, Urgency
from bot.workers import Worker, WorkerDied
from engine import RuleSystem, board_for, system_of
from engine.board import Board
from engine.routes import Routes, routes_for
from render import warm

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

MOST_FILMS = 4
"""How many films may be waited for at a time, the one under way included; further ones are refused with `Busy`."""

MOST_THOUGHTS = 4
"""How many decisions of computer players may be waited for at a time, for each worker; further ones are refused with
`Busy`. With about an eighth of a second for each they are answered within their budget, nearly always."""

BEGINNING = 10.0
"""Seconds that processes may need to begin."""

KIND = 10
"""How far processes that think, and those that look back at games, step back behind what people wait for (niceness)."""

MOST_REVIEWS = 2
"""How many games may be looked back at at a time, the one under way included; further ones are refused with `Busy`."""

LONGEST_REVIEW = 300.0
"""Seconds after which looking back at a game is given up, waiting included."""

MOST_WAITING = 64
"""How many pictures people may wait for at a time; further ones are refused with `Busy`, and told in words."""


THREADS = 2
"""How many threads draw where no process does."""


class Pools:
    """Worker processes, begun when they are first needed; with `processes` 0 threads do all of it.

    Work is a plain function of a module, its arguments plain values: they travel to another process.
    """

    def __init__(self, processes: int = 0, ahead: Sequence[str] = ()) -> None:
        """`ahead`: the themes for which is drawn ahead once `begin` is called."""
        self._processes = processes
        self._ahead = tuple(ahead)
        self._drawing = _Crew(processes or THREADS, partial(self._worker, self._ahead))
        self._filming = _Crew(1, self._worker)
        self._thinking = _Crew(processes or THREADS, partial(self._worker, (), KIND))
        self._reviewing = _Crew(1, partial(self._worker, (), KIND))
        self._begun: asyncio.Future[Any] | None = None
        self._films = 0
        self._thoughts = 0
        self._reviews = 0
        self._answers = 0
        self._closed = False

    def begin(self) -> None:
        """Start the workers that draw and let them draw ahead; returns at once. Without it they start when needed."""
        if not self._ahead:
            return
        if self._processes == 0:
            _draw_ahead(self._ahead, lambda: self._closed)
        else:
            self._drawing.begin()

    @property
    def is_behind(self) -> bool:
        """Whether a picture that is asked for now has to wait for others that people wait for."""
        return self._answers > self._drawing.size

    async def draw(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Draw a picture when it is its turn (`URGENCY`). Raises `Busy` when people wait for too many already."""
        assert not kwargs
        if URGENCY.get() is not Urgency.ANSWER:
            return await self._draw(work, *args)
        if self._answers >= MOST_WAITING:
            raise Busy
        self._answers += 1
        try:
            return await self._draw(work, *args)
        finally:
            self._answers -= 1

    async def _draw(self, work: Callable[..., T], *args: Any) -> T:
        try:
            return await self._run(self._drawing, _first, work, *args)
        except WorkerDied:
            # The system took the process away, for its memory perhaps; another one does the same work.
            log.warning("a drawing process has ended, another one is begun")
            return await self._run(self._drawing, _first, work, *args)

    async def film(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do what may take seconds, one after another. Raises `Busy` when too many wait already."""
        assert not kwargs
        if self._films >= MOST_FILMS:
            raise Busy
        self._films += 1
        try:
            return await self._run(self._filming, work, *args)
        except WorkerDied:
            raise Busy from None
        finally:
            self._films -= 1

    async def think(self, seconds: float, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do what a computer player needs more than a moment for, within so many seconds, waiting included.

        What is given up while it runs is stopped by its process. Raises `Busy` when too many wait already, TimeoutError
        when it takes too long, and `WorkerDied` when its process ended.
        """
        assert not kwargs
        if self._thoughts >= MOST_THOUGHTS * self._thinking.size:
            raise Busy
        self._thoughts += 1
        try:
            await self._thinkers()
            async with asyncio.timeout(seconds):
                return await self._run(self._thinking, self._limited(seconds), work, *args)
        finally:
            self._thoughts -= 1

    async def _thinkers(self) -> None:
        """Wait until the processes that think have begun: nobody's budget runs meanwhile."""
        if self._processes == 0:
            return
        if self._begun is None:
            begun = (self._run(self._thinking, _nothing) for _ in range(self._thinking.size))
            self._begun = asyncio.gather(*begun, return_exceptions=True)
        if not self._begun.done():
            await asyncio.wait((self._begun,), timeout=BEGINNING)

    def _limited(self, seconds: float) -> Callable[..., Any]:
        """Do something for so many seconds from now at most; threads cannot be stopped."""
        return partial(_within, time.monotonic() + seconds) if self._processes else _simply

    async def review(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Look back at a whole game, one after another. Raises `Busy` when too many wait, or when it takes too long."""
        assert not kwargs
        if self._reviews >= MOST_REVIEWS:
            raise Busy
        self._reviews += 1
        try:
            return await self._run(self._reviewing, self._limited(LONGEST_REVIEW), work, *args)
        except (WorkerDied, TimeoutError):
            raise Busy from None
        finally:
            self._reviews -= 1

    def close(self) -> None:
        """End the processes; what they were doing is dropped."""
        self._closed = True
        for crew in (self._drawing, self._filming, self._thinking, self._reviewing):
            crew.close()

    def _worker(self, ahead: Sequence[str] = (), niceness: int = 0) -> Worker | _Threaded:
        return Worker(_begin, ahead, niceness) if self._processes else _Threaded()

    async def _run(self, crew: _Crew, work: Callable[..., T], *args: Any) -> T:
        found: T = await crew.do(work, *args)
        return found


class _Threaded:
    """A worker that is a thread of this process."""

    def __init__(self) -> None:
        self._thread: Executor = ThreadPoolExecutor(1, thread_name_prefix="pool")

    async def do(self, work: Callable[..., Any], *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *args)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


class _Crew:
    """At most `size` workers, made when they are needed; work waits for one in order of its urgency."""

    def __init__(self, size: int, make: Callable[[], Worker | _Threaded]) -> None:
        self.size = size
        self._make = make
        self._gate = Gate(size)
        self._idle: list[Worker | _Threaded] = []
        self._all: set[Worker | _Threaded] = set()
        self._closed = False

    def begin(self) -> None:
        """Make all workers now."""
        while len(self._all) < self.size:
            self._idle.append(self._hire())

    async def do(self, work: Callable[..., Any], *args: Any) -> Any:
        """What `work(*args)` gives, once it is its turn. Raises what it raises, and `WorkerDied`."""
        await self._gate.enter()
        doing = asyncio.ensure_future(self._given_away(work, *args))
        doing.add_done_callback(lambda task: task.cancelled() or task.exception())
        # Who asked may leave, but what was begun is done, and only then is the worker free for others.
        return await asyncio.shield(doing)

    async def _given_away(self, work: Callable[..., Any], *args: Any) -> Any:
        try:
            worker = self._idle.pop() if self._idle else self._hire()
            try:
                found = await worker.do(work, *args)
            except (WorkerDied, asyncio.CancelledError):
                self._dismiss(worker)
                raise
            except BaseException:
                self._idle.append(worker)
                raise
            self._idle.append(worker)
            return found
        finally:
            self._gate.leave()

    def close(self) -> None:
        """End all workers."""
        self._closed = True
        for worker in tuple(self._all):
            self._dismiss(worker)

    def _hire(self) -> Worker | _Threaded:
        if self._closed:
            raise WorkerDied("the program ends")
        worker = self._make()
        self._all.add(worker)
        return worker

    def _dismiss(self, worker: Worker | _Threaded) -> None:
        self._all.discard(worker)
        worker.close()


def _begin(ahead: Sequence[str] = (), niceness: int = 0) -> None:
    """In a worker: step back behind the others if it is to, and draw ahead while nobody waits."""
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    if ahead:
        # It ends with the process: nothing waits for a daemon's thread.
        _draw_ahead(ahead, lambda: False)


def _nothing() -> None:
    """What a worker is given to do so that it starts."""


class _TooLate(BaseException):
    """The budget of a thought is used up; no computer player catches this by accident."""


def _simply(work: Callable[..., T], *args: Any) -> T:
    """Do this for as long as it takes."""
    return work(*args)


def _within(until: float, work: Callable[..., T], *args: Any) -> T:
    """Do this until then (on the clock that all processes share), and stop: nobody waits for it any longer.

    Raises TimeoutError. Nothing is stopped where there are no alarms.
    """
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        return work(*args)

    def stop(*_: object) -> None:
        raise _TooLate

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, left)
    try:
        return work(*args)
    except _TooLate:
        raise TimeoutError from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


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


# How boards, their routes and systems travel: by name and version, so that the caches of the other process know them
# again, and games go on by the rules that they began with.

copyreg.pickle(RuleSystem, lambda system: (system_of, (system.id, system.version)))
copyreg.pickle(Board, lambda board: (board_for, (board.system, board.players)))
copyreg.pickle(Routes, lambda routes: (routes_for, (routes.board,)))
copyreg.pickle(MappingProxyType, lambda mapping: (MappingProxyType, (dict(mapping),)))
