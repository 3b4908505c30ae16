"""The small pictures that make up a board: pieces, spaces, badges. Made once per look and size."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from functools import lru_cache, partial

from PIL import Image

from engine import Rank, place_of
from render.board.geometry import CROSSING, GEAR, HOME, PIECE, SPACE, START, TIGHT, Layout
from render.drawing import shapes
from render.drawing.art import Art, Canvas, Pen, Point, Sprite, cached
from render.drawing.colour import RGB, luminance, mix, shade
from render.drawing.text import BOLD, MEDIUM, ink
from render.scene import Scene, Spot
from render.themes import INK, MARKS, PAPER, Theme

_RANK_ROOM = {
    "square": (0.64, 0.02),
    "triangle": (0.6, 0.16),
    "diamond": (0.62, 0.0),
    "star": (0.68, 0.05),
    "circle": (0.72, 0.0),
}
"""Size of a rank on a piece of this shape, and its distance below the centre, in radii."""


def outline(kind: str, radius: float) -> tuple[list[Point], float]:
    """Return the outline of a ranked piece, which has the shape of its seat's mark, and by how much to grow it.

    None reaches into its neighbour in a lane, however that is turned.
    """
    if kind == "triangle":
        grow = radius * 0.48
        return [(x * radius * 0.58, y * radius * 0.58 + radius * 0.07) for x, y in shapes.regular(3, 1.0)], grow
    if kind == "square":
        grow = radius * 0.28
        return [(x * radius * 0.56, y * radius * 0.56) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))], grow
    if kind == "diamond":
        grow = radius * 0.44
        return [(x * radius * 0.49, y * radius * 0.49) for x, y in shapes.regular(4, 1.0)], grow
    if kind == "star":
        grow = radius * 0.26
        return [(x * radius * 0.86, y * radius * 0.86 + radius * 0.05) for x, y in shapes.regular(5, 1.0, 0.7)], grow
    if kind == "cross":
        grow = radius * 0.24
        arm, length = 0.42, 0.8
        corners = [(-arm, -length), (arm, -length), (arm, -arm), (length, -arm), (length, arm), (arm, arm)]
        corners += [(-x, -y) for x, y in corners]
        return [(x * radius, y * radius) for x, y in corners], grow
    return shapes.regular(72, radius * 0.8), radius * 0.2


def _body(pen: Pen, kind: str | None, x: float, y: float, radius: float, extra: float = 0.0) -> None:
    """Draw a piece's body: a disc or, with a rank, the shape of the seat's mark; `extra` wider all round."""
    if kind is None:
        pen.disc(x, y, radius + extra)
        return
    points, grow = outline(kind, radius)
    if grow + extra > 0:
        pen.polygon([(x + px, y + py) for px, py in points], grow + extra)


@cached(radius=2)
def piece(
    theme: Theme,
    side: int,
    radius: float,
    rank: Rank | None = None,
    fresh: tuple[int, int] | None = None,
    back: float = 0.0,
) -> Sprite:
    """Return a piece of a side; `back`: how far it fades into the table.

    A `fresh` piece has a shield: to the right (1) or left (-1), below (1) or above (-1).
    """
    extent = math.ceil(radius * (2.7 if fresh else 2 + 12 / 26))
    extent += extent % 2
    art = Art(extent, extent, 6)
    c = extent / 2
    unit = radius / 26
    base, kind = theme.seat(side), (None if rank is None else MARKS[side])
    if rank is not None:
        radius *= 1.06
    if theme.shadow:
        art.fill((0, 0, 0), lambda p: _body(p, kind, c, c + 2.4 * unit, radius, 0.4 * unit), theme.shadow, 2.0 * unit)
    art.fill(INK, lambda p: _body(p, kind, c, c, radius, 0.0), 0.9)
    # On a bright table, the dark edge shows where a piece is, and the rim makes way for it.
    edge, rim = (2.6, 4.2) if theme.bright else (1.1, 3.9 if rank is None else 4.0)
    art.fill(theme.rim, lambda p: _body(p, kind, c, c, radius, -edge * unit))
    art.fill(shade(base, -0.22), lambda p: _body(p, kind, c, c, radius, -rim * unit))
    # The sign of a rank has many corners: below a dark sign the ground is brighter than below a seat's mark, and where
    # that is dark all the same, the sign is pale and the ground deeper.
    sign, lift = theme.mark(side), 0.0
    if rank is not None and sign == INK:
        sign, lift = (INK, 0.26) if luminance(base) > DEEP else (PAPER, -0.26)
    for step in range(7):
        share = step / 6
        tone = mix(shade(base, lift - 0.12), shade(base, lift + 0.1), share)
        inset = ((4.6 if rank is None else 4.7) + step * 1.5) * unit
        art.fill(
            tone,
            partial(_body, kind=kind, x=c - share * 1.6 * unit, y=c - share * 2.4 * unit, radius=radius, extra=-inset),
        )
    shine = _shine(extent, c, radius, unit, kind)
    art.stencil((255, 255, 255), shine, 0.34)
    if rank is not None:
        size, lower = (radius * part for part in _RANK_ROOM.get(MARKS[side], (0.64, 0.02)))
        art.stencil(sign, rank_mask(extent, rank, c, size, lower))
    else:
        art.fill(sign, lambda p: shapes.mark(p, MARKS[side], c, c, radius * MARK))
    if fresh:
        (x, y), r = (c + way * radius * 0.78 for way in fresh), radius * 0.44
        art.fill(INK, lambda p: shapes.shield(p, x, y, r * 1.22))
        art.fill(PAPER, lambda p: shapes.shield(p, x, y, r))
        art.fill(shade(base, -0.15), lambda p: shapes.shield(p, x, y, r * 0.56))
    return art.sprite().fade(theme.table, back) if back else art.sprite()


def _shine(extent: int, c: float, radius: float, unit: float, kind: str | None) -> Image.Image:
    """Return a soft crescent of light along the upper left of a piece."""
    pen = Pen(extent, extent, 6)
    _body(pen, kind, c, c, radius, -5.6 * unit)
    cut = Pen(extent, extent, 6)
    _body(cut, kind, c + 2.0 * unit, c + 3.0 * unit, radius, -6.4 * unit)
    pen.mask.paste(0, (0, 0), cut.mask)
    return pen.take()


def _cut_mask(extent: int, draw: Callable[[Pen, int, int], None]) -> Image.Image:
    """Return a mask of a sign with parts cut out of it."""
    pen = Pen(extent, extent)
    draw(pen, 255, 0)
    return pen.take()


def space_ground(theme: Theme, kind: str, side: int | None) -> tuple[RGB, RGB, RGB]:
    """Return the colours of a space: its ground, its edge and its number."""
    if kind in ("start", "slot", "branch") and side is not None:
        if kind == "start":
            return theme.start(side)
        # Only a start has a ring: where a lane branches off, its band tells enough.
        return (theme.space, theme.slot(side)[1], theme.number_strong) if kind == "branch" else theme.slot(side)
    if kind == "unused":
        return mix(theme.space, theme.band, 0.25), theme.band_edge, theme.number_strong
    if kind == "special":
        return theme.space, theme.gold, theme.number_strong
    if kind == "crossing":
        return theme.space, theme.gold, theme.number_strong
    return theme.space, theme.space_edge, theme.number


NUMBER = 1.13
"""Height of a number, in radii of its space."""
ASKEW, HAT = 42.0, (0.78, -0.86)
"""Turn of a hat in degrees, and its place right and down of its space's middle, in radii of the space: clear of the tip
of a piece that wears it, and of the next space."""
BESIDE = (1.6, -0.75)
"""The same at a square token that fills the space."""
MARK = 0.56
"""Radius of a seat's mark, in radii of the piece."""
DEEP = 0.4
"""Up to this luminance, a seat's colour is too dark for a dark sign of a rank."""


