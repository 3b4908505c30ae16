"""Preferences and guild settings, cached for the other services; checks of bans, channels and limits.

The limits of open games are checked within the transaction of a change, so that no two people can both get the last
place.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager

from bot.clocks import Rest
from bot.errors import Banned, ChannelNotAllowed, TooManyHere, TooManyOfYours
from bot.guild_settings import GuildSettings
from bot.occupants import Person, Scope
from bot.preferences import Preferences
from bot.storage import Store
from bot.storage.games import GameWriter
from bot.storage.members import Member
from bot.table import IN_DMS, Table
from bot.tables.cache import Freshness, ReadCache, one_by_one


class Profiles:
    """Reads and writes preferences and settings, and caches them while `Freshness` calls them current."""

    def __init__(self, store: Store, freshness: Freshness) -> None:
        self._store = store
        self.users: ReadCache[int, Preferences] = ReadCache(store.users.several, lambda _: freshness(None))
        self.guilds: ReadCache[int, GuildSettings] = ReadCache(one_by_one(store.guilds.preferences), freshness)
        self.members: ReadCache[tuple[int, int], Member | None] = ReadCache(
            one_by_one(lambda key: store.members.find(*key)), lambda key: freshness(key[0])
        )
        """Members of guilds, by guild and user id."""

    async def rests(self, user_ids: Iterable[int]) -> Mapping[int, Rest]:
        """Return when the clocks of these people stand still."""
        return {user_id: prefers.rest for user_id, prefers in (await self.users.several(user_ids)).items()}

    async def rest(self, user_id: int) -> Rest:
        """Return when a person's clock stands still."""
        return (await self.users.get(user_id)).rest

    async def prefer(self, user_id: int, **values: object) -> None:
        """Set a person's preferences, in the form they are stored in."""
        try:
            await self._store.users.prefer(user_id, **values)
        finally:
            self.users.forget(user_id)

    @asynccontextmanager
    async def homecoming(self, user_id: int, now: int) -> AsyncIterator[bool]:
        """End a time away that is over; False if another process does. See the store's method of this name."""
        try:
            async with self._store.users.end_absence(user_id, now) as ours:
                yield ours
        finally:
            self.users.forget(user_id)

    async def set_guild(self, guild_id: int, **values: object) -> None:
        """Change a guild's settings, in the form they are stored in."""
        try:
            await self._store.guilds.prefer(guild_id, **values)
        finally:
            self.guilds.forget(guild_id)

    async def check_ban(self, guild_id: int, user_id: int) -> None:
        """Raise `Banned` for a member who may not take part in games of this guild."""
        for ban in await self._store.guilds.bans(guild_id, user_id):
            raise Banned(ban.reason)

    async def is_blocked(self, table: Table, person: Person) -> bool:
        """Return True if a table's host has blocked this person; in direct messages, if any two of them have."""
        others = (*table.owners, table.host_id) if table.in_dms else (table.host_id,)
        blocks = await self._store.users.blocks_among({*others, person.id})
        by_them = any((other, person.id) in blocks for other in others)
        return by_them or (table.in_dms and any((person.id, other) in blocks for other in others))

    async def check_channel(self, guild_id: int, channel_id: int, parent_id: int | None) -> GuildSettings:
        """Return the guild's settings. Raises `ChannelNotAllowed` unless the channel or its parent is allowed."""
        settings = await self.guilds.get(guild_id)
        if settings.channels and not {channel_id, parent_id} & set(settings.channels):
            raise ChannelNotAllowed(settings.channels)
        return settings


async def check_member(writer: GameWriter, settings: GuildSettings, person: Person) -> None:
    """Raise `TooManyOfYours` for a member who plays or hosts as many other games as allowed, and is no moderator."""
    limit = settings.per_member
    if limit is None or Scope.MODERATE_GUILD in person.moderates:
        return
    if await writer.open_of_member(settings.guild_id, person.id) >= limit:
        raise TooManyOfYours(limit)


async def check_room(writer: GameWriter, settings: GuildSettings, channel_id: int) -> None:
    """Raise `TooManyHere` if a channel, including its threads, already has as many other games as allowed."""
    limit = settings.per_channel if channel_id != IN_DMS else None
    if limit is not None and await writer.open_in_channel(channel_id) >= limit:
        raise TooManyHere(limit, channel_id)
