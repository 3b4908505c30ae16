"""Boards: which spaces there are, what they are called, and the numbers that stand for them inside the engine.

Inside the engine a place is a small number, a *node*: 0 is the kennel, 1..L the track, then come the inner paths, the
lanes, and for each side two more nodes for a piece of its own on its start: one fresh, one no longer fresh. So a node
alone tells whether a piece is guarded, and no separate mark is needed. Nodes that are the same physical space (the
crossing of the inner paths; a start as its owner and as others see it) share a *cell*.
"""

from __future__ import annotations

from functools import cache

from engine.errors import PositionError
from engine.rules.systems import RuleSystem, Seating, check_players, system_of

KENNEL = 0
PIECES = 4
"""Pieces per side, and slots per lane."""
SLOTS = "abcd"
KENNEL_TEXT = "-"
FRESH_MARK = "*"


class Board:
    """The board of one rule system and number of players; get it from `board_for`."""

    def __init__(self, system: RuleSystem, players: int) -> None:
        seating: Seating = system.seatings[players]
        shape = seating.shape
        self.system = system
        self.players = players
        self.sides = shape.sides
        self.span = system.span
        self.length = shape.sides * system.span
        self.seats = seating.seats
        self.clockwise = system.clockwise
        self.paths = shape.paths
        self.crossing = shape.crossing
        self.exchange = seating.exchange
        self.stuck = seating.stuck
        half = len(self.seats) // 2
        self.teams: tuple[tuple[int, ...], ...]
        if seating.teams:
            self.teams = tuple((seat, self.seats[i + half]) for i, seat in enumerate(self.seats[:half]))
        else:
            self.teams = tuple((seat,) for seat in self.seats)
        self.turns = {seat: self.seats[at:] + self.seats[:at] for at, seat in enumerate(self.seats)}
        """For each seat, all seats in turn order, beginning with it."""
        self.after = {seat: turns[1:] + turns[:1] for seat, turns in self.turns.items()}
        """The same, but with the seat itself last."""
        self._partners = {seat: other for team in self.teams if len(team) == 2 for seat, other in (team, team[::-1])}
        self.pieces_of = tuple(range(PIECES * side, PIECES * (side + 1)) for side in range(self.sides))
        """For each side, the numbers of its pieces."""
        self.side_of = tuple(side for side, own in enumerate(self.pieces_of) for _ in own)
        """For each piece, its side."""
        offset = system.special_offset
        self.specials = () if offset is None else tuple(self.start(s) + offset for s in range(self.sides))
        self._number_nodes()

    def __repr__(self) -> str:
        return f"board_for({self.system.id!r}, {self.players})"

    def start(self, side: int) -> int:
        """The track number of a side's start."""
        return 1 + self.span * side

    def branch(self, side: int) -> int:
        """The track number of the space where a side's lane branches off."""
        return (self.start(side) + self.system.branch_offset - 1) % self.length + 1

    def letter(self, piece: int) -> str | None:
        """The letter of a piece's rank; None where there are none."""
        ranks = self.system.ranks
        return ranks[piece % PIECES].letter if ranks else None

    def partner(self, seat: int) -> int | None:
        """The partner's seat; None where everybody plays for themselves."""
        return self._partners.get(seat)

    def team(self, seat: int) -> tuple[int, ...]:
        """The seats that win together with this one, itself included."""
        return next(team for team in self.teams if seat in team)

    def next_seat(self, seat: int) -> int:
        """The seat whose turn comes after this one's."""
        return self.after[seat][0]

    # -- nodes

    def _number_nodes(self) -> None:
        self.path_first: dict[str, int] = {}
        node = self.length + 1
        for path in self.paths:
            self.path_first[path.name] = node
            node += path.spaces
        self.lane_base = node
        self.fresh_base = node + PIECES * self.sides
        self.own_base = self.fresh_base + self.sides
        self.nodes = self.own_base + self.sides
        self.cells = self.fresh_base

        self.cell = list(range(self.nodes))
        for side in range(self.sides):
            self.cell[self.fresh_base + side] = self.cell[self.own_base + side] = self.start(side)
        crossing = [self.path_first[name] + number - 1 for name, number in self.crossing]
        for node in crossing[1:]:
            self.cell[node] = crossing[0]

        self.place_texts = [KENNEL_TEXT, *map(str, range(1, self.length + 1))]
        for path in self.paths:
            self.place_texts += [f"{path.name}{number}" for number in range(1, path.spaces + 1)]
        self.place_texts += [slot for _ in range(self.sides) for slot in SLOTS]
        starts = [str(self.start(side)) for side in range(self.sides)]
        self.place_texts += starts * 2
        self.piece_texts = self.place_texts[: self.fresh_base] + [start + FRESH_MARK for start in starts] + starts
        self._nodes_by_text = [
            {text: self.own(side, node) for node, text in enumerate(self.place_texts[: self.lane_base])}
            | {slot: self.lane(side, index) for index, slot in enumerate(SLOTS)}
            for side in range(self.sides)
        ]

    def lane(self, side: int, slot: int) -> int:
        """The node of a lane slot, counted from 0."""
        return self.lane_base + PIECES * side + slot

    def fresh(self, side: int) -> int:
        """The node of a fresh piece of this side."""
        return self.fresh_base + side

    def own(self, side: int, node: int) -> int:
        """The node of a piece of this side that arrives at the space of `node` and is not fresh."""
        return self.own_base + side if self.cell[node] == self.start(side) else node

    def foreign(self, side: int, node: int) -> int:
        """The node of a piece of this side on the space where another side's piece stood at `node`."""
        cell = self.cell[node]
        return self.own(side, cell if cell <= self.length else node)

    def node(self, side: int, place: str) -> int | None:
        """The node of a place text for a piece of this side that is not fresh; None if there is no such place."""
        return self._nodes_by_text[side].get(place)

    def piece_node(self, side: int, text: str, field: str) -> int:
        """The node of a piece text without its rank, as in `17*`; raises PositionError."""
        fresh = text.endswith(FRESH_MARK)
        node = self.node(side, text[:-1] if fresh else text)
        if node is None:
            raise PositionError(field, f"there is no place {text[:20]!r}")
        if not fresh:
            return node
        if not self.system.marks_fresh:
            raise PositionError(field, f"{self.system.id} does not mark fresh pieces")
        if node != self.own_base + side:
            raise PositionError(field, f"{text!r} is fresh off its own start")
        return self.fresh(side)

    def is_loop(self, node: int) -> bool:
        """Whether a piece on this node is on the track or an inner path."""
        return node != KENNEL and not self.is_lane(node)

    def is_lane(self, node: int) -> bool:
        """Whether this node is a lane slot."""
        return self.lane_base <= node < self.fresh_base


@cache
def _board(system: RuleSystem, players: int) -> Board:
    return Board(system, players)


def board_for(system: RuleSystem | str, players: int) -> Board:
    """The board for a rule system (or its id) and a number of players, the same object every time; raises SetupError.

    Any definition will do, not only those in `SYSTEMS`.
    """
    if not isinstance(system, RuleSystem):
        system = system_of(system)
    return _board(system, check_players(system, players))
