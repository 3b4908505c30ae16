"""The clock of a turn: who is reminded or nudged when, and that neither a restart nor a pause affects it."""

import discord

from bot.errors import AlreadyNudged
from tests.cogs.playing import on_turn, past_the_exchange, seat_everyone, the_table
from tests.cogs.timing import BRISK, DAY, down, duel, marked, now, play, plays, since, solo
from tests.simtable import SimTable


async def test_reminder_comes_once_and_on_time_over_restarts(table: SimTable) -> None:
    ann = await solo(table)
    board = table.board()
    await table.wait(1_000)
    await table.restart()
    await table.wait(2_239)
    assert since(table, board) == []
    await table.wait(1)
    (ninety,) = since(table, board)
    assert ninety.pinged == {ann.id}
    await table.restart()
    await table.wait(300)
    assert since(table, board) == [ninety]


async def test_downtime_counts_for_no_one(table: SimTable) -> None:
    asked, _ = await duel(table)
    opened = await the_table(table)
    (seat,) = opened.waiting_for
    await table.wait(600)
    newest = table.newest()
    await down(table, 3 * 3_600)
    clock = (await the_table(table)).clocks[seat]
    assert clock.ends_at == now(table) + BRISK - 600
    assert since(table, newest) == [], "the board is edited, and pings no one"
    assert "I was offline for 3 hours. All clocks were stopped." in table.board().text
    await table.wait(BRISK * 0.9 - 600 + 1)
    assert [seen.pinged for seen in since(table, newest)] == [{asked.id}], "the reminder"
    await table.restart()
    assert "I was offline" not in table.newest().text


async def test_a_late_call_begins_the_whole_time(table: SimTable) -> None:
    table.provoked = True
    asked, other = await duel(table)
    table.refuse("POST")
    await play(table, asked)
    await table.wait(BRISK * 0.7)
    table.heal()
    await table.wait(300)
    opened = await the_table(table)
    (clock,) = opened.clocks.values()
    assert clock.user_id == other.id
    assert now(table) + BRISK - 300 <= clock.ends_at <= now(table) + BRISK
    board = table.board()
    await table.wait(BRISK * 0.9 - 310)
    assert since(table, board) == [], "no reminder before nine tenths of it are over"


async def test_an_outage_counts_for_no_one(table: SimTable) -> None:
    table.provoked = True
    ann, ben, *_ = table.members
    await seat_everyone(table, pace="brisk")
    board = table.board()
    table.refuse("POST", "PATCH", "DELETE")
    await table.slash(ann, "dog table pause")
    await table.wait(1.2 * BRISK)
    opened = await the_table(table)
    assert not any(clock.overdue for clock in opened.clocks.values())
    table.heal()
    await table.wait(300)
    ends = {clock.ends_at for clock in (await the_table(table)).clocks.values()}
    assert all(end is not None and end > now(table) + BRISK / 2 for end in ends), board.text
    assert ben.id in (await the_table(table)).waiting_for.values()


async def test_player_without_access_to_the_channel_is_told(table: SimTable) -> None:
    asked, other = await duel(table)
    await table.wait(1_000)
    table.overwrite(table.channel, {other: discord.PermissionOverwrite(view_channel=False)})
    await table.env.settle()
    await play(table, asked)
    letter = table.letters(other)[-1]
    assert "you can't see its channel" in letter.text
    assert (await table.click(other, "My hand", on=letter)).shown.pictures


async def test_unreachable_player_gets_a_day(table: SimTable) -> None:
    asked, other = await duel(table)
    await table.wait(1_000)
    table.close_dms(other)
    table.overwrite(table.channel, {other: discord.PermissionOverwrite(view_channel=False)})
    await table.env.settle()
    await play(table, asked)
    opened = await the_table(table)
    assert opened.clocks[opened.seat_of(other.id)].ends_at == now(table) + BRISK + DAY
    assert "can't see this channel" in table.board().text


async def test_reminders_and_nudges_go_where_players_want_them(table: SimTable) -> None:
    ann, ben = await duel(table)
    await table.slash(ann, "dog me notify", where="dm")
    board = table.board()
    await table.wait(BRISK * 0.9)
    assert since(table, board) == []
    (letter,) = table.letters(ann)
    assert "still your turn" in letter.text
    await table.slash(ben, "dog table nudge")
    (_, nudge) = table.letters(ann)
    assert "waiting for your move" in nudge.text
    assert (await table.slash(ben, "dog table nudge")).is_refused(AlreadyNudged)
    await table.slash(ann, "dog me notify", where="silent")
    await table.wait(BRISK * 0.05)
    assert all(seen.pinged == frozenset() for seen in since(table, board))
    assert table.letters(ann) == [letter, nudge]


async def test_exchange_reminder_drops_mentions_of_those_who_gave(table: SimTable) -> None:
    await seat_everyone(table, pace="brisk")
    ann, *others = table.members
    await table.wait(BRISK * 0.9)
    reminder = table.newest()
    assert reminder.pinged == {member.id for member in table.members}
    await play(table, ann)
    after = table.read(reminder).text
    assert f"<@{ann.id}>" not in after
    assert await marked(table, ann) in after
    assert all(f"<@{member.id}>" in after for member in others)


async def test_departed_player_gives_way_and_others_are_reminded(table: SimTable) -> None:
    await seat_everyone(table, pace="brisk")
    ann, ben, cleo, dan = table.members
    newest = table.newest()
    table.guild.remove_member(ben)
    await table.wait(BRISK * 0.9)
    assert [seen.pinged for seen in since(table, newest)] == [{ann.id, cleo.id, dan.id}]
    assert await plays(table, ben) is None


async def test_nudged_departed_player_gives_way_without_a_clock(table: SimTable) -> None:
    await past_the_exchange(table, pace="none")
    absent = await on_turn(table)
    other = next(member for member in table.members if member.id != absent.id)
    table.guild.remove_member(absent)
    await table.slash(other, "dog table nudge")
    assert absent.id not in (await the_table(table)).waiting_for.values()
    assert all(absent.id not in seen.pinged for seen in table.messages()[-2:])
