"""Opening the database: what every SQLite connection is told, and bringing the schema up to date."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from sqlite3 import OperationalError
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.errors import DatabaseTooNew, SettingsError

# At DEBUG aiosqlite logs every statement with its values: seeds and secret gifts. No log level may show those.
logging.getLogger("aiosqlite").setLevel(logging.WARNING)

MIGRATIONS = Path(__file__).parent / "migrations"

BUSY_TIMEOUT = 10_000
"""Milliseconds that a SQLite writer waits for another one."""

WAL_TRIES, WAL_PAUSE = 100, 0.02
"""How often, and how many seconds apart, a fresh file is switched to WAL while another program holds it."""


def make_engine(url: str) -> AsyncEngine:
    """An engine for this `DATABASE_URL`; makes the directory of a SQLite file. Raises `SettingsError`.

    Its errors never quote values (`hide_parameters`): those can be seeds and secret gifts.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise SettingsError(
            "DATABASE_URL is no database address; the usual is sqlite+aiosqlite:///data/dog.db"
        ) from None
    if parsed.get_backend_name() != "sqlite":
        try:
            # A reader sees one moment, as SQLite's readers always do.
            return create_async_engine(
                parsed, hide_parameters=True, pool_pre_ping=True, isolation_level="REPEATABLE READ"
            )
        except (ImportError, ArgumentError) as problem:
            raise SettingsError(f"DATABASE_URL: this database cannot be used here ({problem})") from problem
    if parsed.get_driver_name() != "aiosqlite":
        raise SettingsError("DATABASE_URL: SQLite is used through aiosqlite, write sqlite+aiosqlite:///path")
    if not parsed.database or parsed.database == ":memory:":
        raise SettingsError("DATABASE_URL names no file; games must survive a restart, write sqlite+aiosqlite:///path")
    try:
        Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise SettingsError(f"DATABASE_URL: the directory of {parsed.database} cannot be made ({problem})") from problem
    engine = create_async_engine(parsed, hide_parameters=True)
    event.listen(engine.sync_engine, "connect", _prepare)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _prepare(connection: Any, _record: object) -> None:
    """Set up a fresh SQLite connection; `isolation_level` None leaves beginning transactions to `_begin`."""
    connection.isolation_level = None
    cursor = connection.cursor()
    try:
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT}")
        _use_wal(cursor)
        # FULL: what was acknowledged survives a power cut too, not only a killed process.
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
    finally:
        cursor.close()


def _use_wal(cursor: Any) -> None:
    """Switch the file to WAL, unless it is so already: the switch alone does not wait for a busy database.

    Only the very first start of a file gets here more than once, when two programs open it at the same moment.
    """
    for attempt in range(WAL_TRIES):
        cursor.execute("PRAGMA journal_mode")
        if cursor.fetchone()[0] == "wal":
            return
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except OperationalError:
            if attempt == WAL_TRIES - 1:
                raise
            time.sleep(WAL_PAUSE)


def _begin(connection: Connection) -> None:
    """Begin a transaction; a writer takes the write lock at once, so that it waits instead of failing half-way."""
    options = connection.get_execution_options()
    if options.get("migrates", False):
        # SQLite changes a column by building its table anew; with foreign keys on, dropping the old one would
        # delete every row that points to it. This can only be switched outside a transaction.
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes", False) else "BEGIN")


def alembic_config() -> Config:
    """Alembic's settings for this project's migrations, without any file."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


async def migrate(engine: AsyncEngine) -> None:
    """Bring the schema up to date. Raises `DatabaseTooNew` when the database comes from a newer version."""
    async with engine.execution_options(writes=True, migrates=True).begin() as connection:
        await connection.run_sync(_upgrade)
    # The connections that migrated do not check foreign keys; later ones shall.
    await engine.dispose()


def _upgrade(connection: Connection) -> None:
    config = alembic_config()
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is not None and revision not in known:
        raise DatabaseTooNew(revision)
    command.upgrade(config, "head")
