"""Taking back, alone or if all agree; and questions asked a while ago, whose late yes does nothing to today's game."""

import random

import pytest

from bot.errors import WrongStatus
from bot.occupants import Person
from bot.proposal import ProposalKind
from bot.table import Status, Table
from tests.cogs.playing import (
    alone_on_turn,
    choosing,
    on_turn,
    past_the_exchange,
    play_on,
    seat_everyone,
    take_turn,
    the_table,
)
from tests.cogs.timing import duel, history, play, solo
from tests.simtable import SimTable


async def test_the_history_tells_takebacks_where_they_happened(table: SimTable) -> None:
    ann, ben = await duel(table)
    await play(table, ann)
    number = (await the_table(table)).number
    await play(table, ben)
    for member in (ben, ann):
        await table.click(member, "Undo", on=(await table.slash(member, "dog hand")).shown)
    await play(table, ann)
    lines = (await history(table, ben)).splitlines()
    first = next(index for index, line in enumerate(lines) if "takes a move back" in line)
    assert lines[first : first + 2] == [f"· <@{one.id}> takes a move back." for one in (ben, ann)]
    assert lines[first + 2].startswith(f"`{number:>3}`")


async def test_channel_does_not_repeat_itself_after_an_undo(table: SimTable) -> None:
    await past_the_exchange(table)
    member = await alone_on_turn(table, random.Random(1))
    above = table.messages()[-2].text.splitlines()
    await table.click(member, "Undo", on=table.private(member)[-1])
    assert above
    assert not set(above) & set(table.board().text.splitlines())
    assert "↩️ Taken back." in table.private(member)[-1].text
    assert "taken back" in table.board().text
    calls = table.calls(member)
    assert await alone_on_turn(table, random.Random(2)) == member
    assert table.calls(member) == calls
    told = [line for seen in table.messages() for line in seen.text.splitlines()]
    assert all(told.count(line) == 1 for line in above)
    assert any("taken back" in line for line in told)


async def test_takeback_renews_the_hands_of_others(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    member = await on_turn(table)
    for other in table.members:
        await table.slash(other, "dog hand")
    await take_turn(table, member, random.Random(1))
    after = await on_turn(table)
    assert after != member
    assert choosing(table.private(after)[-1])
    await table.click(member, "Undo", on=table.private(member)[-1])
    assert not choosing(table.private(after)[-1])


async def test_hand_says_that_its_move_went_with_another(table: SimTable) -> None:
    await past_the_exchange(table)
    rng, first = random.Random(1), await on_turn(table)
    await take_turn(table, first, rng)
    second = await on_turn(table)
    await take_turn(table, second, rng)
    assert table.private(second)[-1].text.startswith("✅")
    now = await the_table(table)
    await table.slash(first, "dog takeback")
    await table.run(agree(table, now, ProposalKind.TAKEBACK))
    assert (await the_table(table)).number < now.number
    assert table.private(second)[-1].text.startswith("↩️ Taken back. ~~")


async def agree(table: SimTable, before: Table, kind: ProposalKind) -> None:
    """Let all who are asked agree."""
    tables = table.bot.tables
    for user in (await tables.get(before.id)).proposals[kind].must_agree:
        await tables.proposals.answer(before.id, Person(user, ""), kind, True)


async def test_hands_of_a_cancelled_game_end(table: SimTable) -> None:
    await past_the_exchange(table)
    member = await on_turn(table)
    await table.slash(member, "dog hand")
    now = await the_table(table)
    await table.run(table.bot.tables.turns.cancel(now.id, Person(table.members[0].id, "")))
    await table.run(agree(table, now, ProposalKind.CANCEL))
    assert not choosing(table.private(member)[-1])


async def test_undo_stays_after_a_look_at_a_card(table: SimTable) -> None:
    ann = await solo(table)
    for _ in range(2):
        await play(table, ann)
    hand = (await table.slash(ann, "dog hand")).shown
    assert hand is not None
    assert "Undo" in hand.labels
    asked = await table.press(ann, choosing(hand)[0], on=hand)
    back = await table.click(ann, "Back", on=asked.shown)
    assert "Undo" in table.read(back.shown).labels


async def test_undo_pressed_twice_takes_one_move_back(table: SimTable) -> None:
    """Alone with computers, where the move before could be taken back as well."""
    ann = await solo(table)
    could = can = False
    for _ in range(20):
        opened, could = await the_table(table), can
        await play(table, ann)
        can = await table.bot.tables.proposals.can_undo(opened.id, ann.id)
        if could and can:
            break
    assert could
    mine = table.private(ann)[-1]
    await table.click_together([(ann, "Undo", mine), (ann, "Undo", mine)])
    assert (await the_table(table)).number == opened.number


async def test_undo_is_offered_until_another_acts(table: SimTable) -> None:
    await past_the_exchange(table)
    member = await alone_on_turn(table, random.Random(1))
    mine = table.private(member)[-1]
    await table.wait(3_000)
    assert "Undo" in ((await table.slash(member, "dog hand")).shown or mine).labels
    await take_turn(table, await on_turn(table), random.Random(2))
    number = (await the_table(table)).number
    assert "takeback" in (await table.click(member, "Undo", on=mine)).text
    assert "Undo" not in table.read(mine).labels
    assert (await the_table(table)).number == number
    assert "Undo" not in ((await table.slash(member, "dog hand")).shown or mine).labels


async def test_old_lobbys_yes_does_not_cancel_the_game(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    question = await table.slash(ann, "dog table cancel")
    await table.click(ben, "Join", on=table.board())
    await table.click(ann, "Start", on=table.board())
    code = (await the_table(table)).code
    late = await table.click(ann, f"Yes, cancel {code}", on=question.shown)
    assert "has moved on since. Ask again: </dog table cancel:" in late.text
    assert (await the_table(table)).status is Status.PLAYING


async def test_lobby_with_a_new_player_is_the_same(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    code = (await the_table(table)).code
    question = await table.slash(ann, "dog table cancel")
    await table.click(ben, "Join", on=table.board())
    await table.click(ann, f"Yes, cancel {code}", on=question.shown)
    assert await table.bot.tables.places.in_guild(table.guild.id) == ()


@pytest.mark.parametrize(
    ("command", "label"), [("dog table cancel", "Yes, cancel {code}"), ("dog table resign", "Yes, leave")]
)
async def test_a_yes_from_before_a_move_ends_nothing(table: SimTable, command: str, label: str) -> None:
    await seat_everyone(table, rules="royal-basic", players=2)
    ann = table.members[0]
    before = await the_table(table)
    question = await table.slash(ann, command)
    await play_on(table, random.Random(5), 1)
    assert f"</{command}:" in (await table.click(ann, label.format(code=before.code), on=question.shown)).text
    after = await the_table(table)
    assert after.status is Status.PLAYING
    assert after.owners == before.owners
    await table.click(ann, label.format(code=before.code), on=(await table.slash(ann, command)).shown)
    assert ann.id not in {seated for one in await table.bot.tables.of_member(ann.id) for seated in one.owners}


async def test_lobbys_cancel_button_ignores_a_running_game(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    lobby = table.board()
    arranging = (
        await table.click(ann, "Change the game", on=(await table.click(ann, "Settings", on=lobby)).shown)
    ).shown
    old = next(one for one in arranging.custom_ids if ":cancel:" in one)
    await table.click(ben, "Join", on=lobby)
    await table.click(ann, "Start", on=table.board())
    answer = await table.forge(ann, old, on=table.board())
    assert answer.is_refused(WrongStatus)
    assert answer.shown.labels == []
