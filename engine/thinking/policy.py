"""A greedy policy: each card is played where the learnt worth of single pieces gains most; it takes microseconds.

Play-outs use it, and it tells what a card is good for on a board (`engine.thinking.exchange`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from engine.board import KENNEL, PIECES, Board
from engine.moves import card_moves, idle_possible, magnet_moves, plays, sharers, side_played, swap_pieces
from engine.pieces import Move, Pieces, Split, Swap
from engine.routes import Powers, Walk
from engine.sevens import split_by
from engine.systems import IdleSwap, Options
from engine.thinking.features import MOST_RISK, RISK, RISK_AT_START
from engine.thinking.weights import Weights

LEAST = -1e9
"""Less than any possible gain."""

_UNGUARDED = (0,) * PIECES

Parts = tuple[tuple[int, int], ...]
"""The parts of a split: piece and target."""


@cache
def _allies(board: Board) -> dict[int, frozenset[int]]:
    """For each seat, the seats that win with it."""
    return {seat: frozenset(board.team(seat)) for seat in board.seats}


@cache
def _against(board: Board) -> dict[frozenset[int], tuple[tuple[int, int], ...]]:
    """For each team, the opponents' pieces, each with the bit of the start where it comes out."""
    return {
        allies: tuple(
            (piece, 1 << board.start(side))
            for side in board.seats
            if side not in allies
            for piece in board.pieces_of[side]
        )
        for allies in _allies(board).values()
    }


