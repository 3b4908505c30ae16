"""What lies by a side's kennel: wells, name, cards in hand, partner, and how the seat is doing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from PIL import Image

from render import shapes, sprites
from render.cache import Cache
from render.colour import RGB, contrast, mix, readable, shade
from render.draw import Art, Canvas, Pen, Sprite
from render.geometry import Corner, Layout
from render.text import fit, ink
from render.themes import INK, MARKS, PAPER, Theme

_pills: Cache[Sprite] = Cache("names", 8 << 20, lambda sprite: sprite.bytes + 300)


@dataclass(frozen=True)
class Standing:
    """How a seat is doing, as its corner shows it."""

    name: str
    cards: int | None = None
    active: bool = False
    out: bool = False
    finished: bool = False
    winner: bool = False
    computer: bool = False
    partner: int | None = None
    out_label: str = ""


def draw_kennel(canvas: Canvas, layout: Layout, theme: Theme, side: int, standing: Standing) -> None:
    """Draw a side's kennel without pieces."""
    corner = layout.corners[side]
    kennel(theme, corner, side, standing, layout.size / 1024).onto(canvas, *corner.middle)


def draw(canvas: Canvas, layout: Layout, theme: Theme, side: int, standing: Standing) -> None:
    """Draw name and partner of a side; the kennel itself lies below ribbons, see `draw_kennel`."""
    corner = layout.corners[side]
    k = layout.size / 1024
    name = pill(theme, side, standing, corner.name_width, k)
    x, y = corner.name
    name.onto(canvas, x - corner.align * (name.mask.width / 2 - pill_margin(k)), y)
    if standing.partner is not None:
        badge = partner_badge(theme, side, standing.partner, corner.badge_radius, standing.out)
        badge.onto(canvas, *corner.badge)


def kennel(theme: Theme, corner: Corner, side: int, standing: Standing, k: float) -> Sprite:
    """The box with four wells; it glows while its seat is to move."""
    lit = standing.active or standing.winner
    x, y = corner.middle
    shape = tuple((round(a - x), round(b - y), round(c - x), round(d - y)) for a, b, c, d in corner.kennels)
    key = ("kennel", theme.id, side, lit, standing.out, shape, round(k, 3))
    return sprites.cached(key, lambda: _kennel(theme, corner, side, lit, standing.out, k))


def _kennel(theme: Theme, corner: Corner, side: int, lit: bool, out: bool, k: float) -> Sprite:
    x, y = corner.middle
    glow = 26 * k if lit else 4 * k
    reach_x = max(box[2] - x for box in corner.kennels)
    reach_y = max(box[3] - y for box in corner.kennels)
    art = Art(2 * (reach_x + glow) + 2, 2 * (reach_y + glow) + 2, 6)
    cx, cy = art.width // 2, art.height // 2
    seat = theme.seat(side)
    bright = theme.lit(side) if lit else mix(seat, theme.table, 0.6 if out else 0.1)
    fill = mix(seat, theme.table, 0.86) if out else (mix(seat, theme.table, 0.48) if lit else theme.well(side))
    boxes = [(cx + a - x, cy + b - y, cx + c - x, cy + d - y) for a, b, c, d in corner.kennels]
    radius = min(18 * k if len(boxes) == 1 else 99, (boxes[0][3] - boxes[0][1]) / 2)
    width = (4.5 if lit else 2.5) * k
    if lit:
        art.fill(bright, lambda p: p.boxes(boxes, 5 * k, radius), 0.9, 9 * k)
    art.fill(bright, lambda p: p.boxes(boxes, 0, radius))
    art.fill(fill, lambda p: p.boxes(boxes, -width, radius))
    ground, ring = mix(fill, INK, 0.18 if theme.id == "light" else 0.45), mix(bright, fill, 0.35)
    wells = [(cx + wx - x, cy + wy - y) for wx, wy in corner.wells]
    art.fill(ring, lambda p: p.discs(wells, corner.well))
    art.fill(ground, lambda p: p.discs(wells, corner.well - 1.8 * k))
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
    ground, colour = seat, readable(seat, INK, PAPER)
    if not lit:
        # As quiet as its writing allows.
        for share in (0.72,) if out else (0.22, 0.16, 0.1, 0.0):
            ground = mix(seat, theme.table, share)
            colour = readable(ground, INK, PAPER)
            if contrast(ground, colour) >= 4.5:
                break
    return ground, colour


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
        art.fill(theme.lit(side), lambda p: p.box(box, height / 2), 0.85, 6 * k)
        art.fill(theme.lit(side), lambda p: p.box(box, height / 2))
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


