"""A database that is opened, closed and read row by row; what the parts of the store have in common."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Column, RowMapping, Select, Table, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import Conflict, OutOfRange, Violation
from bot.storage import schema
from bot.storage.connection import address, file_of, make_engine, single, writing
from bot.storage.faults import DatabaseDamaged, DatabaseGone, Fault, Health, fault_of, is_conflict, place, violated
from bot.storage.files import PRIVATE_FILE, Beginning, identity
from bot.storage.migrating import migrate

log = logging.getLogger(__name__)


WATCH_EVERY = 300.0
"""Seconds between two checks of the file."""

LOOK_THROUGH_EVERY = 12
"""Every page is checked at one in this many checks."""


class Database:
    """A database at a `DATABASE_URL`. `health` says which fault is in the way at present."""

    def __init__(self, url: str) -> None:
        self._url = address(url)
        self.where = place(self._url)
        self._file = file_of(self._url)
        self._identity: tuple[int, int] | None = None
        self._beginning: Beginning | None = None
        self._engine: AsyncEngine = make_engine(self._url)
        self._single: AsyncEngine = single(self._engine)
        self._writer: AsyncEngine = writing(self._engine)
        self.health = Health()
        self.opened = False
        """Whether `open` has succeeded."""

    @property
    def shared(self) -> bool:
        """Whether other processes may write here too."""
        return self._file is None

    @property
    def engines(self) -> tuple[AsyncEngine, ...]:
        """The engines for reading and writing, for code that counts statements."""
        return (self._engine,) if self._writer.sync_engine is self._engine.sync_engine else (self._engine, self._writer)

    async def open(self) -> None:
        """Bring the schema up to date. Raises `DatabaseTooNew` and any `Fault` that is in the way."""
        try:
            await migrate(self._engine)
        except Exception as problem:
            raise self._read(problem) from None
        self._identity = None if self._file is None else identity(self._file)
        self._beginning = None if self._file is None else Beginning(self._file)
        self.opened = True

    async def close(self) -> None:
        """Close every connection."""
        await self._writer.dispose()
        await self._engine.dispose()
        if self._beginning is not None:
            self._beginning.close()
            self._beginning = None

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection that sees the database as of one moment. Raises any `Fault` that is in the way."""
        async with self._reading(self._engine) as connection:
            yield connection

    @asynccontextmanager
    async def _reading(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        try:
            async with engine.connect() as connection:
                yield connection
        except Exception as problem:
            raise self._read(problem) from None

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A writing transaction: committed at the end of the block, rolled back if that raises.

        Raises any `Fault` that is in the way, and `OutOfRange`; then nothing has been written.
        """
        await self._check_file()
        try:
            async with self._writer.begin() as connection:
                yield connection
        except Exception as problem:
            raise self._read(problem) from None
        self.health.worked()

    async def watch(self) -> None:
        """Check the file now and then, so that what happens to it is noticed even if nobody plays. Never returns."""
        looks = 0
        while True:
            await asyncio.sleep(WATCH_EVERY)
            looks += 1
            with suppress(Fault):
                await self._check_file()
                if self._file is not None and looks % LOOK_THROUGH_EVERY == 0:
                    await self._look_through()

    async def _check_file(self) -> None:
        """Raise `DatabaseGone` or `DatabaseDamaged` if the file is not what was opened, after saving what is open."""
        if self._file is None or self._identity is None:
            return
        if identity(self._file) != self._identity:
            first = not isinstance(self.health.fault, DatabaseGone)
            gone = DatabaseGone(self.where)
            self.health.failed(gone)
            if first:
                await self._rescue(self._file)
            raise gone
        if self._beginning is not None and not self._beginning.is_well():
            damaged = DatabaseDamaged(self.where)
            self.health.failed(damaged)
            raise damaged

    async def _look_through(self) -> None:
        async with self.reading() as connection:
            found = (await connection.exec_driver_sql("PRAGMA quick_check(1)")).scalar()
        if found != "ok":
            self.health.failed(DatabaseDamaged(self.where))

    async def _rescue(self, file: Path) -> None:
        """Save what a connection that is still open sees of a file that no longer has a name."""
        aside = file.with_name(f"{file.name}.rescued-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
        try:
            async with self._writer.connect() as connection:
                # Not in a transaction, since the driver's own connection has not begun one.
                driver = (await connection.get_raw_connection()).driver_connection
                assert driver is not None
                await driver.execute("VACUUM INTO ?", (str(aside),))
            aside.chmod(PRIVATE_FILE)
        except Exception as problem:
            log.critical("what was in %s could not be saved (%s)", file, type(problem).__name__)
        else:
            log.critical("what was in %s is saved in %s: stop the bot, and rename it", file, aside)

    def _read(self, problem: Exception) -> Exception:
        """What an error means: a fault, which is reported, `OutOfRange`, `Violation`, `Conflict`, or just itself."""
        if isinstance(problem, StatementError) and isinstance(problem.orig, OutOfRange):
            return problem.orig
        if isinstance(problem, IntegrityError):
            return Violation(violated(problem))
        if is_conflict(problem):
            return Conflict(0)
        fault = fault_of(problem, self.where)
        if fault is None:
            return problem
        if self._file is not None and self._identity is not None and identity(self._file) != self._identity:
            fault = DatabaseGone(self.where)
        if self.opened:
            # Before that the program reports it in the one line with which it ends.
            self.health.failed(fault)
        return fault

    async def recall(self, key: str) -> str | None:
        """What was remembered under this key, or None."""
        rows = await self.rows(select(schema.memory.c.value).where(schema.memory.c.key == key))
        return rows[0]["value"] if rows else None

    async def remember(self, key: str, value: str) -> None:
        """Remember a fact under a key, replacing what was there."""
        async with self.writing() as connection:
            await connection.execute(delete(schema.memory).where(schema.memory.c.key == key))
            await connection.execute(insert(schema.memory).values(key=key, value=value))

    async def rows(self, statement: Select[Any], **values: object) -> Sequence[RowMapping]:
        """What a statement finds; `values` for the parameters left open in it.

        Nothing, if it asks for something that no column can hold.
        """
        try:
            async with self._reading(self._single) as connection:
                found: Sequence[RowMapping] = (await connection.execute(statement, values)).mappings().all()
                return found
        except OutOfRange:
            return ()

    async def put(self, table: Table, key: Column[int], value: int, columns: Mapping[str, object]) -> None:
        """Set columns of the row whose `key` has this value; the row is created if there is none."""
        async with self.writing() as connection:
            changed = await connection.execute(update(table).where(key == value).values(**columns))
            if changed.rowcount == 0:
                await connection.execute(insert(table).values({key.name: value, **columns}))
