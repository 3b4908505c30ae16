"""Where a game is played: moving it to another channel or thread, and threads of its own."""

from __future__ import annotations

import logging

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot import rights
from bot.showing.places import missing_permissions
from bot.texts.words import listing
from cogs.answers import Advice, Interaction, guarded, language_of, say
from cogs.choices import game_choices
from cogs.permissions import lacking, person_at, standing_in
from cogs.room import Room
from cogs.which import table_for

log = logging.getLogger(__name__)

TOO_MANY_THREADS = 160_006
"""Discord's error code for a server with as many active threads as it may have."""


class Moving(Room):
    """The command that takes a game elsewhere."""

    @app_commands.command(name=locale_str("move"), description=locale_str("Go on with a game in another channel"))
    @app_commands.describe(
        to=locale_str("Where to (here, if you leave it out)"),
        thread=locale_str("Open a thread for it there"),
        game=locale_str("Code of the game, such as FOX-7"),
    )
    @app_commands.autocomplete(game=game_choices)
    async def move(
        self,
        interaction: Interaction,
        to: discord.TextChannel | discord.Thread | None = None,
        thread: bool = False,
        game: str | None = None,
    ) -> None:
        """Continue in another place; nothing is lost."""
        await guarded(interaction, self._move(interaction, to, thread, game))

    async def _move(
        self,
        interaction: Interaction,
        channel: discord.TextChannel | discord.Thread | None,
        thread: bool,
        game: str | None,
    ) -> None:
        language = language_of(interaction)
        table = await table_for(interaction, game, seated=False)
        person = await person_at(interaction, table)
        if not rights.may(rights.Deed.MOVE, person, table):
            raise Advice(
                language.t(
                    "Only the host, <@{host}>, or a moderator can move **{code}**.",
                    host=table.host_id,
                    code=table.code,
                )
            )
        place = channel or interaction.channel
        if not isinstance(place, discord.TextChannel | discord.Thread):
            raise Advice(language.t("Games are played in text channels and threads."))
        if place.id == table.channel_id and not thread and table.lost is None:
            raise Advice(language.t("**{code}** is played there already.", code=table.code))
        await interaction.response.defer(ephemeral=True, thinking=True)
        _check_own(interaction, place, thread=thread)
        check_place(interaction, place)
        if thread and isinstance(place, discord.Thread):
            raise Advice(language.t("A thread cannot have threads of its own. Choose a channel."))
        await self.bot.tables.places.check_move(table.id, person, place.id, parent_of(place))
        if thread and isinstance(place, discord.TextChannel):
            place = await open_thread(interaction, place, f"DOG {table.code}")
        await self.bot.tables.places.move(table.id, person, place.id, parent_of(place))
        await say(interaction, language.t("**{code}** goes on in <#{channel}>.", code=table.code, channel=place.id))


def _check_own(interaction: Interaction, place: discord.TextChannel | discord.Thread, *, thread: bool) -> None:
    """Raise `Advice` unless the person may themselves post there, and open threads if one is wanted."""
    found = standing_in(interaction, place)
    missing = found.lacks_threads if thread and not isinstance(place, discord.Thread) else found.lacks
    if missing:
        raise lacking(language_of(interaction), place.id, missing)


def parent_of(place: discord.abc.Snowflake) -> int | None:
    """The channel that a thread belongs to; None for a channel."""
    return place.parent_id if isinstance(place, discord.Thread) else None


def check_place(interaction: Interaction, place: discord.TextChannel | discord.Thread) -> None:
    """Raise `Advice` if the bot may not play there."""
    here = place.id == interaction.channel_id
    me = place.guild.me
    granted = interaction.app_permissions if here or me is None else place.permissions_for(me)
    missing = missing_permissions(granted, thread=isinstance(place, discord.Thread))
    if missing:
        language = language_of(interaction)
        raise Advice(
            language.t(
                "I cannot play in <#{channel}>: I need the permission {permissions} there.",
                channel=place.id,
                permissions=listing(language, (f"**{name.replace('_', ' ')}**" for name in missing)),
            )
        )


async def open_thread(interaction: Interaction, place: discord.TextChannel, name: str) -> discord.Thread:
    """A public thread for one game, that is archived only after a week of silence.

    Raises:
        Advice: Discord does not open one, for whatever reason.
    """
    language = language_of(interaction)
    kind = discord.ChannelType.news_thread if place.is_news() else discord.ChannelType.public_thread
    try:
        return await place.create_thread(name=name, type=kind, auto_archive_duration=10_080)
    except (discord.DiscordException, TimeoutError, OSError) as error:
        log.warning("no thread in channel %s: %s", place.id, error)
        if isinstance(error, discord.Forbidden):
            told = language.t(
                "I cannot open a thread in <#{channel}>: I need the permission **create public threads** there.",
                channel=place.id,
            )
        elif getattr(error, "code", None) == TOO_MANY_THREADS:
            told = language.t("This server has as many open threads as Discord allows.")
        else:
            told = language.t("Discord opens no thread in <#{channel}> at present.", channel=place.id)
        raise Advice(told) from None
