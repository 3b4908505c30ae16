"""Transactions: every change of a table is made here.

A change takes the table's lock, looks at the table as it is now, decides what becomes of it, commits that in one
transaction (deadlines included) and returns it. What follows (computers move, the channel shows it) is left to
`bot.tables.aftermath`, in the background, so that a click is answered at once.
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from typing import TypeVar

from bot.clocks import people_to_wind, spend, wind
from bot.errors import BrokenLog, Conflict, TableError
from bot.guild_records import CALLED_OFF, ENDED
from bot.pace import HOUR
from bot.shards import ALL, Shards
from bot.storage import Store
from bot.storage.games import changed_columns
from bot.storage.locks import channel
from bot.table import Feature, SeatClock, Status, Table
from bot.tables.consequences import complete, excuse_owner, find_unattended
from bot.tables.effects import Effect, News, entry_of_game, write
from bot.tables.memory import Memory
from bot.tables.profiles import Profiles
from bot.tasks import Locks
from engine.secret import whole

log = logging.getLogger(__name__)

TRIES = 5
"""The most attempts at a change, if other processes are faster."""

T = TypeVar("T")

Decide = Callable[[Table], Effect | Awaitable[Effect]]
"""Returns the effect of a change; the same snapshot without a note means that there is nothing to change.

