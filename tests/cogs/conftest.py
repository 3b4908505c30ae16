"""Fixtures for tests on the simulated Discord."""

from typing import Any

import discord
import pytest

from bot import calls
from bot.storage import database
from bot.tables import scheduler
from bot.tables.finished import reviewing
from tests.simtable import SimTable


@pytest.fixture
def moderator(table: SimTable) -> Any:
    """A member who manages the server."""
    role = table.guild.create_role("mods", permissions=discord.Permissions(manage_guild=True, manage_messages=True))
    return table.guild.add_member(table.env.create_user("mod"), roles=[role])


@pytest.fixture(autouse=True)
def deep_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regular checks sleep until something is due, however far off that is, so that days pass in no time."""
    monkeypatch.setattr(scheduler, "LONGEST_SLEEP", float(10**9))
    monkeypatch.setattr(database, "CHECK_FILE_EVERY", float(10**9))


@pytest.fixture(autouse=True)
def absent(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each turn calls its player with a new board, unless a test is marked `there`."""
    if request.node.get_closest_marker("there") is None:
        monkeypatch.setattr(calls, "HERE", 0)


@pytest.fixture
def everything_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every difference counts, so that even a short game has something to show."""
    for name, value in {"LEAST": -1.0, "SURELY": -1.0, "WORLDS": 4, "REVIEW": reviewing.FIRST_LOOK}.items():
        monkeypatch.setattr(reviewing, name, value)
