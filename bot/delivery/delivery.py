"""The executor of delivery: carries out what `plan` finds, notes it, and tries again what Discord could not do.

It compares a table with what the table has said on Discord, and closes the gap. It can be asked again at any time;
after a restart it is simply asked for every table that is behind. A turn is a new message (edits do not ping, and edits
of old messages are limited more strictly); the message before loses its buttons.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord

from bot import metrics
from bot.calls import find_called_quietly, find_to_call
from bot.delivery import notices
from bot.delivery.board import Boards, HasPassed
from bot.delivery.hands import Hands
from bot.delivery.letters import Letters, Sentence
from bot.delivery.notices import Notice, filter_pinged
from bot.delivery.plan import (
    Amend,
    Errand,
    Remove,
    Say,
    Show,
    find_buried,
    find_doubtful,
    find_replaced,
    plan,
    wanted_marks,
)
from bot.delivery.presence import Presence
from bot.delivery.sending import (
    SURE,
    TROUBLE,
    FirstLetters,
    Recent,
    Retries,
    allow_mentions,
    find,
    is_temporary,
    loss_reason,
    new_message,
    now,
    partial_message,
    retry_once,
)
from bot.delivery.watching import Members, PlaceWatch
from bot.errors import BotError
from bot.languages import Language
from bot.languages.commands import language_of
from bot.metrics import Why
from bot.moment import Moment
from bot.occupants import Person
from bot.preferences import Notify, Preferences
from bot.showing.components import view_of
from bot.showing.controls import reclaim_button, stop_seeking_panel
from bot.showing.emojis import dress
from bot.showing.panels import Reply
from bot.showing.pictures import Pictures
from bot.table import QUESTIONS, About, Lost, Message, Note, Proposal, ProposalKind, Status, Table, Unseen
from bot.tables import News, NewsKind, Tables
from bot.tables.finding import count_room
from bot.tasks import Background, Locks
from bot.texts import buttons
from bot.texts.markup import stack
from bot.texts.names import SaidOfTable
from bot.texts.public import letters, proposals
from bot.texts.public.boards import board_link
from bot.texts.public.places import DISCORD, Trouble

log = logging.getLogger(__name__)

_WHY = {
    About.UP: Why.TIME_UP,
    About.FULL: Why.FULL,
    About.HANDED: Why.HANDED,
    **dict.fromkeys(QUESTIONS, Why.QUESTION),
}
"""The reasons for notices that follow from a table's state."""

_WRITTEN: Mapping[NewsKind, tuple[SaidOfTable, Why, Mapping[str, Any]]] = {
    NewsKind.HANDED: (letters.handed, Why.HANDED, {"button": reclaim_button}),
    NewsKind.OFFERED: (letters.offered, Why.OFFERED, {"button": reclaim_button, "anyway": True}),
    NewsKind.FREED: (letters.freed, Why.FREED, {"anyway": True}),
    NewsKind.TAKEN: (letters.taken, Why.TAKEN, {"anyway": True}),
}
"""The letters about a player's seat, and how they are written."""

TRIED_EVERY = 60
"""Seconds between two attempts to show a table that is lost, made since players press something."""

ASKED_WITHIN = 2.0
"""Seconds for which a player waits to hear whether the friend whom they ask accepts direct messages."""

MOST_SEEKERS = 12
"""The most seekers considered when a lobby has opened or changed: each is a question to Discord."""


