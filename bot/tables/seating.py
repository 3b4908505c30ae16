"""Seating in the lobby and when a seat changes hands: pure functions from one set of occupants to the next.

`Occupants` maps seats to occupants; free seats are absent. Nothing here waits, stores anything, or knows Discord.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.errors import AlreadySeated, NotAtTable, NotPossible, Problem, SeatTaken
from bot.occupants import USUAL, Occupant, Person, StandInReason
from bot.table import Note, NoteKind, Table

Occupants = Mapping[int, Occupant]

COMPUTER_NAMES = ("Bello", "Luna", "Rex", "Fifi", "Bodri", "Waldi", "Nero", "Senta")
"""The names of computer players, in the order they sit down; proper names, the same in every language."""


def need_seat(occupants: Occupants, user_id: int) -> int:
    """Return the seat this member owns. Raises `NotAtTable`."""
    for seat, occupant in occupants.items():
        if occupant.user_id == user_id:
            return seat
    raise NotAtTable(user_id)


def need_play(occupants: Occupants, user_id: int) -> int:
    """Return the seat this member plays, for a friend too. Raises `NotAtTable`, `COMPUTER_PLAYS`, `FRIEND_PLAYS`."""
    for seat, occupant in occupants.items():
        if occupant.plays == user_id:
            return seat
    seat = need_seat(occupants, user_id)
    raise NotPossible(Problem.COMPUTER_PLAYS if occupants[seat].plays is None else Problem.FRIEND_PLAYS)


def find_turned_away(notes: Sequence[Note]) -> frozenset[int]:
    """Return the user ids of those whose seats the host of a lobby has freed, and who were not invited again."""
    turned_away: set[int] = set()
    for noted in notes:
        user_id, users = noted.data.get("user_id"), noted.data.get("users")
        if noted.kind is NoteKind.FREED and isinstance(user_id, int):
            turned_away.add(user_id)
        elif noted.kind is NoteKind.INVITED and isinstance(users, list):
            turned_away.difference_update(users)
    return frozenset(turned_away)


def has_played(notes: Sequence[Note], user_id: int) -> bool:
    """Return True if a person has played a seat of this game, their own or a friend's."""
    return any(noted.kind is NoteKind.SITS and noted.data.get("user_id") == user_id for noted in notes)


def admits(table: Table, person: Person) -> bool:
    """Return True if a table is open to a person: to all, to those with a role, or to those who are invited."""
    role, invited = table.terms.admits, (who.user_id for who in table.invited.values())
    return role is None or role in person.roles or person.id in (table.host_id, *invited)


def join(occupants: Occupants, seats: tuple[int, ...], person: Person, seat: int | None = None) -> Occupants:
    """Seat a person: here, or on a free or a computer's seat. Raises `AlreadySeated`, `SeatTaken`, `TABLE_FULL`."""
    for taken, occupant in occupants.items():
        if occupant.user_id == person.id:
            raise AlreadySeated(taken)
    if seat is None:
        free = [place for place in seats if place not in occupants]
        computers = [place for place in seats if place in occupants and occupants[place].user_id is None]
        if not free and not computers:
            raise NotPossible(Problem.TABLE_FULL)
        seat = (free or computers)[0]
    _check_not_a_persons(occupants, seats, seat)
    return {**occupants, seat: Occupant(person.name, user_id=person.id, contribution=person.contribution)}


def leave(occupants: Occupants, user_id: int) -> Occupants:
    """Free the seat of this member. Raises `NotAtTable`."""
    mine = need_seat(occupants, user_id)
    return {seat: occupant for seat, occupant in occupants.items() if seat != mine}


def contribute(occupants: Occupants, user_id: int, text: str | None) -> Occupants:
    """Let a member contribute this text to the shuffles, or nothing. Raises `NotAtTable`."""
    mine = need_seat(occupants, user_id)
    return {**occupants, mine: replace(occupants[mine], contribution=text)}


def move(occupants: Occupants, seats: tuple[int, ...], user_id: int, seat: int) -> Occupants:
    """Move a member, or let them trade with a computer. Raises `NotAtTable`, `NO_SUCH_SEAT`, `SeatTaken`."""
    mine = need_seat(occupants, user_id)
    if seat == mine:
        return occupants
    _check_not_a_persons(occupants, seats, seat)
    moved = {place: occupant for place, occupant in occupants.items() if place not in (mine, seat)}
    moved[seat] = occupants[mine]
    if seat in occupants:
        moved[mine] = occupants[seat]
    return moved


def add_computer(occupants: Occupants, seats: tuple[int, ...], level: str, seat: int | None = None) -> Occupants:
    """Seat a computer player on `seat` or on the first free one. Raises `NO_SUCH_SEAT`, `SeatTaken`, `TABLE_FULL`."""
    free = [place for place in seats if place not in occupants]
    if seat is None:
        if not free:
            raise NotPossible(Problem.TABLE_FULL)
        seat = free[0]
    _check_not_a_persons(occupants, seats, seat)
    return {**occupants, seat: make_computer(occupants, level)}


def remove_computer(occupants: Occupants, seat: int) -> Occupants:
    """Free the seat of a computer player. Raises `NO_COMPUTER`."""
    if seat not in occupants or not occupants[seat].is_computer:
        raise NotPossible(Problem.NO_COMPUTER)
    return {place: occupant for place, occupant in occupants.items() if place != seat}


