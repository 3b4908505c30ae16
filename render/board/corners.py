"""Contents of a corner beside the kennel: wells, name, progress, cards in hand, partner, and the seat's status.

The whole corner of a seat that is to move glows; that can be seen at 300 pixels and without colours, where a brighter
name could not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from render.board import sprites
from render.board.geometry import Layout
from render.board.kennels import Corner
from render.drawing import shapes
from render.drawing.art import Art, Box, Canvas, Pen, Point, Sprite, cached, grow
from render.drawing.colour import RGB, contrast, fade, mix, readable, shade
from render.drawing.text import ELLIPSIS, Ink, clean, drop_emoji, fit, ink, width_of, write
from render.themes import BROWN, INK, MARKS, PAPER, Theme, snap

PARTS = 48
"""The number of parts of the progress bar."""


@dataclass(frozen=True)
class SeatStatus:
    """A seat's status, as its corner shows it.

    `strength`: how strong a computer player is, 1 to 3, as its face shows. `gone`: how many parts of its bar are
    filled.
    """

    name: str
    cards: int | None = None
    active: bool = False
    out: bool = False
    finished: bool = False
    winner: bool = False
    computer: bool = False
    strength: int = shapes.USUAL
    partners: tuple[int, ...] = ()
    out_label: str = ""
    free: bool = False
    gone: int | None = None

    @property
    def lit(self) -> bool:
        """True while its corner glows."""
        return self.active or self.winner


def draw_kennel(canvas: Canvas, layout: Layout, theme: Theme, side: int, status: SeatStatus) -> None:
    """Draw a side's kennel without pieces, on its glowing panel while the seat is to move."""
    corner = layout.corners[side]
    k = layout.size / 1024
    if status.free:
        return
    if status.lit:
        lit_panel(theme, corner, side, k).onto(canvas, *_middle(corner.panel[0]))
    kennel(theme, corner, side, status, k).onto(canvas, *corner.middle)


def draw(canvas: Canvas, layout: Layout, theme: Theme, side: int, status: SeatStatus) -> None:
    """Draw the ground of a side's name and its partner; the kennel lies lower, see `draw_kennel`."""
    corner = layout.corners[side]
    k = layout.size / 1024
    if status.free:
        left, top, right, bottom = free_frame(corner)
        # All free seats say the same where something fits the narrowest.
        room = min(other.pill[2] - other.pill[0] for other in layout.corners)
        seat(theme, side, status.name, right - left, bottom - top, room, k).onto(
            canvas, *_middle((left, top, right, bottom))
        )
    else:
        pill(theme, side, status, corner, k).onto(canvas, *_middle(corner.pill))
    if status.partners:
        badges = partner_badges(theme, side, status.partners, corner.badge_radius, status.out)
        (x, y), first = corner.badge, partner_badges(theme, side, status.partners[:1], corner.badge_radius)
        # Several reach towards the cards.
        more = (badges.mask.width - first.mask.width) / 2
        badges.onto(canvas, x + math.copysign(more, corner.cards[0] - x), y)


def free_frame(corner: Corner) -> Box:
    """Return the box of a free seat's frame: at the picture's edge, where a kennel beside it would be."""
    (left, top, right, bottom), (begin, _, end, _) = corner.pill, corner.kennels[0]
    shift = end - right if begin >= right else min(0.0, begin - left) if end <= left else 0.0
    return left + shift, top, right + shift, bottom


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def panel_colours(theme: Theme, side: int) -> tuple[RGB, RGB]:
    """Return the ground of a glowing corner and its border."""
    return theme.lit_ground(side), theme.lit(side)


def panel_radius(corner: Corner) -> float:
    """Return the corner radius of a glowing panel, in pixels of a 1024 px picture."""
    return 30.0 if len(corner.panel) == 1 else 26.0


def lit_panel(theme: Theme, corner: Corner, side: int, k: float) -> Sprite:
    """Return the ground of a glowing corner; its middle is that of the panel's first box."""
    panel = _shift(corner.panel, _middle(corner.panel[0]))
    return _lit_panel(theme, side, panel, panel_radius(corner), corner.light, k)


def _shift(boxes: Iterable[Box], middle: Point) -> tuple[Box, ...]:
    """Return the boxes as seen from a point; the same for all corners that look alike."""
    x, y = middle
    return tuple((a - x, b - y, c - x, d - y) for a, b, c, d in boxes)


