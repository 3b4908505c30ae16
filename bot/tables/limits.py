"""How many games may be open: looked at within the transaction of a change, so that no two can both be the last one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.errors import TooManyHere, TooManyOfYours
from bot.preferences import GuildSettings
from bot.storage import Change
from bot.table import Person

Check = Callable[[Change], Awaitable[None]]
"""Looks at the store in the midst of a change; raises a `TableError` to undo it."""


async def check_member(change: Change, settings: GuildSettings, person: Person) -> None:
    """Raise `TooManyOfYours` for who plays or hosts as many other games of the guild as a member may.

    Moderators may have any number.
    """
    limit = settings.per_member
    if limit is None or person.moderator:
        return
    if await change.open_of_member(settings.guild_id, person.id) >= limit:
        raise TooManyOfYours(limit)


async def check_room(change: Change, settings: GuildSettings, channel_id: int) -> None:
    """Raise `TooManyHere` if a channel, its threads included, has as many other games as it may."""
    limit = settings.per_channel
    if limit is not None and await change.open_in_channel(channel_id) >= limit:
        raise TooManyHere(limit, channel_id)
