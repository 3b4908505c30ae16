"""The middle of the board while cards are exchanged: who gives one to whom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from render.board import ground, occasions, ribbons, sprites
from render.board.geometry import Layout
from render.board.middle import LEAST, Middle
from render.drawing import shapes
from render.drawing.art import Box, Canvas, Point, grown
from render.drawing.colour import mix
from render.drawing.text import BOLD, clean, fit, width_of, write_line
from render.scene import Scene
from render.themes import Theme


def draw(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, spot: Middle, k: float) -> Middle:
    """Draw who gives a card to whom: pairs with a large sign between them, teams in a row each, one group as it sits.

    On more than four sides it lies on a plate, with the round: pieces on its corners stand on it, and where it would
    hide any, a small one lies beside the crossing. Returns the places with that of the round.
    """
    rows, pairs, unit = scene.exchange, len(scene.exchange[0]) == 2, occasions.unit(layout)
    lines = len(rows)
    box: Box = tuple(edge * k for edge in spot.pairs)  # type: ignore[assignment]
    plate = False
    if layout.board.sides > 4:
        middle, below = layout.size / 2, occasions.hidden(layout, scene)
        plate = all(place.isdigit() for _, place in below)
        if plate:
            occasions.frame(theme, occasions.hub(layout), unit).onto(canvas, middle, middle)
            wide, top, bottom, level = (edge * unit for edge in _ROOMS[layout.board.sides])
            # Four above each other keep off the narrow top of the plate; six in a round and three pairs need height.
            top += (8 if lines > 3 else -30 if len(rows[0]) in (2, 6) else 0) * unit
            bottom += 12 * unit * (pairs and lines == 3)
            wide += (-30 if pairs else 12 if lines == 1 else 0) * unit
            box = (middle - wide, middle + top, middle + wide, middle + bottom)
            crowded = any(abs(layout.place(*one)[1] - middle - level) < 38 * unit for one in below)
            spot = replace(spot, round=(512, 512 + level / k), round_width=200 * unit / k, round_lines=not crowded)
        else:
            left, top, right, bottom = box
            small = occasions.frame(theme, occasions.boxed(right - left, bottom - top, k), k)
            small.onto(canvas, (left + right) / 2, (top + bottom) / 2)
            box = grown(box, -0.035 * (right - left))
    left, top, right, bottom = box
    x = (left + right) / 2
    step = min((bottom - top) / lines, (138 if not pairs else 160 if lines < 4 else 52) * k)
    # The names below the lowest team have more room towards the middle.
    levels = [
        (top + bottom) / 2 - (0 if pairs else 0.05 * step) + (number - (lines - 1) / 2) * step
        for number in range(lines)
    ]
    if pairs:
        if lines == 1:
            # Beside the middle are the lanes of those who sit left and right.
            left, right = max(left, x - 190 * k), min(right, x + 190 * k)
        halves, size = [(right - left) / 2] * lines, 40.0 * k
        if plate and lines > 3:
            middle = layout.size / 2
            halves = [occasions.half(layout, abs(level - middle) + 10 * k) - 10 * k for level in levels]
            rooms = [(pair, half - (_OUTER + 0.3) * _SMALL * k) for pair, half in zip(rows, halves, strict=True)]
            size = min(_fitted(canvas, scene, side, room, 30 * k)[1] for pair, room in rooms for side in pair)
        for pair, level, half in zip(rows, levels, halves, strict=True):
            _pair(canvas, theme, scene, pair, (x, level), half, step, size, k)
    elif lines == 1:
        _circle(canvas, layout, theme, scene, box, plate)
    else:
        most = max(map(len, rows))
        apart = min((0.97 if most < 4 else 1.013) * (right - left) / most, 0.8 * step)
        # All names have the size at which they stand in a line in each row.
        size, least = round((32 if most < 4 else 25) * k), round((LEAST - 2) * k)
        wide, gap = right - left - 14 * k, (8 if most < 4 else 16) * k
        while size > least and not all(_in_line(scene, group, size, apart, wide, gap) for group in rows):
            size -= 1
        for group, level in zip(rows, levels, strict=True):
            away = _in_line(scene, group, size, apart, wide, gap)
            _row(canvas, theme, scene, group, (x, level), apart, step, size, away)
    return spot


_ROOMS = {6: (184, -150, 144, 172), 8: (182, -148, 112, 132)}
"""On the plate, as seen from its middle, in parts of `occasions.unit`: how far what is on it reaches across, up and
down, where pieces on the plate's corners keep free of it, and the level of the round, which makes way for these."""


