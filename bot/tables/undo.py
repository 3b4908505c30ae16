"""What taking back would undo, and what has been seen by then: the one rule for undoing with and without consent.

Without asking, one's own last action may be taken back for a minute, as long as only computers and rules have acted
since and nothing hidden was seen. Later, or once somebody has acted, everybody else who owns a seat has to agree
(`bot.tables.consent`), and is told what has been seen. If nobody else owns a seat, what has been seen stays seen:
nobody draws a card, looks at it, and takes it back. Nothing at all is taken back across a deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from bot.errors import AcrossDeal, ComputerPlays, NothingToUndo, NoUndo, UndoRefused
from bot.table import Automatic, Logged, Table
from bot.tables import seating
from bot.tables.effects import dealt, need_game
from engine import Entry, EventKind

SECONDS = 60
"""How long a player may take back an action without asking."""


class Seen(StrEnum):
    """What somebody has seen that was hidden before."""

    CARD = "card"
    """A card that was drawn."""
    EXCHANGE = "exchange"
    """The cards that changed hands."""
    HAND = "hand"
    """A hand that was laid down."""
    ANSWER = "answer"
    """Whether somebody called for help, or what the answer was."""


_SEEN = {
    EventKind.EXCHANGED: Seen.EXCHANGE,
    EventKind.FOLDED: Seen.HAND,
    EventKind.ASKED: Seen.ANSWER,
    EventKind.NEEDS_NONE: Seen.ANSWER,
    EventKind.ANSWERED_GAVE: Seen.ANSWER,
    EventKind.DECLINED: Seen.ANSWER,
}


def seen_in(entries: Iterable[Entry]) -> frozenset[Seen]:
    """What these entries brought to light, which would remain known if they were taken back.

    A card that a player chose to play reveals what the player had in mind, but that does not count here.
    """
    found = set()
    for entry in entries:
        for event in entry.events:
            if event.kind is EventKind.FOLDED and not event.cards:
                continue
            if event.kind in _SEEN:
                found.add(_SEEN[event.kind])
            elif event.count > 0:
                found.add(Seen.CARD)
    return frozenset(found)


def last_action(table: Table, log: Sequence[Logged], user_id: int) -> Logged:
    """The newest action of this member, on the seat they play; `log`: the actions.

    Raises `WrongStatus`, `NotAtTable`, `ComputerPlays`, `NothingToUndo`.
    """
    need_game(table)
    seat = seating.need_seat(table.people, user_id)
    if table.people[seat].plays is None:
        raise ComputerPlays(seat)
    mine = [row for row in log[: table.number] if row.seat == seat and row.actor == user_id]
    if not mine:
        raise NothingToUndo
    return mine[-1]


def check_alone(table: Table, log: Sequence[Logged], user_id: int, now: int) -> Logged:
    """The member's last action, if they may take it back without asking.

    Raises what `last_action` does, and `UndoRefused` (ACTED, REVEALED, LATE).
    """
    game = need_game(table)
    mine = last_action(table, log, user_id)
    since = log[mine.number :]
    if len(log) != table.number or any(row.actor not in (Automatic.COMPUTER, Automatic.RULE) for row in since):
        raise UndoRefused(NoUndo.ACTED)
    entries = game.history(mine.number)
    if dealt(entries) or seen_in(entries):
        raise UndoRefused(NoUndo.REVEALED)
    if now - mine.at > SECONDS:
        raise UndoRefused(NoUndo.LATE)
    return mine


def check_with_consent(table: Table, log: Sequence[Logged], user_id: int) -> tuple[Logged, tuple[int, ...]]:
    """The member's last action, and who has to agree before it is taken back: everybody else who owns a seat.

    Raises what `last_action` does, `AcrossDeal`, and `UndoRefused` (SEEN).
    """
    game = need_game(table)
    mine = last_action(table, log, user_id)
    entries = game.history(mine.number)
    if dealt(entries):
        raise AcrossDeal
    asked = tuple(owner for owner in table.persons if owner != user_id)
    if not asked and seen_in(entries):
        raise UndoRefused(NoUndo.SEEN)
    return mine, asked
