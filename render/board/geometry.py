"""Where everything lies on the picture: one family of rounded crosses and stars for every board.

The unit is the *pitch*, the distance between two neighbouring spaces. An arm is `width` pitches wide and its sides are
`height` long; the spaces are spread evenly along the outline, starting in the middle of the arms' tips. With a span of
`width + 2 * height` there is a space in every corner. Where the numbers do not work out evenly (an odd span), or where
arms stand close (eight sides), corners are rounded so that the spaces nearest to them do not touch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, product

from engine import Board
from render.board.kennels import Corner, corners_of
from render.drawing.art import Point
from render.errors import RenderError

SPACE = 0.385
"""Radius of a space, in pitches, like all lengths below."""
START, GEAR = 1.16, 1.18
"""Reach of a start, and of the ring of a special space, in radii of a space."""
CROSSING = 0.62
"""Radius of the space where inner paths cross: it has two names."""
PIECE, HOME, TIGHT = 0.482, 0.44, 0.88
"""Radius of a piece, and of one in its kennel, which shows the rim of its well; and the share of that for one with a
rank in a narrow kennel: its corners would touch the frame."""
SMALL, SPARSE, FIFTH = 0.053, 0.047, 0.5
"""The pitch, as a share of the picture, below which every fifth space is larger, and below which only these have a
number; and their radius."""
NARROW, GAP = 0.42, 0.05
"""The radius up to which a fifth space is no larger than others, and the gap between two large spaces, in pitches."""
BAND = 0.64
"""Half the width of the band on which the spaces lie."""
LANE = 0.54
PATH = 0.5
"""Half the width of an inner path's band."""
MARGIN = 0.05
"""The gap between the band and the edge of the picture."""

AWAY = 68
"""The angle at which inner paths leave the track, in degrees."""
_ARMS = {4: (6.0, 0.0), 6: (4.0, 0.0), 8: (2.8, 0.8)}
"""By how many sides there are: how wide an arm is, and the radius of the corners of its tip."""


