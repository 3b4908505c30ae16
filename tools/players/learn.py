"""Learning the weights of the computer players from self-play: `python -m tools.players.learn`, minutes per board.

The same seed gives the same bytes.

Games are played by the greedy policy of the play-outs, with a card played at random now and then so that all kinds of
positions come up. First the value between two rounds is learnt from who won in the end; its own verdict on the rounds
that followed is then mixed with the outcome as the target, which removes much of the chance (as in TD(lambda)). Then
the value in the middle of a round is learnt from the value at its end.

Weights are fitted by ridge regression of chances (conditional logit), with Newton's method: each step solves the normal
equations of a weighted least-squares problem by Cholesky decomposition. With a few hundred unknowns, no library is
needed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from engine.errors import SetupError
from engine.players.features import Description, Features, describe_side, features_for
from engine.players.playouts import Playout
from engine.players.policy import Greedy
from engine.players.search import quick_choice
from engine.players.value import describe_turn, round_chances
from engine.players.weights import Weights, make_weights, plain_weights, shares
from engine.rules.actions import ActionKind
from engine.rules.board import Board, board_for
from engine.rules.moves import card_moves, stands_for
from engine.rules.pieces import Pieces
from engine.rules.resolved import Resolved, carry_out
from engine.rules.routes import routes_for
from engine.rules.shuffle import SEED_BYTES
from engine.rules.state import GameState, RoundStage
from engine.rules.systems import SYSTEMS

_CARELESS = 0.06
"""The share of cards played at random."""
_LOOKED_AT = 0.15
"""The share of turns that are learnt from."""
_RIDGE = 20.0
_RIDGE_LATER = 2.0
_RIDGE_TURN = 4.0
"""Strengths with which the weights are held to the prior."""
_REFINED = 3
_LAMBDA = 0.7
"""Rounds in which the value learns from itself, and the weight of later verdicts in them."""
_MOST_ROUNDS = 120
"""A game that lasts longer is left out: two sides that cannot get home."""


Sparse = dict[int, float]
"""Values by feature number; missing ones are 0."""

Sample = tuple[Sequence[Sparse], Sequence[float]]
"""The features of each team, and each team's share of the win (the shares add up to 1)."""


class _End(NamedTuple):
    """The end of a round: the pieces and the next starter, or the winners."""

    pieces: Pieces | None
    starter: int
    winners: tuple[int, ...]


@dataclass
class _Games:
    """The features seen in some games, by team: before each round, and in the middle of rounds."""

    games: list[tuple[list[list[Sparse]], list[float]]] = field(default_factory=list)
    """Each with the winners in the end."""
    turns: list[tuple[list[Sparse], _End]] = field(default_factory=list)
    """Each with the end of the round."""


def learn(board: Board, games: int, seed: int) -> dict[str, Any]:
    """Return the weights for a board as a JSON object, with their origin."""
    weights = plain_weights(board)
    features = features_for(board)
    seen = _play(board, weights, games, Random(f"{board.system.id} {board.players} {seed}"))
    kept = len(seen.games) * 9 // 10
    prior = _scaled(weights, _outcomes(seen.games[:kept]))
    by_round = _learn_rounds(seen.games[:kept], prior.round)
    errors = {"round": round(loss(_outcomes(seen.games[kept:]), by_round), 4)}
    valued = make_weights(features, by_round, weights.turn)
    turns = [(teams, _outcome(board, valued, end)) for teams, end in seen.turns]
    kept = len(turns) * 9 // 10
    by_turn = fit(turns[:kept], prior.turn, _RIDGE_TURN)
    errors["turn"] = round(loss(turns[kept:], by_turn), 4)
    return {
        "rules": board.system.id,
        "players": board.players,
        "version": board.system.version,
        "learnt": {"games": games, "seed": seed, "error": errors},
        "round": _named(features, by_round),
        "turn": _named(features, by_turn),
    }


