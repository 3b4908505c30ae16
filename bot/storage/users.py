"""Preferences of people and guilds, searches for tables, bans and the log: the store's parts for them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, fields

from sqlalchemy import bindparam, delete, func, select, update

from bot.guild_records import FOR_CHANNEL, ROLE_TOLD_EVERY, Ban, House, LogEntry
from bot.guild_settings import GuildSettings
from bot.preferences import Preferences
from bot.storage import schema
from bot.storage.database import Database, StorePart, replace_row
from bot.table import Seek

_users, _seeks, _blocks = schema.users.c, schema.seeks.c, schema.blocks.c
_bans, _houses, _guilds, _log = schema.bans.c, schema.houses.c, schema.guilds.c, schema.guild_log.c

_FIELDS = tuple(each.name for each in fields(LogEntry))
_ENTRY = tuple(_log[name] for name in _FIELDS)
"""The columns of `guild_log` with the fields of a `LogEntry`."""

_SEVERAL = select(schema.users).where(_users.user_id.in_(bindparam("users", expanding=True)))
"""Built once, since it is used whenever a person is met for the first time."""


class UserStore(StorePart):
    """Reads and writes preferences and searches for tables."""

    async def prefer(self, user_id: int, **values: object) -> None:
        """Set a person's preferences."""
        await self._database.put(schema.users, _users.user_id, user_id, values)

    async def several(self, user_ids: Iterable[int]) -> Mapping[int, Preferences]:
        """Return the preferences of these people, by id."""
        rows = await self._database.rows(_SEVERAL, users=(wanted := tuple(user_ids)))
        return {user_id: Preferences(user_id) for user_id in wanted} | {
            row["user_id"]: Preferences(**row) for row in rows
        }

    @asynccontextmanager
    async def end_absence(self, user_id: int, now: int) -> AsyncIterator[bool]:
        """End a time away that is over, with the block, in which the person's seats are handed back.

        Yields False if another process does it: on a shared database, one process holds the row, and the others go on
        without waiting. If that process ends in the middle, another does it again. A time away that was set again
        meanwhile stays.
        """
        users = schema.users
        over = (users.c.user_id == user_id) & (users.c.away_until <= now)
        home = update(users).where(over).values(away_until=None, away_how=None)
        if not self._database.shared:
            yield True
            await self._database.write(home)
            return
        async with self._database.writing() as connection:
            taken = await connection.execute(select(users.c.user_id).where(over).with_for_update(skip_locked=True))
            mine = taken.first() is not None
            yield mine
            if mine:
                await connection.execute(home)

    async def find_returned(self, now: int) -> tuple[int, ...]:
        """Return the ids of the people whose time away is over."""
        return await self._database.column(select(_users.user_id).where(_users.away_until <= now))

    async def seek(self, seek: Seek) -> None:
        """Note a search for a table, in place of the person's last; forget those that have ended."""
        ended = delete(schema.seeks).where(_seeks.ends_at <= seek.at)
        await self._database.write(ended, *replace_row(schema.seeks, **asdict(seek)))

    async def seeks(self, guild_id: int, now: int) -> tuple[Seek, ...]:
        """Return the searches for a table in a guild, the oldest first."""
        rows = await self._database.rows(
            select(schema.seeks)
            .where(_seeks.guild_id == guild_id, _seeks.ends_at > now)
            .order_by(_seeks.at, _seeks.user_id)
        )
        return tuple(Seek(**row) for row in rows)

    async def end_seek(self, guild_id: int, user_id: int) -> bool:
        """End a member's search; False if there is none (any more), so that only one of several callers ends it."""
        mine = (_seeks.guild_id == guild_id) & (_seeks.user_id == user_id)
        return bool(await self._database.write(delete(schema.seeks).where(mine)))

    async def block(self, user_id: int, other: int, at: int) -> None:
        """Note that a person does not want to be brought together with another."""
        await self._database.write(*replace_row(schema.blocks, user_id=user_id, blocked_id=other, at=at))

    async def unblock(self, user_id: int, other: int) -> bool:
        """Forget that; False if it was not so."""
        mine = (_blocks.user_id == user_id) & (_blocks.blocked_id == other)
        return bool(await self._database.write(delete(schema.blocks).where(mine)))

    async def blocks(self, user_id: int) -> tuple[int, ...]:
        """Return the people whom a person has blocked, in the order of time."""
        mine = select(_blocks.blocked_id).where(_blocks.user_id == user_id)
        return await self._database.column(mine.order_by(_blocks.at, _blocks.blocked_id))

    async def blocks_among(self, people: Iterable[int]) -> frozenset[tuple[int, int]]:
        """Return who of these people has blocked whom of them."""
        ids = tuple(people)
        rows = await self._database.rows(
            select(_blocks.user_id, _blocks.blocked_id).where(_blocks.user_id.in_(ids), _blocks.blocked_id.in_(ids))
        )
        return frozenset((row["user_id"], row["blocked_id"]) for row in rows)


async def chosen_channels(database: Database) -> Mapping[int, tuple[int, ...]]:
    """Return the channels that guilds where the bot is have chosen for games, or for the puzzle of the day."""
    columns = (_guilds.guild_id, _guilds.channels, _guilds.puzzle_in)
    rows = await database.rows(select(*columns).where(_guilds.left_at.is_(None)))
    chosen = {
        row["guild_id"]: (*row["channels"], *([] if row["puzzle_in"] is None else [row["puzzle_in"]])) for row in rows
    }
    return {guild_id: channels for guild_id, channels in chosen.items() if channels}


