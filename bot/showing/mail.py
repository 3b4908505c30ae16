"""Direct messages: the hand and the turn notice for those who want them there, with the whole private dialogue.

Nothing waits for a direct message: each goes out in the background, after the channel shows the state, and what Discord
refuses is logged. Somebody who accepts none (50007) is not written to again until they ask for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine
from typing import Any

import discord

from bot.errors import BotError
from bot.languages import Language, language_for
from bot.preferences import Preferences
from bot.showing.dialogue import Dialogue, Reply, with_note
from bot.showing.panels import Panel, Press
from bot.showing.pictures import Pictures
from bot.table import Status, Table
from bot.tables import Tables
from bot.texts import mails
from bot.texts.boards import board_link

log = logging.getLogger(__name__)

CLOSED = 50007
"""Discord's error code for somebody who accepts no direct messages from the bot."""


class Mail:
    """Writes to people, in the background. `close` ends what is under way."""

    def __init__(self, client: discord.Client, tables: Tables, pictures: Pictures) -> None:
        self._client = client
        self._tables = tables
        self._pictures = pictures
        self._tasks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Stop writing."""
        for task in self._tasks:
            task.cancel()

    def turn(self, table: Table, asked: Collection[int], *, dealt: bool) -> None:
        """Tell those in `asked` (user ids) that it is their turn; after a deal, send everybody their hand."""
        users = [who.plays for who in table.people.values() if who.plays is not None]
        for user in users:
            if user in asked or dealt:
                self._begin(self._hand(table.id, user, user in asked))

    def note(
        self, table_id: int, user_id: int, say: mails.Sentence, *, reclaim: bool = False, anyway: bool = False
    ) -> None:
        """Tell one person a sentence about a table, if they want direct messages.

        `reclaim`: with the button that takes their seat back. `anyway`: also if they are told in channels else, for
        what cannot be told there.
        """
        self._begin(self._note(table_id, user_id, say, reclaim, anyway))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="write a direct message")
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a direct message failed", exc_info=task.exception())

    async def _hand(self, table_id: int, user_id: int, asked: bool) -> None:
        prefers = await self._tables.person(user_id)
        if not prefers.wants_dm:
            return
        table = await self._tables.get(table_id)
        seat = table.seat_of(user_id)
        if seat is None or table.game is None or table.status is not Status.PLAYING:
            return
        language = _language(prefers, table)
        dialogue = Dialogue(self._pictures, language, table, seat, prefers.theme or table.terms.theme)
        reply = await dialogue.with_link().hand()
        told = mails.your_turn(language, table) if asked else mails.new_hand(language, table)
        await self._send(user_id, with_note(reply, told))

    async def _note(self, table_id: int, user_id: int, say: mails.Sentence, reclaim: bool, anyway: bool) -> None:
        prefers = await self._tables.person(user_id)
        if not prefers.wants_dm and (not anyway or prefers.dm_closed_at is not None):
            return
        table = await self._tables.get(table_id)
        language = _language(prefers, table)
        panel = Panel()
        if reclaim:
            panel.button(language.t("Take my seat back"), Press("reclaim", table.id, table.number), emoji="🙋")
        await self._send(user_id, _linked(language, table, Reply(say(language, table), panel)))

    async def _send(self, user_id: int, reply: Reply) -> None:
        extra: dict[str, Any] = {}
        if (file := reply.file()) is not None:
            extra["file"] = file
        if reply.panel is not None and reply.panel.children:
            extra["view"] = reply.panel
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            await channel.send(reply.content, **extra)
        except discord.HTTPException as error:
            if error.code == CLOSED:
                log.info("%s accepts no direct messages", user_id)
                if await self._tables.dm_closed(user_id):
                    # Told with the next private answer in the channel, which is where they can be reached.
                    await self._tables.prefer(user_id, dm_told=False)
            else:
                log.warning("a direct message to %s failed: %s", user_id, error)
        except (OSError, BotError) as error:
            log.warning("a direct message to %s failed: %s", user_id, error)


def _language(prefers: Preferences, table: Table) -> Language:
    return language_for(prefers.locale or table.terms.locale)


def _linked(language: Language, table: Table, reply: Reply) -> Reply:
    """The reply with a button that leads to the board in the channel."""
    panel = reply.panel or Panel()
    panel.link(language.t("To the board"), board_link(table))
    return Reply(reply.content, panel, reply.picture, reply.alt)