class Greedy:
    """The policy for pieces that may change in place from one call to the next."""

    __slots__ = (
        "_against",
        "_before",
        "_hunters",
        "_starts",
        "allies",
        "board",
        "options",
        "pieces",
        "ranked",
        "routes",
        "weights",
    )

    def __init__(self, pieces: Pieces, options: Options, weights: Weights) -> None:
        self.pieces = pieces
        self.options = options
        self.weights = weights
        self.routes = pieces.routes
        self.board = board = pieces.routes.board
        self.allies = _allies(board)
        self.ranked = len(pieces.rank_cells) > 1
        self._against = _against(board)
        self._before = weights.features.before
        self._hunters = 0
        self._starts = 0

    def look(self, allies: frozenset[int]) -> None:
        """Note where the opponents are that could take a piece; called before each choice once pieces have moved."""
        loc = self.pieces.loc
        cell_bit = self.routes.cell_bit
        hunters = starts = 0
        for piece, start in self._against[allies]:
            node = loc[piece]
            if node:
                hunters |= cell_bit[node]
            else:
                starts |= start
        self._hunters = hunters
        self._starts = starts

    def exposed(self, piece: int, node: int) -> float:
        """What a piece at this node stands to lose, as of the last `look`."""
        here = self.board.cell[node]
        near = self._hunters & self._before[here]
        at_start = self._starts >> here & 1
        if not (near or at_start) or self.routes.wall[node]:
            return 0.0
        row = self.weights.table[piece]
        risk = RISK * near.bit_count() + (RISK_AT_START if at_start else 0.0)
        return (risk if risk < MOST_RISK else MOST_RISK) * (row[node] - row[KENNEL])

    def choose(self, seat: int, hand: Sequence[str], last: str | None) -> tuple[str, str, Move] | None:
        """The play with the greatest gain less the worth of its card: card, what it stands for, move; or None."""
        pieces = self.pieces
        side = side_played(pieces, seat)
        allies = self.allies[seat]
        self.look(allies)
        costs = self.weights.cost
        stay = len(hand) > 1
        best: tuple[str, str, Move] | None = None
        most = LEAST
        shared: tuple[float, str, Parts] | None = None
        later: list[tuple[str, Powers]] = []
        stands_for = self.routes.stands_for
        for card in dict.fromkeys(hand) if stay else hand:
            price = costs[card] if stay else 0.0
            named = stands_for[card]
            if named is None:
                named = (stands_for[last] or ()) if last is not None else ()
            for powers in named:
                if powers.split:
                    later.append((card, powers))
                    if len(named) == 1:
                        found = self.seven(side, allies, powers.split)
                        if found is not None:
                            shared = (found[0] - price, card, found[1])
                    continue
                gain, move = self.best(powers, seat, side, allies)
                if gain - price > most and move is not None:
                    most, best = gain - price, (card, powers.card.id, move)
        if shared is not None and shared[0] > most:
            split = self._ordered(seat, self.routes.powers[shared[1]].split, shared[2])
            if split is not None:
                return shared[1], shared[1], split
        if best is None and later:
            best = self._whole_search(seat, later, allies)
        if best is None and self.board.system.swap.idle is not IdleSwap.NEVER and idle_possible(pieces, side):
            play = next(plays(pieces, seat, hand, last, self.options), None)
            if play is not None:
                best = (play.card, play.named, play.move)
        return best

    def gain(self, piece: int, target: int, allies: frozenset[int]) -> float:
        """What a piece's way to a node gains for the allies, including the pieces it sends home along the way."""
        table = self.weights.table
        pieces = self.pieces
        loc = pieces.loc
        row = table[piece]
        gain = row[target] - row[loc[piece]] + self.exposed(piece, loc[piece]) - self.exposed(piece, target)
        taken = pieces.occ[self.board.cell[target]]
        if taken >= 0 and taken != piece:
            lost = table[taken][loc[taken]] - table[taken][KENNEL]
            gain += -lost if self.board.side_of[taken] in allies else lost
        return gain

    def best(self, powers: Powers, seat: int, side: int, allies: frozenset[int]) -> tuple[float, Move | None]:
        """The best move of a card that does not split."""
        most = LEAST
        best: Move | None = None
        pieces = self.pieces
        if powers.rows is not None:
            walls = pieces.walls
            loc = pieces.loc
            rows = powers.rows
            table = self.weights.table
            occ = pieces.occ
            cell = self.board.cell
            side_of = self.board.side_of
            walks = self.routes.walks
            exposed, hunters, starts, before = self.exposed, self._hunters, self._starts, self._before
            guards: Sequence[int] = pieces.guards() if self.ranked else _UNGUARDED
            piece = PIECES * side - 1
            in_kennel = False
            for guard in guards:
                piece += 1
                node = loc[piece]
                if not node and not self.ranked:
                    if in_kennel:
                        continue
                    in_kennel = True
                ways = rows[piece][node]
                if not ways:
                    continue
                row = table[piece]
                here = row[node] - exposed(piece, node)
                for target, stops, ranks in ways:
                    if walls & stops or guard & ranks:
                        continue
                    gain = row[target] - here
                    space = cell[target]
                    if hunters & before[space] or starts >> space & 1:
                        gain -= exposed(piece, target)
                    taken = occ[space]
                    if taken >= 0:
                        lost = table[taken][loc[taken]] - table[taken][0]
                        gain += -lost if side_of[taken] in allies else lost
                    if gain > most:
                        most = gain
                        best = walks[piece][target]
        elif powers.swap:
            most, best = self._swap(seat, allies)
        elif powers.magnet:
            for move in magnet_moves(pieces, side):
                gain = self.gain(move.piece, move.target, allies) if isinstance(move, Walk) else 0.0
                if gain > most:
                    most, best = gain, move
        return most, best

    def _swap(self, seat: int, allies: frozenset[int]) -> tuple[float, Move | None]:
        pieces = self.pieces
        board = self.board
        table = self.weights.table
        loc = pieces.loc
        own, others = swap_pieces(pieces, seat)
        most = LEAST
        best: tuple[int, int] | None = None
        for piece in own:
            mine = loc[piece]
            row = table[piece]
            side = board.side_of[piece]
            for other in others:
                theirs = loc[other]
                his = table[other]
                gain = row[board.foreign(side, theirs)] - row[mine]
                lost = his[theirs] - his[board.foreign(board.side_of[other], mine)]
                gain += -lost if board.side_of[other] in allies else lost
                if gain > most:
                    most, best = gain, (piece, other)
        return most, None if best is None else Swap(*best)

    def seven(self, side: int, allies: frozenset[int], points: int) -> tuple[float, Parts] | None:
        """A good way to share points among own pieces: the gain, and the parts.

        Each piece is considered by itself, so the parts may get in each other's way. None if nothing is found.
        """
        pieces = self.pieces
        loc = pieces.loc
        occ = pieces.occ
        walls = pieces.walls
        table = self.weights.table
        cell_bit = self.routes.cell_bit
        side_of = self.board.side_of
        rule = self.routes.system.seven
        assert rule is not None
        takes = rule.takes_at_end
        split_rows = self.routes.split_rows[side]
        occupied = 0
        for node in loc:
            if node > KENNEL:
                occupied |= cell_bit[node]
        # best[p]: the greatest gain of p points among the pieces so far, and the parts that give it.
        best: list[tuple[float, Parts] | None] = [None] * (points + 1)
        best[0] = (0.0, ())
        for piece in self.board.pieces_of[side]:
            node = loc[piece]
            if not node:
                continue
            row = table[piece]
            here = row[node] - self.exposed(piece, node)
            others = occupied & ~cell_bit[node]
            options: list[tuple[int, float, int]] = []
            count = -1
            for ways in split_rows[node][: points + 1]:
                count += 1
                top = LEAST
                end = -1
                for target, stops, passed, lands, _ in ways:
                    if walls & stops:
                        continue
                    gain = row[target] - self.exposed(piece, target) - here
                    hit = (passed | lands) & others
                    if hit:
                        if hit & lands and not takes:
                            continue
                        while hit:
                            bit = hit & -hit
                            hit ^= bit
                            taken = occ[bit.bit_length() - 1]
                            lost = table[taken][loc[taken]] - table[taken][0]
                            gain += -lost if side_of[taken] in allies else lost
                    if gain > top:
                        top, end = gain, target
                if end >= 0:
                    options.append((count, top, end))
            if not options:
                continue
            before = best[:]
            for count, gain, end in options:
                for already in range(points - count + 1):
                    reached = before[already]
                    if reached is None:
                        continue
                    total = reached[0] + gain
                    now = best[already + count]
                    if now is None or total > now[0]:
                        best[already + count] = (total, (*reached[1], (piece, end)))
        return best[points]

    def _ordered(self, seat: int, points: int, parts: Parts) -> Split | None:
        """The parts as a legal split, in this order or the reverse."""
        rule = self.routes.system.seven
        assert rule is not None
        among = sharers(self.pieces, seat, self.options)
        for order in (parts, parts[::-1]) if len(parts) > 1 else (parts,):
            tests = [_is_part(piece, end) for piece, end in order]
            found = split_by(self.pieces, points, rule, among, tests)
            if found is not None:
                return found
        return None

    def _whole_search(
        self, seat: int, later: Sequence[tuple[str, Powers]], allies: frozenset[int]
    ) -> tuple[str, str, Move] | None:
        """The best of the remaining cards, looking at every way to play them."""
        best: tuple[str, str, Move] | None = None
        most = LEAST
        for card, powers in later:
            for move in card_moves(self.pieces, powers, seat, self.options):
                gain = self.gain_of(move, allies)
                if gain > most:
                    most, best = gain, (card, powers.card.id, move)
        return best

    def gain_of(self, move: Move, allies: frozenset[int]) -> float:
        """The gain of a move by the worth of single pieces."""
        return change_gain(self.pieces, self.weights, self.pieces.change(move), allies)


def change_gain(pieces: Pieces, weights: Weights, change: int, allies: frozenset[int]) -> float:
    """The gain when these placement bits change, by the worth of single pieces."""
    placement = pieces.bits()
    board = pieces.routes.board
    nodes = board.nodes
    ranked = bool(board.system.ranks)
    table = weights.table
    total = 0.0
    while change:
        bit = change & -change
        change ^= bit
        kind, node = divmod(bit.bit_length() - 1, nodes)
        piece = kind if ranked else PIECES * kind
        worth = table[piece][node] - table[piece][KENNEL]
        if board.side_of[piece] not in allies:
            worth = -worth
        total += -worth if bit & placement else worth
    return total


def _is_part(piece: int, end: int) -> Callable[[int, int], bool]:
    return lambda moved, target: moved == piece and target == end
