"""Who may play where, and how many games may be open.

The numbers are checked within the transaction of a change, so that no two people can both get the last place.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.errors import Banned, ChannelNotAllowed, TooManyHere, TooManyOfYours
from bot.preferences import GuildSettings
from bot.storage import Change, Store
from bot.table import Person, Scope
from bot.tables.chosen import Chosen

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
