"""Finding people to play with: tables of a guild that wait for players, and people who look for a table."""

from __future__ import annotations

from collections.abc import Iterable

from bot.errors import BadTerms, SeatTaken, TableFull, WrongStatus
from bot.people import Person
from bot.table import PACES, SEEK_LIFE, Seek, Status, Table
from bot.tables.lobby import Lobby
from bot.tables.transactions import Service, Transactions
from engine import SYSTEMS

MOST_LOBBIES = 100
"""How many of a guild's tables that have not started are looked through, the oldest first."""


class Finding(Service):
    """Who looks for a table, and which tables look for people."""

    def __init__(self, transactions: Transactions, lobby: Lobby) -> None:
        super().__init__(transactions)
        self._lobby, self.stop = lobby, self._store.people.end_seek

    async def waiting_tables(self, guild_id: int) -> tuple[Table, ...]:
        """The tables of a guild with a free seat that is kept for nobody, the oldest first."""
        ids = await self._store.games.ids_of_lobbies(guild_id, MOST_LOBBIES)
        return tuple(table for table in await self._transactions.several(ids) if room(table))

    async def seek(
        self,
        guild_id: int,
        person: Person,
        among: Iterable[Table],
        *,
        system: str | None = None,
        players: int | None = None,
        pace: str | None = None,
    ) -> Table | Seek:
        """Seat a person at the first table that fits; if there is none, note what they are looking for.

        `among`: the tables of this guild that they can see. Returns the table, or the search, which takes the place of
        an earlier one. Raises `BadTerms` if no table could ever fit, and what `Lobby.join` does.
        """
        _check(system, players, pace)
        now = self._now()
        seek = Seek(guild_id, person.id, system, players, pace, now, now + SEEK_LIFE)
        await self._chosen.check_ban(guild_id, person.id)
        for table in among:
            if not seek.fits(table.terms) or table.seat_of(person.id) is not None:
                continue
            try:
                return await self._lobby.join(table.id, person)
            except (SeatTaken, TableFull, WrongStatus):
                # Somebody else was faster.
                continue
        await self._store.people.seek(seek)
        return seek

    async def searches(self, guild_id: int) -> tuple[Seek, ...]:
        """Who is looking for a table in a guild; whoever has been waiting longest comes first."""
        return await self._store.people.seeking(guild_id, self._now())

    async def who_fits(self, table: Table) -> tuple[Seek, ...]:
        """Who looks for a table like this one and is not at it; nobody if it has no room."""
        if not room(table):
            return ()
        here = {*table.persons, *(who.user_id for who in table.expected.values())}
        return tuple(
            seek for seek in await self.searches(table.guild_id) if seek.fits(table.terms) and seek.user_id not in here
        )


def room(table: Table) -> int:
    """How many seats of a lobby are free and kept for nobody."""
    return len(table.free) - len(table.expected) if table.status is Status.LOBBY else 0


def _check(system: str | None, players: int | None, pace: str | None) -> None:
    """Raise `BadTerms` for what no table has."""
    if system is not None and system not in SYSTEMS:
        raise BadTerms("system", system, tuple(SYSTEMS))
    if pace is not None and pace not in PACES:
        raise BadTerms("pace", pace, tuple(PACES))
    systems = SYSTEMS.values() if system is None else (SYSTEMS[system],)
    allowed = sorted({one for each in systems for one in each.players})
    if players is not None and players not in allowed:
        raise BadTerms("players", players, tuple(allowed))
