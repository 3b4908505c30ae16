"""Computer players take one to three seconds in live games, as people do, and no time at all in slow ones."""

import random
from typing import Any

import pytest

from bot.table import Table
from bot.tables import computers
from tests.cogs.playing import seat_everyone, take_turn, the_table
from tests.simtable import SimTable


@pytest.fixture(autouse=True)
def _slower(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a minute instead of a second, so that SimCord does not wait for it in real time."""
    monkeypatch.setattr(computers, "QUICKEST", 30.0)
    monkeypatch.setattr(computers, "SPREAD", 30.0)


async def begin(table: SimTable, **options: Any) -> Table:
    """Ann alone with three computer players, at the beginning of the first exchange."""
    await seat_everyone(table, computers=3, **options)
    return await the_table(table)


async def on_the_move(table: SimTable) -> Any:
    """Ann gives her card, and plays until a computer player is on turn."""
    ann = table.members[0]
    rng = random.Random(3)
    for _ in range(20):
        opened = await the_table(table)
        if ann.id in opened.waiting_for.values():
            await take_turn(table, ann, rng)
        elif opened.game is not None and opened.game.phase.value == "turn":
            return opened
        else:
            await table.wait(30)
    raise AssertionError("no computer comes on turn")


async def test_the_board_goes_along_and_calls_when_a_person_is_on_turn(table: SimTable) -> None:
    ann = table.members[0]
    await begin(table, pace="live")
    await on_the_move(table)
    standing = table.board()
    boards = len([seen for seen in table.messages() if seen.pictures])
    number = (await the_table(table)).number
    while not (await the_table(table)).waiting_for:
        assert ann.id not in table.board().pinged
        assert table.board().id == standing.id
        await table.wait(10)
    assert (await the_table(table)).number > number
    last = table.board()
    assert last.id != standing.id
    assert ann.id in last.pinged
    assert len([seen for seen in table.messages() if seen.pictures]) <= boards + 1
