"""The board without pieces: table, track, lanes and spaces. `patches.board` keeps what is drawn here."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, reduce
from itertools import product

from PIL import Image, ImageChops, ImageFilter, ImageMath

from render.board import sprites
from render.board.geometry import BAND, CROSSING, LANE, NARROW, PATH, SPACE, START, Layout
from render.drawing import shapes
from render.drawing.art import GRID, Canvas, Pen, Pixels, Point, Sprite, touched
from render.drawing.colour import RGB, mix
from render.themes import UNUSED, Theme

BESIDE = 0.3
"""The least room beside a lane for arrows, in pitches."""
_STEPS = 6
"""From where a shadow begins to where it is darkest."""


class _Sheet:
    """A picture to which flat colours are added through smooth masks."""

    def __init__(self, size: int, colour: RGB) -> None:
        self.size = size
        self.image = Image.new("RGB", (size, size), colour)
        self.scale = 3 if size <= 1100 else 2

    def fill(
        self,
        colour: RGB,
        shape: Callable[[Pen, float, float], None],
        around: Iterable[Point] | None = None,
        reach: float = 0.0,
        blur: float = 0.0,
        opacity: float = 1.0,
        scale: int = 0,
    ) -> Image.Image:
        """Add a shape, given as a function of a pen and of where the mask's corner lies; `around` and `reach` bound it.

        Returns the mask. `scale`: how finely its edge is smoothed, for shapes that need less than the sheet's own;
        blurred shapes need none.
        """
        left, top, right, bottom = 0, 0, self.size, self.size
        if around is not None:
            points = list(around)
            reach += 3 * blur + 2
            left = max(0, math.floor(min(x for x, _ in points) - reach))
            top = max(0, math.floor(min(y for _, y in points) - reach))
            right = min(self.size, math.ceil(max(x for x, _ in points) + reach))
            bottom = min(self.size, math.ceil(max(y for _, y in points) + reach))
        pen = Pen(right - left, bottom - top, scale or (1 if blur else self.scale))
        shape(pen, left, top)
        mask = pen.take()
        if blur:
            mask = mask.filter(ImageFilter.GaussianBlur(blur))
        if opacity < 1:
            # A blurred edge in few steps: no eye sees them, and each costs bytes.
            steps = _STEPS if blur else 255
            mask = mask.point([round(round(i / 255 * steps) / steps * 255 * opacity) for i in range(256)])
        self.image.paste(colour, (left, top), mask)
        return mask

    def line(
        self,
        colour: RGB,
        points: Iterable[Point],
        width: float,
        blur: float = 0.0,
        opacity: float = 1.0,
        drop: float = 0.0,
    ) -> None:
        """Add a line with round ends."""
        points = [(x, y + drop) for x, y in points]

        def shape(pen: Pen, left: float, top: float) -> None:
            pen.line([(x - left, y - top) for x, y in points], width)

        self.fill(colour, shape, points, width / 2, blur, opacity)


def draw(layout: Layout, theme: Theme) -> Image.Image:
    """Draw an empty board from scratch."""
    k = layout.size / 1024
    sheet = _Sheet(layout.size, theme.table)
    # Its edge lies under the band.
    sheet.fill(theme.inner, lambda p, x, y: p.polygon(layout.outline), scale=1)
    _track(sheet, layout, theme, k)
    for name in layout.path_lines:
        _path(sheet, layout, theme, name, k)
    for side in range(layout.board.sides):
        _lane(sheet, layout, theme, side, k)
    for group, size, lane in _arrows(layout):
        colour = mix(theme.inner, theme.quiet, 0.55) if lane else mix(theme.quiet, theme.text, 0.3)
        for (at, angle), opacity in zip(reversed(group), (1.0, 0.7, 0.45), strict=False):
            _arrow(sheet, at, angle, size, colour, opacity)
    for x, y, owner, place in layout.spots:
        space(layout, theme, owner, place).paste(sheet.image, x, y)
        # Where no arrow has room beside the lanes, spaces without numbers show the direction.
        bare = layout.beside < BESIDE and layout.sparse and space_kind(layout, owner, place)[0] == "plain"
        if bare and int(place) % 5 == 3 and not layout.blank:
            ahead = layout.track[int(place) % layout.board.length + 1]
            _pointer(sheet, (x, y), heading((x, y), ahead), 0.2 * layout.pitch, theme.number)
    return sheet.image


def _track(sheet: _Sheet, layout: Layout, theme: Theme, k: float) -> None:
    outline, edge = layout.outline, theme.outline * k
    half = BAND * layout.pitch
    if theme.shadow:
        sheet.line((0, 0, 0), outline, 2 * half + 6 * k, 4 * k, theme.shadow, 6 * k)
    inner = layout.inner_corners(half, 0.3 * layout.pitch)

    def band(pen: Pen, inset: float) -> None:
        pen.line(outline, 2 * (half - inset))
        for corner, centre, radius in inner:
            # The corners inside the arms come out sharp: fill them, and cut a rounding out of the filling.
            beyond = 1 + 2 * edge / radius
            tip = (centre[0] + (corner[0] - centre[0]) * beyond, centre[1] + (corner[1] - centre[1]) * beyond)
            pen.polygon([tip, *_square(tip, centre)])
            pen.disc(*centre, radius + inset, 0)

    sheet.fill(theme.band_edge, lambda p, x, y: band(p, 0.0))
    mask = sheet.fill(theme.band, lambda p, x, y: band(p, edge))
    if theme.grain:
        _wood(sheet.image, theme, mask)
    if theme.bevel:
        _bevel(sheet, theme, mask, k)


def _square(corner: Point, centre: Point) -> list[Point]:
    """Return the other three corners of the square (or rhombus) between a sharp corner and its rounding's centre."""
    (cx, cy), (mx, my) = corner, centre
    hx, hy = (mx - cx) / 2, (my - cy) / 2
    return [(cx + hx - hy, cy + hy + hx), (mx, my), (cx + hx + hy, cy + hy - hx)]


