"""Several connections to Discord in one process: a game is played the same on each."""

from __future__ import annotations

import pytest

from bot.client import create_bot
from bot.settings import Settings
from tests.simtable import SimTable


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"shard_count": 3})


async def test_a_game_begins_where_there_are_several_shards(table: SimTable) -> None:
    assert table.bot.shard_count == 3
    ann = table.members[0]
    await table.slash(ann, "dog new")
    for _ in range(3):
        await table.click(ann, "Add computer")
    await table.click(ann, "Start")
    (game,) = await table.bot.tables.in_channel(table.channel.id)
    assert game.number >= 3


def test_discord_says_how_many_if_nobody_else_does(settings: Settings) -> None:
    assert create_bot(settings.model_copy(update={"shard_count": None})).shard_count is None
