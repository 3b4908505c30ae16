"""What all rooms share: the bot."""

from __future__ import annotations

from discord.ext import commands

from bot.client import DogBot


class Room(commands.Cog):
    """A part of the `/dog` group: commands and presses about one subject."""

    def __init__(self, bot: DogBot) -> None:
        self.bot = bot
