"""Where things go in the middle of the board: cards played, the draw pile, the move in words, the round.

On the cross and on the plain star these are fixed positions. Where inner paths run through the middle, each thing goes
into the largest free area left, whichever way the board is turned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate

from PIL import Image, ImageDraw

from engine import Board
from render.board.geometry import BAND, LANE, PATH, Layout
from render.drawing.art import Box, Point
from render.errors import RenderError


@dataclass(frozen=True)
class Middle:
    """Places in pixels of a 1024 px picture."""

    cards: Point
    """The middle of the newest card played."""
    card_width: float
    shown: int
    """How many cards of the pile are shown."""
    deck: Point | None
    """The middle of the draw pile; None where there is no room for it."""
    deck_width: float
    words: Box
    """Room for the move in words."""
    letters: int
    """The largest letters of the words."""
    round: Point
    round_width: float
    """Room for a line with round and deal."""
    round_lines: int = 2
    """How many such lines there is room for."""

    def nearer(self, share: float) -> Middle:
        """The same on a board whose spaces are this much smaller: everything nearer to the middle of the picture."""

        def moved(x: float, y: float) -> Point:
            return WHOLE / 2 + (x - WHOLE / 2) * share, WHOLE / 2 + (y - WHOLE / 2) * share

        return replace(
            self,
            cards=moved(*self.cards),
            card_width=self.card_width * share,
            deck=self.deck and moved(*self.deck),
            deck_width=self.deck_width * share,
            words=(*moved(*self.words[:2]), *moved(*self.words[2:])),
            letters=max(24, round(self.letters * share)),
            round=moved(*self.round),
            round_width=self.round_width * share,
        )

    @property
    def pile(self) -> Box:
        """Everything of the cards played, with the piece of whoever played the newest one."""
        return _pile_box(self.cards, self.card_width, self.shown)

    @property
    def deck_box(self) -> Box | None:
        """The draw pile, with its number."""
        if self.deck is None:
            return None
        (x, y), w = self.deck, self.deck_width
        return x - 0.62 * w, y - 0.78 * w, x + 0.62 * w, y + 1.56 * w


_OVERHANG = {1: 0.52, 2: 0.92, 3: 1.06}
"""How far the pile reaches to the left of the newest card's middle, in card widths, by how many are shown."""


def _pile_box(middle: Point, width: float, shown: int) -> Box:
    x, y = middle
    return x - _OVERHANG[shown] * width, y - 0.73 * width, x + 0.52 * width, y + 0.91 * width


LEADING = 1.18
"""From one line of words to the next, in letter heights."""


THREE = 82.0
"""The height of three lines of the smallest words."""


def lines_height(letters: int, lines: int = 2) -> float:
    """How much height this many lines of words take, including the ground they bring along."""
    return round(letters * LEADING) * lines + 8.0


_MIDDLES = {
    4: (
        58.8,
        Middle((533, 424), 142, 3, (678, 444), 48, (242, 561, 782, 561 + lines_height(35)), 35, (512, 692), 252, 1),
    ),
    6: (50.4, Middle((522, 457), 118, 3, (641, 472), 38, (362, 572, 662, 572 + lines_height(32)), 32, (512, 292), 124)),
    8: (
        45.0,
        Middle((500, 440), 92, 2, (600, 452), 34, (392, 526, 632, 526 + lines_height(30)), 30, (512, 630), 170, 1),
    ),
}
"""By how many sides there are: the pitch, in pixels of a 1024 px picture, and the places where it is no smaller."""


def middle_of(layout: Layout) -> Middle:
    """The places for this board, whichever way it is turned."""
    if layout.board.paths:
        return _crossed(layout.board, layout.turned)
    pitch, usual = _MIDDLES[layout.board.sides]
    share = layout.pitch / layout.size * WHOLE / pitch
    return usual if share > 0.99 else usual.nearer(share)


_CARD_WIDTHS = (104, 98, 92, 86, 82, 78, 74, 70)
_WORDS = ((240, 36), (212, 34), (198, 33), (190, 32), (176, 32), (164, 30), (156, 28), (144, 26))
"""Width and letter size: a move such as "kennel → 65" is about six times as wide as its letters are high."""


