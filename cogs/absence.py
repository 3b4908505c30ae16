"""Absence: what the others choose when time is up, and seats that are taken back or over."""

from __future__ import annotations

from bot.showing.panels import Panel, Press, Reply, Style
from bot.tables.seats import Choice
from bot.texts.words import MARKS, Names
from cogs.answers import Advice, Interaction, dialogue_for, language_of, replace, say, send
from cogs.permissions import person_of
from cogs.presses import on_press
from cogs.room import Room


class Absence(Room):
    """The ways past somebody who is not there, and back."""

    @on_press("absent_wait")
    async def absent_wait(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Give the absent player their whole time again."""
        await self._choose(interaction, press, values, Choice.WAIT)

    @on_press("absent_play")
    async def absent_play(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Let the computer play this one turn."""
        await self._choose(interaction, press, values, Choice.PLAY)

    @on_press("absent_computer")
    async def absent_computer(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Hand the seat to a computer until its owner is back."""
        await self._choose(interaction, press, values, Choice.COMPUTER)

    @on_press("absent_offer")
    async def absent_offer(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Offer the seat to other members."""
        await self._choose(interaction, press, values, Choice.OFFER)

    async def _choose(self, interaction: Interaction, press: Press, values: tuple[str, ...], choice: Choice) -> None:
        """`press` names seat and decision, or the seat is what was chosen in a menu of all seats whose time is up."""
        table = await self.bot.tables.get(press.table)
        chosen = int(values[0]) if values and values[0].isdecimal() else -1
        seat = press.path[0] if press.path else chosen
        language = language_of(interaction)
        clock = table.clocks.get(seat)
        if clock is None or not clock.overdue or (press.path and clock.decision != press.version):
            raise Advice(language.t("**{code}**: that turn has passed already.", code=table.code))
        table = await self.bot.tables.seats.answer_absence(table.id, person_of(interaction), seat, choice)
        name = Names.of(table, language).marked(seat)
        said = {
            Choice.WAIT: language.t("**{code}**: {name} gets more time.", code=table.code, name=name),
            Choice.PLAY: language.t("**{code}**: a computer plays this turn for {name}.", code=table.code, name=name),
            Choice.COMPUTER: language.t(
                "**{code}**: a computer plays for {name} until they take the seat back.", code=table.code, name=name
            ),
            Choice.OFFER: language.t("**{code}**: the seat of {name} may be taken over.", code=table.code, name=name),
        }
        await say(interaction, said[choice])

    @on_press("reclaim")
    async def reclaim(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Take one's own seat back from the computer."""
        table = await self.bot.tables.seats.reclaim(press.table, person_of(interaction))
        said = language_of(interaction).t("Welcome back! You play for yourself again at **{code}**.", code=table.code)
        await send(interaction, await (await dialogue_for(interaction, table)).hand(said))

    @on_press("take_over")
    async def take_over(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Ask before somebody sees the hand of an abandoned seat."""
        table = await self.bot.tables.get(press.table)
        language = language_of(interaction)
        seat = press.path[0] if press.path else -1
        if seat not in table.open_seats:
            raise Advice(language.t("**{code}**: nobody needs to take over that seat now.", code=table.code))
        await self.bot.tables.seats.check_take_over(table.id, person_of(interaction), seat)
        panel = Panel().button(
            language.t("Yes, take over"),
            Press("take_over_yes", table.id, press.version, (seat,)),
            style=Style.YES,
            emoji=MARKS[seat],
        )
        text = language.t(
            "Play on for {name} at **{code}**? You see the hand from then on, and play to the end.",
            name=Names.of(table, language).marked(seat),
            code=table.code,
        )
        await send(interaction, Reply(text, panel))

    @on_press("take_over_yes")
    async def take_over_yes(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Take over an abandoned seat."""
        seat = press.path[0] if press.path else -1
        table = await self.bot.tables.seats.take_over(press.table, person_of(interaction), seat)
        said = language_of(interaction).t("The seat at **{code}** is yours. Good luck!", code=table.code)
        await replace(interaction, await (await dialogue_for(interaction, table)).hand(said))
