"""A picture of a finished game to post elsewhere: the last position, who played with whom, and a few figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from math import dist

from PIL import Image

from render.board import plates, ribbons, sprites, strokes
from render.board.assembly import layout_of, paint
from render.board.geometry import LANE, PIECE
from render.drawing import shapes
from render.drawing.art import Art, Canvas, Point, grow
from render.drawing.colour import RGB, mix
from render.drawing.text import BOLD, INDEX, MEDIUM, clean, join, names_width, width_of, wrap, write_line, write_names
from render.errors import RenderError
from render.palette import palette_for
from render.scene import Scene
from render.themes import Theme, theme_of

SIZE = (1200, 630)
"""The size at which links and posts elsewhere are shown without cropping."""
_BOARD = 602
_EDGE = 14
_LEFT, _RIGHT = 646, 1168
MOST_FACTS = 4
_DIMMED = 0.37
"""Fading of the board towards the table."""
_VALUE, _WHAT, _LINE = 46, 38, 94
"""The height of a figure's letters and of those of what it counts, and from one line of figures to the next."""


@dataclass(frozen=True)
class Party:
    """People who play together: their seats and names, and whether they have won."""

    seats: tuple[int, ...]
    names: tuple[str, ...]
    won: bool = False


@dataclass(frozen=True)
class Figure:
    """A figure and what it counts."""

    value: str
    what: str


def share_png(
    scene: Scene, title: str, parties: Sequence[Party], facts: Sequence[Figure], theme: str = "slate"
) -> bytes:
    """Return the picture as PNG bytes, 1200 x 630 pixels; raises RenderError. At most four facts."""
    look = theme_of(theme)
    return palette_for(look).png(share(scene, title, parties, facts, look))


def share(scene: Scene, title: str, parties: Sequence[Party], facts: Sequence[Figure], look: Theme) -> Image.Image:
    """Return the picture in true colours."""
    if not parties or len(facts) > MOST_FACTS:
        raise RenderError("facts", f"there must be parties, and at most {MOST_FACTS} facts")
    canvas = Canvas(Image.new("RGB", SIZE, look.table))
    _words(canvas, look, title, parties, facts)
    # The board goes without the winners' feast, so that the position can be read, and without names, numbers and
    # shields, which would be too small to read.
    still = replace(
        scene, to_act=(), winners=(), moves=(), caption="", hands={}, deck=None, actor=None, pile=(), round=0, names={},
        placement={side: tuple(text.rstrip("*") for text in pieces) for side, pieces in scene.placement.items()},
    )  # fmt: skip
    # A little dimmed, so that the words lead, except where the winners' pieces are, and without the ground of names.
    mask, layout = Image.new("L", (_BOARD, _BOARD), round(255 * (1 - _DIMMED))), layout_of(still, _BOARD)
    for corner in layout.corners:
        left, top, right, bottom = map(round, grow(corner.pill, 1))
        mask.paste(0, (left, top, right, bottom))
    won = {side for party in parties if party.won for side in party.seats}
    for side in won:
        line = (layout.track[layout.board.start(side)], layout.track[layout.board.branch(side)], layout.lanes[side][3])
        band = ribbons.band(line, LANE * layout.pitch + 4)
        mask.paste(255, (-band.x, -band.y), band.mask)
    for side, place in sprites.spots_out(still):
        if side not in won:
            # Beside a lane, pieces of others are dimmed whole.
            spot = layout.place(side, place)
            disc = ribbons.band((spot, spot), PIECE * layout.pitch + 1)
            mask.paste(round(255 * (1 - _DIMMED)), (-disc.x, -disc.y), disc.mask)
    canvas.image.paste(paint(still, look, _BOARD, blank=True).image, (_EDGE, _EDGE), mask)
    if won:
        _cup(canvas, look, still)
    return canvas.image


def _cup(canvas: Canvas, theme: Theme, scene: Scene) -> None:
    """Draw the winners' cup in the middle; where paths cross, on a round plate that hides whole spaces, no piece."""
    middle, layout = _EDGE + _BOARD / 2, layout_of(scene, _BOARD)
    # On four sides, as large as the track's inner corners allow.
    radius = 2.6 * layout.pitch if scene.board.sides == 4 else 66.0
    if scene.board.paths:
        half, plate, radius, k = _BOARD / 2, 2.6 * layout.pitch, 60.0, _BOARD / 1024
        if any(dist((half, half), spot) < plate for spot in strokes.occupied_points(scene, layout)):
            return
        plates.frame(theme, plates.ring(plate, k), k).onto(canvas, middle, middle)
    plates.cup_sprite(theme, radius).onto(canvas, middle, middle)


