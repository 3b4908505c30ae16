"""Smooth shapes: Pillow does not anti-alias, so shapes are drawn several times too large and then scaled down."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial, wraps
from inspect import signature
from typing import ParamSpec

from PIL import Image, ImageDraw, ImageFilter

from render.drawing.cache import Cache, Packed, PackedCache
from render.drawing.colour import RGB, fade_matrix

P = ParamSpec("P")

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""
Pixels = tuple[int, int, int, int]
"""The same in whole pixels."""


def grow(box: Box, by: float) -> Box:
    """Return the box enlarged by this much on every side."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def paste(image: Image.Image, source: Image.Image | RGB, left: int, top: int, mask: Image.Image | None = None) -> None:
    """Paste a colour or a picture of the same mode, through a mask; the image was drawn here and is no other's.

    Pillow's `paste` asks each time whether all of them have been read from their files, which takes as long again.
    """
    if isinstance(source, tuple):
        assert mask is not None, "a colour has no size"
        # A picture of one colour is pasted in less than half the time of the colour itself.
        source = Image.new(image.mode, mask.size, source)
    width, height = source.size
    box = (left, top, left + width, top + height)
    if mask is None:
        image.im.paste(source.im, box)
    else:
        image.im.paste(source.im, box, mask.im)


class Pen:
    """A pen on a mask, in pixels of the finished picture; `take` returns the smooth mask.

    `on` is how opaque the shape is: 255 fully, 0 not at all.
    """

    def __init__(self, width: int, height: int, scale: int = 8) -> None:
        self.scale = scale
        self.mask = Image.new("L", (width * scale, height * scale))
        self._draw = ImageDraw.Draw(self.mask)

    def take(self) -> Image.Image:
        """Return the finished mask."""
        return self.mask.reduce(self.scale) if self.scale > 1 else self.mask

    def _points(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self.scale - 0.5, y * self.scale - 0.5) for x, y in points]

    def disc(self, x: float, y: float, radius: float, on: int = 255) -> None:
        """Draw a full circle."""
        s, r = self.scale, max(0.75, radius * self.scale)
        self._draw.ellipse((x * s - r, y * s - r, x * s + r - 1, y * s + r - 1), fill=on)

    def discs(self, points: Iterable[Point], radius: float, on: int = 255) -> None:
        """Draw several full circles."""
        for x, y in points:
            self.disc(x, y, radius, on)

    def boxes(self, boxes: Iterable[Box], grow: float, radius: float, on: int = 255) -> None:
        """Draw several rectangles with round corners, each enlarged by `grow` on every side."""
        for x0, y0, x1, y1 in boxes:
            self.box((x0 - grow, y0 - grow, x1 + grow, y1 + grow), radius + grow, on)

    def ring(self, x: float, y: float, radius: float, width: float, on: int = 255) -> None:
        """Draw a circle outline; `radius` is that of its outer edge."""
        s, r = self.scale, radius * self.scale
        box = (x * s - r, y * s - r, x * s + r - 1, y * s + r - 1)
        self._draw.ellipse(box, outline=on, width=max(1, round(width * s)))

    def arc(self, x: float, y: float, radius: float, start: float, end: float, width: float, on: int = 255) -> None:
        """Draw part of a circle outline, in degrees, clockwise from the right; `radius` is that of its outer edge."""
        s, r = self.scale, radius * self.scale
        box = (x * s - r, y * s - r, x * s + r - 1, y * s + r - 1)
        self._draw.arc(box, start, end, fill=on, width=max(1, round(width * s)))

    def box(self, box: Box, radius: float, on: int = 255) -> None:
        """Draw a rectangle with round corners."""
        s = self.scale
        x0, y0, x1, y1 = box
        left, top = round(x0 * s), round(y0 * s)
        edges = (left, top, max(left, round(x1 * s) - 1), max(top, round(y1 * s) - 1))
        radius = max(0.0, min(radius, (x1 - x0) / 2, (y1 - y0) / 2))
        self._draw.rounded_rectangle(edges, radius * s, fill=on)

    def polygon(self, points: Sequence[Point], grow: float = 0.0, on: int = 255) -> None:
        """Fill an outline, with its edge moved out by `grow`, which also rounds the corners."""
        self._draw.polygon(self._points(points), fill=on)
        if grow:
            self.line([*points, points[0]], 2 * grow, on)

    def line(self, points: Sequence[Point], width: float, on: int = 255) -> None:
        """Draw a line with round joints and ends."""
        self._draw.line(self._points(points), fill=on, width=max(1, round(width * self.scale)))
        # A little smaller: none stands out of a line whose width has been rounded down.
        self.discs(points, width / 2 - 0.5 / self.scale, on)

    def text(self, mask: Image.Image, x: float, y: float, on: int = 255) -> None:
        """Draw another mask, given in the size of the finished picture, centred here."""
        large = mask.resize((mask.width * self.scale, mask.height * self.scale), Image.Resampling.BICUBIC)
        left, top = round(x * self.scale - large.width / 2), round(y * self.scale - large.height / 2)
        self.mask.paste(on, (left, top), large)


