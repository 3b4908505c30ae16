"""Fixtures of the bot's tests: a house with a database of its own, of each kind, and one program in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables import Tables
from tests.bot.gaming import House
from tests.template import fresh_database


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest) -> str:
    """The address of an empty database on a server, or nothing for a file."""
    return request.getfixturevalue("server_database") if request.param == "postgres" else ""


@pytest.fixture
async def house(tmp_path: Path, database: str) -> AsyncIterator[House]:
    made = House(tmp_path / "dog.db" if database else fresh_database(tmp_path / "dog.db"), database)
    yield made
    await made.stop()


@pytest.fixture
async def tables(house: House) -> Tables:
    return await house.run()
