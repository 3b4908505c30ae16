"""Letters to choose from, drawn on top of a position."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from PIL import ImageChops

from render.board import corners, halos, sprites, strokes
from render.board.geometry import BAND, PIECE, SPACE, Layout
from render.drawing.art import Art, Canvas, Pen, Point, Sprite, cached, grow
from render.errors import RenderError
from render.scene import Scene, Spot
from render.themes import INK, PAPER, Theme

TOKEN, BESIDE = 0.54, 0.455
"""Radius of a letter's token on a free space, in pitches, and the most beside another token; it sits in the space it
means, never between two."""
MARKED, OUT = 0.19, 0.36
"""Radius of the disc with the mark of a piece whose letter lies on it, and how far right and down it is, in pitches."""
RANKED, ASIDE, ABOVE = 0.37, 0.78, 0.93
"""The same on a piece with a rank, off to one side so that its sign can be seen: how far, and how far in a kennel."""
RAISED = 39
"""Extra height of such a panel, in pixels of a 1024 px picture."""
LEAST_TAKEN = 0.0168
"""The least radius of a piece that would be struck, as a share of the picture: 10 pixels wide at 300."""

TAKEN, STAR, TIED = 0.38, 0.63, 0.7
"""Radius of a piece that would be struck, of the star around it, and how far that is off its letter, in pitches."""


def taken_radius(layout: Layout) -> float:
    """Return the radius of a piece that would be struck, in pixels: wide enough on the densest boards, too."""
    return max(TAKEN * layout.pitch, LEAST_TAKEN * layout.size)


def draw(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene) -> None:
    """Draw the candidates: a letter on the piece or, without a piece, a token with the letter in the space."""
    broad = 1.1 if scene.board.system.ranks else 1.0
    found = [(spot, _spot(scene, layout, spot), letter) for spot, letter in scene.candidates.items()]
    # A piece without a letter and rank has its shield and is not to be chosen.
    found = [(spot, shown, letter) for spot, shown, letter in found if letter or shown[1] or not shown[2]]
    spots = [(shown, side, letter) for (side, _), shown, letter in found]
    # Frames first, letters last: in a kennel, both overlap the neighbours.
    chosen = {spot: layout.place(*spot) for spot in scene.movable - set(scene.candidates) if spot[1] != "-"}
    gone = set(chosen.values())
    framed = {point: sprites.body(layout, side, point) for (point, _, stands), side, _ in spots if stands}
    framed |= dict.fromkeys(gone, PIECE * layout.pitch)
    stood = strokes.occupied_points(scene, layout)
    goals = {point for (point, _, stands), _, _ in spots if not stands}
    loud = dict.fromkeys(stood, PIECE)
    loud |= {layout.track[number]: reach for number, reach in layout.reach.items() if reach > SPACE}
    loud |= dict.fromkeys(goals, BESIDE)
    for side in {side for (point, rank, _), side, _ in spots if rank and _beside(layout, side, point)}:
        if side in (scene.seats_asked or scene.to_act):
            _draw_raised(canvas, layout, theme, side)
    for point in framed:
        slim = _is_close(layout, point, stood | goals if point in gone else framed)
        edge = broad * (1 + (SLIM if slim else BROAD) / 27)
        if _is_close(layout, point, framed):
            framed[point] = min(framed[point], CHAIN * layout.pitch / edge)
        frame(theme, framed[point] * broad, edge < broad * (1 + BROAD / 27)).onto(canvas, *point)
        loud[point] = framed[point] / layout.pitch * edge
    for (side, place), point in chosen.items():
        text = next(text for text in scene.placement[side] if sprites.place(text) == place)
        sprites.draw_piece(canvas, layout, theme, scene, side, text, point, radius=framed[point])
        sprites.draw_hat(canvas, layout, theme, place, point)
    for (point, rank, stands), side, _ in spots:
        if stands:
            sprites.piece(theme, side, framed[point], scene.board.system.rank_of(rank)).onto(canvas, *point)
    for (_, text), (point, _, stands), _ in found:
        if stands:
            sprites.draw_hat(canvas, layout, theme, sprites.place(text), point)
    # Beside a piece, a start or another token, tokens are smaller, so that none hides part of the other.
    tokens = {point: min(TOKEN, *(_room(layout, point, at, loud[at]) for at in loud if at != point)) for point in goals}
    for side, place in captures(scene):
        # A red edge warns of taking the team's own pieces; the others have an edge as loud on this table.
        spot, usual = layout.place(side, place), INK if theme.bright else PAPER
        rim = halos.RED if _is_own(scene, side) else usual
        # Its letter lies on its edge, so that no piece seems to be beside the track.
        away = sprites.SQUARE * tokens[spot] + TIED if spot in tokens else BAND + STAR + 0.06
        at = halos.clear_spot(layout, spot, away, STAR, loud)
        loud[at] = STAR
        halos.burst(theme, PAPER, STAR / 1.39 * layout.pitch, 0.2, rim).onto(canvas, *at)
        halos.captured_piece(theme, side, taken_radius(layout)).onto(canvas, *at)
    for (side, place), (point, rank, stands), letter in found:
        if stands:
            x, y = point
            if rank:
                at = _beside(layout, side, point) or halos.clear_spot(layout, point, ASIDE, RANKED, loud)
                sprites.badge(theme, letter[:2], RANKED * layout.pitch, PAPER, INK).onto(canvas, *at)
            elif letter:
                sprites.token(theme, side, letter[:2], framed[point]).onto(canvas, x, y)
            if letter and not rank and side != scene.chooser:
                mark = sprites.partner_dot(theme, side, MARKED * layout.pitch)
                mark.onto(canvas, x + OUT * layout.pitch, y + OUT * layout.pitch)
        else:
            # Without a letter, the piece's rank tells it from the others.
            sign = scene.board.system.rank_of(rank) if rank and not letter else None
            sprites.token(theme, side, letter[:2], tokens[point] * layout.pitch, True, sign).onto(canvas, *point)
            sprites.draw_hat(canvas, layout, theme, sprites.place(place), point, square=True)


def _is_close(layout: Layout, point: Point, others: Iterable[Point]) -> bool:
    """Return True if something else that needs room lies on a neighbouring space."""
    return any(0 < math.dist(point, other) < 1.16 * layout.pitch for other in others)


def _room(layout: Layout, point: Point, other: Point, reach: float) -> float:
    """Return the largest token beside something that reaches so far, in pitches: corners reach further than sides."""
    x, y = other[0] - point[0], other[1] - point[1]
    away = math.hypot(x, y)
    return (away / layout.pitch - reach - 0.025) / min(1.0, sprites.SQUARE * away / max(abs(x), abs(y)))


def _beside(layout: Layout, side: int, spot: Point) -> Point | None:
    """Return a letter's spot beside a piece in a kennel of one row: always on the side away from the name."""
    corner = layout.corners[side]
    if spot not in corner.wells or len({y for _, y in corner.wells}) > 1:
        return None
    return spot[0], spot[1] + math.copysign(ABOVE * layout.pitch, spot[1] - corner.pill[1])


