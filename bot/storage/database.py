"""A database that is opened, closed and read row by row; what the parts of the store have in common."""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Column, Executable, RowMapping, Select, Table, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import Conflict, StorageError, Violation
from bot.guild_records import LogEntry
from bot.storage import schema
from bot.storage.connection import file_of, make_engine, make_single, make_writer, parse_url
from bot.storage.faults import Fault, FaultKind, broken_rule, fault_of, is_conflict, name_of
from bot.storage.files import identity

log = logging.getLogger(__name__)


CHECK_FILE_EVERY = 300.0
"""Seconds between two checks that the file is still there, even without any games."""

TRY_EVERY = 10.0
"""Seconds after which it is tried again whether the database can be written, as long as it cannot."""

CHECK_PAGES_EVERY = 12
"""Number of these checks after which every page is checked for damage."""


class Database:
    """A database at a `DATABASE_URL`. `fault`: what is in the way of writing at present, if anything."""

    def __init__(self, url: str) -> None:
        self._url = parse_url(url)
        self.where = name_of(self._url)
        self._file = file_of(self._url)
        self._identity: tuple[int, int] | None = None
        self._engine: AsyncEngine = make_engine(self._url)
        self._single: AsyncEngine = make_single(self._engine)
        self._writer: AsyncEngine = make_writer(self._engine)
        self.fault: Fault | None = None
        self.on_fault: Callable[[Fault | None], None] = lambda fault: None
        """Called when a fault occurs, and with None when something could be written again."""
        self.on_logged: Callable[[int], None] = lambda guild_id: None
        """Called with the id of a guild whose log has a new entry, once that is committed."""
        self._logged: WeakKeyDictionary[AsyncConnection, set[int]] = WeakKeyDictionary()
        """By writing transaction, the guilds for whose logs it has written entries."""
        self.opened = False
        """True once `open` has succeeded."""
        self.is_new = False
        """True if the database was empty before."""

    @property
    def shared(self) -> bool:
        """True if other processes may write here too."""
        return self._file is None

    @property
    def engines(self) -> tuple[AsyncEngine, ...]:
        """The engines for reading and writing, for code that counts statements."""
        return (self._engine,) if self._writer.sync_engine is self._engine.sync_engine else (self._engine, self._writer)

    async def open_with(self, migrate: Callable[[AsyncEngine], Awaitable[bool]]) -> None:
        """Bring the schema up to date by `migrate`, which returns True if there was none. Raises any `Fault`."""
        try:
            self.is_new = await migrate(self._engine)
        except Exception as problem:
            raise self._map_error(problem) from None
        self._identity = None if self._file is None else identity(self._file)
        self.opened = True

    async def close(self) -> None:
        """Close every connection."""
        await self._writer.dispose()
        await self._engine.dispose()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection that sees the database as of one moment. Raises any `Fault` that is in the way."""
        async with self._reading(self._engine) as connection:
            yield connection

    @asynccontextmanager
    async def _reading(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        try:
            async with engine.connect() as connection:
                yield connection
        except Exception as problem:
            raise self._map_error(problem) from None

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Yield a writing transaction: all or nothing of the block is kept. Raises any `Fault` that is in the way."""
        self._check_ours()
        try:
            async with self._writer.begin() as connection:
                logged = self._logged[connection] = set()
                yield connection
        except Exception as problem:
            raise self._map_error(problem) from None
        if self.fault is not None:
            self.fault = None
            log.warning("the database can be written again")
            self.on_fault(None)
        for guild_id in logged:
            self.on_logged(guild_id)

    async def log(self, connection: AsyncConnection, entry: LogEntry) -> None:
        """Write a line to a guild's log, in a writing transaction."""
        await connection.execute(insert(schema.guild_log).values(**asdict(entry)))
        self._logged[connection].add(entry.guild_id)

    async def watch(self, hourly: Callable[[], Awaitable[None]]) -> None:
        """Check the file now and then, and await `hourly` once an hour; what that raises is logged. Never returns."""
        for check in itertools.count(1):
            await asyncio.sleep(CHECK_FILE_EVERY)
            with suppress(Fault):
                self._check_ours()
                if self._file is not None and check % CHECK_PAGES_EVERY == 0:
                    await self._check_pages()
            if check % CHECK_PAGES_EVERY == 0:
                try:
                    await hourly()
                except Exception:
                    log.exception("what is done every hour failed")

    async def try_while_faulty(self) -> None:
        """Try now and then whether something can be written, until it can; damage is not healed by writing."""
        while self.fault is not None and self.fault.kind is not FaultKind.DAMAGED:
            await asyncio.sleep(TRY_EVERY)
            if self.fault is not None:
                with suppress(StorageError):
                    await self.remember("tried_at", str(int(time.time())))

    def _is_gone(self) -> bool:
        """Return True if the opened file was removed or replaced, so that what is written would be lost."""
        return self._file is not None and self._identity is not None and identity(self._file) != self._identity

    def _check_ours(self) -> None:
        """Raise the fault that forbids us to write."""
        if self._is_gone():
            raise self._report(Fault(FaultKind.GONE, self.where))

    async def _check_pages(self) -> None:
        async with self.reading() as connection:
            verdict = (await connection.exec_driver_sql("PRAGMA quick_check(1)")).scalar()
        if verdict != "ok":
            self._report(Fault(FaultKind.DAMAGED, self.where))

    def _report(self, fault: Fault) -> Fault:
        """Report a fault, once as long as it lasts; returns it."""
        # Before `open` has succeeded, the program reports it in the one line with which it ends.
        if self.opened and (self.fault is None or self.fault.kind is not fault.kind):
            self.fault = fault
            log.critical("%s Nothing is written until then; what people ask for is refused.", fault)
            self.on_fault(fault)
        return fault

    def _map_error(self, problem: Exception) -> Exception:
        """Return the error to raise for this: a fault, which is reported, `Violation`, `Conflict`, or itself."""
        if isinstance(problem, IntegrityError):
            return Violation(broken_rule(problem))
        if is_conflict(problem):
            return Conflict(0)
        fault = fault_of(problem, self.where)
        if fault is None:
            return problem
        return self._report(Fault(FaultKind.GONE, self.where) if self._is_gone() else fault)

    async def recall(self, key: str) -> str | None:
        """Return the fact remembered under this key, or None."""
        return await self.value(select(schema.facts.c.value).where(schema.facts.c.key == key))

    async def remember(self, key: str, value: str) -> None:
        """Remember a fact under a key, replacing what was there."""
        await self.write(*replace_row(schema.facts, key=key, value=value))

    async def rows(self, statement: Select[Any], **values: object) -> Sequence[RowMapping]:
        """Return the rows of a statement; `values` fill its parameters."""
        async with self._reading(self._single) as connection:
            rows: Sequence[RowMapping] = (await connection.execute(statement, values)).mappings().all()
            return rows

    async def column(self, statement: Select[Any], **values: object) -> tuple[Any, ...]:
        """Return the first column of the rows of a statement."""
        return tuple(next(iter(row.values())) for row in await self.rows(statement, **values))

    async def value(self, statement: Select[Any], **values: object) -> Any | None:
        """Return the first column of the first row of a statement, or None."""
        return next(iter(await self.column(statement, **values)), None)

    async def write(self, *statements: Executable) -> int:
        """Execute statements in one transaction; returns the row count of the last."""
        async with self.writing() as connection:
            for statement in statements:
                result = await connection.execute(statement)
            return result.rowcount

    async def put(self, table: Table, key: Column[int], value: int, columns: Mapping[str, object]) -> None:
        """Set columns of the row whose `key` has this value; the row is created if there is none."""
        async with self.writing() as connection:
            changed = await connection.execute(update(table).where(key == value).values(**columns))
            if changed.rowcount == 0:
                await connection.execute(insert(table).values({key.name: value, **columns}))


def replace_row(table: Table, **row: object) -> tuple[Executable, Executable]:
    """Return the statements that replace or insert a row by its primary key."""
    same = (column == row[column.name] for column in table.primary_key)
    return delete(table).where(*same), insert(table).values(**row)


class StorePart:
    """One subject of the store: what it reads and writes in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
