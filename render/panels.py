"""What lies by a side's kennel: wells, name, cards in hand, partner, and how the seat is doing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from PIL import Image

from render import shapes, sprites
from render.cache import Cache
from render.colour import RGB, mix, readable, shade
from render.draw import Art, Pen, Sprite
from render.geometry import Corner, Layout
from render.text import fit, ink
from render.themes import INK, MARKS, PAPER, Theme

_pills: Cache[Sprite] = Cache("names", 10 << 20, lambda sprite: sprite.bytes + 300)


@dataclass(frozen=True)
class Standing:
    """How a seat is doing, as its corner shows it."""

    name: str
    cards: int | None
    active: bool = False
    out: bool = False
    finished: bool = False
    winner: bool = False
    computer: bool = False
    partner: int | None = None
    out_label: str = "out"


def draw(canvas: Image.Image, layout: Layout, theme: Theme, side: int, standing: Standing) -> None:
    """Draw a side's corner: everything but the pieces in the wells."""
    corner = layout.corners[side]
    k = layout.size / 1024
    left, top, right, bottom = corner.kennel
    x, y = (left + right) / 2, (top + bottom) / 2
    kennel(theme, corner, side, standing, k).onto(canvas, x, y)
    _cards(canvas, theme, corner, side, standing, k)
    name = pill(theme, side, standing, corner.name_width, k)
    px, py = corner.name
    shift = {"m": 0.0, "l": 1.0, "r": -1.0}[corner.name_anchor] * (name.mask.width / 2 - pill_margin(k))
    name.onto(canvas, px + shift, py)
    if standing.partner is not None:
        partner_badge(theme, side, standing.partner, k, standing.out).onto(canvas, *corner.badge)


def kennel(theme: Theme, corner: Corner, side: int, standing: Standing, k: float) -> Sprite:
    """The box with four wells; it glows while its seat is to move."""
    left, top, right, bottom = corner.kennel
    lit = standing.active or standing.winner
    key = ("kennel", theme.id, side, lit, standing.out, round(right - left), round(bottom - top), round(k, 3))
    return sprites.cached(key, lambda: _kennel(theme, corner, side, lit, standing.out, k))


def _kennel(theme: Theme, corner: Corner, side: int, lit: bool, out: bool, k: float) -> Sprite:
    left, top, right, bottom = corner.kennel
    glow = 26 * k if lit else 4 * k
    width, height = right - left, bottom - top
    art = Art(width + 2 * glow + 2, height + 2 * glow + 2, 6)
    cx, cy = art.width // 2, art.height // 2
    box = (cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2)
    seat = theme.seat(side)
    bright = shade(seat, 0.3) if lit else mix(seat, theme.table, 0.6 if out else 0.1)
    fill = mix(seat, theme.table, 0.86) if out else (mix(seat, theme.table, 0.48) if lit else theme.well(side))
    radius = 18 * k
    if lit:
        art.fill(bright, lambda p: p.box(_grow(box, 5 * k), radius + 5 * k), 0.9, 9 * k)
    width = (4.5 if lit else 2.5) * k
    art.fill(bright, lambda p: p.box(box, radius))
    art.fill(fill, lambda p: p.box(_grow(box, -width), radius - width))
    ground, ring = mix(fill, INK, 0.45 if theme.id != "light" else 0.18), mix(bright, fill, 0.35)
    for wx, wy in corner.wells:
        px, py = cx + wx - (left + right) / 2, cy + wy - (top + bottom) / 2
        art.fill(ring, partial(Pen.disc, x=px, y=py, radius=corner.radius))
        art.fill(ground, partial(Pen.disc, x=px, y=py, radius=corner.radius - 1.8 * k))
    return art.sprite()


def _grow(box: tuple[float, float, float, float], by: float) -> tuple[float, float, float, float]:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def pill_margin(k: float) -> float:
    """How far a name's sprite reaches beyond the pill itself."""
    return 14 * k


def pill(theme: Theme, side: int, standing: Standing, width: float, k: float) -> Sprite:
    """The name on the seat's colour, with its mark, and a sign for a computer player or a finished seat."""
    state = (standing.active or standing.winner, standing.out, standing.finished, standing.computer)
    key = (theme.id, side, standing.name, state, round(width), round(k, 3))
    return _pills.get(key, lambda: _pill(theme, side, standing, width, k))


def pill_colours(theme: Theme, side: int, lit: bool, out: bool) -> tuple[RGB, RGB]:
    """The ground of a name and its writing."""
    seat = theme.seat(side)
    ground = seat if lit else mix(seat, theme.table, 0.72 if out else 0.22)
    return ground, readable(ground, INK, PAPER)


