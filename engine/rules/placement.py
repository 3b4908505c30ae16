"""Placements: where all pieces stand, as texts by side and as nodes in one list, and how far they have come.

In the list the pieces of side s are at 4s..4s+3; with ranks, in the order of the ranks. Unused sides hold `ABSENT`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.errors import PositionError
from engine.rules.board import FRESH_MARK, KENNEL, KENNEL_TEXT, PIECES, SLOTS, Board
from engine.rules.events import Placement
from engine.rules.systems import all_systems

ABSENT = -1


def to_placement(board: Board, nodes: Sequence[int]) -> Placement:
    """Return the placement in texts, in canonical order."""
    return {side: side_texts(board, [nodes[piece] for piece in board.pieces_of[side]]) for side in board.seats}


def side_texts(board: Board, own: Sequence[int]) -> tuple[str, ...]:
    """Return the texts of one side's four nodes, in canonical order."""
    texts = board.piece_texts
    ranks = board.system.ranks
    if ranks:
        return tuple([rank.letter + texts[node] for rank, node in zip(ranks, own, strict=True)])
    first = board.fresh_base
    cell = board.cell
    return tuple([texts[n] for n in sorted(own, key=lambda n: cell[n] if n >= first else n)])


class PlacementWriter:
    """A fast writer of placements that differ little, given as placement bits (see `engine.rules.routes`)."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._kinds = PIECES if board.system.ranks else 1
        self._width = self._kinds * board.nodes
        self._known: dict[tuple[int, int], tuple[str, ...]] = {}

    def write(self, bits: int) -> Placement:
        """Return the placement in texts, in canonical order."""
        width = self._width
        mask = (1 << width) - 1
        known = self._known
        placement: Placement = {}
        for side in self._board.seats:
            key = side, bits >> side * width & mask
            texts = known.get(key)
            if texts is None:
                texts = known[key] = self._side(key[1])
            placement[side] = texts
        return placement

    def _side(self, bits: int) -> tuple[str, ...]:
        own: list[int] = [KENNEL] * PIECES
        index = 0
        while bits:
            bit = bits & -bits
            bits ^= bit
            kind, node = divmod(bit.bit_length() - 1, self._board.nodes)
            own[kind if self._kinds > 1 else index] = node
            index += 1
        return side_texts(self._board, own)


def to_nodes(board: Board, pieces: Mapping[int, Sequence[str]]) -> list[int]:
    """Return the nodes of a placement; raises PositionError if it is malformed in any way."""
    nodes = [ABSENT] * (PIECES * board.sides)
    taken: dict[int, str] = {}
    for side in board.seats:
        field = f"pieces.{side}"
        texts = pieces.get(side)
        if not isinstance(texts, tuple | list):
            raise PositionError(field, "must be a list of four pieces")
        if len(texts) != PIECES:
            raise PositionError(field, f"must be four pieces, not {len(texts)}")
        for index, text in enumerate(texts):
            if not isinstance(text, str):
                raise PositionError(field, "pieces are texts")
            piece, bare = _by_rank(board, text, field) if board.system.ranks else (index, text)
            if nodes[board.pieces_of[side][piece]] != ABSENT:
                raise PositionError(field, f"there are two of rank {board.system.ranks[piece].letter}")
            node = board.piece_node(side, bare, field)
            cell = board.cell[node]
            if cell != KENNEL and cell in taken:
                raise PositionError(field, f"two pieces on one space: {taken[cell]} and {text}")
            taken[cell] = text
            nodes[board.pieces_of[side][piece]] = node
    return nodes


def _by_rank(board: Board, text: str, field: str) -> tuple[int, str]:
    for index, rank in enumerate(board.system.ranks):
        if text.startswith(rank.letter) and text[1:]:
            return index, text[1:]
    raise PositionError(field, f"{text[:20]!r} has no rank")


def place_of(text: str) -> str:
    """Return the place in a piece text, without rank letter and fresh mark. `P3` on an inner path stays as it is."""
    bare = text.rstrip(FRESH_MARK)
    if len(bare) > 1 and bare[0].isalpha() and (bare[1:] == KENNEL_TEXT or bare[0] not in path_names()):
        return bare[1:]
    return bare


def path_names() -> frozenset[str]:
    """Return the names of the inner paths of all rule systems; no rank has the same name."""
    seatings = (seating for system in all_systems() for seating in system.seatings.values())
    return frozenset(path.name for seating in seatings for path in seating.shape.paths)


def lap(board: Board, side: int) -> int:
    """Return the number of spaces from a side's start once round the track to where its lane branches off."""
    return (board.branch(side) - board.start(side) - 1) % board.length + 1


def spaces_to_home(board: Board, side: int, piece: str) -> int:
    """Return how many spaces a piece (a piece text of its side) has to walk to the first slot of its lane.

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
            return left + spaces_to_home(board, side, str(path.rejoins))
    number, branch = int(place), board.branch(side)
    ahead = (branch - number) % board.length
    if ahead == 0 and (piece.endswith(FRESH_MARK) or not board.system.enter_standing):
        ahead = board.length
    return ahead + 1


def covered_share(board: Board, side: int, pieces: Iterable[str]) -> float:
    """Return the share that a side has covered of the way of its pieces, 0 (all in the kennel) to 1 (all home)."""
    whole = lap(board, side) + 2
    left = [spaces_to_home(board, side, piece) for piece in pieces]
    return 1 - sum(left) / (whole * len(left)) if left else 0.0
