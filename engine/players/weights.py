"""The learnt weights: read from the files beside this one, one per rule system and number of players.

A side's *worth* is the sum of its features times their weights. A team's worth is the sum over its sides, and its
chance to win follows from the worths of all teams: exp(worth), scaled so that all chances add up to 1. There are two
sets: `round` for the board between two rounds, `turn` for the board within a round, as seen by the seat that has just
played, whose hand counts too. `tools.players.learn` learns them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp

from engine.players.features import WAY, Features, features_for
from engine.players.heuristic import LAP, card_worth, progress
from engine.rules.board import PIECES, Board

_PLAIN = 0.012
"""The weight of a point of the heuristic's progress where nothing has been learnt."""


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights for a board, as lists by feature number.

    `table`: for each piece and node, what the quick policy considers it worth to its side there. `cost`: the value of
    keeping a card, `any_card` that of one drawn unseen.
    """

    features: Features
    round: Sequence[float]
    turn: Sequence[float]
    table: Sequence[Sequence[float]]
    cost: Mapping[str, float]
    any_card: float


@cache
def weights_for(board: Board) -> Weights:
    """Return the weights learnt for a board by its version of the rules, or else plain ones from the heuristic."""
    system = board.system
    file = resources.files(__package__).joinpath("weights", f"{system.id}-{board.players}.json")
    if file.is_file():
        data = json.loads(file.read_text("utf-8"))
        if data["version"] == system.version:
            features = features_for(board)
            return make_weights(
                features, *([float(data[part].get(name, 0.0)) for name in features.names] for part in ("round", "turn"))
            )
    return plain_weights(board)


@cache
def plain_weights(board: Board) -> Weights:
    """Return weights to begin with, not learnt: the worths of the heuristic."""
    features = features_for(board)
    weights = [0.0] * len(features.names)
    by_way = weights[features.way] = _PLAIN * LAP / WAY
    gone = features.gone[0]
    for node in range(board.nodes):
        if not board.is_lane(node) or board.lane(0, 0) <= node < board.lane(0, PIECES):
            weights[features.zone[0][node]] = _PLAIN * _points(board, 0, node) - by_way * gone[node]
    weights[features.loss] = -_PLAIN * 60
    turn = weights[:]
    for card in board.system.cards.values():
        turn[features.held[card.id]] = _PLAIN * card_worth(card)
    return make_weights(features, weights, turn)


def make_weights(features: Features, round_: Sequence[float], turn: Sequence[float]) -> Weights:
    """Return weights by number, together with those the quick policy uses.

    The latter are not learnt: what a placement is worth at the end of a round says little about how to get there, and a
    policy that follows it hoards cards and lags behind. The heuristic's worths make for better play-outs.
    """
    board = features.board
    table = [[_PLAIN * _points(board, side, node) for node in range(board.nodes)] for side in board.side_of]
    cost = {card.id: _PLAIN * card_worth(card) for card in board.system.cards.values()}
    deck = board.deck
    any_card = sum(cost[card] * count for card, count in deck.items()) / sum(deck.values())
    return Weights(features, round_, turn, table, cost, any_card)


def _points(board: Board, side: int, node: int) -> float:
    """Return the heuristic's points for a piece at a node; 0 where a piece of this side can never stand."""
    if board.is_lane(node) and not board.lane(side, 0) <= node <= board.lane(side, PIECES - 1):
        return 0.0
    if node >= board.fresh_base and node not in (board.fresh(side), board.own_base + side):
        return 0.0
    return progress(board, side, node)


def shares(worths: Sequence[float]) -> list[float]:
    """Return the chances that follow from the worths of all teams."""
    most = max(worths)
    powers = [exp(worth - most) for worth in worths]
    total = sum(powers)
    return [power / total for power in powers]
