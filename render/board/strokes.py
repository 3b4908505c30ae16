"""Moves as lines on a picture: one stroke for each step, along the spaces of a walk or in a bow across the board.

What does not walk (out of the kennel, a jump, a swap) goes in a bow, and so do the pieces that are sent home; in films,
pieces glide along the same lines. Nothing is drawn here; `ribbons.py` and `halos.py` draw from these lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from engine import Step, StepKind
from render.board import sprites
from render.board.geometry import Layout
from render.board.middle import Middle, middle_of
from render.drawing.art import Box, Point
from render.scene import Scene, Spot

_WALKS = (StepKind.FORWARD, StepKind.BACKWARD, StepKind.MAGNET)


@dataclass(frozen=True)
class Stroke:
    """One step as a line on the picture."""

    step: Step
    points: tuple[Point, ...]
    """The middles of its spaces; for a bow, points along it."""
    line: tuple[Point, ...]
    """What the ribbon follows."""
    walk: bool
    age: int
    """How many moves have followed it."""
    number: int | None
    """Which part of a split move it is; None where there is only one."""

    @property
    def bright(self) -> bool:
        """Whether it belongs to the last move."""
        return self.age == 0


def trails(scene: Scene, layout: Layout) -> list[Stroke]:
    """The strokes of all moves, with those of the last move at the end."""
    return [
        stroke
        for age, (_, steps) in reversed(list(enumerate(reversed(scene.moves))))
        for stroke in steps_as_strokes(scene, layout, steps, age)
    ]


def steps_as_strokes(scene: Scene, layout: Layout, steps: Sequence[Step], age: int = 0) -> list[Stroke]:
    """The strokes of some steps."""
    found = []
    numbered = len([step for step in steps if step.kind is not StepKind.JUMP]) > 1
    for number, step in enumerate(steps, 1):
        walk = step.kind in _WALKS
        points = _points(scene, layout, step, walk)
        line = _along(layout, step) if walk and layout.board.paths else points
        found.append(Stroke(step, points, line, walk, age, number if numbered and not age else None))
    return found


def _points(scene: Scene, layout: Layout, step: Step, walk: bool) -> tuple[Point, ...]:
    if walk:
        return tuple(layout.place(step.side, place) for place in step.path)
    start = well(scene, layout, step.side, 0) if step.origin == "-" else layout.place(step.side, step.origin)
    end = layout.place(step.side, step.target)
    if step.kind is StepKind.SWAP and step.other is not None:
        end = layout.place(*step.other)
    if step.origin == "-":
        # The more pieces are left in the kennel, the farther it bends away from them.
        left = sum(1 for text in scene.placement[step.side] if text.endswith("-"))
        return curve(start, end, layout, 0.16 * max(1, left))
    return _clearest(layout, start, end)


@lru_cache(maxsize=64)
def _clearest(layout: Layout, start: Point, end: Point) -> tuple[Point, ...]:
    """The bow between two points that crosses least."""
    return min((_bow(start, end, layout, bend) for bend in _BENDS), key=lambda bow: _crossed(layout, bow))


_BENDS = tuple(way * bend for bend in (0.0, 0.04, 0.08, 0.12, 0.16, 0.24, 0.33) for way in (1, -1))
"""How far such bows may be bent to one side, in parts of their length: by the last a line becomes a quarter longer."""


def likely(middle: Middle) -> Box:
    """The part of the room for words that most of them take: the line next to the cards."""
    left, top, right, bottom = middle.words
    edge, half = 0.2 * (right - left), (top + bottom) / 2
    hangs = bottom > middle.cards[1]
    return left + edge, top if hangs else half, right - edge, half if hangs else bottom


def _crossed(layout: Layout, bow: Sequence[Point]) -> float:
    """How much a bow crosses: cards, words, round and pile most of all, then corners, then lanes and spaces."""
    k, middle = layout.size / 1024, middle_of(layout)
    (x, y), wide = middle.round, middle.round_width / 2
    boxes = [middle.pile, likely(middle), middle.deck_box, (x - wide, y - 34, x + wide, y + 34)]
    corners = [box for corner in layout.corners for box in corner.panel]
    lanes = [spot for lane in layout.lanes for spot in lane]
    near, crowded = 0.5 * layout.pitch, layout.crowded
    found = 0.3 * sum(math.dist(one, other) for one, other in pairwise(bow)) / layout.pitch
    for px, py in bow:
        if not (near < px < layout.size - near and near < py < layout.size - near):
            return math.inf
        found += 5 * sum(a * k < px < c * k and b * k < py < d * k for a, b, c, d in boxes)
        found += 3 * sum(a < px < c and b < py < d for a, b, c, d in corners)
        found += 0.5 * any(math.dist((px, py), spot) < near for spot in lanes)
        found += 0.5 * ((px // near, py // near) in crowded)
    return found


def _along(layout: Layout, step: Step) -> tuple[Point, ...]:
    """A walk's line where inner paths bend it."""
    line = [layout.place(step.side, step.path[0])]
    for one, other in pairwise(step.path):
        line += layout.between(one, other) or [layout.place(step.side, other)]
    return tuple(line)


