"""The desk of the tables service: how any change is made, and what is done after it.

A change takes the table's lock, looks at the table as it is now, decides what it becomes, commits that in one
transaction (its deadlines included) and returns it. What follows from it (computers move, the channel shows it) happens
afterwards in the background, so that a click is answered at once. What can be changed is in the classes built on this.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from weakref import WeakValueDictionary

from bot.clocks.quiet import ALWAYS, Rest
from bot.clocks.scheduler import Scheduler
from bot.clocks.ticking import asked, wind
from bot.errors import Banned, BrokenLog, ChannelNotAllowed, Outrun, TableError
from bot.preferences import GuildSettings, preferences_of, settings_of
from bot.storage import Store
from bot.table import LOBBY_LIFE, Status, Table
from bot.tables.driver import next_move
from bot.tables.hosts import hosted
from bot.tables.limits import Check
from bot.tables.loading import Loader
from bot.tables.settling import Settler
from bot.tables.steps import Step, played, rested, write

log = logging.getLogger(__name__)

TRIES = 5
"""How often a change is decided anew when another process was faster."""


class DueKind(StrEnum):
    """What a deadline brought."""

    HALF = "half"
    NINETY = "ninety"
    UP = "up"
    AUTO_PLAYED = "auto_played"
    HANDED = "handed"
    TAKEN = "taken"
    LOBBY = "lobby"


@dataclass(frozen=True, slots=True)
class Due:
    """Something that a deadline brought at a table, to be told: on which seat, whose, and for which decision."""

    kind: DueKind
    seat: int | None = None
    user_id: int | None = None
    decision: int | None = None


Callback = Callable[[int], Awaitable[None]]
DueCallback = Callable[[int, tuple[Due, ...]], Awaitable[None]]
Decide = Callable[[Table], Step]


class Desk:
    """The tables of one store.

    `clock` gives Unix seconds, `seeds` a fresh 32-byte seed for each game, `rng` only the codes of games;
    `cache_games` is how many loaded games are kept in memory.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float] = time.time,
        seeds: Callable[[], bytes] = lambda: secrets.token_bytes(32),
        rng: random.Random | None = None,
        cache_games: int = 256,
    ) -> None:
        self._store = store
        self._clock = clock
        self._seeds = seeds
        self._rng = rng or random.SystemRandom()
        self._loader = Loader(store, cache_games)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._driving: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._callbacks: list[Callback] = []
        self._due_callbacks: list[DueCallback] = []
        self._changed: set[int] = set()
        self._news: dict[int, list[Due]] = {}
        self._settler = Settler(self._settle)
        self._scheduler = Scheduler(clock, store.next_due, self.catch_up, self._clock_jumped)

    async def get(self, table_id: int) -> Table:
        """The table as it is now. Raises `NoSuchTable`, `BrokenLog`."""
        return await self._loader.load(table_id)

    async def even_broken(self, table_id: int) -> Table:
        """The table as it is now; without its game if the log is broken, for cancelling it. Raises `NoSuchTable`."""
        try:
            return await self.get(table_id)
        except BrokenLog:
            return await self._loader.load_unplayed(table_id)

    # What follows a change

    def on_change(self, callback: Callback) -> None:
        """Have `callback(table_id)` awaited after every change, once the computers have moved.

        Never twice at the same time for one table; changes meanwhile lead to one more call. What it raises is logged.
        """
        self._callbacks.append(callback)

    def on_deadline(self, callback: DueCallback) -> None:
        """Have `callback(table_id, news)` awaited when deadlines of a table have come.

        It is called once for all that came together, after the callbacks of `on_change` and never at the same time as
        them for one table. For reminders nothing has changed, so those are not called. What it raises is logged.
        """
        self._due_callbacks.append(callback)

    def touch(self, table_id: int) -> None:
        """Drive a table and call back, as after a change."""
        self._changed.add(table_id)
        self._settler.touch(table_id)

    async def wake(self) -> None:
        """Start the clock, and drive and announce the tables that need it, a few at a time in the background.

        For the start of the program. A table whose channel shows its newest state needs nothing and is not loaded. The
        clock is started whatever happens; what fails is raised once it is.
        """
        try:
            for table_id in await self._store.ids_without_clocks():
                # Begun by a version of the program that kept no deadlines.
                await self._alone(self._wind, table_id)
            behind = await self._store.ids_to_wake()
            for table_id in behind:
                await self._alone(self._begin_untold, table_id)
            self._changed.update(behind)
            self._settler.touch_in_turn(behind)
            for table_id in await self._store.running_since_after(self._now()):
                await self._alone(self._set_right, table_id)
        finally:
            self._scheduler.start()

    async def settled(self, table_id: int | None = None) -> None:
        """Wait until nothing is under way in the background (for one table, or for all)."""
        await self._settler.settled(table_id)

    async def close(self) -> None:
        """Let what is under way finish and begin nothing new; every commit that was begun is completed."""
        await self._scheduler.close()
        await self._settler.close()

    async def drive(self, table_id: int) -> Table | None:
        """Play what needs no person until a person must act; safe at any time.

        Returns the table at rest, or None when the program ends before it is. Thinking happens in a worker thread
        without the lock; a move is thrown away if the table has changed meanwhile. This runs by itself after every
        change.
        """
        async with _lock(self._driving, table_id):
            while True:
                table = await self.get(table_id)
                if table.status is not Status.PLAYING or table.game is None:
                    return table
                move = await asyncio.to_thread(next_move, table.game, table.people)
                if move is None:
                    return table
                if self._settler.closed:
                    return None
                step = played(table, move.after, move.seat, move.action, move.actor, self._now())
                try:
                    async with _lock(self._locks, table_id):
                        await self._commit(table, step)
                except Outrun:
                    continue

    # Inside

    def _now(self) -> int:
        return int(self._clock())

    async def catch_up(self) -> None:
        """Deal with everything that is due now; `bot.tables.overdue` does."""

    async def _clock_jumped(self, now: float) -> None:
        """The clock was put back to `now`: clocks that have begun later begin anew."""
        for table_id in await self._store.running_since_after(int(now)):
            await self._alone(self._set_right, table_id)

    async def _alone(self, work: Callable[[int], Awaitable[None]], table_id: int) -> None:
        """Do something to one table; should it fail, it does not keep the others from it."""
        try:
            await work(table_id)
        except Exception:
            log.exception("table %s", table_id)

    async def _begin_untold(self, table_id: int) -> None:
        """Start the clocks anew that have run out before anybody was told of them; `bot.tables.overdue` does."""

    async def _set_right(self, table_id: int) -> None:
        """Start the clocks of a table anew that have begun in the future; `bot.tables.overdue` does."""

    async def _wind(self, table_id: int) -> None:
        """Give a table the clocks that it lacks."""
        try:
            await self._change(table_id, lambda table: Step(replace(table)))
        except (BrokenLog, Outrun) as problem:
            log.error("%s", problem)

    async def _several(self, ids: Sequence[int]) -> tuple[Table, ...]:
        tables = []
        for table_id in ids:
            try:
                tables.append(await self.get(table_id))
            except BrokenLog as problem:
                log.error("%s", problem)
        return tuple(tables)

    async def _rests(self, user_ids: Iterable[int]) -> Mapping[int, Rest]:
        """When the clocks of these persons stand still."""
        wanted = frozenset(user_ids)
        if not wanted:
            return {}
        rows = await self._store.people(wanted)
        return {user_id: preferences_of(user_id, row).rest for user_id, row in rows.items()}

    async def _rest(self, user_id: int) -> Rest:
        return (await self._rests([user_id])).get(user_id, ALWAYS)

    async def _settings(self, guild_id: int) -> GuildSettings:
        return settings_of(guild_id, await self._store.preferences("guilds", guild_id))

    async def _check_ban(self, guild_id: int, user_id: int) -> None:
        ban = await self._store.ban_of(guild_id, user_id)
        if ban is not None:
            raise Banned(ban["reason"])

    async def _check_channel(self, guild_id: int, channel_id: int, parent_id: int | None) -> GuildSettings:
        """The guild's settings, if games may be played in this channel; threads count as the channel they are in."""
        settings = await self._settings(guild_id)
        if settings.channels and not {channel_id, parent_id} & set(settings.channels):
            raise ChannelNotAllowed(settings.channels)
        return settings

    async def _change(
        self,
        table_id: int,
        decide: Decide,
        *,
        check: Check | None = None,
        allow_broken: bool = False,
        touch: bool = True,
    ) -> Table:
        """Decide under the lock what a table becomes, commit it, and see to what follows (unless the caller does).

        `check` is asked in the transaction, if anything changes.
        """
        for attempt in range(TRIES):
            async with _lock(self._locks, table_id):
                before = await (self.even_broken if allow_broken else self.get)(table_id)
                # The engine may need some milliseconds; the event loop has others to serve.
                try:
                    step = await asyncio.to_thread(decide, before)
                    if step.after is before:
                        return before
                    after = await self._commit(before, step, check)
                except TableError as refused:
                    refused.code = before.code
                    raise
                except Outrun:
                    if attempt == TRIES - 1:
                        raise
                    continue
            if touch:
                self.touch(table_id)
            return after
        raise AssertionError("the last try returns or raises")

    async def _everywhere(
        self, guild_id: int | None, user_id: int, decide: Decide, *, touch: bool = True
    ) -> tuple[int, ...]:
        """Change all open tables of a member (in one guild); returns those that changed. A broken one is left."""
        changed = []
        concerned = False

        def noticing(table: Table) -> Step:
            nonlocal concerned
            step = decide(table) if guild_id in (None, table.guild_id) else Step(table)
            concerned = step.after is not table
            return step

        for table_id in await self._store.ids_of_member(user_id):
            concerned = False
            try:
                await self._change(table_id, noticing, touch=touch)
                if concerned:
                    changed.append(table_id)
            except (BrokenLog, Outrun) as problem:
                log.error("%s", problem)
        return tuple(changed)

    async def _commit(self, before: Table, step: Step, check: Check | None = None) -> Table:
        """Write what differs between two snapshots, all or nothing.

        Raises `Outrun` if the store has moved on, and what `check` does.
        """
        now = self._now()
        step = hosted(before, rested(step, now), now)
        after = replace(step.after, version=before.version + 1, changed_at=now)
        rests = await self._rests(asked(after))
        expires_at = after.created_at + LOBBY_LIFE if after.status is Status.LOBBY else None
        after = replace(after, clocks=wind(after, now, rests), expires_at=expires_at)
        async with self._store.change(before.id, before.version, after.changed_at) as change:
            if check is not None:
                await check(change)
            await write(change, before, replace(step, after=after))
        if (after.game is None) == (after.started_at is None):
            # Not so for a game whose log is broken: it shall be found broken again.
            self._loader.remember(after.id, after.version, after.game)
        self._poke(after)
        return after

    def _poke(self, table: Table) -> None:
        due = [clock.due_at for clock in table.clocks.values()] + [table.expires_at]
        first = min((one for one in due if one is not None), default=None)
        if first is not None:
            self._scheduler.poke(first)

    def _tell(self, table_id: int, news: Iterable[Due]) -> None:
        """Have this told the next time that the table settles."""
        self._news.setdefault(table_id, []).extend(news)

    async def _settle(self, table_id: int) -> None:
        if table_id in self._changed:
            self._changed.discard(table_id)
            try:
                await self.drive(table_id)
            except Exception:
                log.exception("driving table %s failed", table_id)
            for callback in self._callbacks:
                try:
                    await callback(table_id)
                except Exception:
                    log.exception("announcing table %s failed", table_id)
        news = tuple(self._news.pop(table_id, ()))
        if not news:
            return
        for told in self._due_callbacks:
            try:
                await told(table_id, news)
            except Exception:
                log.exception("telling table %s of its deadlines failed", table_id)


def _lock(locks: WeakValueDictionary[int, asyncio.Lock], table_id: int) -> asyncio.Lock:
    """The table's lock, which lives as long as somebody holds it or waits for it."""
    found = locks.get(table_id)
    if found is None:
        found = locks[table_id] = asyncio.Lock()
    return found
