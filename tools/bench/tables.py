"""What many open tables cost: starting with them, and idling."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
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
                        "options": Options(),
                        "pace": "daily",
                        "locale": "en-US",
                        "theme": "slate",
                        "seed": games[one % 5].seed,
                        "created_at": NOW,
                        "changed_at": NOW,
                        "started_at": NOW,
                    }
                    for one in ids
                ],
            )
            await connection.execute(
                insert(schema.messages),
                [
                    {
                        "nonce": f"{one:024d}",
                        "game_id": one,
                        "about": "board",
                        "place_id": one,
                        "message_id": one,
                        "at": NOW,
                        "text": "A board",
                        "marks": {str(seat): str(games[one % 5].decision(seat)) for seat in games[one % 5].to_act},
                        "version": 1,
                        "told": str(actions),
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


async def start_and_idle(count: int, actions: int, seconds: float) -> tuple[float, float]:
    """The seconds that a start with this many open tables takes, and the share of a core that they use afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{(Path(folder) / 'dog.db').as_posix()}"
        store = Store(url)
        await store.open()
        await fill(store, count, actions)
        await store.close()
        begun = time.perf_counter()
        store = Store(url)
        await store.open()
        tables = Tables(store, clock=lambda: NOW + time.perf_counter() - begun)
        await tables.wake()
        await tables.settled()
        took = time.perf_counter() - begun
        try:
            busy, start = time.process_time(), time.perf_counter()
            await asyncio.sleep(seconds)
            return took, (time.process_time() - busy) / (time.perf_counter() - start)
        finally:
            await tables.close()
            await store.close()
