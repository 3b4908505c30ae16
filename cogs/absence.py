"""Absence: what the others choose when time is up, and seats that are taken back or over."""

from __future__ import annotations

from bot.errors import SeatNotOpen
from bot.rights import Deed
from bot.showing.controls import Absent, Reclaim, TakeOver
from bot.showing.panels import Panel, Reply, Style
from bot.table import Table
from bot.texts import buttons
from bot.texts import leaving as texts
from bot.texts.names import MARKS
from cogs.answers import Interaction, SayInstead, dialogue_for, language_of, replace, say, send
from cogs.group import DogCog
from cogs.permissions import person_of
from cogs.presses import on_press


class TakeOverSure(TakeOver, verb="take_over_sure", deed=Deed.TAKE_OVER):
    """Play on for somebody."""


class AbsenceCog(DogCog):
    """The ways past somebody who is absent, and back."""

    @on_press(Absent)
    async def decide(self, interaction: Interaction, press: Absent, table: Table) -> None:
        """Carry out what was chosen about somebody whose time is up."""
        language = language_of(interaction)
        seat = press.seat
        if seat is None or press.is_stale(table, interaction.user.id):
            raise SayInstead(texts.turn_passed(language, table))
        table = await self.bot.tables.absence.answer_absence(table.id, person_of(interaction), seat, press.remedy)
        await say(interaction, texts.chosen(language, table, press.remedy, seat))

    @on_press(Reclaim)
    async def reclaim(self, interaction: Interaction, press: Reclaim, table: Table) -> None:
        """Take one's own seat back from the computer."""
        table = await self.bot.tables.absence.reclaim(press.table, person_of(interaction))
        said = texts.reclaimed(language_of(interaction), table)
        await send(interaction, await (await dialogue_for(interaction, table)).hand(said))

    @on_press(TakeOver)
    async def take_over(self, interaction: Interaction, press: TakeOver, table: Table) -> None:
        """Ask before somebody sees the hand of an abandoned seat."""
        language = language_of(interaction)
        seat = press.seat
        if press.is_stale(table, interaction.user.id):
            raise SeatNotOpen(seat).at(table.code)
        await self.bot.tables.absence.check_take_over(table.id, person_of(interaction), seat)
        panel = Panel().button(
            language.t(buttons.YES_TAKE_OVER),
            TakeOverSure(table.id, seat),
            style=Style.YES,
            emoji=MARKS[seat],
        )
        await send(interaction, Reply(texts.ask_take_over(language, table, seat), panel))

    @on_press(TakeOverSure)
    async def take_over_yes(self, interaction: Interaction, press: TakeOverSure, table: Table) -> None:
        """Take over an abandoned seat."""
        table = await self.bot.tables.absence.take_over(press.table, person_of(interaction), press.seat)
        said = texts.taken_over(language_of(interaction), table)
        await replace(interaction, await (await dialogue_for(interaction, table)).hand(said))