def _scaled(plain: Weights, samples: Sequence[Sample]) -> Weights:
    """Return the prior: the plain weights times the factor that makes their chances fit best."""
    worths = [
        ([{0: sum(plain.round[number] * value for number, value in team.items())} for team in teams], won)
        for teams, won in samples
    ]
    (factor,) = fit(worths, [1.0], ridge=1e-3)
    by_round, by_turn = ([factor * weight for weight in weights] for weights in (plain.round, plain.turn))
    return make_weights(plain.features, by_round, by_turn)


def _outcomes(games: Sequence[tuple[list[list[Sparse]], list[float]]]) -> list[Sample]:
    return [(teams, won) for rounds, won in games for teams in rounds]


def _learn_rounds(games: Sequence[tuple[list[list[Sparse]], list[float]]], prior: Sequence[float]) -> list[float]:
    """Learn the value between rounds: from the outcomes first, then also from the verdicts on later rounds."""
    weights = fit(_outcomes(games), prior, _RIDGE)
    for _ in range(_REFINED):
        samples: list[Sample] = []
        for rounds, won in games:
            goal = won
            for teams in reversed(rounds):
                samples.append((teams, goal))
                now = chances_of(teams, weights)
                goal = [_LAMBDA * later + (1 - _LAMBDA) * said for later, said in zip(goal, now, strict=True)]
        weights = fit(samples, weights, _RIDGE_LATER, steps=2)
    return weights


def _named(features: Features, weights: Sequence[float]) -> dict[str, float]:
    named = ((name, round(weight, 3)) for name, weight in zip(features.names, weights, strict=True))
    return {name: weight for name, weight in named if weight}


def _outcome(board: Board, weights: Weights, end: _End) -> list[float]:
    if end.pieces is None:
        return [float(team == end.winners) for team in board.teams]
    return round_chances(end.pieces, weights, end.starter)


def _play(board: Board, weights: Weights, games: int, rng: Random) -> _Games:
    """Play games with these weights, and record what is seen."""
    seen = _Games()
    routes = routes_for(board)
    for _ in range(games):
        state = GameState.begin(routes, rng.randbytes(SEED_BYTES))
        state.events = None
        between: list[list[Sparse]] = []
        begun = len(seen.turns)
        while not state.winners and state.round < _MOST_ROUNDS:
            between.append(between_rounds(weights.features, state.pieces, state.starter))
            _open(state, weights, rng)
            course = _Noted(state, weights)
            course.finish(rng)
            state.winners = course.winners
            state.cards.deck, state.cards.discards = course.deck, course.discards
            end = None if course.winners else state.pieces.copy()
            how = _End(end, state.next_starter, course.winners)
            seen.turns += [(teams, how) for teams in course.noted]
            if not state.winners:
                state.deal()
        if not state.winners:
            del seen.turns[begun:]
            continue
        won = [float(team == state.winners) for team in board.teams]
        seen.games.append((between, won))
    return seen


def _open(state: GameState, weights: Weights, rng: Random) -> None:
    """Play the exchange and all else that comes before the first turn of a round."""
    policy = Greedy(state.pieces, weights)
    while state.stage in (RoundStage.EXCHANGE, RoundStage.PLACE):
        seat = state.to_act()[0]
        gives = state.stage == RoundStage.EXCHANGE and seat not in state.answering
        careless = rng.choice(state.cards.hands[seat]) if gives and rng.random() < _CARELESS else None
        does = quick_choice(state, policy, seat, rng)
        if careless is not None and does.kind is not ActionKind.NONE:
            does = Resolved(does.kind, careless)
        carry_out(state, seat, does)


def between_rounds(features: Features, pieces: Pieces, starter: int) -> list[Sparse]:
    """Return for each team its features between two rounds."""
    board = features.board
    order = {seat: number for number, seat in enumerate(board.turns[starter])}
    found = []
    for team in board.teams:
        numbers: Description = [(features.order[order[side]], 1.0) for side in team]
        for side in team:
            numbers += describe_side(features, pieces, side)
        found.append(_added(numbers))
    return found


def _added(numbers: Description) -> Sparse:
    found: Sparse = {}
    for number, value in numbers:
        found[number] = found.get(number, 0.0) + value
    return found


