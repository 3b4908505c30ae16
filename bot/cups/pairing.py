"""Pairing: who sits where in the next round, given the plan, the sides, the rounds so far and the published seed.

Pure: the same arguments give the same round on every machine, so anyone can recompute it. In a Swiss course no two
sides meet again while that can be avoided, sides with like scores meet, those who must sit out are the ones who did so
least often, and seats are spread evenly. Edmonds' matching (networkx) finds the best partners and opponents; where more
than two sides sit at a table, changing places improves what it found, as long as that helps.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.cup import CupCourse, CupPlan, Format, Match, Round, Side
from bot.cups.standings import draw, order, sides_at, standings, winner_of

NEAR = (12, 48)
"""The numbers of sides further down in the standings that are looked at first; matching them all takes longest."""


CLOSE = 2
"""The most tables apart between which sides change places only to have more equal scores."""


@dataclass(slots=True)
class _Past:
    """The record of the rounds before: how often players were partners, opponents, on which seat, or sat out."""

    partners: Counter[frozenset[int]] = field(default_factory=Counter)
    opponents: Counter[frozenset[int]] = field(default_factory=Counter)
    seats: Counter[tuple[int, int]] = field(default_factory=Counter)
    byes: Counter[Side] = field(default_factory=Counter)


def rounds_of(plan: CupPlan, sides: int) -> int:
    """Return how many rounds a cup with this many sides has."""
    match plan.course:
        case CupCourse.ALL:
            return sides - 1 + sides % 2
        case CupCourse.KNOCKOUT:
            return max(1, (sides - 1).bit_length())
        case CupCourse.SWISS:
            return plan.rounds
        case CupCourse.LADDER:
            return 1


def pair(
    plan: CupPlan, seed: bytes, sides: Sequence[Side], rounds: Sequence[Round], first: Sequence[Side] | None = None
) -> tuple[tuple[Match, ...], tuple[Side, ...]]:
    """Return the tables of the next round and the sides that sit out.

    `sides`: those that are in the cup; `first`: those with which it began, where that matters (by default the same).
    """
    past = _past(plan, rounds)
    match plan.course:
        case CupCourse.ALL:
            tables, byes = _all(order(seed, first or sides), sides, len(rounds))
        case CupCourse.KNOCKOUT:
            tables, byes = _knockout(plan, seed, order(seed, first or sides), sides, rounds)
        case CupCourse.SWISS:
            tables, byes = _swiss(plan, seed, sides, rounds, past)
    about = str(len(rounds) + 1)
    matches = tuple(Match(_seated(plan, seed, table, past, about)) for table in tables)
    return matches, byes


def complete_pairs(seed: bytes, alone: Iterable[int]) -> tuple[tuple[Side, ...], tuple[int, ...]]:
    """Return pairs drawn among players who entered a cup of fixed pairs alone, and who is left over."""
    drawn = [number for (number,) in order(seed, [(number,) for number in alone])]
    pairs = tuple((drawn[index], drawn[index + 1]) for index in range(0, len(drawn) - 1, 2))
    return pairs, tuple(drawn[2 * len(pairs) :])


def _past(plan: CupPlan, rounds: Sequence[Round]) -> _Past:
    past = _Past()
    for round in rounds:
        past.byes.update(round.byes)
        for match in round.matches:
            for team, numbers in enumerate(match.teams):
                past.partners.update(map(frozenset, itertools.combinations(numbers, 2)))
                past.seats.update((number, plan.teams[team][place]) for place, number in enumerate(numbers))
                for other in match.teams[team + 1 :]:
                    past.opponents.update(frozenset(both) for both in itertools.product(numbers, other))
    return past


Table = tuple[tuple[Side, ...], ...]
"""The sides in each team of a table."""


def _all(drawn: Sequence[Side], sides: Sequence[Side], played: int) -> tuple[list[Table], tuple[Side, ...]]:
    """Return a round in which all play all: one side stays, the others move one place on each round."""
    circle: list[Side | None] = [*drawn] if len(drawn) % 2 == 0 else [*drawn, None]
    moving = circle[1:]
    moved = [circle[0], *moving[len(moving) - played % len(moving) :], *moving[: len(moving) - played % len(moving)]]
    return _meet(list(zip(moved[: len(moved) // 2], reversed(moved[len(moved) // 2 :]), strict=True)), sides)


def _meet(
    pairs: Sequence[tuple[Side | None, Side | None]], sides: Sequence[Side]
) -> tuple[list[Table], tuple[Side, ...]]:
    """Return tables for these meetings; a side whose opponent is missing or has left sits out."""
    here = set(sides)
    tables: list[Table] = []
    byes: list[Side] = []
    for both in pairs:
        left = [side for side in both if side is not None and side in here]
        if len(left) == 2:
            tables.append(((left[0],), (left[1],)))
        else:
            byes += left
    return tables, tuple(byes)


def _knockout(
    plan: CupPlan, seed: bytes, drawn: Sequence[Side], sides: Sequence[Side], rounds: Sequence[Round]
) -> tuple[list[Table], tuple[Side, ...]]:
    """Return a round of a knockout: neighbours in the bracket meet, and one whose neighbour is gone goes on."""
    size = 1 << (len(drawn) - 1).bit_length()
    slots: list[Side | None] = [drawn[place] if place < len(drawn) else None for place in _bracket(size)]
    for round in rounds:
        won = {
            side: number
            for number, match in enumerate(round.matches)
            for side in sides_at(plan, match, winner_of(seed, match))
        }
        kept = set(won) | set(round.byes)
        slots = [
            next((side for side in both if side is not None and side in kept), None)
            for both in zip(slots[::2], slots[1::2], strict=True)
        ]
    return _meet(list(zip(slots[::2], slots[1::2], strict=True)), sides)


def _bracket(size: int) -> list[int]:
    """Return the places in a bracket: the first two meet in the final at the earliest, the first four before it."""
    places = [0]
    while len(places) < size:
        places = [place for each in places for place in (each, 2 * len(places) - 1 - each)]
    return places


def _swiss(
    plan: CupPlan, seed: bytes, sides: Sequence[Side], rounds: Sequence[Round], past: _Past
) -> tuple[list[Table], tuple[Side, ...]]:
    scores = {line.side: line.points for line in standings(plan, seed, sides, rounds)}
    about = f"round {len(rounds) + 1}"
    lots = {side: draw(seed, side, about) for side in sides}
    ranked = sorted(sides, key=lambda side: (-scores[side], lots[side]))
    left = len(ranked) % plan.sides_at_table
    out = sorted(ranked, key=lambda side: (past.byes[side], scores[side], lots[side]))[:left]
    playing = [side for side in ranked if side not in out]
    if not playing:
        return [], tuple(out)
    size = 1 if plan.format is not Format.DRAWN else len(plan.teams[0])
    weigh = _Weights(playing, scores, past, plan)
    # Who sits together: the teams, then the tables. Teams of two are matched best, others are dealt in order.
    teams: list[Any]
    if size == 2:
        teams = _match(playing, weigh.partners, weigh.partners_again)
    else:
        teams = [tuple(playing[first : first + size]) for first in range(0, len(playing), size)]
    teams.sort(key=lambda team: (-sum(scores[side] for side in team), min(playing.index(side) for side in team)))
    per_table = len(plan.teams)
    tables: list[Table]
    if per_table == 2:
        tables = [*_match(teams, weigh.opponents, weigh.again)]
    else:
        tables = [tuple(teams[first : first + per_table]) for first in range(0, len(teams), per_table)]
    if (size, per_table) != (1, 2):
        tables = _improve(tables, weigh.table, weigh.again)
    return tables, tuple(out)


class _Weights:
    """The costs of sitting together: being partners again weighs most, then meeting again, then unlike scores."""

    def __init__(self, sides: Sequence[Side], scores: Mapping[Side, int], past: _Past, plan: CupPlan) -> None:
        self._scores, self._past = scores, past
        players = plan.terms.players
        apart = max(scores[side] for side in sides) - min(scores[side] for side in sides)
        self.again = len(sides) * players * players * (apart * apart + 1)
        most = max(past.opponents.values(), default=0) + 1
        self.partners_again = self.again * len(sides) * players * players * (2 * most + 1)

    def partners(self, first: Side, second: Side) -> int:
        """Return the cost of two players as partners."""
        times = sum(self._past.partners[frozenset(both)] for both in itertools.product(first, second))
        met = sum(self._past.opponents[frozenset(both)] for both in itertools.product(first, second))
        return (
            self.partners_again * times * times + self.again * met + (self._scores[first] - self._scores[second]) ** 2
        )

    def opponents(self, first: Sequence[Side], second: Sequence[Side]) -> int:
        """Return the cost of two teams at a table."""
        cost = 0
        for a, b in itertools.product(first, second):
            for both in itertools.product(a, b):
                met = self._past.opponents[frozenset(both)]
                cost += self.again * (2 * met + 1 if met else 0)
            cost += (self._scores[a] - self._scores[b]) ** 2
        return cost

    def table(self, teams: Table) -> int:
        """Return the cost of a table."""
        inside = sum(self.partners(*both) for team in teams for both in itertools.combinations(team, 2))
        return inside + sum(self.opponents(*both) for both in itertools.combinations(teams, 2))


def _match(things: Sequence[Any], cost: Callable[[Any, Any], int], again: int) -> list[tuple[Any, Any]]:
    """Return an even number of things in pairs at the least cost, in their order.

    Neighbours are tried first, and those further off only if neighbours alone would leave a thing over, or bring two
    together whose cost reaches `again`.
    """
    # Only here: importing it takes longer than most requests, and few processes ever pair a round.
    from networkx import Graph
    from networkx.algorithms.matching import max_weight_matching

    count = len(things)
    matches: list[tuple[int, int]] = []
    for near in (*(near for near in NEAR if near < count), count):
        costs = {
            (first, second): cost(things[first], things[second])
            for first in range(count)
            for second in range(first + 1, min(count, first + 1 + near))
        }
        graph = Graph()
        graph.add_nodes_from(range(count))
        graph.add_weighted_edges_from((first, second, -price) for (first, second), price in costs.items())
        matched = max_weight_matching(graph, maxcardinality=True)
        matches = sorted((min(both), max(both)) for both in matched)
        if 2 * len(matches) == count and all(costs[both] < again for both in matches):
            break
    return [(things[first], things[second]) for first, second in matches]


def _improve(tables: list[Table], cost: Callable[[Table], int], again: int) -> list[Table]:
    """Return the tables after all exchanges of two sides that make them cheaper, tried in a fixed order.

    Sides change places with those at tables close by in the standings; where two would meet again, with any.
    """
    costs = [cost(table) for table in tables]
    places = [
        (table, team, place)
        for table, teams in enumerate(tables)
        for team, sides in enumerate(teams)
        for place in range(len(sides))
    ]
    better = True
    while better:
        better = False
        for here, there in itertools.combinations(places, 2):
            far = there[0] - here[0] > CLOSE and max(costs[here[0]], costs[there[0]]) < again
            if far or here[:2] == there[:2] or (costs[here[0]] == 0 and costs[there[0]] == 0):
                continue
            changed = _exchange(tables, here, there)
            after = {table: cost(teams) for table, teams in changed.items()}
            if sum(after.values()) < sum(costs[table] for table in changed):
                for table, teams in changed.items():
                    tables[table], costs[table] = teams, after[table]
                better = True
    return tables


def _exchange(tables: Sequence[Table], here: tuple[int, int, int], there: tuple[int, int, int]) -> Mapping[int, Table]:
    """Return the tables of two places after their sides have changed places."""
    first, second = tables[here[0]][here[1]][here[2]], tables[there[0]][there[1]][there[2]]
    changed = {place[0]: [list(team) for team in tables[place[0]]] for place in (here, there)}
    for (table, team, place), side in ((here, second), (there, first)):
        changed[table][team][place] = side
    return {table: tuple(tuple(team) for team in teams) for table, teams in changed.items()}


def _seated(plan: CupPlan, seed: bytes, table: Table, past: _Past, about: str) -> tuple[tuple[int, ...], ...]:
    """Return the numbers on the seats of each team so that everyone sits on each seat about equally often."""
    teams = [tuple(number for side in team for number in side) for team in table]

    def cost(seated: tuple[tuple[int, ...], ...]) -> tuple[int, int]:
        sat = 0
        for team, numbers in enumerate(seated):
            for place, number in enumerate(numbers):
                sat += past.seats[number, plan.teams[team][place]] ** 2 + past.seats[number, plan.teams[team][place]]
        return sat, draw(seed, [number for numbers in seated for number in numbers], f"seats {about}")

    ways = (
        seated
        for ordered in itertools.permutations(teams)
        for seated in itertools.product(*(itertools.permutations(team) for team in ordered))
    )
    return min(ways, key=cost)