@cached(k=3)
def _lit_panel(theme: Theme, side: int, panel: tuple[Box, ...], radius: float, light: float, k: float) -> Sprite:
    reach = light + 1
    left, right, rise = (
        max(edges) + reach for edges in ([-b[0] for b in panel], [b[2] for b in panel], [b[3] for b in panel])
    )
    art = Art(left + right, 2 * rise, 4)
    cx, cy = round(left), round(rise)
    boxes = _shift(panel, (-cx, -cy))
    ground, edge = panel_colours(theme, side)
    glow(art, theme, side, boxes, radius * k, light)
    art.fill(edge, lambda p: p.boxes(boxes, 0, radius * k))
    art.fill(ground, lambda p: p.boxes(boxes, -5 * k, radius * k))
    return art.sprite(cx, cy)


def kennel(theme: Theme, corner: Corner, side: int, status: SeatStatus, k: float) -> Sprite:
    """Return the box with four wells."""
    x, y = corner.middle
    wells = tuple((round(wx - x, 1), round(wy - y, 1)) for wx, wy in corner.wells)
    boxes = tuple((round(a - x, 1), round(b - y, 1), round(c - x, 1), round(d - y, 1)) for a, b, c, d in corner.kennels)
    return _kennel(theme, side, status.lit, status.out, boxes, wells, corner.well, k)


def well_ground(theme: Theme, fill: RGB) -> RGB:
    """Return the ground of the wells of a kennel of this colour."""
    return snap(mix(fill, INK, 0.18 if theme.bright else 0.45))


@cached(well=1, k=3)
def _kennel(
    theme: Theme,
    side: int,
    lit: bool,
    faint: bool,
    around: Sequence[Box],
    inside: Sequence[Point],
    well: float,
    k: float,
) -> Sprite:
    """Return boxes with wells of this radius at `inside`, relative to the middle."""
    reach_x = max(box[2] for box in around) + 3 * k
    reach_y = max(box[3] for box in around) + 3 * k
    art = Art(2 * reach_x + 2, 2 * reach_y + 2, 6)
    cx, cy = art.width // 2, art.height // 2
    edge = theme.outline_colour(side, theme.edge(side))
    bright = theme.lit(side) if lit else mix(edge, theme.table, 0.6 if faint else 0.1)
    fill = fade(theme.tint(side), theme.table, 0.86) if faint else theme.well(side, lit)
    boxes = [(cx + a, cy + b, cx + c, cy + d) for a, b, c, d in around]
    radius = min(18 * k if len(boxes) == 1 else 99, (boxes[0][3] - boxes[0][1]) / 2)
    # A glowing panel is frame enough, and two narrow boxes have its ground, too.
    if not lit:
        art.fill(bright, lambda p: p.boxes(boxes, 0, radius))
    if len(boxes) == 1 or not lit:
        art.fill(fill, lambda p: p.boxes(boxes, 0 if lit else -2.5 * k, radius))
    ground, ring = well_ground(theme, fill), mix(bright, fill, 0.35)
    wells = [(cx + x, cy + y) for x, y in inside]
    art.fill(ring, lambda p: p.discs(wells, well))
    art.fill(ground, lambda p: p.discs(wells, well - 1.8 * k))
    return art.sprite()


def pill(theme: Theme, side: int, status: SeatStatus, corner: Corner, k: float) -> Sprite:
    """Return the ground of a name in the seat's colour, with its mark and the signs for its turn and for a computer.

    The name itself is written on it by `draw_name`: with many tables, no two are the same.
    """
    bare = replace(status, name=status.name and " ", cards=None, partners=(), gone=None, out_label="")
    left, top, right, bottom = corner.pill
    return _pill(theme, side, bare, form(corner, status), right - left, bottom - top, k)


@lru_cache(maxsize=256)
def pill_colours(theme: Theme, side: int, lit: bool, out: bool) -> tuple[RGB, RGB]:
    """Return the ground and the writing of a name: the seat's colour if it is to move, subdued otherwise."""
    if lit:
        return theme.loud(side), readable(theme.loud(side), INK, PAPER)
    for share in (0.8, 0.88) if out else (theme.pale(side), 0.7, 0.8):
        ground = fade(theme.tint(side), theme.table, share)
        if contrast(ground, theme.text) >= 4.6:
            break
    return ground, theme.text


