"""The log channel of a guild: a line when a game opens or ends, or a moderator does something.

The guild's log in the database has all lines, and the number of the last one that is in the channel. So a line that
could not be posted comes later, for a day. Lines that may have been posted are sent again with the same nonce, by which
Discord knows them for some minutes. What was refused for good is tried again when a permission or the channel changes.
Nothing is told of games in places that not all see who see the log channel.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Collection, Iterable

import discord

from bot.delivery.posting import Poster
from bot.delivery.retries import TOLD_AGAIN, Retries
from bot.delivery.sending import SURE, TROUBLE
from bot.delivery.watching import PlaceWatch, shows_as_much
from bot.errors import StorageError
from bot.guild_records import LogEntry
from bot.message import Why
from bot.showing.panels import Reply
from bot.tables.service import Tables
from bot.tasks import Background, Locks
from bot.texts import guild as texts

log = logging.getLogger("bot.delivery")

AT_ONCE = 10
"""The most lines in a message."""


class LogChannel:
    """Brings the log channels of our guilds up to date."""

    def __init__(self, client: discord.Client, tables: Tables, places: PlaceWatch) -> None:
        self._client, self._tables, self._places = client, tables, places
        self._retries = Retries(self.poke, self._catch_up)
        self.poster: Poster[int] = Poster(client, Why.LOG)
        self._locks: Locks[int] = Locks()
        self._background = Background()
        self._closed = False

    def close(self) -> None:
        """Post nothing more."""
        self._closed = True
        self._retries.close()
        self._background.close()

    def poke(self, guild_id: int) -> None:
        """Post soon what a guild's log channel does not have."""
        if not self._closed and self._tables.serves(guild_id):
            self._background.begin(self._bring(guild_id), f"bring the log of server {guild_id}")

    def tell_end(self, channel_id: int, entry: LogEntry) -> None:
        """Tell a channel that is the log no more what ended that, after its last lines."""
        if not self._closed:
            self._background.begin(self._tell_end(channel_id, entry), f"end the log in channel {channel_id}")

    async def _tell_end(self, channel_id: int, entry: LogEntry) -> None:
        """Post a last line; what Discord does not take now, some times again."""
        guild_id, nonce = entry.guild_id, secrets.token_hex(12)
        language = await self._places.language_of_guild(guild_id)
        reply = Reply("\n".join(texts.posted(language, [entry], {})))
        for pause in (*TOLD_AGAIN, None):
            try:
                async with self._locks.of(guild_id):
                    await self.poster.post(None, (guild_id, channel_id), reply, nonce, "log", silent=True)
                return
            except TROUBLE as error:
                log.warning("server %s: its log channel does not read that it is none any more: %s", guild_id, error)
                if pause is None:
                    return
                await asyncio.sleep(pause)

    async def begin(self) -> None:
        """Post what no log channel has got since the last program ended."""
        self._catch_up(await self._tables.moderation.with_unposted())

    async def look(self, guild_id: int, channel_id: int | None) -> None:
        """Try again what was refused for good if something has changed in its guild, channel or thread."""
        if await self._places.has_recovered(guild_id, self.poster.refused, channel_id):
            self.poster.refused.pop(guild_id, None)
            self.poke(guild_id)

    def _is_lost(self, guild_id: int, channel_id: int) -> bool:
        """Return True if a channel accepts nothing until something changes there; forget what another refused."""
        where, why = self.poster.refused.get(guild_id, (channel_id, None))
        if where != channel_id:
            self.poster.refused.pop(guild_id)
        return where == channel_id and why in SURE

    def _catch_up(self, guild_ids: Collection[int]) -> None:
        for guild_id in guild_ids:
            self.poke(guild_id)

    async def _bring(self, guild_id: int) -> None:
        """Post one message of lines after another."""
        moderation = self._tables.moderation
        async with self._locks.of(guild_id):
            try:
                while (settings := await moderation.guild(guild_id)).log_in is not None and not self._closed:
                    if self._is_lost(guild_id, settings.log_in):
                        return
                    entries = await moderation.list_unposted(guild_id, AT_ONCE)
                    if not entries:
                        return
                    language = await self._places.language_of_guild(guild_id)
                    codes = await moderation.codes({entry.game_id for _, entry in entries if entry.game_id is not None})
                    hidden = await self._find_hidden(guild_id, settings.log_in, codes)
                    lines = texts.posted(language, [entry for _, entry in entries], codes, hidden)
                    count = await self._post(guild_id, settings.log_in, entries[0][0], lines)
                    if not count:
                        return
                    await moderation.note_posted(guild_id, entries[min(count, len(entries)) - 1][0])
                self.poster.refused.pop(guild_id, None)
            except StorageError as problem:
                log.warning("the log channel of server %s is written later: %s", guild_id, type(problem).__name__)
                self._retries.retry_later((guild_id, "log"))

    async def _find_hidden(self, guild_id: int, channel_id: int, game_ids: Iterable[int]) -> frozenset[int]:
        """Return those of these games that are played where not all members see them who see the log channel."""
        server = self._client.get_guild(guild_id)
        log_place = None if server is None else server.get_channel_or_thread(channel_id)
        hidden = set()
        for game_id in game_ids:
            table = await self._tables.get_without_game(game_id)
            place = None if server is None else server.get_channel_or_thread(table.channel_id)
            if place is None or log_place is None or not shows_as_much(place, log_place):
                hidden.add(game_id)
        return frozenset(hidden)

    async def _post(self, guild_id: int, channel_id: int, number: int, lines: list[str]) -> int:
        """Post lines, the first of which has this number; return how many are there now."""
        where, reply, nonce = (guild_id, channel_id), Reply("\n".join(lines)), f"log {number}"
        try:
            sent = await self.poster.post(guild_id, where, reply, nonce, "log", silent=True)
        except TROUBLE:
            self._retries.retry_later((guild_id, "log"), channel_id)
            return 0
        if sent is None:
            return 0
        self._retries.reset((guild_id, "log"))
        # Discord may have known the nonce, of a message with fewer lines.
        return len(sent.content.split("\n")) if sent.content else len(lines)
