"""Taking back: alone within a minute while nothing has come of it, otherwise if all agree, never across a deal."""

import random
from typing import Any

from tests.cogs.playing import (
    alone_on_turn,
    on_turn,
    past_the_exchange,
    question,
    take_turn,
    the_table,
)
from tests.cogs.timing import (
    duel,
    history,
    play,
)
from tests.simtable import SimTable


async def one_move(table: SimTable) -> tuple[Any, Any, int]:
    """A duel in which one has just made a move that may be taken back: who, the other, and the number before it."""
    await duel(table)
    member = await alone_on_turn(table, random.Random(1))
    other = next(one for one in table.members[:2] if one.id != member.id)
    return member, other, (await the_table(table)).number - 1


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
    asked = question(table)
    others = [one for one in table.members if one.id != member.id]
    assert asked.pinged == {one.id for one in others}
    await table.restart()
    answer = await table.click(member, "Agree", on=asked)
    assert "not asked" in answer.text
    for one in others:
        answer = await table.click(one, "Agree", on=asked)
    assert (await the_table(table)).number == number
    assert table.read(asked).buttons == ()
