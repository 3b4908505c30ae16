"""The middle of the board: the cards played and by whom, the draw pile, the move in words, round and deal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from PIL import Image

from render import cards
from render.board import ground, halos, occasions, ribbons, sprites, strokes
from render.board.geometry import Layout
from render.board.middle import LEADING, WHOLE, Middle, middle_for
from render.board.patches import STATE
from render.drawing import shapes
from render.drawing.art import Art, Box, Canvas, Pen, Point, Sprite, grown, kept
from render.drawing.colour import mix
from render.drawing.text import BOLD, ELLIPSIS, clean, fit, ink, width_of, wrap, write, write_line
from render.scene import Scene, struck_in
from render.themes import INK, MARKS, Theme

TURNS = (8.0, 0.0)
"""How far the cards of the pile are turned, in degrees, oldest first."""
_PLACES = {1: (0.0,), 2: (-0.58, 0.0)}
"""Where they lie, in card widths from the newest."""
TAB = (0.6, 0.21)
"""Width and height of what shows below the newest card of the tab of whoever played it, in card widths."""


def draw(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the pile, the caption and the round; before a game its plate, after it the winners."""
    k = layout.size / 1024
    spot = middle_for(layout, scene)
    if scene.counter is not None:
        _progress(canvas, theme, scene.counter, layout.size, k)
    if scene.plate:
        occasions.lobby(canvas, layout, theme, scene)
        return
    if scene.winners:
        occasions.feast(canvas, layout, theme, scene)
        return
    if scene.exchange:
        spot = _exchange(canvas, layout, theme, scene, spot, k)
    else:
        _pile(canvas, layout, theme, scene, spot, k)
    if scene.deck is not None and not scene.exchange:
        shown = deck(theme, scene.deck, spot.deck_width * k)
        _back(shown, theme, scene).onto(canvas, spot.deck[0] * k, spot.deck[1] * k)
    if scene.caption and not scene.exchange:
        # Only behind the words of a move, not behind those of a fold that followed it.
        struck = struck_in(scene.moves) if MOVE in scene.caption else ()
        # Walks keep to the paths beside the words, which these would cover.
        steps = scene.moves[-1][1] if scene.moves else ()
        walks = all(step.kind in strokes.WALKS and not step.sent_home for step in steps)
        caption(canvas, theme, scene.caption, spot, struck, k, not (layout.board.paths and walks))
    for line, x, y in round_notes(theme, scene, spot, k):
        _back(line, theme, scene, STATE).onto(canvas, x, y)


def _back(sprite: Sprite, theme: Theme, scene: Scene, share: float = 0.0) -> Sprite:
    """What a question is not about steps back, as far as the board if no `share` is given."""
    return sprite.faded(theme.table, share or theme.back) if scene.back else sprite


def round_notes(theme: Theme, scene: Scene, spot: Middle, k: float) -> list[tuple[Sprite, float, float]]:
    """Round and deal, or the counter of a film and the round, on as many lines as there is room for, and where they go.

    What does not fit is left out, the last item first.
    """
    state = round_words(scene) if spot.round_lines else []
    x, y = spot.round
    lines: list[str] = []
    while state and not lines:
        together = " · ".join(state)
        if len(state) == 1 or width_of(clean(together), round(LEAST * k)) <= spot.round_width * k:
            lines = [together]
        elif spot.round_lines > 1:
            lines = state[: spot.round_lines]
        else:
            state = state[:-1]
    if scene.counter is not None:
        # Films are half the size of boards: their counter is larger, and takes the place of the cards dealt.
        lines = ["{} / {}".format(*scene.counter), *state[: spot.round_lines - 1]]
    sizes = (ROUND if scene.counter is None else COUNTER, *[ROUND] * len(lines))
    wide = spot.round_width * k
    notes = [note(theme, line, wide, k, size, size == COUNTER) for line, size in zip(lines, sizes, strict=False)]
    step = 30 if scene.counter is None else 36
    first = y - (len(notes) - 1) * step / 2
    return [(line, x * k, (first + step * index) * k) for index, line in enumerate(notes)]


def _progress(canvas: Canvas, theme: Theme, counter: tuple[int, int], size: int, k: float) -> None:
    """Draw how far a film has come, as a line along its foot, with a gap between it and the board."""
    ground = mix(theme.quiet, theme.table, 0.72)
    for colour, tall, done in ((theme.table, 12, 1.0), (ground, 8, 1.0), (theme.gold, 8, counter[0] / counter[1])):
        top = size - round(tall * k)
        canvas.stencil(colour, Image.new("L", (round(size * done), size - top), 255), 0, top)