@dataclass(frozen=True)
class Sprite:
    """A small picture to be pasted: its colours, its mask, and which of its pixels is its middle."""

    colours: Image.Image
    mask: Image.Image
    x: int
    y: int

    @property
    def bytes(self) -> int:
        """Its size in memory; a sprite that is only a mask has no colours of its own."""
        return self.mask.width * self.mask.height * (1 if self.colours is self.mask else 5) + 400

    def paste(self, image: Image.Image, x: float, y: float) -> None:
        """Paste it with its middle here."""
        image.paste(self.colours, (round(x) - self.x, round(y) - self.y), self.mask)

    def fade(self, ground: RGB, share: float) -> Sprite:
        """Return the sprite faded this far into a ground."""
        return Sprite(self.colours.convert("RGB", fade_matrix(ground, share)), self.mask, self.x, self.y)

    def onto(self, canvas: Canvas, x: float, y: float) -> None:
        """Paste it on a canvas with its middle here."""
        left, top = round(x) - self.x, round(y) - self.y
        paste(canvas.image, self.colours, left - canvas.left, top - canvas.top, self.mask)
        width, height = self.mask.size
        canvas.changed.append((left, top, left + width, top + height))


def _pack(sprite: Sprite) -> tuple[Packed | None, Packed, int, int]:
    colours = None if sprite.colours is sprite.mask else Packed.of(sprite.colours, soon=True)
    return colours, Packed.of(sprite.mask, soon=True), sprite.x, sprite.y


def _unpack(kept: tuple[Packed | None, Packed, int, int]) -> Sprite:
    colours, mask = kept[0], kept[1].unpack()
    return Sprite(mask if colours is None else colours.unpack(), mask, *kept[2:])


def build_cache(name: str, plain: int, packed: int) -> PackedCache[Sprite, tuple[Packed | None, Packed, int, int]]:
    """Build a cache of sprites: at most so many bytes of them as they are, and so many packed."""
    return PackedCache(
        Cache(name, plain, lambda sprite: sprite.bytes + 300),
        Cache(f"{name}, packed", packed, lambda kept: sum(part.bytes for part in kept[:2] if part is not None) + 300),
        _pack,
        _unpack,
    )


_sprites = build_cache("sprites", 18 << 20, 11 << 20)


def cached(**digits: int) -> Callable[[Callable[P, Sprite]], Callable[P, Sprite]]:
    """Keep what a function draws, to be found again by its arguments.

    The named arguments are rounded to so many digits before anything is drawn with them: boards whose spaces differ by
    less share sprites, which must not depend on which board came first.
    """

    def keep(draw: Callable[P, Sprite]) -> Callable[P, Sprite]:
        names = list(signature(draw).parameters)
        places = [(names.index(name), count) for name, count in digits.items()]

        @wraps(draw)
        def found(*args: P.args, **more: P.kwargs) -> Sprite:
            exact = list(args)
            for place, count in places:
                exact[place] = round(exact[place], count)  # type: ignore[call-overload]
            key = (draw, *exact, *more.items())
            return _sprites.get(key, lambda: draw(*exact, **more))  # type: ignore[arg-type]

        return found

    return keep


GRID = 24
"""Squares of the grid over a picture, across and down: what has changed is known by these."""


