"""When time is up: what the others choose, what happens when nobody does, and that the history reports all of it."""

from dataclasses import replace
from typing import Any

from bot.errors import Problem
from bot.texts.names import MARKS
from tests.cogs.playing import member_of, on_turn, pass_time, past_the_exchange, question, seat_everyone, the_table
from tests.cogs.timing import (
    BRISK,
    DAY,
    duel,
    history,
    is_time_up,
    marked,
    missed,
    now,
    play,
    plays,
    since,
    six,
    solo,
    until_asked,
)
from tests.simtable import Seen, SimTable

TENTH = BRISK // 10


def choices(*members: Any) -> list[str]:
    """The buttons about these members whose time is up."""
    return [label for one in members for label in (f"Wait for {one.name}", f"Let a computer play for {one.name}")]


async def waited(table: SimTable, member: Any) -> int:
    """The number of times that the others have given this member more time in this turn."""
    opened = await the_table(table)
    return opened.clocks[opened.seat_of(member.id)].waited


async def overdue(table: SimTable) -> tuple[Any, Any, Seen]:
    """A game of two in which the time of one is just up: the absent member, the other one, and the message."""
    absent, other = await duel(table)
    await table.wait(BRISK)
    up = table.newest()
    assert is_time_up(up)
    return absent, other, up


async def test_time_up_names_who_what_and_when(table: SimTable) -> None:
    absent, _, up = await overdue(table)
    seat = (await the_table(table)).seat_of(absent.id)
    assert up.labels == choices(absent)
    assert up.pinged == {absent.id}
    assert f"⌛ **{(await the_table(table)).code}**: {MARKS[seat]} <@{absent.id}>'s time is up." in up.text
    assert up.text.count("<@") == 1
    assert f"If they haven't played by <t:{now(table) + TENTH}:t>, a computer plays this turn." in up.text
    assert "⌛" not in table.board().text, "it is said once"


async def test_refused_notice_leaves_all_the_time_to_choose(table: SimTable) -> None:
    absent, other = await duel(table)
    number = (await the_table(table)).number
    table.refuse("POST")
    await table.wait(BRISK)
    await table.wait(BRISK)
    assert (await the_table(table)).number == number, "the others could not know"
    table.heal()
    await table.wait(150)
    up = table.newest()
    assert is_time_up(up)
    await table.wait(TENTH - 300)
    await table.click(other, f"Wait for {absent.name}", on=up)
    assert await waited(table, absent) == 1


