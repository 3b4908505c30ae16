"""Where something is asked: in direct messages with the bot, or where it is not."""

from __future__ import annotations

from typing import Any

import discord


def is_in_dm(interaction: discord.Interaction[Any]) -> bool:
    """Return True if something is asked in direct messages with the bot, where answers can be read again."""
    return interaction.guild_id is None and not interaction.context.private_channel


def is_away(interaction: discord.Interaction[Any]) -> bool:
    """Return True if something is asked where the bot is not: the user has added the app to their account."""
    if interaction.guild_id is None:
        return not is_in_dm(interaction)
    return interaction.is_user_integration() and not interaction.is_guild_integration()
