"""What is drawn hides nothing that it should not, and can be seen by every eye at every size."""

import io
import math
from dataclasses import replace
from itertools import pairwise

import pytest
from PIL import Image, ImageChops, ImageStat

from engine import ROYAL, STANDARD, SYSTEMS, Card, Colour, Step, StepKind, board_for
from engine.rules.cards import Backward, Forward, Out, Power, Push, Rob, Sweep
from render import THEMES, board_png, cards
from render.board import assembly, candidates, corners, ground, halos, patches, plates, ribbons, sprites, strokes
from render.board.geometry import BAND, PIECE, SPACE
from render.board.middle import middle_of
from render.drawing import shapes
from render.drawing.colour import RGB, contrast, mix
from render.scene import Scene
from render.themes import INK, PAPER, SEATS, Theme
from tests.render.eyes import VISIONS, distance, seen
from tools.pictures import samples

themes = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
SCENES = {**samples.moves(), **samples.states(), **samples.previews()}


def drawn(scene: Scene, size: int = 1024, theme: str = "slate") -> Image.Image:
    return Image.open(io.BytesIO(board_png(scene, theme, size))).convert("RGB")


# -- bows


def test_chevrons_on_bows_hide_no_number() -> None:
    for scene in SCENES.values():
        layout = assembly.layout_of(scene, 1024)
        spots = [(x, y) for x, y, _, _ in layout.spots]
        for line in strokes.trails(scene, layout):
            if line.walk:
                continue
            for _, one, other in ribbons.arrow_places(layout, line.points):
                at = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
                assert min(math.dist(at, spot) for spot in spots) > (SPACE + ribbons.ARROW) * layout.pitch


@pytest.mark.parametrize(("system", "players"), [("classic", 4), ("royal", 6), ("swiss", 8)])
def test_a_swap_with_the_next_space_is_drawn(system: str, players: int) -> None:
    """So short a way may be hidden whole by what stands at its ends."""
    plain = samples.standard(system, players)
    step = Step(StepKind.SWAP, 0, "10", "11", ("10", "11"), (), other=(1, "11"))
    scene = replace(plain, moves=(), caption="", chooser=0, ways=(step,), candidates={(0, "10"): "A", (1, "11"): "B"})
    assert drawn(scene).size == (1024, 1024)


def test_long_bows_have_chevrons() -> None:
    scene = samples.moves()["swap-across"]
    layout = assembly.layout_of(scene, 1024)
    (line,) = strokes.trails(scene, layout)
    shares = [share for share, _, _ in ribbons.arrow_places(layout, line.points)]
    assert min(shares) < 0.5 < max(shares)
    assert len(shares) >= 4


@pytest.mark.parametrize("start", [1, 12, 33, 57])
def test_part_numbers_keep_clear_of_pieces(start: int) -> None:
    """Also where a seven starts on a branch, with a piece in the first slot."""
    board = board_for("classic", 4)
    steps = (samples.walk(board, 0, start, 3, value=3), samples.walk(board, 0, 40, 4, value=4))
    scene = replace(
        samples.standard("classic", 4),
        placement={0: ("-", "a", str(start + 3), "44"), 1: ("a", "-", "-", "-"), 2: ("a",) + ("-",) * 3, 3: ("-",) * 4},
        moves=((0, steps),),
    )
    layout = assembly.layout_of(scene, 1024)
    stands = strokes.occupied_points(scene, layout)
    for line in strokes.trails(scene, layout):
        spot = halos._beside(layout, line, stands)
        assert min(math.dist(spot, one) for one in stands) >= halos.CLEAR * layout.pitch


def test_several_parts_are_numbered_in_order() -> None:
    moves = samples.moves()
    numbers = {
        name: [line.number for line in strokes.trails(moves[name], assembly.layout_of(moves[name], 1024))]
        for name in ("computers", "seven", "forward", "royal-jump")
    }
    assert numbers["computers"] == numbers["seven"] == [1, 2, 3]
    assert numbers["forward"] == [None]
    assert numbers["royal-jump"] == [None, None], "a jump at a walk's end is no part of its own"