async def test_time_up_calls_the_partner_too(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    opened = await the_table(table)
    (seat,) = opened.waiting_for
    (partner,) = opened.board.partners(seat)
    await table.slash(member_of(table, opened.occupants[partner].user_id), "dog me notify", where="dm")
    await table.wait(BRISK)
    assert table.newest().pinged == {opened.waiting_for[seat]}
    (letter,) = table.letters(member_of(table, opened.occupants[partner].user_id))
    assert "your partner's time is up" in letter.text


async def test_the_others_wait_once_on_discord(table: SimTable) -> None:
    absent, other, up = await overdue(table)
    await table.click(other, f"Wait for {absent.name}", on=up)
    assert await waited(table, absent) == 1
    assert not table.exists(up)
    assert f"⏳ <t:{now(table) + BRISK}:R>" in table.board().text
    assert f"{await marked(table, other)} gives {await marked(table, absent)} more time." in table.board().text
    number = (await the_table(table)).number
    newest = table.newest()
    await table.wait(BRISK)
    assert (await the_table(table)).number > number
    assert not any(absent.id in seen.pinged for seen in since(table, newest) if not seen.pictures), "no reminder"


async def test_waiting_even_longer_is_asked(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    absent = await on_turn(table)
    await table.wait(BRISK)
    first, second, third = (one for one in table.members if one.id != absent.id)
    await table.click(first, f"Wait for {absent.name}", on=table.newest())
    assert not any("Wait longer" in label for seen in table.messages() for label in seen.labels)
    await table.wait(0.9 * BRISK)
    longer = table.newest()
    assert (longer.pinged, longer.labels) == (frozenset(), [f"Wait longer for {absent.name} (all must agree)"])
    assert f"extra time is running out. If they haven't played by <t:{now(table) + TENTH}:t>" in longer.text
    answer = await table.click(second, longer.labels[0], on=longer)
    assert "have been asked" not in answer.text, "the question says it"
    asked = question(table)
    assert asked.pinged == {first.id, third.id}
    assert f"to wait longer for {await marked(table, absent)}" in asked.text
    assert not table.exists(longer), "one message for one decision"
    for member in (first, third):
        await table.click(member, "Agree", on=asked)
    assert await waited(table, absent) == 2


async def test_departed_player_has_no_time_up_notice(table: SimTable) -> None:
    await seat_everyone(table, pace="brisk")
    ann, ben, cleo, dan = table.members
    await table.wait(BRISK - 1)
    newest = table.newest()
    table.guild.remove_member(ben)
    await table.wait(1)
    assert await plays(table, ben) is None
    (up,) = (seen for seen in since(table, newest) if is_time_up(seen))
    assert up.text.count("time is up") == 3
    for member in (ann, cleo, dan):
        assert f"<@{member.id}>'s time is up" in up.text


async def test_choice_about_a_passed_turn_changes_nothing(table: SimTable) -> None:
    absent, other, up = await overdue(table)
    table.fail("DELETE", f"/channels/{table.channel.id}/messages/{up.id}", times=None)
    await play(table, absent)
    assert table.exists(up)
    await until_asked(table, absent)
    await table.wait(BRISK)
    before = await the_table(table)
    for label in choices(absent):
        await table.click(other, label, on=up)
    assert await the_table(table) == before
    assert [is_time_up(seen) for seen in since(table, table.board())] == [True]


async def test_seat_lost_for_absence_is_reclaimed_after_crash(table: SimTable) -> None:
    absent, other = await missed(table, pace="brisk")
    assert await plays(table, absent) is None
    await table.restart(crash=True)
    assert (await table.click(absent, "Take my seat back", on=table.board())).shown.pictures
    assert await plays(table, absent) == absent.id
    assert "Take my seat back" not in table.board().labels
    assert "is back" in await history(table, other)


async def test_seat_lost_for_absence_is_told_by_letter(table: SimTable) -> None:
    absent, _ = await missed(table, notify="both")
    assert await plays(table, absent) is None
    assert "Take my seat back" in table.letters(absent)[-1].labels


async def test_alone_among_computers_there_is_nothing_to_choose(table: SimTable) -> None:
    ann = await solo(table)
    await table.wait(BRISK)
    up = table.newest()
    assert is_time_up(up)
    assert (up.buttons, up.menus) == ((), ())
    assert f"<@{ann.id}>'s time is up. If they haven't played by <t:{now(table) + TENTH}:t>" in up.text


async def test_five_timed_out_seats_have_a_row_each(table: SimTable) -> None:
    ann, *absent = await six(table)
    await play(table, ann)
    await table.wait(BRISK)
    up = table.newest()
    assert is_time_up(up)
    assert up.labels == choices(*absent)
    for member in absent:
        up = next(seen for seen in table.messages() if f"Wait for {member.name}" in seen.labels)
        await table.click(ann, f"Wait for {member.name}", on=up)
        assert await waited(table, member) == 1


async def test_six_timed_out_seats_share_two_menus(table: SimTable) -> None:
    ann, ben, *others = await six(table)
    await table.wait(BRISK)
    up = table.newest()
    assert is_time_up(up)
    assert up.buttons == ()
    assert [menu.placeholder for menu in up.menus] == ["Wait for …", "Let a computer play for …"]
    assert [list(menu.options) for menu in up.menus] == 2 * [[member.name for member in table.members]]
    play_for = replace(up, menus=up.menus[1:])
    assert (await table.choose(ann, "ann", on=play_for)).is_refused(Problem.OWN_SEAT)
    assert (await table.choose(ann, "ben", on=play_for)).refusal is None
    after = table.read(up)
    assert after.menus == ()
    assert len(after.labels) == 2 * len([ann, *others])
    assert await marked(table, ben) not in after.text


async def test_silence_without_a_clock_is_told(table: SimTable) -> None:
    absent, other = await duel(table, pace="none")
    await pass_time(table, 7 * DAY)
    silent = table.newest()
    assert "hasn't responded in seven days" in silent.text
    assert silent.pinged == {absent.id}
    await table.click(other, silent.labels[0], on=silent)
    assert await plays(table, absent) is None
    assert "Take my seat back" in table.board().labels


async def test_waiting_notices_come_by_importance(table: SimTable) -> None:
    """First whose time is up, then what a player asks; each in its own message."""
    ann, *_ = await six(table)
    await play(table, ann)
    before = table.messages()
    table.refuse("POST")
    await table.wait(BRISK)
    await table.slash(ann, "dog table pause")
    assert len(table.messages()) == len(before)
    table.heal()
    await table.wait(120)
    known = {seen.id for seen in before}
    told = [seen.text for seen in table.messages() if seen.id not in known]
    about = ["time is up", "asks to pause"]
    assert [[sign for sign in about if sign in text] for text in told] == [[sign] for sign in about]
