"""Scenarios as tables: played to where they begin, and opened. Their files and fields: `bot/showing/scenarios.py`.

`python -m tools.scenarios` prints each with its position and hands.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

import discord
from sqlalchemy import Table, insert

from bot.client import DogBot
from bot.clocks import NO_REST, fresh
from bot.moment import Moment
from bot.occupants import Level
from bot.pace import PACES
from bot.showing.scenarios import Scenario, ScenarioError, load, names, tables
from bot.storage import schema
from bot.table import NoteKind
from bot.tables.seating import COMPUTER_NAMES
from engine import ActionKind, Game, Options
from engine.players import choose
from engine.rules.shuffle import commitment_of, seed_of

LEVELS = frozenset(Level)

SEEDS = 20
"""The most games that are played to get there."""


@cache
def play_scenario(scenario: Scenario) -> tuple[bytes, Game]:
    """Return the secret that the seed follows from, and the game: from the first seed that leads there.

    Raises ScenarioError if none does, or if the board was laid out.
    """
    if scenario.pieces is not None:
        raise ScenarioError(f"{scenario.name} is a board of the rules, and no table; tables are {', '.join(tables())}.")
    for seed in range(scenario.seed, scenario.seed + SEEDS):
        dice = random.Random(seed)
        secret, options = seed.to_bytes(32), Options.from_json(dict(scenario.options))
        game = Game.new(scenario.rules, scenario.players, seed_of(secret, {}), options)
        while game.to_act:
            if _is_wanted(game, scenario.until):
                return secret, game
            seat = game.to_act[0]
            game = game.play(seat, choose(scenario.level, game, seat, dice))
    raise ScenarioError(f"{scenario.name}: no game becomes like that")


def _is_wanted(game: Game, until: Mapping[str, Any]) -> bool:
    seat = until.get("seat", game.to_act[0])
    view = game.view(seat)
    home = sum(text[-1] in "abcd" for texts in view.pieces.values() for text in texts)
    out = sum(text[-1] not in "abcd-" for text in view.pieces[seat])
    return (
        seat in game.to_act
        and any(action.kind is not ActionKind.FOLD for action in game.legal(seat))
        and home >= until.get("home", 0)
        and out >= until.get("out", 0)
        and view.round >= until.get("round", 1)
        and view.phase.value == until.get("phase", view.phase.value)
        and not Counter(until.get("holds", "").split()) - Counter(view.hand or ())
    )


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
    """Yield the rows of a running game, with the tables of the database that they belong in.

    Args:
        place: the ids of its guild and channel.
        seats: `user_id` or `computer`, and `name`, of each seat.
        begun: the Unix second since which those who are asked have been asked.
        secret: what the seed follows from; needed only where the record is looked at.
        locale: the language of what all see.
    """
    people = {seat: sitter["user_id"] for seat, sitter in seats.items() if sitter.get("user_id")}
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
        [{**same, "seat": seat, "user_id": None, "computer": None, **sitter} for seat, sitter in seats.items()],
    )
    by = {seat: str(people.get(seat, "computer")) for seat in game.seats}
    yield (
        schema.actions,
        [
            {**same, "number": number, "seat": seat, "text": text, "actor": by[seat], "at": begun}
            for number, (seat, text) in enumerate(game.log, 1)
        ],
    )
    # Records tell by these who played.
    sits = {**same, "number": 0, "kind": NoteKind.SITS, "at": begun}
    sitters = {seat: {"name": who["name"], "computer": who.get("computer")} for seat, who in seats.items()}
    yield schema.notes, [{**sits, "seat": seat, "data": data} for seat, data in sitters.items()]
    yield (
        schema.deadlines,
        [
            {**same, "seat": seat, **asdict(fresh(Moment(0, number), people[seat], PACES[pace], begun, NO_REST))}
            for seat in game.to_act
            if seat in people and (number := game.decision(seat)) is not None
        ],
    )


def make_opener(
    bot: DogBot, scenario: Scenario, played: tuple[bytes, Game], locale: str = "en-US"
) -> Callable[[int, int, Mapping[str, int]], Awaitable[None]]:
    """Return a function that opens the scenario's table, given the ids of guild and channel, and of people by name.

    People who are not there are played by a computer. Raises ScenarioError.
    """
    (secret, game), people = played, scenario.people.split()
    if len(people) != game.players:
        raise ScenarioError(f"{scenario.name}: {len(people)} people for {game.players} seats")

    async def open_it(guild_id: int, channel_id: int, ids: Mapping[str, int]) -> None:
        seats: dict[int, dict[str, Any]] = {}
        for seat, name, computer in zip(game.seats, people, COMPUTER_NAMES, strict=False):
            level = name if name in LEVELS else None if name in ids else Level.NORMAL
            seats[seat] = {"user_id": ids.get(name), "computer": level, "name": computer if name in LEVELS else name}
        length = PACES[scenario.pace].seconds
        gone = length - scenario.left if length is not None and scenario.left else 0
        begun = round(discord.utils.utcnow().timestamp()) - gone
        async with bot.store.writing() as connection:
            for table, made in rows(game, 1, (guild_id, channel_id), seats, begun, scenario.pace, secret, locale):
                if made:
                    await connection.execute(insert(table), made)
        bot.tables.mark_outdated()
        await bot.tables.touch_in_turn([1])

    return open_it


def main() -> int:
    """Print every scenario, with its position and hands."""
    for scenario in map(load, names()):
        print(f"{scenario.name}: {scenario.about}")
        if scenario.pieces is not None:
            print(f"  {scenario.rules}, {scenario.players} players: {scenario.pieces} {scenario.hand}")
            continue
        game = play_scenario(scenario)[1]
        print(f"  {scenario.rules}, {game.players} players, round {game.round}, {game.number} actions")
        for seat, person in zip(game.seats, scenario.people.split(), strict=True):
            view = game.view(seat)
            asked = "  <- to act" if seat in game.to_act else ""
            print(f"  {seat} {person:<8} {' '.join(view.pieces[seat]):<16} {' '.join(view.hand or ())}{asked}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
