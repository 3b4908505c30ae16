"""The puzzle of the day in the channels of those guilds that want it: posted once, even if the program ends midway.

Guilds are served in turn, so that no table waits for a post. What was refused for good is tried again when a permission
or the channel changes.
"""

from __future__ import annotations

import asyncio
import logging

import discord

from bot.delivery.posting import Doubt, Poster
from bot.delivery.sending import TROUBLE
from bot.delivery.watching import PlaceWatch
from bot.errors import StorageError
from bot.message import Why
from bot.occupants import Person
from bot.showing.lessons import Tutor
from bot.showing.panels import Reply
from bot.showing.pictures import Pictures
from bot.storage.puzzles import PuzzlePost
from bot.table import Feature
from bot.tables.service import Tables
from bot.tasks import Background
from bot.texts.teaching import learning

log = logging.getLogger("bot.delivery")

AGAIN = 60
"""Seconds after which what could not be posted is tried again."""


class DailyPuzzle:
    """Posts the puzzle of each day."""

    def __init__(self, client: discord.Client, tables: Tables, pictures: Pictures, places: PlaceWatch) -> None:
        self._tables, self._pictures, self._places = tables, pictures, places
        self._lock = asyncio.Lock()
        self._retrying = False
        self.poster: Poster[int] = Poster(client, Why.DAY)
        self._background = Background()

    def close(self) -> None:
        """Post nothing more."""
        self._background.close()

    async def run(self) -> None:
        """Post what is to be posted, now and whenever a day begins. Never returns."""
        await self._recall_refused()
        while True:
            done = await self.post()
            left = self._tables.puzzles.seconds_left()
            # A little after the day has begun, since clocks differ.
            await asyncio.sleep(left + 1 if done else min(AGAIN, left + 1))

    async def _recall_refused(self) -> None:
        """Find the puzzles of today that were refused; those whose channel may be used by now are posted again."""
        try:
            for guild_id, channel_id in await self._tables.puzzles.list_refused():
                reason = await self._places.why_unusable(guild_id, channel_id)
                if reason is None:
                    await self._tables.puzzles.forget_refusal(guild_id)
                else:
                    self.poster.refused[guild_id] = channel_id, reason
        except StorageError as problem:
            log.warning("refused puzzles of the day are not looked at: %s", type(problem).__name__)

    async def look(self, guild_id: int, channel_id: int | None) -> None:
        """Try a puzzle that was refused for good once more if something has changed in its guild, channel or thread."""
        if await self._places.has_recovered(guild_id, self.poster.refused, channel_id):
            await self.choose_channel(guild_id)

    async def choose_channel(self, guild_id: int) -> None:
        """Post today's puzzle soon where a guild wants it from now on, whatever was refused before."""
        self.poster.refused.pop(guild_id, None)
        await self._tables.puzzles.forget_refusal(guild_id)
        self._background.begin(self._post_soon(), "post the puzzle of the day where it is missing")

    async def _post_soon(self) -> None:
        """Post now what is missing, and again until it is there or refused; `run` may sleep until tomorrow."""
        done = await self.post()
        if done or self._retrying:
            return
        self._retrying = True
        try:
            while not done:
                await asyncio.sleep(AGAIN)
                done = await self.post()
        finally:
            self._retrying = False

    async def post(self) -> bool:
        """Post today's puzzle wherever it is wanted and missing; False if something has to be tried again."""
        done = True
        async with self._lock:
            try:
                for post in await self._tables.puzzles.to_post():
                    done = await self._post(post) and done
            except StorageError as problem:
                log.warning("the puzzle of the day is posted later: %s", type(problem).__name__)
                return False
        return done

    async def _post(self, post: PuzzlePost) -> bool:
        """Post a guild's puzzle; False if it has to be tried again."""
        puzzles = self._tables.puzzles
        if Feature.PUZZLE in (await self._tables.moderation.guild(post.guild_id)).off:
            await puzzles.note_posted(post, 0)
            return True
        where, doubt = (post.guild_id, post.channel_id), Doubt(post.at, lambda text: text.startswith(learning.PUZZLE))
        try:
            reply = await self._compose(post)
            if reply.picture is None:
                # Too many pictures are being waited for.
                return False
            about, day = "puzzle", post.day
            sent = await self.poster.post(
                post.guild_id, where, reply, post.nonce, about, doubt=doubt, silent=True, day=day
            )
        except TROUBLE as error:
            log.warning("guild %s: the puzzle of the day is posted later: %s", post.guild_id, error)
            return False
        await puzzles.note_posted(post, 0 if sent is None else sent.id)
        return True

    async def _compose(self, post: PuzzlePost) -> Reply:
        """Return the puzzle as a guild sees it, in its language and theme."""
        settings = await self._tables.moderation.guild(post.guild_id)
        language = await self._places.language_of_guild(post.guild_id)
        yesterday = await self._tables.puzzles.solvers(post.day - 1, post.guild_id)
        reader = Person(0, learning.you(language))
        tutor = Tutor(self._pictures, language, reader, settings.theme, as_public=False)
        return await tutor.post(post.day, yesterday)
