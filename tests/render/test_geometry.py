"""Boards are laid out so that nothing overlaps, in the direction and from the start that the rules say."""

import math
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from PIL import Image

from engine import SYSTEMS, Board, Options, SetupError, Teams, board_for
from engine.rules.definition import Shape
from render import THEMES
from render.board import centre, corners, exchange, sprites
from render.board.geometry import BAND, CROSSING, FIFTH, LANE, PATH, PIECE, SPACE, Layout
from render.board.middle import LEAST, Middle, middle_of
from render.drawing.art import Box, Canvas, Point, grow
from render.errors import RenderError
from render.scene import Scene
from tools.pictures import samples


def board_of(sides: int, span: int, offset: int = 0) -> Board:
    """A board of any form: lanes branch off `offset` spaces from the starts."""
    classic, seats = SYSTEMS["classic"], tuple(range(sides))
    alone = tuple((seat,) for seat in seats)
    seating = replace(classic.seatings[4], shape=Shape(sides), seats=seats, teams=alone)
    return board_for(replace(classic, span=span, branch_offset=offset, seatings={sides: seating}), sides)


BOARDS = [
    *(board_for(system, players) for system, players in samples.BOARDS),
    *(board_of(sides, span, -2 * (span > 17)) for sides in (4, 6) for span in range(15, 20)),
]
LAYOUTS = {
    f"{board.sides}-{board.span}-{board.branch(0)}-{len(board.paths)}-{board.clockwise}-{turned}": Layout(
        board, 1024, turned
    )
    for board in BOARDS
    for turned in (range(board.sides) if board.paths else (0, 1))
}
"""Boards of every form, turned every way that makes a difference; systems with boards of one form share it."""
layouts = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)


@layouts
def test_no_two_spaces_touch(layout: Layout) -> None:
    places = {(x, y) for x, y, _, _ in layout.spots}
    nearest = min(math.dist(one, other) for one, other in combinations(places, 2))
    assert nearest > (2 * SPACE + 0.06) * layout.pitch
    for path, number in layout.board.crossing:
        spot = layout.paths[path][number - 1]
        assert sorted(math.dist(spot, place) for place in places)[1] > (SPACE + CROSSING + 0.3) * layout.pitch


@layouts
def test_places_have_distinct_spots_except_the_crossing(layout: Layout) -> None:
    board = layout.board
    lanes = 4 * board.sides
    inner = sum(path.spaces for path in board.paths) - max(0, len(board.crossing) - 1)
    assert len({(round(x), round(y)) for x, y, _, _ in layout.spots}) == board.length + lanes + inner


@layouts
def test_every_fifth_number_is_readable_on_a_phone(layout: Layout) -> None:
    """At 300 px its letters are at least 6.8 px high; and where its space is larger, the next ones are not."""
    reach = FIFTH if layout.small else SPACE
    assert reach * layout.pitch * sprites.NUMBER * 300 / layout.size > 6.8
    assert reach + SPACE < 0.9


def test_large_spaces_touch_neither_their_neighbours_nor_lanes() -> None:
    for layout in LAYOUTS.values():
        board = layout.board
        wide = layout.reach | dict.fromkeys(map(board.branch, range(board.sides)), LANE)
        for one, other in pairwise([board.length, *wide]):
            assert min(layout.reach[one], layout.reach[other]) <= SPACE or wide[one] + wide[other] < 0.97
        # Nor the pieces of ranked systems, which are the broadest.
        assert not board.specials or max(layout.reach[one] for one in board.specials) + 1.06 * PIECE < 0.98
        assert max(layout.reach.values()) == FIFTH or not layout.small


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
def test_track_neighbours_are_a_pitch_apart(layout: Layout) -> None:
    for one, other in pairwise(layout.track):
        assert 0.9 * layout.pitch < math.dist(one, other) < 1.01 * layout.pitch


