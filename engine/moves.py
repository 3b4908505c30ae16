"""Working out what a seat can do with its cards on a field (rules, sections 4 to 8 and 12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.board import KENNEL
from engine.field import IDLE_MOVE, MAGNET, STEP, SWAP, Field, Move
from engine.routes import Powers, Routes
from engine.sevens import Sharers, split_moves
from engine.systems import Idle, Options, SevenRule


class Play(NamedTuple):
    """A card played as what it stands for (`named`, the same unless it is a joker or a copy), and the move."""

    card: str
    named: str
    move: Move


def side_played(field: Field, seat: int) -> int:
    """The side whose pieces a seat moves: its own, or the partner's once all its own are in (section 10)."""
    if field.in_lane[seat] == 4:
        partner = field.routes.board.partner(seat)
        if partner is not None:
            return partner
    return seat


def winners(field: Field) -> tuple[int, ...]:
    """The seats that have won: a team with all its pieces in their lanes (section 10)."""
    in_lane = field.in_lane
    for team in field.routes.board.teams:
        for seat in team:
            if in_lane[seat] != 4:
                break
        else:
            return team
    return ()


def card_moves(field: Field, powers: Powers, seat: int, options: Options) -> list[Move]:
    """Every move of a card that is neither joker nor copy, each leading to another placement.

    Left out is the swap without effect that may be played only when no card allows anything else: see `plays`.
    """
    side = side_played(field, seat)
    found: list[Move] = []
    if powers.rows is not None:
        step_moves(field, powers, side, found)
    if powers.split:
        found += split_moves(field, powers.split, _rule(field), sharers(field, seat, options))
    if powers.swap:
        found += swap_moves(field, seat)
        if field.routes.system.swap.idle is Idle.ALLOWED and idle_possible(field, side):
            found.append(IDLE_MOVE)
    if powers.magnet:
        found += magnet_moves(field, side)
    return found


def step_moves(field: Field, powers: Powers, side: int, found: list[Move]) -> None:
    """Add the moves of one piece by a number, or out of the kennel."""
    walls = field.walls
    loc = field.loc
    rows = powers.rows
    assert rows is not None
    first = 4 * side
    if len(field.rank_cells) > 1:
        guards = field.guards()
        for piece in range(first, first + 4):
            guard = guards[piece - first]
            for target, stops, ranks in rows[piece][loc[piece]]:
                if not walls & stops and not guard & ranks:
                    found.append((STEP, piece, target, None))
        return
    row_of = rows[first]
    in_kennel = False
    for piece in range(first, first + 4):
        node = loc[piece]
        if not node:
            if in_kennel:
                continue
            in_kennel = True
        for target, stops, _ in row_of[node]:
            if not walls & stops:
                found.append((STEP, piece, target, None))


def _rule(field: Field) -> SevenRule:
    rule = field.routes.system.seven
    assert rule is not None
    return rule


def sharers(field: Field, seat: int, options: Options) -> Sharers:
    """Who may share a seven: own pieces with a spill to the partner, the partner's alone, or both (section 13)."""
    side = side_played(field, seat)
    partner = field.routes.board.partner(seat)
    if side != seat:
        return Sharers(side, None, False)
    return Sharers(side, partner, options.canadian_seven and partner is not None)


def swap_moves(field: Field, seat: int) -> list[Move]:
    """The swaps of one own loop piece with one of another seat's (section 7)."""
    own, others = swap_pieces(field, seat)
    return [(SWAP, piece, other, None) for piece in own for other in others]


def swap_pieces(field: Field, seat: int) -> tuple[list[int], list[int]]:
    """The own pieces and the other seats' pieces that can be swapped with each other."""
    board = field.routes.board
    side = side_played(field, seat)
    own = _swappable(field, (side,))
    if field.routes.system.swap.partner_last:
        team = board.team(side)
        others = _swappable(field, (other for other in board.seats if other not in team))
        if others:
            return own, others
    return own, _swappable(field, (other for other in board.seats if other != side))


def _swappable(field: Field, sides: Iterable[int]) -> list[int]:
    swappable = field.routes.swappable
    loc = field.loc
    return [piece for side in sides for piece in range(4 * side, 4 * side + 4) if swappable[loc[piece]]]


def idle_possible(field: Field, side: int) -> bool:
    """Whether every loop piece on the board is of this side, at least one (section 7)."""
    board = field.routes.board
    lanes = range(board.lane_base, board.fresh_base)
    loops = {piece >> 2 for piece, node in enumerate(field.loc) if node > KENNEL and node not in lanes}
    return loops == {side}


def magnet_moves(field: Field, side: int) -> list[Move]:
    """The moves of one own piece on the track up to right behind the next piece ahead (section 8)."""
    board = field.routes.board
    length = board.length
    occ = field.occ
    found: list[Move] = []
    for piece in range(4 * side, 4 * side + 4):
        node = field.loc[piece]
        space = board.cell[node]
        if not 0 < space <= length:
            continue
        for distance in range(1, length):
            if occ[(space + distance - 1) % length + 1] >= 0:
                if distance > 1:
                    found.append((MAGNET, piece, board.own(side, (space + distance - 2) % length + 1), None))
                break
    return found


def stands_for(routes: Routes, card: str, last: str | None) -> tuple[Powers, ...]:
    """The cards that a card can be played as: a joker all, a copy the last card played, others themselves."""
    found = routes.stands_for[card]
    if found is None:
        found = None if last is None else routes.stands_for[last]
    return found or ()


def plays(field: Field, seat: int, hand: Iterable[str], last: str | None, options: Options) -> Iterator[Play]:
    """Every play of a hand, one for each card and placement (section 4.7), cards in the order of the hand."""
    if winners(field):
        return
    routes = field.routes
    cards = tuple(dict.fromkeys(hand))
    any_play = False
    swaps: list[Play] = []
    for card in cards:
        seen: set[int] = set()
        for powers in stands_for(routes, card, last):
            if powers.swap:
                swaps.append(Play(card, powers.card.id, IDLE_MOVE))
            for move in card_moves(field, powers, seat, options):
                change = field.change(move)
                if change not in seen:
                    seen.add(change)
                    any_play = True
                    yield Play(card, powers.card.id, move)
    if not any_play and routes.system.swap.idle is Idle.LAST and idle_possible(field, side_played(field, seat)):
        yield from swaps


def can_play(field: Field, seat: int, hand: Iterable[str], last: str | None, options: Options) -> bool:
    """Whether a hand allows any action at all."""
    return next(plays(field, seat, hand, last, options), None) is not None
