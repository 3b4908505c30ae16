"""Finding: people who look for a table, and tables that have room."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from bot.errors import BadTerms, Conflict, NotPossible, SeatTaken, WrongStatus
from bot.languages import language_for
from bot.occupants import Person
from bot.pace import PACES, pace_of
from bot.table import IN_DMS, INVITED, SEEK_LIFE, Feature, Seek, Status, Table, Terms
from bot.tables.lobby import Lobby
from bot.tables.seating import find_turned_away
from bot.tables.transactions import Service, Transactions
from engine import SYSTEMS

MOST_LOBBIES, MOST_RUNNING = 100, 10
"""The most lobbies of a guild that are searched, the oldest first, and the most of its games that are listed."""


class Finding(Service):
    """Matches people who look for a table with tables that have room."""

    def __init__(self, transactions: Transactions, lobby: Lobby) -> None:
        super().__init__(transactions)
        self._lobby = lobby

    async def stop(self, guild_id: int, user_id: int) -> bool:
        """End a member's search; False if there is none (any more), so that only one of several callers ends it."""
        return await self._store.users.end_seek(guild_id, user_id)

    async def waiting_tables(self, guild_id: int) -> tuple[Table, ...]:
        """Return the tables of a guild with a free seat that is not kept for an invited member, the oldest first."""
        ids = await self._store.games.ids_of_lobbies(guild_id, MOST_LOBBIES)
        return tuple(table for table in await self._transactions.several(ids) if count_room(table))

    async def running_tables(self, guild_id: int) -> tuple[Table, ...]:
        """Return the newest games of a guild that are being played."""
        ids = await self._store.games.ids_playing(guild_id, MOST_RUNNING)
        return await self._transactions.several(ids)

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
        await self._profiles.check_ban(guild_id, person.id)
        fitting = [table for table in among if seek.fits(table.terms) and table.seat_of(person.id) is None]
        apart = await self._store.users.blocks_among({person.id, *(user for table in fitting for user in table.owners)})
        for table in fitting:
            if _are_apart(apart, person.id, table):
                continue
            try:
                return await self._lobby.join(table.id, person)
            except (NotPossible, SeatTaken, WrongStatus):
                # Another player was faster, or the host does not want this player (TABLE_FULL, NOT_ADMITTED).
                continue
        await self._store.users.seek(seek)
        return seek

    async def seek_anywhere(
        self,
        person: Person,
        language: str,
        *,
        system: str | None = None,
        players: int | None = None,
        pace: str | None = None,
    ) -> Table | Seek:
        """Open a table in direct messages for people on any servers who look for the same; else note the search.

        The others are invited, and have a day to join. They speak this language (a code), and none has blocked
        another; those who have looked longest come first. Raises `BadTerms`, and what `Lobby.open` does.
        """
        _check(system, players, pace)
        now = self._now()
        wanted = seek = Seek(IN_DMS, person.id, system, players, pace, now, now + SEEK_LIFE)
        await self._store.members.meet(IN_DMS, {person.id: person.name})
        others = [each for each in await self.searches(IN_DMS) if each.user_id != person.id]
        prefers = await self._profiles.users.several(each.user_id for each in others)
        apart = await self._store.users.blocks_among({person.id, *(each.user_id for each in others)})
        group: list[Seek] = []
        for other in others:
            theirs = prefers[other.user_id].language or prefers[other.user_id].locale
            people = {person.id, *(each.user_id for each in group)}
            blocked = any((member, other.user_id) in apart or (other.user_id, member) in apart for member in people)
            if blocked or language_for(theirs).code != language_for(language).code or not _can_meet(wanted, other):
                continue
            wanted = _both(wanted, other)
            group.append(other)
            if len(group) + 1 == _terms(wanted).players:
                break
        if len(group) + 1 < _terms(wanted).players:
            await self._store.users.seek(seek)
            return seek
        guests = [Person(other.user_id, await self._name_of(other.user_id)) for other in group]
        terms = replace(_terms(wanted), locale=language, admits=INVITED)
        try:
            return await self._lobby.open(person, IN_DMS, IN_DMS, terms, invited=guests, seeks=(seek, *group))
        except Conflict:
            # One of them has just found another table.
            await self._store.users.seek(seek)
            return seek

    async def look_on(self, user_id: int, language: str) -> None:
        """Match a person, who speaks this language (a code), whose search has begun again by itself."""
        mine = next((seek for seek in await self.searches(IN_DMS) if seek.user_id == user_id), None)
        if mine is not None:
            person = Person(user_id, await self._name_of(user_id))
            await self.seek_anywhere(person, language, system=mine.system, players=mine.players, pace=mine.pace)

    async def _name_of(self, user_id: int) -> str:
        known = await self._store.members.find(IN_DMS, user_id)
        return "" if known is None else known.name

    async def role_to_tell(self, table: Table) -> int | None:
        """Return the role to ping about a new table: if its guild has one, and it is open to all; once an hour.

        Not for a rematch, which has its players, nor in a thread, whose members the role would become.
        """
        role = (await self._profiles.guilds.get(table.guild_id)).tell_role
        if role is None or table.terms.admits is not None or table.parent_id is not None or not count_room(table):
            return None
        if table.rematch_of is not None or not await self._store.guilds.take_role_ping(table.guild_id, self._now()):
            return None
        return role

    async def searches(self, guild_id: int) -> tuple[Seek, ...]:
        """Return the open searches of a guild, the oldest first."""
        return await self._store.users.seeks(guild_id, self._now())

    async def who_fits(self, table: Table) -> tuple[Seek, ...]:
        """Return the searches that this table fits, of people who are not at it; none if it has no room."""
        if not count_room(table) or Feature.SEEKS in table.off:
            return ()
        here = {*table.owners, *(who.user_id for who in table.expected.values())}
        here |= find_turned_away(await self._memory.notes(table.id))
        fit = [seek for seek in await self.searches(table.guild_id) if seek.fits(table.terms)]
        fit = [seek for seek in fit if seek.user_id not in here]
        apart = await self._store.users.blocks_among({*table.owners, *(seek.user_id for seek in fit)}) if fit else ()
        return tuple(seek for seek in fit if not _are_apart(apart, seek.user_id, table))