@lru_cache(maxsize=32)
def _crossed(board: Board, turned: int) -> Middle:
    """Positions between inner paths; raises RenderError if a board leaves no room at all."""
    room = Room(Layout(board, WHOLE, turned), 1.0)
    middle = (WHOLE / 2, WHOLE / 2)
    for width in _CARD_WIDTHS:
        left, top, right, bottom = _pile_box((0, 0), width, 2)
        pile = room.nearest([(right - left, bottom - top)], (middle[0], middle[1] - 8))
        if pile is not None:
            break
    else:
        raise RenderError("board", "leaves no room for cards")
    room.take(pile)
    for wide, letters in _WORDS:
        words = room.nearest([(wide, max(lines_height(letters), THREE))], middle)
        if words is not None:
            break
    else:
        raise RenderError("board", "leaves no room for words")
    room.take(words)
    deck = room.nearest([(1.24 * w, 2.34 * w) for w in (34, 30, 26)], middle)
    if deck is not None:
        room.take(deck)
    line = room.nearest([(132, 54), (110, 48), (96, 44)], (512, 292))
    if line is None:
        raise RenderError("board", "leaves no room for the round")
    deck_width = 0.0 if deck is None else (deck[2] - deck[0]) / 1.24
    return Middle(
        cards=(pile[0] - left, pile[1] - top),
        card_width=width,
        shown=2,
        deck=None if deck is None else ((deck[0] + deck[2]) / 2, deck[1] + 0.78 * deck_width),
        deck_width=deck_width,
        words=words,
        letters=letters,
        round=((line[0] + line[2]) / 2, (line[1] + line[3]) / 2 - 4),
        round_width=line[2] - line[0],
    )


GRAIN = 4
"""How many pixels of a 1024 px picture make one pixel of the mask."""
WHOLE = 1024


class Room:
    """The free room on one board, in pixels of a picture 1024 px wide. `margin` is kept clear around everything."""

    def __init__(self, layout: Layout, margin: float = 4.0) -> None:
        self.layout = layout if layout.size == WHOLE else Layout(layout.board, WHOLE, layout.turned)
        self._count = WHOLE // GRAIN
        self._mask = Image.new("1", (self._count, self._count))
        self._draw = ImageDraw.Draw(self._mask)
        pitch = self.layout.pitch
        self._line(self.layout.outline, BAND * pitch + margin)
        for line in self.layout.path_lines.values():
            self._line(line, PATH * pitch + margin)
        for slots in self.layout.lanes:
            self._line(slots, LANE * pitch + margin)
        for corner in self.layout.corners:
            edge = corner.badge_radius * 1.15
            (x, y) = corner.badge
            for box in (*corner.panel, (x - edge, y - edge, x + edge, y + edge)):
                self.take(box)
        self._sums: list[list[int]] | None = None

    def _line(self, points: Iterable[Point], half: float) -> None:
        spots = [(x / GRAIN, y / GRAIN) for x, y in points]
        self._draw.line(spots, fill=1, width=round(2 * half / GRAIN) + 1)
        reach = half / GRAIN
        for x, y in spots:
            self._draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=1)

    def take(self, box: Box) -> None:
        """Mark a box as taken."""
        self._draw.rectangle([edge / GRAIN for edge in box], fill=1)
        self._sums = None

    def free(self, box: Box) -> bool:
        """Whether a box is within the picture and nothing is in it."""
        if self._sums is None:
            self._sums = self._add_up()
        left, top, right, bottom = (round(edge / GRAIN) for edge in box)
        if left < 0 or top < 0 or right >= self._count or bottom >= self._count:
            return False
        sums = self._sums
        return sums[bottom + 1][right + 1] - sums[top][right + 1] - sums[bottom + 1][left] + sums[top][left] == 0

    def _add_up(self) -> list[list[int]]:
        """For every pixel of the mask, how many of those above and to the left of it are taken."""
        data = self._mask.convert("L").point([0] + [1] * 255).tobytes()
        rows = [[0] * (self._count + 1)]
        for at in range(0, len(data), self._count):
            across = accumulate(data[at : at + self._count], initial=0)
            rows.append([above + here for above, here in zip(rows[-1], across, strict=True)])
        return rows

    def nearest(self, sizes: Iterable[tuple[float, float]], wish: Point, reach: float = 300.0) -> Box | None:
        """The first of the sizes (width, height) that fits within reach of a point, as near to it as possible."""
        spots = sorted(_around(wish, reach))
        for width, height in sizes:
            for _, x, y in spots:
                box = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
                if self.free(box):
                    return box
        return None


def _around(wish: Point, reach: float) -> Iterator[tuple[float, float, float]]:
    """Points around another, nearest first."""
    steps = range(-round(reach), round(reach) + 1, 2 * GRAIN)
    for dy in steps:
        for dx in steps:
            yield (dx * dx + dy * dy) ** 0.5, wish[0] + dx, wish[1] + dy
