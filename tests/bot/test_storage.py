"""The database: migrations build the schema, SQLite is set up, and a second writer loses cleanly."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from bot.errors import DatabaseTooNew, SettingsError
from bot.storage import ActionRow, SeatRow, Store
from bot.storage import connection as connections
from bot.storage.connection import make_engine
from bot.storage.migrating import alembic_config, migrate
from bot.storage.schema import metadata
from tests.bot.rows import LOBBY

ROOT = Path(__file__).parents[2]

SEED = bytes(range(32))


def url(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path.as_posix()}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "dog.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    opened = Store(url(path))
    await opened.open()
    yield opened
    await opened.close()


# The schema


async def test_migrations_build_exactly_the_schema(path: Path, tmp_path: Path) -> None:
    (tmp_path / "made.db").touch()
    migrated, made = make_engine(url(path)), make_engine(url(tmp_path / "made.db"))
    await migrate(migrated)
    async with made.begin() as connection:
        await connection.run_sync(metadata.create_all)

    def differences(connection: Connection) -> list[Any]:
        return list(compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata))

    async with migrated.connect() as connection:
        assert await connection.run_sync(differences) == []
    await migrated.dispose()
    await made.dispose()
    assert _structure(path) == _structure(tmp_path / "made.db")


def _structure(path: Path) -> dict[str, object]:
    """Columns, keys, indexes and the text of the checks, whatever the order and spelling of the rest."""
    connection = sqlite3.connect(path)
    try:
        found: dict[str, object] = {}
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if table != "alembic_version":
                for pragma in ("table_info", "foreign_key_list"):
                    found[f"{table} {pragma}"] = sorted(connection.execute(f"PRAGMA {pragma}({table})").fetchall())
                text = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
                found[f"{table} checks"] = sorted(line.strip(" ,\t") for line in text.splitlines() if "CHECK" in line)
        indexes = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index'").fetchall()
        found["indexes"] = sorted((name, sql) for name, sql in indexes if sql is not None)
        return found
    finally:
        connection.close()


async def test_migrating_twice_changes_nothing(path: Path, store: Store) -> None:
    before = _structure(path)
    await store.open()
    assert _structure(path) == before


async def test_two_programs_may_start_at_the_same_time(path: Path) -> None:
    stores = [Store(url(path)) for _ in range(3)]
    await asyncio.gather(*(store.open() for store in stores))
    for store in stores:
        assert await store.games.open_ids() == ()
        await store.close()


async def test_a_database_from_the_future_is_refused(path: Path, store: Store) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE alembic_version SET version_num = 'fff1'")
    connection.commit()
    connection.close()
    with pytest.raises(DatabaseTooNew) as caught:
        await store.open()
    assert caught.value.revision == "fff1"


def test_every_migration_can_be_undone(path: Path) -> None:
    def down(connection: Connection) -> None:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        command.downgrade(config, "base")

    async def run() -> None:
        path.touch()
        engine = make_engine(url(path))
        async with engine.begin() as connection:
            await connection.run_sync(down)
        await engine.dispose()

    asyncio.run(run())
    assert _structure(path) == {"indexes": []}


def test_alembic_works_on_the_command_line(path: Path) -> None:
    environment = {**os.environ, "DATABASE_URL": url(path)}
    for words in (["upgrade", "head"], ["check"], ["current"]):
        done = subprocess.run(
            [sys.executable, "-m", "alembic", *words],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


async def test_games_of_the_first_version_go_on(path: Path) -> None:
    def first(connection: Connection) -> None:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")

    path.touch()
    engine = make_engine(url(path))
    async with engine.begin() as connection:
        await connection.run_sync(first)
        columns = [*LOBBY, "version", "seed"]
        values = {**LOBBY, "status": "playing", "options": "{}", "version": 3, "seed": SEED}
        marks = ", ".join("?" * len(columns))
        await connection.exec_driver_sql(
            f"INSERT INTO games ({', '.join(columns)}) VALUES ({marks})", tuple(values[name] for name in columns)
        )
        await connection.exec_driver_sql("INSERT INTO seats (game_id, seat, user_id, name) VALUES (1, 0, 30, 'Ann')")
        await connection.exec_driver_sql("INSERT INTO actions VALUES (1, 1, 0, 'give K', '30', 5)")
        await connection.exec_driver_sql("INSERT INTO players (user_id, theme) VALUES (30, 'wood')")
    await engine.dispose()
    store = Store(url(path))
    await store.open()
    snapshot = await store.games.snapshot(1)
    assert snapshot is not None
    assert (snapshot.game.takebacks, snapshot.game.lost, snapshot.deadlines) == (0, None, ())
    assert snapshot.seats == (SeatRow(0, 30, None, "Ann"),)
    assert snapshot.actions == (ActionRow(1, 0, "give K", "30", 5),)
    row = await store.people.preferences(30)
    assert (row["theme"], row["notify"], row["dm_told"]) == ("wood", "channel", False)
    assert await store.deadlines.ids_without_clocks() == (1,)
    await store.close()


# Connections


async def test_every_connection_is_set_up(store: Store) -> None:
    async with store.database.reading() as one, store.database.reading() as other:
        for connection in (one, other):
            for pragma, value in {
                "journal_mode": "wal",
                "foreign_keys": 1,
                "busy_timeout": round(connections.PATIENCE * 1000),
                "synchronous": 2,
            }.items():
                assert (await connection.exec_driver_sql(f"PRAGMA {pragma}")).scalar() == value, pragma


@pytest.mark.parametrize(
    "bad", ["nonsense", "sqlite+aiosqlite://", "sqlite+aiosqlite:///:memory:", "sqlite:///dog.db", "nosuch+db://x/y"]
)
def test_a_bad_address_is_explained(bad: str) -> None:
    with pytest.raises(SettingsError, match="DATABASE_URL"):
        Store(bad)
