"""Glow around things, in a few even steps that are all palette colours, so that nothing bands or speckles."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from render.colour import RGB, mix
from render.draw import Art, Pen
from render.geometry import Box
from render.themes import Theme, snap

STEPS = 7
REACH = 8.0
"""How far the glow reaches at most, in pixels of a 1024 px picture."""


def steps(theme: Theme, side: int) -> tuple[RGB, ...]:
    """The colours of the glow around a seat's corner, from the outermost to the innermost."""
    return tuple(snap(mix(theme.table, theme.lit(side), 0.62 * ((i + 1) / STEPS) ** 1.7)) for i in range(STEPS))


def around(art: Art, theme: Theme, side: int, boxes: Sequence[Box], radius: float, reach: float) -> None:
    """Draw the glow around boxes with round corners, this many pixels wide."""
    for index, colour in enumerate(steps(theme, side)):
        out = reach * (1 - index / STEPS)
        art.fill(colour, partial(Pen.boxes, boxes=boxes, grow=out, radius=radius))
