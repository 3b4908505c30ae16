"""`/dog games` and `/dog next`: where it is my turn, for how long; and which of several tables a command means."""

from dataclasses import replace
from typing import Any

from bot.table import Status, Table
from cogs.which import foremost
from engine import Game, PublicGame
from tests.bot.shown import table_of
from tests.cogs.playing import cancel, the_table
from tests.cogs.timing import duel, solo, until_asked
from tests.simtable import SimTable


async def lines(table: SimTable, member: Any) -> dict[str, str]:
    """The lines of `/dog games`, by the code of the game, in order."""
    answer = await table.slash(member, "dog games")
    found = [line for line in answer.text.splitlines() if line.startswith("- [**")]
    return {line.split("**")[1]: line for line in found}


async def test_games_tells_whose_turn_it_is_until_when_and_where(table: SimTable) -> None:
    ann, ben = await duel(table)
    opened = await the_table(table)
    board = table.board()
    link = f"https://discord.com/channels/{table.guild.id}/{table.channel.id}/{board.id}"
    mine = (await lines(table, ann))[opened.code]
    assert f"**your turn**, time runs out <t:{opened.clocks[opened.persons[ann.id]].ends_at}:R>" in mine
    assert f"](<{link}>)" in mine, "the code leads there, without its address"
    theirs = (await lines(table, ben))[opened.code]
    assert "your turn" not in theirs
    assert "waiting for" in theirs
    assert ann.name in theirs
    assert f"](<{link}>)" in theirs


async def test_my_turns_come_first_and_of_those_the_one_that_ends_first(table: SimTable) -> None:
    ann, ben = await duel(table, "live")
    waiting = (await the_table(table)).code
    await until_asked(table, ben)
    codes = {}
    for pace in ("none", "relaxed", "brisk", "daily"):
        before = set(await lines(table, table.members[0]))
        await table.slash(table.members[0], "dog new", rules="royal-basic", players=2, pace=pace)
        lobby = table.board()
        if table.members[0] != ann:
            await table.click(ann, "Join", on=lobby)
        else:
            await table.click(ann, "Add computer", on=lobby)
        await table.click(table.members[0], "Start", on=table.read(lobby))
        (codes[pace],) = set(await lines(table, table.members[0])) - before
    assert list(await lines(table, ann)) == [codes[pace] for pace in ("brisk", "daily", "relaxed", "none")] + [waiting]


async def test_lobbies_and_paused_games_are_listed_as_such_and_ended_ones_not_at_all(
    table: SimTable, moderator: Any
) -> None:
    ann = await solo(table)
    paused = (await the_table(table)).code
    await table.slash(moderator, "dog-admin pause", game=paused)
    await table.slash(ann, "dog new")
    (lobby,) = set(await lines(table, ann)) - {paused}
    listed = await lines(table, ann)
    assert "paused" in listed[paused]
    assert "waiting for players" in listed[lobby]
    await cancel(table, ann, lobby)
    assert list(await lines(table, ann)) == [paused]
    assert await lines(table, moderator) == {}


async def test_next_goes_from_the_most_urgent_hand_to_the_one_after_it(table: SimTable) -> None:
    ann = await solo(table, "daily")
    later = (await the_table(table)).code
    await solo(table, "live")
    (urgent,) = set(await lines(table, ann)) - {later}
    await table.restart(crash=True)
    answer = await table.slash(ann, "dog next")
    assert urgent in answer.text
    assert later not in answer.text
    assert answer.shown.pictures
    asked = await table.slash(ann, "dog resign", game=urgent)
    await table.click(ann, "Yes, resign", on=asked.shown)
    answer = await table.slash(ann, "dog next")
    assert later in answer.text


async def test_who_plays_nothing_is_told_so(table: SimTable) -> None:
    ann = table.members[0]
    assert "no open games" in (await table.slash(ann, "dog games")).text
    assert "not your turn" in (await table.slash(ann, "dog next")).text


ANN, BEN = 100, 101
DEALT = Game.new("classic", 4, bytes(32))
ASKING_ALL = table_of(DEALT)
ASKING_OTHERS = replace(ASKING_ALL, game=PublicGame(DEALT.play(0, DEALT.legal(0)[0])))
LOBBY = replace(ASKING_ALL, status=Status.LOBBY, game=None)


def numbered(*tables: Table) -> list[Table]:
    """The tables, numbered in the order in which they were opened."""
    return [replace(table, id=number) for number, table in enumerate(tables, 1)]


def test_a_table_that_waits_for_the_person_comes_first() -> None:
    waits, newer, newest = numbered(ASKING_ALL, ASKING_OTHERS, LOBBY)
    assert foremost([newest, newer, waits], ANN) == waits


def test_a_game_comes_before_a_lobby() -> None:
    game, lobby = numbered(ASKING_OTHERS, LOBBY)
    assert foremost([lobby, game], ANN) == game


def test_otherwise_the_newest_is_meant() -> None:
    older, newer = numbered(ASKING_ALL, ASKING_ALL)
    assert foremost([older, newer], BEN) == newer
    assert foremost([newer, older], BEN) == newer
