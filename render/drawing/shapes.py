"""Signs drawn as shapes, so that no font is needed: seat marks, ranks, suits and the small signs beside names.

Each is a function of a pen, a centre and a radius; shapes are defined in a box of -1..1 with y growing downward. `on`
and `off` say how opaque the shape and its cut-outs are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from engine.rules.definition import RankSign
from render.drawing.art import Pen, Point
from render.errors import RenderError

Sign = Callable[[Pen, float, float, float], None]


def at(points: Sequence[Point], x: float, y: float, radius: float, turn: float = 0.0) -> list[Point]:
    """Move points of a shape to a place, scaled to a radius and turned clockwise by degrees."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return [(x + radius * (px * c - py * s), y + radius * (px * s + py * c)) for px, py in points]


def regular(corners: int, outer: float, inner: float | None = None, first: float = -90.0) -> list[Point]:
    """Return a regular polygon, or a star if an inner radius is given."""
    steps = corners if inner is None else 2 * corners
    points = []
    for i in range(steps):
        radius = outer if inner is None or i % 2 == 0 else inner
        angle = math.radians(first + 360 * i / steps)
        points.append((radius * math.cos(angle), radius * math.sin(angle)))
    return points


# -- marks

_TRIANGLE = [(0.0, -1.0), (1.0, 0.72), (-1.0, 0.72)]
_STAR = regular(5, 1.08, 0.46)
_CROSS = [(-0.3, -0.95), (0.3, -0.95), (0.3, -0.3), (0.95, -0.3), (0.95, 0.3), (0.3, 0.3), (0.3, 0.95), (-0.3, 0.95)]
_CROSS += [(-0.3, 0.3), (-0.95, 0.3), (-0.95, -0.3), (-0.3, -0.3)]
_MOON = [
    (x + radius * math.cos(math.radians(angle)), radius * math.sin(math.radians(angle)))
    for x, radius, angles in ((0.16, 0.98, range(44, 317, 8)), (0.64, 0.7, range(284, 75, -8)))
    for angle in angles
]
"""A crescent: along its outer edge, and back along the inner."""


def mark(pen: Pen, kind: str, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw a seat's mark, by its name in `themes.MARKS`."""
    grow = radius * 0.07
    if kind == "circle":
        pen.disc(x, y, radius * 0.74, on)
    elif kind == "triangle":
        pen.polygon(at(_TRIANGLE, x, y - radius * 0.02, radius * 0.92), grow, on)
    elif kind == "square":
        pen.box((x - radius * 0.8, y - radius * 0.8, x + radius * 0.8, y + radius * 0.8), radius * 0.06, on)
    elif kind == "diamond":
        pen.polygon(at(regular(4, 1.08), x, y, radius), grow, on)
    elif kind == "star":
        pen.polygon(at(_STAR, x, y + radius * 0.05, radius), grow, on)
    elif kind == "cross":
        pen.polygon(at(_CROSS, x, y, radius * 0.95), grow, on)
    elif kind == "moon":
        pen.polygon(at(_MOON, x, y, radius), grow, on)
    elif kind == "heart":
        pen.polygon(at(_HEART, x, y + radius * 0.04, radius * 0.98), 0, on)
    else:
        raise RenderError("mark", f"there is no mark {kind!r}")


# -- suits


def _heart(size: float = 1.0) -> list[Point]:
    points = []
    for i in range(72):
        t = 2 * math.pi * i / 72
        x = 16 * math.sin(t) ** 3
        y = 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)
        points.append((size * x / 16.6, size * (-y - 2.5) / 15.5))
    return points


_HEART = _heart()
_STEM = [(-0.1, 0.1), (0.1, 0.1), (0.16, 0.6), (0.42, 1.0), (-0.42, 1.0), (-0.16, 0.6)]


