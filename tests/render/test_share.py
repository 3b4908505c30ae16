"""The picture of a finished game."""

import io

import pytest
from PIL import Image

from render import THEMES, RenderError
from render.sheets import Figure, Party, share_png
from tools.pictures import samples

FACTS = [Figure("9", "rounds"), Figure("214", "moves"), Figure("31", "pieces sent home")]
SCENE = samples.states()["winners"]


@pytest.mark.parametrize("theme", THEMES)
def test_it_has_the_size_that_posts_elsewhere_show(theme: str) -> None:
    data = share_png(
        SCENE, "Classic", [Party((0, 2), ("Anna", "Çelik"), True), Party((1, 3), ("B", "I"))], FACTS, theme
    )
    assert Image.open(io.BytesIO(data)).size == (1200, 630)
    assert len(data) < 200 * 1024


def test_what_is_told_is_seen() -> None:
    parties = [Party((0, 2), ("Anna", "Çelik"), True), Party((1, 3), ("Bálint", "Íñigo"))]
    one = share_png(SCENE, "Classic", parties, FACTS)
    assert one != share_png(SCENE, "Classic", parties, FACTS[:2])
    assert one != share_png(SCENE, "Royal", parties, FACTS)
    assert one != share_png(SCENE, "Classic", [Party((0, 2), ("Anna", "Çelik")), *parties[1:]], FACTS)


@pytest.mark.parametrize("players", [2, 3, 5, 6])
def test_everybody_has_room(players: int) -> None:
    scene = samples.standard("royal", players)
    parties = [Party((seat,), ("Ｗ" * 32,), seat == 0) for seat in scene.board.seats]
    picture = Image.open(io.BytesIO(share_png(scene, "x" * 90, parties, FACTS))).convert("RGB")
    # Nothing is written over the edges.
    for box in ((0, 626, 1200, 630), (1190, 0, 1200, 630)):
        assert picture.crop(box).getcolors() == [(((box[2] - box[0]) * (box[3] - box[1])), THEMES["slate"].table)]


def test_too_many_facts_are_refused() -> None:
    with pytest.raises(RenderError, match="facts"):
        share_png(SCENE, "Classic", [Party((0,), ("A",))], FACTS * 2)
    with pytest.raises(RenderError, match="facts"):
        share_png(SCENE, "Classic", [], FACTS)
