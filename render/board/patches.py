"""Empty boards, and corners put together from cached parts, in true colours and in palette numbers.

A process draws for many tables, and no two of them have the same names. So the ground of a name, the bar, the cards and
the kennel are kept in every form they can take; only the name is written anew, if its table has not moved for a while.
Any board of any rule system may be asked for, and from any seat: those not used lately are kept packed, in a small part
of the space, and unpacked in a small part of the time that drawing them anew would take.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from PIL import Image

from render.board import corners, ground, ribbons, sprites
from render.board.geometry import LANE, Layout
from render.drawing.art import Box, Canvas, paste
from render.drawing.cache import Cache, Packed, PackedCache
from render.drawing.colour import fade_matrix
from render.palette import palette_for
from render.scene import Scene
from render.themes import Theme

NAME, STATE = 0.45, 0.1
"""Opacity of dimmed names and of the round."""


@dataclass(frozen=True)
class Patch:
    """Part of a picture as pixels: in true colours, and in the theme's palette numbers."""

    image: Image.Image
    numbers: Image.Image
    left: int = 0
    top: int = 0

    @property
    def bytes(self) -> int:
        """Its size in memory."""
        return self.image.width * self.image.height * 5

    @classmethod
    def of(cls, image: Image.Image, theme: Theme, left: int = 0, top: int = 0) -> Patch:
        """Wrap a drawing in true colours."""
        return cls(image, palette_for(theme).quantise(image), left, top)

    def fade(self, theme: Theme) -> Patch:
        """Return the patch faded into the table."""
        image = self.image.convert("RGB", fade_matrix(theme.table, theme.back))
        return Patch.of(image, theme, self.left, self.top)

    def plain(self, theme: Theme) -> Patch:
        """Return the patch in only the palette's colours: its numbers are all that has to be kept of it."""
        # Once more: a colour of the palette may share its number with a similar colour.
        return _of_numbers(palette_for(theme).quantise(self.numbers.convert("RGB")), self.left, self.top)

    def onto(self, image: Image.Image, numbers: Image.Image) -> None:
        """Put it in its place on a picture in true colours and on the same picture in palette numbers."""
        paste(image, self.image, self.left, self.top)
        paste(numbers, self.numbers, self.left, self.top)

    def part(self, box: Box) -> Patch:
        """Return the part that lies within a box."""
        left, top = max(self.left, math.floor(box[0])), max(self.top, math.floor(box[1]))
        right = min(self.left + self.image.width, math.ceil(box[2]))
        bottom = min(self.top + self.image.height, math.ceil(box[3]))
        inside = (left - self.left, top - self.top, right - self.left, bottom - self.top)
        if inside == (0, 0, *self.image.size):
            return self
        return Patch(self.image.crop(inside), self.numbers.crop(inside), left, top)


def _of_numbers(numbers: Image.Image, left: int = 0, top: int = 0) -> Patch:
    return Patch(numbers.convert("RGB"), numbers, left, top)


def _build_cache(name: str, plain: int, packed: int) -> PackedCache[Patch, tuple[Packed, int, int]]:
    """Build a cache of patches: at most so many bytes of them as they are, and so many packed."""
    return PackedCache(
        Cache(name, plain, lambda patch: patch.bytes + 400),
        Cache(f"{name}, packed", packed, lambda kept: kept[0].bytes + 100),
        lambda patch: (Packed.of(patch.numbers), patch.left, patch.top),
        lambda kept: _of_numbers(kept[0].unpack(), *kept[1:]),
    )


_boards = _build_cache("boards", 26 << 20, 8 << 20)
_grounds = _build_cache("corners", 7 << 20, 4 << 20)
_parts: PackedCache[Patch, tuple[Packed, Packed, int, int]] = PackedCache(
    Cache("parts of corners", 6 << 20, lambda patch: patch.bytes + 400),
    Cache("parts of corners, packed", 11 << 20, lambda kept: kept[0].bytes + kept[1].bytes + 100),
    lambda patch: (Packed.of(patch.image, True), Packed.of(patch.numbers, True), patch.left, patch.top),
    lambda kept: Patch(kept[0].unpack(), kept[1].unpack(), *kept[2:]),
)
_names: Cache[Patch] = Cache("names", 1 << 20, lambda patch: patch.bytes + 400)


def board(layout: Layout, theme: Theme, back: bool = False) -> Patch:
    """Return the empty board, or all of it faded; the same for every table: copy it before drawing on it."""

    def make() -> Patch:
        return (board(layout, theme).fade(theme) if back else Patch.of(ground.draw(layout, theme), theme)).plain(theme)

    return _boards.get((layout.board, layout.size, layout.turned, layout.bare, layout.blank, theme.id, back), make)


