"""Notices on Discord: posted, reduced and removed; at a table in direct messages, written to each player."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord

from bot import metrics
from bot.calls import filter_pinged, find_readers
from bot.delivery import notices
from bot.delivery.errands import find_doubtful, find_replaced, wanted_marks
from bot.delivery.lost_posts import find_message
from bot.delivery.members import Members
from bot.delivery.notices import Notice
from bot.delivery.presence import Presence
from bot.delivery.retries import Retries
from bot.delivery.sending import (
    SURE,
    TROUBLE,
    Recent,
    allow_mentions,
    is_temporary,
    loss_reason,
    new_message,
    partial_message,
    retry_once,
)
from bot.delivery.sentences import Sentence, Sentences
from bot.delivery.unix_time import now
from bot.languages import Language
from bot.languages.commands import language_of
from bot.message import PROPOSALS, About, Message, Why
from bot.preferences import Notify, Preferences
from bot.proposal import Proposal, ProposalKind
from bot.showing.components import view_of
from bot.showing.controls import reclaim_button
from bot.showing.emojis import dress
from bot.showing.panels import Reply
from bot.table import Lost, Note, Table
from bot.tables.service import Tables
from bot.tasks import Background
from bot.texts import buttons
from bot.texts.markup import stack
from bot.texts.names import SaidOfTable
from bot.texts.public import letters, proposals
from bot.texts.public.boards import board_link, has_resigned, resigned

log = logging.getLogger(__name__)

_WHY = {
    About.UP: Why.TIME_UP,
    About.FULL: Why.FULL,
    About.HANDED: Why.HANDED,
    **dict.fromkeys(PROPOSALS, Why.PROPOSAL),
}
"""The reasons for notices that follow from a table's state."""


