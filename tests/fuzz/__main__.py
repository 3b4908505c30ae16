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
from tests.reference.compare import difference, smallest
from tests.reference.malformed import check_lines, check_malformed
from tests.reference.positions import CANADIAN, KINDS, Kind, Position, name, random_houses, stream
from tests.reference.referee import follow
from tests.reference.texts import problem

CHUNK = 250
CANADIAN_CHUNK = 100
HOUSE_EVERY = 2  # every other time around, every system and player count plays with house rules drawn at random, too
LONGEST_GAME = 5_000
EACH = {"malformed": CHUNK, "games": 1, "twins": 10, "shown": 2}
"""How many malformed positions or games make up a run."""


class Task(NamedTuple):
    """A run from one seed: of this many positions, malformed ones or games of a kind.

    `what`: "positions"; "malformed"; "games", followed to their end; "twins", each game compared with others that
    differ in hidden cards; "shown", what people are shown of such games compared as well.
    """

    what: str
    seed: int
    count: int
    kind: Kind


class Result(NamedTuple):
    """What a run found: failures (or empty texts), and the pairs of twins and of their films that were compared."""

    task: Task
    failures: list[str]
    pairs: int = 0
    films: int = 0


def run(task: Task) -> Result:
    dice = random.Random(f"{task}")
    match task.what:
        case "malformed":
            return Result(task, check_malformed(task.seed, task.count))
        case "shown":
            looked = asyncio.run(shown.compared(task.kind, dice, task.count))
            return Result(task, looked.leaks, looked.pairs, looked.films)
        case "twins":
            found = compared(task.kind, dice, task.count)
            return Result(task, found.leaks, found.pairs)
        case "games":
            system, players, house = task.kind
            try:
                follow(Game.new(system, players, dice.randbytes(32), Options.from_words(house)), dice, LONGEST_GAME)
            except Exception as error:
                return Result(task, [f"{type(error).__name__}: {error}\n  {' '.join(getattr(error, '__notes__', ()))}"])
            return Result(task, [])
    return Result(task, [*map(_differing, itertools.islice(stream(task.seed, *task.kind), task.count))])


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


def tasks(wanted: dict[str, int], seed: int) -> Iterator[Task]:
    """Runs that add up to the numbers asked for, the systems and player counts taking turns."""
    left = wanted.pop("positions")
    for number in itertools.count():
        houses = random_houses(random.Random(f"{seed} {number}"))
        for kind in [*KINDS, *houses] if number % HOUSE_EVERY == HOUSE_EVERY - 1 else KINDS:
            count = min(left, CANADIAN_CHUNK if CANADIAN in kind[2] else CHUNK)
            left -= count
            if count:
                yield Task("positions", seed * 1_000_003 + number, count, kind)
        if left == 0:
            break
    for what, many in wanted.items():
        for number, kind in zip(range(0, many, EACH[what]), itertools.cycle(KINDS), strict=False):
            yield Task(what, seed * 1_000_003 + number, min(EACH[what], many - number), kind)


def main() -> int:
    """Run the checks that the command line asks for; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="The engine against the naive reading.")
    parser.add_argument("--positions", type=int, default=100_000, help="lawful positions (default 100000)")
    parser.add_argument("--malformed", type=int, default=10_000, help="malformed positions (default 10000)")
    parser.add_argument("--games", type=int, default=200, help="games followed by a referee (default 200)")
    parser.add_argument("--twins", type=int, default=200, help="games with twins that hide other cards (default 200)")
    parser.add_argument("--shown", type=int, default=0, help="games whose twins are compared as drawn (default 0)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other positions (default 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: all cores)")
    arguments = parser.parse_args()
    begun = told = time.monotonic()
    checked: Counter[str] = Counter()
    by_kind: Counter[str] = Counter()
    failures = check_lines()
    wanted = {what: getattr(arguments, what) for what in ("positions", *EACH)}
    with multiprocessing.Pool(arguments.jobs) as pool:
        for task, found, pairs, films in pool.imap_unordered(run, tasks(wanted, arguments.seed)):
            checked.update({task.what: task.count, f"pairs of {task.what}": pairs, "films": films})
            if task.what == "positions":
                by_kind[name(*task.kind)] += task.count
            for failure in filter(None, found):
                print(f"{task.what}, {name(*task.kind)}: {failure}", flush=True)
                failures.append(failure)
            if time.monotonic() - told > 10:
                told = time.monotonic()
                print(f"{dict(+checked)}, {len(failures)} failures", file=sys.stderr, flush=True)
    summary = {
        **+checked,
        "seed": arguments.seed,
        "failures": len(failures),
        "seconds": round(time.monotonic() - begun, 1),
        "by_kind": dict(sorted(by_kind.items())),
    }
    print(json.dumps(summary))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