def _bevel(sheet: _Sheet, theme: Theme, mask: Image.Image, k: float) -> None:
    """Draw light along the upper left edges of the band, shadow along the lower right edges."""
    depth = max(1, round(2.2 * k))
    for dx, colour, strength in ((depth, theme.rim, theme.bevel), (-depth, (0, 0, 0), theme.bevel * 0.7)):
        moved = Image.new("L", mask.size)
        moved.paste(mask, (dx, dx))
        edge = ImageChops.subtract(mask, moved)
        sheet.image.paste(colour, (0, 0), edge.point([round(i * strength) for i in range(256)]))


def _path(sheet: _Sheet, layout: Layout, theme: Theme, name: str, k: float) -> None:
    """Draw an inner path: a narrower band, with signs for its direction between the spaces."""
    points = layout.path_lines[name]
    width = 2 * PATH * layout.pitch
    second = sorted(layout.path_lines).index(name) % 2
    # The second path is as bright as the track, even in grey: a stronger edge sets it off.
    inner, edge = theme.paths[second], mix(theme.band_edge, theme.text, 0.2 * second)
    if theme.shadow:
        sheet.line((0, 0, 0), points[10:-10], width, 3 * k, theme.shadow * 0.7, 2 * k)
    sheet.line(edge, points, width)
    sheet.line(inner, points, width - 2 * theme.outline * k)


_HEAD = [(-0.45, -0.8), (0.45, 0.0), (-0.45, 0.8)]
_SEEN, _OPAQUE = 12, 36
"""From how far on, of 255, something differs from the board beneath it, and is more than a shadow on that."""


def _arrow(sheet: _Sheet, at: Point, angle: float, size: float, colour: RGB, opacity: float) -> None:

    def shape(pen: Pen, left: float, top: float) -> None:
        pen.line(shapes.at(_HEAD, at[0] - left, at[1] - top, size, angle), size * 0.36)

    sheet.fill(colour, shape, [at], size * 1.4, opacity=opacity)


