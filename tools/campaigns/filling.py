"""Many running games in a database. A game's guild, channel, board and people follow from its number (`Place`)."""

import asyncio
import random
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Table, insert

from bot.storage import Store, schema
from bot.table import IN_DMS
from engine import ActionKind, Game
from tools.scenarios import rows

GUILD_GAMES = 50
"""Games per guild, each in its own channel."""

DAY = 86_400


@dataclass(frozen=True)
class Place:
    """The place and people of game `number` (from 1)."""

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

    def dm(self, seat: int) -> int:
        """Return the channel of the direct messages of the player on a seat."""
        return (6_000_000 + self.number * 8 + seat) << 22

    def letter(self, seat: int) -> int:
        """Return the direct message that shows a seat the game, if it is played there."""
        return (5_000_000 + self.number * 8 + seat) << 22

    def user(self, seat: int) -> int:
        return (3_000_000 + self.number * 8 + seat) << 22


def has_choice(game: Game, seat: int) -> bool:
    """Return True if a seat has something to choose, so the bot does not fold for it."""
    return any(action.kind is not ActionKind.FOLD for action in game.legal(seat))


def games(dice: random.Random, count: int, system: str) -> list[Game]:
    """Return games in which every seat asked has a choice, between 5 and 60 actions old."""
    made: list[Game] = []
    while len(made) < count:
        game = Game.new(system, 4, dice.randbytes(32))
        wanted = dice.randint(5, 60)
        while game.to_act:
            if game.number >= wanted and all(has_choice(game, seat) for seat in game.to_act):
                made.append(game)
                break
            seat = game.to_act[0]
            game = game.play(seat, dice.choice(game.legal(seat)))
    return made


def fill(database: Path, tables: int, behind: int, system: str, in_dms: Collection[int] = ()) -> None:
    """Create a database with this many games of four people, `behind` of which have an outdated board.

    `system`: one or several, separated by commas; `in_dms`: the games that are played in direct messages.
    """
    asyncio.run(_fill(f"sqlite+aiosqlite:///{database.as_posix()}", tables, behind, system.split(","), in_dms))


async def _fill(url: str, tables: int, behind: int, systems: list[str], in_dms: Collection[int]) -> None:
    each = min(1 + tables // len(systems), 40)
    kinds = [games(random.Random(1), each if number <= tables else 0, one) for number, one in enumerate(systems)]
    store, now = Store(url), int(time.time())
    await store.open()
    async with store.writing() as connection:
        for first in range(1, tables + 1, 500):
            batch: dict[Table, list[dict[str, Any]]] = {}
            for number in range(first, min(first + 500, tables + 1)):
                place, kind = Place(number), kinds[number % len(kinds)]
                game, late = kind[number // len(kinds) % each], int(number <= behind)
                seats = {seat: {"user_id": place.user(seat), "name": f"Player {seat + 1}"} for seat in game.seats}
                home = (IN_DMS, IN_DMS) if number in in_dms else (place.guild, place.channel)
                for table, made in rows(game, number, home, seats, now):
                    batch.setdefault(table, []).extend(made)
                # Each turn is played by hand, and calls with a board of its own.
                batch.setdefault(schema.users, []).extend(
                    {"user_id": place.user(seat), "notify": "always", "only_move": "never", "dm_id": place.dm(seat)}
                    for seat in game.seats
                )
                board = {
                    "nonce": f"{number:024d}",
                    "game_id": number,
                    "about": "board",
                    "to_id": home[1],
                    "message_id": 0 if number in in_dms else place.board,
                    "at": now,
                    "text": "A board",
                    "marks": {} if late else {str(seat): str(game.decision(seat)) for seat in game.to_act},
                    "version": 1 - late,
                    "moment": str(game.number - late),
                }
                letters = [
                    {
                        **board,
                        "nonce": f"d{number:022d}{seat}",
                        "about": "letter",
                        "to_id": place.user(seat),
                        "message_id": place.letter(seat),
                        "marks": {str(seat): str(game.decision(seat))} if seat in game.to_act else {},
                    }
                    for seat in game.seats
                ]
                batch.setdefault(schema.messages, []).extend([board, *(letters if number in in_dms else ())])
            for table, made in batch.items():
                await connection.execute(insert(table), made)
    await store.close()
