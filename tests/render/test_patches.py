"""Corners put together from kept parts look as if drawn at once, whoever sits there and whichever way they face."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from render import THEMES, board, corners, ground, patches, pieces
from render.draw import Canvas
from render.palette import palette_for
from render.scene import Scene
from tools.pictures import samples

SCENES = {
    **samples.states(),
    **{f"{system}-{players}": samples.standard(system, players) for system, players in samples.BOARDS},
    "royal-kennel": samples.previews()["royal-kennel"],
    "crowded": replace(
        samples.standard("dobney", 6),
        names=dict.fromkeys(range(6), "gÅ अनन्या ป็ู่"),
        hands=dict.fromkeys(range(6), 17),
        to_act=tuple(range(6)),
        turned=1,
    ),
}


def at_once(scene: Scene, theme: str, size: int) -> Image.Image:
    look, layout = THEMES[theme], board.layout_of(scene, size)
    canvas = Canvas(ground.ground(layout, look).copy())
    for side in scene.board.seats:
        now = board.standing(scene, side)
        corners.draw_kennel(canvas, layout, look, side, now)
        corners.draw(canvas, layout, look, side, now)
        corners.draw_name(canvas, layout, look, side, now)
        corners.draw_bar(canvas, layout, look, side, now)
        if not now.over:
            corners.draw_cards(canvas, layout, look, side, now)
        pieces.draw_home(canvas, layout, look, scene, side)
    return canvas.image


@pytest.mark.parametrize(("theme", "size"), [("slate", 1024), ("light", 360)])
@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_parts_make_the_whole(scene: Scene, theme: str, size: int) -> None:
    look, layout = THEMES[theme], board.layout_of(scene, size)
    image = ground.ground(layout, look).copy()
    numbers = palette_for(look).quantise(image)
    for side in scene.board.seats:
        patches.draw(image, numbers, layout, look, scene, side, board.standing(scene, side))
    assert ImageChops.difference(image, at_once(scene, theme, size)).getbbox() is None
    assert numbers.tobytes() == palette_for(look).quantise(image).tobytes()