def _signs(status: SeatStatus) -> list[shapes.Sign]:
    """Return the signs after the name, from left to right; the last says most."""
    signs: list[shapes.Sign] = []
    if status.computer:
        signs.append(shapes.ROBOTS[status.strength])
    if status.winner:
        signs.append(shapes.crown)
    elif status.finished:
        signs.append(shapes.check)
    if status.active:
        signs.append(shapes.pointer)
    return signs


def form(corner: Corner, status: SeatStatus) -> int:
    """Return the index in `_FORMS` for a name and its signs: the first that leaves all of the name room.

    A name of blanks alone stands for a form: one blank for the first, two for the second, and so on.
    """
    if status.name.isspace():
        return len(status.name) - 1
    name, signs, least = clean(status.name), _signs(status), round(_LEAST * corner.letters)
    rooms = [_room(corner, number, len(signs)) for number in range(len(_FORMS))]
    # Without signs, the third form costs nothing, and has room for larger letters.
    sizes = (round(corner.letters), least if signs else round(_SMALLER * corner.letters), least, least)
    for number, (size, room) in enumerate(zip(sizes[: 4 if status.active else 3], rooms, strict=False)):
        if width_of(name, size) <= room:
            return number
    return 2 if not signs or len(fit(name, rooms[2], least, least)[0]) > _FEWEST else 3


_SMALLER, _LEAST, _FEWEST = 0.88, 0.75, 3
"""The height of smaller letters of a name and of the smallest, as shares of the usual, and how many must remain."""
_FORMS = (
    (0.26, 0.235, 0.15, 0.62, 0.27),
    (0.2, 0.2, 0.13, 0.56, 0.22),
    (0.15, 0.18, 0.09, 0.56, 0.22),
    (0.12, 0.16, 0.13, 0.0, 0.0),
)
"""From the ground's end to the mark, the mark's radius, from the mark to the name, room for a sign, and its radius: in
heights. The third form is close and has only the sign that says most, the last has none."""


def _room(corner: Corner, number: int, signs: int) -> float:
    """Return the room for a name in this form beside its mark and so many signs."""
    left, top, right, bottom = corner.pill
    pad, mark, gap, step, _ = _FORMS[number]
    behind = pad + (signs if number < 2 else 1) * step if signs and number < 3 else _END
    return right - left - (pad + 2 * mark + gap + behind) * (bottom - top)


_ALONE = 0.32
"""The radius of the mark in the middle of a ground without a name, in its heights."""
_END = 0.3
"""From a name without signs to the ground's other end, which is round, in heights."""


Written = tuple[Ink, float, float, float]
"""A name as written, where it begins, its vertical middle, and how far it may extend up and down from there."""


def draw_name(canvas: Canvas, theme: Theme, side: int, status: SeatStatus, name: Written) -> None:
    """Write a name that `name_of` has laid out on its ground."""
    _, colour = pill_colours(theme, side, status.lit, status.out)
    word, x, y, room = name
    write(canvas, word, colour, x, y, room)


def name_of(layout: Layout, side: int, status: SeatStatus) -> Written:
    """Lay out a side's name in letters that fit its ground."""
    corner = layout.corners[side]
    left, top, _, bottom = corner.pill
    height, number = bottom - top, form(corner, status)
    pad, mark, gap, _, _ = _FORMS[number]
    room = _room(corner, number, len(_signs(status)))
    name, pixels = fit(status.name, room, round(corner.letters), round(_LEAST * corner.letters))
    if name.endswith(ELLIPSIS):
        name, pixels = fit(drop_emoji(status.name), room, round(corner.letters), pixels)
        # What remains may have room to be larger.
        name, pixels = fit(name, room, round(corner.letters), pixels)
    word, reach = ink(name, pixels), _TALL * height
    if (box := word.mask.getbbox()) and box[3] - box[1] > 2 * reach:
        # Arabic and other scripts reach higher and deeper than Latin.
        word = ink(name, max(round(_LEAST * pixels), int(pixels * 2 * reach / (box[3] - box[1]))))
    return word, left + (pad + 2 * mark + gap) * height, (top + bottom) / 2, reach


