"""The clock of a turn: how long it is, who is reminded when, and that neither a restart nor a pause affects it."""

from tests.cogs.playing import seat_everyone, the_table
from tests.cogs.timing import (
    BRISK,
    DAY,
    down,
    duel,
    is_time_up,
    marked,
    play,
    since,
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
