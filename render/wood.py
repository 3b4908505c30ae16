"""Planed wood: growth rings bent by slow noise, and fine fibres, in a few tones that are all in the palette."""

from __future__ import annotations

import random

from PIL import Image, ImageChops

from render.themes import Theme

RINGS = 9
"""Growth rings across the picture."""
SEED = 7


def paint(picture: Image.Image, theme: Theme, mask: Image.Image) -> None:
    """Lay the theme's wood over a picture through a mask of the same size."""
    tones = grain(picture.size, len(theme.grain))
    tones.putpalette(b"".join(bytes(tone) for tone in theme.grain))
    picture.paste(tones.convert("RGB"), (0, 0), mask)


def grain(size: tuple[int, int], tones: int) -> Image.Image:
    """The wood as numbers of tones, in mode `P`."""
    lots = random.Random(SEED)
    width, height = size
    rise = Image.linear_gradient("L").resize(size, Image.Resampling.BICUBIC)
    # A sawtooth: the height of a point, many times over, bent by noise that changes slowly along the plank.
    rings = rise.point([i * RINGS % 256 for i in range(256)])
    rings = ImageChops.add_modulo(rings, _noise(lots, (5, 7), size, 1.0))
    rings = ImageChops.add_modulo(rings, _noise(lots, (9, 40), size, 0.22))
    fibres = _noise(lots, (max(6, width // 70), height), size, 1.0)
    body = rings.point([round(150 * (1 - abs(i / 127.5 - 1) ** 1.6)) for i in range(256)])
    both = ImageChops.add(body, fibres.point([round(i * 0.42) for i in range(256)]))
    last = tones - 1
    found = both.point([min(last, i * tones // 256) for i in range(256)])
    return Image.frombytes("P", size, found.tobytes())


def _noise(lots: random.Random, grid: tuple[int, int], size: tuple[int, int], strength: float) -> Image.Image:
    """Smooth noise from random values on a grid."""
    values = Image.frombytes("L", grid, lots.randbytes(grid[0] * grid[1]))
    return values.resize(size, Image.Resampling.BICUBIC).point([round(i * strength) for i in range(256)])
