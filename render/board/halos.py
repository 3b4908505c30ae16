"""Marks of a move around and above the pieces: halos, rings, bursts, captured pieces, numbers of a split move.

`strokes.py` says where moves go, `ribbons.py` draws what lies below the pieces.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import pairwise, product

from engine import StepKind
from render.board import sprites
from render.board.geometry import BAND, GEAR, HOME, LANE, PIECE, SPACE, Layout
from render.board.strokes import Stroke, occupied_points, ways_home
from render.drawing import shapes
from render.drawing.art import Art, Box, Canvas, Pen, Point, Sprite, cached, grow
from render.drawing.colour import RGB, rgb, shade
from render.scene import Scene
from render.themes import INK, MARKS, PAPER, Theme

RED = rgb("#bf2f3a")
LEFT, EDGE = 0.44, 0.475
"""Radius of the ring around a space that a piece has left on a walk's ribbon, in pitches, and with the ring's edge."""
STRUCK, MAGNET, ORDER = 0.32, 0.34, 0.41
"""Radius of a struck piece, of the magnet's sign, and of the number of a part, in pitches."""


def draw(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, lines: Iterable[Stroke]) -> None:
    """Draw what lies right below the pieces: halos and bursts."""
    # Ranked pieces have corners, which must not hide the halo.
    body = PIECE * layout.pitch
    radius = body * (1.1 if scene.board.system.ranks else 1.0)
    stands = occupied_points(scene, layout)
    for line in lines:
        for side, way in ways_home(scene, layout, line):
            if line.bright:
                inner, colour, edge = body, theme.seat(side), PAPER
                if way[0] not in stands:
                    # The struck piece alone would be lost in a star of its colour, and a pale rim on a ribbon.
                    inner, colour, edge = 1.1 * STRUCK * layout.pitch, INK, theme.loud(side)
                burst(theme, colour, inner, edge=edge).onto(canvas, *way[0])
                if way[-1] in layout.corners[side].wells:
                    halo(theme, radius * HOME / PIECE).onto(canvas, *way[-1])
        if not line.bright:
            continue
        if line.step.kind is StepKind.SWAP:
            halo(theme, radius).onto(canvas, *line.points[0])
        if line.points[-1] not in stands:
            # The piece went on from here, as the citizen does in a jump.
            hollow(canvas, layout, theme, line.step.target, line.points[-1], LEFT, theme.loud(line.step.side))
        elif not any(layout.place(*taken) == line.points[-1] for taken in line.step.sent_home):
            halo(theme, radius).onto(canvas, *line.points[-1])


def signs(layout: Layout, theme: Theme, scene: Scene, lines: Sequence[Stroke]) -> list[tuple[Point, Sprite]]:
    """Return the signs above the pieces: a split move's order, the magnet, captured pieces where no piece stands."""
    unit = layout.pitch
    found: list[tuple[Point, Sprite]] = []
    stands = occupied_points(scene, layout)
    badges: set[Point] = set()
    for line in lines:
        for side, way in ways_home(scene, layout, line) if line.bright else ():
            if way[0] not in stands:
                found.append((way[0], captured_piece(theme, side, STRUCK * unit)))
        if line.step.kind is StepKind.MAGNET and line.bright:
            beside = clear_spot(layout, line.points[-1], BAND + MAGNET + 0.06, MAGNET + 0.1, {*stands, *badges})
            badges.add(beside)
            found.append((beside, _magnet(theme, MAGNET * unit)))
        if line.number is not None:
            beside = _beside(layout, line, {*stands, *badges})
            badges.add(beside)
            found.append((beside, sprites.token(theme, line.step.side, str(line.number), ORDER * unit, True)))
    return found


@cached(radius=1)
def halo(theme: Theme, radius: float) -> Sprite:
    """Return two rings around a piece."""
    unit = radius / 27
    art = Art(radius * 2 + 20 * unit, radius * 2 + 20 * unit)
    art.discs((theme.ribbon, radius + 6.5 * unit), (theme.chevron, radius + 3.2 * unit))
    return art.sprite()


