"""Backups, and moving a whole database to another.

A backup is made while the bot runs, and restored later. A copy goes from SQLite to PostgreSQL or back: rows, sequences,
and a comparison of both sides.

A backup is a SQLite file, whatever the database is. It holds everything, including the seeds of running games: with it,
every hand still to be dealt in them can be known. So it is as secret as the token.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, Table, func, insert, select, text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import DatabaseTooNew, StorageError
from bot.storage import schema
from bot.storage.connection import file_of, lock_file, make_engine, make_writer, parse_url
from bot.storage.database import Database
from bot.storage.faults import Fault, FaultKind, faults_at, name_of
from bot.storage.files import (
    BESIDE,
    copy_file,
    is_on_read_only_drive,
    leave_to_owner,
    make_folder,
    make_private,
    quote_path,
    rescue,
    sync,
)
from bot.storage.migrating import head, migrate, revision_of, revisions

BACKED_UP = "backed_up_at"
"""The key of the newest backup's time (Unix seconds) among the facts of the store."""

_KEPT = re.compile(r"dog-\d{8}T\d{6}Z\.db(\.part)?")
"""The names of backups of which some are kept; the longer ones were never finished."""


class CannotCopy(StorageError):
    """The requested copy, backup or restore is not possible; the text says why, in one line."""


@dataclass(frozen=True, slots=True)
class Content:
    """Contents of a database file: its revision, the number of games, and of those being played."""

    revision: str
    games: int
    running: int


async def back_up(url: str, file: Path) -> Content:
    """Write everything in the database at `url` into a new file, as of one moment, while others keep writing.

    Raises `CannotCopy` if there already is something with that name or nothing to copy, and the database's own faults.
    """
    source, rescued = file_of(parse_url(url)), False
    _check_new(file, source)
    with faults_at(str(file)), tempfile.TemporaryDirectory(dir=file.parent) as folder:
        if source is None:
            source = Path(folder, "dog.db")
            await copy(url, f"sqlite+aiosqlite:///{source.as_posix()}")
        elif rescued := is_on_read_only_drive(source):
            source = await asyncio.to_thread(rescue, source, Path(folder))
        # As one file, without a log beside it.
        await asyncio.to_thread(_copy_out, source, file)
        content = await asyncio.to_thread(look_into, file)
    if not rescued:
        await _note_backup(url)
    return content


async def back_up_into(url: str, folder: Path, keep: int) -> tuple[Path, Content]:
    """Write a backup named after this moment into a folder, then delete all but the newest `keep` of its kind.

    Raises what `back_up` does; then nothing is deleted.
    """
    with faults_at(str(folder)):
        make_folder(folder)
    file = folder / f"dog-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.db"
    content = await back_up(url, file)
    await asyncio.to_thread(_keep_newest, folder, keep)
    return file, content


def _keep_newest(folder: Path, keep: int) -> None:
    ours = sorted((file for file in folder.iterdir() if _KEPT.fullmatch(file.name)), reverse=True)
    kept = [file for file in ours if file.suffix == ".db"][:keep]
    with faults_at(str(folder)):
        for file in ours:
            if file not in kept:
                file.unlink(missing_ok=True)


async def _note_backup(url: str) -> None:
    """Note in the database that it was backed up, for the bot's figures; a database in trouble is left alone."""
    database = Database(url)
    try:
        await database.remember(BACKED_UP, str(int(time.time())))
    except StorageError:
        pass
    finally:
        await database.close()


def _copy_out(source: Path, file: Path) -> None:
    """Copy the database to a backup. Raises the faults of either, under the name of the file that has it."""
    with faults_at(str(source)), closing(sqlite3.connect(f"file:{quote_path(source)}?mode=rw", uri=True)) as rows:
        rows.execute("SELECT name FROM sqlite_master").fetchone()
    try:
        with faults_at(str(file)):
            copy_file(source, file)
    except Fault as fault:
        if fault.kind in (FaultKind.DAMAGED, FaultKind.NO_DATABASE, FaultKind.LOCKED):
            # Nothing of this can be true of a file that was just made.
            fault.where = str(source)
        raise


