"""The clock: deadlines, reminders, time that is up, and every way past somebody who is not there."""

from __future__ import annotations

from typing import Any

from bot.table import Status, Why
from tests.cogs.playing import member_of, on_turn, pass_time, past_the_exchange, seat_everyone, take_turn, the_table
from tests.simtable import Seen, SimTable

HOUR = 3_600
"""The time for a move in these games: their pace is brisk."""


def up_message(table: SimTable) -> Seen | None:
    """The message with the others' choices, if it stands."""
    return next((seen for seen in reversed(table.messages()) if "Wait longer" in seen.labels), None)


async def until_time_is_up(table: SimTable) -> tuple[Any, Any]:
    """A game in which somebody's time is up; returns the absent member and another one."""
    await past_the_exchange(table, pace="brisk")
    absent = await on_turn(table)
    await pass_time(table, HOUR + 60)
    return absent, next(member for member in table.members if member.id != absent.id)


async def test_the_board_shows_the_deadline_as_a_timestamp(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    opened = await the_table(table)
    clock = next(iter(opened.clocks.values()))
    assert f"<t:{clock.ends_at}:R>" in table.board().text


async def test_reminders_at_half_and_at_nine_tenths_replace_each_other(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    member = await on_turn(table)
    board = table.board()
    await pass_time(table, HOUR / 2 + 60)
    first = table.newest()
    assert first.id != board.id
    assert first.pinged == {member.id}
    assert (await the_table(table)).code in first.text
    await pass_time(table, HOUR * 0.4)
    second = table.newest()
    assert second.id != first.id
    assert second.pinged == {member.id}
    assert not table.exists(first)
    await take_turn(table, member, _rng())
    assert not table.exists(second)


async def test_reminders_go_where_the_player_wants_them(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    member = await on_turn(table)
    await table.slash(member, "dog notify", where="dm")
    before = len(table.messages())
    await pass_time(table, HOUR / 2 + 60)
    assert len(table.messages()) == before
    assert "still your turn" in table.mail(member)[-1].text
    await table.slash(member, "dog notify", where="silent")
    letters = len(table.mail(member))
    await pass_time(table, HOUR * 0.4)
    assert len(table.messages()) == before
    assert len(table.mail(member)) == letters


async def test_the_others_can_wait_longer(table: SimTable) -> None:
    absent, other = await until_time_is_up(table)
    asked = up_message(table)
    assert asked is not None
    answer = await table.click(absent, "Wait longer", on=asked)
    assert answer.private
    assert "the others decide" in answer.text
    answer = await table.click(other, "Wait longer", on=asked)
    assert "more time" in answer.text
    assert not table.exists(asked)
    assert absent.id in (await the_table(table)).waiting_for.values()


async def test_the_others_can_let_the_computer_play_this_turn(table: SimTable) -> None:
    absent, other = await until_time_is_up(table)
    number = (await the_table(table)).number
    asked = up_message(table)
    await table.click(other, "Computer plays this turn", on=asked)
    after = await the_table(table)
    assert after.number > number
    assert after.people[_seat(after, absent)].plays == absent.id
    assert asked is not None
    assert not table.exists(asked)


async def test_a_seat_is_handed_to_a_computer_and_reclaimed_after_a_restart(table: SimTable) -> None:
    absent, other = await until_time_is_up(table)
    await table.click(other, "Hand the seat to a computer", on=up_message(table))
    assert "A computer plays for" in table.board().text
    await table.restart()
    answer = await table.click(other, "Take my seat back", on=table.board())
    assert answer.private
    assert "already" in answer.text
    answer = await table.click(absent, "Take my seat back", on=table.board())
    assert "Welcome back" in answer.text
    opened = await the_table(table)
    assert opened.people[_seat(opened, absent)].plays == absent.id
    history = await table.slash(other, "dog history")
    assert "is back" in history.text


async def test_an_offered_seat_is_taken_over_by_another_member(table: SimTable) -> None:
    absent, other = await until_time_is_up(table)
    await table.click(other, "Offer the seat to others", on=up_message(table))
    opened = await the_table(table)
    seat = opened.open_seats[0]
    guest = table.guild.add_member(table.env.create_user("guest"))
    asked = await table.click(guest, f"Take over: {absent.name}", on=table.board())
    assert asked.private
    assert asked.shown is not None
    assert asked.shown.pictures == ()
    answer = await table.click(guest, "Yes, take over", on=asked.shown)
    assert answer.private
    assert "yours" in answer.text
    after = await the_table(table)
    assert after.people[seat].plays == guest.id
    history = await table.slash(other, "dog history")
    assert "takes over" in history.text


async def test_without_an_answer_the_computer_plays_this_turn(table: SimTable) -> None:
    await until_time_is_up(table)
    number = (await the_table(table)).number
    asked = up_message(table)
    assert asked is not None
    await pass_time(table, HOUR / 10)
    assert (await the_table(table)).number > number
    assert not table.exists(asked)


async def test_what_was_missed_while_the_bot_was_down_makes_one_message(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    before = len(table.messages())
    await table.bot.close()
    await pass_time(table, HOUR + 60)
    assert table.make_bot is not None
    await table.env.restart_bot(table.make_bot())
    assert len(table.messages()) <= before + 1
    assert up_message(table) is not None


async def test_a_member_who_left_the_server_gives_way_when_time_runs(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    absent = await on_turn(table)
    table.guild.remove_member(absent)
    await pass_time(table, HOUR / 2 - 1)
    assert absent.id in (await the_table(table)).waiting_for.values()
    await table.wait(1)
    opened = await the_table(table)
    assert absent.id not in opened.waiting_for.values()
    assert opened.people[_seat(opened, absent)].plays is None


async def test_a_member_who_left_gives_way_when_the_turn_comes_and_gets_it_back_on_return(table: SimTable) -> None:
    await past_the_exchange(table, pace="none")
    present = await on_turn(table)
    for absent in table.members:
        if absent.id != present.id:
            table.guild.remove_member(absent)
    await take_turn(table, present, _rng())
    opened = await the_table(table)
    assert set(opened.waiting_for.values()) == {present.id}
    gone = [seat for seat, who in opened.people.items() if who.why == Why.LEFT]
    assert gone
    absent = member_of(table, opened.people[gone[0]].user_id or 0)
    table.guild.add_member(absent.user)
    await table.click(absent, "Take my seat back", on=table.board())
    opened = await the_table(table)
    assert opened.people[gone[0]].plays == absent.id


async def test_who_is_nudged_but_has_left_gives_way_even_without_a_clock(table: SimTable) -> None:
    await past_the_exchange(table, pace="none")
    absent = await on_turn(table)
    other = next(member for member in table.members if member.id != absent.id)
    table.guild.remove_member(absent)
    await table.slash(other, "dog nudge")
    opened = await the_table(table)
    assert absent.id not in opened.waiting_for.values()
    assert all(absent.id not in seen.pinged for seen in table.messages()[-2:])


async def test_an_old_choice_about_a_turn_that_has_passed_changes_nothing(table: SimTable) -> None:
    absent, other = await until_time_is_up(table)
    asked = up_message(table)
    assert asked is not None
    labels = asked.labels
    table.fail("DELETE", f"/channels/{table.channel.id}/messages/{asked.id}", times=None)
    await take_turn(table, absent, _rng())
    assert table.exists(asked), "Discord did not let it go"
    before = await the_table(table)
    for label in labels:
        answer = await table.click(other, label, on=asked)
        assert answer.private
        assert "passed already" in answer.text
    assert await the_table(table) == before


async def test_a_game_against_computers_sleeps_when_its_only_player_is_away(table: SimTable) -> None:
    await seat_everyone(table, computers=3, pace="brisk")
    await pass_time(table, 3 * (HOUR + HOUR // 10) - 1)
    assert (await the_table(table)).status is Status.PLAYING
    await table.wait(1)
    asleep = await the_table(table)
    assert asleep.status is Status.PAUSED
    before = table.newest()
    await table.restart()
    await table.wait(HOUR)
    assert (await the_table(table)).number == asleep.number
    assert table.newest() == before
    await table.click(table.members[0], "Take my seat back", on=table.board())
    assert (await the_table(table)).status is Status.PLAYING


def _seat(opened: Any, member: Any) -> int:
    seat = opened.seat_of(member.id)
    assert isinstance(seat, int)
    return seat


def _rng() -> Any:
    import random

    return random.Random(9)
