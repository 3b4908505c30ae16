"""Boards: which spaces there are, what they are called, and the numbers that stand for them inside the engine.

Inside the engine a place is a small number, a *node*: 0 is the kennel, 1..L the track, then come the inner paths, the
lanes, and for each side two more nodes for a piece of its own on its start: one fresh, one no longer fresh. So a node
alone tells whether a piece is guarded, and no separate mark is needed. Nodes that are the same physical space (the
crossing of the inner paths; a start as its owner and as others see it) share a *cell*.
"""

from __future__ import annotations

from functools import cache

from engine.errors import PositionError, SetupError
from engine.rules.definition import Exchange, RuleSystem, Seating
from engine.rules.house import apply_options
from engine.rules.options import Options
from engine.rules.systems import check_players, system_of

KENNEL = 0
PIECES = 4
"""Pieces per side, and slots per lane."""
SLOTS = "abcd"
KENNEL_TEXT = "-"
FRESH_MARK = "*"


class Board:
    """The board of one rule system, number of players and house rules; get it from `board_for`."""

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
        self.teams = seating.teams
        self.groups = {Exchange.NEXT: (self.seats,), Exchange.NONE: ()}.get(self.exchange, self.teams)
        """The seats among which cards change hands after the deal, each to the next one in its group."""
        self.group_of = {seat: group for group in self.groups for seat in group}
        self.deck = {card: count * seating.packs for card, count in system.pack.items()}
        """The number of each card in the game."""
        self.turns = {seat: self.seats[at:] + self.seats[:at] for at, seat in enumerate(self.seats)}
        """For each seat, all seats in turn order, beginning with it."""
        self.after = {seat: turns[1:] + turns[:1] for seat, turns in self.turns.items()}
        """The same, but with the seat itself last."""
        self._teams = {seat: team for team in self.teams for seat in team}
        self._partners = {
            seat: tuple(other for other in self.after[seat][:-1] if other in self._teams[seat]) for seat in self.seats
        }
        self.pieces_of = tuple(range(PIECES * side, PIECES * (side + 1)) for side in range(self.sides))
        """For each side, the numbers of its pieces."""
        self.side_of = tuple(side for side, own in enumerate(self.pieces_of) for _ in own)
        """For each piece, its side."""
        offset = system.special_offset
        self.specials = () if offset is None else tuple(self.start(s) + offset for s in range(self.sides))
        self._number_nodes()

    def __repr__(self) -> str:
        house = f", {self.system.house}" if self.system.base else ""
        return f"board_for({self.system.id!r}, {self.players}{house})"

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Pickle it by the name and version of its rules, so that another process finds the board that it has."""
        system = self.system.base or self.system
        return _named_board, (system.id, system.version, self.players, self.system.house)

    def start(self, side: int) -> int:
        """Return the track number of a side's start."""
        return 1 + self.span * side

    def branch(self, side: int) -> int:
        """Return the track number of the space where a side's lane branches off."""
        return (self.start(side) + self.system.branch_offset - 1) % self.length + 1

    def letter(self, piece: int) -> str | None:
        """Return the letter of a piece's rank; None where there are no ranks."""
        ranks = self.system.ranks
        return ranks[piece % PIECES].letter if ranks else None

    def partners(self, seat: int) -> tuple[int, ...]:
        """Return the other seats of a seat's team, the next in turn first."""
        return self._partners[seat]

    def team(self, seat: int) -> tuple[int, ...]:
        """Return the seats that win together with this one, itself included."""
        return self._teams[seat]

    def taker(self, seat: int, by: int = 1) -> int | None:
        """Return the seat that gets this one's card after the deal, or with -1 gives it one; None without exchange."""
        group = self.group_of.get(seat)
        return None if group is None else group[(group.index(seat) + by) % len(group)]

    def next_seat(self, seat: int) -> int:
        """Return the seat whose turn comes after this one's."""
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
        """Return the node of a lane slot, counted from 0."""
        return self.lane_base + PIECES * side + slot

    def fresh(self, side: int) -> int:
        """Return the node of a fresh piece of this side."""
        return self.fresh_base + side

    def own(self, side: int, node: int) -> int:
        """Return the node of a piece of this side that arrives at the space of `node` and is not fresh."""
        return self.own_base + side if self.cell[node] == self.start(side) else node

    def foreign(self, side: int, node: int) -> int:
        """Return the node of a piece of this side on the space where another side's piece stood at `node`."""
        cell = self.cell[node]
        return self.own(side, cell if cell <= self.length else node)

    def node(self, side: int, place: str) -> int | None:
        """Return the node of a place text for a piece of this side that is not fresh; None if no place has it."""
        return self._nodes_by_text[side].get(place)

    def piece_node(self, side: int, text: str, field: str) -> int:
        """Return the node of a piece text without its rank, as in `17*`; raises PositionError."""
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
        """Return True if this node is on the track or an inner path."""
        return node != KENNEL and not self.is_lane(node)

    def is_lane(self, node: int) -> bool:
        """Return True if this node is a lane slot."""
        return self.lane_base <= node < self.fresh_base

    def enters(self, origin: int, target: int) -> bool:
        """Return True if a piece that goes from one node to another comes into its lane."""
        return self.lane_base <= target < self.fresh_base and not self.lane_base <= origin < self.fresh_base


def _named_board(system_id: str, version: int, players: int, house: Options) -> Board:
    return board_for(system_of(system_id, version), players, house)


@cache
def _board(system: RuleSystem, players: int, house: Options) -> Board:
    return Board(apply_options(system, players, house), players)


def board_for(system: object, players: object, house: object = None) -> Board:
    """Return the board for a rule system (or its id), a number of players and house rules, always the same object.

    All three may be anything: compiled functions would answer a wrong type before the errors below.
    Any definition will do, not only those in `SYSTEMS`. House rules that have been applied to it stay.

    Raises:
        SetupError: there is no such system, or it is not played by this many.
        OptionRefused: a house rule cannot be chosen.
    """
    chosen = system if isinstance(system, RuleSystem) else system_of(system)
    if house is not None and not isinstance(house, Options):
        raise SetupError("options", "must be Options")
    if chosen.base is not None:
        chosen, house = chosen.base, chosen.house
    return _board(chosen, check_players(chosen, players), house or Options())
