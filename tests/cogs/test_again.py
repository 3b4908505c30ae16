"""Taking moves back, giving up together, and playing again."""

from __future__ import annotations

import random
from typing import Any

from bot.table import Status
from tests.cogs.playing import alone_on_turn, member_of, on_turn, past_the_exchange, seat_everyone, take_turn, the_table
from tests.simtable import Answer, SimTable


async def test_a_move_is_taken_back_within_a_minute_without_a_second_ping(table: SimTable) -> None:
    await past_the_exchange(table)
    member = await alone_on_turn(table, random.Random(1))
    number = (await the_table(table)).number
    mine = table.private(member)[-1]
    assert "Undo" in mine.labels
    answer = await table.click(member, "Undo", on=mine)
    assert answer.private
    after = await the_table(table)
    assert after.number == number - 1
    assert member.id in after.waiting_for.values()
    board = table.board()
    assert "taken back" in board.text
    before = len(table.messages())
    await take_turn(table, member, random.Random(2))
    assert len(table.messages()) == before + 1
    assert all(member.id not in seen.pinged for seen in table.messages()[before:])


async def test_undo_is_not_offered_after_a_minute(table: SimTable) -> None:
    await past_the_exchange(table)
    member = await alone_on_turn(table, random.Random(1))
    mine = table.private(member)[-1]
    number = (await the_table(table)).number
    await table.wait(61)
    answer = await table.click(member, "Undo", on=mine)
    assert answer.private
    assert "takeback" in answer.text
    assert (await the_table(table)).number == number
    assert "Undo" not in ((await table.slash(member, "dog hand")).shown or mine).labels


async def test_a_takeback_needs_everyone_and_survives_a_restart(table: SimTable) -> None:
    await past_the_exchange(table)
    member = await on_turn(table)
    number = (await the_table(table)).number
    await take_turn(table, member, random.Random(1))
    await table.wait(61)
    answer = await table.slash(member, "dog takeback")
    assert answer.private
    asked = next(seen for seen in reversed(table.messages()) if "Agree" in seen.labels and not seen.pictures)
    others = [one for one in table.members if one.id != member.id]
    assert asked.pinged == {one.id for one in others}
    await table.restart()
    answer = await table.click(member, "Agree", on=asked)
    assert "not asked" in answer.text
    for one in others:
        answer = await table.click(one, "Agree", on=asked)
        assert answer.private
    assert (await the_table(table)).number == number
    assert table.read(asked).buttons == ()


async def test_one_refusal_ends_a_takeback(table: SimTable) -> None:
    await past_the_exchange(table)
    member = await on_turn(table)
    await take_turn(table, member, random.Random(1))
    number = (await the_table(table)).number
    await table.wait(61)
    await table.slash(member, "dog takeback")
    asked = next(seen for seen in reversed(table.messages()) if "Agree" in seen.labels and not seen.pictures)
    other = next(one for one in table.members if one.id != member.id)
    await table.click(other, "Refuse", on=asked)
    assert (await the_table(table)).number == number
    assert "takeback" not in (await the_table(table)).proposals


async def _conceded(table: SimTable) -> Answer:
    await past_the_exchange(table)
    ann, _, cleo, _ = table.members
    asked = await table.slash(ann, "dog resign")
    answer = await table.click(ann, "End the game with my partner", on=asked.shown)
    question = next(seen for seen in reversed(table.messages()) if "Agree" in seen.labels and not seen.pictures)
    assert question.pinged == {cleo.id}
    await table.click(cleo, "Agree", on=question)
    return answer


async def test_partners_give_the_game_up_together(table: SimTable) -> None:
    await past_the_exchange(table)
    opened = await the_table(table)
    ann = table.members[0]
    partner = member_of(table, opened.people[2].user_id or 0)
    asked = await table.slash(ann, "dog resign")
    await table.click(ann, "End the game with my partner", on=asked.shown)
    question = next(seen for seen in reversed(table.messages()) if "Agree" in seen.labels and not seen.pictures)
    assert question.pinged == {partner.id}
    await table.click(partner, "Agree", on=question)
    after = await table.bot.tables.get(opened.id)
    assert after.status is Status.OVER
    assert set(after.won) == {1, 3}
    assert "gave up" in table.board().text


async def test_an_old_question_gives_no_game_up(table: SimTable) -> None:
    await seat_everyone(table, computers=3)
    ann = table.members[0]
    old = await table.slash(ann, "dog resign")
    opened = await the_table(table)
    await take_turn(table, ann, random.Random(1))
    number = (await the_table(table)).number
    assert number > opened.number
    for _ in range(2):
        answer = await table.click(ann, "Give the game up", on=old.shown)
        assert answer.private
        assert f"**{opened.code}** has gone on since" in answer.text
    assert (await the_table(table)).status is Status.PLAYING
    fresh = await table.slash(ann, "dog resign")
    answer = await table.click(ann, "Give the game up", on=fresh.shown)
    assert "you gave up" in answer.text
    assert (await table.bot.tables.get(opened.id)).status is Status.OVER


async def test_an_old_question_asks_no_partner(table: SimTable) -> None:
    await past_the_exchange(table)
    ann = table.members[0]
    old = await table.slash(ann, "dog resign")
    await take_turn(table, await on_turn(table), random.Random(1))
    answer = await table.click(ann, "End the game with my partner", on=old.shown)
    assert "has gone on since" in answer.text
    assert (await the_table(table)).proposals == {}


async def test_a_rematch_has_the_same_people_on_rotated_seats(table: SimTable) -> None:
    before = await _over(table)
    ben, cleo = table.members[1], table.members[2]
    assert {"Rematch", "Again with a free seat"} <= set(table.board().labels)
    final = table.board()
    answer = await table.click(ben, "Rematch", on=final)
    assert answer.private
    after = await the_table(table)
    assert after.status is Status.LOBBY
    assert set(after.persons) == set(before.persons)
    assert after.persons != before.persons
    await table.click(cleo, "Rematch", on=final)
    assert (await the_table(table)).id == after.id


async def test_again_with_a_free_seat(table: SimTable) -> None:
    await _over(table)
    await table.click(table.members[1], "Again with a free seat", on=table.board())
    after = await the_table(table)
    assert after.status is Status.LOBBY
    assert after.free


async def _over(table: SimTable) -> Any:
    """A game that has ended."""
    await _conceded(table)
    last = await table.bot.tables.last_ended(table.channel.id)
    assert last is not None
    return last
