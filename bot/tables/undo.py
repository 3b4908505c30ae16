"""When one's own last action may be taken back alone: for a minute, and never across a deal.

With everyone's consent it may be taken back later too (`bot.tables.consent`).

Alone, nobody may have acted since. What a computer player or a rule did afterwards counts as acting, for it laid cards
open. A single person among computers needs nobody's consent, so their takeback works at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.errors import ComputerPlays, NothingToUndo, UndoRefused
from bot.table import Logged, Table
from bot.tables import seating
from bot.tables.steps import need_game
from engine import Entry, EventKind

SECONDS = 60
"""How long a player may take back an action alone."""

_OPEN = frozenset(
    {
        EventKind.GAVE,
        EventKind.DECLARED,
        EventKind.PLAYED,
        EventKind.FOLDED,
        EventKind.DISCARDED,
        EventKind.PLACED,
        EventKind.JUMPED,
        EventKind.STAYED,
    }
)
"""Events that show nothing but what the player had in mind."""


def check_alone(table: Table, log: Sequence[Logged], user_id: int, now: int) -> int:
    """The seat on which this member may take back the last action alone; `log`: the actions.

    Raises `WrongStatus`, `NotAtTable`, `ComputerPlays`, `NothingToUndo`, and `UndoRefused` when somebody has acted
    since (`acted`), when it revealed something hidden (`revealed`), or after 60 s (`late`).
    """
    game = need_game(table)
    seat = need_own_seat(table, user_id)
    mine = [row for row in log[: table.number] if row.seat == seat and row.actor == str(user_id)]
    if not mine:
        raise NothingToUndo
    if len(log) != table.number or mine[-1].number != table.number:
        raise UndoRefused("acted")
    if reveals(game.history(table.number)):
        raise UndoRefused("revealed")
    if now - mine[-1].at > SECONDS:
        raise UndoRefused("late")
    return seat


def need_own_seat(table: Table, user_id: int) -> int:
    """The seat that this member plays. Raises `NotAtTable`, `ComputerPlays`."""
    seat = seating.need_seat(table.people, user_id)
    if table.people[seat].plays is None:
        raise ComputerPlays(seat)
    return seat


def reveals(entries: Sequence[Entry]) -> bool:
    """Whether anything hidden came to light: a card drawn or dealt, an exchange completed, an answer seen."""
    return any(event.kind not in _OPEN or event.count > 0 for entry in entries for event in entry.events)
