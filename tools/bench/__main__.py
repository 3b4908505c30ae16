"""`make bench`: the speed of the engine, computer players and pictures, and the cost of many open tables.

Every line is a measurement with its budget; the program ends with status 1 if a budget is exceeded, so that it can
guard a merge on a quiet machine. Run it with nothing else running.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from engine import SYSTEMS, Board, board_for, parse_position
from engine.analysis import position_actions
from engine.hidden.knowledge import Knowledge
from engine.hidden.worlds import Dealer, NoWorld
from engine.players import Player, player_of
from engine.players.selfplay import play_out
from engine.rules.resolved import Resolved
from engine.rules.routes import routes_for
from engine.rules.shuffle import SEED_BYTES
from engine.rules.state import GameState
from tools.compiled import THERE, compare_speeds


@dataclass(frozen=True)
class Measure:
    """A line: what was measured, the figure, its unit, and the budget (a minimum or a maximum), if any."""

    what: str
    figure: float
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def kept(self) -> bool:
        """True if the figure is within the budget."""
        return (self.least is None or self.figure >= self.least) and (self.most is None or self.figure <= self.most)

    def __str__(self) -> str:
        budget = f"at least {self.least:,.0f}" if self.least is not None else ""
        budget = f"at most {self.most:,.4g}" if self.most is not None else budget
        line = f"{self.what:<44}{self.figure:>12,.1f} {self.unit:<10}{budget:<18}"
        return f"{line}{'' if self.kept else 'MISSED'}".rstrip()


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Return the shortest of three runs of `times` calls, in seconds of processor time per call."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        for _ in range(times):
            work()
        best = min(best, (time.process_time() - start) / times)
    return best


def selfplay(rules: str, players: int, player: str, games: int) -> float:
    """Return the plies per second of computer players against each other, in a new process."""
    command = [sys.executable, "-m", "engine", "selfplay", "--rules", rules, "--players", str(players)]
    command += ["--games", str(games), "--seed", "1", "--player", player]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["plies_per_second"])


def engine() -> Iterator[Measure]:
    """Measure the rules."""
    for name, system in SYSTEMS.items():
        players = max(count for count in system.players if count <= 4)
        least = 20_000 if name == "classic" else None
        figure = selfplay(name, players, "random", 60)
        yield Measure(f"{name}, {players} players, random", figure, "plies/s", least=least)
    yield Measure("classic, 4 players, heuristic", selfplay("classic", 4, "heuristic", 10), "plies/s")
    if THERE.is_dir():
        for what, ratio in compare_speeds():
            yield Measure(f"{what}, compiled to plain", ratio, "times")
    else:
        print("The compiled engine is measured too after `make compiled`.")
    pieces = {"0": ["2", "20", "35", "50"], **dict.fromkeys("123", ["-"] * 4)}
    seven = {"rules": "classic", "players": 4, "pieces": pieces, "seat": 0, "hand": ["7"], "last": None, "options": {}}
    position = parse_position(seven)
    yield Measure("a seven among four pieces", seconds(lambda: position_actions(position), 20) * 1000, "ms", most=5)


def play(rules: str, players: int, games: int, players_of: Callable[[Board], Mapping[int, Player]]) -> None:
    """Play games, the same every time, with players by seat."""
    board, rng = board_for(rules, players), Random(1)
    for _ in range(games):
        state = GameState.begin(routes_for(board), rng.randbytes(SEED_BYTES))
        state.events = None
        play_out(state, players_of(board), rng)


def decisions(rules: str, players: int, level: str, games: int) -> tuple[float, float]:
    """Return the average and longest decision of a level in games against the heuristic, in ms."""
    thinker, other = player_of(level), player_of("heuristic")
    took: list[float] = []

    def timed(known: Knowledge, rng: Random) -> Resolved:
        begun = time.process_time()
        chosen = thinker(known, rng)
        took.append(time.process_time() - begun)
        return chosen

    play(
        rules, players, games, lambda board: {seat: timed if seat in board.teams[0] else other for seat in board.seats}
    )
    return sum(took) / len(took) * 1000, max(took) * 1000


def worlds(rules: str, players: int, games: int) -> tuple[float, int]:
    """Return the average tries for a world, with twelve in each decision, and the number not found."""
    normal, dice = player_of("normal"), Random(1)
    worlds = tries = lacking = 0

    def counted(known: Knowledge, rng: Random) -> Resolved:
        nonlocal worlds, tries, lacking
        dealer = Dealer(known)
        for _ in range(12):
            worlds += 1
            try:
                dealer.deal(dice)
            except NoWorld:
                lacking += 1
        tries += dealer.tries
        return normal(known, rng)

    play(rules, players, games, lambda board: dict.fromkeys(board.seats, counted))
    return tries / worlds, lacking


def hidden_worlds() -> Iterator[Measure]:
    """Measure how often hidden cards are dealt again until they fit what is known, where that is hardest."""
    for rules, players in (("dobney", 6), ("royal", 4), ("royal-basic", 6)):
        tries, lacking = worlds(rules, players, 3)
        yield Measure(f"1,000 worlds of {rules} with {players}", tries * 1000, "tries", most=1100)
        yield Measure("  none found", lacking, "times", most=0)


def players() -> Iterator[Measure]:
    """Measure decisions of computer players on one core, and how long many at once hold the event loop."""
    for level, mean, most in (("easy", 5.0, None), ("normal", 5.0, None), ("strong", 120.0, 600.0)):
        for rules, count, games in (("classic", 4, 2), ("dobney", 6, 1), ("royal", 2, 2), ("royal", 6, 1)):
            average, longest = decisions(rules, count, level, games)
            yield Measure(f"{level}, {rules} with {count}", average, "ms", most=mean)
            yield Measure("  the longest", longest, "ms", most=most)
    from tools.bench.thinkers import TABLES, longest_wait, silence

    silence()
    print(f"{TABLES} tables at once hold the event loop (what clicks wait for then: make load LOAD=computers)")
    for level in ("normal", "strong"):
        # The shortest of three, as everywhere: other programs on the machine hold the loop up, too.
        waited = min(asyncio.run(longest_wait(level))[0] for _ in range(3))
        yield Measure(f"  {level}", waited * 1000, "ms", most=50)


def pictures() -> Iterator[Measure]:
    """Measure pictures and their sizes, with warm caches and from scratch."""
    from tools.pictures import bench

    figures = bench.run()
    for name, ratio, small in (("game_4", 2.2, 150), ("game_6", 2.5, 200)):
        figure = figures[name]
        yield Measure(f"board of {name[-1]}, no two alike", figure["ms"], "ms")
        yield Measure("  the least it could cost", figure["floor_ms"], "ms")
        yield Measure("  ratio", figure["ratio"], "times", most=ratio)
        yield Measure("  largest", figure["bytes"] / 1024, "KiB", most=small)
    for name in ("many_4", "many_6"):
        figure = figures[name]
        yield Measure(f"1,000 tables of {name[-1]} in any order: a board", figure["ms"], "ms")
        yield Measure("  beside a warm board of one table", figure["ratio"], "times", most=1.5)
        yield Measure("  board and hand", figure["ms"] + figure["hand_ms"], "ms")
    mixed = figures["mixed"]
    yield Measure("tables of every kind, half seen from a seat", mixed["ms"], "ms")
    yield Measure("  beside a warm board of one table", mixed["ratio"], "times", most=2.5)
    for name, most in (("board_4", 150), ("board_6", 200), ("preview", 150), ("hand", None)):
        figure = figures[name]
        yield Measure(name.replace("_", ", "), figure["ms"], "ms")
        yield Measure("  from scratch", figure["scratch_ms"], "ms")
        yield Measure("  size", figure["bytes"] / 1024, "KiB", most=most)
    yield Measure("first picture of a new process (processor)", figures["first_picture_s"] * 1000, "ms", most=1000)
    for name in ("film", "film_600"):
        made = figures[name]
        yield Measure(f"film of {made['scenes']} scenes of six", made["s"], "s")
        yield Measure("  size", made["bytes"] / 1024, "KiB", most=8192)
        yield Measure("  width", made["size"], "px")
    yield Measure("all caches together, at most", figures["caches"]["limit_bytes"] / 2**20, "MiB", most=150)


def actions() -> Iterator[Measure]:
    """Measure a whole action: committed, answered with the hand's picture, and followed by a new board."""
    from tools.bench.actions import measure, measure_logs
    from tools.pictures import bench

    before, figures, after = bench.board()["ms"], asyncio.run(measure(200)), bench.board()["ms"]
    yield Measure("an action, with its hand and board", figures["ms"], "ms")
    yield Measure("  ratio to a warm board of four", 2 * figures["ms"] / (before + after), "times", most=3)
    yield Measure("  log lines and figures, beside that", 100 * measure_logs() / figures["ms"], "%", most=3)
    yield Measure("  statements", figures["statements"], "", most=7)
    yield Measure("  sent to Discord", figures["sent"] / 1024, "KiB")
    few = asyncio.run(measure(200, others=100))["ms"]
    for others in (1_000, 10_000):
        ratio = asyncio.run(measure(200, others=others))["ms"] / few
        yield Measure(f"  among {others:,} games and open hands, to 100", ratio, "times", most=1.1)


