"""The features of a placement: numbers for each side, which the weights multiply.

The features are the same for all rule systems; what a system lacks (ranks, say) simply never occurs.
"""

from __future__ import annotations

from functools import cache

from engine.players.heuristic import BEHIND, way_behind
from engine.rules.board import KENNEL, PIECES, Board
from engine.rules.pieces import Pieces
from engine.rules.routes import Routes

PARTS = 16
"""The number of equal parts that a lap is divided into."""
REACH = 13
"""The reach of most cards, in spaces: a piece further behind poses no danger."""
RISK = 0.1
"""The average probability of being taken by a piece within reach."""
_RISK = (0.0, *BEHIND.values())
"""The approximate probability of being taken by a piece this many spaces behind."""
_RISK_BACKWARD = 0.06
RISK_AT_START = 0.25
MOST_RISK = 0.85

_OUT = 0.2
WAY = 0.7
"""The share of its way home that a piece gains by coming out (`_OUT`), and by a lap of the track (`WAY`)."""

Description = list[tuple[int, float]]
"""Feature numbers and their values; a feature may occur more than once, and then counts more."""


class Features:
    """The features of one board, numbered; get them from `features_for`."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.names: list[str] = []
        self._number: dict[str, int] = {}
        letters = [rank.letter for rank in board.system.ranks]
        self.zone = [[self._zone(side, node) for node in range(board.nodes)] for side in range(board.sides)]
        """For each side and node, the feature of a piece that stands there."""
        self.gone = [[_gone(board, side, node) for node in range(board.nodes)] for side in range(board.sides)]
        """For each side and node, the share of its way that a piece has behind it, 0 to 1."""
        self.way = self.index("way")
        self.in_kennel = [self.index(f"in kennel {count}") for count in range(PIECES + 1)]
        self.at_home = [self.index(f"at home {count}") for count in range(PIECES + 1)]
        self.gap = self.index("gap in lane")
        self.no_piece_out = self.index("none to walk with")
        self.risk = self.index("danger")
        self.loss = self.index("danger of losing way")
        self.chance = self.index("others within reach")
        self.wall_others = self.index("blocks others")
        self.wall_partner = self.index("blocks partner")
        self.ranked_out = [self.index(f"{letter} out") for letter in letters]
        self.ranked_home = [self.index(f"{letter} home") for letter in letters]
        self.before = [_cells_before(board, cell) for cell in range(board.nodes)]
        """For each cell, the track cells from which most cards reach it, as bits."""
        self.order = [self.index(f"turn {number}") for number in range(len(board.seats))]
        self.held = {card: self.index(f"holds {card}") for card in board.system.cards}
        self.holds = [self.index(f"cards {count}") for count in range(8)]
        self.no_way_out = self.index("no way out in hand")
        self.playable = [self.index(f"playable {count}") for count in range(8)]
        self.enters = [self.index(f"home with {count}") for count in range(3)]
        self.takes = [self.index(f"takes with {count}") for count in range(3)]
        self.others_hold = self.index("others hold")
        self.partner_holds = self.index("partner holds")

    def index(self, name: str) -> int:
        """Return the number of a feature; a new name gets a new number."""
        found = self._number.get(name)
        if found is None:
            found = self._number[name] = len(self.names)
            self.names.append(name)
        return found

    def _zone(self, side: int, node: int) -> int:
        board = self.board
        if node == KENNEL:
            return self.index("kennel")
        if board.is_lane(node):
            first = board.lane(side, 0)
            return self.index(f"slot {node - first}") if 0 <= node - first < PIECES else self.index("kennel")
        if node == board.fresh(side):
            return self.index("fresh on start")
        if node == board.own_base + side:
            return self.index("on start")
        if node >= board.fresh_base:
            return self.index("kennel")
        way = way_behind(board, side, node)
        return self.index(f"way {min(PARTS - 1, way * PARTS // board.length)}")


def _gone(board: Board, side: int, node: int) -> float:
    if node == KENNEL or (node >= board.fresh_base and node not in (board.fresh(side), board.own_base + side)):
        return 0.0
    if board.is_lane(node):
        return 1.0
    return _OUT + WAY * way_behind(board, side, node) / board.length


def _cells_before(board: Board, cell: int) -> int:
    if not 0 < cell <= board.length:
        return 0
    return sum(1 << (cell - steps - 1) % board.length + 1 for steps in range(1, REACH + 1))


@cache
def features_for(board: Board) -> Features:
    """Return the features of a board, the same object every time."""
    return Features(board)


def describe_side(features: Features, pieces: Pieces, side: int) -> Description:
    """Describe a side's pieces on the board."""
    routes = pieces.routes
    board = features.board
    loc = pieces.loc
    zone = features.zone[side]
    own = board.pieces_of[side]
    found: Description = []
    kennel = 0
    walking: list[int] = []
    lane_base, fresh_base = board.lane_base, board.fresh_base
    lane_first = lane_base + PIECES * side
    slots = 0
    gone = features.gone[side]
    way = 0.0
    for piece in own:
        node = loc[piece]
        found.append((zone[node], 1.0))
        way += gone[node]
        if not node:
            kennel += 1
        elif lane_base <= node < fresh_base:
            slots |= 1 << (node - lane_first)
        else:
            walking.append(node)
    home = PIECES - kennel - len(walking)
    found.append((features.way, way))
    # One number for each count: the last piece home is worth more than the first one.
    found.append((features.in_kennel[kennel], 1.0))
    found.append((features.at_home[home], 1.0))
    if home and home < PIECES:
        # A piece in the lane lets nothing past: of the empty slots, those deeper than the first are only for pieces
        # inside.
        lowest = (slots & -slots).bit_length() - 1
        found.append((features.gap, float(PIECES - lowest - home)))
    if kennel and not walking:
        found.append((features.no_piece_out, 1.0))
    if features.ranked_out:
        for index, piece in enumerate(own):
            node = loc[piece]
            if node:
                at_home = lane_base <= node < fresh_base
                found.append((features.ranked_home[index] if at_home else features.ranked_out[index], 1.0))
    if walking:
        _dangers(features, pieces, routes, side, walking, found)
    return found


