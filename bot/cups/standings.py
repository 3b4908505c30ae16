"""Standings: what sides have, given the plan and the rounds so far. Pure."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.cup import Cup, CupCourse, CupPlan, Format, Match, Outcome, Round, Side


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the standings.

    `points`: in the units of `Scoring`; then what decides between equals: `strength`, the points of all opponents
    together (Buchholz); `home`, own pieces brought home; `rounds`, that wins took (fewer are better). `reached`: in a
    knockout, the rounds survived. `place`: shared by sides that nothing but the draw tells apart.
    """

    place: int
    side: Side
    points: int = 0
    wins: int = 0
    played: int = 0
    strength: int = 0
    home: int = 0
    rounds: int = 0
    reached: int = 0


def draw(seed: bytes, side: Iterable[int], about: str = "") -> int:
    """Return the lot of a side: SHA-256 of the seed, the subject and the numbers, as a whole number."""
    return int.from_bytes(hashlib.sha256(seed + f"{about}:{'.'.join(map(str, side))}".encode()).digest(), "big")


def order(seed: bytes, sides: Iterable[Side]) -> list[Side]:
    """Return sides in the order that the seed draws."""
    return sorted(sides, key=lambda side: draw(seed, side))


def winner_of(seed: bytes, match: Match) -> int:
    """Return the team that goes on from a table of a knockout: by games, pieces home, and at last by lot."""
    teams = range(len(match.teams))
    return max(
        teams,
        key=lambda team: (match.won_games(team), match.pieces(team), draw(seed, match.teams[team], "goes on")),
    )


def sides_at(plan: CupPlan, match: Match, team: int) -> tuple[Side, ...]:
    """Return the sides in a team at a table: the players one by one, or a pair."""
    numbers = match.teams[team]
    if plan.format is Format.PAIRS:
        return (tuple(sorted(numbers)),)
    return tuple((number,) for number in numbers)


def is_missed(side: Side, outcome: Outcome) -> bool:
    """Return True if no one of a side played a game to its end: then it is lost for them."""
    return set(side) <= set(outcome.absent)


def standings(plan: CupPlan, seed: bytes, sides: Iterable[Side], rounds: Sequence[Round]) -> list[Standing]:
    """Return the standings after the outcomes known so far, the best first."""
    everyone = tuple(dict.fromkeys(sides))
    counted = {side: _Sum() for side in everyone}
    for round in rounds:
        for match in round.matches:
            _count(plan, counted, match)
        for side in round.byes:
            _of(counted, side).bye(plan)
    reached = survived(plan, seed, counted, rounds) if plan.course is CupCourse.KNOCKOUT else {}
    points = {side: total.points for side, total in counted.items()}

    def key(side: Side) -> tuple[int, ...]:
        total = counted[side]
        return (
            -reached.get(side, 0),
            -total.points,
            -total.strength(points, side),
            -total.home,
            total.rounds,
        )

    lines: list[Standing] = []
    for index, side in enumerate(sorted(counted, key=lambda side: (key(side), draw(seed, side)))):
        total = counted[side]
        same = bool(lines) and key(lines[-1].side) == key(side)
        place = lines[-1].place if same else index + 1
        strength = total.strength(points, side)
        figures = (total.points, total.wins, total.played, strength, total.home, total.rounds)
        lines.append(Standing(place, side, *figures, reached.get(side, 0)))
    return lines


def survived(plan: CupPlan, seed: bytes, sides: Iterable[Side], rounds: Sequence[Round]) -> Mapping[Side, int]:
    """Return how many rounds of a knockout each side has survived; walking over counts."""
    rounds_survived = dict.fromkeys(sides, 0)
    for round in rounds:
        for match in round.matches:
            if match.is_over(plan.best_of):
                for side in sides_at(plan, match, winner_of(seed, match)):
                    rounds_survived[side] = rounds_survived.get(side, 0) + 1
        for side in round.byes:
            rounds_survived[side] = rounds_survived.get(side, 0) + 1
    return rounds_survived


def is_beaten(cup: Cup, number: int) -> bool:
    """Return True if a player of a knockout whose table of this round is over does not go on from it."""
    if cup.plan.course is not CupCourse.KNOCKOUT:
        return False
    side = next((side for side in cup.all_sides if number in side), None)
    return side is not None and survived(cup.plan, cup.seed, (), cup.rounds).get(side, 0) < len(cup.rounds)


class _Sum:
    """The sums of one side."""

    def __init__(self) -> None:
        self.points = self.wins = self.played = self.home = self.rounds = self.byes = 0
        self.against: Counter[Side] = Counter()

    def bye(self, plan: CupPlan) -> None:
        self.byes += 1
        self.points += plan.points.bye

    def strength(self, points: Mapping[Side, int], own: Side) -> int:
        """Return the points of all opponents; in a round without one, a side counts for itself."""
        strength = sum(count * points.get(side, 0) for side, count in self.against.items())
        return strength + self.byes * points[own]


def _of(counted: dict[Side, _Sum], side: Side) -> _Sum:
    return counted.setdefault(side, _Sum())


def _count(plan: CupPlan, counted: dict[Side, _Sum], match: Match) -> None:
    """Add what the games of a table brought to everyone at it."""
    scoring = plan.points
    for outcome in match.outcomes:
        for team in range(len(match.teams)):
            home = outcome.home[team] if outcome.home else 0
            for side in sides_at(plan, match, team):
                total = _of(counted, side)
                total.played += 1
                if is_missed(side, outcome):
                    continue
                total.home += home
                total.points += scoring.piece * home
                if outcome.won == team:
                    total.points += scoring.win
                    total.wins += 1
                    total.rounds += outcome.rounds
                elif outcome.won is None:
                    total.points += scoring.draw
    if match.outcomes:
        sides = [sides_at(plan, match, team) for team in range(len(match.teams))]
        for team, own in enumerate(sides):
            for side in own:
                for other, theirs in enumerate(sides):
                    if other != team:
                        _of(counted, side).against.update(theirs)
