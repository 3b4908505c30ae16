"""Several connections to Discord in one process: a game is played the same on each."""

from types import SimpleNamespace

import pytest

from bot.client import DogBot
from bot.languages import learn_commands
from bot.settings import Settings
from tests.cogs.playing import seat_everyone
from tests.simtable import SimTable


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"shard_count": 3})


async def test_a_game_begins_where_there_are_several_shards(table: SimTable) -> None:
    assert table.bot.shard_count == 3
    await seat_everyone(table, computers=3)
    (game,) = await table.bot.tables.in_channel(table.channel.id)
    assert game.number >= 3


def test_discord_says_how_many_if_nobody_else_does(settings: Settings) -> None:
    assert DogBot(settings.model_copy(update={"shard_count": None})).shard_count is None


async def test_process_with_shard_0_sends_the_commands(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []

    async def knows_them(shard: int) -> bool:
        """Start a process with this shard; returns whether it knows the ids of the commands then."""
        async with DogBot(settings.model_copy(update={"shard_ids": (shard,)})) as bot:
            assert (bot.shard_count, bot.shard_ids) == (3, [shard])
            await bot.store.open()

            async def sync(**_: object) -> list[object]:
                sent.append(shard)
                return [SimpleNamespace(name="dog", id=7)]

            async def fetch(**_: object) -> list[object]:
                return [SimpleNamespace(name="dog", id=7)]

            monkeypatch.setattr(bot.tree, "sync", sync)
            monkeypatch.setattr(bot.tree, "fetch_commands", fetch)
            return await bot._sync_commands()

    assert not await knows_them(2), "nobody has sent them yet"
    assert await knows_them(0)
    assert await knows_them(2)
    assert sent == [0]
    learn_commands({})
