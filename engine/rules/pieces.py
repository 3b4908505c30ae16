"""The pieces on the board while moves are worked out and carried out: fast, and changed in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.rules.board import KENNEL, PIECES
from engine.rules.events import Placement
from engine.rules.placement import to_placement
from engine.rules.routes import Routes, Walk

SplitTrail = tuple[Any, int, int, int]
"""The parts of a split as a chain, last first: (the parts before, or None; piece, points, target)."""


class SwapMove(NamedTuple):
    """Two pieces trade places."""

    piece: int
    other: int


class SweepMove(NamedTuple):
    """One piece walks this many steps to a node and sends home the pieces in `taken`."""

    piece: int
    target: int
    steps: int
    taken: tuple[int, ...]


class RobMove(NamedTuple):
    """A seat loses a card; no piece moves."""

    victim: int


class SplitMove(NamedTuple):
    """Points shared among several pieces: the placement bits it changes, and its parts.

    `others`: there are so many that not all are listed beside it.
    """

    change: int
    trail: SplitTrail
    others: bool = False

    def parts(self) -> list[tuple[int, int, int]]:
        """Return the parts in the order they are carried out: (piece, points, target)."""
        parts: list[tuple[int, int, int]] = []
        trail: SplitTrail | None = self.trail
        while trail is not None:
            before, piece, points, target = trail
            parts.append((piece, points, target))
            trail = before
        parts.reverse()
        return parts


@dataclass(frozen=True, slots=True)
class Idle:
    """A swap card played without effect."""


Move = Walk | SwapMove | SplitMove | SweepMove | RobMove | Idle
"""The effect of a card on the pieces."""


class Pieces:
    """All pieces as nodes (`loc`), the piece on each cell (`occ`), and what follows from that.

    `walls`: see `engine.rules.routes`. `in_lane`: by side, the number of pieces in their lane. `rank_cells`: the cells
    of each rank, where there are ranks.
    """

    __slots__ = ("in_lane", "loc", "occ", "rank_cells", "routes", "walls")

    def __init__(
        self, routes: Routes, loc: list[int], occ: list[int], walls: int, in_lane: list[int], rank_cells: list[int]
    ) -> None:
        self.routes = routes
        self.loc = loc
        self.occ = occ
        self.walls = walls
        self.in_lane = in_lane
        self.rank_cells = rank_cells

    @classmethod
    def at(cls, routes: Routes, nodes: Sequence[int]) -> Pieces:
        """Return pieces that stand on these nodes."""
        board = routes.board
        new = cls(routes, list(nodes), [-1] * board.nodes, 0, [0] * board.sides, [0] * len(routes.ranks))
        for piece, node in enumerate(nodes):
            if node <= KENNEL:
                continue
            new.occ[board.cell[node]] = piece
            new.walls |= routes.wall[node]
            if board.is_lane(node):
                new.in_lane[board.side_of[piece]] += 1
            else:
                new.rank_cells[piece % len(new.rank_cells)] |= routes.cell_bit[node]
        return new

    def copy(self) -> Pieces:
        """Return an independent copy."""
        return Pieces(self.routes, self.loc[:], self.occ[:], self.walls, self.in_lane[:], self.rank_cells[:])

    def placement(self) -> Placement:
        """Return where all pieces stand, as texts."""
        return to_placement(self.routes.board, self.loc)

    def bits(self) -> int:
        """Return the placement bits of all pieces."""
        bits = 0
        for piece, node in enumerate(self.loc):
            if node > KENNEL:
                bits |= self.routes.placement_bit[piece][node]
        return bits

    def guards(self, side: int, seat: int) -> list[int]:
        """Return for each piece of a side that a seat moves the cells it cannot pass or land on, walls left aside.

        One field of cells after the other: higher ranks, royal ones (rules, section 12), its own side, pairs of
        neighbours, the seat's team, and of this team the sides other than its own.
        """
        routes = self.routes
        board = routes.board
        cells = self.rank_cells
        shared = 0
        for index in routes.royals:
            shared |= cells[index]
        width = board.cells
        shared <<= width
        if routes.crowded:
            system = routes.system
            own = self.cells_of(side)
            shared |= own << 2 * width
            if not system.pass_pairs:
                shared |= self.pairs(self.cells_of(*board.seats)) << 3 * width
            if system.own_safe:
                team = self.cells_of(*board.team(seat))
                shared |= team << 4 * width | (team & ~own) << 5 * width
            if not system.ranks:
                return [shared] * PIECES
        found: list[int] = []
        for higher in routes.higher:
            guard = shared
            for index in higher:
                guard |= cells[index]
            found.append(guard)
        return found

    def cells_of(self, *sides: int) -> int:
        """Return the cells on which loop pieces of these sides stand."""
        cell_bit, pieces_of = self.routes.cell_bit, self.routes.board.pieces_of
        cells = 0
        for side in sides:
            for piece in pieces_of[side]:
                cells |= cell_bit[self.loc[piece]]
        return cells

    def standing_on(self, cells: int) -> Iterator[int]:
        """Yield the pieces on these cells."""
        while cells:
            bit = cells & -cells
            cells ^= bit
            yield self.occ[bit.bit_length() - 1]

    def pairs(self, cells: int) -> int:
        """Return, of the occupied cells, those on the track with another right after them."""
        length = self.routes.board.length
        track = cells & (1 << length + 1) - 2
        return track & (track >> 1 | (track >> 1 & 1) << length)

    # -- carrying out

    def move(self, piece: int, target: int) -> int:
        """Put a piece on a node and send home the piece there; return that piece, or -1."""
        routes = self.routes
        board = routes.board
        cell = board.cell
        loc = self.loc
        occ = self.occ
        origin = loc[piece]
        if origin:
            occ[cell[origin]] = -1
            self.walls &= routes.open[origin]
        there = cell[target]
        taken = occ[there]
        ranked = len(self.rank_cells)
        if taken >= 0:
            if ranked > 1:
                self.rank_cells[taken % ranked] ^= routes.cell_bit[loc[taken]]
            loc[taken] = KENNEL
        occ[there] = piece
        loc[piece] = target
        self.walls |= routes.wall[target]
        if ranked > 1:
            self.rank_cells[piece % ranked] ^= routes.cell_bit[origin] | routes.cell_bit[target]
        if board.lane_base <= target < board.fresh_base and not board.lane_base <= origin < board.fresh_base:
            self.in_lane[board.side_of[piece]] += 1
        return taken

    def burn(self, cell: int) -> int:
        """Send the piece on a cell home; return it, or -1 if the cell is empty."""
        taken = self.occ[cell]
        if taken >= 0:
            self.occ[cell] = -1
            self.walls &= self.routes.open[self.loc[taken]]
            self.loc[taken] = KENNEL
        return taken

    def swap(self, piece: int, other: int) -> None:
        """Let two pieces trade places; neither is fresh afterwards."""
        routes = self.routes
        board = routes.board
        loc = self.loc
        mine, theirs = loc[piece], loc[other]
        self.walls &= routes.open[mine] & routes.open[theirs]
        if len(self.rank_cells) > 1:
            both = routes.cell_bit[mine] | routes.cell_bit[theirs]
            self.rank_cells[piece % PIECES] ^= both
            self.rank_cells[other % PIECES] ^= both
        loc[piece] = board.foreign(board.side_of[piece], theirs)
        loc[other] = board.foreign(board.side_of[other], mine)
        self.occ[board.cell[mine]] = other
        self.occ[board.cell[theirs]] = piece
        self.walls |= routes.wall[loc[piece]] | routes.wall[loc[other]]

    def split_part(self, piece: int, points: int, target: int) -> list[tuple[int, int]]:
        """Carry out one part of a split; return the pieces sent home and the nodes they stood on, in order."""
        board = self.routes.board
        origin = self.loc[piece]
        side = board.side_of[piece]
        trail = next(t for t in self.routes.split_trails(side, origin, points) if t[-1] == target)
        rule = self.routes.system.seven
        sent: list[tuple[int, int]] = []
        for node in trail[1:] if rule is not None and rule.burns else trail[-1:]:
            if board.is_lane(node):
                continue
            taken = self.occ[board.cell[node]]
            if taken >= 0:
                sent.append((taken, self.loc[taken]))
                self.burn(board.cell[node])
        self.move(piece, target)
        return sent

    def apply(self, move: Move) -> None:
        """Carry out a legal move."""
        match move:
            case Walk():
                self.move(move.piece, move.target)
            case SwapMove():
                self.swap(move.piece, move.other)
            case SweepMove(piece, target, _, taken):
                for lost in taken:
                    self.burn(self.routes.board.cell[self.loc[lost]])
                self.move(piece, target)
            case SplitMove():
                for part in move.parts():
                    self.split_part(*part)

    def after(self, move: Move) -> Pieces:
        """Return the pieces as a legal move leaves them; these stay as they are."""
        new = self.copy()
        new.apply(move)
        return new

    # -- telling placements apart

    def change(self, move: Move) -> int:
        """Return the placement bits that a legal move changes, which tell moves with different results apart."""
        bits = self.routes.placement_bit
        loc = self.loc
        match move:
            case Walk(piece, target):
                change = bits[piece][loc[piece]] ^ bits[piece][target]
                taken = self.occ[self.routes.board.cell[target]]
                return change ^ bits[taken][loc[taken]] if taken >= 0 else change
            case SwapMove(piece, other):
                board = self.routes.board
                mine, theirs = loc[piece], loc[other]
                change = bits[piece][mine] ^ bits[other][theirs]
                change ^= bits[piece][board.foreign(board.side_of[piece], theirs)]
                return change ^ bits[other][board.foreign(board.side_of[other], mine)]
            case SplitMove():
                return move.change
            case SweepMove():
                change = bits[move.piece][loc[move.piece]] ^ bits[move.piece][move.target]
                for lost in move.taken:
                    change ^= bits[lost][loc[lost]]
                return change
        return 0

    def is_finished(self, side: int) -> bool:
        """Return True if all four pieces of a side are in their lane."""
        return self.in_lane[side] == PIECES
