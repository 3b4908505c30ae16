"""Emojis: what lines of text and buttons show as pictures, in the looks that the board gives it."""

from __future__ import annotations

from io import BytesIO

from engine import Card, Rank
from render import cards
from render.board.sprites import piece, rank_mask
from render.drawing.art import Art
from render.drawing.colour import rgb
from render.themes import INK, PAPER, theme_of

SIZE = 128
"""Pixels on each side (the size that Discord recommends); it shows them 22 or 44 high."""

VERSION = 1
"""Part of the emojis' names. Raise it whenever a drawing changes, so that the new ones are uploaded."""

_GROUND = rgb("#4a5166")
_RADIUS = 58.0
"""The radius of a piece, whose shadow has room below it."""


def seat_emoji(side: int) -> bytes:
    """Return a side's piece as on the board, in a PNG with a transparent ground."""
    art = Art(SIZE, SIZE)
    art.paste(piece(theme_of("slate"), side, _RADIUS), SIZE / 2, SIZE / 2)
    return _finish(art)


def card_emoji(card: Card) -> bytes:
    """Return a card's number or picture."""
    return _finish(cards.sign(card, SIZE))


def rank_emoji(rank: Rank) -> bytes:
    """Return the sign of a rank on a disc of no seat's colour."""
    art = Art(SIZE, SIZE)
    art.discs((INK, 62.0), (PAPER, 58.0), (_GROUND, 53.0))
    art.stencil(PAPER, rank_mask(SIZE, rank, SIZE / 2, 36.0))
    return _finish(art)


def _finish(art: Art) -> bytes:
    file = BytesIO()
    art.image.save(file, "PNG", optimize=True)
    return file.getvalue()