def _pair(
    canvas: Canvas,
    theme: Theme,
    scene: Scene,
    pair: Sequence[int],
    middle: Point,
    half: float,
    step: float,
    size: float,
    k: float,
) -> None:
    """Draw two who give a card to each other, in a room this wide to each side; `size`: of the largest letters.

    Names stand beside the pieces, or below them; where there is no room at all, those in the corners must do.
    """
    x, level = middle
    # Four lie close: small pieces leave their names room.
    radius = min(0.46 * step, half / _OUTER, (44 if step > 66 * k else _SMALL) * k)
    room = half - (_OUTER + 0.3) * radius
    beside, below = room >= NAMED * k, room < NAMED * k and step >= 66 * k
    small = (half - 1.2 * NAMED * k) / (_OUTER + 0.3)
    if not beside and not below and small >= 19 * k:
        # Smaller pieces make room.
        radius, beside = small, True
        room = half - (_OUTER + 0.3) * radius
    if beside:
        # Both are as small as the longer one.
        size = min(_fitted(canvas, scene, side, room, min(size, 1.7 * radius))[1] for side in pair)
    if below:
        radius = min(0.25 * step, 42 * k)
        room = half - 8 * k
        level -= 0.19 * step
    large = min(0.34 * step, 34 * k) if below else 0.78 * radius
    sprites.sign("exchange", large, theme.gold, shapes.swap).onto(canvas, x, level)
    for side, away in zip(pair, (-1, 1), strict=True):
        at = x + away * (room / 2 + 4 * k if below else (_OUTER - 1) * radius)
        sprites.piece(theme, side, radius).onto(canvas, at, level)
        if beside:
            _name(canvas, theme, scene, side, (x + away * (_OUTER + 0.3) * radius, level), room, size, (1 - away) / 2)
        elif below:
            _name(canvas, theme, scene, side, (at, level + 0.46 * step), room, min(30 * k, 0.38 * step), 0.5)


def _name(
    canvas: Canvas, theme: Theme, scene: Scene, side: int, spot: Point, room: float, size: float, align: float
) -> None:
    """Write the name of somebody in an exchange; where four stand in a row, it may be small rather than cut."""
    words, pixels = _fitted(canvas, scene, side, room, size)
    write_line(canvas, words, spot, pixels, room, BOLD, theme.text, align=align)


def _fitted(canvas: Canvas, scene: Scene, side: int, room: float, size: float) -> tuple[str, int]:
    """That name as it is written, and how large."""
    least = round((LEAST if room > 90 * canvas.image.width / 1024 else LEAST - 2) / 1024 * canvas.image.width)
    return fit(scene.names.get(side, ""), room, max(least, round(size)), least)


def _in_line(scene: Scene, group: Sequence[int], size: int, apart: float, wide: float, gap: float) -> tuple[float, ...]:
    """How far the names of a row make way for each other, away from the middles of their pieces; none if too far."""
    half = [width_of(clean(scene.names.get(side, "")), size) / 2 for side in group]
    spots = [(index - (len(group) - 1) / 2) * apart for index in range(len(group))]
    # The mean of what pushes to the right and what pushes to the left keeps them as far apart as each of both.
    right, left = spots.copy(), spots.copy()
    for index in range(1, len(group)):
        right[index] = max(spots[index], right[index - 1] + half[index - 1] + gap + half[index])
    for index in reversed(range(len(group) - 1)):
        left[index] = min(spots[index], left[index + 1] - half[index + 1] - gap - half[index])
    moved, limit = [(one + other) / 2 for one, other in zip(right, left, strict=True)], wide / 2 + gap
    # Nor do they leave the room there is.
    for index in reversed(range(len(group))):
        moved[index] = min(moved[index], limit - gap - half[index])
        limit = moved[index] - half[index]
    away = tuple(one - spot for one, spot in zip(moved, spots, strict=True))
    fits = limit >= -wide / 2 and max(map(abs, away)) <= 0.16 * apart
    return away if fits else ()


