"""A picture of a finished game to post elsewhere: the last position, who played with whom, and a few figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO

from PIL import Image

from render.board import occasions, sprites
from render.board.assembly import numbers
from render.drawing import shapes
from render.drawing.art import Canvas
from render.drawing.colour import RGB, mix
from render.drawing.text import BOLD, INDEX, MEDIUM, write_line, write_names
from render.errors import RenderError
from render.palette import palette_for
from render.scene import Scene
from render.themes import Theme, theme_of

SIZE = (1200, 630)
"""The size at which links and posts elsewhere are shown without cropping."""
_BOARD = 602
_EDGE = 14
_LEFT, _RIGHT = 646, 1168
MOST_FACTS = 6


@dataclass(frozen=True)
class Party:
    """People who play together: their seats and names, and whether they have won."""

    seats: tuple[int, ...]
    names: tuple[str, ...]
    won: bool = False


@dataclass(frozen=True)
class Figure:
    """A figure and what it counts."""

    value: str
    what: str


def share_png(
    scene: Scene, title: str, parties: Sequence[Party], facts: Sequence[Figure], theme: str = "slate"
) -> bytes:
    """The picture as PNG bytes, 1200 x 630 pixels; raises RenderError. At most six facts."""
    look = theme_of(theme)
    if not parties or len(facts) > MOST_FACTS:
        raise RenderError("facts", f"there must be parties, and at most {MOST_FACTS} facts")
    palette = palette_for(look)
    canvas = Canvas(Image.new("RGB", SIZE, look.table))
    _words(canvas, look, title, parties, facts)
    whole = palette.quantise(canvas.image)
    # The board goes without the winners' feast, so that the position can be read.
    still = replace(
        scene, to_act=(), winners=(), moves=(), caption="", hands={}, deck=None, actor=None, pile=(), round=0
    )
    whole.paste(numbers(still, look, _BOARD), (_EDGE, _EDGE))
    return palette.png(whole)


def _words(canvas: Canvas, theme: Theme, title: str, parties: Sequence[Party], facts: Sequence[Figure]) -> None:
    wide = _RIGHT - _LEFT
    write_line(canvas, occasions.NAME, (_LEFT, 66), 78, wide * 0.5, INDEX, theme.text)
    write_line(canvas, title, (_LEFT, 134), 27, wide - 130, MEDIUM, _quiet(theme))
    y = 190.0
    step = min(62.0, 190 / len(parties))
    for party in sorted(parties, key=lambda party: not party.won):
        _party(canvas, theme, party, y, step)
        y += step
    rows = [facts[i : i + 2] for i in range(0, len(facts), 2)]
    y = max(y + 34, 566.0 - 80 * (len(rows) - 1))
    for row in rows:
        for column, fact in enumerate(row):
            x = _LEFT + column * (wide / 2 + 6)
            write_line(canvas, fact.value, (x, y), 40, wide / 2 - 10, BOLD, theme.text)
            write_line(canvas, fact.what, (x, y + 34), 21, wide / 2 - 10, MEDIUM, _quiet(theme))
        y += 80
    cup = occasions.cup_sprite(theme, 54)
    if any(party.won for party in parties):
        cup.onto(canvas, _RIGHT - 62, 84)


def _party(canvas: Canvas, theme: Theme, party: Party, y: float, step: float) -> None:
    radius = min(21.0, step * 0.36)
    for index, side in enumerate(party.seats):
        sprites.piece(theme, side, radius).onto(canvas, _LEFT + radius + index * radius * 2.2, y)
    left = _LEFT + len(party.seats) * radius * 2.2 + 14
    room = _RIGHT - left - (46 if party.won else 0)
    colour = theme.text if party.won else _quiet(theme)
    end = write_names(canvas, party.names, (left, y), round(radius * 1.5), 20, room, colour)
    if party.won:
        crown = sprites.sign("crown", radius * 0.8, theme.gold, shapes.crown)
        crown.onto(canvas, end + 28, y)


def _quiet(theme: Theme) -> RGB:
    return mix(theme.quiet, theme.text, 0.45)


_TALL = 0.1
"""The height of the band that the words stand in, as a share of the picture's width."""


def captioned_png(picture: bytes, caption: str, theme: str = "slate") -> bytes:
    """A picture drawn in a theme, with a caption above it, as PNG bytes; raises RenderError."""
    look = theme_of(theme)
    palette = palette_for(look)
    with Image.open(BytesIO(picture)) as below:
        if below.mode != "P":
            raise RenderError("picture", "must be drawn in a theme")
        width, height = below.size
        band = round(width * _TALL)
        canvas = Canvas(Image.new("RGB", (width, band), look.table))
        write_line(canvas, caption, (width / 2, band / 2), round(band * 0.66), width * 0.94, BOLD, look.text, align=0.5)
        # Both are numbers in the theme's palette, so the picture itself stays as it is.
        whole = Image.new("P", (width, band + height))
        whole.paste(palette.quantise(canvas.image), (0, 0))
        whole.paste(below, (0, band))
    return palette.png(whole)