def _pill(theme: Theme, side: int, standing: Standing, width: float, k: float) -> Sprite:
    lit = standing.active or standing.winner
    ground, colour = pill_colours(theme, side, lit, standing.out)
    height, pad, mark = 46 * k, 17 * k, 10.5 * k
    signs: list[shapes.Sign] = []
    if standing.computer:
        signs.append(shapes.robot)
    if standing.finished:
        signs.append(shapes.check)
    room = width - 2 * pad - 2 * mark - 9 * k - len(signs) * 30 * k
    name, size = fit(standing.name, room, round(29 * k), round(20 * k))
    word = ink(name, size)
    whole = max(word.width + width - room, 2 * height)
    margin = pill_margin(k)
    art = Art(whole + 2 * margin, height + 2 * margin, 6)
    cx, cy = art.width // 2, art.height // 2
    box = (cx - whole / 2, cy - height / 2, cx + whole / 2, cy + height / 2)
    if lit:
        art.fill(shade(theme.seat(side), 0.3), lambda p: p.box(box, height / 2), 0.85, 6 * k)
        art.fill(shade(theme.seat(side), 0.45), lambda p: p.box(box, height / 2))
        art.fill(ground, lambda p: p.box(_grow(box, -3 * k), height / 2 - 3 * k))
    else:
        art.fill(ground, lambda p: p.box(box, height / 2))
    art.fill(colour, lambda p: shapes.mark(p, MARKS[side], box[0] + pad + mark, cy, mark))
    mask = Image.new("L", art.image.size)
    at = box[0] + pad + 2 * mark + 9 * k - (word.mask.width - word.width) / 2
    mask.paste(word.mask, (round(at), round(cy + word.cap / 2) - word.ascent))
    art.stencil(colour, mask)
    at = box[2] - pad - 10 * k
    for sign in reversed(signs):
        art.fill(colour, partial(_at, sign=sign, x=at, y=cy, radius=11 * k))
        at -= 30 * k
    return art.sprite()


def _at(pen: Pen, sign: shapes.Sign, x: float, y: float, radius: float) -> None:
    sign(pen, x, y, radius)


def card_back(theme: Theme, side: int, k: float, dim: bool = False) -> Sprite:
    """A small card from behind."""

    def make() -> Sprite:
        art = Art(26 * k, 34 * k)
        cx, cy = art.width / 2, art.height / 2
        seat = theme.seat(side)
        box = (cx - 10 * k, cy - 14 * k, cx + 10 * k, cy + 14 * k)
        art.fill((0, 0, 0), lambda p: p.box(_grow(box, 0.6 * k), 4 * k), theme.shadow * 0.7, 1.2 * k)
        art.fill(theme.rim, lambda p: p.box(box, 4 * k))
        art.fill(shade(seat, -0.1), lambda p: p.box(_grow(box, -2.4 * k), 2.4 * k))
        inside = mix(seat, theme.rim, 0.55)
        art.fill(inside, lambda p: p.polygon(shapes.at(shapes.regular(4, 1.0), cx, cy, 5.4 * k)))
        return art.sprite(opacity=0.4 if dim else 1.0)

    return sprites.cached(("back", theme.id, side, round(k, 3), dim), make)


def _cards(canvas: Image.Image, theme: Theme, corner: Corner, side: int, standing: Standing, k: float) -> None:
    if standing.cards is None:
        return
    x, y = corner.cards
    if standing.out:
        chip = label(theme, standing.out_label, k)
        shift = {"m": 0.0, "l": 1.0, "r": -1.0}[corner.cards_anchor] * chip.mask.width / 2
        chip.onto(canvas, x + shift, y)
        return
    back = card_back(theme, side, k)
    step = 24 * k
    count = standing.cards
    if count > 7:
        number = counted(theme, f"{count}×", k)
        wide = number.mask.width + step
        first = x + {"m": -wide / 2, "l": 0.0, "r": -wide}[corner.cards_anchor]
        number.onto(canvas, first + number.mask.width / 2, y)
        back.onto(canvas, first + wide - step / 2, y)
        return
    first = x + {"m": -(count - 1) / 2, "l": 0.5, "r": -count + 0.5}[corner.cards_anchor] * step
    for i in range(count):
        back.onto(canvas, first + i * step, y)


def counted(theme: Theme, text: str, k: float) -> Sprite:
    """A number beside a card."""

    def make() -> Sprite:
        word = ink(text, round(26 * k))
        art = Art(word.width + 10 * k, 36 * k)
        sprites.letters(art, text, art.width / 2, art.height / 2, round(26 * k), theme.text)
        return art.sprite()

    return sprites.cached(("counted", theme.id, text, round(k, 3)), make)


def label(theme: Theme, text: str, k: float) -> Sprite:
    """A word in a quiet frame, such as "out"."""

    def make() -> Sprite:
        words, size = fit(text, 190 * k, round(22 * k), round(16 * k))
        word = ink(words, size)
        art = Art(word.width + 30 * k, 36 * k)
        box = (1.0, 2 * k, art.width - 1.0, art.height - 2 * k)
        art.fill(theme.quiet, lambda p: p.box(box, 16 * k))
        art.fill(mix(theme.table, theme.quiet, 0.12), lambda p: p.box(_grow(box, -2 * k), 14 * k))
        sprites.letters(art, words, art.width / 2, art.height / 2, size, theme.text)
        return art.sprite()

    return sprites.cached(("label", theme.id, text, round(k, 3)), make)


def partner_badge(theme: Theme, side: int, partner: int, k: float, dim: bool = False) -> Sprite:
    """The partner's piece, linked to this kennel."""

    def make() -> Sprite:
        radius = 20 * k
        art = Art(math.ceil(radius * 2 + 14 * k), math.ceil(radius * 2 + 14 * k))
        c = art.width / 2
        seat = theme.seat(partner)
        art.fill(theme.table, lambda p: p.disc(c, c, radius + 4 * k))
        art.fill(shade(theme.seat(side), 0.2), lambda p: p.ring(c, c, radius + 1.5 * k, 2.5 * k))
        art.fill(seat, lambda p: p.disc(c, c, radius - 3.5 * k))
        art.fill(theme.mark(partner), lambda p: shapes.mark(p, MARKS[partner], c, c, 9.5 * k))
        return art.sprite(opacity=0.5 if dim else 1.0)

    return sprites.cached(("partner", theme.id, side, partner, round(k, 3), dim), make)
