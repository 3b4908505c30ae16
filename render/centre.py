"""The middle of the board: the cards played, the move in words, round and deal."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from render import cards, sprites
from render.cache import Cache
from render.colour import mix
from render.draw import Art, Sprite
from render.geometry import Layout
from render.scene import Scene
from render.text import BOLD, fit, ink, wrap
from render.themes import Theme

_captions: Cache[Sprite] = Cache("captions", 6 << 20, lambda sprite: sprite.bytes + 300)

_TURNS = (13.0, -9.0, 0.0)
"""How far the cards of the pile are turned, oldest first, in degrees."""


@dataclass(frozen=True)
class Middle:
    """Where things lie in the middle, in pixels of a 1024 px picture."""

    cards: tuple[float, float]
    card_width: float
    caption: float
    """Top of the first line of the caption."""
    caption_width: float
    lines: int
    round: float


_FOUR = Middle((512, 462), 136, 592, 390, 3, 338)
_SIX = Middle((512, 478), 118, 588, 300, 3, 352)
_CROSSED = Middle((512, 392), 96, 592, 300, 3, 306)


def middle_of(layout: Layout) -> Middle:
    """The places for this board; cards give way to inner paths."""
    if layout.board.paths:
        return _CROSSED
    return _FOUR if layout.board.sides == 4 else _SIX


def draw(canvas: Image.Image, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the pile, the caption and the round."""
    k = layout.size / 1024
    spot = middle_of(layout)
    _pile(canvas, scene, spot, k)
    if scene.caption:
        caption(theme, scene.caption, spot.caption_width * k, spot.lines, k).onto(
            canvas, spot.cards[0] * k, spot.caption * k
        )
    words = round_words(scene)
    if words:
        note(theme, words, 300 * k, k).onto(canvas, spot.cards[0] * k, spot.round * k)


def _pile(canvas: Image.Image, scene: Scene, spot: Middle, k: float) -> None:
    royal = bool(scene.board.system.cards.keys() & {"13"})
    shown = scene.pile[-3:]
    turns = _TURNS[len(_TURNS) - len(shown) :]
    older = (-0.36, 0.3) if len(shown) == 3 else (-0.36,)
    for index, (text, turn) in enumerate(zip(shown, turns, strict=True)):
        newest = index == len(shown) - 1
        face = cards.Face.parse(text, index)
        width = round(spot.card_width * (1 if newest else 0.92) * k)
        shift = 0.0 if newest else older[index] * spot.card_width
        if len(shown) == 2 and newest:
            shift = 0.1 * spot.card_width
        card = cards.card(face, width, royal, turn)
        card.onto(canvas, (spot.cards[0] + shift) * k, (spot.cards[1] + (0 if newest else -5)) * k)


def round_words(scene: Scene) -> str:
    """The round and the cards dealt, "Round 3 · 5 cards", from the labels if they say it."""
    if not scene.round:
        return ""
    words = scene.labels.get("round") or f"Round {scene.round}"
    dealt = scene.labels.get("cards") or (f"{scene.dealt} card{'s' if scene.dealt != 1 else ''}" if scene.dealt else "")
    return f"{words} · {dealt}" if dealt else words


def caption(theme: Theme, text: str, width: float, lines: int, k: float) -> Sprite:
    """The move in words, in up to three lines; the sprite hangs from the middle of its top."""

    def make() -> Sprite:
        rows, size = wrap(text, width, lines, round(31 * k), round(19 * k))
        height = round(size * 1.22)
        art = Art(width + 24 * k, height * len(rows) + 16 * k)
        for index, row in enumerate(rows):
            word = ink(row, size, BOLD)
            mask = Image.new("L", art.image.size)
            base = round(4 * k + index * height + height * 0.5 + word.cap / 2)
            mask.paste(word.mask, (round(art.width / 2 - word.mask.width / 2), base - word.ascent))
            art.stencil(theme.inner, mask, 0.0 if theme.shadow == 0 else 0.6)
            art.stencil(theme.text, mask)
        return art.sprite(y=0)

    return _captions.get((theme.id, text, round(width), lines, round(k, 3)), make)


def note(theme: Theme, text: str, width: float, k: float) -> Sprite:
    """A line of quiet writing."""

    def make() -> Sprite:
        words, size = fit(text, width, round(23 * k), round(16 * k))
        word = ink(words, size, BOLD)
        art = Art(word.width + 20 * k, 40 * k)
        colour = mix(theme.quiet, theme.text, 0.25)
        sprites.letters(art, words, art.width / 2, art.height / 2, size, colour)
        return art.sprite()

    return _captions.get(("note", theme.id, text, round(width), round(k, 3)), make)