def _row(
    canvas: Canvas,
    theme: Theme,
    scene: Scene,
    group: Sequence[int],
    middle: Point,
    apart: float,
    step: float,
    size: int,
    away: Sequence[float],
) -> None:
    """Draw a team in a row: each gives to the next, and the last one, by the line above, to the first.

    `away`: from the middles of the pieces to those of the names, or nothing if these are to be cut.
    """
    x, y = middle
    radius = min(0.31 * apart, 0.225 * step)
    head = min(0.19 * apart, 0.42 * (apart - 2 * radius))
    spots = [(x + (index - (len(group) - 1) / 2) * apart, y) for index in range(len(group))]
    (first, _), (last, _), high = spots[0], spots[-1], y - 1.62 * radius
    line = ribbons.band(((last, y), (last, high), (first, high), (first, y)), 0.12 * radius)
    canvas.stencil(theme.gold, line.mask, -line.x, -line.y)
    # Between the line and the pieces below it, and the names above, there is room for a small one.
    ribbons.chevron(ground.heading((last, high), (first, high)), 0.44 * radius, theme.gold).onto(canvas, x, high)
    for index, (side, (at, _)) in enumerate(zip(group, spots, strict=True)):
        sprites.piece(theme, side, radius).onto(canvas, at, y)
        low = y + radius + 0.15 * step
        if away:
            spot, name = (at + away[index], low), scene.names.get(side, "")
            write_line(canvas, name, spot, size, 2 * apart, BOLD, theme.text, align=0.5)
        elif apart > NAMED * canvas.image.width / 1024:
            _name(canvas, theme, scene, side, (at, low), 0.93 * apart, size, 0.5)
        if side != group[-1]:
            ribbons.chevron(ground.heading(spots[0], spots[1]), head, theme.gold).onto(canvas, at + apart / 2, y)


def _circle(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, box: Box, plate: bool) -> None:
    """Draw the seats' pieces in a round, from the one at the bottom, with an arrow to whom each gives, and names.

    `plate`: it lies on the large plate, whose edges the names keep off.
    """
    k, x = layout.size / 1024, (box[0] + box[2]) / 2
    if layout.board.sides == 4:
        # Between the lanes, and the corners of the track, which reach into the room for pairs.
        across = (192 if len(scene.exchange[0]) == 4 else 260) * k
        box = (x - across, box[1] + 30 * k, x + across, box[3] - 30 * k)
    left, top, right, bottom = box
    roomy = plate and len(layout.board.seats) == 6
    named = (126 if roomy else 98 if layout.board.sides == 4 else 118) * k if any(scene.names.values()) else 0.0
    seats = sorted(layout.board.seats, key=lambda side: (side - layout.turned) % layout.board.sides)
    turn = 2 * math.pi / len(seats)
    # Half the distance of neighbours, and how high and wide the round is, each for a round of radius 1.
    half, angles = math.sin(turn / 2), [math.pi / 2 + turn * index for index in range(len(seats))]
    high, wide = 1 - min(map(math.sin, angles)), 2 * max(map(math.cos, angles))
    tall, broad = bottom - top, right - left - 2 * named
    radius = min(tall / (2 + high / (0.6 * half)), (0.19 if len(seats) < 5 else 0.17) * broad, 52 * k)
    down, across = (tall - 2 * radius) / high, min((broad - 2 * radius) / wide, (tall - 2 * radius) / high)
    y = (top + bottom + (high - 2) * down) / 2
    ends = {
        side: (x + across * math.cos(angle), y + down * math.sin(angle))
        for side, angle in zip(seats, angles, strict=True)
    }
    for giver, taker in pairwise((*scene.exchange[0], scene.exchange[0][0])):
        one, other = ends[giver], ends[taker]
        length = math.dist(one, other)
        head, at = min((0.6 if roomy else 0.5) * radius, 0.5 * (length - 2 * radius)), 0.5
        if roomy and length < 4 * radius:
            # A short way is all head, which is off both pieces.
            head = min(0.66 * radius, 0.75 * (length - 2 * radius))
            at -= 0.15 * head / length
        else:
            line = ribbons.band((one, other), 0.16 * radius)
            canvas.stencil(mix(theme.gold, theme.inner, 0.4), line.mask, -line.x, -line.y)
        spot = one[0] + (other[0] - one[0]) * at, one[1] + (other[1] - one[1]) * at
        ribbons.chevron(ground.heading(one, other), head, theme.gold).onto(canvas, *spot)
    away, size, rooms = radius + 8 * k, round(34 * k), {}
    for side, (at, level) in ends.items():
        edge = (right - left) / 2
        if plate:
            edge = min(edge, occasions.half(layout, abs(level - layout.size / 2) + 12 * k) - 8 * k)
        rooms[side] = min(edge - abs(at - x) - away if abs(at - x) > 1 else edge - away, 130 * k)
        size = min(size, _fitted(canvas, scene, side, rooms[side], size)[1])
    for side, (at, level) in ends.items():
        sprites.piece(theme, side, radius).onto(canvas, at, level)
        leftward = at < x - 1
        spot = (at - away if leftward else at + away, level)
        _name(canvas, theme, scene, side, spot, rooms[side], size, float(leftward))


_OUTER = 2.95
"""In the exchange, from the sign's middle to the far edges of the pieces beside it, in radiuses of a piece."""
_SMALL = 21
"""The radius of a piece where four pairs are above each other, in pixels of a 1024 px picture."""
NAMED = 74
"""The least room for a name beside them, in pixels of a 1024 px picture."""