It may read something first; the table's lock is held meanwhile.
"""

Listener = Callable[[Table | None, Table, Sequence[News], bool], None]
"""Change listener: (before, after, news, follow); before is None for a table that is new here."""


async def try_again(work: Callable[[], Awaitable[T]]) -> T:
    """Return the result of `work`, done again while another process is faster. Raises `Conflict` in the end."""
    for _ in range(TRIES - 1):
        with suppress(Conflict):
            return await work()
    return await work()


class Transactions:
    """Loads and changes the tables of one store.

    `clock` gives Unix seconds. A table of a guild that another process serves (`shards`) may be changed too: a press in
    a direct message, or in a list of games in another guild, arrives where Discord delivers it. The process that serves
    the guild is told.
    """

    def __init__(
        self,
        store: Store,
        memory: Memory,
        profiles: Profiles,
        *,
        clock: Callable[[], float] = time.time,
        shards: Shards = ALL,
    ) -> None:
        self.store, self.memory, self.profiles, self.time = store, memory, profiles, clock
        self._shards = shards
        self._locks: Locks[int] = Locks()
        self.listeners: list[Listener] = []
        """Called after every change, in this order; `Tables` lists them."""
        self.announced: str | None = None
        """The operator's announcement in force, which games that start now are told."""

    def now(self) -> int:
        """Return the time in Unix seconds."""
        return int(self.time())

    def serves(self, guild_id: int) -> bool:
        """Return True if this process serves a guild."""
        return self._shards.serves(guild_id)

    @property
    def shards_name(self) -> str:
        """The name of this process's shards among others of the same database."""
        return "all" if self._shards.everything else ",".join(map(str, sorted(self._shards.ids)))

    # Reading

    def shows(self, table_id: int) -> bool:
        """Return True if this process serves the guild of a table that was just read."""
        guild_id = self.memory.guild_of(table_id)
        return guild_id is None or self.serves(guild_id)

    async def get_even_broken(self, table_id: int) -> Table:
        """Return the table; without its game if the log is broken, to be cancelled. Raises `NoSuchTable`."""
        try:
            return await self.memory.get(table_id)
        except BrokenLog:
            return await self.memory.get_without_game(table_id)

    async def several(self, ids: Sequence[int]) -> tuple[Table, ...]:
        """Return these tables as they are now; those whose log is broken are left out."""
        tables = []
        for table_id in ids:
            try:
                tables.append(await self.memory.get(table_id))
            except BrokenLog as problem:
                log.error("%s", problem)
        return tuple(tables)

    # Changing

    async def change(self, table_id: int, decide: Decide, *, even_broken: bool = False, follow: bool = True) -> Table:
        """Decide under the lock what becomes of a table, commit it, and start what follows (unless the caller does)."""

        async def once() -> Table:
            async with self._locks.of(table_id):
                before = await (self.get_even_broken if even_broken else self.memory.get)(table_id)
                try:
                    # Right here: the engine takes less time for it than handing it to a thread would.
                    effect = await _decide(decide, before)
                    if effect.after is before and not effect.notes:
                        return before
                    return await self._commit(before, effect, follow=follow)
                except TableError as refused:
                    refused.at(before.code)
                    raise

        return await try_again(once)

    @asynccontextmanager
    async def hold(self, table_id: int) -> AsyncIterator[Table]:
        """Yield a table that is not changed by this process meanwhile."""
        async with self._locks.of(table_id):
            yield await self.memory.get(table_id)

    def channel_of(self, guild_id: int) -> str | None:
        """Return the name of the process that has to be told of a change, if it is another one."""
        return None if self.serves(guild_id) else channel(self._shards.shard_of(guild_id))

    async def rehearse(self, table_id: int, decide: Decide) -> Table:
        """Return the table as it is, unchanged. Raises what `change` would raise now."""
        table = await self.memory.get(table_id)
        try:
            effect = await _decide(decide, table)
            if effect.check is not None:
                async with self.store.games.look(table_id) as writer:
                    await effect.check(writer)
        except TableError as refused:
            refused.at(table.code)
            raise
        return table

    async def commit(self, before: Table, effect: Effect) -> Table:
        """Commit what was decided without the lock. Raises `Conflict` if the table has changed meanwhile."""
        async with self._locks.of(before.id):
            return await self._commit(before, effect, follow=False)

    async def everywhere(
        self, guild_id: int | None, user_id: int, decide: Decide, *, follow: bool = True
    ) -> tuple[Table, ...]:
        """Change all open tables of a member (in one guild); returns those that changed. Broken ones are left alone."""
        changed = []
        concerned = False

        async def noticing(table: Table) -> Effect:
            nonlocal concerned
            effect = await _decide(decide, table) if guild_id in (None, table.guild_id) else Effect(table)
            concerned = effect.after is not table
            return effect

        for table_id in await self.store.games.ids_of_member(user_id):
            concerned = False
            try:
                after = await self.change(table_id, noticing, follow=follow)
                if concerned:
                    changed.append(after)
            except (BrokenLog, Conflict) as problem:
                log.error("%s", problem)
        return tuple(changed)

    def is_busy(self, table_ids: Iterable[int]) -> bool:
        """Return True if a change is under way at one of these tables."""
        return any(self._locks.of(table_id).locked() for table_id in table_ids)

    async def advance(self, moves: Mapping[int, Mapping[int, tuple[SeatClock, SeatClock]]]) -> bool:
        """Let clocks wait for another stage or moment, those of many tables in one transaction. No game is loaded.

        `moves`: by table and seat, the clock before and after. False if one is no longer so; then nothing is done.
        """
        async with AsyncExitStack() as held:
            for table_id in moves:
                await held.enter_async_context(self._locks.of(table_id))
            waiting = [(table_id, seat, *both) for table_id, seats in moves.items() for seat, both in seats.items()]
            moved = await self.store.deadlines.advance(waiting)
            for table_id, seat, _, clock in waiting if moved else ():
                self.memory.clock_waits(table_id, seat, clock)
            return moved

    async def postpone(self, table_id: int, until: int) -> None:
        """Postpone everything that is due at a table."""
        async with self._locks.of(table_id):
            await self.store.deadlines.postpone(table_id, self.now(), until)
            self.memory.forget(table_id)

    async def rename(self, guild_id: int, user_id: int, name: str) -> None:
        """Call a member by their new name at the tables that are remembered; the store has it already."""
        self.memory.forget_names(guild_id)
        for table_id in self.memory.tables_with(guild_id, user_id):
            # A change that is under way would bring the old name back.
            async with self._locks.of(table_id):
                self.memory.rename(table_id, user_id, name)

    async def switch_off(self, guild_id: int, off: tuple[Feature, ...]) -> None:
        """Let the remembered tables of a guild know what it has switched off; the store has it already."""
        for table_id in self.memory.tables_of(guild_id):
            # A change that is under way would bring back what was on.
            async with self._locks.of(table_id):
                self.memory.switch_off(table_id, off)

    async def follow_up(self, table_id: int) -> Table:
        """Start what follows on a table that was just made, or changed by another process, and return it."""
        table = await self.memory.get(table_id)
        self._changed(None, table, (), True)
        return table

    def _changed(self, before: Table | None, after: Table, news: Sequence[News], follow: bool) -> None:
        for listener in self.listeners:
            listener(before, after, news, follow)

    async def _commit(self, before: Table, effect: Effect, *, follow: bool) -> Table:
        """Write what differs between snapshots, or nothing. Raises `Conflict`, and what the effect's `check` does."""
        now = self.now()
        if unattended := find_unattended(before, effect.after):
            effect = await self._excuse(effect, unattended, now)
        effect = complete(before, effect, now)
        if before.is_open and not effect.after.is_open:
            effect = await self._wind_up(effect, now)
        if before.started_at is None and effect.after.started_at is not None:
            effect = replace(effect, after=replace(effect.after, announced=self.announced))
        after = replace(effect.after, version=before.version + 1, changed_at=now)
        people = people_to_wind(after)
        if after.pace.bank:
            rests = await self.profiles.rests({*people, *(clock.user_id for clock in before.clocks.values())})
            after = replace(after, banked=spend(before, after, now, rests))
        else:
            rests = await self.profiles.rests(people)
        after = replace(after, clocks=wind(after, now, rests))
        values = changed_columns(before, after)
        if after.game is not None and before.game is None:
            game = whole(after.game)
            values |= {"seed": game.seed, "rules": game.system.version}
        effect = replace(effect, after=after)
        with self.memory.writing(before.id):
            try:
                async with self.store.games.change(before.id, before.version, after.changed_at, **values) as writer:
                    if effect.check is not None:
                        await effect.check(writer)
                    await write(writer, before, effect)
                    if (channel_to_tell := self.channel_of(before.guild_id)) is not None:
                        # The process that serves the guild keeps the time and shows the board.
                        await writer.announce(channel_to_tell)
            except TableError:
                raise
            except BaseException:
                # It may have been written (the connection broke, or the change was cancelled): look again.
                self.memory.forget(before.id)
                raise
            after = self.memory.keep(effect)
        self._changed(before, after, effect.news, follow)
        return after

    async def _excuse(self, effect: Effect, friends: Mapping[int, int], now: int) -> Effect:
        """Return the effect in which a computer plays for owners who are away, not for ones who are absent.

        `friends`: by seat, who has stopped answering in their place; that is not held against the owners.
        """
        owners = {seat: effect.after.occupants[seat].user_id or 0 for seat in friends}
        prefers = await self.profiles.users.several(owners.values())
        for seat, owner in owners.items():
            if (prefers[owner].away_until or 0) > now:
                effect = excuse_owner(effect, seat, friends[seat], now)
        return effect

    async def _wind_up(self, effect: Effect, now: int) -> Effect:
        """Return the effect that ends a game, with what the guild wants then: thread closed, log channel told."""
        after, settings = effect.after, await self.profiles.guilds.get(effect.after.guild_id)
        if settings.close_after is not None and after.parent_id is not None:
            effect = replace(effect, after=replace(after, closes_at=now + settings.close_after * HOUR))
        if effect.logged is not None or settings.log_in is None:
            return effect
        kind = ENDED if after.status is Status.OVER else CALLED_OFF
        return replace(effect, logged=entry_of_game(after, kind, now))


async def _decide(decide: Decide, table: Table) -> Effect:
    effect = decide(table)
    return effect if isinstance(effect, Effect) else await effect


class Service:
    """Base class of the services, each for one subject.

    A method that changes a table has a function `decide`, which gets the table as it is now, under its lock, and
    returns what becomes of it; `self._change(table_id, decide)` commits that.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._store, self._memory, self._profiles = transactions.store, transactions.memory, transactions.profiles

    def _now(self) -> int:
        return self._transactions.now()

    async def _change(self, table_id: int, decide: Decide, *, rehearse: bool = False) -> Table:
        """Decide under the lock what becomes of a table, commit it, and start what follows.

        `rehearse`: only raise now what that would raise.
        """
        return await (self._transactions.rehearse if rehearse else self._transactions.change)(table_id, decide)
