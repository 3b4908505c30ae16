"""Moderators pause, resume and end games; players do not."""

from __future__ import annotations

from typing import Any

import pytest

from bot.table import Status
from tests.cogs.playing import come_back, seat_everyone, the_table
from tests.cogs.timing import BRISK, DAY, duel, history, is_time_up, log, now, play, since, solo
from tests.simtable import SimTable

pytestmark = pytest.mark.usefixtures("deep_sleep")


async def test_a_paused_game_goes_on_with_the_time_that_was_left(table: SimTable, moderator: Any) -> None:
    ann = await solo(table)
    board = table.board()
    await table.wait(1_000)
    await table.slash(moderator, "dog-admin pause")
    assert "<t:" not in table.read(board).text
    await table.wait(DAY)
    await table.restart(crash=True)
    await table.wait(DAY)
    assert since(table, board) == []
    await table.slash(moderator, "dog-admin resume")
    assert f"Time runs out <t:{now(table) + BRISK - 1_000}:R>" in table.board().text
    await table.wait(BRISK / 2 - 1_000 - 1)
    assert since(table, board) == []
    await table.wait(1)
    assert [seen.pinged for seen in since(table, board)] == [{ann.id}]


async def test_the_board_and_the_history_say_why_a_game_is_paused(table: SimTable, moderator: Any) -> None:
    ann = await solo(table)
    await table.slash(moderator, "dog-admin pause", reason="dinner")
    assert "paused" in table.board().text
    assert f"<@{moderator.id}> pauses the game: “dinner”" in await history(table, ann)


async def test_a_time_that_is_up_stands_still_too_and_asks_again_afterwards(table: SimTable, moderator: Any) -> None:
    await solo(table)
    await table.wait(BRISK)
    up = table.newest()
    assert is_time_up(up)
    number = (await the_table(table)).number
    await table.wait(60)
    await table.slash(moderator, "dog-admin pause")
    assert not table.exists(up)
    await table.wait(DAY)
    assert (await the_table(table)).number == number
    await table.slash(moderator, "dog-admin resume")
    assert is_time_up(table.newest())
    assert f"<t:{now(table) + BRISK // 10 - 60}:R>" in table.newest().text
    await table.wait(BRISK / 10 - 60 - 1)
    assert (await the_table(table)).number == number
    await table.wait(1)
    assert (await the_table(table)).number > number


async def test_nobody_plays_nudges_or_takes_back_while_the_game_is_paused(table: SimTable, moderator: Any) -> None:
    ann, ben = await duel(table)
    await play(table, ann)
    before = (await the_table(table)).number
    await table.slash(moderator, "dog-admin pause")
    for member, command in ((ben, "dog nudge"), (ann, "dog nudge"), (ann, "dog takeback")):
        answer = await table.slash(member, command)
        assert answer.private
        assert "paused" in answer.text
    assert (await the_table(table)).number == before


async def test_pausing_twice_and_resuming_what_runs_changes_nothing(table: SimTable, moderator: Any) -> None:
    await solo(table)
    assert "already started" in (await table.slash(moderator, "dog-admin resume")).text
    await table.slash(moderator, "dog-admin pause")
    assert "is paused" in (await table.slash(moderator, "dog-admin pause")).text
    assert len(await log(table, moderator)) == 1


async def test_a_moderator_ends_a_game_without_a_seat_and_a_player_does_not(table: SimTable, moderator: Any) -> None:
    await seat_everyone(table, rules="royal-basic", players=2)
    opened = await the_table(table)
    ben = table.members[1]
    for member in (ben, moderator):
        asked = await table.slash(member, "dog cancel", game=opened.code)
        if member is moderator:
            await table.click(member, f"Yes, cancel {opened.code}", on=asked.shown)
        else:
            assert "Only the host" in asked.text
        ended = (await table.bot.tables.get(opened.id)).status is Status.CANCELLED
        assert ended is (member is moderator)
    assert table.board().labels == ["History"]
    assert f"<@{moderator.id}> cancels the game." in await history(table, ben, opened.code)
    assert [f"<@{moderator.id}> cancelled **{opened.code}**" in line for line in await log(table, moderator)] == [True]


async def test_a_game_that_sleeps_cannot_be_resumed(table: SimTable, moderator: Any) -> None:
    ann = await solo(table)
    await table.slash(ann, "dog me away", until="2026-01-03", meanwhile="computer")
    before = await the_table(table)
    answer = await table.slash(moderator, "dog-admin resume")
    assert answer.private
    assert "Nobody is playing right now." in answer.text
    assert await the_table(table) == before
    assert await log(table, moderator) == ["Moderators have done nothing here yet."]
    assert "resumes the game" not in await history(table, ann)


async def test_a_pause_that_ends_while_nobody_plays_leaves_the_game_asleep(table: SimTable, moderator: Any) -> None:
    ann = await solo(table)
    await table.slash(moderator, "dog-admin pause")
    await table.slash(ann, "dog me away", until="2026-01-03", meanwhile="computer")
    answer = await table.slash(moderator, "dog-admin resume")
    assert "as soon as somebody takes a seat back or over" in answer.text
    assert (await the_table(table)).status is Status.PAUSED
    await come_back(table, ann)
    assert (await the_table(table)).status is Status.PLAYING
