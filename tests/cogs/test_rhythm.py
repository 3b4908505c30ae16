"""Computer players take one to three seconds in live games, as people do, and no time at all in slow ones."""

import random
from typing import Any

import pytest

from bot.table import Table
from bot.tables import computers
from bot.tables.computers import soonest
from engine.secret import whole
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


async def pauses(table: SimTable) -> list[float]:
    """Seconds between the next few actions of computer players, accurate to five seconds."""
    found, waited = [], 0.0
    number = (await the_table(table)).number
    for _ in range(100):
        opened = await the_table(table)
        if opened.number != number:
            found.append(waited)
            number, waited = opened.number, 0.0
        if opened.waiting_for or len(found) == 3:
            return found
        await table.wait(5)
        waited += 5
    raise AssertionError("the computers never come to an end")


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


async def test_a_restart_changes_neither_the_moment_nor_the_move(table: SimTable) -> None:
    await begin(table, pace="live")
    opened = await on_the_move(table)
    following = soonest(opened, await table.bot.tables.log(opened.id))
    meant = following[0].move()
    await table.restart()
    assert soonest(await the_table(table), await table.bot.tables.log(opened.id))[1] == following[1]
    await table.wait(61.0)
    after = await the_table(table)
    assert after.number > opened.number
    assert whole(after.game).log[opened.number] == (meant.seat, str(meant.action))


async def test_whoever_clicks_meanwhile_is_served_at_once(table: SimTable) -> None:
    ann = table.members[0]
    opened = await begin(table, pace="live")
    # The computers still hold their cards: everybody is asked for one.
    assert len(opened.to_act) == 4
    await take_turn(table, ann, random.Random(1))
    given = await the_table(table)
    assert given.number == 1
    assert ann.id not in given.waiting_for.values()
    await pauses(table)
    after = await the_table(table)
    assert [seat for seat, _ in whole(after.game).log[:4]].count(after.seat_of(ann.id)) == 1
