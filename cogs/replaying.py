"""Replays: the game as an animated picture, whole or since one's own last turn."""

from __future__ import annotations

from io import BytesIO

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.rights import Deed
from bot.showing.presses import ShowReplay
from bot.showing.replaying import replay, since_last_turn
from bot.table import Table
from bot.texts import refusals, replays
from cogs.answers import Advice, Interaction, language_of
from cogs.group import DogCog, Which, command
from cogs.presses import on_press

WHOLE, MINE = "game", "mine"


class Replaying(DogCog):
    """The command that shows what has happened, moving."""

    @command(locale_str("replay"), locale_str("Watch the game again, in private"), Deed.LOOK, game=Which.SEEN)
    @app_commands.describe(
        since=locale_str("From where (since your last turn if you leave it out)"),
    )
    @app_commands.choices(
        since=[
            app_commands.Choice(name=locale_str("my last turn"), value=MINE),
            app_commands.Choice(name=locale_str("the beginning"), value=WHOLE),
        ]
    )
    async def replay(self, interaction: Interaction, table: Table, since: str | None = None) -> None:
        """Send the animated picture."""
        await self._send(interaction, table, whole=since == WHOLE)

    @on_press(ShowReplay)
    async def replay_whole(self, interaction: Interaction, press: ShowReplay, table: Table) -> None:
        """Show the whole of a game that is over."""
        await self._send(interaction, table, whole=True)

    async def _send(self, interaction: Interaction, table: Table, *, whole: bool) -> None:
        language = language_of(interaction)
        if table.game is None:
            raise Advice(refusals.not_started(language, table.code))
        # Drawing takes up to a few seconds: acknowledged first, sent when it is there.
        await interaction.response.defer(ephemeral=True, thinking=True)
        seat = table.seat_of(interaction.user.id)
        first = 0
        if seat is not None and not whole and table.is_open:
            first = since_last_turn(await self.bot.tables.log(table.id), interaction.user.id)
        film = await replay(
            table, language, first=first, theme=table.terms.theme, turned=seat, filming=self.bot.pools.film
        )
        if film is None:
            raise Advice(replays.nothing(language, table))
        await interaction.followup.send(
            replays.since_last_turn(language, table) if first else replays.whole(language, table, film.pace.hurry),
            file=discord.File(BytesIO(film.data), "replay.gif", description=replays.alt(language, table)),
            ephemeral=True,
        )
