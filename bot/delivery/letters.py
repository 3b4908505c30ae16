"""Letters: direct messages with a hand or a sentence, for those who want them.

They are sent in the background, after the channel shows the state. A user who accepts none (50007) is not written to
again until they ask for it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import discord

from bot import metrics
from bot.delivery.hands import Hands
from bot.delivery.sending import TROUBLE, Retries, find_letter, is_temporary, now, retry_once
from bot.languages import Language, language_for
from bot.metrics import Why
from bot.preferences import Preferences
from bot.showing.components import message_of
from bot.showing.controls import hand_button, reclaim_button
from bot.showing.panels import Panel, Reply
from bot.table import NONCE_LIFE, About, Message, Status, Table
from bot.tables import Tables
from bot.tasks import Background
from bot.texts import buttons
from bot.texts.names import SaidOfTable
from bot.texts.public import letters
from bot.texts.public.boards import board_link

log = logging.getLogger(__name__)

CLOSED = 50007
"""Discord's error code for a user who accepts no direct messages from the bot."""


class Letters:
    """Sends direct messages in the background. `close` ends whatever is under way.

    Hands are letters that the store remembers (`send`), so that none is lost at a restart. If Discord's answer was
    lost, a letter is sent again with its nonce, and looked for first when Discord may have forgotten that. Other
    sentences (`write`) are sent once. `not_reached` is awaited with table and user id when a letter that calls a player
    did not reach them.
    """

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        hands: Hands,
        retries: Retries,
        not_reached: Callable[[int, int], Awaitable[None]],
    ) -> None:
        self._client = client
        self._tables = tables
        self._hands = hands
        self._retries = retries
        self._not_reached = not_reached
        self._begun = int(now())
        self._background = Background()
        self._under_way: set[str] = set()

    def close(self) -> None:
        """Send nothing more."""
        self._background.close()

    def send(self, table: Table) -> None:
        """Begin to send a table's letters."""
        for message in table.messages:
            if message.about is About.LETTER and message.nonce not in self._under_way:
                self._under_way.add(message.nonce)
                self._begin(self._hand(table.id, message), message.nonce)

    def write(
        self, table_id: int, user_id: int, say: SaidOfTable, why: Why, *, reclaim: bool = False, anyway: bool = False
    ) -> None:
        """Send a user a sentence about a table, if they want direct messages.

        `reclaim`: with the button that takes their seat back. `anyway`: even if they chose to be told in channels, for
        what cannot be said there.
        """
        self._begin(self._write(table_id, user_id, say, why, reclaim, anyway))

    async def reach(self, table_id: int, user_id: int, say: SaidOfTable, why: Why) -> bool:
        """Send a user a sentence and their hand's button, however they want to be told; False if that fails."""
        return await self._write(table_id, user_id, say, why, False, True, hand=True)

    def _begin(self, work: Coroutine[Any, Any, object], nonce: str = "") -> None:
        task = self._background.begin(work, "write a direct message")
        task.add_done_callback(lambda _: self._under_way.discard(nonce))

    async def _hand(self, table_id: int, letter: Message) -> None:
        user_id, work = letter.to_id, (table_id, "letters")
        prefers = await self._tables.users.preferences(user_id)
        table = await self._tables.get(table_id)
        if table.status is Status.PAUSED:
            return
        seat = table.seat_of(user_id)
        # What it calls them for is still to be decided; a letter that only brings a hand calls them for nothing.
        asks = all(str(table.decision(seat)) == mark for seat, mark in letter.marks.items())
        playing = seat is not None and table.status is Status.PLAYING and table.occupants[seat].plays == user_id
        if seat is None or not playing or not prefers.wants_dm or not asks:
            await self._tables.messages.drop(table_id, letter)
            return
        language = _language(prefers, table)
        dialogue = self._hands.dialogue(table, user_id, language, prefers, in_dm=True)
        told = letters.your_turn(language, table, seat) if letter.marks else letters.new_hand(language, table, seat)
        reply = await dialogue.hand(above=told)
        # Whatever was written down before we began may have been sent by then.
        perhaps = letter.at < self._begun or now() - letter.at > NONCE_LIFE
        try:
            arrived = await self._send(user_id, reply, letter, table if perhaps else None)
        except TROUBLE as error:
            log.warning("table %s: a letter to %s is sent again: %s", table_id, user_id, error)
            self._retries.retry_later(work)
            return
        self._retries.reset(work)
        await self._tables.messages.drop(table_id, letter)
        metrics.record_letter(
            table, user_id, letter.moment, Why.TURN if letter.marks else Why.HAND, arrived, letter.marks
        )
        if letter.marks and not arrived:
            await self._not_reached(table_id, user_id)

    async def _write(
        self,
        table_id: int,
        user_id: int,
        say: SaidOfTable,
        why: Why,
        reclaim: bool,
        anyway: bool,
        *,
        hand: bool = False,
    ) -> bool:
        prefers = await self._tables.users.preferences(user_id)
        if not prefers.wants_dm and (not anyway or prefers.dm_closed_at is not None):
            return False
        table = await self._tables.get(table_id)
        language = _language(prefers, table)
        panel = reclaim_button(Panel(), language, table) if reclaim else Panel()
        if hand:
            hand_button(panel, language, table)
        panel.link(language.t(buttons.TO_BOARD), board_link(table))
        try:
            arrived = await self._send(user_id, Reply(say(language, table, table.seat_of(user_id)), panel))
        except TROUBLE as error:
            log.warning("table %s: a direct message to %s failed: %s", table_id, user_id, error)
            return False
        metrics.record_letter(table, user_id, table.moment, why, arrived, {})
        return arrived

    async def _send(
        self, user_id: int, reply: Reply, letter: Message | None = None, perhaps: Table | None = None
    ) -> bool:
        """Write to a user; False if they accept no messages. `perhaps`: the letter may be there, about this table.

        Raises what Discord does if the same may work later, or has worked.
        """
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            if letter and perhaps and await find_letter(self._client, channel, perhaps, letter, reply.content):
                return True
            nonce: dict[str, Any] = {} if letter is None else {"nonce": letter.nonce}
            # A picture can be sent once: it is made ready anew.
            await retry_once(lambda: channel.send(reply.content, **message_of(reply), **nonce))
        except TROUBLE as error:
            if is_temporary(error):
                raise
            if isinstance(error, discord.HTTPException) and error.code == CLOSED:
                await self._tables.users.dm_closed(user_id)
            else:
                log.warning("a direct message to %s failed: %s", user_id, error)
            return False
        return True


def _language(prefers: Preferences, table: Table) -> Language:
    return language_for(prefers.language or prefers.locale or table.terms.locale)
