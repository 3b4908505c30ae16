"""Colours that everybody can tell apart and read."""

from itertools import combinations

import pytest
from PIL import Image

from engine.rules.definition import RankSign
from render import THEMES
from render.board import corners, sprites
from render.board.patches import STATE
from render.drawing import shapes
from render.drawing.art import Pen
from render.drawing.colour import contrast, fade, luminance, mix
from render.palette import palette_for
from render.themes import INK, MARKS, PAPER, SEATS, Theme
from tests.render.eyes import VISIONS, distance, oklab, seen

themes = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
TEXT, MARK = 4.5, 3.0
"""The least contrast of text and of marks (WCAG)."""

APART = {"normal": 0.17, "deuteranopia": 0.14, "protanopia": 0.14, "tritanopia": 0.17, "greyscale": 0.085}
"""The least distance between two seats' colours, by vision (Oklab; black and white are 1 apart)."""


@pytest.mark.parametrize("vision", VISIONS)
def test_seat_colours_stay_apart_for_every_eye(vision: str) -> None:
    assert min(distance(one, other, vision) for one, other in combinations(SEATS, 2)) >= APART[vision]


def test_black_and_white_are_one_apart() -> None:
    assert distance((0, 0, 0), (255, 255, 255)) == pytest.approx(1, abs=0.01)
    assert distance((0, 0, 0), (255, 255, 255), "greyscale") == pytest.approx(1, abs=0.01)
    assert oklab(seen((128, 128, 128), "normal"))[1] == pytest.approx(0, abs=0.001)


def test_seats_have_marks_of_distinct_shapes() -> None:
    drawn = []
    for kind in MARKS:
        pen = Pen(16, 16)
        shapes.mark(pen, kind, 8, 8, 6)
        drawn.append(pen.take().tobytes())
    for one, other in combinations(drawn, 2):
        assert (sum(abs(a - b) for a, b in zip(one, other, strict=True)) / 255) >= 20
    assert len(MARKS) == len(SEATS) == 8


def test_rank_shapes_differ_at_phone_size() -> None:
    drawn = []
    for sign in RankSign:
        pen = Pen(14, 14)
        shapes.rank(pen, sign, 7, 7, 6)
        drawn.append(pen.take().tobytes())
    for one, other in combinations(drawn, 2):
        assert sum(abs(a - b) > 96 for a, b in zip(one, other, strict=True)) >= 20


@themes
def test_marks_stand_out_from_their_pieces(theme: Theme) -> None:
    for side in range(len(SEATS)):
        assert contrast(theme.mark(side), theme.seat(side)) >= MARK


@themes
def test_pieces_stand_out_by_rim_or_edge(theme: Theme) -> None:
    for ground in (theme.band, theme.table, theme.space, *map(theme.lane, range(len(SEATS)))):
        assert max(contrast(theme.rim, ground), contrast(INK, ground)) >= MARK


@themes
def test_empty_lane_recedes_behind_its_pieces(theme: Theme) -> None:
    for side in range(len(SEATS)):
        assert contrast(theme.lane(side), theme.seat(side)) >= 1.45
        assert contrast(theme.lane(side), theme.inner) >= 1.12


@themes
def test_the_track_is_quieter_than_pieces(theme: Theme) -> None:
    """In grey, too, what lies on it is the brightest (on a bright table, the darkest) there is, not the track."""
    for ground in (theme.band, *theme.grain, *theme.paths):
        assert 1.3 < contrast(ground, theme.table) < 2.6
        assert max(contrast(ground, theme.rim), contrast(ground, INK)) > 2.2 * contrast(ground, theme.table)


@themes
def test_numbers_are_quieter_than_pieces(theme: Theme) -> None:
    """Nothing on an empty board is as bright, or on a bright board as dark, as the rim or the edge of a piece."""
    for number in (theme.number, theme.number_strong):
        assert contrast(number, theme.space) < (9.5 if theme.bright else 15.5)
    assert contrast(theme.number, theme.space) < 0.75 * contrast(theme.number_strong, theme.space)


@themes
def test_an_empty_start_is_quieter_than_a_piece(theme: Theme) -> None:
    """Its ground is darker than its colour or, on a bright board, paler; there, nothing is paler than yellow."""
    for side, seat in enumerate(SEATS):
        ground = luminance(theme.start(side)[0])
        assert ground > luminance(seat) if theme.bright and side != 5 else ground < luminance(seat)


@themes
def test_owner_of_an_empty_start_shows(theme: Theme) -> None:
    for side in range(len(SEATS)):
        ground, _, number = theme.start(side)
        assert contrast(theme.start_mark(side), ground) > 1.2
        assert contrast(theme.start_mark(side), number) >= TEXT


@themes
@pytest.mark.parametrize("kind", ["plain", "start", "slot", "branch", "special", "unused", "path", "crossing"])
def test_numbers_can_be_read(theme: Theme, kind: str) -> None:
    for side in range(len(SEATS)) if kind in ("start", "slot", "branch") else (None,):
        ground, _, number = sprites.space_ground(theme, kind, side)
        assert contrast(ground, number) >= TEXT
        assert contrast(ground, theme.number_strong) >= TEXT or kind in ("start", "slot")


@themes
def test_words_can_be_read(theme: Theme) -> None:
    for ground in (theme.table, theme.inner):
        assert contrast(theme.text, ground) >= TEXT
        assert contrast(mix(theme.quiet, theme.text, 0.25), ground) >= TEXT


@themes
def test_question_dims_all_but_its_subject(theme: Theme) -> None:
    """The band is no brighter than names beside it, the round can still be read, and every seat's way shows."""
    band, line = fade(theme.band, theme.table, theme.back), mix(theme.quiet, theme.text, 0.25)
    assert contrast(band, theme.table) < 2
    assert contrast(fade(line, theme.table, STATE), fade(theme.inner, theme.table, theme.back)) >= TEXT
    for side in range(len(SEATS)):
        assert contrast(theme.lit(side), band) >= MARK


@themes
@pytest.mark.parametrize("lit", [True, False])
@pytest.mark.parametrize("out", [True, False])
def test_names_can_be_read(theme: Theme, lit: bool, out: bool) -> None:
    for side in range(len(SEATS)):
        ground, ink = corners.pill_colours(theme, side, lit, out)
        assert contrast(ground, ink) >= TEXT


@themes
def test_the_last_move_stands_out(theme: Theme) -> None:
    assert contrast(theme.ribbon, theme.band) >= MARK
    assert contrast(theme.ribbon, theme.space) >= MARK
    assert contrast(theme.ribbon, theme.chevron) >= MARK


def test_letters_on_choices_can_be_read() -> None:
    assert contrast(INK, PAPER) >= 7


@themes
def test_what_steps_back_keeps_its_hue(theme: Theme) -> None:
    """Dimmed lanes and slots come out of the palette as they are meant, and no two lanes as one colour."""
    lanes = []
    for side in range(len(SEATS)):
        for ground in (theme.slot(side)[0], theme.lane(side)):
            meant = fade(ground, theme.table, theme.back)
            shown = palette_for(theme).quantise(Image.new("RGB", (1, 1), meant)).convert("RGB").getpixel((0, 0))
            assert distance(shown, meant) < 0.015
        lanes.append(shown)
    assert min(distance(one, other) for one, other in combinations(lanes, 2)) > 0.013
