"""Ending a game before its time: cancelling, resigning, giving up; and playing again after the end."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import locale_str

from bot import rights
from bot.errors import BrokenLog
from bot.languages import Language
from bot.showing.panels import Panel, Press, Reply, Style
from bot.table import OPEN, ProposalKind, Status, Table
from bot.tables.seating import need_seat
from bot.tables.steps import need
from cogs.answers import Advice, Interaction, bot_of, guarded, language_of, replace, say, send
from cogs.choices import game_choices
from cogs.lobby import seated
from cogs.permissions import need_post, person_at, person_of
from cogs.presses import on_press
from cogs.room import Room
from cogs.which import table_for
from engine import SYSTEMS, board_for


class Ending(Room):
    """The ways out of a game, and into the next one."""

    @app_commands.command(name=locale_str("cancel"), description=locale_str("End a game for everyone (host)"))
    @app_commands.describe(game=locale_str("Code of the game, such as FOX-7"))
    @app_commands.autocomplete(game=game_choices)
    async def cancel_command(self, interaction: Interaction, game: str | None = None) -> None:
        """Ask before a game is cancelled."""
        await guarded(interaction, ask_cancel(interaction, game))

    @on_press("cancel")
    async def cancel(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Ask before a lobby is cancelled."""
        table = await self.bot.tables.get(press.table)
        need(table, Status.LOBBY)
        await _confirm_cancel(interaction, table)

    @on_press("cancel_sure")
    async def cancel_sure(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Cancel the game, if it has not gone on since the question."""
        table = await self.bot.tables.get_unplayable(press.table)
        if table.is_open and _point(table) != press.version:
            raise Advice(_gone_on(language_of(interaction), table, "/dog cancel"))
        table = await self.bot.tables.turns.cancel(press.table, await person_at(interaction, table))
        text = language_of(interaction).t("**{code}** is cancelled.", code=table.code)
        await replace(interaction, Reply(text))

    @app_commands.command(
        name=locale_str("resign"), description=locale_str("Leave a running game: a computer player takes your seat")
    )
    @app_commands.describe(game=locale_str("Code of the game, such as FOX-7"))
    @app_commands.autocomplete(game=game_choices)
    async def resign(self, interaction: Interaction, game: str | None = None) -> None:
        """Ask before a seat is given up."""
        await guarded(interaction, self._ask_resign(interaction, game))

    async def _ask_resign(self, interaction: Interaction, game: str | None) -> None:
        table = await table_for(interaction, game, seated=True)
        mine = need_seat(table.people, interaction.user.id)
        language = language_of(interaction)
        panel = Panel().button(
            language.t("Yes, resign"), Press("resign_sure", table.id, _point(table)), style=Style.DANGER
        )
        teams = board_for(SYSTEMS[table.system], table.players).teams
        if table.status is Status.PLAYING and len(teams) == 2:
            team = next(team for team in teams if mine in team)
            asked = any(table.people[seat].user_id in table.voices for seat in team if seat != mine)
            label = language.t("End the game with my partner") if asked else language.t("Give the game up")
            panel.button(label, Press("concede", table.id, table.moment), emoji="🏳️")
        text = language.t(
            "Give up your seat at **{code}** for good? A computer player plays on, and others may take the seat over.",
            code=table.code,
        )
        if len(panel.items) > 1:
            text += "\n" + language.t("🏳️ ends the game for everyone: the other team wins.")
        await send(interaction, Reply(text, panel))

    @on_press("resign_sure")
    async def resign_sure(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Hand the seat to a computer player, if the game has not gone on since the question."""
        table = await self.bot.tables.get(press.table)
        if table.is_open and _point(table) != press.version:
            raise Advice(_gone_on(language_of(interaction), table, "/dog resign"))
        table = await self.bot.tables.turns.resign(press.table, person_of(interaction))
        text = language_of(interaction).t("You resigned from **{code}**.", code=table.code)
        await replace(interaction, Reply(text))

    @on_press("concede")
    async def concede(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Propose to the partner to give the game up; at once where there is nobody to ask."""
        table = await self.bot.tables.get(press.table)
        language = language_of(interaction)
        if table.is_open and table.moment != press.version:
            raise Advice(_gone_on(language, table, "/dog resign"))
        await need_post(interaction, table)
        table = await self.bot.tables.consent.propose_end(press.table, person_of(interaction))
        if ProposalKind.CONCEDE not in table.proposals:
            await replace(interaction, Reply(language.t("**{code}** is over: you gave up.", code=table.code)))
            return
        await replace(interaction, Reply(language.t("**{code}**: your partner is asked.", code=table.code)))

    @on_press("cancel_yes")
    async def cancel_yes(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """A question of an earlier version of the bot, which does not say what was to be cancelled: ask again."""
        table = await self.bot.tables.get_unplayable(press.table)
        raise Advice(_gone_on(language_of(interaction), table, "/dog cancel"))

    @on_press("resign_yes")
    async def resign_yes(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """A question of an earlier version of the bot, which does not say what was to be left: ask again."""
        table = await self.bot.tables.get(press.table)
        raise Advice(_gone_on(language_of(interaction), table, "/dog resign"))

    @on_press("rematch")
    async def rematch(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Open a table with the same people, seats rotated; or take one's seat at the one that is open."""
        await self._again(interaction, press, free_seat=False)

    @on_press("again")
    async def again(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Open a table with the same people and a free seat; or take one's seat at the one that is open."""
        await self._again(interaction, press, free_seat=True)

    async def _again(self, interaction: Interaction, press: Press, *, free_seat: bool) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await need_post(interaction, await self.bot.tables.get(press.table))
        table = await self.bot.tables.lobby.rematch(press.table, person_of(interaction), free_seat=free_seat)
        language = language_of(interaction)
        if table.status is not Status.LOBBY:
            begun = language.t("**{code}** has begun already: <#{channel}>.", code=table.code, channel=table.channel_id)
            await say(interaction, begun)
            return
        opened = language.t("Table **{code}** is open: <#{channel}>.", code=table.code, channel=table.channel_id)
        await say(interaction, f"{opened} {seated(language, table, interaction.user.id)}")


async def ask_cancel(interaction: Interaction, code: str | None) -> None:
    """Ask whether a game shall be cancelled; one whose log does not replay can still be ended."""
    try:
        table = await table_for(interaction, code, seated=False)
    except BrokenLog as broken:
        table = await bot_of(interaction).tables.get_unplayable(broken.table_id)
    await _confirm_cancel(interaction, table)


async def _confirm_cancel(interaction: Interaction, table: Table) -> None:
    language = language_of(interaction)
    need(table, *OPEN)
    rights.need(rights.Deed.CANCEL, await person_at(interaction, table), table)
    panel = Panel().button(
        language.t("Yes, cancel {code}", code=table.code),
        Press("cancel_sure", table.id, _point(table)),
        style=Style.DANGER,
    )
    await send(interaction, Reply(language.t("Cancel **{code}** for everyone?", code=table.code), panel))


def _point(table: Table) -> int:
    """Where the game stands, for a question about its end: 0 in the lobby, then one number for each moment.

    Private messages stay for days, and what was meant in the lobby, or ten moves ago, may not be meant now.
    """
    return 0 if table.started_at is None else table.moment + 1


def _gone_on(language: Language, table: Table, command: str) -> str:
    return language.t(
        "**{code}** has gone on since that question. `{command}` asks it again.", code=table.code, command=command
    )
