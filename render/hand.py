"""The picture of a hand: the cards side by side, those that can be played now bright and raised."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from PIL import Image

from engine import ROYAL, STANDARD
from render import cards, png, sprites
from render.draw import Art, Sprite
from render.errors import RenderError
from render.palette import palette_for
from render.themes import INK, PAPER, Theme, theme_of

WIDTH = 1024
MOST = 60
"""Cards that a picture can show; a hand is rarely larger than six."""
_COLUMNS = 6


def picture(
    hand: Sequence[str],
    playable: Collection[int] | None,
    theme: Theme,
    letters: Sequence[str] | None,
    deck: cards.Deck,
    marked: Collection[int] = (),
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
    edge = round(edge * 1.4) if marked else edge
    row_height = height + lift + foot + gap
    canvas = Image.new("RGB", (WIDTH, 2 * edge + rows * row_height - gap), theme.table)
    for index, face in enumerate(cards.faces(list(hand))):
        row, column = divmod(index, columns)
        in_row = min(columns, count - row * columns)
        x = WIDTH / 2 + (column - (in_row - 1) / 2) * (width + gap)
        bright = playable is None or index in playable
        y = edge + row * row_height + height / 2 + (0 if bright else lift)
        if index in marked:
            frame(theme, width, height).paste(canvas, x, y)
        cards.card(face, width, deck, 0.0, None if bright else theme.table).paste(canvas, x, y)
        if index in marked:
            arrived(theme, round(width * 0.15)).paste(canvas, x + width * 0.44, y - height * 0.46)
        if letters and index < len(letters) and letters[index]:
            ground, ink = (PAPER, INK) if bright else (theme.table, theme.quiet)
            mark = sprites.badge(theme, letters[index], 25, ground, ink, theme.quiet)
            mark.paste(canvas, x, edge + row * row_height + height + lift + 34)
    return canvas


def frame(theme: Theme, width: int, height: int) -> Sprite:
    """A golden frame around a card that has just come into the hand."""

    def make() -> Sprite:
        art = Art(width + 24, height + 24)
        art.fill(theme.gold, lambda p: p.box((3, 3, width + 21, height + 21), width * 0.13))
        return art.sprite()

    return sprites.cached(("framed", theme.id, width, height), make)


def arrived(theme: Theme, radius: int) -> Sprite:
    """A golden disc with an arrow into the hand."""

    def make() -> Sprite:
        art = Art(2 * radius + 4, 2 * radius + 4)
        c = art.width / 2
        art.fill(INK, lambda p: p.disc(c, c, radius + 1))
        art.fill(theme.gold, lambda p: p.disc(c, c, radius - 1))
        art.fill(INK, lambda p: p.line([(c, c - radius * 0.5), (c, c + radius * 0.15)], radius * 0.22))
        head = [(c - radius * 0.42, c + radius * 0.02), (c + radius * 0.42, c + radius * 0.02), (c, c + radius * 0.56)]
        art.fill(INK, lambda p: p.polygon(head, radius * 0.04))
        return art.sprite()

    return sprites.cached(("arrived", theme.id, radius), make)


def deck_for(hand: Sequence[str]) -> cards.Deck:
    """The standard deck, unless there is a card that only the Royal deck has."""
    return STANDARD if all(cards.Face.parse(text).card in STANDARD for text in hand) else ROYAL


def hand_png(
    hand: Sequence[str],
    playable: Collection[int] | None = None,
    theme: str = "slate",
    letters: Sequence[str] | None = None,
    deck: cards.Deck | None = None,
    marked: Collection[int] = (),
) -> bytes:
    """A hand as PNG bytes, 1024 pixels wide.

    `playable` are the indices (from 0) of the cards that can be played now; None shows all bright. `letters` are
    written below the cards. `deck` holds the cards of the rule system (`system.cards`); without it, standard cards are
    shown unless there is one that only the Royal deck has. `marked` are the indices of cards that have just come into
    the hand. Raises RenderError.
    """
    look = theme_of(theme)
    if len(hand) > MOST:
        raise RenderError("hand", f"has more than {MOST} cards")
    shown = deck_for(hand) if deck is None else deck
    for text in hand:
        if (card := cards.Face.parse(text).card) not in shown:
            raise RenderError("hand", f"{card!r} is not in the same deck as the others")
    palette = palette_for(look)
    drawn = picture(hand, playable, look, letters, shown, marked)
    return png.encode(palette.quantise(drawn), palette.colours)
