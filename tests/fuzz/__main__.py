"""`python -m tests.fuzz --positions 100000 --malformed 10000 --seed 1`: the engine against the naive reading, at scale.

Lawful positions of every system and player count in turn are read by both; malformed ones must be refused with a typed
error that names the field. Progress goes to standard error, a JSON summary to standard output; the exit status is 1
if anything differed, and each difference is printed as the barest position that still shows it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tests.fuzz.refusals import check_lines, check_malformed
from tests.reference.compare import difference, smallest
from tests.reference.positions import CONFIGURATIONS, stream

CHUNK = 250
CANADIAN_EVERY = 5  # every fifth chunk of a system that knows it plays with the canadian seven
CANADIAN_CHUNK = 50


class Task(NamedTuple):
    """A run of positions from one seed: lawful ones of a system, or malformed ones where none is named."""

    seed: int
    length: int
    system: str = ""
    players: int = 0
    canadian: bool = False


class Result(NamedTuple):
    """What a run found."""

    task: Task
    failures: list[str]


def run(task: Task) -> Result:
    """Check one run of positions."""
    if not task.system:
        return Result(task, check_malformed(task.seed, task.length))
    failures = []
    for position in itertools.islice(stream(task.seed, task.system, task.players, task.canadian), task.length):
        try:
            found = difference(position)
        except Exception as error:
            failures.append(f"{json.dumps(position)}\n  {type(error).__name__}: {error}")
            continue
        if found is not None:
            bare = smallest(position, difference)
            failures.append(f"{json.dumps(bare)}\n{difference(bare)}")
    return Result(task, failures)


def tasks(positions: int, malformed: int, seed: int) -> Iterator[Task]:
    """Runs that add up to the numbers asked for, the systems and player counts taking turns."""
    for number in itertools.count():
        for system, players in CONFIGURATIONS:
            canadian = not system.startswith("royal") and number % CANADIAN_EVERY == CANADIAN_EVERY - 1
            count = min(positions, CANADIAN_CHUNK if canadian else CHUNK)
            if count == 0:
                break
            positions -= count
            yield Task(seed * 1_000_003 + number, count, system, players, canadian)
        if positions == 0:
            break
    for number in range(0, malformed, CHUNK):
        yield Task(seed * 1_000_003 + number, min(CHUNK, malformed - number))


def main() -> int:
    """Run the checks that the command line asks for; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="The engine against the naive reading.")
    parser.add_argument("--positions", type=int, default=100_000, help="lawful positions (default 100000)")
    parser.add_argument("--malformed", type=int, default=10_000, help="malformed positions (default 10000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other positions (default 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: all cores)")
    arguments = parser.parse_args()
    begun = shown = time.monotonic()
    checked: Counter[str] = Counter()
    failures = check_lines()
    with multiprocessing.Pool(arguments.jobs) as pool:
        for result in pool.imap_unordered(run, tasks(arguments.positions, arguments.malformed, arguments.seed)):
            task = result.task
            kind = f"{task.system} {task.players}{' canadian' if task.canadian else ''}" if task.system else "malformed"
            checked[kind] += task.length
            for failure in result.failures:
                print(f"{kind}: {failure}", flush=True)
            failures += result.failures
            if time.monotonic() - shown > 10:
                shown = time.monotonic()
                print(f"{sum(checked.values())} checked, {len(failures)} differ", file=sys.stderr, flush=True)
    summary = {
        "positions": sum(checked.values()) - checked["malformed"],
        "malformed": checked["malformed"],
        "seed": arguments.seed,
        "failures": len(failures),
        "seconds": round(time.monotonic() - begun, 1),
        "by_kind": dict(sorted(checked.items())),
    }
    print(json.dumps(summary))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
