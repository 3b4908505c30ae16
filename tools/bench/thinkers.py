"""The time for which 200 computer players who think at the same moment hold the event loop.

Anything else waits that long for its turn. A click takes longer: it needs a database, pictures and Discord too, and is
measured over the wire by `make load LOAD=computers`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from random import Random

from bot.pools import Pools
from bot.tables.computers import AutoSeat, Thinking
from engine import Game
from engine.players import choose

TABLES = 200
_DIFFERENT = 40
_SYSTEMS = ("classic", "family", "dobney", "royal")


def games(count: int, dice: Random) -> list[Game]:
    """Return games of four in which a seat is being asked, some just begun and some halfway through."""
    found: list[Game] = []
    while len(found) < count:
        game = Game.new(dice.choice(_SYSTEMS), 4, dice.randbytes(32))
        for _ in range(dice.randrange(60)):
            if game.to_act:
                game = game.play(game.to_act[0], choose("normal", game, game.to_act[0], dice))
        if game.to_act:
            found.append(game)
    return found


async def longest_wait(level: str, tables: int = TABLES, processes: int = 2) -> tuple[float, float]:
    """Return the longest wait for a turn on the event loop, and the time for all decisions, in seconds."""
    asked = games(min(tables, _DIFFERENT), Random(1))
    pools = Pools(processes)
    thinking = Thinking(pools)
    waits: list[float] = []

    async def take_turns() -> None:
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(0)
            waits.append(time.perf_counter() - begun)

    try:
        # The processes have started, as they have in a bot that has been running for a while.
        pools.begin()
        await asyncio.gather(*(pools.think(60.0, len, ()) for _ in range(processes)))
        turns = asyncio.create_task(take_turns())
        begun = time.perf_counter()
        seats = (asked[number % len(asked)] for number in range(tables))
        await asyncio.gather(*(thinking.action(AutoSeat(game, game.to_act[0], level)) for game in seats))
        took = time.perf_counter() - begun
        turns.cancel()
    finally:
        pools.close()
    return max(waits), took


def silence() -> None:
    """Keep the log quiet: most strong players find the processes busy and say so, which is being measured."""
    logging.getLogger("bot").setLevel(logging.ERROR)
