"""Migrations: they build the schema, and the next one is made, applied with a copy before it, and undone."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
)

from bot.storage import Store, migrating, schema
from bot.storage.columns import SERIAL
from bot.storage.connection import make_engine
from bot.storage.faults import FaultKind
from bot.storage.migrating import alembic_config, head
from bot.table import Status, Terms
from tests.bot.gaming import THREE, Programs, play_on, refused, started
from tests.bot.people import FOUR

ROOT = Path(__file__).parents[3]

T = TypeVar("T")


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    """A file, or an empty database on a server whose schema may be changed."""
    return request.getfixturevalue("bare_database") if getattr(request, "param", "") == "postgres" else ""


both = pytest.mark.parametrize(
    "database", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True
)


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


async def on(address: str, work: Callable[[Connection], T]) -> T:
    """Do something with a database, on a connection of its own that may change the schema."""
    engine = make_engine(address)
    async with engine.execution_options(writes=True, migrates=True).begin() as connection:
        found = await connection.run_sync(work)
    await engine.dispose()
    return found


# The schema


@both
async def test_migrations_build_exactly_the_schema(programs: Programs, tmp_path: Path) -> None:
    def differences(connection: Connection) -> list[Any]:
        options = {"compare_type": True}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), schema.metadata))

    await programs.run()
    assert await on(programs.address, differences) == []
    if not programs.url:
        made = tmp_path / "made.db"
        made.touch()
        await on(url(made), schema.metadata.create_all)
        assert structure(programs.path) == structure(made)


def structure(path: Path) -> dict[str, object]:
    """Columns, keys, indexes and the text of the checks, whatever the order and spelling of the rest."""
    with closing(sqlite3.connect(path)) as connection:
        found: dict[str, object] = {}
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if table != "alembic_version":
                for pragma in ("table_info", "foreign_key_list"):
                    rows = connection.execute(f"PRAGMA {pragma}({table})").fetchall()
                    # A migration adds columns at the end.
                    found[f"{table} {pragma}"] = sorted(row[1:] for row in rows)
                text = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
                found[f"{table} checks"] = sorted(line.strip(" ,\t") for line in text.splitlines() if "CHECK" in line)
        indexes = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index'").fetchall()
        found["indexes"] = sorted((name, sql) for name, sql in indexes if sql is not None)
        return found


async def test_migrating_twice_changes_nothing(path: Path, store: Store) -> None:
    before = structure(path)
    await store.open()
    assert structure(path) == before


def test_alembic_works_on_the_command_line(path: Path) -> None:
    environment = {**os.environ, "DATABASE_URL": url(path)}
    words = [sys.executable, "-m", "alembic", "upgrade", "head"]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(path)) as rows:
        assert rows.execute("SELECT version_num FROM alembic_version").fetchall() == [(head(),)]


# The next migration

NEXT = "9999"
KEPT = (
    "SELECT id, code, status, system, rules, seed FROM games ORDER BY id",
    "SELECT game_id, seat, user_id, computer, name FROM seats ORDER BY 1, 2",
    "SELECT game_id, number, seat, text, actor, at FROM actions ORDER BY 1, 2",
)
"""Queries for what no schema changes."""


def kept(connection: Connection) -> list[object]:
    return [tuple(row) for words in KEPT for row in connection.exec_driver_sql(words)]


def revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def changed() -> MetaData:
    """The schema with one more column of each type, and one more table."""
    metadata = MetaData(naming_convention=schema.metadata.naming_convention)
    for table in schema.metadata.sorted_tables:
        table.to_metadata(metadata)
    games = metadata.tables["games"]
    games.append_column(Column("colour", String(16), nullable=False, server_default="blue"))
    games.append_column(Column("weight", Integer))
    games.append_column(Column("heavy", Boolean, nullable=False, server_default=false()))
    games.append_column(Column("weighed_by", BigInteger))
    games.append_column(Column("remark", Text))
    Table(
        "hats",
        metadata,
        Column("id", SERIAL, primary_key=True),
        Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False, index=True),
    )
    return metadata


async def make_the_next_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the schema and make the migration for it, as a contributor does, in a copy of the migrations."""
    shutil.copytree(migrating.MIGRATIONS, folder / "migrations")
    monkeypatch.setattr(schema, "metadata", changed())
    monkeypatch.setattr(migrating, "MIGRATIONS", folder / "migrations")

    def make(connection: Connection) -> None:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        command.revision(config, "Colours and hats", autogenerate=True, rev_id=NEXT)

    (folder / "empty.db").touch()
    await on(url(folder / "empty.db"), make)
    migrating.revisions.cache_clear()


@pytest.fixture(autouse=True)
def forget_revisions() -> Iterator[None]:
    yield
    migrating.revisions.cache_clear()


@both
async def test_next_migration_is_made_and_running_games_continue(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = await programs.run()
    for number, system in enumerate(THREE):
        game = await started(tables, *FOUR, terms=Terms(system=system))
        await play_on(tables, game.id, random.Random(number), actions=6)
    await programs.stop()
    before, known = head(), await on(programs.address, kept)
    assert len(known) > 6 * len(THREE)
    await make_the_next_one(tmp_path, monkeypatch)
    assert head() == NEXT

    tables = await programs.run()
    assert await on(programs.address, revision) == NEXT
    assert await on(programs.address, kept) == known
    for number in range(1, len(THREE) + 1):
        table = await tables.get(number)
        assert table.status is Status.PLAYING
        await play_on(tables, number, random.Random(number), actions=1)
        assert (await tables.get(number)).number > table.number
    await programs.stop()
    new = await on(programs.address, lambda one: one.exec_driver_sql("SELECT colour, heavy FROM games").all())
    assert set(new) == {("blue", False)}
    copies = [one for one in tmp_path.iterdir() if one.name.startswith(f"dog.db.{before}-")]
    assert len(copies) == (0 if programs.url else 1)
    for one in copies:
        assert await on(url(one), kept) == known
        assert one.stat().st_mode & 0o777 == 0o600

    # What it did can be undone.
    known = await on(programs.address, kept)

    def down(connection: Connection) -> None:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.downgrade(config, before)

    await on(programs.address, down)
    assert await on(programs.address, revision) == before
    assert await on(programs.address, kept) == known


async def test_without_room_for_the_copy_nothing_is_changed(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await programs.run()
    await programs.stop()
    before = await on(programs.address, revision)
    await make_the_next_one(tmp_path, monkeypatch)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(migrating, "copy_file", full)
    store = Store(programs.address)
    await refused(FaultKind.FULL, store.open())
    await store.close()
    assert await on(programs.address, revision) == before


async def test_a_migration_that_fails_changes_nothing(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await programs.run()
    await programs.stop()
    before = structure(programs.path), await on(programs.address, revision)
    await make_the_next_one(tmp_path, monkeypatch)
    real = command.upgrade

    def half(*words: Any) -> None:
        real(*words)
        raise RuntimeError("the power goes out")

    monkeypatch.setattr(migrating.command, "upgrade", half)
    store = Store(programs.address)
    await refused(RuntimeError, store.open())
    await store.close()
    assert (structure(programs.path), await on(programs.address, revision)) == before
