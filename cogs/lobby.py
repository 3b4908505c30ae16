"""The lobby: opening a table, taking seats, computer players, starting, cancelling, resigning."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.languages import Language
from bot.rights import Deed
from bot.showing.controls import AddComputer, Fill, Join, Leave, ReadRules, RemoveComputer, SetLevel, Start, TakeSeat
from bot.showing.panels import Panel, Reply, Style
from bot.showing.places import missing_permissions
from bot.showing.presses import Press
from bot.table import PACES, USUAL, Status, Table, Terms
from bot.texts import lobbies, places, refusals
from bot.texts.names import system_name
from cogs.answers import Interaction, SayInstead, done, language_of, rulebook_for, say, send
from cogs.arriving import think
from cogs.choices import LEVEL_CHOICES, PACE_CHOICES, SYSTEM_CHOICES
from cogs.group import DogCog, Which, command
from cogs.moving import open_thread, parent_of
from cogs.permissions import allowed, allowed_in, lacking, person_of
from cogs.presses import on_press
from cogs.which import table_for
from engine import SYSTEMS, Options


class OpenTable(Press, verb="open", deed=Deed.OPEN):
    """Open a table with rules other than those asked for; `system` and `pace` are indexes in their lists.

    It carries every other option of `/dog new`.
    """

    system: int
    players: int
    pace: int
    thread: bool
    canadian_seven: bool
    hints: bool


async def _seat_choices(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The seats of the game in question where a computer player sits or can be seated."""
    table = await table_for(interaction, getattr(interaction.namespace, "game", None), seated=True)
    language = language_of(interaction)
    return [
        app_commands.Choice(name=told, value=str(seat))
        for seat in table.seats
        if (who := table.people.get(seat)) is None or who.is_computer
        if who is not None or table.status is Status.LOBBY
        if current.lower() in (told := lobbies.seat_of_computer(language, table, seat)).lower()
    ]


def _seat_meant(table: Table, typed: str | None, language: Language) -> int | None:
    """The seat chosen or typed; by default the first free one before the game, and the only computer's during it.

    Raises:
        SayInstead: it is not clear which seat is meant.
    """
    if typed is not None:
        if not (typed.isascii() and typed.isdigit()) or int(typed) not in table.seats:
            raise SayInstead(lobbies.which_computer(language))
        return int(typed)
    if table.status is Status.LOBBY:
        return None
    sitting = [seat for seat, who in table.people.items() if who.is_computer]
    if len(sitting) != 1:
        raise SayInstead(lobbies.which_computer(language))
    return sitting[0]


