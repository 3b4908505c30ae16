"""A greedy policy: each card is played where the worth of single pieces gains most; it takes microseconds.

Play-outs use it, and it tells what a card is good for on a board (`engine.players.exchange`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.players.gains import LEAST, WIN, Gains, change_gain
from engine.players.splitting import best_split
from engine.rules.board import PIECES
from engine.rules.definition import IdleSwap
from engine.rules.moves import (
    can_idle,
    card_moves,
    magnet_moves,
    plays,
    push_moves,
    sides_played,
    swap_pieces,
    sweep_moves,
)
from engine.rules.pieces import Move, RobMove, SwapMove, SweepMove
from engine.rules.routes import Powers, Walk

_UNGUARDED = (0,) * PIECES


class Greedy(Gains):
    """The policy for pieces that may change in place from one call to the next."""

    def choose(
        self, seat: int, hand: Sequence[str], last: str | None, victim: int | None = None
    ) -> tuple[str, str, Move] | None:
        """Return the play with the greatest gain less the worth of its card: card, what it stands for, move; or None.

        Args:
            victim: the seat that a card would cost a card, if any.
        """
        pieces = self.pieces
        allies = self.allies[seat]
        self.look(allies)
        costs = self.weights.cost
        stay = len(hand) > 1
        best: tuple[str, str, Move] | None = None
        most = LEAST
        later: list[tuple[float, str, Powers]] = []
        stands_for = self.routes.stands_for
        for card in dict.fromkeys(hand) if stay else hand:
            price = costs[card] if stay else 0.0
            named = stands_for[card]
            if named is None:
                named = (stands_for[last] or ()) if last is not None else ()
            for powers in named:
                if powers.split:
                    later.append((price, card, powers))
                    continue
                gain, move = self.best(powers, seat, allies)
                if powers.robs is not None and victim is not None and gain < self.weights.any_card:
                    gain, move = self.weights.any_card, RobMove(victim)
                if gain - price > most and move is not None:
                    most, best = gain - price, (card, powers.card.id, move)
        if later:
            price, card, powers = min(later, key=_price)
            split = best_split(self, seat, powers, most + price)
            if split is not None:
                return card, powers.card.id, split
        if best is None and later:
            best = self._whole_search(seat, later, allies)
        if best is None and self.board.system.swap.idle is not IdleSwap.NEVER and can_idle(pieces, seat):
            play = next(plays(pieces, seat, hand, last, victim), None)
            if play is not None:
                best = (play.card, play.named, play.move)
        return best

    def best(self, powers: Powers, seat: int, allies: frozenset[int]) -> tuple[float, Move | None]:
        """Return the best move of a card that does not split, and its gain."""
        most = LEAST
        best: Move | None = None
        pieces = self.pieces
        for side in sides_played(pieces, seat) if powers.rows is not None else ():
            assert powers.rows is not None
            walls = pieces.walls
            loc = pieces.loc
            rows = powers.rows
            table = self.weights.table
            occ = pieces.occ
            cell = self.board.cell
            side_of = self.board.side_of
            walks = self.routes.walks
            exposure, hunters, starts, before = self.exposure, self.hunters, self.starts, self.before
            rival = self.rival
            last, lane_base, fresh_base = self.last_piece, self.board.lane_base, self.board.fresh_base
            guards: Sequence[int] = pieces.guards(side, seat) if self.guarded else _UNGUARDED
            shut = not powers.finishes and pieces.in_lane[side] == PIECES - 1
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
                here = row[node] - exposure(piece, node)
                for target, stops, ranks in ways:
                    if walls & stops or guard & ranks:
                        continue
                    if shut and lane_base <= target < fresh_base and not lane_base <= node < fresh_base:
                        continue
                    gain = row[target] - here
                    space = cell[target]
                    if hunters & before[space] or starts >> space & 1:
                        gain -= exposure(piece, target)
                    taken = occ[space]
                    if taken >= 0:
                        lost = table[taken][loc[taken]] - table[taken][0]
                        gain += -lost if side_of[taken] in allies else lost * rival
                    if last and lane_base <= target < fresh_base and not lane_base <= node < fresh_base:
                        gain += WIN
                    if gain > most:
                        most = gain
                        best = walks[piece][target]
        if powers.swap:
            gain, swap = self._swap(seat, allies)
            if gain > most:
                most, best = gain, swap
        if powers.magnet or powers.sweeps is not None or powers.pushes is not None:
            for move in self._rarer(powers, seat):
                gain = self._gain_of_rarer(move, allies)
                if gain > most:
                    most, best = gain, move
        return most, best

    def _rarer(self, powers: Powers, seat: int) -> Iterator[Move]:
        """Yield the moves of a card that are neither steps nor swaps."""
        pieces = self.pieces
        for side in sides_played(pieces, seat):
            if powers.magnet:
                yield from magnet_moves(pieces, side)
            if powers.sweeps is not None:
                yield from sweep_moves(pieces, powers, side, seat)
        if powers.pushes is not None:
            yield from push_moves(pieces, powers, seat)

    def _gain_of_rarer(self, move: Move, allies: frozenset[int]) -> float:
        if isinstance(move, Walk) and self.board.side_of[move.piece] in allies:
            return self.gain(move.piece, move.target, allies)
        home = isinstance(move, SweepMove) and self.last_piece and self.board.is_lane(move.target)
        return self.gain_of(move, allies) + (WIN if home else 0.0)

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
            here = row[mine] - self.exposure(piece, mine)
            for other in others:
                theirs = loc[other]
                his = table[other]
                node = board.foreign(side, theirs)
                gain = row[node] - self.exposure(piece, node) - here
                lost = his[theirs] - his[board.foreign(board.side_of[other], mine)]
                gain += -lost if board.side_of[other] in allies else lost * self.rival
                if gain > most:
                    most, best = gain, (piece, other)
        return most, None if best is None else SwapMove(*best)

    def _whole_search(
        self, seat: int, later: Sequence[tuple[float, str, Powers]], allies: frozenset[int]
    ) -> tuple[str, str, Move] | None:
        """Return the best play of the remaining cards, looking at every way to play them."""
        best: tuple[str, str, Move] | None = None
        most = LEAST
        for _, card, powers in later:
            for move in card_moves(self.pieces, powers, seat, None):
                gain = self.gain_of(move, allies)
                if gain > most:
                    most, best = gain, (card, powers.card.id, move)
        return best

    def gain_of(self, move: Move, allies: frozenset[int]) -> float:
        """Return the gain of a move by the worth of single pieces."""
        return change_gain(self.pieces, self.weights, self.pieces.change(move), allies)


def _price(choice: tuple[float, str, Powers]) -> float:
    return choice[0]