def statistics() -> Iterator[Measure]:
    """Measure statistics: at the end of a game, and a leaderboard among many."""
    from tools.bench.statistics import end_of_a_game, leaderboards

    figures = asyncio.run(end_of_a_game())
    yield Measure("the end of a game, for its statistics", figures["end"] * 1000, "ms", most=5)
    yield Measure("  its log played again, in a process that draws", figures["again"] * 1000, "ms")
    for name, took in asyncio.run(leaderboards(100_000)).items():
        yield Measure(f"{name} of 100,000 games", took * 1000, "ms", most=50)


def many_tables() -> Iterator[Measure]:
    """Measure many open tables while nothing happens at them."""
    from tools.bench.tables import start_and_idle

    took, share = asyncio.run(start_and_idle(10_000, 20, 10))
    yield Measure("start with 10,000 open tables", took * 1000, "ms", most=5000)
    yield Measure("  idle, of a core", share * 1000, "ms/s", most=10)


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; returns 1 if a budget is exceeded."""
    parts = {
        "engine": engine,
        "players": players,
        "worlds": hidden_worlds,
        "pictures": pictures,
        "actions": actions,
        "statistics": statistics,
        "tables": many_tables,
    }
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="*", choices=[*parts, []], help=f"{', '.join(parts)}; all if you say nothing")
    chosen = parser.parse_args(words).part or list(parts)
    missed = 0
    for part in chosen:
        for measure in parts[part]():
            print(measure, flush=True)
            missed += not measure.kept
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
