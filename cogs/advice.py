"""Advice: a hint during the game, where the table allows it, and a review once it is over."""

from __future__ import annotations

from io import BytesIO

import discord

from bot.choosing import NoSuchPath
from bot.errors import ComputerPlays, StaleBoard
from bot.rights import Deed
from bot.showing.controls import ShowReview
from bot.showing.dialogue import Hint
from bot.showing.reviewing import pages
from bot.table import Status, Table
from bot.tables.reviewing import need_over
from bot.texts import advice, refusals
from bot.texts.names import Names
from cogs.answers import Interaction, dialogue_for, language_of, replace, say, send
from cogs.arriving import think
from cogs.group import DogCog, Which, command
from cogs.presses import on_press


class AdviceCog(DogCog):
    """What computer players tell those who play."""

    @on_press(Hint)
    async def hint(self, interaction: Interaction, press: Hint, table: Table) -> None:
        """Show what a computer player would do, and why; it is played only if the person presses `Play`."""
        language = language_of(interaction)
        if press.is_stale(table, interaction.user.id):
            dialogue = await dialogue_for(interaction, table)
            await replace(interaction, await dialogue.hand(_too_late(interaction, table)))
            return
        # Thinking takes up to a second or two: acknowledged first, sent when ready.
        await think(interaction)
        found = await self.bot.tables.hints.hint(table.id, interaction.user.id, press.decision)
        now = await self.bot.tables.get(table.id)
        dialogue = await dialogue_for(interaction, now)
        reason = advice.why(language, Names.of(now, language), found.motive)
        try:
            if press.is_stale(now, interaction.user.id):
                raise StaleBoard(press.decision, None)
            reply = await dialogue.suggested(found.action, reason)
        except (NoSuchPath, StaleBoard):
            reply = await dialogue.hand(_too_late(interaction, now))
        await send(interaction, reply)

    @command("review", Deed.REVIEW, game=Which.OVER)
    async def review(self, interaction: Interaction, table: Table) -> None:
        """Review a finished game, in private."""
        await self._look_back(interaction, table)

    @on_press(ShowReview)
    async def review_of_the_end(self, interaction: Interaction, press: ShowReview, table: Table) -> None:
        """Review the game whose end was shown."""
        await self._look_back(interaction, table)

    async def _look_back(self, interaction: Interaction, table: Table) -> None:
        need_over(table)
        # It takes many seconds, and after a game everybody asks: acknowledged first, sent when ready.
        await think(interaction)
        language, user, tables = language_of(interaction), interaction.user.id, self.bot.tables

        async def tell(ahead: int) -> None:
            await say(interaction, advice.in_line(language, ahead))

        # A whole table may wait in this line, without taking the room of those who play.
        with self.bot.rates.waiting(user):
            found = await tables.reviews.review(table.id, user, tell)
        theme = (await tables.people.person(user)).theme or table.terms.theme
        for page in await pages(self.bot.pictures, language, table, found, theme):
            files = [
                discord.File(BytesIO(data), f"{number}.png", description=alt)
                for number, (data, alt) in enumerate(page.pictures, start=1)
            ]
            await interaction.followup.send(page.content, files=files, ephemeral=True)


def _too_late(interaction: Interaction, table: Table) -> str:
    """What to say when a seat is not asked (any more) what the button was made for."""
    language = language_of(interaction)
    seat = table.seat_of(interaction.user.id)
    if table.status is not Status.PLAYING or seat is None:
        return refusals.moved_on(language)
    if table.people[seat].plays is None:
        return refusals.refusal(language, ComputerPlays(seat))
    if table.decision(seat) is None:
        return advice.not_asked(language)
    return refusals.moved_on(language)
