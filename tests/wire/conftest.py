"""A Discord on the wire, a room with the real process, and discord.py's own clients in this one to try it with."""

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
import yarl
from discord import http
from discord.gateway import DiscordWebSocket

from tests.template import fresh_database
from tools.wire.interactions import Interactions
from tools.wire.people import Person, boards, verbs
from tools.wire.process import BotProcess
from tools.wire.server import TOKEN, Wire
from tools.wire.world import Channel, Message

CALM = 90.0
"""Seconds after which an answer will never come, whatever else the machine has to do."""


class Room:
    """Ann and Ben in a channel of a guild, and the bot, which is not started yet."""

    def __init__(self, wire: Wire, bot: BotProcess) -> None:
        self.wire, self.bot = wire, bot
        guild = wire.world.add_guild()
        self.channel: Channel = wire.world.add_channel(guild)
        self.ann, self.ben = (Person(wire, wire.world.add_user(name, guild)) for name in ("ann", "ben"))

    async def board(self, verb: str) -> Message:
        await self.ann.wait_for(lambda: bool(boards(self.channel)) and verb in verbs(boards(self.channel)[-1]))
        return boards(self.channel)[-1]

    async def press(self, verb: str, then: str) -> None:
        """Ann presses a button under the newest board, and waits for the one that follows from it."""
        await self.ann.click(boards(self.channel)[-1], verb)
        await self.board(then)

    async def begin(self) -> None:
        await self.ann.slash(self.channel, "dog new", rules="royal-basic", players=2)
        await self.board("fill")
        await self.press("fill", "start")
        await self.press("start", "hand")


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether answers come within Discord's three seconds is measured elsewhere; here the machine may be busy."""
    monkeypatch.setattr(Interactions, "answer_within", CALM)
    monkeypatch.setenv("WIRE_NOTHING_AHEAD", "1")
    monkeypatch.setenv("WIRE_BARE", "1")


@pytest.fixture
def in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot draws in threads: where no process ends, starting more of them tests nothing and costs a second."""
    monkeypatch.setenv("DRAWING_PROCESSES", "0")


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    """A Discord with nothing on it."""
    async with Wire() as made:
        yield made


@pytest.fixture
def room(wire: Wire, tmp_path: Path, request: pytest.FixtureRequest) -> Room:
    """A channel, two people, and the bot before its start, with the settings that the test gives as a parameter.

    Its database is there, so that no start has to make one.
    """
    fresh_database(tmp_path / "dog.db")
    return Room(wire, BotProcess(wire, tmp_path, settings=getattr(request, "param", None)))


@pytest.fixture
async def client(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[discord.Client]:
    """A plain discord.py client, logged in to it without a gateway."""
    monkeypatch.setattr(http.Route, "BASE", wire.url)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(wire.gateway.url))
    async with discord.Client(intents=discord.Intents(guilds=True)) as made:
        await made.login(TOKEN)
        yield made
