"""Letters: direct messages with a turn or a sentence, for those who want them.

They are sent in the background, after the channel shows the state. A turn's letter has the board, the hand and its
buttons; it follows what its player does, and once another player has acted only a line about the turn is left. A user
who accepts none (50007) is not written to again until they ask for it.

At a table in direct messages, each player's newest letter shows the newest state, from the lobby on.

The first letter of all to a user waits its turn (`FirstLetters`), and as long as it calls its player no time runs out.
"""

from __future__ import annotations

import asyncio
import logging
import operator
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import discord

from bot import metrics
from bot.delivery.errands import LetterStep, asks_still, find_unsent_letters, letter_step, needs_halt
from bot.delivery.first_letters import FirstLetters
from bot.delivery.hands import Hands
from bot.delivery.lost_posts import find_letter
from bot.delivery.retries import TOLD_AGAIN, Retries
from bot.delivery.sending import TROUBLE, UNREACHABLE, is_temporary, loss_reason, new_message, open_dm, retry_once
from bot.delivery.unix_time import now
from bot.languages import Language, language_for
from bot.message import HALTED, NONCE_LIFE, About, Message, Why
from bot.moment import Moment
from bot.occupants import StandInReason
from bot.preferences import Preferences
from bot.showing.components import edit_of, message_of
from bot.showing.controls import can_join, friend_panel, hand_button, join_panel, no_invitations_button
from bot.showing.emojis import dress
from bot.showing.panels import Panel, Reply
from bot.table import Lost, Status, Table
from bot.tables.seating import find_turned_away
from bot.tables.service import Tables
from bot.tasks import Background
from bot.texts import buttons
from bot.texts.names import SaidOfTable
from bot.texts.public import invitations, letters, lobbies
from bot.texts.public.boards import board_link, title

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


