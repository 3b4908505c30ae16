"""The picture of a finished game."""

import io

import pytest
from PIL import Image

from engine import board_for
from render import THEMES, RenderError
from render.board import ground
from render.board.geometry import Layout
from render.share import Figure, Party, share_png
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


def test_holes_without_numbers_are_alike() -> None:
    for blank in (True, False):
        layout = Layout(board_for("swiss", 8), 602, blank=blank)
        fifth, other = (ground.space(layout, THEMES["slate"], None, number).mask for number in ("10", "11"))
        assert (fifth == other) is blank


def test_pieces_beside_the_winners_lane_are_dimmed_whole() -> None:
    picture = Image.open(io.BytesIO(share_png(*samples.share("family", 4)))).convert("RGB")
    # Left and right on the pale rim of the piece beside Çelik's lane.
    left, right = (max(picture.crop((x, 38, x + 4, 41)).convert("L").tobytes()) for x in (333, 364))
    assert left == pytest.approx(right, abs=12)
