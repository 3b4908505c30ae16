"""Scenarios: tables in the middle of a game, to play, to test and to draw. One JSON file each in `scenarios/`.

A game is its seed and its actions, so a scenario says from which seed on computers play, and when they stop:

    about     a sentence
    rules, players, options, seed (a number), level (who plays up to there)
    until     the first state in this `round` and `phase` where `seat` has a choice and `holds` these cards, with so
              many pieces `home` (of all, in lanes) and `out` (of the seat, on the track)
    people    by seat, in turn order: a name, or a level for a computer
    pace, left    how long they have, and how many seconds of that are left

`python -m tools.scenarios` prints each with its position and hands.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import discord
from sqlalchemy import Table, insert

from bot.client import DogBot
from bot.clocks import NO_REST, fresh
from bot.moment import Moment
from bot.people import Level
from bot.storage import schema
from bot.table import PACES
from bot.tables.seating import COMPUTER_NAMES
from engine import ActionKind, Game, Options
from engine.players import choose
from engine.rules.shuffle import commitment_of, seed_of

LEVELS = frozenset(Level)

SEEDS = 20
"""How many games are played at most to get there."""

FOLDER = Path(__file__).resolve().parent.parent / "scenarios"


class ScenarioError(ValueError):
    """There is no such scenario, or its file cannot be used; the text says why."""


@dataclass(frozen=True)
class Scenario:
    """What a file says; the fields are those of the file."""

    name: str
    about: str
    rules: str
    players: int
    until: Mapping[str, Any]
    people: Sequence[str]
    seed: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    level: str = "heuristic"
    pace: str = "daily"
    left: int = 0

    def game(self) -> Game:
        """The game, played up to there. Raises ScenarioError if it never gets there."""
        return _played(self.name)[1]

    def secret(self) -> bytes:
        """The secret that the game's seed follows from. Raises as `game` does."""
        return _played(self.name)[0]

    def play(self) -> tuple[bytes, Game]:
        """Play from the seed, or the first after it that leads there, until it is as wanted; with its secret."""
        for seed in range(self.seed, self.seed + SEEDS):
            dice = random.Random(seed)
            secret, options = seed.to_bytes(32), Options.from_json(dict(self.options))
            game = Game.new(self.rules, self.players, seed_of(secret, {}), options)
            while game.to_act:
                if self._wanted(game):
                    return secret, game
                seat = game.to_act[0]
                game = game.play(seat, choose(self.level, game, seat, dice))
        raise ScenarioError(f"{self.name}: no game becomes like that")

    def _wanted(self, game: Game) -> bool:
        seat = self.until.get("seat", game.to_act[0])
        view = game.view(seat)
        home = sum(text[-1] in "abcd" for texts in view.pieces.values() for text in texts)
        out = sum(text[-1] not in "abcd-" for text in view.pieces[seat])
        return (
            seat in game.to_act
            and any(action.kind is not ActionKind.FOLD for action in game.legal(seat))
            and home >= self.until.get("home", 0)
            and out >= self.until.get("out", 0)
            and view.round >= self.until.get("round", 1)
            and view.phase.value == self.until.get("phase", view.phase.value)
            and not Counter(self.until.get("holds", ())) - Counter(view.hand or ())
        )


