"""Cups whose games are decided by dice, for the tests of pairing and standings."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from bot.cup import CupCourse, CupPlan, Round, Side
from bot.cups.pairing import pair, rounds_of
from tools.campaigns.cups import PLANS, SEED, decide, entered_sides

TWO, FOUR_ALONE = PLANS["alone in two"].terms, PLANS["alone in four"].terms

SWISS, ALL, KNOCKOUT = (
    {name: plan for name, plan in PLANS.items() if plan.course is course}
    for course in (CupCourse.SWISS, CupCourse.ALL, CupCourse.KNOCKOUT)
)


@dataclass
class Played:
    """A cup as it was played."""

    plan: CupPlan
    sides: Sequence[Side]
    rounds: Sequence[Round]


def played(plan: CupPlan, players: int, seed: bytes = SEED) -> Played:
    """A whole cup."""
    dice, sides, rounds = random.Random(players), entered_sides(plan, players), list[Round]()
    for _ in range(rounds_of(plan, len(sides))):
        matches, byes = pair(plan, seed, sides, rounds)
        rounds.append(Round(tuple(decide(plan, match, dice) for match in matches), byes))
    return Played(plan, sides, rounds)
