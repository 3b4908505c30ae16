"""When time is up: what the others choose, what happens when nobody does, and that the history reports all of it."""

from dataclasses import replace
from typing import Any

from bot.showing.controls import Absent
from bot.tables.absence import Remedy
from tests.cogs.playing import seat_everyone, the_table
from tests.cogs.timing import BRISK, duel, history, is_time_up, marked, now, play, plays, since, six, solo, until_asked
from tests.simtable import Answer, Seen, SimTable

TENTH = BRISK // 10
CHOICES = ["Wait longer", "Computer plays this turn", "Hand the seat to a computer", "Offer the seat to others"]


async def overdue(table: SimTable) -> tuple[Any, Any, Seen]:
    """A game of two in which the time of one is just up: the absent member, the other one, and the message."""
    absent, other = await duel(table)
    await table.wait(BRISK)
    up = table.newest()
    assert is_time_up(up)
    return absent, other, up


async def choose(table: SimTable, member: Any, label: str) -> Answer:
    """Choose what happens, in the newest message that asks."""
    up = next(seen for seen in reversed(table.messages()) if is_time_up(seen))
    return await table.click(member, label, on=up)


async def test_the_others_are_asked_with_four_buttons_and_until_when(table: SimTable) -> None:
    absent, _, up = await overdue(table)
    assert up.labels == CHOICES
    assert absent.name in up.text
    assert f"<t:{now(table) + TENTH}:R>" in up.text
    assert f"<t:{now(table) + TENTH}:R>" in table.board().text


async def test_nothing_is_said_of_the_time_of_somebody_who_has_left_just_before_it_was_up(table: SimTable) -> None:
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
        assert f"{await marked(table, member)}'s time is up" in up.text


async def test_a_choice_about_a_turn_that_has_passed_changes_nothing(table: SimTable) -> None:
    absent, other, up = await overdue(table)
    table.fail("DELETE", f"/channels/{table.channel.id}/messages/{up.id}", times=None)
    await play(table, absent)
    assert table.exists(up)
    await until_asked(table, absent)
    await table.wait(BRISK)
    before = await the_table(table)
    for label in CHOICES:
        assert "passed already" in (await table.click(other, label, on=up)).text
    assert await the_table(table) == before
    assert [is_time_up(seen) for seen in since(table, table.board())] == [True]


async def test_a_seat_handed_over_is_reclaimed_with_one_button_after_a_crash(table: SimTable) -> None:
    absent, other, _ = await overdue(table)
    await choose(table, other, "Hand the seat to a computer")
    assert await plays(table, absent) is None
    who = await marked(table, absent)
    assert f"<@{other.id}> hands {who}'s seat to a computer." in await history(table, other)
    await table.wait(BRISK - 1)
    await table.restart(crash=True)
    assert (await table.click(absent, "Take my seat back", on=table.board())).shown.pictures
    assert await plays(table, absent) == absent.id
    assert "Take my seat back" not in table.board().labels
    assert "is back" in await history(table, other)


async def test_who_is_told_by_direct_message_hears_that_others_gave_the_seat_to_a_computer(table: SimTable) -> None:
    absent, other = await duel(table)
    await table.slash(absent, "dog me notify", where="both")
    await table.wait(BRISK)
    before = table.letters(absent)
    await choose(table, other, "Hand the seat to a computer")
    (letter,) = table.letters(absent)[len(before) :]
    assert "a computer plays for you now" in letter.text
    assert "Take my seat back" in letter.labels


async def test_alone_among_computers_there_is_nothing_to_choose(table: SimTable) -> None:
    ann = await solo(table)
    await table.wait(BRISK)
    up = table.newest()
    assert is_time_up(up)
    assert (up.buttons, up.menus) == ((), ())
    assert f"{await marked(table, ann)}'s time is up. A computer plays this turn <t:{now(table) + TENTH}:R>" in up.text


async def test_five_whose_time_is_up_have_a_row_of_buttons_each(table: SimTable) -> None:
    ann, *absent = await six(table)
    await play(table, ann)
    await table.wait(BRISK)
    up = table.newest()
    assert is_time_up(up)
    assert up.labels == 5 * CHOICES
    for button, member in zip(up.buttons[3::4], absent, strict=True):
        await table.press(ann, str(button.custom_id), on=up)
        assert f"Take over: {member.name}" in table.board().labels


async def test_six_whose_time_is_up_are_in_four_menus(table: SimTable) -> None:
    ann, ben, *others = await six(table)
    await table.wait(BRISK)
    up = table.newest()
    assert is_time_up(up)
    assert up.buttons == ()
    assert [menu.placeholder for menu in up.menus] == CHOICES
    assert [list(menu.options) for menu in up.menus] == 4 * [[member.name for member in table.members]]
    hand_over = replace(up, menus=up.menus[2:3])
    assert "the others decide" in (await table.choose(ann, "ann", on=hand_over)).text
    assert "plays for" in (await table.choose(ann, "ben", on=hand_over)).text
    assert await plays(table, ben) is None
    after = table.read(up)
    assert after.menus == ()
    assert after.labels == 5 * CHOICES
    assert await marked(table, ben) not in after.text
    assert all([await marked(table, member) in after.text for member in (ann, *others)])


async def test_notices_that_wait_together_come_in_the_order_in_which_they_matter(table: SimTable) -> None:
    """First whose time is up, then who lost a seat, then what somebody proposes; each in its own message."""
    ann, *_ = await six(table)
    await play(table, ann)
    before = table.messages()
    table.refuse("POST")
    await table.wait(BRISK)
    game = await the_table(table)
    asked = Absent(game.id, Remedy.COMPUTER, 1, game.clocks[1].decision)
    await table.forge(ann, asked.custom_id(), on=before[-1])
    await table.slash(ann, "dog takeback")
    assert len(table.messages()) == len(before)
    table.heal()
    await table.wait(120)
    known = {seen.id for seen in before}
    told = [seen.text for seen in table.messages() if seen.id not in known]
    about = ["time is up", "a computer plays for you", "asks to take"]
    assert [[sign for sign in about if sign in text] for text in told] == [[sign] for sign in about]
