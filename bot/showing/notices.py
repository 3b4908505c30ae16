"""Notices: the messages that stand beside a board for a while, and go when they are out of date.

Reminders and nudges are said once. The others follow from the table's state: time is up, a proposal waits for answers,
the place is lost. So they are reconciled, as the board is: what should stand is posted, what should not is taken away,
and a crash in between costs nothing. Which messages stand is remembered in the store.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import discord

from bot.languages import language_for
from bot.preferences import Notify
from bot.showing.controls import proposal_panel, time_up_panel
from bot.showing.mail import Mail
from bot.showing.members import Members
from bot.showing.nonces import nonce
from bot.showing.panels import Panel
from bot.storage import Store
from bot.table import Status, Table
from bot.tables import Tables
from bot.tables.desk import Due, DueKind
from bot.texts import clock as texts
from bot.texts import mails
from bot.texts.words import Names, listing

log = logging.getLogger(__name__)

REMINDER, UP, LOST = "reminder", "up", "lost"
"""What a standing message is about; or the kind of a proposal."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """A message that stands in a channel.

    `about`: what it says. `marks`: of which seats, each with a number that makes it out of date when it changes: the
    decision (reminders), the end of the others' time to choose (time is up), the moment of a proposal, 0 (lost).
    `message_id` is 0 where everybody was told by direct message.
    """

    channel_id: int
    message_id: int
    about: str
    marks: Mapping[int, int]


class Notices:
    """Posts what has to be said beside the board, and removes it when it is no longer so."""

    def __init__(self, client: discord.Client, store: Store, tables: Tables, mail: Mail, members: Members) -> None:
        self._client = client
        self._store = store
        self._tables = tables
        self._mail = mail
        self._members = members

    async def reconcile(self, table_id: int) -> None:
        """Let stand what the table's state asks for, and nothing else; for `Tables.on_change`, before the announcer."""
        table = await self._tables.get(table_id)
        standing = await self._standing(table_id)
        kept = [one for one in standing if dict(one.marks).items() & _wanted(table, one.about).items()]
        if len(kept) != len(standing):
            await self._keep(table_id, kept)
            for one in standing:
                if one not in kept:
                    await self._remove(table, one)
        known = {(one.about, *mark) for one in kept for mark in one.marks.items()}
        for about in (LOST, UP, *table.proposals):
            new = {seat: mark for seat, mark in _wanted(table, about).items() if (about, seat, mark) not in known}
            if not new:
                continue
            if about == LOST:
                await self._lost(table, new)
            elif about != UP:
                await self._ask(table, about, new)
            elif not await self._members.left(table, [table.clocks[seat].user_id for seat in new]):
                await self._time_up(table, new)

    async def told(self, table_id: int, news: Sequence[Due]) -> None:
        """Say what the clock has noticed and the state does not tell; for `Tables.on_deadline`."""
        table = await self._tables.get(table_id)
        late = [due for due in news if due.kind in (DueKind.HALF, DueKind.NINETY) and _current(table, due)]
        if await self._members.left(table, [due.user_id for due in late if due.user_id is not None]):
            return
        for due in news:
            if due.kind is DueKind.HANDED and due.user_id is not None:
                self._mail.note(table_id, due.user_id, mails.handed, reclaim=True)
        if not any(due.kind is DueKind.UP for due in news):
            # At most one message: who reads that time is up need not be reminded of anybody else.
            await self._remind(table, late)
        back = {due.user_id for due in news if due.kind is DueKind.VACATION_OVER}
        await self._welcome(table, {seat: user for seat, user in table.waiting_for.items() if user in back})

    async def nudge(self, table: Table, who: str, users: Iterable[int]) -> None:
        """Tell those who are waited for, each where they want to be told, that `who` asks for their move."""
        language = language_for(table.terms.locale)
        seats = {seat: user for seat, user in table.waiting_for.items() if user in set(users)}
        if await self._members.left(table, seats.values()):
            return
        pinged = await self._pinged(seats.values())
        for user in seats.values():
            self._mail.note(table.id, user, mails.nudged)
        text = texts.nudge(language, table, who, _called(table, seats, pinged))
        await self._post(table, text, None, pinged, REMINDER, _decisions(table, seats))

    async def _remind(self, table: Table, late: Sequence[Due]) -> None:
        language = language_for(table.terms.locale)
        users = {due.seat: due.user_id for due in late if due.seat is not None and due.user_id is not None}
        pinged = await self._pinged(users.values())
        for user in users.values():
            self._mail.note(table.id, user, mails.reminded)
        seats = {seat: user for seat, user in users.items() if user in pinged}
        if not seats:
            return
        first = min((table.clocks[seat] for seat in seats), key=lambda clock: clock.ends_at or 0)
        text = texts.reminder(language, table, _called(table, seats, pinged), first)
        await self._post(table, text, None, pinged, REMINDER, _decisions(table, seats))

    async def _welcome(self, table: Table, seats: Mapping[int, int]) -> None:
        """Tell those whose time away is over, and who are waited for, that they are."""
        pinged = await self._pinged(seats.values())
        for user in seats.values():
            self._mail.note(table.id, user, mails.back)
        if pinged:
            text = texts.welcome(language_for(table.terms.locale), table, _called(table, seats, pinged))
            await self._post(table, text, None, pinged, REMINDER, _decisions(table, seats))

    async def _time_up(self, table: Table, marks: Mapping[int, int]) -> None:
        language = language_for(table.terms.locale)
        text = "\n".join(texts.time_up(language, table, seat, table.clocks[seat]) for seat in marks)
        await self._post(table, text, time_up_panel(language, table, tuple(marks)), (), UP, marks)

    async def _ask(self, table: Table, kind: str, marks: Mapping[int, int]) -> None:
        """Ask those who must agree to a proposal, with one message."""
        language = language_for(table.terms.locale)
        proposal = table.proposals[kind]
        pinged = await self._pinged(user for user in proposal.asked if user not in proposal.agreed)
        text = texts.question(language, table, kind, pinged)
        await self._post(table, text, proposal_panel(language, table, kind), pinged, kind, marks)

    async def _lost(self, table: Table, marks: Mapping[int, int]) -> None:
        """Tell the players that their game cannot be shown: in the channel that its thread is in, else by letter."""
        if self._client.get_guild(table.guild_id) is None:
            return
        people = await self._tables.people(table.persons)
        for user, prefers in people.items():
            if prefers.wants_dm:
                self._mail.note(table.id, user, mails.lost)
        others = [user for user, one in people.items() if not one.wants_dm and one.notify is not Notify.SILENT]
        text = mails.lost(language_for(table.terms.locale), table)
        if others and table.parent_id is not None:
            seats = {seat: user for user, seat in table.persons.items() if user in others}
            text = f"{_called(table, seats, others)}\n{text}"
            if await self._post(table, text, None, others, LOST, marks, channel_id=table.parent_id):
                return
        for user in others:
            self._mail.note(table.id, user, mails.lost, anyway=True)
        await self._keep(table.id, [*await self._standing(table.id), _Standing(table.channel_id, 0, LOST, marks)])

    async def _pinged(self, users: Iterable[int]) -> list[int]:
        """Those of these persons who want to be mentioned in channels, in the same order."""
        wanted = list(users)
        people = await self._tables.people(wanted)
        return [user for user in wanted if people[user].wants_channel_ping]

    async def _post(
        self,
        table: Table,
        text: str,
        panel: Panel | None,
        pinged: Sequence[int],
        about: str,
        marks: Mapping[int, int],
        *,
        channel_id: int | None = None,
    ) -> bool:
        """Post one message instead of those about the same seats that stand there; False if Discord refuses."""
        place = channel_id or table.channel_id
        channel = self._client.get_partial_messageable(place, guild_id=table.guild_id)
        allowed = discord.AllowedMentions(users=[discord.Object(user) for user in pinged])
        key = nonce(table, about, sorted(marks.items()), text, place)
        try:
            if panel is None:
                message = await channel.send(text, nonce=key, allowed_mentions=allowed)
            else:
                message = await channel.send(text, view=panel, nonce=key, allowed_mentions=allowed)
        except discord.HTTPException as error:
            log.warning("table %s: a notice could not be posted: %s", table.id, error)
            return False
        standing = await self._standing(table.id)
        gone = [one for one in standing if _follows(about, one.about) and set(one.marks) <= set(marks)]
        kept = [one for one in standing if one not in gone]
        await self._keep(table.id, [*kept, _Standing(place, message.id, about, marks)])
        for one in gone:
            await self._remove(table, one)
        return True

    async def _remove(self, table: Table, one: _Standing) -> None:
        """Delete a message; a question stays, with how it ended instead of buttons."""
        if not one.message_id:
            return
        message = self._client.get_partial_messageable(one.channel_id).get_partial_message(one.message_id)
        try:
            if one.about in (REMINDER, UP, LOST):
                await message.delete()
                return
            language = language_for(table.terms.locale)
            text = texts.settled(language, table, one.about, await self._tables.notes(table.id))
            await message.edit(content=text, view=None, allowed_mentions=discord.AllowedMentions.none())
        except discord.HTTPException as error:
            log.info("notice %s stays: %s", one.message_id, error)

    async def _standing(self, table_id: int) -> list[_Standing]:
        found = json.loads(await self._store.recall(_key(table_id)) or "[]")
        return [_Standing(row[0], row[1], row[2], {int(seat): mark for seat, mark in row[3].items()}) for row in found]

    async def _keep(self, table_id: int, standing: Iterable[_Standing]) -> None:
        rows = [[one.channel_id, one.message_id, one.about, dict(one.marks)] for one in standing]
        await self._store.remember(_key(table_id), json.dumps(rows))


