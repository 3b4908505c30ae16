"""Rating single positions for other programs: `python -m engine best`, one line of JSON per position.

A position holds the seat's own hand and the public facts. Left out, the other hands are taken to be as large as the
seat's, and no cards to lie open. The hidden cards are dealt at random for every world that is tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from engine.errors import PositionError
from engine.hidden.knowledge import Knowledge
from engine.players.best import STRONG, Rated, rate
from engine.players.search import Effort
from engine.position import Position, parse_position, read_cards
from engine.rules.board import Board
from engine.rules.definition import StuckRule
from engine.rules.moves import winners
from engine.rules.pieces import Pieces
from engine.rules.piles import Dealt, Drew
from engine.rules.routes import routes_for
from engine.rules.shuffle import SEED_BYTES
from engine.rules.state import GameState, RoundStage

_MOST_CARDS = 40


def knowledge_of(position: Position, sizes: Mapping[int, int], open_cards: tuple[str, ...], starter: int) -> Knowledge:
    """Return what the seat of a position knows at its turn.

    Args:
        sizes: how many cards each of the other seats holds.
        open_cards: the cards that lie open, including those of this round.
        starter: the seat that began the round.

    Raises:
        PositionError: there are not enough cards for this, or the game is over.
    """
    position.check()
    board = position.board
    hidden = Counter(board.deck)
    hidden.subtract((*position.hand, *open_cards))
    short = sorted(card for card, count in hidden.items() if count < 0)
    if short:
        raise PositionError("hand", f"there are not so many {short[0]} in {board.system.id}")
    if hidden.total() < sum(sizes.values()):
        raise PositionError("hands", "are more cards than there are")
    if not position.hand:
        raise PositionError("hand", "is empty")
    pieces = Pieces.at(routes_for(board), position.nodes())
    if winners(pieces):
        raise PositionError("pieces", "stand where the game is over")
    state = GameState.begin(pieces.routes, bytes(SEED_BYTES))
    state.events = None
    state.pieces = pieces
    state.stage = RoundStage.TURN
    state.turn = position.seat
    state.starter = starter
    state.undeclared.clear()
    state.since = {position.seat: 0}
    state.last_card = position.last
    state.cards.hands = [[] for _ in range(board.sides)]
    state.cards.hands[position.seat] = list(position.hand)
    state.cards.deck = []
    state.cards.discards = list(open_cards)
    state.came = [[] for _ in range(board.sides)]
    state.came[position.seat] = list(position.hand)
    drawn = [Drew(position.seat)] * len(position.hand)
    for seat, size in sizes.items():
        drawn += [Drew(seat)] * size
    state.record = [Dealt(open_cards, starter, 0), *drawn]
    state.out = {seat for seat in board.seats if board.stuck is StuckRule.FOLD and sizes.get(seat) == 0}
    shown = [len(position.hand) if side == position.seat else sizes.get(side, 0) for side in range(board.sides)]
    return Knowledge.of_state(state, position.seat, shown)


def parse_situation(data: object) -> Knowledge:
    """Read the input of `python -m engine best`: a position and, if known, `hands`, `open` and `starter`.

    Raises PositionError, naming the field.
    """
    if not isinstance(data, Mapping):
        raise PositionError("position", "must be an object")
    rest = dict(data)
    sizes, open_cards, starter = rest.pop("hands", None), rest.pop("open", ()), rest.pop("starter", None)
    position = parse_position(rest)
    board = position.board
    shown = read_cards(position.system, "open", open_cards)
    begins = position.seat if starter is None else _seat(board, starter)
    return knowledge_of(position, _sizes(board, position, sizes), shown, begins)


def _seat(board: Board, seat: object) -> int:
    if isinstance(seat, bool) or not isinstance(seat, int) or seat not in board.seats:
        raise PositionError("starter", f"must be one of {', '.join(map(str, board.seats))}")
    return seat


def _sizes(board: Board, position: Position, data: object) -> dict[int, int]:
    others = [seat for seat in board.seats if seat != position.seat]
    if data is None:
        return dict.fromkeys(others, len(position.hand))
    if not isinstance(data, Mapping) or set(data) - {str(seat) for seat in board.seats}:
        raise PositionError("hands", "must be how many cards each seat holds")
    own = data.get(str(position.seat), len(position.hand))
    if isinstance(own, bool) or own != len(position.hand):
        raise PositionError(f"hands.{position.seat}", "must be left out, or agree with the hand")
    sizes = {}
    for seat in others:
        size = data.get(str(seat), len(position.hand))
        if isinstance(size, bool) or not isinstance(size, int) or not 0 <= size <= _MOST_CARDS:
            raise PositionError(f"hands.{seat}", "must be a number of cards")
        sizes[seat] = size
    return sizes


def rated_to_json(rated: Rated) -> dict[str, Any]:
    """Return a rated action as it is printed: chances from 0 to 1, to four places."""
    return {
        "text": str(rated.action),
        "value": round(rated.value, 4),
        "low": round(rated.low, 4),
        "high": round(rated.high, 4),
        "worlds": rated.worlds,
        "behind": round(rated.behind, 4),
        "behind_low": round(rated.behind_low, 4),
        "behind_high": round(rated.behind_high, 4),
    }


def best_actions(data: object, seed: int = 1, effort: Effort = STRONG) -> dict[str, Any]:
    """Return the best actions of a position, rated, best first, both as JSON; raises PositionError."""
    return {"best": [rated_to_json(rated) for rated in rate(parse_situation(data), Random(seed), effort)]}
