"""Moves drawn on the board: ribbons under the spaces, rings where pieces came from, halos where they stand.

A walk is a broad ribbon along its spaces. What does not walk (out of the kennel, a jump, a swap) is a narrow curved
one. The last move is bright, those before it are faint. Pieces sent home leave a burst, and dots lead to their kennel.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from PIL import Image

from engine import Step, StepKind
from render import ground, shapes, sprites
from render.cache import Cache
from render.colour import mix, shade
from render.draw import Art, Canvas, Pen, Sprite
from render.geometry import PIECE, SPACE, Layout, Point
from render.scene import Scene
from render.themes import INK, MARKS, PAPER, Theme

BROAD = 0.5
"""Half the width of a walk's ribbon, in pitches; the others likewise."""
NARROW = 0.17
FAINT = 0.42
"""How much of an earlier move's ribbon shows."""

_WALKS = (StepKind.FORWARD, StepKind.BACKWARD, StepKind.MAGNET)

_masks: Cache[Sprite] = Cache("ribbons", 4 << 20, lambda sprite: sprite.mask.width * sprite.mask.height + 400)


@dataclass(frozen=True)
class Stroke:
    """One step as a line on the picture."""

    step: Step
    points: tuple[Point, ...]
    """The middles of its spaces; for a bow, points along it."""
    line: tuple[Point, ...]
    """What the ribbon follows."""
    walk: bool
    bright: bool
    number: int | None
    """Which part of a split move it is; None where there is only one."""


def trails(scene: Scene, layout: Layout) -> list[Stroke]:
    """The lines of all moves, the last move's at the end."""
    found = []
    for index, (_, steps) in enumerate(scene.moves):
        bright = index == len(scene.moves) - 1
        numbered = len([step for step in steps if step.kind is not StepKind.JUMP]) > 1
        for number, step in enumerate(steps, 1):
            walk = step.kind in _WALKS
            points = _points(scene, layout, step, walk)
            line = _along(layout, step) if walk and layout.board.paths else points
            found.append(Stroke(step, points, line, walk, bright, number if bright and numbered else None))
    return found


def _points(scene: Scene, layout: Layout, step: Step, walk: bool) -> tuple[Point, ...]:
    if walk:
        return tuple(layout.place(step.side, place) for place in step.path)
    start = well(scene, layout, step.side, 0) if step.origin == "-" else layout.place(step.side, step.origin)
    end = layout.place(step.side, step.target)
    if step.kind is StepKind.SWAP and step.other is not None:
        end = layout.place(*step.other)
    return curve(start, end, layout, 0.16 if step.origin == "-" else 0.42)


def _along(layout: Layout, step: Step) -> tuple[Point, ...]:
    """A walk's line where inner paths bend it."""
    line = [layout.place(step.side, step.path[0])]
    for one, other in pairwise(step.path):
        line += layout.between(one, other) or [layout.place(step.side, other)]
    return tuple(line)


def well(scene: Scene, layout: Layout, side: int, back: int) -> Point:
    """A well of a side's kennel: the first empty one (`back` 0), the last full one (1), the one before that (2) ..."""
    full = sum(1 for text in scene.placement[side] if text.endswith("-"))
    wells = layout.corners[side].wells
    return wells[max(0, min(len(wells) - 1, full - back))]


def curve(start: Point, end: Point, layout: Layout, pull: float) -> tuple[Point, ...]:
    """A bow between two points, bent towards the middle of the picture."""
    middle = layout.size / 2
    half = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    bend = (half[0] + (middle - half[0]) * pull, half[1] + (middle - half[1]) * pull)
    if math.dist(half, (middle, middle)) < layout.pitch:
        # Straight across the middle: bend to one side, so that the cards do not hide it.
        bend = (half[0] + (end[1] - start[1]) * 0.3, half[1] - (end[0] - start[0]) * 0.3)
    count = max(6, round(math.dist(start, end) / layout.pitch * 2))
    points = []
    for i in range(count + 1):
        t = i / count
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        points.append((a * start[0] + b * bend[0] + c * end[0], a * start[1] + b * bend[1] + c * end[1]))
    return tuple(points)


# -- under the pieces


