"""What is marked on top of a position: choices with letters, lanes that are full, and the feast for the winners."""

from __future__ import annotations

import math
import random
from functools import partial

from PIL import Image

from render import ribbons, shapes, sprites
from render.colour import RGB, shade
from render.draw import Art, Canvas, Pen, Point, Sprite
from render.errors import RenderError
from render.geometry import LANE, PIECE, Layout
from render.scene import Scene, Spot
from render.themes import INK, PAPER, SEATS, Theme

BADGE = 0.39
"""Radius of a letter's badge, in pitches."""


def choices(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the candidates: a halo on pieces that stand there, a ghost where one could come to stand, and letters."""
    radius = PIECE * layout.pitch
    wide = radius * (1.1 if scene.board.system.ranks else 1.0)
    spots = [(_spot(scene, layout, spot), spot[0], letter) for spot, letter in scene.candidates.items()]
    for (point, rank, stands), side, _ in spots:
        if stands:
            frame(theme, wide).onto(canvas, *point)
            sprites.piece(theme, side, radius, rank).onto(canvas, *point)
        else:
            frame(theme, wide, hollow=True).onto(canvas, *point)
            sprites.piece(theme, side, radius * 0.94, rank, opacity=0.66).onto(canvas, *point)
    edge = (BADGE + 0.04) * layout.pitch
    for ((x, y), _, _), side, letter in spots:
        right, up = 0.5 * layout.pitch, 0.5 * layout.pitch
        if (x, y) in layout.corners[side].wells:
            # Off the other wells, so that every piece in the kennel can be seen.
            middle = layout.corners[side].middle
            right, up = math.copysign(right, x - middle[0]), math.copysign(up, middle[1] - y)
        x, y = min(max(x + right, edge), layout.size - edge), min(max(y - up, edge), layout.size - edge)
        sprites.badge(theme, letter[:2], BADGE * layout.pitch, PAPER, INK, INK).onto(canvas, x, y)


def _spot(scene: Scene, layout: Layout, spot: Spot) -> tuple[Point, str, bool]:
    """Where a candidate lies, its rank, and whether a piece of its side stands there; raises RenderError."""
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


def frame(theme: Theme, radius: float, hollow: bool = False) -> Sprite:
    """A bright ring around a piece that can be chosen; hollow around one that could come to stand there."""

    def make() -> Sprite:
        unit = radius / 27
        art = Art(radius * 2 + 30 * unit, radius * 2 + 30 * unit)
        c = art.width / 2
        art.fill(theme.ribbon, lambda p: p.disc(c, c, radius + 7 * unit), 0.9, 3.5 * unit)
        art.fill(theme.ribbon, lambda p: p.disc(c, c, radius + 5.5 * unit))
        if hollow:
            art.fill(theme.space, lambda p: p.disc(c, c, radius + 0.5 * unit))
        return art.sprite()

    return sprites.cached(("frame", theme.id, round(radius, 1), hollow), make)


def full_lanes(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw a golden edge around the lanes of seats that have all their pieces in."""
    for side in sorted(scene.finished & set(scene.board.seats)):
        key = ("full", layout.board, layout.turned, layout.size, theme.id, side)
        first, last = layout.lanes[side][0], layout.lanes[side][3]
        x, y = (first[0] + last[0]) / 2, (first[1] + last[1]) / 2
        sprites.cached(key, partial(_full_lane, layout, theme, side)).onto(canvas, x, y)


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


def feast(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Strew confetti in the winners' colours over the board's free places."""
    lots = random.Random(11)
    colours: list[RGB] = [theme.gold, theme.ribbon, *(shade(SEATS[side], 0.15) for side in scene.winners)]
    size = layout.size
    near = 0.76 * layout.pitch
    taken = [(x, y) for x, y, _, _ in layout.spots]
    k = size / 1024
    for _ in range(520):
        x, y = lots.uniform(0, size), lots.uniform(0, size)
        colour, turn = lots.choice(colours), lots.randrange(0, 180, 20)
        middle = abs(x - size / 2) < 190 * k and abs(y - size / 2) < 200 * k
        corner = any(
            box[0] - 70 * k < x < box[2] + 70 * k and box[1] - 80 * k < y < box[3] + 90 * k
            for one in layout.corners
            for box in one.kennels
        )
        if middle or corner or any(abs(x - a) < near and abs(y - b) < near for a, b in taken):
            continue
        _paper(colour, turn, k).onto(canvas, x, y)


def _paper(colour: RGB, turn: int, k: float) -> Sprite:
    def make() -> Sprite:
        art = Art(26 * k + 2, 26 * k + 2)
        c = art.width / 2
        corners = [(-0.9, -0.45), (0.9, -0.45), (0.9, 0.45), (-0.9, 0.45)]
        art.fill(colour, lambda p: p.polygon(shapes.at(corners, c, c, 10 * k, turn)))
        return art.sprite()

    return sprites.cached(("paper", colour, turn, round(k, 3)), make)


def cup(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, x: float, y: float) -> None:
    """Draw the winners' cup between their pieces."""
    k = layout.size / 1024
    _cup(theme, 74 * k if layout.board.sides == 4 else 62 * k).onto(canvas, x, y)
    radius = PIECE * layout.pitch * 1.15
    step = (112 if layout.board.sides == 4 else 98) * k
    ranks = bool(scene.board.system.ranks)
    for index, side in enumerate(scene.winners[:2]):
        spot = (x - step, y) if index == 0 else (x + step, y)
        ribbons.halo(theme, radius).onto(canvas, *spot)
        sprites.piece(theme, side, radius, "K" if ranks else "").onto(canvas, *spot)


def _cup(theme: Theme, radius: float) -> Sprite:
    def make() -> Sprite:
        art = Art(radius * 3, radius * 3, 6)
        c = art.width / 2
        pen = Pen(art.width, art.height, art.scale)
        shapes.trophy(pen, c, c, radius)
        mask = pen.take()
        art.fill(theme.gold, lambda p: p.disc(c, c, radius * 1.05), 0.28, radius * 0.16)
        art.stencil(shade(theme.gold, -0.45), mask.transform(mask.size, Image.Transform.AFFINE, (1, 0, 0, 0, 1, -2)))
        art.stencil(theme.gold, mask)
        light = Image.new("L", mask.size)
        left = round(c - radius * 0.1)
        light.paste(mask.crop((0, 0, left, mask.height)), (0, 0))
        art.stencil(shade(theme.gold, 0.35), light, 0.5)
        return art.sprite()

    return sprites.cached(("cup", theme.id, round(radius, 1)), make)
