"""Moves below the pieces: ribbons along their strokes, the arrows on them, and dots that lead pieces home.

A walk is a broad ribbon along its spaces, everything else a narrow bow. The last move is bright, those before
it are faint. `halos.py` draws what lies around and above the pieces.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise

from PIL import Image

from engine import StepKind, place_of
from render.board import ground, halos
from render.board.geometry import CROSSING, PIECE, SPACE, Layout, spread
from render.board.strokes import NARROW, Stroke, occupied_points, pieces, steps_as_strokes, trim_start, ways_home
from render.drawing import shapes
from render.drawing.art import Art, Canvas, Pen, Point, Sprite, cached
from render.drawing.colour import RGB, mix
from render.scene import Scene
from render.themes import INK, PAPER, Theme

BROAD = 0.5
"""Half the width of a walk's ribbon, in pitches."""
NEWEST = 0.36
"""Radius of the spaces of the last move, in pitches: smaller than the others, they leave room for its arrows."""
FAINT, TINT = (0.86, 0.6), 0.82
"""Opacity of the ribbons of the move before the last and of older moves, and the share of the seat's colour."""


def draw(
    canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, lines: Sequence[Stroke], signs: Sequence[Point] | None
) -> None:
    """Draw the ribbons, then the spaces they cover, and dots home, but not where `signs` will lie; None: no dots."""
    stands = occupied_points(scene, layout)
    for faint in (True, False):
        layer = [line for line in lines if line.bright is not faint]
        # An unconfirmed move looks like a way, not like a move that was made.
        asked = not faint and scene.chooser is not None and not scene.candidates
        if asked:
            _draw_ways(canvas, layout, theme, scene, layer)
        for line in () if asked else layer:
            _ribbon(canvas, layout, theme, line)
        covered: dict[Point, tuple[int | None, str]] = {}
        newest = {spot for line in layer if line.bright and line.walk for spot in line.points}
        for line in layer:
            covered.update({} if asked else _covered_spaces(layout, line))
            for taken_side, points in ways_home(scene, layout, line) if signs is not None else ():
                radius = (DOT if line.bright else 0.75 * DOT) * layout.pitch
                for at in _flight(layout, points, _obstacles(layout, scene, signs or ())):
                    _dot(theme, taken_side, radius, line.bright).onto(canvas, *at)
        for (x, y), (side, place) in covered.items():
            ground.space(layout, theme, side, place, NEWEST if (x, y) in newest else SPACE).onto(canvas, x, y)
        for line in layer:
            if not asked:
                _chevrons(canvas, layout, theme, line, line.bright and line.points[-1] in stands)
            _origin(canvas, layout, theme, line)


def _ribbon(canvas: Canvas, layout: Layout, theme: Theme, line: Stroke) -> None:
    half = (BROAD if line.walk else NARROW) * layout.pitch
    if not line.bright:
        half *= 0.84 if line.walk else 0.7
    parts = [*_parts(layout, line), *_fillings(layout, line)]
    if not line.bright:
        # Parts overlap, which shows if they are translucent, so they are all merged before they go on the ground.
        whole = _merge(parts, half)
        colour = mix(theme.ribbon, theme.seat(line.step.side), TINT)
        canvas.stencil(colour, whole.mask.point(_FAINT[min(line.age, len(FAINT)) - 1]), -whole.x, -whole.y)
        return
    bands = [(theme.ribbon, half)]
    if theme.ribbon_edge:
        # On light wood, an ivory ribbon needs an edge to be visible.
        bands = [(theme.chevron, half), (theme.ribbon, half * (1 - theme.ribbon_edge / 29.5))]
    for colour, reach in bands:
        for part in parts:
            draw_band(canvas, colour, part, reach)


WAY, BOW = 0.085, 0.12
"""Half the width of the line to a place that a piece could go to, in pitches, for a walk and for a bow."""
HEAD, SHORT = 0.27, 0.92
"""Size of the arrow at the end of such a bow, and how far it stays from the middle of the place, in pitches."""


