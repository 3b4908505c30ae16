"""Connecting to the database: the addresses it accepts, how every connection is set up, one process for each file."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import aiosqlite
from sqlalchemy import Connection, NullPool, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.errors import SettingsError
from bot.storage.faults import Fault, FaultKind, faults_at, name_of, server_fault
from bot.storage.files import leave_to_owner, make_folder, quote_path

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows, where the bot is not run for others
    fcntl = None  # type: ignore[assignment]

# At DEBUG, aiosqlite logs every statement with its values: seeds and secret gifts. No log level may show those.
logging.getLogger("aiosqlite").setLevel(logging.WARNING)

PATIENCE = 25.0
"""Seconds that a writer waits for others: for another program that holds the database, or for its turn."""

CONNECT_PATIENCE = 10.0
"""Seconds to wait for a database server to let us in."""

SERVER_SETTINGS = {
    "application_name": "dog",
    "lock_timeout": f"{PATIENCE:.0f}s",
    # A process that hangs in the middle of a change does not hold its rows forever.
    "idle_in_transaction_session_timeout": f"{2 * PATIENCE:.0f}s",
}
"""The settings requested by every connection to PostgreSQL."""

KEEPALIVE = {
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "3",
    "tcp_keepalives_count": "3",
    # The same 14 seconds for what it has sent us meanwhile; without it, the system tries for a quarter of an hour.
    "tcp_user_timeout": "14000",
}
"""Seconds, seconds, tries and milliseconds after which the server ends a session whose machine is gone."""


SERVER_OPTIONS = ("host", "port", "user", "password", "passfile", "ssl", "prepared_statement_cache_size")
"""Options accepted after ? in the address of a PostgreSQL."""

_HELD = (errno.EAGAIN, errno.EACCES)
"""Error numbers of a lock that another process holds; all others mean that the drive has no locks."""


def parse_url(url: str) -> URL:
    """Parse and check a `DATABASE_URL`. Raises `SettingsError`, which explains the form and never shows the address."""
    try:
        parsed = make_url(url)
        kind = parsed.get_backend_name()
    except (ArgumentError, ValueError):
        raise SettingsError(
            "DATABASE_URL is no database address; the usual is sqlite+aiosqlite:///data/dog.db. In a password, "
            f"{_WRITTEN}"
        ) from None
    if kind == "sqlite":
        if parsed.get_driver_name() != "aiosqlite":
            raise SettingsError("DATABASE_URL: SQLite is used through aiosqlite, write sqlite+aiosqlite:///path")
        if not parsed.database or parsed.database == ":memory:":
            raise SettingsError(
                "DATABASE_URL names no file; games must survive a restart, write sqlite+aiosqlite:///path"
            )
    elif kind != "postgresql":
        raise SettingsError(
            f"DATABASE_URL: {kind} cannot be used; write sqlite+aiosqlite:///path or postgresql+asyncpg://user@host/name"
        )
    elif parsed.drivername == "postgresql":
        parsed = parsed.set(drivername="postgresql+asyncpg")
    elif parsed.get_driver_name() != "asyncpg":
        raise SettingsError(
            "DATABASE_URL: PostgreSQL is used through asyncpg, write postgresql+asyncpg://user@host/name"
        )
    if kind == "postgresql":
        parsed = _check_server(parsed, url)
    return parsed


_WRITTEN = "@ is written %40, : %3A, / %2F, ? %3F, # %23 and % %25."


def _check_server(parsed: URL, url: str) -> URL:
    """Check what only the address of a server has. Raises `SettingsError`."""
    # A password that has an @ ends there, and what follows would be taken for the host, and shown.
    if url.count("@") > 1 or "@" in f"{parsed.host}{parsed.database}{parsed.query}":
        raise SettingsError(f"DATABASE_URL: there is an @ too many. In a password, {_WRITTEN}")
    if "sslmode" in parsed.query and "ssl" not in parsed.query:
        # As other programs call it, and as most hosts of databases hand it out.
        options = {"ssl" if name == "sslmode" else name: value for name, value in parsed.query.items()}
        parsed = parsed.set(query=options)
    if not set(parsed.query) <= set(SERVER_OPTIONS):
        raise SettingsError(f"DATABASE_URL: after ?, only these can be used: {', '.join(SERVER_OPTIONS)}.")
    modes = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
    if parsed.query.get("ssl", "prefer") not in modes:
        raise SettingsError(f"DATABASE_URL: ssl is one of {', '.join(modes)}.")
    return parsed


def make_engine(url: str | URL) -> AsyncEngine:
    """Return an engine for readers at this `DATABASE_URL`; `make_writer` those for writers. Raises `SettingsError`.

    Its errors never quote values (`hide_parameters`), since those can be seeds and secret gifts.
    """
    parsed = parse_url(url) if isinstance(url, str) else url
    if parsed.get_backend_name() == "sqlite":
        return _sqlite(parsed)
    try:
        return _server(
            parsed,
            pool_pre_ping=True,
            pool_timeout=PATIENCE,
            # Making a connection costs as much as twenty statements; 15 at most, as is usual, but more of them stay.
            pool_size=10,
            max_overflow=5,
            # A reader sees one moment, as SQLite's readers always do.
            isolation_level="REPEATABLE READ",
        )
    except (ImportError, ArgumentError):
        raise SettingsError(
            "DATABASE_URL: for PostgreSQL install the extra of that name: pip install 'dog-bot[postgres]'"
        ) from None


def _server(url: URL, settings: Mapping[str, str] = SERVER_SETTINGS, **options: Any) -> AsyncEngine:
    """Return an engine for a PostgreSQL, with the faults of connecting told apart from those of files."""
    arguments = {"timeout": CONNECT_PATIENCE, "server_settings": settings}
    engine = create_async_engine(url, hide_parameters=True, connect_args=arguments, **options)

    def connect(dialect: Any, _record: object, words: list[Any], named: dict[str, Any]) -> Any:
        try:
            return dialect.connect(*words, **named)
        except (OSError, dialect.dbapi.InterfaceError) as problem:
            if (fault := server_fault(problem, name_of(url))) is None:
                raise
            raise fault from None

    event.listen(engine.sync_engine, "do_connect", connect)
    return engine


def make_single(engine: AsyncEngine) -> AsyncEngine:
    """Return an engine for single reading statements: one round trip on PostgreSQL, three in a transaction."""
    return engine if engine.dialect.name == "sqlite" else engine.execution_options(isolation_level="AUTOCOMMIT")


def make_writer(engine: AsyncEngine) -> AsyncEngine:
    """Return an engine for writers to the same database as `engine`.

    A SQLite file has one writer at a time: ours take turns on one connection, in order, instead of each trying again
    and again, and while another program holds the file they keep no reader waiting. On PostgreSQL, writers see what
    others have committed meanwhile, and rely on versions and row locks.
    """
    if engine.dialect.name == "sqlite":
        return _sqlite(engine.url, pool_size=1, max_overflow=0).execution_options(writes=True)
    return engine.execution_options(writes=True, isolation_level="READ COMMITTED")


def _sqlite(url: URL, **pool: int) -> AsyncEngine:
    # Each transaction ends with its block, or its connection is closed (a task that is cancelled): nothing is left.
    engine = create_async_engine(url, hide_parameters=True, pool_timeout=PATIENCE, pool_reset_on_return=None, **pool)
    event.listen(engine.sync_engine, "do_connect", _open)
    event.listen(engine.sync_engine, "connect", _prepare)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def make_listener(engine: AsyncEngine, name: str) -> AsyncEngine:
    """Return an engine for a connection to the same PostgreSQL that stays open for hours, called `name` there."""
    settings = SERVER_SETTINGS | KEEPALIVE | {"application_name": name}
    return _server(engine.url, settings, poolclass=NullPool, isolation_level="AUTOCOMMIT")


def file_of(url: URL) -> Path | None:
    """Return the file of a SQLite database, following every link; None for other kinds of database."""
    return Path(url.database).resolve() if url.get_backend_name() == "sqlite" and url.database else None


@contextmanager
def lock_file(url: str) -> Iterator[None]:
    """Hold an exclusive lock on a SQLite file until the block ends; other databases need none.

    Raises `SettingsError`, `IN_USE` with the number of the other process, and `NO_LOCKS` where there can be none.
    The lock belongs to the process: it is released when the process ends, however that happens, and child processes do
    not hold it.
    """
    path = file_of(parse_url(url))
    if path is None or fcntl is None:
        yield
        return
    lock = path.with_name(path.name + ".lock")
    with faults_at(str(path)):
        make_folder(path.parent)
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        leave_to_owner(lock)
    try:
        if not _lock(handle, path):
            number = os.read(handle, 32).decode("ascii", "replace").strip()
            raise Fault(FaultKind.IN_USE, f"{path} (process {number or 'unknown'})")
        with faults_at(str(path)):
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
        # The file stays: removing it could let two processes lock two files with the same name.
        yield
    finally:
        os.close(handle)


def _lock(handle: int, path: Path) -> bool:
    """Lock an open file for this process; returns False if another process has it. Raises `NO_LOCKS`, other faults."""
    try:
        # lockf, not flock: a forked child would keep holding the latter.
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        if problem.errno in _HELD:
            return False
        if problem.errno == errno.EIO:
            with faults_at(str(path)):
                raise
        raise Fault(FaultKind.NO_LOCKS, str(path)) from None
    return True


def try_drive(folder: Path, path: Path) -> None:
    """Make, lock and write a database in a folder of its own in `folder`, and remove it again.

    Raises what would be wrong with the database `path` there.
    """
    with faults_at(str(path)), tempfile.TemporaryDirectory(prefix=".dog-", dir=folder) as there:
        file = Path(there, "dog.db")
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if fcntl is not None:
                _lock(handle, path)
        finally:
            os.close(handle)
        with closing(sqlite3.connect(file)) as rows:
            rows.execute("PRAGMA journal_mode = WAL")
            rows.execute("CREATE TABLE tried (number INTEGER)")
            rows.commit()


class _Cursor:
    """A cursor as SQLAlchemy uses one: a statement goes to the thread of the file once instead of three times.

    It is opened by its statement, and has nothing to close, since SQLAlchemy reads all rows at once. That saves a
    sixteenth of an action's processor time, and writers, who take turns, wait less for each other.
    """

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self._opened: aiosqlite.Cursor | None = None

    async def __aenter__(self) -> _Cursor:
        return self

    async def execute(self, statement: str, values: Any = ()) -> None:
        self._opened = await self._connection.execute(statement, values)

    async def executemany(self, statement: str, values: Any) -> None:
        self._opened = await self._connection.executemany(statement, values)

    async def close(self) -> None:
        return

    def __getattr__(self, name: str) -> Any:
        """Return what the opened cursor has: its rows, their description, the number of rows changed."""
        return getattr(self._opened, name)


def _open(_dialect: object, _record: object, words: list[Any], options: dict[str, Any]) -> None:
    """Open an existing file; if it was removed while we run, it is not created again, empty."""
    words[0] = f"file:{quote_path(Path(words[0]))}?mode=rw"
    options["uri"] = True


def _prepare(connection: Any, _record: object) -> None:
    """Set up a fresh SQLite connection; `isolation_level` None leaves it to `_begin` to begin transactions."""
    connection.isolation_level = None
    driver = connection.driver_connection
    driver.cursor = partial(_Cursor, driver)
    cursor = connection.cursor()
    try:
        cursor.execute(f"PRAGMA busy_timeout = {int(PATIENCE * 1000)}")
        cursor.execute("PRAGMA journal_mode = WAL")
        # FULL: what was acknowledged survives a power cut too, not only a killed process.
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
    finally:
        cursor.close()


def _begin(connection: Connection) -> None:
    """Begin a transaction; a writer takes the write lock at once, so that it waits instead of failing half-way."""
    options = connection.get_execution_options()
    if options.get("migrates", False):
        # SQLite changes a column by rebuilding its table; with foreign keys on, dropping the old table would
        # delete every row that references it. This can only be switched outside a transaction.
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes", False) else "BEGIN")
