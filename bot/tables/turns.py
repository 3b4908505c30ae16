"""Playing: acting, resigning, and ending a game early."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot import rights
from bot.errors import ComputerPlays, StaleBoard
from bot.moment import Moment
from bot.storage import LogRow
from bot.table import OPEN, NoteKind, Person, StandInReason, Status, Table
from bot.tables import seating
from bot.tables.effects import Effect, cancelled, need, need_game, note, played, without
from bot.tables.transactions import Transactions
from engine import Action


@dataclass
class Turns:
    """Tables while the game is played."""

    _transactions: Transactions

    async def act(self, table_id: int, user_id: int, decision: Moment | None, action: Action | str) -> Table:
        """Take an action for the member's seat; it is committed when this returns.

        `decision` is the one the member was looking at, None for whatever is current. Raises `WrongStatus`,
        `NotAtTable`, `ComputerPlays`, `StaleBoard`, and what the engine refuses.
        """

        def decide(table: Table) -> Effect:
            game = need_game(table)
            seat = seating.need_seat(table.people, user_id)
            if table.people[seat].plays is None:
                raise ComputerPlays(seat)
            current = table.decision(seat)
            if decision is not None and decision != current:
                raise StaleBoard(decision, current)
            chosen = Action.parse(action) if isinstance(action, str) else action
            effect = played(table, game.play(seat, chosen), seat, chosen, user_id, self._transactions.now())
            if table.people[seat].missed == 0 and not table.people[seat].offered:
                return effect
            # Somebody who acts is present: nothing is counted against them, and their seat is no longer on offer.
            return replace(effect, after=replace(effect.after, people=seating.give_back(table.people, seat)))

        return await self._transactions.change(table_id, decide)

    async def resign(self, table_id: int, person: Person) -> Table:
        """Give up the seat for good; a computer plays on, and others may take over. Without any person it is cancelled.

        Raises `WrongStatus`, `NotAtTable`.
        """

        def decide(table: Table) -> Effect:
            need(table, Status.PLAYING, Status.PAUSED)
            people, seat = seating.give_up(table.people, person.id, StandInReason.RESIGNED)
            now = self._transactions.now()
            effect = without(table, people, person, now)
            noted = note(table, NoteKind.RESIGNED, now, person.id, seat, name=person.name)
            return replace(effect, notes=[noted, *effect.notes])

        return await self._transactions.change(table_id, decide)

    async def cancel(self, table_id: int, person: Person) -> Table:
        """End a table without a winner; see `bot.rights` for who may. Raises `WrongStatus`, `NotHost`."""

        def decide(table: Table) -> Effect:
            need(table, *OPEN)
            now = self._transactions.now()
            if table.host_id == person.id:
                return cancelled(table, person, now)
            rights.need(rights.Deed.CANCEL, person, table)
            entry = LogRow(table.guild_id, now, "cancelled", person.id, None, table.id)
            return replace(cancelled(table, person, now), logged=entry)

        return await self._transactions.change(table_id, decide, allow_broken=True)