@dataclass(frozen=True)
class Layout:
    """All positions on a board of this many pixels, with the side `turned` at the bottom."""

    board: Board
    size: int
    turned: int = 0
    bare: bool = False
    """True without inner paths, whose ends would lead nowhere beside a plate."""
    blank: bool = False
    """True without numbers, where these would be too small to read."""
    cards: bool = True
    """True if corners have room for cards: before and after a game they have not."""
    track: tuple[Point, ...] = field(init=False, compare=False)
    """Centres by track number; number 0 repeats the last space."""
    pitch: float = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if self.board.sides not in _ARMS:
            raise RenderError("board", f"no drawing for {self.board.sides} sides")
        if not 0 <= self.turned < self.board.sides:
            raise RenderError("turned", f"there is no side {self.turned}")
        object.__setattr__(self, "pitch", self.size / 2 / (self._tip + BAND + MARGIN))
        object.__setattr__(self, "track", self._lay_track())

    # -- the outline

    @property
    def _half(self) -> float:
        wide = _ARMS[self.board.sides][0]
        # Longer arms would leave too little room in the middle of eight sides.
        return (wide + 0.054 * (self.board.span - 16) if self.board.sides == 8 else wide) / 2

    @property
    def _tip_radius(self) -> float:
        return _ARMS[self.board.sides][1]

    @property
    def _notch(self) -> float:
        return self._half / math.tan(math.pi / self.board.sides)

    @property
    def _notch_radius(self) -> float:
        return 1.0 if self.board.span % 2 else 0.3 if self.board.sides > 6 else 0.0

    @property
    def _tip(self) -> float:
        turn = math.pi - 2 * math.pi / self.board.sides
        saved = self._notch_radius * (2 * math.tan(turn / 2) - turn) + self._tip_radius * (4 - math.pi)
        return self._notch + (self.board.span - 2 * self._half + saved) / 2

    def point(self, side: int, along: float, across: float) -> Point:
        """Return a point given in pitches on a side's arm: outward along its axis, and across in the direction of play.

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
        """The closed line through all spaces of the track, in many short pieces, starting at side 0's tip."""
        half, tip, notch = self._half, self._tip, self._notch
        turns: list[tuple[Point, float]] = []
        for side in range(self.board.sides):
            turns += [
                (self.point(side, tip, 0), 0.0),
                (self.point(side, tip, half), self._tip_radius * self.pitch),
                (self.point(side, notch, half), self._notch_radius * self.pitch),
                (self.point(side + 1, tip, -half), self._tip_radius * self.pitch),
            ]
        before, after = (turns[-1], *turns[:-1]), (*turns[1:], turns[0])
        points = [
            point
            for (begin, _), (corner, radius), (end, _) in zip(before, turns, after, strict=True)
            for point in _rounded(begin, corner, end, radius)
        ]
        return (*points, points[0])

    def _lay_track(self) -> tuple[Point, ...]:
        """Return evenly spread spaces; the middle of each tip is where that side's lane branches off."""
        placed = [part[0] for part in spread(list(self.outline), self.board.length)]
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
        """The spaces of the inner paths by name."""
        return {name: tuple(part[0] for part in parts[1:]) for name, parts in self.path_parts.items()}

    @cached_property
    def path_parts(self) -> dict[str, list[list[Point]]]:
        """Each inner path as short lines from space to space: from the track, across the crossing, back to the track.

        They are laid out once, for side 0 at the bottom, and rotate rigidly with the board.
        """
        if self.bare:
            return {}
        if self.turned:
            still = Layout(self.board, self.size).path_parts
            return {name: [[self._turn(point) for point in part] for part in parts] for name, parts in still.items()}
        found: dict[str, list[list[Point]]] = {}
        middle = (self.size / 2, self.size / 2)
        for path in self.board.paths:
            crossing = next((number for name, number in self.board.crossing if name == path.name), None)
            start, end = self.track[path.leaves], self.track[path.rejoins]
            if crossing is None:
                straight = [_between(start, end, i / 80) for i in range(81)]
                found[path.name] = spread(straight, path.spaces + 1)
                continue
            into = spread(self._curve(path.leaves, middle), crossing)
            out = spread(self._curve(path.rejoins, middle)[::-1], path.spaces + 1 - crossing)
            found[path.name] = into + out
        return found

    def _turn(self, point: Point) -> Point:
        """Turn a point of the board with side 0 at the bottom to its place on this board."""
        middle = self.size / 2
        across, along = (point[0] - middle) / self.pitch, (point[1] - middle) / self.pitch
        return self.point(0, along, across if not self.board.clockwise else -across)

    def between(self, place: str, following: str) -> list[Point]:
        """Return the line from a space of an inner path to the next, or to or from the track; empty elsewhere."""
        return self._betweens.get((place, following), [])

    @cached_property
    def _betweens(self) -> dict[tuple[str, str], list[Point]]:
        """The lines from each space of an inner path to the next, by both spaces; the first path that has both."""
        found: dict[tuple[str, str], list[Point]] = {}
        for path in self.board.paths:
            spaces = (str(path.leaves), *(f"{path.name}{i}" for i in range(1, path.spaces + 1)), str(path.rejoins))
            for pair, part in zip(pairwise(spaces), self.path_parts.get(path.name, ()), strict=False):
                found.setdefault(pair, part)
        return found

    @cached_property
    def path_lines(self) -> dict[str, tuple[Point, ...]]:
        """The inner paths as lines, with the track spaces where they leave and end."""
        return {name: tuple(p for part in parts for p in part) for name, parts in self.path_parts.items()}

    def inner_corners(self, half: float, radius: float) -> list[tuple[Point, Point, float]]:
        """Return the inner corners, between the arms, of a band that reaches `half` pixels to each side.

        Each with the centre and the radius of its rounding.
        """
        along, across = self._tip - half / self.pitch, self._half - half / self.pitch
        back = radius / self.pitch
        return [
            (self.point(side, along, s * across), self.point(side, along - back, s * (across - back)), radius)
            for side in range(self.board.sides)
            for s in (1, -1)
        ]

    @cached_property
    def hub(self) -> float:
        """Reach of a plate with a side for each arm, along the arms, in pixels from the middle of the picture.

        On eight sides it ends at the first spaces of each arm; on fewer it covers these and leaves the next pieces
        free. Where lanes leave no room for that, it ends before the first.
        """
        first, second, *_ = sorted({round(self.outward(spot), 1) for spot in self.track})
        reach = first + 0.03 * self.pitch if self.board.sides == 8 else second - (PIECE + 0.12) * self.pitch
        lane = min(self.outward(slots[-1]) for slots in self.lanes) - LANE * self.pitch
        return reach if reach < lane - 0.3 * self.pitch else first - 0.95 * self.pitch

    def outward(self, spot: Point) -> float:
        """Return a point's distance from the middle along the arm that points most towards it, in pixels."""
        middle, turn = self.size / 2, 2 * math.pi / self.board.sides
        x, y = spot[0] - middle, spot[1] - middle
        return max(x * math.sin(turn * side) - y * math.cos(turn * side) for side in range(self.board.sides))

    @property
    def small(self) -> bool:
        """True if every fifth space is larger, to be read on a phone."""
        return self.pitch < SMALL * self.size

    @property
    def sparse(self) -> bool:
        """True if spaces are so small that only every fifth has a number."""
        return self.pitch < SPARSE * self.size

    @cached_property
    def reach(self) -> dict[int, float]:
        """Radii of the track's spaces, in pitches, by number; none touches the next or a lane."""
        board = self.board
        lanes = dict.fromkeys(map(board.branch, range(board.sides)), LANE)
        usual = dict.fromkeys(range(1, board.length + 1), SPACE)
        if self.small and not self.blank:
            usual |= {number: FIFTH for number in usual if number % 5 == 0 and number not in lanes}
        usual |= dict.fromkeys(map(board.start, board.seats), FIFTH if self.small else SPACE * START)
        usual |= dict.fromkeys(board.specials, SPACE * GEAR)
        wide, last = usual | lanes, board.length
        near = {number: max(wide[number % last + 1], wide[(number - 2) % last + 1]) for number in usual}
        # The entrance of a lane has the room of that.
        return {at: far if at in lanes else min(far, 1 - GAP - near[at]) for at, far in usual.items()}

    @property
    def beside(self) -> float:
        """Width of the free room on each side of a lane, in pitches."""
        return self._half - BAND - LANE

    def channel(self, side: int, across: int, place: int) -> Point:
        """Return a position (0 to 2, 0 outermost) in the free room beside a lane; `across` 1 is ahead of the start."""
        return self.point(side, self._tip - 2.0 - 0.42 * place, across * (LANE + self.beside / 2))

    def _curve(self, number: int, middle: Point) -> list[Point]:
        """Return the line from a track space to the middle, avoiding the neighbouring spaces and lanes."""
        start = self.track[number]
        unit = self.pitch
        ahead, behind = self.track[number % self.board.length + 1], self.track[number - 1]
        heading = math.atan2(ahead[1] - behind[1], ahead[0] - behind[0])
        side = 1 if start[0] > middle[0] else -1
        # Off the track at an angle, towards the middle: more would be an elbow, less would touch the next space.
        away = min(
            (heading + way * math.radians(angle) for way in (1, -1) for angle in (AWAY, 180 - AWAY)),
            key=lambda a: math.dist((start[0] + math.cos(a), start[1] + math.sin(a)), middle),
        )
        first = (start[0] + 1.5 * unit * math.cos(away), start[1] + 1.5 * unit * math.sin(away))
        # Steep enough in the middle for the two paths' spaces beside the crossing not to touch.
        lean = 1 if start[1] > middle[1] else -1
        second = (middle[0] + side * 2.2 * unit, middle[1] + lean * 1.05 * unit)
        return [_bezier(start, first, second, middle, i / 80) for i in range(81)]

    def place(self, side: int, place: str) -> Point:
        """Return the centre of a side's place: track number, lane slot or inner path; raises RenderError."""
        if place.isascii() and place.isdigit() and 1 <= int(place) <= self.board.length:
            return self.track[int(place)]
        if len(place) == 1 and place in "abcd" and 0 <= side < self.board.sides:
            return self.lanes[side]["abcd".index(place)]
        if place[:1] in self.paths and place[1:].isascii() and place[1:].isdigit():
            spaces = self.paths[place[0]]
            if 1 <= int(place[1:]) <= len(spaces):
                return spaces[int(place[1:]) - 1]
        raise RenderError("place", f"there is no place {place[:20]!r} for side {side} on this board")

    def label(self, place: str) -> str:
        """Return the label of a place on the board: the crossing of two inner paths carries both names."""
        if (place[0], place[1:]) in {(name, str(number)) for name, number in self.board.crossing}:
            return "/".join(f"{name}{number}" for name, number in self.board.crossing)
        return place

    @cached_property
    def spots(self) -> tuple[tuple[float, float, int | None, str], ...]:
        """Every space of track, inner paths and lanes: its middle, the side of a lane, and its text."""
        found: list[tuple[float, float, int | None, str]] = []
        for number in range(1, self.board.length + 1):
            found.append((*self.track[number], None, str(number)))
        for name, points in self.paths.items():
            for number, (x, y) in enumerate(points, 1):
                found.append((x, y, None, self.label(f"{name}{number}")))
        for side, slots in enumerate(self.lanes):
            found += [(x, y, side, slot) for slot, (x, y) in zip("abcd", slots, strict=True)]
        return tuple(found)

    @cached_property
    def crowded(self) -> tuple[bytearray, ...]:
        """Weight of what lies in squares of a quarter pitch, by row and column.

        In a slot 3, on a space of the track and in a corner 2, between spaces nothing.
        """
        part, near = self.pitch / 4, range(-3, 4)
        count = int(self.size / part) + 1
        found = tuple(bytearray(count) for _ in range(count))
        for x, y, lane, _ in self.spots:
            reach, much = (0.5, 2) if lane is None else (0.6, 3)
            for across, down in product(near, near):
                column, row = int(x / part) + across, int(y / part) + down
                if math.dist(((column + 0.5) * part, (row + 0.5) * part), (x, y)) < reach * self.pitch:
                    found[row][column] = much
        for left, top, right, bottom in (box for corner in self.corners for box in corner.panel):
            columns = slice(max(0, int(left / part)), int(right / part) + 1)
            for squares in found[max(0, int(top / part)) : int(bottom / part) + 1]:
                squares[columns] = b"\2" * len(squares[columns])
        return found

    @cached_property
    def corners(self) -> tuple[Corner, ...]:
        """The corner region of each side."""
        return corners_of(self.board, self.size, self.turned, self.pitch, self.cards)


