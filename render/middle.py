"""Where things go in the middle of the board: cards played, the draw pile, the move in words, the round.

On the cross and on the plain star these are fixed positions. Where inner paths run through the middle, each thing goes
into the largest free area left, whichever way the board is turned.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine import Board
from render.errors import RenderError
from render.geometry import Box, Layout, Point
from render.room import WHOLE, Room


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
    return x - _OVERHANG[shown] * width, y - 0.86 * width, x + 0.66 * width, y + 0.74 * width


LEADING = 1.18
"""From one line of words to the next, in letter heights."""


def lines_height(letters: int, lines: int = 2) -> float:
    """How much height this many lines of words take, including the ground they bring along."""
    return round(letters * LEADING) * lines + 8.0


_FOUR = Middle((533, 445), 150, 3, (678, 444), 48, (242, 562, 782, 562 + lines_height(36)), 36, (512, 692), 252, 1)
_SIX = Middle((522, 476), 126, 3, (641, 472), 38, (362, 572, 662, 572 + lines_height(32)), 32, (512, 292), 124)


def middle_of(layout: Layout) -> Middle:
    """The places for this board, whichever way it is turned."""
    if layout.board.paths:
        return _crossed(layout.board, layout.turned)
    return _FOUR if layout.board.sides == 4 else _SIX


_CARD_WIDTHS = (104, 98, 92, 86, 82, 78, 74, 70)
_WORDS = ((240, 36), (212, 34), (198, 33), (190, 32), (176, 32), (164, 30), (156, 28), (146, 26), (140, 24))
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
        words = room.nearest([(wide, lines_height(letters))], middle)
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