def vacate(occupants: Occupants, user_id: int, why: StandInReason) -> Occupants:
    """Put a computer on a member's seat for good; others may take it over. Raises `NotAtTable`."""
    mine = need_seat(occupants, user_id)
    after = replace(make_computer(occupants, USUAL), why=why, offered=True, contribution=occupants[mine].contribution)
    return {**occupants, mine: after}


def stand_in(occupants: Occupants, seat: int, why: StandInReason) -> Occupants:
    """Let a computer play a seat for its owner, who may reclaim it; of those who left the server others may take it.

    A friend who has been asked to play while the owner is away may still agree.
    """
    owner = occupants[seat]
    asked = owner.friend if why is StandInReason.AWAY and owner.why is not StandInReason.FRIEND else None
    offered = why is StandInReason.LEFT_GUILD
    return {**occupants, seat: replace(owner, computer=USUAL, why=why, offered=offered, missed=0, friend=asked)}


def ask_friend(occupants: Occupants, seat: int, user_id: int | None) -> Occupants:
    """Note that a friend has been asked to play a seat for its owner; None: no one is asked any more."""
    return {**occupants, seat: replace(occupants[seat], friend=user_id)}


def let_friend_play(occupants: Occupants, seat: int) -> Occupants:
    """Let the friend who was asked play a seat for its owner, who may take it back."""
    owner = occupants[seat]
    return {**occupants, seat: replace(owner, computer=None, why=StandInReason.FRIEND, offered=False, missed=0)}


def give_back(occupants: Occupants, seat: int) -> Occupants:
    """Let the owner of a seat play it (again)."""
    return {**occupants, seat: replace(occupants[seat], computer=None, why=None, offered=False, missed=0, friend=None)}


def take_over(occupants: Occupants, seats: tuple[int, ...], person: Person, seat: int) -> Occupants:
    """Seat a person in place of the seat's former owner. Raises `AlreadySeated`, `NO_SUCH_SEAT`, `SEAT_NOT_OPEN`."""
    for taken, occupant in occupants.items():
        if occupant.user_id == person.id:
            raise AlreadySeated(taken)
    if seat not in seats:
        raise NotPossible(Problem.NO_SUCH_SEAT)
    if seat not in occupants or not occupants[seat].offered:
        raise NotPossible(Problem.SEAT_NOT_OPEN)
    return {**occupants, seat: Occupant(person.name, user_id=person.id, contribution=occupants[seat].contribution)}


def fit(occupants: Occupants, seats: tuple[int, ...]) -> Occupants:
    """Return the same people on these seats, on their own where it is there; computers go if there is no room."""
    kept = {seat: who for seat, who in occupants.items() if seat in seats}
    for seat, who in sorted(occupants.items(), key=lambda item: item[1].user_id is None):
        if seat in seats:
            continue
        free = [place for place in seats if place not in kept]
        computers = [
            place for place in seats if place in kept and kept[place].user_id is None and who.user_id is not None
        ]
        if free or computers:
            kept[(free or computers)[0]] = who
    return kept


def make_computer(occupants: Occupants, level: str) -> Occupant:
    """Return a computer player with a name that is new at the table."""
    taken = {occupant.name for occupant in occupants.values()}
    name = next((name for name in COMPUTER_NAMES if name not in taken), COMPUTER_NAMES[0])
    return Occupant(name, computer=level)


def _check_not_a_persons(occupants: Occupants, seats: tuple[int, ...], seat: int) -> None:
    if seat not in seats:
        raise NotPossible(Problem.NO_SUCH_SEAT)
    if seat in occupants:
        owner = occupants[seat].user_id
        if owner is not None:
            raise SeatTaken(seat, owner)


def seat_again(table: Table, person: Person, *, free_seat: bool) -> Occupants:
    """Return the occupants of a rematch at `person`'s request, each on their seat.

    With `free_seat` one seat is free: that of the first computer player, else of the first absent person for whom a
    computer was playing at the end. Otherwise only `person` is seated: the others join if they want to.
    """
    occupants = _first_occupants(table)
    if free_seat:
        computers = [seat for seat in table.seats if occupants[seat].user_id is None]
        absent = [
            seat for seat in table.seats if table.occupants[seat].plays is None and occupants[seat].user_id != person.id
        ]
        left = [*computers, *absent]
        occupants = {
            seat: who for seat, who in occupants.items() if (seat != left[0] if left else who.user_id == person.id)
        }
    return occupants


def _first_occupants(table: Table) -> Occupants:
    """Return the people of a game as they first sat down."""
    return {
        seat: Occupant(who.name, who.user_id, who.computer if who.user_id is None else None)
        for seat, who in table.occupants.items()
    }


def choose_seat(table: Table, person: Person, own: int | None) -> int | None:
    """Return the seat kept for a person, their `own` of the game before, or one not kept for others; else None."""
    expected = table.expected
    kept = next((seat for seat, who in expected.items() if who.user_id == person.id), None)
    left = next((seat for seat in table.free if seat not in expected), None)
    return next((seat for seat in (kept, own, left) if seat is not None and seat in table.free), None)
