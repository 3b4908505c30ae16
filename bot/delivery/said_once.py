"""Messages said once, since no state shows them: nudges, invitations, reminders, and what deadlines brought."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.calls import find_to_call
from bot.delivery import notices
from bot.delivery.members import Members
from bot.delivery.notice_posts import NoticePosts, late_sentence
from bot.delivery.notices import Notice
from bot.delivery.sending import Recent
from bot.delivery.sentences import Sentence, Sentences
from bot.delivery.watching import PlaceWatch
from bot.errors import BotError
from bot.languages import Language
from bot.message import Why
from bot.moment import Moment
from bot.occupants import Person
from bot.preferences import Notify
from bot.showing.controls import reclaim_button, stop_seeking_panel
from bot.showing.panels import Reply
from bot.table import Table, Unseen
from bot.tables.effects import News, NewsKind
from bot.tables.finding import count_room
from bot.tables.service import Tables
from bot.tasks import Locks
from bot.texts.names import SaidOfTable
from bot.texts.public import letters

log = logging.getLogger(__name__)

_WRITTEN: Mapping[NewsKind, tuple[SaidOfTable, Why, Mapping[str, Any]]] = {
    NewsKind.HANDED: (letters.handed, Why.HANDED, {"button": reclaim_button}),
    NewsKind.OFFERED: (letters.offered, Why.OFFERED, {"button": reclaim_button, "anyway": True}),
    NewsKind.FREED: (letters.freed, Why.FREED, {"anyway": True}),
    NewsKind.TAKEN: (letters.taken, Why.TAKEN, {"anyway": True}),
}
"""The letters about a player's seat, and how they are written."""

ASKED_WITHIN = 2.0
"""Seconds for which a player waits to hear whether the friend whom they ask accepts direct messages."""

MOST_SEEKERS = 12
"""The most seekers considered when a lobby has opened or changed: each is a question to Discord."""


