"""`python -m tests.fuzz --positions 100000 --malformed 10000 --seed 1`: the engine against the naive reading, at scale.

Lawful positions of every system and player count in turn are read by both; malformed ones must be refused with a typed
error that names the field; games are followed by the referee to their end; games that differ only in what somebody
never saw must look the same to them, as views and, with `--shown`, as texts, pictures and films. Progress goes to
standard error, a JSON summary to standard output. The exit status is 1 if anything differed, and each difference is
printed as the smallest position that still shows it.
"""

import argparse
import asyncio
import itertools
import json
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from engine import Game, Options
from tests.bot import shown
from tests.engine.twins import compared
from tests.fuzz.refusals import check_lines, check_malformed
from tests.reference.compare import difference, smallest
from tests.reference.positions import CANADIAN, KINDS, Position, name, random_houses, stream
from tests.reference.referee import follow
from tests.reference.texts import problem

CHUNK = 250
CANADIAN_CHUNK = 100
HOUSE_EVERY = 2  # every other time around, every system and player count plays with house rules drawn at random, too


LONGEST_GAME = 5_000
TWINS = 10  # games in a run; each is compared with several twins for every viewer
LOOKS = 2  # games in a run whose texts, pictures and films are compared


class Task(NamedTuple):
    """A run from one seed of `length` positions or games of a kind.

    `what`: "positions" (malformed ones if no system is named); one "game" of that length; "twins", each game compared
    with others that differ in hidden cards; "shown", what people are shown of such games compared as well.
    """

    seed: int
    length: int
    system: str = ""
    players: int = 0
    house: str = ""
    what: str = "positions"


class Result(NamedTuple):
    """What a run found."""

    task: Task
    failures: list[str]
    pairs: int = 0
    """Pairs of twins that were compared."""
    films: int = 0
    """Pairs of films among them."""


def run(task: Task) -> Result:
    """Check one run."""
    kind, dice = (task.system, task.players, task.house), random.Random(f"{task}")
    if not task.system:
        return Result(task, check_malformed(task.seed, task.length))
    if task.what == "shown":
        looked = asyncio.run(shown.compared(kind, dice, task.length))
        return Result(task, looked.leaks, looked.pairs, looked.films)
    if task.what == "twins":
        found = compared(kind, dice, task.length)
        return Result(task, found.leaks, found.pairs)
    if task.what == "game":
        game = Game.new(task.system, task.players, dice.randbytes(32), Options.from_words(task.house))
        try:
            follow(game, dice, task.length)
        except Exception as error:
            return Result(task, [f"{type(error).__name__}: {error}\n  {' '.join(getattr(error, '__notes__', ()))}"])
        return Result(task, [])
    return Result(task, [*map(_differing, itertools.islice(stream(task.seed, *kind), task.length))])


def _differing(position: Position) -> str:
    """How the two readings differ about a position; empty if they do not."""
    try:
        found, wrong = difference(position), problem(position)
    except Exception as error:
        return f"{json.dumps(position)}\n  {type(error).__name__}: {error}"
    if found is not None:
        bare = smallest(position, difference)
        return f"{json.dumps(bare)}\n{difference(bare)}"
    return "" if wrong is None else f"{json.dumps(position)}\n  {wrong}"


def tasks(positions: int, malformed: int, games: int, twins: int, looks: int, seed: int) -> Iterator[Task]:
    """Runs that add up to the numbers asked for, the systems and player counts taking turns."""
    for number in itertools.count():
        houses = random_houses(random.Random(f"{seed} {number}"))
        for system, players, house in [*KINDS, *houses] if number % HOUSE_EVERY == HOUSE_EVERY - 1 else KINDS:
            count = min(positions, CANADIAN_CHUNK if CANADIAN in house else CHUNK)
            if count == 0:
                break
            positions -= count
            yield Task(seed * 1_000_003 + number, count, system, players, house)
        if positions == 0:
            break
    for number in range(0, malformed, CHUNK):
        yield Task(seed * 1_000_003 + number, min(CHUNK, malformed - number))
    for what, many, each, length in (
        ("game", games, 1, LONGEST_GAME),
        ("twins", twins, TWINS, TWINS),
        ("shown", looks, LOOKS, LOOKS),
    ):
        for number, kind in zip(range(0, many, each), itertools.cycle(KINDS), strict=False):
            yield Task(seed * 1_000_003 + number, length, *kind, what)


def main() -> int:
    """Run the checks that the command line asks for; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="The engine against the naive reading.")
    parser.add_argument("--positions", type=int, default=100_000, help="lawful positions (default 100000)")
    parser.add_argument("--malformed", type=int, default=10_000, help="malformed positions (default 10000)")
    parser.add_argument("--games", type=int, default=200, help="games followed by a referee (default 200)")
    parser.add_argument("--twins", type=int, default=200, help="games with twins that hide other cards (default 200)")
    parser.add_argument(
        "--shown", type=int, default=0, help="games whose twins are compared as drawn and told (default 0)"
    )
    parser.add_argument("--seed", type=int, default=1, help="another seed, other positions (default 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: all cores)")
    arguments = parser.parse_args()
    begun = shown = time.monotonic()
    checked: Counter[str] = Counter()
    games: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    drawn: Counter[str] = Counter()
    films: Counter[str] = Counter()
    failures = check_lines()
    with multiprocessing.Pool(arguments.jobs) as pool:
        counts = arguments.positions, arguments.malformed, arguments.games, arguments.twins, arguments.shown
        wanted = tasks(*counts, arguments.seed)
        for result in pool.imap_unordered(run, wanted):
            task = result.task
            kind = name(task.system, task.players, task.house) if task.system else "malformed"
            if task.what == "positions":
                checked[kind] += task.length
            else:
                games[kind] += 1 if task.what == "game" else task.length
            for failure in filter(None, result.failures):
                print(f"{kind}: {failure}", flush=True)
                failures.append(failure)
            (drawn if task.what == "shown" else pairs)[task.system] += result.pairs
            films[task.system] += result.films
            if time.monotonic() - shown > 10:
                shown = time.monotonic()
                done = f"{sum(checked.values())} positions, {sum(games.values())} games"
                print(f"{done}, {len(failures)} failures", file=sys.stderr, flush=True)
    summary = {
        "positions": sum(checked.values()) - checked["malformed"],
        "malformed": checked["malformed"],
        "games": sum(games.values()),
        "pairs": {system: count for system, count in sorted(pairs.items()) if count},
        "pairs_shown": {system: count for system, count in sorted(drawn.items()) if count},
        "films": {system: count for system, count in sorted(films.items()) if count},
        "seed": arguments.seed,
        "failures": len(failures),
        "seconds": round(time.monotonic() - begun, 1),
        "by_kind": dict(sorted(checked.items())),
    }
    print(json.dumps(summary))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
