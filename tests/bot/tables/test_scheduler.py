"""The scheduler: it wakes up when something is due, and nothing stops it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from bot.tables.scheduler import LONGEST_SLEEP, Scheduler
from tests.virtual import on_virtual_time


@dataclass
class World:
    """Deadlines in a list, a clock that follows the loop's, and a record of every call."""

    shift: float = 1_000.0
    deadlines: list[int] = field(default_factory=list)
    done: list[float] = field(default_factory=list)
    jumps: list[float] = field(default_factory=list)
    failing: int = 0
    looks: int = 0

    def clock(self) -> float:
        return asyncio.get_running_loop().time() + self.shift

    def soon(self, seconds: float) -> int:
        return int(self.clock() + seconds)

    async def next_due(self) -> int | None:
        self.looks += 1
        if self.failing:
            self.failing -= 1
            raise OSError("the disk is full")
        return min(self.deadlines, default=None)

    async def work(self) -> None:
        now = self.clock()
        self.done += [one for one in self.deadlines if one <= now]
        self.deadlines = [one for one in self.deadlines if one > now]

    async def jumped(self, now: float) -> None:
        self.jumps.append(now)


@pytest.fixture
def world() -> World:
    return World()


@asynccontextmanager
async def scheduling(world: World) -> AsyncIterator[Scheduler]:
    """A scheduler for this world's deadlines, closed at the end."""
    made = Scheduler(world.clock, world.next_due, world.work, world.jumped)
    yield made
    before = world.clock()
    await made.close()
    assert world.clock() < before + 1, "it does not wait for a sleep to end"


@on_virtual_time
async def test_due_work_runs_at_once_other_work_waits(world: World) -> None:
    async with scheduling(world) as scheduler:
        world.deadlines = [world.soon(-5), world.soon(3_000)]
        scheduler.start()
        scheduler.start()
        await asyncio.sleep(0.05)
        assert len(world.done) == 1
        assert world.looks == 2, "it sleeps, and does not look again and again"


@on_virtual_time
async def test_an_earlier_deadline_shortens_the_sleep(world: World) -> None:
    async with scheduling(world) as scheduler:
        scheduler.poke(0)
        scheduler.start()
        await asyncio.sleep(0.02)
        world.deadlines = [world.soon(1)]
        scheduler.poke(world.deadlines[0])
        await asyncio.sleep(1.2)
        assert len(world.done) == 1
        looks = world.looks
        scheduler.poke(world.soon(5_000))
        await asyncio.sleep(1.2)
        assert world.looks == looks, "a later one can wait until it wakes up anyway"


@on_virtual_time
async def test_without_deadlines_it_sleeps_and_all_is_well(world: World, caplog: pytest.LogCaptureFixture) -> None:
    async with scheduling(world) as scheduler:
        scheduler.start()
        await asyncio.sleep(LONGEST_SLEEP - 1)
        assert world.looks == 1
        world.deadlines = [world.soon(-1)]
        await asyncio.sleep(2)
        assert (world.looks, len(world.done)) == (3, 1)
    assert not caplog.records


@on_virtual_time
async def test_a_failure_does_not_end_it(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with scheduling(world) as scheduler:
        monkeypatch.setattr("bot.tables.scheduler.AFTER_FAILURE", 0.02)
        world.failing = 3
        world.deadlines = [world.soon(-5)]
        scheduler.start()
        await asyncio.sleep(0.3)
        assert len(world.done) == 1
        assert "looking at the deadlines failed" in caplog.text


@on_virtual_time
async def test_what_stays_due_does_not_keep_it_busy(world: World) -> None:
    async def nothing() -> None:
        pass

    busy = Scheduler(world.clock, world.next_due, nothing, world.jumped)
    world.deadlines = [world.soon(-5)]
    busy.start()
    await asyncio.sleep(0.05)
    assert world.looks == 2
    await busy.close()


@on_virtual_time
async def test_changed_system_clock_is_noticed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async with scheduling(world) as scheduler:
        monkeypatch.setattr("bot.tables.scheduler.LONGEST_SLEEP", 0.02)
        world.deadlines = [world.soon(5_000)]
        scheduler.start()
        await asyncio.sleep(0.05)
        world.shift -= 500
        await asyncio.sleep(0.05)
        assert len(world.jumps) == 1
        world.shift += 10_000
        await asyncio.sleep(0.05)
        assert len(world.done) == 1


@on_virtual_time
async def test_closing_ends_the_sleep_but_not_the_work(world: World) -> None:
    begun, finished = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        begun.set()
        await asyncio.sleep(0.05)
        world.deadlines.clear()
        finished.set()

    scheduler = Scheduler(world.clock, world.next_due, slow, world.jumped)
    world.deadlines = [world.soon(3)]
    scheduler.start()
    await begun.wait()
    await scheduler.close()
    assert finished.is_set(), "work that a sleep came before"
    scheduler.poke(0)
    scheduler.start()
    await scheduler.close()


@on_virtual_time
async def test_deadline_added_while_reading_is_not_missed(world: World) -> None:
    asked = asyncio.Event()

    async def slow_answer() -> int | None:
        found = await world.next_due()
        asked.set()
        await asyncio.sleep(0.05)
        return found

    scheduler = Scheduler(world.clock, slow_answer, world.work, world.jumped)
    scheduler.start()
    await asked.wait()
    world.deadlines = [world.soon(1)]
    scheduler.poke(world.deadlines[0])
    await asyncio.sleep(1.5)
    assert len(world.done) == 1
    await scheduler.close()
