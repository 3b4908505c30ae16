"""The pictures of a cup: the poster that announces it, and its standings with a podium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from PIL import Image

from render.drawing import shapes
from render.drawing.art import Art, Canvas, Pen
from render.drawing.colour import RGB, mix
from render.drawing.text import BOLD, MEDIUM, fit, write_line
from render.errors import RenderError
from render.palette import palette_for
from render.themes import Theme, theme_of

WIDTH = 1024
_SCALE = 3
_TITLE, _LETTERS, _HEADS = 44, 34, 26
"""The height of a title's letters, of all others, and of the words above figures."""
_ROW, _HEAD, _FOOT = 68, 128, 26
_NAME, _FIGURES = 116, (590, 748, 862, 984)
"""Where names begin, and where figures end, in pixels from the left."""
_FONTS = (BOLD, MEDIUM, MEDIUM, MEDIUM)
_GAP, _WIDEST = 16, 130
"""The least space between two columns, and the widest that the first of figures is."""


@dataclass(frozen=True)
class Placed:
    """A line of the standings: the place, who has it, and the figures as they are written."""

    place: int
    name: str
    figures: tuple[str, str, str, str]


def standings_png(lines: Sequence[Placed], title: str, heads: tuple[str, str, str, str], theme: str = "slate") -> bytes:
    """Return standings as PNG bytes, 1024 pixels wide; the first three have a medal. Raises RenderError without any."""
    if not lines:
        raise RenderError("lines", "must not be empty")
    look = theme_of(theme)
    height = _HEAD + _ROW * len(lines) + _FOOT
    canvas = Canvas(Image.new("RGB", (WIDTH, height), look.table))
    art = Art(WIDTH, height, _SCALE)
    for index, line in enumerate(lines):
        top = _HEAD + _ROW * index
        art.fill(look.plate, partial(Pen.box, box=(28, top + 4, WIDTH - 28, top + _ROW - 4), radius=12))
        if _has_medal(line):
            medal = _medal(look, line.place)
            art.fill(medal, partial(Pen.disc, x=72, y=top + _ROW / 2, radius=25))
            if line.place == 1:
                art.fill(look.plate, partial(shapes.crown, x=72, y=top + _ROW / 2, radius=14))
    art.sprite(0, 0).onto(canvas, 0, 0)
    write_line(canvas, title, (32, 46), _TITLE, WIDTH - 64, BOLD, look.text)
    # The first column of figures is as wide as the widest of them.
    columns = [right - left - _GAP for left, right in pairwise((_FIGURES[0] - _WIDEST, *_FIGURES))]
    for head, right, width in zip(heads, _FIGURES, columns, strict=True):
        write_line(canvas, head, (right, 102), fit(head, width, _HEADS, 18)[1], width, MEDIUM, look.text, align=1.0)
    for index, line in enumerate(lines):
        middle = _HEAD + _ROW * (index + 0.5)
        if line.place > 1 or not _has_medal(line):
            colour = look.table if _has_medal(line) else look.text
            write_line(canvas, str(line.place), (72, middle), _LETTERS, 52, BOLD, colour, align=0.5)
        room = _FIGURES[0] - 110 - _NAME
        name, size = fit(line.name, room, _LETTERS, 24)
        write_line(canvas, name, (_NAME, middle), size, room + 6, BOLD, look.text)
        for figure, right, width, font in zip(line.figures, _FIGURES, columns, _FONTS, strict=True):
            write_line(canvas, figure, (right, middle), _LETTERS, width, font, look.text, align=1.0)
    return palette_for(look).png(canvas.image)


def poster_png(title: str, lines: Sequence[str], theme: str = "slate") -> bytes:
    """Return the picture that announces a cup as PNG bytes, 1024 pixels wide: a crown, its name, and what is played."""
    look = theme_of(theme)
    height = 288 + 58 * len(lines)
    canvas = Canvas(Image.new("RGB", (WIDTH, height), look.table))
    art = Art(WIDTH, height, _SCALE)
    art.fill(look.plate, partial(Pen.box, box=(28, 28, WIDTH - 28, height - 28), radius=24))
    art.fill(look.gold, partial(shapes.crown, x=WIDTH / 2, y=98, radius=44))
    art.sprite(0, 0).onto(canvas, 0, 0)
    name, size = fit(title, WIDTH - 140, 64, 36)
    write_line(canvas, name, (WIDTH / 2, 190), size, WIDTH - 120, BOLD, look.text, align=0.5)
    for index, line in enumerate(lines):
        told, size = fit(line, WIDTH - 140, _LETTERS, 26)
        write_line(canvas, told, (WIDTH / 2, 268 + 58 * index), size, WIDTH - 120, MEDIUM, look.text, align=0.5)
    return palette_for(look).png(canvas.image)


def _has_medal(line: Placed) -> bool:
    """Return True for the first three, once they have anything."""
    return line.place <= 3 and any(figure != "0" for figure in line.figures)


def _medal(look: Theme, place: int) -> RGB:
    """Return the colour of a medal: gold, silver or bronze as far as a theme has them."""
    return (look.gold, mix(look.quiet, look.text, 0.75), look.seat(1))[place - 1]
