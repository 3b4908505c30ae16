"""Absence: what the others choose when time is up, and seats that are taken back or over."""

from __future__ import annotations

from bot.showing.panels import Panel, Reply, Style
from bot.showing.presses import Absent, Reclaim, TakeOver, TakeOverSure
from bot.table import Table
from bot.tables.seats import Choice
from bot.texts.words import MARKS, Names
from cogs.answers import Advice, Interaction, dialogue_for, language_of, replace, say, send
from cogs.group import DogCog
from cogs.permissions import person_of
from cogs.presses import on_press


class Absence(DogCog):
    """The ways past somebody who is not there, and back."""

    @on_press(Absent)
    async def decide(self, interaction: Interaction, press: Absent, table: Table) -> None:
        """Do what was chosen about somebody whose time is up."""
        language = language_of(interaction)
        seat = press.seat
        if seat is None or press.is_stale(table, interaction.user.id):
            raise Advice(language.t("**{code}**: that turn has passed already.", code=table.code))
        table = await self.bot.tables.seats.answer_absence(table.id, person_of(interaction), seat, press.choice)
        name = Names.of(table, language).marked(seat)
        said = {
            Choice.WAIT: language.t("**{code}**: {name} gets more time.", code=table.code, name=name),
            Choice.PLAY: language.t("**{code}**: a computer plays this turn for {name}.", code=table.code, name=name),
            Choice.COMPUTER: language.t(
                "**{code}**: a computer plays for {name} until they take the seat back.", code=table.code, name=name
            ),
            Choice.OFFER: language.t("**{code}**: {name}'s seat may be taken over.", code=table.code, name=name),
        }
        await say(interaction, said[press.choice])

    @on_press(Reclaim)
    async def reclaim(self, interaction: Interaction, press: Reclaim, table: Table) -> None:
        """Take one's own seat back from the computer."""
        table = await self.bot.tables.seats.reclaim(press.table, person_of(interaction))
        said = language_of(interaction).t("Welcome back! You play for yourself again at **{code}**.", code=table.code)
        await send(interaction, await (await dialogue_for(interaction, table)).hand(said))

    @on_press(TakeOver)
    async def take_over(self, interaction: Interaction, press: TakeOver, table: Table) -> None:
        """Ask before somebody sees the hand of an abandoned seat."""
        language = language_of(interaction)
        seat = press.seat
        if press.is_stale(table, interaction.user.id):
            raise Advice(language.t("**{code}**: that seat cannot be taken over now.", code=table.code))
        await self.bot.tables.seats.check_take_over(table.id, person_of(interaction), seat)
        panel = Panel().button(
            language.t("Yes, take over"),
            TakeOverSure(table.id, seat),
            style=Style.YES,
            emoji=MARKS[seat],
        )
        text = language.t(
            "Play on for {name} at **{code}**? You see the hand from then on, and play to the end.",
            name=Names.of(table, language).marked(seat),
            code=table.code,
        )
        await send(interaction, Reply(text, panel))

    @on_press(TakeOverSure)
    async def take_over_yes(self, interaction: Interaction, press: TakeOverSure, table: Table) -> None:
        """Take over an abandoned seat."""
        table = await self.bot.tables.seats.take_over(press.table, person_of(interaction), press.seat)
        said = language_of(interaction).t("The seat at **{code}** is yours. Good luck!", code=table.code)
        await replace(interaction, await (await dialogue_for(interaction, table)).hand(said))
