"""What is left of a board once another has followed: its text, and a small picture where the server wants one."""

import random
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from bot.showing.pictures import LARGE, SMALL
from tests.cogs.playing import pass_time, past_the_exchange, play_on
from tests.simtable import SimTable

pytestmark = pytest.mark.full_size


def size(picture: bytes) -> tuple[int, int]:
    """Width and height of a picture, in pixels."""
    with Image.open(BytesIO(picture)) as image:
        return image.size


async def test_old_board_keeps_small_picture(table: SimTable, moderator: Any) -> None:
    await past_the_exchange(table)
    first = table.board()
    assert size(first.pictures[0]) == (LARGE, LARGE)
    await play_on(table, random.Random(5), 1)
    assert not table.exists(first) or table.read(first).pictures == (), "nothing but what it alone tells is left"
    then = table.board()
    told = await table.slash(moderator, "dog-admin settings", old_boards="picture")
    assert "Old boards: words and a small picture" in told.text
    await play_on(table, random.Random(5), 1)
    old = table.read(then)
    assert [size(picture) for picture in old.pictures] == [(SMALL, SMALL)]
    assert len(old.alt) == 1
    places = [line for line in then.alt[0].split(". ") if "in the kennel" in line]
    assert places, "the description of the board says where the pieces stand"
    assert all(line in old.alt[0] for line in places), "the small picture shows the board as it was then"
    assert old.buttons == ()
    assert "<@" not in old.text


async def test_a_past_board_tells_what_no_other_does(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    await play_on(table, random.Random(5), 1)
    await pass_time(table, 7 * 1.2 * 3_600)
    lines = [line for seen in table.boards() for line in seen.text.splitlines() if "** · " in line]
    assert len([line for line in lines if line.startswith("🤖")]) > 1
    assert len(lines) == len(set(lines))


async def test_old_boards_are_deleted_where_wanted(table: SimTable, moderator: Any) -> None:
    await table.slash(moderator, "dog-admin settings", old_boards="gone")
    await past_the_exchange(table)
    first = table.board()
    await play_on(table, random.Random(5), 1)
    assert not table.exists(first)
    assert table.board().id != first.id