@cached(radius=2)
def space(theme: Theme, radius: float, text: str, kind: str, side: int | None = None, loud: bool = False) -> Sprite:
    """Return a space with its number or letter, which is large and bright if it is `loud`.

    `kind`: `plain`, `start` and `branch` (of `side`), `slot` (of the lane of `side`), `special`, `unused` (start or
    slot of an unused side), `path`, `crossing` (of two paths: `P4/Q4`).
    """
    blank = _blank(theme, radius, kind, side)
    art = Art.over(blank)
    c = art.width / 2
    number = space_ground(theme, kind, side)[2]
    strong = loud or (text.isdigit() and int(text) % 5 == 0)
    if strong and kind in ("plain", "path"):
        number = theme.number_strong
    if kind == "crossing" and text:
        for line, y in zip(text.split("/"), (-0.38, 0.38), strict=True):
            letters(art, line, c, c + y * radius, round(radius * 0.86), number)
        return art.sprite()
    font = BOLD if strong or kind in ("start", "slot", "special") else MEDIUM
    # Three digits are as wide as their space.
    size = (1.1 if loud else 1.0) * (0.88 if len(text) > 2 else 1.0)
    letters(art, text, c, c, round(radius * NUMBER * size), number, font)
    return art.sprite()


@cached(radius=2)
def _blank(theme: Theme, radius: float, kind: str, side: int | None) -> Sprite:
    """Return a space without its number."""
    wide = kind in ("start", "special")
    extent = math.ceil(radius * (3.8 if kind == "special" else 2.9 if wide else 2.5))
    extent += extent % 2
    art = Art(extent, extent)
    c = extent / 2
    unit = radius / 23
    ground, edge, _ = space_ground(theme, kind, side)
    if kind == "special":
        petals = shapes.regular(12, radius * (GEAR - 0.03), radius * 1.01)
        art.fill(edge, lambda p: p.polygon([(c + x, c + y) for x, y in petals], 0.8 * unit))
        art.fill(ground, lambda p: p.disc(c, c, radius * 0.9))
        # Its hat sits on the rim, so that the number has the room of any other.
        art.paste(special(theme, radius), c + radius * HAT[0], c + radius * HAT[1])
    elif kind == "start" and side is not None:
        art.discs((edge, radius * START), (ground, radius * START - 3.2 * unit))
        art.fill(theme.start_mark(side), lambda p: shapes.mark(p, MARKS[side], c, c, radius * 0.92))
    else:
        art.discs((edge, radius), (ground, radius - 1.6 * unit))
        if theme.grain and kind in ("plain", "path", "unused"):
            _hole(art, ground, edge, c, radius, unit)
    return art.sprite()


