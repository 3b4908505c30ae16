"""The background work: one run at a time for each table, none forgotten, and a clean end."""

from __future__ import annotations

import asyncio

import pytest

from bot.tables.aftermath import ROUNDS, Settler
from tests.virtual import on_virtual_time


async def test_touches_during_a_run_lead_to_one_more() -> None:
    runs: list[int] = []
    gate = asyncio.Event()

    async def step(table_id: int) -> None:
        runs.append(table_id)
        await gate.wait()

    settler = Settler(step)
    settler.touch(1)
    await asyncio.sleep(0)
    settler.touch(1)
    settler.touch(1)
    settler.touch(2)
    await asyncio.sleep(0)
    assert runs == [1, 2]
    gate.set()
    await settler.settled(1)
    await settler.settled()
    assert runs == [1, 2, 1]


@on_virtual_time
async def test_runs_of_one_table_never_overlap() -> None:
    inside = most = runs = 0

    async def step(_table_id: int) -> None:
        nonlocal inside, most, runs
        inside, runs = inside + 1, runs + 1
        most = max(most, inside)
        await asyncio.sleep(10)
        inside -= 1

    settler = Settler(step)
    for _ in range(20):
        settler.touch(1)
        await asyncio.sleep(3)
    await settler.settled()
    assert most == 1
    assert runs > 5


async def test_a_run_that_fails_is_logged_and_the_next_one_works(caplog: pytest.LogCaptureFixture) -> None:
    runs: list[int] = []

    async def step(table_id: int) -> None:
        runs.append(table_id)
        if len(runs) == 1:
            raise RuntimeError("no")

    settler = Settler(step)
    settler.touch(1)
    await settler.settled()
    assert "settling table 1 failed" in caplog.text
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

    settler = Settler(step)
    settler.touch_in_turn(range(50))
    await settler.settled()
    assert sorted(done) == list(range(50))
    assert most == 4


@on_virtual_time
async def test_closing_lets_a_run_finish_and_takes_no_more() -> None:
    done: list[int] = []

    async def step(table_id: int) -> None:
        await asyncio.sleep(1.5)
        done.append(table_id)

    settler = Settler(step)
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

    settler = Settler(step)
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

    settler = Settler(step)
    settler.touch_in_turn(range(100))
    await begun.wait()
    settler.touch(1_000)
    before = len(order)
    await settler.settled()
    assert sorted(order) == [*range(100), 1_000]
    assert order.index(1_000) <= before + ROUNDS, "only what was under way already comes before"
