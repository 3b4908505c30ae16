"""Deadlines: reminders, the end of a person's time, a turn played for them, a lobby's end, a return.

Under the table's lock, every step checks again that the decision it concerns is still open. So a deadline that comes
late, twice, or in two programs at once does its work once.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from bot import clocks
from bot.clocks import CLOSE_SEAT, Rest, deadlines_of
from bot.errors import BrokenLog, Conflict, NoSuchTable, StorageError
from bot.message import About
from bot.moment import Moment
from bot.table import NoteKind, SeatClock, Stage, Table
from bot.tables.absence import bring_back
from bot.tables.aftermath import Aftermath
from bot.tables.due import PUT_OFF, Change, ClockWait, Due, Step, is_uncalled, make_steps, next_step
from bot.tables.effects import Effect, note
from bot.tables.hosts import Hosts
from bot.tables.lobby import Lobby
from bot.tables.scheduler import Scheduler
from bot.tables.transactions import Service, Transactions

log = logging.getLogger(__name__)

READING = 60
"""Seconds that people get to read one message before the next deadline at the same table is handled."""

SHORT = 60
"""Seconds between two signs of life; a shorter time without one is nothing to speak of."""

TOLD_FROM = 300
"""Seconds for which the bot must have been down for boards to say so."""

SHOWN = frozenset({Stage.START, Stage.PAUSE, Stage.NOTICE})
"""The stages of a table that its board shows, with their time."""

LATE = 60
"""Seconds after the beginning of a decision from which on its call is late."""

STALLED_FOR = 60
"""Seconds after which a clock is looked at again that waits for Discord."""


class Deadlines(Service):
    """Does what is due."""

    def __init__(self, transactions: Transactions, aftermath: Aftermath, lobby: Lobby, hosts: Hosts) -> None:
        super().__init__(transactions)
        self._aftermath, self._hosts = aftermath, hosts
        self._steps = make_steps(lobby, hosts)
        self._scheduler = Scheduler(transactions.time, self._next_due, self.catch_up, self.clock_jumped, self._beat)
        self._alive = f"alive:{transactions.shards_name}"
        """The key of the last sign of life in the store."""
        self._alive_at: int | None = None
        self._owed = False
        """True while clocks have still to skip the time in which the bot was down."""
        self.down_for = 0
        """Seconds for which the bot was down before this start."""
        self._stalled: dict[int, int] = {}
        """By table, since when Discord has refused what it says."""
        self.on_refused: Callable[[Table, int], Awaitable[None]] = _do_nothing
        """Awaited with a table, and since when Discord had refused what it says, once Discord accepts that again."""

    def start(self) -> None:
        """Start; whatever is due already is done at once."""
        self._scheduler.start()

    def poke(self, due_at: float) -> None:
        """Look at what is due at this Unix second, if not before."""
        self._scheduler.poke(due_at)

    def note_change(self, _before: Table | None, table: Table, *_: object) -> None:
        """Wake up for what is due first at a table that has changed."""
        due = [clock.due_at for clock in deadlines_of(table).values()]
        first = min((at for at in due if at is not None), default=None)
        if first is not None:
            self.poke(first)

    async def _next_due(self) -> int | None:
        await self._hosts.keep()
        return await self._store.deadlines.next_due()

    # Time in which players could not act

    async def skip_downtime(self) -> tuple[int, ...]:
        """Let all clocks skip the time in which the bot was down; returns the games where that was long.

        How long it was follows from the last sign of life. It is done at the start, before anything is due; if the
        database fails, before the next thing is.
        """
        if self._alive_at is not None:
            return ()
        self._owed = True
        now, store = self._now(), self._store.deadlines
        last = max(int(await self._store.recall(self._alive) or 0), await store.last_change())
        skipped: list[tuple[int, int, SeatClock]] = []
        tables: Mapping[int, frozenset[Stage]] = {}
        if last and now - last >= SHORT:
            tables = await store.at_tables()
            running = await store.running()
            rests = await self._profiles.rests({clock.user_id for *_, clock in running})
            for game_id, seat, pace, clock in running:
                rest = clocks.at_pace(rests[clock.user_id], pace)
                skipped.append((game_id, seat, clocks.skip(clock, last, now, rest)))
        await store.skip(self._alive, last, now, skipped, tables)
        timed = [game_id for game_id, stages in tables.items() if stages & SHOWN]
        concerned = dict.fromkeys([*(game_id for game_id, *_ in skipped), *timed])
        for game_id in (*concerned, *tables):
            self._memory.forget(game_id)
        self._owed, self._alive_at, self.down_for = False, now, now - last if concerned else 0
        return tuple(concerned) if self.down_for >= TOLD_FROM else ()

    async def tell_downtime(self, table_ids: Iterable[int]) -> None:
        """Let these tables say for how long no clock ran since the bot was down."""
        for table_id in table_ids:
            try:
                await self._transactions.change(
                    table_id,
                    lambda table: Effect(table, [note(table, NoteKind.DOWN, self._now(), seconds=self.down_for)]),
                    follow=False,
                )
            except (BrokenLog, NoSuchTable, Conflict) as problem:
                log.error("%s", problem)

    async def _beat(self) -> None:
        """Write down, now and then, that the bot is there."""
        now = self._now()
        if self._alive_at is not None and now - self._alive_at >= SHORT:
            await self._store.remember(self._alive, str(now))
            self._alive_at = now

    def stall(self, table_id: int) -> None:
        """Note that Discord refuses what a table says: until it accepts it, no time runs out there."""
        self._stalled.setdefault(table_id, self._now())

    def is_stalled(self, table_id: int) -> bool:
        """Return True while Discord refuses what a table says."""
        return table_id in self._stalled

    async def choose_from_now(self, table_id: int) -> None:
        """Let the time in which others choose about a late turn begin now, as long as Discord has not told them."""

        def adjusted(table: Table, _seat: int, clock: SeatClock, now: int, rest: Rest) -> SeatClock:
            said = (notice for notice in table.messages if notice.about is About.UP and not notice.is_doubtful)
            told = any(str(clock.ends_at) in notice.marks.values() for notice in said)
            if told or not clock.overdue or now - (clock.since or now) < LATE:
                return clock
            return clocks.run(replace(clock, spent=0), now, rest)

        if self.is_stalled(table_id):
            await self._adjust(table_id, adjusted)

    async def note_accepted(self, table_id: int) -> None:
        """Note that Discord accepts what a table says again, if it has refused something."""
        if table_id in self._stalled:
            await self.note_called(table_id, {})

    async def note_called(self, table_id: int, called: Mapping[int, Moment]) -> None:
        """Note that Discord has accepted what a table says, and with it the calls for these decisions, by seat.

        Players who are called late get the full time; for the others, the time since the first refusal is skipped.
        """
        now, begun = self._now(), self._stalled.pop(table_id, None)
        refused = begun is not None and now - begun >= LATE
        table = await self._memory.get(table_id)
        if refused and begun is not None:
            await self._hosts.skip(table, now - begun)
            await self.on_refused(table, begun)
        if not refused and not any(_is_late(table.clocks.get(seat), moment, now) for seat, moment in called.items()):
            return

        def adjusted(table: Table, seat: int, clock: SeatClock, now: int, rest: Rest) -> SeatClock:
            pace = table.time_of(seat)
            if clock.overdue or clock.held:
                return clock
            if seat in called and _is_late(clock, called[seat], now):
                return clocks.restart(clock, pace, now, rest)
            timed = pace.seconds is not None
            return clocks.skip(clock, begun, now, rest) if refused and begun is not None and timed else clock

        await self._adjust(table_id, adjusted)

    async def note_closed(self, table_id: int) -> None:
        """Note that the thread of a game that is over is closed, or cannot be."""
        await self._store.deadlines.drop(table_id, CLOSE_SEAT)

    # At the start of the program

    async def begin_untold(self, table_ids: Iterable[int]) -> None:
        """Restart the clocks of these tables that ran out before their players were called.

        A program that ended between a move and its message leaves such clocks. Only tables where something is due are
        loaded for this.
        """
        due = frozenset(await self._store.deadlines.games_due(self._now(), limit=None))
        for table_id in table_ids:
            if table_id in due:
                await self._adjust(table_id, _restart_uncalled)

    async def clock_jumped(self, now: float) -> None:
        """Restart the clocks that claim to have begun after `now`: the clock was put back."""
        for table_id in await self._store.deadlines.ids_started_after(int(now)):
            await self._adjust(table_id, lambda _, seat, clock, now, rest: clocks.set_right(clock, now, rest))

    async def close(self) -> None:
        """Wake up no more, and write down until when the bot was there."""
        await self._scheduler.close()
        if self._alive_at is not None:
            with suppress(StorageError):
                await self._store.remember(self._alive, str(self._now()))

    # What is due

    async def catch_up(self) -> None:
        """Deal with everything that is due now; the scheduler does this by itself."""
        if self._owed:
            await self.skip_downtime()
        now = self._now()
        for user_id in await self._store.users.find_returned(now):
            try:
                await self._home_again(user_id, now)
            except Exception:
                log.exception("the end of a time away failed")
        seen: set[int] = set()
        while games := [game for game in await self._store.deadlines.games_due(self._now()) if game not in seen]:
            seen.update(games)
            done = await self._wait_all(games)
            for table_id in games:
                if table_id in done:
                    continue
                if self._scheduler.closed:
                    # The program is ending; the next start finds that the others are due.
                    return
                try:
                    await self._deal_with(table_id)
                except Exception as problem:
                    if isinstance(problem, BrokenLog | NoSuchTable | Conflict):
                        log.error("deadline of table %s: %s", table_id, problem)
                    else:
                        log.exception("the deadline of table %s failed", table_id)
                    await self._transactions.postpone(table_id, self._now() + PUT_OFF)

    async def _wait_all(self, table_ids: Sequence[int]) -> frozenset[int]:
        """Advance, in one transaction, the clocks of tables where nothing else is due; returns those tables."""
        waiting: dict[int, dict[int, ClockWait]] = {}
        for table_id, steps in (await self._due(table_ids)).items():
            waits = {seat: step for seat, step in steps.items() if isinstance(step, ClockWait)}
            if len(waits) == len(steps):
                waiting[table_id] = waits
        if not waiting or self._transactions.is_busy(waiting) or not await self._wait(waiting):
            return frozenset()
        for table_id, waits in waiting.items():
            self._remind(table_id, waits.values())
        return frozenset(waiting)

    async def _deal_with(self, table_id: int) -> None:
        """Do what is due at one table, and have it all delivered together."""
        waited: list[ClockWait] = []
        changed = False
        for seat, step in (await self._due([table_id])).get(table_id, {}).items():
            match step:
                case ClockWait():
                    if await self._wait({table_id: {seat: step}}):
                        waited.append(step)
                case Change(decide, even_broken):
                    await self._transactions.change(table_id, decide, follow=False, even_broken=even_broken)
                    changed = True
                case _:
                    changed = await step(table_id) or changed
        self._remind(table_id, waited)
        if changed:
            self._aftermath.touch_in_turn([table_id])

    async def _due(self, table_ids: Sequence[int]) -> Mapping[int, Mapping[int, Step]]:
        """Return the step due at each of these tables, by seat."""
        now = self._now()
        tables = await self._store.deadlines.due(table_ids, now)
        rests = await self._profiles.rests(clock.user_id for _, due in tables.values() for clock in due.values())
        return {
            table_id: {
                seat: self._next_step(table_id, Due(seat, clock, now, clocks.at_pace(rests[clock.user_id], pace)))
                for seat, clock in due.items()
            }
            for table_id, (pace, due) in tables.items()
        }

    def _next_step(self, table_id: int, due: Due) -> Step:
        if self.is_stalled(table_id):
            # Neither a turn nor a notice, and no silent host's deadline, runs out unseen.
            return ClockWait(due.clock, replace(due.clock, due_at=due.now + STALLED_FOR))
        return next_step(self._steps, due)

    async def _wait(self, waiting: Mapping[int, Mapping[int, ClockWait]]) -> bool:
        """Let clocks wait for what comes next; False if one has changed meanwhile."""
        return await self._transactions.advance(
            {
                table_id: {seat: (step.before, step.clock) for seat, step in steps.items()}
                for table_id, steps in waiting.items()
            }
        )

    def _remind(self, table_id: int, waited: Iterable[ClockWait]) -> None:
        if news := [step.reminder for step in waited if step.reminder is not None]:
            self._aftermath.remind(table_id, news)

    async def _home_again(self, user_id: int, now: int) -> None:
        """End a time away: give the person back the seats that computers played, and say so at their games."""
        before = await self._profiles.rest(user_id)
        after = replace(before, away_until=None)
        async with self._profiles.homecoming(user_id, now) as ours:
            if not ours:
                return
            # The games first: if the program ends in between, the next start does them again.
            changed = await self._transactions.everywhere(
                None, user_id, lambda table: bring_back(table, user_id, now, before, after, call=True), follow=False
            )
        self._aftermath.touch_in_turn([table.id for table in changed])
        for table in changed:
            # One message at a time: whatever else is due there comes once this one has been read.
            await self._transactions.postpone(table.id, now + READING)

    async def _adjust(self, table_id: int, adjusted: Callable[[Table, int, SeatClock, int, Rest], SeatClock]) -> None:
        """Change the clocks that `adjusted` (table, seat, clock, time, rest) changes; a failure is only logged."""

        async def decide(table: Table) -> Effect:
            now = self._now()
            rests = await self._profiles.rests(clock.user_id for clock in table.clocks.values())
            after = {
                seat: adjusted(table, seat, clock, now, clocks.at_pace(rests[clock.user_id], table.terms.pace))
                for seat, clock in table.clocks.items()
            }
            return Effect(table if after == table.clocks else replace(table, clocks=after))

        try:
            await self._transactions.change(table_id, decide)
        except (BrokenLog, Conflict) as problem:
            log.error("%s", problem)
        except Exception:
            log.exception("the clocks of table %s", table_id)


async def _do_nothing(_table: Table, _begun: int) -> None:
    pass


def _is_late(clock: SeatClock | None, decision: Moment, now: int) -> bool:
    """Return True if the clock for this decision began long before its player is called now."""
    return clock is not None and clock.decision == decision and now - (clock.since or now) >= LATE


def _restart_uncalled(table: Table, seat: int, clock: SeatClock, now: int, rest: Rest) -> SeatClock:
    """Return the clock of a seat, started again if it has run out before its player was called."""
    pace = table.time_of(seat)
    if pace.seconds is None or clock.due_at is None or clock.due_at > now or not is_uncalled(table, seat):
        return clock
    return clocks.restart(clock, pace, now, rest)
