"""All ways in which pieces can walk on a board, worked out on first use and kept, so that moves are only looked up.

Three kinds of sets are kept as the bits of integers. *Walls*: one bit for each start and each lane slot, set where
there is a piece that none can pass or land on. *Cells*: one bit for each space of the track and the inner paths.
*Placement bits*: one bit for each pair of piece (or side, where pieces are alike) and node; a placement is the sum of
its bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum, auto
from functools import cache, partial
from typing import NamedTuple, TypeVar

from engine.rules.board import KENNEL, PIECES, Board
from engine.rules.cards import Backward, Card, Forward, Magnet, Out, Push, Rob, Split, Swap, Sweep
from engine.rules.definition import BackwardEntry, Guard, Rank, RuleSystem

Trail = tuple[int, ...]
"""The nodes a piece walks over, from its origin to its target."""

Row = tuple[tuple[int, int, int], ...]
"""The moves of one piece by one card: (target, walls that stop it, guards that stop it)."""

SweepWay = tuple[int, int, int, int]
"""One way to sweep: (target, walls that stop it, guards that stop it, cells passed or landed on)."""

SplitWay = tuple[int, int, int, int, bool]
"""One part of a split: (target, walls that stop it, cells it burns on the way, cell landed on, whether it enters)."""


T = TypeVar("T")


class Walk(NamedTuple):
    """One piece goes to a node: by a number, out of the kennel, or pulled by a magnet."""

    piece: int
    target: int
    magnet: bool = False


class Hurdle(IntEnum):
    """A kind of piece that stops another at a node that it passes or ends on."""

    LANE = auto()
    """Any piece in a lane slot."""
    PROTECTED = auto()
    """A piece on its own start that cannot be taken, where the move would end."""
    BLOCKING = auto()
    """A piece on its own start that cannot be passed."""
    RANK = auto()
    """A piece of a higher rank, which cannot be passed."""
    ROYAL = auto()
    """A piece that only a piece of its own rank can take, where the move would end."""
    OWN = auto()
    """Another piece of its side, which cannot be passed, or not be taken by a sweep."""
    PAIR = auto()
    """The first of two pieces on neighbouring spaces, which cannot be passed."""
    TEAM = auto()
    """A piece of the player's team, which cannot be taken, where the move would end."""
    PARTNER = auto()
    """The same, but of another side than the piece that moves; passed by a sweep."""


_FIELDS = {
    hurdle: field
    for field, hurdle in enumerate((Hurdle.RANK, Hurdle.ROYAL, Hurdle.OWN, Hurdle.PAIR, Hurdle.TEAM, Hurdle.PARTNER))
}
"""The fields of a guard, in multiples of the number of cells, by the hurdles that are no walls."""

Moving = Out | Forward | Backward | Push | Sweep
"""A power by which one piece walks or comes out."""


class ByNode(dict[int, T]):
    """A table by node whose entries are worked out when they are first looked up."""

    def __init__(self, work_out: Callable[[int], T]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, node: int) -> T:
        entry = self[node] = self._work_out(node)
        return entry


class Powers(NamedTuple):
    """A card's powers in a form ready for use: `rows[piece][node]`, points to split, and the special powers.

    `pushes` are rows for other seats' pieces; `swept`: the steps of `sweeps`. `finishes`: it may bring a side's last
    piece home. `only_walks`: `rows` are all there is, as for most cards.
    """

    card: Card
    rows: list[ByNode[Row]] | None
    split: int
    swap: bool
    magnet: bool
    draws: bool
    pushes: list[ByNode[Row]] | None = None
    sweeps: list[ByNode[tuple[SweepWay, ...]]] | None = None
    swept: int = 0
    robs: Rob | None = None
    finishes: bool = True
    only_walks: bool = False


