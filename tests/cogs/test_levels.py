"""How strong computer players play: chosen by the host, seat by seat, shown everywhere, and kept over a restart."""

import random

from bot.showing.controls import SetLevel
from bot.table import Level
from tests.cogs.playing import play_on, the_table
from tests.simtable import SimTable


def levels(found: object) -> dict[int, str | None]:
    return {seat: who.computer for seat, who in found.people.items()}


async def test_the_host_chooses_how_strong_each_computer_plays(table: SimTable) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog new")
    await table.click(ann, "Fill with computers")
    assert "Luna** (computer, normal)" in table.board().text
    await table.choose(ann, "Luna (strong)", on=table.board())
    await table.choose(ann, "Rex (easy)", on=table.board())
    assert levels(await the_table(table)) == {0: None, 1: "normal", 2: "strong", 3: "easy"}
    lobby = table.board()
    assert "Luna** (computer, strong)" in lobby.text
    assert "Rex** (computer, easy)" in lobby.text
    assert "Bello (normal), Luna (strong) and Rex (easy)" in lobby.alt[0]
    assert "Luna (strong)" not in lobby.choices
    assert "Luna (normal)" in lobby.choices


async def test_only_the_host_chooses(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    await table.click(ben, "Join")
    await table.click(ann, "Add computer")
    answer = await table.choose(ben, "Bello (strong)", on=table.board())
    assert "host" in answer.text
    answer = await table.slash(ben, "dog computer", level="strong")
    assert "host" in answer.text
    assert levels(await the_table(table))[2] == "normal"


async def test_the_command_seats_a_computer_at_a_level_and_changes_one_that_sits(table: SimTable) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog new")
    offered = await table.suggestions(ann, "dog computer", "seat")
    assert list(offered) == ["Amber: free", "Green: free", "Violet: free"]
    answer = await table.slash(ann, "dog computer", level="strong", seat=offered["Green: free"])
    assert "**Bello**'s level is now **strong**." in answer.text
    await table.slash(ann, "dog computer", level="easy")
    assert levels(await the_table(table)) == {0: None, 1: "easy", 2: "strong"}
    offered = await table.suggestions(ann, "dog computer", "seat", "bello")
    await table.slash(ann, "dog computer", level="normal", seat=offered["Green: Bello (strong)"])
    assert levels(await the_table(table)) == {0: None, 1: "easy", 2: "normal"}


async def test_the_host_changes_a_level_during_the_game_and_everybody_can_read_it(table: SimTable) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog new")
    await table.click(ann, "Fill with computers")
    await table.click(ann, "Start")
    everybody = "Computers: 🟠 **Bello** (normal), 🟢 **Luna** (normal) and 🟣 **Rex** (normal)."
    assert everybody in table.board().text, "the first board tells what the faces in the picture mean"
    assert (await table.slash(ann, "dog board")).text.count(everybody) == 1
    answer = await table.slash(ann, "dog computer", level="easy")
    assert "Which computer player" in answer.text
    await table.slash(ann, "dog computer", level="easy", seat="2")
    assert "changes 🟢 **Luna**'s level: easy." in table.board().text
    history = await table.slash(ann, "dog history")
    assert "Computers: 🟠 **Bello** (normal), 🟢 **Luna** (normal) and 🟣 **Rex** (normal)." in history.text
    assert "'s level: easy" in history.text
    mine = await table.slash(ann, "dog games")
    assert "🟢 **Luna** (easy)" in mine.text
    words = await table.slash(ann, "dog board", text=True)
    assert "Luna (easy)" in words.text
    await play_on(table, random.Random(1), 6)
    assert "Computers:" not in table.board().text
    assert "🟢 **Luna** (easy)" in (await table.slash(ann, "dog board")).text
    await table.restart()
    assert levels(await the_table(table))[2] == "easy"


async def test_who_stands_in_for_a_person_plays_as_usual(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new")
    await table.click(ben, "Join")
    await table.click(ann, "Fill with computers")
    await table.click(ann, "Start")
    await table.slash(ben, "dog me away", until="2026-01-05", meanwhile="computer")
    found = await the_table(table)
    seat = found.seat_of(ben.id)
    assert found.people[seat].computer == "normal"
    answer = await table.slash(ann, "dog computer", level="easy", seat=str(seat))
    assert "not of a person's seat, even while a computer plays there." in answer.text
    mine = found.seat_of(ann.id)
    answer = await table.slash(ann, "dog computer", level="easy", seat=str(mine))
    assert "You can choose the level of computer players only" in answer.text


async def test_numbers_that_stand_for_no_seat_or_level_are_refused(table: SimTable) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog new")
    await table.click(ann, "Add computer")
    opened = await the_table(table)
    for value in (9, 57, 4000, 3):
        press = SetLevel(opened.id, value)
        answer = await table.forge(ann, press.custom_id(), on=table.board())
        assert answer.text
    answer = await table.slash(ann, "dog computer", level="easy", seat="²")
    assert "Which computer player" in answer.text
    assert levels(await the_table(table))[1] == "normal"


def test_every_seat_and_level_has_a_number_of_its_own() -> None:
    pairs = {(seat, level) for seat in range(6) for level in Level}
    assert {SetLevel(1, SetLevel.value_of(*pair)).chosen for pair in pairs} == pairs
