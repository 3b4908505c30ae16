"""Replays: the game as an animated picture, whole or since one's own last turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from io import BytesIO
from typing import Any

import discord
from discord import app_commands

from bot.client import DogBot
from bot.errors import Busy, WrongStatus
from bot.pools import MOST_FILMS
from bot.rights import Deed
from bot.showing.controls import ShowReplay
from bot.showing.replaying import replay, since_last_turn
from bot.table import Status, Table
from bot.texts import commands, pictures
from bot.texts.names import Names
from cogs.answers import Interaction, SayInstead, language_of
from cogs.arriving import follow, think
from cogs.choices import choices_of
from cogs.group import DogCog, Which, command
from cogs.presses import on_press
from render.film import Film

WHOLE, MINE = "game", "mine"


class Films:
    """The films being made, by what they show: everybody who asks for the same one waits for it."""

    def __init__(self) -> None:
        self._made: dict[Hashable, asyncio.Task[Film | None]] = {}

    async def get(self, shown: Hashable, make: Callable[[], Coroutine[Any, Any, Film | None]]) -> Film | None:
        """The film that shows this. Raises `Busy` if too many are being made, before anything is told or drawn."""
        if shown not in self._made:
            if len(self._made) >= MOST_FILMS:
                raise Busy
            self._made[shown] = asyncio.create_task(make(), name="film")
            self._made[shown].add_done_callback(lambda _: self._made.pop(shown, None))
        # If one of those who asked has gone, the others still get the film.
        return await asyncio.shield(self._made[shown])


class ReplayingCog(DogCog):
    """The command that shows what has happened as an animation."""

    def __init__(self, bot: DogBot) -> None:
        super().__init__(bot)
        self._films = Films()

    @command("replay", Deed.FILM, game=Which.SEEN)
    @app_commands.choices(since=choices_of({MINE: commands.LAST_TURN, WHOLE: commands.BEGINNING}))
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
            raise WrongStatus(table.status, (Status.PLAYING,)).at(table.code)
        # Drawing takes up to a few seconds: acknowledged first, sent when ready.
        await think(interaction)
        seat = table.seat_of(interaction.user.id)
        first = 0
        if seat is not None and not whole and table.is_open:
            first = since_last_turn(await self.bot.tables.log(table.id), interaction.user.id)
        filming, theme = self.bot.pools.film, table.terms.theme
        names = tuple(Names.of(table, language).plain.items())
        shown = (table.id, table.moment, table.status, first, theme, seat, language.code, names)
        film = await self._films.get(
            shown, lambda: replay(table, language, first=first, theme=theme, turned=seat, filming=filming)
        )
        if film is None:
            raise SayInstead(pictures.nothing_to_replay(language, table))
        told = (
            pictures.replay_since_last_turn(language, table)
            if first
            else pictures.whole_replay(language, table, film.pace.hurry)
        )
        await follow(
            interaction,
            lambda: interaction.followup.send(
                told,
                file=discord.File(BytesIO(film.data), "replay.gif", description=pictures.replay_alt(language, table)),
                ephemeral=True,
            ),
        )
