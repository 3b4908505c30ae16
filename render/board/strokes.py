"""Moves as lines on a picture: a stroke for each step, along the spaces of a walk or in a bow across the board.

What does not walk (out of the kennel, a jump, a swap) goes in a bow, and so do the pieces that are sent home; in films,
pieces glide along the same lines. Nothing is drawn here; `ribbons.py` and `halos.py` draw from these lines.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count, pairwise, product

from engine import Step, StepKind
from render.board import sprites
from render.board.geometry import PIECE, Layout
from render.board.middle import LEADING, Middle, middle_for
from render.drawing.art import Box, Point, grow
from render.drawing.text import clean, width_of
from render.scene import Scene, Spot

WALKS = (StepKind.FORWARD, StepKind.BACKWARD, StepKind.MAGNET)
"""Kinds of step that go along the spaces."""
NARROW = 0.17
"""Half the width of the ribbon of whatever does not walk, in pitches."""


@dataclass(frozen=True)
class Stroke:
    """A step as a line on the picture."""

    step: Step
    points: tuple[Point, ...]
    """The middles of its spaces; for a bow, points along it."""
    line: tuple[Point, ...]
    """The line of the ribbon."""
    walk: bool
    age: int
    """The number of moves that have followed it; an exchange of cards counts as two."""
    number: int | None = None
    """Its place among all that is shown, oldest first; None if it is alone, and for a jump at a walk's end."""

    @property
    def bright(self) -> bool:
        """True if it belongs to the last move."""
        return self.age == 0


def trails(scene: Scene, layout: Layout) -> list[Stroke]:
    """Return the strokes of all moves, with those of the last move at the end; more than one are numbered."""
    found = [
        stroke
        for age, (_, steps) in reversed(list(enumerate(reversed(scene.moves))))
        for stroke in steps_as_strokes(scene, layout, steps, age + 2 * bool(scene.exchange))
    ]
    jumps = [stroke.step.kind is StepKind.JUMP for stroke in found]
    if jumps.count(False) < 2:
        return found
    number = count(1)
    return [stroke if jump else replace(stroke, number=next(number)) for stroke, jump in zip(found, jumps, strict=True)]


def steps_as_strokes(
    scene: Scene, layout: Layout, steps: Sequence[Step], age: int = 0, arrow: bool = False
) -> list[Stroke]:
    """Return the strokes of some steps; `arrow`: bows end in an arrow, which comes in where its head hides least."""
    found = []
    bow = _bows(scene, layout, arrow)
    for step in steps:
        walk = step.kind in WALKS
        points = (
            tuple(layout.place(step.side, place) for place in step.path) if walk else _bow_of(scene, layout, step, bow)
        )
        line = _walk(layout, step) if walk and layout.board.paths else points
        if step.origin == "-":
            line = trim_start(points, 0.62 * layout.pitch)
        found.append(Stroke(step, points, line, walk, age))
    return found


Bow = Callable[[Point, Point], tuple[Point, ...]]
"""The way between two points that crosses least of what is shown."""


def _bow_of(scene: Scene, layout: Layout, step: Step, bow: Bow) -> tuple[Point, ...]:
    start = well(scene, layout, step.side, 0) if step.origin == "-" else layout.place(step.side, step.origin)
    end = layout.place(step.side, step.target)
    if step.kind is StepKind.SWAP and step.other is not None:
        end = layout.place(*step.other)
    return bow(start, end)


def _bows(scene: Scene, layout: Layout, arrow: bool = False) -> Bow:
    """Return a function that draws the clearest bows of a scene."""

    def bow(start: Point, end: Point) -> tuple[Point, ...]:
        return _clearest(layout, start, end, pieces(scene, layout) - {start, end}, _boxes(scene, layout), arrow)

    return bow


def trim_start(points: Sequence[Point], reach: float) -> tuple[Point, ...]:
    """Cut off the part of a line within this many pixels of its beginning, at most all but its end."""
    (x, y), far = points[0], (at for at, point in enumerate(points) if math.dist(point, points[0]) > reach)
    at = next(far, len(points) - 1)
    share = min(1.0, reach / math.dist(points[at], (x, y)))
    return (x + (points[at][0] - x) * share, y + (points[at][1] - y) * share), *points[at:]


