"""Deadlines: reminders, the end of a person's time, a turn played for them, a lobby's end, a return.

Under the table's lock, every step checks again that the decision it concerns is still open. So a deadline that comes
late, twice, or in two programs at once does its work once. Deadlines live in the database; only the sleep until the
earliest is kept here (`Scheduler`). So a restart, a clock put forward or back, or a failure costs nothing: the next
look finds what is due.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bot import clocks
from bot.clocks import Rest, resting_until
from bot.consent import NOTICE, is_notice
from bot.errors import BrokenLog, Conflict, NoSuchTable, StorageError
from bot.moment import Moment
from bot.occupants import StandInReason
from bot.storage.rows import CLOSE_SEAT, HOST_SEAT, LOBBY_SEAT, deadlines_of
from bot.table import About, NoteKind, ProposalKind, SeatClock, Stage, Status, Table
from bot.tables.absence import bring_back, play_for
from bot.tables.aftermath import Aftermath
from bot.tables.effects import Effect, News, NewsKind, carry_out, end_asleep, note, resume_game
from bot.tables.hosts import Hosts
from bot.tables.lobby import Lobby
from bot.tables.transactions import Decide, Service, Transactions

log = logging.getLogger(__name__)

LONGEST_SLEEP = 900.0
"""Seconds after which to look again, in case the clock was changed or another program wrote a deadline."""

AFTER_FAILURE = 60.0
"""Seconds until the next attempt if looking at the database failed."""

JUMP = 30.0
"""A clock put back by more than this many seconds has jumped."""


class Scheduler:
    """Calls `work()` whenever something is due, `jumped(now)` if the clock was put back, and `looked()` each time.

    `next_due` returns the Unix second of the earliest deadline, or None; `clock` returns the time. `work` should deal
    with everything that is due; what it leaves is tried again after a while. Once `closed`, it is not to begin more.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        next_due: Callable[[], Awaitable[int | None]],
        work: Callable[[], Awaitable[None]],
        jumped: Callable[[float], Awaitable[None]],
        looked: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._clock, self._next_due, self._work, self._jumped, self._looked = clock, next_due, work, jumped, looked
        self._task: asyncio.Task[None] | None = None
        self._sleeping_until: float | None = None
        self._look_again = False
        self._last_seen = clock()
        self.closed = False

    def start(self) -> None:
        """Start; whatever is due already is done at once. A second call changes nothing."""
        if self._task is None and not self.closed:
            self._begin()

    def _begin(self) -> None:
        self._sleeping_until = None
        self._task = asyncio.create_task(self._run(), name="deadlines")

    def poke(self, due_at: float) -> None:
        """Announce a deadline at this Unix second; one earlier than the current sleep ends it."""
        if self._task is None or self.closed:
            return
        if self._sleeping_until is None:
            self._look_again = True
        elif due_at < self._sleeping_until:
            self._task.cancel()
            self._begin()

    async def close(self) -> None:
        """Wake up no more; work that is under way is finished."""
        self.closed = True
        if self._task is not None:
            if self._sleeping_until is not None:
                self._task.cancel()
            await asyncio.wait((self._task,))

    async def _run(self) -> None:
        while not self.closed:
            self._look_again = False
            seconds = await self._look()
            if self._look_again or self.closed:
                continue
            self._sleeping_until = self._clock() + seconds
            await asyncio.sleep(seconds)
            self._sleeping_until = None

    async def _look(self) -> float:
        """Do what is due, and return how many seconds to sleep; never raises."""
        try:
            now = self._clock()
            if now < self._last_seen - JUMP:
                await self._jumped(now)
            self._last_seen = now
            if self._looked is not None:
                await self._looked()
            due_at = await self._next_due()
            if due_at is not None and due_at <= now:
                await self._work()
                due_at = await self._next_due()
                if due_at is not None and due_at <= self._clock():
                    # What could not be dealt with must not keep the program busy.
                    return AFTER_FAILURE
        except Exception:
            log.exception("looking at the deadlines failed")
            return AFTER_FAILURE
        if due_at is None:
            return LONGEST_SLEEP
        return min(max(0.0, due_at - self._clock()), LONGEST_SLEEP)


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

PUT_OFF = 3_600
"""Seconds until a game that could not be dealt with is looked at again."""


