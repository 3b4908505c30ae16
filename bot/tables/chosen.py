"""What people and guilds have chosen, as the other services need it; and whether a guild lets somebody play there.

The numbers of open games are checked within the transaction of a change, so that no two people can both get the last
place.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager

from bot.clocks import NO_REST, Rest
from bot.errors import Banned, ChannelNotAllowed, TooManyHere, TooManyOfYours
from bot.preferences import GuildSettings, Preferences, preferences_of, settings_of
from bot.storage import Change, Store
from bot.table import Person, Scope
from bot.tables.memory import Freshness

KEPT = 10_000
"""How many people's preferences are remembered."""


class Chosen:
    """Reads and writes what has been chosen, and remembers it while `Freshness` calls it current."""

    def __init__(self, store: Store, freshness: Freshness) -> None:
        self._store = store
        self._freshness = freshness
        self._people: OrderedDict[int, Preferences] = OrderedDict()
        self._guilds: OrderedDict[int, GuildSettings] = OrderedDict()
        self._writes = 0

    async def person(self, user_id: int) -> Preferences:
        """What a person prefers."""
        return (await self.several([user_id]))[user_id]

    async def several(self, user_ids: Iterable[int]) -> Mapping[int, Preferences]:
        """What each of these people prefers, by user id."""
        wanted = frozenset(user_ids)
        known = {}
        if self._freshness.is_current(None):
            known = {user_id: self._people[user_id] for user_id in wanted if user_id in self._people}
        missing = wanted - known.keys()
        if missing:
            writes = self._writes
            rows = await self._store.people.several(missing)
            read = {user_id: preferences_of(user_id, rows.get(user_id, {})) for user_id in missing}
            known |= read
            if self._writes == writes:
                self._remember(read)
        return known

    async def rests(self, user_ids: Iterable[int]) -> Mapping[int, Rest]:
        """When the clocks of these people stand still."""
        return {user_id: prefers.rest for user_id, prefers in (await self.several(user_ids)).items()}

    async def rest(self, user_id: int) -> Rest:
        """When a person's clock stands still."""
        return (await self.rests([user_id])).get(user_id, NO_REST)

    async def prefer(self, user_id: int, **values: object) -> None:
        """Set a person's preferences, in the form they are stored in."""
        try:
            await self._store.people.prefer(user_id, **values)
        finally:
            self._forget(user_id)

    @asynccontextmanager
    async def homecoming(self, user_id: int, now: int) -> AsyncIterator[bool]:
        """Whether it is up to us to do what follows the end of a time away; see the store's method of this name."""
        try:
            async with self._store.people.homecoming(user_id, now) as ours:
                yield ours
        finally:
            self._forget(user_id)

    async def guild(self, guild_id: int) -> GuildSettings:
        """What a guild has set for its games."""
        if guild_id in self._guilds and self._freshness.is_current(guild_id):
            return self._guilds[guild_id]
        writes = self._writes
        settings = settings_of(guild_id, await self._store.guilds.preferences(guild_id))
        if self._writes == writes:
            self._guilds[guild_id] = settings
            while len(self._guilds) > KEPT:
                self._guilds.popitem(last=False)
        return settings

    async def set_guild(self, guild_id: int, **values: object) -> None:
        """Change a guild's settings, in the form they are stored in."""
        try:
            await self._store.guilds.prefer(guild_id, **values)
        finally:
            self._writes += 1
            self._guilds.pop(guild_id, None)

    def _remember(self, people: Mapping[int, Preferences]) -> None:
        self._people |= people
        while len(self._people) > KEPT:
            self._people.popitem(last=False)

    def _forget(self, user_id: int) -> None:
        self._writes += 1
        self._people.pop(user_id, None)


Check = Callable[[Change], Awaitable[None]]
"""Checks the store in the middle of a change; raises a `TableError` to undo it."""


async def check_member(change: Change, settings: GuildSettings, person: Person) -> None:
    """Raise `TooManyOfYours` for a member who already plays or hosts as many other games of the guild as allowed.

    Moderators of the guild may have any number.
    """
    limit = settings.per_member
    if limit is None or Scope.GUILD in person.moderates:
        return
    if await change.open_of_member(settings.guild_id, person.id) >= limit:
        raise TooManyOfYours(limit)


async def check_room(change: Change, settings: GuildSettings, channel_id: int) -> None:
    """Raise `TooManyHere` if a channel, including its threads, already has as many other games as allowed."""
    limit = settings.per_channel
    if limit is not None and await change.open_in_channel(channel_id) >= limit:
        raise TooManyHere(limit, channel_id)


class Admission:
    """Who may play in a guild, and where."""

    def __init__(self, store: Store, chosen: Chosen) -> None:
        self._store = store
        self._chosen = chosen

    async def check_ban(self, guild_id: int, user_id: int) -> None:
        """Raise `Banned` for a member who may not take part in games of this guild."""
        ban = await self._store.guilds.ban_of(guild_id, user_id)
        if ban is not None:
            raise Banned(ban["reason"])

    async def check_channel(self, guild_id: int, channel_id: int, parent_id: int | None) -> GuildSettings:
        """The guild's settings, if games may be played in this channel; threads count as the channel they are in.

        Raises `ChannelNotAllowed`.
        """
        settings = await self._chosen.guild(guild_id)
        if settings.channels and not {channel_id, parent_id} & set(settings.channels):
            raise ChannelNotAllowed(settings.channels)
        return settings
