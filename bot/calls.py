"""Calls: who is at a table, and whom its board pings. Here it is decided, and nowhere else.

A player is called once for each decision (`Moment`): the board's message remembers by seat for which, in its marks.
`find_to_call` are those who are asked and were not called; what happened decides who of them is pinged (`find_asked`):
not those who continue their own turn. Of these, `Calls` says how each is told:

- away until a day: not now, but when they are back;
- at the table (a press within the last ten minutes): quietly, the board is edited; once they have gone without acting,
  they are pinged after all, with those who have been silent for half as long, unless their reminder comes as soon; in
  an exchange a quarter of an hour after its last board, at the earliest;
- else by a ping, a direct message, or not at all, as they chose.

A takeback, a change of hands or a return takes the mark away (`call_again`), so that the seat is called once more.
Other pings (reminders, proposals, lost places) are in `bot.delivery.notices`, each said once.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.message import About, CallMark, Message
from bot.moment import Moment
from bot.preferences import Notify, Preferences
from bot.table import STARTS_AFTER, Logged, Note, NoteKind, Status, Table
from engine import Entry

HERE = 600
"""Seconds after a press or command at a table for which its person is taken to be there, and needs no ping."""

EXCHANGE_LASTS = 900
"""Seconds for which a board of an exchange, in which several are asked, is not followed by another for one who goes."""

CHANGES_WITHIN = 3
"""The most seconds from a press until what it has changed."""


@dataclass(frozen=True, slots=True)
class Calls:
    """Whom a board calls. `awaited`: the users who are expected to look.

    `ping`: the users to mention; `called`: by seat, the decisions for which players are called, however they want to be
    told; `quietly`: the seats among them whose players are there and not mentioned; `again`: the seats whose players
    were called quietly before and have gone; `letters`: by user, the decision for which they get a direct message.
    """

    ping: tuple[int, ...] = ()
    called: Mapping[int, Moment] = field(default_factory=dict)
    quietly: frozenset[int] = frozenset()
    again: frozenset[int] = frozenset()
    letters: Mapping[int, Moment] = field(default_factory=dict)
    awaited: tuple[int, ...] = ()

    def mark(self, before: Mapping[int, str], pace: int | None) -> Mapping[int, str]:
        """Return the marks of the board, given those `before`, at a table of this pace (seconds for a decision)."""
        # Where the reminder comes as soon, no other ping is needed.
        quietly = self.quietly if pace is None or pace * 9 > HERE * 10 else ()
        marks = {seat: CallMark.parse(mark) for seat, mark in before.items()}
        marks |= {seat: CallMark(decision, seat in quietly) for seat, decision in self.called.items()}
        return {seat: str(CallMark(when, quiet and seat not in self.again)) for seat, (when, quiet) in marks.items()}


def filter_pinged(users: Iterable[int], preferences: Mapping[int, Preferences]) -> tuple[int, ...]:
    """Return the users who want to be mentioned in channels, in the same order."""
    return tuple(user for user in users if preferences[user].wants_channel_ping)


def find_invited(table: Table) -> tuple[int, ...]:
    """Return the users whom the first board of a lobby invites; those who are invited later are told beside it."""
    expected = table.expected.values() if table.shown is None else ()
    return tuple(who.user_id for who in expected if who.user_id is not None)


def find_lobby_calls(table: Table, users: Iterable[int], preferences: Mapping[int, Preferences]) -> Calls:
    """Return whom a lobby's board calls of the users it invites; in a rematch, others have invited them."""
    called = tuple(user for user in users if table.rematch_of is None or not preferences[user].uninvited)
    return Calls(ping=filter_pinged(called, preferences), awaited=called)


def find_calls(
    table: Table, asked: Collection[int], preferences: Mapping[int, Preferences], there: Collection[int]
) -> Calls:
    """Return whom a board calls: those who are `asked`, or were called quietly and are no longer `there`.

    People who are away are called when they are back.
    """
    waits = {user for user, prefers in preferences.items() if prefers.is_away_waiting and table.is_slow}
    to_call = find_to_call(table)
    gone = {seat: user for seat, user in find_called_quietly(table).items() if user not in there}
    awaited = tuple(user for user in dict.fromkeys((*asked, *gone.values())) if user not in waits)
    missed = tuple(user for user in awaited if user not in there)
    written = {user: seat for seat, user in table.waiting_for.items() if user in missed and preferences[user].wants_dm}
    decisions = table.decisions(written.values()) if table.is_open else {}
    return Calls(
        ping=filter_pinged(missed, preferences),
        called=table.decisions(seat for seat, user in to_call.items() if user not in waits),
        quietly=frozenset(seat for seat, user in to_call.items() if user in awaited and user in there),
        again=frozenset(gone),
        letters={user: decisions[seat] for user, seat in written.items() if seat in decisions},
        awaited=awaited,
    )


