"""Lookup of a command's game, house rules and language, and the suggestions for them.

A game is found by its code, or by the channel and the user of the command.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import Enum

from bot.errors import BrokenLog, NoSuchTable
from bot.guild_records import House
from bot.guild_settings import GuildSettings
from bot.interactions.answers import SayInstead
from bot.interactions.permissions import allowed_at
from bot.interactions.request import Request
from bot.languages import available, find_code, own_name
from bot.rights import TRY_CODE
from bot.showing.terms import RULES
from bot.table import IN_DMS, Logged, Status, Table, Terms
from bot.texts import guild, refusals
from bot.texts.names import HOUSE_RULES, system_name
from bot.texts.public import lobbies
from engine import Options

NONE, SET = "none", "set:"
"""Values of suggestions: no house rules, and the prefix of a named set's number."""

LONGEST = 32
"""The most characters of a typed code that are considered; no code is that long."""


class GameScope(Enum):
    """The game that a command is about if none is named."""

    OWN = "own"
    """A game where the user has a seat."""
    VISIBLE = "seen"
    """A game that they can look at."""
    EVEN_BROKEN = "even broken"
    """A game that they can look at, even if its log does not replay."""
    FINISHED = "over"
    """A game that was played to its end, if there is one."""
    JOINED = "joined"
    """A game that they can look at, or whose code lets them join it: a lobby in direct messages."""
    OPTIONAL = "perhaps"
    """A game that they can look at, if there is any."""


async def find_tables(request: Request, scope: GameScope, code: str | None) -> Sequence[Table]:
    """Return the table with this code, otherwise what can be meant where the command is typed; several if unclear.

    If this channel has several tables where the user has a seat, it is the table where they acted last. There are none
    only with `GameScope.OPTIONAL`.

    Raises:
        SayInstead: there is none.
        NoSuchTable: no table that is theirs to look at has this code.
        BrokenLog: the record of the game is damaged.
    """
    try:
        if code:
            return await _find_code(request, scope, code)
        if scope is GameScope.FINISHED and (over := await _last_over(request)) is not None:
            return (over,)
        return await _find_here(request, scope)
    except BrokenLog as broken:
        if scope is not GameScope.EVEN_BROKEN:
            raise
        return (await request.tables.get_even_broken(broken.table_id),)


async def find_typed(request: Request) -> Table | None:
    """Return the user's own table that is meant by what they have typed so far; None if unclear."""
    code = getattr(request.interaction.namespace, "game", None)
    tables = await find_tables(request, GameScope.OWN, code if isinstance(code, str) else None)
    return tables[0] if len(tables) == 1 else None


async def _find_code(request: Request, scope: GameScope, code: str) -> Sequence[Table]:
    """Return the table with this code: of this guild, or in direct messages.

    In direct messages these are the user's own with this code on any servers. Raises `NoSuchTable`, and `TooOften` if
    the user has tried too many codes of tables that they cannot look at.
    """
    typed, guild = code.strip().upper(), request.server_id
    if len(typed) > LONGEST:
        raise NoSuchTable(typed[:LONGEST])
    if guild is not None:
        with suppress(NoSuchTable):
            return (await request.find(typed),)
    own = [await request.find(table_id) for table_id in await request.tables.own_by_code(request.user_id, typed)]
    if matching := [table for table in own if guild is None or table.in_dms]:
        return matching
    if scope is GameScope.JOINED:
        request.bot.limits.spend_deed("code", TRY_CODE, request.user_id, None, request.now)
        with suppress(NoSuchTable):
            table = await request.tables.by_code(IN_DMS, typed)
            if table.status is Status.LOBBY:
                return (table,)
    raise NoSuchTable(typed)


async def _find_here(request: Request, scope: GameScope) -> Sequence[Table]:
    """Return the tables in this channel that can be meant, or the user's own elsewhere."""
    tables, user, channel = request.tables, request.user_id, request.interaction.channel_id or 0
    here = list(await tables.in_channel(channel))
    seated = [table for table in here if table.played_by(user) is not None]
    if len(seated) > 1:
        last = find_last_acted([(table, await tables.log(table.id)) for table in seated], user)
        seated = seated if last is None else [last]
    candidates = seated or ([] if scope is GameScope.OWN else here)
    if candidates:
        return candidates
    if scope is not GameScope.OWN and (ended := await tables.last_ended(channel)) is not None:
        return () if scope is GameScope.OPTIONAL else (ended,)
    elsewhere = await _own_tables(request)
    if len(elsewhere) == 1 and (scope is GameScope.OWN or not here):
        return elsewhere
    if scope is GameScope.OPTIONAL:
        return ()
    if elsewhere:
        return elsewhere
    if request.server_id is None:
        if scope is GameScope.VISIBLE and (over := await _last_over(request)) is not None:
            # In a channel it would be its last game.
            return (over,)
        raise SayInstead(refusals.no_game_of_yours(request.language))
    said = refusals.no_seat_here if here else refusals.no_game_here
    raise SayInstead(said(request.language))


