"""The lobby: opening a table, taking seats, computer players; and playing again after the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

import discord
from discord import app_commands

from bot.delivery.watching import is_in_dm
from bot.errors import NotPossible, Problem
from bot.interactions.answers import SayInstead
from bot.interactions.commands import SYSTEM_CHOICES, DogCog, Option, command
from bot.interactions.guests import INVITE, Guests, answer_seated, dm_note, find_guests, is_first_table
from bot.interactions.lookup import GameScope, find_typed, parse_house, parse_language, suggest_house, suggest_language
from bot.interactions.permissions import allowed_in, everywhere, refuse_lacking
from bot.interactions.places import check_place, open_thread, parent_of
from bot.interactions.request import Request
from bot.languages import Language
from bot.languages import mark as _
from bot.occupants import USUAL, Occupant, Person
from bot.pace import MOST_DAYS, MOST_HOURS, NO_WEEKENDS, name_pace, pace_of
from bot.rights import READ_RECORD, Deed
from bot.showing import controls
from bot.showing.panels import Panel, Reply, Style, chosen
from bot.showing.presses import Press
from bot.showing.rulebook import Rulebook
from bot.showing.terms import Arrange, FreeSeat, OpenTable, arranging, asking_to_free, list_choices
from bot.table import IN_DMS, INVITED, MOST_PLAYERS, Feature, Status, Table, Terms
from bot.tables.effects import need
from bot.tables.finished.records import MOST_UPLOADED, Beginning
from bot.texts import buttons, refusals
from bot.texts.markup import stack
from bot.texts.names import HOUSE_RULES, LEVEL_NAMES, PACE_NAMES, system_name
from bot.texts.public import invitations, lobbies, places
from engine import SYSTEMS, SetupError, Teams, why_refused
from engine.rules.shuffle import LONGEST_TEXT


class Remind(Press, verb="remind", deed=Deed.JOIN):
    """Look for a seat at this table, or at one like it."""


async def _seat_choices(request: Request, current: str) -> list[tuple[str, str]]:
    """Suggest the seats of the game in question where a computer player sits or can be seated."""
    table = await find_typed(request)
    if table is None:
        return []
    return [
        (str(seat), lobbies.seat_label(request.language, table, seat))
        for seat in table.seats
        if table.status is Status.LOBBY or seat in table.occupants
        if (who := table.occupants.get(seat)) is None or who.is_computer
    ]


def _seat_meant(table: Table, typed: str | None, language: Language) -> int | None:
    """Return the seat chosen or typed; by default None in the lobby, and the only computer player's during the game.

    Raises SayInstead: it is not clear which seat is meant.
    """
    if typed is not None:
        if not (typed.isascii() and typed.isdigit()) or int(typed) not in table.seats:
            raise SayInstead(lobbies.which_computer(language))
        return int(typed)
    if table.status is Status.LOBBY:
        return None
    sitting = [seat for seat, who in table.occupants.items() if who.is_computer]
    if len(sitting) != 1:
        raise SayInstead(lobbies.which_computer(language))
    return sitting[0]


class LobbyCog(DogCog):
    """Commands and buttons of a table that has not started."""

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
        usual = guild.terms()
        system = SYSTEMS[rules or (usual.system if begins is None else begins.system)]
        if players is None:
            known = usual.players if usual.players in system.players else 4
            players = known if begins is None else begins.players
        options = await parse_house(request, house, system, players)
        if begins is not None and house is None:
            options = begins.options
        if teams is not None:
            options = replace(options, teams=Teams(teams))
        if begins is not None and (system.id, players, options) != (begins.system, begins.players, begins.options):
            raise NotPossible(Problem.OTHER_RULES)
        if begins is not None and rated:
            raise NotPossible(Problem.FROM_POSITION)
        if rated and (hints or options.open_hands):
            raise NotPossible(Problem.NEVER_RATED)
        terms = Terms(
            system=system.id,
            players=players,
            options=options,
            pace=_pace(request, pace or usual.pace, hours or 0, bank or 0, weekends=weekends),
            locale=parse_language(request, language) if language else guild.locale or _usual_locale(request),
            theme=usual.theme,
            hints=hints,
            talk=talk,
            by_hand=by_hand,
            rated=rated is not False,
            # The role @everyone has the guild's number.
            admits=INVITED if locked else None if role is None or role.id == request.home_id else role.id,
        )
        await self._open(
            request,
            terms if begins is None else begins.terms(terms),
            await find_guests(request, invite, invite2, invite3, in_dms=request.home_id == IN_DMS),
            thread=guild.thread if thread is None else thread,
        )

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
        """Open a table that begins with a position of this game; in direct messages, alone with computers."""
        table = request.table
        await request.think()
        begins = await request.tables.records.beginning(table.id, press.at)
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
            await request.say(stack(lobbies.begun_from(request.language, table), await dm_note(request, table)))
            return
        opened = lobbies.opened_in_dms if is_in_dm(request.interaction) else lobbies.opened_in_your_dms
        text = opened(request.language, table)
        await answer_seated(request, stack(text, invited.note, await dm_note(request, table)))

    async def open_usual(self, request: Request) -> None:
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

    @command(
        "dog join",
        _("Take a seat, or choose what you mix into the shuffles"),
        Deed.JOIN,
        game=GameScope.JOINED,
        away=True,
        text=_("Any words you like, mixed into the shuffles and shown at the start"),
    )
    async def join(self, request: Request, text: app_commands.Range[str, 1, LONGEST_TEXT] | None = None) -> None:
        """Take the first free seat; the player's own text takes the place of the id of the request."""
        lobby, person, table = request.tables.lobby, request.person, request.table
        if table.in_dms:
            await request.tables.users.try_dms_again(person.id)
        words = None if text is None else " ".join(text.split())
        try:
            if request.seat is None or words is None:
                table = await lobby.join(table.id, person if words is None else replace(person, contribution=words))
            else:
                table = await lobby.contribute(table.id, person, words)
        except SetupError:
            raise SayInstead(lobbies.no_contribution(request.language)) from None
        except NotPossible as full:
            can_seek = not table.in_dms and Feature.SEEKS not in table.off
            if full.kind is not Problem.TABLE_FULL or table.terms.admits is not None or not can_seek:
                raise
            panel = Panel().button(request.language.t(buttons.REMIND), Remind(table.id), emoji="🔔")
            await request.send(Reply(refusals.refusal(request.language, full), panel))
            return
        seat = table.seat_of(person.id)
        assert seat is not None
        note = await dm_note(request, table) if table.in_dms else ""
        await answer_seated(request, stack(lobbies.contribution_line(request.language, table, seat, words), note))

    async def remind(self, request: Request, press: Remind) -> None:
        """Look for a seat at a table like this one, which is told once it is there."""
        await request.allow(Deed.SEEK_HERE)
        guild, terms, seek = request.table.guild_id, request.table.terms, request.tables.finding.seek
        if request.table.in_dms:
            # There, a search is one for players on all servers.
            raise SayInstead(refusals.not_understood(request.language))
        await seek(guild, request.person, (), system=terms.system, players=terms.players, pace=terms.pace)
        await request.replace(Reply(invitations.reminded(request.language)))

    async def change(self, request: Request, press: Press) -> None:
        """Make a change that needs only the table and the user; the lobby's own message shows it."""
        seat = request.seat
        if isinstance(press, controls.Join) and seat is not None and request.table.status is Status.LOBBY:
            # All see the same buttons under a message, so what a seated player can do is shown in private.
            await self._show_settings(request, request.table)
            return
        lobby = request.tables.lobby
        if request.table.in_dms and isinstance(press, controls.Join):
            await request.tables.users.try_dms_again(request.user_id)
        changes: dict[type[Press], Callable[[int, Person], Awaitable[Table]]] = {
            controls.Join: lobby.join,
            controls.Leave: lobby.leave,
            controls.Fill: lobby.fill,
            controls.OtherPartners: request.tables.arranging.other_partners,
        }
        await self._show_change(request, await changes[type(press)](press.table, request.person))
        if isinstance(press, controls.Join):
            await answer_seated(request)

    async def _show_change(self, request: Request, table: Table) -> None:
        """Let the lobby's own message show a change; the settings that were pressed show it too."""
        if request.is_private and request.interaction.guild_id is not None and table.status is Status.LOBBY:
            reply = request.hands.settings(table, request.user_id, request.language)
            await request.replace(reply)
            request.hands.track_settings(request.interaction, table, request.language, reply)
        else:
            await request.done()

    async def settings(self, request: Request) -> None:
        need(request.table, Status.LOBBY)
        await self._show_settings(request, request.table)

    async def _show_settings(self, request: Request, table: Table) -> None:
        """Show in a new message what the user can see and choose in a lobby."""
        reply = request.hands.settings(table, request.user_id, request.language)
        await request.send(reply)
        request.hands.track_settings(request.interaction, table, request.language, reply, moved=True)

    async def ask_terms(self, request: Request) -> None:
        need(request.table, Status.LOBBY)
        houses = await request.tables.moderation.houses(request.table.guild_id)
        await request.replace(arranging(request.language, request.table, houses))
        request.hands.track_settings(request.interaction, request.table, request.language, None)

    async def arrange(self, request: Request, press: Arrange) -> None:
        houses = await request.tables.moderation.houses(request.table.guild_id)
        if press.turns is not None:
            await request.replace(arranging(request.language, request.table, houses, press.turns))
            return
        changes = chosen(list_choices(request.language, request.table, press.part, houses), press.value)
        if changes is None:
            raise SayInstead(refusals.not_understood(request.language))
        if "free" in changes:
            question = asking_to_free(request.language, request.table, changes["free"])
            if question is None:
                raise NotPossible(Problem.NO_PLAYER_THERE)
            await request.replace(question)
            return
        table = await request.tables.arranging.set_terms(press.table, request.person, changes)
        await request.replace(arranging(request.language, table, houses))
        request.hands.track_settings(request.interaction, table, request.language, None)

    async def free_seat(self, request: Request, press: FreeSeat) -> None:
        table = await request.tables.lobby.free_seat(press.table, request.person, press.user)
        houses = await request.tables.moderation.houses(table.guild_id)
        await request.replace(arranging(request.language, table, houses))

    async def wait(self, request: Request, press: controls.Wait) -> None:
        """Keep a full lobby from starting by itself: the host starts it, or any player after an hour."""
        await request.tables.arranging.set_terms(press.table, request.person, {"by_hand": True})
        await request.done()

    async def seat(self, request: Request, press: controls.TakeSeat) -> None:
        """Take a certain seat, or move there."""
        if press.seat is None or request.seat is None:
            table = await request.tables.lobby.join(press.table, request.person, press.seat)
            await self._show_change(request, table)
            await answer_seated(request)
        else:
            table = await request.tables.lobby.move_seat(press.table, request.person, press.seat)
            await self._show_change(request, table)

    async def set_computer(self, request: Request, press: controls.SetComputer) -> None:
        lobby, choices = request.tables.lobby, controls.list_computers(request.language, request.table)
        change = chosen(choices, press.what)
        if change is None:
            raise SayInstead(refusals.not_understood(request.language))
        seat, level = change
        if level is None:
            table = await lobby.remove_computer(press.table, request.person, seat)
        elif seat in request.table.occupants:
            table = await lobby.set_level(press.table, request.person, seat, level)
        else:
            table = await lobby.add_computer(press.table, request.person, seat, level)
        await self._show_change(request, table)

    @command(
        "dog table computer",
        _("Add a computer, or set its level (host)"),
        Deed.SET_LEVEL,
        game=GameScope.OWN,
        level=Option(_("How strong it plays (default: normal)"), LEVEL_NAMES),
        seat=Option(_("Where (default: first free seat)"), suggest=_seat_choices),
    )
    async def computer(
        self, request: Request, level: str = USUAL.value, seat: app_commands.Range[str, 1, 40] | None = None
    ) -> None:
        table = request.table
        wanted = _seat_meant(table, seat, request.language)
        if wanted is None or (table.status is Status.LOBBY and wanted in table.free):
            after = await request.tables.lobby.add_computer(table.id, request.person, wanted, level)
            wanted = next(taken for taken in after.occupants if taken not in table.occupants)
        else:
            after = await request.tables.lobby.set_level(table.id, request.person, wanted, level)
        await request.say(lobbies.level_set(request.language, after, wanted))

    async def read_rules(self, request: Request) -> None:
        await request.think()
        table = request.table
        rules = Rulebook.of(request.language, await request.preferences(), self.bot.settings.rules_url)
        await request.send(await rules.at(table.board.system, table.players, table.options))

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


def _pace(request: Request, pace: str, hours: int, bank: int, *, weekends: bool) -> str:
    """Return a pace as it is kept (`name_pace`). Raises SayInstead: there is no such pace."""
    name = name_pace(pace, hours, bank, weekends=weekends)
    if pace_of(name) is None:
        known = pace_of(name.removesuffix(NO_WEEKENDS)) is not None
        raise SayInstead((lobbies.no_weekends if known else lobbies.no_such_pace)(request.language))
    return name


def _usual_locale(request: Request) -> str:
    """Return the language of a new table on a server that has set none.

    Only communities choose a language; Discord calls all other servers American, whatever they speak.
    """
    interaction = request.interaction
    if not request.is_away and interaction.guild is not None and "COMMUNITY" in interaction.guild.features:
        return str(interaction.guild_locale)
    return request.language.code
