"""Seats that change hands: offered, taken over, left; and what the history says about who played them."""

from typing import Any

from bot.delivery.members import LATELY
from bot.errors import Problem
from bot.languages import language_for
from bot.occupants import StandInReason
from bot.texts import leaving
from tests.cogs.playing import member_of, on_turn, pass_time, past_the_exchange, the_table
from tests.cogs.timing import DAY, history, marked, missed, play, plays, since
from tests.simtable import SimTable


def newcomer(table: SimTable) -> Any:
    """A member of the server who has no seat."""
    return table.guild.add_member(table.env.create_user("guest"))


async def offered(table: SimTable) -> tuple[Any, Any]:
    """A game of two in which the seat of one who missed three turns is on offer; the absent member and the other."""
    absent, other = await missed(table)
    await table.click(other, f"Offer {absent.name}'s seat", on=table.board())
    await pass_time(table, 2 * DAY)
    return absent, other


async def test_owner_hears_of_an_offer_everywhere(table: SimTable) -> None:
    absent, other = await missed(table)
    await table.slash(absent, "dog me notify", where="silent")
    before = table.newest()
    await table.click(other, f"Offer {absent.name}'s seat", on=table.board())
    (asked,) = (seen for seen in since(table, before) if "opens to others" in seen.text and not seen.pictures)
    assert asked.pinged == {absent.id}
    await table.click(absent, "Take my seat back", on=table.letters(absent)[-1])
    assert await plays(table, absent) == absent.id
    await pass_time(table, 2 * DAY)
    assert f"Take over for {absent.name}" not in table.board().labels


async def test_offered_seat_stands_under_board_and_in_history(table: SimTable) -> None:
    absent, other = await offered(table)
    board = table.board()
    assert f"Take over for {absent.name}" in board.labels
    assert f"Another member can take over: {await marked(table, absent)}" in board.text
    assert f"<@{other.id}> offers {await marked(table, absent)}'s seat to others" in await history(table, other)


async def test_new_owner_sees_the_hand_after_confirming(table: SimTable) -> None:
    absent, _ = await offered(table)
    guest = newcomer(table)
    assert "aren't playing" in (await table.slash(guest, "dog hand")).text
    question = (await table.click(guest, f"Take over for {absent.name}", on=table.board())).shown
    assert (question.labels, question.pictures) == (["Yes, take over", "No, don't"], ())
    shown = table.read((await table.click(guest, "Yes, take over", on=question)).shown)
    assert shown.pictures
    assert "aren't playing" in (await table.slash(absent, "dog hand")).text
    assert (await the_table(table)).seat_of(guest.id) is not None


async def test_departed_member_yields_and_reclaims_on_return(table: SimTable) -> None:
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
    gone = [seat for seat, who in opened.occupants.items() if who.why == StandInReason.LEFT_GUILD]
    assert gone
    for absent in table.members:
        if absent.id != present.id:
            await table.bot.tables.absence.member_left(table.guild.id, absent.id)
    question = await table.slash(present, "dog table cancel")
    assert question.text == leaving.ask_cancel(language_for("en"), opened), "no one is left to be asked"
    absent = member_of(table, opened.occupants[gone[0]].user_id or 0)
    hand = await table.slash(absent, "dog hand", channel=absent.user.dm_channel)
    refused = await table.click(absent, "Take my seat back", on=hand.shown)
    assert refused.is_refused(Problem.LEFT_SERVER), "a press elsewhere is no return"
    table.guild.add_member(absent.user)
    await table.click(absent, "Take my seat back", on=table.board())
    assert (await the_table(table)).occupants[gone[0]].plays == absent.id


async def test_departed_member_yields_before_the_start(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new", rules="royal-basic", players=2, by_hand=True)
    await table.click(ben, "Join", on=table.board())
    table.guild.remove_member(ben)
    await table.wait(LATELY + 1)
    await table.click(ann, "Start", on=table.board())
    assert await plays(table, ben) is None
    assert "Take my seat back" in table.board().labels
    assert set((await the_table(table)).waiting_for.values()) == {ann.id}
    assert "**ben** is no longer here." in await history(table, ann)