def suit(pen: Pen, kind: str, x: float, y: float, radius: float, turn: float = 0.0) -> None:
    """Draw a suit: `spade`, `heart`, `diamond` or `club`."""
    if kind == "heart":
        pen.polygon(at(_HEART, x, y, radius, turn))
    elif kind == "diamond":
        corners = [(0.0, -1.05), (0.78, 0.0), (0.0, 1.05), (-0.78, 0.0)]
        curve: list[Point] = []
        for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
            for i in range(10):
                t = i / 10
                pull = 1 - 0.22 * 4 * t * (1 - t) / 2
                curve.append(((x0 + (x1 - x0) * t) * pull, (y0 + (y1 - y0) * t) * pull))
        pen.polygon(at(curve, x, y, radius, turn))
    elif kind == "spade":
        pen.polygon(at([(px * 0.98, -py * 0.9 - 0.16) for px, py in _HEART], x, y, radius, turn))
        pen.polygon(at(_STEM, x, y, radius, turn))
    elif kind == "club":
        for px, py in ((0.0, -0.55), (-0.53, 0.2), (0.53, 0.2)):
            (cx, cy), *_ = at([(px, py)], x, y, radius, turn)
            pen.disc(cx, cy, radius * 0.45)
        pen.polygon(at([(-0.3, -0.3), (0.3, -0.3), (0.25, 0.3), (-0.25, 0.3)], x, y, radius, turn))
        pen.polygon(at(_STEM, x, y, radius, turn))
    else:
        raise RenderError("suit", f"there is no suit {kind!r}")


# -- ranks

_CROWN = [(-0.78, 0.74), (-0.94, -0.46), (-0.44, 0.06), (0.0, -0.8), (0.44, 0.06), (0.94, -0.46), (0.78, 0.74)]
_HORSE = [
    (-0.56, 0.98), (0.80, 0.98), (0.80, 0.62), (0.74, 0.15), (0.58, -0.32), (0.34, -0.66), (0.22, -1.02),
    (0.0, -0.74), (-0.26, -0.62), (-0.5, -0.34), (-0.8, 0.08), (-0.94, 0.32), (-0.8, 0.52), (-0.52, 0.42),
    (-0.22, 0.2), (0.04, 0.16), (-0.06, 0.4), (-0.34, 0.62),
]  # fmt: skip


def rank(pen: Pen, sign: RankSign, x: float, y: float, radius: float, on: int = 255, off: int = 0) -> None:
    """Draw the sign of a rank; `off` is used for its cut-outs."""
    if sign is RankSign.CROWN:
        crown(pen, x, y, radius, on)
    elif sign is RankSign.HORSE:
        pen.polygon(at(_HORSE, x, y, radius), radius * 0.05, on)
        (ex, ey), *_ = at([(-0.22, -0.22)], x, y, radius)
        pen.disc(ex, ey, radius * 0.12, off)
    elif sign is RankSign.PERSON:
        pen.disc(x, y - radius * 0.5, radius * 0.44, on)
        body = [
            (math.cos(a) * 0.84, 0.95 + math.sin(a) * 0.88) for a in (math.pi + math.pi * i / 24 for i in range(25))
        ]
        pen.polygon(at(body, x, y, radius), radius * 0.04, on)
    else:
        jester(pen, x, y, radius, on)


