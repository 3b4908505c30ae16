"""What is drawn on top of a position: letters to choose from, full lanes, the lobby's plate, the winners' feast."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from PIL import Image

from render.board import halos, sprites
from render.board.geometry import LANE, PIECE, Layout
from render.board.middle import lines_height, middle_of
from render.drawing import shapes
from render.drawing.art import Art, Box, Canvas, Pen, Point, Sprite, grown, kept
from render.drawing.colour import RGB, mix, shade
from render.drawing.text import INDEX, fit, wrap
from render.errors import RenderError
from render.scene import Scene, Spot
from render.themes import INK, PAPER, SEATS, Theme

NAME = "DOG"
"""The game's name, the same in every language."""

TOKEN = 0.45
"""Radius of a letter's token on a free space, in pitches; it sits in the space it means, never between two."""
LETTER = 0.3
"""Radius of a letter's disc on a piece; the piece remains visible around it."""
RANKED = 0.3
"""The same on a piece with a rank, off to one side so that its sign can be seen."""


def choices(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the candidates: a letter on the piece if there is one, otherwise a token with the letter in the space."""
    radius = PIECE * layout.pitch
    wide = radius * (1.1 if scene.board.system.ranks else 1.0)
    spots = [(_spot(scene, layout, spot), spot[0], letter) for spot, letter in scene.candidates.items()]
    # Frames first, letters last: in a kennel, both overlap the neighbours.
    framed = [point for (point, _, stands), _, _ in spots if stands]
    for point in framed:
        close = any(0 < math.dist(point, other) < 2.4 * wide for other in framed)
        frame(theme, wide, SLIM if close else BROAD).onto(canvas, *point)
    for (point, rank, stands), side, _ in spots:
        if stands:
            sprites.piece(theme, side, radius, scene.board.system.rank_of(rank)).onto(canvas, *point)
    for (point, rank, stands), side, letter in spots:
        if stands:
            size, off = (RANKED, 0.34 * layout.pitch) if rank else (LETTER, 0.0)
            badge = sprites.badge(theme, letter[:2], size * layout.pitch, PAPER, INK, INK)
            badge.onto(canvas, point[0] + off, point[1] - off)
        else:
            token(theme, side, letter[:2], TOKEN * layout.pitch).onto(canvas, *point)


@kept(radius=2)
def token(theme: Theme, side: int, text: str, radius: float) -> Sprite:
    """A letter on paper with a ring in the colour of the seat whose piece could move here."""
    art = Art(radius * 2 + 10, radius * 2 + 10)
    c = art.width / 2
    art.fill((0, 0, 0), lambda p: p.disc(c, c + 1.2, radius + 2.0), 0.4, 1.4)
    art.fill(INK, lambda p: p.disc(c, c, radius + 1.4))
    art.fill(theme.seat(side), lambda p: p.disc(c, c, radius))
    art.fill(INK, lambda p: p.disc(c, c, radius * 0.77))
    art.fill(PAPER, lambda p: p.disc(c, c, radius * 0.73))
    sprites.letters(art, text, c, c, round(radius * (1.32 if len(text) < 2 else 0.95)), INK)
    return art.sprite()


def _spot(scene: Scene, layout: Layout, spot: Spot) -> tuple[Point, str, bool]:
    """Where a candidate is, its rank, and whether a piece of its side is there; raises RenderError."""
    side, text = spot
    if side not in scene.placement:
        raise RenderError("candidates", f"there is no side {side}")
    pieces = scene.placement[side]
    place = sprites.place(text)
    rank = text[0] if scene.board.system.ranks and text[:1].isalpha() and len(text) > 1 else ""
    if place == "-":
        return _in_kennel(layout, side, pieces, rank)
    for piece in pieces:
        if sprites.place(piece) == place and (not rank or piece[0] == rank):
            return layout.place(side, place), piece[0] if scene.board.system.ranks else "", True
    return layout.place(side, place), rank, False


def _in_kennel(layout: Layout, side: int, pieces: tuple[str, ...], rank: str) -> tuple[Point, str, bool]:
    homes = [piece for piece in pieces if piece.endswith("-")]
    wells = layout.corners[side].wells
    if rank:
        for index, piece in enumerate(homes):
            if piece[0] == rank:
                return wells[index], rank, True
        return wells[min(len(homes), 3)], rank, False
    if homes:
        return wells[len(homes) - 1], homes[-1][0] if len(homes[-1]) > 1 else "", True
    return wells[0], "", False


BROAD, SLIM = 6.6, 3.6
"""How far a frame reaches around a piece, in 27ths of its radius; slim where several are side by side."""


@kept(radius=1)
def frame(theme: Theme, radius: float, reach: float) -> Sprite:
    """A bright ring around a piece that can be chosen."""
    unit = radius / 27
    art = Art(radius * 2 + 30 * unit, radius * 2 + 30 * unit)
    c = art.width / 2
    art.fill(theme.chevron, lambda p: p.disc(c, c, radius + reach * unit))
    art.fill(theme.ribbon, lambda p: p.disc(c, c, radius + (reach - 1.2) * unit))
    art.fill(theme.chevron, lambda p: p.disc(c, c, radius + 1.2 * unit))
    return art.sprite()


def full_lanes(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw a golden edge around the lanes of seats that have all their pieces in."""
    for side in sorted(scene.finished & set(scene.board.seats)):
        first, last = layout.lanes[side][0], layout.lanes[side][3]
        x, y = (first[0] + last[0]) / 2, (first[1] + last[1]) / 2
        _full_lane(layout, theme, side).onto(canvas, x, y)


@kept()
def _full_lane(layout: Layout, theme: Theme, side: int) -> Sprite:
    first, last = layout.lanes[side][0], layout.lanes[side][3]
    reach = LANE * layout.pitch + 4 * layout.size / 1024
    width, height = (abs(a - b) + 2 * reach + 12 for a, b in zip(first, last, strict=True))
    art = Art(width, height, 4)
    dx, dy = art.width // 2 - (first[0] + last[0]) / 2, art.height // 2 - (first[1] + last[1]) / 2
    line = [(x + dx, y + dy) for x, y in (first, last)]
    k = layout.size / 1024

    def shape(pen: Pen) -> None:
        pen.line(line, 2 * reach)
        pen.line(line, 2 * reach - 9 * k, 0)

    art.fill(theme.gold, shape)
    return art.sprite(art.width // 2, art.height // 2)


@dataclass(frozen=True)
class Feast:
    """Where the cup and the winners' pieces stand, in pixels of a 1024 px picture."""

    cup: Point
    radius: float
    step: float
    """From the cup's middle to those of the pieces beside it."""
    piece: float
    """Radius of a piece."""
    words: Box


def feast_of(layout: Layout) -> Feast:
    """Where the celebration takes place; small between inner paths, so that it hides nothing."""
    if not layout.board.paths:
        if layout.board.sides == 4:
            return Feast((512, 440), 110, 146, 46, (252, 560, 772, 560 + lines_height(36)))
        return Feast((512, 468), 84, 112, 36, (362, 557, 662, 557 + lines_height(32)))
    spot = middle_of(layout)
    left, top, right, bottom = spot.pile
    radius = min(right - left, bottom - top) * 0.48
    return Feast(((left + right) / 2, (top + bottom) / 2), radius, radius * 0.72, radius * 0.26, spot.words)


_PAPERS = 20
"""Confetti fills a grid with this many columns and rows, each scrap shifted at random within its cell to look even."""


def feast(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Scatter confetti in the winners' colours over the board's free areas."""
    lots = random.Random(11)
    colours: list[RGB] = [theme.gold, theme.ribbon, *(shade(SEATS[side], 0.15) for side in scene.winners)]
    size, k = layout.size, layout.size / 1024
    near = 0.74 * layout.pitch
    taken = [(x, y) for x, y, _, _ in layout.spots]
    spot = feast_of(layout)
    reach = spot.step + spot.piece + 22
    x, y = spot.cup
    tall = spot.radius * 1.06 + 14
    boxes = [(x - reach, y - tall, x + reach, y + tall), grown(spot.words, 8)]
    boxes = [(a * k, b * k, c * k, d * k) for a, b, c, d in boxes]
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


def cup(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the winners' cup between their pieces."""
    k = layout.size / 1024
    spot = feast_of(layout)
    x, y = spot.cup[0] * k, spot.cup[1] * k
    cup_sprite(theme, spot.radius * k).onto(canvas, x, y)
    radius = spot.piece * k
    for index, side in enumerate(scene.winners[:2]):
        at = (x - spot.step * k, y) if index == 0 else (x + spot.step * k, y)
        halos.halo(theme, radius).onto(canvas, *at)
        sprites.piece(theme, side, radius).onto(canvas, *at)


@kept(radius=1)
def cup_sprite(theme: Theme, radius: float) -> Sprite:
    """The cup alone."""
    art = Art(radius * 2.5, radius * 2.3, 6)
    cx, cy = art.width / 2, art.height / 2
    pen = Pen(art.width, art.height, art.scale)
    shapes.trophy(pen, cx, cy, radius)
    mask = pen.take()
    deep, gold, light = shade(theme.gold, -0.42), theme.gold, shade(theme.gold, 0.42)
    grown = Pen(art.width, art.height, art.scale)
    shapes.trophy(grown, cx, cy, radius, grow=0.035)
    art.stencil(shade(theme.gold, -0.62), grown.take())
    art.stencil(deep, mask)
    # Round metal: a broad body of gold, a bright streak left of the middle, a narrow one at the right edge.
    for colour, left, right in ((gold, -1.2, 0.34), (light, -0.46, -0.2), (mix(gold, deep, 0.4), 0.34, 0.52)):
        shine = Image.new("L", mask.size)
        box = (max(0, round(cx + left * radius)), 0, round(cx + right * radius), mask.height)
        shine.paste(mask.crop(box), box[:2])
        art.stencil(colour, shine)
    star = shapes.at(shapes.regular(5, 0.27, 0.115), cx, cy - radius * 0.34, radius)
    art.fill(shade(theme.gold, -0.62), lambda p: p.polygon(star, radius * 0.02))
    return art.sprite()


# -- before the game


def plate(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the plate with the game's name, the seats' pieces and a line about the game."""
    k = layout.size / 1024
    four = layout.board.sides == 4
    if not layout.board.paths:
        width, height, x, y = (380, 268, 512, 512) if four else (290, 196, 512, 505)
        seats = layout.board.seats
        _plate(theme, seats, scene.plate, width * k, height * k, True).onto(canvas, x * k, y * k)
        return
    # There is no room for a frame between inner paths: the name goes where cards will lie, the line where words will.
    spot = middle_of(layout)
    left, top, right, bottom = spot.pile
    name = _plate(theme, (), "", (right - left) * k, (bottom - top) * k * 0.7, False)
    name.onto(canvas, (left + right) / 2 * k, (top + bottom) / 2 * k)
    left, top, right, bottom = spot.words
    _line(theme, scene.plate, (right - left) * k, (bottom - top) * k).onto(
        canvas, (left + right) / 2 * k, (top + bottom) / 2 * k
    )


@kept(width=3, height=3)
def _plate(theme: Theme, seats: tuple[int, ...], text: str, width: float, height: float, framed: bool) -> Sprite:
    art = Art(width + 8, height + 8, 4)
    cx, cy = art.width / 2, art.height / 2
    box = (cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2)
    edge = max(1.5, height / 90)
    if framed:
        art.fill(mix(theme.gold, theme.text, 0.35), lambda p: p.box(box, height * 0.13))
        inner = grown(box, -edge)
        art.fill(theme.inner, lambda p: p.box(inner, height * 0.13 - edge))
    name, pixels = fit(NAME, width * 0.84, round(height * (0.42 if framed else 0.8)), 8, INDEX)
    sprites.letters(art, name, cx, cy - (height * 0.2 if framed else 0.0), pixels, theme.text, INDEX)
    if framed:
        radius = min(height * 0.105, width * 0.75 / max(1, len(seats)) / 2.3)
        for index, side in enumerate(seats):
            at = cx + (index - (len(seats) - 1) / 2) * radius * 2.35
            art.paste(sprites.piece(theme, side, radius), at, cy + height * 0.13)
        words, small = fit(text, width * 0.86, round(height * 0.12), 7)
        sprites.letters(art, words, cx, cy + height * 0.36, small, mix(theme.quiet, theme.text, 0.4))
    return art.sprite()


@kept(width=3, height=3)
def _line(theme: Theme, text: str, width: float, height: float) -> Sprite:
    parts = text.split(" · ")
    sizes = [fit(part, width, round(height * 0.36), 7) for part in parts]
    # What belongs together stays together: the dot between two parts is left out where the line breaks.
    rows, pixels = [part for part, _ in sizes], min(size for _, size in sizes)
    if len(parts) != 2:
        rows, pixels = wrap(text, lambda line, size: width, 2, round(height * 0.36), 7)
    art = Art(width + 4, height + 4, 4)
    for index, row in enumerate(rows):
        y = art.height / 2 + (index - (len(rows) - 1) / 2) * pixels * 1.2
        sprites.letters(art, row, art.width / 2, y, pixels, mix(theme.quiet, theme.text, 0.4))
    return art.sprite()
