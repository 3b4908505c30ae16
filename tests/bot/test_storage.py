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
from sqlalchemy.exc import IntegrityError

from bot.errors import Conflict, DatabaseTooNew, SettingsError
from bot.storage import PAST, ActionRow, BoardRow, LetterRow, NoteRow, SeatRow, StandingRow, Store
from bot.storage.connection import make_engine
from bot.storage.migrating import alembic_config, migrate
from bot.storage.schema import metadata

ROOT = Path(__file__).parents[2]
SEED = bytes(range(32))
LOBBY: dict[str, Any] = {
    "code": "FOX-7",
    "guild_id": 2**62,
    "channel_id": 20,
    "host_id": 30,
    "status": "lobby",
    "system": "classic",
    "players": 4,
    "options": {},
    "pace": "daily",
    "locale": "en-US",
    "theme": "slate",
    "created_at": 1_000,
    "changed_at": 1_000,
}


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


@pytest.fixture
async def rival(path: Path, store: Store) -> AsyncIterator[Store]:
    """A second process on the same database, as far as the database can tell."""
    opened = Store(url(path))
    yield opened
    await opened.close()


async def lobby(store: Store, **values: object) -> int:
    async with store.games.create(**{**LOBBY, **values}) as change:
        await change.seat([SeatRow(0, 30, None, "Ann"), SeatRow(1, None, "heuristic", "Rex")])
    return change.game_id


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
                "busy_timeout": 25_000,
                "synchronous": 2,
            }.items():
                assert (await connection.exec_driver_sql(f"PRAGMA {pragma}")).scalar() == value, pragma


@pytest.mark.parametrize(
    "bad", ["nonsense", "sqlite+aiosqlite://", "sqlite+aiosqlite:///:memory:", "sqlite:///dog.db", "nosuch+db://x/y"]
)
def test_a_bad_address_is_explained(bad: str) -> None:
    with pytest.raises(SettingsError, match="DATABASE_URL"):
        Store(bad)


# Rows


async def test_what_is_written_is_read_again(store: Store) -> None:
    game_id = await lobby(store)
    async with store.games.change(game_id, 1, at=2_000) as change:
        await change.set(status="playing", seed=SEED, started_at=2_000)
        await change.append(ActionRow(1, 0, "give K", "30", 2_000))
        await change.note(NoteRow(0, "started", 2_000, 30, None, {"a": [1]}))
    snapshot = await store.games.snapshot(game_id)
    assert snapshot is not None
    assert (snapshot.game.guild_id, snapshot.game.version, snapshot.game.seed) == (2**62, 2, SEED)
    assert snapshot.game.changed_at == 2_000
    assert snapshot.seats == (SeatRow(0, 30, None, "Ann"), SeatRow(1, None, "heuristic", "Rex"))
    assert snapshot.actions == (ActionRow(1, 0, "give K", "30", 2_000),)
    assert await store.games.actions(game_id, after=1) == ()
    assert await store.games.notes(game_id) == (NoteRow(0, "started", 2_000, 30, None, {"a": [1]}),)
    known = await store.games.snapshot(game_id, known=2)
    assert known is not None
    assert known.actions is None
    assert await store.games.snapshot(game_id + 1) is None


async def test_secrets_are_in_no_repr(store: Store) -> None:
    game_id = await lobby(store, status="playing", seed=SEED)
    game = (await store.games.snapshot(game_id)).game  # type: ignore[union-attr]
    assert "x00" not in repr(game)
    assert "give" not in repr(ActionRow(1, 0, "give K", "30", 0))


async def test_lookups_find_open_games_newest_first(store: Store) -> None:
    first = await lobby(store)
    second = await lobby(store, code="OWL-1")
    other = await lobby(store, code="FOX-7", guild_id=11, channel_id=21)
    over = await lobby(store, code="CAT-1", status="over", seed=SEED, started_at=1, ended_at=5)
    assert await store.games.open_ids() == (first, second, other)
    assert await store.games.open_codes(2**62) == {"FOX-7", "OWL-1"}
    assert await store.games.ids_in_channel(20) == (second, first)
    assert await store.games.ids_of_member(30) == (other, second, first)
    assert await store.games.ids_of_member(31) == ()
    assert await store.games.id_by_code(11, "FOX-7") == other
    assert await store.games.id_by_code(2**62, "CAT-1") == over
    assert await store.games.id_by_code(2**62, "CAT-2") is None
    assert await store.games.id_last_ended(20) == over
    assert await store.games.id_last_ended(21) is None


async def test_an_open_game_is_found_before_finished_ones_of_the_same_code(store: Store) -> None:
    open_one = await lobby(store)
    await lobby(store, status="over", seed=SEED)
    assert await store.games.id_by_code(2**62, "FOX-7") == open_one


async def test_errors_of_the_database_quote_no_values(store: Store) -> None:
    game_id = await lobby(store)

    async def wrong() -> None:
        async with store.games.change(game_id, 1, at=5) as change:
            await change.set(code="hush", status="nonsense")

    with pytest.raises(IntegrityError) as caught:
        await wrong()
    assert "hush" not in str(caught.value)


# Two writers


async def test_two_open_games_of_a_guild_never_share_a_code(store: Store) -> None:
    await lobby(store)
    with pytest.raises(Conflict):
        await lobby(store)
    await lobby(store, guild_id=11)
    await lobby(store, status="cancelled")


