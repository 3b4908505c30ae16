"""Fixed palettes: 255 colours a theme, so that pictures are small and quick to encode and replays share one table.

The colours stand in palettes.json and are made from the pictures themselves (`python -m render palettes`): first the
flat colours of the theme exactly, then those that come closest to everything else that is ever drawn in it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

from PIL import Image

from render import glow
from render.colour import RGB
from render.errors import RenderError
from render.themes import SEATS, THEMES, Theme

FILE = Path(__file__).parent / "palettes.json"
COLOURS = 255
"""One of the 256 is left for "unchanged" in replays."""

_LOCK = threading.Lock()
_palettes: dict[str, Palette] = {}


class Palette:
    """The colours of one theme, and pictures turned into numbers of them."""

    def __init__(self, colours: bytes) -> None:
        self.colours = colours
        self._image = Image.new("P", (1, 1))
        self._image.putpalette(colours + colours[:3] * (256 - len(colours) // 3))
        # Pillow keeps what it learned of the palette in the palette: made here, before other threads can meet it.
        self.quantise(Image.new("RGB", (1, 1)))

    def quantise(self, picture: Image.Image) -> Image.Image:
        """The picture as numbers of colours, in mode `P`, without dithering."""
        return picture.quantize(palette=self._image, dither=Image.Dither.NONE)


def palette_for(theme: Theme) -> Palette:
    """The palette of a theme; raises RenderError if the file of palettes is broken."""
    found = _palettes.get(theme.id)
    if found is not None:
        return found
    with _LOCK:
        if theme.id not in _palettes:
            try:
                colours = bytes.fromhex(json.loads(FILE.read_text(encoding="utf-8"))[theme.id])
            except (OSError, ValueError, LookupError, TypeError) as error:
                raise RenderError("palette", f"palettes.json cannot be read: {error}") from error
            _palettes[theme.id] = Palette(colours)
        return _palettes[theme.id]


def flat_colours(theme: Theme) -> list[RGB]:
    """The colours that must come out exactly."""
    found = [
        value for field in fields(theme) if isinstance(value := getattr(theme, field.name), tuple) and len(value) == 3
    ]
    found += [*theme.paths, *theme.grain, *SEATS]
    for side in range(6):
        found += [theme.lane(side), theme.well(side), theme.edge(side), theme.lit(side), theme.lit_ground(side)]
        found += glow.steps(theme, side)
    return list(dict.fromkeys(found))


def make(theme: Theme, pictures: Iterable[Image.Image]) -> bytes:
    """A palette for pictures in true colours."""
    exact = flat_colours(theme)
    counts: dict[RGB, int] = {}
    for picture in pictures:
        coarse = picture.point([(i & 0xFC) + 2 for i in range(256)] * 3)
        for count, colour in coarse.getcolors(1 << 24) or ():
            key: RGB = colour  # type: ignore[assignment]
            counts[key] = counts.get(key, 0) + count
    pixels = bytearray()
    for colour, count in counts.items():
        if min(_apart(colour, one) for one in exact) > 40:
            # Rare colours count too: the eye goes to the pieces, not to the table.
            pixels += bytes(colour) * max(1, round(count**0.42))
    picture = Image.frombytes("RGB", (len(pixels) // 3, 1), bytes(pixels))
    rest = picture.quantize(COLOURS - len(exact), Image.Quantize.MEDIANCUT, kmeans=12)
    colours = bytes(part for colour in exact for part in colour) + bytes(rest.getpalette() or b"")
    return colours[: 3 * COLOURS]


def _apart(one: RGB, other: RGB) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def write(palettes: dict[str, bytes]) -> None:
    """Replace the file of palettes."""
    lines = [f' "{name}": "{palettes[name].hex()}"' for name in THEMES if name in palettes]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    _palettes.clear()
