"""A database that is opened and closed, and read row by row; what the parts of the store have in common."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Column, RowMapping, Select, Table, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.storage import schema
from bot.storage.connection import address, make_engine, writing
from bot.storage.faults import fault_of, place
from bot.storage.migrating import migrate


class Database:
    """A database at a `DATABASE_URL`."""

    def __init__(self, url: str) -> None:
        self._url = address(url)
        self._engine: AsyncEngine = make_engine(self._url)
        self._writer: AsyncEngine = writing(self._engine)

    @property
    def engines(self) -> tuple[AsyncEngine, ...]:
        """What reads and writes, for whoever counts statements."""
        return (self._engine,) if self._writer.sync_engine is self._engine.sync_engine else (self._engine, self._writer)

    async def open(self) -> None:
        """Bring the schema up to date. Raises `DatabaseTooNew` and the `Fault` that is in the way."""
        async with self._faults():
            await migrate(self._engine)

    async def close(self) -> None:
        """Close every connection."""
        await self._writer.dispose()
        await self._engine.dispose()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection that sees the database as of one moment. Raises the `Fault` that is in the way."""
        async with self._faults(), self._engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that writes: committed at the end of the block, undone if that raises.

        Raises the `Fault` that is in the way; then nothing has been written.
        """
        async with self._faults(), self._writer.begin() as connection:
            yield connection

    @asynccontextmanager
    async def _faults(self) -> AsyncIterator[None]:
        """Turn what drivers and the system raise into the fault that it means; its own text may quote values."""
        try:
            yield
        except Exception as problem:
            fault = fault_of(problem, place(self._url))
            if fault is None or fault is problem:
                raise
            raise fault from None

    async def recall(self, key: str) -> str | None:
        """What was remembered under this key, or None."""
        rows = await self.rows(select(schema.memory.c.value).where(schema.memory.c.key == key))
        return rows[0]["value"] if rows else None

    async def remember(self, key: str, value: str) -> None:
        """Remember a fact under a key, instead of what was there."""
        async with self.writing() as connection:
            await connection.execute(delete(schema.memory).where(schema.memory.c.key == key))
            await connection.execute(insert(schema.memory).values(key=key, value=value))

    async def rows(self, statement: Select[Any], **values: object) -> Sequence[RowMapping]:
        """What a statement finds; `values` for the parameters that were left open in it."""
        async with self.reading() as connection:
            found: Sequence[RowMapping] = (await connection.execute(statement, values)).mappings().all()
            return found

    async def put(self, table: Table, key: Column[int], value: int, columns: Mapping[str, object]) -> None:
        """Set columns of the row whose `key` has this value; the row is made if there is none."""
        async with self.writing() as connection:
            changed = await connection.execute(update(table).where(key == value).values(**columns))
            if changed.rowcount == 0:
                await connection.execute(insert(table).values({key.name: value, **columns}))