def _hole(art: Art, ground: RGB, edge: RGB, c: float, radius: float, unit: float) -> None:
    """Make a space look like a hole: dark crescents below its upper rim, and light on the lower."""
    lip = Pen(art.width, art.height, art.scale)
    lip.disc(c, c + 1.1 * unit, radius)
    inside = Pen(art.width, art.height, art.scale)
    inside.disc(c, c, radius)
    lip.mask.paste(0, (0, 0), inside.mask)
    art.stencil(shade(edge, 0.62), lip.take(), 0.8)
    art.fill(shade(ground, -0.42), lambda p: p.disc(c, c, radius))
    for number, tone in enumerate((-0.3, -0.2, -0.1, 0.0)):
        drop = (1.3 + number * 1.1) * unit
        art.fill(
            shade(ground, tone) if tone else ground, partial(Pen.disc, x=c, y=c + drop * 0.8, radius=radius - drop)
        )


def letters(art: Art, text: str, x: float, y: float, size: int, colour: RGB, font: str = BOLD) -> None:
    """Write a word into a sprite, centred here by width and by the height of capitals."""
    word = ink(text, size, font)
    mask = Image.new("L", art.image.size)
    height = _height(word.mask, word.ascent) if text.islower() and len(text) == 1 else word.cap
    mask.paste(word.mask, (round(x - word.mask.width / 2), round(y + height / 2) - word.ascent))
    art.stencil(colour, mask)


def _height(mask: Image.Image, ascent: int) -> int:
    """Return a letter's reach above the baseline."""
    box = mask.getbbox()
    return ascent - box[1] if box else 0


@cached(radius=2)
def badge(theme: Theme, text: str, radius: float, ground: RGB, colour: RGB, edge: RGB | None = None) -> Sprite:
    """Return a small round badge with a letter or number; `edge`: the colour of a broad rim."""
    extent = math.ceil(radius * 2 + 8)
    extent += extent % 2
    art = Art(extent, extent)
    c = extent / 2
    art.fill((0, 0, 0), lambda p: p.disc(c, c + 1.2, radius + 0.6), 0.4, 1.4)
    if edge is not None:
        art.discs((INK, radius + 1.2), (edge, radius), (ground, radius * 0.82))
    else:
        art.discs((colour, radius), (ground, radius - max(1.5, radius * 0.1)))
    letters(art, text, c, c, round(radius * (1.5 if len(text) < 2 else 1.05)), colour)
    return art.sprite()


SQUARE = 0.88
"""Half the width of a token on a free space, in radii of a round token: its corners then reach about as far."""