def under(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, lines: Sequence[Stroke]) -> None:
    """Draw the ribbons, and again the spaces that lie on them."""
    for faint in (True, False):
        layer = [line for line in lines if line.bright is not faint]
        for line in layer:
            _ribbon(canvas, layout, theme, line)
        covered: dict[Point, tuple[int | None, str]] = {}
        for line in layer:
            covered.update(_covered(layout, line))
            for taken_side, spot, home in homeward(scene, layout, line):
                points = curve(spot, home, layout, 0.12)
                _flight(canvas, layout, theme, taken_side, points, line.bright)
                covered.update(_near(layout, points, SPACE + 0.12))
        for (x, y), (side, place) in covered.items():
            ground.space(layout, theme, side, place).onto(canvas, x, y)
        for line in layer:
            _chevrons(canvas, layout, theme, line)
            _origin(canvas, layout, theme, line)


def _ribbon(canvas: Canvas, layout: Layout, theme: Theme, line: Stroke) -> None:
    half = (BROAD if line.walk else NARROW) * layout.pitch
    if not line.bright:
        half *= 0.84 if line.walk else 0.7
    parts = _parts(layout, line)
    if not line.bright:
        # Parts overlap, which is seen where they let the ground through: so all of them together are put on it at once.
        whole = _together(parts, half)
        canvas.stencil(theme.ribbon, whole.mask.point(_FAINT), -whole.x, -whole.y)
        return
    bands = [(theme.ribbon, half)]
    if theme.ribbon_edge:
        # On light wood an ivory ribbon needs an edge to be seen.
        bands = [(theme.chevron, half), (theme.ribbon, half * (1 - theme.ribbon_edge / 29.5))]
    for colour, reach in bands:
        for part in parts:
            band = _band(part, reach)
            canvas.stencil(colour, band.mask, -band.x, -band.y)


_FAINT = [round(i * FAINT) for i in range(256)]
_SHARE = 8
"""So many points of a bow are drawn together: more would need a larger box around them, most of it empty."""


def _parts(layout: Layout, line: Stroke) -> list[tuple[Point, ...]]:
    """A ribbon's line in short parts: a walk's go from one space to the next, so that other walks have them, too."""
    if not line.walk:
        return [line.line[at : at + _SHARE + 1] for at in range(0, max(1, len(line.line) - 1), _SHARE)]
    parts: list[tuple[Point, ...]] = []
    here = line.line[0]
    for place, following in zip(pairwise(line.step.path), line.points[1:], strict=True):
        bend = tuple(layout.between(*place)) or (following,)
        parts.append((here, *bend))
        here = bend[-1]
    return parts or [(here, here)]


def _together(parts: Sequence[tuple[Point, ...]], half: float) -> Sprite:
    """All parts of a line in one mask; the sprite's middle is that of the picture."""
    bands = [_band(part, half) for part in parts]
    left, top = min(-band.x for band in bands), min(-band.y for band in bands)
    right = max(band.mask.width - band.x for band in bands)
    bottom = max(band.mask.height - band.y for band in bands)
    mask = Image.new("L", (right - left, bottom - top))
    for band in bands:
        mask.paste(255, (-band.x - left, -band.y - top), band.mask)
    return Sprite(mask, mask, -left, -top)


def _band(part: tuple[Point, ...], half: float) -> Sprite:
    """A broad line through some points; the sprite's middle is that of the picture."""
    half = round(half, 2)

    def make() -> Sprite:
        pad = math.ceil(half) + 2
        left, top = math.floor(min(x for x, _ in part)) - pad, math.floor(min(y for _, y in part)) - pad
        width = math.ceil(max(x for x, _ in part)) + pad - left
        height = math.ceil(max(y for _, y in part)) + pad - top
        pen = Pen(width, height, 4)
        pen.line([(x - left, y - top) for x, y in part], 2 * half)
        mask = pen.take()
        return Sprite(mask, mask, -left, -top)

    return _masks.get((part, half), make)