def _pile(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, spot: Middle, k: float) -> None:
    shown = scene.pile[-spot.shown :]
    turns = TURNS[len(TURNS) - len(shown) :]
    places = _PLACES.get(len(shown), ())
    # A fan leans left of its newest card; a card alone lies in the middle, unless paths run through that.
    x, y = WHOLE / 2 if len(shown) == 1 and not layout.board.paths else spot.cards[0], spot.cards[1]
    if shown and scene.actor in scene.board.seats:
        wide, tall = (part * spot.card_width * k for part in TAB)
        foot, edge = y + cards.TALL / 2 * spot.card_width, x - spot.card_width / 2
        if spot.flank:
            tab(theme, scene.actor, wide, tall, True).onto(canvas, edge * k, foot * k - 0.6 * wide)
        else:
            tab(theme, scene.actor, wide, tall).onto(canvas, x * k, foot * k)
    for index, (text, turn) in enumerate(zip(shown, turns, strict=True)):
        newest = index == len(shown) - 1
        width = pile_width(spot, newest, k)
        card = cards.card(cards.Face.parse(text), width, scene.board.system.cards, turn, slim=slim(spot))
        card.onto(canvas, (x + places[index] * spot.card_width) * k, (y + (0 if newest else 4)) * k)


def pile_width(spot: Middle, newest: bool, k: float) -> int:
    """The width of a card of the pile in pixels."""
    return round(spot.card_width * (1 if newest else 0.92) * k)


def slim(spot: Middle) -> bool:
    """Whether the cards of the pile are too narrow for strips of several parts."""
    return spot.card_width < 80


def _exchange(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, spot: Middle, k: float) -> Middle:
    """Draw who gives a card to whom: pairs with a large sign between them, teams in a row each, one group as it sits.

    On more than four sides it lies on a plate, with the round: pieces on its corners stand on it, and where it would
    hide any, a small one lies beside the crossing. Returns the places with that of the round.
    """
    rows, pairs, unit = scene.exchange, len(scene.exchange[0]) == 2, occasions.unit(layout)
    lines = len(rows)
    box: Box = tuple(edge * k for edge in spot.pairs)  # type: ignore[assignment]
    plate = False
    if layout.board.sides > 4:
        middle, below = layout.size / 2, occasions.hidden(layout, scene)
        plate = all(place.isdigit() for _, place in below)
        if plate:
            occasions.frame(theme, occasions.hub(layout), unit).onto(canvas, middle, middle)
            wide, top, bottom, level = (edge * unit for edge in _ROOMS[layout.board.sides])
            # Four above each other keep off the narrow top of the plate; six in a round and three pairs need height.
            top += (8 if lines > 3 else -30 if len(rows[0]) in (2, 6) else 0) * unit
            bottom += 12 * unit * (pairs and lines == 3)
            wide += (-30 if pairs else 12 if lines == 1 else 0) * unit
            box = (middle - wide, middle + top, middle + wide, middle + bottom)
            crowded = any(abs(layout.place(*one)[1] - middle - level) < 38 * unit for one in below)
            spot = replace(spot, round=(512, 512 + level / k), round_width=200 * unit / k, round_lines=not crowded)
        else:
            left, top, right, bottom = box
            small = occasions.frame(theme, occasions.boxed(right - left, bottom - top, k), k)
            small.onto(canvas, (left + right) / 2, (top + bottom) / 2)
            box = grown(box, -0.035 * (right - left))
    left, top, right, bottom = box
    x = (left + right) / 2
    step = min((bottom - top) / lines, (138 if not pairs else 160 if lines < 4 else 52) * k)
    # The names below the lowest team have more room towards the middle.
    levels = [
        (top + bottom) / 2 - (0 if pairs else 0.05 * step) + (number - (lines - 1) / 2) * step
        for number in range(lines)
    ]
    if pairs:
        if lines == 1:
            # Beside the middle are the lanes of those who sit left and right.
            left, right = max(left, x - 190 * k), min(right, x + 190 * k)
        halves, size = [(right - left) / 2] * lines, 40.0 * k
        if plate and lines > 3:
            middle = layout.size / 2
            halves = [occasions.half(layout, abs(level - middle) + 10 * k) - 10 * k for level in levels]
            rooms = [(pair, half - (_OUTER + 0.3) * _SMALL * k) for pair, half in zip(rows, halves, strict=True)]
            size = min(_fitted(canvas, scene, side, room, 30 * k)[1] for pair, room in rooms for side in pair)
        for pair, level, half in zip(rows, levels, halves, strict=True):
            _pair(canvas, theme, scene, pair, (x, level), half, step, size, k)
    elif lines == 1:
        _circle(canvas, layout, theme, scene, box, plate)
    else:
        most = max(map(len, rows))
        apart = min((0.97 if most < 4 else 1.013) * (right - left) / most, 0.8 * step)
        # All names have the size at which they stand in a line in each row.
        size, least = round((32 if most < 4 else 25) * k), round((LEAST - 2) * k)
        wide, gap = right - left - 14 * k, (8 if most < 4 else 16) * k
        while size > least and not all(_in_line(scene, group, size, apart, wide, gap) for group in rows):
            size -= 1
        for group, level in zip(rows, levels, strict=True):
            away = _in_line(scene, group, size, apart, wide, gap)
            _row(canvas, theme, scene, group, (x, level), apart, step, size, away)
    return spot