class NoticePosts:
    """Brings a table's notices up to date: each `False` means that it has to be tried again."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        members: Members,
        sentences: Sentences,
        presence: Presence,
        retries: Retries,
    ) -> None:
        self._client, self._tables, self._members = client, tables, members
        self._sentences, self._presence, self._retries = sentences, presence, retries
        self.unsaid: Recent[int, Lost] = Recent()
        """By table, why Discord has refused a notice for good, until it accepts the next."""
        self._called: Recent[int, float] = Recent()
        """By table, when the players of a full lobby were called."""
        self._askers: Recent[tuple[int, ProposalKind], tuple[discord.Interaction[Any], int]] = Recent()
        """By table and kind of proposal, the answer to the player who asked it, and when they did."""
        self._background = Background()

    def close(self) -> None:
        """Look at no lobby again."""
        self._background.close()

    async def confirm(self, table: Table) -> Table:
        """Return the table once it is known what it has said. Raises what Discord does if it cannot be asked now."""
        while doubtful := find_doubtful(table, now()):
            for message in doubtful:
                message_id = await find_message(self._client, table, message)
                if message_id is None:
                    await self._tables.messages.drop(table.id, message)
                else:
                    log.info("table %s: found the %s whose post was not answered", table.id, message.about)
                    await self._note_arrival(table, message, message_id)
            table = await self._tables.get(table.id)
        return table

    async def say(self, table: Table, about: About, marks: Mapping[int, str], aware: Collection[int]) -> bool:
        """Post a notice that follows from the table's state; those it does not call are told as they chose."""
        if about is About.LOST and self._client.get_guild(table.guild_id) is None:
            # The bot was removed: it cannot tell the players, and once it is back it need not.
            await self._tables.messages.add(table.id, new_message(table, about, marks, message_id=0))
            return True
        if about is About.UP:
            left = await self._members.find_left(table, [table.clocks[seat].user_id for seat in marks])
            marks = {seat: mark for seat, mark in marks.items() if table.clocks[seat].user_id not in left}
            if not marks:
                return True
        if about is About.RESIGN and await self._can_ask_team(table):
            return await self._ask_team(table, marks)
        preferences = await self._tables.users.at_table(table, table.people)
        there = find_readers(table, self._presence.idle(table), now()) if about is About.FULL else ()
        notice = notices.state(table, about, marks, preferences, aware, there)
        if table.in_dms:
            return await self._say_in_dms(table, about, marks, preferences, notice)
        if about is About.OFFER and not aware:
            owner = table.occupants[table.proposals[ProposalKind.OFFER].about or 0].user_id
            if owner is not None:
                self._sentences.write(
                    table.id, owner, letters.offer_asked, Why.OFFERED, button=reclaim_button, anyway=True
                )
        absent = table.people.keys() - there
        if about is About.FULL and notices.calls_to_start(table) and absent and not aware:
            if self._is_too_soon(table.id):
                return True
            for user in absent:
                self._sentences.write(table.id, user, letters.full, Why.FULL)
        if about is About.LOST:
            return await self._say_lost(table, notice, marks)
        worked = notice is None or await self._post(table, notice, _WHY[about])
        others = {seat: mark for seat, mark in marks.items() if notice is None or seat not in notice.marks}
        if others:
            # They are told by letter or not at all, as they chose.
            await self._tables.messages.add(table.id, new_message(table, about, others, message_id=0))
        return worked

    def _is_too_soon(self, table_id: int) -> bool:
        """Return True if a lobby's players were called just before: its table is looked at again when they may be.

        Until then they have not been told when the game starts, so it does not.
        """
        left = self._called.get(table_id, -notices.CALL_AGAIN) + notices.CALL_AGAIN - now()
        if left > 0:
            self._background.begin(self._look_later(table_id, left), "call the players of a lobby again")
            return True
        self._called[table_id] = now()
        return False

    async def _look_later(self, table_id: int, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self._tables.aftermath.touch(table_id)

    async def _say_in_dms(
        self,
        table: Table,
        about: About,
        marks: Mapping[int, str],
        preferences: Mapping[int, Preferences],
        notice: Notice | None,
    ) -> bool:
        """Write what follows from the state of a table in direct messages to those it calls, each in their language.

        Returns False if some have to be told again later; those who have been told are not told twice.
        """
        users: Iterable[int] = () if notice is None else notice.ping
        late = {table.occupants[seat].plays for seat in marks if about is About.UP and not table.clocks[seat].waited}
        if about is About.UP:
            able = late.union(*(table.others_of(seat) for seat in marks))
            users = filter_pinged([user for user in table.people if user in able], preferences)
        elif about is About.HANDED:
            users = ()

        def compose(user: int, language: Language, table: Table) -> Reply | None:
            if wanted_marks(table, about).items() < marks.items():
                return None
            own = late_sentence(table)(language, table, table.played_by(user)) if user in late else ""
            of_others = {seat: mark for seat, mark in marks.items() if not own or seat != table.played_by(user)}
            if not of_others:
                return Reply(own)
            found = notices.state(table.spoken_in(language), about, of_others, preferences, ())
            return None if found is None else Reply(stack(own, found.text), found.panel)

        return await self._tell_each(table, about, marks, users, compose)

    async def _can_ask_team(self, table: Table) -> bool:
        """Return True if all partners who are asked to resign accept direct messages."""
        asked = await self._tables.users.several(table.proposals[ProposalKind.RESIGN].must_agree)
        return all(prefers.dm_closed_at is None for prefers in asked.values())

    async def _ask_team(self, table: Table, marks: Mapping[int, str]) -> bool:
        """Ask partners directly whether their team resigns, which the others do not read; where that fails, in public.

        Returns False if some have to be asked again later.
        """

        def compose(user: int, language: Language, table: Table) -> Reply | None:
            if wanted_marks(table, About.RESIGN).items() < marks.items():
                return None
            found = notices.state(table.spoken_in(language), About.RESIGN, marks, {}, marks)
            assert found is not None
            assert found.panel is not None
            text = proposals.team_question(language, table)
            return Reply(text, found.panel.link(language.t(buttons.TO_BOARD), board_link(table)))

        users = table.proposals[ProposalKind.RESIGN].must_agree
        if not await self._tell_each(table, About.RESIGN, marks, users, compose):
            return False
        if await self._can_ask_team(table):
            return True
        table = await self._tables.get(table.id)
        direct = (row for row in table.messages if row.about is About.RESIGN and not row.stands)
        await self._tables.messages.drop(table.id, *direct)
        return await self.say(table, About.RESIGN, marks, ())

    async def _tell_each(
        self,
        table: Table,
        about: About,
        marks: Mapping[int, str],
        users: Iterable[int],
        compose: Callable[[int, Language, Table], Reply | None],
    ) -> bool:
        """Write to these users what follows from the state of a table, once; False if some have to be told later."""
        receipts = [
            row for row in table.messages if row.about is About.TOLD and (row.told, dict(row.marks)) == (about, marks)
        ]
        told_users = {row.to_id for row in receipts}
        missing = [user for user in dict.fromkeys(users) if user not in told_users]
        worked = True
        for user in missing:
            # A proposal stands in no letter, so their first one is waited for.
            asks, alone = about in PROPOSALS, about is About.RESIGN
            sentence = Sentence(partial(compose, user), _WHY[about], alone, of_state=True)
            if not await self._sentences.tell(table.id, user, sentence, asks=asks):
                worked = False
            elif not worked or user != missing[-1]:
                # They are not told twice, even if the program ends before all have been told.
                receipts.append(new_message(table, About.TOLD, marks, message_id=0, text=about.value, to_id=user))
                await self._tables.messages.add(table.id, receipts[-1])
        if not worked:
            if not receipts:
                # A restart must find that there is more to tell.
                row = new_message(table, About.TOLD, marks, message_id=0, text=about.value)
                await self._tables.messages.add(table.id, row)
            return False
        row = new_message(table, about, marks, message_id=0)
        await self._tables.messages.add(table.id, row, instead=receipts)
        return True

    async def _say_lost(self, table: Table, notice: Notice | None, marks: Mapping[int, str]) -> bool:
        """Tell the players that their game cannot be shown: in the parent channel of its thread, else directly.

        Those who want to be told nothing are told directly, since they do not read it anywhere else.
        """
        preferences = await self._tables.users.several(table.people)
        for user, prefers in preferences.items():
            if prefers.wants_dm or prefers.notify is Notify.SILENT:
                self._sentences.write(table.id, user, letters.lost, Why.LOST, anyway=True)
        parent = await self._public_parent(table)
        if notice and parent and await self._post(table, notice, Why.LOST, channel_id=parent):
            return True
        for user in notice.ping if notice is not None else ():
            self._sentences.write(table.id, user, letters.lost, Why.LOST, anyway=True)
        await self._tables.messages.add(table.id, new_message(table, About.LOST, marks, message_id=0))
        return True

    async def _public_parent(self, table: Table) -> int | None:
        """Return the channel of a table's thread; None if it is not a thread, or may be private."""
        if table.parent_id is None or table.lost is Lost.GONE:
            return table.parent_id
        try:
            thread = await self._client.fetch_channel(table.channel_id)
        except TROUBLE as error:
            log.info("thread %s could not be looked up: %s", table.channel_id, error)
            return None
        return table.parent_id if isinstance(thread, discord.Thread) and not thread.is_private() else None

    async def say_once(self, table: Table, notice: Notice, why: Why) -> None:
        """Say something that is said once, unless Discord cannot be asked what was said before."""
        try:
            worked = await self._post(await self.confirm(table), notice, why)
        except TROUBLE as error:
            log.warning("table %s: a notice is not said: %s", table.id, error)
            worked = False
        if not worked:
            self._retries.retry_later((table.id, "messages"))

    async def _post(self, table: Table, notice: Notice, why: Why, *, channel_id: int | None = None) -> bool:
        """Post a notice in place of those it replaces; False if it has to be tried again, or was refused elsewhere."""
        message = new_message(table, notice.about, notice.marks, text=notice.text, to_id=channel_id)
        channel = self._client.get_partial_messageable(message.to_id, guild_id=table.guild_id)
        extra: dict[str, Any] = {} if notice.panel is None else {"view": view_of(notice.panel)}
        await self._tables.messages.add(table.id, message)

        async def send() -> discord.Message:
            return await channel.send(
                dress(notice.text), nonce=message.nonce, allowed_mentions=allow_mentions(notice.ping), **extra
            )

        try:
            sent = await retry_once(send)
        except TROUBLE as error:
            log.warning("table %s: a notice (%s) could not be posted: %s", table.id, notice.about, error)
            if is_temporary(error):
                return False
            reason = loss_reason(error)
            if channel_id is not None or reason in SURE:
                await self._tables.messages.drop(table.id, message)
                if reason in SURE and message.to_id == table.channel_id:
                    await self._tables.places.note_lost(table.id, reason)
                return channel_id is None
            # The place is as good as before for boards: what this notice would have said is told directly.
            await self._note_arrival(table, message, 0)
            self.unsaid[table.id] = reason
            for user in dict.fromkeys((*notice.ping, *table.waiting_for.values(), table.host_id)):
                self._sentences.write(table.id, user, letters.unsaid(reason), why, anyway=True)
            return True
        self._retries.resume(message.to_id)
        self.unsaid.pop(table.id, None)
        await self._note_arrival(table, message, sent.id)
        metrics.record_post(table, message, sent.id, notice.ping, why)
        return True

    async def _note_arrival(self, table: Table, message: Message, message_id: int) -> None:
        """Note a message that is there, and remove the notices it replaces."""
        await self._tables.messages.note_arrived(table.id, message, message_id)
        if message.about is not About.BOARD:
            for notice in find_replaced(await self._tables.get_without_game(table.id), message):
                await self.remove(table, notice)

    async def amend(self, table: Table, message: Message, marks: Mapping[int, str]) -> bool:
        """Reduce a notice to these seats; False if that has to be tried again."""
        notice = notices.amend(table, message, marks)
        if message.stands:
            extra: dict[str, Any] = {} if notice.panel is None else {"view": view_of(notice.panel)}
            try:
                await partial_message(self._client, message).edit(
                    content=dress(notice.text), allowed_mentions=allow_mentions(()), **extra
                )
            except TROUBLE as error:
                log.info("table %s: notice %s stays as it is: %s", table.id, message.message_id, error)
                if is_temporary(error):
                    return False
                if message.about in PROPOSALS and isinstance(error, discord.NotFound):
                    # It was deleted, and is asked again.
                    await self._tables.messages.drop(table.id, message)
                    return False
                if message.about not in PROPOSALS:
                    return True
        await self._tables.messages.change(table.id, replace(message, marks=notice.marks, text=notice.text))
        return True

    async def remove(self, table: Table, message: Message) -> bool:
        """Delete a notice, and tell who asked what became of a proposal. False if it has to be tried again."""
        try:
            if message.stands:
                await partial_message(self._client, message).delete()
            elif table.in_dms and message.about is not About.TOLD:
                self._sentences.clear(table)
            elif message.about is About.RESIGN:
                notes = tuple(await self._tables.notes(table.id))
                asked = [user for user, seat in table.people.items() if seat not in message.marks]
                await self._sentences.settle(table, asked, partial(_tell_team, notes=notes, marks=message.marks))
        except TROUBLE as error:
            log.info("table %s: notice %s stays: %s", table.id, message.message_id, error)
            if is_temporary(error):
                return False
            if table.is_open and not isinstance(error, discord.NotFound):
                return True
        is_over = not message.marks.items() <= wanted_marks(table, message.about).items()
        if message.about in PROPOSALS and is_over and not await self._tell_outcome(table, message):
            return False
        await self._tables.messages.drop(table.id, message)
        return True

    def note_asker(self, table: Table, asked: Proposal, interaction: discord.Interaction[Any]) -> None:
        """Remember the answer that says the others have been asked: later it says what became of the proposal."""
        self._askers[table.id, asked.kind] = (interaction, asked.at)

    async def _answer_asker(self, table: Table, message: Message, notes: Sequence[Note]) -> bool:
        """Say what became of a proposal in the answer to the player who asked it; False if that has gone by.

        The answer goes if they know, or the board shows it.
        """
        kind = ProposalKind(message.about)
        interaction, at = self._askers.get((table.id, kind), (None, 0))
        if interaction is None or str(at) not in message.marks.values():
            return False
        del self._askers[table.id, kind]
        if interaction.is_expired():
            return False
        try:
            if proposals.is_known(kind, notes, message.marks):
                await interaction.delete_original_response()
            else:
                text = proposals.outcome(language_of(interaction), table, kind, notes, message.marks)
                await interaction.edit_original_response(content=dress(text), view=None)
        except TROUBLE as error:
            log.info("table %s: who asked is not answered: %s", table.id, error)
            return False
        return True

    async def _tell_outcome(self, table: Table, message: Message) -> bool:
        """Tell the player who asked what became of a proposal; False if that has to be tried again."""
        notes = tuple(await self._tables.notes(table.id))
        if await self._answer_asker(table, message, notes):
            return True
        if not table.is_open or proposals.is_known(ProposalKind(message.about), notes, message.marks):
            return True

        def compose(language: Language, table: Table) -> Reply | None:
            kind = ProposalKind(message.about)
            return Reply(proposals.outcome(language, table.spoken_in(language), kind, notes, message.marks))

        users = [table.occupants[seat].user_id for seat in message.marks]
        # What a team decides is told nowhere else.
        sentence = Sentence(compose, Why.PROPOSAL, message.about is About.RESIGN, of_state=True)
        reached = [await self._sentences.tell(table.id, user, sentence) for user in users if user is not None]
        return all(reached)


def _tell_team(language: Language, table: Table, *, notes: Sequence[Note], marks: Mapping[int, str]) -> str:
    """Say to those who were asked to resign what became of that."""
    if has_resigned(table):
        return proposals.of_game(language, table, resigned(language, table))
    return proposals.outcome(language, table.spoken_in(language), ProposalKind.RESIGN, notes, marks)


def late_sentence(table: Table) -> SaidOfTable:
    """Return what is said to a player who does not play in time."""
    return letters.silent if table.pace.seconds is None else letters.time_up
