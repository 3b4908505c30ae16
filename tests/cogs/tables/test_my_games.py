"""`/dog games` and `/dog next`: where it is my turn, for how long; and which of several tables a command means."""

from dataclasses import replace
from typing import Any

from bot.interactions.lookup import find_last_acted
from bot.interactions.serve import WHICH
from bot.table import Logged, Status
from engine import Game
from tests.bot.shown import table_of
from tests.cogs.playing import cancel, the_table
from tests.cogs.timing import duel, solo, until_asked
from tests.simtable import SimTable


async def lines(table: SimTable, member: Any) -> dict[str, str]:
    """The lines of `/dog games`, by the code of the game, in order."""
    answer = await table.slash(member, "dog games")
    found = [line for line in answer.text.splitlines() if line.startswith("- [**")]
    return {line.split("**")[1]: line for line in found}


async def test_games_lists_turn_deadline_and_place(table: SimTable) -> None:
    ann, ben = await duel(table)
    opened = await the_table(table)
    board = table.board()
    link = f"https://discord.com/channels/{table.guild.id}/{table.channel.id}/{board.id}"
    mine = (await lines(table, ann))[opened.code]
    assert f"**your turn** ⏳ <t:{opened.clocks[opened.owners[ann.id]].ends_at}:R>" in mine
    assert f"](<{link}>)" in mine, "the code leads there, without its address"
    theirs = (await lines(table, ben))[opened.code]
    assert "your turn" not in theirs
    assert "waiting for" in theirs
    assert ann.name in theirs
    assert f"](<{link}>)" in theirs
    others = await table.slash(table.members[3], "dog games")
    assert "that you can watch:" in others.text
    assert f"](<{link}>)" in others.text


async def test_own_turns_come_first_by_deadline(table: SimTable) -> None:
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
            await table.click(ann, "Add computers", on=lobby)
        await table.click(table.members[0], "Start", on=table.read(lobby))
        (codes[pace],) = set(await lines(table, table.members[0])) - before
    assert list(await lines(table, ann)) == [codes[pace] for pace in ("brisk", "daily", "relaxed", "none")] + [waiting]


async def test_lobbies_and_pauses_are_listed_ended_games_not(table: SimTable, moderator: Any) -> None:
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


async def test_next_walks_the_hands_by_urgency(table: SimTable) -> None:
    ann = await solo(table, "daily")
    later = (await the_table(table)).code
    await solo(table, "live")
    (urgent,) = set(await lines(table, ann)) - {later}
    await table.restart(crash=True)
    answer = await table.slash(ann, "dog next")
    assert urgent in answer.text
    assert later not in answer.text
    assert answer.shown.pictures
    await table.click(ann, "Resign", on=(await table.slash(ann, "dog table resign", game=urgent)).shown)
    assert later in (await table.slash(ann, "dog next")).text


async def test_who_plays_nothing_is_told_so(table: SimTable) -> None:
    ann = table.members[0]
    assert "no open games" in (await table.slash(ann, "dog games")).text
    assert "No game is waiting" in (await table.slash(ann, "dog next")).text


ANN, BEN = 100, 101
DEALT = Game.new("classic", 4, bytes(32))
GAME = table_of(DEALT)
LOBBY = replace(GAME, id=2, status=Status.LOBBY, game=None, host_id=BEN, created_at=50)


def test_table_of_the_last_action_is_meant() -> None:
    early, late = [Logged(1, 0, ANN, 10)], [Logged(1, 0, ANN, 20), Logged(2, 1, BEN, 90)]
    other = replace(GAME, id=3)
    assert find_last_acted([(GAME, late), (other, early)], ANN) == GAME
    assert find_last_acted([(GAME, early), (other, late)], ANN) == other
    assert find_last_acted([(GAME, late), (LOBBY, [])], BEN) == GAME
    assert find_last_acted([(GAME, early), (LOBBY, [])], BEN) == LOBBY, "who opens a lobby has done something there"


def test_table_is_unclear_without_any_action() -> None:
    assert find_last_acted([(replace(GAME, host_id=BEN), []), (LOBBY, [])], ANN) is None


async def test_unclear_command_asks_and_then_follows_the_action(
    table: SimTable,
) -> None:
    ann, ben = table.members[:2]
    codes = []
    for _ in range(2):
        await table.wait(1)
        await table.slash(ann, "dog new", players=4)
        codes.append(next(word for word in table.board().text.split() if "-" in word))
        await table.click(ben, "Join", on=table.board())
    question = await table.slash(ben, "dog board", text=True)
    assert question.text == "Which game do you mean?"
    assert sorted(label.split()[0] for label in question.shown.labels) == sorted(codes)
    # One press continues what was typed, with its options, once.
    first = next(label for label in question.shown.labels if label.startswith(codes[0]))
    assert codes[0] in (await table.click(ben, first, on=question.shown)).text
    pressed = next(one for one in question.shown.custom_ids if one.startswith(WHICH))
    assert "Type the command again" in (await table.forge(ann, pressed, on=table.board())).text, "ann was not asked"
    question = await table.slash(ben, "dog board")
    await table.restart(crash=True)
    assert "Type the command again" in (await table.click(ben, first, on=question.shown)).text
    assert codes[1] in (await table.slash(ann, "dog board")).text, "ann opened it last"
    assert codes[0] in (await table.slash(ben, "dog board", game=codes[0])).text