def touched(boxes: Iterable[Pixels], size: int) -> list[int]:
    """Return for each row of the grid over a picture of this size the squares that boxes touch, as bits."""
    step = -(-size // GRID)
    found = [0] * (GRID + 1)
    for left, top, right, bottom in boxes:
        first, last = max(0, left) // step, (min(size, right) - 1) // step
        if first > last:
            continue
        bits = (1 << last + 1) - (1 << first)
        for row in range(max(0, top) // step, (min(size, bottom) - 1) // step + 1):
            found[row] |= bits
    return found


@dataclass(frozen=True)
class Canvas:
    """A picture being put together, and the boxes where it differs from the ground it started from.

    It may be part of a larger picture; `left` and `top` are its corner there.
    """

    image: Image.Image
    changed: list[Pixels] = field(default_factory=list)
    left: int = 0
    top: int = 0

    def stencil(self, colour: RGB, mask: Image.Image, left: int, top: int) -> None:
        """Add a colour through a mask whose corner is here."""
        paste(self.image, colour, left - self.left, top - self.top, mask)
        width, height = mask.size
        self.changed.append((left, top, left + width, top + height))


class Art:
    """A sprite in the making: flat shapes on top of each other."""

    def __init__(self, width: float, height: float, scale: int = 8) -> None:
        self.width, self.height = math.ceil(width), math.ceil(height)
        self.scale = scale
        self.image = Image.new("RGBA", (self.width, self.height))

    @classmethod
    def over(cls, sprite: Sprite) -> Art:
        """Return art that starts from a finished sprite."""
        art = cls(sprite.mask.width, sprite.mask.height)
        art.image = sprite.colours.convert("RGBA")
        art.image.putalpha(sprite.mask)
        return art

    def fill(
        self, colour: RGB, shape: Callable[[Pen], None], opacity: float = 1.0, blur: float = 0.0, inside: bool = False
    ) -> Image.Image:
        """Add a shape in a colour; `inside` restricts it to what has been drawn already. Returns the mask."""
        pen = Pen(self.width, self.height, self.scale)
        shape(pen)
        mask = pen.take()
        if blur:
            mask = mask.filter(ImageFilter.GaussianBlur(blur))
        self.stencil(colour, mask, opacity, inside)
        return mask

    def lines(self, colour: RGB, lines: Iterable[Sequence[Point]], width: float) -> None:
        """Add lines of one colour: all of them at once, since each layer is as large as the art."""

        def draw(pen: Pen) -> None:
            for points in lines:
                pen.line(points, width)

        self.fill(colour, draw)

    def discs(self, *discs: tuple[RGB, float]) -> None:
        """Add full circles around the middle, each given by its colour and radius."""
        for colour, radius in discs:
            self.fill(colour, partial(Pen.disc, x=self.width / 2, y=self.height / 2, radius=radius))

    def stencil(self, colour: RGB, mask: Image.Image, opacity: float = 1.0, inside: bool = False) -> None:
        """Add a colour through a mask of the sprite's size."""
        if opacity < 1:
            mask = mask.point([round(i * opacity) for i in range(256)])
        layer = Image.new("RGBA", self.image.size, (*colour, 0))
        layer.putalpha(mask)
        if inside:
            kept = self.image.getchannel("A")
            self.image.alpha_composite(layer)
            self.image.putalpha(kept)
        else:
            self.image.alpha_composite(layer)

    def paste(self, sprite: Sprite, x: float, y: float) -> None:
        """Add another sprite with its middle here."""
        layer = Image.new("RGBA", self.image.size)
        piece = sprite.colours.convert("RGBA")
        piece.putalpha(sprite.mask)
        layer.paste(piece, (round(x) - sprite.x, round(y) - sprite.y))
        self.image.alpha_composite(layer)

    def sprite(self, x: float | None = None, y: float | None = None, opacity: float = 1.0) -> Sprite:
        """Return the finished sprite; its middle is that of the art unless given."""
        mask = self.image.getchannel("A")
        if opacity < 1:
            mask = mask.point([round(i * opacity) for i in range(256)])
        return Sprite(
            self.image.convert("RGB"),
            mask,
            self.width // 2 if x is None else round(x),
            self.height // 2 if y is None else round(y),
        )
