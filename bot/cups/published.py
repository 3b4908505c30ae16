"""The draws of a cup as a file, and computing them again: `python -m bot.cups.published FILE`.

The file has the plan, the seed, the results, and who sat where, by number; names beside the numbers are for readers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bot.cup import Cup, Match, sides_in
from bot.cups.pairing import pair
from bot.storage.columns import PLAN, ROUNDS


def write(cup: Cup) -> str:
    """Return all that the draws of a cup follow from, and what they gave; not what is a hint for moderators."""
    rounds = tuple(replace(round, matches=tuple(map(_without_hints, round.matches))) for round in cup.rounds)
    players = {number: entry.name for number, entry in sorted(cup.entries.items())}
    drawn = {"cup": cup.name, "seed": cup.seed.hex(), "plan": PLAN.write(cup.plan), "players": players}
    return json.dumps({**drawn, "rounds": ROUNDS.write(rounds)}, ensure_ascii=False, indent=1) + "\n"


def _without_hints(match: Match) -> Match:
    return replace(match, outcomes=tuple(replace(outcome, folded=()) for outcome in match.outcomes))


def other_rounds(text: str) -> Sequence[int]:
    """Return the numbers of the rounds in such a file that are not what its seed gives."""
    stored = json.loads(text)
    plan, rounds, seed = PLAN.read(stored["plan"]), ROUNDS.read(stored["rounds"]), bytes.fromhex(stored["seed"])
    faults = []
    for index, round in enumerate(rounds):
        first = sides_in(plan, rounds[0]) if index else None
        matches, byes = pair(plan, seed, sorted(sides_in(plan, round)), rounds[:index], first)
        drawn, given = [[match.teams for match in each] for each in (matches, round.matches)]
        if (drawn, byes) != (given, round.byes):
            faults.append(index + 1)
    return faults


def main(words: Sequence[str]) -> int:
    """Say which rounds of a file are not what its seed gives; return 1 if there are any, 2 if it is no such file."""
    if len(words) != 1:
        print("name one file: python -m bot.cups.published FILE")
        return 2
    try:
        faults = other_rounds(Path(words[0]).read_text("utf-8"))
    except OSError as problem:
        print(f"{words[0]} cannot be read: {problem.strerror}")
        return 2
    except (ValueError, LookupError, TypeError, AttributeError):
        print(f"{words[0]} is not the file that Check the draw gives")
        return 2
    print(
        *(f"round {number} was drawn otherwise" for number in faults) if faults else ["all rounds are as drawn"],
        sep="\n",
    )
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
