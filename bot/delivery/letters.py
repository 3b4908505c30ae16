"""Letters: direct messages with a turn, for those who want them.

They are sent in the background, after the channel shows the state. A turn's letter has the board, the hand and its
buttons; it follows what its player does, and once another player has acted only a line about the turn is left.

At a table in direct messages, each player's newest letter shows the newest state, from the lobby on.

The first letter of all to a user waits its turn (`FirstLetters`), and as long as it calls its player no time runs out.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import Any

import discord

from bot import metrics
from bot.delivery.errands import LetterStep, asks_still, find_unsent_letters, letter_step, needs_halt
from bot.delivery.hands import Hands
from bot.delivery.retries import Retries
from bot.delivery.sending import TROUBLE, is_temporary, open_dm
from bot.delivery.sentences import Sentences, language_in
from bot.message import HALTED, About, Message, Why
from bot.moment import Moment
from bot.preferences import Preferences
from bot.showing.components import edit_of
from bot.showing.controls import hand_button
from bot.showing.panels import Panel, Reply
from bot.table import Status, Table
from bot.tables.seating import find_turned_away
from bot.tables.service import Tables
from bot.tasks import Background
from bot.texts import buttons
from bot.texts.public import letters, lobbies
from bot.texts.public.boards import board_link, title

log = logging.getLogger(__name__)


class Letters:
    """Sends letters in the background. `close` ends whatever is under way.

    The store remembers them (`send`), so that none is lost at a restart.
    """

    def __init__(
        self, client: discord.Client, tables: Tables, hands: Hands, retries: Retries, sentences: Sentences
    ) -> None:
        self._client, self._tables, self._hands = client, tables, hands
        self._retries, self._sentences = retries, sentences
        self.on_unreached: Callable[[int, int], Awaitable[None]] | None = None
        """Awaited with table and user id when a letter that calls a player did not reach them."""
        self._background = Background()
        self._under_way: set[str] = set()
        self._waiting: set[str] = set()
        """The nonces of letters that wait for their turn."""
        self._writing: dict[tuple[int, int], set[asyncio.Task[object]]] = {}
        """By table and user, the letters under way."""

    def close(self) -> None:
        """Send nothing more."""
        self._background.close()

    def send(self, table: Table) -> None:
        """Begin to send a table's letters, and what it asks people, and to change letters whose turn has passed."""
        self._sentences.ask_again(table)
        for letter in table.messages:
            if letter.nonce in self._waiting:
                self._tables.deadlines.stall(table.id)
            elif letter.about is About.LETTER and letter.nonce not in self._under_way and self._step(table, letter):
                self._begin_letter(table.id, letter)

    def _step(self, table: Table, letter: Message) -> LetterStep | None:
        """Return what a letter needs now; None if nothing, or if it shows the state already."""
        step = letter_step(table, letter)
        if table.in_dms or needs_halt(table, letter):
            return step
        shown = step is LetterStep.UPDATE and self._hands.is_shown_in_dm(table, letter.to_id, letter.posted_id)
        return None if shown else step

    async def arrive(self, table_id: int, user_id: int) -> bool:
        """Wait for a user's letters of a table that are on their way; return True if they accept direct messages."""
        await asyncio.gather(*self._writing.get((table_id, user_id), ()), return_exceptions=True)
        return (await self._tables.users.preferences(user_id)).dm_closed_at is None

    def _begin(self, work: Coroutine[Any, Any, object]) -> asyncio.Task[object]:
        return self._background.begin(work, "write a direct message")

    def _begin_letter(self, table_id: int, letter: Message, *, in_turn: bool = False) -> None:
        """Begin to do what a letter needs, for which `arrive` waits."""
        whose = (table_id, letter.to_id)
        self._under_way.add(letter.nonce)
        task = self._begin(self._bring(table_id, letter, in_turn=in_turn))
        self._writing.setdefault(whose, set()).add(task)
        task.add_done_callback(lambda _: self._end(letter.nonce, whose, task))

    def _end(self, nonce: str, whose: tuple[int, int], task: asyncio.Task[object]) -> None:
        self._under_way.discard(nonce)
        self._writing[whose].discard(task)
        if not self._writing[whose]:
            del self._writing[whose]

    async def _bring(self, table_id: int, letter: Message, *, in_turn: bool = False) -> None:
        """Do what a letter needs by now. `in_turn`: it has waited until its player may be written to."""
        user_id = letter.to_id
        async with self._hands.letters.of(letter.message_id or letter.nonce):
            table = await self._tables.get(table_id)
            prefers = (await self._tables.users.at_table(table, [user_id]))[user_id]
            letter = next((known for known in table.messages if known.nonce == letter.nonce), letter)
            match self._step(table, letter):
                case LetterStep.SEND if not (in_turn or self._sentences.may_write(prefers)):
                    self._waiting.add(letter.nonce)
                    self._tables.deadlines.stall(table_id)
                    # What waits for the letters of this player now goes on.
                    self._begin(self._bring_in_turn(table_id, letter))
                case LetterStep.SEND:
                    await self._send_turn(table, letter, prefers, in_turn=in_turn)
                case LetterStep.UPDATE:
                    is_past = await self._is_past(table, user_id)
                    if await (self._fold if is_past else self._update)(table, letter, prefers):
                        if table.in_dms:
                            await self._tables.messages.change(table.id, replace(letter, version=table.version))
                        elif needs_halt(table, letter):
                            version = HALTED if table.halted else table.version
                            await self._tables.messages.change(table.id, replace(letter, version=version))
                        # The table may have gone on meanwhile.
                        self._under_way.discard(letter.nonce)
                        self.send(await self._tables.get(table.id))
                case LetterStep.STRIP:
                    line = await self._tell_turn(table, letter, prefers)
                    await self._edit(table, letter, prefers, Reply(line))
                    self._tables.messages.done(table_id, letter)
                    self._sentences.clear_user(table_id, user_id)

    async def _bring_in_turn(self, table_id: int, letter: Message) -> None:
        """Send a letter once its player may be written to."""
        await self._sentences.first_letters.take()
        self._waiting.discard(letter.nonce)
        self._begin_letter(table_id, letter, in_turn=True)

    async def _update(self, table: Table, letter: Message, prefers: Preferences) -> bool:
        """Let a letter show the newest state, unless it does; False if Discord refuses."""
        user_id, message_id = letter.to_id, letter.posted_id
        if table.in_dms and self._hands.is_shown_in_dm(table, user_id, message_id):
            return True
        reply = await self._compose(table, user_id, prefers, self._call(table, letter, prefers))
        worked = await self._edit(table, letter, prefers, reply)
        if worked:
            self._hands.show_in_dm(table, user_id, message_id)
        if not asks_still(table, letter):
            self._sentences.clear_user(table.id, user_id)
        return worked

    async def _is_past(self, table: Table, user_id: int) -> bool:
        """Return True if others have acted since a player's turn, so that they cannot take it back alone."""
        seat = table.played_by(user_id)
        if table.in_dms or table.game is None or seat is None or table.decision(seat) is not None:
            return False
        return table.number > table.game.last_of(seat) and not await self._tables.proposals.can_undo(table.id, user_id)

    async def _fold(self, table: Table, letter: Message, prefers: Preferences) -> bool:
        """Leave of a turn's letter its line, and the way to the hand and the board; False if Discord refuses."""
        language, user_id = language_in(prefers, table), letter.to_id
        panel = hand_button(Panel(), language, table).link(language.t(buttons.TO_BOARD), board_link(table))
        line = await self._tell_turn(table, letter, prefers) or title(language, table, None)
        worked = await self._edit(table, letter, prefers, Reply(line, panel))
        if worked:
            self._hands.fold_in_dm(table.id, user_id, letter.posted_id)
        self._sentences.clear_user(table.id, user_id)
        return worked

    def _call(self, table: Table, letter: Message, prefers: Preferences) -> str:
        """Return the line with which a letter calls its player; empty if it does not, or not any more."""
        seat = table.played_by(letter.to_id)
        called = bool(letter.marks) and asks_still(table, letter) and seat is not None
        return letters.your_turn(language_in(prefers, table), table, seat) if called and seat is not None else ""

    async def _send_turn(self, table: Table, letter: Message, prefers: Preferences, *, in_turn: bool) -> None:
        """Send the letter of a turn, if its player is still asked and wants it; `in_turn`: it has waited."""
        user_id, work = letter.to_id, (table.id, "letters")
        if table.status is Status.PAUSED and letter.marks:
            return
        seat = table.played_by(user_id)
        if seat is None or not self._is_wanted(table, letter, prefers):
            await self._drop(table, letter, in_turn=in_turn)
            self._under_way.discard(letter.nonce)
            self.send(await self._tables.get(table.id))
            return
        above = self._call(table, letter, prefers)
        reply = await self._compose(table, user_id, prefers, above, tips=bool(above))
        try:
            sent = await self._sentences.send(prefers, reply, table, letter)
        except TROUBLE as error:
            log.warning("table %s: a letter to %s is sent again: %s", table.id, user_id, error)
            if table.in_dms:
                self._tables.deadlines.stall(table.id)
            self._retries.retry_later(work)
            return
        self._retries.reset(work)
        metrics.record_letter(table, user_id, letter.moment, Why.TURN, sent is not None, letter.marks)
        if sent is None:
            await self._drop(table, letter, in_turn=in_turn)
            if self.on_unreached is not None:
                await self.on_unreached(table.id, user_id)
            return
        await self._tables.messages.note_arrived(table.id, letter, sent.id)
        if prefers.dm_told:
            # They were closed before.
            await self._tables.users.prefer(user_id, dm_told=False)
        self._hands.show_in_dm(table, user_id, sent.id)
        self._hands.drop_in_dm(table.id, user_id)
        if table.in_dms or in_turn:
            called = {seat: Moment.parse(mark) for seat, mark in letter.marks.items()}
            await self._tables.deadlines.note_called(table.id, called)
        if table.in_dms:
            self._sentences.clear_user(table.id, user_id, lambda why: why is Why.INVITED)
        self._sentences.clear_user(table.id, user_id)
        # The letter before loses its buttons, and this one is brought up to date if its turn has passed meanwhile.
        self._under_way.discard(letter.nonce)
        self.send(await self._tables.get(table.id))

    async def _drop(self, table: Table, letter: Message, *, in_turn: bool) -> None:
        """Forget a letter that is not sent: no time waits for it any more."""
        await self._tables.messages.drop(table.id, letter)
        if (table.in_dms or in_turn) and not self.are_awaited(await self._tables.get(table.id)):
            await self._tables.deadlines.note_accepted(table.id)

    def are_awaited(self, table: Table) -> bool:
        """Return True if no time runs out at a table before letters have come: first ones, or calls without a board."""
        unsent = find_unsent_letters(table)
        return any(letter.nonce in self._waiting or (table.in_dms and letter.marks) for letter in unsent)

    def _is_wanted(self, table: Table, letter: Message, prefers: Preferences) -> bool:
        """Return True if the player of a letter that was not sent yet still needs it."""
        seat = table.played_by(letter.to_id)
        assert seat is not None, "checked before"
        if table.in_dms and table.is_open and prefers.dm_closed_at is None:
            # Their first letter is sent however the game stands.
            stands = any(known.to_id == letter.to_id and known.stands for known in table.messages)
            if not stands or not letter.marks:
                return not stands
        playing = table.status is Status.PLAYING and table.occupants[seat].plays == letter.to_id
        return playing and prefers.wants_dm and asks_still(table, letter)

    async def _tell_turn(self, table: Table, letter: Message, prefers: Preferences) -> str:
        """Return the line that is left of a letter; of a lobby that has closed or been left, how that came."""
        if table.game is None and table.is_open and letter.to_id not in table.owners:
            freed = letter.to_id in find_turned_away(await self._tables.notes(table.id))
            return letters.past_seat(language_in(prefers, table), table, freed=freed)
        if table.game is None:
            return lobbies.lobby(language_in(prefers, table), table)
        theirs = (known for known in table.messages if known.about is About.LETTER and known.to_id == letter.to_id)
        until = min((known.moment for known in theirs if known.moment > letter.moment), default=table.moment)
        entry = None
        if until.takebacks == table.takebacks:
            # It may have followed several turns.
            later = reversed(self._tables.course(table).entries(letter.moment.number + 1))
            own = (entry for entry in later if entry.seat in letter.marks)
            entry = next((entry for entry in own if entry.number <= until.number), None)
        return letters.past_turn(language_in(prefers, table), table, entry)

    async def _compose(
        self, table: Table, user_id: int, prefers: Preferences, above: str, *, tips: bool = False
    ) -> Reply:
        """Return the player's turn, or their lobby, as a direct message shows it; `above`: a sentence above it all."""
        if table.game is None:
            return await self._hands.lobby(table, language_in(prefers, table))
        dialogue = self._hands.dialogue(table, user_id, language_in(prefers, table), prefers, in_dm=True)
        return await self._hands.compose(replace(dialogue, called=bool(above)), user_id, above=above, tips=tips)

    async def _edit(self, table: Table, letter: Message, prefers: Preferences, reply: Reply) -> bool:
        """Change a letter, or delete it if nothing is left of it.

        False if Discord refuses, for now (then it is tried again) or for good.
        """
        work = (table.id, "letters")
        try:
            channel = await open_dm(self._client, prefers)
            there = channel.get_partial_message(letter.posted_id)
            await (there.edit(**edit_of(reply)) if reply.content or reply.panel else there.delete())
        except TROUBLE as error:
            log.info("table %s: a letter to %s stays as it is: %s", table.id, letter.to_id, error)
            if is_temporary(error):
                self._retries.retry_later(work)
            else:
                self._tables.messages.done(table.id, letter)
            return False
        self._retries.reset(work)
        return True
