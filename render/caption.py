"""Words above a picture, large enough to be read where it is shown small."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from render import png
from render.draw import Canvas
from render.errors import RenderError
from render.palette import palette_for
from render.text import BOLD, write_line
from render.themes import theme_of

_TALL = 0.1
"""The height of the band that the words stand in, as a share of the picture's width."""


def captioned_png(picture: bytes, caption: str, theme: str = "slate") -> bytes:
    """A picture drawn in a theme, with a caption above it, as PNG bytes; raises RenderError."""
    look = theme_of(theme)
    palette = palette_for(look)
    with Image.open(BytesIO(picture)) as below:
        if below.mode != "P":
            raise RenderError("picture", "must be drawn in a theme")
        width, height = below.size
        band = round(width * _TALL)
        canvas = Canvas(Image.new("RGB", (width, band), look.table))
        write_line(canvas, caption, (width / 2, band / 2), round(band * 0.66), width * 0.94, BOLD, look.text, align=0.5)
        # Both are numbers in the theme's palette, so the picture itself stays as it is.
        whole = Image.new("P", (width, band + height))
        whole.paste(palette.quantise(canvas.image), (0, 0))
        whole.paste(below, (0, band))
    return png.encode(whole, palette.colours)