class Routes:
    """The routes of one board; get them from `routes_for`."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.system: RuleSystem = board.system
        self.sides = board.sides
        self.ranks: tuple[Rank | None, ...] = self.system.ranks or (None,)
        self.rank_of = tuple(self.ranks[piece % len(self.ranks)] for piece in range(len(board.side_of)))
        """For each piece, its rank; None where there are none."""
        self._walls()
        self._placement_bits()
        self.higher = [
            [index for index, other in enumerate(self.system.ranks) if other.order > rank.order]
            for rank in self.system.ranks
        ]
        """For each rank, the indices of the ranks above it."""
        self.royals = [index for index, rank in enumerate(self.system.ranks) if rank.royal]
        """The indices of the ranks that only a piece of the same rank can take."""
        powers = [power for card in self.system.cards.values() for power in card.powers]
        self.robs = any(isinstance(power, Rob) for power in powers)
        """True if a card can cost a seat a card."""
        self.bans = not (self.system.pass_own and self.system.pass_pairs)
        """True if some pieces off the starts cannot be passed."""
        self.guarded = (
            bool(self.system.ranks)
            or self.bans
            or self.system.own_safe
            or any(isinstance(power, Sweep) for power in powers)
        )
        """True if anything but walls can stop a piece."""
        self.crowded = self.bans or self.system.own_safe or not self.system.ranks
        """True if anything but walls and ranks can, or there are no ranks."""
        self.walks = [[Walk(piece, node) for node in range(board.nodes)] for piece in range(len(board.side_of))]
        """By piece and node: the walks by a number, each made only once."""
        self._leaves = {path.leaves: board.path_first[path.name] for path in board.paths}
        self._rejoins = {board.path_first[path.name] + path.spaces - 1: path.rejoins for path in board.paths}
        steps = [power.steps for power in powers if isinstance(power, Forward | Push | Sweep)]
        points = [power.points for power in powers if isinstance(power, Split)]
        self.longest_split = max(points, default=0)
        self._reach = max(steps + points)
        self._forward = [ByNode(partial(self._walk_forward, side)) for side in range(self.sides)]
        self.powers = {card.id: self._compile(card) for card in self.system.cards.values()}
        self.named = tuple(p for p in self.powers.values() if not p.card.wild and not p.card.copies)
        """The cards that a joker can be named as."""
        wild = self.named
        if not self.system.wild_finishes:
            wild = tuple(p._replace(finishes=False) for p in self.named)
        self.stands_for = {
            p.card.id: wild if p.card.wild else None if p.card.copies else (p,) for p in self.powers.values()
        }
        """The cards that each can be played as; None for a copy, for which it depends on the card last played."""
        self.split_rows = [ByNode(partial(self._split_rows, side)) for side in range(self.sides)]
        """The parts of a split: `split_rows[side][node][points]`."""
        self.split_guards = [ByNode(partial(self._split_guard, side)) for side in range(self.sides)]
        """The guards that stop parts of a split: `split_guards[side][node][points, target]`."""
        self.zones = [ByNode(partial(self._zone, side)) for side in range(self.sides)]
        """All spaces, lanes included, that a part from a node can touch."""

    # -- bits

    def __reduce__(self) -> tuple[object, tuple[Board]]:
        """Pickle them as those of their board."""
        return routes_for, (self.board,)

    def _walls(self) -> None:
        board = self.board
        always = self.system.start_guard is Guard.ALWAYS
        self.gate = [0] * board.nodes
        """The wall bit of each node's space, even where a piece would be no wall."""
        self.wall = [0] * board.nodes
        """The wall bit that a piece at each node sets."""
        self.swappable = [False] * board.nodes
        """By node, True if a piece there can be swapped by other seats than its own; `own_swappable`: by its own."""
        for node in range(1, board.lane_base):
            self.swappable[node] = True
        for side in range(board.sides):
            start = 1 << side
            for node in (board.start(side), board.fresh(side), board.own_base + side):
                self.gate[node] = start
            self.wall[board.fresh(side)] = start
            self.wall[board.own_base + side] = start if always else 0
            self.swappable[board.own_base + side] = self.system.swap_guard is Guard.FRESH
            for slot in range(PIECES):
                lane = board.lane(side, slot)
                self.gate[lane] = self.wall[lane] = 1 << (board.sides + PIECES * side + slot)
        self.own_swappable = self.swappable[:]
        if self.system.swap_guard is Guard.OTHERS:
            for side in range(board.sides):
                self.own_swappable[board.fresh(side)] = self.own_swappable[board.own_base + side] = True
        self.open = [~bit for bit in self.gate]
        """A mask that clears from the walls the bit of a piece that leaves the node."""
        self.zone_bit = [0 if node == KENNEL else 1 << board.cell[node] for node in range(board.nodes)]
        """The bit of each node's space, lanes included."""
        self.cell_bit = [0 if board.is_lane(node) else bit for node, bit in enumerate(self.zone_bit)]

    def _placement_bits(self) -> None:
        board = self.board
        kinds = PIECES * board.sides if self.system.ranks else board.sides
        by_kind = [
            [0 if node == KENNEL else 1 << (kind * board.nodes + node) for node in range(board.nodes)]
            for kind in range(kinds)
        ]
        self.placement_bit = [by_kind[piece if self.system.ranks else side] for piece, side in enumerate(board.side_of)]

    # -- walking

    def _next_nodes(self, side: int, node: int, standing: bool) -> list[int]:
        """Return the nodes one step ahead; `standing` if the move begins here."""
        board = self.board
        if board.is_lane(node):
            return [node + 1] if node < board.lane(side, 3) else []
        if board.length < node < board.lane_base:
            return [board.own(side, self._rejoins[node])] if node in self._rejoins else [node + 1]
        space = board.cell[node]
        enters = space == board.branch(side) and (not standing or self._may_enter_standing(side, node))
        if enters and not self.system.laps:
            return [board.lane(side, 0)]
        found = [board.own(side, space % board.length + 1)]
        if enters:
            found.append(board.lane(side, 0))
        if space in self._leaves:
            found.append(self._leaves[space])
        return found

    def _may_enter_standing(self, side: int, node: int) -> bool:
        return self.system.enter_standing and node != self.board.fresh(side)

    def _walk_forward(self, side: int, node: int) -> list[list[Trail]]:
        """Return all trails forward from a node, by their number of steps."""
        trails: list[list[Trail]] = [[(node,)] if node != KENNEL else []]
        for count in range(self._reach):
            trails.append([(*t, ahead) for t in trails[-1] for ahead in self._next_nodes(side, t[-1], count == 0)])
        return trails

    def _walk_along(self, side: int, node: int, steps: int) -> list[Trail]:
        """Return the trail of a loop piece that another seat moves along the track; none if it is guarded."""
        board = self.board
        if not 0 < board.cell[node] <= board.length or self.wall[node]:
            return []
        spaces = [(board.cell[node] + ahead - 1) % board.length + 1 for ahead in range(1, steps + 1)]
        return [(node, *(board.own(side, space) for space in spaces))]

    def _walk_backward(self, side: int, node: int, steps: int) -> list[Trail]:
        """Return all trails of this many steps backward (rules, sections 4 and 5)."""
        board = self.board
        if node == KENNEL or board.is_lane(node) or board.cell[node] > board.length:
            return []
        trails: list[Trail] = [(node,)]
        for _ in range(steps):
            longer: list[Trail] = []
            for trail in trails:
                here = trail[-1]
                if board.is_lane(here):
                    longer += [(*trail, ahead) for ahead in self._next_nodes(side, here, False)]
                    continue
                longer.append((*trail, board.own(side, (board.cell[here] - 2) % board.length + 1)))
                if self._enters_backward(side, trail):
                    longer.append((*trail, board.lane(side, 0)))
            trails = longer
        return trails

    def _enters_backward(self, side: int, trail: Trail) -> bool:
        board = self.board
        if board.cell[trail[-1]] != board.branch(side):
            return False
        if self.system.enter_backward is BackwardEntry.OVER_START:
            return board.own_base + side in trail[1:-1]
        return self.system.enter_backward is BackwardEntry.AT_BRANCH and trail != (board.fresh(side),)

    def out_target(self, side: int) -> int:
        """Return the node of a piece that has just come out of the kennel."""
        return self.board.fresh(side) if self.system.marks_fresh else self.board.own_base + side

    def pushes(self, card: Card, piece: int, node: int) -> list[tuple[Trail, Moving, int]]:
        """Return the trails on which another seat can move a piece by a card, with the power and the points used."""
        side = self.board.side_of[piece]
        powers = (power for power in card.powers if isinstance(power, Push))
        return [(trail, power, power.steps) for power in powers for trail in self._walk_along(side, node, power.steps)]

    def ways(self, card: Card, piece: int, node: int) -> list[tuple[Trail, Moving, int]]:
        """Return all trails of one piece by one card's powers to move, each with the power and the points used."""
        side = self.board.side_of[piece]
        rank = self.rank_of[piece]
        found: list[tuple[Trail, Moving, int]] = []
        for power in card.powers:
            if isinstance(power, Out) and node == KENNEL:
                found.append(((node, self.out_target(side)), power, 0))
            elif isinstance(power, Forward) and not _too_long(rank, power.steps):
                found += [(trail, power, power.steps) for trail in self._forward[side][node][power.steps]]
                found += [(trail, power, len(trail) - 1) for trail in self._short_trails(side, node, rank, power.steps)]
            elif isinstance(power, Backward) and not _too_long(rank, power.steps):
                found += [(trail, power, power.steps) for trail in self._walk_backward(side, node, power.steps)]
            elif isinstance(power, Sweep):
                found += [(trail, power, power.steps) for trail in self._forward[side][node][power.steps]]
        return found

    def _short_trails(self, side: int, node: int, rank: Rank | None, steps: int) -> list[Trail]:
        """Return the trails from the track into the lane that leave some points unused (the jester, section 12)."""
        if rank is None or not rank.spares or self.board.is_lane(node):
            return []
        shorter = range(max(1, steps - rank.spares), steps)
        return [t for count in shorter for t in self._forward[side][node][count] if self.board.is_lane(t[-1])]

    def split_trails(self, side: int, node: int, points: int) -> list[Trail]:
        """Return all trails of one part of a split."""
        return self._forward[side][node][points]

    # -- tables

    def _compile(self, card: Card) -> Powers:
        moving = any(isinstance(power, Out | Forward | Backward) for power in card.powers)
        return Powers(
            card,
            self._rows(card, self._row) if moving else None,
            next((power.points for power in card.powers if isinstance(power, Split)), 0),
            Swap() in card.powers,
            Magnet() in card.powers,
            bool(self.board.specials) and (card.has_number or Magnet() in card.powers),
            self._rows(card, self._push_row) if any(isinstance(power, Push) for power in card.powers) else None,
            self._rows(card, self._sweep_row) if any(isinstance(power, Sweep) for power in card.powers) else None,
            next((power.steps for power in card.powers if isinstance(power, Sweep)), 0),
            next((power for power in card.powers if isinstance(power, Rob)), None),
            only_walks=all(isinstance(power, Out | Forward | Backward) for power in card.powers),
        )

    def _rows(self, card: Card, row: Callable[[Card, int, int], T]) -> list[ByNode[T]]:
        kinds = [
            [ByNode(partial(row, card, piece)) for piece in self.board.pieces_of[side][: len(self.ranks)]]
            for side in range(self.sides)
        ]
        return [kinds[side][piece % len(self.ranks)] for piece, side in enumerate(self.board.side_of)]

    def _row(self, card: Card, piece: int, node: int) -> Row:
        trails = (trail for trail, power, _ in self.ways(card, piece, node) if not isinstance(power, Sweep))
        found = {(trail[-1], *self.stops(card, piece, trail)): None for trail in trails}
        return tuple(found)

    def _push_row(self, card: Card, piece: int, node: int) -> Row:
        return tuple((trail[-1], *self.stops(card, piece, trail)) for trail, _, _ in self.pushes(card, piece, node))

    def _sweep_row(self, card: Card, piece: int, node: int) -> tuple[SweepWay, ...]:
        found: list[SweepWay] = []
        for trail, power, _ in self.ways(card, piece, node):
            if isinstance(power, Sweep):
                cells = 0
                for step in trail[1:]:
                    cells |= self.cell_bit[step]
                found.append((trail[-1], *self.stops(card, piece, trail, sweeps=True), cells))
        return tuple(found)

    def stops(self, card: Card | None, piece: int, trail: Trail, *, sweeps: bool = False) -> tuple[int, int]:
        """Return what can stop a piece on a trail: walls, and guards in the fields of `Pieces.guards`."""
        walls = guard = 0
        for place, hurdle in self.hurdles(card, piece, trail, sweeps=sweeps):
            field = _FIELDS.get(hurdle)
            if field is None:
                walls |= self.gate[place]
            else:
                guard |= self.cell_bit[place] << field * self.board.cells
        return walls, guard

    def hurdles(
        self, card: Card | None, piece: int, trail: Trail, *, sweeps: bool = False
    ) -> Iterator[tuple[int, Hurdle]]:
        """Yield what can stop a piece on a trail: the nodes in order, each with the kind of piece that would.

        This is the only reading of what is in the way (rules, sections 4 and 12): the tables of moves and the reasons
        why a card cannot be played are made from it. `card` is None for a part of a split.
        """
        board = self.board
        rank = self.rank_of[piece]
        pass_own, own_safe = self.system.pass_own, self.system.own_safe
        pairs = not (sweeps or self.system.pass_pairs)
        green = card is None or card.green
        target = trail[-1]
        for at, node in enumerate(trail[1:], start=1):
            last = node == target
            lane = board.is_lane(node)
            if self.gate[node]:
                if lane:
                    yield node, Hurdle.LANE
                elif last:
                    yield node, Hurdle.PROTECTED
                elif rank is None or not rank.vaults:
                    yield node, Hurdle.BLOCKING
            if lane:
                continue
            if sweeps if last else not pass_own:
                yield node, Hurdle.OWN
            if pairs and not last and at > 1:
                yield from ((first, Hurdle.PAIR) for first in self._pair(trail[at - 1], node))
            if own_safe and (last or sweeps):
                yield node, Hurdle.TEAM if last else Hurdle.PARTNER
            if rank is None:
                continue
            if not (last or green):
                yield node, Hurdle.RANK
            if last and not rank.royal and board.cell[node] != board.start(board.side_of[piece]):
                yield node, Hurdle.ROYAL

    def _pair(self, node: int, other: int) -> tuple[int, ...]:
        """Return the first of two nodes one after the other on the track; none if they are not."""
        here, there, length = self.board.cell[node], self.board.cell[other], self.board.length
        if max(here, there) > length:
            return ()
        return (node,) if there == here % length + 1 else (other,)

    def _split_rows(self, side: int, node: int) -> list[tuple[SplitWay, ...]]:
        return [self._split_row(side, node, points) for points in range(self.longest_split + 1)]

    def _split_row(self, side: int, node: int, points: int) -> tuple[SplitWay, ...]:
        found: list[SplitWay] = []
        burns = self.system.seven is not None and self.system.seven.burns
        if node != KENNEL and points:
            for trail in self._forward[side][node][points]:
                walls = passed = 0
                for step in trail[1:]:
                    walls |= self.gate[step]
                for step in trail[1:-1] if burns else ():
                    passed |= self.cell_bit[step]
                enters = self.board.enters(node, trail[-1])
                found.append((trail[-1], walls, passed, self.cell_bit[trail[-1]], enters))
        return tuple(found)

    def _split_guard(self, side: int, node: int) -> dict[tuple[int, int], int]:
        """Return the guards that stop each part of a split, by its points and target."""
        piece = self.board.pieces_of[side][0]
        trails = self._forward[side][node][1 : self.longest_split + 1]
        return {
            (points, trail[-1]): self.stops(None, piece, trail)[1]
            for points, ways in enumerate(trails, start=1)
            for trail in ways
        }

    def _zone(self, side: int, node: int) -> int:
        zone = 0
        for trails in self._forward[side][node][: self.longest_split + 1]:
            for trail in trails:
                zone |= self.zone_bit[trail[-1]]
        return zone


def _too_long(rank: Rank | None, steps: int) -> bool:
    return rank is not None and rank.longest is not None and steps > rank.longest


@cache
def routes_for(board: Board) -> Routes:
    """Return the routes of a board, worked out at the first call."""
    return Routes(board)
