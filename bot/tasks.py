"""Concurrent work: tasks in the background, a lock or a run for each key, work that is done once for all who ask."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Background:
    """Tasks that run on their own; one that fails is logged by its name."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[object]] = set()

    def begin(self, work: Coroutine[Any, Any, object], name: str) -> asyncio.Task[object]:
        """Begin `work`."""
        task = asyncio.create_task(work, name=name)
        self.tasks.add(task)
        task.add_done_callback(self._finish)
        return task

    def close(self) -> None:
        """Cancel what is in progress."""
        for task in self.tasks:
            task.cancel()

    def _finish(self, task: asyncio.Task[object]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logging.getLogger(__name__).error("could not %s", task.get_name(), exc_info=task.exception())


class Locks(Generic[K]):
    """A lock for each key, which exists as long as a task holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[K, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: K) -> asyncio.Lock:
        """Return the lock of this key."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock


class Runs(Generic[K]):
    """Work of which each key has one run at a time, and one more if it is asked for meanwhile."""

    def __init__(self, work: Callable[[K], Coroutine[Any, Any, None]], name: str) -> None:
        self._work, self._name = work, name
        self._again: set[K] = set()
        self.tasks: dict[K, asyncio.Task[None]] = {}

    def begin(self, key: K) -> None:
        """Begin a run, at once or after the one in progress."""
        if key in self.tasks:
            self._again.add(key)
        else:
            self.tasks[key] = asyncio.create_task(self._run(key), name=f"{self._name} {key}")

    def drop(self) -> None:
        """Forget the runs that have not begun."""
        self._again.clear()

    async def _run(self, key: K) -> None:
        try:
            while True:
                self._again.discard(key)
                await self._work(key)
                if key not in self._again:
                    return
        finally:
            del self.tasks[key]
            self._again.discard(key)


class SingleFlight(Generic[K, T]):
    """Work that is done once for all who ask for the same; the last `keep` results are remembered."""

    def __init__(self, name: str, keep: int = 0) -> None:
        self._name, self._keep = name, keep
        self._tasks: OrderedDict[K, asyncio.Task[T]] = OrderedDict()
        """In the order in which they were begun; of those that are done, the ones asked for last."""

    @property
    def in_flight(self) -> list[K]:
        """The keys of what is not done yet, in the order in which it was asked for."""
        return [key for key, task in self._tasks.items() if not task.done()]

    def begin(self, key: K, make: Callable[[], Coroutine[Any, Any, T]]) -> asyncio.Task[T]:
        """Return the task that makes this, begun if need be. Those who wait for it shield it, since others may too."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(make(), name=self._name)
            task.add_done_callback(lambda done: self._finish(key, done))
        elif task.done():
            self._tasks.move_to_end(key)
        return task

    def _finish(self, key: K, done: asyncio.Task[T]) -> None:
        if _failed(done):
            del self._tasks[key]
        finished = [key for key, task in self._tasks.items() if task.done() and not _failed(task)]
        for other in finished[: len(finished) - self._keep]:
            del self._tasks[other]


def _failed(task: asyncio.Task[Any]) -> bool:
    """Return True if a task that is done has no result."""
    return task.cancelled() or task.exception() is not None
