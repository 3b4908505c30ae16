"""Where things go in the middle of the board: cards played, the draw pile, the move in words, the round.

Where inner paths run through the middle, each thing goes into the free area that has room for it, whichever way the
board is turned.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from render.board.geometry import Layout
from render.drawing.art import Box, Point
from render.scene import Scene

WHOLE = 1024


@dataclass(frozen=True)
class Middle:
    """Places in pixels of a 1024 px picture."""

    cards: Point
    """The middle of the newest card played."""
    card_width: float
    shown: int
    """The number of cards of the pile that are shown."""
    deck: Point
    """The middle of the draw pile."""
    deck_width: float
    words: Box
    """Room for the move in words."""
    letters: int
    """The largest letters of the words."""
    round: Point
    round_width: float
    """Room for a line with round and deal."""
    round_lines: int = 2
    """The number of lines of round and deal there is room for."""
    exchange: Box = (WHOLE / 2, WHOLE / 2, WHOLE / 2, WHOLE / 2)
    """Room for who gives cards to whom between inner paths: there are no cards, words or draw pile then."""
    flank: bool = False
    """True if the tab of a card's player is at its left: below it there is a lane."""

    def shrink(self, share: float) -> Middle:
        """Return the places for spaces this much smaller: everything nearer to the middle of the picture."""

        def move(x: float, y: float) -> Point:
            return WHOLE / 2 + (x - WHOLE / 2) * share, WHOLE / 2 + (y - WHOLE / 2) * share

        return replace(
            self,
            cards=move(*self.cards),
            card_width=max(width for width in _CARD_WIDTHS if width <= max(self.card_width * share, 78)),
            deck=move(*self.deck),
            deck_width=self.deck_width * share,
            words=(*move(*self.words[:2]), *move(*self.words[2:])),
            letters=max(24, round(self.letters * share)),
            round=move(*self.round),
            round_width=self.round_width * share,
            exchange=(*move(*self.exchange[:2]), *move(*self.exchange[2:])),
        )

    def pile(self, count: int = 2) -> Box:
        """Return the box of so many cards played, with the tab of the newest."""
        (x, y), w = self.cards, self.card_width
        return x - _OVERHANG[max(1, min(count, self.shown))] * w, y - 0.73 * w, x + 0.52 * w, y + 0.91 * w

    @property
    def deck_box(self) -> Box:
        """The draw pile, with its number."""
        (x, y), w = self.deck, self.deck_width
        return x - 0.62 * w, y - 0.78 * w, x + 0.62 * w, y + 1.56 * w


_CARD_WIDTHS = (142, 118, 92, 86, 78)
"""Cards are drawn ahead in these sizes only."""
_OVERHANG = {1: 0.52, 2: 1.12}
"""Reach of the pile to the left of the newest card's middle, in card widths, by the number of cards."""


LEAST = 24
"""The height of the smallest words, in pixels of a 1024 px picture."""
LEADING = 1.18
"""From one line of words to the next, in letter heights."""


CROSS = 58.8
"""The pitch of a board of the usual size with four sides, in pixels of a 1024 px picture."""
_MIDDLES = {
    4: (CROSS, Middle((552, 424), 142, 2, (664, 444), 48, (242, 561, 782, 651), 42, (512, 681), 244, 1)),
    6: (50.4, Middle((522, 457), 118, 2, (641, 472), 38, (362, 572, 662, 656), 36, (512, 705), 124)),
    8: (45.0, Middle((500, 440), 92, 2, (600, 452), 34, (392, 526, 632, 604), 34, (512, 634), 170, 1)),
}
"""By how many sides there are: the pitch, in pixels of a 1024 px picture, and the places where it is no smaller."""
_CROSSED = (
    Middle((512, 690), 78, 1, (512, 315), 36, (393, 571, 631, 633), 34, (512, 420), 150, 2, (442, 567, 582, 752), True),
    Middle((385, 546), 78, 1, (643, 490), 34, (530, 374, 724, 438), 26, (405, 640), 116, 1, (544, 374, 679, 524)),
    Middle((639, 546), 78, 1, (381, 490), 34, (300, 374, 494, 438), 26, (619, 640), 116, 1, (345, 374, 480, 524)),
)
"""Between the inner paths of six sides, by which side is at the bottom; half a turn changes nothing.

The words stand above the card, in one of the two free areas, and the round shares the other with the draw pile.
Where the areas lie left and right, there is room for words only beside the draw pile, and for the round below the card.
"""


def middle_for(layout: Layout, scene: Scene) -> Middle:
    """Return the places in a scene: cards or draw pile, if alone, lie in the middle of the board."""
    usual = middle_of(layout)
    if not scene.pile and not layout.board.paths:
        usual = replace(usual, deck=(WHOLE / 2, usual.cards[1]))
        left, top, right, bottom = usual.words
        up = top - usual.deck_box[3] - 12
        return replace(usual, words=(left, top - up, right, bottom - up))
    if scene.caption or scene.exchange or layout.board.paths:
        return usual
    if scene.round or scene.deck is not None:
        # Where no words follow, they keep off the lane above.
        (x, y), (across, level), down = usual.cards, usual.deck, 0.4 * (usual.words[3] - usual.words[1])
        return replace(usual, cards=(x, y + down), deck=(across, level + down))
    return replace(usual, cards=(usual.cards[0], WHOLE / 2 - 0.1 * usual.card_width))


def middle_of(layout: Layout) -> Middle:
    """Return the places for this board, whichever way it is turned."""
    pitch, usual = _MIDDLES[layout.board.sides]
    if layout.board.paths:
        usual = _CROSSED[layout.turned % 3]
    share = layout.pitch / layout.size * WHOLE / pitch
    return usual if share > 0.99 else usual.shrink(share)