async def test_a_second_writer_of_the_same_number_loses_and_writes_nothing(store: Store, rival: Store) -> None:
    game_id = await lobby(store, status="playing", seed=SEED)

    async def write(into: Store, actor: str) -> None:
        async with into.games.change(game_id, 1, at=5) as change:
            await change.note(NoteRow(0, actor, 5, None, None, {}))
            await change.append(ActionRow(1, 0, "fold", actor, 5))

    results = await asyncio.gather(write(store, "1"), write(rival, "2"), return_exceptions=True)
    assert [type(result) for result in results].count(Conflict) == 1
    assert results.count(None) == 1
    (action,) = await store.games.actions(game_id)
    (note,) = await store.games.notes(game_id)
    assert note.kind == action.actor == str(1 + results.index(None))


async def test_the_log_itself_refuses_a_second_action_of_a_number(store: Store) -> None:
    game_id = await lobby(store, status="playing", seed=SEED)
    async with store.games.change(game_id, 1, at=5) as change:
        await change.append(ActionRow(1, 0, "give K", "1", 5))

    async def again() -> None:
        async with store.games.change(game_id, 2, at=6) as change:
            await change.set(host_id=99)
            await change.append(ActionRow(1, 1, "give Q", "2", 6))

    with pytest.raises(Conflict) as caught:
        await again()
    assert (caught.value.table_id, caught.value.number) == (game_id, 1)
    assert caught.value.__cause__ is None
    assert "give" not in str(caught.value)
    snapshot = await store.games.snapshot(game_id)
    assert snapshot is not None
    assert (snapshot.game.version, snapshot.game.host_id) == (2, 30), "nothing of the loser was written"


async def test_a_change_that_fails_leaves_no_trace(store: Store) -> None:
    game_id = await lobby(store)

    async def fail() -> None:
        async with store.games.change(game_id, 1, at=5) as change:
            await change.seat([])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    snapshot = await store.games.snapshot(game_id)
    assert snapshot is not None
    assert snapshot.game.version == 1
    assert len(snapshot.seats) == 2


async def test_a_game_that_is_gone_counts_as_outrun(store: Store) -> None:
    with pytest.raises(Conflict):
        async with store.games.change(77, 1, at=5):
            pass


async def test_the_announcers_memory_leaves_the_version(store: Store) -> None:
    game_id = await lobby(store)
    nothing, first, second = (
        BoardRow(None, None, None, None, {}),
        BoardRow(1, 2, 1, 0, {0: 7}),
        BoardRow(1, 3, 1, 4, {0: 7, 2: 9}),
    )
    assert await store.telling.remember_board(game_id, 1, nothing, first, [LetterRow(5, 0, True)]) is None
    past = await store.telling.remember_board(game_id, 1, first, second, [LetterRow(5, 4, False)])
    assert past == StandingRow(1, 2, PAST, {"0": 0})
    for stale in (nothing, first):
        with pytest.raises(Conflict):
            await store.telling.remember_board(game_id, 1, stale, BoardRow(1, 9, 1, 4, {}))
    with pytest.raises(Conflict):
        await store.telling.remember_board(game_id, 2, second, BoardRow(1, 9, 2, 4, {}))
    snapshot = await store.games.snapshot(game_id)
    assert snapshot is not None
    assert (snapshot.game.version, snapshot.game.board_message_id, snapshot.game.told) == (1, 3, 4)
    assert snapshot.game.called == {"0": 7, "2": 9}
    assert await store.telling.standing(game_id) == (StandingRow(1, 2, PAST, {"0": 0}),), (
        "the board before is to be retired"
    )
    assert await store.telling.letters(game_id) == (LetterRow(5, 4, False),)
    await store.telling.sent(game_id, LetterRow(5, 0, True))
    assert len(await store.telling.letters(game_id)) == 1, "another letter than the one that was sent"
    await store.telling.sent(game_id, LetterRow(5, 4, False))
    assert await store.telling.letters(game_id) == ()


async def test_messages_stand_until_they_fall(store: Store) -> None:
    game_id = await lobby(store)
    first, second = StandingRow(1, 5, "up", {"0": 3}, "a"), StandingRow(1, 6, "reminder", {"2": 3}, "b")
    await store.telling.remember_notice(game_id, first)
    await store.telling.remember_notice(game_id, second)
    changed = StandingRow(1, 5, "up", {}, "c")
    await store.telling.remember_notice(game_id, changed)
    assert {standing.text for standing in await store.telling.standing(game_id)} == {"b", "c"}
    await store.telling.forget_notice(game_id, changed)
    assert await store.telling.standing(game_id) == (second,)


async def test_preferences_are_kept(store: Store) -> None:
    assert await store.people.preferences(5) == {}
    await store.people.prefer(5, theme="wood")
    await store.people.prefer(5, locale="de")
    await store.guilds.prefer(5, locale="hu")
    row = await store.people.preferences(5)
    assert (row["user_id"], row["theme"], row["locale"], row["notify"]) == (5, "wood", "de", "channel")
    assert (await store.guilds.preferences(5))["theme"] is None


async def test_facts_are_remembered(store: Store) -> None:
    assert await store.recall("commands") is None
    await store.remember("commands", "a")
    await store.remember("commands", "b")
    await store.remember("other", "c")
    assert await store.recall("commands") == "b"