def pieces(scene: Scene, layout: Layout) -> frozenset[Point]:
    """Return the spots of pieces, in kennels too, of partner badges, and of the last walk's spaces."""
    walks = (step for _, steps in scene.moves[-1:] for step in steps if step.kind in WALKS)
    found = occupied_points(scene, layout) | {layout.place(step.side, place) for step in walks for place in step.path}
    for side in scene.board.seats:
        corner = layout.corners[side]
        found |= {well for _, well in zip(sprites.pieces_at_home(scene, side), corner.wells, strict=False)}
        if len(scene.board.team(side)) > 1:
            found.add(corner.badge)
    return frozenset(found)


def _boxes(scene: Scene, layout: Layout) -> tuple[Box, ...]:
    """Return the boxes of cards, words, round and draw pile in the middle, and of names and cards in the corners."""
    k, middle = layout.size / 1024, middle_for(layout, scene)
    (x, y), wide = middle.round, middle.round_width / 2
    pile = grow(middle.pile(len(scene.pile)), 0.15 * layout.pitch / k)
    boxes = [pile, caption_box(middle, scene.caption), middle.deck_box]
    tall = 34 if middle.round_lines > 1 else 21
    boxes.append((x - wide, y - tall, x + wide, y + tall))
    middles = [(left * k, top * k, right * k, bottom * k) for left, top, right, bottom in boxes]
    beside = [box for corner in layout.corners for box in (corner.pill, corner.hand)]
    return tuple(grow(box, 1.5 * NARROW * layout.pitch) for box in (*middles, *beside))


