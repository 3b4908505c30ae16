"""Ending a game early: cancelling, resigning, giving up; and playing again after the end."""

from __future__ import annotations

from bot.moment import START, Moment
from bot.rights import Deed
from bot.showing.controls import AskCancel, Leave, Rematch
from bot.showing.panels import Panel, Reply, Style
from bot.showing.presses import Press
from bot.table import OPEN, ProposalKind, Status, Table
from bot.tables.effects import need
from bot.tables.seating import need_seat
from bot.texts import buttons, leaving, lobbies
from cogs.answers import Interaction, SayInstead, done, language_of, replace, say, send
from cogs.group import DogCog, Which, command
from cogs.permissions import person_at, person_of
from cogs.presses import on_press


def point_of(table: Table) -> Moment:
    """Where the game is, for a question about its end: `START` in the lobby, then one action further than it is.

    Private messages remain for days, and what was meant in the lobby or ten moves ago may not be meant now.
    """
    return START if table.started_at is None else Moment(table.takebacks, table.number + 1)


class _Sure(Press):
    """The answer to a question about the end of the game that was asked at this point (see `point_of`)."""

    point: Moment

    def is_stale(self, table: Table, user_id: int) -> bool:
        """Whether the game has continued since the question."""
        return table.is_open and point_of(table) != self.point


class CancelSure(_Sure, verb="cancel_sure", deed=Deed.CANCEL, broken=True):
    """Cancel the game for everyone."""


class ResignSure(_Sure, verb="resign_sure", deed=Deed.RESIGN):
    """Give one's seat up for good."""


class GiveUp(_Sure, verb="give_up", deed=Deed.GIVE_UP):
    """Concede the game, once the partner agrees."""


class EndingCog(DogCog):
    """The ways out of a game, and into the next one."""

    @command("cancel", Deed.CANCEL, game=Which.EVEN_BROKEN)
    async def cancel_command(self, interaction: Interaction, table: Table) -> None:
        """Ask before a game is cancelled."""
        await ask_cancel(interaction, table)

    @on_press(AskCancel)
    async def cancel(self, interaction: Interaction, press: AskCancel, table: Table) -> None:
        """Ask before a lobby is cancelled."""
        need(table, Status.LOBBY)
        await ask_cancel(interaction, table)

    @on_press(CancelSure)
    async def cancel_sure(self, interaction: Interaction, press: CancelSure, table: Table) -> None:
        """Cancel the game, if it has not gone on since the question."""
        if press.is_stale(table, interaction.user.id):
            raise SayInstead(leaving.gone_on(language_of(interaction), table, "dog cancel"))
        table = await self.bot.tables.turns.cancel(press.table, await person_at(interaction, table))
        await replace(interaction, Reply(leaving.cancelled(language_of(interaction), table)))

    @command(
        "resign",
        Deed.RESIGN,
        game=Which.OWN,
    )
    async def resign(self, interaction: Interaction, table: Table) -> None:
        """Ask before a seat is given up."""
        mine = need_seat(table.people, interaction.user.id)
        language = language_of(interaction)
        if table.status is Status.LOBBY:
            leave = Panel().button(language.t(buttons.LEAVE), Leave(table.id), style=Style.DANGER)
            await send(interaction, Reply(leaving.ask_leave(language, table), leave))
            return
        panel = Panel().button(
            language.t(buttons.YES_RESIGN), ResignSure(table.id, point_of(table)), style=Style.DANGER
        )
        teams = table.board.teams
        if table.status is Status.PLAYING and len(teams) == 2:
            team = next(team for team in teams if mine in team)
            asked = any(table.people[seat].user_id in table.voices for seat in team if seat != mine)
            label = language.t(buttons.END_TOGETHER) if asked else language.t(buttons.GIVE_UP)
            panel.button(label, GiveUp(table.id, point_of(table)), emoji="🏳️")
        text = leaving.ask_resign(language, table)
        if len(panel.items) > 1:
            text = f"{text}\n{leaving.ask_give_up(language, table, mine)}"
        await send(interaction, Reply(text, panel))

    @on_press(ResignSure)
    async def resign_sure(self, interaction: Interaction, press: ResignSure, table: Table) -> None:
        """Hand the seat to a computer player, if the game has not gone on since the question."""
        if press.is_stale(table, interaction.user.id):
            raise SayInstead(leaving.gone_on(language_of(interaction), table, "dog resign"))
        table = await self.bot.tables.turns.resign(press.table, person_of(interaction))
        await replace(interaction, Reply(leaving.resigned(language_of(interaction), table)))

    @on_press(GiveUp)
    async def concede(self, interaction: Interaction, press: GiveUp, table: Table) -> None:
        """Propose to the partner to give the game up; at once where there is nobody to ask."""
        language = language_of(interaction)
        if press.is_stale(table, interaction.user.id):
            raise SayInstead(leaving.gone_on(language, table, "dog resign"))
        table = await self.bot.tables.consent.propose_end(press.table, person_of(interaction))
        if ProposalKind.CONCEDE not in table.proposals:
            await replace(interaction, Reply(leaving.gave_up(language, table)))
            return
        await replace(interaction, Reply(leaving.partner_asked(language, table)))

    @on_press(Rematch)
    async def rematch(self, interaction: Interaction, press: Rematch, table: Table) -> None:
        """Open a table with the same people, seats rotated; or take one's seat at the one that is open."""
        await done(interaction)
        table = await self.bot.tables.lobby.rematch(press.table, person_of(interaction), free_seat=press.free_seat)
        language = language_of(interaction)
        if table.status is not Status.LOBBY:
            await say(interaction, lobbies.begun(language, table))
        elif table.channel_id != interaction.channel_id:
            await say(interaction, lobbies.opened(language, table))


async def ask_cancel(interaction: Interaction, table: Table) -> None:
    """Ask whether a game is to be cancelled."""
    language = language_of(interaction)
    need(table, *OPEN)
    panel = Panel().button(
        language.t(buttons.YES_CANCEL, code=table.code),
        CancelSure(table.id, point_of(table)),
        style=Style.DANGER,
    )
    await send(interaction, Reply(leaving.ask_cancel(language, table), panel))
