"""Database faults, in words for operators and for players, and the mapping from drivers' errors to them."""

from __future__ import annotations

import errno
import socket
import sqlite3
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.errors import StorageError
from bot.languages import mark as _

_TROUBLE = _("Something's wrong with the bot's database.")
_HELD = _("Another program is using the bot's database.")
_SILENT = _("The bot's database server isn't answering.")
_DAMAGED = _("The bot's database is damaged.")
_REFUSED = _("The bot's database server refuses the connection.")
_PASSING = True


class FaultKind(Enum):
    """Kinds of faults of a database; docstrings name these values where they list what is raised.

    `advice` tells the operator of the bot what is wrong with the database `{where}`, and how to fix it. `sentence` is
    the marked text for players, without any path or address. `passing`: it may recover without help.
    """

    def __init__(self, advice: str, sentence: str = _TROUBLE, passing: bool = False) -> None:
        self.advice = advice
        self.sentence = sentence
        self.passing = passing

    LOCKED = (
        "The database {where} is locked by another program: end that program or wait, then try again.",
        _HELD,
        _PASSING,
    )
    FULL = (
        "There is no room left for the database {where}: make room on its disk, then try again.",
        _("The bot's disk is full."),
        _PASSING,
    )
    DISK_TROUBLE = (
        "The disk of the database {where} refuses to read or write (I/O error): look at the disk and its limits.",
        _("The bot's disk is failing."),
        _PASSING,
    )
    UNREACHABLE = (
        "The database {where} does not answer: check that it runs, and host and port in DATABASE_URL.",
        _SILENT,
        _PASSING,
    )
    IN_USE = (
        "Another process of the bot runs on the database {where}: stop it first; two would play each game twice.",
        _HELD,
        _PASSING,
    )
    UNDIVIDED = (
        "Another process of the bot runs on {where}: stop it first, or give each process SHARD_IDS of its own.",
        _TROUBLE,
        _PASSING,
    )
    SHARD_IN_USE = (
        "Another process of the bot serves the shard {where}: stop it first, or give this one other SHARD_IDS.",
        _TROUBLE,
        _PASSING,
    )
    DIVIDED_OTHERWISE = (
        "Another process of the bot counts the shards differently ({where}): give all of them the same SHARD_COUNT.",
        _TROUBLE,
        _PASSING,
    )
    NO_LOCKS = (
        "The drive of {where} has no file locks, as some network drives: use a local disk (see docs/operating.md)."
    )
    NO_SHARED_MEMORY = (
        "The drive of {where} has no shared memory, as some network drives: use a local disk (see docs/operating.md)."
    )
    UNENCRYPTED = (
        "The database {where} and the bot do not agree on encryption: check ssl in DATABASE_URL and its certificate.",
        _REFUSED,
    )
    NO_SOCKET = (
        "There is no socket of a PostgreSQL for the database {where}: check that it runs, and host in DATABASE_URL.",
        _SILENT,
        _PASSING,
    )
    SOCKET_CLOSED = (
        "The socket of the database {where} is closed to the bot's user: let that user in, or name a host and a port.",
        _REFUSED,
    )
    READ_ONLY = (
        "The database {where} cannot be written: let the bot's user write the file and its folder, and check its path.",
        _("The bot can't write to its database."),
    )
    REFUSED = (
        "The database {where} refuses us: check user, password (write @ as %40) and name in DATABASE_URL, and rights.",
        _REFUSED,
    )
    DAMAGED = (
        "The database {where} is damaged: stop the bot and bring a backup back with `dog-bot restore FILE`.",
        _DAMAGED,
    )
    FOREIGN = (
        "The database {where} is not one of this bot: name another one in DATABASE_URL.",
        _("The bot's database belongs to another program."),
    )
    NO_DATABASE = (
        "The file {where} is no database, or its beginning is damaged: check DATABASE_URL, or bring a backup "
        "back with `dog-bot restore FILE`.",
        _DAMAGED,
    )
    EMPTY = "The database {where} is empty: bring a backup back (`dog-bot restore FILE`), or remove it to begin anew."
    BACKUP_DAMAGED = "The file {where} is damaged: name another backup."
    BACKUP_FOREIGN = "The file {where} is no backup of this bot: name another file."
    BACKUP_UNREADABLE = "The backup {where} cannot be read: let the bot's user read and write it."
    GONE = (
        "The file {where} was removed or replaced: put it back, or stop the bot and run `dog-bot restore FILE`.",
        _("The bot's database was removed or replaced."),
    )


@dataclass(eq=False)
class Fault(StorageError):
    """The database `where` cannot be used at present."""

    sentence = _("I can't save games right now, so nothing changed. {why} Please try again in a minute.")
    kind: FaultKind
    where: str

    def __str__(self) -> str:
        return self.kind.advice.format(where=self.where)


_SQLITE: dict[int, FaultKind] = {
    sqlite3.SQLITE_PERM: FaultKind.READ_ONLY,
    sqlite3.SQLITE_BUSY: FaultKind.LOCKED,
    sqlite3.SQLITE_LOCKED: FaultKind.LOCKED,
    sqlite3.SQLITE_READONLY: FaultKind.READ_ONLY,
    sqlite3.SQLITE_IOERR: FaultKind.DISK_TROUBLE,
    sqlite3.SQLITE_CORRUPT: FaultKind.DAMAGED,
    sqlite3.SQLITE_FULL: FaultKind.FULL,
    sqlite3.SQLITE_CANTOPEN: FaultKind.READ_ONLY,
    sqlite3.SQLITE_AUTH: FaultKind.READ_ONLY,
    sqlite3.SQLITE_NOTADB: FaultKind.NO_DATABASE,
}

