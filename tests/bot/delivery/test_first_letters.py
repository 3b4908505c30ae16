"""Turns to write to users for the first time: few at once, those who have joined first, none lost."""

import asyncio

from bot.delivery.first_letters import AT_ONCE, EVERY, FirstLetters
from tests.virtual import on_virtual_time


@on_virtual_time
async def test_few_users_are_written_to_at_once() -> None:
    clock, came = asyncio.get_running_loop().time, list[tuple[int, float]]()
    turns = FirstLetters(clock)

    async def write(number: int) -> None:
        await turns.take()
        came.append((number, clock()))

    await asyncio.gather(*map(write, range(AT_ONCE + 3)))
    assert [number for number, _ in came] == list(range(AT_ONCE + 3))
    assert [round(at) for _, at in came] == [0] * AT_ONCE + [EVERY, 2 * EVERY, 3 * EVERY]
    assert not turns.take_at_once()
    await asyncio.sleep(AT_ONCE * EVERY)
    assert [turns.take_at_once() for _ in range(AT_ONCE + 1)] == [True] * AT_ONCE + [False]


@on_virtual_time
async def test_who_has_joined_waits_for_no_invitation() -> None:
    turns, came = FirstLetters(asyncio.get_running_loop().time), list[str]()
    while turns.take_at_once():
        pass

    async def write(name: str, *, invited: bool) -> None:
        await turns.take(invited=invited)
        came.append(name)

    guests = [asyncio.create_task(write("guest", invited=True)) for _ in range(3)]
    await asyncio.sleep(1)
    await write("player", invited=False)
    assert came == ["player"]
    guests[0].cancel()
    await asyncio.wait(guests)
    assert came == ["player", "guest", "guest"], "one that is called off holds up no other"
