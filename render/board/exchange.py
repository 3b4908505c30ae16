"""The middle of the board while cards are exchanged: who gives a card to whom."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from render.board import ground, plates, ribbons, sprites
from render.board.geometry import Layout
from render.board.middle import LEAST, Middle
from render.drawing import shapes
from render.drawing.art import Art, Box, Canvas, Point, Sprite, cached
from render.drawing.colour import mix
from render.drawing.text import BOLD, fit, width_of, write_line
from render.scene import Scene
from render.themes import Theme


@dataclass(frozen=True)
class _Plan:
    """Where an exchange lies, as seen from the middle, in pixels of a 1024 px picture of a board of the usual size."""

    radius: int
    """Radius of a piece."""
    spots: tuple[tuple[int, int, str], ...]
    """The pieces, group by group, and where the name of each stands: left, right, above or below of it. In a single
    round they go clockwise from the bottom, and there may be a piece for each side rather than each seat."""
    round: int = 0
    """Distance of the round below the middle, on a plate."""
    letters: int = 34
    """The height of the largest letters."""


_ROUND = _Plan(
    26, ((0, 150, "^"), (-143, 56, ">"), (-143, -56, ">"), (0, -150, "v"), (143, -56, "<"), (143, 56, "<")), letters=30
)
_PLANS = {
    (4, 1, 2): _Plan(42, ((-95, -19, "v"), (95, -19, "v")), letters=40),
    (4, 2, 2): _Plan(42, ((-86, -80, "<"), (86, -80, ">"), (-86, 80, "<"), (86, 80, ">")), letters=40),
    (4, 1, 3): _Plan(42, ((0, 92, ">"), (-84, -64, "<"), (84, -64, ">"))),
    (4, 1, 4): _Plan(33, ((0, 104, ">"), (-60, 0, "<"), (0, -104, ">"), (60, 0, ">"))),
    (6, 3, 2): _Plan(22, tuple((x, y, "<>"[x > 0]) for y in (-80, -10, 60) for x in (-48, 48)), 130),
    (6, 2, 3): _Plan(
        24, ((0, -127, ">"), (52, -49, ">"), (-52, -49, "<"), (-52, 40, "<"), (52, 40, ">"), (0, 122, ">")), 167
    ),
    (6, 1, 5): _ROUND,
    (6, 1, 6): _ROUND,
    (8, 4, 2): _Plan(18, tuple((x, y, "<>"[x > 0]) for y in (-76, -26, 24, 74) for x in (-31, 31)), 124),
    (8, 2, 4): _Plan(
        19, tuple((x, y + z, "<>"[x > 0]) for z in (-94, 32) for x, y in ((-36, 0), (36, 0), (36, 62), (-36, 62))), 135
    ),
}
"""By how many sides there are, how many groups, and how many are in each."""
_BESIDE = {"<": (-1, 0), ">": (1, 0), "^": (0, -1), "v": (0, 1)}
"""From a piece to its name."""
_HIGH, _GAP = 12, 8
"""Reach of names up and down from their middle, and their distance from edges."""


@dataclass(frozen=True)
class Arrangement:
    """An exchange as it lies on a picture, in pixels."""

    pieces: Mapping[int, Point]
    radius: float
    ways: Sequence[Sequence[Point]]
    """From each piece to that of the card's receiver, past unused sides; within a pair, to the other."""
    names: Sequence[tuple[str, Box]]
    size: int
    """The height of the letters."""
    small: Box | None
    """The plate without names, where the large plate would hide pieces."""
    middle: Middle
    """With the place of the round."""


