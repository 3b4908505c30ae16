"""The middle of the board: the cards played, the move in words, round and deal."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from PIL import Image

from render import cards, marks, sprites
from render.cache import Cache
from render.colour import mix
from render.draw import Art, Canvas, Sprite
from render.geometry import Layout
from render.scene import LABELS, Scene
from render.text import BOLD, ELLIPSIS, fit, ink, wrap
from render.themes import Theme

_captions: Cache[Sprite] = Cache("captions", 5 << 20, lambda sprite: sprite.bytes + 300)

_TURNS = (15.0, 8.0, 0.0)
"""How far the cards of the pile are turned, oldest first, in degrees."""


@dataclass(frozen=True)
class Middle:
    """Where things lie in the middle, in pixels of a 1024 px picture."""

    cards: tuple[float, float]
    card_width: float
    caption: float
    """Top of the first line of the caption."""
    room: tuple[tuple[float, float], ...]
    """How wide the caption may be at which height, from the top down."""
    size: int
    """The largest letters of the caption."""
    round: float
    round_width: float
    """Round and deal share a line if they fit this width."""

    def width(self, y: float) -> float:
        """How wide writing may be at a height."""
        for (y0, w0), (y1, w1) in pairwise(self.room):
            if y <= y1:
                return w0 + (w1 - w0) * max(0.0, y - y0) / (y1 - y0)
        return self.room[-1][1]


_FOUR = Middle((512, 448), 136, 560, ((560, 368), (640, 368), (655, 256), (700, 256)), 30, 330, 380)
_SIX = Middle((512, 440), 108, 524, ((524, 296), (600, 214), (650, 150), (740, 126)), 27, 290, 132)
_CROSSED = Middle((512, 396), 92, 596, ((596, 236), (600, 230), (650, 150), (740, 126)), 26, 290, 132)


def middle_of(layout: Layout) -> Middle:
    """The places for this board; cards give way to inner paths."""
    if layout.board.paths:
        return _CROSSED
    return _FOUR if layout.board.sides == 4 else _SIX


def draw(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the pile, the caption and the round."""
    k = layout.size / 1024
    spot = middle_of(layout)
    if scene.winners:
        marks.cup(canvas, layout, theme, scene, spot.cards[0] * k, spot.cards[1] * k)
    else:
        _pile(canvas, scene, spot, k)
    words = scene.caption or winners_words(scene)
    if words:
        caption(theme, words, spot, k).onto(canvas, spot.cards[0] * k, spot.caption * k)
    state = round_words(scene)
    if state:
        together = note(theme, " · ".join(state), spot.round_width * k, k, round(20 * k))
        if together is not None:
            together.onto(canvas, spot.cards[0] * k, spot.round * k)
            return
        for index, word in enumerate(state):
            line = note(theme, word, spot.round_width * k, k, round(14 * k))
            if line is not None:
                line.onto(canvas, spot.cards[0] * k, (spot.round + (index - 0.3) * 27) * k)


def _pile(canvas: Canvas, scene: Scene, spot: Middle, k: float) -> None:
    royal = bool(scene.board.system.cards.keys() & {"13"})
    shown = scene.pile[-2 if scene.board.paths else -3 :]
    turns = _TURNS[len(_TURNS) - len(shown) :]
    places = {1: (0.0,), 2: (-0.34, 0.12), 3: (-0.62, -0.28, 0.16)}.get(len(shown), ())
    for index, (text, turn) in enumerate(zip(shown, turns, strict=True)):
        newest = index == len(shown) - 1
        face = cards.Face.parse(text, index)
        width = round(spot.card_width * (1 if newest else 0.92) * k)
        shift = places[index] * spot.card_width
        card = cards.card(face, width, royal, turn)
        card.onto(canvas, (spot.cards[0] + shift) * k, (spot.cards[1] + (0 if newest else -5)) * k)


def winners_words(scene: Scene) -> str:
    """Who has won, where the caption does not say it."""
    names = [scene.names.get(seat, "") for seat in scene.winners]
    if not all(names) or not names:
        return ""
    key = "winner" if len(names) == 1 else "winners"
    return f"{' & '.join(names)}: {scene.labels.get(key) or scene.labels.get('winner') or LABELS[key]}"


def round_words(scene: Scene) -> list[str]:
    """The round and the cards dealt, "Round 3" and "5 cards", from the labels if they say it."""
    if not scene.round:
        return []
    words = [scene.labels.get("round") or f"Round {scene.round}"]
    if scene.dealt:
        words.append(scene.labels.get("cards") or f"{scene.dealt} card{'s' if scene.dealt != 1 else ''}")
    return words


def caption(theme: Theme, text: str, spot: Middle, k: float) -> Sprite:
    """The move in words; the sprite hangs from the middle of its top."""

    def make() -> Sprite:
        def width(line: int, size: int) -> float:
            return k * min(spot.width(spot.caption + (line + share) * 1.18 * size / k) for share in (0.1, 1.0))

        rows, size = wrap(text, width, 4, round(spot.size * k), round(18 * k))
        height = round(size * 1.18)
        longest = max(ink(row, size, BOLD).width for row in rows)
        art = Art(longest + 40 * k, height * len(rows) + 16 * k, 3)
        # A ribbon may pass below: the writing brings its own ground along.
        halves = [ink(row, size, BOLD).width / 2 + 9 * k for row in rows]
        middle = art.width / 2
        plates = [(middle - half, i * height, middle + half, (i + 1) * height + 7 * k) for i, half in enumerate(halves)]
        art.fill(theme.inner, lambda p: p.boxes(plates, 0, 10 * k), 0.9)
        for index, row in enumerate(rows):
            word = ink(row, size, BOLD)
            mask = Image.new("L", art.image.size)
            base = round(4 * k + index * height + height * 0.5 + word.cap / 2)
            mask.paste(word.mask, (round(art.width / 2 - word.mask.width / 2), base - word.ascent))
            art.stencil(theme.text, mask)
        return art.sprite(y=0)

    return _captions.get((theme.id, text, spot, round(k, 3)), make)


def note(theme: Theme, text: str, width: float, k: float, smallest: int) -> Sprite | None:
    """A line of quiet writing; None if it does not fit."""
    words, size = fit(text, width, round(23 * k), smallest)
    if words.endswith(ELLIPSIS) and smallest > 14 * k:
        return None

    def make() -> Sprite:
        word = ink(words, size, BOLD)
        art = Art(word.width + 20 * k, 40 * k)
        art.fill(theme.inner, lambda p: p.box((0, 4 * k, art.width, 36 * k), 10 * k), 0.9)
        colour = mix(theme.quiet, theme.text, 0.25)
        sprites.letters(art, words, art.width / 2, art.height / 2, size, colour)
        return art.sprite()

    return _captions.get(("note", theme.id, words, size, round(k, 3)), make)
