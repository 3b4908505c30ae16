"""The files that leave the house: PNG and GIF, their sizes, and that nothing is lost on the way."""

from __future__ import annotations

import io
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from engine import ROYAL, STANDARD
from render import THEMES, RenderError, board, board_png, gallery, hand, hand_png, palette, png, samples
from render.bench import long_story
from render.replay import replay_gif, replay_parts

KB = 1024


@pytest.mark.parametrize("theme", THEMES)
def test_boards_are_small_files(theme: str) -> None:
    for scene in (samples.moves()["seven"], samples.states()["winners"]):
        assert len(board_png(scene, theme)) <= 150 * KB
    assert len(board_png(samples.moves()["inner-path"], theme)) <= 200 * KB


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_palette_shows_true_colours_without_banding(theme: board.Theme) -> None:
    scenes = [samples.moves()["royal-copy"], samples.moves()["inner-path"]]
    scenes += [replace(samples.standard("dobney", 6), to_act=(seat,)) for seat in (0, 3, 5)]
    for scene in scenes:
        true = board.paint(scene, theme, 512).image
        shown = Image.open(io.BytesIO(board_png(scene, theme.id, 512))).convert("RGB")
        error = ImageChops.difference(true, shown)
        assert sum(ImageStat.Stat(error).mean) / 3 < 2.5
        assert max(high for _, high in error.getextrema()) < 56


def test_flat_colours_come_out_exactly() -> None:
    for theme in THEMES.values():
        corner = Image.open(io.BytesIO(board_png(samples.standard("classic", 4), theme.id, 512))).convert("RGB")
        assert corner.getpixel((2, 2)) == theme.table
        assert len(palette.palette_for(theme).colours) <= 3 * palette.COLOURS


def test_a_picture_is_the_ground_with_only_what_changed_quantised_again() -> None:
    theme = THEMES["slate"]
    for scene in (*samples.moves().values(), *samples.states().values()):
        whole = palette.palette_for(theme).quantise(board.paint(scene, theme, 300).image)
        assert board.numbers(scene, theme, 300).tobytes() == whole.tobytes()


def test_tiles_cover_what_changed_and_do_not_overlap() -> None:
    boxes = [(-5, -5, 10, 10), (100, 40, 300, 60), (290, 50, 310, 299), (5, 5, 6, 6)]
    tiles = board.tiles(boxes, 300)
    seen = Image.new("L", (300, 300))
    for tile in tiles:
        assert seen.crop(tile).getbbox() is None
        seen.paste(255, tile)
    for box in boxes:
        inside = tuple(min(300, max(0, edge)) for edge in box)
        assert seen.crop(inside).getextrema() == (255, 255)
    assert board.tiles([], 300) == []


def test_png_is_well_formed() -> None:
    data = board_png(samples.standard("classic", 4), size=200)
    picture = Image.open(io.BytesIO(data))
    picture.verify()
    assert (picture.mode, picture.size) == ("P", (200, 200))


def test_png_without_the_fast_compressor_is_the_same_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = board_png(samples.standard("classic", 4), size=200)
    monkeypatch.setattr(png, "_COMPRESS", zlib.compress)
    plain = board_png(samples.standard("classic", 4), size=200)
    assert Image.open(io.BytesIO(fast)).tobytes() == Image.open(io.BytesIO(plain)).tobytes()


def test_hands_of_any_size_are_wide_pictures() -> None:
    for count in (0, 1, 6, 7, 13, 60):
        picture = Image.open(io.BytesIO(hand_png(["7"] * count)))
        assert picture.width == 1024
        assert picture.height >= 52
    shown = hand_png(["A", "7"], {0}, letters=["A", ""])
    assert Image.open(io.BytesIO(shown)).height > Image.open(io.BytesIO(hand_png(["A", "7"], {0}))).height


def test_cards_alike_have_different_suits_and_royal_faces_differ() -> None:
    assert hand_png(["5", "5"]) != hand_png(["5"] * 2, deck=ROYAL)
    two = hand.picture(["5", "5"], None, THEMES["slate"], STANDARD)
    left, right = two.crop((260, 0, 506, two.height)), two.crop((518, 0, 764, two.height))
    assert ImageChops.difference(left, right).getbbox() is not None


# -- replays


def test_a_replay_has_a_frame_for_every_scene_and_ends_on_the_last_board() -> None:
    story = samples.story()
    data = replay_gif(story, size=256, delay=0.5, last=3)
    film = Image.open(io.BytesIO(data))
    assert film.n_frames == len(story)
    assert film.info["loop"] == 0
    durations = []
    for number in range(film.n_frames):
        film.seek(number)
        durations.append(film.info["duration"])
    assert durations == [500] * (len(story) - 1) + [3000]
    still = Image.open(io.BytesIO(board_png(story[-1], size=256))).convert("RGB")
    assert ImageChops.difference(film.convert("RGB"), still).getbbox() is None


def test_the_pieces_of_a_replay_make_the_whole() -> None:
    story = samples.story()
    parts = list(replay_parts(story, size=256))
    assert len(parts) == len(story) + 2
    assert b"".join(parts) == replay_gif(story, size=256)


def test_a_scene_that_changes_nothing_is_a_frame_too() -> None:
    scene = samples.standard("classic", 4)
    film = Image.open(io.BytesIO(replay_gif([scene, scene, scene], size=128)))
    assert film.n_frames == 3


def test_three_hundred_frames_fit_into_an_upload() -> None:
    frames = 40
    data = replay_gif(long_story(frames))
    assert len(data) * 300 / frames < 8 << 20


def test_frames_of_different_themes_are_refused_by_name() -> None:
    with pytest.raises(RenderError, match="theme"):
        list(replay_parts(samples.story(), "Slate"))


# -- gallery


def test_the_gallery_is_a_page_that_shows_every_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = [gallery.Picture("boards", "a & b", b"1"), gallery.Picture("moves", "c", b"2", "gif")]
    monkeypatch.setattr(gallery, "pictures", lambda: iter(few))
    assert gallery.write(tmp_path / "out") == 2
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert 'src="boards-a-&amp;-b.png"' in page
    assert (tmp_path / "out" / "moves-c.gif").read_bytes() == b"2"