_ROOMS = {6: (184, -150, 144, 172), 8: (182, -148, 112, 132)}
"""On the plate, as seen from its middle, in parts of `occasions.unit`: how far what is on it reaches across, up and
down, where pieces on the plate's corners keep free of it, and the level of the round, which makes way for these."""


def _pair(
    canvas: Canvas,
    theme: Theme,
    scene: Scene,
    pair: Sequence[int],
    middle: Point,
    half: float,
    step: float,
    size: float,
    k: float,
) -> None:
    """Draw two who give a card to each other, in a room this wide to each side; `size`: of the largest letters.

    Names stand beside the pieces, or below them; where there is no room at all, those in the corners must do.
    """
    x, level = middle
    # Four lie close: small pieces leave their names room.
    radius = min(0.46 * step, half / _OUTER, (44 if step > 66 * k else _SMALL) * k)
    room = half - (_OUTER + 0.3) * radius
    beside, below = room >= NAMED * k, room < NAMED * k and step >= 66 * k
    small = (half - 1.2 * NAMED * k) / (_OUTER + 0.3)
    if not beside and not below and small >= 19 * k:
        # Smaller pieces make room.
        radius, beside = small, True
        room = half - (_OUTER + 0.3) * radius
    if beside:
        # Both are as small as the longer one.
        size = min(_fitted(canvas, scene, side, room, min(size, 1.7 * radius))[1] for side in pair)
    if below:
        radius = min(0.25 * step, 42 * k)
        room = half - 8 * k
        level -= 0.19 * step
    large = min(0.34 * step, 34 * k) if below else 0.78 * radius
    sprites.sign("exchange", large, theme.gold, shapes.swap).onto(canvas, x, level)
    for side, away in zip(pair, (-1, 1), strict=True):
        at = x + away * (room / 2 + 4 * k if below else (_OUTER - 1) * radius)
        sprites.piece(theme, side, radius).onto(canvas, at, level)
        if beside:
            _name(canvas, theme, scene, side, (x + away * (_OUTER + 0.3) * radius, level), room, size, (1 - away) / 2)
        elif below:
            _name(canvas, theme, scene, side, (at, level + 0.46 * step), room, min(30 * k, 0.38 * step), 0.5)


def _name(
    canvas: Canvas, theme: Theme, scene: Scene, side: int, spot: Point, room: float, size: float, align: float
) -> None:
    """Write the name of somebody in an exchange; where four stand in a row, it may be small rather than cut."""
    words, pixels = _fitted(canvas, scene, side, room, size)
    write_line(canvas, words, spot, pixels, room, BOLD, theme.text, align=align)


def _fitted(canvas: Canvas, scene: Scene, side: int, room: float, size: float) -> tuple[str, int]:
    """That name as it is written, and how large."""
    least = round((LEAST if room > 90 * canvas.image.width / 1024 else LEAST - 2) / 1024 * canvas.image.width)
    return fit(scene.names.get(side, ""), room, max(least, round(size)), least)


