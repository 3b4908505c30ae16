"""Tests on SimCord do not depend on how busy the machine is: only `wait` ends long sleeps, however late it comes."""

import asyncio

from tests.patience import LONG
from tests.simtable import SimTable


async def test_a_long_sleep_is_let_be_and_ends_when_the_clock_says_so(table: SimTable) -> None:
    ended: list[str] = []

    async def sleeps() -> None:
        await asyncio.sleep(LONG)
        ended.append("sleep")

    async def begins() -> None:
        asyncio.get_running_loop().call_later(LONG, ended.append, "call")
        table.bot.sleeping = asyncio.create_task(sleeps())

    await table.run(begins())
    await table.env.settle()
    timers = [one for one in table.env._work.callbacks if one.when is not None]
    assert len([one for one in timers if one.real_handle is None]) >= 2, "nothing but the clock ends them"
    await table.wait(LONG - 1)
    assert ended == []
    await table.wait(1)
    assert sorted(ended) == ["call", "sleep"]


async def test_work_is_waited_for_however_long_it_takes(table: SimTable) -> None:
    """Longer than SimCord's own patience, by its clock: the loop's time leaps as if the test had been left waiting."""
    loop = asyncio.get_running_loop()
    time, leap = loop.time, [0.0]
    done: list[int] = []

    async def works() -> None:
        for step in range(20):
            leap[0] += 5
            await asyncio.sleep(0)
            done.append(step)

    async def begins() -> None:
        table.bot.working = asyncio.create_task(works())

    loop.time = lambda: time() + leap[0]
    try:
        await table.run(begins())
        await table.env.settle()
    finally:
        loop.time = time
    assert len(done) == 20
