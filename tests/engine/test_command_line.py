"""`python -m engine actions`, `best` and `selfplay`; and the examples in the engine's own introduction."""

import doctest
import io
import json
import random
import subprocess
import sys

import pytest

import engine
from engine.__main__ import main
from engine.analysis import answer
from engine.players.situation import best_actions, parse_situation

KENNEL = ["-"] * 4
POSITION = {
    "rules": "classic",
    "players": 4,
    "pieces": {"0": ["-", "-", "20", "c"], "1": KENNEL, "2": KENNEL, "3": KENNEL},
    "seat": 0,
    "hand": ["K"],
    "last": None,
    "options": {},
}


def run(*words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "engine", *words], input=given, capture_output=True, timeout=60)


def test_every_position_of_the_input_has_a_line() -> None:
    lines = [json.dumps(POSITION), "", "{", json.dumps({**POSITION, "seat": 7})]
    done = run("actions", given="\n".join(lines).encode() + b"\n\xff\n" + json.dumps(POSITION).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    first, broken, seatless, binary, last = map(json.loads, done.stdout.decode().splitlines())
    assert first == last
    assert first["actions"] == [
        {
            "card": "K",
            "pieces": {**POSITION["pieces"], "0": ["-", "1*", "20", "c"]},
            "draws": 0,
            "jump": None,
            "text": "K ->1",
        },
        {
            "card": "K",
            "pieces": {**POSITION["pieces"], "0": ["-", "-", "33", "c"]},
            "draws": 0,
            "jump": None,
            "text": "K 20>33",
        },
    ]
    assert (broken, binary) == ({"error": "position: is not JSON"}, {"error": "position: is not UTF-8"})
    assert seatless["error"].startswith("seat:")


def test_every_line_is_answered_at_once() -> None:
    with subprocess.Popen([sys.executable, "-m", "engine", "actions"], stdin=-1, stdout=-1) as program:
        for _ in range(2):
            program.stdin.write(json.dumps(POSITION).encode() + b"\n")
            program.stdin.flush()
            assert b'"K 20>33"' in program.stdout.readline()
        program.stdin.close()
        assert program.wait(20) == 0


def test_a_reader_who_goes_away_is_no_error() -> None:
    with subprocess.Popen([sys.executable, "-m", "engine", "actions"], stdin=-1, stdout=-1, stderr=-1) as program:
        program.stdout.close()
        try:
            program.stdin.write((json.dumps(POSITION).encode() + b"\n") * 50)
            program.stdin.close()
        except BrokenPipeError:
            pass
        assert (program.stderr.read(), program.wait(20)) == (b"", 0)


def test_the_best_actions_of_every_position(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        POSITION,
        {**POSITION, "hand": ["K", "8", "2"], "hands": {"1": 2, "2": 0, "3": 1}, "open": ["A", "A"], "starter": 3},
        {**POSITION, "hand": ["K"] * 9},
        {**POSITION, "hands": {"1": -1}},
        {**POSITION, "hands": {"7": 1}},
        {**POSITION, "open": ["Z"]},
        {**POSITION, "starter": 9},
        {**POSITION, "hand": []},
        {**POSITION, "hands": {"1": 40, "2": 40, "3": 40}},
        {**POSITION, "hands": {"0": 5}},
    ]
    given = "\n".join(map(json.dumps, lines)).encode()
    told = []
    for _ in range(2):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
        assert main(["best", "--worlds", "2", "--candidates", "3"]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    only, three, *wrong = [json.loads(line) for line in told[0].splitlines()]
    assert {one["text"] for one in only["best"]} == {"K ->1", "K 20>33"}
    assert len(three["best"]) == 3
    for one in three["best"]:
        assert 0 <= one["low"] <= one["value"] <= one["high"] <= 1
    fields = ["hand", "hands.1", "hands", "open", "starter", "hand", "hands", "hands.0"]
    assert [answer["error"].split(":")[0] for answer in wrong] == fields


def test_positions_without_actions_or_after_the_end() -> None:
    home = ["a", "b", "c", "d"]
    stuck = {**POSITION, "pieces": dict.fromkeys("0123", KENNEL), "hand": ["5", "8"]}
    assert [one["text"] for one in best_actions(stuck)["best"]] == ["fold"]
    alone = {**stuck, "rules": "royal-basic", "players": 2, "pieces": {"0": KENNEL, "2": ["40", "-", "-", "-"]}}
    assert {one["text"] for one in best_actions(alone)["best"]} == {"discard 5", "discard 8"}
    over = {**POSITION, "pieces": {"0": home, "1": KENNEL, "2": home, "3": KENNEL}}
    assert answer(json.dumps(over), best_actions)["error"].startswith("pieces:")


def test_world_of_a_position_matches_what_is_given() -> None:
    said = {**POSITION, "hand": ["K", "8"], "hands": {"0": 2, "1": 2, "2": 0, "3": 1}, "open": ["A"] * 8, "starter": 3}
    world = parse_situation(said).sample(random.Random(1))
    assert [len(hand) for hand in world.cards.hands] == [2, 2, 0, 1]
    assert "A" not in [card for hand in [*world.cards.hands, world.cards.deck] for card in hand]
    assert (world.turn, world.starter, world.out) == (0, 3, {2})
    assert len(world.cards.deck) == 110 - 5 - 8


@pytest.mark.parametrize("player", ["random", "heuristic", "heuristic,random", " easy, normal "])
def test_self_play_prints_a_tally(player: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selfplay", "--rules", "royal", "--players", "2", "--games", "2", "--player", player]) == 0
    tally = json.loads(capsys.readouterr().out)
    assert set(tally) >= {"games", "plies", "seconds", "plies_per_second", "wins"}
    assert (tally["games"], sum(tally["wins"].values()), set(tally["wins"])) == (2, 2, {"0", "2"})


def test_the_same_seed_gives_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    tallies = []
    for _ in range(2):
        main(["selfplay", "--games", "2", "--seed", "5", "--player", "heuristic"])
        tally = json.loads(capsys.readouterr().out)
        tallies.append((tally["plies"], tally["wins"]))
    assert tallies[0] == tallies[1]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["perft"],
        ["selfplay", "--rules", "x"],
        ["selfplay", "--players", "5"],
        ["selfplay", "--players", "x"],
        ["selfplay", "--games", "0"],
        ["selfplay", "--seed", "x"],
        ["selfplay", "--player", "me"],
        ["selfplay", "--player", ""],
        ["selfplay", "--player", "easy,easy,easy,easy,easy"],
        ["selfplay", "--rules", "royal", "--canadian-seven"],
        ["actions", "now"],
        ["best", "--worlds", "0"],
    ],
)
def test_wrong_arguments_are_told_in_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "error: " in told.err.splitlines()[-1]


def test_actions_read_bytes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"rules": "\xc3\xa9"}\n'), encoding="ascii"))
    assert main(["actions"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == ["error"]


def test_the_examples_of_the_introduction_run() -> None:
    results = doctest.testmod(engine)
    assert results.attempted > 15
    assert results.failed == 0
