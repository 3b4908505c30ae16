"""A database at the newest schema, made once per test process and copied for every test: migrating takes longer."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import tempfile
import threading
from functools import cache
from pathlib import Path

from bot.storage import Store


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
