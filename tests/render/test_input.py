"""Bad input to the pictures is refused with an error that names what is wrong."""

import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engine import board_for
from engine.record import Sitter, Takeover, load_record
from render import RenderError, Scene, board_png, hand_png, palette, warm
from render.__main__ import main, scenes_of
from render.drawing import text
from render.film import Tempo, replay_gif
from tools.pictures import samples

SCENE = samples.standard("classic", 4)
POSITION: dict[str, Any] = {
    "rules": "classic",
    "players": 4,
    "pieces": {"0": ["-", "1*", "12", "d"], "1": ["-"] * 4, "2": ["-"] * 4, "3": ["-"] * 4},
    "seat": 0,
    "hand": ["7", "J"],
}


def test_an_unknown_theme_is_refused() -> None:
    for draw in (
        lambda: board_png(SCENE, "pink"),
        lambda: hand_png(["7"], theme="pink"),
        lambda: replay_gif([], "pink"),
        lambda: warm(["pink"]),
    ):
        with pytest.raises(RenderError, match="theme: must be one of slate, wood, light, contrast") as caught:
            draw()
        assert caught.value.field == "theme"


@pytest.mark.parametrize(
    ("side", "pieces"),
    [
        *((0, ("-", "-", "-", "65")), (0, ("-", "-", "-", "e")), (0, ("-", "-", "-")), (0, ("-", "-", "5", "5"))),
        *((0, ("-", "-", "-", "5*")), (0, ("-", "-", "-", "P1")), (0, ("-", "-", "-", "K5"))),
        *((0, ("-", "-", "-", "")), (0, ("-", "-", "-", 5)), (7, ("-", "-", "-", "-"))),
    ],
)
def test_position_of_another_board_is_refused(side: int, pieces: tuple[str, ...]) -> None:
    with pytest.raises(RenderError) as caught:
        board_png(replace(SCENE, placement={**SCENE.placement, side: pieces}))
    assert caught.value.field == "placement"


def test_a_missing_side_is_refused() -> None:
    with pytest.raises(RenderError, match="placement"):
        board_png(replace(SCENE, placement={0: ("-",) * 4}))


@pytest.mark.parametrize("size", [0, 64, 127, 2049, 10**9, 512.0, "512", None, True])
def test_sizes_out_of_bounds_are_refused(size: Any) -> None:
    with pytest.raises(RenderError, match="size"):
        board_png(SCENE, size=size)


@pytest.mark.parametrize("turned", [-1, 4, 99])
def test_turning_to_a_missing_side_is_refused(turned: int) -> None:
    with pytest.raises(RenderError, match="turned"):
        board_png(replace(SCENE, turned=turned))


@pytest.mark.parametrize("card", ["", "Z", "11", "1*", "7:Z", "7:", ":7", "🂡", "A" * 1000])
def test_unknown_cards_are_refused(card: str) -> None:
    if card == "7:":
        hand_png([card])
        return
    with pytest.raises(RenderError, match="card"):
        hand_png([card])
    with pytest.raises(RenderError, match="card"):
        board_png(replace(SCENE, pile=("4", card)))


def test_cards_of_two_decks_are_refused() -> None:
    with pytest.raises(RenderError, match="deck"):
        hand_png(["A", "magnet"])
    with pytest.raises(RenderError, match="deck"):
        board_png(replace(SCENE, pile=("magnet",)))
    with pytest.raises(RenderError, match="deck"):
        board_png(replace(samples.standard("royal", 4), pile=("A",)))


def test_a_hand_that_never_ends_is_refused() -> None:
    with pytest.raises(RenderError, match="hand"):
        hand_png(["7"] * 200)


@pytest.mark.parametrize("spot", [(9, "5"), (0, "65"), (0, "e"), (0, "")])
def test_choices_that_are_not_there_are_refused(spot: tuple[int, str]) -> None:
    with pytest.raises(RenderError):
        board_png(replace(SCENE, candidates={spot: "A"}))


def test_a_replay_needs_a_scene_and_a_pace() -> None:
    with pytest.raises(RenderError, match="scenes"):
        replay_gif([])
    with pytest.raises(RenderError, match="pace"):
        replay_gif([SCENE], pace=Tempo(0))


def test_move_between_missing_places_is_refused() -> None:
    step = samples.walk(board_for("dobney", 6), 0, 90, 3)
    with pytest.raises(RenderError, match="place"):
        board_png(replace(SCENE, moves=((0, (step,)),)))


