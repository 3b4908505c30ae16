"""Absent players: what the others may do when time is up, nudging, taking over, turns played for them, coming back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from bot import clocks
from bot.clocks import NO_REST, Rest, resting_until
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
from bot.storage import ActionRow, NoteRow
from bot.table import PACES, USUAL, Automatic, NoteKind, Person, StandInReason, Status, Table
from bot.tables import seating
from bot.tables.aftermath import Aftermath, Due, DueKind
from bot.tables.chosen import Admission, Chosen, check_member
from bot.tables.computers import think
from bot.tables.effects import Effect, need, need_game, played, without, woken
from bot.tables.memory import Memory
from bot.tables.transactions import Transactions
from engine import ActionKind, Game, Phase


class Remedy(StrEnum):
    """What the others may do about a player whose time is up."""

    WAIT = "wait"
    PLAY = "play"
    COMPUTER = "computer"
    OFFER = "offer"


class Absence:
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
                    people = {**table.people, seat: replace(owner, offered=False)}
                    note = NoteRow(table.number, NoteKind.WAITED, now, person.id, seat, whose)
                    waiting = {**table.clocks, seat: clocks.again(clock, pace, now, rest)}
                    return Effect(replace(table, clocks=waiting, people=people), [note])
                case Remedy.PLAY:
                    return played_for(table, seat, now, by=person.id)
                case Remedy.COMPUTER:
                    people = {**seating.stand_in(table.people, seat, USUAL, StandInReason.HANDED)}
                    note = NoteRow(table.number, NoteKind.HANDED, now, person.id, seat, whose)
                    return Effect(replace(table, people=people), [note])
                case Remedy.OFFER:
                    people = {**table.people, seat: replace(owner, offered=True)}
                    note = NoteRow(table.number, NoteKind.OFFERED, now, person.id, seat, whose)
                    choosing = {**table.clocks, seat: clocks.choosing(clock, pace, now, rest)}
                    return Effect(replace(table, clocks=choosing, people=people), [note])

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
            after = {**table.clocks, **{one: replace(clock, nudged=True) for one, clock in left.items()}}
            notes = [NoteRow(table.number, NoteKind.NUDGED, now, person.id, one, {}) for one in left]
            return Effect(replace(table, clocks=after), notes)

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


def back(table: Table, user_id: int, now: int, before: Rest, after: Rest, *, call: bool = False) -> Effect:
    """The table with a person who was away back in their seat, if a computer played it meanwhile.

    Their clock continues where it stood: `before` and `after` say when it rests with and without the time away. With
    `call` they do not know yet: if the game is waiting for them, they are called again and get the whole time again.
    """
    seat = table.seat_of(user_id)
    if seat is None or table.status not in (Status.PLAYING, Status.PAUSED):
        return Effect(table)
    was, who = table, table.people[seat]
    note = NoteRow(table.number, NoteKind.BACK, now, user_id, seat, {})
    if call:
        table = replace(table, called={one: decision for one, decision in table.called.items() if one != seat})
    uncalled = frozenset({seat} & was.called.keys() if call else ())
    if who.why == StandInReason.AWAY:
        home = replace(table, people=seating.give_back(table.people, seat))
        return woken(table, Effect(home, [note], uncalled=uncalled))
    if who.plays != user_id or before == after:
        return Effect(was)
    rested = resting(table, now, user_id, before, after)
    pace = PACES[table.terms.pace]
    if call and pace is not None:
        anew = {one: clocks.again(clock, pace, now, after) for one, clock in rested.clocks.items() if one == seat}
        rested = replace(rested, clocks={**rested.clocks, **anew})
    return Effect(rested, [note], uncalled=uncalled)


def resting(table: Table, now: int, user_id: int, before: Rest, after: Rest) -> Table:
    """The table with this person's clocks adjusted to a different rest from now on; always a new snapshot."""
    adjusted = {
        seat: clocks.rest_differently(clock, now, before, after) if clock.user_id == user_id else clock
        for seat, clock in table.clocks.items()
    }
    return replace(table, clocks=adjusted)


def played_for(table: Table, seat: int, now: int, *, by: int | None) -> Effect:
    """The table after a computer has played this turn for an absent person; `by`: who chose that, if anybody did.

    Everything that belongs to the turn is played: a jump on offer, the play after a redraw. After `MOST_MISSED` turns
    in a row for which nobody chose it, a computer plays on.
    """
    after, game = table, need_game(table)
    actions: list[ActionRow] = []
    note = NoteRow(table.number, NoteKind.AUTO_PLAYED, now, by, seat, {"user_id": table.people[seat].user_id})
    notes = [note]
    games: list[Game] = []
    while True:
        phase = game.phase
        action = think(game, seat, USUAL)
        game = game.play(seat, action)
        effect = played(after, game, seat, action, Automatic.CLOCK, now)
        after = effect.after
        games.append(game)
        actions += effect.actions
        notes += effect.notes
        goes_on = game.phase is Phase.JUMP or (phase is Phase.REDRAW and action.kind is ActionKind.DISCARD)
        if not goes_on or game.to_act != (seat,):
            break
    owner = after.people[seat]
    people = {**after.people, seat: replace(owner, missed=owner.missed + (by is None))}
    if people[seat].missed >= clocks.MOST_MISSED and after.status is Status.PLAYING:
        people = dict(seating.stand_in(people, seat, USUAL, StandInReason.ABSENT))
        notes.append(
            NoteRow(game.number, NoteKind.HANDED, now, None, seat, {"user_id": owner.user_id, "name": owner.name})
        )
    return Effect(replace(after, people=people), notes, actions, games=games)
