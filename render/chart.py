"""Ratings as pictures: a player's over time with its band and form, and a leaderboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PIL import Image

from render.drawing import shapes
from render.drawing.art import Art, Canvas, Pen, Point
from render.drawing.colour import mix
from render.drawing.text import BOLD, MEDIUM, clean, fit, width_of, write_line
from render.errors import RenderError
from render.palette import palette_for
from render.themes import Theme, theme_of

SIZE = (1024, 652)
_LEFT, _RIGHT, _TOP, _BOTTOM = 142, 890, 108, 464
_SCALE = 3
_TITLE, _LETTERS = 40, 32
"""The height of a title's letters and of all others: they are read where the picture is 300 pixels wide."""
_FORM = 610
"""The level of the form, in pixels."""
_ROW, _HEAD, _FOOT, _KEY = 66, 100, 26, 48
"""Pixels of a line of a leaderboard, above and below all of them, and of the key."""


@dataclass(frozen=True)
class Spell:
    """A rating after a game: `points`, and how far from that it may lie either way."""

    points: float
    spread: float


@dataclass(frozen=True)
class Words:
    """Words in the picture of a rating, in the reader's language: for line, band, discs and the number of games.

    On a leaderboard, `rating`, `range` and `quiet` say what discs, lines and rings mean.
    """

    rating: str
    range: str
    quiet: str = ""
    games: str = ""
    form: str = ""
    won: str = ""
    lost: str = ""


@dataclass(frozen=True)
class Ranked:
    """A line of a leaderboard: who, the points they are ranked by and how these are written, and how far they may lie.

    `quiet`: it is provisional, and drawn as such.
    """

    name: str
    points: float
    label: str
    spread: float = 0.0
    quiet: bool = False


