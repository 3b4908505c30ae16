"""Schemas on both kinds of database: running games migrate down and up through all of them, and go on from each."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from bot.storage.connection import make_engine
from bot.storage.migrating import alembic_config, head
from bot.table import Status, Terms
from engine import SYSTEMS
from engine.secret import whole
from tests.bot.gaming import FOUR, House, play_on, started

REVISIONS = [one.revision for one in reversed(list(ScriptDirectory.from_config(alembic_config()).walk_revisions()))]

KEPT = (
    "SELECT id, code, status, system, seed FROM games ORDER BY id",
    "SELECT game_id, seat, user_id, computer, name FROM seats ORDER BY 1, 2",
    "SELECT game_id, number, seat, text, actor, at FROM actions ORDER BY 1, 2",
)
"""Queries for what no schema changes."""


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest) -> str:
    """A database on a server whose schema may be changed, or an empty string for a file."""
    return request.getfixturevalue("bare_database") if request.param == "postgres" else ""


async def go(house: House, revision: str, *, down: bool) -> Sequence[object]:
    """Bring the database down or up to a revision; returns what it holds then."""

    def move(connection: Connection) -> list[object]:
        config = alembic_config()
        config.attributes["connection"] = connection
        (command.downgrade if down else command.upgrade)(config, revision)
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
        assert found == [revision]
        return [tuple(row) for words in KEPT for row in connection.exec_driver_sql(words)]

    engine = make_engine(house.address)
    async with engine.execution_options(writes=True, migrates=True).begin() as connection:
        found = await connection.run_sync(move)
    await engine.dispose()
    return found


async def a_game_of_every_system(house: House) -> None:
    tables = await house.run()
    for number, system in enumerate(SYSTEMS):
        game = await started(tables, *FOUR, terms=Terms(system=system))
        await play_on(tables, game.id, random.Random(number), actions=6)
    await house.stop()


async def test_running_games_go_through_every_schema_one_by_one(house: House) -> None:
    await a_game_of_every_system(house)
    known = await go(house, head(), down=False)
    assert len(known) > 6 * len(SYSTEMS)
    for revision in reversed(REVISIONS[:-1]):
        assert await go(house, revision, down=True) == known
    for revision in REVISIONS[1:]:
        assert await go(house, revision, down=False) == known


@pytest.mark.postgres
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_running_games_go_on_from_every_schema(house: House) -> None:
    """For files, see `tests/bot/test_upgrades.py`."""
    await a_game_of_every_system(house)
    for revision in REVISIONS[:-1]:
        await go(house, revision, down=True)
        tables = await house.run()
        for number in range(1, len(SYSTEMS) + 1):
            before = await tables.get(number)
            assert before.status is Status.PLAYING
            assert before.game is not None
            await play_on(tables, number, random.Random(number), actions=1)
            after = await tables.get(number)
            assert after.game is not None
            assert whole(after.game).log[: before.number] == whole(before.game).log
            assert after.number > before.number
        await house.stop()
