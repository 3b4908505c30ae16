"""Fixed palettes: 255 colours per theme, so that pictures are small and quick to encode and replays share one table.

The colours are kept in palettes.json and made from the pictures themselves (`python -m tools.pictures palettes`): first
the theme's flat colours exactly, then those closest to everything else that is drawn in it.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path

from PIL import Image

from render.errors import RenderError
from render.themes import Theme

FILE = Path(__file__).parent / "palettes.json"
COLOURS = 255
"""One of the 256 is left for "unchanged" in replays."""

_LOCK = threading.Lock()
_palettes: dict[str, Palette] = {}


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
        """The picture in palette numbers, in mode `P`, without dithering."""
        return picture.quantize(palette=self._image, dither=Image.Dither.NONE)


def palette_for(theme: Theme) -> Palette:
    """The palette of a theme; raises RenderError if the palette file is broken."""
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


def forget() -> None:
    """Read the palette file again after it has been regenerated."""
    with _LOCK:
        _palettes.clear()