class Letters:
    """Sends direct messages in the background. `close` ends whatever is under way.

    Turns are letters that the store remembers (`send`), so that none is lost at a restart; so are invitations to a
    table in direct messages, and questions to friends, until they are told. If Discord's answer was lost, a letter is
    sent again with its nonce, and looked for first when Discord may have forgotten that. Other sentences are sent once,
    those about a player's seat again; what only hurries the player goes with the turn.
    """

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        hands: Hands,
        retries: Retries,
        first_letters: FirstLetters,
    ) -> None:
        self._client = client
        self._tables = tables
        self._hands = hands
        self._retries = retries
        self.on_unreached: Callable[[int, int], Awaitable[None]] | None = None
        """Awaited with table and user id when a letter that calls a player did not reach them."""
        self._begun = int(now())
        self._background = Background()
        self._under_way: set[str] = set()
        self._first_letters = first_letters
        self._waiting: set[str] = set()
        """The nonces of letters that wait for their turn."""
        self._writing: dict[tuple[int, int], set[asyncio.Task[object]]] = {}
        """By table and user, the letters under way."""
        self._beside: dict[tuple[int, int], list[tuple[Why | None, discord.PartialMessage]]] = {}
        """By table and user, what was written besides letters, and the reason it goes with (None: the turn)."""

    def close(self) -> None:
        """Send nothing more."""
        self._background.close()

    def send(self, table: Table) -> None:
        """Begin to send a table's letters, and to change those whose turn has passed."""
        for letter in table.messages:
            if letter.nonce in self._waiting:
                self._tables.deadlines.stall(table.id)
            elif letter.about is About.ASKED and letter.nonce not in self._under_way:
                self._begin(self._ask(table.id, letter))
            elif letter.about is About.LETTER and letter.nonce not in self._under_way and self._step(table, letter):
                self._begin_letter(table.id, letter)

    def _step(self, table: Table, letter: Message) -> LetterStep | None:
        """Return what a letter needs now; None if nothing, or if it shows the state already."""
        step = letter_step(table, letter)
        if table.in_dms or needs_halt(table, letter):
            return step
        shown = step is LetterStep.UPDATE and self._hands.is_shown_in_dm(table, letter.to_id, letter.posted_id)
        return None if shown else step

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

    async def _ask(self, table_id: int, row: Message, *, new: bool = False) -> None:
        """Invite a person, or ask them to play a seat for a friend; the row is remembered until they are told."""
        self._under_way.add(row.nonce)
        try:
            if new:
                await self._tables.messages.add(table_id, row)
            compose, anyway = partial(_compose_asked, row), bool(row.marks)
            sentence = Sentence(compose, Why.INVITED, anyway, of_state=True, row=row)
            if await self._write(table_id, row.to_id, sentence) is not None:
                await self._tables.messages.drop(table_id, row)
        finally:
            self._under_way.discard(row.nonce)

    def clear(self, table: Table) -> None:
        """Begin to delete what was told to a table's players."""
        for user_id in table.people:
            self._clear(table.id, user_id, lambda why: why not in (None, Why.INVITED))

    async def arrive(self, table_id: int, user_id: int) -> bool:
        """Wait for a user's letters of a table that are on their way; return True if they accept direct messages."""
        await asyncio.gather(*self._writing.get((table_id, user_id), ()), return_exceptions=True)
        return (await self._tables.users.preferences(user_id)).dm_closed_at is None

    async def reach(self, table_id: int, user_id: int, say: SaidOfTable, why: Why) -> bool:
        """Send a user a sentence and their hand's button, however they want to be told; False if that fails."""
        compose = partial(_compose_said, user_id, say, why, hand_button)
        return bool(await self._write(table_id, user_id, Sentence(compose, why, anyway=True)))

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
            prefers = await self._prefers(table, user_id)
            letter = next((known for known in table.messages if known.nonce == letter.nonce), letter)
            match self._step(table, letter):
                case LetterStep.SEND if not (
                    in_turn or prefers.dm_id is not None or self._first_letters.take_at_once()
                ):
                    self._waiting.add(letter.nonce)
                    self._tables.deadlines.stall(table_id)
                    # What waits for the letters of this player now goes on.
                    self._begin(self._bring_in_turn(table_id, letter))
                case LetterStep.SEND:
                    await self._send_turn(table, letter, prefers, in_turn=in_turn)
                case LetterStep.UPDATE:
                    is_past = await self._is_past(table, user_id)
                    if await (self._fold if is_past else self._show)(table, letter, prefers):
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
                    self._clear(table_id, user_id)

    async def _bring_in_turn(self, table_id: int, letter: Message) -> None:
        """Send a letter once its player may be written to."""
        await self._first_letters.take()
        self._waiting.discard(letter.nonce)
        self._begin_letter(table_id, letter, in_turn=True)

    async def _show(self, table: Table, letter: Message, prefers: Preferences) -> bool:
        """Let a letter show the newest state, unless it does; False if Discord refuses."""
        user_id, message_id = letter.to_id, letter.posted_id
        if table.in_dms and self._hands.is_shown_in_dm(table, user_id, message_id):
            return True
        reply = await self._compose(table, user_id, prefers, self._call(table, letter, prefers))
        worked = await self._edit(table, letter, prefers, reply)
        if worked:
            self._hands.show_in_dm(table, user_id, message_id)
        if not asks_still(table, letter):
            self._clear(table.id, user_id)
        return worked

    async def _is_past(self, table: Table, user_id: int) -> bool:
        """Return True if others have acted since a player's turn, so that they cannot take it back alone."""
        seat = table.played_by(user_id)
        if table.in_dms or table.game is None or seat is None or table.decision(seat) is not None:
            return False
        return table.number > table.game.last_of(seat) and not await self._tables.proposals.can_undo(table.id, user_id)

    async def _fold(self, table: Table, letter: Message, prefers: Preferences) -> bool:
        """Leave of a turn's letter its line, and the way to the hand and the board; False if Discord refuses."""
        language, user_id = _language(prefers, table), letter.to_id
        panel = hand_button(Panel(), language, table).link(language.t(buttons.TO_BOARD), board_link(table))
        line = await self._tell_turn(table, letter, prefers) or title(language, table, None)
        worked = await self._edit(table, letter, prefers, Reply(line, panel))
        if worked:
            self._hands.fold_in_dm(table.id, user_id, letter.posted_id)
        self._clear(table.id, user_id)
        return worked

    def _call(self, table: Table, letter: Message, prefers: Preferences) -> str:
        """Return the line with which a letter calls its player; empty if it does not, or not any more."""
        seat = table.played_by(letter.to_id)
        called = bool(letter.marks) and asks_still(table, letter) and seat is not None
        return letters.your_turn(_language(prefers, table), table, seat) if called and seat is not None else ""

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
            sent = await self._send(prefers, reply, letter, table if self._may_be_there(letter) else None)
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
            self._clear(table.id, user_id, lambda why: why is Why.INVITED)
        self._clear(table.id, user_id)
        # The letter before loses its buttons, and this one is brought up to date if its turn has passed meanwhile.
        self._under_way.discard(letter.nonce)
        self.send(await self._tables.get(table.id))

    def _may_be_there(self, letter: Message) -> bool:
        """Return True if a letter may have been sent, and Discord may no longer know its nonce."""
        # Whatever was written down before we began may have been sent by then.
        return letter.at < self._begun or now() - letter.at > NONCE_LIFE

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

    def _may_write(self, prefers: Preferences) -> bool:
        """Return True if a person may be written to at once: they were before, or a turn for first letters is free."""
        return prefers.dm_id is not None or self._first_letters.take_at_once()

    async def _prefers(self, table: Table, user_id: int) -> Preferences:
        return (await self._tables.users.at_table(table, [user_id]))[user_id]

    async def _tell_turn(self, table: Table, letter: Message, prefers: Preferences) -> str:
        """Return the line that is left of a letter; of a lobby that has closed or been left, how that came."""
        if table.game is None and table.is_open and letter.to_id not in table.owners:
            freed = letter.to_id in find_turned_away(await self._tables.notes(table.id))
            return letters.past_seat(_language(prefers, table), table, freed=freed)
        if table.game is None:
            return lobbies.lobby(_language(prefers, table), table)
        theirs = (known for known in table.messages if known.about is About.LETTER and known.to_id == letter.to_id)
        until = min((known.moment for known in theirs if known.moment > letter.moment), default=table.moment)
        entry = None
        if until.takebacks == table.takebacks:
            # It may have followed several turns.
            later = reversed(self._tables.course(table).entries(letter.moment.number + 1))
            own = (entry for entry in later if entry.seat in letter.marks)
            entry = next((entry for entry in own if entry.number <= until.number), None)
        return letters.past_turn(_language(prefers, table), table, entry)

    async def _compose(
        self, table: Table, user_id: int, prefers: Preferences, above: str, *, tips: bool = False
    ) -> Reply:
        """Return the player's turn, or their lobby, as a direct message shows it; `above`: a sentence above it all."""
        if table.game is None:
            return await self._hands.lobby(table, _language(prefers, table))
        dialogue = self._hands.dialogue(table, user_id, _language(prefers, table), prefers, in_dm=True)
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

    def _clear(self, table_id: int, user_id: int, is_over: Callable[[Why | None], bool] = operator.not_) -> None:
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
        prefers, row, why = await self._prefers(before, user_id), sentence.row, sentence.why
        if not prefers.wants_dm and (not sentence.anyway or prefers.dm_closed_at is not None):
            return False
        is_free = row is None and self._may_write(prefers)
        if not is_free and waits:
            await self._first_letters.take(invited=why is Why.INVITED)
        table = await self._tables.get(before.id)
        unsent = find_unsent_letters(table) if sentence.of_state and prefers.dm_id is None else ()
        if any(letter.to_id == user_id for letter in unsent):
            # Their first letter is on its way, and says the same: what came before it could be taken for it.
            return None if asks else False
        if not is_free and not waits:
            return None
        language = _language(prefers, table)
        reply = sentence.compose(language, table)
        if reply is None or (why in HURRYING and table.moment != before.moment):
            return False
        if table.status is Status.OVER:
            reply = await self._hands.end(table, user_id, language, prefers, reply)
            self._hands.drop_in_dm(table.id, user_id)
        try:
            sent = await self._send(prefers, reply, row, table if row is not None and self._may_be_there(row) else None)
        except TROUBLE as error:
            log.warning("table %s: a direct message to %s failed: %s", table.id, user_id, error)
            return None
        metrics.record_letter(table, user_id, table.moment, why, sent is not None, {})
        if sent is not None and (sentence.of_state or why in HURRYING):
            self._beside.setdefault((table.id, user_id), []).append((why if sentence.of_state else None, sent))
        return sent is not None

    async def _send(
        self, prefers: Preferences, reply: Reply, letter: Message | None = None, perhaps: Table | None = None
    ) -> discord.PartialMessage | None:
        """Write to a user; None if they accept no messages. `perhaps`: the letter may be there, about this table.

        Raises what Discord does if the same may work later, or has worked.
        """
        user_id = prefers.user_id
        try:
            channel = await open_dm(self._client, prefers)
            if letter and perhaps:
                others = [message.id for _, message in self._beside.get((perhaps.id, user_id), ())]
                found = await find_letter(self._client, channel, perhaps, letter, reply.content, others)
                if found is not None:
                    return channel.get_partial_message(found)
            nonce: dict[str, Any] = {} if letter is None else {"nonce": letter.nonce}
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
                return await self._send(replace(prefers, dm_id=None), reply, letter, perhaps)
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


def _language(prefers: Preferences, table: Table) -> Language:
    return language_for(prefers.spoken(table.terms.locale))
