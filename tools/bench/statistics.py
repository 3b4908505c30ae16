"""The cost of statistics: at the end of a game, and when read on a server with many games."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from bot.occupants import Person
from bot.pools import Pools
from bot.results import ALL_SYSTEMS, Rating, Result
from bot.storage import Store, schema
from bot.table import Status
from bot.tables.finished.counting import figures, results_of
from bot.tables.finished.rating import rate
from bot.tables.service import Tables
from engine import Options
from engine.players import choose
from engine.secret import whole

GUILD, PEOPLE = 1, 400
"""The server, and the number of people who play there."""

DAY, DAYS = 86_400, 1_000
"""Days over which the games are spread."""

NOW = 1_700_000_000
"""The Unix second at which the last of them ended."""


@asynccontextmanager
async def _opened() -> AsyncIterator[tuple[Store, Tables]]:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite+aiosqlite:///{(Path(folder) / 'dog.db').as_posix()}")
        await store.open()
        tables = Tables(store, pools=Pools())
        try:
            yield store, tables
        finally:
            await tables.close()
            await store.close()


async def end_of_a_game() -> Mapping[str, float]:
    """Measure the processor seconds that the end of a game of four costs for statistics.

    `end`: in the bot's process. `again`: replaying its log, in a process that draws. Both are the least of several.
    """
    dice = random.Random(1)
    async with _opened() as (store, tables):
        people = [Person(number, f"Player {number}") for number in range(1, 5)]
        table = await tables.lobby.open(people[0], GUILD, 1)
        for person in people[1:]:
            await tables.lobby.join(table.id, person)
        await tables.lobby.start(table.id, people[0])
        await tables.settled()
        while (table := await tables.get(table.id)).status is Status.PLAYING:
            assert table.game is not None
            seat, user_id = next(iter(table.waiting_for.items()))
            await tables.turns.act(table.id, user_id, None, choose("heuristic", whole(table.game), seat, dice))
            await tables.settled()
        assert table.game is not None
        again = end = float("inf")
        for _ in range(7):
            await store.results.erase()
            begun = time.process_time()
            found = figures(whole(table.game))
            again = min(again, time.process_time() - begun)
            begun = time.process_time()
            await store.results.record(results_of(table, await tables.log(table.id), found), rate)
            end = min(end, time.process_time() - begun)
        return {"end": end, "again": again}


def _games(number: int) -> Iterator[list[Result]]:
    """Yield rated games of four, any of the people against any others."""
    dice = random.Random(1)
    for game_id in range(1, number + 1):
        at = NOW - DAYS * DAY + game_id * DAYS * DAY // number
        users = dice.sample(range(1, PEOPLE + 1), 4)
        yield [
            Result(
                game_id, seat, GUILD, user, "classic", 4, at,
                rated=True, people=True, team=seat % 2, won=seat % 2 == 0, left_early=False, rounds=9,
                captures=3, suffered=3, home=4, seven=2, time_to_move=60, feats=(),
            )
            for seat, user in enumerate(users)
        ]  # fmt: skip


async def leaderboards(number: int) -> Mapping[str, float]:
    """Measure the processor seconds for leaderboards and a member's statistics among this many games."""
    async with _opened() as (store, tables):
        await _fill(store, number)
        months: dict[str, Callable[[], Awaitable[Any]]] = {
            "a leaderboard": lambda: tables.results.ranked(GUILD),
            "a leaderboard of a month": lambda: tables.results.ranked(GUILD, since=NOW - 30 * DAY),
            "a member's statistics": lambda: tables.results.stats(7, GUILD),
        }
        took = {}
        for name, look in months.items():
            times = []
            for _ in range(5):
                begun = time.process_time()
                assert await look()
                times.append(time.process_time() - begun)
            took[name] = min(times)
        return took


async def _fill(store: Store, number: int) -> None:
    """Write that many games with results and ratings, those of the server for all systems together."""
    newest: dict[int, Rating] = {}
    numbers = count(1)
    games, results, ratings = [], [], []
    for found in _games(number):
        game = dict.fromkeys(("channel_id", "host_id", "version", "created_at", "changed_at"), 1)
        games.append(
            {
                **game, "id": next(numbers), "code": "FOX-1", "guild_id": GUILD, "status": Status.CANCELLED,
                "system": "classic", "players": 4, "options": Options(), "pace": "daily", "locale": "en-US",
                "theme": "slate", "secret": bytes(32), "commitment": bytes(32),
            }
        )  # fmt: skip
        results += [asdict(result) for result in found]
        after = rate(found, newest, GUILD, ALL_SYSTEMS)
        ratings += after
        newest |= {rating.user_id: rating for rating in after}
    last = {(rating.user_id, rating.game_id) for rating in newest.values()}
    rows = [asdict(rating) | {"newest": (rating.user_id, rating.game_id) in last} for rating in ratings]
    async with store.writing() as connection:
        for table, made in ((schema.games, games), (schema.results, results), (schema.ratings, rows)):
            for first in range(0, len(made), 5_000):
                await connection.execute(insert(table), made[first : first + 5_000])