def test_dots_home_are_even_and_clear_of_numbers() -> None:
    for name in ("out-capture", "eight"):
        scene = samples.moves()[name]
        layout = assembly.layout_of(scene, 1024)
        ((_, way),) = strokes.ways_home(scene, layout, strokes.trails(scene, layout)[0])
        off = ribbons._obstacles(layout, scene, [])
        shown, whole = (list(ribbons._flight(layout, way, circles)) for circles in (off, []))
        assert len(whole) / 2 < len(shown) < len(whole)
        assert {*shown} < {*whole}
        steps = [math.dist(one, other) / layout.pitch for one, other in pairwise(whole)]
        assert min(steps) > max(steps) - 0.02
        assert steps[0] == pytest.approx(ribbons.APART, abs=0.03)
        numbers = [(x, y) for x, y, _, _ in layout.spots]
        assert all(math.dist(dot, at) > (0.6 * SPACE + ribbons.DOT) * layout.pitch for dot in shown for at in numbers)
        assert math.dist(whole[0], way[-1]) == pytest.approx(0.72 * layout.pitch, abs=1)


@pytest.mark.parametrize("name", ["computers", "seven", "royal-magnet"])
def test_signs_lie_off_the_track(name: str) -> None:
    """Those on the space of what was struck apart."""
    scene = samples.moves()[name]
    layout = assembly.layout_of(scene, 1024)
    signs = halos.signs(layout, THEMES["slate"], scene, strokes.trails(scene, layout))
    near = [min(math.dist(at, spot) for spot in layout.track) for at, _ in signs]
    assert len(near) == {"computers": 3, "seven": 4, "royal-magnet": 1}[name]
    assert min(away for away in near if away > 1) > (BAND + halos.MAGNET) * layout.pitch


@pytest.mark.parametrize("name", ["swap-across", "seven"])
def test_arrows_of_the_board_are_whole_or_gone(name: str) -> None:
    scene, theme = samples.moves()[name], THEMES["slate"]
    layout = assembly.layout_of(scene, 1024)
    empty, picture = patches.board(layout, theme).image, assembly.paint(scene, theme, 1024).image
    kept = []
    for group, size, _ in ground._arrows(layout):
        lines = [shapes.at([(0.4, 0.0), (0.0, 0.4), (0.0, -0.4)], *at, size, angle) for at, angle in group]
        spots = [(round(x), round(y)) for points in lines for x, y in points]
        kept.append({picture.getpixel(spot) == empty.getpixel(spot) for spot in spots})
    assert all(len(same) == 1 for same in kept)
    assert {True} in kept
    assert {False} in kept


# -- choices


def test_a_bow_ends_before_the_letter() -> None:
    scene = samples.previews()["royal-jump"]
    layout = assembly.layout_of(scene, 1024)
    (line,) = strokes.steps_as_strokes(scene, layout, scene.ways, arrow=True)
    end = ribbons._shorten(layout, line).line[-1]
    assert math.dist(end, line.points[-1]) > (candidates.TOKEN + 0.3) * layout.pitch


def test_own_pieces_stay_in_the_light() -> None:
    scene = samples.previews()["targets"]
    assert [sprites.fade_share(scene, side, "9") > 0 for side in range(4)] == [True, False, True, True]


def test_choice_letter_stands_in_its_space() -> None:
    """Nothing outside the space changes when a target gets its letter, so it cannot be taken for its neighbour's."""
    plain = samples.previews()["targets"]
    scene = replace(plain, candidates={(1, "34"): "A"}, ways=())
    layout = assembly.layout_of(scene, 1024)
    changed = ImageChops.difference(drawn(scene), drawn(replace(plain, candidates={}, ways=()))).getbbox()
    x, y = layout.place(1, "34")
    reach = (1 - SPACE + 0.06) * layout.pitch
    assert x - reach <= changed[0] < x < changed[2] <= x + reach
    assert y - reach <= changed[1] < y < changed[3] <= y + reach


