"""Arithmetic with colours: mixing, and how far they stand out from each other."""

from __future__ import annotations

import math
from functools import lru_cache

RGB = tuple[int, int, int]
Linear = tuple[float, float, float]

BLACK: RGB = (0, 0, 0)
WHITE: RGB = (255, 255, 255)


def rgb(text: str) -> RGB:
    """Parse a colour from `#rrggbb`."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mix(first: RGB, second: RGB, share: float) -> RGB:
    """Return the colour that lies `share` (0 to 1) of the way from the first to the second."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


HUE = 0.65
"""Loss of colourfulness when something fades, in shares of the loss of lightness."""
_GREY = (0.299, 0.587, 0.114)


def fade_matrix(ground: RGB, share: float) -> tuple[float, ...]:
    """Return the matrix for `Image.convert` that fades into a ground: unlike in a mixture, amber does not turn olive.

    The ground itself stays as it is.
    """
    hue = 1 - HUE * share
    rows = [[(1 - share - hue) * part + hue * (i == j) for j, part in enumerate(_GREY)] for i in range(3)]
    return tuple(
        number
        for row, own in zip(rows, ground, strict=True)
        for number in (*row, own - sum(part * value for part, value in zip(row, ground, strict=True)))
    )


@lru_cache(maxsize=4096)
def fade(colour: RGB, ground: RGB, share: float) -> RGB:
    """Fade the colour this far into a ground, as `fade_matrix` does it."""
    numbers = fade_matrix(ground, share)
    rows = (numbers[at : at + 4] for at in (0, 4, 8))
    red, green, blue = (
        min(255, max(0, math.floor(sum(part * value for part, value in zip(row, (*colour, 1), strict=True)) + 0.5)))
        for row in rows
    )
    return red, green, blue


def brighten(colour: RGB, times: float) -> RGB:
    """Return the colour with so many times its light, as far as possible: unlike a mix with white, it keeps its hue."""
    red, green, blue = (min(255, round(part * times)) for part in colour)
    return red, green, blue


def linear(colour: RGB) -> Linear:
    """Return the colour as amounts of light, 0 to 1."""
    red, green, blue = (c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour)
    return red, green, blue


def luminance(colour: RGB) -> float:
    """Return the brightness of a colour, 0 to 1 (WCAG)."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: RGB, second: RGB) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG)."""
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def readable(ground: RGB, *inks: RGB) -> RGB:
    """Return the ink that stands out most from the ground."""
    return max(inks, key=lambda ink: contrast(ink, ground))


@lru_cache(maxsize=1024)
def shade(colour: RGB, lightness: float) -> RGB:
    """Mix the colour towards white (lightness above 0) or black (below 0), by that share."""
    return mix(colour, WHITE if lightness > 0 else BLACK, abs(lightness))
