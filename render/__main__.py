"""Pictures from the command line: `python -m render board < POSITION.json > board.png`, see `--help`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.record import MOST_BYTES, Record, load_record
from render.board.assembly import board_png
from render.errors import RenderError
from render.film import film
from render.hand import hand_png
from render.scene import Scene
from render.themes import THEMES

LARGEST_FILM = 64 << 20
"""Bytes that the film of a record may have."""


def _board(options: argparse.Namespace) -> None:
    if options.file is not None:
        scenes = scenes_of(_record(options.file))
        at = len(scenes) - 1 if options.at is None else options.at
        if not 0 <= at < len(scenes):
            raise RenderError("at", f"must be an action of the record, 0 to {len(scenes) - 1}")
        _write(board_png(replace(scenes[at], turned=options.turn), options.theme, options.size))
        return
    try:
        data = json.load(sys.stdin)
    except (ValueError, RecursionError) as error:
        raise RenderError("position", f"is not JSON: {error}") from None
    _write(board_png(Scene.from_json(data, options.turn), options.theme, options.size))


def _hand(options: argparse.Namespace) -> None:
    cards = options.cards.split()
    playable = None if options.playable is None else [int(i) for i in options.playable.split()]
    _write(hand_png(cards, playable, options.theme))


def _film(options: argparse.Namespace) -> None:
    scenes = scenes_of(_record(options.file))
    scenes = [replace(scene, counter=(number, len(scenes))) for number, scene in enumerate(scenes, start=1)]
    _write(film(scenes, options.theme, LARGEST_FILM).data)


def _record(path: str) -> Record:
    with open(path, "rb") as file:
        return load_record(file.read(MOST_BYTES + 1))


def scenes_of(record: Record) -> list[Scene]:
    """Return a record's public boards with the players' names: after the first deal and after each action."""
    sitting, takeovers = dict(record.sitters), sorted(record.takeovers, key=lambda takeover: takeover.number)
    scenes = []
    for view in record.views():
        while takeovers and takeovers[0].number <= view.number:
            takeover = takeovers.pop(0)
            sitting[takeover.seat] = takeover.sitter
        computers = [seat for seat, who in sitting.items() if who.computer is not None]
        scenes.append(
            Scene.from_view(view, names={seat: who.name for seat, who in sitting.items()}, computers=computers)
        )
    return scenes


def _write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def parser() -> argparse.ArgumentParser:
    """Build the parser of commands and options."""
    top = argparse.ArgumentParser(prog="python -m render", description="Draws boards and hands of DOG.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], None], words: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=words, description=words)
        added.set_defaults(run=run)
        return added

    picture = command("board", _board, "draws a position (the analysis form, as JSON on standard input) or a record")
    picture.add_argument("file", nargs="?", metavar="RECORD", help="the game to draw, instead of a position")
    picture.add_argument(
        "--at", type=int, metavar="NUMBER", help="after this action of the record; its end unless said"
    )
    picture.add_argument("--theme", default="slate", help=", ".join(THEMES))
    picture.add_argument("--size", type=int, default=1024, help="pixels, 1024 unless said")
    picture.add_argument("--turn", type=int, metavar="SIDE", help="the side at the bottom")
    whole = command("film", _film, "writes a GIF of a whole record")
    whole.add_argument("file", metavar="RECORD")
    whole.add_argument("--theme", default="slate", help=", ".join(THEMES))
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
