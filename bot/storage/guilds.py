"""What a guild has set, who is banned from its games, and what its moderators did: the store's part for guilds."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import delete, insert, select

from bot.preferences import Ban, GuildSettings, House, LogEntry
from bot.storage import schema
from bot.storage.database import Database


class GuildStore:
    """Reads and writes settings, bans and the log."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def preferences(self, guild_id: int) -> GuildSettings:
        """What a guild has set."""
        rows = await self._database.rows(select(schema.guilds).where(schema.guilds.c.guild_id == guild_id))
        return GuildSettings(**rows[0]) if rows else GuildSettings(guild_id)

    async def prefer(self, guild_id: int, **values: object) -> None:
        """Change a guild's settings."""
        await self._database.put(schema.guilds, schema.guilds.c.guild_id, guild_id, values)

    async def bans(self, guild_id: int, *members: int) -> tuple[Ban, ...]:
        """The bans of a guild, newest first; only those of these members, if any are named."""
        bans = schema.bans.c
        theirs = [bans.user_id.in_(members)] if members else []
        rows = await self._database.rows(
            select(bans.user_id, bans.by, bans.at, bans.reason)
            .where(bans.guild_id == guild_id, *theirs)
            .order_by(bans.at.desc())
        )
        return tuple(Ban(**row) for row in rows)

    async def ban(self, entry: LogEntry, reason: str) -> None:
        """Ban the target of a log entry, and log it; if they are banned already, the reason is replaced."""
        async with self._database.writing() as connection:
            bans = schema.bans
            await connection.execute(
                delete(bans).where(bans.c.guild_id == entry.guild_id, bans.c.user_id == entry.target_id)
            )
            values = {"guild_id": entry.guild_id, "user_id": entry.target_id, "by": entry.actor_id, "at": entry.at}
            await connection.execute(insert(bans).values(**values, reason=reason))
            await connection.execute(insert(schema.guild_log).values(**asdict(entry)))

    async def unban(self, entry: LogEntry) -> bool:
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

    async def houses(self, guild_id: int) -> tuple[House, ...]:
        """The sets of house rules that a guild has named, by their names."""
        houses = schema.houses.c
        rows = await self._database.rows(
            select(houses.number, houses.name, houses.options).where(houses.guild_id == guild_id).order_by(houses.name)
        )
        return tuple(House(**row) for row in rows)

    async def keep_house(self, guild_id: int, house: House) -> None:
        """Keep a set of house rules under its number, in place of what was there."""
        houses = schema.houses.c
        async with self._database.writing() as connection:
            there = (houses.guild_id == guild_id) & (houses.number == house.number)
            await connection.execute(delete(schema.houses).where(there))
            await connection.execute(insert(schema.houses).values(guild_id=guild_id, **_columns(house)))

    async def drop_house(self, guild_id: int, number: int) -> None:
        """Forget a set of house rules."""
        houses = schema.houses.c
        async with self._database.writing() as connection:
            await connection.execute(delete(schema.houses).where(houses.guild_id == guild_id, houses.number == number))

    async def write_log(self, entry: LogEntry) -> None:
        """Write a line to a guild's log."""
        async with self._database.writing() as connection:
            await connection.execute(insert(schema.guild_log).values(**asdict(entry)))

    async def log(self, guild_id: int, limit: int = 50) -> tuple[LogEntry, ...]:
        """The most recent lines of a guild's log, newest first."""
        log = schema.guild_log
        columns = [column for column in log.c if column.name != "id"]
        rows = await self._database.rows(
            select(*columns).where(log.c.guild_id == guild_id).order_by(log.c.id.desc()).limit(limit)
        )
        return tuple(LogEntry(**row) for row in rows)


def _columns(house: House) -> dict[str, object]:
    return {"number": house.number, "name": house.name, "options": house.options}
