"""A database that is opened and closed, and read row by row; what the parts of the store have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import RowMapping, Select, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.storage import schema
from bot.storage.connection import make_engine, migrate


class Database:
    """A database at a `DATABASE_URL`."""

    def __init__(self, url: str) -> None:
        self._engine: AsyncEngine = make_engine(url)
        self._writer: AsyncEngine = self._engine.execution_options(writes=True)

    async def open(self) -> None:
        """Bring the schema up to date; raises `DatabaseTooNew`."""
        await migrate(self._engine)

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()

    async def recall(self, key: str) -> str | None:
        """What was remembered under this key, or None."""
        rows = await self._rows(select(schema.memory.c.value).where(schema.memory.c.key == key))
        return rows[0]["value"] if rows else None

    async def remember(self, key: str, value: str) -> None:
        """Remember a fact under a key, instead of what was there."""
        async with self._writer.begin() as connection:
            await connection.execute(delete(schema.memory).where(schema.memory.c.key == key))
            await connection.execute(insert(schema.memory).values(key=key, value=value))

    async def _rows(self, statement: Select[Any]) -> Sequence[RowMapping]:
        async with self._engine.connect() as connection:
            found: Sequence[RowMapping] = (await connection.execute(statement)).mappings().all()
            return found
