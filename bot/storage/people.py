"""What people and guilds prefer: the store's part for these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import insert, select, update

from bot.storage import schema
from bot.storage.database import Database


class People(Database):
    """Reads and writes preferences."""

    async def preferences(self, kind: str, key: int) -> Mapping[str, Any]:
        """The preferences row of a person (`players`) or a guild (`guilds`); empty if there is none."""
        table, column = _PREFERENCES[kind]
        rows = await self._rows(select(table).where(column == key))
        return dict(rows[0]) if rows else {}

    async def prefer(self, kind: str, key: int, **values: object) -> None:
        """Set preferences of a person or a guild."""
        table, column = _PREFERENCES[kind]
        async with self._writer.begin() as connection:
            changed = await connection.execute(update(table).where(column == key).values(**values))
            if changed.rowcount == 0:
                await connection.execute(insert(table).values({column.name: key, **values}))

    async def people(self, user_ids: Iterable[int]) -> Mapping[int, Mapping[str, Any]]:
        """The rows of these persons, by id; who has none is absent."""
        rows = await self._rows(select(schema.players).where(schema.players.c.user_id.in_(tuple(user_ids))))
        return {row["user_id"]: dict(row) for row in rows}

    async def come_home(self, user_id: int, now: int) -> None:
        """Note that a time away which has ended is over; one that was set anew meanwhile stays."""
        players = schema.players
        async with self._writer.begin() as connection:
            await connection.execute(
                update(players)
                .where(players.c.user_id == user_id, players.c.away_until <= now)
                .values(away_until=None, away_how=None)
            )

    async def away_ended(self, now: int) -> tuple[int, ...]:
        """The ids of the persons whose time away is over."""
        rows = await self._rows(select(schema.players.c.user_id).where(schema.players.c.away_until <= now))
        return tuple(row["user_id"] for row in rows)


_PREFERENCES = {
    "players": (schema.players, schema.players.c.user_id),
    "guilds": (schema.guilds, schema.guilds.c.guild_id),
}
