"""Placements: where all pieces stand, as texts by side and as nodes in one list, and how to convert between the two.

In the list the pieces of side s are at 4s..4s+3; with ranks, in the order of the ranks. Sides that nobody plays hold
`ABSENT`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.errors import PositionError
from engine.rules.board import FRESH_MARK, KENNEL, KENNEL_TEXT, PIECES, Board
from engine.rules.events import Placement
from engine.rules.systems import all_systems

ABSENT = -1


def canonical_key(board: Board, node: int) -> tuple[int, int]:
    """Sort key for the order in which a side's pieces are written: kennel, track, inner path, lane."""
    cell = board.cell[node] if node >= board.fresh_base else node
    return cell, node


def piece_text(board: Board, piece: int, node: int) -> str:
    """The text of one piece, with its rank if it has one."""
    ranks = board.system.ranks
    return (ranks[piece % PIECES].letter if ranks else "") + board.piece_texts[node]


def to_placement(board: Board, nodes: Sequence[int]) -> Placement:
    """The placement in texts, in canonical order."""
    return {side: side_texts(board, [nodes[piece] for piece in board.pieces_of[side]]) for side in board.seats}


def side_texts(board: Board, own: Sequence[int]) -> tuple[str, ...]:
    """The texts of one side's four nodes, in canonical order."""
    texts = board.piece_texts
    ranks = board.system.ranks
    if ranks:
        return tuple([rank.letter + texts[node] for rank, node in zip(ranks, own, strict=True)])
    first = board.fresh_base
    cell = board.cell
    return tuple([texts[n] for n in sorted(own, key=lambda n: cell[n] if n >= first else n)])


class PlacementWriter:
    """Quickly writes many placements that differ little, given their placement bits (see `engine.rules.routes`)."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._kinds = PIECES if board.system.ranks else 1
        self._width = self._kinds * board.nodes
        self._known: dict[tuple[int, int], tuple[str, ...]] = {}

    def write(self, bits: int) -> Placement:
        """The placement in texts, in canonical order."""
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
    """The nodes of a placement; raises PositionError if it is malformed in any way."""
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
    """The place in a piece text, without rank letter and fresh mark. `P3` on an inner path stays as it is."""
    bare = text.rstrip(FRESH_MARK)
    if len(bare) > 1 and bare[0].isalpha() and (bare[1:] == KENNEL_TEXT or bare[0] not in path_names()):
        return bare[1:]
    return bare


def path_names() -> frozenset[str]:
    """The names of the inner paths of all rule systems; no rank has the same name."""
    seatings = (seating for system in all_systems() for seating in system.seatings.values())
    return frozenset(path.name for seating in seatings for path in seating.shape.paths)
