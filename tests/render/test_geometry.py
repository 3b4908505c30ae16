"""Boards are laid out so that nothing lies on anything else, in the direction and from the start that the rules say."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import pytest

from engine import Board, board_for
from render.errors import RenderError
from render.geometry import BAND, SPACE, Layout
from render.samples import BOARDS

LAYOUTS = [Layout(board_for(*board), 1024) for board in BOARDS]
IDS = [f"{system}-{players}" for system, players in BOARDS]
layouts = pytest.mark.parametrize("layout", LAYOUTS, ids=IDS)


@layouts
def test_no_two_spaces_touch(layout: Layout) -> None:
    places = {(x, y) for x, y, _, _ in layout.spots}
    nearest = min(math.dist(one, other) for one, other in combinations(places, 2))
    assert nearest > (2 * SPACE + 0.06) * layout.pitch


@layouts
def test_every_place_has_a_spot_of_its_own_but_the_crossing(layout: Layout) -> None:
    board = layout.board
    lanes = 4 * board.sides
    inner = sum(path.spaces for path in board.paths) - max(0, len(board.crossing) - 1)
    assert len({(round(x), round(y)) for x, y, _, _ in layout.spots}) == board.length + lanes + inner


@layouts
def test_everything_is_in_the_picture(layout: Layout) -> None:
    reach = BAND * layout.pitch
    for x, y, _, _ in layout.spots:
        assert reach <= x <= layout.size - reach
        assert reach <= y <= layout.size - reach
    for corner in layout.corners:
        left, top, right, bottom = corner.region
        assert min(left, top) > -25
        assert max(right, bottom) < layout.size + 25
        for box in corner.kennels:
            assert 0 < box[0] < box[2] < layout.size
            assert 0 < box[1] < box[3] < layout.size


@layouts
def test_neighbours_on_the_track_are_about_a_pitch_apart(layout: Layout) -> None:
    for one, other in pairwise(layout.track):
        assert 0.9 * layout.pitch < math.dist(one, other) < 1.01 * layout.pitch


@layouts
def test_lanes_branch_off_where_the_rules_say(layout: Layout) -> None:
    for side in range(layout.board.sides):
        branch = layout.track[layout.board.branch(side)]
        assert math.dist(branch, layout.lanes[side][0]) == pytest.approx(layout.pitch)


@layouts
def test_play_goes_round_in_the_direction_of_the_board(layout: Layout) -> None:
    middle = layout.size / 2
    turned = 0.0
    for (x0, y0), (x1, y1) in pairwise(layout.track):
        angle = math.atan2(y1 - middle, x1 - middle) - math.atan2(y0 - middle, x0 - middle)
        turned += (angle + math.pi) % (2 * math.pi) - math.pi
    # On a picture y grows downward, so clockwise is positive.
    assert turned == pytest.approx(2 * math.pi if layout.board.clockwise else -2 * math.pi)


@layouts
def test_side_0_lies_at_the_bottom_and_can_be_turned_away(layout: Layout) -> None:
    lowest = max(range(layout.board.sides), key=lambda side: layout.lanes[side][0][1])
    assert lowest == 0
    turned = Layout(layout.board, layout.size, 2)
    assert max(range(layout.board.sides), key=lambda side: turned.lanes[side][0][1]) == 2
    assert turned.lanes[2][3] == pytest.approx(layout.lanes[0][3])


@layouts
def test_kennels_names_and_cards_keep_off_the_track(layout: Layout) -> None:
    for corner in layout.corners:
        spots = [*corner.wells, corner.cards, corner.badge]
        far = corner.align * corner.name_width
        spots += [corner.name, (corner.name[0] - far, corner.name[1])]
        for x, y in spots:
            nearest = min(math.dist((x, y), (sx, sy)) for sx, sy, _, _ in layout.spots)
            assert nearest > BAND * layout.pitch


@layouts
def test_wells_do_not_touch(layout: Layout) -> None:
    for corner in layout.corners:
        for one, other in combinations(corner.wells, 2):
            assert math.dist(one, other) > 2 * corner.well


def test_pitches_are_larger_than_on_a_circle() -> None:
    four, six = (Layout(board_for("dobney", players), 1024).pitch for players in (4, 6))
    assert four > 58
    assert six > 49


def test_sizes_scale() -> None:
    board: Board = board_for("classic", 4)
    small, large = Layout(board, 256), Layout(board, 1024)
    assert small.track[17][0] * 4 == pytest.approx(large.track[17][0])


@pytest.mark.parametrize("place", ["0", "65", "e", "", "P1", "1*", "-", "１７", "a1", "99999999999999999999"])
def test_places_that_are_not_there_are_refused(place: str) -> None:
    with pytest.raises(RenderError, match="place"):
        Layout(board_for("classic", 4), 512).place(0, place)


def test_a_side_that_is_not_there_cannot_be_turned_to() -> None:
    with pytest.raises(RenderError, match="turned"):
        Layout(board_for("classic", 4), 512, 4)
