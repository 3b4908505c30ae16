"""Ratings as pictures: one person's over time with its band and form, and a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PIL import Image

from render.drawing.art import Art, Canvas, Pen, Point
from render.drawing.colour import RGB, mix
from render.drawing.text import BOLD, MEDIUM, fit, write_line
from render.errors import RenderError
from render.palette import palette_for
from render.themes import Theme, theme_of

SIZE = (1024, 560)
_LEFT, _RIGHT, _TOP, _BOTTOM = 142, 980, 98, 412
_SCALE = 3
_TITLE, _LETTERS = 40, 32
"""The height of a title's letters and of all others: they are read where the picture is 300 pixels wide."""
_FORM = 516
"""The level of the form, in pixels."""
_ROW, _HEAD, _FOOT = 66, 100, 26
"""Pixels of a line of a leaderboard, and above and below all of them."""


@dataclass(frozen=True)
class Spell:
    """A rating after a game: `points`, and how far from that it may lie either way."""

    points: float
    spread: float


@dataclass(frozen=True)
class Ranked:
    """A line of a leaderboard: who, the points they are ranked by and how these are written, and how far they may lie.

    `quiet`: it is provisional, and drawn as such.
    """

    name: str
    points: float
    told: str
    spread: float = 0.0
    quiet: bool = False


def scale(spells: Sequence[Spell]) -> range:
    """The points at which the picture of a rating has a line, lowest first."""
    low = min(one.points - one.spread for one in spells)
    high = max(one.points + one.spread for one in spells)
    step = next(step for step in (50, 100, 200, 500, 1000, 100_000) if (high - low) / step <= 6)
    return range(int(step * (low // step)), int(step * -(-high // step)) + 1, step)


def rating_png(
    spells: Sequence[Spell],
    form: Sequence[bool],
    title: str,
    words: tuple[str, str],
    points: Mapping[int, str],
    theme: str = "slate",
) -> bytes:
    """A rating over time as PNG bytes, 1024 x 560 pixels; raises RenderError without any.

    Args:
        spells: after each rated game, the newest last.
        form: whether each of the newest games was won, the newest last.
        words: what stands beside the form, and beside the number of games, in the reader's language.
        points: how the points of the scale (`scale`) are written.
    """
    if not spells:
        raise RenderError("spells", "there must be a rating")
    look = theme_of(theme)
    canvas = Canvas(Image.new("RGB", SIZE, look.table))
    marks = scale(spells)
    bottom, top = marks[0], marks[-1]

    if len(spells) == 1:
        # One alone is drawn across.
        spells = (*spells, *spells)

    def spot(index: int, at: float) -> Point:
        # All of the newest point's disc is inside the frame.
        x = _LEFT + (_RIGHT - 10 - _LEFT) * index / (len(spells) - 1)
        return x, _BOTTOM - (_BOTTOM - _TOP) * (at - bottom) / (top - bottom)

    art = Art(*SIZE, _SCALE)
    art.fill(look.inner, lambda pen: pen.box((_LEFT - 8, _TOP - 8, _RIGHT + 8, _BOTTOM + 8), 14))
    upper = [spot(index, one.points + one.spread) for index, one in enumerate(spells)]
    lower = [spot(index, one.points - one.spread) for index, one in enumerate(spells)]
    line = [spot(index, one.points) for index, one in enumerate(spells)]
    art.fill(look.lit_ground(0), partial(Pen.polygon, points=[*upper, *reversed(lower)]))
    for mark in marks:
        _stroke(art, mix(look.inner, look.quiet, 0.45), [spot(0, mark), (_RIGHT, spot(0, mark)[1])], 1.4)
    _stroke(art, mix(look.seat(0), look.text, 0.75), line, 10.0)
    _stroke(art, look.text, line, 6.0)
    art.fill(look.gold, lambda pen: pen.disc(*line[-1], 12))
    _form(art, look, form)
    art.sprite(0, 0).onto(canvas, 0, 0)
    write_line(canvas, title, (32, 48), _TITLE, _RIGHT - 32, BOLD, look.text)
    for mark in marks:
        write_line(canvas, points[mark], (_LEFT - 20, spot(0, mark)[1]), _LETTERS, 118, MEDIUM, look.text, align=1.0)
    for word, x, align in ((words[0], 32, 0.0), (words[1], _RIGHT, 1.0)):
        write_line(canvas, word, (x, _BOTTOM + 48), _LETTERS, 460, MEDIUM, look.text, align=align)
    return palette_for(look).png(canvas.image)


def _form(art: Art, theme: Theme, form: Sequence[bool]) -> None:
    """A full disc for each game that was won, a ring for each that was lost."""
    for index, won in enumerate(form):
        x = 50 + index * 48
        if won:
            art.fill(theme.gold, partial(Pen.disc, x=x, y=_FORM, radius=18))
        else:
            art.fill(theme.text, partial(Pen.ring, x=x, y=_FORM, radius=18, width=5))


def ranking_png(lines: Sequence[Ranked], title: str, theme: str = "slate") -> bytes:
    """A leaderboard as PNG bytes, 1024 pixels wide; raises RenderError without anybody in it."""
    if not lines:
        raise RenderError("lines", "there must be somebody")
    look = theme_of(theme)
    width, height = SIZE[0], _HEAD + _ROW * len(lines) + _FOOT
    canvas = Canvas(Image.new("RGB", (width, height), look.table))
    low = min(one.points - one.spread for one in lines)
    high = max(one.points + one.spread for one in lines)
    if not any(one.spread for one in lines):
        # What was gained and lost is seen from nothing, ratings from the lowest.
        low, high = min(low, 0.0), max(high, 0.0)
    left, right = 430, width - 180

    def across(points: float) -> float:
        return left + (right - left) * (points - low) / ((high - low) or 1.0)

    begin = across(max(low, min(high, 0.0)))
    art = Art(width, height, _SCALE)
    for index, one in enumerate(lines):
        level = _HEAD + _ROW * index
        art.fill(look.inner, partial(Pen.box, box=(28, level + 4, width - 28, level + _ROW - 4), radius=12))
        end = across(one.points)
        bar = (min(begin, end), level + 18, max(begin + 6, end), level + _ROW - 18)
        art.fill(mix(look.inner, look.lit(0), 0.45) if one.quiet else look.lit(0), partial(Pen.box, box=bar, radius=6))
        if one.spread:
            ends = [(across(one.points + way * one.spread), level + _ROW / 2) for way in (-1, 1)]
            for colour, wide in ((look.inner, 9.0), (look.text, 3.0)):
                _stroke(art, colour, ends, wide)
    art.sprite(0, 0).onto(canvas, 0, 0)
    write_line(canvas, title, (32, 50), _TITLE, width - 64, BOLD, look.text)
    for index, one in enumerate(lines):
        middle = _HEAD + _ROW * (index + 0.5)
        colour = look.quiet if one.quiet else look.text
        write_line(canvas, f"{index + 1}", (84, middle), _LETTERS, 44, BOLD, colour, align=1.0)
        words, size = fit(one.name, left - 120, _LETTERS, 24)
        write_line(canvas, words, (102, middle), size, left - 118, BOLD, colour)
        write_line(canvas, one.told, (width - 44, middle), _LETTERS, 124, BOLD, colour, align=1.0)
    return palette_for(look).png(canvas.image)


def _stroke(art: Art, colour: RGB, points: Sequence[Point], width: float) -> None:
    art.fill(colour, partial(Pen.line, points=points, width=width))
