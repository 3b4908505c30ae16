"""Letters: direct messages with a turn or a sentence, for those who want them.

They are sent in the background, after the channel shows the state. A turn's letter has the board, the hand and its
buttons; it follows what its player does, and once the next has come only a line about the turn is left. A user who
accepts none (50007) is not written to again until they ask for it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import discord

from bot import metrics
from bot.delivery.hands import Hands
from bot.delivery.plan import LetterStep, asks_still, letter_step
from bot.delivery.sending import TROUBLE, Retries, find_letter, is_temporary, now, retry_once
from bot.languages import Language, language_for
from bot.metrics import Why
from bot.preferences import Preferences
from bot.showing.components import file_of, message_of, view_of
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


HURRYING = frozenset({Why.REMINDER, Why.NUDGE, Why.TIME_UP})
"""The reasons for sentences that are of no use once the turn has passed."""


class Letters:
    """Sends direct messages in the background. `close` ends whatever is under way.

    Turns are letters that the store remembers (`send`), so that none is lost at a restart. If Discord's answer was
    lost, a letter is sent again with its nonce, and looked for first when Discord may have forgotten that. Other
    sentences (`write`) are sent once; what only hurries the player goes with the turn. `not_reached` is awaited with
    table and user id when a letter that calls a player did not reach them.
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
        self._asides: dict[tuple[int, int], list[discord.PartialMessage]] = {}
        """By table and user, what was written besides the letter of a turn and goes with it."""

    def close(self) -> None:
        """Send nothing more."""
        self._background.close()

    def send(self, table: Table) -> None:
        """Begin to send a table's letters, and to change those whose turn has passed."""
        for letter in table.messages:
            if letter.about is About.LETTER and letter.nonce not in self._under_way and self._step(table, letter):
                self._under_way.add(letter.nonce)
                self._begin(self._bring(table.id, letter), letter.nonce)

    def _step(self, table: Table, letter: Message) -> LetterStep | None:
        """Return what a letter needs now; None if nothing, or if it shows the state already."""
        step = letter_step(table, letter)
        shown = step is LetterStep.UPDATE and self._hands.is_shown_in_dm(table, letter.to_id, letter.message_id or 0)
        return None if shown else step

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

    async def _bring(self, table_id: int, letter: Message) -> None:
        """Do what a letter needs by now."""
        user_id = letter.to_id
        async with self._hands.letters.of(letter.message_id or letter.nonce):
            prefers, table = await self._tables.users.preferences(user_id), await self._tables.get(table_id)
            match self._step(table, letter):
                case LetterStep.SEND:
                    await self._send_turn(table, letter, prefers)
                case LetterStep.UPDATE:
                    reply = await self._compose(table, user_id, prefers)
                    files = [] if (file := file_of(reply)) is None else [file]
                    if await self._edit(table, letter, reply.content, attachments=files, view=view_of(reply.panel)):
                        self._hands.show_in_dm(table, user_id, letter.message_id or 0)
                    self._clear_asides(table_id, user_id)
                case LetterStep.STRIP:
                    await self._edit(table, letter, self._tell_turn(table, letter, prefers), attachments=[], view=None)
                    self._tables.messages.done(table_id, letter)
                    self._clear_asides(table_id, user_id)

    async def _send_turn(self, table: Table, letter: Message, prefers: Preferences) -> None:
        """Send the letter of a turn, if its player is still asked and wants it."""
        user_id, work = letter.to_id, (table.id, "letters")
        if table.status is Status.PAUSED:
            return
        seat = table.seat_of(user_id)
        playing = seat is not None and table.status is Status.PLAYING and table.occupants[seat].plays == user_id
        if seat is None or not playing or not prefers.wants_dm or not asks_still(table, letter):
            await self._tables.messages.drop(table.id, letter)
            return
        reply = await self._compose(table, user_id, prefers, letters.your_turn(_language(prefers, table), table, seat))
        # Whatever was written down before we began may have been sent by then.
        perhaps = letter.at < self._begun or now() - letter.at > NONCE_LIFE
        try:
            sent = await self._send(user_id, reply, letter, table if perhaps else None)
        except TROUBLE as error:
            log.warning("table %s: a letter to %s is sent again: %s", table.id, user_id, error)
            self._retries.retry_later(work)
            return
        self._retries.reset(work)
        metrics.record_letter(table, user_id, letter.moment, Why.TURN, sent is not None, letter.marks)
        if sent is None:
            await self._tables.messages.drop(table.id, letter)
            await self._not_reached(table.id, user_id)
            return
        await self._tables.messages.arrived(table.id, letter, sent.id)
        self._hands.show_in_dm(table, user_id, sent.id)
        self._clear_asides(table.id, user_id)
        # The letter before loses its buttons, and this one is brought up to date if its turn has passed meanwhile.
        self._under_way.discard(letter.nonce)
        self.send(await self._tables.get(table.id))

    def _tell_turn(self, table: Table, letter: Message, prefers: Preferences) -> str:
        """Return the line that is left of a letter."""
        entry = None
        if table.game is not None and not table.takebacks:
            later = self._tables.course(table).entries(letter.moment.number + 1)
            entry = next((entry for entry in later if entry.seat in letter.marks), None)
        return letters.past_turn(_language(prefers, table), table, entry)

    async def _compose(self, table: Table, user_id: int, prefers: Preferences, above: str = "") -> Reply:
        """Return the player's turn as a direct message shows it; `above`: a sentence above it all."""
        dialogue = self._hands.dialogue(table, user_id, _language(prefers, table), prefers, in_dm=True)
        return await self._hands.compose(dialogue, user_id, above=above, tips=bool(above))

    async def _edit(self, table: Table, letter: Message, text: str, **parts: Any) -> bool:
        """Change a letter; False if Discord refuses, for now (then it is tried again) or for good."""
        work = (table.id, "letters")
        try:
            channel = await self._client.create_dm(discord.Object(letter.to_id))
            await channel.get_partial_message(letter.message_id or 0).edit(content=text, **parts)
        except TROUBLE as error:
            log.info("table %s: a letter to %s stays as it is: %s", table.id, letter.to_id, error)
            if is_temporary(error):
                self._retries.retry_later(work)
            else:
                self._tables.messages.done(table.id, letter)
            return False
        self._retries.reset(work)
        return True

    def _clear_asides(self, table_id: int, user_id: int) -> None:
        """Begin to delete what was written besides the letter of a turn."""
        for message in self._asides.pop((table_id, user_id), ()):
            self._begin(_delete(message))

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
        reply = Reply(say(language, table, table.seat_of(user_id)), panel)
        if table.status is Status.OVER:
            reply = await self._hands.end(table, user_id, language, prefers, reply)
        try:
            sent = await self._send(user_id, reply)
        except TROUBLE as error:
            log.warning("table %s: a direct message to %s failed: %s", table_id, user_id, error)
            return False
        metrics.record_letter(table, user_id, table.moment, why, sent is not None, {})
        if sent is not None and why in HURRYING:
            self._asides.setdefault((table_id, user_id), []).append(sent)
        return sent is not None

    async def _send(
        self, user_id: int, reply: Reply, letter: Message | None = None, perhaps: Table | None = None
    ) -> discord.PartialMessage | None:
        """Write to a user; None if they accept no messages. `perhaps`: the letter may be there, about this table.

        Raises what Discord does if the same may work later, or has worked.
        """
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            if letter and perhaps:
                found = await find_letter(self._client, channel, perhaps, letter, reply.content)
                if found is not None:
                    return channel.get_partial_message(found)
            nonce: dict[str, Any] = {} if letter is None else {"nonce": letter.nonce}
            # A picture can be sent once: it is made ready anew.
            sent = await retry_once(lambda: channel.send(reply.content, **message_of(reply), **nonce))
            return channel.get_partial_message(sent.id)
        except TROUBLE as error:
            if is_temporary(error):
                raise
            if isinstance(error, discord.HTTPException) and error.code == CLOSED:
                await self._tables.users.dm_closed(user_id)
            else:
                log.warning("a direct message to %s failed: %s", user_id, error)
            return None


async def _delete(message: discord.PartialMessage) -> None:
    try:
        await message.delete()
    except TROUBLE as error:
        log.info("a direct message stays: %s", error)


def _language(prefers: Preferences, table: Table) -> Language:
    return language_for(prefers.language or prefers.locale or table.terms.locale)