def draw_cards(canvas: Canvas, layout: Layout, theme: Theme, side: int, standing: Standing) -> None:
    """Draw the cards in a side's hand from behind, or that it is out this round."""
    corner, k = layout.corners[side], layout.size / 1024
    if standing.cards is None:
        return
    x, y = corner.cards
    if standing.out:
        shown = label(theme, standing.out_label, 56 * k if corner.counted else 190 * k, k)
    elif standing.cards:
        shown = fan(theme, side, standing.cards, corner.counted, k)
    else:
        return
    shown.onto(canvas, x - corner.align * shown.mask.width / 2, y)


def fan(theme: Theme, side: int, count: int, counted_only: bool, k: float) -> Sprite:
    """So many cards from behind; too many, or with little room, one card and a number."""

    def make() -> Sprite:
        scale = 0.84 * k if counted_only else k
        back = card_back(theme, side, scale)
        step = 24 * scale
        if not counted_only and count <= 7:
            art = Art(count * step, 36 * scale)
            for i in range(count):
                art.paste(back, (i + 0.5) * step, art.height / 2)
            return art.sprite()
        number = counted(theme, str(count), scale)
        art = Art(number.mask.width + 22 * scale, 38 * scale)
        art.paste(number, number.mask.width / 2, art.height / 2)
        art.paste(back, art.width - 11 * scale, art.height / 2)
        return art.sprite()

    return sprites.cached(("fan", theme.id, side, count, counted_only, round(k, 3)), make)


def counted(theme: Theme, text: str, k: float) -> Sprite:
    """A number beside a card."""

    def make() -> Sprite:
        word = ink(text, round(26 * k))
        art = Art(word.width + 10 * k, 36 * k)
        sprites.letters(art, text, art.width / 2, art.height / 2, round(26 * k), theme.text)
        return art.sprite()

    return sprites.cached(("counted", theme.id, text, round(k, 3)), make)


def label(theme: Theme, text: str, width: float, k: float) -> Sprite:
    """A word in a quiet frame, such as "out"."""

    def make() -> Sprite:
        words, size = fit(text, width - 30 * k * (width > 99 * k), round(22 * k), round(15 * k))
        word = ink(words, size)
        art = Art(word.width + (30 if width > 99 * k else 16) * k, 36 * k)
        box = (1.0, 2 * k, art.width - 1.0, art.height - 2 * k)
        art.fill(theme.quiet, lambda p: p.box(box, 16 * k))
        art.fill(mix(theme.table, theme.quiet, 0.12), lambda p: p.box(_grow(box, -2 * k), 14 * k))
        sprites.letters(art, words, art.width / 2, art.height / 2, size, theme.text)
        return art.sprite()

    return sprites.cached(("label", theme.id, text, round(width), round(k, 3)), make)


def partner_badge(theme: Theme, side: int, partner: int, radius: float, dim: bool = False) -> Sprite:
    """The partner's piece, linked to this kennel."""

    def make() -> Sprite:
        k = radius / 20
        art = Art(math.ceil(radius * 2 + 14 * k), math.ceil(radius * 2 + 14 * k))
        c = art.width / 2
        seat = theme.seat(partner)
        art.fill(theme.table, lambda p: p.disc(c, c, radius + 4 * k))
        art.fill(shade(theme.seat(side), 0.2), lambda p: p.ring(c, c, radius + 1.5 * k, 2.5 * k))
        art.fill(seat, lambda p: p.disc(c, c, radius - 3.5 * k))
        art.fill(theme.mark(partner), lambda p: shapes.mark(p, MARKS[partner], c, c, 9.5 * k))
        return art.sprite(opacity=0.5 if dim else 1.0)

    return sprites.cached(("partner", theme.id, side, partner, round(radius, 2), dim), make)
