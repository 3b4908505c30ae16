"""The pictures of a cup: whatever is in them, they are drawn, and wide enough to read."""

import io

import pytest
from PIL import Image

from render.errors import RenderError
from render.standings import WIDTH, Placed, poster_png, standings_png
from render.themes import THEMES

HEADS = ("Points", "Opponents", "Home", "Rounds")
LONG = "Wolfeschlegelsteinhausenbergerdorff & 山田太郎 👩‍👩‍👧"


@pytest.mark.parametrize("theme", THEMES)
def test_standings_have_a_line_for_each(theme: str) -> None:
    lines = [Placed(place, LONG, ("12.5", "140", "128", "64")) for place in (1, 1, 3, 4, 128)]
    five, one = (Image.open(io.BytesIO(standings_png(some, LONG, HEADS, theme))) for some in (lines, lines[:1]))
    assert five.width == one.width == WIDTH
    assert five.height - one.height == 4 * 68


def test_only_those_with_points_have_medals() -> None:
    lines = [Placed(1, "Ann", ("0", "0", "0", "0"))]
    assert standings_png(lines, "Cup", HEADS) != standings_png([Placed(1, "Ann", ("0", "0", "1", "0"))], "Cup", HEADS)


def test_standings_without_lines_are_refused() -> None:
    with pytest.raises(RenderError):
        standings_png([], "Cup", HEADS)


@pytest.mark.parametrize("theme", THEMES)
def test_a_poster_grows_with_its_lines(theme: str) -> None:
    short, long_ = (Image.open(io.BytesIO(poster_png(LONG, [LONG] * count, theme))) for count in (1, 6))
    assert short.width == long_.width == WIDTH
    assert long_.height > short.height
