"""What many open tables cost: starting, idling, a storm of deadlines. Run `python -m tools.many_tables`."""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import insert

from bot.storage import Store, schema
from bot.tables import Tables
from engine import Game, Options

NOW = 1_700_000_000


async def fill(store: Store, count: int, actions: int) -> None:
    """Write this many running games of four people, each with its clock running."""
    dice = random.Random(1)
    games = []
    for _ in range(5):
        game = Game.new("classic", 4, dice.randbytes(32), Options())
        while game.number < actions and game.to_act:
            seat = game.to_act[0]
            game = game.play(seat, dice.choice(game.legal(seat)))
        games.append(game)
    async with store.writing() as connection:
        for first in range(0, count, 500):
            ids = range(first + 1, min(first + 500, count) + 1)
            await connection.execute(
                insert(schema.games),
                [
                    {
                        "id": one,
                        "code": f"FOX-{one}",
                        "guild_id": one % 100,
                        "channel_id": one,
                        "host_id": 1,
                        "status": "playing",
                        "version": 1,
                        "system": "classic",
                        "players": 4,
                        "options": {},
                        "pace": "daily",
                        "locale": "en-US",
                        "theme": "slate",
                        "seed": games[one % 5].seed,
                        "created_at": NOW,
                        "changed_at": NOW,
                        "started_at": NOW,
                        "shown_version": 1,
                        "told": str(actions),
                        "called": {str(seat): str(games[one % 5].decision(seat)) for seat in games[one % 5].to_act},
                        "board_channel_id": one,
                        "board_message_id": one,
                    }
                    for one in ids
                ],
            )
            await connection.execute(
                insert(schema.seats),
                [
                    {"game_id": one, "seat": seat, "user_id": one * 10 + seat, "name": "Somebody"}
                    for one in ids
                    for seat in range(4)
                ],
            )
            await connection.execute(
                insert(schema.actions),
                [
                    {"game_id": one, "number": number, "seat": seat, "text": text, "actor": "1", "at": NOW}
                    for one in ids
                    for number, (seat, text) in enumerate(games[one % 5].log, 1)
                ],
            )
            await connection.execute(
                insert(schema.deadlines),
                [
                    {
                        "game_id": one,
                        "seat": seat,
                        "stage": "half",
                        "decision": str(games[one % 5].decision(seat)),
                        "user_id": one * 10 + seat,
                        "since": NOW,
                        "spent": 0,
                        "allowed": 86_400,
                        "due_at": NOW + 43_200 + one % 3_600,
                        "ends_at": NOW + 86_400,
                    }
                    for one in ids
                    for seat in games[one % 5].to_act
                ],
            )


@asynccontextmanager
async def many(count: int, actions: int, clock: Callable[[], float]) -> AsyncIterator[tuple[Tables, float]]:
    """This many running games in a program that has just started, and how many seconds its start took."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{(Path(folder) / 'dog.db').as_posix()}"
        store = Store(url)
        await store.open()
        await fill(store, count, actions)
        await store.close()
        start = time.perf_counter()
        store = Store(url)
        await store.open()
        tables = Tables(store, clock=clock)
        await tables.wake()
        await tables.settled()
        took = time.perf_counter() - start
        try:
            yield tables, took
        finally:
            await tables.close()
            await store.close()


async def idle(seconds: float) -> float:
    """The share of a core used while nothing happens."""
    busy, start = time.process_time(), time.perf_counter()
    await asyncio.sleep(seconds)
    return (time.process_time() - busy) / (time.perf_counter() - start)


async def start_and_idle(count: int, actions: int, seconds: float) -> tuple[float, float]:
    """The seconds that a start with this many open tables takes, and the share of a core that they use afterwards."""
    begun = time.monotonic()
    async with many(count, actions, lambda: NOW + time.monotonic() - begun) as (_, took):
        return took, await idle(seconds)


async def measure(count: int, actions: int, seconds: float) -> None:
    """Print the figures."""
    begun = time.monotonic()
    now, told = [float(NOW)], [0]

    async def tell(table_id: int, news: object) -> None:
        told[0] += 1

    async with many(count, actions, lambda: now[0] + time.monotonic() - begun) as (tables, took):
        print(f"start with {count} open tables of {actions} actions: {took:.2f} s")
        print(f"idle for {seconds:.0f} s: {await idle(seconds):.3%} of a core")
        tables.on_deadline(tell)
        # An hour's reminders all come due at once, then all times are up: as after a downtime.
        for name, at in (("reminders", NOW + 50_000), ("times up", NOW + 90_000)):
            now[0], told[0] = at - (time.monotonic() - begun), 0
            busy, start = time.process_time(), time.perf_counter()
            await tables.deadlines.catch_up()
            await tables.settled()
            cpu, wall = time.process_time() - busy, time.perf_counter() - start
            each = 1_000 * cpu / max(1, told[0])
            print(f"{told[0]} {name} at once: {wall:.1f} s, {each:.1f} ms of a core each")


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--actions", type=int, default=60, help="actions that each game has")
    parser.add_argument("--seconds", type=float, default=30, help="how long to idle")
    chosen = parser.parse_args()
    asyncio.run(measure(chosen.tables, chosen.actions, chosen.seconds))


if __name__ == "__main__":
    main()