def _words(canvas: Canvas, theme: Theme, title: str, parties: Sequence[Party], facts: Sequence[Figure]) -> None:
    """Write the game's name, the winners as the headline, the others, and the figures."""
    wide = _RIGHT - _LEFT
    left = write_line(canvas, plates.NAME, (_LEFT, 54), 52, wide, INDEX, theme.text) + 22
    # Which rules stand above how many players and which game.
    rows = [row for row in title.partition(" · ")[::2] if row]
    for row, level in zip(rows, (36, 73) if len(rows) > 1 else (54,), strict=True):
        write_line(canvas, row, (left, level), 33, _RIGHT - left, MEDIUM, _quiet(theme))
    # Each column of figures is as wide as what it counts needs; of the others, the second is there, too.
    needs = [max((width_of(clean(fact.what), _WHAT, MEDIUM) for fact in facts[at::2]), default=1.0) for at in (0, 1)]
    size = min(_WHAT, int(_WHAT * (wide - 24) / sum(needs)))
    first, second = (need * size / _WHAT + 2 for need in needs)
    middle = min(max(wide / 2, first + 20), wide - second)
    lines = [facts[i : i + 2] for i in range(0, len(facts), 2)]
    below = 594.0 - _LINE * (len(lines) - 1)
    won = [party for party in parties if party.won]
    others = [party for party in parties if not party.won]
    columns = 1 if len(others) < 4 else 2
    deep, room = -(-len(others) // columns), below - 74 - _HEAD - 3 * _AIR
    most = 94.0 if any(len(party.seats) > 2 for party in others) else 66.0
    # A single winner's name has room beside the piece; that of two would be small there.
    alone = all(len(party.seats) == 1 for party in won)
    slim = alone or sum(_height(party, False) for party in won) + 44 * deep > room
    high = float(sum(_height(party, slim) for party in won))
    step = min(most, (room - high) / max(1, deep))
    # Where lines are close, air above and below keeps them from being one block with the rest.
    step *= 0.96 if step < 56 else 1.0
    gap = _AIR + min(54.0 if alone else 30.0, (room - high - step * deep) / (2 + bool(deep)))
    y = _HEAD + max(gap, _AIR + 8)
    for party in won:
        _headline(canvas, theme, party, y, slim)
        y += _height(party, slim)
    y += gap
    for number, party in enumerate(others):
        column, at = divmod(number, deep)
        across = wide if columns == 1 else wide - middle if column else middle - 20
        _draw_others(canvas, theme, party, (_LEFT + column * middle, y + (at + 0.5) * step), across, step)
    for line in lines:
        for fact, x, far in zip(line, (_LEFT, _LEFT + middle), (middle - 20, wide - middle), strict=False):
            write_line(canvas, fact.value, (x, below - 41), _VALUE, far, BOLD, theme.text)
            write_line(canvas, fact.what, (x, below), size, far, MEDIUM, _quiet(theme))
        below += _LINE


_Pair = tuple[tuple[int, ...], tuple[list[str], str, str]]
"""The seats and names that stand on one line; see `join`."""
_HEAD = 92.0
"""Where the game's name ends."""
_AIR = 10
"""The least room above and below the winners and below the others, in pixels."""


def _pairs(party: Party, room: float, size: int) -> list[_Pair]:
    """Return a party's seats and names on one line, if these fit in this size, else two by two."""
    most = 2 if names_width([*map(clean, party.names)], size) > room else len(party.seats)
    starts = range(0, len(party.seats), most)
    return list(
        zip(
            (party.seats[at : at + most] for at in starts),
            join([party.names[at : at + most] for at in starts]),
            strict=True,
        )
    )


_PAD, _MANY = 18, 46
"""The room at the sides of the winners' frame, and the height of names on several lines in it."""


def _winner_lines(party: Party, slim: bool) -> list[_Pair]:
    """Return the winners line by line: names stand below the pieces or, to be `slim`, beside them."""
    return _pairs(party, 0.0 if slim else _RIGHT - _LEFT - 2 * _PAD, _MANY)


def _height(party: Party, slim: bool) -> int:
    """Return the height of the winners' frame."""
    lines = len(_winner_lines(party, slim))
    return 26 + 66 * lines if slim else 94 + 52 * lines


def _headline(canvas: Canvas, theme: Theme, party: Party, top: float, slim: bool) -> None:
    """Draw the winners in a golden frame with a crown."""
    lines = _winner_lines(party, slim)
    art = Art(_RIGHT - _LEFT, _height(party, slim), 4)
    art.fill(theme.gold, lambda p: p.box((0, 0, art.width, art.height), 18))
    art.fill(mix(theme.table, theme.gold, 0.14), lambda p: p.box((3, 3, art.width - 3, art.height - 3), 16))
    art.fill(theme.gold, lambda p: shapes.crown(p, art.width - 50, 46, 26))
    art.sprite(0, 0).onto(canvas, _LEFT, top)
    for number, (seats, (names, before, sign)) in enumerate(lines):
        for index, side in enumerate(seats):
            column, down = (index, 46 + 66 * number) if slim else (index + 2 * number, 43)
            sprites.piece(theme, side, 29).onto(canvas, _LEFT + _PAD + 29 + column * 66, top + down)
        left = _PAD + (12 + 66 * len(lines[0][0])) * slim
        level = top + (46 + 66 * number if slim else 101 + 52 * number)
        room = art.width - _PAD - left - 66 * (slim and not number)
        large = 72 if len(party.seats) == 1 else 54 if len(lines) == 1 else _MANY
        write_names(canvas, names, (_LEFT + left, level), large, 32, room, theme.text, before=before, sign=sign)


def _draw_others(canvas: Canvas, theme: Theme, party: Party, spot: Point, room: float, step: float) -> None:
    """Draw others who played together or alone: their pieces, and beside them their names, on two lines if need be."""
    x, y = spot
    # Where lines are close, smaller pieces keep apart.
    radius = min(26.0, max(0.34 * step, step - 33))
    for index, side in enumerate(party.seats):
        sprites.piece(theme, side, radius).onto(canvas, x + radius + index * radius * 2.2, y)
    left = x + len(party.seats) * radius * 2.2 + 14
    size, room = min(39, round(step * (0.777 if step > 48 else 0.88))), x + room - left
    # Slightly smaller letters are better than a second line.
    lines = _pairs(party, room, size - 2)
    if len(lines) > 1:
        # One size for both lines, which lie close enough to be one list.
        widest = max(names_width([*map(clean, names)], size, sign) for _, (names, _, sign) in lines)
        size = max(24, min(size, int(size * room / widest)))
    for number, (_, (names, before, sign)) in enumerate(lines):
        level = y + (number - (len(lines) - 1) / 2) * 1.16 * size
        write_names(canvas, names, (left, level), size, 24, room, _quiet(theme), before=before, sign=sign)


def _quiet(theme: Theme) -> RGB:
    return mix(theme.quiet, theme.text, 0.45)


_TALL = 0.1
"""The height of the band that the words stand in, as a share of the picture's width."""


def captioned_png(picture: bytes, caption: str, theme: str = "slate") -> bytes:
    """Return a picture drawn in a theme, with a caption above it, as PNG bytes; raises RenderError."""
    look = theme_of(theme)
    palette = palette_for(look)
    with Image.open(BytesIO(picture)) as below:
        if below.mode != "P":
            raise RenderError("picture", "must be drawn in a theme")
        width, height = below.size
        line = round(max(width, 512) * _TALL)
        rows, size = wrap(caption, lambda row, size: width * 0.94, 2, round(line * 0.6), round(line * 0.36))
        band = line * len(rows)
        canvas = Canvas(Image.new("RGB", (width, band), look.table))
        for number, row in enumerate(rows):
            spot = (width / 2, line * (number + 0.5))
            write_line(canvas, row, spot, size, width * 0.98, BOLD, look.text, align=0.5)
        # Both are numbers in the theme's palette, so the picture itself stays as it is.
        whole = Image.new("P", (width, band + height))
        whole.paste(palette.quantise(canvas.image), (0, 0))
        whole.paste(below, (0, band))
    return palette.png(whole)
