"""Commands for developers of the pictures: `python -m tools.pictures gallery OUT/ | rules | bench | palettes`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.showing.scenarios import laid_out
from render.board.assembly import board_png
from render.errors import RenderError
from render.themes import THEMES
from tools.pictures import bench, gallery, palettes

RULES_SIZE = 720
"""Width and height in pixels: sharp on a page, and small enough to keep in the repository."""


def _gallery(options: argparse.Namespace) -> None:
    count = gallery.write_readme(options.folder) if options.readme else gallery.write(options.folder)
    print(f"{count} pictures in {options.folder}")


def _rules(options: argparse.Namespace) -> None:
    for board in laid_out():
        (options.folder / f"{board.name}.png").write_bytes(board_png(board.scene(), size=RULES_SIZE))


def _bench(options: argparse.Namespace) -> None:
    print(json.dumps(bench.run(), indent=1))


def _palettes(options: argparse.Namespace) -> None:
    made = {theme.id: palettes.make(theme, palettes.sample_pictures(theme)) for theme in THEMES.values()}
    palettes.write(made)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the commands and their options."""
    top = argparse.ArgumentParser(prog="python -m tools.pictures", description="Draws samples of all pictures.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    words = "writes every kind of picture and an index.html into a folder"
    folder = commands.add_parser("gallery", help=words, description=words)
    folder.add_argument("folder", type=Path, metavar="OUT")
    folder.add_argument("--readme", action="store_true", help="only the README's pictures (for docs/img)")
    folder.set_defaults(run=_gallery)
    words = "writes the pictures of the rules pages, which `/dog rules` shows smaller, into a folder"
    folder = commands.add_parser("rules", help=words, description=words)
    folder.add_argument("folder", type=Path, metavar="OUT")
    folder.set_defaults(run=_rules)
    words = "prints how fast pictures are drawn, as JSON, beside drawing them from scratch"
    commands.add_parser("bench", help=words, description=words).set_defaults(run=_bench)
    words = "makes palettes.json again from the sample pictures; needed when a colour changes"
    commands.add_parser("palettes", help=words, description=words).set_defaults(run=_palettes)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns 0 if it worked, or 2 with one line on standard error if the input was wrong."""
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except (RenderError, OSError, ValueError) as error:
        print(f"pictures: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
