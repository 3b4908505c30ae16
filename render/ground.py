"""The board without pieces: table, track, lanes and spaces. Drawn once for each board, look and size, then kept."""

from __future__ import annotations

import math
from collections.abc import Callable

from PIL import Image, ImageFilter

from render import sprites
from render.cache import Cache
from render.colour import RGB, mix
from render.draw import Pen, Point, Sprite
from render.geometry import BAND, LANE, SPACE, Layout
from render.themes import UNUSED, Theme

_grounds: Cache[Image.Image] = Cache("grounds", 40 << 20, lambda image: image.width * image.height * 3)


def ground(layout: Layout, theme: Theme) -> Image.Image:
    """The empty board; never draw on it, copy it."""
    key = (layout.board, layout.size, layout.turned, theme.id)
    return _grounds.get(key, lambda: draw(layout, theme))


class _Sheet:
    """A picture to which flat colours are added through smooth masks as large as itself."""

    def __init__(self, size: int, colour: RGB) -> None:
        self.size = size
        self.image = Image.new("RGB", (size, size), colour)
        self.scale = 4 if size <= 1100 else 2

    def mask(self, shape: Callable[[Pen], None], blur: float = 0.0, opacity: float = 1.0) -> Image.Image:
        pen = Pen(self.size, self.size, self.scale)
        shape(pen)
        mask = pen.take()
        if blur:
            mask = mask.filter(ImageFilter.GaussianBlur(blur))
        return mask.point([round(i * opacity) for i in range(256)]) if opacity < 1 else mask

    def fill(self, colour: RGB, mask: Image.Image) -> None:
        self.image.paste(colour, (0, 0), mask)


def _inside(layout: Layout) -> Point:
    return layout.size / 2, layout.size / 2


def draw(layout: Layout, theme: Theme) -> Image.Image:
    """Draw an empty board from scratch."""
    k = layout.size / 1024
    unit = layout.pitch
    sheet = _Sheet(layout.size, theme.table)
    outline = layout.outline
    edge = theme.outline * k
    track = 2 * BAND * unit

    inner = sheet.mask(lambda p: p.polygon(outline))
    sheet.fill(theme.inner, inner)
    if theme.shadow:
        shifted = [(x, y + 3 * k) for x, y in outline]
        sheet.fill((0, 0, 0), sheet.mask(lambda p: p.line(shifted, track + 3 * k), 4 * k, theme.shadow))
    sheet.fill(theme.band_edge, sheet.mask(lambda p: p.line(outline, track)))
    sheet.fill(theme.band, sheet.mask(lambda p: p.line(outline, track - 2 * edge)))

    for side in range(layout.board.sides):
        _lane(sheet, layout, theme, side, k)
    for number in range(1, layout.board.length + 1):
        space(layout, theme, None, str(number)).onto(sheet.image, *layout.track[number])
    for side in range(layout.board.sides):
        for slot, (x, y) in zip("abcd", layout.lanes[side], strict=True):
            space(layout, theme, side, slot).onto(sheet.image, x, y)
    return sheet.image


def _lane(sheet: _Sheet, layout: Layout, theme: Theme, side: int, k: float) -> None:
    unit = layout.pitch
    used = side in layout.board.seats
    colour = theme.lane(side) if used else mix(UNUSED, theme.inner, 0.72)
    first, last = layout.lanes[side][0], layout.lanes[side][3]
    tip = layout.track[layout.board.branch(side)]
    line = [tip, last]
    width = 2 * LANE * unit
    if theme.shadow:
        lowered = [(x, y + 2 * k) for x, y in [first, last]]
        sheet.fill((0, 0, 0), sheet.mask(lambda p: p.line(lowered, width), 3 * k, theme.shadow * 0.7))
    sheet.fill(mix(colour, theme.rim, 0.25), sheet.mask(lambda p: p.line(line, width)))
    sheet.fill(colour, sheet.mask(lambda p: p.line(line, width - 3 * k)))


def space_kind(layout: Layout, side: int | None, place: str) -> tuple[str, int | None]:
    """What kind of space a place is (see `sprites.space`), and whose."""
    board = layout.board
    if place in "abcd":
        return ("slot" if side in board.seats else "unused"), side
    if not place.isdigit():
        return "path", None
    number = int(place)
    owner = (number - 1) // board.span
    if number == board.start(owner):
        return ("start" if owner in board.seats else "unused"), owner
    for other in board.seats:
        if number == board.branch(other):
            return "branch", other
    return ("special" if number in board.specials else "plain"), None


def space(layout: Layout, theme: Theme, side: int | None, place: str) -> Sprite:
    """The space at a place, ready to be pasted."""
    kind, owner = space_kind(layout, side, place)
    return sprites.space(theme, SPACE * layout.pitch, place, kind, owner)


def heading(one: Point, other: Point) -> float:
    """The direction from one point to another, in degrees clockwise from the right."""
    return math.degrees(math.atan2(other[1] - one[1], other[0] - one[0]))
