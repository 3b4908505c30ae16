"""Work that is done once for all who ask for it."""

import asyncio
from collections.abc import Callable
from typing import Any

from bot.tasks import SingleFlight


async def test_work_in_flight_is_shared() -> None:
    flights, gate, made = SingleFlight[str, None]("test", keep=1), asyncio.Event(), []

    def making(name: str) -> Callable[[], Any]:
        async def make() -> None:
            made.append(name)
            await gate.wait()
            if name == "bad":
                raise ValueError(name)

        return make

    async def get(name: str) -> None:
        await asyncio.shield(flights.begin(name, making(name)))

    waiting = [asyncio.create_task(get(name)) for name in ("a", "a", "b", "bad")]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert flights.in_flight == ["a", "b", "bad"]
    waiting[0].cancel()
    gate.set()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert waiting[1].exception() is None, "the other who asked still gets it"
    await asyncio.gather(get("b"), get("a"))
    assert made == ["a", "b", "bad", "a"], "the last one that worked is remembered"