def _covered(layout: Layout, line: Stroke) -> dict[Point, tuple[int | None, str]]:
    """The spaces on a ribbon, by their middles."""
    side = line.step.side
    if line.walk:
        path = map(layout.shown, line.step.path)
        found = _near(layout, line.line, SPACE + BROAD - 0.05) if line.line is not line.points else {}
        return found | {spot: (side, place) for spot, place in zip(line.points, path, strict=True)}
    return _near(layout, line.points, SPACE + NARROW)


def homeward(scene: Scene, layout: Layout, line: Stroke) -> list[tuple[int, Point, Point]]:
    """The pieces a step sent home: their side, where they stood, and where they lie now."""
    count = len(line.step.sent_home)
    return [
        (side, layout.place(side, place), _home(scene, layout, side, count - index))
        for index, (side, place) in enumerate(line.step.sent_home)
    ]


def _near(layout: Layout, points: Sequence[Point], reach: float) -> dict[Point, tuple[int | None, str]]:
    """The spaces that a line comes as near to as `reach` pitches."""
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


def flown(scene: Scene, layout: Layout, lines: Iterable[Stroke]) -> list[Point]:
    """Points along everything that crosses the board without walking: bows, and the ways of those sent home."""
    found: list[Point] = []
    for line in lines:
        if not line.walk:
            found += line.points
        for _, spot, home in homeward(scene, layout, line):
            found += curve(spot, home, layout, 0.12)
    return found


def _chevrons(canvas: Canvas, layout: Layout, theme: Theme, line: Stroke) -> None:
    colour = theme.chevron if line.bright else mix(theme.chevron, theme.band, 0.25)
    if line.walk:
        for (one, other), places in zip(pairwise(line.points), pairwise(line.step.path), strict=True):
            x, y = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
            size = 0.155
            if bend := layout.between(*places):
                at = len(bend) // 2
                (x, y), one, other, size = bend[at], bend[at - 1], bend[at + 1], 0.2
            chevron(theme, ground.heading(one, other), size * layout.pitch, colour).onto(canvas, x, y)
        return
    both = line.step.kind is StepKind.SWAP
    for share, one, other in clear_of_spaces(layout, line.points):
        if both and share < 0.5:
            one, other = other, one
        middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
        chevron(theme, ground.heading(one, other), ARROW * layout.pitch, colour).onto(canvas, *middle)


ARROW = 0.13
"""Size of a chevron on a bow."""


