"""Working out what a seat can do with its cards (rules, sections 4 to 8 and 12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.rules.board import KENNEL, PIECES
from engine.rules.definition import IdleSwap, SevenRule
from engine.rules.pieces import Idle, Move, Pieces, RobMove, SwapMove, SweepMove
from engine.rules.routes import Powers, Routes, Walk
from engine.rules.sevens import MOST, Sharers, split_moves


class Play(NamedTuple):
    """A card played as what it stands for (`named`, the same unless it is a joker or a copy), and the move."""

    card: str
    named: str
    move: Move


def sides_played(pieces: Pieces, seat: int) -> tuple[int, ...]:
    """Return the sides whose pieces a seat moves: its own, or its partners' once all its own are in (section 10)."""
    if pieces.in_lane[seat] == PIECES:
        return pieces.routes.board.partners(seat) or (seat,)
    return (seat,)


def winners(pieces: Pieces) -> tuple[int, ...]:
    """Return the seats that have won: a team with all its pieces in their lanes (section 10)."""
    in_lane = pieces.in_lane
    if PIECES not in in_lane:
        return ()
    for team in pieces.routes.board.teams:
        for seat in team:
            if in_lane[seat] != PIECES:
                break
        else:
            return team
    return ()


def card_moves(pieces: Pieces, powers: Powers, seat: int, victim: int | None, most: int = MOST) -> list[Move]:
    """Return every move of a card that is neither joker nor copy, each leading to another placement.

    Left out is the swap without effect that may be played only when no card allows anything else: see `plays`.

    Args:
        victim: the seat that a card would cost a card, if any.
        most: the most ways to share out its points; if there are more, some of them (`engine.rules.sevens`).
    """
    sides = sides_played(pieces, seat)
    found: list[Move] = []
    if powers.rows is not None:
        for side in sides:
            step_moves(pieces, powers, side, seat, found)
        if powers.only_walks:
            return found
    if powers.sweeps is not None:
        for side in sides:
            found += sweep_moves(pieces, powers, side, seat)
    if powers.pushes is not None:
        found += push_moves(pieces, powers, seat)
    if powers.split:
        found += split_moves(pieces, powers.split, seven_rule(pieces.routes), sharers(pieces, seat, powers), most)
    if powers.swap:
        found += swap_moves(pieces, seat)
        if pieces.routes.system.swap.idle is IdleSwap.ALLOWED and can_idle(pieces, seat):
            found.append(Idle())
    if powers.magnet:
        for side in sides:
            found += magnet_moves(pieces, side)
    if powers.robs is not None and victim is not None:
        found.append(RobMove(victim))
    return found


def step_moves(pieces: Pieces, powers: Powers, side: int, seat: int, found: list[Move]) -> None:
    """Add the moves of one piece of a side by a number, or out of the kennel."""
    walls = pieces.walls
    loc = pieces.loc
    rows = powers.rows
    assert rows is not None
    routes = pieces.routes
    walks = routes.walks
    alike = len(pieces.rank_cells) == 1
    shut = not powers.finishes and pieces.in_lane[side] == PIECES - 1
    guarded: list[int] = []
    in_kennel = False
    for piece in routes.board.pieces_of[side]:
        node = loc[piece]
        if alike and not node:
            if in_kennel:
                continue
            in_kennel = True
        for target, stops, guards in rows[piece][node]:
            if walls & stops:
                continue
            if guards:
                guarded = guarded or pieces.guards(side, seat)
                if guarded[piece % PIECES] & guards:
                    continue
            if not (shut and routes.board.enters(node, target)):
                found.append(walks[piece][target])


def push_moves(pieces: Pieces, powers: Powers, seat: int) -> list[Move]:
    """Return the moves of other seats' pieces by a card that lets a seat move them."""
    rows = powers.pushes
    assert rows is not None
    board = pieces.routes.board
    played = sides_played(pieces, seat)
    found: list[Move] = []
    for side in board.seats:
        if side in played:
            continue
        for piece, guard in zip(board.pieces_of[side], pieces.guards(side, seat), strict=True):
            for target, stops, guards in rows[piece][pieces.loc[piece]]:
                if not pieces.walls & stops and not guard & guards:
                    found.append(pieces.routes.walks[piece][target])
    return found


def sweep_moves(pieces: Pieces, powers: Powers, side: int, seat: int) -> list[Move]:
    """Return the moves of one piece that takes what it passes, save pieces of its own side."""
    rows = powers.sweeps
    assert rows is not None
    own = pieces.cells_of(side)
    standing = pieces.cells_of(*pieces.routes.board.seats) & ~own
    shut = not powers.finishes and pieces.in_lane[side] == PIECES - 1
    enters = pieces.routes.board.enters
    found: list[Move] = []
    for piece, guard in zip(pieces.routes.board.pieces_of[side], pieces.guards(side, seat), strict=True):
        node = pieces.loc[piece]
        for target, stops, guards, cells in rows[piece][node]:
            if pieces.walls & stops or guard & guards or (shut and enters(node, target)):
                continue
            found.append(SweepMove(piece, target, powers.swept, tuple(pieces.standing_on(cells & standing))))
    return found


