"""The lobby: taking seats, computer players, what its host changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from discord import app_commands

from bot.errors import NotPossible, Problem
from bot.interactions.answers import SayInstead
from bot.interactions.commands import DogCog, Option, command
from bot.interactions.guests import answer_seated, dm_note
from bot.interactions.lookup import GameScope, find_typed
from bot.interactions.request import Request
from bot.languages import Language
from bot.languages import mark as _
from bot.occupants import USUAL, Person
from bot.rights import Deed
from bot.showing import controls
from bot.showing.panels import Panel, Reply, chosen
from bot.showing.presses import Press
from bot.showing.rulebook import Rulebook
from bot.showing.terms import Arrange, FreeSeat, arranging, asking_to_free, list_choices
from bot.table import Feature, Status, Table
from bot.tables.effects import need
from bot.texts import buttons, refusals
from bot.texts.markup import stack
from bot.texts.names import LEVEL_NAMES
from bot.texts.public import invitations, lobbies
from engine import SetupError
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

    async def change(
        self, request: Request, press: controls.Join | controls.LeaveLobby | controls.Fill | controls.OtherPartners
    ) -> None:
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
            controls.LeaveLobby: lobby.leave,
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

    async def settings(self, request: Request, press: controls.ShowSettings) -> None:
        need(request.table, Status.LOBBY)
        await self._show_settings(request, request.table)

    async def _show_settings(self, request: Request, table: Table) -> None:
        """Show in a new message what the user can see and choose in a lobby."""
        reply = request.hands.settings(table, request.user_id, request.language)
        await request.send(reply)
        request.hands.track_settings(request.interaction, table, request.language, reply, moved=True)

    async def ask_terms(self, request: Request, press: controls.AskTerms) -> None:
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

    async def read_rules(self, request: Request, press: controls.ReadRules) -> None:
        await request.think()
        table = request.table
        rules = Rulebook.of(request.language, await request.preferences(), self.bot.settings.rules_url)
        await request.send(await rules.at(table.board.system, table.players, table.options))