def _arrows(layout: Layout) -> Iterator[tuple[list[tuple[Point, float]], float, bool]]:
    """Yield the arrows that show the direction of play: their spots and directions, the faintest first, and their size.

    With True there are three beside a lane that has room for them, otherwise a single arrow of an inner path.
    """
    size = (14 if layout.board.sides == 4 else 11) * layout.size / 1024
    for side, across in product(range(layout.board.sides if layout.beside >= BESIDE else 0), (1, -1)):
        spots = [layout.channel(side, across, place) for place in range(-1, 4)]
        yield [(spots[at], heading(spots[at], spots[at + across])) for at in (1, 2, 3)][::across], size, True
    for name, parts in layout.path_parts.items():
        crossing = dict(layout.board.crossing).get(name, -1)
        for number, part in enumerate(parts):
            # Half-way between the edges of two spaces: the crossing is larger than others.
            at = round({crossing - 1: 0.42, crossing: 0.58}.get(number, 0.5) * len(part))
            yield [(part[at], heading(part[at - 1], part[at + 1]))], 0.2 * layout.pitch, False


@lru_cache(maxsize=64)
def _around_arrows(layout: Layout) -> tuple[tuple[Pixels, int, Image.Image, tuple[int, int]], ...]:
    """Return a box for each lane's arrows and each arrow of a path, its bits, what they cover in it, and a bare spot.

    The bits are those of `_squares`.
    """
    found = []
    for group, size, lane in _arrows(layout):
        reach = math.ceil(1.2 * size) + 4 * lane
        xs, ys = [round(x) for (x, _), _ in group], [round(y) for (_, y), _ in group]
        left, top, right, bottom = min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach
        pen = Pen(right - left, bottom - top, 2)
        for (x, y), angle in group:
            pen.line(shapes.at(_HEAD, x - left, y - top, size, angle), 0.36 * size + 3 + 4 * lane)
        # Between an arrow's arms there is nothing but its ground.
        (x, y), angle = group[-1]
        across, down = shapes.at([(-0.45, 0.0)], x, y, size, angle)[0]
        box = (left, top, right, bottom)
        found.append((box, _squares([box], layout.size), pen.take(), (round(across), round(down))))
    return tuple(found)


def _squares(boxes: Iterable[Pixels], size: int) -> int:
    """Return the squares of a picture's grid that boxes touch, as the bits of one number."""
    return sum(bits << row * GRID for row, bits in enumerate(touched(boxes, size)))


def erase_touched_arrows(canvas: Canvas, layout: Layout, ground: Image.Image) -> None:
    """Take off the canvas the arrows of the board, its `ground`, that anything touches: beside a lane all three."""
    boxes = canvas.changed
    changed = _squares(boxes, layout.size)
    for box, squares, mask, bare in _around_arrows(layout):
        left, top, right, bottom = box
        if not changed & squares or not any(x < right and y < bottom and a > left and b > top for x, y, a, b in boxes):
            continue
        over = ImageChops.difference(canvas.image.crop(box), ground.crop(box))
        if not over.getbbox():
            continue
        over = reduce(ImageChops.lighter, over.split())
        if over.getextrema()[1] < _SEEN:  # type: ignore[operator]
            continue
        seen = ImageChops.subtract(over, Image.new("L", over.size, _SEEN - 1))
        if ImageChops.darker(mask, seen).getbbox():
            # An arrow below a shadow would be a stump.
            opaque = ImageChops.subtract(over, Image.new("L", over.size, _OPAQUE - 1), 1 / 255)
            canvas.image.paste(ground.getpixel(bare), box, ImageChops.subtract(mask, opaque))  # type: ignore[arg-type]
            boxes.append(box)
            changed |= squares


def _pointer(sheet: _Sheet, at: Point, angle: float, size: float, colour: RGB) -> None:
    """Draw a filled arrow for a space: open lines would look like a letter on a slanting arm."""
    head = shapes.at([(-0.7, -0.75), (0.9, 0.0), (-0.7, 0.75), (-0.3, 0.0)], *at, size, angle)
    sheet.fill(colour, lambda p, x, y: p.polygon([(a - x, b - y) for a, b in head], 0.14 * size), [at], size * 1.4)


