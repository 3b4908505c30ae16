"""Before a game and after it: the lobby's plate, the winners' cup, pieces and names, confetti."""

from __future__ import annotations

import random
from dataclasses import dataclass

from PIL import Image, ImageFilter

from render.board import halos, sprites
from render.board.geometry import Layout
from render.drawing import shapes
from render.drawing.art import Art, Box, Canvas, Pen, Point, Sprite, grown, kept
from render.drawing.colour import RGB, mix, shade
from render.drawing.text import AND, BOLD, INDEX, clean, fit, ink, names_width, width_of, write_line, write_names
from render.scene import LABELS, Scene
from render.themes import SEATS, Theme

NAME = "DOG"
"""The game's name, the same in every language."""


@dataclass(frozen=True)
class Feast:
    """Where the cup, the winners' pieces and their names stand, in pixels of a 1024 px picture."""

    box: Box
    """All of it."""
    framed: bool
    """Whether it lies on a plate that hides what is below: nothing moves any more."""
    cup: Point
    radius: float
    step: float
    """From the cup's middle to those of the pieces beside it."""
    piece: float
    """Radius of a piece."""
    names: float
    """The middle of everything written."""


_FOUR = Feast((248, 318, 776, 704), False, (512, 436), 108, 146, 48, 624)
_SIX = Feast((316, 334, 708, 697), True, (512, 436), 84, 136, 40, 608)
NAMES, MANY, SMALL, VERB = 54, 46, 34, 36
"""The height of the winners' names, of those of more than two, the least that long ones are shrunk to before they are
cut, and of what they do."""


def feast_of(layout: Layout) -> Feast:
    """Where the celebration takes place: the free middle of four sides, a plate over the crossing of six."""
    return _FOUR if layout.board.sides == 4 else _SIX


