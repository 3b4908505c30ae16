"""`python -m tools.players.learn`: the weights it prints, and the regression behind them."""

import json
import os
import random
import subprocess
import sys

import pytest

from engine.players.weights import shares
from tools.players.learn import fit, main, solve


def test_it_prints_weights_that_depend_on_the_seed(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for seed in "12":
        assert main(["--rules", "royal", "--players", "2", "--games", "2", "--seed", seed]) == 0
        printed.append(json.loads(capsys.readouterr().out))
    first, second = printed
    assert (first["rules"], first["players"], first["learnt"]["games"]) == ("royal", 2, 2)
    assert first["round"]
    assert first["turn"]
    assert first["round"] != second["round"]


def test_it_prints_the_same_bytes_in_every_process() -> None:
    words = [sys.executable, "-m", "tools.players.learn", "--rules", "royal-basic", "--players", "2", "--games", "2"]
    first, again = (
        subprocess.run(words, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in "12"
    )
    assert first == again
    assert first.count(b"\n") > 20


@pytest.mark.parametrize("words", [["--games", "0"], ["--rules", "go"]])
def test_wrong_arguments_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    assert "error: " in capsys.readouterr().err


def test_regression_finds_the_weights_of_its_samples() -> None:
    dice = random.Random(1)
    true = [1.0, -0.5, 0.0]
    samples = []
    for _ in range(3000):
        teams = [{number: dice.uniform(-1, 1) for number in range(3)} for _ in range(3)]
        chances = shares([sum(true[number] * value for number, value in team.items()) for team in teams])
        won = dice.choices(range(3), chances)[0]
        samples.append((teams, [float(number == won) for number in range(3)]))
    assert fit(samples, [0.0] * 3, ridge=0.1) == pytest.approx(true, abs=0.12)
    assert solve([[4.0], [2.0, 5.0]], [8.0, 14.0]) == pytest.approx([0.75, 2.5])
