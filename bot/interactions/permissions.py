"""Users' permissions on Discord: in the whole guild, and where a table is played.

There is no cache of members (the bot is not told about them), but a user's roles come with every interaction, and the
channels with their overwrites are known. So permissions in other channels are computed here; for the channel of the
interaction, Discord states them.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import discord

from bot.delivery.members import find_member, global_name_of, name_of
from bot.delivery.sending import TROUBLE
from bot.delivery.watching import granted_in, posting_permissions
from bot.interactions.answers import Interaction, SayInstead
from bot.languages import Language
from bot.occupants import Person, Scope
from bot.table import Table
from bot.texts.public import places

log = logging.getLogger(__name__)

Place = discord.abc.GuildChannel | discord.Thread


@dataclass(frozen=True, slots=True)
class Allowed:
    """A user's rights in a place, and what they lack to post there, by Discord's names for permissions."""

    sees: bool = False
    moderates: bool = False
    lacks: tuple[str, ...] = ("view_channel",)
    lacks_threads: tuple[str, ...] = ("view_channel",)


NOWHERE = Allowed()
"""The rights of a user in a place they cannot see."""


def guild_scopes(interaction: Interaction) -> frozenset[Scope]:
    """Return what a user may do in the whole guild, by their roles alone; channels' overwrites do not count."""
    member = interaction.user
    if not isinstance(member, discord.Member):
        return frozenset()
    granted = member.guild_permissions
    powers = {
        Scope.MODERATE_GUILD: granted.manage_messages or granted.manage_guild,
        Scope.MANAGE_GUILD: granted.manage_guild,
        Scope.OWN_GUILD: interaction.guild is not None and interaction.guild.owner_id == member.id,
    }
    return frozenset(power for power, held in powers.items() if held)


def roles_of(user: discord.User | discord.Member) -> frozenset[int]:
    """Return the roles of a member; a user who is none has none."""
    return frozenset(role.id for role in getattr(user, "roles", ()))


def person_of(interaction: Interaction, allowed: Allowed = NOWHERE) -> Person:
    """Return the user with their rights in the whole guild, and at a table where this much is `allowed` to them."""
    user, scopes = interaction.user, guild_scopes(interaction)
    if allowed.moderates:
        scopes |= {Scope.MODERATE_TABLE}
    return Person(user.id, name_of(user), scopes, roles_of(user), contribution=str(interaction.id))


def everywhere(interaction: Interaction) -> Person:
    """Return the user as all of Discord knows them, without what a guild grants and calls them."""
    user = interaction.user
    return Person(user.id, global_name_of(user), contribution=str(interaction.id))


async def allowed_at(interaction: Interaction, channel_id: int, parent_id: int | None = None) -> Allowed:
    """Return what the user may do in a channel, or in a thread of the channel `parent_id`.

    A channel that is gone counts as seen by those who moderate the whole guild, so that they can still end its game or
    move it elsewhere.
    """
    if interaction.guild is None or not isinstance(interaction.user, discord.Member):
        return NOWHERE
    if interaction.channel is not None and channel_id == interaction.channel_id:
        return allowed(interaction.channel, interaction.permissions, here=True)
    place = await _place(interaction.guild, channel_id, parent_id)
    if place is None:
        moderates = Scope.MODERATE_GUILD in guild_scopes(interaction)
        return Allowed(sees=moderates, moderates=moderates)
    return allowed_in(interaction, place)


async def allowed_from_afar(interaction: Interaction, table: Table) -> Allowed:
    """Return what a player who asks in direct messages may do where their table is played: Discord is asked for it."""
    guild = interaction.client.get_guild(table.guild_id)
    place = None if guild is None else await _place(guild, table.channel_id, table.parent_id)
    if guild is None or place is None:
        return NOWHERE
    member = await find_member(guild, interaction.user.id)
    # Players are in the private thread of their game.
    granted = None if member is None else granted_in(place, member)
    return NOWHERE if granted is None else allowed(place, granted, here=True)


async def roles_from_afar(interaction: Interaction, guild_id: int) -> frozenset[int]:
    """Return the roles in a guild of a user who asks elsewhere: Discord is asked for them; none if it does not say."""
    guild = interaction.client.get_guild(guild_id)
    member = None if guild is None else await find_member(guild, interaction.user.id)
    return frozenset() if member is None else roles_of(member)


def allowed_in(interaction: Interaction, place: Place) -> Allowed:
    """Return what the user may do in this channel or thread."""
    if place.id == interaction.channel_id:
        return allowed(place, interaction.permissions, here=True)
    if not isinstance(interaction.user, discord.Member):
        return NOWHERE
    granted = granted_in(place, interaction.user)
    return NOWHERE if granted is None else allowed(place, granted)


def allowed(place: Any, granted: discord.Permissions, *, here: bool = False) -> Allowed:
    """Return what these permissions let a user do in a place; `here`: they are in it, so they can see it.

    Only Discord knows who is in a private thread: from elsewhere, only those who manage threads see it.
    """
    thread = isinstance(place, discord.Thread)
    hidden = thread and place.is_private() and not here and not granted.manage_threads
    if not granted.view_channel or hidden:
        return NOWHERE
    lacks = tuple(name for name in posting_permissions(place) if not getattr(granted, name))
    opening = ("create_public_threads", "send_messages_in_threads")
    return Allowed(
        sees=True,
        moderates=granted.manage_messages or granted.manage_guild,
        lacks=lacks,
        lacks_threads=tuple(name for name in opening if not getattr(granted, name)),
    )


def refuse_lacking(language: Language, channel_id: int, names: tuple[str, ...]) -> SayInstead:
    """Return the answer to a user who wants the bot to do what they may not do themselves."""
    return SayInstead(places.person_lacks(language, channel_id, names))


async def _place(guild: discord.Guild, channel_id: int, parent_id: int | None) -> Place | None:
    """Return the channel or thread; archived threads, which Discord does not report on its own, are asked for."""
    place: Place | None = guild.get_channel_or_thread(channel_id)
    if place is None and parent_id is not None and guild.get_channel(parent_id) is not None:
        try:
            channel = await guild.fetch_channel(channel_id)
        except TROUBLE as error:
            log.info("thread %s could not be looked up: %s", channel_id, error)
            return None
        return channel if isinstance(channel, discord.Thread) else None
    return place
