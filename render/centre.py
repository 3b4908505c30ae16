"""The middle of the board: the cards played and by whom, the draw pile, the move in words, round and deal."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from render import cards, marks, ribbons, shapes, sprites
from render.cache import Cache
from render.colour import RGB, mix
from render.draw import Art, Canvas, Sprite
from render.geometry import Layout
from render.middle import Middle, middle_of
from render.scene import LABELS, Scene, struck_in
from render.text import BOLD, ELLIPSIS, fit, ink, wrap
from render.themes import Theme

_captions: Cache[Sprite] = Cache("captions", 4 << 20, lambda sprite: sprite.bytes + 300)

TURNS = (15.0, 8.0, 0.0)
"""How far the cards of the pile are turned, oldest first, in degrees."""
_PLACES = {1: (0.0,), 2: (-0.38, 0.0), 3: (-0.56, -0.32, 0.0)}
"""Where they lie, in card widths from the newest one."""
TOKEN = 0.2
"""Radius of the piece of whoever played the newest card, in card widths."""


def draw(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the pile, the caption and the round; before a game the plate, after it the cup."""
    k = layout.size / 1024
    spot = middle_of(layout)
    if scene.plate:
        marks.plate(canvas, layout, theme, scene)
        return
    words = scene.caption or winners_words(scene)
    if scene.winners:
        marks.cup(canvas, layout, theme, scene)
        if words:
            box = marks.feast_words(layout)
            caption(theme, words, box, spot.letters, (), k).onto(canvas, (box[0] + box[2]) / 2 * k, box[1] * k)
        return
    _pile(canvas, layout, theme, scene, spot, k)
    if spot.deck is not None and scene.deck is not None:
        deck(theme, scene.deck, spot.deck_width * k).onto(canvas, spot.deck[0] * k, spot.deck[1] * k)
    if words:
        x = (spot.words[0] + spot.words[2]) / 2
        struck = struck_in(scene.moves) if scene.caption else ()
        caption(theme, words, spot.words, spot.letters, struck, k).onto(canvas, x * k, spot.words[1] * k)
    _round(canvas, theme, scene, spot, k)


def _round(canvas: Canvas, theme: Theme, scene: Scene, spot: Middle, k: float) -> None:
    state = [scene.counter, *round_words(scene)] if scene.counter else round_words(scene)
    if not state:
        return
    x, y = spot.round
    ground = theme.table if scene.board.paths else theme.inner
    together = note(theme, " · ".join(state), spot.round_width * k, k, round(20 * k), ground)
    if together is not None:
        together.onto(canvas, x * k, y * k)
        return
    for index, word in enumerate(state[:2]):
        line = note(theme, word, spot.round_width * k, k, round(14 * k), ground)
        if line is not None:
            line.onto(canvas, x * k, (y + (index - 0.5) * 27) * k)


def _pile(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, spot: Middle, k: float) -> None:
    deck_id = scene.board.system
    shown = scene.pile[-spot.shown :]
    turns = TURNS[len(TURNS) - len(shown) :]
    places = _PLACES.get(len(shown), ())
    for index, (text, turn) in enumerate(zip(shown, turns, strict=True)):
        newest = index == len(shown) - 1
        width = pile_width(spot, newest, k)
        card = cards.card(cards.Face.parse(text), width, cards.deck_of(deck_id), turn)
        x, y = spot.cards[0] + places[index] * spot.card_width, spot.cards[1] + (0 if newest else 4)
        card.onto(canvas, x * k, y * k)
    if shown and scene.actor in scene.board.seats:
        across = spot.card_width * k
        x, y = spot.cards[0] * k + 0.44 * across, spot.cards[1] * k - 0.64 * across
        token(theme, scene.actor, TOKEN * across).onto(canvas, x, y)


def pile_width(spot: Middle, newest: bool, k: float) -> int:
    """The width of a card of the pile in pixels."""
    return round(spot.card_width * (1 if newest else 0.92) * k)


def token(theme: Theme, side: int, radius: float) -> Sprite:
    """The piece of whoever played a card, on the card's corner."""

    def make() -> Sprite:
        piece = sprites.piece(theme, side, radius)
        art = Art(piece.mask.width, piece.mask.height)
        c = art.width / 2
        art.fill((0, 0, 0), lambda p: p.disc(c, c + radius * 0.08, radius * 1.02), 0.35, radius * 0.08)
        art.paste(piece, c, c)
        return art.sprite()

    return sprites.cached(("token", theme.id, side, round(radius, 1)), make)


