"""The exchange: gifts, calls for help and answers, judged by what each card could do on the board (section 3)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.players.gains import LEAST
from engine.players.heuristic import needs_out
from engine.players.policy import Greedy
from engine.players.splitting import share_seven
from engine.rules.board import KENNEL
from engine.rules.moves import sides_played, stands_for
from engine.rules.pieces import Pieces

_FIRST_USE = 0.5
"""The share of a card's immediate gain that counts: others may be played first, and the board changes."""
_MOST_USE = 1.5
_WILD_USE = 1.0
_OUT = 0.5
"""The value of coming out for a seat that has no piece to walk with, in the unit of the weights."""
_OTHERS_CARE = 0.5
"""The weight of an opponent's gain where the card goes to an opponent."""


def playing_gain(policy: Greedy, seat: int, card: str) -> float:
    """Return what a card would gain for a seat if it were played now; 0 if nothing."""
    named = stands_for(policy.routes, card, None)
    if len(named) > 1:
        # A card that is named when played will always find a use.
        return _WILD_USE
    policy.look(policy.allies[seat])
    most = LEAST
    for powers in named:
        if powers.split:
            found = share_seven(policy, seat, powers)
            most = max(most, found[0] if found else LEAST)
        else:
            most = max(most, policy.best(powers, seat, policy.allies[seat])[0])
    return min(max(most, 0.0), _MOST_USE)


def worths_of_giving(policy: Greedy, seat: int, hand: Sequence[str], taker: int) -> dict[str, float]:
    """Return for each card of a hand what giving it to another seat is worth to the giver's team."""
    pieces = policy.pieces
    cards = policy.board.system.cards
    cost = policy.weights.cost
    friend = taker in policy.allies[seat]
    ways_out = sum(cards[card].brings_out for card in hand)
    own_need = _OUT if needs_out(pieces, seat) else _OUT / 4 if can_come_out(pieces, seat) else 0.0
    their_need = _OUT if needs_out(pieces, taker) else _OUT / 4 if can_come_out(pieces, taker) else 0.0
    found: dict[str, float] = {}
    for card in hand:
        if card in found:
            continue
        brings_out = cards[card].brings_out
        lost = cost[card] + _FIRST_USE * playing_gain(policy, seat, card) * (1.0 if hand.count(card) == 1 else 0.5)
        if brings_out and ways_out == 1:
            lost += own_need
        won = cost[card] + _FIRST_USE * playing_gain(policy, taker, card) + (their_need if brings_out else 0.0)
        found[card] = (won if friend else -_OTHERS_CARE * won) - lost
    return found


def can_come_out(pieces: Pieces, seat: int) -> bool:
    """Return True if a seat has a piece to bring out of the kennel."""
    pieces_of = pieces.routes.board.pieces_of
    return any(pieces.loc[piece] == KENNEL for side in sides_played(pieces, seat) for piece in pieces_of[side])


def gift(policy: Greedy, seat: int, hand: Sequence[str], taker: int) -> str:
    """Return the card to give."""
    worths = worths_of_giving(policy, seat, hand, taker)
    return max(worths, key=lambda card: (worths[card], card))


def calls_for_help(policy: Greedy, seat: int, hand: Sequence[str]) -> bool:
    """Return True if a seat should call for help: no piece to walk with, and no card to come out with."""
    cards = policy.board.system.cards
    return needs_out(policy.pieces, seat) and not any(cards[card].brings_out for card in hand)


def answer(policy: Greedy, seat: int, hand: Sequence[str], partner: int) -> str | None:
    """Return the card to answer a call for help with; None to decline: only a card that brings a piece out helps."""
    cards = policy.board.system.cards
    ways_out = [card for card in hand if cards[card].brings_out]
    if not ways_out or (len(ways_out) == 1 and needs_out(policy.pieces, seat)):
        return None
    worths = worths_of_giving(policy, seat, hand, partner)
    return max(ways_out, key=lambda card: (worths[card], card))