def draw_ways(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw where pieces could go: lines below the spaces in the seat's colour, unlike the ribbon of what was done.

    The spaces of a walk come forward; those that a bow only crosses do not, and it has an arrow at its end.
    """
    _draw_starts(canvas, layout, theme, scene)
    _draw_ways(canvas, layout, theme, scene, steps_as_strokes(scene, layout, scene.ways, arrow=True))


def _draw_starts(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the start in full where a piece could come out."""
    for side, text in scene.candidates:
        if place_of(text) == "-":
            start = layout.board.start(side)
            ground.space(layout, theme, None, str(start)).onto(canvas, *layout.track[start])


def _draw_ways(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, lines: Sequence[Stroke]) -> None:
    for edge in (0.035, 0.0):
        for line in lines:
            reach, colour = WAY if line.walk else BOW, theme.lit(line.step.side)
            for part in _parts(layout, line if line.walk else _shorten(layout, line)):
                draw_band(canvas, INK if edge else colour, part, (reach + edge) * layout.pitch)
    ends = {line.points[-1] for line in lines} | occupied_points(scene, layout)
    arrows: list[tuple[float, Point, RGB]] = []
    for line in lines:
        colour = theme.lit(line.step.side)
        for (x, y), (side, place) in _covered_spaces(layout, line).items():
            space = ground.space(layout, theme, side, place, NEWEST if line.walk else SPACE)
            (space if line.walk else _fade_crossed(theme, scene, space)).onto(canvas, x, y)
        if not line.walk:
            _head(canvas, layout, colour, line.points)
            if line.step.kind is StepKind.SWAP:
                _head(canvas, layout, colour, line.points[::-1])
        for begin, end in pairwise(line.points) if line.walk else ():
            middle = ((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2)
            if not ends & {begin, end} and math.dist(begin, end) > NARROWEST * layout.pitch:
                arrows.append((ground.heading(begin, end), middle, colour))
        for x, y in line.points if line.walk else ():
            if (x, y) not in ends:  # A token or a piece there may be smaller.
                radius = (SPACE + 0.045) * (0.9 if layout.sparse else 1.0) * layout.pitch
                _loop(theme, line.step.side, radius, 0.075 * layout.pitch).onto(canvas, x, y)
    for angle, middle, colour in arrows:
        chevron(angle, 0.25 * layout.pitch, INK).onto(canvas, *middle)
        chevron(angle, 0.19 * layout.pitch, colour).onto(canvas, *middle)


def _fade_crossed(theme: Theme, scene: Scene, space: Sprite) -> Sprite:
    """Fade a space that something only flies across, as the board is for a question."""
    return space.fade(theme.table, theme.back) if scene.back else space


def _shorten(layout: Layout, line: Stroke) -> Stroke:
    """End a bow where its head begins; a bow that goes both ways begins there too."""
    points = trim_start(line.line[::-1], SHORT * layout.pitch)[::-1]
    return replace(line, line=trim_start(points, SHORT * layout.pitch) if line.step.kind is StepKind.SWAP else points)


def _head(canvas: Canvas, layout: Layout, colour: RGB, points: Sequence[Point]) -> None:
    """Draw the arrow at the end of a bow, before the token that stands there."""
    end, short = points[-1], SHORT * layout.pitch
    x, y = next(point for point in reversed(points) if math.dist(point, end) >= short or point == points[0])
    share = short / (math.dist((x, y), end) or short)
    tip = (end[0] + (x - end[0]) * share, end[1] + (y - end[1]) * share)
    for size, tone in ((HEAD + 0.05, INK), (HEAD, colour)):
        chevron(ground.heading((x, y), end), size * layout.pitch, tone).onto(canvas, *tip)


@cached(radius=1, width=1)
def _loop(theme: Theme, side: int, radius: float, width: float) -> Sprite:
    """Return a ring around a space on a walk to a place with a letter: the way goes on around its number."""
    art = Art(radius * 2 + 4, radius * 2 + 4)
    c = art.width / 2
    art.fill(theme.lit(side), lambda p: p.ring(c, c, radius, width))
    return art.sprite()


_FAINT = [[round(i * share) for i in range(256)] for share in FAINT]


_SHARE = 16
"""Points of a bow drawn at once: more would need a larger box around them, most of it empty."""


def _parts(layout: Layout, line: Stroke) -> list[tuple[Point, ...]]:
    """Divide a ribbon's line into short parts: a walk's go from space to space, so that other walks share them."""
    if not line.walk:
        return [line.line[at : at + _SHARE + 1] for at in range(0, max(1, len(line.line) - 1), _SHARE)]
    parts: list[tuple[Point, ...]] = []
    here = line.line[0]
    bends = [(), *(tuple(layout.between(*place)) for place in pairwise(line.step.path)), ()]
    for at, (place, following) in enumerate(zip(pairwise(line.step.path), line.points[1:], strict=True)):
        before, bend, after = bends[at : at + 3]
        bend = bend or _rounded(layout, *place, before[-2:-1], after[1:2]) or (following,)
        parts.append((here, *bend))
        here = bend[-1]
    return parts or [(here, here)]


def _fillings(layout: Layout, line: Stroke) -> Iterator[tuple[Point, ...]]:
    """Yield the roundings inside a broad line where it turns from the track onto an inner path, or back."""
    inner = [bool(layout.between(*place)) for place in pairwise(line.step.path if line.walk else ())]
    for at in (at for at, pair in enumerate(pairwise(inner), 1) if len({*pair}) > 1):
        parts, (x, y) = _parts(layout, line)[at - 1 : at + 1], line.points[at]
        near, far = (min(part, key=lambda p: abs(math.dist(p, (x, y)) - 0.8 * layout.pitch)) for part in parts)
        shares = [((1 - t) ** 2, 2 * t * (1 - t), t * t) for t in (i / 8 for i in range(9))]
        yield tuple((a * near[0] + b * x + c * far[0], a * near[1] + b * y + c * far[1]) for a, b, c in shares)


_SHARP = 50.0
"""From this many degrees on, a turn of the track is a corner and not part of a curve."""


@lru_cache(maxsize=512)
def _rounded(
    layout: Layout, here: str, following: str, come: tuple[Point, ...] = (), gone: tuple[Point, ...] = ()
) -> tuple[Point, ...]:
    """Return the line from a space of the track to the next where that is curved; empty where it is straight.

    `come`, `gone`: the point next to its beginning or end, if there it is on an inner path.
    """
    length = layout.board.length
    if not (here.isdigit() and following.isdigit()):
        return ()
    first, second = int(here), int(following)
    way = 1 if second == first % length + 1 else -1
    before, after = ((number - 1) % length + 1 for number in (first - way, second + way))
    a, b, c, d = (layout.track[number] for number in (before, first, second, after))
    turns = [_turn(a, b, c), _turn(b, c, d)]
    if not come and not gone and not any(5 < turn < _SHARP for turn in turns):
        return ()
    reach = math.dist(b, c)
    starts = (come[0], b) if come else (a if turns[0] < _SHARP else b, c)
    ends = (c, gone[0]) if gone else (b, d if turns[1] < _SHARP else c)
    (ux, uy), (vx, vy) = (
        ((q[0] - p[0]) * reach / math.dist(p, q), (q[1] - p[1]) * reach / math.dist(p, q)) for p, q in (starts, ends)
    )
    found = []
    for t in (i / 8 for i in range(1, 9)):
        s0, s1, s2, s3 = 2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t, 3 * t**2 - 2 * t**3, t**3 - t**2
        found.append((s0 * b[0] + s1 * ux + s2 * c[0] + s3 * vx, s0 * b[1] + s1 * uy + s2 * c[1] + s3 * vy))
    return tuple(found)


def _turn(begin: Point, middle: Point, end: Point) -> float:
    """Return the degrees by which a line turns at its middle point."""
    turn = ground.heading(middle, end) - ground.heading(begin, middle)
    return abs((turn + 180) % 360 - 180)


def _merge(parts: Sequence[tuple[Point, ...]], half: float) -> Sprite:
    """Merge all parts of a line in one mask; the sprite's middle is the picture's."""
    bands = [band(part, half) for part in parts]
    left, top = min(-sprite.x for sprite in bands), min(-sprite.y for sprite in bands)
    right = max(sprite.mask.width - sprite.x for sprite in bands)
    bottom = max(sprite.mask.height - sprite.y for sprite in bands)
    mask = Image.new("L", (right - left, bottom - top))
    for sprite in bands:
        mask.paste(255, (-sprite.x - left, -sprite.y - top), sprite.mask)
    return Sprite(mask, mask, -left, -top)


@cached(half=2)
def band(part: tuple[Point, ...], half: float) -> Sprite:
    """Return a broad line through some points; the sprite's middle is the picture's."""
    pad = math.ceil(half) + 2
    left, top = math.floor(min(x for x, _ in part)) - pad, math.floor(min(y for _, y in part)) - pad
    width = math.ceil(max(x for x, _ in part)) + pad - left
    height = math.ceil(max(y for _, y in part)) + pad - top
    pen = Pen(width, height, 4)
    pen.line([(x - left, y - top) for x, y in part], 2 * half)
    mask = pen.take()
    return Sprite(mask, mask, -left, -top)


def draw_band(canvas: Canvas, colour: RGB, part: tuple[Point, ...], half: float) -> None:
    """Draw such a line."""
    line = band(part, half)
    canvas.stencil(colour, line.mask, -line.x, -line.y)


def _covered_spaces(layout: Layout, line: Stroke) -> dict[Point, tuple[int | None, str]]:
    """Return the spaces on a ribbon, by their centres."""
    side = line.step.side
    if line.walk:
        path = map(layout.label, line.step.path)
        found = _spaces_near(layout, line.line, SPACE + BROAD - 0.05) if line.line is not line.points else {}
        return found | {spot: (side, place) for spot, place in zip(line.points, path, strict=True)}
    return _spaces_near(layout, line.points, SPACE + NARROW)


def _spaces_near(layout: Layout, points: Sequence[Point], reach: float) -> dict[Point, tuple[int | None, str]]:
    """Return the spaces that a line passes within `reach` pitches."""
    near = reach * layout.pitch
    left, right = min(x for x, _ in points) - near, max(x for x, _ in points) + near
    top, bottom = min(y for _, y in points) - near, max(y for _, y in points) + near
    found: dict[Point, tuple[int | None, str]] = {}
    for x, y, owner, place in layout.spots:
        if left < x < right and top < y < bottom:
            for px, py in points:
                if -near < x - px < near and -near < y - py < near:
                    found[x, y] = owner, place
                    break
    return found


def _chevrons(canvas: Canvas, layout: Layout, theme: Theme, line: Stroke, arrived: bool) -> None:
    colour = theme.chevron if line.bright else mix(theme.chevron, theme.band, 0.25)
    if line.walk:
        hidden = {line.points[-1]} if arrived else set()
        hidden |= {layout.place(*spot) for spot in line.step.sent_home if line.bright}
        for (begin, end), places in zip(pairwise(line.points), pairwise(line.step.path), strict=True):
            # A halo or burst would hide part of it, and so would the spaces: it fits between them or is left out.
            away, left = math.dist(begin, end) / layout.pitch, halos.EDGE if begin == line.points[0] else NEWEST
            size, share = min(0.16, (away - left - NEWEST - 0.04) / 1.3), 0.5 + (left - NEWEST) / 2 / away
            if size * layout.pitch < SMALLEST * layout.size or (hidden & {begin, end} and away < 1.2):
                continue
            x, y = begin[0] + (end[0] - begin[0]) * share, begin[1] + (end[1] - begin[1]) * share
            if bend := layout.between(*places):
                at = len(bend) // 2
                (x, y), begin, end, size = bend[at], bend[at - 1], bend[at + 1], 0.2
            chevron(ground.heading(begin, end), size * layout.pitch, colour).onto(canvas, x, y)
        return
    both = line.step.kind is StepKind.SWAP
    for share, begin, end in arrow_places(layout, line.line):
        if both and share < 0.5:
            begin, end = end, begin
        middle = ((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2)
        chevron(ground.heading(begin, end), ARROW * layout.pitch, colour).onto(canvas, *middle)


SMALLEST, NARROWEST = 5.2 / 1024, 0.92
"""The least size of a chevron on a ribbon, as a share of the picture, and the least distance of spaces on a way with a
chevron between them, in pitches."""
ARROW = 0.13
"""Size of a chevron on a bow."""


def arrow_places(layout: Layout, points: Sequence[Point]) -> list[tuple[float, Point, Point]]:
    """Return where an arrow on a bow hides no number: its share of the way (0 to 1), and two points for its direction.

    They are about a pitch apart; there is none in the middle of a swap, which goes both ways.
    """
    near = (SPACE + ARROW * 1.5) * layout.pitch
    left, right = min(x for x, _ in points) - near, max(x for x, _ in points) + near
    top, bottom = min(y for _, y in points) - near, max(y for _, y in points) + near
    spots = [(x, y) for x, y, _, _ in layout.spots if left <= x <= right and top <= y <= bottom]
    found: list[tuple[float, Point, Point]] = []
    last: Point | None = None
    fine = [
        ((a[0] * (2 - i) + b[0] * i) / 2, (a[1] * (2 - i) + b[1] * i) / 2)
        for a, b in pairwise(points)
        for i in range(2)
    ]
    for index in range(4, len(fine) - 5):
        x, y = fine[index]
        share = index / len(fine)
        if abs(share - 0.5) < 0.04 or (last is not None and math.dist(last, (x, y)) < 0.8 * layout.pitch):
            continue
        if all(abs(x - a) > near or abs(y - b) > near or math.dist((x, y), (a, b)) > near for a, b in spots):
            found.append((share, fine[index - 1], fine[index + 1]))
            last = x, y
    return found


def chevron(angle: float, size: float, colour: RGB) -> Sprite:
    """Return a small arrow head that points in a direction (degrees clockwise from the right)."""
    return _chevron(round(angle / 3) * 3 % 360, size, colour)


@cached(size=1)
def _chevron(angle: int, size: float, colour: RGB) -> Sprite:
    art = Art(size * 3 + 4, size * 3 + 4)
    c = art.width / 2
    shape = [(-0.62, -1.0), (0.62, 0.0), (-0.62, 1.0), (-0.3, 0.0)]
    art.fill(colour, partial(Pen.polygon, points=shapes.at(shape, c, c, size, angle), grow=size * 0.1))
    return art.sprite()


def _origin(canvas: Canvas, layout: Layout, theme: Theme, line: Stroke) -> None:
    """Draw a hollow ring where the piece came from; a swap has none, as both its ends are occupied.

    On the ribbon of the last walk it has the seat's colour; it leaves room for the arrow.
    """
    if line.step.kind in (StepKind.SWAP, StepKind.JUMP):
        return
    colour = theme.loud(line.step.side) if line.walk and line.bright else theme.ribbon
    width = halos.LEFT if line.walk else PIECE + 0.015
    halos.hollow(canvas, layout, theme, line.step.origin, line.points[0], width, colour, line.bright)


SIGN, DOT, APART = 0.5, 0.1, 0.42
"""Radii of a sign and of a dot, and the distance between dots on a way home, in pitches."""
CLOSE, FIGURE = 2.5, 0.68
"""Up to this many pitches, a way home has no room for dots; and how far a number reaches, in radii of its space."""


def _obstacles(layout: Layout, scene: Scene, signs: Iterable[Point]) -> list[tuple[float, float, float]]:
    """Return what no dot may touch, as circles in pixels with their radius in pitches: numbers, pieces and signs."""
    wide = {str(number): reach for number, reach in layout.reach.items()}
    spots = ((x, y, wide.get(place, CROSSING if "/" in place else SPACE)) for x, y, _, place in layout.spots)
    found = [(x, y, FIGURE * reach) for x, y, reach in spots]
    return found + [(*at, PIECE) for at in pieces(scene, layout)] + [(*at, SIGN) for at in signs]


def _flight(layout: Layout, line: Sequence[Point], off: Iterable[tuple[float, float, float]]) -> Iterator[Point]:
    """Yield dots in even steps from a piece's capture to its kennel, without those that touch what is `off`."""
    unit = layout.pitch
    if math.dist(line[0], line[-1]) < CLOSE * unit:
        return
    way = trim_start(trim_start(line, 0.86 * unit)[::-1], 0.72 * unit)
    steps = round(sum(math.dist(*pair) for pair in pairwise(way)) / (APART * unit))
    dots = [part[0] for part in spread([*way], steps)] + [way[-1]]
    yield from (at for at in dots if all(math.dist(at, circle[:2]) > (circle[2] + DOT) * unit for circle in off))


@cached(radius=1)
def _dot(theme: Theme, side: int, radius: float, bright: bool) -> Sprite:
    art = Art(radius * 2 + 6, radius * 2 + 6)
    # A pale ring would be lost on a bright table.
    colour, inner = (theme.edge(side), 0.95) if theme.bright else (theme.seat(side), 0.62)
    art.discs((INK, radius + 1.8), (PAPER, radius + 0.8), (colour, inner * radius))
    return art.sprite(opacity=1.0 if bright else 0.5)