@cached(radius=1, width=1)
def ring(theme: Theme, colour: RGB, radius: float, width: float, bright: bool = True) -> Sprite:
    """Return a ring in this colour, with a dark edge."""
    art = Art(radius * 2 + 6, radius * 2 + 6)
    c = art.width / 2
    art.fill(theme.chevron, lambda p: p.ring(c, c, radius + 1, width + 2), 0.5)
    art.fill(colour, lambda p: p.ring(c, c, radius, width))
    return art.sprite(opacity=1.0 if bright else 0.5)


def hollow(
    canvas: Canvas, layout: Layout, theme: Theme, place: str, at: Point, radius: float, colour: RGB, bright: bool = True
) -> None:
    """Draw a ring around a space that a piece has left: outside the cog of a special space, and below its hat."""
    if place.isdigit() and int(place) in layout.board.specials:
        radius = max(radius, GEAR * SPACE + 0.085)
    ring(theme, colour, radius * layout.pitch, 0.085 * layout.pitch, bright).onto(canvas, *at)
    sprites.draw_hat(canvas, layout, theme, place, at)


@cached(radius=1)
def burst(theme: Theme, colour: RGB, radius: float, rim: float = 0.2, edge: RGB = PAPER) -> Sprite:
    """Return a jagged star with a rim, in the captured piece's colour, around a piece of this radius.

    None of its points is cut by the picture's edge. `rim`: its width in radiuses; `edge`: its colour.
    """
    art = Art(radius * 3.4, radius * 3.4)
    c = art.width / 2
    for ground, extra in ((INK, rim + 0.06), (edge, rim), (colour, 0.0)):
        star = shapes.regular(12, radius * (1.13 + extra), radius * (1.0 + extra), first=15)
        points = [(c + x, c + y) for x, y in star]
        art.fill(ground, partial(Pen.polygon, points=points, grow=radius * 0.02))
    return art.sprite()


@cached(radius=1)
def captured_piece(theme: Theme, side: int, radius: float) -> Sprite:
    """Return a piece that was sent home, crossed off at its lower right: a line across it would hide its mark."""
    art = Art(radius * 2.2 + 8, radius * 2.2 + 8)
    c = art.width / 2
    colour = shade(theme.seat(side), -0.05)
    art.discs((INK, radius * 1.18), (theme.rim, radius), (colour, radius * 0.86))
    art.fill(theme.mark(side), lambda p: shapes.mark(p, MARKS[side], c, c, radius * 0.7))
    (left, right), middle = (c + radius * away for away in (0.4, 0.96)), c + radius * 0.68
    cross = [(left, left), (right, right), (middle, middle), (left, right), (right, left)]
    art.fill(INK, lambda p: p.line(cross, radius * 0.44))
    art.fill(PAPER, lambda p: p.line(cross, radius * 0.22))
    return art.sprite()


@cached(radius=1)
def _magnet(theme: Theme, radius: float) -> Sprite:
    art = Art(radius * 2 + 8, radius * 2 + 8)
    c = art.width / 2
    # Square, since pieces are round.
    for colour, half in ((INK, sprites.SQUARE * radius + 1.5), (PAPER, sprites.SQUARE * radius)):
        art.fill(colour, partial(Pen.box, box=(c - half, c - half, c + half, c + half), radius=0.4 * half))
    pen = Pen(art.width, art.height, art.scale)
    shapes.magnet(pen, c, c, radius * 0.62)
    art.stencil(RED, pen.take())
    return art.sprite()


def clear_spot(layout: Layout, spot: Point, away: float, radius: float, taken: Collection[Point]) -> Point:
    """Return where a round sign beside a space or piece hides least; `away` and `radius` in pitches."""
    x, y = spot
    turns = [(reach * layout.pitch, math.radians(turn)) for reach, turn in product((away, 1.15 * away), _TURNS)]
    places = [(x + reach * math.cos(turn), y + reach * math.sin(turn)) for reach, turn in turns]
    return _clearest(layout, spot, places, radius, taken)


