"""The finished files: PNG and GIF, their sizes, and that nothing is lost on the way."""

import io
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat
from PIL.GifImagePlugin import GifImageFile

from engine import ROYAL, STANDARD
from render import THEMES, board_png, hand, hand_png, palette
from render.board import assembly, strokes
from render.drawing import files
from render.drawing.cache import CACHES
from render.film import SIZES, Tempo, film, replay_gif, replay_parts
from render.scene import Scene, captured_sides
from render.themes import SEATS
from tests.render.eyes import distance
from tools.pictures import gallery, samples
from tools.pictures.bench import course

KB = 1024


@pytest.mark.parametrize("theme", THEMES)
def test_boards_are_small_files(theme: str) -> None:
    for scene in (samples.moves()["seven"], samples.states()["winners"]):
        assert len(board_png(scene, theme)) <= 150 * KB
    for scene in (samples.moves()["inner-path"], samples.states()["winners-six"]):
        assert len(board_png(scene, theme)) <= 200 * KB


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_palette_shows_true_colours_without_banding(theme: assembly.Theme) -> None:
    scenes = [samples.moves()["royal-copy"], samples.moves()["inner-path"]]
    scenes += [replace(samples.standard("dobney", 6), to_act=(seat,)) for seat in (0, 3, 5)]
    for scene in scenes:
        true = assembly.paint(scene, theme, 512).image
        shown = Image.open(io.BytesIO(board_png(scene, theme.id, 512))).convert("RGB")
        error = ImageChops.difference(true, shown)
        assert sum(ImageStat.Stat(error).mean) / 3 < 2.5
        assert max(high for _, high in error.getextrema()) < 56


def test_flat_colours_come_out_exactly() -> None:
    for theme in THEMES.values():
        corner = Image.open(io.BytesIO(board_png(samples.standard("classic", 4), theme.id, 512))).convert("RGB")
        assert corner.getpixel((2, 2)) == theme.table
        assert len(palette.palette_for(theme).colours) <= 3 * palette.COLOURS


def test_only_changes_are_quantised_again() -> None:
    theme = THEMES["slate"]
    for scene in (*samples.moves().values(), *samples.states().values()):
        whole = palette.palette_for(theme).quantise(assembly.paint(scene, theme, 300).image)
        assert assembly.numbers(scene, theme, 300).tobytes() == whole.tobytes()


def test_tiles_cover_what_changed_and_do_not_overlap() -> None:
    boxes = [(-5, -5, 10, 10), (100, 40, 300, 60), (290, 50, 310, 299), (5, 5, 6, 6)]
    tiles = assembly.tiles(boxes, 300)
    seen = Image.new("L", (300, 300))
    for tile in tiles:
        assert seen.crop(tile).getbbox() is None
        seen.paste(255, tile)
    for box in boxes:
        assert seen.crop(tuple(min(300, max(0, edge)) for edge in box)).getextrema() == (255, 255)
    assert assembly.tiles([], 300) == []


@pytest.mark.parametrize("size", [128, 144, 160, 161, 360, 1024])
def test_tiles_lie_on_the_picture_whatever_its_size(size: int) -> None:
    tiles = assembly.tiles([(-5, -5, 9, 9), (size - 3, size - 3, size + 40, size + 40), (size, 0, size + 9, 9)], size)
    assert all(0 <= left < right <= size and 0 <= top < bottom <= size for left, top, right, bottom in tiles)
    assert max(tile[3] for tile in tiles) == size


