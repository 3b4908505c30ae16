"""Where a side's kennel, name, bar, cards and partner lie: one form for four sides, two each for six and eight."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from engine import Board
from render.drawing.art import Box, Point, grow

WELL = 0.46
"""Radius of a place in a kennel, in pitches."""


@dataclass(frozen=True)
class Corner:
    """A side's corner region: kennel, name, progress, cards and partner."""

    panel: tuple[Box, ...]
    """All of this corner, and the part that glows while the seat is to move: one box, or two where arms are close."""
    kennels: tuple[Box, ...]
    """The kennel's box; two boxes where there is no room for one."""
    wells: tuple[Point, ...]
    well: float
    """Radius of a well."""
    pill: Box
    """The ground of the name or, while the seat is free, of what invites to sit down."""
    letters: float
    """The height of the name's letters."""
    bar: Box
    """The progress bar."""
    cards: Point
    align: int
    """Which end of the cards is at their point: -1 the left, 1 the right."""
    back: tuple[float, float]
    """Width and height of a card's back."""
    card_room: float
    """The width of the hand."""
    counted: bool
    """True if the hand is shown as one card and a number for lack of room."""
    badge: Point
    badge_radius: float
    light: float
    """Reach of the glow around the panel; it ends before the band of the track."""

    def is_near(self, points: Iterable[Point]) -> bool:
        """Return True if any of the points is near the kennel, the name or the cards."""
        left, top, right, bottom = self.region
        return any(left < x < right and top < y < bottom for x, y in points)

    @cached_property
    def region(self) -> Box:
        """A box around all of this corner, with its glow."""
        boxes = [grow(box, self.light + 1) for box in self.panel]
        if len(boxes) > 1:
            edge, (x, y) = self.badge_radius * 1.3, self.badge
            boxes += [grow(self.hand, 3), (x - 1.6 * edge, y - edge, x + 1.6 * edge, y + edge)]
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)

    @property
    def hand(self) -> Box:
        """The room for the cards."""
        (x, y), half = self.cards, self.back[1] / 2
        far = x - self.align * self.card_room
        return min(x, far), y - half, max(x, far), y + half

    @property
    def middle(self) -> Point:
        """The middle of the kennel."""
        left, top = min(box[0] for box in self.kennels), min(box[1] for box in self.kennels)
        right, bottom = max(box[2] for box in self.kennels), max(box[3] for box in self.kennels)
        return (left + right) / 2, (top + bottom) / 2


def corners_of(board: Board, size: int, turned: int, pitch: float, cards: bool) -> tuple[Corner, ...]:
    """Return each side's corner region on a picture of so many pixels, with the side `turned` at the bottom.

    Without `cards`, kennels and names close up.

    The well farthest from the middle is filled first: the next piece to leave has none in its way, and a piece that is
    sent home has the shortest way.
    """
    k, well = size / 1024, pitch * WELL
    found = []
    for side in range(board.sides):
        spot, lay = _SPOTS[board.sides][(side - turned) % board.sides]
        left = ("L" in spot) is not board.clockwise
        corner = _mirror(lay(size, k, well, cards), size, left, "T" in spot)
        wells = sorted(corner.wells, key=lambda spot: -round(math.dist(spot, (size / 2, size / 2))))
        found.append(replace(corner, wells=tuple(wells)))
    return tuple(found)


def _wide(size: int, k: float, well: float, cards: bool) -> Corner:
    """Lay out four sides: kennel, cards, progress and name in one column, the kennel nearest to the track."""
    left, right, bottom = size - 272 * k, size - 16 * k, size - 28 * k
    row, hand = bottom - (184 if cards else 126) * k, bottom - 113 * k
    step = (right - left - 2 * well - 18 * k) / 3
    return Corner(
        panel=((left - 8 * k, row - 44 * k, right + 8 * k, bottom + 8 * k),),
        kennels=((left, row - 36 * k, right, row + 36 * k),),
        wells=tuple((left + 9 * k + well + step * i, row) for i in range(4)),
        well=well,
        pill=(left, bottom - 58 * k, right, bottom),
        letters=38 * k,
        bar=(left, bottom - 78 * k, right, bottom - 68 * k),
        cards=(right, hand),
        align=1,
        back=(38 * k, 53 * k),
        card_room=right - left - 58 * k,
        counted=False,
        badge=(left + 24 * k, hand),
        badge_radius=20 * k,
        light=7 * k,
    )


def _slim(size: int, k: float, well: float, cards: bool) -> Corner:
    """Lay out six sides, in the corners: name and cards beside the kennel."""
    gap = 2 * well + 7 * k
    reach = gap / 2 + well + 9 * k
    x = size - 14 * k - reach
    low, high, name = x - reach - 9 * k, x + reach + 9 * k, x - reach - 12 * k
    return Corner(
        panel=((low, low, high, high), (name - 198 * k, low if cards else x - 21 * k, high, high)),
        kennels=((x - reach, x - reach, x + reach, x + reach),),
        wells=tuple((x + dx * gap / 2, x + dy * gap / 2) for dy in (-1, 1) for dx in (-1, 1)),
        well=well,
        pill=(name - 188 * k, x + 8 * k, name, x + reach),
        letters=33 * k,
        bar=(name - 188 * k, x - 4 * k, name, x + 2 * k),
        cards=(name, x - 32 * k),
        align=1,
        back=(27 * k, 38 * k),
        card_room=150 * k,
        counted=False,
        badge=(name - 173 * k, x - 32 * k),
        badge_radius=16 * k,
        light=7 * k,
    )