def scale(spells: Sequence[Spell]) -> range:
    """Return the points at which the picture of a rating has a line, lowest first."""
    low = min(spell.points - spell.spread for spell in spells)
    high = max(spell.points + spell.spread for spell in spells)
    step = next(step for step in (50, 100, 200, 500, 1000, 100_000) if (high - low) / step <= 6)
    return range(int(step * (low // step)), int(step * -(-high // step)) + 1, step)


def rating_png(
    spells: Sequence[Spell],
    form: Sequence[bool],
    title: str,
    words: Words,
    points: Mapping[float, str],
    theme: str = "slate",
) -> bytes:
    """Return a rating over time as PNG bytes, 1024 x 652 pixels; raises RenderError without any.

    Args:
        spells: after each rated game, the newest last.
        form: whether each of the newest games was won, the newest last.
        points: how the points of the scale (`scale`) are written, and those of the newest rating, to stand beside it.
    """
    if not spells:
        raise RenderError("spells", "there must be a rating")
    look = theme_of(theme)
    canvas = Canvas(Image.new("RGB", SIZE, look.table))
    marks = scale(spells)
    bottom, top = marks[0], marks[-1]

    games = len(spells)
    if games == 1:
        # A single rating is drawn across.
        spells = (*spells, *spells)

    def spot(index: int, at: float) -> Point:
        # All of the newest point's disc is inside the frame.
        x = _LEFT + (_RIGHT - 10 - _LEFT) * index / (len(spells) - 1)
        return x, _BOTTOM - (_BOTTOM - _TOP) * (at - bottom) / (top - bottom)

    art = Art(*SIZE, _SCALE)
    art.fill(look.inner, lambda pen: pen.box((_LEFT - 8, _TOP - 8, _RIGHT + 8, _BOTTOM + 8), 14))
    upper = [spot(index, spell.points + spell.spread) for index, spell in enumerate(spells)]
    lower = [spot(index, spell.points - spell.spread) for index, spell in enumerate(spells)]
    line = [spot(index, spell.points) for index, spell in enumerate(spells)]
    inside, rim = (mix(look.inner, look.lit(0), share) for share in (0.3 if look.bright else 0.42, 0.8))
    art.fill(inside, partial(Pen.polygon, points=[*upper, *reversed(lower)]))
    levels = [[spot(0, mark), (_RIGHT, spot(0, mark)[1])] for mark in marks]
    art.lines(mix(look.inner, look.quiet, 0.45), levels, 1.4)
    art.lines(rim, [upper, lower], 4.0)
    _line(look, art, line)
    art.fill(look.inner, lambda pen: pen.disc(*line[-1], 15))
    art.fill(look.text, lambda pen: pen.disc(*line[-1], 12))
    art.sprite(0, 0).onto(canvas, 0, 0)
    write_line(canvas, title, (32, 46), _TITLE, SIZE[0] - 64, BOLD, look.text)
    if newest := points.get(spells[-1].points):
        level = min(max(line[-1][1], _TOP + 16), _BOTTOM - 16)
        write_line(canvas, newest, (_RIGHT + 18, level), _LETTERS, SIZE[0] - _RIGHT - 24, BOLD, look.text)
    for mark in marks:
        write_line(canvas, points[mark], (_LEFT - 20, spot(0, mark)[1]), _LETTERS, 118, MEDIUM, look.text, align=1.0)

    def band(art: Art) -> None:
        art.fill(rim, lambda pen: pen.box((0, 3, 44, 33), 4))
        art.fill(inside, lambda pen: pen.box((0, 7, 44, 29), 0))

    # The games along the axis, from the first to how many there are.
    edge, level = SIZE[0] - 32, _BOTTOM + 38
    if games > 1:
        write_line(canvas, "1", (_LEFT, level), _LETTERS, 40, MEDIUM, look.text, align=0.5)
    write_line(canvas, words.games, (_RIGHT + 8, level), _LETTERS, 600, MEDIUM, look.text, align=1.0)
    _key(canvas, look, (32, level + 54), edge - 32, ((partial(_line, look), words.rating), (band, words.range)))
    end = write_line(canvas, words.form, (32, _FORM), _LETTERS, 200, MEDIUM, look.text) + 24
    art = Art(*SIZE, _SCALE)
    # The key beside them has what room they leave.
    apart = min(44.0, (edge - end - 300) / max(1, len(form)))
    for index, won in enumerate(form):
        _disc(art, look, won, (end + (index + 0.5) * apart, _FORM), min(19.0, 0.43 * apart))
    art.sprite(0, 0).onto(canvas, 0, 0)
    end += apart * len(form) + 28
    won_disc, lost_disc = (partial(_disc, theme=look, won=won, spot=(22, 18), radius=16) for won in (True, False))
    _key(canvas, look, (end, _FORM), edge - end, ((won_disc, words.won), (lost_disc, words.lost)))
    return palette_for(look).png(canvas.image)


def _disc(art: Art, theme: Theme, won: bool, spot: Point, radius: float) -> None:
    """Draw a ring for a game, filled if it was won."""
    x, y = spot
    if won:
        art.fill(theme.gold, partial(Pen.disc, x=x, y=y, radius=radius - 1))
    art.fill(theme.text, partial(Pen.ring, x=x, y=y, radius=radius, width=5))


def _key(
    canvas: Canvas, theme: Theme, spot: Point, room: float, entries: Sequence[tuple[Callable[[Art], None], str]]
) -> None:
    """Draw samples, 44 by 36 pixels each, with what they mean, on one line."""
    x, y = spot
    fixed = len(entries) * (44 + 12 + 28) - 28
    size = min(
        _LETTERS, int(_LETTERS * (room - fixed) / sum(width_of(clean(word), _LETTERS, MEDIUM) for _, word in entries))
    )
    for sample, word in entries:
        art = Art(44, 36, _SCALE)
        sample(art)
        art.sprite(0, 18).onto(canvas, x, y)
        x = write_line(canvas, word, (x + 56, y), size, room, MEDIUM, theme.text) + 28


def ranking_png(lines: Sequence[Ranked], title: str, words: Words, theme: str = "slate") -> bytes:
    """Return a leaderboard as PNG bytes, 1024 pixels wide; raises RenderError if it is empty.

    The key is left out where all lines are only as long as what they count.
    """
    if not lines:
        raise RenderError("lines", "must not be empty")
    look, spread = theme_of(theme), any(line.spread for line in lines)
    width, below = SIZE[0], _HEAD + _ROW * len(lines)
    height = below + _FOOT + _KEY * spread
    canvas = Canvas(Image.new("RGB", (width, height), look.table))
    low = min(line.points - line.spread for line in lines)
    high = max(line.points + line.spread for line in lines)
    if not spread:
        # What was gained and lost is seen from nothing, ratings from the lowest.
        low, high = min(low, 0.0), max(high, 0.0)
    names = max(width_of(clean(line.name), _LETTERS) for line in lines)
    left, right = round(min(430.0, max(240.0, 114 + names + 36))), width - 180

    def across(points: float) -> float:
        return left + (right - left) * (points - low) / ((high - low) or 1.0)

    def dot(art: Art, spot: Point = (22, 18), quiet: bool = False) -> None:
        x, y = spot
        for colour, radius in ((look.plate, 17.0), (look.lit(0), 14.0), (look.plate, 8.0))[: 3 if quiet else 2]:
            art.fill(colour, partial(Pen.disc, x=x, y=y, radius=radius))

    def reach(art: Art, ends: Sequence[Point] = ((4, 18), (40, 18))) -> None:
        art.lines(look.text, [ends, *([(x, y - 9), (x, y + 9)] for x, y in ends)], 3.0)

    begin = across(max(low, min(high, 0.0)))
    art = Art(width, height, _SCALE)
    for index, line in enumerate(lines):
        level = _HEAD + _ROW * index
        art.fill(look.plate, partial(Pen.box, box=(28, level + 4, width - 28, level + _ROW - 4), radius=12))
        end, middle = across(line.points), level + _ROW / 2
        if not index:
            art.fill(look.gold, partial(shapes.crown, x=58, y=middle, radius=12))
        if spread:
            # Ratings begin nowhere: where they lie says it, not how long a bar is.
            begin, reached = 136 + width_of(clean(line.name), _LETTERS), across(line.points - line.spread)
            dots = [(float(x), middle) for x in range(round(begin), round(reached) - 12, 12)]
            art.fill(mix(look.plate, look.quiet, 0.6), partial(Pen.discs, points=dots, radius=1.7))
            reach(art, [(across(line.points + way * line.spread), middle) for way in (-1, 1)])
            dot(art, (end, middle), line.quiet)
        else:
            box = (min(begin, end), level + 18, max(begin + 6, end), level + _ROW - 18)
            art.fill(look.lit(0), partial(Pen.box, box=box, radius=6))
    art.sprite(0, 0).onto(canvas, 0, 0)
    write_line(canvas, title, (32, 50), _TITLE, width - 64, BOLD, look.text)
    for index, line in enumerate(lines):
        middle = _HEAD + _ROW * (index + 0.5)
        colour = mix(look.quiet, look.text, 0.35) if line.quiet else look.text
        write_line(canvas, f"{index + 1}", (96, middle), _LETTERS, 44, BOLD, colour, align=1.0)
        name, size = fit(line.name, left - 132, _LETTERS, 24)
        write_line(canvas, name, (114, middle), size, left - 130, BOLD, colour)
        write_line(canvas, line.label, (width - 44, middle), _LETTERS, 124, BOLD, colour, align=1.0)
    if spread:
        pale = [(partial(dot, quiet=True), words.quiet)] if any(line.quiet for line in lines) else []
        _key(canvas, look, (32, below + 34), width - 64, [(dot, words.rating), (reach, words.range), *pale])
    return palette_for(look).png(canvas.image)


def _line(theme: Theme, art: Art, points: Sequence[Point] = ((6, 18), (38, 18))) -> None:
    art.lines(mix(theme.seat(0), theme.text, 0.75), [points], 10.0)
    art.lines(theme.text, [points], 6.0)