@pytest.mark.parametrize("name", ["pieces", "royal-kennel"])
def test_a_chosen_piece_keeps_its_colour(name: str) -> None:
    scene = samples.previews()[name]
    picture = drawn(scene)
    layout = assembly.layout_of(scene, 1024)
    for side, place in scene.candidates:
        if place.endswith("-"):
            continue
        x, y = layout.place(side, place)
        found = [picture.getpixel((round(x - 0.43 * layout.pitch), round(y + d))) for d in (-2, 0, 2)]
        assert any(distance(colour, THEMES["slate"].seat(side)) < 0.15 for colour in found)


def test_choice_letters_are_readable_on_a_phone() -> None:
    """On a board 350 px wide, as on a phone, they are at least 8 px high."""
    for system, players in samples.BOARDS:
        pitch = assembly.layout_of(samples.standard(system, players), 1024).pitch
        least = candidates.RANKED * pitch
        disc = sprites.badge(THEMES["slate"], "I", least, PAPER, INK, INK)
        middle = disc.mask.width // 2
        assert isinstance(disc.colours, Image.Image)
        column = disc.colours.convert("L").crop(
            (middle, round(middle - least * 0.85), middle + 1, round(middle + least * 0.85))
        )
        assert sum(value < 90 for value in column.tobytes()) * 350 / 1024 >= (
            8 if pitch > 55 else 6 if pitch > 44 else 5
        )


def test_frames_of_neighbours_do_not_touch() -> None:
    scene = samples.previews()["royal-kennel"]
    picture, wells = drawn(scene), sorted(assembly.layout_of(scene, 1024).corners[0].wells)
    for (x, y), (other, _) in pairwise(wells):
        between = [picture.getpixel((round((x + other) / 2) + d, round(y))) for d in range(-2, 3)]
        assert max(distance(colour, THEMES["slate"].ribbon) for colour in between) > 0.5


def test_threatened_piece_is_visible_on_a_phone() -> None:
    """At 300 px it is at least 10 px wide."""
    for system, players in samples.BOARDS:
        layout = assembly.layout_of(samples.standard(system, players), 1024)
        assert 2 * candidates.taken_radius(layout) * 300 / 1024 > 10


@pytest.mark.parametrize("system", [*SYSTEMS])
def test_choosing_in_the_kennel_hides_no_partner(system: str) -> None:
    for players in SYSTEMS[system].players:
        layout = assembly.layout_of(samples.standard(system, players), 1024)
        reach = (PIECE * 1.2 + 0.06) * layout.pitch
        for corner in layout.corners:
            for well in corner.wells:
                assert math.dist(well, corner.badge) > reach + corner.badge_radius - 6


@pytest.mark.parametrize("kind", ["square", "diamond"])
def test_ranked_pieces_keep_to_their_space(kind: str) -> None:
    """So that in a lane or a kennel none reaches into its neighbour."""
    points, grow = sprites.outline(kind, PIECE * 1.06)
    assert 2 * (max(x for x, _ in points) + grow) <= 0.96


def test_letters_in_a_kennel_lie_on_its_panel() -> None:
    scene = samples.previews()["royal-kennel"]
    layout, (ground, _) = assembly.layout_of(scene, 1024), corners.panel_colours(THEMES["slate"], 0)
    for turned in (0, 2):
        picture = drawn(replace(scene, turned=turned))
        corner = replace(layout, turned=turned).corners[0]
        for (x, y), (following, _) in pairwise(sorted(corner.wells)):
            top = y + math.copysign((candidates.ABOVE + candidates.RANKED) * layout.pitch, y - corner.pill[1])
            assert distance(picture.getpixel((round((x + following) / 2), round(top))), ground) < 0.03