class Deadlines(Service):
    """Does what is due."""

    def __init__(self, transactions: Transactions, aftermath: Aftermath, lobby: Lobby, hosts: Hosts) -> None:
        super().__init__(transactions)
        self._aftermath, self._lobby, self._hosts = aftermath, lobby, hosts
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
        self.start, self.poke = self._scheduler.start, self._scheduler.poke
        self.on_refused: Callable[[Table, int], Awaitable[None]] = _do_nothing
        """Awaited with a table, and since when Discord had refused what it says, once Discord accepts that again."""
        transactions.on_change(self._changed)

    def _changed(self, _before: Table | None, table: Table, *_: object) -> None:
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
            said = (notice for notice in table.messages if notice.about is About.UP and notice.message_id is not None)
            told = any(str(clock.ends_at) in notice.marks.values() for notice in said)
            if told or not clock.overdue or now - (clock.since or now) < LATE:
                return clock
            return clocks.run(replace(clock, spent=0), now, rest)

        if self.is_stalled(table_id):
            await self._adjust(table_id, adjusted)

    async def accepted(self, table_id: int) -> None:
        """Note that Discord accepts what a table says again, if it has refused something."""
        if table_id in self._stalled:
            await self.called(table_id, {})

    async def called(self, table_id: int, called: Mapping[int, Moment]) -> None:
        """Note that Discord has accepted what a table says, and with it the calls for these decisions, by seat.

        Players who are called late get the full time; for the others, the time since the first refusal is skipped.
        """
        now, begun = self._now(), self._stalled.pop(table_id, None)
        refused = begun is not None and now - begun >= LATE
        table = await self._transactions.get(table_id)
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

    async def closed(self, table_id: int) -> None:
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
        waiting: dict[int, dict[int, _Wait]] = {}
        for table_id, steps in (await self._due(table_ids)).items():
            waits = {seat: step for seat, step in steps.items() if isinstance(step, _Wait)}
            if len(waits) == len(steps):
                waiting[table_id] = waits
        if not waiting or self._transactions.is_busy(waiting) or not await self._wait(waiting):
            return frozenset()
        for table_id, waits in waiting.items():
            self._remind(table_id, waits.values())
        return frozenset(waiting)

    async def _deal_with(self, table_id: int) -> None:
        """Do what is due at one table, and have it all delivered together."""
        waited: list[_Wait] = []
        changed = False
        for seat, step in (await self._due([table_id])).get(table_id, {}).items():
            if seat == HOST_SEAT and not await self._hosts.is_silent(table_id):
                continue
            if not isinstance(step, _Wait):
                even_broken = seat in (LOBBY_SEAT, HOST_SEAT)
                await self._transactions.change(table_id, step, follow=False, even_broken=even_broken)
                changed = True
                if seat == HOST_SEAT:
                    await self._hosts.look_later(table_id)
            elif await self._wait({table_id: {seat: step}}):
                waited.append(step)
        self._remind(table_id, waited)
        if changed:
            self._aftermath.touch_in_turn([table_id])

    async def _due(self, table_ids: Sequence[int]) -> Mapping[int, Mapping[int, _Wait | Decide]]:
        """Return the step due at each of these tables, by seat."""
        now = self._now()
        tables = await self._store.deadlines.due(table_ids, now)
        rests = await self._profiles.rests(clock.user_id for _, due in tables.values() for clock in due.values())
        return {
            table_id: {
                seat: self._follows(table_id, seat, clock, now, clocks.at_pace(rests[clock.user_id], pace))
                for seat, clock in due.items()
            }
            for table_id, (pace, due) in tables.items()
        }

    def _follows(self, table_id: int, seat: int, clock: SeatClock, now: int, rest: Rest) -> _Wait | Decide:
        if self.is_stalled(table_id):
            # Neither a turn nor a notice, and no silent host's deadline, runs out unseen.
            return _Wait(clock, replace(clock, due_at=now + STALLED_FOR))
        match clock.stage:
            case Stage.START:
                return self._lobby.start_if_full
            case Stage.LOBBY:
                return self._lobby.expired
            case Stage.HOST:
                return self._hosts.followed
            case Stage.CLOSE:
                # Until the thread is closed, or cannot be.
                return _Wait(clock, replace(clock, due_at=now + PUT_OFF), News(NewsKind.CLOSE))
            case _:
                return _next_step(seat, clock, now, rest)

    async def _wait(self, waiting: Mapping[int, Mapping[int, _Wait]]) -> bool:
        """Let clocks wait for what comes next; False if one has changed meanwhile."""
        return await self._transactions.advance(
            {
                table_id: {seat: (step.before, step.clock) for seat, step in steps.items()}
                for table_id, steps in waiting.items()
            }
        )

    def _remind(self, table_id: int, waited: Iterable[_Wait]) -> None:
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
    if pace.seconds is None or clock.due_at is None or clock.due_at > now or not _is_uncalled(table, seat):
        return clock
    return clocks.restart(clock, pace, now, rest)


@dataclass(frozen=True, slots=True)
class _Wait:
    """A clock as it is, and as it waits for what comes next; the reminder to give now, if any."""

    before: SeatClock
    clock: SeatClock
    reminder: News | None = None