def find_present(
    table: Table, preferences: Mapping[int, Preferences], idle: Mapping[int, float], now: float
) -> frozenset[int]:
    """Return the users at a table whom its board need not ping, given for how long they have been `idle` there.

    That is by user, the seconds since their last press or command at the table.
    """
    calm = {user for user in table.people if preferences[user].notify is not Notify.ALWAYS}
    there = frozenset(user for user in calm if _is_there(user, idle))
    quietly = frozenset(find_called_quietly(table).values())
    if is_exchanging(table, now):
        return there | (quietly & calm)
    # If one has gone, a new board comes: it calls those too who are about to go, for whom another would come.
    return there if quietly <= there else frozenset(user for user in there if _is_there(user, idle, part=1 / 2))


def find_readers(table: Table, idle: Mapping[int, float], now: float) -> tuple[int, ...]:
    """Return the users who are at a lobby; if its host has changed the game once it was full, at that moment."""
    if table.not_before is None:
        return tuple(user for user in table.people if _is_there(user, idle))
    changed_at = table.not_before - STARTS_AFTER - CHANGES_WITHIN
    return tuple(user for user in table.people if now - idle.get(user, math.inf) > changed_at)


def find_gone(table: Table, idle: Mapping[int, float], now: float) -> tuple[int, ...]:
    """Return the users who were called without a ping, have gone without acting, and are to be pinged now."""
    quietly = () if is_exchanging(table, now) else find_called_quietly(table).values()
    return tuple(user for user in quietly if not _is_there(user, idle))


def find_next_look(table: Table, idle: Mapping[int, float], now: float) -> float | None:
    """Return the seconds until a person who was called without a ping may have gone; None if none was."""
    quietly = find_called_quietly(table).values()
    if not quietly:
        return None
    held = table.shown.at + EXCHANGE_LASTS - now if table.shown is not None and is_exchanging(table, now) else 0
    return max(1, HERE - max(idle.get(user, math.inf) for user in quietly), held)


def is_exchanging(table: Table, now: float) -> bool:
    """Return True if players who go during an exchange are not pinged yet, but later, together."""
    return table.asks_for_cards and table.shown is not None and table.shown.at + EXCHANGE_LASTS > now


def _is_there(user: int, idle: Mapping[int, float], part: float = 1) -> bool:
    """Return True if a user has pressed or typed something at a table in the last ten minutes (`part` of them)."""
    return idle.get(user, math.inf) < HERE * part


def is_called_off(table: Table) -> bool:
    """Return True for a cancelled game of several people, which calls them just as a won game does."""
    return table.status is Status.CANCELLED and len(table.owners) > 1


def find_asked(
    table: Table, notes: Sequence[Note], rows: Sequence[Logged], entries: Sequence[Entry], *, is_undone: bool
) -> tuple[int, ...]:
    """Return the users to call after these entries: once per decision, and all once at the end, except who cancelled.

    Players who continue their own turn, or took an action back without asking (`is_undone`), are not called: they are
    there. `rows`: the log.
    """
    if table.status is Status.OVER:
        return tuple(table.owners)
    if is_called_off(table):
        by = next((note.actor_id for note in reversed(notes) if note.kind is NoteKind.CANCELLED), None)
        return tuple(user for user in table.owners if user != by)
    to_call = find_to_call(table)
    if is_undone and not entries:
        return ()
    if not entries or table.asks_for_cards:
        return tuple(to_call.values())
    acted = {(row.seat, row.actor) for row in rows[max(entries[0].number, 1) - 1 : entries[-1].number]}
    return tuple(user for seat, user in to_call.items() if acted != {(seat, user)})


def find_called(table: Table) -> Mapping[int, Moment]:
    """Return by seat the decision for which its person has been called."""
    return {seat: mark.decision for seat, mark in _find_marks(table).items()}


def find_called_quietly(table: Table) -> Mapping[int, int]:
    """Return by seat the people called without a ping, since they were there, who have not acted yet."""
    marks, waiting = _find_marks(table), table.waiting_for.items()
    return {seat: user for seat, user in waiting if marks.get(seat) == (table.decision(seat), True)}


def _find_marks(table: Table) -> Mapping[int, CallMark]:
    """Return the marks of the newest board, by seat."""
    return {} if table.shown is None else {seat: CallMark.parse(mark) for seat, mark in table.shown.marks.items()}


def find_to_call(table: Table) -> Mapping[int, int]:
    """Return by seat the people still to be called for the decision that the game is waiting for."""
    called = find_called(table)
    return {seat: user for seat, user in table.waiting_for.items() if called.get(seat) != table.decision(seat)}


def call_again(messages: Iterable[Message], seats: Iterable[int]) -> tuple[Message, ...]:
    """Return a table's messages without the calls of the people on these seats, who are to be called again."""
    gone = frozenset(seats)
    return tuple(
        replace(message, marks={seat: mark for seat, mark in message.marks.items() if seat not in gone})
        if message.about is About.BOARD
        else message
        for message in messages
    )
