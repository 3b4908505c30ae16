"""Fixtures of the bot's tests: a house with a database of its own, and one program in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables import Tables
from tests.bot.gaming import House
from tests.template import fresh_database


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    made = House(fresh_database(tmp_path / "dog.db"))
    yield made
    await made.stop()


@pytest.fixture
async def tables(house: House) -> Tables:
    return await house.run()
