"""Fixtures for the bot's tests: a database of each kind, and one program running on it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot import pools
from bot.preferences import OnlyMove
from bot.storage import connection
from bot.tables import playing
from bot.tables.service import Tables
from tests import template
from tests.bot.gaming import Programs
from tests.template import fresh_database

CALM = 280.0
"""Seconds: a test that hangs is ended soon after."""


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writers wait for their turn as long as a busy machine may take; tests of the waiting itself set it shorter.

    Processes that think yield only a little to the other tests, which would leave them next to nothing.
    """
    monkeypatch.setattr(pools, "NICENESS", 1)
    monkeypatch.setattr(connection, "PATIENCE", CALM)
    monkeypatch.setattr(connection, "CONNECT_PATIENCE", CALM)
    monkeypatch.setitem(connection.SERVER_SETTINGS, "lock_timeout", f"{CALM:.0f}s")
    monkeypatch.setitem(connection.SERVER_SETTINGS, "idle_in_transaction_session_timeout", f"{CALM:.0f}s")


@pytest.fixture(autouse=True)
def every_move_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's only move is played for them, so that games stop where a test wants them."""
    monkeypatch.setattr(playing, "USUAL", OnlyMove.NEVER)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave PostgreSQL out for tests marked `on_a_file`."""
    items[:] = [
        one for one in items if not (one.get_closest_marker("on_a_file") and one.get_closest_marker("postgres"))
    ]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest) -> str:
    """The address of an empty database on a server, or an empty string for a file."""
    return request.getfixturevalue("server_database") if request.param == "postgres" else ""


@pytest.fixture
def sqlite_in_threads() -> Iterator[None]:
    """Let SQLite work in threads, and wait for the disk, as in the program: several programs wait for each other."""
    template.in_threads()
    yield
    template.in_turns()


@pytest.fixture
async def programs(tmp_path: Path, database: str) -> AsyncIterator[Programs]:
    """A database without programs; tests that run several at once use `sqlite_in_threads`."""
    path, on_the_loop = tmp_path / "dog.db", template.is_in_turns() and not database
    made = Programs(path if database else fresh_database(path), database, most=1 if on_the_loop else 9)
    yield made
    await made.stop()


@pytest.fixture
async def tables(programs: Programs) -> Tables:
    return await programs.run()