_TALL = 0.46
"""Reach of a name up and down from the middle of its ground, in heights of the ground."""


@cached(whole=1, height=1, k=3)
def _pill(theme: Theme, side: int, status: SeatStatus, number: int, whole: float, height: float, k: float) -> Sprite:
    lit = status.lit
    ground, colour = pill_colours(theme, side, lit, status.out)
    pad, mark, _, step, large = (part * height for part in _FORMS[number])
    if not status.name:
        mark = _ALONE * height
    art = Art(whole + 4, height + 4, 6)
    cx, cy = art.width / 2, art.height / 2
    box = (cx - whole / 2, cy - height / 2, cx + whole / 2, cy + height / 2)
    # On a bright table, a pale ground would have no end in grey.
    rim, edge = (theme.edge(side), 2 * k) if theme.bright else (ground, 0.0)
    if lit:
        rim, edge = theme.pill_rim, 3.6 * k
    art.fill(rim, lambda p: p.box(box, height / 2))
    art.fill(ground, lambda p: p.box(grow(box, -edge), height / 2 - edge))
    first, signs = box[0] + pad + mark if status.name else cx, _signs(status)
    sign_colour = colour if lit else mark_colour(theme, side, ground)
    art.fill(sign_colour, partial(shapes.mark, kind=MARKS[side], x=first, y=cy, radius=mark))
    at = box[2] - pad - 0.2 * height
    shown = (signs, signs, signs[-1:], [])[number]
    for sign in reversed(shown):
        # A crown is broad: beside another sign it is smaller.
        radius = large * (0.86 if sign is shapes.crown and len(shown) > 1 else 1.0)
        art.fill(colour, partial(_at, sign=sign, x=at, y=cy, radius=radius))
        at -= step
    return art.sprite()


def invitation(words: str) -> str:
    """Return the lines on a free seat: each way to say it, the longest first."""
    return "\n".join(f"+ {line}" for line in words.split("\n"))


@cached(width=1, height=1, room=1, k=3)
def seat(theme: Theme, side: int, name: str, width: float, height: float, room: float, k: float) -> Sprite:
    """Return a dashed frame with the side's mark and the first line of its name that fits, or only the plus sign.

    `room`: the width of the narrowest such frame: a line that fits it goes before a line that fits only this frame.
    """
    art = Art(width + 4, height + 4, 6)
    cx, cy = art.width / 2, art.height / 2
    box = (cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2)
    colour = dash_colour(theme, side, theme.table)
    art.fill(colour, lambda p: _dashed(p, box, min(30 * k, height / 2), 4 * k))
    letters = min(40 * k, 0.72 * height)
    mark = 0.45 * letters
    tried = (
        fit(line, most - 28 * k - 2.6 * mark, round(letters), round(24 * k))
        for most in (room, width)
        for line in name.split("\n")
    )
    whole = (line for line in tried if not line[0].endswith(ELLIPSIS))
    said, size = next(whole, (name.partition(" ")[0], round(letters)))
    wide = ink(said, size).width
    left = cx - (2.6 * mark + wide) / 2
    art.fill(colour, lambda p: shapes.mark(p, MARKS[side], left + mark, cy, mark))
    sprites.letters(art, said, left + 2.6 * mark + wide / 2, cy, size, theme.text)
    return art.sprite()


def _dashed(pen: Pen, box: Box, radius: float, width: float) -> None:
    """Draw a line around a box with round corners, dashed where it is straight."""
    left, top, right, bottom = box
    pen.box(box, radius)
    pen.box(grow(box, -width), radius - width, 0)
    for low, high, across in ((left, right, True), (top, bottom, False)):
        straight = high - low - 2 * radius
        count = round(straight / (7 * width))
        for number in range(count):
            begin = low + radius + (number + 0.25) * straight / count
            end = begin + straight / count / 2
            pen.box((begin, top - 1, end, bottom + 1) if across else (left - 1, begin, right + 1, end), 0, 0)


def dash_colour(theme: Theme, side: int, ground: RGB) -> RGB:
    """Return the colour of thin dashes, which stand out more than a mark; so light a brown would be pink."""
    return theme.lit(side) if side == BROWN else mark_colour(theme, side, ground, 6.0)