def well(scene: Scene, layout: Layout, side: int, back: int) -> Point:
    """A well of a side's kennel: the first empty one (`back` 0), the last full one (1), the one before that (2) ..."""
    full = sum(1 for text in scene.placement[side] if text.endswith("-"))
    wells = layout.corners[side].wells
    return wells[max(0, min(len(wells) - 1, full - back))]


def _bow(start: Point, end: Point, layout: Layout, bend: float) -> tuple[Point, ...]:
    """A bow between two points, bent to one side by a part of its length."""
    half = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    middle = (half[0] + 2 * bend * (end[1] - start[1]), half[1] - 2 * bend * (end[0] - start[0]))
    return _through(start, middle, end, layout)


def curve(start: Point, end: Point, layout: Layout, pull: float) -> tuple[Point, ...]:
    """A bow between two points, bent towards the middle of the picture."""
    middle = layout.size / 2
    half = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    bend = (half[0] + (middle - half[0]) * pull, half[1] + (middle - half[1]) * pull)
    if math.dist(half, (middle, middle)) < layout.pitch:
        # Straight across the middle: bend to one side, so that the cards do not hide it.
        bend = (half[0] + (end[1] - start[1]) * 0.3, half[1] - (end[0] - start[0]) * 0.3)
    return _through(start, bend, end, layout)


HOMEWARD = 0.2
"""How far the way home of a captured piece is bent towards the middle of the picture."""


def _through(start: Point, bend: Point, end: Point, layout: Layout) -> tuple[Point, ...]:
    """A curve between two points, drawn towards a third; two points of it for each pitch."""
    count = max(6, round(math.dist(start, end) / layout.pitch * 2))
    points = []
    for i in range(count + 1):
        t = i / count
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        points.append((a * start[0] + b * bend[0] + c * end[0], a * start[1] + b * bend[1] + c * end[1]))
    return tuple(points)


def homeward(scene: Scene, layout: Layout, line: Stroke) -> list[tuple[int, Point, Point]]:
    """The pieces a step sent home: their side, where they stood, and where they lie now."""
    count = len(line.step.sent_home)
    return [
        (side, layout.place(side, place), _home(scene, layout, side, count - index))
        for index, (side, place) in enumerate(line.step.sent_home)
    ]


def _home(scene: Scene, layout: Layout, side: int, back: int) -> Point:
    """Where a piece that was sent home is now; with ranks, only its kennel is known."""
    if scene.board.system.ranks:
        return layout.corners[side].middle
    return well(scene, layout, side, back)


def flown(scene: Scene, layout: Layout, lines: Iterable[Stroke]) -> list[Point]:
    """Points along everything that crosses the board without walking: bows, and the ways of pieces sent home."""
    found: list[Point] = []
    for line in lines:
        if not line.walk:
            found += line.points
        for _, spot, home in homeward(scene, layout, line):
            found += curve(spot, home, layout, HOMEWARD)
    return found


def occupied(scene: Scene, layout: Layout) -> set[Point]:
    """Where pieces stand outside the kennels."""
    return {
        layout.place(side, sprites.place(text))
        for side, pieces in scene.placement.items()
        for text in pieces
        if not text.endswith("-")
    }


@dataclass(frozen=True)
class Mover:
    """A piece that moves: where it ends up, as its piece text, and its path."""

    side: int
    piece: str
    way: tuple[Point, ...]

    @property
    def spot(self) -> Spot:
        """Where it ends up."""
        return self.side, sprites.place(self.piece)

    def at(self, share: float) -> Point:
        """Where it is after this share (0 to 1) of the move; it starts and stops gently."""
        eased = share * share * (3 - 2 * share)
        lengths = [math.dist(one, other) for one, other in pairwise(self.way)]
        left = eased * sum(lengths)
        for (one, other), length in zip(pairwise(self.way), lengths, strict=True):
            if left <= length:
                part = left / length if length else 0.0
                return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part
            left -= length
        return self.way[-1]


def movers(scene: Scene, layout: Layout) -> list[Mover]:
    """The pieces moved by a scene's last move, each once."""
    lines = [line for line in trails(scene, layout) if line.bright]
    ways: list[tuple[int, str, tuple[Point, ...]]] = []
    for line in lines:
        step = line.step
        if step.kind is StepKind.SWAP and step.other is not None:
            ways.append((step.side, step.other[1], line.points))
            ways.append((step.other[0], step.origin, line.points[::-1]))
            continue
        before = next((way for way in ways if way[0] == step.side and way[1] == step.origin != "-"), None)
        if before is not None:
            # The same piece moves on, as the citizen does in a jump.
            ways.remove(before)
            ways.append((step.side, step.target, before[2] + line.line))
        else:
            ways.append((step.side, step.target, line.line))
    found = []
    for side, place, way in ways:
        piece = _piece_at(scene.placement[side], place)
        if piece is not None and len(way) > 1:
            found.append(Mover(side, piece, way))
    return found


def _piece_at(pieces: Sequence[str], place: str) -> str | None:
    return next((piece for piece in pieces if sprites.place(piece) == place), None)
