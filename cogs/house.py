"""A guild's named sets of house rules: `/dog-admin house`."""

from __future__ import annotations

from discord import app_commands

from bot.errors import BadPreference
from bot.guild_records import HOUSE_NAME, House
from bot.interactions.answers import SayInstead
from bot.interactions.commands import DogCog, Option, command
from bot.interactions.lookup import NONE, parse_set, suggest_set, suggest_set_or_none
from bot.interactions.request import Request
from bot.languages import mark as _
from bot.rights import Deed
from bot.showing.panels import Reply
from bot.showing.terms import SetHouse, house_panel
from bot.texts import guild, refusals
from bot.texts.markup import plain

WHICH = _("Which set")
"""The option of the commands about a set."""

Name = app_commands.Range[str, 1, 60]
"""A name as it is typed; what is too long is refused with a sentence."""


class HouseCog(DogCog):
    """Named sets of house rules, for those who manage the server."""

    @command(
        "dog-admin house make",
        _("Give a set of house rules a name, or change one"),
        Deed.SET_UP,
        name=Option(_("Its name, such as Grandma's rules"), suggest=suggest_set),
    )
    async def make(self, request: Request, name: Name) -> None:
        """Make a set, or open an existing one, with the menu that changes it."""
        moderation = request.tables.moderation
        houses = await moderation.houses(request.guild_id)
        try:
            house = parse_set(request, houses, name)
        except SayInstead:
            short_name = plain(name)[: HOUSE_NAME + 1]
            house = await moderation.make_house(request.person, request.guild_id, short_name)
        await request.send(_show(request, house))

    async def change(self, request: Request, press: SetHouse) -> None:
        moderation = request.tables.moderation
        options = press.changed(request.language, (await moderation.house(request.guild_id, press.number)).options)
        if options is None:
            raise SayInstead(refusals.not_understood(request.language))
        house = await moderation.set_house(request.person, request.guild_id, press.number, options)
        await request.replace(_show(request, house))

    @command("dog-admin house list", _("The sets of house rules here"), Deed.SET_UP)
    async def list_(self, request: Request) -> None:
        moderation = request.tables.moderation
        houses = await moderation.houses(request.guild_id)
        usual = (await moderation.guild(request.guild_id)).house
        await request.say(guild.houses(request.language, houses, usual))

    @command(
        "dog-admin house use",
        _("Use a set of house rules for new games by default"),
        Deed.SET_UP,
        set=Option(WHICH, suggest=suggest_set_or_none),
    )
    async def use(self, request: Request, set: Name) -> None:
        moderation = request.tables.moderation
        house = None if set == NONE else parse_set(request, await moderation.houses(request.guild_id), set)
        await moderation.use_house(request.person, request.guild_id, None if house is None else house.number)
        await request.say(guild.house_used(request.language, house))

    @command(
        "dog-admin house delete",
        _("Delete a set of house rules"),
        Deed.SET_UP,
        set=Option(WHICH, suggest=suggest_set),
    )
    async def delete(self, request: Request, set: Name) -> None:
        moderation = request.tables.moderation
        house = parse_set(request, await moderation.houses(request.guild_id), set)
        try:
            await moderation.drop_house(request.person, request.guild_id, house.number)
        except BadPreference:
            # Another manager has just done that.
            pass
        await request.say(guild.house_gone(request.language, house))


def _show(request: Request, house: House) -> Reply:
    return Reply(guild.house(request.language, house), house_panel(request.language, house))
