"""The picture of a hand: cards side by side, those that can be played bright and raised; alone, or below a board."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from engine import ROYAL, STANDARD
from render import cards
from render.board import assembly
from render.drawing.art import Art, Sprite, cached
from render.drawing.cache import Cache, Packed, PackedCache
from render.errors import RenderError
from render.palette import palette_for
from render.scene import Scene
from render.themes import INK, Theme, theme_of

WIDTH = 1024
MOST = 60
"""The most cards that a picture can show; a hand rarely has more than six."""
_COLUMNS = 6


@dataclass(frozen=True)
class Form:
    """Layout of a hand of this many cards, in pixels."""

    count: int
    raised: bool = False
    """True if playable cards are raised above the others."""

    @property
    def columns(self) -> int:
        """Cards in a row."""
        rows = max(1, math.ceil(self.count / _COLUMNS))
        return math.ceil(self.count / rows) if self.count else 1

    @property
    def width(self) -> int:
        """Width of a card: fewer than four are as wide as those of a full row, since their picture is narrower."""
        fit = self.columns if self.columns >= _FEWEST else _COLUMNS
        return (WIDTH - 2 * _EDGE - _GAP * (fit - 1)) // fit

    @property
    def height(self) -> int:
        """Height of a card."""
        return round(self.width * cards.TALL)

    @property
    def lift(self) -> int:
        """Lift of playable cards."""
        return round(self.width * 0.09) if self.raised else 0

    @property
    def row_height(self) -> int:
        """Distance from a row to the next."""
        return self.height + self.lift + _GAP

    @property
    def size(self) -> tuple[int, int]:
        """Size of the picture."""
        rows = max(1, math.ceil(self.count / _COLUMNS))
        wide = 2 * _EDGE + self.columns * (self.width + _GAP) - _GAP
        return (WIDTH if self.columns >= _FEWEST else wide), 2 * _EDGE + rows * self.row_height - _GAP

    def spot(self, index: int, bright: bool) -> tuple[float, float]:
        """Return the middle of a card."""
        row, column = divmod(index, self.columns)
        in_row = min(self.columns, self.count - row * self.columns)
        x = self.size[0] / 2 + (column - (in_row - 1) / 2) * (self.width + _GAP)
        y = _EDGE + row * self.row_height + self.height / 2 + (0 if bright else self.lift)
        # Whole pixels, and the same for a card together with the table around it.
        return (
            round(x - (self.width + _GAP) / 2) + (self.width + _GAP) / 2,
            round(y - (self.height + _GAP) / 2) + (self.height + _GAP) / 2,
        )


_EDGE, _GAP, _FEWEST = 20, 14, 4

_hands: PackedCache[Image.Image, Packed] = PackedCache(
    Cache("hands", 5 << 20, lambda image: image.width * image.height + 300),
    Cache("hands, packed", 5 << 20, lambda packed: packed.bytes),
    Packed.of,
    Packed.unpack,
)


def hand_card(face: cards.Face, width: int, deck: cards.Deck, theme: Theme, bright: bool, marked: bool) -> Image.Image:
    """Return a card as it lies in a hand, in palette numbers, from the cache."""
    key = (*cards.look_up(face, deck), face.named, width, theme.id, bright, marked)
    return _hands.get(
        key, lambda: palette_for(theme).quantise(draw_card(face, width, deck, theme, bright, marked=marked))
    )


def draw_card(
    face: cards.Face, width: int, deck: cards.Deck, theme: Theme, bright: bool, *, marked: bool = False
) -> Image.Image:
    """Draw a card as it lies in a hand, in true colours."""
    height = round(width * cards.TALL)
    image = Image.new("RGB", (width + _GAP, height + _GAP), theme.table)
    x, y = image.width / 2, image.height / 2
    if marked:
        frame(theme, width, height).paste(image, x, y)
    cards.draw_uncached(face, width, deck, None if bright else theme.table).paste(image, x, y)
    if marked:
        arrival_mark(theme, round(width * 0.115)).paste(image, x + width * 0.41, y - height * 0.44)
    return image


def numbers(
    hand: Sequence[str],
    playable: Collection[int] | None,
    theme: Theme,
    deck: cards.Deck,
    marked: Collection[int] = (),
    folded: Sequence[str] = (),
) -> Image.Image:
    """Return the hand in palette numbers, put together from cached cards; above it those that were laid down."""
    if not folded:
        return _row(hand, playable, theme, deck, marked)
    rows = [_row(folded, (), theme, deck)]
    if hand:
        rows.append(_row(hand, playable, theme, deck, marked))
    return _stack(rows, theme)


def _stack(rows: Sequence[Image.Image], theme: Theme) -> Image.Image:
    """Return images in palette numbers below each other, each in the middle."""
    width = max(row.width for row in rows)
    whole = Image.new("P", (width, sum(row.height for row in rows)), _ground(theme))
    top = 0
    for row in rows:
        whole.paste(row, ((width - row.width) // 2, top))
        top += row.height
    return whole


def _row(
    hand: Sequence[str], playable: Collection[int] | None, theme: Theme, deck: cards.Deck, marked: Collection[int] = ()
) -> Image.Image:
    form = Form(len(hand), playable is not None and 0 < len(set(playable)) < len(hand))
    canvas = Image.new("P", form.size, _ground(theme))
    for index, face in enumerate(cards.faces(list(hand))):
        bright = playable is None or index in playable
        card = hand_card(face, form.width, deck, theme, bright, index in marked)
        x, y = form.spot(index, bright)
        canvas.paste(card, (round(x - card.width / 2), round(y - card.height / 2)))
    return canvas


def _ground(theme: Theme) -> Any:
    """Return the number of the table's colour in the theme's palette."""
    return palette_for(theme).quantise(Image.new("RGB", (1, 1), theme.table)).getpixel((0, 0))


@cached()
def frame(theme: Theme, width: int, height: int) -> Sprite:
    """Return a golden frame around a card that has just come into the hand."""
    art = Art(width + _GAP, height + _GAP)
    art.fill(theme.gold, lambda p: p.box((0, 0, art.width, art.height), width * 0.13))
    return art.sprite()


@cached()
def arrival_mark(theme: Theme, radius: int) -> Sprite:
    """Return a golden disc with an arrow into the hand."""
    art = Art(2 * radius + 4, 2 * radius + 4)
    c = art.width / 2
    art.discs((INK, radius + 1), (theme.gold, radius - 1))
    art.fill(INK, lambda p: p.line([(c, c - radius * 0.5), (c, c + radius * 0.15)], radius * 0.22))
    head = [(c - radius * 0.42, c + radius * 0.02), (c + radius * 0.42, c + radius * 0.02), (c, c + radius * 0.56)]
    art.fill(INK, lambda p: p.polygon(head, radius * 0.04))
    return art.sprite()


def hand_png(
    hand: Sequence[str],
    playable: Collection[int] | None = None,
    theme: str = "slate",
    deck: cards.Deck | None = None,
    marked: Collection[int] = (),
    folded: Sequence[str] = (),
) -> bytes:
    """Return a hand as PNG bytes, 1024 pixels wide, or as wide as its cards if there are fewer than four.

    `playable` are the indices (from 0) of the cards that can be played now; with None, all are bright. `deck`
    holds the rule system's cards (`system.cards`); without it, standard cards are shown unless a card is only in the
    Royal deck. `marked` are the indices of cards that have just come into the hand. `folded` are cards that were laid
    down: they stay dimmed above it. Raises RenderError.
    """
    look = theme_of(theme)
    return palette_for(look).png(numbers(hand, playable, look, _check([*hand, *folded], deck), marked, folded))


def turn_png(
    scene: Scene,
    hand: Sequence[str],
    playable: Collection[int] | None = None,
    theme: str = "slate",
    deck: cards.Deck | None = None,
    marked: Collection[int] = (),
    folded: Sequence[str] = (),
) -> bytes:
    """Return a board with a hand below it as PNG bytes, 1024 pixels wide; see `hand_png`. Raises RenderError."""
    look = theme_of(theme)
    below = numbers(hand, playable, look, _check([*hand, *folded], deck), marked, folded)
    return palette_for(look).png(_stack([assembly.numbers(scene, look, WIDTH), below], look))


def _check(hand: Sequence[str], deck: cards.Deck | None) -> cards.Deck:
    """Return the deck that the cards of a hand are in; raises RenderError."""
    if len(hand) > MOST:
        raise RenderError("hand", f"has more than {MOST} cards")
    held = [cards.Face.parse(text).card for text in hand]
    if deck is None:
        deck = STANDARD if all(card in STANDARD for card in held) else ROYAL
    for card in held:
        if card not in deck:
            raise RenderError("hand", f"{card!r} is not in the same deck as the others")
    return deck
