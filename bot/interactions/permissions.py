"""What Discord's permissions let a person do: in the whole guild, and where a table is played.

There is no cache of members (the bot is not told about them), but a person's roles come with everything they ask, and
the channels with their overwrites are known. So what somebody may do in another channel is computed here; for the
channel they ask in, Discord states it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import discord

from bot.delivery.sending import TROUBLE
from bot.delivery.watching import name_of, to_post
from bot.interactions.answers import Interaction, SayInstead
from bot.languages import Language
from bot.occupants import Person, Scope
from bot.table import Table
from bot.texts.public import places

log = logging.getLogger(__name__)

Place = discord.abc.GuildChannel | discord.Thread


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a person may do in one place, and what they lack to post there, by Discord's names for permissions."""

    sees: bool = False
    moderates: bool = False
    lacks: tuple[str, ...] = ("view_channel",)
    lacks_threads: tuple[str, ...] = ("view_channel",)


NOWHERE = Allowed()
"""What somebody may do in a place they cannot see."""


def guild_scopes(interaction: Interaction) -> frozenset[Scope]:
    """What a person may do in the whole guild, by their roles alone; channels' overwrites do not count."""
    member = interaction.user
    if not isinstance(member, discord.Member):
        return frozenset()
    granted = member.guild_permissions
    powers = {
        Scope.MODERATE_GUILD: granted.manage_messages or granted.manage_guild,
        Scope.MANAGE_GUILD: granted.manage_guild,
    }
    return frozenset(power for power, held in powers.items() if held)


def person_of(interaction: Interaction, allowed: Allowed = NOWHERE) -> Person:
    """Who asks, with what they may do in the whole guild, and at a table where this much is `allowed` to them."""
    user, scopes = interaction.user, guild_scopes(interaction)
    roles = frozenset(role.id for role in getattr(user, "roles", ()))
    if allowed.moderates:
        scopes |= {Scope.MODERATE_TABLE}
    return Person(user.id, name_of(user), scopes, roles, contribution=str(interaction.id))


async def allowed_at(interaction: Interaction, channel_id: int, parent_id: int | None = None) -> Allowed:
    """What the person may do in a channel, or in a thread of the channel `parent_id`.

    If a game's channel is gone, nobody can see it, but those who moderate the whole guild must still be able to end the
    game or move it elsewhere.
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
    if guild is None or place is None or (isinstance(place, discord.Thread) and place.parent is None):
        return NOWHERE
    try:
        member = await guild.fetch_member(interaction.user.id)
    except TROUBLE as error:
        log.info("member %s could not be looked up: %s", interaction.user.id, error)
        return NOWHERE
    # Players are in the private thread of their game.
    return allowed(place, place.permissions_for(member), here=True)


def allowed_in(interaction: Interaction, place: Place) -> Allowed:
    """What the person may do in this channel or thread."""
    if place.id == interaction.channel_id:
        return allowed(place, interaction.permissions, here=True)
    if not isinstance(interaction.user, discord.Member):
        return NOWHERE
    if isinstance(place, discord.Thread) and place.parent is None:
        return NOWHERE
    return allowed(place, place.permissions_for(interaction.user))


def allowed(place: Any, granted: discord.Permissions, *, here: bool = False) -> Allowed:
    """What these permissions let somebody do in a place; `here`: they are in it, so they can see it.

    Only Discord knows who is in a private thread: from elsewhere, only those who manage threads see it.
    """
    thread = isinstance(place, discord.Thread)
    hidden = thread and place.is_private() and not here and not granted.manage_threads
    if not granted.view_channel or hidden:
        return NOWHERE
    lacks = tuple(name for name in to_post(place) if not getattr(granted, name))
    opening = ("create_public_threads", "send_messages_in_threads")
    return Allowed(
        sees=True,
        moderates=granted.manage_messages or granted.manage_guild,
        lacks=lacks,
        lacks_threads=tuple(name for name in opening if not getattr(granted, name)),
    )


def lacking(language: Language, channel_id: int, names: tuple[str, ...]) -> SayInstead:
    """What to say to somebody who wants the bot to do what they may not do themselves."""
    return SayInstead(places.person_lacks(language, channel_id, names))


async def _place(guild: discord.Guild, channel_id: int, parent_id: int | None) -> Place | None:
    """The channel or thread; archived threads, which Discord does not report on its own, are asked for."""
    place: Place | None = guild.get_channel_or_thread(channel_id)
    if place is None and parent_id is not None and guild.get_channel(parent_id) is not None:
        try:
            found = await guild.fetch_channel(channel_id)
        except TROUBLE as error:
            log.info("thread %s could not be looked up: %s", channel_id, error)
            return None
        return found if isinstance(found, discord.Thread) else None
    return place