def seven_rule(routes: Routes) -> SevenRule:
    """Return the rule for a split seven in a system that has it."""
    rule = routes.system.seven
    assert rule is not None
    return rule


def sharers(pieces: Pieces, seat: int, powers: Powers) -> Sharers:
    """Return who may share a seven: own pieces with a spill to partners, the partners' alone, or both (section 13)."""
    sides = sides_played(pieces, seat)
    if sides != (seat,):
        return Sharers(seat, sides, (), False, powers.finishes)
    partners = pieces.routes.board.partners(seat)
    return Sharers(seat, sides, partners, seven_rule(pieces.routes).shared and bool(partners), powers.finishes)


def swap_moves(pieces: Pieces, seat: int) -> list[Move]:
    """Return the swaps of an own loop piece with another seat's (section 7)."""
    own, others = swap_pieces(pieces, seat)
    return [SwapMove(piece, other) for piece in own for other in others]


def swap_pieces(pieces: Pieces, seat: int) -> tuple[list[int], list[int]]:
    """Return the own pieces and the other seats' pieces that can be swapped with each other."""
    routes = pieces.routes
    board = routes.board
    sides = sides_played(pieces, seat)
    own = _standing_at(pieces, sides, routes.own_swappable)
    if routes.system.swap.partner_last:
        team = board.team(seat)
        others = _standing_at(pieces, (other for other in board.seats if other not in team), routes.swappable)
        if others:
            return own, others
    return own, _standing_at(pieces, (other for other in board.seats if other not in sides), routes.swappable)


def _standing_at(pieces: Pieces, sides: Iterable[int], where: Sequence[bool]) -> list[int]:
    pieces_of = pieces.routes.board.pieces_of
    loc = pieces.loc
    return [piece for side in sides for piece in pieces_of[side] if where[loc[piece]]]


def can_idle(pieces: Pieces, seat: int) -> bool:
    """Return True if there are loop pieces, and the seat moves all of them (section 7)."""
    board = pieces.routes.board
    lanes = range(board.lane_base, board.fresh_base)
    loops = {board.side_of[piece] for piece, node in enumerate(pieces.loc) if node > KENNEL and node not in lanes}
    return bool(loops) and loops <= set(sides_played(pieces, seat))


def magnet_moves(pieces: Pieces, side: int) -> list[Move]:
    """Return the moves of an own piece on the track up to right behind the next piece ahead (section 8)."""
    board = pieces.routes.board
    length = board.length
    occ = pieces.occ
    found: list[Move] = []
    for piece in board.pieces_of[side]:
        node = pieces.loc[piece]
        space = board.cell[node]
        if not 0 < space <= length:
            continue
        for distance in range(1, length):
            if occ[(space + distance - 1) % length + 1] >= 0:
                if distance > 1:
                    found.append(Walk(piece, board.own(side, (space + distance - 2) % length + 1), magnet=True))
                break
    return found


def stands_for(routes: Routes, card: str, last: str | None) -> tuple[Powers, ...]:
    """Return the cards that a card can be played as: a joker all, a copy the last card played, others themselves."""
    found = routes.stands_for[card]
    if found is None:
        found = None if last is None else routes.stands_for[last]
    return found or ()


def plays(
    pieces: Pieces, seat: int, hand: Iterable[str], last: str | None, victim: int | None, most: int = MOST
) -> Iterator[Play]:
    """Yield every play of a hand, one for each card and placement (section 4.7), cards in the order of the hand.

    Of the ways to share out a card's points, at most `most` (`card_moves`).
    """
    if winners(pieces):
        return
    routes = pieces.routes
    cards = tuple(dict.fromkeys(hand))
    any_play = False
    swaps: list[Play] = []
    for card in cards:
        seen: set[int] = set()
        for powers in stands_for(routes, card, last):
            if powers.swap:
                swaps.append(Play(card, powers.card.id, Idle()))
            for move in card_moves(pieces, powers, seat, victim, most):
                change = pieces.change(move)
                if change not in seen:
                    seen.add(change)
                    any_play = True
                    yield Play(card, powers.card.id, move)
    if not any_play and routes.system.swap.idle is IdleSwap.LAST and can_idle(pieces, seat):
        yield from swaps


def hand_can_play(pieces: Pieces, seat: int, hand: Iterable[str], last: str | None, victim: int | None) -> bool:
    """Return True if a card of the hand can be played."""
    return next(plays(pieces, seat, hand, last, victim, most=1), None) is not None


def find_listed(pieces: Pieces, seat: int, play: Play, last: str | None, victim: int | None) -> Play:
    """Return the listed play of the same card with the same effect, as which a joker may have another name."""
    if play.card == play.named:
        return play
    change = pieces.change(play.move)
    alike = plays(pieces, seat, (play.card,), last, victim)
    return next((other for other in alike if pieces.change(other.move) == change), play)