@lru_cache(maxsize=64)
def _clearest(
    layout: Layout, start: Point, end: Point, pieces: frozenset[Point], boxes: tuple[Box, ...], arrow: bool
) -> tuple[Point, ...]:
    """Return the bow between two points that crosses least."""
    apart = (PIECE + 1.7 * NARROW) * layout.pitch
    edges = [edge for box in boxes for edge in (box, grow(box, -NARROW * layout.pitch))]

    squares: dict[tuple[int, int], tuple[list[Point], list[Box]]] = {}

    def around(column: int, row: int) -> tuple[list[Point], list[Box]]:
        """Return the pieces and edges that can be hidden by points of a square of the picture, a pitch wide."""
        left, top, right, bottom = (at * layout.pitch for at in (column, row, column + 1, row + 1))
        close = [(x, y) for x, y in pieces if left - apart < x < right + apart and top - apart < y < bottom + apart]
        return close, [(a, b, c, d) for a, b, c, d in edges if a < right and left < c and b < bottom and top < d]

    def hidden(point: Point) -> int:
        """Return the cost of what a bow hides at a point: of pieces most of all, then of boxes."""
        x, y = point
        square = int(x / layout.pitch), int(y / layout.pitch)
        found = squares.get(square)
        if found is None:
            found = squares[square] = around(*square)
        cost = 0
        for piece in found[0]:
            if math.dist(point, piece) < apart:
                cost += 25
        for left, top, right, bottom in found[1]:
            if left < x < right and top < y < bottom:
                cost += 8
        return cost

    bends = _BENDS if not arrow and math.dist(start, end) >= SHORT * layout.pitch else _STEEP
    least, best = math.inf, (len(bends) // 2, len(bends) // 2)
    # First every second bend at each end, then those next to the best.
    for fine in (False, True):
        a, b = (range(max(0, at - 1), min(len(bends), at + 2)) for at in best)
        ranked = _rank(layout, start, end, bends, a, b, arrow) if fine else _rank_all(layout, start, end, bends, arrow)
        # The cheapest first: what a bow hides is only counted while it may still be the best.
        for cost, pair in ranked:
            if cost >= least:
                break
            for point in _bow(start, end, layout, bends[pair[0]], bends[pair[1]]):
                cost += hidden(point)
                if cost >= least:
                    break
            else:
                least, best = cost, pair
    return _bow(start, end, layout, bends[best[0]], bends[best[1]], 4)


Ranked = list[tuple[float, tuple[int, int]]]
"""Bows by their cost, cheapest first, each as the numbers of its bends at both ends."""


@lru_cache(maxsize=512)
def _rank_all(layout: Layout, start: Point, end: Point, bends: tuple[float, ...], arrow: bool) -> Ranked:
    """Rank the bows with every second bend at each end; what else a scene shows does not matter here."""
    every = range(len(bends) // 2 % 2, len(bends), 2)
    return _rank(layout, start, end, bends, every, every, arrow)


def _rank(
    layout: Layout,
    start: Point,
    end: Point,
    bends: tuple[float, ...],
    first: Iterable[int],
    last: Iterable[int],
    arrow: bool,
) -> Ranked:
    """Rank the bows between two points with these bends at both ends; an even curve is better."""
    found = []
    for a, b in product(first, last):
        uneven = abs(bends[a] - bends[b])
        if uneven < 0.5:
            cost = _cost(layout, _bow(start, end, layout, bends[a], bends[b]), arrow) + 14 * uneven
            if cost < math.inf:
                found.append((cost, (a, b)))
    return sorted(found)


_USUAL, SHORT = (0.05, 0.075, 0.1, 0.17, 0.24, 0.31, 0.38, 0.46, 0.54), 9.0
_BENDS, _STEEP = (tuple(sorted((0.0, *bends, *(-bend for bend in bends)))) for bends in (_USUAL, (*_USUAL, 0.64, 0.75)))
"""Bends of such bows to one side at each end, in parts of their length: at most a quarter longer; and of `SHORT` bows,
up to so many pitches, which lead around something."""


def caption_box(middle: Middle, caption: str) -> Box:
    """Return the part of the room for words that these take."""
    left, top, right, bottom = middle.words
    wide = min(right - left, width_of(clean(caption), middle.letters) + 18)
    if wide < right - left and top > middle.cards[1]:
        bottom = top + LEADING * middle.letters + 8
    return (left + right - wide) / 2, top, (left + right + wide) / 2, bottom


def _cost(layout: Layout, bow: Sequence[Point], arrow: bool) -> float:
    """Return the cost of a bow: its length and what it crosses, lanes most, then corners and spaces.

    The head of an `arrow` is broad and hides more.
    """
    near, part, crowded = 0.5 * layout.pitch, layout.pitch / 4, layout.crowded
    low, high = near, layout.size - near
    across, down = zip(*bow, strict=True)
    if min(across) <= low or min(down) <= low or max(across) >= high or max(down) >= high:
        return math.inf
    length = sum(map(math.dist, bow, bow[1:])) / layout.pitch
    if length > 1.24 * math.dist(bow[0], bow[-1]) / layout.pitch:
        return math.inf
    over = [0.4 * crowded[int(y / part)][int(x / part)] for x, y in bow]
    return 0.3 * length + sum(over) + 0.5 * sum(map(min, over, over[1:])) + (6 * sum(over[-4:-1]) if arrow else 0.0)


def _walk(layout: Layout, step: Step) -> tuple[Point, ...]:
    """Return a walk's line where inner paths bend it."""
    line = [layout.place(step.side, step.path[0])]
    for place, following in pairwise(step.path):
        line += layout.between(place, following) or [layout.place(step.side, following)]
    return tuple(line)


def well(scene: Scene, layout: Layout, side: int, back: int) -> Point:
    """Return a well of a side's kennel: the first empty (`back` 0), the last full (1), the full one before (2) ..."""
    full = sum(1 for text in scene.placement[side] if text.endswith("-"))
    wells = layout.corners[side].wells
    return wells[max(0, min(len(wells) - 1, full - back))]


def _bow(start: Point, end: Point, layout: Layout, first: float, last: float, fine: int = 2) -> tuple[Point, ...]:
    """Return a bow between two points, bent to a side by a part of its length at each end; `fine`: points per pitch."""
    across, down = end[0] - start[0], end[1] - start[1]
    points = [
        (x + (aside := b * first + c * last) * down, y - aside * across)
        for x, y, b, c in _straight(start, end, max(3 * fine, round(math.dist(start, end) / layout.pitch * fine)))
    ]
    return (*points, end)


@lru_cache(maxsize=128)
def _straight(start: Point, end: Point, count: int) -> list[tuple[float, float, float, float]]:
    """Return so many points of a straight line between two, each with the weights of the bends at both ends."""
    (x, y), across, down = start, end[0] - start[0], end[1] - start[1]
    return [(x + ahead * across, y + ahead * down, b, c) for ahead, b, c in _shares(count)]


@lru_cache(maxsize=128)
def _shares(count: int) -> list[tuple[float, float, float]]:
    """Return for each of so many points of a bow its share of the way, and the weights of the bends at both ends."""
    bends = [(t**3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t)) for t in (at / count for at in range(count))]
    return [(b / 3 + c * 2 / 3 + rest, b, c) for rest, b, c in bends]


def ways_home(scene: Scene, layout: Layout, line: Stroke) -> list[tuple[int, tuple[Point, ...]]]:
    """Return the pieces a step sent home: their side, and their way from where they stood to where they lie now."""
    count, bow = len(line.step.sent_home), _bows(scene, layout)
    return [
        (side, bow(layout.place(side, place), _home(scene, layout, side, count - index)))
        for index, (side, place) in enumerate(line.step.sent_home)
    ]


def _home(scene: Scene, layout: Layout, side: int, back: int) -> Point:
    """Return where a piece that was sent home is now; with ranks, only its kennel is known."""
    if scene.board.system.ranks:
        return layout.corners[side].middle
    return well(scene, layout, side, back)


def flight_points(scene: Scene, layout: Layout, lines: Iterable[Stroke]) -> list[Point]:
    """Return points along everything that crosses the board without walking: bows, and ways of pieces sent home."""
    found: list[Point] = []
    for line in lines:
        if not line.walk:
            found += line.points
        for _, way in ways_home(scene, layout, line):
            found += way
    return found


def occupied_points(scene: Scene, layout: Layout) -> set[Point]:
    """Return the spots of pieces outside the kennels."""
    return {layout.place(*spot) for spot in sprites.spots_out(scene)}


@dataclass(frozen=True)
class Mover:
    """A piece that moves, or is sent home: where it ends up or stood, as its piece text, and its path."""

    side: int
    piece: str
    way: tuple[Point, ...]

    @property
    def spot(self) -> Spot:
        """The place that the piece text names."""
        return self.side, sprites.place(self.piece)

    def at(self, share: float) -> Point:
        """Return its point after this share (0 to 1) of the move; it starts and stops gently."""
        eased = share * share * (3 - 2 * share)
        lengths = [math.dist(begin, end) for begin, end in pairwise(self.way)]
        left = eased * sum(lengths)
        for (begin, end), length in zip(pairwise(self.way), lengths, strict=True):
            if left <= length:
                part = left / length if length else 0.0
                return begin[0] + (end[0] - begin[0]) * part, begin[1] + (end[1] - begin[1]) * part
            left -= length
        return self.way[-1]


def movers(scene: Scene, layout: Layout) -> list[Mover]:
    """Return the pieces moved by a scene's last move, each once."""
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
            ways.append((step.side, step.target, line.line if line.walk else line.points))
    found = []
    for side, place, way in ways:
        piece = _piece_at(scene.placement[side], place)
        if piece is not None and len(way) > 1:
            found.append(Mover(side, piece, way))
    return found


def captured_movers(scene: Scene, before: Scene, layout: Layout) -> list[Mover]:
    """Return the pieces that a scene's last move sent home, from where they stood in the scene before."""
    found = []
    for line in trails(scene, layout):
        homes = ways_home(scene, layout, line) if line.bright else []
        for (side, way), (_, place) in zip(homes, line.step.sent_home, strict=False):
            piece = _piece_at(before.placement.get(side, ()), place)
            if piece is not None:
                found.append(Mover(side, piece, way))
    return found


def _piece_at(pieces: Sequence[str], place: str) -> str | None:
    return next((piece for piece in pieces if sprites.place(piece) == place), None)
