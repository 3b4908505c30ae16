"""Sentences by direct message: what a user is told about a table besides their turns (`bot.delivery.letters`).

They are sent in the background. A user who accepts none (50007) is not written to again until they ask for it; the
first of all to a user waits its turn (`FirstLetters`).
"""

from __future__ import annotations

import asyncio
import logging
import operator
from collections.abc import Callable, Collection, Coroutine
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import discord

from bot import metrics
from bot.delivery.errands import find_unsent_letters
from bot.delivery.first_letters import FirstLetters
from bot.delivery.hands import Hands
from bot.delivery.lost_posts import find_letter
from bot.delivery.retries import TOLD_AGAIN, Retries
from bot.delivery.sending import TROUBLE, UNREACHABLE, is_temporary, loss_reason, new_message, open_dm, retry_once
from bot.delivery.unix_time import now
from bot.languages import Language, language_for
from bot.message import NONCE_LIFE, About, Message, Why
from bot.occupants import StandInReason
from bot.preferences import Preferences
from bot.showing.components import message_of
from bot.showing.controls import can_join, friend_panel, hand_button, join_panel, no_invitations_button
from bot.showing.emojis import dress
from bot.showing.panels import Panel, Reply
from bot.table import Lost, Status, Table
from bot.tables.service import Tables
from bot.tasks import Background
from bot.texts import buttons
from bot.texts.names import SaidOfTable
from bot.texts.public import invitations, letters
from bot.texts.public.boards import board_link

log = logging.getLogger(__name__)

HURRYING = frozenset({Why.REMINDER, Why.NUDGE, Why.TIME_UP})
"""The reasons for sentences that are of no use once the turn has passed."""

Compose = Callable[[Language, Table], Reply | None]
"""Returns what to say about a table in a language; None once it is of no use."""

Button = Callable[[Panel, Language, Table], Panel]
"""Adds a button for a table to a panel."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something to say to a user about a table, besides letters.

    `anyway`: even if they chose to be told in channels, for what cannot be said there. `of_state`: it goes with its
    reason, or with `clear`. `row`: what is remembered of it until it is told; its reader did not ask for it.
    """

    compose: Compose
    why: Why
    anyway: bool = False
    of_state: bool = False
    row: Message | None = None


LASTING = frozenset({Why.OFFERED, Why.FREED, Why.TAKEN})
"""The reasons for sentences that must not be lost: their readers may lose a seat, or have lost it."""


