"""How far apart colours look, and how colour-blind eyes see them."""

import math

from render.drawing.colour import RGB, Linear, linear

# Machado, Oliveira and Fernandes 2009, full severity, on linear light; greyscale by luminance.
VISIONS: dict[str, tuple[Linear, Linear, Linear]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "greyscale": ((0.2126, 0.7152, 0.0722), (0.2126, 0.7152, 0.0722), (0.2126, 0.7152, 0.0722)),
}


def seen(colour: RGB, vision: str) -> Linear:
    """The colour as eyes with this kind of vision (a key of `VISIONS`) see it, in linear light."""
    light = linear(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(weight * part for weight, part in zip(row, light, strict=True))))
        for row in VISIONS[vision]
    )
    return red, green, blue


def oklab(light: Linear) -> Linear:
    """A colour in linear light as Oklab coordinates, in which distances correspond to how large they look."""
    red, green, blue = light
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    medium = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def distance(one: RGB, other: RGB, vision: str = "normal") -> float:
    """How far apart two colours look to eyes with this kind of vision; black and white are 1 apart (Oklab)."""
    return math.dist(oklab(seen(one, vision)), oklab(seen(other, vision)))
