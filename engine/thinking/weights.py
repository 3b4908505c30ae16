"""The learnt weights: read from the files beside this one, one for each rule system and number of players.

A side's *worth* is the sum of its features times their weights. A team's worth is the sum over its sides, and its
chance to win follows from the worths of all teams: exp(worth), shared out so that all chances add up to 1. There are
two sets: `round` for the board between two rounds, `turn` for the board in the middle of one, seen by the seat that has
just played, whose hand counts too. How they are learnt: `engine.thinking.learning`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp
from typing import Any

from engine.board import KENNEL, PIECES, Board
from engine.errors import SetupError
from engine.heuristic import card_worth, progress
from engine.systems import SYSTEMS
from engine.thinking.features import Features, features_for

_PLAIN = 0.012
"""What a point of the heuristic's progress counts where nothing has been learnt."""
_LEAST_CARD = 0.02
"""A card drawn is always worth a little, whatever has been learnt of it."""


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights for one board, as lists by the numbers of the features.

    `table`: for each piece and node what it is worth to its side there, in the middle of a round. `cost`: what it is
    worth to keep a card, `any_card` one drawn unseen.
    """

    features: Features
    round: Sequence[float]
    turn: Sequence[float]
    table: Sequence[Sequence[float]]
    cost: Mapping[str, float]
    any_card: float


@cache
def weights_for(board: Board) -> Weights:
    """The weights for a board: learnt ones where there is a file of them, else plain ones made of the heuristic's."""
    system = board.system
    if SYSTEMS.get(system.id) is system:
        file = resources.files(__package__).joinpath("weights", f"{system.id}-{board.players}.json")
        if file.is_file():
            return read_weights(board, json.loads(file.read_text("utf-8")))
    return plain_weights(board)


def read_weights(board: Board, data: Mapping[str, Any]) -> Weights:
    """Weights from a JSON object with `round` and `turn`: weights by the names of features; raises SetupError."""
    features = features_for(board)
    known = set(features.names)
    lists = []
    for part in ("round", "turn"):
        named = data.get(part)
        if not isinstance(named, Mapping) or not known.issuperset(named):
            raise SetupError("weights", f"{part} must be weights by the names of features")
        lists.append([float(named.get(name, 0.0)) for name in features.names])
    return make_weights(features, *lists)


def plain_weights(board: Board) -> Weights:
    """Weights that nobody has learnt, to begin with: the worths of the heuristic."""
    features = features_for(board)
    weights = [0.0] * len(features.names)
    for node in range(board.fresh_base + board.sides):
        foreign = board.is_lane(node) and not 0 <= node - board.lane(0, 0) < PIECES
        if not foreign and node <= board.fresh(0):
            weights[features.zone[0][node]] = _PLAIN * progress(board, 0, node)
    weights[features.zone[0][board.own_base]] = _PLAIN * progress(board, 0, board.own_base)
    weights[features.zone[0][board.fresh(0)]] = _PLAIN * 20
    weights[features.loss] = -_PLAIN * 60
    turn = weights[:]
    for card in board.system.cards.values():
        turn[features.held[card.id]] = _PLAIN * card_worth(card)
    return make_weights(features, weights, turn)


def make_weights(features: Features, round_: Sequence[float], turn: Sequence[float]) -> Weights:
    """Weights by number, with the tables that follow from them."""
    board = features.board
    ranked = len(features.ranked_out)
    table = []
    for piece, side in enumerate(board.side_of):
        by_way = turn[features.way]
        ways = zip(features.zone[side], features.gone[side], strict=True)
        row = [turn[zone] + by_way * gone for zone, gone in ways]
        if ranked:
            for node in range(KENNEL + 1, board.nodes):
                at_home = board.is_lane(node)
                row[node] += turn[(features.ranked_home if at_home else features.ranked_out)[piece % ranked]]
        # A piece in the kennel counts on average as one more of those that wait there, and one less at home.
        row[KENNEL] += (turn[features.in_kennel[PIECES]] - turn[features.in_kennel[0]]) / PIECES
        homely = (turn[features.home[PIECES]] - turn[features.home[0]]) / PIECES
        for slot in range(PIECES):
            row[board.lane(side, slot)] += homely
        table.append(row)
    cost = {card: turn[number] for card, number in features.held.items()}
    deck = board.system.deck
    any_card = max(_LEAST_CARD, sum(cost[card] * count for card, count in deck.items()) / board.system.deck_size)
    return Weights(features, round_, turn, table, cost, any_card)


def shares(worths: Sequence[float]) -> list[float]:
    """The chances that follow from the worths of all teams."""
    most = max(worths)
    powers = [exp(worth - most) for worth in worths]
    total = sum(powers)
    return [power / total for power in powers]
