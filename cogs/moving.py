"""Where a game is played: moving it to another channel or thread, and threads of its own."""

from __future__ import annotations

import logging

import discord

from bot.rights import Deed
from bot.showing.places import missing_permissions
from bot.table import Table
from bot.texts import places
from cogs.answers import Interaction, SayInstead, language_of, say
from cogs.arriving import LOST, think
from cogs.group import DogCog, Which, command
from cogs.permissions import allowed_in, lacking, person_at

log = logging.getLogger(__name__)

TOO_MANY_THREADS = 160_006
"""Discord's error code for a server that already has as many active threads as it may."""


class MovingCog(DogCog):
    """The command that takes a game elsewhere."""

    @command("move", Deed.MOVE, game=Which.SEEN)
    async def move(
        self,
        interaction: Interaction,
        table: Table,
        to: discord.TextChannel | discord.Thread | None = None,
        thread: bool = False,
    ) -> None:
        """Continue in another place; nothing is lost."""
        language = language_of(interaction)
        person = await person_at(interaction, table)
        place = to or interaction.channel
        if not isinstance(place, discord.TextChannel | discord.Thread):
            raise SayInstead(places.no_place(language))
        if place.id == table.channel_id and not thread and table.lost is None:
            raise SayInstead(places.there_already(language, table))
        await think(interaction)
        _check_own(interaction, place, thread=thread)
        check_place(interaction, place)
        if thread and isinstance(place, discord.Thread):
            raise SayInstead(places.no_thread_in_thread(language))
        await self.bot.tables.places.check_move(table.id, person, place.id, parent_of(place))
        if thread and isinstance(place, discord.TextChannel):
            place = await open_thread(interaction, place, f"DOG {table.code}")
        await self.bot.tables.places.move(table.id, person, place.id, parent_of(place))
        await say(interaction, places.moved(language, table, place.id))


def _check_own(interaction: Interaction, place: discord.TextChannel | discord.Thread, *, thread: bool) -> None:
    """Raise `SayInstead` unless the person may post there themselves, and open threads if one is wanted."""
    found = allowed_in(interaction, place)
    missing = found.lacks_threads if thread and not isinstance(place, discord.Thread) else found.lacks
    if missing:
        raise lacking(language_of(interaction), place.id, missing)


def parent_of(place: discord.abc.Snowflake) -> int | None:
    """The channel that a thread belongs to; None for a channel."""
    return place.parent_id if isinstance(place, discord.Thread) else None


def check_place(interaction: Interaction, place: discord.TextChannel | discord.Thread) -> None:
    """Raise `SayInstead` if the bot may not play there."""
    here = place.id == interaction.channel_id
    me = place.guild.me
    granted = interaction.app_permissions if here or me is None else place.permissions_for(me)
    missing = missing_permissions(granted, thread=isinstance(place, discord.Thread))
    if missing:
        raise SayInstead(places.bot_lacks_there(language_of(interaction), place.id, missing))


async def open_thread(interaction: Interaction, place: discord.TextChannel, name: str) -> discord.Thread:
    """A public thread for one game, archived only after a week of silence.

    Raises:
        SayInstead: Discord does not open one, for whatever reason.
    """
    language = language_of(interaction)
    kind = discord.ChannelType.news_thread if place.is_news() else discord.ChannelType.public_thread
    try:
        return await place.create_thread(name=name, type=kind, auto_archive_duration=10_080)
    except (discord.DiscordException, *LOST) as error:
        log.warning("no thread in channel %s: %s", place.id, error)
        if isinstance(error, (*LOST, discord.DiscordServerError)):
            opened = await _opened(place, name)
            if opened is not None:
                return opened
        if isinstance(error, discord.Forbidden):
            told = places.bot_lacks_threads(language, place.id)
        elif getattr(error, "code", None) == TOO_MANY_THREADS:
            told = places.too_many_threads(language)
        else:
            told = places.no_thread_now(language, place.id)
        raise SayInstead(told) from None


async def _opened(place: discord.TextChannel, name: str) -> discord.Thread | None:
    """The thread with this name that we opened although the answer was lost; None if there is none."""
    try:
        active = await place.guild.active_threads()
    except (discord.DiscordException, *LOST) as error:
        log.info("the threads of channel %s could not be looked through: %s", place.id, error)
        return None
    ours = [one for one in active if one.parent_id == place.id and one.owner_id == place.guild.me.id]
    return next((one for one in ours if one.name == name), None)
