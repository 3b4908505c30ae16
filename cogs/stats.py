"""Statistics of a member, and the leaderboard of a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.delivery.members import name_of
from bot.interactions.answers import SayInstead
from bot.interactions.commands import SYSTEM_CHOICES, DogCog, Option, command
from bot.interactions.permissions import allowed_at
from bot.interactions.request import Request
from bot.languages import Language
from bot.languages import mark as _
from bot.results import ALL_SYSTEMS, EVERYWHERE, CupLine, Season
from bot.rights import Deed
from bot.showing.panels import Panel, Reply
from bot.showing.presses import Press
from bot.table import Terms
from bot.tables.finished.seasons import months
from bot.texts import buttons, preferences, refusals, stats
from bot.texts.markup import ALT_LIMIT, fit, stack, unmarked
from bot.texts.public.boards import board_link
from engine import SYSTEMS
from render.chart import Ranked, Spell, Words, ranking_png, rating_png, scale

MONTH, ALWAYS = "month", "always"

FORM = 20
"""Number of the newest games whose outcome a picture shows."""

RULES = Option(_("Only games by these rules"), SYSTEM_CHOICES)


class ShowSeason(Press, verb="season", deed=Deed.READ):
    """Show a season of the leaderboard by its number (0: all time); `system`: a rule system's index, 0 for all."""

    number: int
    system: int


class StatsCog(DogCog):
    """Commands for statistics and rankings."""

    @command(
        "dog stats",
        _("Games, wins, rating and more: yours, or a member's on this server"),
        Deed.READ,
        away=True,
        member=_("Whose (default: yours)"),
        rules=RULES,
        everywhere=_("Your games on all servers together"),
    )
    async def stats(
        self, request: Request, member: discord.User | None = None, rules: str | None = None, everywhere: bool = False
    ) -> None:
        """Show a member's statistics; those of all guilds only to the member."""
        language, whose = request.language, member or request.interaction.user
        everywhere = everywhere or request.server_id is None
        if everywhere and whose.id != request.user_id:
            raise SayInstead(stats.only_your_own(language))
        guild_id, system = EVERYWHERE if everywhere else request.guild_id, rules or ALL_SYSTEMS
        service = request.tables.results
        found = await service.stats(whose.id, guild_id, system)
        if whose.id != request.user_id:
            found = replace(found, cups=await _seen(request, found.cups))
        names = await service.names(guild_id, tuple(found.partners))
        called = name_of(whose)
        text = stats.stats(language, found, called, system, names)
        prefers = await request.preferences()
        if whose.id == request.user_id and prefers.unlisted:
            text = f"{text}\n{preferences.listed(language, prefers)}"
        if whose.id == request.user_id and not everywhere:
            off = await request.tables.roster.is_unlisted(request.guild_id, whose.id)
            text = stack(text, stats.taken_off(language) if off else "")
        if not found.course or prefers.in_words:
            await request.say(text)
            return
        spells = [Spell(rating.mu, stats.BAND * rating.sigma) for rating in found.course]
        form = [result.victory for result in found.results if result.rated][-FORM:]
        title = stats.title(language, called, system)
        words = Words(**stats.chart_words(language, len(found.course)))
        marks = {mark: stats.points(language, mark) for mark in (*scale(spells), spells[-1].points)}
        theme = prefers.look(Terms().theme)
        picture = await self.bot.pools.draw(rating_png, spells, form, title, words, marks, theme)
        await request.send(Reply(text, None, picture, fit(unmarked(text).split("\n"), ALT_LIMIT)))

    @command(
        "dog leaderboard",
        _("The best players on this server"),
        Deed.READ,
        rules=RULES,
        since=Option(_("Since when (default: all time)"), {MONTH: _("this month"), ALWAYS: _("all time")}),
    )
    async def leaderboard(self, request: Request, rules: str | None = None, since: str | None = None) -> None:
        """Show the season that goes on, if there is one and nothing else is asked for."""
        seasons = await request.tables.seasons.of_guild(await _need_server(request))
        newest = seasons[-1] if seasons and since is None and seasons[-1].ended_at is None else None
        board = await self._board(request, rules or ALL_SYSTEMS, newest, month=since == MONTH)
        await request.send(replace(board, panel=_ways(request.language, seasons, rules, newest)))

    async def show_season(self, request: Request, press: ShowSeason) -> None:
        """Show a season, whatever has begun since; or the ratings."""
        systems, seasons = (ALL_SYSTEMS, *SYSTEMS), await request.tables.seasons.of_guild(request.guild_id)
        if press.system >= len(systems):
            raise SayInstead(refusals.not_understood(request.language))
        season = next((past for past in seasons if past.number == press.number), None)
        board = await self._board(request, systems[press.system], season)
        await request.replace(replace(board, panel=_ways(request.language, seasons, systems[press.system], season)))

    async def _board(self, request: Request, system: str, season: Season | None, *, month: bool = False) -> Reply:
        """Return the leaderboard of a season, of this month, or of all time."""
        language, since, until, period, about = request.language, None, None, "", ""
        if season is not None:
            since, until = season.began_at, season.ended_at
            period, about = stats.season_name(language, season.number), stats.season_line(language, season)
        elif month:
            (since,), period = months(None, int(request.now)), language.t("this month")
        results = request.tables.results
        places = await self.bot.members.drop_left(
            request.guild_id, lambda: results.ranked(request.guild_id, system, since, until)
        )
        won = await results.cups_won(request.guild_id, since, until) if system == ALL_SYSTEMS else ()
        won = await _seen(request, won)
        text = stack(stats.ranking(language, places, system, period, about), stats.cups_won(language, won))
        prefers = await request.preferences()
        if not places or prefers.in_words:
            return Reply(text)
        lines = [
            Ranked(
                place.name,
                place.points,
                stats.ranked_points(language, place, period),
                0.0 if period else stats.BAND * place.sigma,
                place.provisional,
            )
            for place in places
        ]
        title, words = stats.ranking_title(language, system, period), Words(**stats.chart_words(language))
        picture = await self.bot.pools.draw(ranking_png, lines, title, words, prefers.look(Terms().theme))
        return Reply(text, None, picture, fit(unmarked(text).split("\n"), ALT_LIMIT))