def _next_step(seat: int, clock: SeatClock, now: int, rest: Rest) -> _Wait | Decide:
    """Return the step for a clock that has come to its stage: let it go on, or change the table."""
    if seat < 0:
        return {Stage.PAUSE: _end_pause, Stage.NOTICE: _offer_seat}[clock.stage](now)
    if (until := resting_until(now, rest)) is not None:
        # It came due while the program was not running; during a rest no one is disturbed or played for.
        return _Wait(clock, replace(clock, due_at=until))
    if clock.stage is Stage.AUTO:
        return _play_turn(seat, clock, now)
    if clock.stage is Stage.SILENT:
        return _note_silence(seat, clock, now, rest)
    stage = clocks.last_reached(clock, now, rest)
    if stage is Stage.UP:
        return _end_time(seat, clock, now, rest)
    if stage is None:
        following = clocks.wait_for(clock, clock.stage, rest)
        return _Wait(clock, replace(following, due_at=following.due_at or now))
    following = clocks.wait_for(clock, Stage.NINETY if stage is Stage.HALF else Stage.UP, rest)
    return _Wait(clock, following, News(NewsKind(stage.value), seat, clock.user_id, clock.decision))


def _end_time(seat: int, clock: SeatClock, now: int, rest: Rest) -> Decide:
    """Let the others choose from now on what happens to this seat."""

    def decide(table: Table) -> Effect:
        current = _current_clock(table, seat, clock, now)
        pace = table.time_of(seat)
        if current is None or current.overdue or pace.seconds is None:
            return Effect(table)
        if _is_uncalled(table, seat):
            # Discord did not accept the message that would have called them: no time passes unseen.
            return Effect(replace(table, clocks={**table.clocks, seat: clocks.restart(current, pace, now, rest)}))
        if current.waited:
            return _play_for(table, seat, now)
        choosing = {**table.clocks, seat: clocks.let_choose(current, pace.seconds, now, rest)}
        banked = {**table.banked, seat: table.banked.get(seat, 0) + current.bank} if current.bank else table.banked
        noted = note(table, NoteKind.TIME_UP, now, None, seat, user_id=clock.user_id)
        news = [News(NewsKind.UP, seat, clock.user_id, clock.decision)]
        return Effect(replace(table, clocks=choosing, banked=banked), [noted], news=news)

    return decide


def _play_turn(seat: int, clock: SeatClock, now: int) -> Decide:
    """Let a computer play this turn, since the others have not chosen to wait."""

    def decide(table: Table) -> Effect:
        current = _current_clock(table, seat, clock, now)
        return Effect(table) if current is None else _play_for(table, seat, now)

    return decide


def _play_for(table: Table, seat: int, now: int) -> Effect:
    """Return the table after a computer has played a turn; news for the owner if it keeps the seat."""
    effect = play_for(table, seat, now, by=None)
    owner = effect.after.occupants[seat]
    if owner.why == StandInReason.ABSENT:
        return replace(effect, news=[News(NewsKind.HANDED, seat, owner.user_id)])
    return effect


def _note_silence(seat: int, clock: SeatClock, now: int, rest: Rest) -> Decide:
    """Let the others decide about a player who has not answered for long at a table without a clock."""

    def decide(table: Table) -> Effect:
        current = _current_clock(table, seat, clock, now)
        if current is None:
            return Effect(table)
        if _is_uncalled(table, seat):
            fresh = clocks.fresh(current.decision, current.user_id, table.pace, now, rest)
            return Effect(replace(table, clocks={**table.clocks, seat: fresh}))
        silent = {**table.clocks, seat: replace(current, stage=Stage.NONE, due_at=None)}
        noted = note(table, NoteKind.SILENT, now, None, seat, user_id=clock.user_id)
        news = [News(NewsKind.UP, seat, clock.user_id, clock.decision)]
        return Effect(replace(table, clocks=silent), [noted], news=news)

    return decide


def _end_pause(now: int) -> Decide:
    """Let a game go on whose pause has lasted as long as it may; one that no one plays ends."""

    def decide(table: Table) -> Effect:
        if not table.is_open or table.paused_until is None or table.paused_until > now:
            return Effect(table)
        return resume_game(table, now) if table.status is Status.PAUSED else end_asleep(table, now)

    return decide


def _offer_seat(now: int) -> Decide:
    """Offer a seat, two days after that was announced."""

    def decide(table: Table) -> Effect:
        offer = table.proposals.get(ProposalKind.OFFER)
        if offer is None or not is_notice(offer) or offer.at + NOTICE > now or table.status is not Status.PLAYING:
            return Effect(table)
        return carry_out(table, offer, now)

    return decide


def _is_uncalled(table: Table, seat: int) -> bool:
    """Return True if this seat must act and was not called, at a table where messages are posted."""
    return table.shown is not None and seat in table.to_call


def _current_clock(table: Table, seat: int, clock: SeatClock, now: int) -> SeatClock | None:
    """Return the clock of a seat as it is now, if it is still for the same decision and due."""
    current = table.clocks.get(seat)
    if table.status is not Status.PLAYING or current is None or current.due_at is None or current.due_at > now:
        return None
    same = (current.decision, current.user_id, current.stage) == (clock.decision, clock.user_id, clock.stage)
    return current if same else None
