"""The curve of a game: complete within its picture, in the teams' colours, and refused where it makes no sense."""

from io import BytesIO
from itertools import combinations, pairwise
from math import dist

import pytest
from PIL import Image

from render import RenderError
from render.curve import SIZE, Mark, TeamCurve, arrange, curve_png
from render.themes import THEMES

RISING = tuple(number / 40 for number in range(41))
THREE = (
    *(TeamCurve((seat,), RISING if not seat else tuple(0.4 - chance / 4 for chance in RISING)) for seat in range(3)),
)
LINES = (TeamCurve((0, 2), RISING), TeamCurve((1, 3), tuple(1 - chance for chance in RISING)))


def drawn(lines: tuple[TeamCurve, ...] = LINES, marks: tuple[Mark, ...] = (), theme: str = "slate") -> Image.Image:
    return Image.open(BytesIO(curve_png(lines, {1: 0, 2: 20}, "FOX-1", marks, theme))).convert("RGB")


@pytest.mark.parametrize("theme", THEMES)
def test_nothing_is_cut_at_the_edges(theme: str) -> None:
    picture = drawn(theme=theme)
    width, height = picture.size
    assert (width, height) == SIZE
    edges = [(0, 0, 4, height), (width - 4, 0, width, height), (0, 0, width, 4), (0, height - 4, width, height)]
    assert [len(picture.crop(box).getcolors(99) or ()) for box in edges] == [1] * 4


def test_mark_lies_on_its_seats_line() -> None:
    plain, marked = drawn(THREE), drawn(THREE, marks=(Mark(30, 1, "1"),))
    low, high = (
        sum(one != other for one, other in zip(halves(plain)[at], halves(marked)[at], strict=True)) for at in (1, 0)
    )
    assert low > 500
    assert high == 0


def test_lines_of_three_teams_differ_and_fill_height() -> None:
    lines = (*(TeamCurve((seat,), (chance,) * 41) for seat, chance in enumerate((0.5, 0.3, 0.2))),)
    picture, parts = drawn(lines), []
    for chance in (0.5, 0.3, 0.2):
        row = [picture.getpixel((x, round(474 - 374 * chance / 0.5))) for x in range(440, 690)]
        parts.append(sum(one != other for one, other in pairwise(at == row[0] for at in row)))
    assert parts[0] == 0
    assert parts[2] > parts[1] > 8


def test_marks_of_close_turns_stay_apart() -> None:
    for spots in (
        [(400.0, 300.0)] * 3,
        [(400.0, 300.0), (410.0, 298.0), (420.0, 296.0)],
        [(136.0, 474.0), (140.0, 474.0), (144.0, 474.0)],
        [(900.0, 100.0)] * 3,
    ):
        found = arrange(spots)
        assert dist(found[0], spots[0]) < 26
        assert all(dist(one, other) >= 50 for one, other in combinations(found, 2))
        assert all(dist(place, spot) < 120 for place, spot in zip(found, spots, strict=True))
        # None is across the edge of the plot.
        assert all(24 < x < SIZE[0] - 24 and 92 + 25 < y < 482 - 25 for x, y in found)


def test_marks_stay_off_names() -> None:
    assert arrange([(200.0, 120.0)], [(136.0, 98.0, 400.0, 138.0)])[0][1] > 138


def test_the_line_to_a_mark_crosses_no_other() -> None:
    spot = (300.0, 300.0)
    line = [*((x, 285.0) for x in range(200, 291)), (295.0, 292.0), *((x, 300.0) for x in range(300, 401))]
    others = [*((x, 224.0) for x in range(280, 321)), *((x, 360.0) for x in range(240, 361))]
    ((x, y),) = arrange([spot], (), [[*line, *others]])
    third = (2 * spot[0] + x) / 3, (2 * spot[1] + y) / 3
    assert min(dist(third, point) for point in line) > 6


def test_distant_marks_stay_in_place() -> None:
    spots = [(200.0, 300.0), (400.0, 310.0), (600.0, 130.0)]
    assert arrange(spots) == spots


def test_lines_of_rounds_reach_the_edges_beside_names() -> None:
    picture = drawn()
    for level in (106, 468):
        assert picture.getpixel((526, level)) != picture.getpixel((518, level))


def halves(picture: Image.Image) -> tuple[bytes, bytes]:
    """The pixels above the middle, and below it."""
    middle = SIZE[1] // 2
    return picture.crop((0, 0, SIZE[0], middle)).tobytes(), picture.crop((0, middle, *SIZE)).tobytes()


def test_names_of_many_teams_or_one_fit() -> None:
    many = tuple(TeamCurve((seat, seat + 4), (0.25,) * 41, ("Ág", "Ög")) for seat in range(4))
    edge = drawn(many).crop((704, 60, SIZE[0], 84)).getcolors() or ()
    assert edge == [(24 * (SIZE[0] - 704), THEMES["slate"].table)]
    assert drawn((TeamCurve((0,), RISING),)).size == SIZE


@pytest.mark.parametrize("lines", [(), (TeamCurve((0,), ()),), (TeamCurve((0,), (0.5,)), TeamCurve((1,), (0.5, 0.4)))])
def test_chances_that_do_not_fit_together_are_refused(lines: tuple[TeamCurve, ...]) -> None:
    with pytest.raises(RenderError):
        drawn(lines)


def test_names_of_rounds_never_touch() -> None:
    """A round that was dealt soon after another has none."""
    below = []
    for rounds in ({1: 0, 3: 20, 4: 30}, {1: 0, 2: 2, 3: 20, 4: 30}, {1: 0, 2: 8, 3: 20, 4: 30}):
        picture = Image.open(BytesIO(curve_png(LINES, rounds, "FOX-1", first="Round 1"))).convert("RGB")
        below.append(picture.crop((0, 490, *SIZE)).tobytes())
    assert below[0] == below[1] != below[2]