def _dangers(
    features: Features, pieces: Pieces, routes: Routes, side: int, walking: list[int], found: Description
) -> None:
    """Add which pieces threaten those of a side, and which pieces these threaten or block."""
    board = features.board
    loc = pieces.loc
    length = board.length
    cell = board.cell
    lane_base, fresh_base = board.lane_base, board.fresh_base
    team = board.team(side)
    gone = features.gone[side]
    wall = routes.wall
    hunters: list[int] = []
    starts: list[int] = []
    friends: list[int] = []
    for other in board.seats:
        if other == side:
            continue
        friendly = other in team
        waits = False
        for piece in board.pieces_of[other]:
            node = loc[piece]
            if not node:
                waits = True
            elif node < lane_base or node >= fresh_base:
                (friends if friendly else hunters).append(cell[node])
        if waits and not friendly:
            starts.append(board.start(other))
    risks = loss = 0.0
    chances = 0
    for node in walking:
        here = cell[node]
        if here > length:
            continue
        guarded = wall[node]
        danger = 0.0
        behind = 0
        for space in hunters:
            if space > length:
                continue
            ahead = (here - space) % length
            if ahead <= REACH:
                behind += 1
                danger += _RISK[ahead]
            else:
                ahead = length - ahead
                if ahead <= REACH:
                    chances += 1
                    if ahead == 4:
                        danger += _RISK_BACKWARD
        if guarded:
            if behind:
                found.append((features.wall_others, float(behind)))
            shut = sum(1 for space in friends if space <= length and 0 < (here - space) % length <= REACH)
            if shut:
                found.append((features.wall_partner, float(shut)))
            continue
        if here in starts:
            danger += RISK_AT_START
        if danger:
            danger = min(danger, MOST_RISK)
            risks += danger
            loss += danger * gone[node]
    if risks:
        found.append((features.risk, risks))
        found.append((features.loss, loss))
    if chances:
        found.append((features.chance, float(chances)))


def danger_of(pieces: Pieces, piece: int) -> float:
    """Return the probability, 0 to 1, that a piece on the track is taken soon, given the opponents around it."""
    routes = pieces.routes
    board = routes.board
    side = board.side_of[piece]
    node = pieces.loc[piece]
    here = board.cell[node]
    if not 0 < here <= board.length or routes.wall[node]:
        return 0.0
    danger = 0.0
    for other in board.seats:
        if other in board.team(side):
            continue
        for hunter in board.pieces_of[other]:
            where = pieces.loc[hunter]
            if not where:
                danger = max(danger, RISK_AT_START) if board.start(other) == here else danger
            elif 0 < board.cell[where] <= board.length and not board.is_lane(where):
                ahead = (here - board.cell[where]) % board.length
                danger += _RISK[ahead] if ahead <= REACH else 0.0
                danger += _RISK_BACKWARD if board.length - ahead == 4 else 0.0
    return min(danger, MOST_RISK)
