"""The clock of a turn: how long it is, who is reminded when, and that neither a restart nor a pause affects it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import discord
import pytest

from tests.cogs.playing import seat_everyone, the_table
from tests.cogs.timing import (
    BRISK,
    DAY,
    down,
    duel,
    history,
    is_time_up,
    line_until,
    marked,
    now,
    play,
    since,
    six,
    solo,
)
from tests.simtable import SimTable


async def test_a_reminder_comes_once_and_on_time_over_restarts(table: SimTable) -> None:
    ann = await solo(table)
    board = table.board()
    await table.wait(1_000)
    await table.restart(crash=True)
    await table.wait(799)
    assert since(table, board) == []
    await table.wait(1)
    (half,) = since(table, board)
    assert half.pinged == {ann.id}
    await table.restart(crash=True)
    await table.wait(1_439)
    assert since(table, board) == [half]
    await table.wait(1)
    (ninety,) = since(table, board)
    assert ninety.id != half.id
    assert ninety.pinged == {ann.id}


async def test_time_is_up_and_the_computer_plays_on_the_second_over_restarts(table: SimTable) -> None:
    await solo(table)
    board = table.board()
    number = (await the_table(table)).number
    await table.wait(BRISK - 100)
    await table.restart(crash=True)
    await table.wait(99)
    assert not any(is_time_up(seen) for seen in since(table, board))
    await table.wait(1)
    (up,) = since(table, board)
    assert is_time_up(up)
    assert up.pinged == frozenset()
    await table.restart(crash=True)
    await table.wait(BRISK / 10 - 1)
    assert (await the_table(table)).number == number
    assert since(table, board) == [up]
    await table.wait(1)
    assert (await the_table(table)).number > number
    assert not table.exists(up)


async def test_after_a_long_time_off_every_table_gets_one_message_and_nobody_a_ping(table: SimTable) -> None:
    ann = await solo(table)
    first = await the_table(table)
    await solo(table)
    await table.slash(ann, "dog new", pace="brisk")
    newest = table.newest()
    await down(table, 3 * DAY)
    posted = since(table, newest)
    assert len(await table.bot.tables.places.in_guild(table.guild.id)) == 2
    assert len(posted) == 2
    assert sorted([first.code in seen.text for seen in posted]) == [False, True]
    assert all(is_time_up(seen) and seen.pinged == frozenset() for seen in posted)


async def test_a_turn_that_should_have_been_played_while_the_bot_was_off_is_played_once(table: SimTable) -> None:
    absent, other = await duel(table)
    await table.wait(BRISK)
    up = table.newest()
    assert is_time_up(up)
    await down(table, DAY)
    (board,) = since(table, up)
    assert board.pinged == {other.id}
    assert set((await the_table(table)).waiting_for.values()) == {other.id}
    assert (await history(table, absent)).count("A computer plays this turn") == 1


async def test_a_clock_put_back_while_the_bot_was_off_costs_nobody_their_time(
    table: SimTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await solo(table)
    board = table.board()
    jump(monkeypatch, hours=-5)
    await down(table, 100)
    await table.wait(BRISK / 2 - 1)
    assert since(table, board) == []
    await table.wait(1)
    (half,) = since(table, board)
    assert half.pinged == {ann.id}


async def test_reminders_go_where_the_player_wants_them(table: SimTable) -> None:
    ann, _ = await duel(table)
    await table.slash(ann, "dog me notify", where="dm")
    board = table.board()
    await table.wait(BRISK / 2)
    assert since(table, board) == []
    (letter,) = table.mail(ann)
    assert "still your turn" in letter.text
    await table.slash(ann, "dog me notify", where="silent")
    await table.wait(BRISK * 0.4)
    assert since(table, board) == []
    assert table.mail(ann) == [letter]


def jump(monkeypatch: pytest.MonkeyPatch, *, hours: int) -> None:
    """Change the time of day, as setting the machine's clock does."""
    before: Any = discord.utils.utcnow
    monkeypatch.setattr(discord.utils, "utcnow", lambda: before() + timedelta(hours=hours))


async def test_a_reminder_in_the_exchange_loses_the_mention_of_who_has_given(table: SimTable) -> None:
    await seat_everyone(table, pace="brisk")
    ann, *others = table.members
    await table.wait(BRISK / 2)
    reminder = table.newest()
    assert reminder.pinged == {member.id for member in table.members}
    await play(table, ann)
    after = table.read(reminder).text
    assert f"<@{ann.id}>" not in after
    assert await marked(table, ann) in after
    assert all(f"<@{member.id}>" in after for member in others)


async def test_who_has_left_the_server_does_not_keep_the_reminder_from_the_others(table: SimTable) -> None:
    await seat_everyone(table, pace="brisk")
    ann, ben, cleo, dan = table.members
    newest = table.newest()
    table.guild.remove_member(ben)
    await table.wait(BRISK / 2)
    assert [seen.pinged for seen in since(table, newest)] == [{ann.id, cleo.id, dan.id}]


async def test_six_players_have_a_clock_each_and_hear_of_all_in_one_message(table: SimTable) -> None:
    ann, *others = await six(table)
    ends = now(table) + BRISK
    await table.wait(1_000)
    await play(table, ann)
    await table.slash(ann, "dog takeback")
    board = table.board()
    mine, theirs = line_until(board, ends + 1_000), line_until(board, ends)
    assert [await marked(table, one) in mine for one in table.members] == [True] + 5 * [False]
    assert [await marked(table, one) in theirs for one in table.members] == [False] + 5 * [True]
    await table.wait(BRISK / 2 - 1_000 - 1)
    assert since(table, board) == []
    await table.wait(1)
    (half,) = since(table, board)
    assert half.pinged == {member.id for member in others}
    await table.wait(1_000)
    last = table.newest()
    assert last.pinged == {ann.id}
    assert since(table, board) == [half, last]
    await table.wait(BRISK / 2 - 1_000)
    (up,) = [seen for seen in since(table, board) if is_time_up(seen)]
    assert [await marked(table, member) in up.text for member in (ann, *others)] == [False] + 5 * [True]
