"""Plates in the middle: the lobby's before a game, the winners' after it with cup, pieces, names and confetti."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from functools import partial

from PIL import Image, ImageFilter

from render.board import halos, ribbons, sprites, strokes
from render.board.corners import dash_colour
from render.board.geometry import FIFTH, PIECE, Layout
from render.board.middle import CROSS, LEAST
from render.drawing import shapes
from render.drawing.art import Art, Canvas, Pen, Point, Sprite, cached, grow
from render.drawing.colour import RGB, fade, mix, shade
from render.drawing.text import BOLD, INDEX, clean, fit, ink, join, names_width, width_of, write_line, write_names
from render.scene import LABELS, Scene
from render.themes import BROWN, MARKS, SEATS, Theme

NAME = "DOG"
"""The game's name, the same in every language."""


@dataclass(frozen=True)
class Feast:
    """Where the cup, the winners' pieces and their names stand: as seen from the middle, in parts of `unit`."""

    reach: tuple[float, float]
    """Reach of all of it across and up or down."""
    cup: float
    radius: float
    step: float
    """From the cup's middle to those of the pieces beside it."""
    drop: float
    """Distance of these below the cup's middle."""
    piece: float
    """Radius of a piece."""
    names: float
    """The middle of everything written."""
    room: float
    """The width of the names."""


_FEASTS = {
    4: Feast((264, 194), -76, 100, 178, 0, 44, 112, 480),
    6: Feast((225, 195), -82, 72, 133, 24, 34, 79, 330),
    8: Feast((174, 174), -77, 62, 112, 18, 31, 57, 262),
}
NAMES, MANY, SMALL, VERB = 54, 46, 30, 36
"""The height of the winners' names, of names on two lines, of the smallest before they are cut, and of the verb, if
that leaves the names larger."""
_HUBS = {6: 195.0, 8: 173.4}
"""Reach of the plate on a board of the usual size."""


def unit(layout: Layout) -> float:
    """Return the scale of the middle relative to a picture of 1024 px and a board of the usual size."""
    usual = _HUBS.get(layout.board.sides)
    return layout.hub / usual if usual else min(layout.size / 1024, layout.pitch / CROSS)