class _Noted(Playout):
    """The rest of a round in which a card is played at random now and then, and turns are recorded."""

    def __init__(self, state: GameState, weights: Weights) -> None:
        super().__init__(state, weights)
        self.noted: list[list[Sparse]] = []

    def step(self, rng: Random) -> None:
        """Play a turn, and record it if the dice say so."""
        seat = self.turn
        if rng.random() < _CARELESS:
            found = self._any(seat, rng)
        else:
            found = self.policy.choose(seat, self.hands[seat], self.last, self.victim(seat))
        self.go_on(seat, found, rng)
        if not self.over and found is not None and rng.random() < _LOOKED_AT:
            self.noted.append(self._note(seat))

    def _any(self, seat: int, rng: Random) -> Any:
        choices = list(self._all(seat))
        return (
            rng.choice(choices) if choices else self.policy.choose(seat, self.hands[seat], self.last, self.victim(seat))
        )

    def _all(self, seat: int) -> Iterator[tuple[str, str, Any]]:
        card = self.hands[seat][0]
        for powers in stands_for(self.routes, card, self.last):
            for move in card_moves(self.pieces, powers, seat, self.victim(seat)):
                yield card, powers.card.id, move

    def _note(self, seat: int) -> list[Sparse]:
        features = self.weights.features
        found = []
        sizes = [len(hand) for hand in self.hands]
        for team in self.board.teams:
            numbers: Description = []
            for side in team:
                numbers += describe_side(features, self.pieces, side)
                if side == seat:
                    numbers += describe_turn(features, self.pieces, seat, self.hands[seat], self.last, sizes)
            found.append(_added(numbers))
        return found


# Regression


def chances_of(teams: Sequence[Sparse], weights: Sequence[float]) -> list[float]:
    """Return the chance of each team under these weights."""
    return shares([sum(weights[number] * value for number, value in team.items()) for team in teams])


def fit(samples: Sequence[Sample], prior: Sequence[float], ridge: float, steps: int = 4) -> list[float]:
    """Return the weights, by feature number.

    Args:
        prior: the weights assumed beforehand; the iteration starts there, too.
        ridge: the strength with which they are held to it; the penalty is `ridge` times half the sum of squares.
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
    for first in range(len(teams)):
        for other in range(first):
            weight = chances[first] * chances[other]
            between = dict(teams[first])
            for number, value in teams[other].items():
                between[number] = between.get(number, 0.0) - value
            items = sorted((number, value) for number, value in between.items() if value)
            for at, (number, value) in enumerate(items):
                row = curve[number]
                value *= weight
                for before, factor in items[: at + 1]:
                    row[before] += value * factor


def loss(samples: Sequence[Sample], weights: Sequence[float]) -> float:
    """Return the mean squared error of the chances; 0.25 is what a coin would score between two teams."""
    total = count = 0.0
    for teams, got in samples:
        chances = chances_of(teams, weights)
        total += sum((chance - share) ** 2 for chance, share in zip(chances, got, strict=True))
        count += len(teams)
    return total / max(count, 1.0)


def solve(lower: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of a symmetric positive definite system, given by its lower half (Cholesky)."""
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


def main(words: Sequence[str] | None = None) -> int:
    """Learn the weights of one board and print them."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.players.learn",
        description="Learn the weights of a board from self-play, and print them (JSON).",
    )
    parser.add_argument("--rules", default="classic", help=f"{', '.join(SYSTEMS)} (default: classic)")
    parser.add_argument("--players", type=int, default=4, help="how many (default: 4)")
    parser.add_argument("--games", type=int, default=5000, help="how many are played (default: 5000)")
    parser.add_argument("--seed", type=int, default=1, help="another number, other games (default: 1)")
    given = parser.parse_args(words)
    if given.games < 1:
        parser.error("games: must be at least 1")
    try:
        board = board_for(given.rules, given.players)
    except SetupError as error:
        parser.error(str(error))
    print(json.dumps(learn(board, given.games, given.seed), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