def crown(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw a crown with three points."""
    pen.polygon(at(_CROWN, x, y, radius), radius * 0.06, on)
    for px, py in ((-0.94, -0.54), (0.0, -0.9), (0.94, -0.54)):
        pen.disc(x + px * radius, y + py * radius, radius * 0.15, on)


_CAP = [
    (0.0, -0.84), (0.1, -0.4), (0.17, 0.02), (0.42, -0.24), (0.66, -0.28), (0.86, -0.1), (0.96, 0.3),
    (0.82, 0.34), (0.74, 0.14), (0.62, 0.06), (0.5, 0.14), (0.42, 0.34), (0.4, 0.6),
]  # fmt: skip
BELLS = ((-0.88, 0.5), (0.0, -0.8), (0.88, 0.5))
"""Where the bells of a jester's cap hang."""


def jester(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw a jester's cap: a horn that stands and two that hang down, with a bell each, above a narrow band.

    It is broad in the middle and narrow below where a crown is broad, which tells them apart even in a few pixels.
    """
    cap = smooth([*_CAP, *((-px, py) for px, py in reversed(_CAP[1:]))])
    pen.polygon(at(cap, x, y, radius), radius * 0.04, on)
    pen.discs(at(BELLS, x, y, radius), radius * 0.27, on)
    pen.line(at([(-0.36, 0.74), (0.36, 0.74)], x, y, radius), radius * 0.3, on)


# -- small signs


def hat(pen: Pen, x: float, y: float, radius: float, on: int = 255, off: int = 0, turn: float = 0.0) -> None:
    """Draw a hat with a ribbon."""
    pen.line(at([(-0.86, 0.5), (0.86, 0.5)], x, y, radius, turn), radius * 0.26, on)
    pen.polygon(at([(-0.5, 0.45), (-0.4, -0.5), (0.4, -0.5), (0.5, 0.45)], x, y, radius, turn), radius * 0.12, on)
    pen.line(at([(-0.47, 0.18), (0.47, 0.18)], x, y, radius, turn), radius * 0.13, off)


def magnet(pen: Pen, x: float, y: float, radius: float, on: int = 255, off: int = 0) -> None:
    """Draw a horseshoe magnet with contrasting poles."""
    width = radius * 0.5
    pen.disc(x, y - radius * 0.1, radius * 0.85, on)
    pen.box((x - radius * 0.85, y - radius * 0.1, x + radius * 0.85, y + radius * 0.9), 0, on)
    pen.disc(x, y - radius * 0.1, radius * 0.85 - width, off)
    pen.box((x - radius * 0.85 + width, y - radius * 0.1, x + radius * 0.85 - width, y + radius), 0, off)
    pen.box((x - radius, y + radius * 0.38, x + radius, y + radius * 0.5), 0, off)


def swap(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw two arrows, one each way."""
    swap_one(pen, x, y, radius, on, 0.0)
    swap_one(pen, x, y, radius, on, 180.0)


def swap_one(pen: Pen, x: float, y: float, radius: float, on: int = 255, turn: float = 0.0) -> None:
    """Draw one of the two arrows of a swap, turned."""
    pen.polygon(at([(-0.95, -0.62), (0.25, -0.62), (0.25, -0.26), (-0.95, -0.26)], x, y, radius, turn), 0, on)
    pen.polygon(at([(0.2, -0.95), (0.98, -0.44), (0.2, 0.07)], x, y, radius, turn), 0, on)


def split(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw a stem that forks into two arrows."""
    pen.line(at([(0, 0.95), (0, 0.25), (-0.6, -0.35)], x, y, radius), radius * 0.3, on)
    pen.line(at([(0, 0.25), (0.6, -0.35)], x, y, radius), radius * 0.3, on)
    for side in (-1, 1):
        head = at([(0.95 * side, -0.85), (0.88 * side, -0.05), (0.14 * side, -0.8)], x, y, radius)
        pen.polygon(head, radius * 0.04, on)


def exit_arrow(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw an arrow that leaves a house: out of the kennel."""
    pen.line(at([(-0.1, -0.85), (-0.85, -0.85), (-0.85, 0.85), (-0.1, 0.85)], x, y, radius), radius * 0.24, on)
    pen.line(at([(-0.35, 0.0), (0.5, 0.0)], x, y, radius), radius * 0.26, on)
    pen.polygon(at([(0.35, -0.5), (0.98, 0.0), (0.35, 0.5)], x, y, radius), radius * 0.04, on)


def both_ways(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw an arrow with two heads: forward or backward."""
    pen.line(at([(-0.5, 0.0), (0.5, 0.0)], x, y, radius), radius * 0.3, on)
    for side in (-1, 1):
        pen.polygon(at([(0.3 * side, -0.58), (1.0 * side, 0.0), (0.3 * side, 0.58)], x, y, radius), radius * 0.03, on)


def back(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw an arrow backward."""
    pen.line(at([(0.9, 0.0), (-0.4, 0.0)], x, y, radius), radius * 0.3, on)
    pen.polygon(at([(-0.2, -0.62), (-0.96, 0.0), (-0.2, 0.62)], x, y, radius), radius * 0.03, on)


def push(pen: Pen, x: float, y: float, radius: float, on: int = 255, off: int = 0) -> None:
    """Draw a ring with an arrow away from it: another player's piece moves."""
    pen.disc(x - radius * 0.5, y, radius * 0.5, on)
    pen.disc(x - radius * 0.5, y, radius * 0.26, off)
    pen.line(at([(0.1, 0.0), (0.6, 0.0)], x, y, radius), radius * 0.28, on)
    pen.polygon(at([(0.5, -0.5), (1.05, 0.0), (0.5, 0.5)], x, y, radius), radius * 0.03, on)


def sweep(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw an arrow below two crosses: every piece it passes is taken."""
    for middle in (-0.56, 0.4):
        for way in (-0.3, 0.3):
            pen.line(at([(middle - 0.3, -0.5 - way), (middle + 0.3, -0.5 + way)], x, y, radius), radius * 0.24, on)
    pen.line(at([(-0.95, 0.5), (0.5, 0.5)], x, y, radius), radius * 0.3, on)
    pen.polygon(at([(0.35, 0.02), (1.05, 0.5), (0.35, 0.98)], x, y, radius), radius * 0.03, on)


def rob(pen: Pen, x: float, y: float, radius: float, on: int = 255, off: int = 0) -> None:
    """Draw a card with a minus: a player loses a card."""
    pen.box((x - radius * 0.62, y - radius * 0.9, x + radius * 0.62, y + radius * 0.9), radius * 0.2, on)
    pen.line(at([(-0.28, 0.0), (0.28, 0.0)], x, y, radius), radius * 0.24, off)


def robot(pen: Pen, x: float, y: float, radius: float, on: int = 255, off: int = 0) -> None:
    """Draw a computer player's head, with a friendly face."""
    pen.line(at([(0.0, -0.95), (0.0, -0.5)], x, y, radius), radius * 0.14, on)
    pen.disc(x, y - radius * 0.92, radius * 0.16, on)
    pen.box((x - radius * 0.82, y - radius * 0.58, x + radius * 0.82, y + radius * 0.82), radius * 0.3, on)
    for side in (-1, 1):
        pen.disc(x + side * radius * 0.36, y - radius * 0.08, radius * 0.19, off)
    smile = [(-0.42 * math.cos(math.pi * i / 12), 0.26 + 0.3 * math.sin(math.pi * i / 12)) for i in range(13)]
    pen.line(at(smile, x, y, radius), radius * 0.14, off)


def beginner(pen: Pen, x: float, y: float, radius: float, on: int = 255, off: int = 0) -> None:
    """Draw a weak computer player: a round head without an antenna, with big eyes and a broad smile."""
    pen.disc(x, y + radius * 0.06, radius * 0.92, on)
    for side in (-1, 1):
        pen.disc(x + side * radius * 0.36, y - radius * 0.16, radius * 0.24, off)
    smile = [(-0.5 * math.cos(math.pi * i / 12), 0.3 + 0.34 * math.sin(math.pi * i / 12)) for i in range(13)]
    pen.line(at(smile, x, y, radius), radius * 0.17, off)


def expert(pen: Pen, x: float, y: float, radius: float, on: int = 255, off: int = 0) -> None:
    """Draw a strong computer player: a broad head between two antennas, looking through a visor."""
    for side in (-1, 1):
        pen.line(at([(0.6 * side, -0.2), (0.84 * side, -1.0)], x, y, radius), radius * 0.26, on)
    pen.box((x - radius * 0.96, y - radius * 0.56, x + radius * 0.96, y + radius * 0.88), radius * 0.28, on)
    pen.box((x - radius * 0.66, y - radius * 0.24, x + radius * 0.66, y + radius * 0.08), radius * 0.14, off)
    pen.line(at([(-0.28, 0.5), (0.28, 0.5)], x, y, radius), radius * 0.16, off)


USUAL = 2
"""The strength of a computer player about which nothing else is known."""

ROBOTS: Mapping[int, Sign] = {1: beginner, USUAL: robot, 3: expert}
"""The faces of computer players by strength."""


def check(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw a tick."""
    pen.line(at([(-0.6, 0.05), (-0.15, 0.5), (0.65, -0.45)], x, y, radius), radius * 0.3, on)


def pointer(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw a triangle that points to the right: it is this seat's turn."""
    pen.polygon(at([(-0.55, -0.85), (0.85, 0.0), (-0.55, 0.85)], x, y, radius), radius * 0.1, on)


def leap(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw an arrow that leaps over a piece: rank does not matter to this card."""
    arc = [(-0.86 * math.cos(math.pi * i / 20), 0.25 - 0.95 * math.sin(math.pi * i / 20)) for i in range(1, 17)]
    pen.line(at(arc, x, y, radius), radius * 0.24, on)
    pen.polygon(at([(0.42, 0.1), (1.16, -0.02), (0.9, 0.7)], x, y, radius), radius * 0.04, on)
    pen.disc(x - radius * 0.02, y + radius * 0.5, radius * 0.34, on)


def shield(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw a shield: a fresh piece, protected on its start."""
    half = [(0.0, -1.0), (0.42, -0.82), (0.86, -0.74), (0.84, -0.1), (0.62, 0.45), (0.3, 0.8), (0.0, 1.0)]
    pen.polygon(at(half + [(-px, py) for px, py in reversed(half[1:-1])], x, y, radius), radius * 0.05, on)


def paw(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw a dog's paw print: a broad pad below four toes."""
    pad = [(0.0, -0.12), (0.34, 0.0), (0.66, 0.42), (0.6, 0.78), (0.26, 0.84), (0.0, 0.74)]
    pen.polygon(at(smooth([*pad, *((-px, py) for px, py in reversed(pad[1:-1]))]), x, y, radius), 0, on)
    for px, py, wide in ((-0.78, -0.16, 0.22), (-0.3, -0.62, 0.25), (0.3, -0.62, 0.25), (0.78, -0.16, 0.22)):
        toe = [(px + wide * 0.92 * math.cos(a), py + wide * 1.3 * math.sin(a)) for a in _ROUND]
        pen.polygon(at(toe, x, y, radius), 0, on)


_ROUND = [2 * math.pi * i / 24 for i in range(24)]


def smooth(points: Sequence[Point], steps: int = 8) -> list[Point]:
    """Return a closed curve through the points (Catmull-Rom)."""
    curve: list[Point] = []
    count = len(points)
    for i in range(count):
        p0, p1, p2, p3 = (points[(i + j - 1) % count] for j in range(4))
        for step in range(steps):
            t = step / steps
            x, y = (
                0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)
                for a, b, c, d in zip(p0, p1, p2, p3, strict=True)
            )
            curve.append((x, y))
    return curve


def trophy(pen: Pen, x: float, y: float, radius: float, on: int = 255) -> None:
    """Draw the winners' cup: a bowl with a rim and two handles, a stem with a knot, and a stepped foot."""
    turns = [math.pi * i / 24 for i in range(25)]
    for side in (-1, 1):
        handle = [(side * (0.56 + 0.44 * math.sin(t)), -0.72 + 0.21 * t + 0.05 * math.sin(t)) for t in turns]
        pen.line(at(handle, x, y, radius), radius * 0.13, on)
    half = [(0.66, -0.9), (0.63, -0.5), (0.55, -0.2), (0.42, 0.04), (0.24, 0.2), (0.1, 0.28)]
    pen.polygon(at([*half, *((-px, py) for px, py in reversed(half))], x, y, radius), radius * 0.02, on)
    pen.polygon(at([(-0.1, 0.2), (0.1, 0.2), (0.13, 0.66), (-0.13, 0.66)], x, y, radius), 0, on)
    for wide, top, bottom in ((0.72, -0.98, -0.85), (0.19, 0.34, 0.46), (0.34, 0.62, 0.78), (0.54, 0.76, 0.98)):
        box = (x - radius * wide, y + radius * top, x + radius * wide, y + radius * bottom)
        pen.box(box, radius * 0.055, on)
