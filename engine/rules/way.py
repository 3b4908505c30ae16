"""How far pieces have come and how far they have to go, walking forward along the track."""

from __future__ import annotations

from collections.abc import Iterable

from engine.rules.board import FRESH_MARK, KENNEL_TEXT, SLOTS, Board
from engine.rules.placement import place_of


def lap(board: Board, side: int) -> int:
    """Spaces from a side's start once round the track to where its lane branches off."""
    return (board.branch(side) - board.start(side) - 1) % board.length + 1


def to_home(board: Board, side: int, piece: str) -> int:
    """How many spaces a piece (a piece text of its side) has to walk to the first slot of its lane.

    0 for a piece in its lane. Coming out of the kennel counts as one. A piece on an inner path walks on to the path's
    end. A piece on its own start has the whole lap before it, unless it may turn into the lane right there (section 5).
    """
    place = place_of(piece)
    if place in SLOTS:
        return 0
    if place == KENNEL_TEXT:
        return lap(board, side) + 2
    for path in board.paths:
        if place[0] == path.name:
            left = path.spaces + 1 - int(place[1:])
            return left + to_home(board, side, str(path.rejoins))
    number, branch = int(place), board.branch(side)
    ahead = (branch - number) % board.length
    if ahead == 0 and (piece.endswith(FRESH_MARK) or not board.system.enter_standing):
        ahead = board.length
    return ahead + 1


def gone(board: Board, side: int, pieces: Iterable[str]) -> float:
    """The share that a side has covered of the way of all its pieces, from 0 (all in the kennel) to 1 (all home)."""
    whole = lap(board, side) + 2
    left = [to_home(board, side, piece) for piece in pieces]
    return 1 - sum(left) / (whole * len(left)) if left else 0.0
