"""`/dog replay`: an animated picture in private, of the whole game or since one's own last turn."""

import random
from io import BytesIO

from PIL import Image

from bot.languages import language_for
from bot.showing.replaying import told_scenes
from tests.cogs.playing import play_on, seat_everyone, the_table
from tests.simtable import Answer, SimTable


def frames(answer: Answer) -> int:
    with Image.open(BytesIO(answer.shown.pictures[0])) as picture:
        assert picture.format == "GIF"
        return int(getattr(picture, "n_frames", 1))


async def test_the_whole_game_and_since_my_last_turn(table: SimTable) -> None:
    await seat_everyone(table)
    await play_on(table, random.Random(4), 10)
    ann = table.members[0]
    whole = await table.slash(ann, "dog replay", since="game")
    assert "from the beginning" in whole.text
    mine = await table.slash(ann, "dog replay")
    assert frames(whole) > 3
    if "Nothing has happened" not in mine.text:
        assert frames(mine) < frames(whole)


async def test_a_lobby_has_no_replay(table: SimTable) -> None:
    await table.slash(table.members[0], "dog new")
    answer = await table.slash(table.members[0], "dog replay")
    assert (await the_table(table)).code in answer.text
    assert "not started" in answer.text


async def test_whoever_acted_is_lit_and_not_who_is_next(table: SimTable) -> None:
    await seat_everyone(table)
    await play_on(table, random.Random(4), 10)
    told = told_scenes(await the_table(table), language_for("en"))
    moved = [scene for scene in told if scene.moves]
    assert len(moved) >= 3
    for scene in moved:
        assert scene.to_act == (scene.moves[-1][0],)


async def test_the_newest_moves_begin_and_end_with_the_position_now(table: SimTable) -> None:
    await seat_everyone(table)
    await play_on(table, random.Random(4), 10)
    opened = await the_table(table)
    first = opened.number - 3
    told = told_scenes(opened, language_for("en"), first)
    assert told[0] == told[-1], "a still of the film says what the board says"
    assert dict(told[0].placement) == dict(opened.game.view().pieces)
    counters = [scene.counter for scene in told[1:-1]]
    assert counters == [(number, len(told) - 1) for number in range(1, len(told) - 1)]
    whole = told_scenes(opened, language_for("en"))
    assert whole[0] != whole[-1]
