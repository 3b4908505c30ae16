"""Why a card cannot be played: one reason for each piece or use, for the interface to put into words.

Codes and their data (`side` and `place` say which piece is meant, `by` and `on` what is in its way):

    in_kennel       side                      a number needs a piece outside the kennel
    blocked         side place by on          a piece of side `by` on its own start `on` lets nobody pass
    protected       side place by on          the piece of side `by` on `on` cannot be taken
    lane_occupied   side place on             the slot `on` of the lane is taken, and nobody passes there
    lane_overrun    side place steps          the lane is too short for so many steps
    rank_higher     side place by on rank     a piece of a higher rank cannot be passed
    royal           side place by on rank     only its like can take this piece
    too_long        side place rank steps     the piece never moves so far
    not_back        side place                nobody walks backward from here
    kennel_empty    side                      there is no piece to bring out
    start_taken     side on                   the own piece on the start stays there
    not_in_full     points                    the points cannot be used up
    no_own_swap     side                      no own piece can be swapped
    nothing_to_swap                           no other piece can be swapped
    nobody_ahead    side place                no piece ahead to move up to
    nothing_to_copy                           no card has been played in this round yet
    nothing_fits                              no card that a joker can stand for can be played
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.board import KENNEL
from engine.cards import Backward, Card, Forward, Out
from engine.errors import Reason
from engine.field import Field
from engine.moves import side_played, stands_for, swap_pieces
from engine.routes import Routes, Trail
from engine.systems import Options


def reasons(field: Field, seat: int, card: str, last: str | None, options: Options) -> tuple[Reason, ...]:
    """Why `card` cannot be played by this seat, without repetitions."""
    routes = field.routes
    powers = routes.powers[card]
    if powers.card.wild:
        return (Reason("nothing_fits"),)
    named = stands_for(routes, card, last)
    if not named:
        return (Reason("nothing_to_copy"),)
    found = _of_card(field, seat, named[0].card, options)
    unique: dict[str, Reason] = {}
    for reason in found:
        unique.setdefault(str(reason), reason)
    return tuple(unique.values())


def _of_card(field: Field, seat: int, card: Card, options: Options) -> Iterator[Reason]:
    side = side_played(field, seat)
    powers = field.routes.powers[card.id]
    for power in card.powers:
        if isinstance(power, Out):
            yield from _out(field, side)
        elif isinstance(power, Forward | Backward):
            yield from _walking(field, side, card, power)
    if powers.split:
        if all(field.loc[piece] == KENNEL for piece in range(4 * side, 4 * side + 4)):
            yield Reason("in_kennel", {"side": side})
        else:
            yield Reason("not_in_full", {"points": powers.split})
    if powers.swap:
        own, others = swap_pieces(field, seat)
        if not own:
            yield Reason("no_own_swap", {"side": side})
        elif not others:
            yield Reason("nothing_to_swap")
    if powers.magnet:
        yield from _magnet(field, side)


def _out(field: Field, side: int) -> Iterator[Reason]:
    routes = field.routes
    target = routes.out_target(side)
    if all(field.loc[piece] != KENNEL for piece in range(4 * side, 4 * side + 4)):
        yield Reason("kennel_empty", {"side": side})
    elif field.walls & routes.gate[target]:
        yield Reason("start_taken", {"side": side, "on": routes.board.place_texts[target]})


def _walking(field: Field, side: int, card: Card, power: Forward | Backward) -> Iterator[Reason]:
    routes = field.routes
    pieces = [piece for piece in range(4 * side, 4 * side + 4) if field.loc[piece] > KENNEL]
    if not pieces:
        yield Reason("in_kennel", {"side": side})
    for piece in pieces:
        node = field.loc[piece]
        about = _about(field, piece)
        rank = routes.ranks[piece % len(routes.ranks)]
        if rank is not None and rank.longest is not None and power.steps > rank.longest:
            yield Reason("too_long", about | {"rank": rank.letter, "steps": power.steps})
            continue
        trails = [trail for trail, used, _ in routes.ways(card, piece, node) if used == power]
        if not trails:
            code = "not_back" if isinstance(power, Backward) else "lane_overrun"
            yield Reason(code, about if code == "not_back" else about | {"steps": power.steps})
        for trail in trails:
            reason = _obstacle(field, piece, trail, card)
            if reason is not None:
                yield reason


def _about(field: Field, piece: int) -> dict[str, Any]:
    return {"side": piece >> 2, "place": field.routes.board.place_texts[field.loc[piece]]}


def _obstacle(field: Field, piece: int, trail: Trail, card: Card) -> Reason | None:
    """The first thing that stops a piece on a trail, or None."""
    routes = field.routes
    board = routes.board
    rank = routes.ranks[piece % len(routes.ranks)]
    about = _about(field, piece)
    for node in trail[1:]:
        other = field.occ[board.cell[node]]
        if other < 0:
            continue
        data = about | {"by": other >> 2, "on": board.place_texts[node]}
        last = node == trail[-1]
        if field.walls & routes.gate[node]:
            if board.is_lane(node):
                return Reason("lane_occupied", about | {"on": board.place_texts[node]})
            if last:
                return Reason("protected", data)
            if rank is None or not rank.vaults:
                return Reason("blocked", data)
        theirs = routes.ranks[other % len(routes.ranks)]
        if rank is None or theirs is None or board.is_lane(node):
            continue
        if last and theirs.royal and not rank.royal and not _is_own_start(routes, piece, node):
            return Reason("royal", data | {"rank": theirs.letter})
        if not last and theirs.order > rank.order and not card.green:
            return Reason("rank_higher", data | {"rank": theirs.letter})
    return None


def _is_own_start(routes: Routes, piece: int, node: int) -> bool:
    return node == routes.board.own_base + (piece >> 2)


def _magnet(field: Field, side: int) -> Iterator[Reason]:
    pieces = [piece for piece in range(4 * side, 4 * side + 4) if field.loc[piece] > KENNEL]
    if not pieces:
        yield Reason("in_kennel", {"side": side})
    for piece in pieces:
        yield Reason("nobody_ahead", _about(field, piece))
