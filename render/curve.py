"""The curve of a game: each team's chance to win from the first deal to the end, with certain moments marked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from math import ceil, dist, hypot

from PIL import Image

from render.board import sprites
from render.drawing.art import Art, Box, Canvas, Pen, Point
from render.drawing.colour import RGB, contrast, mix
from render.drawing.text import BOLD, MEDIUM, clean, fit, ink, names_width, width_of, write_line, write_names
from render.errors import RenderError
from render.palette import palette_for
from render.themes import INK, PAPER, Theme, theme_of

SIZE = (1024, 560)
_LEFT, _RIGHT, _TOP, _BOTTOM = 136, 916, 100, 474
_NARROW = 700
"""Where the curves of more than two teams end: to the right of it is who they are."""
_SCALE = 3
_LIGHTER = (0.0, 0.15, 0.25, 0.35, 0.45, 0.55)
"""Shares of the text's colour in the lines of more than two teams, so that each shows in grey: on a dark ground, until
none is much duller than the others."""
_FORMS: tuple[tuple[float, ...], ...] = ((), (28, 16), (0, 17), (28, 16, 0, 16), (60, 16), (60, 16, 0, 16))
"""Dashes of the lines of more than two teams, which tell them apart: lengths drawn and left out."""
_APART, _TEAMS = 50.0, 12.0
"""Pixels from one name at the ends to the next, if there is room, and as many more to that of another team."""
_MARKS_APART = 52.0
"""Pixels between the middles of two marks, which are as wide as that."""
_NEAR = 6.0
"""A mark this near its spot, in pixels, needs no line to it."""
_ASIDE = 7.0
"""Distance of the line to a mark from the other lines once it has left its spot, in pixels."""
_ROUND = 70
"""Pixels that a round's number takes below; if there is less for each, every second one has its number, and so on."""
_BETWEEN = 18.0
"""The least pixels from what one round is called below to the next."""


@dataclass(frozen=True)
class TeamCurve:
    """A team: its seats, its chance to win (0 to 1) after each action, the first deal first, and its names.

    `end`: how its chance at the end is written.
    """

    seats: tuple[int, ...]
    chances: tuple[float, ...]
    names: tuple[str, ...] = ()
    end: str = ""


@dataclass(frozen=True)
class Mark:
    """A moment of interest: after how many actions, on whose line (a seat), and the label."""

    at: int
    seat: int
    label: str


