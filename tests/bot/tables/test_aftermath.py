"""The background work after a change: one run at a time for each table, none forgotten, and a clean end.

What failed unexpectedly is tried again, and what cannot succeed is left alone.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.errors import BrokenLog
from bot.pools import Pools
from bot.table import Status
from bot.tables.aftermath import AT_ONCE, FIRST_PAUSE, LONGEST_PAUSE, Aftermath
from tests.virtual import on_virtual_time


class Lobby:
    """A table at which nothing is to be played."""

    status = Status.LOBBY
    game = None


class Tables:
    """Transactions that cannot read a table until `problem` is None; `reads`: the times at which they were to."""

    def __init__(self, problem: Exception | None = None) -> None:
        self.problem = problem
        self.reads: list[float] = []

    @property
    def memory(self) -> "Tables":
        return self

    def shows(self, _: int) -> bool:
        return True

    async def get(self, _: int) -> Any:
        self.reads.append(asyncio.get_running_loop().time())
        if self.problem is not None:
            raise self.problem
        return Lobby()


async def never(_: object) -> None:
    raise AssertionError("no game is over here")


def settling(step: Callable[[int], Awaitable[None]]) -> Aftermath:
    """An aftermath in which only this is done at each table."""
    made = Aftermath(Tables(), Pools(), never)  # type: ignore[arg-type]
    made.deliver = lambda table_id, *_: step(table_id)
    return made


async def test_touches_during_a_run_lead_to_one_more() -> None:
    runs: list[int] = []
    begun, gate = asyncio.Event(), asyncio.Event()

    async def step(table_id: int) -> None:
        runs.append(table_id)
        begun.set()
        await gate.wait()

    settler = settling(step)
    settler.touch(2)
    await begun.wait()
    settler.touch(1)
    settler.touch(2)
    settler.touch(2)
    begun.clear()
    await begun.wait()
    assert runs == [2, 1]
    gate.set()
    await settler.settled(2)
    await settler.settled()
    assert runs == [2, 1, 2]


@on_virtual_time
async def test_runs_of_one_table_never_overlap() -> None:
    inside = most = runs = 0

    async def step(_table_id: int) -> None:
        nonlocal inside, most, runs
        inside, runs = inside + 1, runs + 1
        most = max(most, inside)
        await asyncio.sleep(10)
        inside -= 1

    settler = settling(step)
    for _ in range(20):
        settler.touch(1)
        await asyncio.sleep(3)
    await settler.settled()
    assert most == 1
    assert runs > 5


@on_virtual_time
async def test_playing_on_does_not_wait_for_showing() -> None:
    posted: list[float] = []

    async def step(_table_id: int) -> None:
        await asyncio.sleep(10)
        posted.append(asyncio.get_running_loop().time())

    settler = settling(step)
    start = asyncio.get_running_loop().time()
    settler.touch(1)
    await asyncio.sleep(1)
    settler.touch(1)
    assert await settler.drive(1) is not None
    assert asyncio.get_running_loop().time() == start + 1, "the post is under way"
    await settler.settled()
    assert posted == [start + 10, start + 20], "and the second change is shown after it"


async def test_failed_run_is_logged_and_the_next_works(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR, "bot.tables.aftermath")
    runs: list[int] = []

    async def step(table_id: int) -> None:
        runs.append(table_id)
        if len(runs) == 1:
            raise RuntimeError("no")

    settler = settling(step)
    settler.touch(1)
    await settler.settled()
    assert "delivering what table 1 says failed" in caplog.text
    settler.touch(1)
    await settler.settled()
    assert runs == [1, 1]


async def test_many_tables_take_turns() -> None:
    inside = most = 0
    done: list[int] = []

    async def step(table_id: int) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0)
        done.append(table_id)
        inside -= 1

    settler = settling(step)
    settler.touch_in_turn(range(50))
    await settler.settled()
    assert sorted(done) == list(range(50))
    assert most == 4
    assert not settler._pending, "nothing is kept of a table at rest"


@on_virtual_time
async def test_closing_finishes_the_run_and_takes_no_more() -> None:
    done: list[int] = []

    async def step(table_id: int) -> None:
        await asyncio.sleep(1.5)
        done.append(table_id)

    settler = settling(step)
    settler.touch(1)
    settler.touch_in_turn([2, 3, 4, 5, 6, 7, 8])
    await asyncio.sleep(0)
    settler.touch(1)
    await settler.close()
    settler.touch(9)
    await settler.settled()
    assert done.count(1) == 1
    assert 9 not in done


@on_virtual_time
async def test_closing_does_not_wait_for_ever() -> None:
    async def step(_table_id: int) -> None:
        await asyncio.Event().wait()

    settler = settling(step)
    settler.touch(1)
    await asyncio.sleep(0)
    await settler.close(seconds=5)
    assert asyncio.get_running_loop().time() < 11


async def test_who_acts_goes_before_those_settled_in_turn() -> None:
    order: list[int] = []
    begun = asyncio.Event()

    async def step(table_id: int) -> None:
        for _ in range(300 if table_id == 1_000 else 1):
            await asyncio.sleep(0)
        order.append(table_id)
        if len(order) == 4:
            begun.set()

    settler = settling(step)
    settler.touch_in_turn(range(100))
    await begun.wait()
    settler.touch(1_000)
    before = len(order)
    await settler.settled()
    assert sorted(order) == [*range(100), 1_000]
    assert order.index(1_000) <= before + AT_ONCE, "only what was under way already comes before"


@on_virtual_time
async def test_unexpected_failure_is_retried_with_backoff() -> None:
    tables = Tables(RuntimeError("nobody expects this"))
    aftermath = Aftermath(tables, Pools(), never)  # type: ignore[arg-type]
    aftermath.touch(7)
    await asyncio.sleep(20 * LONGEST_PAUSE)
    pauses = [after - before for before, after in zip(tables.reads, tables.reads[1:], strict=False)]
    assert pauses[:3] == pytest.approx([FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE])
    assert pauses[-2:] == pytest.approx([LONGEST_PAUSE] * 2)

    tables.problem = None
    await asyncio.sleep(LONGEST_PAUSE)
    tables.reads.clear()
    await asyncio.sleep(3 * LONGEST_PAUSE)
    assert not tables.reads, "the table is at rest"

    tables.problem = RuntimeError("again")
    aftermath.touch(7)
    await asyncio.sleep(1.5 * FIRST_PAUSE)
    assert len(tables.reads) == 2, "it begins with a short pause again"
    await aftermath.close()


@on_virtual_time
async def test_log_that_does_not_replay_is_not_retried() -> None:
    tables = Tables(BrokenLog(7))
    aftermath = Aftermath(tables, Pools(), never)  # type: ignore[arg-type]
    aftermath.touch(7)
    await asyncio.sleep(20 * LONGEST_PAUSE)
    assert len(tables.reads) == 1
    await aftermath.close()


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "bot.tables.aftermath")


async def test_more_urgent_tables_overtake_waiting_ones() -> None:
    order: list[int] = []

    async def step(table_id: int) -> None:
        order.append(table_id)

    settler = settling(step)
    settler.touch_in_turn(range(10, 30))
    settler.touch_in_turn([3, 1, 2], lambda table_id: (table_id, 0))
    await settler.settled()
    assert order == [1, 2, 3, *range(10, 30)]
