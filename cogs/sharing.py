"""The picture of a finished game, to post elsewhere."""

from __future__ import annotations

import asyncio
from io import BytesIO

import discord

from bot.rights import Deed
from bot.showing.controls import SharePicture
from bot.table import Table
from bot.texts import pictures
from cogs.answers import Interaction, SayInstead, language_of
from cogs.arriving import follow, think
from cogs.group import DogCog, Which, command
from cogs.presses import on_press


class SharingCog(DogCog):
    """The command and the button for the picture to share."""

    @command("card", Deed.LOOK, game=Which.OVER)
    async def card(self, interaction: Interaction, table: Table) -> None:
        """Send the picture privately; people who like it can post it elsewhere."""
        await self._send(interaction, table)

    @on_press(SharePicture)
    async def card_of_the_end(self, interaction: Interaction, press: SharePicture, table: Table) -> None:
        """Send the picture of the game whose end was shown."""
        await self._send(interaction, table)

    async def _send(self, interaction: Interaction, table: Table) -> None:
        language = language_of(interaction)
        if table.game is None or not table.won:
            raise SayInstead(pictures.not_over(language, table))
        await think(interaction)
        view = table.game.view()
        entries = await asyncio.to_thread(table.game.history, 0)
        told = pictures.share_facts(language, table, view, entries)
        picture = await self.bot.pictures.shared(table, view, language, told)
        alt = pictures.share_alt(language, table, told)
        await follow(
            interaction,
            lambda: interaction.followup.send(
                file=discord.File(BytesIO(picture), f"{table.code}.png", description=alt[:1024]), ephemeral=True
            ),
        )
