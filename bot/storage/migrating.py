"""Bringing the schema up to date safely: nothing foreign is touched, and a copy is made first."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.errors import DatabaseTooNew
from bot.storage.connection import file_of
from bot.storage.faults import Fault, FaultKind, name_of
from bot.storage.files import BESIDE, copy_file, make_private
from bot.storage.locks import LOCK, held_locks

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"


def alembic_config() -> Config:
    """Return Alembic's settings for this project's migrations, without any file."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


@cache
def revisions() -> tuple[str, ...]:
    """Return all revisions known to this version of the bot, the newest first; reads the scripts once."""
    return tuple(script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions())


def head() -> str:
    """Return the revision that this version of the bot works with."""
    return revisions()[0]


def revision_of(connection: Connection) -> str | None:
    """Return the revision of a database, None for an empty one. Raises `DatabaseTooNew`, `FOREIGN`."""
    tables = set(inspect(connection).get_table_names())
    revision = MigrationContext.configure(connection).get_current_revision()
    if (revision is None and tables - {"alembic_version"}) or (revision is not None and "games" not in tables):
        raise Fault(FaultKind.FOREIGN, name_of(connection.engine.url))
    if revision is not None and revision not in revisions():
        raise DatabaseTooNew(revision)
    return revision


async def migrate(engine: AsyncEngine) -> bool:
    """Bring the schema up to date; returns True if the database was empty.

    A SQLite database is checked first, and copied beside itself before it is changed. Raises `DatabaseTooNew` if it
    comes from a newer version, `FOREIGN`, `EMPTY`, `DAMAGED`, and what drivers and the system raise.
    """
    file = file_of(engine.url)
    was_there = file is not None and file.exists()
    if file is not None:
        check_not_empty(file)
        make_private(file)
    options: dict[str, object] = {"writes": True, "migrates": True}
    if engine.dialect.name == "postgresql":
        # Having waited for the lock, we must see what the process before us has done.
        options["isolation_level"] = "READ COMMITTED"
    try:
        async with engine.execution_options(**options).begin() as connection:
            was_empty = await connection.run_sync(_upgrade)
    except BaseException:
        if file is not None and not was_there:
            # An empty file would look like one that has lost its games.
            await engine.dispose()
            for ending in ("", *BESIDE):
                file.with_name(file.name + ending).unlink(missing_ok=True)
        raise
    # The connections that migrated do not check foreign keys; later ones must.
    await engine.dispose()
    return was_empty


def check_not_empty(file: Path) -> None:
    """Raise `EMPTY` for a file of 0 bytes: the bot leaves none behind, so there may have been games in it."""
    there = [path for ending in ("", *BESIDE) if (path := file.with_name(file.name + ending)).exists()]
    if file in there and not any(path.stat().st_size for path in there):
        raise Fault(FaultKind.EMPTY, str(file))


def _upgrade(connection: Connection) -> bool:
    file = file_of(connection.engine.url)
    if file is not None and connection.execute(text("PRAGMA quick_check(1)")).scalar() != "ok":
        raise Fault(FaultKind.DAMAGED, str(file))
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    revision = revision_of(connection)
    if revision == head():
        return False
    if connection.dialect.name == "postgresql" and revision is not None and (others := held_locks(connection)):
        # They belong to the version that this schema is for.
        raise Fault(FaultKind.IN_USE, f"{name_of(connection.engine.url)} ({others[0].owner})")
    if file is not None and revision is not None:
        aside = file.with_name(f"{file.name}.{revision}-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
        # We hold the write lock, so nothing can be written between the copy and the change.
        copy_file(file, aside)
        log.info("the database is brought from revision %s to %s; as it was, it is kept in %s", revision, head(), aside)
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    return revision is None
