"""Computer players take one to three seconds in live games, as people do, and no time at all in slow ones."""

import random

import pytest

from bot.tables import computers
from engine import Phase
from tests.cogs.playing import seat_everyone, take_turn, the_table
from tests.simtable import SimTable


@pytest.fixture(autouse=True)
def _slower(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a minute instead of a second, so that SimCord does not wait for it in real time."""
    monkeypatch.setattr(computers, "QUICKEST", 30.0)
    monkeypatch.setattr(computers, "SPREAD", 30.0)


async def test_board_moves_along_and_calls_on_a_turn(table: SimTable) -> None:
    ann = table.members[0]
    await seat_everyone(table, computers=3, pace="live")
    while (opened := await the_table(table)).waiting_for or opened.game.phase is not Phase.TURN:
        await (take_turn(table, ann, random.Random(3)) if opened.waiting_for else table.wait(30))
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