@cache
def load(name: str) -> Scenario:
    """The scenario of this name. Raises ScenarioError."""
    try:
        return Scenario(name=name, **json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise ScenarioError(f"There is no scenario {name}; there are {', '.join(names())}.") from None
    except (OSError, ValueError, TypeError) as problem:
        raise ScenarioError(f"{name}.json cannot be used: {problem}") from None


def names() -> tuple[str, ...]:
    """All scenarios."""
    return tuple(sorted(one.stem for one in FOLDER.glob("*.json")))


@cache
def _played(name: str) -> tuple[bytes, Game]:
    return load(name).play()


def rows(
    game: Game,
    table_id: int,
    place: tuple[int, int],
    seats: Mapping[int, Mapping[str, Any]],
    begun: int,
    pace: str = "daily",
    secret: bytes = bytes(32),
    locale: str = "en-US",
) -> Iterator[tuple[Table, list[dict[str, Any]]]]:
    """The rows of a running game, with the tables of the database that they belong in.

    Args:
        place: the ids of its guild and channel.
        seats: `user_id` or `computer`, and `name`, of each seat.
        begun: the Unix second since which those who are asked have been asked.
        secret: what the seed follows from; needed only where the record is looked at.
        locale: the language of what everybody sees.
    """
    people = {seat: one["user_id"] for seat, one in seats.items() if one.get("user_id")}
    same = {"game_id": table_id}
    yield (
        schema.games,
        [
            {
                "id": table_id,
                "code": f"FOX-{table_id}",
                "guild_id": place[0],
                "channel_id": place[1],
                "host_id": next(iter(people.values())),
                "status": "playing",
                "version": 1,
                "system": game.system.id,
                "players": game.players,
                "options": game.options,
                "pace": pace,
                "locale": locale,
                "theme": "slate",
                "rules": game.system.version,
                "secret": secret,
                "commitment": commitment_of(secret),
                "seed": game.seed,
                "created_at": begun,
                "changed_at": begun,
                "started_at": begun,
            }
        ],
    )
    yield (
        schema.seats,
        [{**same, "seat": seat, "user_id": None, "computer": None, **one} for seat, one in seats.items()],
    )
    yield (
        schema.actions,
        [
            {
                **same,
                "number": number,
                "seat": seat,
                "text": text,
                "actor": str(people.get(seat, "computer")),
                "at": begun,
            }
            for number, (seat, text) in enumerate(game.log, 1)
        ],
    )
    yield (
        schema.deadlines,
        [
            {**same, "seat": seat, **asdict(fresh(Moment(0, number), people[seat], PACES[pace], begun, NO_REST))}
            for seat in game.to_act
            if seat in people and (number := game.decision(seat)) is not None
        ],
    )


def opening(
    bot: DogBot, scenario: Scenario, locale: str = "en-US"
) -> Callable[[int, int, Mapping[str, int]], Awaitable[None]]:
    """What opens the scenario's table, given the ids of guild and channel, and of people by name.

    Whoever is not there is played by a computer. Raises ScenarioError.
    """
    game = scenario.game()
    if len(scenario.people) != game.players:
        raise ScenarioError(f"{scenario.name}: {len(scenario.people)} people for {game.players} seats")

    async def open_it(guild_id: int, channel_id: int, ids: Mapping[str, int]) -> None:
        seats: dict[int, dict[str, Any]] = {}
        for seat, name, computer in zip(game.seats, scenario.people, COMPUTER_NAMES, strict=False):
            level = name if name in LEVELS else None if name in ids else Level.NORMAL
            seats[seat] = {"user_id": ids.get(name), "computer": level, "name": computer if name in LEVELS else name}
        length = PACES[scenario.pace]
        gone = length - scenario.left if length is not None and scenario.left else 0
        begun = round(discord.utils.utcnow().timestamp()) - gone
        async with bot.store.writing() as connection:
            place, secret = (guild_id, channel_id), scenario.secret()
            for table, made in rows(game, 1, place, seats, begun, scenario.pace, secret, locale):
                if made:
                    await connection.execute(insert(table), made)
        bot.tables.outdated()
        await bot.tables.touch_in_turn([1])

    return open_it


def main() -> int:
    """Print every scenario, with its position and hands."""
    for name in names():
        scenario = load(name)
        game = scenario.game()
        print(f"{name}: {scenario.about}")
        print(f"  {scenario.rules}, {game.players} players, round {game.round}, {game.number} actions")
        for seat, person in zip(game.seats, scenario.people, strict=True):
            view = game.view(seat)
            asked = "  <- to act" if seat in game.to_act else ""
            print(f"  {seat} {person:<8} {' '.join(view.pieces[seat]):<16} {' '.join(view.hand or ())}{asked}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
