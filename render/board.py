"""Board pictures: everything put together, from a scene to PNG bytes."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image

from engine.errors import PositionError
from engine.placement import place_of, to_nodes
from render import centre, ground, panels, png, sprites
from render.cache import Cache
from render.errors import RenderError
from render.geometry import PIECE, Layout
from render.palette import palette_for
from render.scene import Scene
from render.themes import Theme, theme_of

SMALLEST, LARGEST = 128, 2048

_layouts: Cache[Layout] = Cache("layouts", 1 << 20, lambda layout: 16384)


def layout_of(scene: Scene, size: int) -> Layout:
    """Where everything lies in the scene's picture; raises RenderError."""
    if type(size) is not int or not SMALLEST <= size <= LARGEST:
        raise RenderError("size", f"must be {SMALLEST} to {LARGEST} pixels")
    turned = 0 if scene.turned is None else scene.turned
    key = (scene.board, size, turned)
    return _layouts.get(key, lambda: Layout(scene.board, size, turned))


def check(scene: Scene) -> None:
    """Raise RenderError if the pieces do not fit the board."""
    sides = set(scene.placement)
    if sides != set(scene.board.seats):
        raise RenderError("placement", f"must have the sides {', '.join(map(str, scene.board.seats))}")
    try:
        to_nodes(scene.board, scene.placement)
    except (PositionError, TypeError) as error:
        raise RenderError("placement", str(error)) from error


def paint(scene: Scene, theme: Theme, size: int) -> Image.Image:
    """The scene as a picture in true colours."""
    check(scene)
    layout = layout_of(scene, size)
    canvas = ground.ground(layout, theme).copy()
    for side in scene.board.seats:
        panels.draw(canvas, layout, theme, side, standing(scene, side))
    centre.draw(canvas, layout, theme, scene)
    _pieces(canvas, layout, theme, scene.placement)
    return canvas


def standing(scene: Scene, side: int) -> panels.Standing:
    """How a seat is doing."""
    team = scene.team_of(side)
    return panels.Standing(
        name=scene.names.get(side, ""),
        cards=scene.hands.get(side),
        active=side in scene.to_act,
        out=side in scene.out,
        finished=side in scene.finished,
        winner=side in scene.winners,
        computer=side in scene.computers,
        partner=next((seat for seat in team if seat != side), None),
        out_label=scene.labels.get("out", "out"),
    )


def _pieces(canvas: Image.Image, layout: Layout, theme: Theme, placement: Mapping[int, tuple[str, ...]]) -> None:
    radius = PIECE * layout.pitch
    ranks = bool(layout.board.system.ranks)
    for side, pieces in placement.items():
        wells = iter(layout.corners[side].wells)
        for text in pieces:
            rank = text[0] if ranks else ""
            place = place_of(text)
            spot = next(wells) if place == "-" else layout.place(side, place)
            sprites.piece(theme, side, radius, rank, text.endswith("*")).onto(canvas, *spot)


def board_png(scene: Scene, theme: str = "slate", size: int = 1024) -> bytes:
    """The board as PNG bytes, `size` pixels square; raises RenderError."""
    look = theme_of(theme)
    return png.encode(*palette_for(look).quantise(paint(scene, look, size)))
