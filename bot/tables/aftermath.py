"""The aftermath of a change: computers move, forced actions are played, and everything that shows the table is told.

All of it happens in the background and can be asked for again at any time. Playing on and showing are two runs for each
table, so that a slow post does not keep the next player waiting.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from bot import metrics
from bot.errors import BotError, Conflict
from bot.pools import Pools
from bot.priority import PRIORITY, Priority
from bot.table import Status, Table
from bot.tables.computers import Thinking, who_acts_next
from bot.tables.effects import News
from bot.tables.planning import Following, carry_out_following, find_following, find_forced, is_undone
from bot.tables.playing import play_action
from bot.tables.transactions import Transactions
from bot.tasks import Runs

log = logging.getLogger(__name__)

AT_ONCE = 4
"""The most tables of the queue that are settled at the same time."""

LONGEST_GIVING_WAY = 1.0
"""Seconds for which a queued table gives way to those where players act."""

FIRST_PAUSE, LONGEST_PAUSE = 2.0, 3600.0
"""Seconds until the first retry of a table that could not be played on (doubled each time), and the most."""

Deliver = Callable[[int, bool, tuple[News, ...]], Awaitable[None]]
"""Posts what a table has to say: (table id, whether it has changed, news of its deadlines)."""


@dataclass(slots=True)
class _Pending:
    """Work to come at one table: it is to be played on (`changed`), or shown (`unshown`), and has `news` to tell.

    `driven`: done once the table is at rest. `timer`: when it is looked at again; `pause`: the seconds until the next
    retry, if it could not be played on.
    """

    changed: bool = False
    unshown: bool = False
    news: list[News] = field(default_factory=list)
    driven: asyncio.Future[Table | None] | None = None
    timer: asyncio.TimerHandle | None = None
    pause: float = 0.0


class Aftermath:
    """Takes care of what follows a change; is told of every change (`note_change`).

    A table is shown once it is at rest. A table of a guild that another process serves is played on, since a request
    here is waiting for that, but not shown.
    """

    def __init__(self, transactions: Transactions, pools: Pools, conclude: Callable[[Table], Awaitable[None]]) -> None:
        """`conclude` is awaited with every table whose game is over, before its end is delivered."""
        self._transactions, self._memory = transactions, transactions.memory
        self._thinking, self._conclude = Thinking(pools), conclude
        self.deliver: Deliver | None = None
        """Awaited after every change, once the computers have moved, and when deadlines have come (`DogBot._connect`).

        It never runs twice at the same time for one table; what happens meanwhile leads to one more call. What it
        raises is logged.
        """
        self._drives: Runs[int] = Runs(self._drive_to_rest, "play on at table")
        self._deliveries: Runs[int] = Runs(self._deliver, "deliver table")
        self._pending: defaultdict[int, _Pending] = defaultdict(_Pending)
        """By table, until nothing is to come there."""
        self._waiting: OrderedDict[int, None] = OrderedDict()
        """The queue of tables, of which each of the `_workers` takes one at a time; `_in_turn`: those being settled."""
        self._workers: set[asyncio.Task[None]] = set()
        self._in_turn: set[int] = set()
        self._closed = False

    def note_change(self, _before: Table | None, after: Table, news: Iterable[News], follow: bool) -> None:
        """Have what a change brings delivered, and start what follows it (`follow`)."""
        self._pending[after.id].news += news
        if follow:
            metrics.record_change(after.id)
            self.touch(after.id)

    def remind(self, table_id: int, news: Iterable[News]) -> None:
        """Have this delivered when the table's turn comes; nothing about the table has changed."""
        self._pending[table_id].news += news
        self._take_turns([table_id])

    def touch(self, table_id: int) -> None:
        """Drive a table and have it delivered, at once or after the run under way."""
        self._in_turn.discard(table_id)
        self._mark(table_id)
        self._start(table_id)

    def touch_in_turn(self, table_ids: Iterable[int], by: Callable[[int], tuple[int, int]] | None = None) -> None:
        """Do so for many tables, a few at a time, so that people who click meanwhile are not kept waiting.

        `by`: the order of all that wait, also of those that came before; otherwise these come last.
        """
        ids = tuple(table_ids)
        for table_id in ids:
            self._mark(table_id)
        self._take_turns(ids, by)

    def _mark(self, table_id: int) -> None:
        pending = self._pending[table_id]
        pending.changed = True
        if pending.driven is None and not self._closed:
            pending.driven = asyncio.get_running_loop().create_future()

    def _start(self, table_id: int) -> None:
        if not self._closed:
            (self._drives if self._pending[table_id].changed else self._deliveries).begin(table_id)

    def _take_turns(self, table_ids: Iterable[int], by: Callable[[int], tuple[int, int]] | None = None) -> None:
        if self._closed:
            return
        self._waiting.update(dict.fromkeys(table_ids))
        if by is not None:
            self._waiting = OrderedDict.fromkeys(sorted(self._waiting, key=by))
        for _ in range(min(AT_ONCE - len(self._workers), len(self._waiting))):
            task = asyncio.create_task(self._work_off(), name="settle tables in turn")
            self._workers.add(task)
            task.add_done_callback(self._workers.discard)

    async def _work_off(self) -> None:
        while self._waiting:
            # Tables where players act go first, but must not keep the others waiting forever.
            acting = {*self._drives.tasks, *self._deliveries.tasks} - self._in_turn
            if acting:
                await asyncio.wait(set().union(*map(self._tasks, acting)), timeout=LONGEST_GIVING_WAY)
            if not self._waiting:
                return
            table_id, _ = self._waiting.popitem(last=False)
            if not self._tasks(table_id):
                self._in_turn.add(table_id)
            self._start(table_id)
            await self.settled(table_id)
            self._in_turn.discard(table_id)

    async def settled(self, table_id: int | None = None) -> None:
        """Wait until nothing is under way (for one table, or for all). Not to be called from within a delivery."""
        while tasks := self._tasks(table_id):
            await asyncio.wait(tasks)

    async def close(self, seconds: float = 2.0) -> None:
        """Begin nothing new, let whatever is under way finish, and cancel what takes longer than `seconds`."""
        self._closed = True
        for pending in self._pending.values():
            if pending.timer is not None:
                pending.timer.cancel()
        self._waiting.clear()
        self._drives.drop()
        self._deliveries.drop()
        try:
            async with asyncio.timeout(seconds):
                await self.settled()
        except TimeoutError:
            if late := self._tasks(None):
                for task in late:
                    task.cancel()
                await asyncio.wait(late, timeout=seconds)

    def _tasks(self, table_id: int | None) -> set[asyncio.Task[None]]:
        if table_id is None:
            return {*self._drives.tasks.values(), *self._deliveries.tasks.values(), *self._workers}
        return {runs.tasks[table_id] for runs in (self._drives, self._deliveries) if table_id in runs.tasks}

    def _take_priority(self, table_id: int) -> None:
        PRIORITY.set(Priority.CATCHING_UP if table_id in self._in_turn else Priority.BOARD)

    async def drive(self, table_id: int) -> Table | None:
        """Play everything that needs no person, and return the table at rest; None if the program ends before that.

        A computer player that takes its time is not waited for: it acts when it is due, and the table is looked at
        again then.
        """
        if self._pending[table_id].driven is None:
            self.touch(table_id)
        under_way = self._pending[table_id].driven
        return None if under_way is None else await asyncio.shield(under_way)

    async def _drive(self, table_id: int) -> Table | None:
        """Play on. Thinking happens without the lock; a move is discarded if the table has changed meanwhile."""
        while True:
            table = await self._memory.get(table_id)
            if table.status is not Status.PLAYING or table.game is None or table.asleep:
                return table
            rows = await self._memory.log(table_id) if table.is_live else ()
            following = who_acts_next(table, rows)
            if following is None:
                if self._closed or (planned := await self._following(table)) is None:
                    return table
                with suppress(Conflict):
                    now = self._transactions.now()
                    await self._transactions.commit(table, carry_out_following(table, planned, now))
                    if planned.left is not None:
                        self._memory.keep_plan(table_id, planned.seat, planned.left)
                continue
            if self._closed:
                return None
            auto, due = following
            if (left := due - self._transactions.time()) > 0:
                self._pending[table_id].timer = asyncio.get_running_loop().call_later(left, self.touch, table_id)
                return table
            action = await self._thinking.action(auto)
            after = auto.game.play(auto.seat, action)
            effect = play_action(table, after, auto.seat, action, auto.actor, self._transactions.now())
            with suppress(Conflict):
                await self._transactions.commit(table, effect)

    async def _following(self, table: Table) -> Following | None:
        """Return what is to be played for a person who is asked, as planned or because nothing else is legal."""
        if table.is_live or not table.waiting_for:
            return None
        memory = self._memory
        plans, forced = memory.plans(table.id), find_forced(table)
        if not plans and not forced:
            return None
        prefers = await self._transactions.profiles.users.several(forced.values()) if forced else {}
        undone = table.takebacks > 0 and is_undone(table, await memory.notes(table.id))
        return find_following(table, memory.course(table), plans, prefers, undone=undone)

    async def _deliver(self, table_id: int) -> None:
        self._take_priority(table_id)
        while (driving := self._drives.tasks.get(table_id)) is not None:
            # What computers do is shown together with what they answer to.
            await asyncio.wait((driving,))
        pending = self._pending[table_id]
        changed = pending.unshown and self._transactions.shows(table_id)
        news, pending.unshown, pending.news = tuple(pending.news), False, []
        if self.deliver is not None and (changed or news):
            try:
                await self.deliver(table_id, changed, news)
            except Exception:
                log.exception("delivering what table %s says failed", table_id)
        if pending == _Pending() and table_id not in self._drives.tasks:
            del self._pending[table_id]

    async def _drive_to_rest(self, table_id: int) -> None:
        """Drive, release those who are waiting for it, and have the table shown unless the program ends before."""
        self._take_priority(table_id)
        pending = self._pending[table_id]
        pending.changed = False
        if pending.timer is not None:
            pending.timer.cancel()
            pending.timer = None
        table: Table | None = None
        failed = False
        try:
            table = await self._drive(table_id)
            if table is not None and table.status is Status.OVER:
                await self._conclude(table)
            pending.pause = 0.0
        except Exception as problem:
            log.exception("driving table %s failed", table_id)
            failed = True
            if not isinstance(problem, BotError):
                # A database is reported when it recovers, and a broken log stays broken. Otherwise no player may ever
                # touch a table that waits for a computer.
                pending.pause = min(2 * pending.pause or FIRST_PAUSE, LONGEST_PAUSE)
                pending.timer = asyncio.get_running_loop().call_later(pending.pause, self.touch, table_id)
        finally:
            future, pending.driven = pending.driven, None
            if future is not None and not future.done():
                future.set_result(table)
        if failed or table is not None:
            pending.unshown = True
            self._deliveries.begin(table_id)
