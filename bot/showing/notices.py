"""Notices: the messages that appear beside a board for a while, and go when they are out of date.

Reminders and nudges are said once. The others follow from the table's state: time is up, a proposal waits for answers,
the place is lost. So they are reconciled like the board: missing ones are posted, obsolete ones removed, and a crash in
between costs nothing. The store remembers which messages are there; one that is being posted is remembered beforehand,
and if its answer never came, it is looked for before another one is posted.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.languages import language_for
from bot.moment import Moment
from bot.preferences import Notify
from bot.showing.components import view_of
from bot.showing.controls import hand_panel, proposal_panel, reclaim_panel, time_up_panel
from bot.showing.mail import Mail
from bot.showing.members import Members
from bot.showing.panels import Panel
from bot.showing.places import LOST
from bot.showing.retries import TROUBLE, Outage, Retries, passes
from bot.showing.unconfirmed import Unsure, find_notice
from bot.storage import PAST, UNSURE, StandingRow
from bot.table import ProposalKind, StandInReason, Status, Table
from bot.tables import Tables
from bot.tables.aftermath import Due, DueKind
from bot.tables.transactions import Locks
from bot.texts import mails, proposals
from bot.texts import notices as texts
from bot.texts.markup import user as mention
from bot.texts.names import Names, listing

log = logging.getLogger(__name__)

REMINDER, UP, GONE, HANDED = "reminder", "up", "lost", "handed"
"""What a notice is about; or a `ProposalKind`."""

Marks = Mapping[int, int | str]
"""The seats that a message is about, each with a value whose change makes the message out of date."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """A notice in a channel.

    `about`: what it says. `marks`: which seats it is about, each with a value whose change makes it out of date: the
    decision (reminders), the end of the others' time to choose (time is up), the moment of a proposal, the person who
    lost the seat (handed), 0 (lost). `message_id` is not above 0 if there is no message, since people are told by
    direct message or not at all.
    """

    channel_id: int
    message_id: int
    about: str
    marks: Marks
    text: str

    @classmethod
    def of(cls, row: StandingRow) -> _Standing:
        marks = {int(seat): mark for seat, mark in row.marks.items()}
        if row.about == REMINDER:
            # Rows of old versions have numbers.
            marks = {seat: str(Moment.parse(str(mark))) for seat, mark in marks.items()}
        return cls(row.channel_id, row.message_id, row.about, marks, row.text)

    @property
    def row(self) -> StandingRow:
        marks = {str(seat): mark for seat, mark in self.marks.items()}
        return StandingRow(self.channel_id, self.message_id, self.about, marks, self.text)


class Notices:
    """Posts what has to be said beside the board, and removes it when it no longer applies."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        mail: Mail,
        members: Members,
        outage: Outage,
    ) -> None:
        self._client = client
        self._tables = tables
        self._mail = mail
        self._members = members
        self._retries = Retries(tables.touch, outage)
        self._failed: set[int] = set()
        self._locks = Locks()
        mail.not_reached = self.call

    def close(self) -> None:
        """Do not try anything again."""
        self._retries.close()

    async def reconcile(self, table_id: int) -> None:
        """Keep the notices the table's state calls for, no others; for `Tables.on_change`, before the announcer."""
        async with self._alone(table_id):
            try:
                await self._reconcile(table_id)
            except Exception:
                log.exception("the notices of table %s failed; they are tried again", table_id)
                self._failed.add(table_id)
            if table_id not in self._failed:
                self._retries.worked(table_id)

    async def _reconcile(self, table_id: int) -> None:
        table = await self._tables.get(table_id)
        if not await self._confirm(table):
            return
        known, elsewhere = set(), set()
        for one in await self._standing(table_id):
            fresh = dict(one.marks.items() & _wanted(table, one.about).items())
            if fresh and (one.channel_id == table.channel_id or one.about == GONE):
                known |= {(one.about, *mark) for mark in fresh.items()}
                if fresh != dict(one.marks):
                    await self._amend(table, one, fresh)
            else:
                elsewhere |= {(one.about, *mark) for mark in fresh.items()}
                await self._remove(table, one)
        for about in (GONE, UP, HANDED, *table.proposals):
            new = {seat: mark for seat, mark in _wanted(table, about).items() if (about, seat, mark) not in known}
            if not new or (table.lost is not None and about != GONE):
                continue
            if about == GONE:
                await self._lost(table, new)
            elif about == HANDED:
                await self._handed(table, new, [seat for seat, mark in new.items() if (about, seat, mark) in elsewhere])
            elif isinstance(about, ProposalKind):
                told = any((about, seat, mark) in elsewhere for seat, mark in new.items())
                await self._ask(table, about, new, call=not told)
            else:
                left = await self._members.left(table, [table.clocks[seat].user_id for seat in new])
                await self._time_up(
                    table, {seat: mark for seat, mark in new.items() if table.clocks[seat].user_id not in left}
                )

    async def told(self, table_id: int, news: Sequence[Due]) -> None:
        """Announce what the clock has noticed and the state does not show; for `Tables.on_deadline`."""
        async with self._alone(table_id):
            table = await self._tables.get_without_game(table_id)
            for due in news:
                if due.kind is DueKind.HANDED and due.user_id is not None:
                    self._mail.note(table_id, due.user_id, mails.handed, reclaim=True)
                elif due.kind is DueKind.TAKEN and due.user_id is not None:
                    self._mail.note(table_id, due.user_id, mails.taken)
            late = [due for due in news if due.kind in (DueKind.HALF, DueKind.NINETY) and _current(table, due)]
            if any(due.kind is DueKind.UP for due in news) or not late or table.lost is not None:
                # At most one message: those who read that time is up need no reminder about anybody else.
                return
            left = await self._members.left(table, [due.user_id for due in late if due.user_id is not None])
            await self._remind(table, [due for due in late if due.user_id not in left])

    async def nudge(self, table: Table, who: str, users: Iterable[int]) -> tuple[int, ...]:
        """Tell those the game is waiting for, each where they want to be told, that `who` asks for their move.

        Returns those who have not left the guild and were told.
        """
        async with self._alone(table.id):
            wanted = set(users) - await self._members.left(table, users)
            seats = {seat: user for seat, user in table.waiting_for.items() if user in wanted}
            if not seats:
                return ()
            language = language_for(table.terms.locale)
            pinged = await self._pinged(seats.values())
            for user in seats.values():
                self._mail.note(table.id, user, mails.nudged)
            text = texts.nudge(language, table, who, _called(table, seats, pinged))
            await self._post(table, text, hand_panel(language, table), pinged, REMINDER, _decisions(table, seats))
            return tuple(seats.values())

    async def call(self, table_id: int, user_id: int) -> None:
        """Call somebody in the channel whom a direct message did not reach, if they chose to be told that way."""
        async with self._alone(table_id):
            table = await self._tables.get(table_id)
            seats = {seat: user for seat, user in table.waiting_for.items() if user == user_id}
            prefers = await self._tables.people.person(user_id)
            if not seats or prefers.notify is not Notify.DM:
                return
            language = language_for(table.terms.locale)
            text = texts.called(language, table, _called(table, seats, (user_id,)))
            await self._post(table, text, hand_panel(language, table), (user_id,), REMINDER, _decisions(table, seats))

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
        await self._post(table, text, hand_panel(language, table), pinged, REMINDER, _decisions(table, seats))

    async def _time_up(self, table: Table, marks: Marks) -> None:
        if marks:
            await self._post(table, *_time_up(table, marks), (), UP, marks)

    async def _handed(self, table: Table, marks: Marks, told: Collection[int]) -> None:
        """Call those in the channel who have lost their seats to a computer, with the button that gives them back.

        The people on the seats in `told` have been called in another place.
        """
        users = {seat: int(user) for seat, user in marks.items()}
        pinged = await self._pinged(user for seat, user in users.items() if seat not in told)
        called = {seat: user for seat, user in users.items() if user in pinged}
        if called:
            language = language_for(table.terms.locale)
            text = texts.handed(language, table, _called(table, called, pinged))
            await self._post(table, text, reclaim_panel(language, table), pinged, HANDED, called)
        for seat, user in users.items():
            if user not in pinged:
                # They are told by direct message or not at all, as they chose.
                await self._tables.telling.remember_notice(
                    table.id, _Standing(table.channel_id, -user, HANDED, {seat: user}, "").row
                )

    async def _ask(self, table: Table, kind: ProposalKind, marks: Marks, *, call: bool) -> None:
        """Ask those who must agree to a proposal, in one message; those who are away read it when they are back.

        `call`: with mentions, because they have not been asked before.
        """
        language = language_for(table.terms.locale)
        proposal = table.proposals[kind]
        away = {who.user_id for who in table.people.values() if who.why is StandInReason.AWAY}
        asked = [user for user in proposal.asked if user not in proposal.agreed and user not in away]
        pinged = await self._pinged(asked) if call else []
        text = proposals.question(language, table, kind, pinged)
        await self._post(table, text, proposal_panel(language, table, kind), pinged, kind, marks)

    async def _lost(self, table: Table, marks: Marks) -> None:
        """Tell the players that their game cannot be shown: in the parent channel of its thread, else directly."""
        if self._client.get_guild(table.guild_id) is None:
            # The bot was removed. Nobody can be told, and once it is back nobody needs to be.
            await self._tables.telling.remember_notice(table.id, _Standing(table.channel_id, 0, GONE, marks, "").row)
            return
        people = await self._tables.people.several(table.persons)
        for user, prefers in people.items():
            if prefers.wants_dm:
                self._mail.note(table.id, user, mails.lost)
        others = [user for user, one in people.items() if not one.wants_dm and one.notify is not Notify.SILENT]
        text = mails.lost(language_for(table.terms.locale), table, None)
        if others and table.parent_id is not None:
            seats = {seat: user for user, seat in table.persons.items() if user in others}
            text = f"{_called(table, seats, others)}\n{text}"
            if await self._post(table, text, None, others, GONE, marks, channel_id=table.parent_id):
                return
        for user in others:
            self._mail.note(table.id, user, mails.lost, anyway=True)
        await self._tables.telling.remember_notice(table.id, _Standing(table.channel_id, 0, GONE, marks, "").row)

    async def _pinged(self, users: Iterable[int]) -> list[int]:
        """Those of these people who want to be mentioned in channels, in the same order."""
        wanted = list(users)
        people = await self._tables.people.several(wanted)
        return [user for user in wanted if people[user].wants_channel_ping]

    async def _post(
        self,
        table: Table,
        text: str,
        panel: Panel | None,
        pinged: Sequence[int],
        about: str,
        marks: Marks,
        *,
        channel_id: int | None = None,
    ) -> bool:
        """Post one message in place of those about the same seats; False if Discord refuses."""
        if not await self._confirm(table):
            return False
        place = channel_id or table.channel_id
        channel = self._client.get_partial_messageable(place, guild_id=table.guild_id)
        allowed = discord.AllowedMentions(users=[discord.Object(user) for user in pinged])
        key = secrets.token_hex(12)
        extra: dict[str, Any] = {} if panel is None else {"view": view_of(panel)}
        unsure = _Standing(place, 0, UNSURE + about, marks, f"{key}\n{text}").row
        await self._tables.telling.remember_notice(table.id, unsure)
        try:
            message = await channel.send(text, nonce=key, allowed_mentions=allowed, **extra)
        except TROUBLE as error:
            log.warning("table %s: a notice could not be posted: %s", table.id, error)
            if not passes(error):
                await self._tables.telling.forget_notice(table.id, unsure)
            await self._refused(table, place, error)
            return False
        self._retries.answered()
        await self._posted(table, _Standing(place, message.id, about, marks, text), unsure)
        return True

    async def _posted(self, table: Table, now: _Standing, unsure: StandingRow) -> None:
        """Note a message that was posted, and remove those it replaces."""
        followed = [
            one
            for one in await self._standing(table.id)
            if _follows(now.about, one.about) and set(one.marks) <= set(now.marks) and one.message_id != now.message_id
        ]
        await self._tables.telling.remember_notice(table.id, now.row, unsure)
        for one in followed:
            await self._remove(table, one)

    async def _confirm(self, table: Table) -> bool:
        """Find out about messages that may have been posted; False if that is not possible now."""
        rows = await self._tables.telling.standing(table.id)
        known = {row.message_id for row in rows}
        for row in rows:
            if not row.about.startswith(UNSURE):
                continue
            key, _, text = row.text.partition("\n")
            try:
                found = await find_notice(self._client, table, Unsure(row.channel_id, key, text, known))
            except TROUBLE as error:
                log.warning("table %s: a notice cannot be looked for now: %s", table.id, error)
                self._failed.add(table.id)
                return False
            if found is None:
                await self._tables.telling.forget_notice(table.id, row)
                continue
            log.info("table %s: found the notice whose post was not answered", table.id)
            about = row.about.removeprefix(UNSURE)
            await self._posted(table, replace(_Standing.of(row), message_id=found, about=about, text=text), row)
            known.add(found)
        return True

    async def _refused(self, table: Table, place: int, error: Exception) -> None:
        """Deal with a refusal: the place may be lost, or the same may work later."""
        if passes(error):
            self._failed.add(table.id)
        elif isinstance(error, discord.HTTPException) and error.code in LOST and place == table.channel_id:
            await self._tables.places.lost(table.id, LOST[error.code])

    async def _amend(self, table: Table, one: _Standing, fresh: Marks) -> None:
        """Edit a message so that it is only about the seats that still apply, without mentioning anybody else."""
        language = language_for(table.terms.locale)
        names = Names.of(table, language)
        text = one.text
        extra: dict[str, Any] = {}
        if one.about == UP:
            text, panel = _time_up(table, fresh)
            extra = {"view": view_of(panel)}
        for seat in one.marks.keys() - fresh.keys():
            text = text.replace(mention(table.people[seat].user_id or 0), names.marked(seat))
        try:
            await self._message(one).edit(content=text, allowed_mentions=discord.AllowedMentions.none(), **extra)
        except TROUBLE as error:
            log.info("notice %s stays as it is: %s", one.message_id, error)
            if passes(error):
                self._failed.add(table.id)
            return
        await self._tables.telling.remember_notice(
            table.id, _Standing(one.channel_id, one.message_id, one.about, fresh, text).row
        )

    async def _remove(self, table: Table, one: _Standing) -> None:
        """Delete a message; a question stays, with its outcome instead of buttons. What fails is tried again later."""
        try:
            if one.message_id <= 0:
                pass
            elif one.about in (REMINDER, UP, GONE, HANDED):
                await self._message(one).delete()
            else:
                language = language_for(table.terms.locale)
                kind = ProposalKind(one.about)
                text = proposals.settled(language, table, kind, await self._tables.notes(table.id))
                if one.channel_id != table.channel_id and kind in table.proposals:
                    text = proposals.question(language, table, kind, ())
                await self._message(one).edit(content=text, view=None, allowed_mentions=discord.AllowedMentions.none())
        except TROUBLE as error:
            log.info("notice %s stays: %s", one.message_id, error)
            if passes(error):
                self._failed.add(table.id)
                return
            if table.is_open and not isinstance(error, discord.NotFound):
                return
        await self._tables.telling.forget_notice(table.id, one.row)

    def _message(self, one: _Standing) -> discord.PartialMessage:
        return self._client.get_partial_messageable(one.channel_id).get_partial_message(one.message_id)

    async def _standing(self, table_id: int) -> list[_Standing]:
        rows = await self._tables.telling.standing(table_id)
        return [_Standing.of(row) for row in rows if row.about != PAST and not row.about.startswith(UNSURE)]

    @asynccontextmanager
    async def _alone(self, table_id: int) -> AsyncIterator[None]:
        """Keep others from changing a table's messages meanwhile; what could not be done is tried again later."""
        async with self._locks.of(table_id):
            self._failed.discard(table_id)
            yield
            if table_id in self._failed:
                self._retries.failed(table_id)


