"""Where everything lies on the picture: one family of rounded crosses and stars for every board.

The unit is the *pitch*, the distance between two neighbouring spaces. An arm is `width` pitches wide and its sides are
`height` long; the spaces lie at equal distances along the outline, beginning in the middle of the arms' tips. With a
span of `width + 2 * height` a space lies in every corner. Where the numbers do not come out even (a span of 15) the
notch between two arms is rounded, so that its two nearest spaces do not touch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from engine import Board
from render.errors import RenderError

Point = tuple[float, float]

SPACE = 0.40
"""Radius of a space, in pitches; the others below likewise."""
PIECE = 0.455
BAND = 0.64
"""Half the width of the band that the spaces lie on."""
LANE = 0.54
MARGIN = 0.05
"""Between the band and the edge of the picture."""

_WIDTHS = {4: 6.0, 6: 4.0}


@dataclass(frozen=True)
class Corner:
    """The corner region of a side: kennel, name and cards. Boxes are (left, top, right, bottom) in pixels."""

    kennel: tuple[float, float, float, float]
    wells: tuple[Point, ...]
    name: Point
    name_anchor: str
    """Where the name's point lies on its pill: `m` middle, `l` left end, `r` right end."""
    name_width: float
    cards: Point
    cards_anchor: str
    badge: Point
    radius: float
    """Radius of a well."""


