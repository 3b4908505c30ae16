"""Pictures look as they did when somebody last looked at them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.showing.scenarios import Scenario, laid_out
from engine import SYSTEMS, Game
from render import Scene, board_png
from render.drawing.cache import CACHES
from tests.render.pictures import FOLDER, SIZE, difference, goldens
from tools.pictures import samples
from tools.pictures.__main__ import RULES_SIZE

MEAN, WORST = 1.2, 30.0
RULES = Path(__file__).parents[2] / "docs/rules/img"


@pytest.mark.parametrize(("name", "draw"), goldens().items(), ids=goldens())
def test_picture_is_as_before(name: str, draw: Callable[[], bytes]) -> None:
    mean, worst = difference(draw(), (FOLDER / f"{name}.png").read_bytes())
    assert mean < MEAN
    assert worst < WORST


@pytest.mark.parametrize("board", laid_out(), ids=lambda board: board.name)
def test_the_rules_show_boards_as_they_are_drawn(board: Scenario) -> None:
    mean, worst = difference(board_png(board.scene(), size=RULES_SIZE), (RULES / f"{board.name}.png").read_bytes())
    assert mean < MEAN
    assert worst < WORST


def test_no_picture_of_the_rules_is_left_over() -> None:
    assert {path.stem for path in RULES.glob("*.png")} == {board.name for board in laid_out()}


def test_no_golden_picture_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == set(goldens())
    assert sum(path.stat().st_size for path in FOLDER.glob("*.png")) < 3 << 20


def test_a_piece_elsewhere_is_noticed() -> None:
    moves = samples.moves()
    mean, worst = difference(board_png(moves["forward"], size=SIZE), board_png(moves["capture"], size=SIZE))
    assert mean > MEAN or worst > WORST


def test_board_does_not_depend_on_earlier_drawings() -> None:
    """Whatever boards of other systems have left in the caches must fit, or not be used."""
    scenes = [
        Scene.from_view(Game.new(one, players, bytes(32)).view(None), names={})
        for one, rules in SYSTEMS.items()
        for players in sorted({min(rules.players), max(rules.players)})
    ]
    alone = []
    for scene in scenes:
        for cache in CACHES:
            cache.clear()
        alone.append(board_png(scene, size=SIZE))
    for order in (scenes, scenes[::-1]):
        for cache in CACHES:
            cache.clear()
        drawn = [board_png(scene, size=SIZE) for scene in order]
        assert drawn == [alone[scenes.index(scene)] for scene in order]
