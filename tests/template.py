"""What every test's database needs, done once per test process: the newest schema, and compiling the statements."""

import asyncio
import atexit
import shutil
import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy.engine import Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

from bot.storage import Store

_compiled: LRUCache[Any, Any] = LRUCache(5_000)
"""Every statement as it was compiled; each program that a test starts would compile them anew, a sixth of its time."""


def compile_once() -> None:
    """Let all engines of this process share what they have compiled, by kind of database."""
    DefaultDialect.__eq__ = lambda self, other: type(self) is type(other)
    DefaultDialect.__hash__ = lambda self: hash(type(self))
    Engine._compiled_cache = property(lambda _: _compiled, lambda _, __: None)


compile_once()


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