def feast(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the winners' cup between their pieces, with their names below."""
    middle, k, spot = layout.size / 2, unit(layout), _FEASTS[layout.board.sides]
    if layout.board.sides > 4:
        plate(canvas, layout, theme, scene)
    # A single winner's piece and the cup stand in the middle together, and closer.
    alone = len(scene.winners) == 1
    x = middle + 0.27 * spot.step * k * alone
    y = middle + (spot.cup if any(scene.names.get(seat) for seat in scene.winners) else -spot.drop) * k
    three = len(scene.winners) == 3
    # A row of three stands between a smaller cup and the names.
    cup_sprite(theme, spot.radius * k * (0.72 if three else 1.0)).onto(canvas, x, y - three * 0.56 * spot.radius * k)
    radius = spot.piece * k * (1.0 if len(scene.winners) < 3 else 0.7)
    step = spot.step * k * (0.86 if alone else 1.0 if len(scene.winners) < 3 else 0.92)
    if three:
        spots = [(x + away * 3 * radius, y + 0.65 * spot.radius * k) for away in (-1, 0, 1)]
    else:
        # Row by row, as their names are read.
        last = (len(scene.winners) - 1) // 2
        spots = [
            (x + (step if number % 2 else -step), y + spot.drop * k + (number // 2 - last / 2) * 2.5 * radius)
            for number in range(len(scene.winners))
        ]
    for side, place in zip(scene.winners, spots, strict=True):
        halos.halo(theme, radius).onto(canvas, *place)
        sprites.piece(theme, side, radius).onto(canvas, *place)
    _names(canvas, layout, theme, scene, middle + spot.names * k, spot.room * k)


def plate(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the plate of six and eight sides, cut out around `cutouts`, whole over the other spaces.

    Beside it, whatever stands on an inner path has the beginning of that as its ground.
    """
    middle, back = layout.size / 2, theme.back if scene.back else 0.0
    taken = cutouts(layout, scene)
    for spot in {*layout.track} - {*taken}:
        # No part of a space below a corner looks out.
        if layout.outward(spot) < layout.hub:
            ribbons.draw_band(canvas, fade(theme.band, theme.table, back), (spot, spot), (FIFTH + 0.02) * layout.pitch)
    for side, place in sprites.spots_out(scene):
        if place[0] in layout.paths:
            colours = theme.band_edge, theme.paths[sorted(layout.paths).index(place[0])]
            spot, line = layout.place(side, place), layout.path_lines[place[0]]
            start = min(line[0], line[-1], key=partial(math.dist, spot))
            # Up to the edge of the track.
            way = strokes.trim_start((start, spot), 1.05 * layout.pitch)
            for colour, half in zip(colours, (PIECE + 0.07, PIECE + 0.03), strict=True):
                ribbons.draw_band(canvas, fade(colour, theme.table, back), way, half * layout.pitch)
    holes = [(round(x - middle, 1), round(y - middle, 1), round(GAP * layout.pitch, 1)) for x, y in taken]
    frame(theme, hub(layout), unit(layout), tuple(holes)).onto(canvas, middle, middle)


GAP = PIECE + 0.08
"""Distance of the plate's golden edge from the middle of a piece, in pitches."""


def _names(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, y: float, room: float) -> None:
    """Write the winners' names, each by itself: in the order of the pieces, whatever way each is read."""
    names = [name for seat in scene.winners if (name := clean(scene.names.get(seat, "")))]
    if not names:
        return
    x, k = layout.size / 2, unit(layout)
    size, word = round(NAMES * k), "winner" if len(names) == 1 else "winners"
    if names_width(names, size) <= room:
        lines = [names]
    elif len(names) == 2:
        lines, size = [[name] for name in names], round(MANY * k)
    else:
        first = (len(names) + 1) // 2
        lines, size = [names[:first], names[first:]], round(MANY * k)
    # One size for all lines.
    size = max(round(SMALL * k), min(size, int(size * room / max(names_width(line, size) for line in lines))))
    step, small = 1.14 * size, max(round(LEAST * layout.size / 1024), min(round(VERB * k), round(0.82 * size)))
    y -= (step * (len(lines) - 1) + 1.4 * small) / 2
    for line, before, sign in join(lines):
        write_names(canvas, line, (x, y), size, size, room, theme.text, align=0.5, before=before, sign=sign)
        y += step
    verb, colour = scene.labels.get(word) or LABELS[word], mix(theme.quiet, theme.text, 0.45)
    y += 0.8 * small - step / 2
    if layout.board.sides > 4:
        # Plates are narrower there.
        room = min(room, 2 * half(layout, y + small / 2 - x) - 16 * k)
    write_line(canvas, verb, (x, y), small, room, BOLD, colour, align=0.5)


_ROUND = 32
"""The radius of a plate's corners."""


def hub(layout: Layout) -> tuple[Point, ...]:
    """Return the corners of the plate on six and eight sides, as `frame` takes them."""
    return ring(layout.hub, unit(layout), layout.board.sides)


def half(layout: Layout, down: float) -> float:
    """Return the plate's reach to one side, this far above or below its middle, in pixels."""
    turns = [math.pi / 2 - 2 * math.pi * side / layout.board.sides for side in range(1, layout.board.sides // 4 + 1)]
    return min((layout.hub - down * math.sin(turn)) / math.cos(turn) for turn in turns)


def ring(reach: float, k: float, sides: int = 48) -> tuple[Point, ...]:
    """Return the corners of a plate with this many sides, so far from the middle, as `frame` takes them."""
    turn = 2 * math.pi / sides
    far = (reach - _ROUND * k) / math.cos(turn / 2)
    angles = [turn * (side + 0.5) - math.pi / 2 for side in range(sides)]
    return tuple((round(far * math.cos(angle), 1), round(far * math.sin(angle), 1)) for angle in angles)


def rectangle(width: float, height: float, k: float) -> tuple[Point, ...]:
    """Return the corners of a rectangular plate, as `frame` takes them."""
    x, y = round(width / 2 - _ROUND * k, 1), round(height / 2 - _ROUND * k, 1)
    return (-x, -y), (x, -y), (x, y), (-x, y)


@cached(k=3)
def frame(
    theme: Theme, corners: tuple[Point, ...], k: float, holes: tuple[tuple[float, float, float], ...] = ()
) -> Sprite:
    """Return a plate with a golden edge; `corners`: the middles of its round corners, as seen from its own.

    `holes`: the middles and radii of what is cut out of it.
    """
    across, down = (2 * max(ways) + 2 * (_ROUND + 12) * k for ways in zip(*corners, strict=True))
    art = Art(across, down, 4)
    points = [(art.width / 2 + x, art.height / 2 + y) for x, y in corners]

    def ground(pen: Pen, edge: float = 0.0) -> None:
        pen.polygon(points, (_ROUND - edge) * k)
        for x, y, radius in holes:
            pen.disc(art.width / 2 + x, art.height / 2 + y, radius + edge * k, 0)

    if theme.shadow:
        art.fill((0, 0, 0), ground, theme.shadow, 5 * k)
    art.fill(mix(theme.gold, theme.text, 0.2), ground)
    art.fill(theme.inner, partial(ground, edge=3.0))
    return art.sprite()


_PAPERS = 20
"""Confetti fills a grid with this many columns and rows, each scrap shifted at random within its cell to look even."""


def confetti(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Scatter confetti in the winners' colours over the board's free areas."""
    lots = random.Random(11)
    # On a bright table, dark scraps would look like dirt.
    plain = theme.gold if theme.bright else theme.ribbon
    colours: list[RGB] = [theme.gold, plain, *(shade(SEATS[side], 0.15) for side in scene.winners if side != BROWN)]
    size, k = layout.size, layout.size / 1024
    near = 0.98 * layout.pitch
    taken = [(x, y) for x, y, _, _ in layout.spots]
    (across, down), middle = (part * unit(layout) for part in _FEASTS[layout.board.sides].reach), size / 2
    boxes = [grow((middle - across, middle - down, middle + across, middle + down), 12 * k)]
    boxes += [grow(box, 14 * k) for corner in layout.corners for box in corner.panel]
    step = size / _PAPERS
    for row in range(_PAPERS):
        for column in range(_PAPERS):
            x, y = (column + lots.uniform(0.2, 0.8)) * step, (row + lots.uniform(0.2, 0.8)) * step
            colour, turn = colours[(row * 2 + column + lots.randrange(2)) % len(colours)], lots.randrange(0, 180, 20)
            hidden = any(left < x < right and top < y < bottom for left, top, right, bottom in boxes)
            if hidden or any(abs(x - a) < near and abs(y - b) < near for a, b in taken):
                continue
            _paper(colour, turn, k).onto(canvas, x, y)


@cached(k=3)
def _paper(colour: RGB, turn: int, k: float) -> Sprite:
    art = Art(26 * k + 2, 26 * k + 2)
    c = art.width / 2
    corners = [(-0.9, -0.45), (0.9, -0.45), (0.9, 0.45), (-0.9, 0.45)]
    art.fill(colour, lambda p: p.polygon(shapes.at(corners, c, c, 10 * k, turn)))
    return art.sprite()


@cached(radius=1)
def cup_sprite(theme: Theme, radius: float) -> Sprite:
    """Return the cup alone."""
    art = Art(radius * 2.5, radius * 2.3, 6)
    cx, cy = art.width / 2, art.height / 2
    pen = Pen(art.width, art.height, art.scale)
    shapes.trophy(pen, cx, cy, radius)
    mask = pen.take()
    deep, gold, light = shade(theme.gold, -0.42), theme.gold, shade(theme.gold, 0.42)
    art.stencil(shade(theme.gold, -0.62), mask.filter(ImageFilter.MaxFilter(2 * max(1, round(0.035 * radius)) + 1)))
    art.stencil(deep, mask)
    # Round metal: a broad body of gold, a bright streak left of the middle, a narrow streak at the right edge.
    for colour, left, right in ((gold, -1.2, 0.34), (light, -0.46, -0.2), (mix(gold, deep, 0.4), 0.34, 0.52)):
        shine = Image.new("L", mask.size)
        box = (max(0, round(cx + left * radius)), 0, round(cx + right * radius), mask.height)
        shine.paste(mask.crop(box), box[:2])
        art.stencil(colour, shine)
    art.fill(shade(theme.gold, -0.62), lambda p: shapes.paw(p, cx, cy - radius * 0.33, radius * 0.32))
    return art.sprite()


@dataclass(frozen=True)
class LobbyPlate:
    """Contents of the plate before a game: middles as seen from its own, in parts of `unit`."""

    letters: int
    """The height of the game's name."""
    name: int
    rows: tuple[int, ...]
    """The rows of pieces."""
    wide: int
    lines: tuple[int, int]
    """Two lines of words; a single line stands between them."""
    room: int
    """The width of the words."""


_LOBBIES = {
    4: LobbyPlate(116, -54, (36,), 340, (84, 114), 340),
    6: LobbyPlate(124, -90, (18,), 370, (88, 128), 294),
    8: LobbyPlate(94, -103, (-29, 29), 250, (81, 119), 214),
}


def lobby(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the plate with the game's name, the seats' pieces and a line about the game."""
    k, sides, middle = unit(layout), layout.board.sides, layout.size / 2
    if sides > 4:
        plate(canvas, layout, theme, scene)
    else:
        frame(theme, rectangle(392 * k, 260 * k, k), k).onto(canvas, middle, middle)
    free = tuple(sorted(scene.free))
    _plate(theme, layout.board.seats, free, scene.plate, _LOBBIES[sides], k).onto(canvas, middle, middle)


@cached(k=3)
def _plate(
    theme: Theme, seats: tuple[int, ...], free: tuple[int, ...], text: str, spot: LobbyPlate, k: float
) -> Sprite:
    art = Art(400 * k, 320 * k)
    cx, cy = art.width / 2, art.height / 2
    pixels, y = round(spot.letters * k), cy + spot.name * k
    word = ink(NAME, pixels, INDEX)
    sprites.letters(art, NAME, cx, y, pixels, theme.text, INDEX)
    # The paw stands in the middle of the O.
    before, ring = ink(NAME[0], pixels, INDEX).width, ink(NAME[1], pixels, INDEX).width
    middle = cx - word.width / 2 + before + ring / 2
    art.fill(theme.gold, lambda p: shapes.paw(p, middle, y, word.cap * 0.2))
    each = -(-len(seats) // len(spot.rows))
    radius = min(31 * k, spot.wide * k / each / 2.3)
    for index, side in enumerate(seats):
        row, column = divmod(index, each)
        count = min(each, len(seats) - row * each)
        art.paste(
            _vacant(theme, side, radius) if side in free else sprites.piece(theme, side, radius),
            cx + (column - (count - 1) / 2) * radius * 2.3,
            cy + spot.rows[row] * k,
        )
    # Which rules stand above how many players where both together would be too small.
    large, room, words = round(34 * k), spot.room * k, [text]
    if width_of(clean(text), round(28 * k)) > room:
        words = [part for part in text.partition(" · ")[::2] if part]
    levels = spot.lines if len(words) > 1 else (sum(spot.lines) / 2,)
    size = min(fit(line, room, large, round(24 * k))[1] for line in words)
    for line, down in zip(words, levels, strict=True):
        said, small = fit(line, room, size, 7)
        sprites.letters(art, said, cx, cy + down * k, small, mix(theme.quiet, theme.text, 0.6))
    return art.sprite()


@cached(radius=2)
def _vacant(theme: Theme, side: int, radius: float) -> Sprite:
    """Return a dashed ring with the seat's mark in outline, in place of the piece of a free seat."""
    art = Art(2 * radius + 4, 2 * radius + 4, 6)
    c = art.width / 2

    def ring(pen: Pen) -> None:
        pen.disc(c, c, 0.92 * radius)
        pen.disc(c, c, 0.78 * radius, 0)
        for number in range(8):
            turn = math.pi * (number + 0.5) / 4
            pen.line([(c, c), (c + radius * math.cos(turn), c + radius * math.sin(turn))], 0.26 * radius, 0)
        shapes.mark(pen, MARKS[side], c, c, 0.52 * radius)
        shapes.mark(pen, MARKS[side], c, c, 0.3 * radius, 0)

    art.fill(dash_colour(theme, side, theme.inner), ring)
    return art.sprite()


def cutouts(layout: Layout, scene: Scene) -> list[Point]:
    """Return the points that the plate of six and eight sides is cut out around.

    These are all spaces at its corners; once a game on six sides is won, only pieces remain.
    """
    spots = (
        layout.track
        if layout.board.sides == 8 or scene.exchange
        else [layout.place(*spot) for spot in sprites.spots_out(scene) if spot[1].isdigit()]
    )
    return sorted(spot for spot in spots if layout.outward(spot) < layout.hub)


def has_plate(layout: Layout, scene: Scene) -> bool:
    """Return True if a plate lies over the middle; not in an exchange while a piece is there, on an inner path."""
    return bool(scene.plate or scene.winners or scene.exchange) and not (
        scene.exchange and any(place[0] in layout.paths for _, place in sprites.spots_out(scene))
    )


def final_scene(layout: Layout, scene: Scene) -> Scene:
    """Return a won game as drawn: no last move or shields, and pieces of inner paths where these come out.

    That is the nearer end or, if a piece is there, the other.
    """
    taken = {place for _, place in sprites.spots_out(scene)}
    placement = {}
    for side, pieces in scene.placement.items():
        texts = []
        for text in pieces:
            place = sprites.place(text)
            if spots := layout.paths.get(place[0]):
                number, last = int(place[1:]), len(spots)
                ends = sorted((1, last), key=lambda end: abs(end - number))
                found = next((f"{place[0]}{end}" for end in ends if f"{place[0]}{end}" not in taken - {place}), place)
                taken.add(found)
                text = text.replace(place, found)
            texts.append(text.rstrip("*"))
        placement[side] = tuple(texts)
    return replace(scene, moves=(), placement=placement)