class SaidOnce:
    """Tells people what concerns them, each where they want to be told.

    `locks`: by table, held while something is said there.
    """

    def __init__(
        self,
        tables: Tables,
        members: Members,
        places: PlaceWatch,
        sentences: Sentences,
        notices: NoticePosts,
        locks: Locks[int],
    ) -> None:
        self._tables, self._members, self._places = tables, members, places
        self._sentences, self._notices, self._locks = sentences, notices, locks
        self._unseen: Recent[tuple[int, int], Moment] = Recent()
        """By table and user, the decision for which a player was told directly, not seeing the channel."""

    async def nudge(self, table: Table, by: str, users: Iterable[int]) -> tuple[int, ...]:
        """Tell these users that a player (`by`) waits for their move; return those who have not left."""
        async with self._locks.of(table.id):
            wanted = set(users) - await self._members.find_left(table, users)
            seats = {seat: user for seat, user in table.waiting_for.items() if user in wanted}
            preferences = await self._tables.users.several(seats.values())
            if seats:
                notice = notices.nudge(table, seats, preferences, by)
                await self._call(table, seats.values(), letters.nudged, notice, Why.NUDGE)
            return tuple(seats.values())

    async def invite(self, table: Table, by: Person, users: Sequence[int]) -> None:
        """Tell these users, each where they want to be told, that a player (`by`) invites them to a lobby.

        Those who have blocked that player stand in the message like the others, and are not called.
        """
        async with self._locks.of(table.id):
            preferences = await self._tables.users.several(users)
            notice = notices.invitation(table, users, preferences, by.name)
            called = await self._tables.users.without_blockers(by.id, users)
            if table.in_dms:
                for user in called:
                    self._sentences.invite(table, user, by.name)
                return
            notice = replace(notice, ping=tuple(user for user in notice.ping if user in called))
            await self._call(table, called, letters.invited, notice, Why.INVITED)

    async def ask_friend(self, table: Table, owner_id: int, user_id: int) -> bool:
        """Ask a user to play for the owner of a seat; False if they accept no direct messages.

        Those who have blocked the owner, or want to be told nothing, are not written to.
        """
        seat, users = table.seat_of(owner_id), self._tables.users
        if seat is None or not await users.without_blockers(owner_id, [user_id]):
            return True
        if (await users.preferences(user_id)).notify is Notify.SILENT:
            return True
        asked = self._sentences.ask_friend(table, seat, user_id)
        patience = asyncio.create_task(asyncio.sleep(ASKED_WITHIN))
        await asyncio.wait((asked, patience), return_when=asyncio.FIRST_COMPLETED)
        patience.cancel()
        return (await users.preferences(user_id)).dm_closed_at is None

    async def announce(self, table_id: int, news: Sequence[News]) -> None:
        """Announce what deadlines brought and the state does not show."""
        table = await self._tables.get_without_game(table_id)
        for each in news:
            if each.kind in _WRITTEN and each.user_id is not None:
                say, why, how = _WRITTEN[each.kind]
                self._sentences.write(table_id, each.user_id, say, why, **how)
            elif each.kind is NewsKind.SEEKING and each.user_id is not None:
                await self._look_on(table, each.user_id)
            elif each.kind is NewsKind.UP and each.seat is not None and not table.in_dms:
                self._write_late(table, each.seat)
            elif each.kind is NewsKind.CLOSE:
                await self._close_thread(table)
        late = [each for each in news if each.kind is NewsKind.NINETY and _is_current(table, each)]
        if any(each.kind is NewsKind.UP for each in news) or not late or table.lost is not None:
            # At most one message: those who read that time is up need no reminder about other players.
            return
        users = {each.seat: each.user_id for each in late if each.seat is not None and each.user_id is not None}
        left = await self._members.find_left(table, users.values())
        seats = {seat: user for seat, user in users.items() if user not in left}
        preferences = await self._tables.users.several(seats.values())
        notice = notices.reminder(table, seats, preferences)
        await self._call(table, seats.values(), letters.reminded, notice, Why.REMINDER)

    async def _look_on(self, table: Table, user_id: int) -> None:
        """Look on for a player whom others have not joined in time, and tell them."""

        def compose(language: Language, table: Table) -> Reply | None:
            return Reply(letters.looks_on(language, table), stop_seeking_panel(language, anywhere=True))

        sentence = Sentence(compose, Why.FOUND, of_state=True)
        if not await self._sentences.tell(table.id, user_id, sentence):
            self._sentences.begin(table.id, user_id, sentence)
        prefers = await self._tables.users.preferences(user_id)
        try:
            await self._tables.finding.look_on(user_id, prefers.spoken(table.terms.locale))
        except BotError as error:
            log.info("the search of %s goes on without a match: %s", user_id, error)

    async def _close_thread(self, table: Table) -> None:
        """Close the thread of a game that is over, unless another one goes on there; what passes is tried again."""
        others = await self._tables.in_channel(table.channel_id)
        if others or await self._places.close(table.guild_id, table.channel_id):
            await self._tables.deadlines.note_closed(table.id)

    def _write_late(self, table: Table, seat: int) -> None:
        """Tell a player whose time is up, and the partners, directly if they want that."""
        said = {seat: late_sentence(table), **dict.fromkeys(table.board.partners(seat), letters.partner_late)}
        for concerned, say in said.items():
            user = table.occupants[concerned].plays
            if user is not None:
                self._sentences.write(table.id, user, say, Why.TIME_UP)

    async def _call(
        self, table: Table, users: Iterable[int], say: SaidOfTable, notice: Notice | None, why: Why
    ) -> None:
        """Tell these users something, each where they want to be told: by letter, and by a notice if there is one."""
        for user in users:
            self._sentences.write(table.id, user, say, why)
        if notice is not None and not table.in_dms:
            await self._notices.say_once(table, notice, why)

    async def tell_seekers(self, table: Table) -> None:
        """Tell users who look for a table like this lobby, as many as there is room for, once each.

        Those who cannot see the lobby go on waiting. If Discord refuses the message, their search has ended all the
        same, since it is not known who has read it.
        """
        users: list[int] = []
        for seek in (await self._tables.finding.who_fits(table))[:MOST_SEEKERS]:
            if len(users) == count_room(table):
                break
            if not await self._members.can_see(table, seek.user_id):
                continue
            if await self._tables.finding.stop(table.guild_id, seek.user_id):
                users.append(seek.user_id)
        if users:
            preferences = await self._tables.users.several(users)
            notice = notices.table_found(table, users, preferences)
            await self._call(table, users, letters.found, notice, Why.FOUND)

    async def call_unreached(self, table_id: int, user_id: int) -> None:
        """Call a player in the channel whom a letter did not reach, if they chose direct messages alone."""
        async with self._locks.of(table_id):
            table = await self._tables.get(table_id)
            seats = {seat: user for seat, user in table.waiting_for.items() if user == user_id}
            prefers = await self._tables.users.preferences(user_id)
            if seats and prefers.notify is Notify.DM and not table.in_dms:
                await self._notices.say_once(table, notices.not_reached(table, seats), Why.NOT_REACHED)

    async def tell_unseeing(self, table_id: int, user_id: int, why: Unseen) -> None:
        """Tell a player directly who cannot see or answer a call; if that fails too, the clock waits for a day."""
        table = await self._tables.get(table_id)
        seat = table.played_by(user_id)
        decision = None if seat is None else table.decision(seat)
        if seat is None or decision is None or user_id not in table.waiting_for.values():
            return
        if self._unseen.get((table_id, user_id)) == decision:
            return
        self._unseen[table_id, user_id] = decision
        if not await self._sentences.reach(table_id, user_id, letters.UNSEEN[why], Why.UNSEEN):
            await self._tables.absence.wait_for_unreached(table_id, user_id, why.value)


def _is_current(table: Table, due: News) -> bool:
    """Return True if what a clock noticed still applies."""
    clock = table.clocks.get(due.seat) if due.seat is not None else None
    if clock is None or clock.decision != due.decision or clock.ends_at is None or clock.nudged:
        # A nudge has reminded them.
        return False
    # Players who have not been called yet, because Discord refused the board, learn of it from the board.
    return table.shown is None or due.seat not in find_to_call(table)
