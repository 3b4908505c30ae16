"""`make bench`: how fast the engine plays and the pictures are drawn here, beside what they are meant to need.

Every line is a measurement with its budget; the program ends with 1 if a budget is missed, so that it can guard a merge
on a quiet machine. Run it with nothing else running.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from render import Scene

SEED = bytes(range(32))


@dataclass(frozen=True)
class Measure:
    """One line: what was measured, the figure, its unit, and the budget (a least or a most), if there is one."""

    what: str
    figure: float
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def kept(self) -> bool:
        """Whether the budget is kept."""
        return (self.least is None or self.figure >= self.least) and (self.most is None or self.figure <= self.most)

    def __str__(self) -> str:
        budget = f"at least {self.least:,.0f}" if self.least is not None else ""
        budget = f"at most {self.most:,.0f}" if self.most is not None else budget
        line = f"{self.what:<44}{self.figure:>12,.1f} {self.unit:<10}{budget:<18}"
        return f"{line}{'' if self.kept else 'MISSED'}".rstrip()


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """The shortest of three runs of `times` calls, in seconds a call."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        for _ in range(times):
            work()
        best = min(best, (time.perf_counter() - start) / times)
    return best


def selfplay(rules: str, players: int, player: str, games: int) -> float:
    """Plies a second of computer players among themselves, each in a process of its own."""
    command = [sys.executable, "-m", "engine", "selfplay", "--rules", rules, "--players", str(players)]
    command += ["--games", str(games), "--seed", "1", "--player", player]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["plies_per_second"])


def engine() -> Iterator[Measure]:
    """How fast the rules are."""
    from engine import SYSTEMS, parse_position
    from engine.analysis import position_actions

    for name, system in SYSTEMS.items():
        players = max(count for count in system.players if count <= 4)
        least = 20_000 if name == "classic" else None
        figure = selfplay(name, players, "random", 60)
        yield Measure(f"{name}, {players} players, random", figure, "plies/s", least=least)
    yield Measure("classic, 4 players, heuristic", selfplay("classic", 4, "heuristic", 10), "plies/s")
    seven = {
        "rules": "classic",
        "players": 4,
        "pieces": {"0": ["2", "20", "35", "50"], "1": ["-"] * 4, "2": ["-"] * 4, "3": ["-"] * 4},
        "seat": 0,
        "hand": ["7"],
        "last": None,
        "options": {},
    }
    position = parse_position(seven)
    yield Measure("a seven among four pieces", seconds(lambda: position_actions(position), 20) * 1000, "ms", most=5)


def scenes(system: str, players: int, number: int) -> list[Scene]:
    """Pictures of one random game, a turn apart."""
    import random

    from engine import Game
    from engine.players import choose
    from render import Scene

    rng, game = random.Random(1), Game.new(system, players, SEED)
    found: list[Scene] = []
    while not game.winners and len(found) < number:
        seat = game.to_act[0]
        game = game.play(seat, choose("random", game, seat, rng))
        if game.number % 4 == 0:
            view = game.view(None)
            names = {one: f"Player {one}" for one in view.hands}
            found.append(Scene.from_view(view, names, caption="A move in words"))
    return found


def pictures() -> Iterator[Measure]:
    """How fast and how large the pictures are."""
    from render import board_png, hand_png
    from render.cache import CACHES

    first = "import time; t = time.perf_counter()\nfrom render import Scene, board_png\nfrom engine import Game\n"
    first += "board_png(Scene.from_view(Game.new('classic', 4, bytes(32)).view(None)))\nprint(time.perf_counter() - t)"
    done = subprocess.run([sys.executable, "-c", first], check=True, capture_output=True, text=True)
    yield Measure("first picture of a new process", float(done.stdout) * 1000, "ms", most=1000)

    def from_scratch(scene: Scene) -> bytes:
        for cache in CACHES:
            cache.clear()
        return board_png(scene)

    for system, players, drawn, size in (("classic", 4, 10.0, 250.0), ("royal", 6, None, 350.0)):
        shown = scenes(system, players, 60)
        scratch = seconds(lambda: from_scratch(shown[0]))  # noqa: B023
        sizes = [len(board_png(scene)) for scene in shown]
        warm = seconds(lambda: [board_png(scene) for scene in shown]) / len(shown)  # noqa: B023
        yield Measure(f"board, {system}, {players} players", warm * 1000, "ms", most=drawn)
        yield Measure("  the same from scratch", scratch * 1000, "ms")
        yield Measure("  ratio", scratch / warm, "times")
        yield Measure("  largest", max(sizes) / 1024, "KiB", most=size)
    hand = ["A", "4", "7", "J", "X", "K"]
    yield Measure("hand of six", seconds(lambda: hand_png(hand, [0, 2, 4]), 10) * 1000, "ms", most=25)
    yield Measure("all caches together", sum(cache.bytes for cache in CACHES) / 2**20, "MiB", most=150)


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; 1 if a budget is missed."""
    parts = {"engine": engine, "pictures": pictures}
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks", description="Measure engine and pictures.")
    parser.add_argument("part", nargs="*", choices=[*parts, []], help="engine, pictures; both if you say nothing")
    chosen = parser.parse_args(words).part or list(parts)
    missed = 0
    for part in chosen:
        for measure in parts[part]():
            print(measure, flush=True)
            missed += not measure.kept
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
