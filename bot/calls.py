"""Calls: whom a board pings. Here it is decided, and nowhere else.

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

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.message import About, Message
from bot.moment import Moment
from bot.preferences import Preferences
from bot.table import Logged, Table
from engine import Entry, Phase

HERE = 600
"""Seconds after a press or command at a table for which its person is taken to be there, and needs no ping."""

QUIETLY = "?"
"""The end of a mark of a person who was called without a ping."""

EXCHANGING = frozenset({Phase.EXCHANGE, Phase.ANSWER})
"""The phases in which several players are asked, and what they do is not told."""


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
        marks = dict(before)
        for seat, decision in self.called.items():
            marks[seat] = f"{decision}{QUIETLY}" if seat in quietly else str(decision)
        return {seat: mark.removesuffix(QUIETLY) if seat in self.again else mark for seat, mark in marks.items()}


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
        ping=tuple(user for user in missed if preferences[user].wants_channel_ping),
        called=table.decisions(seat for seat, user in to_call.items() if user not in waits),
        quietly=frozenset(seat for seat, user in to_call.items() if user in awaited and user in there),
        again=frozenset(gone),
        letters={user: decisions[seat] for user, seat in written.items() if seat in decisions},
        awaited=awaited,
    )


def find_asked(
    table: Table, phase: Phase, rows: Sequence[Logged], entries: Sequence[Entry], *, is_undone: bool
) -> tuple[int, ...]:
    """Return the users to call after these entries: once per decision.

    Players who continue their own turn, or took an action back without asking (`is_undone`), are not called: they are
    there. `rows`: the log.
    """
    to_call = find_to_call(table)
    if is_undone and not entries:
        return ()
    if not entries or phase in EXCHANGING:
        return tuple(to_call.values())
    acted = {(row.seat, row.actor) for row in rows[max(entries[0].number, 1) - 1 : entries[-1].number]}
    return tuple(user for seat, user in to_call.items() if acted != {(seat, user)})


def find_called(table: Table) -> Mapping[int, Moment]:
    """Return by seat the decision for which its person has been called."""
    marks = {} if table.shown is None else table.shown.marks
    return {seat: Moment.parse(mark.removesuffix(QUIETLY)) for seat, mark in marks.items()}


def find_called_quietly(table: Table) -> Mapping[int, int]:
    """Return by seat the people called without a ping, since they were there, who have not acted yet."""
    marks = {} if table.shown is None else table.shown.marks
    waiting = table.waiting_for.items()
    return {seat: user for seat, user in waiting if marks.get(seat) == f"{table.decision(seat)}{QUIETLY}"}


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