class Sentences:
    """Sends sentences in the background. `close` ends whatever is under way.

    They are sent once; those about a player's seat again if Discord refuses, and what only hurries the player goes with
    the turn. Invitations to a table in direct messages, and questions to friends, are remembered until they are told.
    """

    def __init__(
        self, client: discord.Client, tables: Tables, hands: Hands, retries: Retries, first_letters: FirstLetters
    ) -> None:
        self._client, self._tables, self._hands, self._retries = client, tables, hands, retries
        self.first_letters = first_letters
        self._begun = int(now())
        self._background = Background()
        self._asking: set[str] = set()
        """The nonces of invitations and questions under way."""
        self._beside: dict[tuple[int, int], list[tuple[Why | None, discord.PartialMessage]]] = {}
        """By table and user, what was written besides letters, and the reason it goes with (None: the turn)."""

    def close(self) -> None:
        """Send nothing more."""
        self._background.close()

    def write(
        self,
        table_id: int,
        user_id: int,
        say: SaidOfTable,
        why: Why,
        *,
        button: Button | None = None,
        anyway: bool = False,
    ) -> None:
        """Begin to send a user a sentence about a table with a button, if they want direct messages, or `anyway`."""
        self.begin(table_id, user_id, Sentence(partial(_compose_said, user_id, say, why, button), why, anyway))

    def begin(self, table_id: int, user_id: int, sentence: Sentence) -> None:
        """Begin to send a sentence."""
        self._begin(self._write(table_id, user_id, sentence))

    async def tell(self, table_id: int, user_id: int, sentence: Sentence, *, asks: bool = False) -> bool:
        """Send a user a sentence now; False if Discord refuses it for now, or they may not be written to yet.

        `asks`: it does not stand in their first letter.
        """
        return await self._try(await self._tables.get(table_id), user_id, sentence, asks=asks) is not None

    def invite(self, table: Table, user_id: int, by: str = "") -> None:
        """Invite a user to a lobby, in the name of a player (`by`; the host if that is empty)."""
        if not table.in_dms:
            self.write(table.id, user_id, letters.invited, Why.INVITED)
            return
        host = next((who.name for who in table.occupants.values() if who.user_id == table.host_id), "")
        self._begin(self._ask(table.id, new_message(table, About.ASKED, {}, to_id=user_id, text=by or host), new=True))

    def ask_friend(self, table: Table, seat: int, user_id: int) -> asyncio.Task[object]:
        """Ask a user to play a seat for its owner; nothing once they are not asked any more. Returns the task."""
        row = new_message(table, About.ASKED, {seat: ""}, to_id=user_id)
        return self._begin(self._ask(table.id, row, new=True))

    def ask_again(self, table: Table) -> None:
        """Begin to ask what has not been told yet, and is not under way."""
        for row in table.messages:
            if row.about is About.ASKED and row.nonce not in self._asking:
                self._begin(self._ask(table.id, row))

    def clear(self, table: Table) -> None:
        """Begin to delete what was told to a table's players."""
        for user_id in table.people:
            self.clear_user(table.id, user_id, lambda why: why not in (None, Why.INVITED))

    async def settle(self, table: Table, users: Collection[int], say: Callable[[Language, Table], str]) -> None:
        """Begin to leave of each question that these players were asked one line, which says what became of it."""
        prefers = await self._tables.users.at_table(table, users)
        for user_id in users:
            text = say(language_in(prefers[user_id], table), table)
            beside = self._beside.pop((table.id, user_id), [])
            self._beside[table.id, user_id] = [(why, sent) for why, sent in beside if why is not Why.PROPOSAL]
            for why, sent in beside:
                if why is Why.PROPOSAL:
                    self._begin(_reduce(sent, text))

    async def reach(self, table_id: int, user_id: int, say: SaidOfTable, why: Why) -> bool:
        """Send a user a sentence and their hand's button, however they want to be told; False if that fails."""
        compose = partial(_compose_said, user_id, say, why, hand_button)
        return bool(await self._write(table_id, user_id, Sentence(compose, why, anyway=True)))

    def may_write(self, prefers: Preferences) -> bool:
        """Return True if a person may be written to at once: they were before, or a turn for first letters is free."""
        return prefers.dm_id is not None or self.first_letters.take_at_once()

    def _begin(self, work: Coroutine[Any, Any, object]) -> asyncio.Task[object]:
        return self._background.begin(work, "write a direct message")

    async def _ask(self, table_id: int, row: Message, *, new: bool = False) -> None:
        """Invite a person, or ask them to play a seat for a friend; the row is remembered until they are told."""
        self._asking.add(row.nonce)
        try:
            if new:
                await self._tables.messages.add(table_id, row)
            compose, anyway = partial(_compose_asked, row), bool(row.marks)
            sentence = Sentence(compose, Why.INVITED, anyway, of_state=True, row=row)
            if await self._write(table_id, row.to_id, sentence) is not None:
                await self._tables.messages.drop(table_id, row)
        finally:
            self._asking.discard(row.nonce)

    def clear_user(self, table_id: int, user_id: int, is_over: Callable[[Why | None], bool] = operator.not_) -> None:
        """Begin to delete what was written besides letters for reasons that are over; by default, with the turn."""
        beside = self._beside.pop((table_id, user_id), [])
        if kept := [(why, message) for why, message in beside if not is_over(why)]:
            self._beside[table_id, user_id] = kept
        for why, message in beside:
            if is_over(why):
                self._begin(_delete(message))

    async def _write(self, table_id: int, user_id: int, sentence: Sentence) -> bool | None:
        """Send a sentence once its reader may be written to, some times again if it must not be lost, as `_try`."""
        table = await self._tables.get(table_id)
        must_arrive = sentence.why in LASTING or sentence.row is not None
        for pause in (*TOLD_AGAIN, None) if must_arrive else (None,):
            is_told = await self._try(table, user_id, sentence, waits=True)
            if is_told is not None or pause is None:
                break
            await asyncio.sleep(pause)
            if sentence.why in LASTING and (await self._tables.get(table_id)).occupants != table.occupants:
                # It may be true no more.
                break
        return is_told

    async def _try(
        self, before: Table, user_id: int, sentence: Sentence, *, waits: bool = False, asks: bool = False
    ) -> bool | None:
        """Send a sentence once; False if it is of no use or not wanted, None if it cannot be sent now.

        `before`: the table when it was to be said; `waits`: until its reader may be written to; `asks`: as for `tell`.
        """
        prefers = (await self._tables.users.at_table(before, [user_id]))[user_id]
        row, why = sentence.row, sentence.why
        if not prefers.wants_dm and (not sentence.anyway or prefers.dm_closed_at is not None):
            return False
        is_free = row is None and self.may_write(prefers)
        if not is_free and waits:
            await self.first_letters.take(invited=why is Why.INVITED)
        table = await self._tables.get(before.id)
        unsent = find_unsent_letters(table) if sentence.of_state and prefers.dm_id is None else ()
        if any(letter.to_id == user_id for letter in unsent):
            # Their first letter is on its way, and says the same: what came before it could be taken for it.
            return None if asks else False
        if not is_free and not waits:
            return None
        language = language_in(prefers, table)
        reply = sentence.compose(language, table)
        if reply is None or (why in HURRYING and table.moment != before.moment):
            return False
        if table.status is Status.OVER:
            reply = await self._hands.end(table, user_id, language, prefers, reply)
            self._hands.drop_in_dm(table.id, user_id)
        try:
            sent = await self.send(prefers, reply, table, row)
        except TROUBLE as error:
            log.warning("table %s: a direct message to %s failed: %s", table.id, user_id, error)
            return None
        metrics.record_letter(table, user_id, table.moment, why, sent is not None, {})
        if sent is not None and (sentence.of_state or why in HURRYING):
            self._beside.setdefault((table.id, user_id), []).append((why if sentence.of_state else None, sent))
        return sent is not None

    async def send(
        self, prefers: Preferences, reply: Reply, table: Table, row: Message | None = None
    ) -> discord.PartialMessage | None:
        """Write to a user about a table; None if they accept no messages. `row`: what is remembered of it.

        If Discord's answer was lost, the same is sent again with the nonce of its row, and looked for first when
        Discord may have forgotten that. Raises what Discord does if the same may work later, or has worked.
        """
        user_id = prefers.user_id
        try:
            channel = await open_dm(self._client, prefers)
            # Whatever was written down before we began may have been sent by then.
            if row is not None and (row.at < self._begun or now() - row.at > NONCE_LIFE):
                others = [message.id for _, message in self._beside.get((table.id, user_id), ())]
                found = await find_letter(self._client, channel, table, row, reply.content, others)
                if found is not None:
                    return channel.get_partial_message(found)
            nonce: dict[str, Any] = {} if row is None else {"nonce": row.nonce}
            # A picture can be sent once: it is made ready anew.
            sent = await retry_once(lambda: channel.send(dress(reply.content), **message_of(reply), **nonce))
            self._retries.resume()
            await self._tables.users.note_dm(user_id, channel.id)
            return channel.get_partial_message(sent.id)
        except TROUBLE as error:
            if is_temporary(error):
                raise
            if prefers.dm_id is not None and loss_reason(error) in (Lost.GONE, Lost.ACCESS):
                # Another account of the bot wrote there: its own is asked for.
                await self._tables.users.note_dm(user_id, None)
                return await self.send(replace(prefers, dm_id=None), reply, table, row)
            if isinstance(error, discord.HTTPException) and error.code in UNREACHABLE:
                await self._tables.users.dm_closed(user_id)
            else:
                log.warning("a direct message to %s failed: %s", user_id, error)
            return None


