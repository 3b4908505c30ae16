"""SIGTERM to the real process: it finishes what is running, leaves the rest to the next start, and exits with status 0.

Whatever might keep it from ending is held here until it has ended, so that the process has to end on its own.
"""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from tests.wire.faults import CALLBACKS, EDITS, NEVER, POSTS, Fault
from tests.wire.mirror import Mirror
from tests.wire.people import Person, boards, verbs
from tests.wire.process import BotProcess
from tests.wire.server import Wire
from tests.wire.world import Channel

WITHIN = 20.0
"""Seconds after which it must be hanging: it gives itself five, and anything that is held here would take longer."""


class Room:
    """A channel, and a game for two in it."""

    def __init__(self, wire: Wire, bot: BotProcess) -> None:
        self.wire, self.bot = wire, bot
        guild = wire.world.add_guild()
        self.channel: Channel = wire.world.add_channel(guild)
        self.ann = Person(wire, wire.world.add_user("ann", guild))

    async def begin(self) -> None:
        """Get Ann's game against a computer under way."""
        await self.ann.slash(self.channel, "dog new", rules="royal-basic", players=2)
        await self.shows("add_computer")
        await self.press("add_computer", "start")
        await self.press("start", "hand")

    async def press(self, verb: str, then: str) -> None:
        """Press a button under the board, and wait for the one that follows from it."""
        await self.ann.click(boards(self.channel)[-1], verb)
        await self.shows(then)

    async def shows(self, verb: str) -> None:
        """Wait until the newest board has this button."""
        await self.ann.wait_for(lambda: bool(boards(self.channel)) and verb in verbs(boards(self.channel)[-1]))

    async def stop(self) -> None:
        """Stop it while somebody goes on asking for things, and check how it ended."""
        stopping = asyncio.create_task(self.bot.stop(within=WITHIN))
        while not stopping.done():
            self.ann.type(self.channel, "dog new", rules="royal-basic", players=2)
            await asyncio.sleep(0.05)
        code, _ = stopping.result()
        told = self.bot.log_text()
        assert code == 0, told[-3000:]
        for trouble in ("Traceback", "Session is closed", "Unclosed", "never retrieved", "never awaited", "ERROR"):
            assert trouble not in told, told[-3000:]

    def live(self) -> list[int]:
        """The boards with buttons."""
        return [one.id for one in boards(self.channel) if one.live]


@pytest.fixture
async def room(wire: Wire, tmp_path: Path) -> Room:
    return Room(wire, BotProcess(wire, tmp_path))


async def test_posts_answers_and_edits_under_way_are_left_to_the_next_start(room: Room) -> None:
    """They take effect, but their answers never come."""
    async with room.bot:
        await room.ann.slash(room.channel, "dog new", rules="royal-basic", players=2)
        await room.shows("add_computer")
        lobby = boards(room.channel)[-1]
        for route in (POSTS, EDITS):
            room.wire.faults.add(Fault.LATE_AFTER, route=route, late=NEVER)
        await room.ann.click(lobby, "add_computer")
        await room.ann.wait_for(lambda: "start" in verbs(lobby))
        room.wire.faults.add(Fault.LATE_AFTER, route=CALLBACKS, late=NEVER)
        asked = room.ann.type(room.channel, "dog help")
        other = room.ann.type(room.channel, "dog new", rules="royal-basic", players=2)
        await room.ann.wait_for(lambda: asked.acknowledged is not None and other.acknowledged is not None)
        await room.stop()
        room.wire.faults.clear()
        await room.bot.start()
        await room.shows("start")
        await room.press("start", "hand")
        mirror = Mirror(room.bot.database)
        await room.ann.wait_for(
            lambda: len(room.live()) == mirror.value("SELECT count(*) FROM games") and not mirror.behind()
        )
        mirror.close()
        await room.stop()


async def test_a_discord_that_does_not_hang_up_holds_nothing_up(room: Room) -> None:
    async with room.bot:
        room.wire.gateway.hangs_up = False
        await room.stop()


async def test_a_locked_database_and_a_film_hold_nothing_up(room: Room) -> None:
    async with room.bot:
        await room.begin()
        holder = sqlite3.connect(room.bot.database, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        film = room.ann.type(room.channel, "dog replay", whole=True)
        waiting = room.ann.type(room.channel, "dog new", rules="royal-basic", players=2)
        await room.ann.wait_for(lambda: film.acknowledged is not None and waiting.acknowledged is not None)
        await room.stop()
        holder.close()
