"""Taking back: alone within a minute while nothing has come of it, otherwise if all agree, never across a deal."""

from __future__ import annotations

import random
from typing import Any

from engine.secret import whole
from tests.cogs.playing import (
    alone_on_turn,
    member_of,
    on_turn,
    past_the_exchange,
    play_on,
    question,
    seat_everyone,
    take_turn,
    the_table,
)
from tests.cogs.timing import (
    BRISK,
    duel,
    history,
    is_time_up,
    marked,
    play,
)
from tests.simtable import SimTable


async def one_move(table: SimTable) -> tuple[Any, Any, int]:
    """A duel in which one has just made a move that may be taken back: who, the other, and the number before it."""
    await duel(table)
    member = await alone_on_turn(table, random.Random(1))
    other = next(one for one in table.members[:2] if one.id != member.id)
    return member, other, (await the_table(table)).number - 1


async def test_a_move_may_be_taken_back_for_sixty_seconds_even_after_a_crash(table: SimTable) -> None:
    member, _, number = await one_move(table)
    await table.restart(crash=True)
    await table.wait(60)
    shown = (await table.slash(member, "dog hand")).shown
    assert shown is not None
    assert "Undo" in shown.labels
    await table.click(member, "Undo", on=shown)
    assert (await the_table(table)).number == number


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
    asked = question(table)
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


async def test_a_takeback_does_not_end_what_the_others_choose_about_somebody_else(table: SimTable) -> None:
    await seat_everyone(table, pace="brisk")
    ann, ben = table.members[:2]
    await table.wait(BRISK)
    up = table.newest()
    await play(table, ann)
    await table.slash(ann, "dog takeback")
    after = table.read(up)
    assert is_time_up(after)
    assert await marked(table, ben) in after.text
    assert await marked(table, ann) not in after.text
    await table.wait(BRISK / 10)
    told = await history(table, ann)
    assert f"A computer plays this turn for {await marked(table, ben)}." in told
    assert f"A computer plays this turn for {await marked(table, ann)}." not in told
    assert set((await the_table(table)).waiting_for.values()) == {ann.id}


async def test_a_question_lapses_when_computers_play_on_to_the_next_deal(table: SimTable) -> None:
    await seat_everyone(table)
    rng = random.Random(9)
    for _ in range(60):
        game = whole((await the_table(table)).game)
        cards = {seat: len(game.view(seat).hand or ()) for seat in game.seats}
        (seat, *more) = game.to_act
        last = [other for other in game.seats if other != seat and cards[other]]
        if not more and cards[seat] == 1 and len(last) == 1:
            break
        await play_on(table, rng, 1)
    else:
        raise AssertionError("no round ends with one card each on two seats")
    opened = await the_table(table)
    assert opened.game is not None
    member, other = member_of(table, opened.waiting_for[seat]), member_of(table, opened.people[last[0]].user_id or 0)
    await take_turn(table, member, rng)
    assert (await the_table(table)).game.round == opened.game.round  # type: ignore[union-attr]
    await table.wait(61)
    await table.slash(member, "dog takeback")
    asked = question(table)
    sure = await table.slash(other, "dog resign")
    await table.click(other, "Yes, resign", on=sure.shown)
    assert (await the_table(table)).game.round == opened.game.round + 1  # type: ignore[union-attr]
    assert table.read(asked).buttons == ()
    assert "Agree" not in table.board().labels


async def test_undo_is_refused_once_somebody_has_acted_since(table: SimTable) -> None:
    member, other, number = await one_move(table)
    mine = table.private(member)[-1]
    await play(table, other)
    answer = await table.click(member, "Undo", on=mine)
    assert answer.private
    assert "has moved on since" in answer.text
    assert (await the_table(table)).number > number + 1
