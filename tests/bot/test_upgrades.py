"""Upgrades: running games go on from every schema there has ever been, and nothing stored is lost."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from bot.moment import Moment
from bot.storage import QuietRow, Store, migrating
from bot.storage.connection import make_engine
from bot.storage.faults import DatabaseFull
from bot.storage.migrating import alembic_config, head
from bot.table import Status, Terms
from bot.tables.rows import table_of
from engine import SYSTEMS
from tests.bot.gaming import FOUR, House, play_on, started

REVISIONS = [one.revision for one in reversed(list(ScriptDirectory.from_config(alembic_config()).walk_revisions()))]


@pytest.fixture
def database() -> str:
    """These tests are about the file."""
    return ""


def url(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path.as_posix()}"


async def go(path: Path, revision: str) -> None:
    """Bring a database down or up to a revision."""

    def move(connection: Connection) -> None:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.downgrade(config, revision) if down else command.upgrade(config, revision)

    down = revision != head()
    engine = make_engine(url(path))
    async with engine.execution_options(writes=True, migrates=True).begin() as connection:
        await connection.run_sync(move)
    await engine.dispose()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a running game of every system, one paused, one over and one in its lobby."""
    import asyncio

    async def play() -> None:
        house = House(path)
        tables = await house.run()
        dice = random.Random(1)
        for system in SYSTEMS:
            game = await started(tables, *FOUR, terms=Terms(system=system))
            await play_on(tables, game.id, dice, actions=25)
        over = await started(tables, *FOUR[:2], terms=Terms(system="royal-basic", players=2))
        await play_on(tables, over.id, dice)
        await tables.lobby.open(FOUR[0], 1, 2, None)
        await house.stop()

    path = tmp_path_factory.mktemp("played") / "dog.db"
    asyncio.run(play())
    return path


def logs(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as rows:
        games = rows.execute("SELECT id, code, status, system, seed FROM games ORDER BY id").fetchall()
        seats = rows.execute("SELECT game_id, seat, user_id, computer, name FROM seats ORDER BY 1, 2").fetchall()
        return games + seats + rows.execute("SELECT * FROM actions ORDER BY game_id, number").fetchall()


@pytest.mark.parametrize("revision", REVISIONS)
async def test_running_games_go_on_from_every_schema(played: Path, tmp_path: Path, revision: str) -> None:
    house = House(tmp_path / "dog.db")
    shutil.copy(played, house.path)
    known = logs(house.path)
    if revision != head():
        await go(house.path, revision)
        assert logs(house.path) == known
        with closing(sqlite3.connect(house.path)) as rows:
            assert rows.execute("SELECT version_num FROM alembic_version").fetchall() == [(revision,)]
            assert rows.execute("PRAGMA foreign_key_check").fetchall() == []
    tables = await house.run()
    assert logs(house.path) == known
    statuses = []
    for number in range(1, len(SYSTEMS) + 3):
        table = await tables.get(number)
        statuses.append(table.status)
        if table.status is Status.PLAYING:
            assert table.game is not None
            await play_on(tables, table.id, random.Random(2), actions=3)
            assert (await tables.get(table.id)).number >= table.number + 3
    assert statuses == [Status.PLAYING] * len(SYSTEMS) + [Status.OVER, Status.LOBBY]
    await house.stop()
    copies = [one for one in tmp_path.iterdir() if one.name.startswith(f"dog.db.{revision}-")]
    assert len(copies) == (0 if revision == head() else 1)
    for one in copies:
        assert logs(one) == known
        assert one.stat().st_mode & 0o777 == 0o600


async def test_without_room_for_the_copy_nothing_is_changed(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "dog.db"
    shutil.copy(played, path)
    await go(path, REVISIONS[0])
    before = logs(path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(migrating, "copy_whole", full)
    store = Store(url(path))
    with pytest.raises(DatabaseFull):
        await store.open()
    await store.close()
    assert logs(path) == before
    with closing(sqlite3.connect(path)) as rows:
        assert rows.execute("SELECT version_num FROM alembic_version").fetchall() == [(REVISIONS[0],)]


async def test_a_migration_that_fails_changes_nothing(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "dog.db"
    shutil.copy(played, path)
    await go(path, REVISIONS[1])
    before = logs(path)
    real = command.upgrade

    def half(config: object, revision: str) -> None:
        real(config, REVISIONS[-2])  # type: ignore[arg-type]
        raise RuntimeError("the power goes out")

    monkeypatch.setattr(migrating.command, "upgrade", half)
    store = Store(url(path))
    with pytest.raises(RuntimeError):
        await store.open()
    await store.close()
    assert logs(path) == before
    with closing(sqlite3.connect(path)) as rows:
        assert rows.execute("SELECT version_num FROM alembic_version").fetchall() == [(REVISIONS[1],)]


async def test_moments_and_quiet_hours_are_taken_over_and_given_back(played: Path, tmp_path: Path) -> None:
    path = tmp_path / "dog.db"
    shutil.copy(played, path)
    await go(path, "0008")
    with closing(sqlite3.connect(path)) as rows:
        rows.execute("UPDATE games SET told = 2000017, called = '{\"0\": 2000015}' WHERE id = 1")
        rows.execute("UPDATE games SET told = -1 WHERE id = 2")
        (clock,) = rows.execute("SELECT seat FROM deadlines WHERE game_id = 1 LIMIT 1").fetchone()
        rows.execute("UPDATE deadlines SET decision = 2000015 WHERE game_id = 1 AND seat = ?", (clock,))
        rows.execute("INSERT INTO letters (game_id, user_id, moment, asked) VALUES (1, 5, 1000003, 1)")
        rows.execute("INSERT INTO memory VALUES ('quiet:5', '[77, 1320, 420, \"Europe/Zurich\"]')")
        rows.commit()

    def found() -> list[object]:
        with closing(sqlite3.connect(path)) as rows:
            return [
                *rows.execute("SELECT told FROM games WHERE id < 3 ORDER BY id"),
                *rows.execute("SELECT decision FROM deadlines WHERE game_id = 1 AND seat = ?", (clock,)),
                *rows.execute("SELECT moment FROM letters"),
            ]

    before = found()
    await go(path, head())
    assert found() == [("2-17",), ("-1",), ("2-15",), ("1-3",)]
    store = Store(url(path))
    await store.open()
    assert await store.people.quiet_choice(5) == QuietRow(77, 1320, 420, "Europe/Zurich")
    assert await store.recall("quiet:5") is None
    snapshot = await store.games.snapshot(1)
    assert snapshot is not None
    assert table_of(snapshot, None).called == {0: Moment(2, 15)}
    await store.close()
    await go(path, "0008")
    assert found() == before
    with closing(sqlite3.connect(path)) as rows:
        assert rows.execute("SELECT value FROM memory WHERE key = 'quiet:5'").fetchall() == [
            ('[77, 1320, 420, "Europe/Zurich"]',)
        ]
