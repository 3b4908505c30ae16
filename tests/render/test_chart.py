"""Ratings as pictures: whole within their edges, the band where it belongs, won and lost no matter of colour alone."""

from io import BytesIO

import pytest
from PIL import Image

from render import RenderError
from render.chart import SIZE, Ranked, Spell, ranking_png, rating_png, scale
from render.drawing.text import MEDIUM, width_of
from render.themes import THEMES, theme_of
from tools.pictures import samples

RISING = tuple(Spell(1400 + 10 * number, 400 - 8 * number) for number in range(30))
LINES = tuple(
    Ranked(name, 1600 - 50 * number, "1,600", 80, number > 1) for number, name in enumerate(("Ann", "Ben", "Cat"))
)


def rating(
    spells: tuple[Spell, ...] = RISING, form: tuple[bool, ...] = (True, False), theme: str = "slate"
) -> Image.Image:
    return Image.open(
        BytesIO(rating_png(spells, form, "Ann", samples.WORDS, dict.fromkeys(scale(spells or RISING), "1,500"), theme))
    ).convert("RGB")


@pytest.mark.parametrize("theme", THEMES)
def test_nothing_is_cut_at_the_edges(theme: str) -> None:
    for picture in (
        rating(theme=theme),
        Image.open(BytesIO(ranking_png(LINES, "Best", samples.WORDS, theme))).convert("RGB"),
    ):
        width, height = picture.size
        assert width == SIZE[0]
        edges = [(0, 0, 4, height), (width - 4, 0, width, height), (0, 0, width, 4), (0, height - 4, width, height)]
        assert [len(picture.crop(box).getcolors(99) or ()) for box in edges] == [1] * 4


@pytest.mark.parametrize("theme", THEMES)
def test_each_line_of_a_leaderboard_has_a_plate(theme: str) -> None:
    picture = Image.open(BytesIO(ranking_png(LINES, "Best", samples.WORDS, theme))).convert("RGB")
    assert picture.getpixel((40, 133)) != picture.getpixel((40, 166)) == picture.getpixel((10, 133))


def test_won_and_lost_differ_in_shape() -> None:
    picture = rating()
    first = 32 + width_of(samples.WORDS.form, 32, MEDIUM) + 24 + 22
    won, lost = (picture.getpixel((round(first + at), 610)) for at in (0, 44))
    assert won != lost
    assert lost == picture.getpixel((1000, 636)), "a ring is empty"


def test_a_band_narrows_as_a_rating_becomes_certain() -> None:
    picture, ground = rating(), theme_of("slate").inner

    def height(x: int) -> int:
        return sum(picture.getpixel((x, y)) != ground for y in range(108, 464))

    assert height(160) > 2 * height(860) > 0


@pytest.mark.parametrize("draw", [lambda: rating(spells=()), lambda: ranking_png((), "Best", samples.WORDS)])
def test_nothing_is_no_picture(draw: object) -> None:
    with pytest.raises(RenderError):
        draw()  # type: ignore[operator]


def test_a_single_rating_and_negative_points_are_drawn() -> None:
    assert rating(spells=RISING[:1]).size == SIZE
    assert ranking_png([Ranked("Ann", 5, "+5"), Ranked("Ben", -5, "−5")], "Best", samples.WORDS)
