"""Stored games: logs of every kind of game as running tables store them, with their outcome.

A running game is its log, so whatever changes in the engine, these must lead to the same deals, the same events and the
same hands. `python -m tests.reference.logs` adds new kinds to `golden/logs.json`; old logs are kept as they are (their
texts may not be what the engine would write today, but must still be readable).
"""

import hashlib
import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine import Entry, Game, Options
from engine.players import choose
from tests.reference.positions import KINDS, name

GOLDEN = Path(__file__).parent / "golden" / "logs.json"
LONGEST = 140
PLAYERS = ("random", "heuristic")


def record(system: str, players: int, house: str, player: str) -> dict[str, Any]:
    """A new game of one computer player against itself, in stored form."""
    dice = random.Random(f"{name(system, players, house)} {player}")
    game = Game.new(system, players, dice.randbytes(32), Options.from_words(house))
    while game.to_act and game.number < LONGEST:
        seat = dice.choice(game.to_act)
        game = game.play(seat, choose(player, game, seat, dice))
    stored = {
        "system": system,
        "players": players,
        "options": game.options.to_json(),
        "seed": game.seed.hex(),
        "log": [f"{seat} {text}" for seat, text in game.log],
    }
    return stored | {"came_of_it": digest(game)}


def replayed(stored: Mapping[str, Any]) -> Game:
    log = [(int(seat), text) for seat, text in (row.split(" ", 1) for row in stored["log"])]
    options = Options.from_json(stored["options"])
    return Game.replay(stored["system"], stored["players"], bytes.fromhex(stored["seed"]), options, log)


def digest(game: Game) -> str:
    """A fingerprint of everything that happened, of all hands, and of where the pieces are."""
    told = [_entry(entry) for entry in game.history(0)]
    hands = [game.view(seat).hand for seat in game.seats]
    view = game.view()
    told.append([hands, sorted(view.pieces.items()), view.deck, view.phase, view.to_act, view.winners])
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _entry(entry: Entry) -> list[Any]:
    return [entry.number, entry.seat, entry.kind, [_event(event) for event in entry.events]]


def _event(event: Any) -> list[Any]:
    steps = [
        [one.kind, one.side, one.path, sorted(one.sent_home), one.rank, one.other, one.value] for one in event.steps
    ]
    return [event.kind, event.seat, event.card, event.named, steps, event.cards, event.count, event.round, event.seats]


def main() -> None:
    """Add what is missing to the stored games."""
    stored: dict[str, Any] = json.loads(GOLDEN.read_text(encoding="utf-8")) if GOLDEN.exists() else {}
    for kind in KINDS:
        for player in PLAYERS:
            stored.setdefault(f"{name(*kind)} {player}", record(*kind, player))
    lines = [f" {json.dumps(key)}: {json.dumps(game, separators=(',', ':'))}" for key, game in stored.items()]
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
