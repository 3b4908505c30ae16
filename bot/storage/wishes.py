"""What people and guilds prefer, who is banned, what moderators did, and single facts: the store's part for these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import RowMapping, delete, insert, select, update

from bot.storage import schema
from bot.storage.database import Database
from bot.storage.records import LogRow


class Wishes(Database):
    """Reads and writes what does not belong to a single game."""

    async def recall(self, key: str) -> str | None:
        """What was remembered under this key, or None."""
        rows = await self._rows(select(schema.memory.c.value).where(schema.memory.c.key == key))
        return rows[0]["value"] if rows else None

    async def remember(self, key: str, value: str) -> None:
        """Remember a fact under a key, instead of what was there."""
        async with self._writer.begin() as connection:
            await connection.execute(delete(schema.memory).where(schema.memory.c.key == key))
            await connection.execute(insert(schema.memory).values(key=key, value=value))

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

    async def away_ended(self, now: int) -> tuple[int, ...]:
        """The ids of the persons whose time away is over."""
        rows = await self._rows(select(schema.players.c.user_id).where(schema.players.c.away_until <= now))
        return tuple(row["user_id"] for row in rows)

    async def ban_of(self, guild_id: int, user_id: int) -> RowMapping | None:
        """The row of a ban, or None."""
        bans = schema.bans.c
        rows = await self._rows(select(schema.bans).where(bans.guild_id == guild_id, bans.user_id == user_id))
        return rows[0] if rows else None

    async def bans(self, guild_id: int) -> Sequence[RowMapping]:
        """All bans of a guild, newest first."""
        bans = schema.bans.c
        return await self._rows(select(schema.bans).where(bans.guild_id == guild_id).order_by(bans.at.desc()))

    async def ban(self, entry: LogRow, reason: str) -> None:
        """Ban the target of a log entry, and log it; who is banned already gets the new reason."""
        async with self._writer.begin() as connection:
            bans = schema.bans
            await connection.execute(
                delete(bans).where(bans.c.guild_id == entry.guild_id, bans.c.user_id == entry.target_id)
            )
            values = {"guild_id": entry.guild_id, "user_id": entry.target_id, "by": entry.actor_id, "at": entry.at}
            await connection.execute(insert(bans).values(**values, reason=reason))
            await connection.execute(insert(schema.guild_log).values(**asdict(entry)))

    async def unban(self, entry: LogRow) -> bool:
        """Lift the ban of the target of a log entry, and log it; False if there was none."""
        async with self._writer.begin() as connection:
            bans = schema.bans
            gone = await connection.execute(
                delete(bans).where(bans.c.guild_id == entry.guild_id, bans.c.user_id == entry.target_id)
            )
            if gone.rowcount == 0:
                return False
            await connection.execute(insert(schema.guild_log).values(**asdict(entry)))
            return True

    async def write_log(self, entry: LogRow) -> None:
        """Write a line of a guild's log."""
        async with self._writer.begin() as connection:
            await connection.execute(insert(schema.guild_log).values(**asdict(entry)))

    async def guild_log(self, guild_id: int, limit: int) -> Sequence[RowMapping]:
        """The last lines of a guild's log, newest first."""
        log = schema.guild_log
        return await self._rows(select(log).where(log.c.guild_id == guild_id).order_by(log.c.id.desc()).limit(limit))


_PREFERENCES = {
    "players": (schema.players, schema.players.c.user_id),
    "guilds": (schema.guilds, schema.guilds.c.guild_id),
}