def _check_new(file: Path, source: Path | None) -> None:
    if file.exists():
        raise CannotCopy(f"{file} exists already: name a new file for the backup.")
    if not file.parent.is_dir():
        raise CannotCopy(f"There is no folder {file.parent}: make it, or name another file for the backup.")
    if source is not None and not source.exists():
        raise CannotCopy(f"There is no database {source}, so there is nothing to back up.")


async def restore(file: Path, url: str) -> Path | None:
    """Replace the database at `url` by a backup, while no bot runs on it.

    Returns where the previous database is kept, or None if there was none. A database on a server must be empty. Raises
    `CannotCopy`, `IN_USE`, and what is wrong with the file.
    """
    target = file_of(parse_url(url))
    file = _check_there(file, target)
    if target is None:
        await asyncio.to_thread(_check_backup, file)
        await copy(f"sqlite+aiosqlite:///{file.as_posix()}", url)
        return None
    with lock_file(url), faults_at(str(target)):
        return await asyncio.to_thread(_put_in_place, file, target)


def _check_there(file: Path, target: Path | None) -> Path:
    if not file.is_file():
        raise CannotCopy(f"There is no file {file}: name a backup.")
    if target is not None and target.exists() and target.samefile(file):
        raise CannotCopy(f"{file} is the database itself: name a backup.")
    return file.resolve()