def _compose_said(
    user_id: int, say: SaidOfTable, why: Why, button: Button | None, language: Language, table: Table
) -> Reply:
    """Return a sentence for a user with its button, the way out of invitations, and the way to the board."""
    panel = Panel() if button is None else button(Panel(), language, table)
    if why is Why.INVITED:
        no_invitations_button(panel, language)
    if not table.in_dms:
        panel.link(language.t(buttons.TO_BOARD), board_link(table))
    return Reply(say(language, table, table.played_by(user_id)), panel)


def _compose_asked(row: Message, language: Language, table: Table) -> Reply | None:
    """Return an invitation, or the question to play the seat that is marked for its owner; None once it is over."""
    if not row.marks:
        panel = no_invitations_button(join_panel(language, table), language)
        return Reply(invitations.invitation_here(language, table, row.text), panel) if can_join(table) else None
    (seat,) = row.marks
    who = table.occupants.get(seat)
    if not table.is_open or who is None or who.friend != row.to_id or who.why is StandInReason.FRIEND:
        return None
    return Reply(letters.friend_asked(language, table, seat), friend_panel(language, table))


async def _delete(message: discord.PartialMessage) -> None:
    try:
        await message.delete()
    except TROUBLE as error:
        log.info("a direct message stays: %s", error)


async def _reduce(message: discord.PartialMessage, text: str) -> None:
    try:
        await message.edit(content=dress(text), view=None)
    except TROUBLE as error:
        log.info("a direct message keeps its buttons: %s", error)


def language_in(prefers: Preferences, table: Table) -> Language:
    """Return the language of what is written to a user about a table."""
    return language_for(prefers.spoken(table.terms.locale))
