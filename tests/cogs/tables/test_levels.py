"""How strong computers play: chosen seat by seat, shown, kept over a restart; and that strong ones hold nothing up."""

import random
from typing import Any

import pytest

from bot.occupants import Level, Person
from bot.table import Table
from tests.cogs.playing import meanwhile, seat_everyone, the_table
from tests.simtable import SimTable


def levels(found: object) -> dict[int, str | None]:
    return {seat: who.computer for seat, who in found.occupants.items()}


async def test_the_host_chooses_how_strong_each_computer_plays(table: SimTable) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog new")
    await table.click(ann, "Add computers")
    settings = (await table.click(ann, "Settings", on=table.board())).shown
    assert "**Luna** (normal)" in settings.text
    settings = (await table.choose(ann, "Luna (strong)", on=settings)).shown
    settings = (await table.choose(ann, "Rex (easy)", on=settings)).shown
    assert levels(await the_table(table)) == {0: None, 1: "normal", 2: "strong", 3: "easy"}
    lobby = table.board()
    assert "**Luna** 🤖" in lobby.text
    assert "**Rex** (easy)" in settings.text
    assert "Bello (normal), Luna (strong) and Rex (easy)" in lobby.alt[0]
    assert "Luna (strong)" not in settings.choices
    assert "Luna (normal)" in settings.choices


async def test_command_seats_and_changes_a_computers_level(table: SimTable) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog new")
    offered = await table.suggestions(ann, "dog table computer", "seat")
    assert list(offered) == ["Amber: free", "Green: free", "Violet: free"]
    await table.slash(ann, "dog table computer", level="strong", seat=offered["Green: free"])
    await table.slash(ann, "dog table computer", level="easy")
    assert levels(await the_table(table)) == {0: None, 1: "easy", 2: "strong"}
    offered = await table.suggestions(ann, "dog table computer", "seat", "bello")
    await table.slash(ann, "dog table computer", level="normal", seat=offered["Green: Bello (strong)"])
    assert levels(await the_table(table)) == {0: None, 1: "easy", 2: "normal"}


async def test_host_changes_a_level_publicly_during_the_game(table: SimTable) -> None:
    ann = table.members[0]
    await seat_everyone(table, computers=3)
    everybody = "Computers: 🟠 **Bello** (normal), 🟢 **Luna** (normal) and 🟣 **Rex** (normal)."
    assert "Computers:" not in table.board().text, "the faces in the picture tell it"
    assert (await table.slash(ann, "dog board")).text.count(everybody) == 1
    assert "Which computer?" in (await table.slash(ann, "dog table computer", level="easy")).text
    await table.slash(ann, "dog table computer", level="easy", seat="2")
    assert "changes 🟢 **Luna**'s level: easy." in table.board().text
    history = await table.slash(ann, "dog history")
    assert "Computers: 🟠 **Bello** (normal), 🟢 **Luna** (normal) and 🟣 **Rex** (normal)." in history.text
    assert "'s level: easy" in history.text
    assert "Luna (easy)" in (await table.slash(ann, "dog board", text=True)).text
    await meanwhile(table, random.Random(1), lambda now: now.number > 20)
    assert "Computers:" not in table.board().text
    assert "🟢 **Luna** (easy)" in (await table.slash(ann, "dog board")).text
    await table.restart()
    assert levels(await the_table(table))[2] == "easy"


async def seat_three(table: SimTable, level: str) -> None:
    """A lobby with Ann and three computer players of this level."""
    ann = table.members[0]
    await table.slash(ann, "dog new")
    for _ in range(3):
        await table.slash(ann, "dog table computer", level=level)


def others_have_given(opened: Table) -> bool:
    """Whether the computers have done what they can do until Ann gives her card."""
    return opened.number == 3


async def test_level_changed_during_a_thought_holds_for_it(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert after.occupants[thought[0]].computer == Level.EASY
    assert sorted(thought) == [1, 2, 3], "nobody thinks twice, and what the strong player had decided is dropped"
    assert "'s level: easy" in (await table.slash(table.members[0], "dog history")).text
