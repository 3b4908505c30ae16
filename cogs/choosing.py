"""Which house rules an option of a command means: a set that the guild has named, or a single rule; suggestions."""

from __future__ import annotations

from collections.abc import Iterable

from discord import app_commands

from bot.preferences import House
from bot.showing.panels import LINE_LIMIT
from bot.showing.terms import RULES
from bot.tables.effects import fitting_options
from bot.texts.names import HOUSE_RULES, shorten
from bot.texts.public import lobbies
from cogs.answers import SayInstead
from cogs.requests import Request
from engine import Options, RuleSystem

NONE, SET = "none", "set:"
"""What stands for no house rules, and before the number of a named set, in the values of suggestions."""


async def suggest_set(request: Request, current: str) -> list[app_commands.Choice[str]]:
    """The sets of house rules that the guild has named."""
    houses = await request.tables.moderation.houses(request.guild_id)
    return _sets(houses, current)


async def suggest_set_or_none(request: Request, current: str) -> list[app_commands.Choice[str]]:
    """The same, and that there are no house rules."""
    return [*await suggest_set(request, current), _none(request)]


async def suggest_house(request: Request, current: str) -> list[app_commands.Choice[str]]:
    """The sets of house rules that the guild has named, then single rules."""
    sets = await suggest_set(request, current)
    told = {name: request.language.t(HOUSE_RULES[name]) for name in RULES}
    single = [
        app_commands.Choice(name=shorten(text, LINE_LIMIT), value=name)
        for name, text in told.items()
        if current.lower() in text.lower()
    ]
    return [*sets, _none(request), *single]


async def house_meant(request: Request, typed: str | None, system: RuleSystem, players: int) -> Options:
    """The house rules chosen or typed; by default the guild's usual ones, as far as they fit.

    Raises:
        SayInstead: there are none of this name.
    """
    if typed == NONE:
        return Options()
    if typed in RULES:
        return Options.from_json({typed: True})
    moderation = request.tables.moderation
    houses = await moderation.houses(request.guild_id)
    if typed is not None:
        return set_meant(request, houses, typed).options
    number = (await moderation.guild(request.guild_id)).house
    usual = next((one.options for one in houses if one.number == number), Options())
    return fitting_options(system, players, usual) if players in system.players else usual


def set_meant(request: Request, houses: Iterable[House], typed: str) -> House:
    """The set chosen, or typed by its name. Raises `SayInstead` if there is none."""
    for house in houses:
        if typed == f"{SET}{house.number}" or typed.strip().casefold() == house.name.casefold():
            return house
    raise SayInstead(lobbies.no_such_house(request.language))


def _sets(houses: Iterable[House], current: str) -> list[app_commands.Choice[str]]:
    return [
        app_commands.Choice(name=house.name, value=f"{SET}{house.number}")
        for house in houses
        if current.casefold() in house.name.casefold()
    ]


def _none(request: Request) -> app_commands.Choice[str]:
    return app_commands.Choice(name=shorten(lobbies.house_line(request.language, Options()), LINE_LIMIT), value=NONE)