def _middle(size: int, k: float, well: float, cards: bool) -> Corner:
    """Lay out six sides, between two arms at the left and right: a wedge with room for a name only in its middle."""
    # A little smaller than elsewhere, so that two of them do not touch.
    well *= 0.95
    gap = 2 * well + 4 * k
    y = size / 2
    right = size - 8 * k
    x, rise = right - 3 * k - well - gap / 2, 34 * k + well
    reach = well + 3 * k
    inner = right - gap - 2 * well - 6 * k
    return Corner(
        panel=(
            (inner - 4 * k, y - rise - reach - 4 * k, right + 4 * k, y + rise + reach + 4 * k),
            (right - 162 * k, y - 32 * k, right + 4 * k, y + 27 * k),
        ),
        kennels=tuple((inner, y + s * rise - reach, right, y + s * rise + reach) for s in (-1, 1)),
        wells=tuple((x + dx * gap / 2, y + dy * rise) for dy in (1, -1) for dx in (-1, 1)),
        well=well,
        pill=(right - 157 * k, y - 28 * k, right, y + 15 * k),
        letters=33 * k,
        bar=(right - 140 * k, y + 17.5 * k, right - 8 * k, y + 22.5 * k),
        cards=(right - 165 * k, y - 3 * k),
        align=1,
        back=(21 * k, 29 * k),
        card_room=54 * k,
        counted=True,
        # As large as fits between the panel and the band of the track, touching neither.
        badge=(inner - 23 * k, y + 46 * k),
        badge_radius=13.5 * k,
        light=3 * k,
    )


def _below(size: int, k: float, well: float, cards: bool) -> Corner:
    """Lay out eight sides, at the lower edge, right of the lowest arm: cards beside the kennel, name below."""
    left, right, bottom = size - 408 * k, size - 205 * k, size - 10 * k
    pad, step = well + 5 * k, 2 * well + 4 * k
    x, y = left + pad, bottom - 62 * k - pad
    return Corner(
        panel=(
            (left - 6 * k, y - step - pad - 6 * k, x + step + pad + 6 * k, bottom + 6 * k),
            (left - 6 * k, bottom - (100 if cards else 69) * k, right + 6 * k, bottom + 6 * k),
        ),
        kennels=((left, y - step - pad, x + step + pad, y + pad),),
        wells=tuple((x + dx * step, y + dy * step) for dy in (-1, 0) for dx in (0, 1)),
        well=well,
        pill=(left, bottom - 50 * k, right, bottom),
        letters=36 * k,
        bar=(left, bottom - 59 * k, right - (0 if cards else 14) * k, bottom - 53 * k),
        cards=(right - 5 * k, bottom - 80 * k),
        align=1,
        back=(25 * k, 34 * k),
        card_room=55 * k,
        counted=True,
        badge=(x + step + pad + 20 * k, bottom - 80 * k),
        badge_radius=14.5 * k,
        light=4 * k,
    )


def _beside(size: int, k: float, well: float, cards: bool) -> Corner:
    """Lay out eight sides, at the right edge, in the corner below the rightmost arm: kennel, cards, name."""
    left, right, bottom = size - 180 * k, size - 10 * k, size - 10 * k
    pad, step = well + 4 * k, 2 * well + 3 * k
    x, y = right + 3 * k - pad - step, bottom - (112 if cards else 62) * k - pad
    return Corner(
        panel=(
            (x - pad - 5 * k, y - step - pad - 6 * k, right + 6 * k, bottom + 6 * k),
            (left - 6 * k, bottom - (98 if cards else 69) * k, right + 6 * k, bottom + 6 * k),
        ),
        kennels=((x - pad, y - step - pad, right + 3 * k, y + pad),),
        wells=tuple((x + dx * step, y + dy * step) for dy in (-1, 0) for dx in (0, 1)),
        well=well,
        pill=(left, bottom - 50 * k, right, bottom),
        letters=36 * k,
        bar=(x - pad + 4 * k, bottom - 107 * k, right - 1 * k, bottom - 101 * k)
        if cards
        else (left + 14 * k, bottom - 59 * k, right, bottom - 53 * k),
        cards=(right - 4 * k, bottom - 75 * k),
        align=1,
        back=(29 * k, 41 * k),
        card_room=106 * k,
        counted=True,
        badge=(left + 26 * k, bottom - 75 * k),
        badge_radius=18 * k,
        light=4 * k,
    )


def _mirror(corner: Corner, size: int, left: bool, top: bool) -> Corner:
    def flip(point: Point) -> Point:
        return (size - point[0] if left else point[0]), (size - point[1] if top else point[1])

    def flip_box(box: Box) -> Box:
        (x0, y0), (x1, y1) = flip(box[:2]), flip(box[2:])
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    return replace(
        corner,
        panel=tuple(map(flip_box, corner.panel)),
        kennels=tuple(map(flip_box, corner.kennels)),
        wells=tuple(map(flip, corner.wells)),
        pill=flip_box(corner.pill),
        bar=flip_box(corner.bar),
        align=-corner.align if left else corner.align,
        cards=flip(corner.cards),
        badge=flip(corner.badge),
    )


_SPOTS = {
    4: [(spot, _wide) for spot in ("BR", "TR", "TL", "BL")],
    6: [(spot, _middle if spot[0] == "M" else _slim) for spot in ("BR", "MR", "TR", "TL", "ML", "BL")],
    8: [(spot, _below if spot[0] in "BT" else _beside) for spot in ("BR", "RB", "RT", "TR", "TL", "LT", "LB", "BL")],
}
"""By how many sides there are: where the corners lie, from the lowest side on (T, B, L, R, M), and their form."""