def mark_colour(theme: Theme, side: int, ground: RGB, least: float = 3.0) -> RGB:
    """Return the colour of a mark beside a subdued name: the seat's, lightened or darkened until it can be seen."""
    towards = INK if theme.bright else PAPER
    for share in (0.0, 0.15, 0.3, 0.45, 0.6, 0.75):
        colour = fade(theme.tint(side), towards, share)
        if contrast(colour, ground) >= least:
            break
    return colour


def _at(pen: Pen, sign: shapes.Sign, x: float, y: float, radius: float) -> None:
    sign(pen, x, y, radius)


def draw_bar(canvas: Canvas, layout: Layout, theme: Theme, side: int, status: SeatStatus) -> None:
    """Draw the side's progress bar."""
    box = layout.corners[side].bar
    if status.gone is None:
        return
    bar(theme, side, status.gone, status.lit, box[2] - box[0], box[3] - box[1]).onto(canvas, *_middle(box))


def parts(gone: float) -> int:
    """Return the number of parts of the bar filled for this share of the way; even a first step shows."""
    return min(PARTS, math.ceil(gone * PARTS)) if gone > 0 else 0


@cached(width=3, height=3)
def bar(theme: Theme, side: int, full: int, lit: bool, width: float, height: float) -> Sprite:
    """Return a progress bar filled to this many of `PARTS`."""
    art = Art(width, height, 6)
    ground = theme.lit_ground(side) if lit else theme.table
    back, radius = mix(ground, theme.seat(side), 0.34), min(width, height) / 2
    art.fill(back, lambda p: p.box((0, 0, width, height), radius))
    if full:
        end = max(2 * radius, max(width, height) * full / PARTS)
        way = (0, 0, end, height) if width > height else (0, 0, width, end)
        colour = theme.lit(side) if lit else mark_colour(theme, side, back)
        art.fill(colour, lambda p: p.box(way, radius))
    return art.sprite()


@cached(width=1, height=1)
def card_back(theme: Theme, side: int, width: float, height: float, dim: bool = False) -> Sprite:
    """Return the back of a small card, with its holder's mark."""
    unit = width / 38
    art = Art(width + 6 * unit, height + 6 * unit)
    cx, cy = art.width / 2, art.height / 2
    seat = theme.seat(side)
    box = (cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2)
    art.fill((0, 0, 0), lambda p: p.box(grow(box, 0.8 * unit), 6.5 * unit), theme.shadow * 0.8, 1.6 * unit)
    art.fill(theme.rim, lambda p: p.box(box, 6 * unit))
    if theme.bright:
        art.fill(theme.edge(side), lambda p: p.box(box, 6 * unit))
        art.fill(theme.rim, lambda p: p.box(grow(box, -1.4 * unit), 5 * unit))
    art.fill(shade(seat, -0.06), lambda p: p.box(grow(box, -3.2 * unit), 3.6 * unit))
    art.fill(theme.mark(side), lambda p: shapes.mark(p, MARKS[side], cx, cy, 0.24 * width))
    return art.sprite(opacity=0.4 if dim else 1.0)


def draw_cards(canvas: Canvas, layout: Layout, theme: Theme, side: int, status: SeatStatus) -> None:
    """Draw the backs of the cards in a side's hand, or a word if it is out this round or the seat is free."""
    corner, k = layout.corners[side], layout.size / 1024
    if status.out:
        if not status.out_label:
            return
        shown = label(theme, side, status.out_label, corner.back, corner.card_room, k)
    elif status.cards:
        (x, y), room = corner.cards, corner.card_room / 2
        inside = any(a < x - corner.align * room < c and b < y < d for a, b, c, d in corner.panel)
        plain = status.active and inside
        shown = fan(theme, side, status.cards, corner.back, corner.card_room, corner.counted, plain)
    else:
        return
    x, y = corner.cards
    shown.onto(canvas, x - corner.align * shown.mask.width / 2, y)


