"""The middle of the board: the cards played and by whom, the draw pile, the move in words, round and deal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from render import cards
from render.board import exchange, halos, plates, sprites, strokes
from render.board.geometry import Layout
from render.board.middle import LEADING, LEAST, WHOLE, Middle, middle_for
from render.board.patches import STATE
from render.drawing import shapes
from render.drawing.art import Art, Canvas, Pen, Sprite, cached, grow
from render.drawing.colour import mix
from render.drawing.text import BOLD, ELLIPSIS, clean, fit, ink, width_of, wrap, write
from render.scene import Scene, captured_sides
from render.themes import INK, MARKS, Theme

TURNS = (8.0, 0.0)
"""Turns of the pile's cards in degrees, oldest first."""
_PLACES = {1: (0.0,), 2: (-0.58, 0.0)}
"""Where they lie, in card widths from the newest."""
TAB = (0.6, 0.21)
"""Width and height of what shows of the player's tab below the newest card, in card widths."""


def draw(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the pile, the caption and the round; before a game its plate, after it the winners."""
    k = layout.size / 1024
    spot = middle_for(layout, scene)
    if scene.plate:
        plates.lobby(canvas, layout, theme, scene)
        return
    if scene.winners:
        plates.feast(canvas, layout, theme, scene)
        return
    if scene.exchange:
        spot = exchange.draw(canvas, layout, theme, scene, spot)
    else:
        _pile(canvas, layout, theme, scene, spot, k)
    if scene.deck is not None and not scene.exchange:
        shown = deck(theme, scene.deck, spot.deck_width * k)
        _back(shown, theme, scene).onto(canvas, spot.deck[0] * k, spot.deck[1] * k)
    if scene.caption and not scene.exchange:
        # Only behind the words of a move, not behind those of a fold that followed it.
        struck = captured_sides(scene.moves) if MOVE in scene.caption else ()
        # Walks keep to the paths beside the words, which these would cover.
        steps = scene.moves[-1][1] if scene.moves else ()
        walks = all(step.kind in strokes.WALKS and not step.sent_home for step in steps)
        caption(canvas, theme, scene.caption, spot, struck, k, not (layout.board.paths and walks))
    for line, x, y in round_notes(theme, scene, spot, k):
        _back(line, theme, scene, STATE).onto(canvas, x, y)


def _back(sprite: Sprite, theme: Theme, scene: Scene, share: float = 0.0) -> Sprite:
    """Fade a sprite where the board is faded, as far as that if no `share` is given."""
    return sprite.fade(theme.table, share or theme.back) if scene.back else sprite


def round_notes(theme: Theme, scene: Scene, spot: Middle, k: float) -> list[tuple[Sprite, float, float]]:
    """Return round and deal on as many lines as there is room for, with their spots.

    What does not fit is left out, the last item first. A film's counter takes the place of the cards dealt, with a line
    below that shows how far it has come.
    """
    state = round_words(scene) if spot.round_lines else []
    x, y = spot.round
    if scene.counter is not None:
        state, y = ["{} / {}".format(*scene.counter), *state[:1]], y - 10
    lines: list[str] = []
    while state and not lines:
        together = " · ".join(state)
        if len(state) == 1 or width_of(clean(together), round(LEAST * k)) <= spot.round_width * k:
            lines = [together]
        elif spot.round_lines > 1:
            lines = state[: spot.round_lines]
        else:
            state = state[:-1]
    # Films are half the size of boards: their counter is larger. The names of an exchange lead on its plate.
    usual, wide = ROUND - 4 * (bool(scene.exchange) and scene.board.sides > 4), spot.round_width * k
    sizes = usual if scene.counter is None else COUNTER, usual
    notes = [note(theme, line, wide, k, size, size == COUNTER) for line, size in zip(lines, sizes, strict=False)]
    down = 18 * (len(notes) - 1)
    shown = [(line, x * k, (y - down + 36 * index) * k) for index, line in enumerate(notes)]
    if scene.counter is not None:
        long = max(line.mask.width for line in notes)
        # Between inner paths there is less room.
        below = y + down + (23 if scene.board.paths else 30)
        shown.append((_progress(theme, scene.counter, long, k), x * k, below * k))
    return shown


@cached(width=1, k=3)
def _progress(theme: Theme, counter: tuple[int, int], width: float, k: float) -> Sprite:
    """Return a bar that shows how far a film has come."""
    art = Art(width, 8 * k)
    for colour, done in ((mix(theme.quiet, theme.inner, 0.6), 1.0), (theme.gold, counter[0] / max(counter[1], 1))):
        art.fill(colour, partial(Pen.box, box=(0, 0, max(8 * k, width * done), 8 * k), radius=4 * k))
    return art.sprite()


def _pile(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, spot: Middle, k: float) -> None:
    shown = scene.pile[-spot.shown :]
    turns = TURNS[len(TURNS) - len(shown) :]
    places = _PLACES.get(len(shown), ())
    # A fan leans left of its newest card; a card alone lies in the middle, unless paths run through that.
    x, y = WHOLE / 2 if len(shown) == 1 and not layout.board.paths else spot.cards[0], spot.cards[1]
    if shown and scene.actor in scene.board.seats:
        wide, tall = (part * spot.card_width * k * (1.3 if spot.flank else 1.0) for part in TAB)
        foot, edge = y + cards.TALL / 2 * spot.card_width, x - spot.card_width / 2
        if spot.flank:
            tab(theme, scene.actor, wide, tall, True).onto(canvas, edge * k, foot * k - 0.6 * wide)
        else:
            tab(theme, scene.actor, wide, tall).onto(canvas, x * k, foot * k)
    for index, (text, turn) in enumerate(zip(shown, turns, strict=True)):
        newest = index == len(shown) - 1
        width = pile_width(spot, newest, k)
        card = cards.card(cards.Face.parse(text), width, scene.board.system.cards, turn, slim=is_slim(spot))
        card.onto(canvas, (x + places[index] * spot.card_width) * k, (y + (0 if newest else 4)) * k)


def pile_width(spot: Middle, newest: bool, k: float) -> int:
    """Return the width of a card of the pile in pixels."""
    return round(spot.card_width * (1 if newest else 0.92) * k)


def is_slim(spot: Middle) -> bool:
    """Return True if the cards of the pile are too narrow for strips of several parts."""
    return spot.card_width < 80


@cached(width=1, height=1)
def tab(theme: Theme, side: int, width: float, height: float, flank: bool = False) -> Sprite:
    """Return a flat tab in the colour of a card's player, with their mark, that shows below the card's foot.

    It is no piece: pieces are round. Its middle is that of the card's lower edge; at the card's left `flank`, it is on
    that edge.
    """
    k = height / 28
    across, down = (height, width / 2) if flank else (width / 2, height)
    art = Art(2 * across + 8 * k, 2 * down + 8 * k)
    c, middle = art.width / 2, art.height / 2
    box = (c - across, middle - down, c + across, middle + down)
    x, y = (c - 0.46 * height, middle) if flank else (c, middle + 0.46 * height)
    seat = theme.seat(side)
    art.fill((0, 0, 0), lambda p: p.box(grow(box, 1.6 * k), 12 * k), theme.shadow, 1.6 * k)
    art.fill(INK, lambda p: p.box(grow(box, 1.2 * k), 11 * k))
    art.fill(theme.rim, lambda p: p.box(box, 10 * k))
    art.fill(seat, lambda p: p.box(grow(box, -2.6 * k), 8 * k))
    art.fill(theme.mark(side), lambda p: shapes.mark(p, MARKS[side], x, y, 0.38 * height))
    return art.sprite()


@cached(width=1)
def deck(theme: Theme, count: int, width: float) -> Sprite:
    """Return the draw pile, with its number below; the middle is that of its topmost card."""
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
        art.fill(theme.rim, lambda p: shapes.paw(p, cx, cy, 0.33 * width))
    colour = mix(theme.quiet, theme.text, 0.35)
    size = round(24 * max(k, width / 36))
    sprites.letters(art, str(count), cx, cy + height / 2 + 6 * k + word.cap * 0.9, size, colour)
    return art.sprite(y=cy)


def round_words(scene: Scene) -> list[str]:
    """Return round and cards dealt, "Round 3" and "5 cards", from the labels if they say it."""
    if not scene.round:
        return []
    words = [scene.labels.get("round") or f"Round {scene.round}"]
    if scene.dealt:
        words.append(scene.labels.get("cards") or f"{scene.dealt} card{'s' if scene.dealt != 1 else ''}")
    return words


def caption(
    canvas: Canvas,
    theme: Theme,
    text: str,
    spot: Middle,
    struck: Sequence[int],
    k: float,
    grounded: bool = True,
) -> None:
    """Write the move in words on at most two lines, followed by the pieces it sent home.

    It hangs below the cards from the middle of the box's top edge (in pixels of a 1024 px picture), or stands above
    them on its lower edge; none of it lies outside the box.
    """
    box, icons = spot.words, len(struck) * ICON
    rows, size = caption_rows(text, (box[2] - box[0]) * k, round(spot.letters * k), round(LEAST * k), icons)
    height = min(round(size * LEADING), round(((box[3] - box[1]) - 8) * k / len(rows)))
    # Two lines have less room above each other than a single line.
    size = min(size, height)
    middle = (box[0] + box[2]) / 2 * k
    top = round(box[3] * k) - len(rows) * height - round(7 * k) if box[3] < spot.cards[1] else round(box[1] * k)
    widths = [width_of(row, size) if row else 0.0 for row in rows]
    widths[-1] += icons * size
    # A ribbon may pass below: then the writing brings its own ground.
    for index, width in enumerate(widths if grounded else ()):
        wide = math.ceil(width + 18 * k)
        mask = _below(wide + -wide % 12, round(height + 7 * k), round(10 * k)).mask
        canvas.stencil(theme.inner, mask, round(middle - mask.width / 2), top + index * height)
    for index, (row, width) in enumerate(zip(rows, widths, strict=True)):
        y = top + 4 * k + (index + 0.5) * height
        if row:
            write(canvas, ink(row, size), theme.text, middle - width / 2, y, height * 0.5 + 4 * k)
    y, at = top + 4 * k + (len(rows) - 0.5) * height, middle + widths[-1] / 2 - icons * size
    for number, side in enumerate(struck):
        halos.captured_piece(theme, side, 0.52 * size).onto(canvas, at + (number + 0.65) * ICON * size, y)


@cached()
def _below(width: int, height: int, radius: int) -> Sprite:
    """Return the opacity of the ground below words: nearly solid, in a rounded box."""
    pen = Pen(width, height, 3)
    pen.box((0, 0, width, height), radius)
    mask = pen.take().point([round(i * 0.9) for i in range(256)])
    return Sprite(mask, mask, 0, 0)


MOVE = "  "
"""Separates who it was from what they did in the caption of a move: a double blank."""
ICON = 1.25
"""The room that a piece behind the words takes, in letter heights."""


def caption_rows(text: str, wide: float, largest: int, smallest: int, icons: float = 0.0) -> tuple[list[str], int]:
    """Return the rows of a caption and the size of its letters.

    All on one line if that fits well; otherwise the player (see `MOVE`) and as little as possible of what they did
    stand above the rest of it. A name may be shortened, or left out, what was done is not. `icons`: room behind the
    last row, in letter heights.
    """
    who, _, what = (part.strip() for part in text.partition(MOVE))
    if not what:
        return wrap(text, lambda line, size: wide - icons * size, 2, largest, smallest)
    who, what = clean(who), clean(what)
    whole = f"{who} {what}"
    for size in range(largest, max(smallest, round(0.85 * largest)) - 1, -1):
        if width_of(whole, size) + icons * size <= wide:
            return [whole], size
    for size in range(largest, smallest - 1, -1):
        if width_of(what, size) + icons * size <= wide:
            while size > smallest and size > 0.7 * largest and width_of(who, size) > wide:
                size -= 1
            return [fit(who, wide, size, size)[0], what], size
    words = what.split()
    rests = (" ".join(words[at:]) for at in range(1, len(words)))
    rest = next((rest for rest in rests if width_of(rest, smallest) + icons * smallest <= wide), words[-1])
    begun = what.removesuffix(rest).rstrip()
    name = fit(who, wide - width_of(f" {begun}", smallest), smallest, smallest)[0]
    return [begun if name == ELLIPSIS else f"{name} {begun}".rstrip(), rest], smallest


ROUND, COUNTER = 30, 34
"""The height of the round's letters and of a film's counter, in pixels of a 1024 px picture."""


@cached(k=3)
def note(theme: Theme, text: str, width: float, k: float, letters: int = ROUND, loud: bool = False) -> Sprite:
    """Return a line of writing, unobtrusive unless it is `loud`."""
    words, size = fit(text, width, round(letters * k), round(18 * k))
    word = ink(words, size, BOLD)
    art = Art(word.width + 4, letters * 1.2 * k, 2)
    middle = art.height / 2
    sprites.letters(art, words, art.width / 2, middle, size, theme.text if loud else mix(theme.quiet, theme.text, 0.4))
    return art.sprite()
