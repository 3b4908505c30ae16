"""Ridge regression of chances: which weights make the worths of teams best predict the winner (conditional logit).

Newton's method: each step solves the normal equations of a weighted least-squares problem, here by Cholesky
decomposition. With only a few hundred unknowns, no library is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from engine.players.weights import shares

Sparse = dict[int, float]
"""Values by feature number; missing ones are 0."""

Sample = tuple[Sequence[Sparse], Sequence[float]]
"""The features of each team, and each team's share of the win (the shares add up to 1)."""


def chances_of(teams: Sequence[Sparse], weights: Sequence[float]) -> list[float]:
    """The chance of each team under these weights."""
    return shares([sum(weights[number] * value for number, value in team.items()) for team in teams])


def fit(samples: Sequence[Sample], prior: Sequence[float], ridge: float, steps: int = 4) -> list[float]:
    """The weights, by feature number.

    Args:
        prior: what is believed of the weights beforehand; the iteration starts there, too.
        ridge: how strongly they are held to it; the penalty is `ridge` times half the sum of squares.
    """
    size = len(prior)
    weights = list(prior)
    for _ in range(steps):
        slope = [-ridge * (weight - before) for weight, before in zip(weights, prior, strict=True)]
        curve = [[0.0] * (row + 1) for row in range(size)]
        for row in range(size):
            curve[row][row] = ridge
        for teams, got in samples:
            _add(teams, got, weights, slope, curve)
        change = solve(curve, slope)
        weights = [weight + step for weight, step in zip(weights, change, strict=True)]
        if max(map(abs, change), default=0.0) < 1e-4:
            break
    return weights


def _add(
    teams: Sequence[Sparse],
    got: Sequence[float],
    weights: Sequence[float],
    slope: list[float],
    curve: list[list[float]],
) -> None:
    """Add one sample's contribution to gradient and curvature (the lower half of a symmetric matrix)."""
    chances = chances_of(teams, weights)
    for team, chance, share in zip(teams, chances, got, strict=True):
        error = share - chance
        for number, value in team.items():
            slope[number] += error * value
    for one in range(len(teams)):
        for other in range(one):
            weight = chances[one] * chances[other]
            between = dict(teams[one])
            for number, value in teams[other].items():
                between[number] = between.get(number, 0.0) - value
            items = sorted((number, value) for number, value in between.items() if value)
            for at, (number, value) in enumerate(items):
                row = curve[number]
                value *= weight
                for before, factor in items[: at + 1]:
                    row[before] += value * factor


def loss(samples: Sequence[Sample], weights: Sequence[float]) -> float:
    """The mean squared error of the chances; 0.25 is what a coin would score between two teams."""
    total = count = 0.0
    for teams, got in samples:
        chances = chances_of(teams, weights)
        total += sum((chance - share) ** 2 for chance, share in zip(chances, got, strict=True))
        count += len(teams)
    return total / max(count, 1.0)


def solve(lower: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of a symmetric positive definite system, given by its lower half (Cholesky)."""
    size = len(right)
    factor: list[list[float]] = []
    for row in range(size):
        line: list[float] = []
        for column in range(row):
            other = factor[column]
            total = lower[row][column] - sum(a * b for a, b in zip(line, other, strict=False))
            line.append(total / other[column])
        line.append(sqrt(lower[row][row] - sum(value * value for value in line)))
        factor.append(line)
    found: list[float] = []
    for row in range(size):
        total = right[row] - sum(factor[row][column] * found[column] for column in range(row))
        found.append(total / factor[row][row])
    for row in reversed(range(size)):
        total = found[row] - sum(factor[below][row] * found[below] for below in range(row + 1, size))
        found[row] = total / factor[row][row]
    return found
