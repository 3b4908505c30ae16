"""The clock of a turn: who is reminded or nudged when, and that neither a restart nor a pause affects it."""

from tests.cogs.playing import on_turn, past_the_exchange, seat_everyone, the_table
from tests.cogs.timing import BRISK, DAY, down, duel, is_time_up, marked, play, plays, since, solo
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


async def test_after_a_long_time_off_every_table_gets_one_message(table: SimTable) -> None:
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
    assert all(is_time_up(seen) and seen.pinged == {ann.id} for seen in posted)


async def test_reminders_and_nudges_go_where_the_player_wants_them(table: SimTable) -> None:
    ann, ben = await duel(table)
    await table.slash(ann, "dog me notify", where="dm")
    board = table.board()
    await table.wait(BRISK / 2)
    assert since(table, board) == []
    (letter,) = table.letters(ann)
    assert "still your turn" in letter.text
    await table.slash(ben, "dog table nudge")
    (_, nudge) = table.letters(ann)
    assert "waiting for your move" in nudge.text
    assert "already" in (await table.slash(ben, "dog table nudge")).text
    await table.slash(ann, "dog me notify", where="silent")
    await table.wait(BRISK * 0.4)
    assert all(seen.pinged == frozenset() for seen in since(table, board))
    assert table.letters(ann) == [letter, nudge]


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


async def test_who_has_left_the_server_gives_way_and_keeps_no_reminder_from_the_others(table: SimTable) -> None:
    await seat_everyone(table, pace="brisk")
    ann, ben, cleo, dan = table.members
    newest = table.newest()
    table.guild.remove_member(ben)
    await table.wait(BRISK / 2)
    assert [seen.pinged for seen in since(table, newest)] == [{ann.id, cleo.id, dan.id}]
    assert await plays(table, ben) is None


async def test_who_is_nudged_but_has_left_gives_way_even_without_a_clock(table: SimTable) -> None:
    await past_the_exchange(table, pace="none")
    absent = await on_turn(table)
    other = next(member for member in table.members if member.id != absent.id)
    table.guild.remove_member(absent)
    await table.slash(other, "dog table nudge")
    assert absent.id not in (await the_table(table)).waiting_for.values()
    assert all(absent.id not in seen.pinged for seen in table.messages()[-2:])
