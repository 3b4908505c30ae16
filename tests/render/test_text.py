"""Names in any script: every character has a font or a stand-in, and everything fits where it belongs."""

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageStat

from engine import board_for
from render.board import corners
from render.board.assembly import board_png
from render.board.geometry import Layout
from render.drawing import text
from render.drawing.art import Canvas
from render.drawing.text import BOLD, ELLIPSIS, UNKNOWN, clean, fit, ink, width_of, wrap
from tools.pictures import samples

NAMES = {
    "Latin": "Őrsi Ñandú Çelik Íñigo ß",
    "Vietnamese": "Nguyễn Thị Hương",
    "Greek": "Ιώνα Παππάς",
    "Cyrillic": "Владимир Ђорђе Ёж",
    "Chinese": "张伟 陳大文",
    "Japanese": "山田 たろう カタカナ",
    "Korean": "김민준 뷁",
    "Arabic": "محمد عبد الله",
    "Hebrew": "דוד המלך",
    "Devanagari": "अनन्या शर्मा",
    "Bengali": "অনন্যা",
    "Tamil": "தமிழ்",
    "Thai": "สมชาย",
    "Georgian": "გიორგი",
    "Armenian": "Արամ",
    "Ethiopic": "አበበ",
    "emoji": "🦊🎲❤️👍🏽🇭🇺",
    "symbols": "★ ☆ ♛ → ♠",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_every_character_has_a_font(name: str) -> None:
    cleaned = clean(name)
    assert UNKNOWN not in cleaned
    for font, piece in text._runs(cleaned, BOLD):
        for char in piece:
            point = ord(char)
            assert point in text._JOINERS or text.has_glyph(font, point) or 0x1F3FB <= point <= 0x1F3FF or char == " "
    word = ink(cleaned, 30)
    assert word.mask.getbbox() is not None
    assert word.width > 20


@pytest.mark.parametrize(
    ("given", "drawn"),
    [
        *(("𝓕𝓪𝓷𝓬𝔂", "Fancy"), ("a\u0000b\nc\td", "ab c d"), ("  two   spaces ", "two spaces")),
        *(("\u202eevil\u202c", "evil"), ("\U000f0000", UNKNOWN), ("\ue000", UNKNOWN), ("\ud800", ""), ("", "")),
        *(("𒀀", UNKNOWN), ("Z̷̢̛͎͓̮͋a", "Z\u0337\u031ba")),
    ],
)
def test_what_cannot_be_drawn_gets_a_stand_in(given: str, drawn: str) -> None:
    cleaned = clean(given)
    if given.startswith("Z"):
        assert len(cleaned) <= 4
        return
    assert cleaned == drawn


@pytest.mark.parametrize(
    "name", ["Ｗ" * 32, "W" * 32, "界" * 32, "👩‍🚀" * 16, "ﷺ" * 10, "م" * 32, "m m " * 8, "i" * 500]
)
@pytest.mark.parametrize("width", [60, 150, 270])
def test_long_names_are_shortened_to_fit(name: str, width: int) -> None:
    shown, size = fit(name, width, 29, 20)
    assert 20 <= size <= 29
    assert width_of(shown, size) <= width
    assert ink(shown, size).mask.width <= width + 2 * max(2, size // 8) + 2


def test_short_names_stay_as_they_are() -> None:
    assert fit("Anna", 200, 29, 20) == ("Anna", 29)
    assert fit("Konstantin", 140, 29, 20)[0] == "Konstantin"


def test_right_to_left_names_are_shaped_whole() -> None:
    assert len(text._runs("محمد عبد الله", BOLD)) == 1


@pytest.mark.parametrize(
    ("told", "parts"),
    [
        ("דוד 7", ["7", "דוד "]),
        ("Anna דוד", ["Anna ", "דוד"]),
        ("דוד (7).", [").", "7", "דוד ("]),
        ("Ann 4 → 8", ["Ann 4 → 8"]),
        ("\u2068דוד\u2069 wins.", ["דוד", " wins."]),
        ("דוד: \u20661 → \u2068דוד\u2069\u2069", ["1 → ", "דוד", "דוד: "]),
        ("דוד \u2066cut off", ["cut off", "דוד "]),
    ],
)
def test_parts_stand_in_the_order_of_reading(told: str, parts: list[str]) -> None:
    laid = text._lay_out(text._nest(iter(clean(told))))
    assert [part for part, _ in laid] == parts
    assert [leftward for _, leftward in laid] == ["ו" in part or ")" in part or "(" in part for part in parts]


def test_names_are_drawn_without_complex_shaping_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "_RAQM", False)
    text._face.cache_clear()
    text._per_pixel.cache_clear()
    for name in NAMES.values():
        assert text._draw(clean(name), BOLD, 24).mask.getbbox() is not None
    text._face.cache_clear()
    text._per_pixel.cache_clear()


def test_words_wrap_into_the_room_there_is() -> None:
    rows, size = wrap(
        "Anna: 7 as 3 (12 to 15), 2 (3 to 5) and 2 (64 to lane a)", lambda line, size: 260 - 30 * line, 4, 30, 18
    )
    assert len(rows) <= 4
    for line, row in enumerate(rows):
        assert width_of(row, size) <= 260 - 30 * line


@pytest.mark.parametrize("words", ["word " * 80, "x" * 400, "行" * 90])
def test_too_many_words_are_cut(words: str) -> None:
    rows, size = wrap(words, lambda line, size: 200.0, 3, 30, 18)
    assert len(rows) <= 3
    assert size == 18
    assert rows[-1].endswith(ELLIPSIS)
    assert all(width_of(row, size) <= 200 for row in rows)


def test_strange_names_and_captions_are_drawn() -> None:
    scene = samples.standard("dobney", 6)
    names = dict(zip(range(6), ["", "\u0000", "Ｗ" * 32, "👨‍👩‍👧‍👦" * 8, "ﷺ" * 8, "\u0301" * 40], strict=True))
    from dataclasses import replace

    board_png(replace(scene, names=names, caption="\u202e" + "لا" * 300), size=256)


@pytest.mark.parametrize("name", ["Íñigo AVATAR To. 3x9", "WAV Ty LT Jürgen  12 → 40", "Влад Ιώνα", "Nguyễn 64"])
@pytest.mark.parametrize("size", [17, 38])
def test_names_from_cached_letters_look_the_same(name: str, size: int) -> None:
    """With the same space between letters, so that nobody can see how a name was made."""
    (run,) = text._runs(name, BOLD)
    assert all(text._is_plain(char, BOLD) for char in name)
    made = text._draw(name, BOLD, size)
    face = text._face(BOLD, size)
    written = Image.new("L", made.mask.size)
    pad = (made.mask.width - round(made.width)) // 2
    ImageDraw.Draw(written).text((pad, made.ascent), run[1], fill=255, font=face, anchor="ls")
    assert made.width == pytest.approx(face.getlength(name), abs=0.02 * made.width)
    # Letters may be half a pixel off.
    off = ImageChops.difference(made.mask.reduce(3), written.reduce(3))
    assert ImageStat.Stat(off).mean[0] < 0.2 * ImageStat.Stat(written).mean[0]


@pytest.mark.parametrize("name", ["محمد", "अनन्या", "Z̷", "⇄", "👍🏽", "שלום"])
def test_joining_signs_are_never_set_singly(name: str) -> None:
    assert not all(text._is_plain(char, BOLD) for char in name)


def test_arabic_letters_are_as_high_as_latin_capitals() -> None:
    latin, arabic = (text.ink(word, 60) for word in ("H", "\u0627"))
    (_, top, _, bottom), (_, high, _, low) = latin.mask.getbbox(), arabic.mask.getbbox()
    assert low - high == pytest.approx(bottom - top, rel=0.12)


@pytest.mark.parametrize("name", ["Maximiliane", "محمد عبد الله"])
def test_long_name_fills_its_room(name: str) -> None:
    layout = Layout(board_for("classic", 4), 1024)
    short, long = (corners.name_of(layout, 1, corners.SeatStatus(one, active=True))[0].width for one in ("Ann", name))
    left, _, right, _ = layout.corners[1].pill
    assert short < 0.55 * (right - left) < long


def test_deep_letters_of_a_name_are_whole() -> None:
    """The two dots below the last letter tell it from another."""
    layout = Layout(board_for("classic", 4), 1024)
    word, _, middle, reach = corners.name_of(layout, 0, corners.SeatStatus("أحمد العلي"))
    found = []
    for room in (reach, 2 * reach):
        canvas = Canvas(Image.new("RGB", (1024, 1024)))
        text.write(canvas, word, (255, 255, 255), 400, middle, room)
        found.append(canvas.image.getbbox())
    assert found[0][3] - found[0][1] == found[1][3] - found[1][1]


def test_pointer_makes_way_for_a_whole_name() -> None:
    """A computer's face does not: nobody waits for it."""
    name, layout = text.clean("अनन्या शर्मा"), Layout(board_for("dobney", 6), 1024)
    seats = [corners.SeatStatus(name, active=active, computer=not active) for active in (True, False)]
    assert [corners.form(layout.corners[1], seat) for seat in seats] == [3, 2]
    written = corners.name_of(layout, 1, seats[0])[0]
    assert any(written.width == text.ink(name, size).width for size in (25, 26, 27))


def test_emoji_make_way_for_letters() -> None:
    assert text.drop_emoji("🦊 fox 👩‍🚀") == "fox"
    assert text.drop_emoji("🦊") == "🦊"
    assert text.drop_emoji("अनन्या शर्मा") == text.clean("अनन्या शर्मा")


@pytest.mark.parametrize(("system", "players"), [("classic", 4), ("dobney", 6), ("swiss", 8)])
@pytest.mark.parametrize("name", ["Jürgen", "Nguyễn", "Maximiliane", "محمد عبد الله"])
def test_a_name_makes_way_for_mark_and_sign(system: str, players: int, name: str) -> None:
    layout = Layout(board_for(system, players), 1024)
    for side in range(players):
        for seat in (corners.SeatStatus(name, active=True), corners.SeatStatus(name, active=True, computer=True)):
            form, corner = corners.form(layout.corners[side], seat), layout.corners[side]
            whole = text.width_of(name, round(corners._LEAST * corner.letters)) <= corners._room(corner, 3, 1)
            assert form < 3 or whole
