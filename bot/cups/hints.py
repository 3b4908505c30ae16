"""Hints for moderators: what may be collusion. Pure; it is named to them, and decides nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, product

from bot.cup import Cup, How

EARLY = 3
"""Rounds of a game within which it is resigned early."""

OFTEN = 2
"""The number of times from which on the same is worth a look."""

MUCH, LONG = 2 / 3, 4
"""The part of its rounds in which a player folded much, and the fewest rounds of a game of which that says anything.

Among computers, one seat in a hundred folds in so many rounds.
"""

MOST = 5
"""The most hints."""


class HintKind(StrEnum):
    """The kinds of what is worth a look."""

    RESIGNED = "resigned"
    EARLY = "early"
    ABSENT = "absent"
    FOLDED = "folded"
    TOGETHER = "together"
    """Two partners resigned together."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Something worth a look: player `one` did it `count` times for player `two`, by their numbers."""

    kind: HintKind
    one: int
    two: int
    count: int = 1


def is_much(folds: int, rounds: int) -> bool:
    """Return True if a player folded in most rounds of a game."""
    return rounds >= LONG and folds >= MUCH * rounds


def find_hints(cup: Cup) -> Sequence[Hint]:
    """Return what players did again and again for the same opponents, or with the same partners; most often first."""
    counts: Counter[tuple[HintKind, int, int]] = Counter()
    for match in (match for round in cup.rounds for match in round.matches):
        for outcome in match.outcomes:
            if outcome.won is None:
                continue
            winners = match.teams[outcome.won]
            losers = [number for team in match.teams if team is not winners for number in team]
            for loser, winner in product(losers, winners):
                if outcome.how is How.RESIGNED:
                    counts[HintKind.RESIGNED, loser, winner] += 1
                    counts[HintKind.EARLY, loser, winner] += outcome.rounds <= EARLY
                counts[HintKind.ABSENT, loser, winner] += loser in outcome.absent
                counts[HintKind.FOLDED, loser, winner] += loser in outcome.folded
            if outcome.how is How.RESIGNED:
                for team in match.teams:
                    if team is not winners:
                        counts.update(
                            (HintKind.TOGETHER, loser, winner) for loser, winner in combinations(sorted(team), 2)
                        )
    hints = [
        Hint(kind, loser, winner, count)
        for (kind, loser, winner), count in counts.most_common()
        if count >= (1 if kind is HintKind.EARLY else OFTEN)
    ]
    return hints[:MOST]
