"""Seats that change hands: offered, taken over, resigned, left; and what the history says about who played them."""

from typing import Any

from bot.delivery.watching import LATELY
from bot.occupants import StandInReason
from tests.cogs.playing import member_of, on_turn, past_the_exchange, the_table
from tests.cogs.timing import BRISK, duel, history, marked, now, play, plays, since
from tests.simtable import SimTable


def newcomer(table: SimTable) -> Any:
    """A member of the server who has no seat."""
    return table.guild.add_member(table.env.create_user("guest"))


async def offered(table: SimTable) -> tuple[Any, Any]:
    """A game of two in which a seat whose time is up is on offer; returns the absent member and the other one."""
    absent, other = await duel(table)
    await table.wait(BRISK)
    await table.click(other, "Offer the seat to others", on=table.newest())
    return absent, other


async def test_a_seat_is_offered_under_the_board_and_in_the_history(table: SimTable) -> None:
    absent, other = await offered(table)
    board = table.board()
    assert f"Take over: {absent.name}" in board.labels
    assert f"Somebody else may take over: {await marked(table, absent)}" in board.text
    assert f"<@{other.id}> offers {await marked(table, absent)}'s seat to others" in await history(table, other)


async def test_who_takes_a_seat_over_sees_the_hand_after_a_yes_and_has_the_whole_time(table: SimTable) -> None:
    absent, other = await offered(table)
    guest = newcomer(table)
    await table.wait(100)
    cards = (await table.slash(absent, "dog hand")).shown
    assert "no seat" in (await table.slash(guest, "dog hand")).text
    question = (await table.click(guest, f"Take over: {absent.name}", on=table.board())).shown
    assert (question.labels, question.pictures) == (["Yes, take over", "No, don't"], ())
    shown = table.read((await table.click(guest, "Yes, take over", on=question)).shown)
    assert shown.pictures
    assert shown.alt == cards.alt
    labels = [button.label for button in cards.buttons if button.label != "No more tips"]
    assert [button.label for button in shown.buttons if button.label != "No more tips"] == labels
    assert "no seat" in (await table.slash(absent, "dog hand")).text
    assert f"Deadline: <t:{now(table) + BRISK}:R>" in table.board().text
    await table.restart(crash=True)
    board = table.board()
    await table.wait(BRISK / 2)
    assert [seen.pinged for seen in since(table, board)] == [{guest.id}]
    await table.wait(BRISK / 2)
    await table.click(other, "Wait longer", on=table.newest())
    assert (await the_table(table)).waiting_for == {(await the_table(table)).seat_of(guest.id): guest.id}


async def test_a_member_who_left_gives_way_when_the_turn_comes_and_gets_it_back_on_return(table: SimTable) -> None:
    await past_the_exchange(table, pace="none")
    present = await on_turn(table)
    for absent in table.members:
        if absent.id != present.id:
            table.guild.remove_member(absent)
    # Nobody is asked about somebody who was there a moment ago.
    await table.wait(LATELY + 1)
    await play(table, present)
    opened = await the_table(table)
    assert set(opened.waiting_for.values()) == {present.id}
    assert "<t:" not in table.board().text
    gone = [seat for seat, who in opened.occupants.items() if who.why == StandInReason.LEFT]
    assert gone
    absent = member_of(table, opened.occupants[gone[0]].user_id or 0)
    table.guild.add_member(absent.user)
    await table.click(absent, "Take my seat back", on=table.board())
    assert (await the_table(table)).occupants[gone[0]].plays == absent.id


async def test_who_left_before_the_start_gives_way_to_a_computer(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    await table.click(ben, "Join", on=table.board())
    table.guild.remove_member(ben)
    await table.wait(LATELY + 1)
    await table.click(ann, "Start", on=table.board())
    assert await plays(table, ben) is None
    assert "Take my seat back" in table.board().labels
    assert set((await the_table(table)).waiting_for.values()) == {ann.id}
    assert "**ben** is no longer here." in await history(table, ann)
