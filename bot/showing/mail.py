"""Direct messages: the hand and the turn notice for those who want them there, with the whole private dialogue.

Nothing waits for a direct message: each goes out in the background, after the channel shows the state, and what Discord
refuses is logged. Somebody who accepts none (50007) is not written to again until they ask for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import discord

from bot.languages import Language, language_for
from bot.preferences import Preferences
from bot.showing.components import message_of
from bot.showing.controls import reclaim_panel
from bot.showing.dialogue import Dialogue, with_note
from bot.showing.nonces import nonce
from bot.showing.panels import Panel, Reply
from bot.showing.pictures import Pictures
from bot.showing.retries import TROUBLE, Outage, Retries, passes
from bot.showing.unconfirmed import NONCE_LIFE, has_letter
from bot.storage import LetterRow
from bot.table import Status, Table
from bot.tables import Tables
from bot.texts import buttons, mails
from bot.texts.boards import board_link

log = logging.getLogger(__name__)

CLOSED = 50007
"""Discord's error code for somebody who accepts no direct messages from the bot."""


class Mail:
    """Writes to people, in the background. `close` ends whatever is under way.

    Hands are sent as the store remembers them (`deliver`), so that none is lost at a restart; other sentences (`note`)
    are sent once. If the answer to a message was lost, it is sent again with its nonce; when Discord may have forgotten
    the nonce, the message is looked for first.
    """

    def __init__(self, client: discord.Client, tables: Tables, pictures: Pictures, outage: Outage) -> None:
        self._client = client
        self._tables = tables
        self._pictures = pictures
        self._tasks: set[asyncio.Task[None]] = set()
        self._under_way: set[tuple[int, int, str]] = set()
        self._retries = Retries(tables.touch, outage)
        self._begun: float | None = None
        self._tried: dict[tuple[int, int, str], float] = {}
        self.not_reached: Callable[[int, int], Awaitable[None]] | None = None
        """Awaited with table and user id when a turn notice did not reach its person."""

    def close(self) -> None:
        """Stop writing."""
        self._retries.close()
        for task in self._tasks:
            task.cancel()

    async def deliver(self, table_id: int) -> None:
        """Begin to send a table's waiting direct messages."""
        if self._begun is None:
            self._begun = _now()
        for letter in await self._tables.telling.letters(table_id):
            key = (table_id, letter.user_id, letter.moment)
            if key not in self._under_way:
                self._under_way.add(key)
                self._begin(self._hand(table_id, letter), key)

    def note(
        self, table_id: int, user_id: int, say: mails.Sentence, *, reclaim: bool = False, anyway: bool = False
    ) -> None:
        """Send one person a sentence about a table, if they want direct messages.

        `reclaim`: with the button that takes their seat back. `anyway`: even if they chose to be told in channels, for
        what cannot be said there.
        """
        self._begin(self._note(table_id, user_id, say, reclaim, anyway))

    def _begin(self, work: Coroutine[Any, Any, None], key: tuple[int, int, str] | None = None) -> None:
        task = asyncio.create_task(work, name="write a direct message")
        self._tasks.add(task)

        def done(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            if key is not None:
                self._under_way.discard(key)
            if not task.cancelled() and task.exception() is not None:
                log.error("a direct message failed", exc_info=task.exception())

        task.add_done_callback(done)

    async def _hand(self, table_id: int, letter: LetterRow) -> None:
        user_id = letter.user_id
        prefers = await self._tables.people.person(user_id)
        table = await self._tables.get(table_id)
        if table.status is Status.PAUSED:
            return
        seat = table.seat_of(user_id)
        asked = letter.asked and user_id in table.waiting_for.values()
        playing = seat is not None and table.status is Status.PLAYING and table.people[seat].plays == user_id
        if seat is None or not playing or not prefers.wants_dm or asked != letter.asked:
            self._tried.pop((table_id, user_id, letter.moment), None)
            await self._tables.telling.sent(table_id, letter)
            return
        language = _language(prefers, table)
        dialogue = Dialogue(
            self._pictures, language, self._tables.seated(table, user_id), prefers.theme or table.terms.theme
        )
        reply = await dialogue.with_link().hand()
        told = mails.your_turn(language, table, seat) if asked else mails.new_hand(language, table, seat)
        key = (table_id, user_id, letter.moment)
        tried = self._tried.setdefault(key, _now())
        earlier = self._begun is not None and table.changed_at < int(self._begun)
        perhaps = table if earlier or _now() - tried > NONCE_LIFE else None
        try:
            arrived = await self._send(
                user_id, with_note(reply, told), nonce(table, "letter", user_id, letter.moment), perhaps
            )
        except TROUBLE as error:
            log.warning("a letter to %s is sent again: %s", user_id, error)
            self._retries.failed(table_id)
            return
        self._tried.pop(key, None)
        self._retries.worked(table_id)
        await self._tables.telling.sent(table_id, letter)
        if asked and not arrived and self.not_reached is not None:
            await self.not_reached(table_id, user_id)

    async def _note(self, table_id: int, user_id: int, say: mails.Sentence, reclaim: bool, anyway: bool) -> None:
        prefers = await self._tables.people.person(user_id)
        if not prefers.wants_dm and (not anyway or prefers.dm_closed_at is not None):
            return
        table = await self._tables.get(table_id)
        language = _language(prefers, table)
        panel = reclaim_panel(language, table) if reclaim else Panel()
        reply = _linked(language, table, Reply(say(language, table, table.seat_of(user_id)), panel))
        try:
            await self._send(user_id, reply)
        except TROUBLE as error:
            log.warning("a direct message to %s failed: %s", user_id, error)

    async def _send(self, user_id: int, reply: Reply, key: str | None = None, perhaps: Table | None = None) -> bool:
        """Write to somebody; False if it does not arrive. `perhaps`: it may already be there, about this table.

        Raises what Discord does if the same may work later, or has worked.
        """
        extra = message_of(reply)
        if key is not None:
            extra["nonce"] = key
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            if perhaps is not None and await has_letter(self._client, channel, perhaps, reply.content):
                return True
            await channel.send(reply.content, **extra)
        except TROUBLE as error:
            if passes(error):
                raise
            if isinstance(error, discord.HTTPException) and error.code == CLOSED:
                log.info("%s accepts no direct messages", user_id)
                await self._tables.people.dm_closed(user_id)
            else:
                log.warning("a direct message to %s failed: %s", user_id, error)
            return False
        return True


def _now() -> float:
    return discord.utils.utcnow().timestamp()


def _language(prefers: Preferences, table: Table) -> Language:
    return language_for(prefers.locale or table.terms.locale)


def _linked(language: Language, table: Table, reply: Reply) -> Reply:
    """The reply with a button that leads to the board in the channel."""
    panel = reply.panel or Panel()
    panel.link(language.t(buttons.TO_BOARD), board_link(table))
    return Reply(reply.content, panel, reply.picture, reply.alt)