@cached(radius=2)
def token(theme: Theme, side: int, text: str, radius: float, goal: bool = False, rank: Rank | None = None) -> Sprite:
    """Return a letter, or a rank's sign, on paper with a ring in a seat's colour.

    It is round on a piece, a rounded square where a piece could go.
    """
    art = Art(radius * 2 + 10, radius * 2 + 10)
    c = art.width / 2

    def body(pen: Pen, reach: float, down: float = 0.0) -> None:
        if not goal:
            pen.disc(c, c + down, reach)
            return
        corner = SQUARE * radius * 0.4
        half = SQUARE * radius - corner
        corners = [(c + x * half, c + down + y * half) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        pen.polygon(corners, corner + reach - radius)

    art.fill((0, 0, 0), lambda p: body(p, radius + 2.0, 1.2), 0.4, 1.4)
    inner = 1.0 - 0.23 * (SQUARE if goal else 1.0)
    for colour, reach in (
        (INK, radius + 1.4),
        (theme.seat(side), radius),
        (INK, radius * inner),
        (PAPER, radius * (inner - 0.04)),
    ):
        art.fill(colour, partial(body, reach=reach))
    if rank is not None:
        art.stencil(INK, rank_mask(art.width, rank, c, 0.5 * radius))
        return art.sprite()
    letters(art, text, c, c, round(radius * (1.32 if len(text) < 2 else 0.95)), INK)
    return art.sprite()


@cached(radius=2)
def partner_dot(theme: Theme, side: int, radius: float) -> Sprite:
    """Return a small disc in a seat's colour, for its partner's piece."""
    art = Art(radius * 2 + 4, radius * 2 + 4)
    c = art.width / 2
    art.discs((INK, radius + 1.2), (theme.rim, radius), (theme.seat(side), radius * 0.78))
    art.fill(theme.mark(side), lambda p: shapes.mark(p, MARKS[side], c, c, radius * 0.46))
    return art.sprite()


@cached(radius=2)
def special(theme: Theme, radius: float) -> Sprite:
    """Return the hat of a special space of this radius, askew."""
    extent = math.ceil(radius * 2)
    art = Art(extent, extent)
    c = art.width / 2
    art.fill(INK, lambda p: shapes.hat(p, c, c, radius * 0.62, turn=ASKEW))
    art.stencil(theme.gold, _cut_mask(art.width, lambda p, on, off: shapes.hat(p, c, c, radius * 0.5, on, off, ASKEW)))
    return art.sprite()


@cached(radius=2)
def sign(key: str, radius: float, colour: RGB, draw: shapes.Sign) -> Sprite:
    """Return a small sign in some colour; `draw` is a function from `shapes`."""
    extent = math.ceil(radius * 2.4)
    extent += extent % 2
    art = Art(extent, extent)
    pen = Pen(extent, extent)
    draw(pen, extent / 2, extent / 2, radius)
    art.stencil(colour, pen.take())
    return art.sprite()


def rank_mask(extent: int, rank: Rank, middle: float, radius: float, lower: float = 0.0) -> Image.Image:
    """Return a mask of this width and height with the sign of a rank, so far below its middle."""
    return _cut_mask(extent, lambda p, on, off: _rank(p, rank, middle, middle + lower, radius, on, off))


def _rank(pen: Pen, rank: Rank, x: float, y: float, radius: float, on: int, off: int) -> None:
    """Draw a rank by its sign, or by its letter if it has none."""
    if rank.sign is not None:
        shapes.rank(pen, rank.sign, x, y, radius, on, off)
        return
    word = ink(rank.letter, max(5, round(1.9 * radius * pen.scale)))
    left, top = x * pen.scale - word.mask.width / 2, y * pen.scale + word.cap / 2 - word.ascent
    pen.mask.paste(on, (round(left), round(top)), word.mask)


@lru_cache(maxsize=4096)
def place(text: str) -> str:
    """Return the place in a piece text, without rank and fresh mark."""
    return place_of(text)


def spots_out(scene: Scene) -> list[Spot]:
    """Return the spots of the pieces that have left their kennels."""
    spots = ((side, place(text)) for side, pieces in scene.placement.items() for text in pieces)
    return [spot for spot in spots if spot[1] != "-"]


LOST, UNASKED = 0.42, 0.25
"""Fading of pieces into the table: of the losers, and of those a question is not about."""


def draw_pieces(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, moving: Collection[Spot] = ()) -> None:
    """Draw the pieces that have left their kennels, except those in `moving`.

    A piece that has just come out and struck another has no shield: it would hide the sign of that, and is known.
    """
    struck = {step.target for _, steps in scene.moves[-1:] for step in steps if step.sent_home}
    for side, pieces in scene.placement.items():
        for text in pieces:
            spot = place(text)
            if spot != "-" and (side, spot) not in moving:
                at, shown = layout.place(side, spot), text.rstrip("*") if spot in struck else text
                draw_piece(canvas, layout, theme, scene, side, shown, at)
                draw_hat(canvas, layout, theme, spot, at)


def draw_grounds(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, moving: Collection[Spot] = ()) -> None:
    """Draw plain spaces over special spaces under a piece or the letter of a choice.

    Behind the corners of a piece, the gold ring would look like a part of it; the hat tells enough. A crossing loses
    its names, which would be seen in part.
    """
    spots = {(side, text) for side, pieces in scene.placement.items() for text in pieces if text[-1:].isdigit()}
    taken = {place(text) for side, text in spots | set(scene.candidates) if (side, place(text)) not in moving}
    for number in taken & set(map(str, layout.board.specials)):
        ground = space(theme, GEAR * SPACE * layout.pitch, "", "plain")
        ground = ground.fade(theme.table, theme.back) if scene.back else ground
        ground.onto(canvas, *layout.track[int(number)])
    names = {f"{name}{number}" for name, number in layout.board.crossing}
    struck = () if moving else scene.moves[-1:]
    taken |= {place for _, steps in struck for step in steps for _, place in step.sent_home}
    for name in sorted(taken & names)[:1]:
        ground = space(theme, CROSSING * layout.pitch, "", "crossing")
        ground = ground.fade(theme.table, theme.back) if scene.back else ground
        ground.onto(canvas, *layout.place(0, name))


def draw_hat(canvas: Canvas, layout: Layout, theme: Theme, spot: str, at: Point, square: bool = False) -> None:
    """Draw the hat of a special space on the piece there, or beside a `square` token; nothing at other places."""
    if spot.isdigit() and int(spot) in layout.board.specials:
        (x, y), (a, b), (right, down) = layout.track[int(spot)], layout.track[int(spot) - 1], HAT
        if square:
            # On the side where no other token is next to it.
            right, down = BESIDE if abs(y - b) > abs(x - a) else (-BESIDE[1], -BESIDE[0])
        radius = SPACE * layout.pitch
        special(theme, radius).onto(canvas, at[0] + radius * right, at[1] + radius * down)


def pieces_at_home(scene: Scene, side: int) -> tuple[str, ...]:
    """Return a side's pieces in its kennel, as texts; none for a free seat."""
    return () if side in scene.free else tuple(text for text in scene.placement[side] if place(text) == "-")


def draw_home(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, side: int) -> None:
    """Draw a side's pieces in its kennel."""
    for text, well in zip(pieces_at_home(scene, side), layout.corners[side].wells, strict=False):
        draw_piece(canvas, layout, theme, scene, side, text, well)


def body(layout: Layout, side: int, spot: Point) -> float:
    """Return the radius of a side's piece in this place, in pixels."""
    corner = layout.corners[side]
    if spot not in corner.wells:
        return PIECE * layout.pitch
    return HOME * layout.pitch * (TIGHT if layout.board.system.ranks and len(corner.kennels) > 1 else 1.0)


def draw_piece(
    canvas: Canvas,
    layout: Layout,
    theme: Theme,
    scene: Scene,
    side: int,
    text: str,
    spot: Point,
    radius: float = 0.0,
) -> None:
    """Draw a piece of a scene anywhere; `radius`: if not the usual."""
    radius = radius or body(layout, side, spot)
    rank = layout.board.system.rank_of(text)
    # A mark without a letter tells of a piece that blocks, too.
    shielded = text.endswith("*") or scene.candidates.get((side, text)) == ""
    fresh = _shield_side(layout, side, spot) if shielded else None
    piece(theme, side, radius, rank, fresh, fade_share(scene, side, text)).onto(canvas, *spot)
    viewer = scene.viewer
    if viewer is not None and side != viewer and side in scene.board.team(viewer) and not text.endswith("-"):
        x, y = spot
        partner_dot(theme, viewer, 0.3 * radius).onto(canvas, x - (fresh or (1,))[0] * 0.66 * radius, y - 0.66 * radius)


def _shield_side(layout: Layout, side: int, spot: Point) -> tuple[int, int]:
    """Return the direction of a shield: off the lane and, where that lies straight, off the picture's edge."""
    first, last = layout.lanes[side][0], layout.lanes[side][3]
    ways = [end - begin for begin, end in zip(first, last, strict=True)]
    off = [at - begin for begin, at in zip(first, spot, strict=True)]
    if min(map(abs, ways)) > 1:
        return (-1 if off[0] < 0 else 1), -1
    across, down = (away if abs(way) < 1 else way for way, away in zip(ways, off, strict=True))
    return (-1 if across < -1 else 1), (1 if down > 1 else -1)


def fade_share(scene: Scene, side: int, text: str) -> float:
    """Return how far a piece fades, 0 to 1."""
    if place(text) == "-":
        return 0.0  # Its whole corner does.
    if scene.winners:
        return 0.0 if side in scene.winners else LOST
    return UNASKED if scene.chooser not in (None, side) and (side, place(text)) not in scene.asked_about else 0.0