@layouts
def test_lanes_branch_off_where_the_rules_say(layout: Layout) -> None:
    for side in range(layout.board.sides):
        branch = layout.track[layout.board.branch(side)]
        assert math.dist(branch, layout.lanes[side][0]) == pytest.approx(layout.pitch)


@layouts
def test_direction_of_play_is_the_boards(layout: Layout) -> None:
    middle = layout.size / 2
    turned = 0.0
    for (x0, y0), (x1, y1) in pairwise(layout.track):
        angle = math.atan2(y1 - middle, x1 - middle) - math.atan2(y0 - middle, x0 - middle)
        turned += (angle + math.pi) % (2 * math.pi) - math.pi
    # In a picture y grows downwards, so clockwise is positive.
    assert turned == pytest.approx(2 * math.pi if layout.board.clockwise else -2 * math.pi)


@layouts
def test_a_board_turns_rigidly(layout: Layout) -> None:
    still, middle = Layout(layout.board, layout.size), layout.size / 2
    angle = math.radians(360 / layout.board.sides * layout.turned)
    if layout.board.clockwise:
        angle = -angle
    c, s = math.cos(angle), math.sin(angle)
    for (x, y, _, place), (tx, ty, _, same) in zip(still.spots, layout.spots, strict=True):
        assert place == same
        turned = (middle + (x - middle) * c - (y - middle) * s, middle + (x - middle) * s + (y - middle) * c)
        assert (tx, ty) == pytest.approx(turned)
    assert max(range(layout.board.sides), key=lambda side: layout.lanes[side][0][1]) == layout.turned


@layouts
def test_kennels_names_and_cards_leave_the_track_free(layout: Layout) -> None:
    """So does the light around a corner, which has no half tones: it would cut off the band's rounded end."""
    for corner in layout.corners:
        (x, y), radius = corner.badge, corner.badge_radius
        badge = (x - radius, y - radius, x + radius, y + radius)
        boxes = [(box, corners.panel_radius(corner), corner.light) for box in corner.panel]
        for box, rounding, light in (*boxes, (badge, radius, 0.0), (corner.hand, 3.0, 0.0)):
            for spot in layout.spots:
                near = 8.0 if layout.board.sides == 4 and layout.board.span == 15 else 0.0
                # This board's rounded notches come as near as that.
                assert from_box(box, spot[:2], rounding) - light > BAND * layout.pitch - near, (box, spot)


def from_box(box: Box, point: tuple[float, float], radius: float = 0.0) -> float:
    """How far a point lies from a box with round corners."""
    radius = min(radius, (box[2] - box[0]) / 2, (box[3] - box[1]) / 2)
    left, top, right, bottom = box[0] + radius, box[1] + radius, box[2] - radius, box[3] - radius
    x, y = point
    return math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)) - radius


@layouts
def test_corner_fits_its_panel_without_overlap(layout: Layout) -> None:
    for corner in layout.corners:
        wells = [(x - corner.well, y - corner.well, x + corner.well, y + corner.well) for x, y in corner.wells]
        radius = corner.badge_radius
        badge = (*(c - radius for c in corner.badge), *(c + radius for c in corner.badge))
        parts = [corner.pill, badge, corner.hand, *wells, corner.bar]
        for one, other in combinations(parts, 2):
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        left = min(box[0] for box in corner.panel)
        right = max(box[2] for box in corner.panel)
        for part in (corner.pill, corner.bar, *wells):
            assert left <= part[0] <= part[2] <= right


def test_corners_without_cards_close_up() -> None:
    """What glows is smaller; only at the left and right of six sides, there is nothing to close."""
    for layout in LAYOUTS.values():
        closed = Layout(layout.board, layout.size, cards=False).corners
        for side, (corner, other) in enumerate(zip(Layout(layout.board, layout.size).corners, closed, strict=True)):
            parts = [other.pill, other.bar, *other.kennels]
            assert all(apart(one, two) for one, two in combinations(parts, 2))
            before, now = (sum((c - a) * (d - b) for a, b, c, d in one.panel) for one in (corner, other))
            assert now < before or (layout.board.sides == 6 and side in (1, 4))