class Delivery:
    """Shows what tables want to say (`Tables.deliver_with`); `catch_up` gets those that waited for Discord."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        pictures: Pictures,
        members: Members,
        places: PlaceWatch,
        catch_up: Callable[[Collection[int]], None],
    ) -> None:
        self._client = client
        self._tables = tables
        self._members = members
        self._places = places
        self._retries = Retries(tables.touch, catch_up)
        self.presence = Presence(tables.touch)
        self.hands = Hands(tables, pictures, self.presence)
        self.first_letters = FirstLetters()
        self._letters = Letters(client, tables, self.hands, self._retries, self._call_unreached, self.first_letters)
        self._boards = Boards(client, tables, pictures, members, places, self._retries, self._letters, self.presence)
        self._troubles: dict[int, Trouble] = {}
        self._unsaid: Recent[int, Lost] = Recent()
        """By table, why Discord has refused a notice for good, until it accepts the next."""
        self._unseen: Recent[tuple[int, int], Moment] = Recent()
        """By table and user, the decision for which a player was told directly, not seeing the channel."""
        self._tried: Recent[int, float] = Recent()
        """By table, when it was tried again since a player pressed something."""
        self._called: Recent[int, float] = Recent()
        """By table, when the players of a full lobby were called."""
        self._askers: Recent[tuple[int, ProposalKind], tuple[discord.Interaction[Any], int]] = Recent()
        """By table and question, the answer to the player who asked it, and when they did."""
        self._background = Background()
        self._locks: Locks[int] = Locks()
        self._closed = False

    def close(self) -> None:
        """Do not try anything again."""
        self._closed = True
        self._background.close()
        self._retries.close()
        self._letters.close()
        self.hands.close()
        self.presence.close()

    def try_again(self, table: Table) -> None:
        """Try once more, at most once a minute, to show a table whose place is lost: a player has pressed something."""
        if table.lost is None or self._tried.get(table.id, -TRIED_EVERY) + TRIED_EVERY > now():
            return
        self._tried[table.id] = now()
        self._tables.touch(table.id)

    async def restore(self, table: Table) -> bool:
        """Post the board of an open game again, or a question of its players, if it was deleted; return True then."""
        shown = table.shown
        if shown is None or not shown.stands or not table.is_open or table.lost is not None:
            return False
        gone = []
        for message in (shown, *(asked for asked in table.messages if asked.about in QUESTIONS and asked.stands)):
            try:
                await partial_message(self._client, message).fetch()
            except discord.NotFound:
                gone.append(message)
            except TROUBLE as error:
                log.info("table %s: its %s could not be looked for: %s", table.id, message.about, error)
        if questions := [message for message in gone if message is not shown]:
            await self._tables.messages.drop(table.id, *questions)
        if gone:
            # A board of no version is out of date: it is edited, which fails if it is gone, and then posted.
            await self._tables.messages.change(table.id, replace(shown, version=-1))
            self._tables.touch(table.id)
        return bool(gone)

    async def reaches(self, table_id: int, user_id: int) -> bool:
        """Wait for what is being written to a player about a table; return True if they accept direct messages."""
        return await self._letters.arrive(table_id, user_id)

    def trouble(self, table_id: int) -> Trouble | None:
        """Return why the channel is not up to date; None if it is."""
        return self._troubles.get(table_id) or self._unsaid.get(table_id)

    async def deliver(self, table_id: int, changed: bool, news: Sequence[News]) -> None:
        """Say what a table that has `changed` wants to say, and what deadlines brought; what Discord refuses, later."""
        async with self._locks.of(table_id):
            if changed and not await self._is_hidden(table_id):
                await self._bring_up_to_date(table_id)
            if news:
                await self._announce(table_id, news)
        self.hands.follow(table_id)

    async def _is_hidden(self, table_id: int) -> bool:
        """Return True for a game of a cup that has no place yet."""
        table = await self._tables.get_without_game(table_id)
        return table.cup_id is not None and table.started_at is None

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

    async def ask_friend(self, table: Table, owner_id: int, user_id: int) -> bool:
        """Ask a user to play for the owner of a seat; False if they accept no direct messages.

        Those who have blocked the owner, or want to be told nothing, are not written to.
        """
        seat, users = table.seat_of(owner_id), self._tables.users
        if seat is None or not await users.without_blockers(owner_id, [user_id]):
            return True
        if (await users.preferences(user_id)).notify is Notify.SILENT:
            return True
        asked = self._letters.ask_friend(table, seat, user_id)
        patience = asyncio.create_task(asyncio.sleep(ASKED_WITHIN))
        await asyncio.wait((asked, patience), return_when=asyncio.FIRST_COMPLETED)
        patience.cancel()
        return (await users.preferences(user_id)).dm_closed_at is None

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
                    self._letters.invite(table, user, by.name)
                return
            notice = replace(notice, ping=tuple(user for user in notice.ping if user in called))
            await self._call(table, called, letters.invited, notice, Why.INVITED)

    async def _tell_seekers(self, table: Table) -> None:
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

    async def _call_unreached(self, table_id: int, user_id: int) -> None:
        """Call a player in the channel whom a letter did not reach, if they chose direct messages alone."""
        async with self._locks.of(table_id):
            table = await self._tables.get(table_id)
            seats = {seat: user for seat, user in table.waiting_for.items() if user == user_id}
            prefers = await self._tables.users.preferences(user_id)
            if seats and prefers.notify is Notify.DM and not table.in_dms:
                await self._say_once(table, notices.not_reached(table, seats), Why.NOT_REACHED)

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
        if not await self._letters.reach(table_id, user_id, letters.UNSEEN[why], Why.UNSEEN):
            await self._tables.absence.wait_for_unreached(table_id, user_id, why.value)

    async def _announce(self, table_id: int, news: Sequence[News]) -> None:
        """Announce what deadlines brought and the state does not show."""
        table = await self._tables.get_without_game(table_id)
        for each in news:
            if each.kind in _WRITTEN and each.user_id is not None:
                say, why, how = _WRITTEN[each.kind]
                self._letters.write(table_id, each.user_id, say, why, **how)
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
        if not await self._letters.tell(table.id, user_id, sentence):
            self._letters.begin(table.id, user_id, sentence)
        prefers = await self._tables.users.preferences(user_id)
        try:
            await self._tables.finding.look_on(user_id, prefers.spoken(table.terms.locale))
        except BotError as error:
            log.info("the search of %s goes on without a match: %s", user_id, error)

    async def _close_thread(self, table: Table) -> None:
        """Close the thread of a game that is over, unless another one goes on there; what passes is tried again."""
        others = await self._tables.in_channel(table.channel_id)
        if others or await self._places.close(table.guild_id, table.channel_id):
            await self._tables.deadlines.closed(table.id)

    def _write_late(self, table: Table, seat: int) -> None:
        """Tell a player whose time is up, and the partners, directly if they want that."""
        said = {seat: _late(table), **dict.fromkeys(table.board.partners(seat), letters.partner_late)}
        for concerned, say in said.items():
            user = table.occupants[concerned].plays
            if user is not None:
                self._letters.write(table.id, user, say, Why.TIME_UP)

    async def _call(
        self, table: Table, users: Iterable[int], say: SaidOfTable, notice: Notice | None, why: Why
    ) -> None:
        """Tell these users something, each where they want to be told: by letter, and by a notice if there is one."""
        for user in users:
            self._letters.write(table.id, user, say, why)
        if notice is not None and not table.in_dms:
            await self._say_once(table, notice, why)

    async def _say_once(self, table: Table, notice: Notice, why: Why) -> None:
        """Say something that is said once, unless Discord cannot be asked what was said before."""
        try:
            worked = await self._say(await self._confirm(table), notice, why)
        except TROUBLE as error:
            log.warning("table %s: a notice is not said: %s", table.id, error)
            worked = False
        if not worked:
            self._retries.retry_later((table.id, "messages"))

    # What follows from the state

    async def _bring_up_to_date(self, table_id: int) -> None:
        work = (table_id, "messages")
        try:
            await self._tables.deadlines.choose_from_now(table_id)
            table = await self._confirm(await self._tables.get(table_id))
            gone = [user for user in find_called_quietly(table).values() if not self.presence.is_there(table_id, user)]
            done = [(errand, await self._do(table, errand)) for errand in plan(table, gone)]
            worked, told = (all(ok for errand, ok in done if isinstance(errand, kind)) for kind in (Errand, Say))
            table = await self._tables.get(table_id)
            # A new board stands below the questions; and each answer is noted in its question.
            moved = [await self._do(table, errand) for errand in find_buried(table)]
            table = await self._tables.get(table_id)
            noted = [await self._do(table, Amend(asked, asked.marks)) for asked in notices.find_answered(table)]
            worked = worked and all(moved) and all(noted)
            table = await self._tables.get(table_id)
            await self._boards.retire(table)
            if table.status is Status.LOBBY:
                await self._tell_seekers(table)
            self.presence.look_again(table)
            self._troubles.pop(table_id, None)
            metrics.drop_change(table_id)
            if not told:
                self._tables.deadlines.stall(table_id)
            elif not self._letters.are_awaited(table):
                await self._tables.deadlines.accepted(table_id)
            (self._retries.reset if worked else self._retries.retry_later)(work)
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
            self._retries.retry_later(work, (await self._tables.get_without_game(table_id)).channel_id)
        self._letters.send(await self._tables.get(table_id))

    async def _confirm(self, table: Table) -> Table:
        """Return the table once it is known what it has said. Raises what Discord does if it cannot be asked now."""
        while doubtful := find_doubtful(table, now()):
            for message in doubtful:
                found = await find(self._client, table, message)
                if found is None:
                    await self._tables.messages.drop(table.id, message)
                else:
                    log.info("table %s: found the %s whose post was not answered", table.id, message.about)
                    await self._note_arrival(table, message, found)
            table = await self._tables.get(table.id)
        return table

    async def _do(self, table: Table, errand: Errand) -> bool:
        """Carry out an errand; False if it has to be tried again. For a board, raises what Discord does."""
        match errand:
            case Show():
                await self._boards.show(table)
                return True
            case Remove(message):
                return await self._remove(table, message)
            case Amend(message, marks):
                return await self._edit_notice(table, message, notices.amend(table, message, marks))
            case Say(about, marks, aware):
                return await self._state(table, about, marks, aware)

    async def _state(self, table: Table, about: About, marks: Mapping[int, str], aware: Collection[int]) -> bool:
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
        if about is About.CONCEDE and await self._can_ask_team(table):
            return await self._ask_team(table, marks)
        preferences = await self._tables.users.at_table(table, table.people)
        there = [user for user in table.people if about is About.FULL and self.presence.reads_lobby(table, user)]
        notice = notices.state(table, about, marks, preferences, aware, there)
        if table.in_dms:
            return await self._state_in_dms(table, about, marks, preferences, notice)
        if about is About.OFFER and not aware:
            owner = table.occupants[table.proposals[ProposalKind.OFFER].about or 0].user_id
            if owner is not None:
                self._letters.write(
                    table.id, owner, letters.offer_asked, Why.OFFERED, button=reclaim_button, anyway=True
                )
        absent = table.people.keys() - there
        if about is About.FULL and notices.calls_to_start(table) and absent and not aware:
            if self._is_too_soon(table.id):
                return True
            for user in absent:
                self._letters.write(table.id, user, letters.full, Why.FULL)
        if about is About.LOST:
            return await self._say_lost(table, notice, marks)
        worked = notice is None or await self._say(table, notice, _WHY[about])
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
        self._tables.touch(table_id)

    async def _state_in_dms(
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
            own = _late(table)(language, table, table.played_by(user)) if user in late else ""
            of_others = {seat: mark for seat, mark in marks.items() if not own or seat != table.played_by(user)}
            if not of_others:
                return Reply(own)
            spoken = replace(table, terms=replace(table.terms, locale=language.code))
            found = notices.state(spoken, about, of_others, preferences, ())
            return None if found is None else Reply(stack(own, found.text), found.panel)

        return await self._tell_each(table, about, marks, users, compose)

    async def _can_ask_team(self, table: Table) -> bool:
        """Return True if all partners who are asked to resign accept direct messages."""
        asked = await self._tables.users.several(table.proposals[ProposalKind.CONCEDE].must_agree)
        return all(prefers.dm_closed_at is None for prefers in asked.values())

    async def _ask_team(self, table: Table, marks: Mapping[int, str]) -> bool:
        """Ask partners directly whether their team resigns, which the others do not read; where that fails, in public.

        Returns False if some have to be asked again later.
        """

        def compose(user: int, language: Language, table: Table) -> Reply | None:
            if wanted_marks(table, About.CONCEDE).items() < marks.items():
                return None
            spoken = replace(table, terms=replace(table.terms, locale=language.code))
            found = notices.state(spoken, About.CONCEDE, marks, {}, marks)
            assert found is not None
            assert found.panel is not None
            return Reply(found.text, found.panel.link(language.t(buttons.TO_BOARD), board_link(table)))

        users = table.proposals[ProposalKind.CONCEDE].must_agree
        if not await self._tell_each(table, About.CONCEDE, marks, users, compose):
            return False
        if await self._can_ask_team(table):
            return True
        table = await self._tables.get(table.id)
        direct = (row for row in table.messages if row.about is About.CONCEDE and not row.stands)
        await self._tables.messages.drop(table.id, *direct)
        return await self._state(table, About.CONCEDE, marks, ())

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
            row for row in table.messages if (row.about, row.text, dict(row.marks)) == (About.TOLD, about.value, marks)
        ]
        told = {row.to_id for row in receipts}
        missing = [user for user in dict.fromkeys(users) if user not in told]
        worked = True
        for user in missing:
            # A question stands in no letter, so their first one is waited for.
            asks, alone = about in QUESTIONS, about is About.CONCEDE
            sentence = Sentence(partial(compose, user), _WHY[about], alone, of_state=True)
            if not await self._letters.tell(table.id, user, sentence, asks=asks):
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
                self._letters.write(table.id, user, letters.lost, Why.LOST, anyway=True)
        parent = await self._public_parent(table)
        if notice and parent and await self._say(table, notice, Why.LOST, channel_id=parent):
            return True
        for user in notice.ping if notice is not None else ():
            self._letters.write(table.id, user, letters.lost, Why.LOST, anyway=True)
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

    async def _say(self, table: Table, notice: Notice, why: Why, *, channel_id: int | None = None) -> bool:
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
                await self._handle_refusal(table, message.to_id, error)
                return channel_id is None
            # The place is as good as before for boards: what this notice would have said is told directly.
            await self._note_arrival(table, message, 0)
            self._unsaid[table.id] = reason
            for user in dict.fromkeys((*notice.ping, *table.waiting_for.values(), table.host_id)):
                self._letters.write(table.id, user, letters.unsaid(reason), why, anyway=True)
            return True
        self._retries.resume(message.to_id)
        self._unsaid.pop(table.id, None)
        await self._note_arrival(table, message, sent.id)
        metrics.record_post(table, message, sent.id, notice.ping, why)
        return True

    async def _note_arrival(self, table: Table, message: Message, message_id: int) -> None:
        """Note a message that is there, and remove the notices it replaces."""
        await self._tables.messages.arrived(table.id, message, message_id)
        if message.about is not About.BOARD:
            for notice in find_replaced(await self._tables.get_without_game(table.id), message):
                await self._remove(table, notice)

    async def _edit_notice(self, table: Table, message: Message, notice: Notice) -> bool:
        """Change what a notice says; False if that has to be tried again."""
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
                if message.about in QUESTIONS and isinstance(error, discord.NotFound):
                    # It was deleted, and is asked again.
                    await self._tables.messages.drop(table.id, message)
                    return False
                if message.about not in QUESTIONS:
                    return True
        await self._tables.messages.change(table.id, replace(message, marks=notice.marks, text=notice.text))
        return True

    async def _remove(self, table: Table, message: Message) -> bool:
        """Delete a notice, and tell who asked what became of a question. False if it has to be tried again."""
        try:
            if message.stands:
                await partial_message(self._client, message).delete()
            elif (table.in_dms or message.about is About.CONCEDE) and message.about is not About.TOLD:
                self._letters.clear(table)
        except TROUBLE as error:
            log.info("table %s: notice %s stays: %s", table.id, message.message_id, error)
            if is_temporary(error):
                return False
            if table.is_open and not isinstance(error, discord.NotFound):
                return True
        is_over = not message.marks.items() <= wanted_marks(table, message.about).items()
        if message.about in QUESTIONS and is_over and not await self._tell_outcome(table, message):
            return False
        await self._tables.messages.drop(table.id, message)
        return True

    def note_asker(self, table: Table, asked: Proposal, interaction: discord.Interaction[Any]) -> None:
        """Remember the answer that says the others have been asked: later it says what became of the question."""
        self._askers[table.id, asked.kind] = (interaction, asked.at)

    async def _answer_asker(self, table: Table, message: Message, notes: Sequence[Note]) -> bool:
        """Say what became of a question in the answer to the player who asked it; False if that has gone by."""
        kind = ProposalKind(message.about)
        interaction, at = self._askers.get((table.id, kind), (None, 0))
        if interaction is None or str(at) not in message.marks.values():
            return False
        del self._askers[table.id, kind]
        if interaction.is_expired():
            return False
        text = proposals.outcome(language_of(interaction), table, kind, notes, message.marks)
        try:
            await interaction.edit_original_response(content=dress(text), view=None)
        except TROUBLE as error:
            log.info("table %s: who asked is not answered: %s", table.id, error)
            return False
        return True

    async def _tell_outcome(self, table: Table, message: Message) -> bool:
        """Tell the player who asked what became of a question; False if that has to be tried again."""
        notes = tuple(await self._tables.notes(table.id))
        if await self._answer_asker(table, message, notes):
            return True
        if not table.is_open or proposals.is_known(ProposalKind(message.about), notes, message.marks):
            return True

        def compose(language: Language, table: Table) -> Reply | None:
            spoken = replace(table, terms=replace(table.terms, locale=language.code))
            return Reply(proposals.outcome(language, spoken, ProposalKind(message.about), notes, message.marks))

        users = [table.occupants[seat].user_id for seat in message.marks]
        # What a team decides is told nowhere else.
        sentence = Sentence(compose, Why.QUESTION, message.about is About.CONCEDE, of_state=True)
        told = [await self._letters.tell(table.id, user, sentence) for user in users if user is not None]
        return all(told)

    async def _handle_refusal(self, table: Table, to_id: int, error: Exception) -> None:
        """Deal with what Discord has refused for good: the place may be lost."""
        reason = loss_reason(error)
        if reason in SURE and to_id == table.channel_id:
            await self._tables.places.lost(table.id, reason)


def _late(table: Table) -> SaidOfTable:
    """Return what is said to a player who does not play in time."""
    return letters.silent if table.pace.seconds is None else letters.time_up


def _is_current(table: Table, due: News) -> bool:
    """Return True if what a clock noticed still applies."""
    clock = table.clocks.get(due.seat) if due.seat is not None else None
    if clock is None or clock.decision != due.decision or clock.ends_at is None:
        return False
    # Players who have not been called yet, because Discord refused the board, learn of it from the board.
    return table.shown is None or due.seat not in find_to_call(table)
