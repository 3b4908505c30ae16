"""Cups whose games are decided by dice, for the tests of pairing and standings."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.cup import Course, Format, Match, Outcome, Plan, Round, Side
from bot.cups.pairing import pair, rounds_of
from bot.table import Terms
from engine import Options, Teams

SEED = bytes(range(32))
TWO, FOUR_ALONE = Terms("keezen", 2), Terms("classic", 4, Options(teams=Teams.ALONE))

SWISS = {
    "drawn": Plan(),
    "drawn by pieces": Plan(scoring="pieces", rounds=3),
    "drawn in six": Plan(Terms("dobney", 6), rounds=3),
    "pairs": Plan(format=Format.PAIRS),
    "alone in two": Plan(TWO, Format.ALONE),
    "alone in three": Plan(Terms("keezen", 3), Format.ALONE, rounds=4),
    "alone in four": Plan(FOUR_ALONE, Format.ALONE, rounds=4),
}
ALL = {
    "pairs": Plan(format=Format.PAIRS, course=Course.ALL),
    "alone": Plan(TWO, Format.ALONE, Course.ALL),
}
KNOCKOUT = {
    "pairs": Plan(format=Format.PAIRS, course=Course.KNOCKOUT),
    "best of three": Plan(TWO, Format.ALONE, Course.KNOCKOUT, best_of=3),
}


@dataclass
class Played:
    """A cup as it was played."""

    plan: Plan
    sides: Sequence[Side]
    rounds: Sequence[Round]


def entered(plan: Plan, players: int) -> list[Side]:
    """The sides of a cup that this many players have entered; in pairs, one may be left over."""
    numbers = range(1, players + 1)
    return [*zip(numbers[::2], numbers[1::2], strict=False)] if plan.size == 2 else [(number,) for number in numbers]


def decide(plan: Plan, match: Match, dice: random.Random) -> Match:
    """A table with all its outcomes."""
    while not match.is_over(plan.best_of):
        teams = range(len(match.teams))
        won = dice.choice(teams)
        pieces = [4 * len(match.teams[team]) for team in teams]
        home = tuple(pieces[team] if team == won else dice.randrange(pieces[team]) for team in teams)
        match = replace(match, outcomes=(*match.outcomes, Outcome(won, home, dice.randrange(5, 15))))
    return match


def played(plan: Plan, players: int, seed: bytes = SEED) -> Played:
    """A whole cup."""
    dice, sides, rounds = random.Random(players), entered(plan, players), list[Round]()
    for _ in range(rounds_of(plan, len(sides))):
        matches, byes = pair(plan, seed, sides, rounds)
        rounds.append(Round(tuple(decide(plan, match, dice) for match in matches), byes))
    return Played(plan, sides, rounds)
