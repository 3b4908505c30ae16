"""Pieces in their places: on the board, in lanes and kennels."""

from __future__ import annotations

from collections.abc import Collection

from render import sprites
from render.draw import Canvas
from render.geometry import PIECE, Layout, Point
from render.scene import Scene, Spot
from render.themes import Theme

FREE = 0.5
"""The opacity of the pieces of a seat that nobody has taken."""


def draw(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, moving: Collection[Spot] = ()) -> None:
    """Draw the pieces that have left their kennels, except those in `moving`."""
    for side, pieces in scene.placement.items():
        for text in pieces:
            place = sprites.place(text)
            if place != "-" and (side, place) not in moving:
                draw_piece(canvas, layout, theme, scene, side, text, layout.place(side, place))


def at_home(scene: Scene, side: int) -> tuple[str, ...]:
    """A side's pieces in its kennel, as texts."""
    return tuple(text for text in scene.placement[side] if sprites.place(text) == "-")


def draw_home(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, side: int) -> None:
    """Draw a side's pieces in its kennel."""
    for text, well in zip(at_home(scene, side), layout.corners[side].wells, strict=False):
        draw_piece(canvas, layout, theme, scene, side, text, well)


def draw_piece(canvas: Canvas, layout: Layout, theme: Theme, scene: Scene, side: int, text: str, spot: Point) -> None:
    """Draw one piece of a scene anywhere."""
    radius = PIECE * layout.pitch
    rank = layout.board.system.rank_of(text)
    opacity = FREE if side in scene.free else 1.0
    sprites.piece(theme, side, radius, rank, text.endswith("*"), opacity).onto(canvas, *spot)
    viewer = scene.viewer
    if viewer is not None and side != viewer and side in scene.team_of(viewer) and not text.endswith("-"):
        x, y = spot
        sprites.linked(theme, viewer, 0.3 * radius).onto(canvas, x - 0.66 * radius, y - 0.66 * radius)
