"""The cost of many open tables: starting with them, and idling."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from sqlalchemy import Table, insert

from bot.storage import Store, schema
from bot.tables.service import Tables
from engine import Game, Options
from tools.scenarios import rows

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
            found: dict[Table, list[dict[str, Any]]] = {}
            for number in range(first + 1, min(first + 500, count) + 1):
                game = games[number % 5]
                seats = {seat: {"user_id": number * 10 + seat, "name": "A player"} for seat in game.seats}
                for table, made in rows(game, number, (number % 100, number), seats, NOW - number % 3_600):
                    found.setdefault(table, []).extend(made)
                board = {
                    "nonce": f"{number:024d}",
                    "game_id": number,
                    "about": "board",
                    "to_id": number,
                    "message_id": number,
                    "at": NOW,
                    "text": "A board",
                    "marks": {str(seat): str(game.decision(seat)) for seat in game.to_act},
                    "version": 1,
                    "moment": str(actions),
                }
                found.setdefault(schema.messages, []).append(board)
            for table, made in found.items():
                await connection.execute(insert(table), made)


async def start_and_idle(count: int, actions: int, seconds: float) -> tuple[float, float]:
    """Return the seconds for a start with this many open tables, and the share of a core used afterwards."""
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
