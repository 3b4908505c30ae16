"""Fixed palettes: 255 colours per theme, so that pictures are small and quick to encode and replays share one table.

The colours are kept in palettes.json and made from the pictures themselves (`python -m tools.pictures palettes`): first
the theme's flat colours exactly, then those closest to everything else that is drawn in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from PIL import Image

from render.drawing import files
from render.errors import RenderError
from render.themes import Theme

FILE = Path(__file__).parent / "palettes.json"
COLOURS = 255
"""One of the 256 is left for "unchanged" in replays."""


class Palette:
    """The colours of one theme, and how pictures are converted to it."""

    def __init__(self, colours: bytes) -> None:
        self.colours = colours
        self._image = Image.new("P", (1, 1))
        self._image.putpalette(colours + colours[:3] * (256 - len(colours) // 3))
        # Pillow stores what it learns about a palette in the palette itself: done here, before other threads can use
        # it.
        self.quantise(Image.new("RGB", (1, 1)))

    def quantise(self, picture: Image.Image) -> Image.Image:
        """Convert the picture to palette numbers, in mode `P`, without dithering."""
        return picture.quantize(palette=self._image, dither=Image.Dither.NONE)

    def update(self, numbers: Image.Image, picture: Image.Image, boxes: Iterable[tuple[int, int, int, int]]) -> None:
        """Convert these boxes of a picture anew in its palette numbers, as `quantise` would."""
        for box in boxes:
            # `quantize` and `paste` would copy the palette each time.
            numbers.im.paste(picture.im.crop(box).convert("P", Image.Dither.NONE, self._image.im), box)

    def png(self, picture: Image.Image, padded: bool = False) -> bytes:
        """Return a picture in true colours or in palette numbers as PNG bytes; for `padded` see `files.png`."""
        return files.png(self.quantise(picture) if picture.mode == "RGB" else picture, self.colours, padded)


@lru_cache
def palette_for(theme: Theme) -> Palette:
    """Return the palette of a theme; raises RenderError if the palette file is broken."""
    try:
        return Palette(bytes.fromhex(json.loads(FILE.read_text(encoding="utf-8"))[theme.id]))
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise RenderError("palette", f"palettes.json cannot be read: {error}") from error
