"""Places on Discord: where the bot can play and post, and a watch over those where games are played."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import discord

from bot.delivery.sending import TROUBLE, is_temporary, loss_reason
from bot.errors import BrokenLog, Conflict
from bot.languages import Language, language_for
from bot.table import Lost
from bot.tables.service import Tables

log = logging.getLogger(__name__)


def granted_in(place: Any, member: discord.Member) -> discord.Permissions | None:
    """Return a member's permissions in a channel or thread; None if the channel of a thread is not known."""
    return None if isinstance(place, discord.Thread) and place.parent is None else place.permissions_for(member)


def shows_as_much(place: Any, other: Any) -> bool:
    """Return True if a place is seen with every role with which another one is, as far as roles tell.

    A private thread counts as seen by those who manage threads.
    """

    def sees(role: discord.Role, where: Any) -> bool:
        if isinstance(where, discord.Thread) and where.parent is None:
            return where is other
        granted = where.permissions_for(role)
        private = where is place and isinstance(where, discord.Thread) and where.is_private()
        return bool(granted.view_channel and (not private or granted.manage_threads))

    if place == other:
        return True
    roles = [role for role in place.guild.roles if not role.is_bot_managed()]
    return all(sees(role, place) for role in roles if sees(role, other))


NEEDED = ("view_channel", "attach_files")
"""The permissions the bot needs to play anywhere, besides those that all need to post there."""

PLAYABLE = (discord.TextChannel, discord.VoiceChannel, discord.StageChannel, discord.Thread)
"""The kinds of places that can have a game: text and news channels, the chats of voice and stage channels, threads.

A post of a forum is a thread.
"""


def posting_permissions(place: Any) -> tuple[str, ...]:
    """Return the permissions that it takes to post in a visible place, by Discord's names.

    A forum stands for its posts.
    """
    if isinstance(place, discord.VoiceChannel | discord.StageChannel):
        # Discord shows the chat of a voice channel only to those who may join it.
        return ("connect", "send_messages")
    if isinstance(place, discord.Thread) and place.locked:
        return ("send_messages_in_threads", "manage_threads")
    return (
        "send_messages_in_threads" if isinstance(place, discord.Thread | discord.ForumChannel) else "send_messages",
    )


def missing_permissions(granted: discord.Permissions, place: Any) -> list[str]:
    """Return the permissions the bot lacks to play in a place, by Discord's names; empty if all is well."""
    return [name for name in (*NEEDED, *posting_permissions(place)) if not getattr(granted, name)]


async def is_shut_out(place: Any) -> bool:
    """Return True if a place is a private thread that the bot is not in: its permissions do not tell that."""
    if not isinstance(place, discord.Thread) or not place.is_private() or place.me is not None:
        return False
    try:
        thread = await place.guild.fetch_channel(place.id)
    except TROUBLE as error:
        return not is_temporary(error)
    return not isinstance(thread, discord.Thread) or thread.me is None


class PlaceWatch:
    """Looks after the places where games are played."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client, self._tables = client, tables
        self.on_look: list[Callable[[int, int | None], Awaitable[None]]] = []
        """Awaited with what `look` is called with, for what else is posted there."""
        self.unclosed: dict[int, tuple[int, Lost]] = {}
        """By guild, the last thread that could not be closed, and why."""

    async def look(self, guild_id: int, channel_id: int | None = None) -> None:
        """Check whether the open games of a guild (or of a channel and its threads) can be shown where they are.

        Those that no longer can are noted as lost; those that were lost and may be shown again are tried.
        """
        for place in await self._tables.places.in_guild(guild_id):
            if channel_id not in (None, place.channel_id, place.parent_id):
                continue
            reason = await self.why_unusable(guild_id, place.channel_id)
            if reason is not None and place.lost is None:
                await self._lose(place.id, reason)
            elif reason is None and place.lost is not None:
                self._tables.aftermath.touch(place.id)
        for look in self.on_look:
            await look(guild_id, channel_id)

    async def close(self, guild_id: int, channel_id: int) -> bool:
        """Archive a thread that the bot has opened, and lock it if it may; False if that has to be tried again."""
        guild = self._client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            return guild is None
        try:
            thread = guild.get_thread(channel_id) or await self._client.fetch_channel(channel_id)
            if not isinstance(thread, discord.Thread) or thread.owner_id != guild.me.id or thread.archived:
                return True
            locks = thread.parent is not None and thread.permissions_for(guild.me).manage_threads
            await thread.edit(archived=True, locked=True if locks else discord.utils.MISSING)
        except TROUBLE as error:
            log.warning("thread %s is not closed: %s", channel_id, error)
            if is_temporary(error):
                return False
            reason = loss_reason(error)
            if reason is not Lost.GONE:
                self.unclosed[guild_id] = channel_id, reason
            return True
        self.unclosed.pop(guild_id, None)
        return True

    async def lose(self, guild_id: int, channel_id: int, *, private: bool = False) -> None:
        """Note that the games in a deleted channel or (perhaps private) thread have lost their place."""
        for place in await self._tables.places.in_guild(guild_id):
            if channel_id in (place.channel_id, place.parent_id):
                await self._lose(place.id, Lost.GONE, private=private)

    async def _lose(self, table_id: int, reason: Lost, *, private: bool = False) -> None:
        try:
            await self._tables.places.note_lost(table_id, reason, private=private)
        except (BrokenLog, Conflict) as problem:
            log.error("%s", problem)

    async def has_recovered(
        self, guild_id: int, refused: Mapping[int, tuple[int, Lost]], channel_id: int | None
    ) -> bool:
        """Return True if a guild's channel that is `refused` may be used again, after something has changed.

        `channel_id`: the channel or thread in which that was; None for the whole guild.
        """
        where, _ = refused.get(guild_id, (None, None))
        guild = self._client.get_guild(guild_id)
        if where is None or guild is None:
            return False
        place = guild.get_channel_or_thread(where)
        parent = place.parent_id if isinstance(place, discord.Thread) else None
        return channel_id in (None, where, parent) and await self.why_unusable(guild_id, where) is None

    async def language_of_guild(self, guild_id: int) -> Language:
        """Return the language of what a guild reads outside of its tables."""
        settings, guild = await self._tables.moderation.guild(guild_id), self._client.get_guild(guild_id)
        return language_for(settings.locale or (guild and guild.preferred_locale))

    async def why_unusable(self, guild_id: int, channel_id: int) -> Lost | None:
        """Return why the bot cannot play in a channel or thread; None if it knows of no reason."""
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
                return None if is_temporary(error) else loss_reason(error)
        if isinstance(place, discord.Thread) and place.archived and place.locked:
            return Lost.ARCHIVED
        granted = granted_in(place, guild.me)
        missing = () if granted is None else missing_permissions(granted, place)
        if not missing:
            return None
        return Lost.ACCESS if "view_channel" in missing else Lost.PERMISSIONS
