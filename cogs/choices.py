"""Lists to choose from that several commands share, and the names of options, collected for translation."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.errors import BotError
from bot.languages import mark as _
from bot.rates import SUGGESTIONS
from bot.texts.positions import IN_WORDS
from bot.texts.words import PACE_NAMES, shorten, system_name
from cogs.answers import Advice, Interaction, bot_of, language_of
from cogs.permissions import standing_at
from engine import SYSTEMS
from engine.errors import DogError
from render import THEMES

log = logging.getLogger(__name__)

TYPED, MOST = 100, 25
"""How many typed characters are looked at, and how many suggestions Discord takes."""

SYSTEM_CHOICES = [app_commands.Choice(name=locale_str(system.name), value=key) for key, system in SYSTEMS.items()]
PACE_CHOICES = [app_commands.Choice(name=locale_str(name), value=pace) for pace, name in PACE_NAMES.items()]
THEME_CHOICES = [app_commands.Choice(name=locale_str(name), value=name) for name in THEMES]
LOOKS = (*THEMES, IN_WORDS)
LOOK_CHOICES = [*THEME_CHOICES, app_commands.Choice(name=locale_str("text, without pictures"), value=IN_WORDS)]
"""What a person can choose for what only they see."""

NAMES = (
    *(_("slate"), _("wood"), _("light"), _("contrast"), _("text")),
    *(_("rules"), _("players"), _("pace"), _("canadian_seven"), _("thread")),
    *(_("game"), _("card"), _("move"), _("to"), _("reason"), _("member"), _("role")),
    *(_("since"), _("where"), _("look"), _("from"), _("until"), _("time_zone"), _("meanwhile")),
    *(_("games_in"), _("channels"), _("language"), _("theme"), _("openers"), _("per_channel"), _("per_member")),
    *(_("threads"), _("old_pictures"), _("dog"), _("dog-admin"), _("moderate")),
)
"""What discord.py translates although the code says it only as a name: looks, and the options of commands."""


Suggest = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]
"""What is suggested for an option, from what has been typed of it."""


def quietly(suggest: Suggest) -> Suggest:
    """The same suggestions; none where something is refused or fails, for a suggestion is not worth an error."""

    async def suggestions(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        bot, now = bot_of(interaction), discord.utils.utcnow().timestamp()
        try:
            bot.rates.bound("suggestions", SUGGESTIONS, interaction.user.id, interaction.guild_id, now)
            return (await suggest(interaction, current[:TYPED]))[:MOST]
        except (Advice, BotError, DogError) as refused:
            log.debug("nothing to suggest: %s", refused)
            return []

    return suggestions


async def game_choices(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The open games of this guild that the person can mean: their own, then the others of the channel."""
    tables = bot_of(interaction).tables
    language = language_of(interaction)
    mine = [table for table in await tables.of_member(interaction.user.id) if table.guild_id == interaction.guild_id]
    others = await tables.in_channel(interaction.channel_id or 0)
    known = {table.code: table for table in (*mine, *others)}
    return [
        app_commands.Choice(name=shorten(f"{code} · {system_name(language, table.system)}", 100), value=code)
        for code, table in known.items()
        if current.upper() in code
    ][:25]


async def guild_game_choices(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The open games of this guild that the person can look at: for those who may do something to any of them."""
    tables = bot_of(interaction).tables
    if interaction.guild_id is None:
        return []
    places = [
        place
        for place in await tables.places.in_guild(interaction.guild_id)
        if (await standing_at(interaction, place.channel_id)).sees
    ]
    codes = await tables.moderation.codes(place.id for place in places)
    return [app_commands.Choice(name=code, value=code) for code in sorted(codes.values()) if current.upper() in code][
        :25
    ]
