"""Moderators pause, resume and end games; players do not."""

from typing import Any

import pytest

from tests.cogs.playing import the_table
from tests.cogs.timing import BRISK, DAY, duel, history, log, now, play, since, solo
from tests.simtable import SimTable

pytestmark = pytest.mark.usefixtures("deep_sleep")


async def test_a_paused_game_goes_on_with_the_time_that_was_left(table: SimTable, moderator: Any) -> None:
    ann = await solo(table)
    board = table.board()
    await table.wait(1_000)
    await table.slash(moderator, "dog-admin pause", reason="dinner")
    assert "paused" in table.board().text
    assert f"<@{moderator.id}> pauses the game: “dinner”" in await history(table, ann)
    assert "<t:" not in table.read(board).text
    await table.wait(DAY)
    await table.restart(crash=True)
    await table.wait(DAY)
    assert since(table, board) == []
    await table.slash(moderator, "dog-admin resume")
    assert f"Time runs out <t:{now(table) + BRISK - 1_000}:R>" in table.board().text


async def test_nobody_plays_nudges_or_takes_back_while_the_game_is_paused(table: SimTable, moderator: Any) -> None:
    ann, ben = await duel(table)
    await play(table, ann)
    before = (await the_table(table)).number
    await table.slash(moderator, "dog-admin pause")
    for member, command in ((ben, "dog nudge"), (ann, "dog nudge"), (ann, "dog takeback")):
        answer = await table.slash(member, command)
        assert "paused" in answer.text
    assert (await the_table(table)).number == before


async def test_pausing_twice_and_resuming_what_runs_changes_nothing(table: SimTable, moderator: Any) -> None:
    await solo(table)
    assert "already started" in (await table.slash(moderator, "dog-admin resume")).text
    await table.slash(moderator, "dog-admin pause")
    assert "is paused" in (await table.slash(moderator, "dog-admin pause")).text
    assert len(await log(table, moderator)) == 1


async def test_a_game_that_sleeps_cannot_be_resumed(table: SimTable, moderator: Any) -> None:
    ann = await solo(table)
    await table.slash(ann, "dog me away", until="2026-01-03", meanwhile="computer")
    before = await the_table(table)
    answer = await table.slash(moderator, "dog-admin resume")
    assert "Nobody is playing right now." in answer.text
    assert await the_table(table) == before
    assert await log(table, moderator) == ["Moderators have done nothing here yet."]
    assert "resumes the game" not in await history(table, ann)
