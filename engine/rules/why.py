"""Why a card cannot be played: one reason for each piece or use, for the interface to put into words.

Codes and their data (`side` and `place` say which piece is meant, `by` and `on` what is in its way):

    in_kennel       side                      a number needs a piece outside the kennel
    blocked         side place by on          a piece of side `by` on its own start `on` lets nobody pass
    protected       side place by on          the piece of side `by` on `on` cannot be taken
    lane_occupied   side place on             the slot `on` of the lane is taken, and nobody passes there
    lane_overrun    side place steps          the lane is too short for this many steps
    rank_higher     side place by on rank     a piece of a higher rank cannot be passed
    royal           side place by on rank     only a piece of its own rank can take the piece on `on`
    too_long        side place rank steps     the piece never moves that far
    not_back        side place                nobody walks backward from here
    kennel_empty    side                      there is no piece to bring out
    start_taken     side on                   the piece on the side's own start stays there
    not_in_full     points                    the points cannot all be used
    no_own_swap     side                      no own piece can be swapped
    nothing_to_swap                           there is no other piece to swap with
    nobody_ahead    side place                there is no piece ahead to move up to
    nothing_to_copy                           no card has been played in this round yet
    nothing_fits                              no card that a joker can stand for can be played
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import Reason
from engine.rules.board import KENNEL
from engine.rules.cards import Backward, Card, Forward, Out
from engine.rules.moves import side_played, stands_for, swap_pieces
from engine.rules.pieces import Pieces
from engine.rules.routes import Hurdle, Trail
from engine.rules.systems import Options


def reasons(pieces: Pieces, seat: int, card: str, last: str | None, options: Options) -> tuple[Reason, ...]:
    """Why `card` cannot be played by this seat, without repetitions."""
    routes = pieces.routes
    powers = routes.powers[card]
    if powers.card.wild:
        return (Reason("nothing_fits"),)
    named = stands_for(routes, card, last)
    if not named:
        return (Reason("nothing_to_copy"),)
    found = _of_card(pieces, seat, named[0].card, options)
    unique: dict[str, Reason] = {}
    for reason in found:
        unique.setdefault(str(reason), reason)
    return tuple(unique.values())


def _of_card(pieces: Pieces, seat: int, card: Card, options: Options) -> Iterator[Reason]:
    side = side_played(pieces, seat)
    powers = pieces.routes.powers[card.id]
    for power in card.powers:
        if isinstance(power, Out):
            yield from _out(pieces, side)
        elif isinstance(power, Forward | Backward):
            yield from _walking(pieces, side, card, power)
    if powers.split:
        if all(pieces.loc[piece] == KENNEL for piece in pieces.routes.board.pieces_of[side]):
            yield Reason("in_kennel", {"side": side})
        else:
            yield Reason("not_in_full", {"points": powers.split})
    if powers.swap:
        own, others = swap_pieces(pieces, seat)
        if not own:
            yield Reason("no_own_swap", {"side": side})
        elif not others:
            yield Reason("nothing_to_swap")
    if powers.magnet:
        yield from _magnet(pieces, side)


def _out(pieces: Pieces, side: int) -> Iterator[Reason]:
    routes = pieces.routes
    target = routes.out_target(side)
    if all(pieces.loc[piece] != KENNEL for piece in pieces.routes.board.pieces_of[side]):
        yield Reason("kennel_empty", {"side": side})
    elif pieces.walls & routes.gate[target]:
        yield Reason("start_taken", {"side": side, "on": routes.board.place_texts[target]})


def _walking(pieces: Pieces, side: int, card: Card, power: Forward | Backward) -> Iterator[Reason]:
    routes = pieces.routes
    standing = [piece for piece in pieces.routes.board.pieces_of[side] if pieces.loc[piece] > KENNEL]
    if not standing:
        yield Reason("in_kennel", {"side": side})
    for piece in standing:
        node = pieces.loc[piece]
        about = _about(pieces, piece)
        rank = routes.rank_of[piece]
        if rank is not None and rank.longest is not None and power.steps > rank.longest:
            yield Reason("too_long", about | {"rank": rank.letter, "steps": power.steps})
            continue
        trails = [trail for trail, used, _ in routes.ways(card, piece, node) if used == power]
        if not trails:
            code = "not_back" if isinstance(power, Backward) else "lane_overrun"
            yield Reason(code, about if code == "not_back" else about | {"steps": power.steps})
        for trail in trails:
            reason = _obstacle(pieces, piece, trail, card)
            if reason is not None:
                yield reason


def _about(pieces: Pieces, piece: int) -> dict[str, Any]:
    return {"side": pieces.routes.board.side_of[piece], "place": pieces.routes.board.place_texts[pieces.loc[piece]]}


def _obstacle(pieces: Pieces, piece: int, trail: Trail, card: Card) -> Reason | None:
    """The first thing that stops a piece on a trail, or None."""
    routes = pieces.routes
    board = routes.board
    rank = routes.rank_of[piece]
    about = _about(pieces, piece)
    for node, hurdle in routes.hurdles(card, piece, trail):
        other = pieces.occ[board.cell[node]]
        if other < 0:
            continue
        place = board.place_texts[node]
        data = about | {"by": board.side_of[other], "on": place}
        theirs = routes.rank_of[other]
        match hurdle:
            case Hurdle.LANE:
                return Reason("lane_occupied", about | {"on": place})
            case Hurdle.PROTECTED if pieces.walls & routes.gate[node]:
                return Reason("protected", data)
            case Hurdle.BLOCKING if pieces.walls & routes.gate[node]:
                return Reason("blocked", data)
            case Hurdle.RANK if rank is not None and theirs is not None and theirs.order > rank.order:
                return Reason("rank_higher", data | {"rank": theirs.letter})
            case Hurdle.ROYAL if theirs is not None and theirs.royal:
                return Reason("royal", data | {"rank": theirs.letter})
    return None


def _magnet(pieces: Pieces, side: int) -> Iterator[Reason]:
    standing = [piece for piece in pieces.routes.board.pieces_of[side] if pieces.loc[piece] > KENNEL]
    if not standing:
        yield Reason("in_kennel", {"side": side})
    for piece in standing:
        yield Reason("nobody_ahead", _about(pieces, piece))
