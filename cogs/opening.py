"""Opening a table: with rules that are asked for, from a record or a position; playing again after the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import discord
from discord import app_commands

from bot.delivery.where_asked import is_in_dm
from bot.errors import NotPossible, Problem
from bot.interactions.answers import SayInstead
from bot.interactions.commands import SYSTEM_CHOICES, DogCog, Option, command
from bot.interactions.guests import INVITE, Guests, answer_seated, dm_note, find_guests, is_first_table
from bot.interactions.lookup import find_usual_terms, parse_house, parse_language, suggest_house, suggest_language
from bot.interactions.permissions import allowed_in, everywhere, refuse_lacking
from bot.interactions.places import check_place, open_thread, parent_of
from bot.interactions.request import Request
from bot.languages import Language
from bot.languages import mark as _
from bot.occupants import Occupant
from bot.pace import MOST_DAYS, MOST_HOURS
from bot.rights import READ_RECORD, Deed
from bot.showing import controls
from bot.showing.panels import Panel, Reply, Style
from bot.showing.terms import OpenTable
from bot.table import IN_DMS, INVITED, MOST_PLAYERS, Feature, Status, Table, Terms
from bot.tables.finished.records import MOST_UPLOADED, Beginning
from bot.tables.terms import choose_terms
from bot.texts import buttons, refusals
from bot.texts.markup import stack
from bot.texts.names import HOUSE_RULES, PACE_NAMES, system_name
from bot.texts.public import lobbies, places
from engine import SYSTEMS, Teams, why_refused


class OpeningCog(DogCog):
    """The command and the buttons that open a table."""

    @command(
        "dog new",
        _("Open a table in this channel"),
        Deed.OPEN,
        away=True,
        rules=Option(_("Rules (default: Classic DOG)"), SYSTEM_CHOICES),
        players=_("Player count (default: 4)"),
        pace=Option(_("Time per turn (default: 24 hours)"), PACE_NAMES),
        hours=_("Hours per turn"),
        bank=_("Time bank of the game, in days"),
        weekends=_("Clocks run at weekends"),
        house=Option(_("House rules (default: the server's)"), suggest=suggest_house),
        teams=Option(_("Teams (default: the usual)"), {kind.value: HOUSE_RULES[kind] for kind in Teams}),
        hints=_("Players can ask for hints"),
        talk=_("Table talk: players can send set phrases (default: on)"),
        by_hand=_("Don't start automatically: the host starts the game"),
        rated=_("The result changes ratings (default: on)"),
        locked=_("Only those you invite can join"),
        role=_("Only this role and people you invite can join"),
        language=Option(_("Language of the table (default: the server's)"), suggest=suggest_language),
        thread=_("Play in a thread of its own"),
        invite=INVITE,
        invite2=INVITE,
        invite3=INVITE,
        record=_("Record of a game to continue"),
        move=_("After which move"),
    )
    async def new(
        self,
        request: Request,
        rules: str | None = None,
        players: app_commands.Range[int, 2, MOST_PLAYERS] | None = None,
        pace: str | None = None,
        hours: app_commands.Range[int, 1, MOST_HOURS] | None = None,
        bank: app_commands.Range[int, 0, MOST_DAYS] | None = None,
        weekends: bool = True,
        house: app_commands.Range[str, 1, 60] | None = None,
        teams: str | None = None,
        hints: bool = False,
        talk: bool = True,
        by_hand: bool = False,
        rated: bool | None = None,
        locked: bool = False,
        role: discord.Role | None = None,
        language: app_commands.Range[str, 1, 40] | None = None,
        thread: bool | None = None,
        invite: discord.User | None = None,
        invite2: discord.User | None = None,
        invite3: discord.User | None = None,
        record: discord.Attachment | None = None,
        move: int | None = None,
    ) -> None:
        if (record is None) != (move is None):
            raise NotPossible(Problem.RECORD_AND_MOVE)
        begins = None if record is None else await self._read(request, record, move or 0)
        guild = await request.tables.moderation.guild(request.home_id)
        usual = await find_usual_terms(request, guild)
        terms = choose_terms(
            replace(
                usual,
                locale=parse_language(request, language) if language else usual.locale,
                hints=hints,
                talk=talk,
                by_hand=by_hand,
                # The role @everyone has the guild's number.
                admits=INVITED if locked else None if role is None or role.id == request.home_id else role.id,
            ),
            begins,
            system=rules,
            players=players,
            options=None if house is None else await parse_house(request, house),
            teams=None if teams is None else Teams(teams),
            pace=pace,
            hours=hours or 0,
            bank=bank or 0,
            weekends=weekends,
            rated=rated,
        )
        guests = await find_guests(request, invite, invite2, invite3, in_dms=request.home_id == IN_DMS)
        await self._open(request, terms, guests, thread=guild.thread if thread is None else thread)

    async def _read(self, request: Request, record: discord.Attachment, move: int) -> Beginning:
        """Return the position in a file after a move. Raises NotPossible, NoSuchMove, TooOften, Busy."""
        if record.size > MOST_UPLOADED:
            raise NotPossible(Problem.RECORD_TOO_LARGE)
        self.bot.limits.spend_deed("record", READ_RECORD, request.user_id, request.server_id, request.now)
        await request.think()
        try:
            data = await record.read()
        except discord.HTTPException:
            raise NotPossible(Problem.NO_FILE) from None
        return await request.tables.records.read_beginning(data, move)

    async def play_from(self, request: Request, press: controls.PlayFrom) -> None:
        """Open a table that begins with a position of this game, or start it if computers have all other seats."""
        table = request.table
        await request.think()
        begins = await request.tables.records.beginning(table.id, press.at, request.seat)
        guild = await request.tables.moderation.guild(request.home_id)
        hints = table.terms.hints and Feature.HINTS not in guild.off
        terms = begins.terms(replace(table.terms, by_hand=False, admits=None, hints=hints))
        computers = {} if Feature.COMPUTERS in guild.off else begins.computers
        await self._open(request, terms, Guests(), thread=guild.thread, seat=request.seat, computers=computers)

    async def _open(
        self,
        request: Request,
        terms: Terms,
        invited: Guests,
        *,
        thread: bool,
        seat: int | None = None,
        computers: Mapping[int, Occupant] = MappingProxyType({}),
    ) -> None:
        """Open a lobby with these terms, or offer other rules if this many cannot play these."""
        language, interaction, system = request.language, request.interaction, SYSTEMS[terms.system]
        if terms.players not in system.players:
            await request.send(_wrong_players(language, terms, thread=thread))
            return
        refused = why_refused(system, terms.players, terms.options)
        if refused is not None:
            raise SayInstead(lobbies.wrong_house(language, *refused))
        if request.is_away and request.interaction.message is None:
            panel = Panel()
            # A button holds no position.
            if terms.origin is None:
                panel.button(language.t(buttons.PLAY_IN_DMS), OpenTable.of(terms, thread=thread))
            panel.link(language.t(buttons.ADD_BOT), self.bot.invite_link)
            await request.send(Reply(lobbies.not_here(language), panel))
            return
        if invited.people:
            # As often as with the command that invites, or this one would be the way around its bound.
            request.spend(Deed.INVITE)
        if request.home_id == IN_DMS:
            await self._open_in_dms(request, terms, invited, seat, computers)
            return
        place = await check_place(request, interaction.channel)
        await request.think()
        parent = parent_of(place)
        table = await request.tables.lobby.open(
            request.person,
            request.guild_id,
            place.id,
            terms,
            parent_id=parent,
            invited=invited.people,
            first=await is_first_table(request),
            seat=seat,
            computers=computers,
        )
        self.bot.delivery.presence.note(table.id, request.user_id)
        if computers and not table.free:
            # Alone with computers there is no one to wait for.
            await request.tables.lobby.start(table.id, request.person)
            await request.say(lobbies.begun_from(language, table, seat))
            return
        text = lobbies.opened(language, table)
        if place.id == request.interaction.channel_id and not thread:
            await request.tables.settled(table.id)
            if (await request.tables.get(table.id)).shown is not None:
                # It stands right below.
                text = ""
        if thread and parent is None:
            try:
                await self._take_to_thread(request, table)
                text = lobbies.opened(language, await request.tables.get(table.id))
            except SayInstead as advice:
                text = lobbies.opened_here(language, table, str(advice))
        await answer_seated(request, stack(text, invited.note))

    async def _open_in_dms(
        self,
        request: Request,
        terms: Terms,
        invited: Guests,
        seat: int | None,
        computers: Mapping[int, Occupant],
    ) -> None:
        """Open a lobby that its players see in their direct messages; from a position shown there, begin at once."""
        await request.think()
        await request.tables.users.try_dms_again(request.user_id)
        person, people, lobby = everywhere(request.interaction), invited.people, request.tables.lobby
        table = await lobby.open(person, IN_DMS, IN_DMS, terms, invited=people, seat=seat, computers=computers)
        if terms.origin is not None and request.interaction.message is not None:
            if table.free:
                await lobby.fill(table.id, person)
            table = await lobby.start(table.id, person)
            await request.say(stack(lobbies.begun_from(request.language, table, seat), await dm_note(request, table)))
            return
        opened = lobbies.opened_in_dms if is_in_dm(request.interaction) else lobbies.opened_in_your_dms
        text = opened(request.language, table)
        await answer_seated(request, stack(text, invited.note, await dm_note(request, table)))

    async def open_usual(self, request: Request, press: controls.OpenUsual) -> None:
        await self.new(request)

    async def open_other(self, request: Request, press: OpenTable) -> None:
        terms = press.terms((await request.tables.moderation.guild(request.home_id)).terms())
        if terms is None:
            raise SayInstead(refusals.not_understood(request.language))
        await self._open(request, terms, Guests(), thread=press.thread)

    async def _take_to_thread(self, request: Request, table: Table) -> None:
        """Move a new lobby to a thread of its own.

        Raises SayInstead: no thread is possible, and the lobby stays where it is.
        """
        channel = request.interaction.channel
        if not isinstance(channel, discord.TextChannel):
            raise SayInstead(places.no_thread_here(request.language))
        if missing := allowed_in(request.interaction, channel).lacks_threads:
            raise refuse_lacking(request.language, channel.id, missing)
        own = await open_thread(request, channel, f"DOG {table.code}")
        # By now the lobby is in the channel; what remains of it there leads to the thread.
        await request.tables.settled(table.id)
        await request.tables.places.move(table.id, request.person, own.id, channel.id)

    async def rematch(self, request: Request, press: controls.Rematch) -> None:
        """Open a table with the same players, or take a seat at the one that is open; alone with computers, start."""
        await request.done()
        table = await request.tables.lobby.rematch(press.table, request.person, free_seat=press.free_seat)
        self.bot.delivery.presence.note(table.id, request.user_id)
        alone = table.status is Status.LOBBY and not table.free and len(table.owners) == 1
        if alone and not press.free_seat:
            request.hands.expect(request.interaction, table, request.language)
            await request.tables.lobby.start(table.id, request.person)
        elif table.status is not Status.LOBBY:
            await request.say(lobbies.begun(request.language, table))
        elif table.channel_id != request.interaction.channel_id:
            await request.say(lobbies.opened(request.language, table))


def _wrong_players(language: Language, terms: Terms, *, thread: bool) -> Reply:
    """Return the systems for this many players, as buttons that open such a table with all else as it was asked."""
    panel = Panel()
    for key in lobbies.systems_for(terms.players, terms.options):
        panel.button(
            system_name(language, key), OpenTable.of(replace(terms, system=key), thread=thread), style=Style.MAIN
        )
    return Reply(lobbies.wrong_players(language, terms.system, terms.players), panel)
