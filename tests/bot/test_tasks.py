"""Work that is done once for all who ask for it."""

import asyncio

import pytest

from bot.tasks import SingleFlight


async def test_the_results_asked_for_last_are_remembered() -> None:
    flights, made = SingleFlight[int, int]("test", keep=2), list[int]()

    async def make(number: int) -> int:
        made.append(number)
        if number < 0:
            raise ZeroDivisionError
        return number

    async def get(number: int) -> int:
        task = flights.begin(number, lambda: make(number))
        assert (number in flights.in_flight) is not task.done()
        return await task

    assert [await get(number) for number in (1, 2, 1, 3, 1, 2)] == [1, 2, 1, 3, 1, 2]
    assert made == [1, 2, 3, 2]
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            await get(-1)
    assert made[4:] == [-1, -1], "what failed is tried again"


async def test_work_in_flight_is_shared() -> None:
    flights, gate, made = SingleFlight[str, None]("test"), asyncio.Event(), list[str]()

    async def make() -> None:
        made.append("film")
        await gate.wait()

    async def get() -> None:
        await asyncio.shield(flights.begin("film", make))

    waiting = [asyncio.create_task(get()) for _ in range(2)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting[0].cancel()
    gate.set()
    await waiting[1]
    assert made == ["film"], "one who leaves takes nothing from the others"
