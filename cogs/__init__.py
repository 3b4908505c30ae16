"""Thin cogs by subject: they turn commands and presses into calls of the tables service, and answer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from bot.client import DogBot
from bot.interactions.commands import GROUPS, DogCog, PressCog, Spec, specs
from cogs.admin import AdminCog
from cogs.cups import CupsCog
from cogs.finished import FinishedCog
from cogs.house import HouseCog
from cogs.learning import LearningCog
from cogs.leaving import LeavingCog
from cogs.lobby import LobbyCog
from cogs.looking import LookingCog
from cogs.me import MeCog
from cogs.opening import OpeningCog
from cogs.places import PlacesCog
from cogs.planning import PlanningCog
from cogs.play import PlayCog
from cogs.social import SocialCog
from cogs.stats import StatsCog

COGS: tuple[type[DogCog], ...] = (
    OpeningCog,
    LobbyCog,
    SocialCog,
    PlayCog,
    PlanningCog,
    LookingCog,
    LearningCog,
    FinishedCog,
    StatsCog,
    CupsCog,
    LeavingCog,
    MeCog,
    PlacesCog,
    AdminCog,
    HouseCog,
)
"""All cogs with commands."""


async def setup(bot: DogBot) -> None:
    """Add all cogs, and then the cog that hands presses to them."""
    for cog in COGS:
        await bot.add_cog(cog(bot))
    await bot.add_cog(PressCog(bot, COGS))


def all_commands() -> Mapping[str, Spec]:
    """Return all commands by their paths, as they are typed without the slash."""
    return {spec.path: spec for cog in COGS for _method, spec in specs(cog)}


class Listed(NamedTuple):
    """The texts that Discord lists: names of commands, options and choices; descriptions of commands and options."""

    commands: frozenset[str]
    options: frozenset[str]
    choices: frozenset[str]
    described: frozenset[str]


@cache
def listed() -> Listed:
    """Return the texts that Discord lists of all commands."""
    all_specs = all_commands()
    options = [(name.rstrip("_"), option) for spec in all_specs.values() for name, option in spec.options.items()]
    return Listed(
        frozenset(word for path in (*GROUPS, *all_specs) for word in path.split()),
        frozenset(name for name, _ in options),
        frozenset(name for _, option in options for name in option.choices.values()),
        frozenset(
            (*GROUPS.values(), *(spec.text for spec in all_specs.values()), *(option.text for _, option in options))
        ),
    )
