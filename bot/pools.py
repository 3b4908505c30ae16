"""Pools by purpose: whatever takes long runs elsewhere, so that it never keeps a move waiting.

*Deciding* takes about a millisecond and is done at once, on the event loop. *Drawing* boards and hands is for people
who are waiting; *filming* (replays) may take seconds, *reviewing* half a minute, and each has its own pool, the first
with a short queue, the second with one where several tables can wait; *thinking* is for computer players that need more
than a moment, and for hints. All but deciding run in worker processes: measured on two cores, a board costs the event
loop's process 0.6 ms that way, and 7.4 ms in a thread.

Pictures that people wait for are drawn first, then the boards of tables where a player acted, and last those that are
brought up to date after a start. The queue is bounded. Whenever no picture is waited for, the drawing processes draw
ahead what pictures are put together from.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from typing import Any, TypeVar, TypeVarTuple

from bot import metrics
from bot.errors import Busy, Load
from bot.priority import PRIORITY, Gate, Priority
from bot.workers import Worker, WorkerDied, done
from render import warm

log = logging.getLogger(__name__)

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

MOST_FILMS = 4
"""The most films in the queue, including the one under way; others are refused with `Busy`."""

MOST_THOUGHTS = 4
"""The most decisions of computer players in the queue, per worker; others are refused with `Busy`. At 10 to 50 ms each,
or several times that on a busy machine, nearly all are answered within their budget."""

NICENESS = 10
"""The niceness of processes that think or review games, so that what people wait for goes first."""

MOST_REVIEWS = 48
"""The most parts of game reviews in the queue, including the one under way; others are refused with `Busy`. A game has
one common part and one for each person who asks, so six tables of six have room."""

LONGEST_REVIEW = 720.0
"""Seconds after which a part of a review is abandoned, waiting included: Discord takes answers for 900 s, and pictures
are still to be drawn."""

MOST_WAITING = 64
"""The most pictures that people may wait for; others are refused with `Busy`, and people are told in words."""

AT_HAND = 2
"""The most pictures that a drawing process is given at a time: the next one lies ready when one is done. Measured at 16
actions a second, with an event loop that was busy for 60 % of the time, a process that was given one at a time stood
idle for more than half of it while boards fell seconds behind."""

THREADS = 2
"""The number of threads that draw if no process does."""

_DRAWN_AT_MOST = 2
"""The most attempts at a picture over which processes end."""


class Pools:
    """Worker processes: `processes` that draw and as many that think, one that films and one that reviews.

    They start with `begin` or when they are first needed. With `processes` 0, threads do all the work; what is late
    there cannot be stopped.

    Work is a module-level function with plain values as arguments, since both travel to another process.
    """

    def __init__(self, processes: int = 0, ahead: Sequence[str] = ()) -> None:
        """`ahead`: the themes that are drawn ahead once `begin` is called."""
        self._processes = processes
        self._ahead = tuple(ahead)
        # A thread needs no time to be given the next picture.
        at_hand = AT_HAND if processes else 1
        self._drawing = _Crew(processes or THREADS, partial(self._worker, self._ahead), at_hand)
        self._filming = _Crew(1, self._worker)
        self._thinking = _Crew(processes or THREADS, partial(self._worker, (), NICENESS))
        self._reviewing = _Crew(1, partial(self._worker, (), NICENESS))
        self._answers = _Queue(MOST_WAITING)
        self._films = _Queue(MOST_FILMS)
        self._thoughts = _Queue(MOST_THOUGHTS * self._thinking.size)
        self._reviews = _Queue(MOST_REVIEWS, Load.REVIEWS)
        self._closed = False

    def begin(self) -> None:
        """Start the processes that draw and think, and let the former draw ahead; threads start when needed."""
        if self._processes:
            self._drawing.begin()
            self._thinking.begin()
        elif self._ahead:
            _draw_ahead(self._ahead, lambda: self._closed)

    @property
    def is_behind(self) -> bool:
        """Return True if a picture asked for now has to wait for others that people are waiting for."""
        return self._answers.length > self._drawing.size

    @property
    def waiting(self) -> Mapping[str, int]:
        """By pool, the pieces of work that are waited for."""
        lines = {"drawing": self._answers, "films": self._films, "thinking": self._thoughts, "reviews": self._reviews}
        return {name: line.length for name, line in lines.items()}

    async def draw(self, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Draw a picture when its turn comes (`PRIORITY`).

        Raises `Busy` if people are waiting for too many already, or if processes have ended over it.
        """
        with metrics.measure_drawing(), self._answers if PRIORITY.get() is Priority.ANSWER else nullcontext():
            tries = 0
            while True:
                try:
                    return await self._drawing.do(_first, work, *args)
                except WorkerDied as lost:
                    # The system killed the process, perhaps for its memory; another one does the same work. But what
                    # two processes have ended over is given up; a picture that only lay ready at one of them is not.
                    log.warning("a drawing process has ended: %s", lost)
                    tries += lost.begun
                    if tries == _DRAWN_AT_MOST:
                        raise Busy from None

    async def film(self, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Do something that may take seconds, one at a time. Raises `Busy` if too many are waiting already."""
        with self._films:
            try:
                return await self._filming.do(work, *args)
            except WorkerDied:
                raise Busy from None

    async def think(self, seconds: float, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Do what takes a computer player more than a moment, within this many seconds.

        All waiting counts, also for a process that is only just starting. Work that is abandoned while it runs is
        stopped by its process. Raises `Busy` if too many are waiting already, TimeoutError if it takes too long, and
        `WorkerDied` if its process ended or none can be started.
        """
        with self._thoughts:
            async with asyncio.timeout(seconds):
                return await self._limited(self._thinking, seconds, work, *args)

    async def review(self, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Compute a part of a review, one at a time. Raises `Busy` if too many are waiting, or if it takes too long."""
        with self._reviews:
            try:
                return await self._limited(self._reviewing, LONGEST_REVIEW, work, *args)
            except (WorkerDied, TimeoutError):
                raise Busy(Load.REVIEWS) from None

    async def _limited(self, crew: _Crew, seconds: float, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run something for at most this many seconds from now; threads cannot be stopped."""
        if not self._processes:
            return await crew.do(work, *args)
        return await crew.do(_within, time.monotonic() + seconds, work, *args)

    def close(self) -> None:
        """End the processes; whatever they were doing is dropped."""
        self._closed = True
        for crew in (self._drawing, self._filming, self._thinking, self._reviewing):
            crew.close()

    def _worker(self, ahead: Sequence[str] = (), niceness: int = 0) -> Worker | _Threaded:
        return Worker(_begin, ahead, niceness=niceness) if self._processes else _Threaded()


class _Queue:
    """A line in which at most `most` may wait, including those being served; further ones are refused."""

    def __init__(self, most: int, load: Load = Load.WORK) -> None:
        self.length = 0
        self._most = most
        self._load = load

    def __enter__(self) -> None:
        if self.length >= self._most:
            raise Busy(self._load)
        self.length += 1

    def __exit__(self, *_: object) -> None:
        self.length -= 1


class _Threaded:
    """A worker that is a thread of this process."""

    has_ended = False

    def __init__(self) -> None:
        self._thread: Executor = ThreadPoolExecutor(1, thread_name_prefix="pool")

    async def do(self, work: Callable[..., Any], *args: Any) -> Any:
        # As in a process: a future cannot hold every exception, and one that cannot would be waited for without end.
        worked, result = await asyncio.get_running_loop().run_in_executor(self._thread, done, work, args)
        if not worked:
            raise result
        return result

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


class _Crew:
    """At most `size` workers, each of which is given at most `at_hand` pieces of work at a time.

    Work waits for a worker in order of urgency. Workers are made when they are needed, or by `begin`.
    """

    def __init__(self, size: int, make: Callable[[], Worker | _Threaded], at_hand: int = 1) -> None:
        self.size = size
        self._make = make
        self._gate = Gate(size * at_hand)
        self._given: dict[Worker | _Threaded, int] = {}
        """By worker, the pieces of work that it has been given and has not finished."""
        self._closed = False

    def begin(self) -> None:
        """Make all workers now."""
        try:
            while len(self._given) < self.size:
                self._hire()
        except WorkerDied as problem:
            log.warning("%s; it is tried again when there is something to do", problem)

    async def do(self, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Return the result of `work(*args)`, once its turn comes. Raises whatever it raises, and `WorkerDied`."""
        await self._gate.enter()
        doing: asyncio.Future[T] = asyncio.ensure_future(self._given_away(work, *args))
        doing.add_done_callback(lambda task: task.cancelled() or task.exception())
        # The caller may leave, but work that was begun is finished, and only then is the worker free for others.
        return await asyncio.shield(doing)

    async def _given_away(self, work: Callable[..., Any], *args: Any) -> Any:
        try:
            worker = self._least_busy()
            self._given[worker] += 1
            try:
                return await worker.do(work, *args)
            except (WorkerDied, asyncio.CancelledError):
                self._dismiss(worker)
                raise
            finally:
                if worker in self._given:
                    self._given[worker] -= 1
        finally:
            self._gate.leave()

    def _least_busy(self) -> Worker | _Threaded:
        """Return a worker with nothing to do, a new one if there may be more, or the one with the least to do."""
        for ended in [idle for idle, given in self._given.items() if not given and idle.has_ended]:
            self._dismiss(ended)
        least = min(self._given, key=self._given.__getitem__, default=None)
        if least is None or (self._given[least] and len(self._given) < self.size):
            return self._hire()
        return least

    def close(self) -> None:
        """End all workers."""
        self._closed = True
        for worker in tuple(self._given):
            self._dismiss(worker)

    def _hire(self) -> Worker | _Threaded:
        if self._closed:
            raise WorkerDied("the program ends")
        try:
            worker = self._make()
        except OSError as problem:
            raise WorkerDied(f"no process can be started ({problem.strerror})") from problem
        self._given[worker] = 0
        return worker

    def _dismiss(self, worker: Worker | _Threaded) -> None:
        if self._given.pop(worker, None) is not None:
            worker.close()


def _begin(ahead: Sequence[str] = ()) -> None:
    """Draw ahead in a worker while nothing is waited for, if there is anything to."""
    if ahead:
        # It ends with the process: nothing waits for a daemon thread.
        _draw_ahead(ahead, lambda: False)


class _TooLate(BaseException):
    """The budget for thinking is used up; no computer player catches this by accident."""


def _within(until: float, work: Callable[[*Ts], T], *args: *Ts) -> T:
    """Run this until then (all processes share the clock), and stop it where there are alarms. Raises TimeoutError."""
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        return work(*args)

    def stop(*_: object) -> None:
        raise _TooLate

    signal.signal(signal.SIGALRM, stop)
    # The alarm may come before the work has begun, or when it is just done; outside, it would end the process.
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, left)
            return work(*args)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _TooLate:
        raise TimeoutError from None


class _Waiting:
    """The count of pictures that this process is asked for. Drawing ahead leaves the processor to them."""

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
        """Block until no picture is waited for."""
        with self._changed:
            self._changed.wait_for(lambda: not self._count)


_waiting = _Waiting()


def _first(work: Callable[[*Ts], T], *args: *Ts) -> T:
    """Do what is waited for before anything is drawn ahead."""
    with _waiting:
        return work(*args)


def _draw_ahead(themes: Sequence[str], closed: Callable[[], bool]) -> threading.Thread:
    """Draw ahead in a thread that pauses between cards while a picture is waited for, and stops once it is `closed`."""

    def stop() -> bool:
        _waiting.until_none()
        return closed()

    thread = threading.Thread(target=warm, args=(themes, stop), name="drawing ahead", daemon=True)
    thread.start()
    return thread
