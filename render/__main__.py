"""Pictures from the command line: `python -m render board < POSITION.json > board.png`, see `--help`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence

from render.board.assembly import board_png
from render.errors import RenderError
from render.hand import hand_png
from render.scene import Scene
from render.themes import THEMES


def _board(options: argparse.Namespace) -> None:
    try:
        data = json.load(sys.stdin)
    except (ValueError, RecursionError) as error:
        raise RenderError("position", f"is not JSON: {error}") from None
    _write(board_png(Scene.from_json(data, options.turn), options.theme, options.size))


def _hand(options: argparse.Namespace) -> None:
    cards = options.cards.split()
    playable = None if options.playable is None else [int(i) for i in options.playable.split()]
    _write(hand_png(cards, playable, options.theme))


def _write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = argparse.ArgumentParser(prog="python -m render", description="Draws boards and hands of DOG.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], None], words: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=words, description=words)
        added.set_defaults(run=run)
        return added

    picture = command("board", _board, "reads a position (the analysis form) as JSON and writes a PNG")
    picture.add_argument("--theme", default="slate", help=", ".join(THEMES))
    picture.add_argument("--size", type=int, default=1024, help="pixels, 1024 unless said")
    picture.add_argument("--turn", type=int, metavar="SIDE", help="the side at the bottom")
    cards = command("hand", _hand, "writes a PNG of cards such as 'A 7 J X'")
    cards.add_argument("cards")
    cards.add_argument("--playable", metavar="'0 2'", help="which of them can be played now, counted from 0")
    cards.add_argument("--theme", default="slate", help=", ".join(THEMES))
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns 0 if it worked, or 2 with one line on standard error if the input was wrong."""
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except (RenderError, OSError, ValueError) as error:
        print(f"render: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
