"""All cogs with commands, one a subject: what `/dog` and `/dog-admin` are put together from."""

from __future__ import annotations

from bot.client import DogBot
from cogs.absence import Absence
from cogs.admin import Admin
from cogs.advice import Advice
from cogs.consent import Consent
from cogs.ending import Ending
from cogs.group import DogCog
from cogs.lobby import Lobby
from cogs.looking import Looking
from cogs.moving import Moving
from cogs.play import Play
from cogs.preferences import Preferences
from cogs.replaying import Replaying
from cogs.sharing import Sharing

COGS: tuple[type[DogCog], ...] = (
    *(Lobby, Play, Looking, Replaying, Sharing, Advice, Absence, Consent, Ending, Preferences, Moving),
    Admin,
)


async def setup(bot: DogBot) -> None:
    """Add the cogs (discord.py calls this)."""
    for cog in COGS:
        await bot.add_cog(cog(bot))