def lane(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, side: int) -> None:
    """Put a side's lane and start from one form of the board onto the other; a full lane has a golden edge."""
    line = [layout.track[layout.board.start(side)], layout.track[layout.board.branch(side)], layout.lanes[side][3]]
    half, k = (LANE + 0.02) * layout.pitch, layout.size / 1024
    if side in scene.finished:
        ribbons.draw_band(canvas, theme.gold, tuple(line), half + 4 * k)
    band = ribbons.band(tuple(line), half)
    left, top = -band.x, -band.y
    source = board(layout, theme, side in (scene.free or scene.back)).image
    box = (left, top, left + band.mask.width, top + band.mask.height)
    canvas.image.paste(source.crop(box), (left, top), band.mask)
    canvas.changed.append(box)


def draw(
    image: Image.Image,
    numbers: Image.Image,
    layout: Layout,
    theme: Theme,
    scene: Scene,
    side: int,
    now: corners.SeatStatus,
    back: bool,
) -> None:
    """Draw a whole corner with its kennel on both pictures, for corners that no move crosses."""
    # The ground below a name depends only on its length.
    blank = " " * (1 + corners.form(layout.corners[side], now))
    bare = replace(now, name=now.name if now.free else now.name and blank, cards=None, gone=None, out_label="")
    # Around a corner that stays, the board may have stepped back.
    dark = bool(scene.back) and not back
    look = (layout.cards, layout.bare, layout.blank)
    kind = (layout.board, layout.size, layout.turned, look, theme.id, side, bare, dark)
    base = _grounds.get(kind, lambda: _ground(layout, theme, side, bare, dark))

    def shown(patch: Patch) -> Patch:
        return patch.fade(theme) if back else patch

    seen = _grounds.get((kind, back), lambda: shown(base).plain(theme)) if back else base
    seen.onto(image, numbers)

    def part(key: Hashable, drawing: Callable[[Canvas], None]) -> None:
        _parts.get((kind, key, back), lambda: shown(_part(base, theme, drawing))).onto(image, numbers)

    homes = sprites.pieces_at_home(scene, side)
    if homes:
        part(homes, lambda canvas: sprites.draw_home(canvas, layout, theme, scene, side))
    if now.gone is not None and not scene.plate:
        part(now.gone, lambda canvas: corners.draw_bar(canvas, layout, theme, side, now))
    if now.cards or now.out_label:
        part(("hand", now.cards, now.out_label), lambda canvas: corners.draw_cards(canvas, layout, theme, side, now))
    if now.name and not now.free:

        def written() -> Patch:
            name = corners.name_of(layout, side, now)
            word, x, y, room = name
            pad = (word.mask.width - word.width) / 2 + 1
            box = (math.floor(x - pad), round(y - room), math.ceil(x + word.width + pad), round(y + room))
            ground = shown(base.part(box))
            box = (ground.left, ground.top, ground.left + ground.image.width, ground.top + ground.image.height)
            drawn = _draw_on(ground, box, theme, lambda canvas: corners.draw_name(canvas, theme, side, now, name))
            if not back:
                return drawn
            # Names step back less than what they stand on: they are still to be read.
            image = Image.blend(drawn.image, ground.image, NAME)
            return Patch.of(image, theme, drawn.left, drawn.top)

        _names.get((kind, now.name, back), written).onto(image, numbers)


def _ground(layout: Layout, theme: Theme, side: int, bare: corners.SeatStatus, dark: bool) -> Patch:
    """Draw what stays in a corner while its name, cards and pieces change, on the board or its `dark` form."""
    corner = layout.corners[side]
    left, top = (max(0, math.floor(edge)) for edge in corner.region[:2])
    right, bottom = (min(layout.size, math.ceil(edge)) for edge in corner.region[2:])
    image = board(layout, theme, dark).image.crop((left, top, right, bottom))
    canvas = Canvas(image, left=left, top=top)
    corners.draw_kennel(canvas, layout, theme, side, bare)
    corners.draw(canvas, layout, theme, side, bare)
    return Patch.of(image, theme, left, top).plain(theme)


def _part(base: Patch, theme: Theme, drawing: Callable[[Canvas], None]) -> Patch:
    """Return what a drawing changes on a corner's ground, with that ground; a single dot if nothing changes."""
    tried = Canvas(base.image.copy(), left=base.left, top=base.top)
    drawing(tried)
    boxes = tried.changed or [(base.left, base.top, base.left + 1, base.top + 1)]
    left, top = max(base.left, min(b[0] for b in boxes)), max(base.top, min(b[1] for b in boxes))
    right = min(base.left + base.image.width, max(b[2] for b in boxes))
    bottom = min(base.top + base.image.height, max(b[3] for b in boxes))
    return _draw_on(base, (left, top, right, bottom), theme, drawing)


def _draw_on(base: Patch, box: tuple[int, int, int, int], theme: Theme, drawing: Callable[[Canvas], None]) -> Patch:
    """Draw something on part of a corner's ground."""
    left, top, right, bottom = box
    image = base.image.crop((left - base.left, top - base.top, right - base.left, bottom - base.top))
    drawing(Canvas(image, left=left, top=top))
    return Patch.of(image, theme, left, top)
