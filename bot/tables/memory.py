"""The process's cache of tables, so that an action loads nothing already known: state, log, notes, messages.

A table is read from the store when it is first asked for, and again only if it was forgotten or if another process may
have changed it (`Freshness`). After a change the new state is passed on.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from bot.calls import call_again
from bot.clocks import is_at_table
from bot.errors import NoSuchTable
from bot.message import Message
from bot.occupants import Occupant
from bot.plans import Plan
from bot.storage import Store
from bot.table import Feature, Logged, Note, SeatClock, Table
from bot.tables.cache import Freshness, V
from bot.tables.courses import Course, follow_course, replay
from bot.tables.effects import Effect
from engine import PublicGame
from engine.secret import whole


@dataclass(slots=True)
class Remembered:
    """A table and what belongs to it, as far as it has been asked for (None: not yet)."""

    table: Table
    course: Course | None
    log: tuple[Logged, ...]
    plans: Mapping[int, Plan] = field(default_factory=dict)
    notes: tuple[Note, ...] | None = None
    current: bool = True
    """False once another process has announced a change of it."""


class Memory:
    """Loads tables from a store, and remembers the `size` most recently used."""

    def __init__(self, store: Store, freshness: Freshness, size: int) -> None:
        self._store, self._freshness, self._size = store, freshness, size
        self._known: OrderedDict[int, Remembered] = OrderedDict()
        self._reading: dict[int, set[object]] = {}
        """By table, the reads under way since which nothing was written."""
        self._writing: Counter[int] = Counter()
        """The tables that are being changed, until `keep` is told of it."""

    # Reading

    async def get(self, table_id: int) -> Table:
        """Return the table as it is now. Raises `NoSuchTable`, `BrokenLog`."""
        return (await self._load(table_id)).table

    async def get_without_game(self, table_id: int) -> Table:
        """Return the table, without its game unless that is known already. Raises `NoSuchTable`."""
        if (known := self._current(table_id)) is not None:
            return known.table
        snapshot = await self._store.games.snapshot(table_id, lambda version: True)
        if snapshot is None:
            raise NoSuchTable(table_id)
        return snapshot.table

    async def log(self, table_id: int) -> tuple[Logged, ...]:
        """Return the actions of a table, with who took each; also for one whose log is broken."""
        known = self._current(table_id)
        if known is not None:
            return known.log
        return tuple(row.logged for row in await self._store.games.actions(table_id))

    def plans(self, table_id: int) -> Mapping[int, Plan]:
        """Return what has been planned at a table that was just read, by seat."""
        known = self._known.get(table_id)
        return {} if known is None else known.plans

    async def notes(self, table_id: int) -> tuple[Note, ...]:
        """Return the notes of a table, oldest first."""
        known = self._current(table_id)
        if known is not None and known.notes is not None:
            return known.notes
        notes, current = await self._read(table_id, self._store.games.notes(table_id))
        # These may have a note already that is being written, and that `keep` adds.
        if current and not self._writing[table_id] and (known := self._known.get(table_id)) is not None:
            known.notes = notes
        return notes

    def course(self, table: Table) -> Course:
        """Return the course of this snapshot's game."""
        if table.game is None:
            raise ValueError("a table in its lobby has no course")
        game = whole(table.game)
        known = self._known.get(table.id)
        course = None if known is None or known.course is None else known.course.until(game)
        return course or Course((game,))

    def has_passed(self, table: Table) -> bool:
        """Return True if a newer state of this table is known."""
        known = self._known.get(table.id)
        return known is not None and known.table.version > table.version

    def guild_of(self, table_id: int) -> int | None:
        """Return the guild of a table, if the table is remembered."""
        known = self._known.get(table_id)
        return None if known is None else known.table.guild_id

    # Handing on what was written

    @contextmanager
    def writing(self, table_id: int) -> Iterator[None]:
        """Mark a table as being changed, up to and including `keep`."""
        self._writing[table_id] += 1
        try:
            yield
        finally:
            self._writing[table_id] -= 1
            if not self._writing[table_id]:
                del self._writing[table_id]

    def keep(self, effect: Effect) -> Table:
        """Remember what an effect has made of a table; returns it with what has been told by now."""
        after = effect.after
        known = self._known.get(after.id)
        self._disturb(after.id)
        if known is None or (after.game is None) != (after.started_at is None):
            # A game whose log is broken must be found broken again.
            self.forget(after.id)
            return after
        known.table = after = replace(after, messages=call_again(known.table.messages, effect.call_again))
        known.course = follow_course(known.course, effect)
        kept = known.log if effect.cut is None else known.log[: effect.cut - 1]
        known.log = (*kept, *(row.logged for row in effect.actions))
        if known.notes is not None and effect.notes:
            known.notes = (*known.notes, *effect.notes)
        self._known.move_to_end(after.id)
        return after

    def keep_plan(self, table_id: int, seat: int, plan: Plan) -> None:
        """Remember the plans for a seat, after the store was changed."""
        self._disturb(table_id)
        if (known := self._known.get(table_id)) is not None:
            known.plans = {**known.plans, seat: plan}

    def clock_waits(self, table_id: int, seat: int, clock: SeatClock) -> None:
        """Remember that the clock of a seat is waiting for something else; what is due at the table follows from it."""
        if is_at_table(seat):
            return
        self._alter(table_id, lambda table: replace(table, clocks={**table.clocks, seat: clock}))

    def saw_host(self, table_id: int, at: int) -> None:
        """Remember when the host of a table was last noted to do something there."""
        self._alter(table_id, lambda table: replace(table, host_seen=at))

    def said(self, table_id: int, change: Callable[[tuple[Message, ...]], tuple[Message, ...]]) -> None:
        """Change what a remembered table says on Discord, after the store was changed."""

        def say(table: Table) -> Table:
            return replace(table, messages=change(table.messages))

        self._alter(table_id, say)

    def tables_of(self, guild_id: int) -> tuple[int, ...]:
        """Return the remembered tables of a guild."""
        return tuple(table_id for table_id, known in self._known.items() if known.table.guild_id == guild_id)

    def switch_off(self, table_id: int, off: tuple[Feature, ...]) -> None:
        """Remember what the guild of a table has switched off."""
        self._alter(table_id, lambda table: replace(table, off=off))

    def tables_with(self, guild_id: int, user_id: int) -> tuple[int, ...]:
        """Return the remembered tables of a guild where this person sits or is invited."""
        return tuple(
            table_id
            for table_id, known in self._known.items()
            if known.table.guild_id == guild_id
            if any(who.user_id == user_id for who in (*known.table.occupants.values(), *known.table.invited.values()))
        )

    def rename(self, table_id: int, user_id: int, name: str) -> None:
        """Call a person by a new name at a table, unless their name is no longer kept there."""

        def called(people: Mapping[int, Occupant]) -> Mapping[int, Occupant]:
            return {
                seat: replace(who, name=name) if who.user_id == user_id and who.name else who
                for seat, who in people.items()
            }

        self._alter(
            table_id, lambda table: replace(table, occupants=called(table.occupants), invited=called(table.invited))
        )

    def forget_names(self, guild_id: int) -> None:
        """Ask the store again for what has names of people of a guild in it: what is being read, and notes."""
        for table_id in tuple(self._reading):
            self._disturb(table_id)
        for known in self._known.values():
            if known.table.guild_id == guild_id:
                known.notes = None

    def _alter(self, table_id: int, change: Callable[[Table], Table]) -> None:
        self._disturb(table_id)
        if (known := self._known.get(table_id)) is not None:
            known.table = change(known.table)

    def mark_outdated(self, table_id: int | None = None) -> None:
        """Ask the store before this table (None: any) is handed out again: another process has changed it."""
        for changed in tuple(self._reading) if table_id is None else (table_id,):
            self._disturb(changed)
        for known in self._known.values() if table_id is None else filter(None, (self._known.get(table_id),)):
            known.current = False

    def forget(self, table_id: int) -> None:
        """Read this table again next time."""
        self._disturb(table_id)
        self._known.pop(table_id, None)

    # Inside

    def _current(self, table_id: int) -> Remembered | None:
        known = self._known.get(table_id)
        if known is None or not known.current or not self._freshness(known.table.guild_id):
            return None
        self._known.move_to_end(table_id)
        return known

    async def _load(self, table_id: int) -> Remembered:
        while True:
            if (known := self._current(table_id)) is not None:
                return known
            old = self._known.get(table_id)
            read, current = await self._read(table_id, self._stored(table_id, old))
            if current:
                self._known[table_id] = read
                self._known.move_to_end(table_id)
                while len(self._known) > self._size:
                    self._known.popitem(last=False)
                return read

    async def _stored(self, table_id: int, old: Remembered | None) -> Remembered:
        known = None if old is None else old.table.version
        snapshot = await self._store.games.snapshot(table_id, lambda version: version == known)
        if snapshot is None:
            raise NoSuchTable(table_id)
        if snapshot.actions is None and old is not None:
            return Remembered(_with_game(snapshot.table, old.table.game), old.course, old.log, snapshot.plans)
        course = await asyncio.to_thread(replay, snapshot)
        game = None if course is None else PublicGame(course.game)
        log = tuple(row.logged for row in snapshot.actions or ())
        return Remembered(_with_game(snapshot.table, game), course, log, snapshot.plans)

    async def _read(self, table_id: int, read: Awaitable[V]) -> tuple[V, bool]:
        """Return what is read of a table, and True if nothing was written meanwhile that may have made it outdated."""
        this = object()
        self._reading.setdefault(table_id, set()).add(this)
        try:
            return await read, this in self._reading.get(table_id, ())
        finally:
            if this in (others := self._reading.get(table_id, set())):
                others.remove(this)
                if not others:
                    del self._reading[table_id]

    def _disturb(self, table_id: int) -> None:
        self._reading.pop(table_id, None)


def _with_game(table: Table, game: PublicGame | None) -> Table:
    """Return the table with its game; the rules that this began with say in which order the seats play."""
    return table if game is None else replace(table, game=game, seats=game.seats)