def _clearest(layout: Layout, spot: Point, places: Sequence[Point], radius: float, taken: Collection[Point]) -> Point:
    """Return the first place at which a sign of this radius, in pitches, hides least but for `spot`."""
    unit, edge = layout.pitch, (radius + 0.04) * layout.pitch
    around = [(x, y, (BAND if lane is None else LANE) * unit) for x, y, lane, _ in layout.spots]
    around += [(*piece, PIECE * unit) for piece in taken]
    around += [(*well, corner.well) for corner in layout.corners for well in corner.wells]
    # What is farther away is in no place's way.
    near = max(math.dist(place, spot) for place in places) + (radius + 0.1) * unit
    around = [circle for circle in around if 0 < math.dist(circle[:2], spot) < near + circle[2]]
    boxes = [box for corner in layout.corners for box in (corner.pill, corner.hand)]
    found: list[tuple[float, int, Point]] = []
    for order, (x, y) in enumerate(places):
        if edge <= x <= layout.size - edge and edge <= y <= layout.size - edge:
            rooms = [math.hypot(x - a, y - b) - reach for a, b, reach in around]
            rooms += [_outside(box, (x, y)) for box in boxes]
            found.append((max(0.0, (radius + 0.1) * unit - min(rooms)), order, (x, y)))
    return min(found)[2]


_TURNS = (90, 180, 0, 270, 135, 45, 225, 315, *(22.5 + 45 * turn for turn in range(8)))
"""Where a sign may be beside what it is about, best first: below, left, right, above, and between; in degrees."""


def _outside(box: Box, spot: Point) -> float:
    """Return a point's distance from a box."""
    (x, y), (left, top, right, bottom) = spot, box
    return math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))


_OFF = (1.12, -1.12)
"""Distances of a number from a way, to either side, in pitches."""
CLEAR = 0.75
"""Least distance of a part's number from an occupied space, in pitches."""


def _beside(layout: Layout, line: Stroke, taken: Collection[Point]) -> Point:
    """Return the spot of a part's number: beside the ribbon, near its beginning, off pieces and other numbers."""
    unit, edge = layout.pitch, (ORDER + 0.03) * layout.pitch
    middle = (layout.size / 2, layout.size / 2)
    panels = [grow(box, ORDER * unit) for corner in layout.corners for box in corner.panel]
    found: list[tuple[bool, float, Point]] = []
    begun = line.points[:5]
    near = [(x, y) for x, y, _, _ in layout.spots if math.dist((x, y), begun[0]) < 6 * unit]
    for number, ((x0, y0), (x1, y1)) in enumerate(pairwise(begun)):
        length = math.dist((x0, y0), (x1, y1)) or 1.0
        nx, ny = -(y1 - y0) / length, (x1 - x0) / length
        for share, out in product((0.0, 0.5, 1.0), _OFF):
            x, y = x0 + (x1 - x0) * share + out * nx * unit, y0 + (y1 - y0) * share + out * ny * unit
            if not (edge <= x <= layout.size - edge and edge <= y <= layout.size - edge):
                continue
            away = min((math.dist((x, y), spot) for spot in taken), default=layout.size)
            spaces = min((math.dist((x, y), spot) for spot in near), default=unit)
            hides = any(a < x < c and b < y < d for a, b, c, d in panels)
            # The nearest to the beginning that hides nothing; off the band where there is a choice.
            order = number + share - math.dist((x, y), middle) / layout.size - 4.0 * min(1.0, spaces / unit)
            order += 4.0 * hides
            found.append((away < CLEAR * unit, order if away >= CLEAR * unit else -away, (x, y)))
    return min(found)[2] if found else line.points[0]