def deck(theme: Theme, count: int, width: float) -> Sprite:
    """The draw pile, with its number below; the middle is that of its topmost card."""

    def make() -> Sprite:
        height = 1.4 * width
        k = width / 40
        word = ink(str(count), round(24 * max(k, width / 36)), BOLD)
        art = Art(max(width + 14 * k, word.width + 4), height + 12 * k + word.cap * 2)
        cx, cy = art.width / 2, height / 2 + 6 * k
        for lower in (2, 1, 0) if count > 1 else (0,):
            x, y = cx + lower * 2.6 * k, cy + lower * 2.6 * k
            box = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            art.fill(theme.rim if not theme.bright else theme.quiet, lambda p, b=box: p.box(b, 6 * k))  # type: ignore[misc]
            inner = (box[0] + 2 * k, box[1] + 2 * k, box[2] - 2 * k, box[3] - 2 * k)
            fill = mix(theme.quiet, theme.inner, 0.3)
            art.fill(fill, lambda p, b=inner: p.box(b, 4.5 * k))  # type: ignore[misc]
        if count:
            diamond = shapes.at(shapes.regular(4, 1.0), cx, cy, 0.24 * width)
            art.fill(theme.rim, lambda p: p.polygon(diamond))
        colour = mix(theme.quiet, theme.text, 0.35)
        size = round(24 * max(k, width / 36))
        sprites.letters(art, str(count), cx, cy + height / 2 + 6 * k + word.cap * 0.9, size, colour)
        return art.sprite(y=cy)

    return _captions.get(("deck", theme.id, count, round(width, 1)), make)


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


def caption(
    theme: Theme,
    text: str,
    box: tuple[float, float, float, float],
    largest: int,
    struck: Sequence[int],
    k: float,
) -> Sprite:
    """The move in words on at most two lines, and the pieces it sent home behind them.

    The sprite hangs from the middle of its top.
    """

    def make() -> Sprite:
        wide = (box[2] - box[0]) * k
        icons = len(struck) * 1.25
        rows, size = _rows(text, wide, round(largest * k), round(16 * k))
        if struck and ink(rows[-1], size, BOLD).width + icons * size > wide:
            # The icons stand in a line of their own where they do not fit behind the last word.
            if len(rows) == 1:
                rows.append("")
            else:
                rows, size = wrap(text, lambda line, s: wide - line * icons * s, 2, size, round(15 * k))
        height = round(size * 1.18)
        widths = [ink(row, size, BOLD).width if row else 0.0 for row in rows]
        widths[-1] += icons * size
        art = Art(max(widths) + 40 * k, height * len(rows) + 16 * k, 2)
        # A ribbon may pass below: the writing brings its own ground along.
        middle = art.width / 2
        halves = [width / 2 + 9 * k for width in widths]
        plates = [(middle - half, i * height, middle + half, (i + 1) * height + 7 * k) for i, half in enumerate(halves)]
        art.fill(theme.inner, lambda p: p.boxes(plates, 0, 10 * k), 0.9)
        for index, row in enumerate(rows):
            left = middle - widths[index] / 2
            y = 4 * k + index * height + height * 0.5
            if row:
                word = ink(row, size, BOLD)
                mask = Image.new("L", art.image.size)
                at = left - (word.mask.width - word.width) / 2
                mask.paste(word.mask, (round(at), round(y + word.cap / 2) - word.ascent))
                art.stencil(theme.text, mask)
            if index == len(rows) - 1:
                at = middle + widths[index] / 2 - icons * size
                for number, side in enumerate(struck):
                    art.paste(ribbons.taken(theme, side, 0.52 * size), at + (number + 0.65) * 1.25 * size, y)
        return art.sprite(y=0)

    return _captions.get((theme.id, text, box, largest, tuple(struck), round(k, 3)), make)


def _rows(text: str, wide: float, largest: int, smallest: int) -> tuple[list[str], int]:
    """The words on one line if they fit well, else who (before a double blank) above what they did, if that fits."""
    who, _, what = text.partition("  ")
    one = fit(text, wide, largest, smallest)
    if what and one[1] < 0.85 * largest:
        found = [fit(part, wide, largest, smallest) for part in (who, what)]
        size = min(size for _, size in found)
        if size > one[1] and not any(part.endswith(ELLIPSIS) for part, _ in found):
            return [part for part, _ in found], size
    return wrap(text, lambda line, size: wide, 2, largest, smallest)


def note(theme: Theme, text: str, width: float, k: float, smallest: int, ground: RGB) -> Sprite | None:
    """A line of quiet writing; None if it does not fit."""
    words, size = fit(text, width, round(24 * k), smallest)
    if words.endswith(ELLIPSIS) and smallest > 14 * k:
        return None

    def make() -> Sprite:
        word = ink(words, size, BOLD)
        art = Art(word.width + 20 * k, 40 * k, 2)
        art.fill(ground, lambda p: p.box((0, 4 * k, art.width, 36 * k), 10 * k), 0.9)
        colour = mix(theme.quiet, theme.text, 0.25)
        sprites.letters(art, words, art.width / 2, art.height / 2, size, colour)
        return art.sprite()

    return _captions.get(("note", theme.id, words, size, ground, round(k, 3)), make)