def _between(begin: Point, end: Point, share: float) -> Point:
    return begin[0] + (end[0] - begin[0]) * share, begin[1] + (end[1] - begin[1]) * share


def _rounded(begin: Point, corner: Point, end: Point, radius: float) -> list[Point]:
    """Return the way from one point to another around a corner, rounded with this radius."""
    if not radius:
        return [corner]
    leaving, arriving = (math.atan2(point[1] - corner[1], point[0] - corner[0]) for point in (end, begin))
    opening = (leaving - arriving + math.pi) % (2 * math.pi) - math.pi
    middle, away = arriving + opening / 2, radius / math.sin(abs(opening) / 2)
    hub = (corner[0] + away * math.cos(middle), corner[1] + away * math.sin(middle))
    sweep = math.copysign(math.pi - abs(opening), -opening)
    angles = (middle + math.pi + sweep * (i / 24 - 0.5) for i in range(25))
    return [(hub[0] + radius * math.cos(angle), hub[1] + radius * math.sin(angle)) for angle in angles]


def _bezier(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    s = 1 - t
    weights = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
    return (
        sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True)),
        sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True)),
    )


def spread(line: list[Point], parts: int) -> list[list[Point]]:
    """Divide a line into parts of equal length; each part includes both its ends."""
    ends = [0.0]
    for begin, end in pairwise(line):
        ends.append(ends[-1] + math.dist(begin, end))
    cut: list[list[Point]] = [[line[0]]]
    for number, (begin, end) in enumerate(pairwise(line)):
        while len(cut) < parts and ends[number + 1] > ends[-1] * len(cut) / parts:
            share = (ends[-1] * len(cut) / parts - ends[number]) / (ends[number + 1] - ends[number])
            point = _between(begin, end, share)
            cut[-1].append(point)
            cut.append([point])
        cut[-1].append(end)
    return cut