def end(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the winners' cup between their pieces, with their names below."""
    k, spot = layout.size / 1024, feast_of(layout)
    left, top, right, bottom = (edge * k for edge in spot.box)
    if spot.framed:
        plate = frame(theme, right - left, bottom - top)
        plate.onto(canvas, (left + right) / 2, (top + bottom) / 2)
    # A single winner's piece and the cup stand in the middle together.
    x, y = (spot.cup[0] + (spot.step / 2 if len(scene.winners) == 1 else 0)) * k, spot.cup[1] * k
    cup_sprite(theme, spot.radius * k).onto(canvas, x, y)
    radius = spot.piece * k * (1.0 if len(scene.winners) < 3 else 0.7)
    half = (len(scene.winners) + 1) // 2
    for column, away in ((scene.winners[:half], -spot.step * k), (scene.winners[half:], spot.step * k)):
        for row, side in enumerate(column):
            down = y + (row - (len(column) - 1) / 2) * 2.5 * radius
            halos.halo(theme, radius).onto(canvas, x + away, down)
            sprites.piece(theme, side, radius).onto(canvas, x + away, down)
    _names(canvas, theme, scene, (512 * k, spot.names * k), right - left - 48 * k, k)


def _names(canvas: Canvas, theme: Theme, scene: Scene, middle: Point, room: float, k: float) -> None:
    """The winners' names, each written by itself: in the order of the pieces, whatever way each is read."""
    names = [name for seat in scene.winners if (name := clean(scene.names.get(seat, "")))]
    if not names:
        return
    x, y = middle
    size, word = round(NAMES * k), "winner" if len(names) == 1 else "winners"
    if names_width(names, size) <= room:
        lines = [names]
    elif len(names) == 2:
        lines = [[name] for name in names]
    else:
        half = (len(names) + 1) // 2
        lines, size = [names[:half], names[half:]], round(MANY * k)
    # One size for all lines, and a sign where one goes on from the last.
    signs = [AND if line is not lines[0] else "" for line in lines]
    wide = [names_width(line, size) + width_of(f"{sign} ", size) for line, sign in zip(lines, signs, strict=True)]
    size = max(round(SMALL * k), min(size, int(size * room / max(wide))))
    step = 1.14 * size
    y -= (step * (len(lines) - 1) + 1.2 * VERB * k) / 2
    for line, sign in zip(lines, signs, strict=True):
        write_names(canvas, line, (x, y), size, size, room, theme.text, align=0.5, before=sign)
        y += step
    verb, colour = scene.labels.get(word) or LABELS[word], mix(theme.quiet, theme.text, 0.45)
    write_line(canvas, verb, (x, y - step / 2 + 0.6 * VERB * k), round(VERB * k), room, BOLD, colour, align=0.5)


@kept(width=1, height=1)
def frame(theme: Theme, width: float, height: float) -> Sprite:
    """The ground of a plate, with a golden edge."""
    k = width / 344
    art = Art(width + 24 * k, height + 24 * k, 4)
    cx, cy = art.width / 2, art.height / 2
    box = (cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2)
    if theme.shadow:
        art.fill((0, 0, 0), lambda p: p.box(box, 28 * k), theme.shadow, 5 * k)
    art.fill(mix(theme.gold, theme.text, 0.2), lambda p: p.box(box, 28 * k))
    art.fill(theme.inner, lambda p: p.box(grown(box, -3 * k), 25 * k))
    return art.sprite()


_PAPERS = 20
"""Confetti fills a grid with this many columns and rows, each scrap shifted at random within its cell to look even."""


def confetti(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Scatter confetti in the winners' colours over the board's free areas."""
    lots = random.Random(11)
    colours: list[RGB] = [theme.gold, theme.ribbon, *(shade(SEATS[side], 0.15) for side in scene.winners)]
    size, k = layout.size, layout.size / 1024
    near = 0.74 * layout.pitch
    taken = [(x, y) for x, y, _, _ in layout.spots]
    boxes = [grown((a * k, b * k, c * k, d * k), 12 * k) for a, b, c, d in (feast_of(layout).box,)]
    boxes += [grown(box, 14 * k) for corner in layout.corners for box in corner.panel]
    step = size / _PAPERS
    for row in range(_PAPERS):
        for column in range(_PAPERS):
            x, y = (column + lots.uniform(0.2, 0.8)) * step, (row + lots.uniform(0.2, 0.8)) * step
            colour, turn = colours[(row * 2 + column + lots.randrange(2)) % len(colours)], lots.randrange(0, 180, 20)
            hidden = any(left < x < right and top < y < bottom for left, top, right, bottom in boxes)
            if hidden or any(abs(x - a) < near and abs(y - b) < near for a, b in taken):
                continue
            _paper(colour, turn, k).onto(canvas, x, y)


@kept(k=3)
def _paper(colour: RGB, turn: int, k: float) -> Sprite:
    art = Art(26 * k + 2, 26 * k + 2)
    c = art.width / 2
    corners = [(-0.9, -0.45), (0.9, -0.45), (0.9, 0.45), (-0.9, 0.45)]
    art.fill(colour, lambda p: p.polygon(shapes.at(corners, c, c, 10 * k, turn)))
    return art.sprite()


@kept(radius=1)
def cup_sprite(theme: Theme, radius: float) -> Sprite:
    """The cup alone."""
    art = Art(radius * 2.5, radius * 2.3, 6)
    cx, cy = art.width / 2, art.height / 2
    pen = Pen(art.width, art.height, art.scale)
    shapes.trophy(pen, cx, cy, radius)
    mask = pen.take()
    deep, gold, light = shade(theme.gold, -0.42), theme.gold, shade(theme.gold, 0.42)
    art.stencil(shade(theme.gold, -0.62), mask.filter(ImageFilter.MaxFilter(2 * max(1, round(0.035 * radius)) + 1)))
    art.stencil(deep, mask)
    # Round metal: a broad body of gold, a bright streak left of the middle, a narrow one at the right edge.
    for colour, left, right in ((gold, -1.2, 0.34), (light, -0.46, -0.2), (mix(gold, deep, 0.4), 0.34, 0.52)):
        shine = Image.new("L", mask.size)
        box = (max(0, round(cx + left * radius)), 0, round(cx + right * radius), mask.height)
        shine.paste(mask.crop(box), box[:2])
        art.stencil(colour, shine)
    art.fill(shade(theme.gold, -0.62), lambda p: shapes.paw(p, cx, cy - radius * 0.33, radius * 0.32))
    return art.sprite()


def lobby(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the plate with the game's name, the seats' pieces and a line about the game."""
    k = layout.size / 1024
    _plate(theme, layout.board.seats, scene.plate, 392 * k, 276 * k).onto(canvas, 512 * k, 512 * k)


@kept(width=1, height=1)
def _plate(theme: Theme, seats: tuple[int, ...], text: str, width: float, height: float) -> Sprite:
    art = Art.over(frame(theme, width, height))
    cx, cy = art.width / 2, art.height / 2
    pixels = round(height * 0.42)
    word = ink(NAME, pixels, INDEX)
    y = cy - height * 0.2
    sprites.letters(art, NAME, cx, y, pixels, theme.text, INDEX)
    # The paw stands in the middle of the O.
    before, ring = ink(NAME[0], pixels, INDEX).width, ink(NAME[1], pixels, INDEX).width
    middle = cx - word.width / 2 + before + ring / 2
    art.fill(theme.gold, lambda p: shapes.paw(p, middle, y, word.cap * 0.2))
    radius = min(height * 0.115, width * 0.8 / max(1, len(seats)) / 2.3)
    for index, side in enumerate(seats):
        at = cx + (index - (len(seats) - 1) / 2) * radius * 2.3
        art.paste(sprites.piece(theme, side, radius), at, cy + height * 0.12)
    large, least = round(height * 0.125), round(height * 0.1)
    words, small = fit(text, width * 0.88, large, least)
    # Which rules stand above how many players where both together would be too small.
    rows = [words] if words == clean(text) else [row for row in text.partition(" · ")[::2] if row]
    for row, share in zip(rows, (0.36,) if len(rows) == 1 else (0.31, 0.42), strict=True):
        words, small = fit(row, width * 0.88, large if len(rows) == 1 else least, 7)
        sprites.letters(art, words, cx, cy + height * share, small, mix(theme.quiet, theme.text, 0.6))
    return art.sprite()
