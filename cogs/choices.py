"""Lists to choose from that several commands share."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.errors import BotError
from bot.rates import SUGGESTIONS
from bot.table import Level
from bot.texts import commands
from bot.texts.names import LEVEL_NAMES, PACE_NAMES, shorten, system_name
from bot.texts.positions import IN_WORDS
from cogs.answers import Interaction, SayInstead, bot_of, language_of
from cogs.permissions import allowed_at
from engine import SYSTEMS, DogError
from render import THEMES

log = logging.getLogger(__name__)

TYPED, MOST = 100, 25
"""How many typed characters are considered, and how many suggestions Discord accepts."""

Value = TypeVar("Value", bound=str)

LOOKS = (*THEMES, IN_WORDS)
"""What a person can choose for everything that only they see."""


def choices_of(named: Mapping[Value, str]) -> list[app_commands.Choice[str]]:
    """A list to choose from: values, and their names in English."""
    return [app_commands.Choice(name=locale_str(name), value=str(value)) for value, name in named.items()]


SYSTEM_CHOICES = choices_of({key: system.name for key, system in SYSTEMS.items()})
PACE_CHOICES = choices_of(PACE_NAMES)
LEVEL_CHOICES = choices_of({level: LEVEL_NAMES[level] for level in Level})
THEME_CHOICES = choices_of({name: name for name in THEMES})
LOOK_CHOICES = [*THEME_CHOICES, *choices_of({IN_WORDS: commands.IN_WORDS})]

Suggest = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]
"""What is suggested for an option, given what has been typed so far."""


def quietly(suggest: Suggest) -> Suggest:
    """The same suggestions, or none if something is refused or fails: a suggestion is not worth an error."""

    async def suggestions(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        bot, now = bot_of(interaction), discord.utils.utcnow().timestamp()
        try:
            bot.rates.bound("suggestions", SUGGESTIONS, interaction.user.id, interaction.guild_id, now)
            return (await suggest(interaction, current[:TYPED]))[:MOST]
        except (SayInstead, BotError, DogError) as refused:
            log.debug("nothing to suggest: %s", refused)
            return []

    return suggestions


async def game_choices(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The open games of this guild that the person can mean: their own, then the others in the channel."""
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


async def over_game_choices(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The finished games of this guild that the person can mean: their own, and those of the channel."""
    if interaction.guild_id is None:
        return []
    language = language_of(interaction)
    found = await bot_of(interaction).tables.over(
        interaction.guild_id, interaction.user.id, interaction.channel_id or 0
    )
    systems = {game.code: game.system for game in reversed(found)}
    return [
        app_commands.Choice(name=shorten(f"{code} · {system_name(language, system)}", 100), value=code)
        for code, system in reversed(systems.items())
        if current.upper() in code
    ]


async def guild_game_choices(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The open games of this guild that the person can look at: for those who may act on any of them."""
    tables = bot_of(interaction).tables
    if interaction.guild_id is None:
        return []
    places = [
        place
        for place in await tables.places.in_guild(interaction.guild_id)
        if (await allowed_at(interaction, place.channel_id)).sees
    ]
    codes = await tables.moderation.codes(place.id for place in places)
    return [app_commands.Choice(name=code, value=code) for code in sorted(codes.values()) if current.upper() in code][
        :25
    ]
