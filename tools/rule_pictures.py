"""The pictures of the rules pages: `python -m tools.rule_pictures` draws each file of docs/rules/positions again.

A file holds a `position` in the analysis form and, if wanted, `play` (an action's text: the picture shows the board
after it, with the move drawn in) and `marks` (letters by side and place).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine import Outcome, Position, parse_position
from engine.analysis import position_actions
from render.board import board_png
from render.scene import Scene

RULES = Path(__file__).parents[1] / "docs" / "rules"
SIZE = 720
"""Width and height in pixels: sharp on a page, and small enough to keep in the repository."""
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")


def outcome_of(position: Position, text: str) -> Outcome:
    """What the action with this text does; raises ValueError if the position does not allow it."""
    for candidate in position_actions(position):
        if str(candidate.action) == text:
            return candidate.outcome
    raise ValueError(f"{text!r} cannot be played here")


def scene_of(data: Mapping[str, Any]) -> Scene:
    """The picture that a file asks for; raises ValueError if its position or play is wrong."""
    position = parse_position(data["position"])
    scene = Scene.from_position(position)
    if "play" in data:
        outcome = outcome_of(position, data["play"])
        pile = (data["play"].split()[0],)
        scene = replace(
            scene, placement=outcome.placement, moves=((position.seat, outcome.steps),), pile=pile, hands={}, to_act=()
        )
    return replace(
        scene,
        names={seat: NAMES[seat] for seat in position.board.seats},
        candidates={
            (int(side), place): letter
            for side, letters in data.get("marks", {}).items()
            for place, letter in letters.items()
        },
    )


def main() -> int:
    """Draw all pictures; the exit status."""
    for file in sorted((RULES / "positions").glob("*.json")):
        target = RULES / "img" / f"{file.stem}.png"
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(board_png(scene_of(json.loads(file.read_text(encoding="utf-8"))), size=SIZE))
        print(target.relative_to(RULES.parents[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