@cached(room=3)
def fan(
    theme: Theme, side: int, count: int, size: tuple[float, float], room: float, counted: bool, plain: bool
) -> Sprite:
    """Return this many cards face down, overlapping; a card and a number if there are too many or too little room.

    `plain`: the number needs no ground, since it lies on a panel that glows.
    """
    width, height = size
    back = card_back(theme, side, width, height)
    step = min(0.79 * width, (room - width) / max(1, count - 1))
    if not counted and step >= 0.45 * width:
        art = Art((count - 1) * step + back.mask.width, back.mask.height)
        for i in range(count):
            art.paste(back, back.mask.width / 2 + i * step, art.height / 2)
        return art.sprite()
    k = height / 30
    text, pixels = fit(str(count), room - back.mask.width - 6 * k, round(31 * k), round(8 * k))
    wide = ink(text, pixels).width + 6 * k
    art = Art(wide + back.mask.width + 4 * k, back.mask.height)
    # Between two arms, a number alone would look like a space's.
    if not plain:
        plate = (0, 0, art.width, art.height)
        art.fill(pill_colours(theme, side, False, False)[0], lambda p: p.box(plate, 7 * k))
    sprites.letters(art, text, wide / 2 + 2 * k, art.height / 2, pixels, theme.text)
    art.paste(back, art.width - back.mask.width / 2, art.height / 2)
    return art.sprite()


@cached(room=0, k=3)
def label(theme: Theme, side: int, text: str, size: tuple[float, float], room: float, k: float) -> Sprite:
    """Return a word such as "out" in an unobtrusive frame; a struck out card where it would be too small to read."""
    pad, height, letters = (13 * k, 32 * k, 25 * k) if room < 99 * k else (32 * k, 50 * k, 34 * k)
    words, pixels = fit(text, room - pad, round(letters), round(24 * k))
    if words != clean(text):
        width, height = 1.25 * size[0], 1.25 * size[1]
        art = Art.over(card_back(theme, side, width, height, dim=True))
        x, y = art.width / 2, art.height / 2
        line = [(x - 0.45 * width, y + 0.42 * height), (x + 0.45 * width, y - 0.42 * height)]
        art.fill(theme.table, lambda p: p.line(line, 0.4 * width))
        art.fill(theme.text, lambda p: p.line(line, 0.2 * width))
        return art.sprite()
    art = Art(ink(words, pixels).width + pad, height)
    box = (1.0, 2 * k, art.width - 1.0, art.height - 2 * k)
    art.fill(theme.quiet, lambda p: p.box(box, 18 * k))
    art.fill(mix(theme.table, theme.quiet, 0.12), lambda p: p.box(grow(box, -2 * k), 16 * k))
    sprites.letters(art, words, art.width / 2, art.height / 2, pixels, theme.text)
    return art.sprite()


@cached(radius=2)
def partner_badges(theme: Theme, side: int, partners: Sequence[int], radius: float, dim: bool = False) -> Sprite:
    """Return partners' marks in a row, on square tags, since pieces are round; several are smaller."""
    radius *= (1.0, 0.8, 0.66)[len(partners) - 1]
    k, step = radius / 20, 1.6 * radius
    art = Art(math.ceil(radius * 2 + 8 * k + step * (len(partners) - 1)), math.ceil(radius * 2 + 8 * k))
    y = art.height / 2
    for number, partner in enumerate(partners):
        x = art.width / 2 + (number - (len(partners) - 1) / 2) * step
        for colour, size in (
            (theme.edge(side), radius + 3 * k),
            (theme.table, radius + 0.5 * k),
            (theme.seat(partner), radius - 2.5 * k),
        ):
            half = 0.86 * size
            art.fill(colour, partial(Pen.box, box=(x - half, y - half, x + half, y + half), radius=0.4 * size))
        art.fill(theme.mark(partner), partial(shapes.mark, kind=MARKS[partner], x=x, y=y, radius=10.5 * k))
    return art.sprite(opacity=0.5 if dim else 1.0)


STEPS = 7


def glow_steps(theme: Theme, side: int) -> tuple[RGB, ...]:
    """Return the colours of the glow around a seat's corner, from the outermost to the innermost."""
    return tuple(snap(mix(theme.table, theme.lit(side), 0.62 * ((i + 1) / STEPS) ** 1.7)) for i in range(STEPS))


def glow(art: Art, theme: Theme, side: int, boxes: Sequence[Box], radius: float, reach: float) -> None:
    """Draw the glow around boxes with round corners, this many pixels wide."""
    for index, colour in enumerate(glow_steps(theme, side)):
        out = reach * (1 - index / STEPS)
        art.fill(colour, partial(Pen.boxes, boxes=boxes, grow=out, radius=radius))