def _in_line(scene: Scene, group: Sequence[int], size: int, apart: float, wide: float, gap: float) -> tuple[float, ...]:
    """How far the names of a row make way for each other, away from the middles of their pieces; none if too far."""
    half = [width_of(clean(scene.names.get(side, "")), size) / 2 for side in group]
    spots = [(index - (len(group) - 1) / 2) * apart for index in range(len(group))]
    # The mean of what pushes to the right and what pushes to the left keeps them as far apart as each of both.
    right, left = spots.copy(), spots.copy()
    for index in range(1, len(group)):
        right[index] = max(spots[index], right[index - 1] + half[index - 1] + gap + half[index])
    for index in reversed(range(len(group) - 1)):
        left[index] = min(spots[index], left[index + 1] - half[index + 1] - gap - half[index])
    moved, limit = [(one + other) / 2 for one, other in zip(right, left, strict=True)], wide / 2 + gap
    # Nor do they leave the room there is.
    for index in reversed(range(len(group))):
        moved[index] = min(moved[index], limit - gap - half[index])
        limit = moved[index] - half[index]
    away = tuple(one - spot for one, spot in zip(moved, spots, strict=True))
    fits = limit >= -wide / 2 and max(map(abs, away)) <= 0.16 * apart
    return away if fits else ()


def _row(
    canvas: Canvas,
    theme: Theme,
    scene: Scene,
    group: Sequence[int],
    middle: Point,
    apart: float,
    step: float,
    size: int,
    away: Sequence[float],
) -> None:
    """Draw a team in a row: each gives to the next, and the last one, by the line above, to the first.

    `away`: from the middles of the pieces to those of the names, or nothing if these are to be cut.
    """
    x, y = middle
    radius = min(0.31 * apart, 0.225 * step)
    head = min(0.19 * apart, 0.42 * (apart - 2 * radius))
    spots = [(x + (index - (len(group) - 1) / 2) * apart, y) for index in range(len(group))]
    (first, _), (last, _), high = spots[0], spots[-1], y - 1.62 * radius
    line = ribbons.band(((last, y), (last, high), (first, high), (first, y)), 0.12 * radius)
    canvas.stencil(theme.gold, line.mask, -line.x, -line.y)
    # Between the line and the pieces below it, and the names above, there is room for a small one.
    ribbons.chevron(ground.heading((last, high), (first, high)), 0.44 * radius, theme.gold).onto(canvas, x, high)
    for index, (side, (at, _)) in enumerate(zip(group, spots, strict=True)):
        sprites.piece(theme, side, radius).onto(canvas, at, y)
        low = y + radius + 0.15 * step
        if away:
            spot, name = (at + away[index], low), scene.names.get(side, "")
            write_line(canvas, name, spot, size, 2 * apart, BOLD, theme.text, align=0.5)
        elif apart > NAMED * canvas.image.width / 1024:
            _name(canvas, theme, scene, side, (at, low), 0.93 * apart, size, 0.5)
        if side != group[-1]:
            ribbons.chevron(ground.heading(spots[0], spots[1]), head, theme.gold).onto(canvas, at + apart / 2, y)


def _circle(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, box: Box, plate: bool) -> None:
    """Draw the seats' pieces in a round, from the one at the bottom, with an arrow to whom each gives, and names.

    `plate`: it lies on the large plate, whose edges the names keep off.
    """
    k, x = layout.size / 1024, (box[0] + box[2]) / 2
    if layout.board.sides == 4:
        # Between the lanes, and the corners of the track, which reach into the room for pairs.
        across = (192 if len(scene.exchange[0]) == 4 else 260) * k
        box = (x - across, box[1] + 30 * k, x + across, box[3] - 30 * k)
    left, top, right, bottom = box
    roomy = plate and len(layout.board.seats) == 6
    named = (126 if roomy else 98 if layout.board.sides == 4 else 118) * k if any(scene.names.values()) else 0.0
    seats = sorted(layout.board.seats, key=lambda side: (side - layout.turned) % layout.board.sides)
    turn = 2 * math.pi / len(seats)
    # Half the distance of neighbours, and how high and wide the round is, each for a round of radius 1.
    half, angles = math.sin(turn / 2), [math.pi / 2 + turn * index for index in range(len(seats))]
    high, wide = 1 - min(map(math.sin, angles)), 2 * max(map(math.cos, angles))
    tall, broad = bottom - top, right - left - 2 * named
    radius = min(tall / (2 + high / (0.6 * half)), (0.19 if len(seats) < 5 else 0.17) * broad, 52 * k)
    down, across = (tall - 2 * radius) / high, min((broad - 2 * radius) / wide, (tall - 2 * radius) / high)
    y = (top + bottom + (high - 2) * down) / 2
    ends = {
        side: (x + across * math.cos(angle), y + down * math.sin(angle))
        for side, angle in zip(seats, angles, strict=True)
    }
    for giver, taker in pairwise((*scene.exchange[0], scene.exchange[0][0])):
        one, other = ends[giver], ends[taker]
        length = math.dist(one, other)
        head, at = min((0.6 if roomy else 0.5) * radius, 0.5 * (length - 2 * radius)), 0.5
        if roomy and length < 4 * radius:
            # A short way is all head, which is off both pieces.
            head = min(0.66 * radius, 0.75 * (length - 2 * radius))
            at -= 0.15 * head / length
        else:
            line = ribbons.band((one, other), 0.16 * radius)
            canvas.stencil(mix(theme.gold, theme.inner, 0.4), line.mask, -line.x, -line.y)
        spot = one[0] + (other[0] - one[0]) * at, one[1] + (other[1] - one[1]) * at
        ribbons.chevron(ground.heading(one, other), head, theme.gold).onto(canvas, *spot)
    away, size, rooms = radius + 8 * k, round(34 * k), {}
    for side, (at, level) in ends.items():
        edge = (right - left) / 2
        if plate:
            edge = min(edge, occasions.half(layout, abs(level - layout.size / 2) + 12 * k) - 8 * k)
        rooms[side] = min(edge - abs(at - x) - away if abs(at - x) > 1 else edge - away, 130 * k)
        size = min(size, _fitted(canvas, scene, side, rooms[side], size)[1])
    for side, (at, level) in ends.items():
        sprites.piece(theme, side, radius).onto(canvas, at, level)
        leftward = at < x - 1
        spot = (at - away if leftward else at + away, level)
        _name(canvas, theme, scene, side, spot, rooms[side], size, float(leftward))