_DRIVE: dict[int, FaultKind] = {
    sqlite3.SQLITE_IOERR_LOCK: FaultKind.NO_LOCKS,
    sqlite3.SQLITE_IOERR_RDLOCK: FaultKind.NO_LOCKS,
    sqlite3.SQLITE_IOERR_UNLOCK: FaultKind.NO_LOCKS,
    sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK: FaultKind.NO_LOCKS,
    sqlite3.SQLITE_IOERR_SHMLOCK: FaultKind.NO_LOCKS,
    sqlite3.SQLITE_IOERR_SHMMAP: FaultKind.NO_SHARED_MEMORY,
}
"""SQLite's longer codes for what a drive cannot do; those take precedence over the shorter ones."""

_SQLSTATE: dict[str, FaultKind] = {
    "08": FaultKind.UNREACHABLE,
    "25006": FaultKind.READ_ONLY,
    "28": FaultKind.REFUSED,
    "3D": FaultKind.REFUSED,
    "3F": FaultKind.REFUSED,
    "42501": FaultKind.REFUSED,
    "53": FaultKind.UNREACHABLE,
    "53100": FaultKind.FULL,
    "53200": FaultKind.FULL,
    "55P03": FaultKind.LOCKED,
    "57": FaultKind.UNREACHABLE,
    "57014": FaultKind.LOCKED,
    "58": FaultKind.DISK_TROUBLE,
    "XX001": FaultKind.DAMAGED,
    "XX002": FaultKind.DAMAGED,
}
"""PostgreSQL's own codes; the whole code takes precedence over its class, the first two characters."""

_NOT_WRITABLE = ("EROFS", "EACCES", "EPERM", "ENOTDIR", "EISDIR", "EEXIST", "ENOENT", "ENAMETOOLONG")
_ERRNO: dict[int, FaultKind] = {
    errno.EIO: FaultKind.DISK_TROUBLE,
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), FaultKind.FULL),
    **{getattr(errno, name): FaultKind.READ_ONLY for name in _NOT_WRITABLE},
}


def name_of(url: URL) -> str:
    """Return the name of a database in texts: the path of a file, or host and name without user and password."""
    if url.get_backend_name() == "sqlite":
        return url.database or ":memory:"
    port = "" if url.port is None else f":{url.port}"
    return f"{url.host or url.query.get('host') or 'localhost'}{port}/{url.database or ''}"


def fault_of(problem: BaseException, where: str) -> Fault | None:
    """Return the fault that a driver's or system error means, or None if it is something else (a bug, a conflict)."""
    if isinstance(problem, Fault):
        return problem
    if isinstance(problem, PoolTimeout):
        # Every connection is taken: by writers waiting for a lock, or for a server that does not answer.
        return Fault(FaultKind.LOCKED, where)
    for error in _causes(problem):
        kind = _kind(error)
        if kind is not None:
            return Fault(kind, where)
    if isinstance(problem, DBAPIError) and problem.connection_invalidated:
        return Fault(FaultKind.UNREACHABLE, where)
    return None


@contextmanager
def faults_at(where: str) -> Iterator[None]:
    """Raise errors of drivers and the system as faults of the database `where`."""
    try:
        yield
    except StorageError:
        raise
    except Exception as problem:
        raise fault_of(problem, where) or problem from None


def server_fault(problem: Exception, where: str) -> Fault | None:
    """Return the fault that a failed connection to the PostgreSQL `where` means; None if the error says it itself."""
    if isinstance(problem, ssl.SSLError) or "SSL upgrade" in str(problem) or "certificate" in str(problem):
        return Fault(FaultKind.UNENCRYPTED, where)
    if isinstance(problem, FileNotFoundError):
        return Fault(FaultKind.NO_SOCKET, where)
    if isinstance(problem, PermissionError):
        return Fault(FaultKind.SOCKET_CLOSED, where)
    return Fault(FaultKind.UNREACHABLE, where) if isinstance(problem, OSError) else None


CONFLICTS = frozenset({"40001", "40P01"})
"""PostgreSQL's codes for two transactions that cannot both succeed: no serial order, a deadlock."""


def is_conflict(problem: BaseException) -> bool:
    """Return True if another transaction was in the way, so that this may be retried."""
    return any(getattr(error, "sqlstate", None) in CONFLICTS for error in _causes(problem))


def broken_rule(problem: BaseException) -> str:
    """Return the schema's rule that a row breaks: its name or, on SQLite, the columns that must be unique."""
    for error in _causes(problem):
        name = getattr(error, "constraint_name", None)
        if isinstance(name, str):
            return name
        if isinstance(error, sqlite3.IntegrityError):
            return str(error).rpartition(": ")[2]
    return "a rule of the schema"


def _causes(problem: BaseException) -> Iterator[BaseException]:
    """Yield the error and its causes, the innermost last."""
    error: BaseException | None = problem
    while error is not None:
        yield error
        error = getattr(error, "orig", None) or error.__cause__


def _kind(error: BaseException) -> FaultKind | None:
    code = getattr(error, "sqlite_errorcode", None)
    if isinstance(code, int):
        return _DRIVE.get(code) or _SQLITE.get(code & 0xFF)
    state = getattr(error, "sqlstate", None)
    if isinstance(state, str):
        return _SQLSTATE.get(state) or _SQLSTATE.get(state[:2])
    if isinstance(error, socket.gaierror | TimeoutError | ConnectionError):
        return FaultKind.UNREACHABLE
    if isinstance(error, OSError) and error.errno is not None:
        return _ERRNO.get(error.errno, FaultKind.UNREACHABLE)
    return None
