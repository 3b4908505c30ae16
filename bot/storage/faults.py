"""What can be wrong with a database, each kind an error of its own, and how to tell which one a driver's error means.

Their texts are one line for the person who runs the bot: what is wrong, and how to fix it.
"""

from __future__ import annotations

import errno
import socket
import sqlite3
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.errors import StorageError


class Fault(StorageError):
    """The database `where` cannot be used at present. `passing`: it may recover without anybody's help.

    The docstring of each kind is what it says: what is wrong, and how to fix it.
    """

    passing: ClassVar[bool] = False

    def __init__(self, where: str) -> None:
        self.where = where
        super().__init__(" ".join((self.__doc__ or "").split()).format(where=where))

    def __init_subclass__(cls, *, passing: bool = False) -> None:
        cls.passing = passing


class DatabaseLocked(Fault, passing=True):
    """The database {where} is locked by another program: end that program or wait, then try again."""


class DatabaseFull(Fault, passing=True):
    """There is no room left for the database {where}: make room on its disk, then try again."""


class DiskTrouble(Fault, passing=True):
    """The disk of the database {where} refuses to read or write (I/O error): look at the disk and its limits."""


class DatabaseUnreachable(Fault, passing=True):
    """The database {where} does not answer: check that it runs, and host and port in DATABASE_URL."""


class DatabaseInUse(Fault, passing=True):
    """Another process of the bot runs on the database {where}: stop it first; two would play each game twice."""


class Undivided(DatabaseInUse, passing=True):
    """Another process of the bot runs on {where}: stop it first, or give each process SHARD_IDS of its own."""


class ShardInUse(DatabaseInUse, passing=True):
    """Another process of the bot serves the shard {where}: stop it first, or give this one other SHARD_IDS."""


class DividedOtherwise(DatabaseInUse, passing=True):
    """Another process of the bot counts the shards differently ({where}): give all of them the same SHARD_COUNT."""


class NoLocks(Fault):
    """The drive of {where} has no file locks, as some network drives: use a local disk (see docs/operating.md)."""


class NoSharedMemory(Fault):
    """The drive of {where} has no shared memory, as some network drives: use a local disk (see docs/operating.md)."""


class Unencrypted(Fault):
    """The database {where} and the bot do not agree on encryption: check ssl in DATABASE_URL and its certificate."""


class NoSocket(Fault, passing=True):
    """There is no socket of a PostgreSQL for the database {where}: check that it runs, and host in DATABASE_URL."""


class SocketClosed(Fault):
    """The socket of the database {where} is closed to the bot's user: let that user in, or name a host and a port."""


class DatabaseReadOnly(Fault):
    """The database {where} cannot be written: let the bot's user write the file and its folder, and check its path."""


class DatabaseRefused(Fault):
    """The database {where} refuses us: check user, password (write @ as %40) and name in DATABASE_URL, and rights."""


class DatabaseDamaged(Fault):
    """The database {where} is damaged: stop the bot and bring a backup back with `dog-bot restore FILE`."""


class DatabaseForeign(Fault):
    """The database {where} is not one of this bot: name another one in DATABASE_URL."""


class BackupDamaged(DatabaseDamaged):
    """The file {where} is damaged: name another backup."""


class BackupForeign(DatabaseForeign):
    """The file {where} is no backup of this bot: name another file."""


class BackupUnreadable(DatabaseReadOnly):
    """The backup {where} cannot be read: let the bot's user read and write it."""


class DatabaseGone(Fault):
    """The file {where} was removed or replaced: put it back, or stop the bot and run `dog-bot restore FILE`."""


_SQLITE: dict[int, type[Fault]] = {
    sqlite3.SQLITE_PERM: DatabaseReadOnly,
    sqlite3.SQLITE_BUSY: DatabaseLocked,
    sqlite3.SQLITE_LOCKED: DatabaseLocked,
    sqlite3.SQLITE_READONLY: DatabaseReadOnly,
    sqlite3.SQLITE_IOERR: DiskTrouble,
    sqlite3.SQLITE_CORRUPT: DatabaseDamaged,
    sqlite3.SQLITE_FULL: DatabaseFull,
    sqlite3.SQLITE_CANTOPEN: DatabaseReadOnly,
    sqlite3.SQLITE_AUTH: DatabaseReadOnly,
    sqlite3.SQLITE_NOTADB: DatabaseForeign,
}

_DRIVE: dict[int, type[Fault]] = {
    sqlite3.SQLITE_IOERR_LOCK: NoLocks,
    sqlite3.SQLITE_IOERR_RDLOCK: NoLocks,
    sqlite3.SQLITE_IOERR_UNLOCK: NoLocks,
    sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK: NoLocks,
    sqlite3.SQLITE_IOERR_SHMLOCK: NoLocks,
    sqlite3.SQLITE_IOERR_SHMMAP: NoSharedMemory,
}
"""SQLite's longer codes for what a drive cannot do; those take precedence over the shorter ones."""