_OUTER = 2.95
"""In the exchange, from the sign's middle to the far edges of the pieces beside it, in radiuses of a piece."""
_SMALL = 21
"""The radius of a piece where four pairs are above each other, in pixels of a 1024 px picture."""
NAMED = 74
"""The least room for a name beside them, in pixels of a 1024 px picture."""


@kept(width=1, height=1)
def tab(theme: Theme, side: int, width: float, height: float, flank: bool = False) -> Sprite:
    """A flat tab in the colour of whoever played a card, with their mark, that shows below the card's foot.

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
    art.fill((0, 0, 0), lambda p: p.box(grown(box, 1.6 * k), 12 * k), theme.shadow, 1.6 * k)
    art.fill(INK, lambda p: p.box(grown(box, 1.2 * k), 11 * k))
    art.fill(theme.rim, lambda p: p.box(box, 10 * k))
    art.fill(seat, lambda p: p.box(grown(box, -2.6 * k), 8 * k))
    art.fill(theme.mark(side), lambda p: shapes.mark(p, MARKS[side], x, y, 0.38 * height))
    return art.sprite()


@kept(width=1)
def deck(theme: Theme, count: int, width: float) -> Sprite:
    """The draw pile, with its number below; the middle is that of its topmost card."""
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
    """The round and the cards dealt, "Round 3" and "5 cards", from the labels if they say it."""
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
    # Two lines have less room above each other than one.
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
        halos.taken(theme, side, 0.52 * size).onto(canvas, at + (number + 0.65) * ICON * size, y)


@kept()
def _below(width: int, height: int, radius: int) -> Sprite:
    """How opaque the ground below words is: nearly solid, in a rounded box."""
    pen = Pen(width, height, 3)
    pen.box((0, 0, width, height), radius)
    mask = pen.take().point([round(i * 0.9) for i in range(256)])
    return Sprite(mask, mask, 0, 0)


MOVE = "  "
"""Separates who it was from what they did in the caption of a move: a double blank."""
LEAST = 24
"""The height of the smallest words, in pixels of a 1024 px picture."""
ICON = 1.25
"""The room that a piece behind the words takes, in letter heights."""


def caption_rows(text: str, wide: float, largest: int, smallest: int, icons: float = 0.0) -> tuple[list[str], int]:
    """The rows of a caption and the size of its letters.

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


ROUND, COUNTER = 28, 34
"""The height of the round's letters and of a film's counter, in pixels of a 1024 px picture."""


@kept(k=3)
def note(theme: Theme, text: str, width: float, k: float, letters: int = ROUND, loud: bool = False) -> Sprite:
    """A line of writing, unobtrusive unless it is `loud`."""
    words, size = fit(text, width, round(letters * k), round(18 * k))
    word = ink(words, size, BOLD)
    art = Art(word.width + 4, letters * 1.2 * k, 2)
    middle = art.height / 2
    sprites.letters(art, words, art.width / 2, middle, size, theme.text if loud else mix(theme.quiet, theme.text, 0.25))
    return art.sprite()
