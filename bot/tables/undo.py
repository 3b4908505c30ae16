"""Taking back: one's own last action alone for a minute, or with everyone's consent, but never across a deal.

Alone, nobody may have acted since. What a computer player or a rule did afterwards counts as acting, for it laid cards
open. A single person among computers needs nobody's consent, so their takeback works at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.errors import AcrossDeal, ComputerPlays, NothingToUndo, TableError, UndoRefused
from bot.storage import ActionRow
from bot.table import Person, Proposal, ProposalKind, Table
from bot.tables import seats
from bot.tables.desk import Desk
from bot.tables.steps import Step, dealt, need_game, proposed, taken_back
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


class Undo(Desk):
    """Tables at which something is taken back."""

    async def undo(self, table_id: int, person: Person) -> Table:
        """Take back one's own last action alone.

        Raises `WrongStatus`, `NotAtTable`, `ComputerPlays`, `NothingToUndo`, and `UndoRefused` when somebody has acted
        since (`acted`), when it revealed something hidden (`revealed`), or after 60 s (`late`).
        """
        log = await self._store.actions(table_id)

        def decide(table: Table) -> Step:
            now = self._now()
            seat = self._check_alone(table, log, person.id, now)
            return taken_back(table, table.number, seat, person.id, now)

        return await self._change(table_id, decide)

    async def can_undo(self, table_id: int, user_id: int) -> int | None:
        """The Unix second until which this member may take back alone, or None if they may not."""
        table = await self.get(table_id)
        log = await self._store.actions(table_id)
        try:
            self._check_alone(table, log, user_id, self._now())
        except TableError:
            return None
        return log[-1].at + SECONDS

    async def request_takeback(self, table_id: int, person: Person) -> Table:
        """Ask everyone to let the game go back to before one's own last action; without anyone to ask it does so.

        Raises `WrongStatus`, `NotAtTable`, `ComputerPlays`, `NothingToUndo`, `AcrossDeal`.
        """
        log = await self._store.actions(table_id)

        def decide(table: Table) -> Step:
            game = need_game(table)
            seat = _seat(table, person.id)
            mine = [row.number for row in log[: table.number] if row.seat == seat and row.actor == str(person.id)]
            if not mine:
                raise NothingToUndo
            number = mine[-1]
            if dealt(game.history(number)):
                raise AcrossDeal
            now = self._now()
            asked = tuple(user_id for user_id in table.persons if user_id in table.voices and user_id != person.id)
            if not asked:
                return taken_back(table, number, seat, person.id, now)
            return proposed(table, Proposal(ProposalKind.TAKEBACK, seat, person.id, number, now, asked))

        return await self._change(table_id, decide)

    def _check_alone(self, table: Table, log: Sequence[ActionRow], user_id: int, now: int) -> int:
        """The seat on which this member may take back the last action alone; raises what `undo` does."""
        game = need_game(table)
        seat = _seat(table, user_id)
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


def _seat(table: Table, user_id: int) -> int:
    seat = seats.need_seat(table.people, user_id)
    if table.people[seat].plays is None:
        raise ComputerPlays(seat)
    return seat


def reveals(entries: Sequence[Entry]) -> bool:
    """Whether anything hidden came to light: a card drawn or dealt, an exchange completed, an answer seen."""
    return any(event.kind not in _OPEN or event.count > 0 for entry in entries for event in entry.events)
