"""Playing cards: standard cards with suits (pure decoration, the game has none) and coloured Royal cards.

Cards look the same in every theme. Whatever a card can do besides its number is shown in a dark strip at its foot,
derived from its powers; whether it is coloured is data too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from PIL import Image, ImageChops, ImageFilter

from engine import STANDARD, SYSTEMS, Card, Colour
from engine.rules.cards import Backward, Forward, Magnet, Motif, Out, Push, Rob, Split, Swap, Sweep
from render.drawing import shapes
from render.drawing.art import Art, Pen, Point, Sprite, build_cache
from render.drawing.colour import RGB, luminance, mix, rgb
from render.drawing.text import BOLD, INDEX, ink
from render.errors import RenderError
from render.themes import INK, PAPER, SEATS

TALL = 1.4
"""Height of a card relative to its width."""

BLACK_SUIT = rgb("#1a1d27")
RED_SUIT = rgb("#c9202f")
SUITS = ("spade", "heart", "club", "diamond")
FRAME = rgb("#d8d3c4")
_COLOURS = {
    Colour.BLUE: rgb("#1b3f98"),
    Colour.RED: rgb("#c62c38"),
    Colour.GREEN: rgb("#1f7044"),
}
"""As far apart in grey as white writing on them allows."""
_HATCHES = {Colour.BLUE: 0.0, Colour.RED: 90.0, Colour.GREEN: 45.0}
"""Directions of their fine lines in degrees, as in engraved arms: they tell the colours apart in grey."""
_GOLD = rgb("#e3b23c")

_cards = build_cache("cards", 20 << 20, 4 << 20)


Deck = Mapping[str, Card]
"""The cards of a rule system, by id."""


@dataclass(frozen=True)
class Face:
    """A card as it lies on the table: its id, its number among several of a kind, and what it stood for."""

    card: str
    copy: int = 0
    named: str | None = None

    @classmethod
    def parse(cls, text: str, copy: int = 0) -> Face:
        """Parse a card as the record writes it, `7` or `X:7`; raises RenderError."""
        card, _, named = str(text).partition(":")
        for name in (card, named):
            if name and not any(name in system.cards for system in SYSTEMS.values()):
                raise RenderError("card", f"there is no card {name[:20]!r}")
        if not card:
            raise RenderError("card", "must not be empty")
        return cls(card, copy, named or None)


def faces(texts: list[str]) -> list[Face]:
    """Parse cards side by side; several of a kind get different suits."""
    seen: dict[str, int] = {}
    found = []
    for text in texts:
        face = Face.parse(text, seen.get(text, 0))
        seen[text] = face.copy + 1
        found.append(face)
    return found


def card(face: Face, width: int, deck: Deck, turn: float = 0.0, dim: RGB | None = None, slim: bool = False) -> Sprite:
    """Return a card this many pixels wide, turned anticlockwise by degrees; `dim` fades it towards a colour.

    A `slim` card is small in its picture: it has no strip of several parts, and larger figures.
    Raises RenderError if the deck has no such card.
    """
    data, suit = look_up(face, deck)
    named = _named_label(face, deck)
    key = (data, suit, named, width, turn, dim, slim)
    return _cards.get(key, lambda: _card(data, suit, named, width, turn, dim, slim))


def draw_uncached(face: Face, width: int, deck: Deck, dim: RGB | None = None) -> Sprite:
    """Draw a card without caching it: for callers that keep something made from it."""
    data, suit = look_up(face, deck)
    return _card(data, suit, _named_label(face, deck), width, 0.0, dim)


def sign(data: Card, size: int) -> Art:
    """Return a card for a line of text, this many pixels high: its number or picture alone, as large as it can be."""
    art = Art(size, size)
    short = data.id.replace("-", "–")
    is_plain = data.colour is Colour.NONE
    picture = shapes.jester if data.motif is Motif.JOKER else None if is_plain else _picture(data)
    wide = 0.98 if picture is None and len(short) > 2 else 0.8
    draw = _Drawing(art, (1 - wide) * size / 2, 0.02 * size, wide * size, 0.96 * size)
    colour, edge = PAPER, 0.045 * size
    art.fill(INK, lambda p: draw.sheet(p, 0.0))
    art.fill(PAPER, lambda p: draw.sheet(p, 0.4 * edge))
    if is_plain:
        kind = SUITS[_ORDER.get(data.id, 0) % 4]
        colour = rgb("#6b3fa0") if picture else RED_SUIT if kind in ("heart", "diamond") else BLACK_SUIT
    else:
        grounds = (Colour.GREEN, Colour.RED) if data.colour is Colour.RED_GREEN else (data.colour,)
        for number, ground in enumerate(grounds):
            pen = Pen(size, size)
            draw.sheet(pen, edge)
            if number:
                pen.polygon([(size, 0), (size, size), (0, size)], on=0)
            art.stencil(_COLOURS[ground], pen.take())
    if picture is not None:
        draw.sign(picture, 0.5, 0.5, 0.38, colour)
    elif data.copies:
        for y in (0.36, 0.64):
            line = [draw.xy(0.22, y), draw.xy(0.78, y)]
            art.fill(colour, partial(Pen.line, points=line, width=0.13 * size))
    else:
        draw.write(short, 0.5, 0.5, 0.98, colour, wide=0.9)
    return art


def _named_label(face: Face, deck: Deck) -> str | shapes.Sign | None:
    """Return the word or the picture for what a joker or copy stands for."""
    named = None if face.named is None else deck.get(face.named)
    picture = None if named is None or named.colour is Colour.NONE else _picture(named)
    return face.named if picture is None else picture


def look_up(face: Face, deck: Deck) -> tuple[Card, str]:
    """Return a face's card, and its suit if it has one."""
    data = deck.get(face.card)
    if data is None:
        raise RenderError("card", f"there is no {face.card!r} in this deck")
    return data, SUITS[(_ORDER.get(face.card, 0) + face.copy) % 4] if data.colour is Colour.NONE else ""


