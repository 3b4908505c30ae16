"""Statistics of a member, and the leaderboard of a server."""

from __future__ import annotations

from datetime import UTC, datetime

import discord

from bot.delivery.watching import name_of
from bot.interactions.answers import SayInstead
from bot.interactions.commands import SYSTEM_CHOICES, DogCog, Option, command
from bot.interactions.request import Request
from bot.languages import mark as _
from bot.results import ALL_SYSTEMS, EVERYWHERE
from bot.rights import Deed
from bot.showing.panels import Reply
from bot.table import Terms
from bot.texts import preferences, stats
from bot.texts.markup import ALT_LIMIT, fit, stack, unmarked
from render.chart import Ranked, Spell, Words, ranking_png, rating_png, scale

MONTH, ALWAYS = "month", "always"

FORM = 20
"""Number of the newest games whose outcome a picture shows."""

RULES = Option(_("Only games by these rules"), SYSTEM_CHOICES)


class StatsCog(DogCog):
    """Commands for statistics and rankings."""

    @command(
        "dog stats",
        _("Games, wins, rating and more: yours, or a member's on this server"),
        Deed.READ,
        away=True,
        member=_("Whose (yours if you leave it out)"),
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
        since=Option(_("Since when (always if you leave it out)"), {MONTH: _("this month"), ALWAYS: _("always")}),
    )
    async def leaderboard(self, request: Request, rules: str | None = None, since: str | None = None) -> None:
        language, system, month = request.language, rules or ALL_SYSTEMS, since == MONTH
        now = datetime.fromtimestamp(request.now, UTC)
        first = int(datetime(now.year, now.month, 1, tzinfo=UTC).timestamp()) if month else None
        results = request.tables.results
        places = await self.bot.members.drop_left(
            request.guild_id, lambda: results.ranked(request.guild_id, system, first)
        )
        won = await results.cups_won(request.guild_id, first) if system == ALL_SYSTEMS else ()
        text = stack(stats.ranking(language, places, system, month), stats.cups_won(language, won))
        prefers = await request.preferences()
        if not places or prefers.in_words:
            await request.say(text)
            return
        lines = [
            Ranked(
                place.name,
                place.points,
                stats.ranked_points(language, place, month),
                0.0 if month else stats.BAND * place.sigma,
                place.provisional,
            )
            for place in places
        ]
        title, words = stats.ranking_title(language, system, month), Words(**stats.chart_words(language))
        picture = await self.bot.pools.draw(ranking_png, lines, title, words, prefers.look(Terms().theme))
        await request.send(Reply(text, None, picture, fit(unmarked(text).split("\n"), ALT_LIMIT)))
