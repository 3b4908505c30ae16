"""Ratings as pictures: one person's over time with its band and form, and a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PIL import Image

from render.drawing.art import Art, Canvas, Pen, Point
from render.drawing.colour import RGB, mix
from render.drawing.text import BOLD, MEDIUM, write_line
from render.errors import RenderError
from render.palette import palette_for
from render.themes import Theme, theme_of

SIZE = (1024, 560)
_LEFT, _RIGHT, _TOP, _BOTTOM = 120, 980, 84, 430
_SCALE = 3
_ROW, _HEAD, _FOOT = 58, 84, 26
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
        x = _LEFT + (_RIGHT - _LEFT) * index / (len(spells) - 1)
        return x, _BOTTOM - (_BOTTOM - _TOP) * (at - bottom) / (top - bottom)

    art = Art(*SIZE, _SCALE)
    art.fill(look.inner, lambda pen: pen.box((_LEFT - 8, _TOP - 8, _RIGHT + 8, _BOTTOM + 8), 14))
    upper = [spot(index, one.points + one.spread) for index, one in enumerate(spells)]
    lower = [spot(index, one.points - one.spread) for index, one in enumerate(spells)]
    line = [spot(index, one.points) for index, one in enumerate(spells)]
    art.fill(look.lane(0), partial(Pen.polygon, points=[*upper, *reversed(lower)]))
    for mark in marks:
        _stroke(art, mix(look.inner, look.quiet, 0.45), [spot(0, mark), (_RIGHT, spot(0, mark)[1])], 1.4)
    _stroke(art, mix(look.seat(0), look.text, 0.75), line, 9.0)
    _stroke(art, look.text, line, 5.0)
    art.fill(look.gold, lambda pen: pen.disc(*line[-1], 9))
    _form(art, look, form)
    art.sprite(0, 0).onto(canvas, 0, 0)
    write_line(canvas, title, (_LEFT - 4, 40), 30, _RIGHT - _LEFT, BOLD, look.text)
    for mark in marks:
        write_line(canvas, points[mark], (_LEFT - 20, spot(0, mark)[1]), 24, 96, MEDIUM, look.text, align=1.0)
    write_line(canvas, words[1], (_RIGHT, _BOTTOM + 34), 24, 600, MEDIUM, look.text, align=1.0)
    write_line(canvas, words[0], (_LEFT - 20, 512), 24, 96, MEDIUM, look.text, align=1.0)
    return palette_for(look).png(canvas.image)


def _form(art: Art, theme: Theme, form: Sequence[bool]) -> None:
    """A full disc for each game that was won, a ring for each that was lost."""
    for index, won in enumerate(form):
        x = _LEFT + 16 + index * 44
        if won:
            art.fill(theme.gold, partial(Pen.disc, x=x, y=512, radius=15))
        else:
            art.fill(theme.text, partial(Pen.ring, x=x, y=512, radius=15, width=4))


def ranking_png(lines: Sequence[Ranked], title: str, theme: str = "slate") -> bytes:
    """A leaderboard as PNG bytes, 1024 pixels wide; raises RenderError without anybody in it."""
    if not lines:
        raise RenderError("lines", "there must be somebody")
    look = theme_of(theme)
    width, height = SIZE[0], _HEAD + _ROW * len(lines) + _FOOT
    canvas = Canvas(Image.new("RGB", (width, height), look.table))
    low = min(one.points - one.spread for one in lines)
    high = max(one.points + one.spread for one in lines)
    left, right = 420, width - 170

    def across(points: float) -> float:
        return left + (right - left) * (points - low) / ((high - low) or 1.0)

    art = Art(width, height, _SCALE)
    for index, one in enumerate(lines):
        level = _HEAD + _ROW * index
        art.fill(look.inner, partial(Pen.box, box=(28, level + 4, width - 28, level + _ROW - 4), radius=12))
        bar = (min(left, across(one.points)), level + 18, max(left + 6, across(one.points)), level + _ROW - 18)
        art.fill(
            mix(look.inner, look.seat(0), 0.45) if one.quiet else look.seat(0), partial(Pen.box, box=bar, radius=6)
        )
        if one.spread:
            ends = [(across(one.points + way * one.spread), level + _ROW / 2) for way in (-1, 1)]
            _stroke(art, look.text, ends, 3.0)
    art.sprite(0, 0).onto(canvas, 0, 0)
    write_line(canvas, title, (32, 44), 30, width - 64, BOLD, look.text)
    for index, one in enumerate(lines):
        middle = _HEAD + _ROW * (index + 0.5)
        colour = look.quiet if one.quiet else look.text
        write_line(canvas, f"{index + 1}", (78, middle), 26, 44, BOLD, colour, align=1.0)
        write_line(canvas, one.name, (96, middle), 26, left - 116, BOLD, colour)
        write_line(canvas, one.told, (width - 44, middle), 26, 116, BOLD, colour, align=1.0)
    return palette_for(look).png(canvas.image)


def _stroke(art: Art, colour: RGB, points: Sequence[Point], width: float) -> None:
    art.fill(colour, partial(Pen.line, points=points, width=width))
