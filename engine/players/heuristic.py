"""A player that looks one action ahead and weighs the placement that results.

Each piece has a value that depends on where it stands: the way behind it, less what it stands to lose to the pieces
that follow it. A side's own pieces count in full, a partner's nearly so, opponents' against. Cards have a value too, so
that those which bring pieces out are not wasted on small steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from engine.hidden.knowledge import Knowledge
from engine.rules.actions import ActionKind
from engine.rules.board import KENNEL, PIECES, Board
from engine.rules.cards import Backward, Card, Magnet, Push, Rob, Split, Swap, Sweep
from engine.rules.definition import StuckRule
from engine.rules.describe import draws
from engine.rules.moves import Play, plays, sides_played
from engine.rules.pieces import Pieces, RobMove
from engine.rules.resolved import Resolved
from engine.rules.routes import Routes
from engine.rules.state import RoundStage

_OUT = 20.0
"""The value of being out of the kennel at all."""
LAP = 45.0
"""The value of a whole lap on top of that."""
_HOME = 80.0
"""The value of slot `a`; deeper slots are worth a little more, so that no piece is shut out."""
_DEEPER = 4.0
_NEAR = 5.0
"""The value of being one card away from the lane."""
_WIN = 10_000.0
_DRAW = 6.0
_ROB = 4.0
"""The value of costing an opponent a card."""
_PARTNER = 0.95
_AGAINST = 0.7
_CERTAIN = 0.85
"""No danger is greater than this."""
BEHIND = dict(enumerate((0.12, 0.1, 0.1, 0.12, 0.1, 0.1, 0.1, 0.08, 0.08, 0.08, 0.1, 0.08, 0.12), start=1))
"""The probability of being taken by a piece this many spaces behind."""
_AHEAD_BY_FOUR = 0.06
_AT_THEIR_START = 0.25


def play(known: Knowledge, rng: Random) -> Resolved:
    """Choose the action that looks best; `rng` decides between equals."""
    if known.stage == RoundStage.TURN:
        best = best_play(known, rng)
        if best is not None:
            return Resolved(ActionKind.PLAY, best)
        known.note_stuck()
        if known.board.stuck is StuckRule.FOLD:
            return Resolved(ActionKind.FOLD)
        return Resolved(ActionKind.DISCARD, _least(known))
    asked = known.asked
    if ActionKind.DISCARD in asked:
        return Resolved(ActionKind.DISCARD, _least(known))
    if asked == (ActionKind.GIVE,):
        return Resolved(ActionKind.GIVE, _gift(known))
    if ActionKind.ASK in asked:
        if needs_out(known.pieces, known.seat) and not _brings_out(known):
            return Resolved(ActionKind.ASK, _least(known))
        return Resolved(ActionKind.NONE)
    if ActionKind.DECLINE in asked:
        spare = _spare_out(known)
        return Resolved(ActionKind.DECLINE) if spare is None else Resolved(ActionKind.GIVE, spare)
    if ActionKind.PLACE in asked:
        ranks = known.board.system.ranks
        first = max(range(len(ranks)), key=lambda index: (ranks[index].longest is None, ranks[index].order))
        return Resolved(ActionKind.PLACE, first)
    return Resolved(ActionKind.JUMP if _jump_gains(known) else ActionKind.STAY)


# -- cards


def card_worth(card: Card) -> float:
    """Return the value of keeping a card for later."""
    if card.wild:
        return 12.0
    if card.brings_out:
        return 7.0
    if any(isinstance(power, Split) for power in card.powers):
        return 5.0
    if any(isinstance(power, Sweep | Rob) for power in card.powers):
        return 4.5
    if any(isinstance(power, Backward) for power in card.powers):
        return 4.0
    return 3.0 if any(isinstance(power, Swap | Magnet | Push) for power in card.powers) or card.copies else 2.0


def _least(known: Knowledge) -> str:
    """Return the card in the hand that is worth least."""
    cards = known.board.system.cards
    return min(known.hand, key=lambda card: (card_worth(cards[card]), card))


def _brings_out(known: Knowledge) -> list[str]:
    """Return the cards in the hand that can bring a piece out, the least useful otherwise first."""
    cards = known.board.system.cards
    found = [card for card in known.hand if cards[card].brings_out]
    return sorted(found, key=lambda card: (card_worth(cards[card]), card))


def needs_out(pieces: Pieces, seat: int) -> bool:
    """Return True if a seat has a piece in the kennel and no piece that could walk."""
    board = pieces.routes.board
    nodes = [pieces.loc[piece] for side in sides_played(pieces, seat) for piece in board.pieces_of[side]]
    return KENNEL in nodes and not any(board.is_loop(node) for node in nodes)


def _spare_out(known: Knowledge) -> str | None:
    """Return a card that brings pieces out and that this seat can spare, or None."""
    found = _brings_out(known)
    needed = 1 if needs_out(known.pieces, known.seat) else 0
    return found[0] if len(found) > needed else None


def _gift(known: Knowledge) -> str:
    """Return the card to give: one that helps a partner out of the kennel, else the least valuable."""
    taker = known.board.taker(known.seat)
    if taker in known.board.partners(known.seat) and needs_out(known.pieces, taker):
        spare = _spare_out(known)
        if spare is not None:
            return spare
    return _least(known)


# -- placements


def best_play(known: Knowledge, rng: Random) -> Play | None:
    """Return the play that leaves the best board and hand, or None if no card can be played."""
    pieces = known.pieces
    hand = known.hand
    judge = Judge(pieces, known.seat)
    cards = known.board.system.cards
    keeping = {card: 0.0 if len(hand) == 1 else card_worth(cards[card]) for card in hand}
    best: list[Play] = []
    most = 0.0
    for candidate in plays(pieces, known.seat, hand, known.last_card, known.victim):
        worth = judge.gain(pieces.change(candidate.move)) - keeping[candidate.card]
        if known.routes.powers[candidate.named].draws and draws(pieces, candidate):
            worth += _DRAW
        elif type(candidate.move) is RobMove:
            worth += _ROB
        if not best or worth > most:
            best, most = [candidate], worth
        elif worth == most:
            best.append(candidate)
    if len(best) > 1:
        return best[int(rng.random() * len(best))]
    return best[0] if best else None


def _jump_gains(known: Knowledge) -> bool:
    assert known.jumper is not None
    piece, target = known.jumper
    pieces = known.pieces
    bits = pieces.routes.placement_bit[piece]
    return Judge(pieces, known.seat).gain(bits[pieces.loc[piece]] ^ bits[target]) > 0


class Judge:
    """A judge of changes of a placement for one seat; values are computed when first needed and kept for the turn."""

    def __init__(self, pieces: Pieces, seat: int) -> None:
        routes = pieces.routes
        board = routes.board
        self.pieces = pieces
        self.board = board
        self.team = board.team(seat)
        self.seat = seat
        self.placement = pieces.bits()
        self.danger = {True: self._danger(True), False: self._danger(False)}
        self.lanes = _lane_bits(routes, self.team)
        self.wanted = PIECES * len(self.team)
        self.weights: dict[int, float] = {}

    def gain(self, change: int) -> float:
        """Return how much better the placement gets for the seat when these bits of it change."""
        placement = self.placement
        weights = self.weights
        if ((placement ^ change) & self.lanes).bit_count() == self.wanted:
            return _WIN
        total = 0.0
        while change:
            bit = change & -change
            change ^= bit
            weight = weights.get(bit)
            if weight is None:
                weight = weights[bit] = self._weigh(bit)
            total += -weight if bit & placement else weight
        return total

    def _weigh(self, bit: int) -> float:
        """Return what a piece on the node of this bit counts for the seat."""
        kind, node = divmod(bit.bit_length() - 1, self.board.nodes)
        side = self.board.side_of[kind] if self.board.system.ranks else kind
        own = side in self.team
        worth = progress(self.board, side, node)
        if not self.board.is_lane(node) and not self.pieces.routes.wall[node]:
            worth *= 1.0 - self.danger[own].get(self.board.cell[node], 0.0)
        if side == self.seat:
            return worth
        return worth * _PARTNER if own else -worth * _AGAINST

    def _danger(self, own: bool) -> dict[int, float]:
        """Return how likely pieces of the own team (or of the others) are to be taken, by cell of the board.

        Between two teams, each hunts the other's pieces. Where there are more teams, every side counts as hunting the
        own team's pieces, its own and its partner's too, so that pieces keep apart: leaving those out plays worse.
        """
        board = self.board
        pieces = self.pieces
        found: dict[int, float] = {}
        for side in board.seats:
            if (side in self.team) is own and len(board.teams) == 2:
                continue
            if not own and side not in self.team:
                continue
            for node in (pieces.loc[piece] for piece in board.pieces_of[side]):
                if node == KENNEL:
                    start = board.start(side)
                    found[start] = max(found.get(start, 0.0), _AT_THEIR_START)
                elif board.is_loop(node) and board.cell[node] <= board.length:
                    _spread(board, board.cell[node], found)
        return {cell: min(risk, _CERTAIN) for cell, risk in found.items()}


def _spread(board: Board, space: int, found: dict[int, float]) -> None:
    for ahead, risk in BEHIND.items():
        cell = (space + ahead - 1) % board.length + 1
        found[cell] = found.get(cell, 0.0) + risk
    back = (space - 5) % board.length + 1
    found[back] = found.get(back, 0.0) + _AHEAD_BY_FOUR


def _lane_bits(routes: Routes, team: Iterable[int]) -> int:
    """Return the placement bits of all pieces of a team in their lanes."""
    bits = 0
    for side in team:
        for piece in routes.board.pieces_of[side]:
            for slot in range(PIECES):
                bits |= routes.placement_bit[piece][routes.board.lane(side, slot)]
    return bits


def progress(board: Board, side: int, node: int) -> float:
    """Return what a piece has gained by being there, in points; 0 in the kennel."""
    if node == KENNEL:
        return 0.0
    if board.is_lane(node):
        return _HOME + _DEEPER * (node - board.lane(side, 0))
    way = way_behind(board, side, node)
    near = _NEAR if way >= board.length - 12 else 0.0
    return _OUT + LAP * way / board.length + near


def way_behind(board: Board, side: int, node: int) -> int:
    """Return how many spaces of its lap lie behind a piece on the track or an inner path."""
    start, length = board.start(side), board.length
    if node == board.own(side, start):
        # Where standing on the start is as good as having come round to it, the lap is complete.
        done = board.system.enter_standing and board.branch(side) == start
        return length if done else 0
    space = board.cell[node]
    if node < board.lane_base and node > length:
        for path in board.paths:
            index = node - board.path_first[path.name]
            if 0 <= index < path.spaces:
                return max(0, (path.rejoins - start) % length - (path.spaces - index))
    return (space - start) % length
