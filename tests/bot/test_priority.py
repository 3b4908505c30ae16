"""Priority: answers are drawn before boards, boards before what is behind, and nothing stays in a queue for ever."""

import asyncio
import threading

import pytest

from bot.errors import Busy
from bot.pools import MOST_WAITING, THREADS, Pools
from bot.priority import PRIORITY, Gate, Priority
from tests.bot.gaming import refused


async def passing(gate: Gate, priority: Priority, through: list[str], name: str) -> None:
    PRIORITY.set(priority)
    async with gate:
        through.append(name)


async def test_higher_priority_first_then_order_of_arrival() -> None:
    gate, through = Gate(1), list[str]()
    await gate.enter()
    wanted = [
        ("behind", Priority.CATCHING_UP),
        ("board", Priority.BOARD),
        ("hand", Priority.ANSWER),
        ("board too", Priority.BOARD),
    ]
    waiting = [asyncio.create_task(passing(gate, priority, through, name)) for name, priority in wanted]
    await asyncio.sleep(0)
    gate.leave()
    await asyncio.gather(*waiting)
    assert through == ["hand", "board", "board too", "behind"]


async def test_who_leaves_the_queue_takes_nobodys_turn() -> None:
    gate, through = Gate(1), list[str]()
    await gate.enter()
    first, second = (asyncio.create_task(passing(gate, Priority.ANSWER, through, name)) for name in "ab")
    await asyncio.sleep(0)
    gate.leave()
    # It has been given its turn, but does not know yet.
    first.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    assert through == ["b"]
    async with gate:
        pass


async def test_hands_are_drawn_before_earlier_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    # One thread: with several, nobody knows which finishes first.
    monkeypatch.setattr("bot.pools.THREADS", 1)
    pools, go_on, drawn = Pools(), threading.Event(), list[str]()

    async def draw(priority: Priority, name: str) -> None:
        PRIORITY.set(priority)
        await pools.draw(drawn.append, name)

    try:
        held = [asyncio.create_task(pools.draw(go_on.wait))]
        await asyncio.sleep(0)
        late = [asyncio.create_task(draw(Priority.CATCHING_UP, f"behind {number}")) for number in range(3)]
        await asyncio.sleep(0)
        answers = [asyncio.create_task(draw(Priority.ANSWER, "hand"))]
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(*held, *late, *answers)
        assert drawn[0] == "hand"
    finally:
        go_on.set()
        pools.close()


async def test_waiting_pictures_are_limited_but_not_boards() -> None:
    pools, go_on = Pools(), threading.Event()

    async def board() -> str:
        PRIORITY.set(Priority.BOARD)
        return await pools.draw(str, "board")

    try:
        held = [asyncio.create_task(pools.draw(go_on.wait)) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        await refused(Busy, pools.draw(go_on.wait))
        assert pools.is_behind
        boards = asyncio.create_task(board())
        await asyncio.sleep(0)
        assert not boards.done()
        go_on.set()
        await asyncio.gather(*held)
        assert await boards == "board"
        assert not pools.is_behind
        assert await pools.draw(go_on.wait), "there is room again"
    finally:
        go_on.set()
        pools.close()


async def test_abandoned_work_finishes_before_the_next() -> None:
    pools, go_on, begun = Pools(), threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        go_on.wait()

    try:
        asked = [asyncio.create_task(pools.draw(slow)) for _ in range(THREADS)]
        await asyncio.to_thread(begun.wait)
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        after = asyncio.create_task(pools.draw(str, "next"))
        await asyncio.sleep(0)
        assert not after.done()
        go_on.set()
        assert await after == "next"
    finally:
        go_on.set()
        pools.close()