def _lane(sheet: _Sheet, layout: Layout, theme: Theme, side: int, k: float) -> None:
    used = side in layout.board.seats
    colour = theme.lane(side) if used else mix(UNUSED, theme.inner, 0.72)
    line = [layout.track[layout.board.branch(side)], layout.lanes[side][3]]
    # An unused lane is narrower: in grey, colours tell nothing.
    width = 2 * (LANE if used else 0.8 * LANE) * layout.pitch
    if theme.shadow:
        sheet.line((0, 0, 0), layout.lanes[side], width, 3 * k, theme.shadow * 0.7, 2 * k)
    edge = mix(colour, theme.rim, 0.25)
    sheet.line(theme.outline_colour(side, edge) if used else edge, line, width)
    sheet.line(colour, line, width - 3 * k)


def space_kind(layout: Layout, side: int | None, place: str) -> tuple[str, int | None]:
    """Return the kind of a place's space (see `sprites.space`) and its owner."""
    board = layout.board
    if place in "abcd":
        return ("slot" if side in board.seats else "unused"), side
    if not place.isdigit():
        return ("crossing" if "/" in place else "path"), None
    number = int(place)
    owner = (number - 1) // board.span
    if number == board.start(owner):
        return ("start" if owner in board.seats else "unused"), owner
    for other in board.seats:
        if number == board.branch(other):
            return "branch", other
    return ("special" if number in board.specials else "plain"), None


def space(layout: Layout, theme: Theme, side: int | None, place: str, radius: float = SPACE) -> Sprite:
    """Return the space at a place, ready to be pasted; with another `radius`, in pitches, its number is loud."""
    kind, owner = space_kind(layout, side, place)
    loud = radius != SPACE
    if kind in ("start", "plain", "branch") and not loud:
        radius = layout.reach[int(place)] / (START if kind == "start" else 1.0)
        large = layout.small and (kind == "start" or int(place) % 5 == 0)
        # Where a lane leaves no room for a larger space, at least its number is larger.
        loud = large and radius < NARROW
        if layout.sparse and not large:
            place = ""
    elif loud and layout.small and place.isdigit() and int(place) % 5 == 0:
        radius = NARROW
    if kind == "crossing":
        radius = CROSSING
    return sprites.space(theme, radius * layout.pitch, "" if layout.blank else place, kind, owner, loud)


def heading(begin: Point, end: Point) -> float:
    """Return the direction from one point to another, in degrees clockwise from the right."""
    return math.degrees(math.atan2(end[1] - begin[1], end[0] - begin[0]))


RINGS = 12
"""Growth rings across the picture."""
SEED = 7


def _wood(picture: Image.Image, theme: Theme, mask: Image.Image) -> None:
    """Lay the theme's wood over a picture through a mask of the same size."""
    tones = _grain(picture.size, len(theme.grain))
    tones.putpalette(b"".join(bytes(tone) for tone in theme.grain))
    picture.paste(tones.convert("RGB"), (0, 0), mask)


def _grain(size: tuple[int, int], tones: int) -> Image.Image:
    """Return the wood as numbers of tones, in mode `P`."""
    lots = random.Random(SEED)
    values = Image.frombytes("L", (5, 7), lots.randbytes(5 * 7))
    # A sawtooth: the height of a point, many times over, bent by noise that changes slowly along the plank. Whole
    # numbers would make stairs of it.
    rise, bent = (
        image.convert("F").resize(size, Image.Resampling.BICUBIC) for image in (Image.linear_gradient("L"), values)
    )
    rings = ImageMath.lambda_eval(lambda of: (of["rise"] * RINGS + of["bent"]) % 256, rise=rise, bent=bent)
    found = rings.convert("L").point([round((tones - 1) * (1 - abs(i / 127.5 - 1) ** 1.6)) for i in range(256)])
    return Image.frombytes("P", size, found.tobytes())