def lay_out(layout: Layout, scene: Scene, middle: Middle) -> Arrangement:
    """Lay out an exchange; names are of one size, and keep off the pieces that stand on the plate."""
    k, sides, groups = layout.size / 1024, layout.board.sides, scene.exchange
    plan = _PLANS[sides, len(groups), len(groups[0])]
    unit = plates.unit(layout)
    x = y = layout.size / 2
    across = down = unit
    radius, small, names = plan.radius * unit, None, scene.names
    below = plates.cutouts(layout, scene) if sides > 4 else []
    if not plates.has_plate(layout, scene):
        left, top, right, bottom = (edge * k for edge in middle.exchange)
        small = left, top, right, bottom
        radius, names = (20 if len(groups) == 3 else 15) * unit, {}
        fars, lows, _ = zip(*plan.spots, strict=True)
        across = (right - left - 2 * radius - 2 * _GAP * k) / (max(fars) - min(fars))
        down = (bottom - top - 2 * radius - 2 * _GAP * k) / (max(lows) - min(lows))
        x, y = (left + right) / 2, (top + bottom) / 2 - down * (max(lows) + min(lows)) / 2
    elif sides > 4:
        wide = 2 * min(_reach(layout, below, away, plan.round * unit, unit) for away in (-1, 1))
        place = (512.0, 512 + plan.round * unit / k)
        middle = replace(middle, round=place, round_width=min(200 * unit, wide) / k, round_lines=1)
    order, turn = [*chain(*groups)], 1 if layout.board.clockwise else -1
    if len(groups) == 1:
        clockwise = [(layout.turned + turn * step) % sides for step in range(sides)]
        order = [side for side in clockwise if side in groups[0] or len(plan.spots) == sides]
    spots = [(x + across * far, y + down * low) for far, low, _ in plan.spots]
    at = dict(zip(order, spots, strict=True))
    ways = []
    gifts = (gift for group in groups for gift in pairwise(group if len(group) == 2 else (*group, group[0])))
    for giver, receiver in gifts:
        passed = (side % sides for side in range(giver + 1, giver + (receiver - giver) % sides) if len(groups) == 1)
        ways.append([at[giver], *(at[side] for side in passed if side in at), at[receiver]])
    rooms, gap, high = [], 1.3 * radius, _HIGH * unit
    for seat, (left, level), (far, _, where) in zip(order, spots, plan.spots, strict=True):
        if name := names.get(seat):
            (right, low), off = _BESIDE[where], abs(left - x)
            left, level = left + right * gap, level + low * (gap + high)
            outer = _reach(layout, below, math.copysign(1, far or right), level - y, unit) - off
            # In the middle of a round, arrows pass left and right.
            inner = off - _GAP / 2 * unit if far else 50 * unit
            room = 2 * min(inner, outer) if low else (inner if right * far < 0 else outer) - gap
            rooms.append((name, room, left, level, (1 - right) / 2))
    least, size = round(LEAST * k), round(plan.letters * unit)
    size = min((fit(name, room, size, least)[1] for name, room, *_ in rooms), default=size)
    written, free = [], {0.0: math.inf, 1.0: math.inf}
    for name, room, left, level, align in rooms:
        text = fit(name, room, size, size)[0]
        wide = width_of(text, size)
        free[align] = min(free.get(align, room), room - wide)
        written.append((text, (left - align * wide, level - high, left + (1 - align) * wide, level + high)))
    # On a plate, pairs have as much room to the left of their names as to the right.
    off = (
        (free[0.0] - free[1.0]) / 2 if sides > 4 and len(groups[0]) == 2 and math.isfinite(sum(free.values())) else 0.0
    )
    return Arrangement(
        {seat: (at[seat][0] + off, at[seat][1]) for seat in chain(*groups)},
        radius,
        [[(left + off, level) for left, level in way] for way in ways],
        [(text, (left + off, top, right + off, low)) for text, (left, top, right, low) in written],
        size,
        small,
        middle,
    )


def _reach(layout: Layout, below: Collection[Point], away: float, level: float, unit: float) -> float:
    """Return the reach of names to one side, so far above or below the middle.

    `below`: what the plate is cut out around.
    """
    if layout.board.sides == 4:
        return (200 if abs(level) < 50 * unit else 290) * unit
    high, near = _HIGH * unit, plates.GAP * layout.pitch + 0.75 * _GAP * unit
    reach = plates.half(layout, abs(level) + high) - _GAP * unit
    for spot in below:
        across, down = (part - layout.size / 2 for part in spot)
        apart = max(0.0, abs(down - level) - high)
        if across * away > 0 and apart < near:
            reach = min(reach, abs(across) - math.sqrt(near**2 - apart**2))
    return reach


def draw(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, middle: Middle) -> Middle:
    """Draw who gives a card to whom: pairs with a sign between them, others with an arrow to whom each gives.

    On more than four sides it lies on a plate, with the round; while pieces are on inner paths, on a small plate beside
    their crossing. Returns the places with that of the round.
    """
    laid, k = lay_out(layout, scene, middle), layout.size / 1024
    if laid.small:
        left, top, right, bottom = laid.small
        plate = plates.frame(theme, plates.rectangle(right - left, bottom - top, k), k)
        plate.onto(canvas, (left + right) / 2, (top + bottom) / 2)
    elif layout.board.sides > 4:
        plates.plate(canvas, layout, theme, scene)
    radius = laid.radius
    gap = min(math.dist(begin, end) for way in laid.ways for begin, end in pairwise(way)) - 2 * radius
    for part in (part for way in laid.ways for part in pairwise(way)):
        (left, top), (right, bottom) = part
        if len(scene.exchange[0]) == 2:
            sign = sprites.sign("exchange", min(0.48 * gap, 40 * k), theme.gold, shapes.swap)
        else:
            sign = _arrow(theme, right - left, bottom - top, 0.22 * radius, min(0.7 * radius, 0.6 * gap))
        sign.onto(canvas, (left + right) / 2, (top + bottom) / 2)
    for seat, spot in laid.pieces.items():
        sprites.piece(theme, seat, radius).onto(canvas, *spot)
    for text, (left, top, _, bottom) in laid.names:
        write_line(canvas, text, (left, (top + bottom) / 2), laid.size, layout.size, BOLD, theme.text)
    return laid.middle


@cached(across=1, down=1, width=1, head=1)
def _arrow(theme: Theme, across: float, down: float, width: float, head: float) -> Sprite:
    """Return a line that goes so far to the right and down, with an arrow head in its middle."""
    art = Art(abs(across) + 3 * head, abs(down) + 3 * head)
    x, y = art.width / 2, art.height / 2
    ends = [(x - across / 2, y - down / 2), (x + across / 2, y + down / 2)]
    art.fill(mix(theme.gold, theme.inner, 0.25), lambda p: p.line(ends, width))
    art.paste(ribbons.chevron(ground.heading(*ends), head, theme.gold), x, y)
    return art.sprite()
