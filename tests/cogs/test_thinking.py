"""Strong computer players at a table: whatever happens while they think, the game goes on."""

from typing import Any

import pytest

from bot.table import Level, Person, Table
from tests.cogs.playing import the_table
from tests.simtable import SimTable


async def seat_three(table: SimTable, level: str) -> None:
    """A lobby with Ann and three computer players of this level."""
    ann = table.members[0]
    await table.slash(ann, "dog new")
    for _ in range(3):
        await table.slash(ann, "dog computer", level=level)


def others_have_given(opened: Table) -> bool:
    """Whether the computers have done what they can do until Ann gives her card."""
    return opened.number == 3


async def test_the_next_lower_level_answers_when_thinking_fails_unexpectedly(
    table: SimTable, monkeypatch: pytest.MonkeyPatch, bot_log: list[Any]
) -> None:
    await seat_three(table, Level.STRONG)
    asked = 0

    async def think(_: float, work: Any, *args: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise OSError("no more open files; and a hand: K 5")
        return work(*args)

    monkeypatch.setattr(table.bot.pools, "think", think)
    await table.click(table.members[0], "Start")
    assert others_have_given(await the_table(table))
    assert asked == 3, "the others think as they should"
    (line,) = [one.getMessage() for one in bot_log if one.name == "bot.tables.computers"]
    assert "OSError" in line
    assert "K 5" not in line


async def test_a_level_changed_in_the_middle_of_a_thought_holds_for_that_very_decision(
    table: SimTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    await seat_three(table, Level.STRONG)
    opened = await the_table(table)
    host = table.members[0].id
    thought: list[int] = []

    async def think(_: float, work: Any, game: Any, seat: int, level: str) -> Any:
        thought.append(seat)
        if len(thought) == 1:
            await table.bot.tables.lobby.set_level(opened.id, Person(host, "ann"), seat, Level.EASY)
        return work(game, seat, level)

    monkeypatch.setattr(table.bot.pools, "think", think)
    await table.click(table.members[0], "Start")
    after = await the_table(table)
    assert others_have_given(after)
    assert after.people[thought[0]].computer == Level.EASY
    assert sorted(thought) == [1, 2, 3], "nobody thinks twice, and what the strong player had decided is dropped"
    answer = await table.slash(table.members[0], "dog history")
    assert "'s level: easy" in answer.text