def _key(table_id: int) -> str:
    return f"notices:{table_id}"


def _wanted(table: Table, about: str) -> dict[int, int]:
    """The marks by seat that messages about this may have now."""
    clocks = table.clocks.items() if table.status is Status.PLAYING and table.lost is None else ()
    if about == REMINDER:
        return {seat: clock.decision for seat, clock in clocks if not clock.overdue}
    if about == UP:
        return {seat: clock.ends_at for seat, clock in clocks if clock.overdue and clock.ends_at is not None}
    if about == LOST:
        return {table.seats[0]: 0} if table.lost is not None and table.is_open else {}
    proposal = table.proposals.get(about)
    return {} if proposal is None else {proposal.seat: proposal.at}


def _follows(about: str, earlier: str) -> bool:
    """Whether a message about this takes the place of an earlier one."""
    return about == earlier or (about == UP and earlier == REMINDER)


def _decisions(table: Table, seats: Iterable[int]) -> dict[int, int]:
    return {seat: table.clocks[seat].decision for seat in seats if seat in table.clocks}


def _current(table: Table, due: Due) -> bool:
    """Whether what the clock noticed is still so."""
    clock = table.clocks.get(due.seat) if due.seat is not None else None
    return clock is not None and clock.decision == due.decision and clock.ends_at is not None


def _called(table: Table, seats: Mapping[int, int], pinged: Collection[int]) -> str:
    """The persons on these seats, those who are to be pinged by mention, the others by name."""
    language = language_for(table.terms.locale)
    names = Names.of(table, language)
    return listing(language, (f"<@{user}>" if user in pinged else names.marked(seat) for seat, user in seats.items()))
