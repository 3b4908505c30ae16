"""The gain of moves for a team, by the worth of single pieces (`Weights.table`) and by who stands behind them."""

from __future__ import annotations

from functools import cache

from engine.players.features import MOST_RISK, RISK, RISK_AT_START
from engine.players.weights import Weights
from engine.rules.board import KENNEL, PIECES, Board
from engine.rules.pieces import Pieces

LEAST = -1e9
"""Less than any possible gain."""
WIN = 1e3
"""More than any other gain."""


@cache
def _allies(board: Board) -> dict[int, frozenset[int]]:
    """Return for each seat the seats that win with it."""
    return {seat: frozenset(board.team(seat)) for seat in board.seats}


@cache
def _against(board: Board) -> dict[frozenset[int], tuple[tuple[int, int], ...]]:
    """Return for each team the opponents' pieces, each with the bit of the start where it comes out."""
    return {
        allies: tuple(
            (piece, 1 << board.start(side))
            for side in board.seats
            if side not in allies
            for piece in board.pieces_of[side]
        )
        for allies in _allies(board).values()
    }


@cache
def _rival(board: Board) -> float:
    """Return the weight of an opponent's loss: where there are several, it helps each of the others as well."""
    return 1 / (len(board.teams) - 1)


class Gains:
    """The gains of moves of these pieces, which may change in place from one call to the next."""

    def __init__(self, pieces: Pieces, weights: Weights) -> None:
        self.pieces = pieces
        self.weights = weights
        self.routes = pieces.routes
        self.board = board = pieces.routes.board
        self.allies = _allies(board)
        self.ranked = len(pieces.rank_cells) > 1
        self.guarded = self.routes.guarded
        self._against = _against(board)
        self.before = weights.features.before
        self.hunters = 0
        self.starts = 0
        self.last_piece = False
        self.rival = _rival(board)

    def look(self, allies: frozenset[int]) -> None:
        """Note where the opponents are that could take a piece, and whether only one piece is missing to win.

        Called before each choice once pieces have moved.
        """
        loc = self.pieces.loc
        cell_bit = self.routes.cell_bit
        hunters = starts = 0
        for piece, start in self._against[allies]:
            node = loc[piece]
            if node:
                hunters |= cell_bit[node]
            else:
                starts |= start
        self.hunters = hunters
        self.starts = starts
        in_lane = self.pieces.in_lane
        out = 0
        for ally in allies:
            out += PIECES - in_lane[ally]
        self.last_piece = out == 1

    def exposure(self, piece: int, node: int) -> float:
        """Return what a piece at this node stands to lose, as of the last `look`."""
        here = self.board.cell[node]
        near = self.hunters & self.before[here]
        at_start = self.starts >> here & 1
        if not (near or at_start) or self.routes.wall[node]:
            return 0.0
        row = self.weights.table[piece]
        risk = RISK * near.bit_count() + (RISK_AT_START if at_start else 0.0)
        return (risk if risk < MOST_RISK else MOST_RISK) * (row[node] - row[KENNEL])

    def gain(self, piece: int, target: int, allies: frozenset[int]) -> float:
        """Return what a piece's move to a node gains for the allies, including the piece it sends home."""
        table = self.weights.table
        pieces = self.pieces
        loc = pieces.loc
        row = table[piece]
        gain = row[target] - row[loc[piece]] + self.exposure(piece, loc[piece]) - self.exposure(piece, target)
        taken = pieces.occ[self.board.cell[target]]
        if taken >= 0 and taken != piece:
            lost = table[taken][loc[taken]] - table[taken][KENNEL]
            gain += -lost if self.board.side_of[taken] in allies else lost * self.rival
        return gain


def change_gain(pieces: Pieces, weights: Weights, change: int, allies: frozenset[int]) -> float:
    """Return the gain when these placement bits change, by the worth of single pieces."""
    placement = pieces.bits()
    board = pieces.routes.board
    nodes = board.nodes
    ranked = bool(board.system.ranks)
    rival = _rival(board)
    table = weights.table
    total = 0.0
    while change:
        bit = change & -change
        change ^= bit
        kind, node = divmod(bit.bit_length() - 1, nodes)
        piece = kind if ranked else PIECES * kind
        worth = table[piece][node] - table[piece][KENNEL]
        if board.side_of[piece] not in allies:
            worth *= -rival
        total += -worth if bit & placement else worth
    return total