@pytest.mark.parametrize(("system", "players"), [("dobney", 6), ("swiss", 8), ("family", 4)])
def test_fresh_pieces_shield_avoids_lane_and_edge(system: str, players: int) -> None:
    plain = replace(samples.standard(system, players), moves=())
    layout = assembly.layout_of(plain, 1024)
    starts = {side: str(layout.board.start(side)) for side in plain.board.seats}
    old, fresh = (
        drawn(replace(plain, placement={side: (f"{start}{mark}", "-", "-", "-") for side, start in starts.items()}))
        for mark in ("", "*")
    )
    changed = ImageChops.difference(old, fresh).convert("L")
    for side, start in starts.items():
        x, y = map(round, layout.place(side, start))
        left, top, *_ = box = (x - 40, y - 40, x + 40, y + 40)
        dots = [(left + at % 80, top + at // 80) for at, tone in enumerate(changed.crop(box).tobytes()) if tone > 60]
        assert min(math.dist(dot, slot) for dot in dots for slot in layout.lanes[side]) > SPACE * layout.pitch
        assert all(10 < edge < 1014 for dot in dots for edge in dot)


# -- cards


@themes
@pytest.mark.parametrize("card", [*STANDARD.values(), *ROYAL.values()], ids=lambda card: card.id)
def test_cards_that_cannot_be_played_can_be_read(theme: Theme, card: Card) -> None:
    """Every ink on its own ground, after fading, has 4.5:1, as any other text."""
    panels_of = {
        Colour.NONE: [(PAPER, cards.BLACK_SUIT), (PAPER, cards.RED_SUIT), (INK, PAPER)],
        Colour.RED_GREEN: [(cards._COLOURS[Colour.RED], PAPER), (cards._COLOURS[Colour.GREEN], PAPER)],
    }
    for paper, ink in panels_of.get(card.colour) or [(cards._COLOURS[card.colour], PAPER)]:
        assert contrast(faded(paper, theme.table), faded(ink, theme.table)) >= 4.5


def faded(colour: RGB, table: RGB) -> RGB:
    """The colour as faded by the code that draws cards."""
    done = cards.grey_out(Image.new("RGBA", (1, 1), (*colour, 255)), table).getpixel((0, 0))
    assert isinstance(done, tuple)
    return (int(done[0]), int(done[1]), int(done[2]))


def covered(picture: Image.Image, colour: RGB) -> Image.Image:
    """Which pixels of a picture have exactly this colour."""
    bands = ImageChops.difference(picture, Image.new("RGB", picture.size, colour)).split()
    worst = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return worst.point([255] + [0] * 255)


@pytest.mark.parametrize(
    "card", [card for card in STANDARD.values() if any(callable(item) for way in cards.strip(card) for item in way)]
)
def test_card_signs_are_large_without_gold_on_white(card: Card) -> None:
    picture = cards.card(cards.Face(card.id), 200, STANDARD).colours
    gold, white = covered(picture, cards._GOLD), covered(picture, PAPER)
    left, top, right, bottom = gold.crop((0, round(0.78 * picture.height), *picture.size)).getbbox()
    assert max(right - left, bottom - top) > 0.2 * 200
    assert ImageChops.multiply(ImageChops.offset(gold, 2, 0), white).getbbox() is None
    assert ImageChops.multiply(ImageChops.offset(gold, -2, 0), white).getbbox() is None


@themes
def test_unplayable_card_looks_different(theme: Theme) -> None:
    standard = (PAPER, cards.BLACK_SUIT, cards.RED_SUIT)
    for colours in (standard, *((PAPER, colour) for colour in cards._COLOURS.values())):
        assert max(distance(colour, faded(colour, theme.table)) for colour in colours) > 0.06


@themes
def test_red_that_cannot_be_played_stays_red(theme: Theme) -> None:
    """With less of its colour, or towards a table of another, it would be brown."""
    for colour in (cards.RED_SUIT, cards._COLOURS[Colour.RED]):
        red, green, blue = faded(colour, theme.table)
        assert red > 2 * green
        assert blue > green


def test_what_a_card_does_stands_on_it() -> None:
    worded = {
        card.id: [item if isinstance(item, str) else item.__name__ for way in cards.strip(card) for item in way]
        for card in (*STANDARD.values(), *ROYAL.values())
    }
    assert worded["A"] == ["exit_arrow", "1", "11"]
    assert worded["K"] == ["exit_arrow", "13"]
    assert worded["Q"] == ["12"]
    assert worded["J"] == ["swap"]
    assert worded["7"] == ["split", "1–7"]
    assert worded["1/11"] == worded["13"] == ["exit_arrow"]
    assert worded["6"] == worded["X"] == worded["magnet"] == []
    assert cards.strip(STANDARD["4"]) == ((shapes.both_ways, "4"),)
    for card in ROYAL.values():
        # Green cards have a sign besides their colour, and no other cards do.
        assert card.green == ("leap" in worded[card.id])


@pytest.mark.parametrize(
    ("powers", "told"),
    [
        ((Backward(4),), [(shapes.back, "4")]),
        ((Push(5),), [(shapes.push, "5")]),
        ((Forward(5), Push(5)), [(shapes.push,), ("5",)]),
        ((Out(), Sweep(13)), [(shapes.exit_arrow,), (shapes.sweep, "13")]),
        ((Forward(10), Rob()), [(shapes.rob,), ("10",)]),
    ],
)
def test_every_card_effect_has_a_sign(powers: tuple[Power, ...], told: list[object]) -> None:
    assert list(cards.strip(Card("Z", powers))) == told


# -- the seat to move


def lightness(colour: RGB, vision: str) -> float:
    """CIE L* as eyes with this kind of vision see it."""
    red, green, blue = seen(colour, vision)
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


@themes
@pytest.mark.parametrize("vision", VISIONS)
def test_the_lit_corner_stands_out_for_every_eye(theme: Theme, vision: str) -> None:
    for side in range(len(SEATS)):
        ground, edge = corners.panel_colours(theme, side)
        least = 24 if theme.id != "contrast" else 30
        assert abs(lightness(edge, vision) - lightness(theme.table, vision)) > least
        assert abs(lightness(ground, vision) - lightness(theme.table, vision)) > 6


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", ["slate", "wood", "light"])
def test_lit_corner_is_visible_on_a_phone(theme: str, vision: str) -> None:
    """At 300 px more than 2,000 pixels (`light`: 1,500) change by more than 10 L* when a corner lights up."""
    quiet = replace(samples.standard("classic", 4), to_act=(), moves=())
    for side in (0, 1):
        dark, lit = drawn(quiet, 300, theme), drawn(replace(quiet, to_act=(side,)), 300, theme)
        changed = 0
        for (one, other), count in pairs(dark, lit).items():
            changed += count * (abs(lightness(one, vision) - lightness(other, vision)) > 10)
        assert changed > (2000 if theme != "light" else 1500), (side, changed)


def pairs(one: Image.Image, other: Image.Image) -> dict[tuple[RGB, RGB], int]:
    """Which colours became which, and how often."""
    found: dict[tuple[RGB, RGB], int] = {}
    a, b = one.tobytes(), other.tobytes()
    for at in range(0, len(a), 3):
        before, after = a[at : at + 3], b[at : at + 3]
        if before != after:
            key = ((before[0], before[1], before[2]), (after[0], after[1], after[2]))
            found[key] = found.get(key, 0) + 1
    return found


@themes
def test_corners_on_a_bright_table_have_edges(theme: Theme) -> None:
    for side in range(len(SEATS)):
        assert contrast(theme.lit(side), theme.table) >= 2.6
        assert max(contrast(theme.edge(side), theme.table), contrast(theme.rim, theme.table)) >= 1.4
        back = mix(theme.table, theme.seat(side), 0.34)
        assert contrast(corners.mark_colour(theme, side, back), back) >= 3.0


@themes
def test_a_quiet_name_has_an_end_in_grey(theme: Theme) -> None:
    """Its ground or, on a bright table, its outline stands out."""
    layout = assembly.layout_of(samples.standard("swiss", 8), 1024)
    for side, corner in enumerate(layout.corners):
        ground = corners.pill(theme, side, corners.SeatStatus("Anna"), corner, 1.0)
        middle = ground.mask.height // 2
        end = [ground.colours.getpixel((x, middle)) for x in range(2, 12)]
        table = lightness(theme.table, "greyscale")
        assert max(abs(lightness(colour, "greyscale") - table) for colour in end) > 7


@themes
def test_light_fades_in_exact_small_steps(theme: Theme) -> None:
    from render import palette
    from render.board import corners

    found = palette.palette_for(theme)
    for side in range(len(SEATS)):
        ramp = [theme.table, *corners.glow_steps(theme, side)]
        for one, other in pairwise(ramp):
            assert distance(one, other) < 0.14
        flat = Image.new("RGB", (len(ramp), 1))
        for x, colour in enumerate(ramp):
            flat.putpixel((x, 0), colour)
        numbers = found.quantise(flat).convert("P").tobytes()
        table = found.colours
        for number, colour in zip(numbers, ramp, strict=True):
            assert tuple(table[3 * number : 3 * number + 3]) == colour


# -- partners


def test_partners_pieces_are_marked_for_viewers_only() -> None:
    scene = replace(samples.standard("classic", 4), viewer=None)
    layout = assembly.layout_of(scene, 1024)
    changed = ImageChops.difference(drawn(scene), drawn(replace(scene, viewer=0)))
    for side, pieces in scene.placement.items():
        for text in pieces:
            place = sprites.place(text)
            if place == "-":
                continue
            x, y = layout.place(side, place)
            box = (round(x - 25), round(y - 25), round(x), round(y))
            assert (changed.crop(box).getbbox() is not None) == (side == 2)


# -- what steps back, and what comes forward


def test_question_lights_only_its_subject() -> None:
    scene = samples.previews()["targets"]
    layout = assembly.layout_of(scene, 1024)
    asked, plain = drawn(scene), drawn(replace(scene, chooser=None))
    table = THEMES["slate"].table

    def light(picture: Image.Image, box: tuple[float, ...]) -> float:
        part = picture.crop(tuple(map(round, box))).convert("L")
        return ImageStat.Stat(ImageChops.difference(part, Image.new("RGB", part.size, table).convert("L"))).mean[0]

    for side, corner in enumerate(layout.corners):
        share = light(asked, corner.pill) / light(plain, corner.pill)
        assert share == pytest.approx(1, abs=0.01) if side == scene.chooser else share < 0.5


def test_spaces_that_a_jump_only_crosses_step_back() -> None:
    scene = samples.previews()["royal-jump"]
    layout = assembly.layout_of(scene, 1024)
    x, y = map(round, layout.track[39])
    with_bow, without = (
        ImageStat.Stat(drawn(one).crop((x - 14, y - 14, x + 15, y + 15)).convert("L")).mean[0]
        for one in (scene, replace(scene, ways=(), candidates={}))
    )
    assert with_bow == pytest.approx(without, abs=1)


def test_previewed_move_is_way_and_made_one_ribbon() -> None:
    scene, theme = samples.previews()["move"], THEMES["slate"]
    layout = assembly.layout_of(scene, 1024)
    (x, y), (other, _) = layout.track[31], layout.track[32]
    for one, colour in ((scene, theme.lit(1)), (replace(scene, chooser=None), theme.ribbon)):
        beside = drawn(one).crop((round((x + other) / 2) - 12, round(y) - 3, round((x + other) / 2) + 12, round(y) + 3))
        assert min(distance(pixel, colour) for _, pixel in beside.getcolors(999) or ()) < 0.03


def test_special_space_with_a_piece_shows_its_hat() -> None:
    scene, gold = samples.moves()["royal-copy"], THEMES["slate"].gold
    layout = assembly.layout_of(scene, 1024)
    wide = round(0.55 * layout.pitch)
    for number, ringed in ((11, True), (59, False)):
        x, y = map(round, layout.track[number])
        below = drawn(scene).crop((x - wide, y, x + wide, y + wide))
        assert any(distance(pixel, gold) < 0.03 for _, pixel in below.getcolors(9999) or ()) is ringed


def test_a_short_way_home_is_not_drawn() -> None:
    scene = samples.story()[-1]
    layout = assembly.layout_of(scene, 1024)
    (line,) = strokes.trails(scene, layout)
    ((_, way),) = strokes.ways_home(scene, layout, line)
    assert math.dist(way[0], way[-1]) < ribbons.CLOSE * layout.pitch
    x, y = ((a + b) / 2 for a, b in zip(way[0], way[-1], strict=True))
    beside, before = (
        drawn(one).getpixel((round(x), round(y))) for one in (scene, replace(scene, moves=(), caption=""))
    )
    assert beside == before


def test_what_would_be_taken_is_told() -> None:
    scene = samples.previews()["targets"]
    assert candidates.captures(scene) == [(3, "34"), (0, "26")]
    # Letters lie on both: nothing of them peeps out.
    assert candidates.covered_captures(scene, assembly.layout_of(scene, 1024)) == [(3, "34"), (0, "26")]
    assert scene.board.team(1) == (1, 3)
    assert drawn(scene) != drawn(replace(scene, ways=tuple(replace(step, sent_home=()) for step in scene.ways)))


@pytest.mark.parametrize(
    "scene", [*(samples.moves()[name] for name in ("swap", "swap-across", "out")), samples.story()[0]]
)
def test_bows_keep_off_cards_words_and_pieces(scene: Scene) -> None:
    layout = assembly.layout_of(scene, 1024)
    (line,) = strokes.trails(scene, layout)
    spot = middle_of(layout)
    assert sum(map(math.dist, line.points, line.points[1:])) < 1.25 * math.dist(line.points[0], line.points[-1])
    middle = (spot.pile(len(scene.pile)), strokes.caption_box(spot, scene.caption))
    for left, top, right, bottom in (*middle, *(box for one in layout.corners for box in (one.pill, one.hand))):
        assert not any(left < x < right and top < y < bottom for x, y in line.points)
    for piece in strokes.pieces(scene, layout) - {line.points[0], line.points[-1]}:
        assert min(math.dist(piece, point) for point in line.points) > PIECE * layout.pitch


@pytest.mark.parametrize("name", ["exchange-six", "exchange-eight", "winners-six", "winners-eight"])
def test_plate_hides_no_piece_and_has_whole_edges(name: str) -> None:
    """It goes round those on its corners and ends before those on the next spaces."""
    scene, gold = samples.states()[name], mix(THEMES["slate"].gold, THEMES["slate"].text, 0.2)
    layout = assembly.layout_of(scene, 1024)
    scene = replace(scene, placement={**dict.fromkeys(scene.placement, ("-",) * 4), 1: ("8", "9", "-", "-")})
    shown = drawn(scene)
    (x, y), reach = layout.place(1, "9"), plates.GAP * layout.pitch + 1.5
    bow = [(x - reach * math.sin(turn / 9), y - reach * math.cos(turn / 9)) for turn in range(-5, 9)]
    edge = [(x, 512 + layout.hub - 1.5) for x in range(495, 552, 4)]
    for spot in bow + edge:
        assert min(distance(shown.getpixel((round(spot[0]) + dx, round(spot[1]))), gold) for dx in (-1, 0, 1)) < 0.07
    assert shown.getpixel((round(x), round(y))) == shown.getpixel(tuple(map(round, layout.place(1, "8"))))


def test_an_exchange_leaves_inner_paths_with_pieces_free() -> None:
    scene = samples.states()["exchange-six"]
    layout = assembly.layout_of(scene, 1024)
    crossed = drawn(replace(scene, placement={**scene.placement, 0: ("P2", *scene.placement[0][1:])}))
    x, y = layout.place(0, "P2")
    assert distance(crossed.getpixel((round(x), round(y))), THEMES["slate"].mark(0)) < 0.05


def test_inner_path_pieces_stand_apart_from_winners() -> None:
    scene = samples.states()["winners-six"]
    layout = assembly.layout_of(scene, 1024)
    for places in (("P2", "P3", "-", "d"), ("P1", "P3", "-", "d"), ("P6", "P7", "-", "d")):
        ended = plates.final_scene(layout, replace(scene, placement={**scene.placement, 3: places}))
        assert {*ended.placement[3]} == {"P1", "P7", "-", "d"}
    assert layout.outward(layout.place(3, "P1")) > layout.hub + PIECE * layout.pitch


def test_inner_paths_beside_the_winners_have_no_spaces() -> None:
    scene = samples.states()["winners-six"]
    scene = replace(scene, placement={**scene.placement, 3: ("-", "-", "-", "d")})
    layout = assembly.layout_of(scene, 1024)
    for place in ("P1", "P7", "Q1", "Q7"):
        x, y = map(round, layout.place(0, place))
        colours = [colour for _, colour in drawn(scene).crop((x - 9, y - 9, x + 9, y + 9)).getcolors() or ()]
        assert max(distance(colours[0], colour) for colour in colours) < 0.03


def test_a_covered_joker_has_no_word() -> None:
    """It would be cut by the card above it."""
    whole, covered_one = (cards.card(cards.Face("X"), 142, STANDARD, turn).colours for turn in (0.0, 360.0))
    feet = [
        one.crop((30, round(0.85 * one.height), one.width - 30, round(0.9 * one.height)))
        for one in (whole, covered_one)
    ]
    assert [len(foot.getcolors(9999) or ()) > 1 for foot in feet] == [True, False]


def test_only_slim_cards_lack_the_strip_of_parts() -> None:
    for card_id, card in STANDARD.items():
        wide, slim = (cards.card(cards.Face(card_id), 78, STANDARD, slim=slim).colours for slim in (False, True))
        # Just above the lower edge of the strip, below what is on it.
        foot = wide.width // 2, math.ceil(0.07 * 78) + round(0.964 * 1.4 * 78)
        if cards.strip(card) and card_id != "X":
            assert wide.getpixel(foot) == INK
            assert (slim.getpixel(foot) == INK) == (sum(map(len, cards.strip(card))) == 1)


def test_losers_step_back() -> None:
    end = samples.states()["winners"]
    assert end.back == {1, 3}
    assert [sprites.fade_share(end, side, "9") for side in range(4)] == [0.0, sprites.LOST, 0.0, sprites.LOST]


def test_free_seat_shows_whole_word_or_sign() -> None:
    lobby = samples.states()["lobby-six"]
    whole, none = (drawn(replace(lobby, labels={"free": word})) for word in ("szabad", " "))
    left, top, right, bottom = (round(edge) for edge in assembly.layout_of(lobby, whole.width).corners[1].pill)
    assert whole.crop((left, top, right, bottom)) == none.crop((left, top, right, bottom))
    assert whole != none


def test_all_free_seats_say_the_same() -> None:
    lobby = samples.states()["lobby-eight"]
    both, short = (drawn(replace(lobby, labels={"free": word})) for word in ("free seat\nfree", "free"))
    assert both == short != drawn(replace(lobby, labels={"free": "seat"}))


def test_invited_seat_shows_what_fits_of_its_name() -> None:
    lobby = samples.states()["lobby-eight"]
    told, short = (drawn(replace(lobby, invited={1: text})) for text in (f"{'W' * 30} (invited)\nme\n?", "me"))
    assert told == short != drawn(lobby)


def test_free_seats_frame_leaves_the_track_free() -> None:
    for system, players in (("classic", 4), ("dobney", 6), ("swiss", 8)):
        layout = assembly.layout_of(samples.standard(system, players), 1024)
        for left, top, right, bottom in (corner.pill for corner in layout.corners):
            for x, y, _, _ in layout.spots:
                away = math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))
                assert away > 0.5 * layout.pitch
