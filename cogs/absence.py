"""Absence: what the others choose when time is up, seats taken back or over, moves taken back, giving up, again."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.showing.dialogue import Reply
from bot.showing.panels import Panel, Press
from bot.table import ProposalKind, Status
from bot.tables.absence import Choice
from bot.texts.words import MARKS, Names
from cogs.answers import (
    Advice,
    Interaction,
    dialogue_for,
    guarded,
    language_of,
    person_of,
    replace,
    say,
    send,
    table_for,
)
from cogs.choices import game_choices
from cogs.lobby import seated
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
        table = await self.bot.tables.answer_absence(table.id, person_of(interaction), seat, choice)
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
        table = await self.bot.tables.reclaim(press.table, person_of(interaction))
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
        await self.bot.tables.check_take_over(table.id, person_of(interaction), seat)
        panel = Panel().button(
            language.t("Yes, take over"),
            Press("take_over_yes", table.id, press.version, (seat,)),
            style=discord.ButtonStyle.success,
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
        table = await self.bot.tables.take_over(press.table, person_of(interaction), seat)
        said = language_of(interaction).t("The seat at **{code}** is yours. Good luck!", code=table.code)
        await replace(interaction, await (await dialogue_for(interaction, table)).hand(said))

    # Taking back

    @on_press("undo")
    async def undo(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Take one's own last action back, within a minute and while nothing has come of it."""
        table = await self.bot.tables.get(press.table)
        if table.number != press.version:
            raise Advice(
                language_of(interaction).t(
                    "**{code}** has gone on since: `/dog takeback` goes back further, if the others agree.",
                    code=table.code,
                )
            )
        table = await self.bot.tables.undo(press.table, person_of(interaction))
        said = language_of(interaction).t("↩️ Taken back.")
        await replace(interaction, await (await dialogue_for(interaction, table)).hand(said))

    @app_commands.command(
        name=locale_str("takeback"), description=locale_str("Take your last move back, if the others agree")
    )
    @app_commands.describe(game=locale_str("Code of the game, such as FOX-7"))
    @app_commands.autocomplete(game=game_choices)
    async def takeback(self, interaction: Interaction, game: str | None = None) -> None:
        """Take a move back: at once where that is allowed, else with everyone's consent."""
        await guarded(interaction, self._takeback(interaction, game))

    async def _takeback(self, interaction: Interaction, game: str | None) -> None:
        table = await table_for(interaction, game, seated=True)
        person, language = person_of(interaction), language_of(interaction)
        if await self.bot.tables.can_undo(table.id, person.id) is not None:
            table = await self.bot.tables.undo(table.id, person)
        else:
            table = await self.bot.tables.request_takeback(table.id, person)
        if ProposalKind.TAKEBACK not in table.proposals:
            await send(interaction, await (await dialogue_for(interaction, table)).hand(language.t("↩️ Taken back.")))
            return
        await say(interaction, language.t("**{code}**: the others are asked.", code=table.code))

    # Giving up

    @on_press("concede")
    async def concede(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Propose to the partner to give the game up; at once where there is nobody to ask."""
        table = await self.bot.tables.get(press.table)
        language = language_of(interaction)
        if table.is_open and table.moment != press.version:
            # Private messages stay for days; what was meant then may not be meant now.
            raise Advice(
                language.t("**{code}** has gone on since that question. `/dog resign` asks it again.", code=table.code)
            )
        table = await self.bot.tables.propose_end(press.table, person_of(interaction))
        if ProposalKind.CONCEDE not in table.proposals:
            await replace(interaction, Reply(language.t("**{code}** is over: you gave up.", code=table.code)))
            return
        await replace(interaction, Reply(language.t("**{code}**: your partner is asked.", code=table.code)))

    @on_press("agree")
    async def agree(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Agree to what somebody proposes."""
        await self._answer(interaction, press, agrees=True)

    @on_press("refuse")
    async def refuse(self, interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
        """Refuse what somebody proposes."""
        await self._answer(interaction, press, agrees=False)

    async def _answer(self, interaction: Interaction, press: Press, *, agrees: bool) -> None:
        kinds = tuple(ProposalKind)
        kind = kinds[press.path[0]] if press.path and press.path[0] < len(kinds) else kinds[0]
        language = language_of(interaction)
        table = await self.bot.tables.get(press.table)
        proposal = table.proposals.get(kind)
        if proposal is None or proposal.at != press.version:
            raise Advice(language.t("**{code}**: that question is settled already.", code=table.code))
        own = proposal.user_id == interaction.user.id
        table = await self.bot.tables.answer(press.table, person_of(interaction), kind, agrees)
        await say(
            interaction,
            language.t("**{code}**: you agreed.", code=table.code)
            if agrees
            else language.t("**{code}**: you withdrew the question.", code=table.code)
            if own
            else language.t("**{code}**: you refused.", code=table.code),
        )

    # Again

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
        table = await self.bot.tables.rematch(press.table, person_of(interaction), free_seat=free_seat)
        language = language_of(interaction)
        if table.status is not Status.LOBBY:
            begun = language.t("**{code}** has begun already: <#{channel}>.", code=table.code, channel=table.channel_id)
            await say(interaction, begun)
            return
        opened = language.t("Table **{code}** is open: <#{channel}>.", code=table.code, channel=table.channel_id)
        await say(interaction, f"{opened} {seated(language, table, interaction.user.id)}")
