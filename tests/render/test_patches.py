"""Corners put together from kept parts look as if drawn at once, whoever sits there and whichever way they face."""

from dataclasses import replace
from itertools import cycle

import pytest
from PIL import Image, ImageChops

from render import THEMES
from render.board import assembly, corners, ground, patches, sprites
from render.drawing.art import Canvas
from render.drawing.cache import CACHES, Packed
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
    look, layout = THEMES[theme], assembly.layout_of(scene, size)
    canvas = Canvas(patches.board(layout, look, bool(scene.back)).image.copy())
    standing = {side: assembly.seat_status(scene, side) for side in scene.board.seats}
    for side, now in standing.items():
        corners.draw_kennel(canvas, layout, look, side, now)
        corners.draw(canvas, layout, look, side, now)
    # Of the grounds, only the palette's colours are kept.
    for _ in range(2):
        canvas = Canvas(palette_for(look).quantise(canvas.image).convert("RGB"))
    for side, now in standing.items():
        if not now.free:
            corners.draw_name(canvas, look, side, now, corners.name_of(layout, side, now))
        if not scene.plate:
            corners.draw_bar(canvas, layout, look, side, now)
        corners.draw_cards(canvas, layout, look, side, now)
        sprites.draw_home(canvas, layout, look, scene, side)
    return canvas.image


@pytest.mark.parametrize("mode", ["RGB", "P"])
def test_a_packed_picture_is_the_same_again(mode: str) -> None:
    picture = patches.board(assembly.layout_of(samples.standard("royal", 6), 200), THEMES["wood"])
    image = picture.image if mode == "RGB" else picture.numbers
    packed = Packed.of(image)
    again = packed.unpack()
    assert (again.mode, again.size, again.tobytes()) == (mode, image.size, image.tobytes())
    assert again.convert("RGB").tobytes() == image.convert("RGB").tobytes()
    assert packed.bytes < len(image.tobytes()) / 2


def test_boards_are_drawn_once_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [
        replace(samples.standard(system, players), turned=turned)
        for system, players in samples.BOARDS
        for turned in (0, 2)
    ]
    for cache in CACHES:
        cache.clear()
    first = [assembly.board_png(scene, size=256) for scene in seen]

    def drawn(*_: object) -> None:
        raise AssertionError("a board was drawn anew")

    monkeypatch.setattr(ground, "draw", drawn)
    assert [assembly.board_png(scene, size=256) for scene in seen] == first


@pytest.mark.parametrize(
    ("name", "theme", "size"),
    [(name, *drawn) for name, drawn in zip(SCENES, cycle([("slate", 1024), ("light", 360)]), strict=False)],
)
def test_parts_make_the_whole(name: str, theme: str, size: int) -> None:
    scene = SCENES[name]
    look, layout = THEMES[theme], assembly.layout_of(scene, size)
    image = patches.board(layout, look, bool(scene.back)).image.copy()
    numbers = palette_for(look).quantise(image)
    for side in scene.board.seats:
        patches.draw(image, numbers, layout, look, scene, side, assembly.seat_status(scene, side), False)
    assert ImageChops.difference(image, at_once(scene, theme, size)).getbbox() is None
    assert numbers.tobytes() == palette_for(look).quantise(image).tobytes()
