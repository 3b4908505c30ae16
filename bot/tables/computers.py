"""Computer players at a table: how strong each one plays, chosen by the host."""

from __future__ import annotations

from dataclasses import replace

from bot import rights
from bot.errors import BadTerms, NoComputerThere, NoSuchSeat
from bot.storage import NoteRow
from bot.table import Level, NoteKind, Person, Status, Table
from bot.tables.effects import Effect, need
from bot.tables.transactions import Transactions


def check_level(level: str) -> None:
    """Raise `BadTerms` for a level at which no computer player can be seated (any more)."""
    if level not in list(Level):
        raise BadTerms("level", level, tuple(Level))


class Computers:
    """The computer players that sit at tables."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    async def set_level(self, table_id: int, person: Person, seat: int, level: str) -> Table:
        """Make the computer player on a seat stronger or weaker, from its next decision on; noted during a game.

        One that stands in for an absent person plays at the usual level, whatever the host would like. Raises
        `WrongStatus`, `NotHost`, `NoSuchSeat`, `NoComputerThere`, `BadTerms` for an unknown level.
        """
        check_level(level)

        def decide(table: Table) -> Effect:
            need(table, Status.LOBBY, Status.PLAYING, Status.PAUSED)
            rights.need(rights.Deed.SET_LEVEL, person, table)
            if seat not in table.seats:
                raise NoSuchSeat(seat, table.seats)
            who = table.people.get(seat)
            if who is None or not who.is_computer:
                raise NoComputerThere(seat)
            if who.computer == level:
                return Effect(table)
            after = replace(table, people={**table.people, seat: replace(who, computer=level)})
            if table.status is Status.LOBBY:
                return Effect(after)
            data = {"level": level, "was": who.computer}
            return Effect(
                after, [NoteRow(table.number, NoteKind.LEVEL, self._transactions.now(), person.id, seat, data)]
            )

        return await self._transactions.change(table_id, decide)
