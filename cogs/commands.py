"""All cogs with commands, one per subject: together they make up `/dog` and `/dog-admin`."""

from __future__ import annotations

from bot.client import DogBot
from cogs.absence import AbsenceCog
from cogs.admin import AdminCog
from cogs.advice import AdviceCog
from cogs.consent import ConsentCog
from cogs.ending import EndingCog
from cogs.group import DogCog
from cogs.lobby import LobbyCog
from cogs.looking import LookingCog
from cogs.moving import MovingCog
from cogs.play import PlayCog
from cogs.preferences import PreferencesCog
from cogs.replaying import ReplayingCog
from cogs.sharing import SharingCog

COGS: tuple[type[DogCog], ...] = (
    *(
        LobbyCog,
        PlayCog,
        LookingCog,
        ReplayingCog,
        SharingCog,
        AdviceCog,
        AbsenceCog,
        ConsentCog,
        EndingCog,
        PreferencesCog,
        MovingCog,
    ),
    AdminCog,
)


async def setup(bot: DogBot) -> None:
    """Add the cogs (discord.py calls this)."""
    for cog in COGS:
        await bot.add_cog(cog(bot))