def _put_in_place(file: Path, target: Path) -> Path | None:
    """Do the work of `restore`; whenever it is interrupted, both the old database and the backup still exist."""
    part = target.with_name(target.name + ".restoring")
    aside = target.with_name(f"{target.name}.replaced-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
    part.unlink(missing_ok=True)
    _check_backup(file)
    try:
        copy_file(file, part)
        look_into(part)
        # As it is, in whatever state: no process uses it. Its log would be taken for that of the new database.
        for ending in ("", *BESIDE):
            if (old := target.with_name(target.name + ending)).exists():
                shutil.copy2(old, kept := aside.with_name(aside.name + ending))
                leave_to_owner(kept)
                sync(kept)
        for ending in BESIDE:
            target.with_name(target.name + ending).unlink(missing_ok=True)
        os.replace(part, target)
        sync(target.parent)
    finally:
        part.unlink(missing_ok=True)
    make_private(target)
    return aside if aside.exists() else None


def _check_backup(file: Path) -> Content:
    """Check a file that is to be restored. Raises what `look_into` does, as faults of a backup."""
    try:
        return look_into(file)
    except Fault as fault:
        fault.kind = _OF_BACKUPS.get(fault.kind, fault.kind)
        raise


_OF_BACKUPS = {
    FaultKind.DAMAGED: FaultKind.BACKUP_DAMAGED,
    FaultKind.FOREIGN: FaultKind.BACKUP_FOREIGN,
    FaultKind.NO_DATABASE: FaultKind.BACKUP_FOREIGN,
    FaultKind.READ_ONLY: FaultKind.BACKUP_UNREADABLE,
}


def look_into(file: Path) -> Content:
    """Check a whole database file. Raises `DAMAGED`, `FOREIGN`, `DatabaseTooNew`, other faults."""
    where = str(file)
    with faults_at(where), closing(sqlite3.connect(file)) as rows:
        if rows.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise Fault(FaultKind.DAMAGED, where)
        tables = {name for (name,) in rows.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not {"alembic_version", "games", "actions"} <= tables:
            raise Fault(FaultKind.FOREIGN, where)
        ((revision,),) = rows.execute("SELECT version_num FROM alembic_version").fetchall()
        games = rows.execute("SELECT count(*) FROM games").fetchone()[0]
        running = rows.execute("SELECT count(*) FROM games WHERE status IN ('playing', 'paused')").fetchone()[0]
    if revision not in revisions():
        raise DatabaseTooNew(revision)
    return Content(revision, games, running)


# Copies from one database into another

BATCH = 1_000
"""Rows written at a time."""


async def copy(source_url: str, target_url: str) -> Mapping[str, int]:
    """Copy everything from one database into another, empty database; returns the number of rows by table.

    It is read as of one moment and written in one transaction, which is committed only if both sides are equal. No bot
    may run on either. Raises `CannotCopy`, and what is wrong with one of the databases.
    """
    source, target = parse_url(source_url), parse_url(target_url)
    if name_of(source) == name_of(target):
        raise CannotCopy("A database cannot be copied into itself: name two.")
    if (file := file_of(source)) is not None and not file.exists():
        raise CannotCopy(f"There is no database {file}, so there is nothing to copy.")
    with lock_file(source_url), lock_file(target_url):
        return await _copy(source, target)


async def _copy(source: URL, target: URL) -> Mapping[str, int]:
    reader, opened = make_engine(source), make_engine(target)
    writer = make_writer(opened)
    try:
        with faults_at(name_of(target)):
            await migrate(opened)
            async with writer.begin() as new:
                if await _has_rows(new):
                    raise CannotCopy(f"The database {name_of(target)} is not empty: name one without games.")
                with faults_at(name_of(source)):
                    async with reader.connect() as old:
                        counts = await _copy_tables(old, new, name_of(source))
                if target.get_backend_name() == "postgresql":
                    await new.run_sync(_set_sequences)
            return counts
    finally:
        for engine in (reader, writer, opened):
            await engine.dispose()


async def _copy_tables(old: AsyncConnection, new: AsyncConnection, where: str) -> Mapping[str, int]:
    revision = await old.run_sync(revision_of)
    if revision is None:
        raise Fault(FaultKind.FOREIGN, where)
    if revision != head():
        raise CannotCopy(
            f"The database {where} is of an older version ({revision}): bring it up to date first, with "
            "`alembic upgrade head` or by starting the bot on it once."
        )
    tables = schema.metadata.sorted_tables
    counts = {table.name: await _copy_table(old, new, table) for table in tables}
    for table in tables:
        if await _digest(old, table) != await _digest(new, table):
            raise CannotCopy(f"The table {table.name} did not arrive as it was; nothing was kept of it.")
    return counts


async def _has_rows(connection: AsyncConnection) -> bool:
    """Return True if any table has a row."""
    for table in schema.metadata.sorted_tables:
        if (await connection.execute(select(func.count()).select_from(table))).scalar_one():
            return True
    return False


async def _copy_table(old: AsyncConnection, new: AsyncConnection, table: Table) -> int:
    count = 0
    async with old.stream(select(table).order_by(*table.primary_key)) as rows:
        async for part in rows.mappings().partitions(BATCH):
            await new.execute(insert(table), [dict(row) for row in part])
            count += len(part)
    return count


async def _digest(connection: AsyncConnection, table: Table) -> tuple[int, str]:
    """Return the number of rows of a table, and a digest of everything in them."""
    count, digest = 0, hashlib.sha256()
    async with connection.stream(select(table).order_by(*table.primary_key)) as rows:
        async for row in rows:
            digest.update(json.dumps(list(row), default=repr, sort_keys=True).encode())
            count += 1
    return count, digest.hexdigest()


def _set_sequences(connection: Connection) -> None:
    """Let PostgreSQL's generated ids continue after the last that was copied."""
    for table in schema.metadata.sorted_tables:
        column = table.autoincrement_column
        if column is None:
            continue
        name = connection.execute(
            text("SELECT pg_get_serial_sequence(:table, :column)"), {"table": table.name, "column": column.name}
        ).scalar()
        if name is not None:
            last = connection.execute(select(func.max(column))).scalar()
            connection.execute(select(func.setval(name, last or 1, last is not None)))
