"""What people prefer, until when they are away, and what tables they look for: the store's part for people."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict

from sqlalchemy import bindparam, delete, insert, select, update

from bot.preferences import Preferences
from bot.storage import schema
from bot.storage.database import Database
from bot.table import Seek

_SEVERAL = select(schema.players).where(schema.players.c.user_id.in_(bindparam("users", expanding=True)))
"""Built once, since it is used whenever somebody is met for the first time."""


class PeopleStore:
    """Reads and writes preferences, and who is looking for a table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def prefer(self, user_id: int, **values: object) -> None:
        """Set a person's preferences."""
        await self._database.put(schema.players, schema.players.c.user_id, user_id, values)

    async def several(self, user_ids: Iterable[int]) -> Mapping[int, Preferences]:
        """What each of these people prefers, by id."""
        rows = await self._database.rows(_SEVERAL, users=(wanted := tuple(user_ids)))
        return {one: Preferences(one) for one in wanted} | {row["user_id"]: Preferences(**row) for row in rows}

    @asynccontextmanager
    async def homecoming(self, user_id: int, now: int) -> AsyncIterator[bool]:
        """End somebody's time away, which is over, with the block, in which their seats are handed back.

        Yields False if another process does it: on a shared database, one process holds the row, and the others go on
        without waiting. If that process ends in the middle, another one does it again. A time away that was set again
        meanwhile stays.
        """
        players = schema.players
        over = (players.c.user_id == user_id) & (players.c.away_until <= now)
        home = update(players).where(over).values(away_until=None, away_how=None)
        if not self._database.shared:
            yield True
            async with self._database.writing() as connection:
                await connection.execute(home)
            return
        async with self._database.writing() as connection:
            taken = await connection.execute(select(players.c.user_id).where(over).with_for_update(skip_locked=True))
            mine = taken.first() is not None
            yield mine
            if mine:
                await connection.execute(home)

    async def away_ended(self, now: int) -> tuple[int, ...]:
        """The ids of the people whose time away is over."""
        return await self._database.column(select(schema.players.c.user_id).where(schema.players.c.away_until <= now))

    async def seek(self, seek: Seek) -> None:
        """Note that somebody is looking for a table, in place of what they looked for; forget those that have ended."""
        seeks = schema.seeks.c
        async with self._database.writing() as connection:
            mine = (seeks.guild_id == seek.guild_id) & (seeks.user_id == seek.user_id)
            await connection.execute(delete(schema.seeks).where(mine | (seeks.ends_at <= seek.at)))
            await connection.execute(insert(schema.seeks).values(**asdict(seek)))

    async def seeking(self, guild_id: int, now: int) -> tuple[Seek, ...]:
        """Who is looking for a table in a guild; whoever has been waiting longest comes first."""
        seeks = schema.seeks.c
        rows = await self._database.rows(
            select(schema.seeks)
            .where(seeks.guild_id == guild_id, seeks.ends_at > now)
            .order_by(seeks.at, seeks.user_id)
        )
        return tuple(Seek(**row) for row in rows)

    async def end_seek(self, guild_id: int, user_id: int) -> bool:
        """End somebody's search; False if there is none (any more), so that only one of several callers ends it."""
        seeks = schema.seeks.c
        async with self._database.writing() as connection:
            mine = (seeks.guild_id == guild_id) & (seeks.user_id == user_id)
            return bool((await connection.execute(delete(schema.seeks).where(mine))).rowcount)
