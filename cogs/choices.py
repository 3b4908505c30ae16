"""Autocompletion shared by several commands."""

from __future__ import annotations

from discord import app_commands

from bot.panels import shorten
from bot.texts.words import system_name
from cogs.answers import Interaction, bot_of, language_of


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
