"""Backups: a whole database in one file, made while the bot runs, and restored later.

A backup is a SQLite file, whatever the database is. It holds everything, including the seeds of running games: with it,
every hand still to be dealt in them can be known. So it is as secret as the token.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.errors import DatabaseTooNew, StorageError
from bot.storage.alone import alone
from bot.storage.connection import address, file_of
from bot.storage.copying import CannotCopy, copy
from bot.storage.faults import DatabaseDamaged, DatabaseForeign, Fault, fault_of
from bot.storage.files import BESIDE, copy_whole, make_private, settle, whole
from bot.storage.migrating import revisions


@dataclass(frozen=True, slots=True)
class Content:
    """What is in a database file: its revision, how many games, and how many of them are being played."""

    revision: str
    games: int
    running: int


async def back_up(url: str, file: Path) -> Content:
    """Write everything in the database at `url` into a new file, as of one moment, while others keep writing.

    Raises `CannotCopy` if there already is something with that name or nothing to copy, and the database's own faults.
    """
    source = file_of(address(url))
    _check_new(file)
    try:
        if source is None:
            await _from_server(url, file)
        else:
            await asyncio.to_thread(_from_file, source, file)
        return await asyncio.to_thread(look_into, file)
    except StorageError:
        raise
    except Exception as problem:
        raise fault_of(problem, str(source or file)) or problem from None


def _check_new(file: Path) -> None:
    if file.exists():
        raise CannotCopy(f"{file} exists already: name a new file for the backup.")
    if not file.parent.is_dir():
        raise CannotCopy(f"There is no folder {file.parent}: make it, or name another file for the backup.")


def _from_file(source: Path, file: Path) -> None:
    if not source.exists():
        raise CannotCopy(f"There is no database {source}, so there is nothing to back up.")
    copy_whole(source, file)


async def _from_server(url: str, file: Path) -> None:
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        part = Path(folder, "dog.db")
        await copy(url, f"sqlite+aiosqlite:///{part.as_posix()}")
        # As one file, without a log beside it.
        await asyncio.to_thread(copy_whole, part, file)


async def restore(file: Path, url: str) -> Path | None:
    """Replace the database at `url` by a backup, while no bot runs on it.

    Returns where the previous database is kept, or None if there was none. A database on a server must be empty. Raises
    `CannotCopy`, `DatabaseInUse`, and what is wrong with the file.
    """
    target = file_of(address(url))
    file = _check_there(file, target)
    if target is None:
        await asyncio.to_thread(look_into, file)
        await copy(f"sqlite+aiosqlite:///{file.as_posix()}", url)
        return None
    with alone(url):
        try:
            return await asyncio.to_thread(_put_in_place, file, target)
        except (OSError, sqlite3.Error) as problem:
            raise fault_of(problem, str(target)) or problem from None


def _check_there(file: Path, target: Path | None) -> Path:
    if not file.is_file():
        raise CannotCopy(f"There is no file {file}: name a backup.")
    if target is not None and target.exists() and target.samefile(file):
        raise CannotCopy(f"{file} is the database itself: name a backup.")
    return file.resolve()


def _put_in_place(file: Path, target: Path) -> Path | None:
    """The work of `restore`; whenever it is interrupted, both the old database and the backup still exist."""
    part = target.with_name(target.name + ".restoring")
    part.unlink(missing_ok=True)
    try:
        copy_whole(file, part)
        look_into(part)
        aside = _set_aside(target)
        for ending in BESIDE:
            # The log of the old database would be taken for that of the new one.
            target.with_name(target.name + ending).unlink(missing_ok=True)
        os.replace(part, target)
        settle(target.parent)
    finally:
        part.unlink(missing_ok=True)
    make_private(target)
    return aside


def _set_aside(target: Path) -> Path | None:
    """Copy the database that is to be replaced, in whatever state it is."""
    if not target.exists() or not target.stat().st_size:
        return None
    aside = target.with_name(f"{target.name}.replaced-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
    try:
        copy_whole(target, aside)
    except sqlite3.Error:
        # Damaged: copied as it is, then, with the files beside it.
        for ending in ("", *BESIDE):
            if (one := target.with_name(target.name + ending)).exists():
                shutil.copy2(one, aside.with_name(aside.name + ending))
    return aside


def look_into(file: Path) -> Content:
    """Check a whole database file. Raises `DatabaseDamaged`, `DatabaseForeign`, `DatabaseTooNew`, other faults."""
    where = str(file)
    try:
        if not whole(file):
            raise DatabaseDamaged(where)
        with closing(sqlite3.connect(file)) as rows:
            tables = {name for (name,) in rows.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not {"alembic_version", "games", "actions"} <= tables:
                raise DatabaseForeign(where)
            ((revision,),) = rows.execute("SELECT version_num FROM alembic_version").fetchall()
            running = "SELECT count(*) FROM games WHERE status IN ('playing', 'paused')"
            found = Content(
                revision,
                rows.execute("SELECT count(*) FROM games").fetchone()[0],
                rows.execute(running).fetchone()[0],
            )
    except sqlite3.Error as problem:
        fault: Fault | sqlite3.Error = fault_of(problem, where) or problem
        raise fault from None
    if found.revision not in revisions():
        raise DatabaseTooNew(found.revision)
    return found