def _draw_raised(canvas: Canvas, layout: Layout, theme: Theme, side: int) -> None:
    """Draw a glowing panel so much higher that the letters beside the pieces in its kennel lie on it, too."""
    corner, k = layout.corners[side], layout.size / 1024
    ((left, top, right, bottom),), above = corner.panel, corner.wells[0][1] < corner.pill[1]
    low, high = top - RAISED * k * above, bottom + RAISED * k * (not above)
    whole = corners.lit_panel(theme, replace(corner, panel=((left, low, right, high),)), side, k)
    x, y = (left + right) / 2, (low + high) / 2
    pen = Pen(*whole.mask.size, 1)
    pen.box((0, 0, *whole.mask.size), 0)
    # All inside the lower panel is drawn already.
    inside = (left - x + whole.x, top - y + whole.y, right - x + whole.x, bottom - y + whole.y)
    pen.box(grow(inside, -8 * k), 18 * k, 0)
    Sprite(whole.colours, ImageChops.multiply(whole.mask, pen.take()), whole.x, whole.y).onto(canvas, x, y)


def _is_own(scene: Scene, side: int) -> bool:
    """Return True if a side belongs to the chooser's team: its pieces should not be taken by mistake."""
    return scene.chooser is not None and side in scene.board.team(scene.chooser)


def captures(scene: Scene) -> list[Spot]:
    """Return the pieces that would be sent home by going to a place with a letter."""
    return list(dict.fromkeys(spot for step in scene.ways for spot in step.sent_home))


def covered_captures(scene: Scene, layout: Layout) -> list[Spot]:
    """Return those of them under a letter: they are shown beside it, and do not peep out from below."""
    goals = {layout.place(side, place) for side, text in scene.candidates if (place := sprites.place(text)) != "-"}
    return [spot for spot in captures(scene) if layout.place(*spot) in goals]


def _spot(scene: Scene, layout: Layout, spot: Spot) -> tuple[Point, str, bool]:
    """Return a candidate's spot, its rank, and whether a piece of its side is there; raises RenderError."""
    side, text = spot
    if side not in scene.placement:
        raise RenderError("candidates", f"there is no side {side}")
    pieces = scene.placement[side]
    place = sprites.place(text)
    rank = text[0] if scene.board.system.ranks and text[:1].isalpha() and len(text) > 1 else ""
    if place == "-":
        return _in_kennel(layout, side, pieces, rank)
    for piece in pieces:
        if sprites.place(piece) == place and (not rank or piece[0] == rank):
            return layout.place(side, place), piece[0] if scene.board.system.ranks else "", True
    return layout.place(side, place), rank, False


def _in_kennel(layout: Layout, side: int, pieces: tuple[str, ...], rank: str) -> tuple[Point, str, bool]:
    homes = [piece for piece in pieces if piece.endswith("-")]
    wells = layout.corners[side].wells
    if rank:
        for index, piece in enumerate(homes):
            if piece[0] == rank:
                return wells[index], rank, True
        return wells[min(len(homes), 3)], rank, False
    if homes:
        return wells[len(homes) - 1], homes[-1][0] if len(homes[-1]) > 1 else "", True
    return wells[0], "", False


CHAIN = 0.485
"""Reach of neighbours' frames, in pitches: a gap remains."""
BROAD, SLIM = 6.6, 2.4
"""Reach of a frame around a piece, in 27ths of its radius; slim where several are side by side."""


@cached(radius=1)
def frame(theme: Theme, radius: float, close: bool) -> Sprite:
    """Return a bright ring for a piece that can be chosen, with a dark ring around it unless something is `close`."""
    unit = radius / 27
    art = Art(radius * 2 + 30 * unit, radius * 2 + 30 * unit)
    edges = ((theme.chevron, BROAD), (theme.ribbon, BROAD - 1.2), (theme.chevron, 1.2))
    art.discs(*((colour, radius + edge * unit) for colour, edge in ([(theme.ribbon, SLIM)] if close else edges)))
    return art.sprite()