def _both(mine: Seek, other: Seek) -> Seek:
    """Return the search for what two searches that fit each other look for."""
    return replace(
        mine,
        system=mine.system or other.system,
        players=mine.players or other.players,
        pace=mine.pace or other.pace,
    )


def _can_meet(mine: Seek, other: Seek) -> bool:
    """Return True if one table can be what both look for."""
    if not mine.fits(other):
        return False
    both = _both(mine, other)
    return _terms(both).players in SYSTEMS[_terms(both).system].players


def _terms(seek: Seek) -> Terms:
    """Return the terms of a table that a search looks for; what it leaves open is as usual, or fits."""
    usual = Terms()
    if seek.system is None and seek.players is not None and seek.players not in SYSTEMS[usual.system].players:
        system = next(key for key, each in SYSTEMS.items() if seek.players in each.players)
    else:
        system = seek.system or usual.system
    known = SYSTEMS[system].players
    players = seek.players or (usual.players if usual.players in known else known[0])
    return Terms(system=system, players=players, pace=seek.pace or usual.pace)


def _are_apart(blocks: Collection[tuple[int, int]], user_id: int, table: Table) -> bool:
    """Return True if one of the people at a table has blocked this one, or the other way round."""
    return any((user_id, other) in blocks or (other, user_id) in blocks for other in table.owners)


def count_room(table: Table) -> int:
    """Return how many seats of a lobby are free to any member who looks for a game from its beginning."""
    is_open = table.status is Status.LOBBY and table.terms.admits is None and table.terms.origin is None
    return len(table.free) - len(table.expected) if is_open else 0


def _check(system: str | None, players: int | None, pace: str | None) -> None:
    """Raise `BadTerms` for values that no table has."""
    if system is not None and system not in SYSTEMS:
        raise BadTerms("system", system, tuple(SYSTEMS))
    if pace is not None and pace_of(pace) is None:
        raise BadTerms("pace", pace, tuple(PACES))
    systems = SYSTEMS.values() if system is None else (SYSTEMS[system],)
    allowed = sorted({number for each in systems for number in each.players})
    if players is not None and players not in allowed:
        raise BadTerms("players", players, tuple(allowed))
