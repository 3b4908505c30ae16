"""The pictures of the rules pages: `python -m tools.rule_pictures` redraws every file in `bot/examples`.

They are the ones that `/dog rules` shows, but larger.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bot.showing.rulebook import EXAMPLES, scene_of
from render.board.assembly import board_png

RULES = Path(__file__).parents[1] / "docs" / "rules"
SIZE = 720
"""Width and height in pixels: sharp on a page, and small enough to keep in the repository."""


def main() -> int:
    """Draw all pictures; returns the exit status."""
    for file in sorted(EXAMPLES.glob("*.json")):
        target = RULES / "img" / f"{file.stem}.png"
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(board_png(scene_of(json.loads(file.read_text(encoding="utf-8"))), size=SIZE))
        print(target.relative_to(RULES.parents[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
