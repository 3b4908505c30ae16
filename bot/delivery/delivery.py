"""The executor of delivery: carries out the errands of tables, notes it, and tries again what Discord could not do.

It compares a table with what the table has said on Discord, and closes the gap. It can be asked again at any time;
after a restart it is simply asked for every table that is behind. A turn is a new message (edits do not ping, and edits
of old messages are limited more strictly); the message before loses its buttons.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import discord

from bot import metrics
from bot.calls import find_gone
from bot.delivery import notices
from bot.delivery.board import Boards, HasPassed
from bot.delivery.errands import Amend, Errand, Remove, Say, ShowBoard, find_buried, find_errands
from bot.delivery.first_letters import FirstLetters
from bot.delivery.hands import Hands
from bot.delivery.letters import Letters
from bot.delivery.members import Members
from bot.delivery.notice_posts import NoticePosts
from bot.delivery.presence import Presence
from bot.delivery.retries import Retries
from bot.delivery.said_once import SaidOnce
from bot.delivery.sending import TROUBLE, Recent, is_temporary, partial_message
from bot.delivery.sentences import Sentences
from bot.delivery.unix_time import now
from bot.delivery.watching import PlaceWatch
from bot.message import PROPOSALS
from bot.showing.pictures import Pictures
from bot.table import Status, Table
from bot.tables.effects import News
from bot.tables.service import Tables
from bot.tasks import Locks
from bot.texts.public.places import DISCORD, Trouble

log = logging.getLogger(__name__)

TRIED_EVERY = 60
"""Seconds between two attempts to show a table that is lost, made since players press something."""


class Delivery:
    """Shows what tables want to say (`Aftermath.deliver`); `catch_up` gets those that waited for Discord."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        pictures: Pictures,
        members: Members,
        places: PlaceWatch,
        catch_up: Callable[[Collection[int]], None],
    ) -> None:
        self._client, self._tables = client, tables
        self._retries = retries = Retries(tables.aftermath.touch, catch_up)
        self._locks: Locks[int] = Locks()
        self.presence = Presence(tables.aftermath.touch)
        self.hands = Hands(tables, pictures, self.presence)
        self.first_letters = FirstLetters()
        self.sentences = Sentences(client, tables, self.hands, retries, self.first_letters)
        self.letters = Letters(client, tables, self.hands, retries, self.sentences)
        self._boards = Boards(client, tables, pictures, members, places, retries, self.sentences, self.presence)
        self.notices = NoticePosts(client, tables, members, self.sentences, self.presence, retries)
        self.once = SaidOnce(tables, members, places, self.sentences, self.notices, self._locks)
        self.letters.on_unreached = self.once.call_unreached
        self._troubles: dict[int, Trouble] = {}
        self._tried: Recent[int, float] = Recent()
        """By table, when it was tried again since a player pressed something."""
        self._closed = False

    def close(self) -> None:
        """Do not try anything again."""
        self._closed = True
        self._retries.close()
        self.notices.close()
        self.letters.close()
        self.sentences.close()
        self.hands.close()
        self.presence.close()

    async def deliver(self, table_id: int, changed: bool, news: Sequence[News]) -> None:
        """Say what a table that has `changed` wants to say, and what deadlines brought; what Discord refuses, later."""
        async with self._locks.of(table_id):
            if changed and not await self._is_hidden(table_id):
                await self._bring_up_to_date(table_id)
            if news:
                await self.once.announce(table_id, news)
        self.hands.follow(table_id)

    async def _is_hidden(self, table_id: int) -> bool:
        """Return True for a game of a cup that has no place yet."""
        table = await self._tables.get_without_game(table_id)
        return table.cup_id is not None and table.started_at is None

    async def _do_errands(self, table_id: int) -> None:
        """Find what a table wants to say, compare it with what it has said, and send the difference.

        Raises what Discord does if that has to be tried again as a whole, and `HasPassed`.
        """
        await self._tables.deadlines.choose_from_now(table_id)
        table = await self.notices.confirm(await self._tables.get(table_id))
        worked = told = True
        for errand in find_errands(table, find_gone(table, self.presence.idle(table), now())):
            done = await self._do(table, errand)
            worked, told = worked and done, told and (done or not isinstance(errand, Say))
        # A new board stands below the proposals; and each answer is noted in its proposal.
        table = await self._tables.get(table_id)
        for errand in find_buried(table):
            worked &= await self._do(table, errand)
        table = await self._tables.get(table_id)
        for asked in notices.find_answered(table):
            worked &= await self._do(table, Amend(asked, asked.marks))
        table = await self._tables.get(table_id)
        await self._boards.retire(table)
        if table.status is Status.LOBBY:
            await self.once.tell_seekers(table)
        self.presence.look_again(table)
        self._troubles.pop(table_id, None)
        metrics.drop_change(table_id)
        if not told:
            self._tables.deadlines.stall(table_id)
        elif not self.letters.are_awaited(table):
            await self._tables.deadlines.note_accepted(table_id)
        (self._retries.reset if worked else self._retries.retry_later)((table_id, "messages"))

    async def _do(self, table: Table, errand: Errand) -> bool:
        """Carry out an errand; False if it has to be tried again. For a board, raises what Discord does."""
        match errand:
            case Remove(message):
                return await self.notices.remove(table, message)
            case Amend(message, marks):
                return await self.notices.amend(table, message, marks)
            case Say(about, marks, aware):
                return await self.notices.say(table, about, marks, aware)
            case ShowBoard():
                await self._boards.show(table)
                return True

    async def _bring_up_to_date(self, table_id: int) -> None:
        """Show a table; what Discord cannot do now is tried again."""
        try:
            await self._do_errands(table_id)
        except HasPassed:
            # The newer state is shown by the change that made it, with everything this board would have told.
            return
        except Exception as error:
            if self._closed:
                # The connection is closed while the program ends; the next start shows the table.
                log.info("table %s is shown at the next start: %s", table_id, type(error).__name__)
                return
            if isinstance(error, TROUBLE):
                log.warning("table %s cannot be shown now, it is tried again: %s", table_id, error)
                if is_temporary(error):
                    self._troubles[table_id] = DISCORD
                self._tables.deadlines.stall(table_id)
            else:
                log.exception("table %s could not be shown; it is tried again", table_id)
            table = await self._tables.get_without_game(table_id)
            self._retries.retry_later((table_id, "messages"), table.channel_id)
        self.letters.send(await self._tables.get(table_id))

    def try_again(self, table: Table) -> None:
        """Try once more, at most once a minute, to show a table whose place is lost: a player has pressed something."""
        if table.lost is None or self._tried.get(table.id, -TRIED_EVERY) + TRIED_EVERY > now():
            return
        self._tried[table.id] = now()
        self._tables.aftermath.touch(table.id)

    async def restore(self, table: Table) -> bool:
        """Post the board of an open game again, or a proposal of its players, if it was deleted; return True then."""
        shown = table.shown
        if shown is None or not shown.stands or not table.is_open or table.lost is not None:
            return False
        gone = []
        for message in (shown, *(asked for asked in table.messages if asked.about in PROPOSALS and asked.stands)):
            try:
                await partial_message(self._client, message).fetch()
            except discord.NotFound:
                gone.append(message)
            except TROUBLE as error:
                log.info("table %s: its %s could not be looked for: %s", table.id, message.about, error)
        if proposals := [message for message in gone if message is not shown]:
            await self._tables.messages.drop(table.id, *proposals)
        if gone:
            # A board of no version is out of date: it is edited, which fails if it is gone, and then posted.
            await self._tables.messages.change(table.id, replace(shown, version=-1))
            self._tables.aftermath.touch(table.id)
        return bool(gone)

    def trouble(self, table_id: int) -> Trouble | None:
        """Return why the channel is not up to date; None if it is."""
        return self._troubles.get(table_id) or self.notices.unsaid.get(table_id)