def assert_free(layout: Layout, box: Box) -> None:
    """A box lies on no band and no lane."""
    for x, y, owner, place in layout.spots:
        reach = (BAND if owner is None and place.isdigit() else LANE if owner is not None else PATH) * layout.pitch
        assert from_box(box, (x, y)) > reach - 3, (box, place)


def notes_box(layout: Layout, counter: tuple[int, int] | None, middle: Middle | None = None) -> Box:
    """The box around round and deal, with a film's counter before them."""
    scene = Scene(layout.board, {}, round=28, dealt=6, counter=counter)
    notes = centre.round_notes(THEMES["slate"], scene, middle or middle_of(layout), 1.0)
    assert notes
    words = [sprite.mask.width for sprite, _, _ in notes]
    _, x, first = notes[0]
    _, _, last = notes[-1]
    wide = max(words) / 2 - 10
    return x - wide, first - 12, x + wide, last + min(12, notes[-1][0].mask.height / 2)


@layouts
def test_cards_words_and_round_lie_on_nothing(layout: Layout) -> None:
    spot = middle_of(layout)
    boxes = {
        "pile": spot.pile(),
        "words": spot.words,
        "deck": spot.deck_box,
        "round": notes_box(layout, None),
        "counter": notes_box(layout, (888, 888)),
    }
    for box in (*boxes.values(), *([spot.exchange] if layout.board.paths else [])):
        assert_free(layout, box)
    assert_free(layout, grow(boxes["round"], 4))
    for (name, one), (_, other) in combinations(boxes.items(), 2):
        if name == "round":
            continue  # The counter is another form of it.
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def exchanging() -> list[Board]:
    """A board of every form with all the groups in which cards are exchanged on it."""
    found: dict[object, Board] = {}
    for system, players, teams in ((one, n, teams) for one in SYSTEMS for n in range(2, 9) for teams in (None, *Teams)):
        with suppress(SetupError):
            board = board_for(system, players, Options(teams=teams))
            found.setdefault((board.sides, board.span, board.clockwise, board.groups), board)
    return [board for board in found.values() if board.groups]


exchanges = pytest.mark.parametrize("board", exchanging(), ids=lambda board: f"{board.system.id}-{board.groups}")


def apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@exchanges
@pytest.mark.parametrize("crowded", [False, True])
@pytest.mark.parametrize("names", [samples.NAMES, ("Maximiliane von Musterstadt",) * 8], ids=["usual", "long"])
def test_an_exchange_lies_on_nothing(board: Board, crowded: bool, names: tuple[str, ...]) -> None:
    """Also where pieces stand on all corners of the plate."""
    layout = Layout(board, 1024)
    first = min(map(layout.outward, layout.track))
    corners = [number for number in range(1, board.length + 1) if layout.outward(layout.track[number]) < first + 1]
    placement = {
        side: tuple(map(str, corners[side :: board.sides])) if crowded and board.sides > 4 else ()
        for side in board.seats
    }
    scene = Scene(board, placement, dict(enumerate(names)), exchange=board.groups)
    laid = exchange.lay_out(layout, scene, middle_of(layout))
    assert set(laid.pieces) == set(board.seats)
    assert laid.size >= LEAST
    if names == samples.NAMES and not (crowded and board.sides > 6):
        assert {names[seat] for seat in board.seats} <= {name for name, _ in laid.names}
    pieces = [(spot, laid.radius) for spot in laid.pieces.values()]
    on_plate = [(layout.place(side, place), PIECE * layout.pitch) for side in placement for place in placement[side]]
    for (one, radius), (other, near) in combinations((*pieces, *on_plate), 2):
        assert math.dist(one, other) > radius + near
    boxes = [*(box for _, box in laid.names), notes_box(layout, None, laid.middle)]
    assert all(apart(one, other) for one, other in combinations(boxes, 2))
    lines = [(*spot,) for way in laid.ways for one, other in pairwise(way) for spot in between(one, other)]
    for box in boxes:
        assert min(from_box(box, spot) - radius for spot, radius in (*pieces, *on_plate)) > 0
        assert min(from_box(box, spot) for spot in lines) > 0
        if board.sides == 4:
            assert_free(layout, box)
        else:
            assert max(layout.outward((x, y)) for x in box[::2] for y in box[1::2]) < layout.hub
    for spot, radius in pieces:
        assert board.sides == 4 or layout.outward(spot) + radius < layout.hub


