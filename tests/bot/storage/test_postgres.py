"""Several processes on one PostgreSQL: no false alarm, nothing done twice, everything copied."""

import asyncio
import random
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.errors import Conflict, TooManyHere, Violation
from bot.occupants import Person
from bot.storage import Store
from bot.storage.backup import CannotCopy, back_up, copy, restore
from bot.storage.migrating import head
from bot.table import Status, Terms
from engine.secret import whole
from tests.bot.gaming import THREE, Programs, play_on, refused, started
from tests.bot.people import ANN, FOUR, MOD

pytestmark = pytest.mark.postgres


@pytest.fixture
def database(server_database: str) -> str:
    """These tests are about a server."""
    return server_database


@pytest.fixture
async def store(programs: Programs) -> Store:
    await programs.run()
    return programs.opened[-1][0]


# Migrations


async def test_many_first_starts_at_once(bare_database: str) -> None:
    stores = [Store(bare_database) for _ in range(4)]
    await asyncio.gather(*(store.open() for store in stores))
    for store in stores:
        assert await store.games.ids_in_channel(20) == ()
        await store.close()


# Writers


async def test_two_processes_play_many_tables_without_a_failure(programs: Programs) -> None:
    one, other = await programs.run(), await programs.run()
    games = [await started(one, *FOUR, terms=Terms(pace="none")) for _ in range(8)]
    dice = random.Random(3)
    half = len(games) // 2
    await asyncio.gather(
        *(play_on(one, game.id, dice, actions=12) for game in games[:half]),
        *(play_on(other, game.id, dice, actions=12) for game in games[half:]),
    )
    for game in games:
        mine, theirs = await one.get(game.id), await other.get(game.id)
        assert mine.number == theirs.number >= 12
        assert whole(mine.game).log == whole(theirs.game).log


async def test_limits_hold_for_all_processes(programs: Programs) -> None:
    several = [await programs.run() for _ in range(4)]
    await several[0].moderation.configure_guild(MOD, 1, per_channel=3)
    people = [Person(number, f"P{number}") for number in range(1, 13)]
    found = await asyncio.gather(
        *(several[number % 4].lobby.open(person, 1, 2, None) for number, person in enumerate(people)),
        return_exceptions=True,
    )
    assert sum(not isinstance(one, Exception) for one in found) == 3
    assert {type(one) for one in found if isinstance(one, Exception)} == {TooManyHere}


async def test_a_deadlock_is_a_conflict(store: Store) -> None:
    met = asyncio.Barrier(2)

    async def write(first: str, second: str) -> None:
        async with store.writing() as connection:
            for key in (first, second):
                await connection.execute(text("UPDATE facts SET value = 'x' WHERE key = :key"), {"key": key})
                if key == first:
                    await met.wait()

    await store.remember("a", "1")
    await store.remember("b", "1")
    found = await asyncio.gather(write("a", "b"), write("b", "a"), return_exceptions=True)
    assert sorted(type(one) for one in found if one is not None) == [Conflict]
    assert store.fault is None


async def test_a_wrong_sequence_is_no_conflict(programs: Programs) -> None:
    tables = await programs.run()
    await started(tables, *FOUR)
    await programs.by_hand("ALTER SEQUENCE games_id_seq RESTART WITH 1")
    assert (await refused(Violation, tables.lobby.open(ANN, 1, 2, None))).constraint == "pk_games"


async def test_a_reader_sees_one_moment(programs: Programs) -> None:
    tables = await programs.run()
    store = programs.opened[-1][0]
    game = await started(tables, *FOUR)
    async with store.reading() as connection:
        first = (await connection.execute(text("SELECT count(*) FROM actions"))).scalar()
        await play_on(tables, game.id, random.Random(1), actions=3)
        assert (await connection.execute(text("SELECT count(*) FROM actions"))).scalar() == first


# Moving


async def test_everything_moves_there_and_back(programs: Programs, tmp_path: Path) -> None:
    file = Programs(tmp_path / "file.db", clock=programs.clock)
    tables = await file.run()
    games = [await started(tables, *FOUR, terms=Terms(system=system)) for system in THREE]
    for game in games:
        await play_on(tables, game.id, random.Random(game.id), actions=12)
    await tables.lobby.open(ANN, 1, 2, None)
    known = [whole((await tables.get(game.id)).game) for game in games]
    await file.stop()
    back = Programs(tmp_path / "back.db", clock=programs.clock)
    there = await copy(file.address, programs.address)
    assert there["games"] == len(games) + 1
    assert (await copy(programs.address, back.address)) == there
    await refused(CannotCopy, copy(file.address, programs.address), match="not empty")
    for place in (programs, back):
        tables = await place.run()
        for game, before in zip(games, known, strict=True):
            table = await tables.get(game.id)
            assert (whole(table.game).log, whole(table.game).view()) == (before.log, before.view())
            await play_on(tables, game.id, random.Random(2), actions=4)
        # In every table that assigns ids, they continue where they were.
        fresh = await started(tables, *FOUR)
        assert fresh.id == len(games) + 2
        assert fresh.status is Status.PLAYING
    await back.stop()


async def test_server_backup_is_whole_during_play(programs: Programs, tmp_path: Path) -> None:
    tables = await programs.run()
    games = [await started(tables, *FOUR, terms=Terms(pace="none")) for _ in range(3)]
    playing = [
        asyncio.create_task(play_on(tables, game.id, random.Random(game.id), actions=1_000_000)) for game in games
    ]
    before = {game.id: (await tables.get(game.id)).number for game in games}
    content = await back_up(programs.address, tmp_path / "saved.db")
    after = {game.id: (await tables.get(game.id)).number for game in games}
    for task in playing:
        task.cancel()
    await asyncio.wait(playing)
    assert (content.revision, content.games, content.running) == (head(), len(games), len(games))
    assert [one.name for one in tmp_path.iterdir()] == ["saved.db"]
    await refused(CannotCopy, restore(tmp_path / "saved.db", programs.address), match="not empty")
    assert before != after, "nothing was played meanwhile"
    again = Programs(tmp_path / "again.db")
    await restore(tmp_path / "saved.db", again.address)
    tables = await again.run()
    for game in games:
        assert before[game.id] <= (await tables.get(game.id)).number <= after[game.id]
        await play_on(tables, game.id, random.Random(2), actions=1)
    await again.stop()
