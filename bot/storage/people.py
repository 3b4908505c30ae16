"""What people prefer, and until when they are away: the store's part for these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import select, update

from bot.storage import schema
from bot.storage.database import Database


class People:
    """Reads and writes preferences."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def preferences(self, user_id: int) -> Mapping[str, Any]:
        """The row of a person; empty if there is none."""
        return (await self.several([user_id])).get(user_id, {})

    async def prefer(self, user_id: int, **values: object) -> None:
        """Set preferences of a person."""
        await self._database.put(schema.players, schema.players.c.user_id, user_id, values)

    async def several(self, user_ids: Iterable[int]) -> Mapping[int, Mapping[str, Any]]:
        """The rows of these persons, by id; who has none is absent."""
        rows = await self._database.rows(select(schema.players).where(schema.players.c.user_id.in_(tuple(user_ids))))
        return {row["user_id"]: dict(row) for row in rows}

    async def come_home(self, user_id: int, now: int) -> None:
        """Note that a time away which has ended is over; one that was set anew meanwhile stays."""
        players = schema.players
        async with self._database.writing() as connection:
            await connection.execute(
                update(players)
                .where(players.c.user_id == user_id, players.c.away_until <= now)
                .values(away_until=None, away_how=None)
            )

    async def away_ended(self, now: int) -> tuple[int, ...]:
        """The ids of the persons whose time away is over."""
        rows = await self._database.rows(select(schema.players.c.user_id).where(schema.players.c.away_until <= now))
        return tuple(row["user_id"] for row in rows)