def test_png_is_equal_without_the_fast_compressor(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = board_png(samples.standard("classic", 4), size=200)
    monkeypatch.setattr(files, "_COMPRESS", zlib.compress)
    monkeypatch.setattr(files, "_DECOMPRESS", zlib.decompress)
    for cache in CACHES:
        if not cache.name.endswith("packed"):
            cache.clear()
    plain = board_png(samples.standard("classic", 4), size=200)
    assert Image.open(io.BytesIO(fast)).tobytes() == Image.open(io.BytesIO(plain)).tobytes()


def test_hands_of_any_size_are_wide_pictures() -> None:
    for count in (0, 1, 6, 7, 13, 60):
        picture = Image.open(io.BytesIO(hand_png(["7"] * count)))
        assert picture.width == (1024 if count > 3 else 192)
        assert picture.height >= 52


def test_equal_cards_differ_in_suit_and_royal_face() -> None:
    assert hand_png(["5", "5"]) != hand_png(["5"] * 2, deck=ROYAL)
    two = hand.numbers(["5", "5"], None, THEMES["slate"], STANDARD)
    left, right = two.crop((21, 0, 184, two.height)), two.crop((184, 0, 347, two.height))
    assert ImageChops.difference(left, right).getbbox() is not None


# -- replays


STILL = Tempo(0.5, tweens=0, last=3)
"""Half a second a scene, without gliding."""


def frames_of(data: bytes) -> list[tuple[Image.Image, int]]:
    """The pictures of a film, and how long each is shown, in milliseconds."""
    found = []
    with GifImageFile(io.BytesIO(data)) as film:
        for number in range(film.n_frames):
            film.seek(number)
            found.append((film.convert("RGB"), int(film.info["duration"])))
    return found


def same(one: Image.Image, scene: Scene, size: int) -> bool:
    still = Image.open(io.BytesIO(board_png(scene, size=size))).convert("RGB")
    return ImageChops.difference(one, still).getbbox() is None


def test_replay_has_all_scenes_and_the_last_board() -> None:
    story = samples.story()
    shown = frames_of(replay_gif(story, size=256, pace=STILL))
    assert len(shown) == len(story)
    for (picture, _), scene in zip(shown, story, strict=True):
        assert same(picture, scene, 256)
    taken = [bool(captured_sides(scene.moves)) for scene in story]
    assert [time for _, time in shown] == [800 if struck else 500 for struck in taken[:-1]] + [3000]


def test_pieces_glide_from_old_to_new_place() -> None:
    story = samples.story()[4:6]
    shown = frames_of(replay_gif(story, size=256, pace=Tempo(1.0, tweens=4)))
    # A walk this long takes half as many pictures again.
    assert len(shown) == 1 + 7
    assert same(shown[0][0], story[0], 256)
    assert same(shown[-1][0], story[1], 256)
    layout = assembly.layout_of(story[1], 256)
    (mover,) = strokes.movers(story[1], layout)
    assert mover.at(0) == pytest.approx(layout.place(1, "17"))
    assert mover.at(1) == pytest.approx(layout.place(1, "29"))
    # On the way it is where it should be, and no longer at its start.
    for number, (picture, _) in enumerate(shown[1:-1], 1):
        x, y = mover.at(number / 7)
        box = (round(x) - 5, round(y) - 5, round(x) + 5, round(y) + 5)
        assert any(distance(colour, SEATS[1]) < 0.2 for _, colour in picture.crop(box).getcolors() or ())
    assert sum(time for _, time in shown[1:]) == pytest.approx(6420, abs=20)


def test_a_piece_stands_until_it_is_taken() -> None:
    *_, before, scene = samples.story()
    shown = frames_of(replay_gif([before, scene], size=256, pace=Tempo(1.0, tweens=4)))
    x, y = map(round, assembly.layout_of(scene, 256).place(0, "7"))
    box = (x - 4, y - 4, x + 5, y + 5)
    taken = [
        not any(count > 5 and distance(colour, SEATS[0]) < 0.1 for count, colour in picture.crop(box).getcolors() or ())
        for picture, _ in shown
    ]
    assert taken[:5] == [False] * 5
    assert taken[-1]
    # What struck it is marked before it is home.
    around = (box[0] - 8, box[1] - 8, box[2] + 8, box[3] + 8)
    assert ImageChops.difference(shown[-2][0], shown[-1][0]).crop(around).getbbox() is None
    assert ImageChops.difference(shown[4][0], shown[-1][0]).crop(around).getbbox() is not None
    # Then it flies home in as many pictures as the other one took to come.
    (flight,) = strokes.captured_movers(scene, before, assembly.layout_of(scene, 256))
    assert len(shown) == 1 + 4 + 4 + 1
    for (picture, _), share in zip(shown[5:-1], (0.2, 0.4, 0.6, 0.8), strict=True):
        x, y = map(round, flight.at(share))
        around = picture.crop((x - 5, y - 5, x + 5, y + 5)).getcolors() or ()
        assert any(distance(colour, SEATS[0]) < 0.1 for _, colour in around)


def test_swapped_pieces_glide_past_each_other() -> None:
    scene = samples.moves()["swap"]
    first, second = strokes.movers(scene, assembly.layout_of(scene, 256))
    assert first.at(0) == pytest.approx(second.at(1))
    assert first.at(1) == pytest.approx(second.at(0))


def test_progress_of_a_film_hides_no_board() -> None:
    scene = samples.standard("classic", 4)
    plain, film = (Image.open(io.BytesIO(board_png(replace(scene, counter=one)))) for one in (None, (3, 4)))
    changed = ImageChops.difference(plain.convert("RGB"), film.convert("RGB")).getbbox()
    assert changed[1] > 640
    assert changed[3] < 716
    gold, (x, y) = THEMES["slate"].gold, (512, changed[3] - 4)
    found = [film.convert("RGB").getpixel((x + way, y)) for way in (-60, 60)]
    assert [colour == gold for colour in found] == [True, False]


def test_films_last_a_minute_or_as_needed() -> None:
    assert Tempo.of(1).scene == Tempo.of(40).scene == 1.5
    assert Tempo.of(100).scene == 0.6
    assert Tempo.of(600).scene == 0.35
    assert Tempo.of(600).tweens == 0
    assert Tempo.of(100).tweens


def test_a_film_of_the_newest_moves_plays_once() -> None:
    story = samples.story()[:3]
    assert b"NETSCAPE2.0" in film(story).data
    assert b"NETSCAPE2.0" not in film(story, loops=False).data


def test_a_film_is_made_smaller_rather_than_shorter() -> None:
    story = samples.story()
    large = film(story)
    small = film(story, most=len(large.data) * 2 // 3)
    assert small.size < large.size
    assert len(small.data) <= len(large.data) * 2 // 3
    assert (small.scenes, small.pace) == (large.scenes, large.pace)
    assert len(frames_of(small.data)) == len(frames_of(large.data))


def test_the_pieces_of_a_replay_make_the_whole() -> None:
    story = samples.story()
    parts = list(replay_parts(story, size=256, pace=STILL))
    assert len(parts) == len(story) + 2
    assert b"".join(parts) == replay_gif(story, size=256, pace=STILL)


def test_scene_without_change_is_a_frame() -> None:
    scene = samples.standard("classic", 4)
    assert len(frames_of(replay_gif([scene, scene, scene], size=128))) == 3


def test_six_hundred_scenes_fit_into_an_upload() -> None:
    """Estimated from a part of the game, as the film itself does; `make bench` makes the whole film."""
    count = 30
    scenes = course("dobney", 6, 3, 90)[60 : 60 + count]
    assert len(replay_gif(scenes, size=SIZES[-1], pace=Tempo.of(600))) * 600 / count < 8 << 20


# -- gallery


def test_gallery_shows_every_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = [gallery.Picture("boards", "a & b", b"1"), gallery.Picture("moves", "c", b"2", "gif")]
    monkeypatch.setattr(gallery, "pictures", lambda: iter(few))
    assert gallery.write(tmp_path / "out") == 2
    assert 'src="boards-a-&amp;-b.png"' in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "moves-c.gif").read_bytes() == b"2"