def between(one: Point, other: Point) -> list[Point]:
    """Points on a straight line."""
    return [tuple(a + (b - a) * part / 50 for a, b in zip(one, other, strict=True)) for part in range(51)]


@pytest.mark.parametrize("turned", range(6))
@pytest.mark.parametrize("teams", [None, *Teams])
def test_exchange_at_the_crossing_keeps_to_its_plate(teams: Teams | None, turned: int) -> None:
    board = board_for("dobney", 6, Options(teams=teams))
    layout = Layout(board, 1024, turned)
    scene = Scene(board, {0: ("P4",)}, dict(enumerate(samples.NAMES)), exchange=board.groups)
    laid = exchange.lay_out(layout, scene, middle_of(layout))
    assert laid.small == middle_of(layout).exchange
    assert not laid.names
    assert laid.radius > 13
    left, top, right, bottom = laid.small
    for x, y in laid.pieces.values():
        assert min(x - left, y - top, right - x, bottom - y) > laid.radius
    assert min(math.dist(*two) for two in combinations(laid.pieces.values(), 2)) > 2 * laid.radius


@pytest.mark.parametrize("turned", [0, 1, 2])
@pytest.mark.parametrize("board", [one for one in exchanging() if len(one.groups) == 1 and one.players > 3])
def test_round_shows_people_towards_their_sides(board: Board, turned: int) -> None:
    """Where nobody sits, the card passes by."""
    layout = Layout(board, 1024, turned)
    laid = exchange.lay_out(layout, Scene(board, {}, exchange=board.groups), middle_of(layout))
    for side, spot in laid.pieces.items():
        away, towards = ((x - 512, y - 512) for x, y in (spot, layout.point(side, 1, 0)))
        assert math.hypot(*away) * math.hypot(*towards) * 0.95 < sum(a * b for a, b in zip(away, towards, strict=True))
    assert sorted(map(len, laid.ways)) == [2] * (board.players - 1) + [2 + board.sides - board.players]


@layouts
@pytest.mark.parametrize("theme", ["slate", "light"])
def test_draw_pile_keeps_to_its_room(layout: Layout, theme: str) -> None:
    spot = middle_of(layout)
    left, top, right, bottom = spot.deck_box
    drawn = centre.deck(THEMES[theme], 108, spot.deck_width)
    seen = drawn.mask.getbbox()
    assert top - 2 <= spot.deck[1] - drawn.y + seen[1]
    assert spot.deck[1] - drawn.y + seen[3] <= bottom + 2, "words below would cover the number"
    assert left - 4 <= spot.deck[0] - drawn.x + seen[0]
    assert spot.deck[0] - drawn.x + seen[2] <= right + 4


@layouts
def test_words_keep_to_their_room(layout: Layout) -> None:
    """Their background would hide what is next to it, such as the draw pile."""
    spot = middle_of(layout)
    left, top, right, bottom = spot.words
    for text in ("Bálint  27 ⇄ 59", "Maximiliane  kennel → 65", "Bálint has won"):
        for struck in ((), (1, 2)):
            canvas = Canvas(Image.new("RGB", (1024, 1024)))
            centre.caption(canvas, THEMES["slate"], text, spot, struck, 1.0)
            seen = canvas.image.getbbox()
            assert top - 2 <= seen[1] < seen[3] <= bottom + 1, text
            assert left - 16 <= seen[0] < seen[2] <= right + 16, text


