"""Cups whose games are decided by dice, for the tests of pairing and standings."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.cup import CupCourse, CupPlan, Format, Match, Outcome, Round, Side
from bot.cups.pairing import pair, rounds_of
from bot.table import Terms
from engine import Options, Teams

SEED = bytes(range(32))
TWO, FOUR_ALONE = Terms("keezen", 2), Terms("classic", 4, Options(teams=Teams.ALONE))

SWISS = {
    "drawn": CupPlan(),
    "drawn by pieces": CupPlan(scoring="pieces", rounds=3),
    "drawn in six": CupPlan(Terms("dobney", 6), rounds=3),
    "pairs": CupPlan(format=Format.PAIRS),
    "alone in two": CupPlan(TWO, Format.ALONE),
    "alone in three": CupPlan(Terms("keezen", 3), Format.ALONE, rounds=4),
    "alone in four": CupPlan(FOUR_ALONE, Format.ALONE, rounds=4),
}
ALL = {
    "pairs": CupPlan(format=Format.PAIRS, course=CupCourse.ALL),
    "alone": CupPlan(TWO, Format.ALONE, CupCourse.ALL),
}
KNOCKOUT = {
    "pairs": CupPlan(format=Format.PAIRS, course=CupCourse.KNOCKOUT),
    "best of three": CupPlan(TWO, Format.ALONE, CupCourse.KNOCKOUT, best_of=3),
}


@dataclass
class Played:
    """A cup as it was played."""

    plan: CupPlan
    sides: Sequence[Side]
    rounds: Sequence[Round]


def entered(plan: CupPlan, players: int) -> list[Side]:
    """The sides of a cup that this many players have entered; in pairs, one may be left over."""
    numbers = range(1, players + 1)
    return [*zip(numbers[::2], numbers[1::2], strict=False)] if plan.size == 2 else [(number,) for number in numbers]


def decide(plan: CupPlan, match: Match, dice: random.Random) -> Match:
    """A table with all its outcomes."""
    while not match.is_over(plan.best_of):
        teams = range(len(match.teams))
        won = dice.choice(teams)
        pieces = [4 * len(match.teams[team]) for team in teams]
        home = tuple(pieces[team] if team == won else dice.randrange(pieces[team]) for team in teams)
        match = replace(match, outcomes=(*match.outcomes, Outcome(won, home, dice.randrange(5, 15))))
    return match


def played(plan: CupPlan, players: int, seed: bytes = SEED) -> Played:
    """A whole cup."""
    dice, sides, rounds = random.Random(players), entered(plan, players), list[Round]()
    for _ in range(rounds_of(plan, len(sides))):
        matches, byes = pair(plan, seed, sides, rounds)
        rounds.append(Round(tuple(decide(plan, match, dice) for match in matches), byes))
    return Played(plan, sides, rounds)