def _card(
    data: Card,
    suit: str,
    named: str | shapes.Sign | None,
    width: int,
    turn: float,
    dim: RGB | None,
    slim: bool = False,
) -> Sprite:
    w, h = float(width), float(round(width * TALL))
    pad = math.ceil(w * 0.07)
    art = Art(w + 2 * pad, h + 2 * pad, 4 if width > 120 else 6)
    draw = _Drawing(art, pad, pad, w, h)
    if dim is None:
        art.fill((0, 0, 0), lambda p: draw.sheet(p, 0.0, drop=w * 0.018), 0.38, w * 0.022)
    art.fill(mix(FRAME, (60, 56, 48), 0.35), lambda p: draw.sheet(p, 0.0))
    art.fill(PAPER, lambda p: draw.sheet(p, max(1.0, w * 0.008)))
    # What sweeps has a large sign of it.
    ways = strip(data) if named is None else ()
    foot = tuple(filter(None, (tuple(item for item in way if item is not shapes.sweep) for way in ways)))
    if slim and sum(map(len, foot)) > 1:
        foot = ()
    if data.colour is Colour.NONE:
        _suited(draw, data, suit, bool(foot), 1.3 if slim else 1.0)
    else:
        _royal(draw, data, named is not None, bool(foot), bool(turn))
    # Turned cards lie below others, which would leave a stub of this.
    if foot and not turn:
        _strip(draw, foot)
    if data.motif is Motif.JOKER and not turn:
        draw.write("JOKER", 0.5, 0.885, 0.2, rgb("#4a4a55"), BOLD)
    if named is not None and not turn:
        _named(draw, named)
    image = art.image if dim is None else grey_out(art.image, dim)
    if turn:
        image = image.rotate(turn, Image.Resampling.BICUBIC, expand=True)
    return Sprite(image.convert("RGB"), image.getchannel("A"), image.width // 2, image.height // 2)


GREYED = 0.2
"""Share of their colour that unplayable cards lose: with less of it, red would turn brown."""
FADED = 0.27
"""Fading of unplayable cards towards the table, or three quarters as far to dark on a bright table.

They stay readable, since people plan with them.
"""


def grey_out(image: Image.Image, ground: RGB) -> Image.Image:
    """Return a card as it looks when it cannot be played."""
    alpha = image.getchannel("A")
    colours = image.convert("RGB")
    colours = Image.blend(colours, colours.convert("L").convert("RGB"), GREYED)
    # On a bright table the faces darken: faded towards it they would be as white as the others.
    toward, share = (INK, 0.75 * FADED) if luminance(ground) > 0.5 else (ground, FADED)
    colours = Image.blend(colours, Image.new("RGB", image.size, toward), share)
    colours.putalpha(alpha)
    return colours


_ORDER = {card_id: number for number, card_id in enumerate(STANDARD)}

Item = shapes.Sign | str
"""A sign or a word in a card's strip."""


_ACTS: dict[type, shapes.Sign] = {Push: shapes.push, Sweep: shapes.sweep}
_FLAT = (shapes.both_ways, shapes.back, shapes.push)
"""Signs that are less high than wide."""


def strip(data: Card) -> tuple[tuple[Item, ...], ...]:
    """Return the ways to play a card as its strip shows them, signs first: each a sign, a number, or both.

    There are none where the card's own number or picture says it all.
    """
    ways: list[tuple[Item, ...]] = []
    powers = data.powers
    steps = [power.steps for power in powers if isinstance(power, Forward)]
    # The large figure of a coloured card may say these already.
    shown = data.colour is not Colour.NONE and "/".join(map(str, steps)) == data.id
    both = [power.steps for power in powers if isinstance(power, Backward)][:1]
    if Out() in powers:
        ways.append((shapes.exit_arrow,))
    for count in both:
        ways.append((shapes.both_ways if count in steps else shapes.back, *([] if shown else [str(count)])))
    ways += [(shapes.split, f"1–{power.points}") for power in powers if isinstance(power, Split)][:1]
    if Swap() in powers and data.colour is Colour.NONE:
        ways.append((shapes.swap,))
    for power in powers:
        if isinstance(power, Push | Sweep):
            ways.append((_ACTS[type(power)], *([] if power.steps in steps else [str(power.steps)])))
        elif isinstance(power, Rob):
            ways.append((shapes.rob,))
    if data.green:
        ways.append((shapes.leap,))
    alone = [count for count in steps if count not in both]
    if alone and not shown:
        ways += [(str(count),) for count in alone] if len(steps) <= 3 else [(f"{steps[0]}–{steps[-1]}",)]
    return () if ways in ([], [(data.id.replace("-", "–"),)]) else tuple(ways)


@dataclass
class _Drawing:
    """A card being drawn: positions are given as shares of its width (x) and height (y)."""

    art: Art
    left: float
    top: float
    w: float
    h: float

    def xy(self, x: float, y: float) -> tuple[float, float]:
        return self.left + x * self.w, self.top + y * self.h

    def sheet(self, pen: Pen, inset: float, drop: float = 0.0) -> None:
        box = (self.left + inset, self.top + inset + drop, self.left + self.w - inset, self.top + self.h - inset + drop)
        pen.box(box, self.w * 0.085 - inset)

    def sign(self, draw: shapes.Sign, x: float, y: float, r: float, colour: RGB) -> None:
        px, py = self.xy(x, y)
        self.art.fill(colour, lambda p: draw(p, px, py, r * self.w))

    def write(
        self, text: str, x: float, y: float, size: float, colour: RGB, font: str = INDEX, wide: float = 9
    ) -> float:
        """Write centred here; `size` and `wide` (the maximum width) are shares of the card's width."""
        pixels = max(5, round(size * self.w))
        word = ink(text, pixels, font)
        while word.width > wide * self.w and pixels > 6:
            pixels -= 1
            word = ink(text, pixels, font)
        px, py = self.xy(x, y)
        mask = Image.new("L", self.art.image.size)
        mask.paste(word.mask, (round(px - word.mask.width / 2), round(py + word.cap / 2) - word.ascent))
        self.art.stencil(colour, mask)
        return word.width / self.w


def _strip(draw: _Drawing, ways: tuple[tuple[Item, ...], ...]) -> None:
    """Draw the dark strip at the card's foot: signs and values, fine lines between the ways to play it."""
    x0, y0 = draw.xy(0.04, 0.757)
    x1, y1 = draw.xy(0.96, 0.975)
    draw.art.fill(INK, lambda p: p.box((x0, y0, x1, y1), 0.055 * draw.w))
    # Words need more room than signs, long words most.
    rooms = [[1.08 if callable(item) else 0.72 + 0.3 * len(item) for item in way] for way in ways]
    left, whole = 0.065, 0.87 / sum(map(sum, rooms))
    for number, (way, wide) in enumerate(zip(ways, rooms, strict=True)):
        if number:
            line = [draw.xy(left, 0.795), draw.xy(left, 0.937)]
            draw.art.fill(mix(INK, PAPER, 0.55), partial(Pen.line, points=line, width=max(1.0, 0.014 * draw.w)))
        for item, room in zip(way, wide, strict=True):
            middle = left + room * whole / 2
            if callable(item):
                # Beside two numbers, a sign keeps off the rim and the line behind it.
                draw.sign(item, middle, 0.866, min(0.165 if item in _FLAT else 0.138, 0.39 * room * whole), _GOLD)
            else:
                draw.write(item, middle, 0.866, 0.29, PAPER, wide=room * whole - 0.03)
            left += room * whole


# -- standard cards


def _suited(draw: _Drawing, data: Card, kind: str, foot: bool, large: float) -> None:
    colour = RED_SUIT if kind in ("heart", "diamond") else BLACK_SUIT
    if data.motif is Motif.JOKER:
        _joker(draw)
        return
    # A picture leaves no room for larger figures.
    _index(draw, data.id, colour, large if data.motif in (Motif.PIPS, Motif.SUIT) else 1.0)
    if data.motif in (Motif.CROWN, Motif.TIARA, Motif.SWAP):
        # Where the next card of the pile leaves it to be seen.
        draw.sign(partial(_suit, kind=kind), 0.16, 0.42, 0.095, colour)
    if data.motif in (Motif.PIPS, Motif.SUIT):
        y, radius = (0.55, 0.25) if foot else (0.63, 0.34) if large == 1 else (0.7, 0.34)
        draw.sign(partial(_suit, kind=kind), _MIDDLE, y, radius, colour)
    elif any(way[0] is shapes.sweep for way in strip(data)):
        draw.sign(shapes.sweep, _MIDDLE + 0.07, 0.545, 0.25, colour)
    elif data.motif is Motif.CROWN:
        _golden(draw, shapes.crown, (0.06, 0.56), 0.26, colour)
    elif data.motif is Motif.TIARA:
        _golden(draw, _tiara, (0.06, 0.57), 0.26, colour)
    elif data.motif is Motif.SWAP:
        draw.sign(shapes.swap_one, _MIDDLE + 0.03, 0.51, 0.29, colour)
        _golden(draw, partial(shapes.swap_one, turn=180.0), (0.03, 0.51), 0.29, colour)


def _index(draw: _Drawing, text: str, colour: RGB, large: float = 1.0) -> None:
    """Write a card's id large in its upper left."""
    size, wide = 0.54 * large, 0.62 * large
    word = min(ink(text, max(5, round(size * draw.w)), INDEX).width / draw.w, wide)
    draw.write(text, 0.075 + word / 2, 0.05 + 0.14 * large, size, colour, wide=wide)


def _golden(draw: _Drawing, sign: shapes.Sign, spot: Point, radius: float, colour: RGB) -> None:
    """Draw a sign in gold with an edge in the suit's colour, so far right of the middle and down."""
    pen = Pen(draw.art.width, draw.art.height, draw.art.scale)
    sign(pen, *draw.xy(_MIDDLE + spot[0], spot[1]), radius * draw.w)
    mask = pen.take()
    draw.art.stencil(colour, mask.filter(ImageFilter.MaxFilter(2 * max(1, round(0.017 * draw.w)) + 1)))
    draw.art.stencil(_GOLD, mask)


def _suit(pen: Pen, x: float, y: float, radius: float, kind: str, turn: float = 0.0) -> None:
    shapes.suit(pen, kind, x, y, radius, turn)


_MIDDLE = 0.56
"""Where the large suit or crown lies: a little to the right, as the index is to the left."""


def _tiara(pen: Pen, x: float, y: float, radius: float) -> None:
    """Draw a queen's crown: rounder, with five points."""
    points = [(-0.8, 0.6), (-1.0, -0.3), (-0.55, 0.05), (-0.5, -0.62), (-0.16, -0.1), (0.0, -0.85)]
    points += [(-px, py) for px, py in reversed(points[:-1])]
    pen.polygon(shapes.at(points, x, y, radius), radius * 0.05)
    for px, py in ((-1.0, -0.36), (-0.5, -0.7), (0.0, -0.93), (0.5, -0.7), (1.0, -0.36)):
        pen.disc(x + px * radius, y + py * radius, radius * 0.11)


def _joker(draw: _Drawing) -> None:
    _index(draw, "X", rgb("#6b3fa0"))
    px, py = draw.xy(_MIDDLE, 0.58)
    radius = 0.28 * draw.w
    pen = Pen(draw.art.width, draw.art.height, draw.art.scale)
    shapes.jester(pen, px, py, radius)
    mask = pen.take()
    draw.art.stencil(rgb("#6b3fa0"), mask)
    half = Image.new("L", mask.size)
    half.paste(mask.crop((round(px), 0, mask.width, mask.height)), (round(px), 0))
    draw.art.stencil(SEATS[4], half)
    draw.art.fill(SEATS[1], lambda p: p.discs(shapes.at(shapes.BELLS, px, py, radius), radius * 0.27))


# -- Royal cards


def _royal(draw: _Drawing, data: Card, tagged: bool, foot: bool, covered: bool) -> None:
    inset = draw.w * 0.06

    def panel(pen: Pen, extra: float = 0.0) -> None:
        i = inset + extra
        box = (draw.left + i, draw.top + i, draw.left + draw.w - i, draw.top + draw.h - i)
        pen.box(box, draw.w * 0.055)

    art = draw.art
    if data.colour is Colour.RED_GREEN:
        _hatched(draw, Colour.GREEN, panel)
        right, bottom = draw.left + draw.w, draw.top + draw.h

        def half(pen: Pen) -> None:
            panel(pen)
            pen.polygon([(right, draw.top), (right, bottom), (draw.left, bottom)], on=0)

        _hatched(draw, Colour.RED, half)
        # In grey, both halves are alike.
        seam, d = Pen(art.width, art.height, art.scale), draw.w * 0.015
        panel(seam)
        seam.polygon([(right, draw.top + d), (right, bottom + d), (draw.left, bottom + d)], on=0)
        seam.polygon([(right, draw.top - d), (draw.left, draw.top - d), (draw.left, bottom - d)], on=0)
        art.stencil(PAPER, seam.take(), 0.7)
    else:
        _hatched(draw, data.colour, panel)
    ring = Pen(art.width, art.height, art.scale)
    panel(ring, draw.w * 0.03)
    hole = Pen(art.width, art.height, art.scale)
    panel(hole, draw.w * 0.042)
    ring.mask.paste(0, (0, 0), hole.mask)
    art.stencil(PAPER, ring.take(), 0.5)
    picture = _picture(data)
    short = data.id.replace("-", "–")

    if picture is not None:
        draw.sign(picture, 0.245, 0.185, 0.115, PAPER)
    else:
        size, wide = (0.31, 0.38) if len(short) < 3 else (0.24, 0.44)
        word = min(ink(short, max(5, round(size * draw.w)), INDEX).width / draw.w, wide)
        draw.write(short, 0.125 + word / 2, 0.18, size, PAPER, wide=wide)
    if covered:
        # Half of a number would be another number.
        return
    if data.barred:
        _barred_crown(draw, 0.725, 0.19)
    middle = 0.58 if not (foot or tagged) else 0.515
    if picture is not None:
        draw.sign(picture, 0.5, middle, 0.28, PAPER)
    elif data.copies:
        for y in (middle - 0.05, middle + 0.05):
            x0, y0 = draw.xy(0.27, y)
            x1, _ = draw.xy(0.73, y)
            art.fill(PAPER, partial(Pen.line, points=[(x0, y0), (x1, y0)], width=draw.w * 0.09))
    else:
        draw.write(short, 0.5, middle, 0.68 if len(short) < 3 else 0.5, PAPER, wide=0.7)


def tones(colour: Colour) -> tuple[RGB, RGB]:
    """Return a colour of Royal cards, and that of the fine lines on it."""
    return _COLOURS[colour], mix(_COLOURS[colour], INK, 0.3)


def _hatched(draw: _Drawing, colour: Colour, shape: Callable[[Pen], None]) -> None:
    """Fill a shape with a colour and its fine lines."""
    art, (ground, line) = draw.art, tones(colour)
    across = math.radians(_HATCHES[colour])
    (x, y), (dx, dy) = draw.xy(0.5, 0.5), (draw.h * math.cos(across), draw.h * math.sin(across))
    lines = Pen(art.width, art.height, art.scale)
    for number in range(-16, 17):
        at, down = x - number * 0.08 * draw.w * math.sin(across), y + number * 0.08 * draw.w * math.cos(across)
        lines.line([(at - dx, down - dy), (at + dx, down + dy)], 0.026 * draw.w)
    art.stencil(line, ImageChops.multiply(art.fill(ground, shape), lines.take()))


_PICTURES: dict[object, shapes.Sign] = {Swap(): shapes.swap, Magnet(): shapes.magnet}


def _barred_crown(draw: _Drawing, x: float, y: float) -> None:
    """Draw a barred crown: not for the king."""
    px, py = draw.xy(x, y)
    radius = 0.14 * draw.w
    art = draw.art
    line = [(px - radius * 1.0, py + radius * 0.95), (px + radius * 1.0, py - radius * 0.95)]
    pen = Pen(art.width, art.height, art.scale)
    shapes.crown(pen, px, py, radius * 0.9)
    pen.line(line, radius * 0.4, 0)
    art.stencil(PAPER, pen.take())
    art.fill(_GOLD, lambda p: p.line(line, radius * 0.2))


def _picture(data: Card) -> shapes.Sign | None:
    """Return the picture of a card that has no number to show."""
    return next((sign for power, sign in _PICTURES.items() if power in data.powers), None)


def _named(draw: _Drawing, named: str | shapes.Sign) -> None:
    """Draw a tag with what a joker or copy stood for."""
    box = (*draw.xy(0.14, 0.79), *draw.xy(0.86, 0.975))
    draw.art.fill(PAPER, lambda p: p.box((box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2), draw.h * 0.1))
    draw.art.fill(INK, lambda p: p.box(box, draw.h * 0.09))
    if callable(named):
        draw.write("=", 0.34, 0.882, 0.25, PAPER)
        draw.sign(named, 0.6, 0.882, 0.1, PAPER)
    else:
        draw.write(f"= {named.replace('-', '–')}", 0.5, 0.882, 0.25, PAPER, wide=0.62)