async def _seen(request: Request, cups: Sequence[CupLine]) -> Sequence[CupLine]:
    """Return the cups that the user of a request can see, or all members could before their channels were deleted."""
    return [line for line in cups if line.was_public or (await allowed_at(request.interaction, line.channel_id)).sees]


def _ways(language: Language, seasons: Sequence[Season], system: str | None, shown: Season | None) -> Panel | None:
    """Return buttons for the seasons before and after the one that is shown, and for all time; None without seasons."""
    if not seasons:
        return None
    index, panel = (ALL_SYSTEMS, *SYSTEMS).index(system or ALL_SYSTEMS), Panel()
    number = len(seasons) + 1 if shown is None else shown.number
    for other, sign in ((number - 1, "◀️"), (number + 1, "▶️")):
        if 1 <= other <= len(seasons):
            panel.button(stats.season_name(language, other), ShowSeason(0, other, index), emoji=sign)
    if shown is not None:
        panel.button(language.t(buttons.ALWAYS), ShowSeason(0, 0, index))
    return panel


async def _need_server(request: Request) -> int:
    """Return the guild of a request that needs one. Raises SayInstead with links to those where the user plays."""
    if request.server_id is None:
        theirs = [table for table in await request.tables.of_member(request.user_id) if not table.in_dms]
        links = {table.guild_id: board_link(table) for table in reversed(theirs)}
        raise SayInstead(stack(refusals.only_on_servers(request.language), *links.values()))
    return request.server_id