def find_last_acted(tables: Iterable[tuple[Table, Sequence[Logged]]], user: int) -> Table | None:
    """Return the table, of several with their logs, where this user acted (or opened it) last; None if unclear."""
    times = [
        (max((row.at for row in log if row.actor == user), default=table.created_at * (table.host_id == user)), table)
        for table, log in tables
    ]
    latest = max(at for at, _table in times)
    newest = [table for at, table in times if at == latest]
    return newest[0] if latest and len(newest) == 1 else None


async def _own_tables(request: Request) -> list[Table]:
    """Return the user's open tables on this server, or else in direct messages; asked there, all of theirs."""
    guild, tables = request.server_id, await request.tables.of_member(request.user_id)
    here = [table for table in tables if guild is None or table.guild_id == guild]
    return here or [table for table in tables if table.in_dms]


async def _last_over(request: Request) -> Table | None:
    """Return the finished game that is most likely meant (see `Tables.over`); None if there is none."""
    guild, channel = request.server_id, request.interaction.channel_id or 0
    for game in await request.tables.list_finished(guild, request.user_id, channel):
        table = await request.tables.get(game.id)
        if await request.can_see(table):
            return table
    return None


Pairs = list[tuple[str, str]]
"""Suggestions: values, and their labels."""


async def suggest_open(request: Request, current: str) -> Pairs:
    """Return the open games that the user can mean: their own, then the others in the channel."""
    here = await request.tables.in_channel(request.interaction.channel_id or 0)
    systems = {table.code: table.system for table in (*await _own_tables(request), *here)}
    return _games(request, systems)


async def suggest_over(request: Request, current: str) -> Pairs:
    """Return the finished games that the user can mean: their own, and those of the channel."""
    guild, channel = request.server_id, request.interaction.channel_id or 0
    labels: dict[str, str] = {}
    for game in await request.tables.list_finished(guild, request.user_id, channel):
        labels.setdefault(game.code, game.system)
    return _games(request, labels)


async def suggest_in_guild(request: Request, current: str) -> Pairs:
    """Return the open games of this guild that the user can look at, for commands that act on any of them."""
    if request.server_id is None:
        return []
    places = [
        place
        for place in await request.tables.places.in_guild(request.server_id)
        if (await allowed_at(request.interaction, place.channel_id)).sees
    ]
    codes = await request.tables.moderation.codes(place.id for place in places)
    return [(code, code) for code in sorted(codes.values())]


def _games(request: Request, systems: Mapping[str, str]) -> Pairs:
    """Return games to choose from, by code, with their rule systems."""
    return [(code, f"{code} · {system_name(request.language, system)}") for code, system in systems.items()]


# House rules


async def suggest_set(request: Request, current: str) -> Pairs:
    """Return the sets of house rules that the guild has named."""
    houses = await request.tables.moderation.houses(request.home_id)
    return [(f"{SET}{house.number}", house.name) for house in houses]


async def suggest_set_or_none(request: Request, current: str) -> Pairs:
    """Return the named sets, and that there are no house rules."""
    return [*await suggest_set(request, current), (NONE, lobbies.house_line(request.language, Options()))]


async def suggest_house(request: Request, current: str) -> Pairs:
    """Return the named sets, that there are no house rules, and single rules."""
    single = ((name, request.language.t(HOUSE_RULES[name])) for name in RULES)
    return [*await suggest_set_or_none(request, current), *single]


async def parse_house(request: Request, typed: str) -> Options:
    """Return the house rules chosen or typed. Raises SayInstead: there are none of this name."""
    if typed == NONE:
        return Options()
    if typed in RULES:
        return Options.from_json({typed: True})
    return parse_set(request, await request.tables.moderation.houses(request.home_id), typed).options


def parse_set(request: Request, houses: Iterable[House], typed: str) -> House:
    """Return the set chosen, or typed by its name. Raises `SayInstead` if there is none."""
    for house in houses:
        if typed == f"{SET}{house.number}" or typed.strip().casefold() == house.name.casefold():
            return house
    raise SayInstead(lobbies.no_such_house(request.language))


async def find_usual_terms(request: Request, settings: GuildSettings) -> Terms:
    """Return the terms of a new table for which nothing is asked: the guild's, with its house rules and language.

    Where no language is set, it is the community's, else the user's: Discord calls all other servers American, whatever
    they speak.
    """
    houses, here = await request.tables.moderation.houses(request.home_id), request.interaction
    locale = settings.locale or request.language.code
    if not settings.locale and not request.is_away and here.guild is not None and "COMMUNITY" in here.guild.features:
        locale = str(here.guild_locale)
    options = next((house.options for house in houses if house.number == settings.house), Options())
    return replace(settings.terms(), options=options, locale=locale)


# Languages


async def suggest_language(request: Request, current: str) -> Pairs:
    """Return the languages by their own names."""
    return [(code, own_name(code)) for code in available()]


def parse_language(request: Request, typed: str) -> str:
    """Return the code of the language chosen or typed. Raises `SayInstead` if there is none of that name."""
    code = find_code(typed)
    if code is None:
        raise SayInstead(guild.no_such_language(request.language))
    return code