@dataclass(frozen=True)
class Layout:
    """All places of a board of so many pixels, with the side `turned` at the bottom."""

    board: Board
    size: int
    turned: int = 0
    track: tuple[Point, ...] = field(init=False)
    """Centres by track number; number 0 is the last space once more."""
    pitch: float = field(init=False)

    def __post_init__(self) -> None:
        if self.board.sides not in _WIDTHS:
            raise RenderError("board", f"no drawing for {self.board.sides} sides")
        if not 0 <= self.turned < self.board.sides:
            raise RenderError("turned", f"there is no side {self.turned}")
        object.__setattr__(self, "pitch", self.size / 2 / (self._tip + BAND + MARGIN))
        object.__setattr__(self, "track", self._lay_track())

    # -- the outline

    @property
    def _half(self) -> float:
        return _WIDTHS[self.board.sides] / 2

    @property
    def _notch(self) -> float:
        return self._half / math.tan(math.pi / self.board.sides)

    @property
    def _notch_radius(self) -> float:
        return 0.0 if (self.board.span - 2 * self._half) % 2 == 0 else 1.0

    @property
    def _tip(self) -> float:
        turn = math.pi - 2 * math.pi / self.board.sides
        saved = self._notch_radius * (2 * math.tan(turn / 2) - turn) if self._notch_radius else 0.0
        return self._notch + (self.board.span - 2 * self._half + saved) / 2

    def point(self, side: int, along: float, across: float) -> Point:
        """A point given in pitches on the arm of a side: outward along its axis, and across in the direction of play.

        The origin is the middle of the picture.
        """
        step = (side - self.turned) % self.board.sides
        angle = -math.pi / 2 + step * 2 * math.pi / self.board.sides
        x = along * math.cos(angle) - across * math.sin(angle)
        y = along * math.sin(angle) + across * math.cos(angle)
        middle = self.size / 2
        return middle + (-x if self.board.clockwise else x) * self.pitch, middle - y * self.pitch

    @cached_property
    def outline(self) -> tuple[Point, ...]:
        """The line through all spaces of the track, closed, as many short pieces, from side 0's tip on."""
        half, tip, notch, radius = self._half, self._tip, self._notch, self._notch_radius
        points: list[Point] = []
        for side in range(self.board.sides):
            points += [self.point(side, tip, 0), self.point(side, tip, half)]
            following = side + 1
            if not radius:
                points.append(self.point(side, notch, half))
            else:
                turn = math.pi - 2 * math.pi / self.board.sides
                back = radius * math.tan(turn / 2)
                near, far = self.point(side, notch + back, half), self.point(following, notch + back, -half)
                hub_side = self.point(side, notch + back, half + radius)
                start = math.atan2(near[1] - hub_side[1], near[0] - hub_side[0])
                end = math.atan2(far[1] - hub_side[1], far[0] - hub_side[0])
                sweep = (end - start + math.pi) % (2 * math.pi) - math.pi
                reach = radius * self.pitch
                points += [
                    (
                        hub_side[0] + reach * math.cos(start + sweep * i / 24),
                        hub_side[1] + reach * math.sin(start + sweep * i / 24),
                    )
                    for i in range(25)
                ]
            points.append(self.point(following, tip, -half))
        points.append(points[0])
        return tuple(points)

    def _lay_track(self) -> tuple[Point, ...]:
        """Spaces at equal distances; the middle of each tip is where that side's lane branches off."""
        line = self.outline
        ends = [0.0]
        for one, other in pairwise(line):
            ends.append(ends[-1] + math.dist(one, other))
        step = ends[-1] / self.board.length
        placed: list[Point] = []
        at = 0
        for number in range(self.board.length):
            wanted = number * step
            while ends[at + 1] < wanted - 1e-9:
                at += 1
            share = (wanted - ends[at]) / (ends[at + 1] - ends[at])
            (x0, y0), (x1, y1) = line[at], line[at + 1]
            placed.append((x0 + (x1 - x0) * share, y0 + (y1 - y0) * share))
        first = self.board.branch(0) - 1
        ordered = [placed[(number - 1 - first) % self.board.length] for number in range(1, self.board.length + 1)]
        return (ordered[-1], *ordered)

    # -- places

    @cached_property
    def lanes(self) -> tuple[tuple[Point, ...], ...]:
        """The four slots of each side."""
        return tuple(
            tuple(self.point(side, self._tip - slot, 0) for slot in (1, 2, 3, 4)) for side in range(self.board.sides)
        )

    @cached_property
    def paths(self) -> dict[str, tuple[Point, ...]]:
        """The spaces of the inner paths by name: a curve from where it leaves, over the crossing, to where it ends."""
        found: dict[str, tuple[Point, ...]] = {}
        middle = (self.size / 2, self.size / 2)
        for path in self.board.paths:
            crossing = next((number for name, number in self.board.crossing if name == path.name), None)
            start, end = self.track[path.leaves], self.track[path.rejoins]
            if crossing is None:
                line = [_between(start, end, i / (path.spaces + 1)) for i in range(path.spaces + 2)]
                found[path.name] = tuple(line[1:-1])
                continue
            into = self._curve(path.leaves, middle)
            out = self._curve(path.rejoins, middle)
            first = _spread(into, crossing)
            last = _spread(out, path.spaces + 1 - crossing)
            found[path.name] = (*first[1:], *reversed(last[1:-1]))
        return found

    def _curve(self, number: int, middle: Point) -> list[Point]:
        """From a track space to the middle, clear of the neighbouring spaces and lanes."""
        start = self.track[number]
        unit = self.pitch
        ahead, behind = self.track[number % self.board.length + 1], self.track[number - 1]
        heading = math.atan2(ahead[1] - behind[1], ahead[0] - behind[0])
        normal = min(
            (heading + math.pi / 2, heading - math.pi / 2),
            key=lambda a: math.dist((start[0] + math.cos(a), start[1] + math.sin(a)), middle),
        )
        side = 1 if start[0] > middle[0] else -1
        first = (start[0] + 1.65 * unit * math.cos(normal), start[1] + 1.65 * unit * math.sin(normal))
        second = (middle[0] + side * 2.2 * unit, middle[1])
        return [_bezier(start, first, second, middle, i / 80) for i in range(81)]

    def place(self, side: int, place: str) -> Point:
        """The centre of a place as that side names it: track number, lane slot or inner path; raises RenderError."""
        if place.isascii() and place.isdigit() and 1 <= int(place) <= self.board.length:
            return self.track[int(place)]
        if len(place) == 1 and place in "abcd" and 0 <= side < self.board.sides:
            return self.lanes[side]["abcd".index(place)]
        if place[:1] in self.paths and place[1:].isascii() and place[1:].isdigit():
            spaces = self.paths[place[0]]
            if 1 <= int(place[1:]) <= len(spaces):
                return spaces[int(place[1:]) - 1]
        raise RenderError("place", f"there is no place {place[:20]!r} for side {side} on this board")

    # -- corners

    def _corner_spot(self, side: int) -> str:
        step = (side - self.turned) % self.board.sides
        spots = ("BR", "TR", "TL", "BL") if self.board.sides == 4 else ("BR", "MR", "TR", "TL", "ML", "BL")
        spot = spots[step]
        if self.board.clockwise:
            spot = spot[0] + {"L": "R", "R": "L"}[spot[1]]
        return spot

    @cached_property
    def corners(self) -> tuple[Corner, ...]:
        """The corner region of each side."""
        return tuple(self._corner(self._corner_spot(side)) for side in range(self.board.sides))

    def _corner(self, spot: str) -> Corner:
        k = self.size / 1024
        low, right = spot[0] == "B", spot[1] == "R"
        well = self.pitch * (PIECE + 0.005)
        gap = 2 * well + 9 * k

        def flip(x: float, y: float) -> Point:
            return (x if right else self.size - x), (y if low or spot[0] == "M" else self.size - y)

        if self.board.sides == 4:
            edge = self.size / 2 + (self._half + BAND) * self.pitch
            x = (edge + self.size) / 2 + 2 * k
            y = x + 0 * k
            box = gap + 2 * well + 22 * k
            kennel = (x - box / 2, y - box / 2, x + box / 2, y + box / 2)
            name, cards = (x, y + box / 2 + 40 * k), (x, y - box / 2 - 30 * k)
            wells = [(x + dx * gap / 2, y + dy * gap / 2) for dy in (-1, 1) for dx in (-1, 1)]
            badge = (x - box / 2, y - box / 2)
            anchors = ("m", "m", 270 * k)
        elif spot[0] == "M":
            box = 2 * well + 20 * k
            x, y = self.size - 10 * k - box / 2, self.size / 2
            tall = 3 * gap + 2 * well + 20 * k
            kennel = (x - box / 2, y - tall / 2, x + box / 2, y + tall / 2)
            wells = [(x, y + i * gap) for i in (-1.5, -0.5, 0.5, 1.5)]
            name, cards = (x - box / 2 - 10 * k, y - 14 * k), (x - box / 2 - 10 * k, y + 32 * k)
            badge = (x - box / 2, y - tall / 2)
            anchors = ("r", "r", 165 * k)
        else:
            box = gap + 2 * well + 18 * k
            x = y = self.size - 12 * k - box / 2
            kennel = (x - box / 2, y - box / 2, x + box / 2, y + box / 2)
            wells = [(x + dx * gap / 2, y + dy * gap / 2) for dy in (-1, 1) for dx in (-1, 1)]
            name, cards = (x - box / 2 - 12 * k, y + 26 * k), (x - box / 2 - 14 * k, y - 26 * k)
            badge = (x - box / 2, y - box / 2)
            anchors = ("r", "r", 222 * k)
        ends = [flip(*kennel[:2]), flip(*kennel[2:])]
        left, rightmost = sorted(p[0] for p in ends)
        top, bottom = sorted(p[1] for p in ends)
        placed = sorted((flip(*w) for w in wells), key=lambda p: (round(p[1]), p[0]))
        swap = {"l": "r", "r": "l", "m": "m"}
        anchor, cards_anchor = (a if right else swap[a] for a in anchors[:2])
        return Corner(
            (left, top, rightmost, bottom),
            tuple(placed),
            flip(*name),
            anchor,
            anchors[2],
            flip(*cards),
            cards_anchor,
            flip(*badge),
            well,
        )


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def _bezier(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    s = 1 - t
    weights = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
    return (
        sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True)),
        sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True)),
    )


def _spread(line: list[Point], parts: int) -> list[Point]:
    """`parts` equal steps along a line, both ends included."""
    ends = [0.0]
    for one, other in pairwise(line):
        ends.append(ends[-1] + math.dist(one, other))
    placed, at = [], 0
    for i in range(parts + 1):
        wanted = ends[-1] * i / parts
        while at < len(line) - 2 and ends[at + 1] < wanted:
            at += 1
        span = ends[at + 1] - ends[at]
        placed.append(_between(line[at], line[at + 1], (wanted - ends[at]) / span if span else 0.0))
    return placed