class GuildStore(StorePart):
    """Reads and writes settings, bans and the log."""

    async def preferences(self, guild_id: int) -> GuildSettings:
        """Return a guild's settings."""
        rows = await self._database.rows(select(schema.guilds).where(_guilds.guild_id == guild_id))
        return GuildSettings(**rows[0]) if rows else GuildSettings(guild_id)

    async def prefer(self, guild_id: int, **values: object) -> None:
        """Change a guild's settings."""
        await self._database.put(schema.guilds, _guilds.guild_id, guild_id, values)

    async def take_role_ping(self, guild_id: int, now: int) -> bool:
        """Note that a guild's role is pinged now; False if that was not long ago, or another process does it."""
        rested = _guilds.told_role_at.is_(None) | (_guilds.told_role_at <= now - ROLE_TOLD_EVERY)
        mine = update(schema.guilds).where(_guilds.guild_id == guild_id, rested)
        return bool(await self._database.write(mine.values(told_role_at=now)))

    async def bans(self, guild_id: int, *members: int) -> tuple[Ban, ...]:
        """Return the bans of a guild, newest first; only those of these members, if any are named."""
        theirs = [_bans.user_id.in_(members)] if members else []
        rows = await self._database.rows(
            select(_bans.user_id, _bans.by, _bans.at, _bans.reason)
            .where(_bans.guild_id == guild_id, *theirs)
            .order_by(_bans.at.desc())
        )
        return tuple(Ban(**row) for row in rows)

    async def ban(self, entry: LogEntry, reason: str) -> None:
        """Ban the target of a log entry, and log it; if they are banned already, the reason is replaced."""
        values = {"guild_id": entry.guild_id, "user_id": entry.target_id, "by": entry.actor_id, "at": entry.at}
        async with self._database.writing() as connection:
            for statement in replace_row(schema.bans, **values, reason=reason):
                await connection.execute(statement)
            await self._database.log(connection, entry)

    async def unban(self, entry: LogEntry) -> bool:
        """Lift the ban of the target of a log entry, and log it; False if there was none."""
        async with self._database.writing() as connection:
            lifted = delete(schema.bans).where(_bans.guild_id == entry.guild_id, _bans.user_id == entry.target_id)
            if (await connection.execute(lifted)).rowcount == 0:
                return False
            await self._database.log(connection, entry)
        return True

    async def houses(self, guild_id: int) -> tuple[House, ...]:
        """Return the sets of house rules that a guild has named, by their names."""
        rows = await self._database.rows(
            select(_houses.number, _houses.name, _houses.options)
            .where(_houses.guild_id == guild_id)
            .order_by(_houses.name)
        )
        return tuple(House(**row) for row in rows)

    async def keep_house(self, guild_id: int, house: House) -> None:
        """Keep a set of house rules under its number, in place of what was there."""
        values = {"number": house.number, "name": house.name, "options": house.options}
        await self._database.write(*replace_row(schema.houses, guild_id=guild_id, **values))

    async def drop_house(self, guild_id: int, number: int) -> None:
        """Forget a set of house rules."""
        await self._database.write(delete(schema.houses).where(_houses.guild_id == guild_id, _houses.number == number))

    async def write_log(self, entry: LogEntry) -> None:
        """Write a line to a guild's log."""
        async with self._database.writing() as connection:
            await self._database.log(connection, entry)

    async def log(self, guild_id: int, limit: int = 50) -> tuple[LogEntry, ...]:
        """Return the most recent lines of a guild's log about moderators, newest first."""
        mine = (_log.guild_id == guild_id, _log.kind.not_in(FOR_CHANNEL))
        rows = await self._database.rows(select(*_ENTRY).where(*mine).order_by(_log.id.desc()).limit(limit))
        return tuple(LogEntry(**row) for row in rows)

    # The log channel

    async def last_logged(self, guild_id: int) -> int:
        """Return the number of the newest entry of a guild's log; 0 if it has none."""
        return int(await self._database.value(select(func.max(_log.id)).where(_log.guild_id == guild_id)) or 0)

    async def unposted(self, guild_id: int, since: int, limit: int) -> Sequence[tuple[int, LogEntry]]:
        """Return the entries since a moment that a guild's log channel does not have, with their numbers."""
        rows = await self._database.rows(
            select(_log.id, *_ENTRY)
            .join(schema.guilds, _guilds.guild_id == _log.guild_id)
            .where(_log.guild_id == guild_id, _log.id > func.coalesce(_guilds.logged_id, 0), _log.at >= since)
            .order_by(_log.id)
            .limit(limit)
        )
        return [(row["id"], LogEntry(**{name: row[name] for name in _FIELDS})) for row in rows]

    async def with_unposted(self) -> tuple[int, ...]:
        """Return the guilds whose log channel does not have all entries."""
        newer = (_log.guild_id == _guilds.guild_id) & (_log.id > func.coalesce(_guilds.logged_id, 0))
        behind = select(_guilds.guild_id).join(schema.guild_log, newer).where(_guilds.log_in.is_not(None)).distinct()
        return await self._database.column(behind)

    async def note_posted(self, guild_id: int, number: int) -> None:
        """Note that a guild's log channel has the entries up to this number."""
        await self._database.write(update(schema.guilds).where(_guilds.guild_id == guild_id).values(logged_id=number))
