"""Absent players: what the others may do when time is up, nudging, and reclaiming or taking over a seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from bot.clocks import ticking
from bot.clocks.quiet import NO_REST, resting_until
from bot.errors import (
    AlreadyNudged,
    NobodyToNudge,
    NoSuchSeat,
    NothingToReclaim,
    NotOverdue,
    OwnSeat,
    Resting,
    SawOtherHand,
    TableError,
)
from bot.storage import NoteRow
from bot.table import PACES, USUAL, NoteKind, Person, StandInReason, Status, Table
from bot.tables import seating
from bot.tables.aftermath import Aftermath, Due, DueKind
from bot.tables.chosen import Chosen
from bot.tables.effects import Effect, need, need_game, without, woken
from bot.tables.limits import Admission, check_member
from bot.tables.memory import Memory
from bot.tables.standing_in import played_for
from bot.tables.transactions import Transactions


class Remedy(StrEnum):
    """What the others may do about a player whose time is up."""

    WAIT = "wait"
    PLAY = "play"
    COMPUTER = "computer"
    OFFER = "offer"


class Seats:
    """Seats whose players are missing."""

    def __init__(
        self, transactions: Transactions, aftermath: Aftermath, memory: Memory, chosen: Chosen, admission: Admission
    ) -> None:
        self._transactions = transactions
        self._aftermath = aftermath
        self._memory = memory
        self._chosen = chosen
        self._admission = admission

    async def answer_absence(self, table_id: int, person: Person, seat: int, remedy: Remedy) -> Table:
        """Decide about a seat whose time is up; any other person with a seat may.

        WAIT: the whole pace once more. PLAY: a computer plays this turn. COMPUTER: it plays on until the owner reclaims
        the seat. OFFER: another member may take the seat over. Raises `WrongStatus`, `NotAtTable`, `OwnSeat`,
        `NoSuchSeat`, `NotOverdue`.
        """
        rests = await self._chosen.rests((await self._transactions.get(table_id)).persons)

        def decide(table: Table) -> Effect:
            need_game(table)
            mine = seating.need_seat(table.people, person.id)
            if seat not in table.seats:
                raise NoSuchSeat(seat, table.seats)
            if seat == mine:
                raise OwnSeat(seat)
            clock, pace = table.clocks.get(seat), PACES[table.terms.pace]
            if clock is None or not clock.overdue or pace is None:
                raise NotOverdue(seat)
            now = self._transactions.now()
            rest = rests.get(clock.user_id, NO_REST)
            owner = table.people[seat]
            whose = {"user_id": owner.user_id, "name": owner.name}
            match remedy:
                case Remedy.WAIT:
                    clocks = {**table.clocks, seat: ticking.again(clock, pace, now, rest)}
                    people = {**table.people, seat: replace(owner, offered=False)}
                    note = NoteRow(table.number, NoteKind.WAITED, now, person.id, seat, whose)
                    return Effect(replace(table, clocks=clocks, people=people), [note])
                case Remedy.PLAY:
                    return played_for(table, seat, now, by=person.id)
                case Remedy.COMPUTER:
                    people = {**seating.stand_in(table.people, seat, USUAL, StandInReason.HANDED)}
                    note = NoteRow(table.number, NoteKind.HANDED, now, person.id, seat, whose)
                    return Effect(replace(table, people=people), [note])
                case Remedy.OFFER:
                    clocks = {**table.clocks, seat: ticking.choosing(clock, pace, now, rest)}
                    people = {**table.people, seat: replace(owner, offered=True)}
                    note = NoteRow(table.number, NoteKind.OFFERED, now, person.id, seat, whose)
                    return Effect(replace(table, clocks=clocks, people=people), [note])

        after = await self._transactions.change(table_id, decide)
        owner = after.people[seat].user_id
        if after.people[seat].why is not None and owner is not None:
            self._aftermath.tell(table_id, [Due(DueKind.HANDED, seat, owner)])
        return after

    async def reclaim(self, table_id: int, person: Person) -> Table:
        """Play one's own seat again, or withdraw the offer of it.

        Raises `WrongStatus`, `NotAtTable`, `NothingToReclaim`.
        """

        def decide(table: Table) -> Effect:
            need(table, Status.PLAYING, Status.PAUSED)
            seat = seating.need_seat(table.people, person.id)
            mine = table.people[seat]
            if not mine.may_reclaim:
                raise NothingToReclaim(seat)
            note = NoteRow(
                table.number, NoteKind.RECLAIMED, self._transactions.now(), person.id, seat, {"name": person.name}
            )
            return woken(table, Effect(replace(table, people=seating.give_back(table.people, seat)), [note]))

        return await self._transactions.change(table_id, decide)

    async def take_over(self, table_id: int, person: Person, seat: int) -> Table:
        """Sit down on an abandoned or offered seat; from then on its hand is `person`'s.

        Raises `WrongStatus`, `Banned`, `AlreadySeated`, `NoSuchSeat`, `SeatNotOpen`, `TooManyOfYours`, and
        `SawOtherHand` for somebody who had another seat in this game before: nobody may know two hands.
        """
        guild_id = (await self._transactions.get(table_id)).guild_id
        await self._admission.check_ban(guild_id, person.id)
        settings = await self._chosen.guild(guild_id)
        had = await self._had(table_id, person)

        news: list[Due] = []

        def decide(table: Table) -> Effect:
            people = _taken_over(table, person, seat, had)
            old = table.people[seat]
            news[:] = [] if old.user_id is None else [Due(DueKind.TAKEN, seat, old.user_id)]
            told = {"name": person.name, "old_name": old.name, "old_user_id": old.user_id}
            note = NoteRow(table.number, NoteKind.TAKEN_OVER, self._transactions.now(), person.id, seat, told)
            return woken(table, Effect(replace(table, people=people), [note]))

        after = await self._transactions.change(
            table_id, decide, check=lambda change: check_member(change, settings, person)
        )
        self._aftermath.tell(table_id, news)
        return after

    async def check_take_over(self, table_id: int, person: Person, seat: int) -> None:
        """Raise what `take_over` would, but change nothing."""
        table = await self._transactions.get(table_id)
        await self._admission.check_ban(table.guild_id, person.id)
        try:
            _taken_over(table, person, seat, await self._had(table_id, person))
        except TableError as refused:
            refused.code = table.code
            raise

    async def _had(self, table_id: int, person: Person) -> list[int]:
        """The seats of a game whose hands a person has seen."""
        return [
            note.seat
            for note in await self._memory.notes(table_id)
            if note.seat is not None
            and (
                person.id in (note.data.get("old_user_id"), note.data.get("user_id"))
                or (note.actor_id == person.id and note.kind in _HAD)
            )
        ]

    async def nudge(self, table_id: int, person: Person, seat: int | None = None) -> tuple[int, ...]:
        """Remind those the game is waiting for (on `seat`, or on any), once per decision; returns whom to mention.

        Raises `WrongStatus`, `NotAtTable`, `NobodyToNudge`, `AlreadyNudged`, `Resting`.
        """
        rests = await self._chosen.rests((await self._transactions.get(table_id)).persons)
        nudged: list[int] = []

        def decide(table: Table) -> Effect:
            nudged.clear()
            need_game(table)
            seating.need_seat(table.people, person.id)
            now = self._transactions.now()
            waiting = {
                one: clock
                for one, clock in table.clocks.items()
                if clock.user_id != person.id and seat in (None, one) and one in table.waiting_for
            }
            if not waiting:
                raise NobodyToNudge
            left = {one: clock for one, clock in waiting.items() if not clock.nudged}
            if not left:
                raise AlreadyNudged(tuple(waiting))
            asleep = {clock.user_id: resting_until(now, rests.get(clock.user_id, NO_REST)) for clock in left.values()}
            left = {one: clock for one, clock in left.items() if asleep[clock.user_id] is None}
            if not left:
                user_id, until = next(iter(asleep.items()))
                raise Resting(user_id, until or now)
            nudged.extend(clock.user_id for clock in left.values())
            clocks = {**table.clocks, **{one: replace(clock, nudged=True) for one, clock in left.items()}}
            notes = [NoteRow(table.number, NoteKind.NUDGED, now, person.id, one, {}) for one in left]
            return Effect(replace(table, clocks=clocks), notes)

        await self._transactions.change(table_id, decide)
        return tuple(nudged)

    async def member_left(self, guild_id: int, user_id: int) -> tuple[int, ...]:
        """A member has left the guild: their seats there become free in lobbies, and a computer's in games.

        Others may take them over; a member who comes back may reclaim theirs. Returns the tables that changed.
        """

        def decide(table: Table) -> Effect:
            seat = table.seat_of(user_id)
            if seat is None or not table.is_open:
                return Effect(table)
            gone = Person(user_id, table.people[seat].name)
            if table.status is Status.LOBBY:
                return without(table, seating.leave(table.people, user_id), gone, self._transactions.now())
            if table.people[seat].why == StandInReason.LEFT:
                return Effect(table)
            note = NoteRow(
                table.number, NoteKind.LEFT_GUILD, self._transactions.now(), user_id, seat, {"name": gone.name}
            )
            return Effect(
                replace(table, people=seating.stand_in(table.people, seat, USUAL, StandInReason.LEFT)), [note]
            )

        return await self._transactions.everywhere(guild_id, user_id, decide)


def _taken_over(table: Table, person: Person, seat: int, had: Sequence[int]) -> seating.Occupants:
    need(table, Status.PLAYING, Status.PAUSED)
    people = seating.take_over(table.people, table.seats, person, seat)
    for other in had:
        if other != seat:
            raise SawOtherHand(other)
    return people


_HAD = frozenset({NoteKind.RESIGNED, NoteKind.TAKEN_OVER, NoteKind.LEFT_GUILD})
"""The notes about a seat whose actor was the one who had it."""
