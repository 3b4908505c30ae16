"""`make compiled`: the engine in C (`setup.py`), in build/compiled, which plays as plain Python does, only faster.

A copy of the tracked files is compiled there, passes the engine's tests, and plays the same games as the plain engine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
THERE = HERE / "build" / "compiled"
GAMES = (
    *(("random", rules, 60) for rules in ("classic", "family", "dobney", "royal")),
    ("heuristic", "classic", 10),
    ("normal", "royal", 2),
)
"""The games that both play: the computer player, the rules and how many."""

REPLACING = ("tests/engine/players/test_thinking.py::test_few_worlds_are_tried_again",)
"""Tests that put another function in the place of a compiled function, which nothing can."""


def compile_there() -> None:
    """Copy the tracked files to build/compiled and compile them."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=HERE, check=True, capture_output=True).stdout
    for name in tracked.decode().split("\0"):
        source, target = HERE / name, THERE / name
        # What has not changed keeps its time, and is not compiled again.
        if source.is_file() and not (target.is_file() and target.read_bytes() == source.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(command, cwd=THERE, env={**os.environ, "DOG_COMPILE": "1"}, check=True)


def play_games(where: Path, player: str, rules: str, games: int) -> dict[str, Any]:
    """Play some games with the engine in a folder and return the figures of `selfplay`; the best of three runs."""
    command = [sys.executable, "-m", "engine", "selfplay", "--player", player, "--rules", rules]
    command += ["--games", str(games), "--seed", "1"]
    runs = [
        json.loads(subprocess.run(command, cwd=where, check=True, capture_output=True, text=True).stdout)
        for _ in range(3)
    ]
    best: dict[str, Any] = min(runs, key=lambda run: float(run["seconds"]))
    return best


def compare_speeds() -> Iterator[tuple[str, float]]:
    """Yield each kind of game and the speed of the compiled engine relative to Python; SystemExit if games differ."""
    for player, rules, games in GAMES:
        plain, compiled = (play_games(where, player, rules, games) for where in (HERE, THERE))
        speed = compiled["plies_per_second"] / plain["plies_per_second"]
        if any(plain[key] != compiled[key] for key in ("plies", "wins")):
            raise SystemExit(f"{rules}, {player}: the compiled engine plays other games: {plain} {compiled}")
        yield f"{rules}, {player}", speed


def main() -> int:
    """Compile, test and compare."""
    compile_there()
    tests = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "tests/engine", "tests/reference"]
    tests += [word for test in REPLACING for word in ("--deselect", test)]
    if subprocess.run(tests, cwd=THERE, check=False).returncode:
        return 1
    for what, speed in compare_speeds():
        print(f"{what:<24}{speed:>5.2f} times as fast as plain Python")
    return 0


if __name__ == "__main__":
    sys.exit(main())
