"""The value of a placement: the chance to win of each team, by the learnt weights."""

from __future__ import annotations

from collections.abc import Sequence

from engine.players.features import Description, Features, describe_side
from engine.players.weights import Weights, shares
from engine.rules.board import KENNEL, PIECES
from engine.rules.moves import sides_played, stands_for
from engine.rules.pieces import Pieces


def round_chances(pieces: Pieces, weights: Weights, starter: int) -> list[float]:
    """Return the chance of each team to win between two rounds, when `starter` begins the next one."""
    board = pieces.routes.board
    features = weights.features
    by_number = weights.round
    order = {seat: number for number, seat in enumerate(board.turns[starter])}
    worths = []
    for team in board.teams:
        worth = 0.0
        for side in team:
            worth += by_number[features.order[order[side]]]
            for number, value in describe_side(features, pieces, side):
                worth += by_number[number] * value
        worths.append(worth)
    return shares(worths)


def describe_turn(
    features: Features, pieces: Pieces, seat: int, hand: Sequence[str], last: str | None, sizes: Sequence[int]
) -> Description:
    """Describe the hand of a seat that has just played: its cards and what they could do, and others' `sizes`."""
    routes = pieces.routes
    board = routes.board
    found: Description = []
    partners = board.partners(seat)
    for other in board.seats:
        if other == seat or not sizes[other]:
            continue
        found.append((features.partner_holds if other in partners else features.others_hold, float(sizes[other])))
    found.append((features.holds[min(len(hand), 7)], 1.0))
    if not hand:
        return found
    loc = pieces.loc
    own = [piece for side in sides_played(pieces, seat) for piece in board.pieces_of[side]]
    cell = board.cell
    occ = pieces.occ
    walls = pieces.walls
    team = board.team(seat)
    side_of = board.side_of
    playable = home = takes = 0
    way_out = False
    cards = board.system.cards
    for card in hand:
        found.append((features.held[card], 1.0))
        way_out = way_out or cards[card].brings_out
        can = enters = hits = False
        for powers in stands_for(routes, card, last):
            rows = powers.rows
            if rows is None:
                can = can or any(0 < loc[piece] < board.lane_base or loc[piece] >= board.fresh_base for piece in own)
                continue
            for piece in own:
                for target, stops, _ in rows[piece][loc[piece]]:
                    if walls & stops:
                        continue
                    can = True
                    if board.lane_base <= target < board.fresh_base:
                        enters = True
                    else:
                        taken = occ[cell[target]]
                        hits = hits or (taken >= 0 and side_of[taken] not in team)
        playable += can
        home += enters
        takes += hits
    found.append((features.playable[min(playable, 7)], 1.0))
    found.append((features.enters[min(home, 2)], 1.0))
    found.append((features.takes[min(takes, 2)], 1.0))
    if not way_out and KENNEL in [loc[piece] for piece in own]:
        found.append((features.no_way_out, 1.0))
    return found


def turn_chances(
    pieces: Pieces,
    weights: Weights,
    seat: int,
    hand: Sequence[str],
    last: str | None,
    sizes: Sequence[int],
    drawn: int = 0,
    robbed: int | None = None,
) -> list[float]:
    """Return the chance of each team to win after a seat has played, in the middle of a round, as that seat sees it.

    Args:
        sizes: by side, the sizes of the hands.
        drawn: the number of unknown cards that the seat is about to draw.
        robbed: the seat that is about to lose an unknown card.
    """
    board = pieces.routes.board
    features = weights.features
    by_number = weights.turn
    worths = []
    for team in board.teams:
        if all(pieces.in_lane[side] == PIECES for side in team):
            return [float(other == team) for other in board.teams]
        worth = 0.0
        for side in team:
            for number, value in describe_side(features, pieces, side):
                worth += by_number[number] * value
            if side == robbed:
                worth -= weights.any_card
            if side == seat:
                worth += drawn * weights.any_card
                for number, value in describe_turn(features, pieces, seat, hand, last, sizes):
                    worth += by_number[number] * value
        worths.append(worth)
    return shares(worths)