@pytest.mark.parametrize("size", [1024, 512, 360])
@pytest.mark.parametrize(("system", "players"), [("royal", 6), ("dobney", 6), ("classic", 4)])
def test_lines_of_the_round_do_not_overlap(system: str, players: int, size: int) -> None:
    """Each has its own background, which must not cover the line above it."""
    scene, k = samples.standard(system, players), size / 1024
    notes = centre.round_notes(THEMES["slate"], scene, middle_of(Layout(scene.board, size)), k)
    for (one, _, y), (other, _, below) in pairwise(notes):
        upper, lower = one.mask.getbbox(), other.mask.getbbox()
        assert round(y) - one.y + upper[3] <= round(below) - other.y + lower[1] + 1


def test_captions_break_between_who_and_what() -> None:
    rows = centre.caption_rows
    assert rows("Bálint  21 → 28", 500, 35, 16) == (["Bálint 21 → 28"], 35)
    assert rows("Bálint  lane c → d", 190, 32, 16)[0] == ["Bálint", "lane c → d"]
    assert rows("Jürgen  Q1 → 27", 170, 32, 16, 2.5)[0] == ["Jürgen", "Q1 → 27"]
    shortened, size = rows("Rosalinde Constanze Eleonore von Hohenlohe  lane c → d", 190, 32, 16)
    assert shortened[0].startswith("Rosa")
    assert shortened[0].endswith("…")
    assert shortened[1] == "lane c → d"
    assert size > 20


@pytest.mark.parametrize(("system", "players", "least"), [("royal", 4, 40), ("dobney", 6, 34), ("swiss", 8, 34)])
def test_a_usual_move_is_written_in_large_letters(system: str, players: int, least: int) -> None:
    spot = middle_of(Layout(board_for(system, players), 1024))
    rows, size = centre.caption_rows("Çelik  38 → 51", spot.words[2] - spot.words[0], spot.letters, centre.LEAST)
    assert rows == ["Çelik 38 → 51"]
    assert size >= least


def test_what_somebody_did_is_never_cut() -> None:
    """A long name is; and no word is too small for a phone."""
    for layout in LAYOUTS.values():
        spot = middle_of(layout)
        room = spot.words[2] - spot.words[0]
        for what, struck in (("is out of this round", 0), ("kennel → 65", 1), ("lane c → d", 0), ("3 + 2 + 1 + 1", 3)):
            rows, size = centre.caption_rows(
                f"Maximiliane  {what}", room, spot.letters, centre.LEAST, struck * centre.ICON
            )
            assert " ".join(rows).endswith(what)
            assert size >= centre.LEAST
            assert len(rows) <= 2


@layouts
def test_plate_leaves_adjacent_spaces_free(layout: Layout) -> None:
    """On six and eight sides, in the middle."""
    if layout.board.sides > 4:
        for sx, sy, owner, place in layout.spots:
            along = layout.outward((sx, sy)) - layout.hub
            if place.isdigit():
                assert along < 0 or along > (PIECE + 0.1) * layout.pitch
            else:
                assert abs(along) > SPACE * layout.pitch
                assert along > 0 or owner is None


@layouts
def test_wells_do_not_touch(layout: Layout) -> None:
    for corner in layout.corners:
        for one, other in combinations(corner.wells, 2):
            assert math.dist(one, other) > 2 * corner.well


@layouts
def test_last_well_filled_is_nearest_the_middle(layout: Layout) -> None:
    """Pieces that are sent home go there."""
    middle = (layout.size / 2, layout.size / 2)
    for corner in layout.corners:
        assert math.dist(corner.wells[-1], middle) <= min(math.dist(one, middle) for one in corner.wells) + 1


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
