"""Invitations to a lobby, looking for a table, table talk."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.interactions.answers import SayInstead
from bot.interactions.commands import SYSTEM_CHOICES, DogCog, Option, command
from bot.interactions.guests import INVITE, answer_seated, dm_note, find_guests
from bot.interactions.lookup import GameScope
from bot.interactions.permissions import everywhere
from bot.interactions.request import Request
from bot.languages import mark as _
from bot.rights import Deed
from bot.showing.controls import AskTalk, StopSeeking, Talk, stop_seeking_panel, talk_panel
from bot.showing.panels import Reply
from bot.table import IN_DMS, MOST_PLAYERS, Seek
from bot.texts import refusals
from bot.texts.markup import stack
from bot.texts.names import PACE_NAMES
from bot.texts.public import invitations, winks


class SocialCog(DogCog):
    """Commands that bring people and tables together."""

    @command(
        "dog table invite",
        _("Invite people to your table"),
        Deed.INVITE,
        game=GameScope.OWN,
        player=INVITE,
        player2=INVITE,
        player3=INVITE,
    )
    async def invite(
        self,
        request: Request,
        player: discord.User,
        player2: discord.User | None = None,
        player3: discord.User | None = None,
    ) -> None:
        before = request.table
        guests = await find_guests(request, player, player2, player3, in_dms=before.in_dms)
        if guests.note and not guests.people:
            raise SayInstead(guests.note)
        table = await request.tables.arranging.invite(before.id, request.person, guests.people)
        known = {who.user_id for who in before.expected.values()}
        new = [who.user_id for who in table.expected.values() if who.user_id not in known]
        users = [user for user in new if user is not None]
        await request.say(stack(invitations.invited(request.language, users), guests.note))
        await self.bot.delivery.once.invite(table, request.person, users)

    @command(
        "dog table seek",
        _("Look for a table: join the first that fits, or hear when one opens"),
        Deed.SEEK,
        rules=Option(_("Rules (or any)"), SYSTEM_CHOICES),
        players=_("Player count (or any)"),
        pace=Option(_("Time per turn (or any)"), PACE_NAMES),
        anywhere=_("With people on any server, in direct messages"),
    )
    async def seek(
        self,
        request: Request,
        rules: str | None = None,
        players: app_commands.Range[int, 2, MOST_PLAYERS] | None = None,
        pace: str | None = None,
        anywhere: bool = False,
    ) -> None:
        await request.think()
        if anywhere or request.home_id == IN_DMS:
            await self._seek_anywhere(request, rules, players, pace)
            return
        await request.allow(Deed.SEEK_HERE)
        finding, guild = request.tables.finding, request.guild_id
        seen = [table for table in await finding.waiting_tables(guild) if await request.can_see(table)]
        search = await finding.seek(guild, request.person, seen, system=rules, players=players, pace=pace)
        if not isinstance(search, Seek):
            await answer_seated(request, invitations.seek_found(request.language, search))
            return
        others = [seek for seek in await finding.searches(guild) if seek.user_id != request.user_id]
        alike = [seek for seek in others if seek.fits(search)]
        text = invitations.seek_waits(request.language, search, len(alike))
        await request.send(Reply(text, stop_seeking_panel(request.language)))

    async def _seek_anywhere(self, request: Request, system: str | None, players: int | None, pace: str | None) -> None:
        """Open a table in direct messages once enough people look for the same."""
        person, language = everywhere(request.interaction), request.language
        await request.tables.users.try_dms_again(person.id)
        seek = await request.tables.finding.seek_anywhere(
            person, language.code, system=system, players=players, pace=pace
        )
        if isinstance(seek, Seek):
            text = invitations.seek_waits_anywhere(language, seek)
            await request.send(Reply(text, stop_seeking_panel(language, anywhere=True)))
        else:
            await request.say(stack(invitations.found_anywhere(language, seek), await dm_note(request, seek)))

    async def stop(self, request: Request, press: StopSeeking) -> None:
        guild = IN_DMS if press.anywhere else request.home_id
        await request.tables.finding.stop(guild, request.user_id)
        await request.replace(Reply(invitations.seek_ended(request.language)))

    async def ask_talk(self, request: Request, press: AskTalk) -> None:
        await request.send(Reply(winks.ask_talk(request.language), talk_panel(request.language, request.table)))

    async def say(self, request: Request, press: Talk) -> None:
        phrases = tuple(winks.PHRASES)
        if press.phrase is None or press.phrase >= len(phrases):
            raise SayInstead(refusals.not_understood(request.language))
        await request.tables.turns.say(press.table, request.person, phrases[press.phrase])
        await request.replace(Reply(winks.phrase(request.language, phrases[press.phrase])))
