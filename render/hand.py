"""The picture of a hand: the cards side by side, those that can be played now bright and raised."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from PIL import Image

from engine import ROYAL, STANDARD
from render import cards, png, sprites
from render.errors import RenderError
from render.palette import palette_for
from render.themes import INK, PAPER, Theme, theme_of

WIDTH = 1024
MOST = 60
"""Cards that a picture can show; a hand is rarely larger than six."""
_COLUMNS = 6


def picture(
    hand: Sequence[str], playable: Collection[int] | None, theme: Theme, letters: Sequence[str] | None, royal: bool
) -> Image.Image:
    """The hand as a picture in true colours."""
    count = len(hand)
    rows = max(1, math.ceil(count / _COLUMNS))
    columns = math.ceil(count / rows) if count else 1
    fit = max(4, columns)
    edge, gap = 26, 18
    width = (WIDTH - 2 * edge - gap * (fit - 1)) // fit
    height = round(width * cards.TALL)
    lift = round(width * 0.09) if playable is not None and 0 < len(set(playable)) < count else 0
    foot = 58 if letters else 0
    row_height = height + lift + foot + gap
    canvas = Image.new("RGB", (WIDTH, 2 * edge + rows * row_height - gap), theme.table)
    for index, face in enumerate(cards.faces(list(hand))):
        row, column = divmod(index, columns)
        in_row = min(columns, count - row * columns)
        x = WIDTH / 2 + (column - (in_row - 1) / 2) * (width + gap)
        bright = playable is None or index in playable
        y = edge + row * row_height + height / 2 + (0 if bright else lift)
        cards.card(face, width, royal, 0.0, None if bright else theme.table).paste(canvas, x, y)
        if letters and index < len(letters) and letters[index]:
            ground, ink = (PAPER, INK) if bright else (theme.table, theme.quiet)
            mark = sprites.badge(theme, letters[index], 25, ground, ink, theme.quiet)
            mark.paste(canvas, x, edge + row * row_height + height + lift + 34)
    return canvas


def hand_png(
    hand: Sequence[str],
    playable: Collection[int] | None = None,
    theme: str = "slate",
    letters: Sequence[str] | None = None,
    royal: bool | None = None,
) -> bytes:
    """A hand as PNG bytes, 1024 pixels wide.

    `playable` are the indices (from 0) of the cards that can be played now; None shows all bright. `letters` are
    written below the cards. `royal` chooses the deck whose cards are shown; without it, standard cards are shown unless
    there is one that only the Royal deck has. Raises RenderError.
    """
    look = theme_of(theme)
    if len(hand) > MOST:
        raise RenderError("hand", f"has more than {MOST} cards")
    ids = [cards.Face.parse(text).card for text in hand]
    if royal is None:
        royal = any(card not in STANDARD for card in ids)
    deck = ROYAL if royal else STANDARD
    for card in ids:
        if card not in deck:
            raise RenderError("hand", f"{card!r} is not in the same deck as the others")
    palette = palette_for(look)
    return png.encode(palette.quantise(picture(hand, playable, look, letters, royal)), palette.colours)
