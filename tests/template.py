"""Databases for tests: the newest schema is made once per process, statements are compiled once, nothing is waited for.

SQLite works for the event loop in a thread of its own, and waits until each change is on the disk. Handing a test's 500
pieces of work over to a thread and back takes a third of its time; here the loop does them, one in each of its turns
and in the same order. `in_threads` brings both back, for tests of the storage itself; `tests/wire/` runs the program.
"""

import asyncio
import atexit
import contextvars
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import aiosqlite.core
from sqlalchemy.engine import Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

from bot.storage import Store, connection
from tools.unthreaded import AtOnce, NoThread, settle

_compiled: LRUCache[Any, Any] = LRUCache(5_000)
"""Every statement as it was compiled; each program that a test starts would compile them anew, a sixth of its time."""


def compile_once() -> None:
    """Let all engines of this process share what they have compiled, by kind of database."""
    DefaultDialect.__eq__ = lambda self, other: type(self) is type(other)  # type: ignore[method-assign]
    DefaultDialect.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]
    Engine._compiled_cache = property(lambda _: _compiled, lambda _, __: None)  # type: ignore[assignment]


compile_once()


class _Turns(AtOnce):
    """Does what would be queued for a connection's thread, each in a turn of the event loop of its own."""

    hurried = False
    """True while it is done at once instead."""

    def put_nowait(self, work: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        future, function = work
        if future is None or _Turns.hurried:
            super().put_nowait(work)
        else:
            # Not the loop's own `call_soon`: SimCord would take note of each, as work of the bot's.
            loop: Any = future.get_loop()
            asyncio.BaseEventLoop.call_soon(loop, settle, future, function, context=contextvars.Context())


def _prepare_hurriedly(connection: Any, record: object) -> None:
    _prepare(connection, record)
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous = OFF")
    cursor.close()


_prepare = connection._prepare
_PATCHES = (
    (aiosqlite.core, "SimpleQueue", _Turns),
    (aiosqlite.core, "Thread", NoThread),
    (connection, "_prepare", _prepare_hurriedly),
)
_USUAL = tuple((where, name, getattr(where, name)) for where, name, _ in _PATCHES)


def in_turns() -> None:
    """Let the event loop do SQLite's work, without waiting for the disk."""
    for where, name, value in _PATCHES:
        setattr(where, name, value)


def is_in_turns() -> bool:
    """Return True if the event loop does SQLite's work."""
    queue: Any = vars(aiosqlite.core)["SimpleQueue"]
    return queue is _Turns


@contextmanager
def at_once() -> Iterator[None]:
    """Let SQLite's work take no turns of the loop in this block, where nothing that happens meanwhile matters."""
    _Turns.hurried = True
    try:
        yield
    finally:
        _Turns.hurried = False


def in_threads() -> None:
    """Let threads do SQLite's work again, as in the program."""
    for where, name, value in _USUAL:
        setattr(where, name, value)


in_turns()


def fresh_database(path: Path) -> Path:
    """Put an empty database with the newest schema at `path`; returns the path."""
    shutil.copyfile(_template(), path)
    return path


@cache
def _template() -> Path:
    folder = tempfile.TemporaryDirectory(prefix="dog-tests-")
    atexit.register(folder.cleanup)
    path = Path(folder.name) / "template.db"

    async def make() -> None:
        store = Store(f"sqlite+aiosqlite:///{path.as_posix()}")
        await store.open()
        await store.close()

    # In a thread of its own: the first test that needs the template may have an event loop running.
    maker = threading.Thread(target=asyncio.run, args=(make(),))
    maker.start()
    maker.join()
    return path
