"""`python -m tests.reference.speed`: the engine's time per position against the naive reading's, as a ratio.

Both run in the same process on the same positions, so the ratio says something on any machine. Nothing here is a test.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any

from engine import Position, parse_position
from engine.rules.moves import plays
from engine.rules.pieces import Pieces
from engine.rules.routes import routes_for
from tests.reference import naive
from tests.reference.counting import kinds, name
from tests.reference.positions import Position as Written
from tests.reference.positions import stream

POSITIONS = 200

WORST_SEVEN: Written = {
    "rules": "classic",
    "players": 4,
    "pieces": {
        "0": ["20", "24", "28", "36"],
        "1": ["25", "40", "-", "-"],
        "2": ["22", "26", "30", "38"],
        "3": ["-", "-", "-", "-"],
    },
    "seat": 0,
    "hand": ["7"],
    "last": None,
    "options": {},
}
"""Four own pieces close together; with the canadian seven all eight of the team."""


def milliseconds(work: Callable[[Any], object], items: Sequence[Any]) -> float:
    """Processor time per item."""
    begun = time.process_time()
    for item in items:
        work(item)
    return (time.process_time() - begun) / len(items) * 1000


def engine_plays(position: Position) -> int:
    """How many plays the engine finds, searched as a game does to list what is legal."""
    field = Pieces(routes_for(position.board), position.nodes())
    return sum(1 for _ in plays(field, position.seat, position.hand, position.last, position.options))


def line(what: str, positions: Sequence[Written]) -> str:
    """One line of the table."""
    parsed: list[Position] = [parse_position(position) for position in positions]
    engine_plays(parsed[0])  # the first one lays out the board
    fast, slow = milliseconds(engine_plays, parsed), milliseconds(naive.actions, positions)
    return f"{what:<28}{fast:>10.3f}{slow:>12.3f}{slow / fast:>9.1f}"


def main() -> None:
    """Print the table."""
    print(f"{'milliseconds a position':<28}{'engine':>10}{'naive':>12}{'ratio':>9}")
    for system, players, canadian in kinds():
        found = list(itertools.islice(stream(7, system, players, canadian, 4), POSITIONS))
        print(line(name(system, players, canadian), found), flush=True)
    print(line("a seven of four pieces", [WORST_SEVEN]), flush=True)
    print(line("a canadian seven of eight", [{**WORST_SEVEN, "options": {"canadian_seven": True}}]))


if __name__ == "__main__":
    main()