def _wanted(table: Table, about: str) -> dict[int, int | str]:
    """The marks by seat that messages about this may have now."""
    clocks = table.clocks.items() if table.status is Status.PLAYING and table.lost is None else ()
    if about == REMINDER:
        return {seat: str(clock.decision) for seat, clock in clocks if not clock.overdue}
    if about == UP:
        return {seat: clock.ends_at for seat, clock in clocks if clock.overdue and clock.ends_at is not None}
    if about == GONE:
        return {table.seats[0]: 0} if table.lost is not None and table.is_open else {}
    if about == HANDED:
        lost = {
            seat: who for seat, who in table.people.items() if who.why in (StandInReason.ABSENT, StandInReason.HANDED)
        }
        return {seat: who.user_id for seat, who in lost.items() if table.is_open and who.user_id is not None}
    proposal = next((one for kind, one in table.proposals.items() if kind == about), None)
    return {} if proposal is None else {proposal.seat: proposal.at}


def _time_up(table: Table, marks: Marks) -> tuple[str, Panel]:
    """What the others read about these seats, and their buttons."""
    language = language_for(table.terms.locale)
    text = "\n".join(texts.time_up(language, table, seat, table.clocks[seat]) for seat in marks)
    return text, time_up_panel(language, table, tuple(marks))


def _follows(about: str, earlier: str) -> bool:
    """Whether a message about this replaces an earlier one."""
    return about == earlier or (about == UP and earlier == REMINDER)


def _decisions(table: Table, seats: Iterable[int]) -> dict[int, int | str]:
    return {seat: str(table.clocks[seat].decision) for seat in seats if seat in table.clocks}


def _current(table: Table, due: Due) -> bool:
    """Whether what the clock noticed still applies."""
    clock = table.clocks.get(due.seat) if due.seat is not None else None
    if clock is None or clock.decision != due.decision or clock.ends_at is None:
        return False
    # Whoever has not been called yet, because Discord refused the board, learns of it from the board.
    return table.told is None or due.seat not in table.uncalled


def _called(table: Table, seats: Mapping[int, int], pinged: Collection[int]) -> str:
    """The people on these seats: those who are to be pinged as mentions, the others by name."""
    language = language_for(table.terms.locale)
    names = Names.of(table, language)
    return listing(language, (mention(one) if one in pinged else names.marked(seat) for seat, one in seats.items()))
