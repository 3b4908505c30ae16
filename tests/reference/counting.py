"""Perft-style counts: how many actions and how many sequences of actions there are from fixed positions.

`python -m tests.reference.counting` counts with the engine and with the naive reading, and writes
`golden/positions.json` if the two agree; otherwise it refuses. Run it only after a change of the rules pages or of what
`positions.py` draws, and explain in the commit why the figures changed.
"""

import itertools
import json
import random
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.reference import naive
from tests.reference.board import Board
from tests.reference.compare import by_engine
from tests.reference.naive import Found, Placement
from tests.reference.positions import CANADIAN, CONFIGURATIONS, HOUSES, Kind, Position, stream

GOLDEN = Path(__file__).parent / "golden" / "positions.json"
SEED = 20_000
POSITIONS = 150
TREES = 6
DEPTH = 2
CARDS_IN_TREE = 3

Reader = Callable[[Mapping[str, Any]], Iterable[Found]]
Hands = Mapping[int, tuple[str, ...]]


def counts(system: str, players: int, house: str, read: Reader) -> dict[str, Any]:
    """What is counted for one system: actions over many positions, and sequences of actions from a few."""
    positions = list(itertools.islice(stream(SEED, system, players, house, 3), POSITIONS))
    found = [action for position in positions for action in read(position)]
    return {
        "actions": len(found),
        "draws": sum(action.draws for action in found),
        "jumps": sum(action.jump is not None for action in found),
        "sequences": [sequences(position, read) for position in positions[:TREES]],
    }


def sequences(position: Position, read: Reader) -> list[int]:
    """How many sequences of 1, 2, ... actions there are if the seats play in turn with small fixed hands.

    A citizen's jump is a sequence of its own, a seat that cannot play lays down (one action), and nothing is drawn.
    """
    rng = random.Random(f"{SEED} {position}")
    board = Board.of(position)
    cards, seats = board.cards, board.seats
    hands = {seat: tuple(rng.choices(cards, k=CARDS_IN_TREE)) for seat in seats}
    tally = [0] * DEPTH
    _count({**position, "hand": list(hands[position["seat"]])}, hands, 0, tally, read)
    return tally


def _count(position: Position, hands: Hands, depth: int, tally: list[int], read: Reader) -> None:
    board = Board.of(position)
    seat = position["seat"]
    after_seat = board.seats[(board.seats.index(seat) + 1) % len(board.seats)]
    found = list(read(position))
    following: list[tuple[Hands, Mapping[str, list[str]], str | None]] = []
    for action in found:
        held = list(hands[seat])
        held.remove(action.card)
        last = position["last"]
        if board.royal and action.card != "=":
            last = action.card
        for placement in (action.pieces, action.jump):
            if placement is not None:
                following.append(({**hands, seat: tuple(held)}, _json(placement), last))
    if not found and not naive.game_is_over(naive.Reading(position)):
        following.append(({**hands, seat: ()}, position["pieces"], position["last"]))
    tally[depth] += len(following)
    if depth + 1 == len(tally):
        return
    for left, pieces, last in following:
        ahead = {
            **position,
            "victim": None,
            "pieces": pieces,
            "seat": after_seat,
            "hand": list(left[after_seat]),
            "last": last,
        }
        _count(ahead, left, depth + 1, tally, read)


def _json(placement: Placement) -> dict[str, list[str]]:
    return {str(side): list(texts) for side, texts in placement}


def kinds() -> list[Kind]:
    """Every system and player count, and again with house rules."""
    return [*((system, players, "") for system, players in CONFIGURATIONS), *HOUSES]


def name(system: str, players: int, house: str) -> str:
    """The name of one kind in the golden file."""
    return " ".join(filter(None, (system, str(players), "canadian" if house == CANADIAN else house)))


def main() -> int:
    """Count, compare and write; returns the exit status."""
    golden = {}
    for kind in kinds():
        golden[name(*kind)] = counts(*kind, naive.actions)
        if counts(*kind, by_engine) != golden[name(*kind)]:
            print(f"{name(*kind)}: the engine counts otherwise; nothing is written", file=sys.stderr)
            return 1
        print(name(*kind), json.dumps(golden[name(*kind)]))
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in golden.items())
    GOLDEN.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