_SQLSTATE: dict[str, type[Fault]] = {
    "08": DatabaseUnreachable,
    "25006": DatabaseReadOnly,
    "28": DatabaseRefused,
    "3D": DatabaseRefused,
    "3F": DatabaseRefused,
    "42501": DatabaseRefused,
    "53": DatabaseUnreachable,
    "53100": DatabaseFull,
    "53200": DatabaseFull,
    "55P03": DatabaseLocked,
    "57": DatabaseUnreachable,
    "57014": DatabaseLocked,
    "58": DiskTrouble,
    "XX001": DatabaseDamaged,
    "XX002": DatabaseDamaged,
}
"""PostgreSQL's own codes; the whole code takes precedence over its class, the first two characters."""

_NOT_WRITABLE = ("EROFS", "EACCES", "EPERM", "ENOTDIR", "EISDIR", "EEXIST", "ENOENT", "ENAMETOOLONG")
_ERRNO: dict[int, type[Fault]] = {
    errno.EIO: DiskTrouble,
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), DatabaseFull),
    **{getattr(errno, name): DatabaseReadOnly for name in _NOT_WRITABLE},
}


def name_of(url: URL) -> str:
    """The name of a database in texts: the path of a file, or host and name without user and password."""
    if url.get_backend_name() == "sqlite":
        return url.database or ":memory:"
    port = "" if url.port is None else f":{url.port}"
    return f"{url.host or url.query.get('host') or 'localhost'}{port}/{url.database or ''}"


def fault_of(problem: BaseException, where: str) -> Fault | None:
    """Which fault an error of a driver or the system means, or None if it is something else (a bug, a conflict)."""
    if isinstance(problem, Fault):
        return problem
    if isinstance(problem, PoolTimeout):
        # Every connection is taken: by writers waiting for a lock, or for a server that does not answer.
        return DatabaseLocked(where)
    for error in _inside(problem):
        kind = _kind(error)
        if kind is not None:
            return kind(where)
    if isinstance(problem, DBAPIError) and problem.connection_invalidated:
        return DatabaseUnreachable(where)
    return None


@contextmanager
def faults_at(where: str) -> Iterator[None]:
    """Raise what is wrong with the database `where` in place of what a driver or the system raises."""
    try:
        yield
    except StorageError:
        raise
    except Exception as problem:
        raise fault_of(problem, where) or problem from None


def server_fault(problem: Exception, where: str) -> Fault | None:
    """Return what it means that there is no connection to the PostgreSQL `where`; None if that says it itself."""
    if isinstance(problem, ssl.SSLError) or "SSL upgrade" in str(problem) or "certificate" in str(problem):
        return Unencrypted(where)
    if isinstance(problem, FileNotFoundError):
        return NoSocket(where)
    if isinstance(problem, PermissionError):
        return SocketClosed(where)
    return DatabaseUnreachable(where) if isinstance(problem, OSError) else None


CONFLICTS = frozenset({"40001", "40P01"})
"""PostgreSQL's codes for two transactions that cannot both succeed: no serial order, a deadlock."""


def is_conflict(problem: BaseException) -> bool:
    """Whether another transaction was in the way, so that the same thing may be tried again."""
    return any(getattr(error, "sqlstate", None) in CONFLICTS for error in _inside(problem))


def violated(problem: BaseException) -> str:
    """The schema's rule that a row breaks: its name or, on SQLite, the columns that must be unique."""
    for error in _inside(problem):
        name = getattr(error, "constraint_name", None)
        if isinstance(name, str):
            return name
        if isinstance(error, sqlite3.IntegrityError):
            return str(error).rpartition(": ")[2]
    return "a rule of the schema"


def _inside(problem: BaseException) -> Iterator[BaseException]:
    """The error and those it was made from, the innermost last."""
    seen: BaseException | None = problem
    while seen is not None:
        yield seen
        seen = getattr(seen, "orig", None) or seen.__cause__


def _kind(error: BaseException) -> type[Fault] | None:
    code = getattr(error, "sqlite_errorcode", None)
    if isinstance(code, int):
        return _DRIVE.get(code) or _SQLITE.get(code & 0xFF)
    state = getattr(error, "sqlstate", None)
    if isinstance(state, str):
        return _SQLSTATE.get(state) or _SQLSTATE.get(state[:2])
    if isinstance(error, socket.gaierror | TimeoutError | ConnectionError):
        return DatabaseUnreachable
    if isinstance(error, OSError) and error.errno is not None:
        return _ERRNO.get(error.errno, DatabaseUnreachable)
    return None