def test_a_broken_font_file_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in filter(Path.is_file, text.FOLDER.iterdir()):
        (tmp_path / file.name).write_bytes(b"no font" if file.suffix == ".otf" else file.read_bytes()[:64])
    monkeypatch.setattr(text, "FOLDER", tmp_path)
    for cached in (text._face, text._per_pixel, text._cap):
        cached.cache_clear()
    with pytest.raises(RenderError, match=r"font: Inter-Bold.otf cannot be read"):
        text.ink("never seen before", 31)
    text._coverage.cache_clear()
    text._font_for.cache_clear()
    with pytest.raises(RenderError, match=r"font: coverage.json cannot be read"):
        text.clean("never seen before")
    monkeypatch.undo()
    for cached in (text._face, text._per_pixel, text._cap, text._coverage, text._font_for):
        cached.cache_clear()


def test_broken_palette_file_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(palette, "FILE", tmp_path / "palettes.json")
    palette.palette_for.cache_clear()
    with pytest.raises(RenderError, match=r"palettes.json"):
        board_png(SCENE)


# -- the command line


def run(*arguments: str, data: str = "") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "render", *arguments]
    return subprocess.run(command, input=data.encode(), capture_output=True, check=False)


def test_a_position_from_standard_input_becomes_a_png() -> None:
    done = run("board", "--theme", "wood", "--size", "300", "--turn", "2", data=json.dumps(POSITION))
    assert done.returncode == 0, done.stderr
    picture = Image.open(io.BytesIO(done.stdout))
    assert (picture.format, picture.size) == ("PNG", (300, 300))


def test_cards_on_the_command_line_become_a_png() -> None:
    done = run("hand", "A 7 J X", "--playable", "0 3")
    assert done.returncode == 0, done.stderr
    assert Image.open(io.BytesIO(done.stdout)).size[0] == 1024


EXAMPLE = Path(__file__).parents[2] / "docs" / "example.dog"


def test_record_becomes_film_and_boards(tmp_path: Path) -> None:
    whole = load_record(EXAMPLE.read_bytes())
    short = replace(whole, log=whole.log[:6], winners=(), takeovers=(Takeover(6, 1, Sitter("Eve")),))
    scenes = scenes_of(short)
    assert [scene.names[1] for scene in scenes] == ["Rex"] * 6 + ["Eve"]
    assert [1 in scene.computers for scene in scenes] == [True] * 6 + [False]
    path = tmp_path / "short.dog"
    path.write_text(short.text(), encoding="utf-8")
    film = run("film", str(path))
    assert film.returncode == 0, film.stderr
    picture = Image.open(io.BytesIO(film.stdout))
    assert picture.format == "GIF"
    assert getattr(picture, "n_frames", 0) >= len(scenes)
    assert run("board", str(path), "--at", "5", "--size", "300").stdout == board_png(scenes[5], size=300)


@pytest.mark.parametrize(
    "arguments",
    [
        ["film", str(Path(__file__))],
        ["film", "missing.dog"],
        ["board", str(Path(__file__))],
        ["board", str(EXAMPLE), "--at", "1000"],
        ["board", str(EXAMPLE), "--at", "-1"],
        ["board", str(EXAMPLE), "--turn", "9"],
    ],
)
def test_bad_record_is_one_line_and_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ("", "JSON"),
        ("[" * 100_000, "JSON"),
        ("null", "object"),
        ("{}", "missing"),
        (json.dumps(POSITION | {"rules": "chess"}), "rules"),
        (json.dumps(POSITION | {"players": 5}), "players"),
        (json.dumps(POSITION | {"pieces": {}}), "pieces"),
        (json.dumps(POSITION | {"names": ["Anna"]}), "names"),
        (json.dumps(POSITION | {"names": {"x": "Anna"}}), "names"),
        (json.dumps(POSITION | {"caption": 7}), "caption"),
        (json.dumps(POSITION | {"turned": "2"}), "turned"),
        (json.dumps(POSITION | {"colour": "red"}), "colour"),
    ],
)
def test_bad_position_is_one_line_and_status_2(
    data: str, word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(data))
    assert main(["board"]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert word in said.err
    assert not said.out


@pytest.mark.parametrize(
    "arguments", [["hand", "A Z"], ["hand", "A", "--playable", "x"], ["hand", "A", "--theme", "pink"]]
)
def test_bad_hand_is_one_line_and_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_position_with_names_and_caption_is_drawn() -> None:
    scene = Scene.from_json(POSITION | {"names": {"0": "Anna"}, "caption": "to play", "turned": 1})
    assert (scene.names, scene.caption, scene.turned) == ({0: "Anna"}, "to play", 1)
    board_png(scene, size=128)