class LobbyCog(DogCog):
    """Commands and buttons of a table that has not started, and of leaving one that has."""

    @command("new", Deed.OPEN)
    @app_commands.choices(
        rules=SYSTEM_CHOICES,
        pace=PACE_CHOICES,
    )
    async def new(
        self,
        interaction: Interaction,
        rules: str | None = None,
        players: app_commands.Range[int, 2, 6] | None = None,
        pace: str | None = None,
        canadian_seven: bool = False,
        hints: bool = False,
        thread: bool | None = None,
    ) -> None:
        """Open a lobby in the channel, or in a thread of its own."""
        assert interaction.guild_id is not None
        guild = await self.bot.tables.moderation.guild(interaction.guild_id)
        usual = guild.terms()
        system = rules or usual.system
        terms = Terms(
            system=system,
            players=players or (usual.players if usual.players in SYSTEMS[system].players else 4),
            options=Options(canadian_seven),
            pace=pace or usual.pace,
            locale=guild.locale or str(interaction.guild_locale or interaction.locale),
            theme=usual.theme,
            hints=hints,
        )
        await self._open(interaction, terms, thread=guild.thread if thread is None else thread)

    async def _open(self, interaction: Interaction, terms: Terms, *, thread: bool) -> None:
        language = language_of(interaction)
        system = SYSTEMS[terms.system]
        if terms.players not in system.players:
            await send(interaction, _wrong_players(language, terms, thread=thread))
            return
        unknown = [name for name in terms.options.to_json() if name not in system.options]
        if unknown:
            raise SayInstead(lobbies.wrong_options(language, terms.system, unknown))
        self._check_channel(interaction, language)
        assert interaction.guild_id is not None
        assert interaction.channel_id is not None
        await think(interaction)
        place, parent = interaction.channel_id, parent_of(interaction.channel) if interaction.channel else None
        table = await self.bot.tables.lobby.open(
            person_of(interaction), interaction.guild_id, place, terms, parent_id=parent
        )
        told = lobbies.opened(language, table)
        if thread and parent is None:
            try:
                await self._take_to_thread(interaction, table)
                told = lobbies.opened(language, await self.bot.tables.get(table.id))
            except SayInstead as advice:
                told = lobbies.opened_here(language, table, str(advice))
        await say(interaction, told)

    @on_press(OpenTable)
    async def open_other(self, interaction: Interaction, press: OpenTable, table: None) -> None:
        """Open a table with rules that fit the number of players asked for."""
        assert interaction.guild_id is not None
        if press.system >= len(SYSTEMS) or press.pace >= len(PACES):
            raise SayInstead(refusals.not_understood(language_of(interaction)))
        guild = await self.bot.tables.moderation.guild(interaction.guild_id)
        terms = Terms(
            system=tuple(SYSTEMS)[press.system],
            players=press.players,
            options=Options(canadian_seven=press.canadian_seven),
            pace=tuple(PACES)[press.pace],
            locale=guild.locale or str(interaction.guild_locale or interaction.locale),
            theme=guild.terms().theme,
            hints=press.hints,
        )
        await self._open(interaction, terms, thread=press.thread)

    async def _take_to_thread(self, interaction: Interaction, table: Table) -> int:
        """Move a new lobby to a thread of its own; returns the thread's id.

        Raises:
            SayInstead: no thread is possible, and the lobby stays where it is.
        """
        channel = interaction.channel
        if not isinstance(channel, discord.TextChannel):
            raise SayInstead(places.no_thread_here(language_of(interaction)))
        if missing := allowed_in(interaction, channel).lacks_threads:
            raise lacking(language_of(interaction), channel.id, missing)
        own = await open_thread(interaction, channel, f"DOG {table.code}")
        # By now the lobby is in the channel; what remains of it there leads to the thread.
        await self.bot.tables.settled(table.id)
        await self.bot.tables.places.move(table.id, person_of(interaction), own.id, channel.id)
        return own.id

    def _check_channel(self, interaction: Interaction, language: Language) -> None:
        own = allowed(interaction.channel, interaction.permissions, here=True).lacks
        if own:
            raise lacking(language, interaction.channel_id or 0, own)
        thread = isinstance(interaction.channel, discord.Thread)
        missing = missing_permissions(interaction.app_permissions, thread=thread)
        if missing:
            raise SayInstead(places.bot_lacks_here(language, missing))

    @on_press(Join)
    async def join(self, interaction: Interaction, press: Join, table: Table) -> None:
        """Take the first free seat."""
        await self.bot.tables.lobby.join(press.table, person_of(interaction))
        await done(interaction)

    @on_press(TakeSeat)
    async def seat(self, interaction: Interaction, press: TakeSeat, table: Table) -> None:
        """Take a certain seat, or move there."""
        person = person_of(interaction)
        if press.seat is None or table.seat_of(person.id) is None:
            await self.bot.tables.lobby.join(press.table, person, press.seat)
        else:
            await self.bot.tables.lobby.move_seat(press.table, person, press.seat)
        await done(interaction)

    @on_press(Leave)
    async def leave(self, interaction: Interaction, press: Leave, table: Table) -> None:
        """Free the seat."""
        await self.bot.tables.lobby.leave(press.table, person_of(interaction))
        await done(interaction)

    @on_press(AddComputer)
    async def add_computer(self, interaction: Interaction, press: AddComputer, table: Table) -> None:
        """Seat a computer player on the first free seat."""
        await self.bot.tables.lobby.add_computer(press.table, person_of(interaction))
        await done(interaction)

    @on_press(Fill)
    async def fill(self, interaction: Interaction, press: Fill, table: Table) -> None:
        """Seat computer players on all free seats."""
        await self.bot.tables.lobby.fill(press.table, person_of(interaction))
        await done(interaction)

    @on_press(RemoveComputer)
    async def remove_computer(self, interaction: Interaction, press: RemoveComputer, table: Table) -> None:
        """Remove the computer player that came last."""
        await self.bot.tables.lobby.remove_computer(press.table, person_of(interaction))
        await done(interaction)

    @on_press(SetLevel)
    async def set_level(self, interaction: Interaction, press: SetLevel, table: Table) -> None:
        """Make a computer player stronger or weaker."""
        if press.chosen is None:
            raise SayInstead(refusals.not_understood(language_of(interaction)))
        seat, level = press.chosen
        await self.bot.tables.lobby.set_level(press.table, person_of(interaction), seat, level)
        await done(interaction)

    @command("computer", Deed.SET_LEVEL, game=Which.OWN, suggest={"seat": _seat_choices})
    @app_commands.choices(level=LEVEL_CHOICES)
    async def computer(
        self,
        interaction: Interaction,
        table: Table,
        level: str = USUAL.value,
        seat: app_commands.Range[str, 1, 40] | None = None,
    ) -> None:
        """Seat a computer player before the game; choose the level of one that is seated, before or during it."""
        language = language_of(interaction)
        place = _seat_meant(table, seat, language)
        if place is None or (table.status is Status.LOBBY and place in table.free):
            after = await self.bot.tables.lobby.add_computer(table.id, person_of(interaction), place, level)
            place = next(one for one in after.seats if one in after.people and one not in table.people)
        else:
            after = await self.bot.tables.lobby.set_level(table.id, person_of(interaction), place, level)
        await say(interaction, lobbies.level_set(language, after, place))

    @on_press(Start)
    async def start(self, interaction: Interaction, press: Start, table: Table) -> None:
        """Deal the first round."""
        await done(interaction)
        await self.bot.tables.lobby.start(press.table, person_of(interaction))

    @on_press(ReadRules)
    async def read_rules(self, interaction: Interaction, press: ReadRules, table: Table) -> None:
        """The essentials of this table's rules, for the reader only."""
        await think(interaction)
        rulebook = await rulebook_for(interaction)
        await send(interaction, await rulebook.at(table.board.system, table.players, table.options))


def _wrong_players(language: Language, terms: Terms, *, thread: bool) -> Reply:
    """The systems that this many people can play, as buttons that open such a table with all else as it was asked."""
    panel = Panel()
    system, pace = tuple(SYSTEMS).index, tuple(PACES).index(terms.pace)
    for key in lobbies.systems_for(terms.players, terms.options):
        press = OpenTable(
            0,
            system(key),
            terms.players,
            pace,
            thread,
            canadian_seven=terms.options.canadian_seven,
            hints=terms.hints,
        )
        panel.button(system_name(language, key), press, style=Style.MAIN)
    return Reply(lobbies.wrong_players(language, terms.system, terms.players), panel)