def clear_of_spaces(layout: Layout, points: Sequence[Point]) -> list[tuple[float, Point, Point]]:
    """Where on a bow a chevron hides no number: how far along it (0 to 1), and two points that give its direction.

    They lie about a pitch apart; in the middle of a swap, which goes both ways, there is none.
    """
    near = (SPACE + ARROW * 1.1) * layout.pitch
    spots = [(x, y) for x, y, _, _ in layout.spots]
    found: list[tuple[float, Point, Point]] = []
    last: Point | None = None
    fine = [
        ((a[0] * (4 - i) + b[0] * i) / 4, (a[1] * (4 - i) + b[1] * i) / 4)
        for a, b in pairwise(points)
        for i in range(4)
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


def chevron(theme: Theme, angle: float, size: float, colour: tuple[int, int, int]) -> Sprite:
    """A small arrow head that points in a direction (degrees clockwise from the right)."""
    size = round(size, 1)
    angle = round(angle / 3) * 3 % 360

    def make() -> Sprite:
        art = Art(size * 3 + 4, size * 3 + 4)
        c = art.width / 2
        shape = [(-0.62, -1.0), (0.62, 0.0), (-0.62, 1.0), (-0.3, 0.0)]
        art.fill(colour, partial(Pen.polygon, points=shapes.at(shape, c, c, size, angle), grow=size * 0.1))
        return art.sprite()

    return sprites.cached(("chevron", angle, size, colour), make)


def _origin(canvas: Canvas, layout: Layout, theme: Theme, line: Stroke) -> None:
    """A hollow ring where the piece came from; a swap has none, both its ends are taken."""
    if line.step.kind is StepKind.SWAP:
        return
    ring(theme, (PIECE + 0.015) * layout.pitch, 0.075 * layout.pitch, line.bright).onto(canvas, *line.points[0])


def ring(theme: Theme, radius: float, width: float, bright: bool) -> Sprite:
    """A ring in the ribbon's colour."""
    radius = round(radius, 1)
    width = round(width, 1)

    def make() -> Sprite:
        art = Art(radius * 2 + 6, radius * 2 + 6)
        c = art.width / 2
        art.fill(theme.chevron, lambda p: p.ring(c, c, radius + 1, width + 2), 0.5)
        art.fill(theme.ribbon, lambda p: p.ring(c, c, radius, width))
        return art.sprite(opacity=1.0 if bright else 0.5)

    return sprites.cached(("ring", theme.id, radius, width, bright), make)


# -- around and over the pieces


def halos(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, lines: Iterable[Stroke]) -> None:
    """Draw what lies right below the pieces: halos, bursts, and the dots of those sent home."""
    # Ranked pieces have corners, which must not hide the halo.
    radius = PIECE * layout.pitch * (1.1 if scene.board.system.ranks else 1.0)
    stands = occupied(scene, layout)
    for line in lines:
        for side, spot, home in homeward(scene, layout, line):
            if line.bright:
                burst(theme, side, radius).onto(canvas, *spot)
                if home in layout.corners[side].wells:
                    halo(theme, radius).onto(canvas, *home)
        if not line.bright:
            continue
        if line.step.kind is StepKind.SWAP:
            halo(theme, radius).onto(canvas, *line.points[0])
        if line.points[-1] not in stands:
            # It went on from here, as the citizen does in a jump.
            ring(theme, (PIECE + 0.015) * layout.pitch, 0.075 * layout.pitch, True).onto(canvas, *line.points[-1])
        elif not any(layout.place(*taken) == line.points[-1] for taken in line.step.sent_home):
            halo(theme, radius).onto(canvas, *line.points[-1])


def occupied(scene: Scene, layout: Layout) -> set[Point]:
    """Where pieces stand outside the kennels."""
    return {
        layout.place(side, sprites.place(text))
        for side, pieces in scene.placement.items()
        for text in pieces
        if not text.endswith("-")
    }


def _home(scene: Scene, layout: Layout, side: int, back: int) -> Point:
    """Where a piece that was sent home lies now; with ranks only its kennel is known."""
    if scene.board.system.ranks:
        return layout.corners[side].middle
    return well(scene, layout, side, back)


def halo(theme: Theme, radius: float) -> Sprite:
    """Two rings around a piece."""
    radius = round(radius, 1)

    def make() -> Sprite:
        unit = radius / 27
        art = Art(radius * 2 + 20 * unit, radius * 2 + 20 * unit)
        c = art.width / 2
        art.fill(theme.ribbon, lambda p: p.disc(c, c, radius + 6.5 * unit))
        art.fill(theme.chevron, lambda p: p.disc(c, c, radius + 3.2 * unit))
        return art.sprite()

    return sprites.cached(("halo", theme.id, radius), make)


def burst(theme: Theme, side: int, radius: float) -> Sprite:
    """A jagged star in the colour of the piece that was taken here."""
    radius = round(radius, 1)

    def make() -> Sprite:
        art = Art(radius * 3.4, radius * 3.4)
        c = art.width / 2
        for colour, extra in ((INK, 0.16), (theme.rim, 0.1), (shade(theme.seat(side), 0.12), 0.0)):
            star = shapes.regular(11, radius * (1.42 + extra), radius * (1.12 + extra))
            points = [(c + x, c + y) for x, y in star]
            art.fill(colour, partial(Pen.polygon, points=points, grow=radius * 0.02))
        return art.sprite()

    return sprites.cached(("burst", theme.id, side, radius), make)


def _flight(canvas: Canvas, layout: Layout, theme: Theme, side: int, line: Sequence[Point], bright: bool) -> None:
    """Dots from where a piece was taken to its kennel."""
    dot = _dot(theme, side, layout.pitch * (0.1 if bright else 0.075), bright)
    gap, left = layout.pitch * 0.36, layout.pitch * 0.75
    whole = sum(math.dist(one, other) for one, other in pairwise(line))
    gone = 0.0
    for one, other in pairwise(line):
        length = math.dist(one, other)
        while left <= length and gone + left < whole - layout.pitch * 0.6:
            share = left / length
            dot.onto(canvas, one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share)
            left += gap
        left -= length
        gone += length


def _dot(theme: Theme, side: int, radius: float, bright: bool) -> Sprite:
    radius = round(radius, 1)

    def make() -> Sprite:
        art = Art(radius * 2 + 6, radius * 2 + 6)
        c = art.width / 2
        art.fill(INK, lambda p: p.disc(c, c, radius + 1.8))
        art.fill(PAPER, lambda p: p.disc(c, c, radius + 0.8))
        art.fill(theme.seat(side), lambda p: p.disc(c, c, radius * 0.62))
        return art.sprite(opacity=1.0 if bright else 0.5)

    return sprites.cached(("dot", theme.id, side, radius, bright), make)


def over(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, lines: Iterable[Stroke]) -> None:
    """Draw what lies above the pieces: who was taken, the order of a split move, the magnet's sign."""
    unit = layout.pitch
    stands = occupied(scene, layout)
    for line in lines:
        if not line.bright:
            continue
        for side, place in line.step.sent_home:
            x, y = layout.place(side, place)
            if (x, y) in stands:
                taken(theme, side, 0.25 * unit).onto(canvas, x - 0.42 * unit, y + 0.42 * unit)
            else:
                taken(theme, side, 0.36 * unit).onto(canvas, x, y)
        if line.step.kind is StepKind.MAGNET:
            x, y = line.points[-1]
            sign = _magnet(theme, 0.25 * unit)
            sign.onto(canvas, x + 0.42 * unit, y + 0.42 * unit)
        if line.number is not None:
            x, y = _beside(layout, line)
            sprites.badge(theme, str(line.number), 0.27 * unit, theme.ribbon, theme.chevron, theme.chevron).onto(
                canvas, x, y
            )


def taken(theme: Theme, side: int, radius: float) -> Sprite:
    """A piece that was sent home, struck out."""
    radius = round(radius, 1)

    def make() -> Sprite:
        art = Art(radius * 2 + 8, radius * 2 + 8)
        c = art.width / 2
        art.fill(INK, lambda p: p.disc(c, c, radius + 1.5))
        art.fill(theme.rim, lambda p: p.disc(c, c, radius))
        art.fill(shade(theme.seat(side), -0.05), lambda p: p.disc(c, c, radius * 0.86))
        art.fill(theme.mark(side), lambda p: shapes.mark(p, MARKS[side], c, c, radius * 0.5))
        line = [(c - radius * 0.78, c + radius * 0.78), (c + radius * 0.78, c - radius * 0.78)]
        art.fill(INK, lambda p: p.line(line, radius * 0.46))
        art.fill(PAPER, lambda p: p.line(line, radius * 0.22))
        return art.sprite()

    return sprites.cached(("taken", theme.id, side, radius), make)


def _magnet(theme: Theme, radius: float) -> Sprite:
    radius = round(radius, 1)

    def make() -> Sprite:
        art = Art(radius * 2 + 8, radius * 2 + 8)
        c = art.width / 2
        art.fill(INK, lambda p: p.disc(c, c, radius + 1.5))
        art.fill(PAPER, lambda p: p.disc(c, c, radius))
        pen = Pen(art.width, art.height, art.scale)
        shapes.magnet(pen, c, c, radius * 0.62)
        art.stencil((191, 47, 58), pen.take())
        return art.sprite()

    return sprites.cached(("magnet", theme.id, radius), make)


def _beside(layout: Layout, line: Stroke) -> Point:
    """Beside a ribbon's first space, off the band where there is room."""
    (x0, y0), (x1, y1) = line.points[0], line.points[min(1, len(line.points) - 1)]
    length = math.dist((x0, y0), (x1, y1)) or 1.0
    nx, ny = -(y1 - y0) / length, (x1 - x0) / length
    reach = 0.7 * layout.pitch
    edge = 0.3 * layout.pitch
    middle = layout.size / 2
    sides = sorted(((1, -1)), key=lambda s: -math.dist((x0 + s * nx, y0 + s * ny), (middle, middle)))
    for s in sides:
        x, y = x0 + s * nx * reach, y0 + s * ny * reach
        if edge <= x <= layout.size - edge and edge <= y <= layout.size - edge:
            return x, y
    return x0, y0
