"""Fixtures: a Discord on the wire, and discord.py's own clients in this process to try it with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
import yarl
from discord import http
from discord.gateway import DiscordWebSocket

from tests.wire.interactions import Interactions
from tests.wire.process import BotProcess
from tests.wire.room import Room
from tests.wire.server import TOKEN, Wire

CALM = 90.0
"""Seconds after which an answer will never come, whatever else the machine has to do."""


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether answers come within Discord's three seconds is measured elsewhere; here the machine may be busy."""
    monkeypatch.setattr(Interactions, "answer_within", CALM)
    monkeypatch.setenv("WIRE_NOTHING_AHEAD", "1")


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    """A Discord with nothing on it."""
    async with Wire() as made:
        yield made


@pytest.fixture
def room(wire: Wire, tmp_path: Path, request: pytest.FixtureRequest) -> Room:
    """A channel, two people, and the bot before its start, with the settings that the test gives as a parameter."""
    return Room(wire, BotProcess(wire, tmp_path, settings=getattr(request, "param", None)))


@pytest.fixture
async def client(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[discord.Client]:
    """A plain discord.py client, logged in to it without a gateway."""
    monkeypatch.setattr(http.Route, "BASE", wire.url)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(wire.gateway.url))
    async with discord.Client(intents=discord.Intents(guilds=True)) as made:
        await made.login(TOKEN)
        yield made
