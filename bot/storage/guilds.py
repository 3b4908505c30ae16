"""What a guild has set, who is banned from its games, and what its moderators did: the store's part for guilds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import RowMapping, delete, insert, select

from bot.storage import schema
from bot.storage.database import Database
from bot.storage.records import LogRow


class GuildStore:
    """Reads and writes settings, bans and the log."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def preferences(self, guild_id: int) -> Mapping[str, Any]:
        """The row of a guild's settings; empty if there is none."""
        rows = await self._database.rows(select(schema.guilds).where(schema.guilds.c.guild_id == guild_id))
        return dict(rows[0]) if rows else {}

    async def prefer(self, guild_id: int, **values: object) -> None:
        """Change a guild's settings."""
        await self._database.put(schema.guilds, schema.guilds.c.guild_id, guild_id, values)

    async def ban_of(self, guild_id: int, user_id: int) -> RowMapping | None:
        """The row of a ban, or None."""
        bans = schema.bans.c
        rows = await self._database.rows(select(schema.bans).where(bans.guild_id == guild_id, bans.user_id == user_id))
        return rows[0] if rows else None

    async def bans(self, guild_id: int) -> Sequence[RowMapping]:
        """All bans of a guild, newest first."""
        bans = schema.bans.c
        return await self._database.rows(select(schema.bans).where(bans.guild_id == guild_id).order_by(bans.at.desc()))

    async def ban(self, entry: LogRow, reason: str) -> None:
        """Ban the target of a log entry, and log it; if they are banned already, the reason is replaced."""
        async with self._database.writing() as connection:
            bans = schema.bans
            await connection.execute(
                delete(bans).where(bans.c.guild_id == entry.guild_id, bans.c.user_id == entry.target_id)
            )
            values = {"guild_id": entry.guild_id, "user_id": entry.target_id, "by": entry.actor_id, "at": entry.at}
            await connection.execute(insert(bans).values(**values, reason=reason))
            await connection.execute(insert(schema.guild_log).values(**asdict(entry)))

    async def unban(self, entry: LogRow) -> bool:
        """Lift the ban of the target of a log entry, and log it; False if there was none."""
        async with self._database.writing() as connection:
            bans = schema.bans
            gone = await connection.execute(
                delete(bans).where(bans.c.guild_id == entry.guild_id, bans.c.user_id == entry.target_id)
            )
            if gone.rowcount == 0:
                return False
            await connection.execute(insert(schema.guild_log).values(**asdict(entry)))
            return True

    async def write_log(self, entry: LogRow) -> None:
        """Write a line to a guild's log."""
        async with self._database.writing() as connection:
            await connection.execute(insert(schema.guild_log).values(**asdict(entry)))

    async def log(self, guild_id: int, limit: int) -> Sequence[RowMapping]:
        """The most recent lines of a guild's log, newest first."""
        log = schema.guild_log
        return await self._database.rows(
            select(log).where(log.c.guild_id == guild_id).order_by(log.c.id.desc()).limit(limit)
        )
