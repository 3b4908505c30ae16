"""Operators' commands: what they change is done by the bot that runs, or on the spot, and never half."""

import asyncio
import json
import os
import random
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from sqlalchemy import update

from bot.operating import operators
from bot.operating.operators import Site, carry_out, operator_of, socket_of
from bot.program import LATER, WRONG, main
from bot.settings import Settings
from bot.storage import Store, schema
from bot.table import Status, Terms
from bot.tables.finished.records import faults_of
from bot.tables.service import Tables
from tests.bot.gaming import Programs, hold, play_on, started
from tests.bot.operating.portal import TOKEN
from tests.bot.people import ANN, FOUR

GIVEN = {"dry_run": False, "reason": "", "resume": False, "over": False, "undo": False, "id": None, "text": ""}

Run = Callable[..., tuple[int, Any]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a database in which two games are played."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)

    async def fill() -> None:
        store = Store("sqlite+aiosqlite:///data/dog.db")
        await store.open()
        tables = Tables(store)
        await started(tables, *FOUR)
        await started(tables, *FOUR, terms=Terms(pace="live"))
        await tables.close()
        await store.close()

    asyncio.run(fill())
    return tmp_path


@pytest.fixture
def run(home: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Run a command; returns its status and what it printed: JSON if it can be read so, else the text."""
    mask = os.umask(0o022)

    def command(*words: str) -> tuple[int, Any]:
        status = main(words)
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        text = said.out if status in (0, WRONG) and said.out else said.err
        try:
            return status, json.loads(text)
        except ValueError:
            return status, text

    yield command
    os.umask(mask)


# Where no bot runs


def test_tables_are_listed(run: Run) -> None:
    status, listed = run("tables", "--json")
    assert (status, [one["status"] for one in listed["tables"]]) == (0, ["playing", "playing"])
    assert "2 open tables." in run("tables")[1]
    assert run("tables", "--guild", "99", "--json")[1] == {"tables": []}


def test_somebody_is_exported_and_forgotten(run: Run) -> None:
    status, found = run("export", str(ANN.id))
    assert (status, len(found["seats"])) == (0, 2)
    assert run("forget", str(ANN.id), "--dry-run", "--json")[1]["rows"]["seats"] == 2
    assert run("forget", str(ANN.id)) == (0, f"{ANN.id} is forgotten. Bans and blocks stay.\n")
    assert run("export", str(ANN.id)) == (0, {})
    assert run("rebuild-stats", "--json") == (0, {"games": 0})


def test_operator_pauses_resumes_and_ends_a_table(run: Run) -> None:
    assert run("pause", "1", "--dry-run", "--json") == (0, {"table": 1, "status": "playing"})
    assert run("pause", "1", "--reason", "repairs", "--json") == (0, {"table": 1, "status": "paused"})
    assert run("pause", "1", "--resume", "--json") == (0, {"table": 1, "status": "playing"})
    code = run("tables", "--json")[1]["tables"][0]["code"]
    assert run("end", code.lower(), "--dry-run", "--json") == (0, {"table": 1, "status": "playing"})
    assert run("end", code.lower(), "--json") == (0, {"table": 1, "status": "cancelled"})
    for words, state in (
        (("end", "1"), "is over"),
        (("pause", "1"), "is over"),
        (("pause", "2", "--resume"), "is not paused"),
    ):
        status, said = run(*words)
        assert (status, state in said) == (WRONG, True)
    run("pause", "2")
    assert "(table 2) is paused already." in run("pause", "2")[1]


def test_what_is_not_there_is_named(run: Run, home: Path) -> None:
    # Codes are drawn at random, and of so few tables none has a number with two digits.
    assert run("pause", "ELK-99")[1].startswith("There is no table ELK-99")
    assert run("verify", "77")[0] == WRONG
    assert "1 to 300 characters" in run("announce", "x" * 301)[1]
    (home / "empty").mkdir()
    status, said = run("--home", str(home / "empty"), "tables")
    assert (status, "There is no database" in said) == (WRONG, True)
    file = home / "empty" / "data" / "dog.db"
    file.parent.mkdir()
    file.write_bytes(b"")
    assert "is empty: bring a backup back" in run("--home", str(home / "empty"), "tables")[1]


def test_tables_are_listed_from_a_read_only_drive(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "is_on_read_only_drive", lambda path: True)
    before = {one.name for one in (home / "data").iterdir()}
    assert "2 open tables." in run("tables")[1]
    assert {one.name for one in (home / "data").iterdir()} == before


def test_servers_are_listed_and_left(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[int] = []

    async def login(client: discord.Client, token: str) -> None:
        client._connection.user = SimpleNamespace(id=7)  # type: ignore[assignment]

    async def member(http: object, guild: int, user: int) -> dict[str, str]:
        return {"joined_at": f"2026-0{guild}-03T00:00:00+00:00"}

    async def leave(http: object, guild: int) -> None:
        left.append(guild)

    async def guilds(client: object, **_: object) -> AsyncIterator[SimpleNamespace]:
        yield SimpleNamespace(id=1, name="Café", approximate_member_count=12)
        yield SimpleNamespace(id=2, name="Quiet", approximate_member_count=None)

    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr(discord.Client, "login", login)
    monkeypatch.setattr(discord.Client, "fetch_guilds", guilds)
    monkeypatch.setattr(discord.http.HTTPClient, "get_member", member)
    monkeypatch.setattr(discord.http.HTTPClient, "leave_guild", leave)
    status, found = run("servers", "--json")
    quiet, played = found["servers"]
    assert (status, quiet["last_game"], played["games"], played["since"]) == (0, None, 2, "2026-01-03")
    assert "2 servers." in run("servers")[1]
    assert run("servers", "--leave", "2", "--dry-run")[1] == "Quiet (server 2): would be left.\n"
    assert run("servers", "--leave", "3", "--dry-run")[0] == WRONG
    assert left == []
    run("servers", "--leave", "2")
    assert left == [2]


def test_games_are_verified(run: Run, home: Path) -> None:
    assert run("verify", "--json") == (0, {"checked": 2, "broken": {}})
    with closing(sqlite3.connect(home / "data" / "dog.db")) as rows, rows:
        act = "INSERT INTO actions (game_id, number, seat, text, actor, at) VALUES (?, ?, 0, 'give Z', '101', 1)"
        rows.executemany(act, [(1, 1), (2, 2)])
    rows.close()
    status, found = run("verify", "--json")
    assert (status, found["checked"]) == (WRONG, 2)
    assert {one: faults[0].split(",")[0] for one, faults in found["broken"].items()} == {
        "1": "1 actions",
        "2": "actions are missing from its log",
    }
    assert "table 1" in run("verify", "1")[1]


async def test_operator_verifies_a_finished_game(tmp_path: Path) -> None:
    store = Store(f"sqlite+aiosqlite:///{tmp_path.as_posix()}/dog.db")
    await store.open()
    tables = Tables(store)
    table = await started(tables, *FOUR)
    assert await faults_of(store, tables.records, table.id) == ()
    assert await faults_of(store, tables.records, 99) == ("there is no such game",)
    assert (await play_on(tables, table.id, random.Random(3))).status is Status.OVER
    assert await faults_of(store, tables.records, table.id) == ()
    async with store.writing() as connection:
        await connection.execute(update(schema.games).values(secret=bytes(32)))
    faults = await faults_of(store, tables.records, table.id)
    assert faults
    assert all(one.startswith("record: ") for one in faults)
    await tables.close()
    await store.close()


def test_announcement_is_told_and_stops_the_clocks(run: Run, home: Path) -> None:
    def due() -> set[int | None]:
        with closing(sqlite3.connect(home / "data" / "dog.db")) as rows, rows:
            return {one for (one,) in rows.execute("SELECT due_at FROM deadlines WHERE seat >= 0")}

    assert None not in due()
    assert run("announce", "Update at 20:00.", "--dry-run", "--json") == (0, {"tables": 2})
    assert None not in due()
    assert run("announce", "Update at 20:00.", "--json") == (0, {"tables": 2})
    assert due() == {None}
    assert run("announce", "Update at 20:00.", "--json") == (0, {"tables": 0})
    assert run("announce", "--over", "--json") == (0, {"tables": 2})
    assert None not in due()


def test_who_is_blocked_is_remembered(run: Run) -> None:
    assert "Nobody" in run("block")[1]
    assert run("block", "42", "--dry-run", "--json")[0] == 0
    assert run("block", "--json") == (0, {"blocked": {}})
    run("block", "42", "--reason", "spam")
    assert run("block", "--json") == (0, {"blocked": {"42": "spam"}})
    assert run("block", "42", "--undo")[0] == 0
    assert run("block", "42", "--undo")[0] == WRONG


def test_running_bot_that_cannot_be_asked_is_untouched(run: Run, home: Path) -> None:
    other = hold(home / "data" / "dog.db")
    status, said = run("pause", "1")
    other.kill()
    other.communicate()
    assert (status, f"process {other.pid}" in said) == (LATER, True)


# Beside a bot that runs


@pytest.mark.on_a_file
async def test_an_order_that_is_refused_says_why(programs: Programs) -> None:
    tables = await programs.run()
    site = Site(tables, programs.opened[0][0], operator_of(1))
    assert "no table" in (await carry_out(site, "pause", {**GIVEN, "table": "9"}))["error"]


def test_where_orders_are_taken() -> None:
    shared = {"_env_file": None, "database_url": "postgresql+asyncpg://dog@db/dog", "shard_count": 9}
    assert socket_of(Settings(**shared, shard_ids="3-5")) == Path("data/dog-3.orders")


@pytest.mark.postgres
async def test_orders_on_a_shared_database_reach_the_bot(
    server_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", server_database)
    store = Store(server_database)
    await store.open()
    await store.locks.take()
    try:
        assert await asyncio.to_thread(main, ["tables"]) == 0
        assert await asyncio.to_thread(main, ["announce", "Soon."]) == LATER
        assert f"process {os.getpid()}" in capsys.readouterr().err
    finally:
        await store.close()
    assert await asyncio.to_thread(main, ["announce", "Soon."]) == 0