def curve_png(
    lines: Sequence[TeamCurve],
    rounds: Mapping[int, int],
    title: str,
    marks: Sequence[Mark] = (),
    theme: str = "slate",
    first: str = "1",
    axis: str = "",
    shares: Sequence[str] = ("0%", "25%", "50%", "75%", "100%"),
) -> bytes:
    """Return the picture as PNG bytes, 1024 x 560 pixels; raises RenderError.

    Args:
        rounds: the action with which each round was dealt, by the round's number.
        title: the heading, in the reader's language.
        first: what the first round is called below the curve ("Round 1"); the others have their numbers.
        axis: what the curve shows ("chance of winning"), to stand beside its scale.
        shares: how no chance, each quarter and certainty are written on the scale. That of more than two teams ends at
            the quarter above the highest chance.
    """
    if not lines or len({len(line.chances) for line in lines}) != 1 or not lines[0].chances:
        raise RenderError("lines", "there must be teams, each with as many chances as there were actions")
    look = theme_of(theme)
    canvas = Canvas(Image.new("RGB", SIZE, look.table))
    two = len(lines) == 2
    # Of many teams each has a small share: their lines get all of the height.
    quarters = 4 if two else min(4, max(1, ceil(4 * max(chain(*(line.chances for line in lines))))))
    spot = partial(_spot, count=len(lines[0].chances), right=_RIGHT if two else _NARROW, top=quarters / 4)
    drawn = lines[:1] if two else lines
    _ground(canvas, look, rounds, spot, title, first, shares[: quarters + 1], lines if two else ())
    words, size = fit(axis, _BOTTOM - _TOP - 60, 30, 20, MEDIUM)
    beside = ink(words, size, MEDIUM).mask.rotate(90, expand=True)
    canvas.stencil(look.text, beside, 26 - beside.width // 2, (_TOP + _BOTTOM - beside.height) // 2)
    art = Art(*SIZE, _SCALE)
    # Of two teams, one line says it all: below it lies the share of the first, above it that of the second.
    for index, line in enumerate(drawn):
        parts, width = _parts(_points(line, spot), _FORMS[index % len(_FORMS)]), 5.5 if two else 9.0
        art.lines(mix(look.seat(line.seats[0]), look.text, 0.75), parts, width + 3.5)
        art.lines(look.text if two else colour(look, line.seats[0]), parts, width)
    art.sprite(0, 0).onto(canvas, 0, 0)
    named = _names(canvas, look, lines) if two else _ends(canvas, look, lines, spot)
    found = [
        (
            mark.label,
            spot(mark.at, line.chances[mark.at]),
            [*chain(*(_dense(_points(other, spot)) for other in drawn))],
        )
        for mark in marks
        for line in drawn
        if (mark.seat in line.seats or two) and 0 <= mark.at < len(line.chances)
    ]
    free = arrange([meant for _, meant, _ in found], named, [others for *_, others in found])
    if found:
        _draw_leads(canvas, look, [(meant, place) for (_, meant, _), place in zip(found, free, strict=True)])
    for (label, *_), place in zip(found, free, strict=True):
        _mark(canvas, look, place, label)
    return palette_for(look).png(canvas.image)


def colour(theme: Theme, side: int) -> RGB:
    """Return the colour of a team's line among more than two teams, by its first side."""
    tones = [mix(theme.lit(side), theme.text, share) for share in _LIGHTER]
    return next((tone for tone in tones if theme.bright or contrast(tone, theme.text) < 1.8), tones[-1])


def _names(canvas: Canvas, theme: Theme, lines: Sequence[TeamCurve]) -> list[Box]:
    """Draw the pieces and names of two teams, each on its side of the line; returns their boxes."""
    found: list[Box] = []
    for line, level in ((lines[0], _BOTTOM - 30), (lines[1], _TOP + 30)):
        for index, side in enumerate(line.seats):
            sprites.piece(theme, side, 19).onto(canvas, _LEFT + 32 + index * 42, level)
        left = _LEFT + 22 + len(line.seats) * 42
        end = write_names(canvas, line.names, (left, level), 34, 24, 560, theme.text)
        if line is lines[0]:
            # Beside the end of the line, what it comes to.
            at = min(max(_spot(0, line.chances[-1], 1, _RIGHT, 1.0)[1], _TOP + 16), _BOTTOM - 16)
            write_line(canvas, line.end, (_RIGHT + 16, at), 34, SIZE[0] - _RIGHT - 22, BOLD, theme.text)
            # Whose it is stands below, or above where the line ends low.
            way = 1 if at < _BOTTOM - 110 else -1
            for index, side in enumerate(line.seats):
                spot = (_RIGHT + 36 + index % 2 * 36, at + way * (40 + index // 2 * 36))
                sprites.piece(theme, side, 16).onto(canvas, *spot)
        found.append((_LEFT, level - 20, end, level + 20))
    return found


def _spot(index: int, chance: float, count: int, right: float, top: float) -> Point:
    x = _LEFT + (right - _LEFT) * index / max(1, count - 1)
    return x, _BOTTOM - (_BOTTOM - _TOP) * min(1.0, max(0.0, chance / top))


Spot = Callable[[int, float], Point]
"""Where a chance after so many actions lies."""


def _points(line: TeamCurve, spot: Spot) -> list[Point]:
    """Return the points of a line; a single one is drawn across."""
    chances = line.chances
    return [spot(index, chance) for index, chance in enumerate(chances if len(chances) > 1 else chances * 2)]


def _parts(points: Sequence[Point], form: Sequence[float]) -> list[list[Point]]:
    """Break a line into parts; it is left whole without a form."""
    if not form:
        return [[*points]]
    parts, number, left = [[points[0]]], 0, form[0]
    for (x, y), end in pairwise(points):
        gone, far = 0.0, dist((x, y), end)
        while far - gone > left:
            gone += left
            number += 1
            left = form[number % len(form)]
            here = (x + (end[0] - x) * gone / far, y + (end[1] - y) * gone / far)
            if number % 2:
                parts[-1].append(here)
            else:
                parts.append([here])
        left -= far - gone
        if not number % 2:
            parts[-1].append(end)
    return parts


def _dense(points: Sequence[Point]) -> list[Point]:
    """Return points of a line so close that nothing passes between them."""
    return [
        (x + (a - x) * part / 8, y + (b - y) * part / 8) for (x, y), (a, b) in pairwise(points) for part in range(9)
    ]


def _ground(
    canvas: Canvas,
    theme: Theme,
    rounds: Mapping[int, int],
    spot: Spot,
    title: str,
    first: str,
    shares: Sequence[str],
    sides: Sequence[TeamCurve],
) -> None:
    """Draw the plot area, with a line at each quarter and at the beginning of each round.

    With two `sides`, their shares lie below and above the line of the first, in their colours.
    """
    art, right = Art(*SIZE, _SCALE), _RIGHT if sides else _NARROW
    art.fill(theme.inner, lambda pen: pen.box((_LEFT - 8, _TOP - 8, right + 8, _BOTTOM + 8), 14))
    for line, edge in zip(sides, (_BOTTOM, _TOP), strict=False):
        area = [(_LEFT, edge), *_points(sides[0], spot), (right, edge)]
        art.fill(theme.lane(line.seats[0]), partial(Pen.polygon, points=area))
    faint = mix(theme.inner, theme.quiet, 0.45)
    levels = [spot(0, quarter / 4)[1] for quarter in range(len(shares))]
    art.lines(faint, [[(_LEFT, level), (right, level)] for level in levels[2:3]], 3.0)
    every = 1 + max(0, len(rounds) - 1) // ((right - _LEFT) // _ROUND)
    # None crosses the names of two: beside these, they begin and end at the next level.
    ends = [_LEFT + 34 + len(line.seats) * 42 + names_width([*map(clean, line.names)], 34) for line in sides]
    below, above = ends or (0.0, 0.0)
    free = (_BOTTOM - _TOP) / 4
    deals = [
        [(x, _TOP + free * (x < above)), (x, _BOTTOM - free * (x < below))]
        for x, _ in (spot(at, 0) for at in rounds.values())
    ]
    across = [[(_LEFT, level), (right, level)] for level in levels]
    art.lines(faint, [*across, *deals], 1.4)
    art.sprite(0, 0).onto(canvas, 0, 0)
    write_line(canvas, title, (32, 42), 40, SIZE[0] - 64, BOLD, theme.text)
    for quarter, (level, words) in enumerate(zip(levels, shares, strict=True)):
        if quarter % 2 and len(shares) == 5:
            continue
        write_line(canvas, words, (_LEFT - 18, level), 30, 94, MEDIUM, theme.text, align=1.0)
    for x, words, room in _labels(rounds, spot, first, every):
        write_line(canvas, words, (x, _BOTTOM + 44), 32, room, MEDIUM, theme.text, align=0.5)


def _labels(rounds: Mapping[int, int], spot: Spot, first: str, every: int) -> list[tuple[float, str, int]]:
    """Return what rounds are called below, at which x and in how many pixels at most; without those that would touch.

    `every`: one in so many has its number.
    """
    found, end = list[tuple[float, str, int]](), 0.0
    for number, at in sorted(rounds.items()):
        if number % every and number != 1:
            continue
        x, (words, room) = spot(at, 0)[0], (first, 180) if number == 1 else (str(number), 60)
        half = min(room, width_of(clean(words), 32, MEDIUM)) / 2
        if x - half >= end:
            found.append((x, words, room))
            end = x + half + _BETWEEN
    return found


def _ends(canvas: Canvas, theme: Theme, lines: Sequence[TeamCurve], spot: Spot) -> list[Box]:
    """Draw each team's pieces and names where its line ends, moved apart where lines end close together.

    Returns where they are, with the lines to them.
    """
    ends = sorted(((_points(line, spot)[-1], line) for line in lines), key=lambda end: -end[0][1])
    levels: list[float] = []
    apart = min(_APART, (_BOTTOM - _TOP - len(lines) * _TEAMS) / sum(len(line.seats) for line in lines))
    low, high = _BOTTOM + apart / 2, _TOP - apart / 2
    for (_, level), line in ends:
        half = (len(line.seats) * apart + _TEAMS) / 2
        levels.append(min(level, low - half))
        low = levels[-1] - half
    # Names pushed out at the top push the others down again.
    for index, (_, line) in reversed(list(enumerate(ends))):
        half = (len(line.seats) * apart + _TEAMS) / 2
        levels[index] = max(levels[index], high + half)
        high = levels[index] + half
    art = Art(*SIZE, _SCALE)
    for ((x, level), line), middle in zip(ends, levels, strict=True):
        tone, half = colour(theme, line.seats[0]), (len(line.seats) - 1) * apart / 2 + 14
        bracket = [(x + 20, middle - half), (x + 20, middle + half)]
        art.lines(tone, [[(x, level), (x + 20, middle)], bracket], 5.0)
    art.sprite(0, 0).onto(canvas, 0, 0)
    far = _NARROW + 72.0
    for (_, line), middle in zip(ends, levels, strict=True):
        for index, side in enumerate(line.seats):
            level = middle + (index - (len(line.seats) - 1) / 2) * apart
            sprites.piece(theme, side, 19).onto(canvas, _NARROW + 46, level)
            name = line.names[index] if line.names else ""
            room = SIZE[0] - _NARROW - 178 if line.end else SIZE[0] - _NARROW - 90
            words, size = fit(name, room, 36, 26)
            far = max(far, write_line(canvas, words, (_NARROW + 72, level), size, room + 2, BOLD, theme.text))
    # What they come to stands in a column beside the longest name.
    far += 24 + max(width_of(clean(line.end), 34) for line in lines)
    for (_, line), middle in zip(ends, levels, strict=True):
        write_line(canvas, line.end, (min(SIZE[0] - 20, far), middle), 34, 90, BOLD, theme.text, align=1.0)
    return [(_NARROW + 8, 0, *SIZE)]


def arrange(spots: Sequence[Point], named: Sequence[Box] = (), others: Sequence[Sequence[Point]] = ()) -> list[Point]:
    """Return the spots of marks, in pixels: each at its own or as near as leaves all of them whole.

    They stay off the boxes `named` too, and each off the points of lines: the `others`.
    """
    found: list[Point] = []
    steps = range(-len(spots), len(spots) + 1)
    shifts = sorted(
        ((across * _MARKS_APART, down * _MARKS_APART) for across in steps for down in steps),
        key=lambda shift: (hypot(*shift), abs(shift[0])),
    )
    half = _MARKS_APART / 2
    # None is across the plot's edge.
    high, low = _TOP + half - 4, _BOTTOM - half + 4
    for (x, y), points in zip(spots, others or [()] * len(spots), strict=True):
        inside = min(max(y, high), low)
        near = ((x + across, inside + down) for across, down in shifts)
        free = (
            (px, py)
            for px, py in near
            if _LEFT <= px <= _RIGHT
            and high <= py <= low
            and all(dist((px, py), other) >= _MARKS_APART for other in found)
            and all(dist((px, py), point) >= half for point in points)
            # Nor does the line to it cross a point.
            and all(
                dist((x + (px - x) * share, y + (py - y) * share), point) >= _ASIDE
                for share in (1 / 3, 1 / 2, 2 / 3)
                for point in points
            )
            and not any(a - half < px < c + half and b - half < py < d + half for a, b, c, d in named)
        )
        found.append(next(free, (x, inside)))
    return found


def _draw_leads(canvas: Canvas, theme: Theme, pairs: Sequence[tuple[Point, Point]]) -> None:
    """Draw lines from spots to their marks, if these are elsewhere."""
    art = Art(*SIZE, _SCALE)
    for spot, place in (pair for pair in pairs if dist(*pair) > _NEAR):
        art.lines(theme.table, [[spot, place]], 8.0)
        art.lines(theme.text, [[spot, place]], 4.0)
        art.fill(theme.table, partial(Pen.disc, x=spot[0], y=spot[1], radius=9))
        art.fill(theme.text, partial(Pen.disc, x=spot[0], y=spot[1], radius=7))
    art.sprite(0, 0).onto(canvas, 0, 0)


def _mark(canvas: Canvas, theme: Theme, place: Point, label: str) -> None:
    art = Art(60, 60)
    art.discs((theme.table, 25), (INK, 24), (PAPER, 22))
    sprites.letters(art, label, 30, 30, 30, INK)
    art.sprite().onto(canvas, *place)
