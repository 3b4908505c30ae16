"""Whether the bot can play somewhere: what Discord's refusals mean, and what can be known without asking."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import discord

from bot.delivery.sending import TROUBLE
from bot.errors import BrokenLog, Conflict
from bot.table import Lost
from bot.tables import Tables

log = logging.getLogger(__name__)

LOST: Mapping[int, Lost] = {
    10003: Lost.GONE,
    50001: Lost.ACCESS,
    50013: Lost.PERMISSIONS,
    50083: Lost.ARCHIVED,
    160005: Lost.ARCHIVED,
}
"""Discord's error codes that mean a place cannot be used, and the reason that the table remembers."""

NEEDED = ("view_channel", "attach_files")
"""The permissions the bot needs to play anywhere, besides the one to send messages there."""


def missing_permissions(granted: discord.Permissions, *, thread: bool) -> list[str]:
    """The permissions the bot lacks to play somewhere, by Discord's names; empty if all is well."""
    needed = (*NEEDED, "send_messages_in_threads" if thread else "send_messages")
    return [name for name in needed if not getattr(granted, name)]


class PlaceWatch:
    """Looks after the places where games are played."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables

    async def look(self, guild_id: int, channel_id: int | None = None) -> None:
        """Check whether the open games of a guild (or of one channel and its threads) can be shown where they are.

        Those that no longer can are noted as lost; those that were lost and may be shown again are tried.
        """
        for place in await self._tables.places.in_guild(guild_id):
            if channel_id not in (None, place.channel_id, place.parent_id):
                continue
            reason = await self.unusable(guild_id, place.channel_id)
            if reason is not None and place.lost is None:
                await self._lose(place.id, reason)
            elif reason is None and place.lost is not None:
                self._tables.touch(place.id)

    async def gone(self, guild_id: int, channel_id: int) -> None:
        """A channel or thread was deleted: the games in it and in its threads have lost their place."""
        for place in await self._tables.places.in_guild(guild_id):
            if channel_id in (place.channel_id, place.parent_id):
                await self._lose(place.id, Lost.GONE)

    async def _lose(self, table_id: int, reason: Lost) -> None:
        try:
            await self._tables.places.lost(table_id, reason)
        except (BrokenLog, Conflict) as problem:
            log.error("%s", problem)

    async def unusable(self, guild_id: int, channel_id: int) -> Lost | None:
        """Why the bot cannot play in a channel or thread, as far as it can tell; None if it knows of no reason."""
        guild = self._client.get_guild(guild_id)
        if guild is None:
            return Lost.ACCESS
        if guild.unavailable:
            return None
        place: Any = guild.get_channel_or_thread(channel_id)
        if place is None:
            # At the program's start, Discord does not report archived threads.
            try:
                place = await self._client.fetch_channel(channel_id)
            except TROUBLE as error:
                log.info("channel %s could not be looked up: %s", channel_id, error)
                return LOST.get(error.code) if isinstance(error, discord.HTTPException) else None
        thread = isinstance(place, discord.Thread)
        if thread and place.archived and place.locked:
            return Lost.ARCHIVED
        if thread and place.parent is None:
            return None
        missing = missing_permissions(place.permissions_for(guild.me), thread=thread)
        if not missing:
            return None
        return Lost.ACCESS if "view_channel" in missing else Lost.PERMISSIONS
