"""The `/dog` command group, put together from its rooms, one a subject."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import DogBot
from cogs.absence import Absence
from cogs.agreeing import Agreeing
from cogs.calm import Calm
from cogs.ending import Ending
from cogs.lobby import Lobby
from cogs.looking import Looking
from cogs.moving import Moving
from cogs.play import Play
from cogs.replaying import Replaying


@app_commands.guild_only()
class Dog(
    Lobby,
    Play,
    Looking,
    Replaying,
    Absence,
    Agreeing,
    Ending,
    Calm,
    Moving,
    commands.GroupCog,
    group_name=locale_str("dog"),
    group_description=locale_str("Play DOG with friends, a move here and there"),
):
    """All `/dog` commands and all presses, one method each, from the rooms it is made of."""


async def setup(bot: DogBot) -> None:
    """Add the group (discord.py calls this)."""
    await bot.add_cog(Dog(bot))
