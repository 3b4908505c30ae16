"""Acknowledging: whatever takes long is announced first, and the answer takes the place of the announcement."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from simcord.backend.models.interaction import ResponseKind

from bot.errors import Crowded
from bot.rates import MANY, MOST, Rates
from cogs.acknowledging import PATIENCE
from tests.cogs.playing import on_turn, seat_everyone
from tests.simtable import SimTable

SLOW = 2.0


@pytest.fixture
def slow_pictures(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture takes its time."""
    run = table.bot.pools._run

    async def slow(crew: Any, work: Callable[..., Any], *args: Any) -> Any:
        await asyncio.sleep(SLOW)
        return await run(crew, work, *args)

    monkeypatch.setattr(table.bot.pools, "_run", slow)


async def opened(table: SimTable) -> tuple[Any, Any]:
    """Who is on turn, and their hand."""
    await seat_everyone(table)
    member = await on_turn(table)
    answer = await table.click(member, "My hand", on=table.board())
    assert answer.shown is not None
    return member, table.read(answer.shown)


async def test_a_command_whose_picture_takes_long_is_announced_first(table: SimTable, slow_pictures: None) -> None:
    await seat_everyone(table)
    await table.wait(10)
    member = table.members[0]
    asked = table.send_slash(member, "dog hand")
    await table.env.settle()
    assert not asked.acknowledged
    await table.wait(PATIENCE)
    assert asked.acknowledged
    assert asked._interaction.response_kind is ResponseKind.DEFERRED
    await table.wait(SLOW)
    answer = table._answer(asked, "dog hand")
    assert answer.shown is not None
    assert answer.private
    assert answer.shown.files
    assert not answer.more, "the answer takes the place of its announcement"


async def test_a_press_whose_answer_takes_long_changes_the_message_that_was_pressed(
    table: SimTable, request: pytest.FixtureRequest
) -> None:
    member, hand = await opened(table)
    request.getfixturevalue("slow_pictures")
    step = next(one for one in hand.custom_ids if ":go:" in one)
    pressed = table._send_press(member, step, hand, ())
    await table.wait(PATIENCE)
    assert pressed._interaction.response_kind is ResponseKind.DEFERRED_UPDATE
    assert table.read(hand).custom_ids == hand.custom_ids
    await table.wait(SLOW)
    after = table.read(hand)
    assert after.custom_ids != hand.custom_ids
    assert len(after.files) == 1
    assert not pressed._interaction.followup_ids


async def test_a_locked_table_keeps_nobody_from_hearing_that_their_press_has_come(table: SimTable) -> None:
    await table.slash(table.members[0], "dog new")
    board, ben = table.board(), table.members[1]
    (opened,) = await table.bot.tables.in_channel(table.channel.id)
    press = next(one for one in board.custom_ids if ":join:" in one)
    async with table.bot.tables._transactions._locks.of(opened.id):
        pressed = table._send_press(ben, press, board, ())
        await table.wait(PATIENCE)
        assert pressed.acknowledged
    await table.env.settle()
    assert ben.id in (await table.bot.tables.get(opened.id)).persons
    assert pressed._interaction.message_id not in table.env.backend.messages[table.channel.id], (
        "nothing follows, so what was announced is taken away"
    )


async def test_while_many_ask_the_first_wish_of_a_person_is_worked_on_and_further_ones_are_not() -> None:
    rates = Rates()
    held = [rates.working(user) for user in range(MANY)]
    for one in held:
        one.__enter__()
    with pytest.raises(Crowded), rates.working(0):
        pass
    more = [rates.working(user) for user in range(MANY, MOST)]
    for one in more:
        one.__enter__()
    with pytest.raises(Crowded), rates.working(MOST):
        pass
    for one in (*held, *more):
        one.__exit__(None, None, None)
    with rates.working(0), rates.working(0):
        pass
