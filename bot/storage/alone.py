"""One process per file: whoever runs on a SQLite database holds a lock beside it, and a second process is told so."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from bot.storage.connection import address, file_of
from bot.storage.faults import DatabaseInUse, fault_of

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows, where the bot is not run for others
    fcntl = None  # type: ignore[assignment]


@contextmanager
def alone(url: str) -> Iterator[None]:
    """Be the only process working on a SQLite file until the block ends; other databases need no such lock.

    Raises `SettingsError`, and `DatabaseInUse` with the number of the other process. The lock belongs to the process:
    it is released when the process ends, however that happens, and child processes do not hold it.
    """
    path = file_of(address(url))
    if path is None or fcntl is None:
        yield
        return
    lock = path.with_name(path.name + ".lock")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as problem:
        raise (fault_of(problem, str(path)) or problem) from None
    try:
        try:
            # lockf, not flock: a forked child would keep holding the latter.
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            number = os.read(handle, 32).decode("ascii", "replace").strip()
            raise DatabaseInUse(f"{path} (process {number or 'unknown'})") from None
        try:
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
        except OSError as problem:
            raise (fault_of(problem, str(path)) or problem) from None
        # The file stays: removing it could let two processes lock two files with the same name.
        yield
    finally:
        os.close(handle)
