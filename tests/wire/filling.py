"""Many running games in a database, and the matching guilds, channels and boards on the wire.

    python tests/wire/filling.py DATABASE --tables 1000 --behind 0

Run it in the folder of the bot that is to find them, whose schema it fills: columns that this schema does not have are
left out. A game's guild, channel, board and people follow from its number alone (`Place`).
"""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

GUILD_GAMES = 50
"""Games per guild, each in a channel of its own."""

DAY = 86_400


@dataclass(frozen=True)
class Place:
    """Where game `number` (from 1) is played, and by whom."""

    number: int

    @property
    def code(self) -> str:
        return f"FOX-{self.number}"

    @property
    def guild(self) -> int:
        return (1 + (self.number - 1) // GUILD_GAMES) << 22

    @property
    def channel(self) -> int:
        return (1_000_000 + self.number) << 22

    @property
    def board(self) -> int:
        return (2_000_000 + self.number) << 22

    def user(self, seat: int) -> int:
        return (3_000_000 + self.number * 8 + seat) << 22


def games(dice: random.Random, count: int, system: str) -> list[Any]:
    """Games in which somebody has a choice to make, between 5 and 60 actions old."""
    from engine import ActionKind, Game, Options

    made: list[Any] = []
    while len(made) < count:
        game = Game.new(system, 4, dice.randbytes(32), Options())
        wanted = dice.randint(5, 60)
        while game.to_act:
            free = all(any(one.kind is not ActionKind.FOLD for one in game.legal(seat)) for seat in game.to_act)
            if game.number >= wanted and free:
                made.append(game)
                break
            seat = game.to_act[0]
            game = game.play(seat, dice.choice(game.legal(seat)))
    return made


def rows(tables: int, behind: int, system: str, now: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows of `tables` games, `behind` of which have an outdated board; by the names of their tables."""
    from engine import Options

    systems = system.split(",")
    kinds = {one: games(random.Random(1), min(tables, 40), one) for one in systems}
    for first in range(1, tables + 1, 500):
        batch: dict[str, list[dict[str, Any]]] = {
            "games": [],
            "seats": [],
            "actions": [],
            "deadlines": [],
            "messages": [],
        }
        for number in range(first, min(first + 500, tables + 1)):
            place, kind = Place(number), systems[number % len(systems)]
            game = kinds[kind][number % len(kinds[kind])]
            late = number <= behind
            batch["games"].append(
                {
                    "id": number,
                    "code": place.code,
                    "guild_id": place.guild,
                    "channel_id": place.channel,
                    "host_id": place.user(0),
                    "status": "playing",
                    "version": 2,
                    "system": kind,
                    "players": 4,
                    "options": Options(),
                    "pace": "daily",
                    "locale": "en-US",
                    "theme": "slate",
                    "secret": game.seed,
                    "commitment": sha256(game.seed).digest(),
                    "seed": game.seed,
                    "created_at": now,
                    "changed_at": now,
                    "started_at": now,
                    "asked_since": {},
                    "takebacks": 0,
                }
            )
            batch["messages"].append(
                {
                    "nonce": f"{number:024d}",
                    "game_id": number,
                    "about": "board",
                    "to_id": place.channel,
                    "message_id": place.board,
                    "at": now,
                    "text": "A board",
                    "marks": {} if late else {str(seat): str(game.decision(seat)) for seat in game.to_act},
                    "version": 1 if late else 2,
                    "moment": str(game.number - 1 if late else game.number),
                }
            )
            batch["seats"] += [
                {"game_id": number, "seat": seat, "user_id": place.user(seat), "name": f"Player {seat + 1}"}
                for seat in range(4)
            ]
            batch["actions"] += [
                {"game_id": number, "number": at, "seat": seat, "text": text, "actor": str(place.user(seat)), "at": now}
                for at, (seat, text) in enumerate(game.log, 1)
            ]
            batch["deadlines"] += [
                {
                    "game_id": number,
                    "seat": seat,
                    "stage": "half",
                    "decision": str(game.decision(seat)),
                    "user_id": place.user(seat),
                    "since": now,
                    "spent": 0,
                    "allowed": DAY,
                    "due_at": now + DAY // 2,
                    "ends_at": now + DAY,
                }
                for seat in game.to_act
            ]
        yield from batch.items()


def fill(database: Path, tables: int, behind: int, system: str) -> None:
    """Create the database if necessary, and write the games into it."""
    from sqlalchemy import create_engine, insert

    from bot.storage import Store, schema

    async def make() -> None:
        store = Store(f"sqlite+aiosqlite:///{database.as_posix()}")
        await store.open()
        await store.close()

    asyncio.run(make())
    engine = create_engine(f"sqlite:///{database.as_posix()}")
    with engine.begin() as connection:
        for name, some in rows(tables, behind, system, int(time.time())):
            table = schema.metadata.tables[name]
            known = set(table.columns.keys())
            connection.execute(insert(table), [{key: row[key] for key in row if key in known} for row in some])
    engine.dispose()


if __name__ == "__main__":
    sys.path[0] = str(Path.cwd())
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", type=Path)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--behind", type=int, default=0)
    parser.add_argument("--system", default="classic", help="one or several, separated by commas")
    chosen = parser.parse_args()
    fill(chosen.database, chosen.tables, chosen.behind, chosen.system)
