"""Games that begin in the middle: a position with hands, at a seat's turn or in the exchange.

Such a game has no log to replay: lessons, puzzles and tests use it to show what a position allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.game import Game
from engine.position import Position
from engine.rules.pieces import Pieces
from engine.rules.routes import routes_for
from engine.rules.state import RoundStage

SEED = bytes(range(32))
"""The seed of such games; their draw pile does not follow from it."""


def stage(position: Position, hands: Mapping[int, Sequence[str]] | None = None, *, exchanging: bool = False) -> Game:
    """Return a game at this position, at its seat's turn, with these `hands` of other seats, or empty ones.

    With `exchanging` the others hold the cards they were dealt, and all seats have yet to give a card or to declare.
    Raises PositionError: the position is malformed.
    """
    position.check()
    game = Game.new(position.system, position.players, SEED, position.options)
    state = game.state.copy()
    state.pieces = Pieces.at(routes_for(game.board), position.nodes())
    others = state.cards.hands if exchanging else [[] for _ in state.cards.hands]
    state.cards.hands = [list((hands or {}).get(side, cards)) for side, cards in enumerate(others)]
    state.cards.hands[position.seat] = list(position.hand)
    left = Counter(game.board.deck) - Counter(card for hand in state.cards.hands for card in hand)
    state.cards.deck, state.cards.discards = sorted(left.elements()), []
    state.turn = state.starter = position.seat
    state.last_card = position.last
    state.dealt = len(position.hand)
    if exchanging:
        state.undeclared = set(game.seats)
        state.since = dict.fromkeys(game.seats, 0)
    else:
        state.stage = RoundStage.TURN
        state.undeclared = set()
        state.since = {position.seat: 0}
    return Game(state, position.players, SEED, (), game.history(0)[0])
