"""Why a card cannot be played: one reason for each piece or use, for the interface to put into words.

Codes and their data (`side` and `place` say which piece is meant, `by` and `on` what is in its way):

    in_kennel       side                      a number needs a piece outside the kennel
    blocked         side place by on          a piece of side `by` on its own start `on` lets no piece pass
    protected       side place by on          the piece of side `by` on `on` cannot be taken
    lane_occupied   side place on             the slot `on` of the lane is taken, and cannot be passed
    lane_overrun    side place steps          the lane is too short for this many steps
    rank_higher     side place by on rank     a piece of a higher rank cannot be passed
    royal           side place by on rank     only a piece of its own rank can take the piece on `on`
    too_long        side place rank steps     the piece never moves that far
    not_back        side place                pieces do not walk backward from here
    kennel_empty    side                      there is no piece to bring out
    start_taken     side on                   the piece on the side's own start stays there
    not_in_full     points                    the points cannot all be used
    no_own_swap     side                      no own piece can be swapped
    nothing_to_swap                           there is no other piece to swap with
    nobody_ahead    side place                there is no piece ahead to move up to
    nothing_to_copy                           no card has been played in this round yet
    nothing_fits                              no card that a joker can stand for can be played
    no_lap          side place steps          the piece may not go past its lane, and does not fit into it
    own_passed      side place on             pieces do not pass others of their side
    own_swept       side place on             the piece takes none of its own side
    pair_passed     side place on             the pieces on `on` and the next space cannot be passed
    team_safe       side place by on          a team's own pieces are not taken
    nobody_to_push                            no other seat's piece stands where it can be moved
    not_moved       side place                a piece on its own start is not moved by other seats
    nobody_to_rob                             no opponent holds a card
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import Reason
from engine.rules.board import KENNEL
from engine.rules.cards import Backward, Card, Forward, Out, Sweep
from engine.rules.moves import sides_played, stands_for, swap_pieces
from engine.rules.pieces import Pieces
from engine.rules.routes import Hurdle, Trail


def reasons(pieces: Pieces, seat: int, card: str, last: str | None) -> tuple[Reason, ...]:
    """Return why `card` cannot be played by this seat, without repetitions."""
    routes = pieces.routes
    powers = routes.powers[card]
    if powers.card.wild:
        return (Reason("nothing_fits"),)
    named = stands_for(routes, card, last)
    if not named:
        return (Reason("nothing_to_copy"),)
    found = _card_reasons(pieces, seat, named[0].card)
    unique: dict[str, Reason] = {}
    for reason in found:
        unique.setdefault(str(reason), reason)
    return tuple(unique.values())


def _card_reasons(pieces: Pieces, seat: int, card: Card) -> Iterator[Reason]:
    powers = pieces.routes.powers[card.id]
    for side in sides_played(pieces, seat):
        yield from _side_reasons(pieces, side, seat, card)
    if powers.pushes is not None:
        yield from _push_reasons(pieces, seat, card)
    if powers.swap:
        own, others = swap_pieces(pieces, seat)
        if not own:
            yield Reason("no_own_swap", {"side": sides_played(pieces, seat)[0]})
        elif not others:
            yield Reason("nothing_to_swap")
    if powers.robs is not None:
        yield Reason("nobody_to_rob")


def _side_reasons(pieces: Pieces, side: int, seat: int, card: Card) -> Iterator[Reason]:
    """Yield why the pieces of one side that a seat moves cannot do what a card says."""
    powers = pieces.routes.powers[card.id]
    for power in card.powers:
        if isinstance(power, Out):
            yield from _out_reasons(pieces, side)
        elif isinstance(power, Forward | Backward | Sweep):
            yield from _walk_reasons(pieces, side, seat, card, power)
    if powers.split:
        if all(pieces.loc[piece] == KENNEL for piece in pieces.routes.board.pieces_of[side]):
            yield Reason("in_kennel", {"side": side})
        else:
            yield Reason("not_in_full", {"points": powers.split})
    if powers.magnet:
        yield from _magnet_reasons(pieces, side)


def _out_reasons(pieces: Pieces, side: int) -> Iterator[Reason]:
    routes = pieces.routes
    target = routes.out_target(side)
    if all(pieces.loc[piece] != KENNEL for piece in pieces.routes.board.pieces_of[side]):
        yield Reason("kennel_empty", {"side": side})
    elif pieces.walls & routes.gate[target]:
        yield Reason("start_taken", {"side": side, "on": routes.board.place_texts[target]})


def _walk_reasons(
    pieces: Pieces, side: int, seat: int, card: Card, power: Forward | Backward | Sweep
) -> Iterator[Reason]:
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
        if not trails and isinstance(power, Backward):
            yield Reason("not_back", about)
        elif not trails:
            inside = routes.board.is_lane(node)
            yield Reason("lane_overrun" if inside else "no_lap", about | {"steps": power.steps})
        for trail in trails:
            reason = _find_obstacle(pieces, piece, seat, trail, card, sweeps=isinstance(power, Sweep))
            if reason is not None:
                yield reason


def _push_reasons(pieces: Pieces, seat: int, card: Card) -> Iterator[Reason]:
    """Yield why no other seat's piece can be moved by a card."""
    routes = pieces.routes
    board = routes.board
    played = sides_played(pieces, seat)
    found = [piece for side in board.seats if side not in played for piece in board.pieces_of[side]]
    standing = [piece for piece in found if board.is_loop(pieces.loc[piece])]
    if not standing:
        yield Reason("nobody_to_push")
    for piece in standing:
        trails = routes.pushes(card, piece, pieces.loc[piece])
        if not trails:
            yield Reason("not_moved", _about(pieces, piece))
        for trail, _, _ in trails:
            reason = _find_obstacle(pieces, piece, seat, trail, card)
            if reason is not None:
                yield reason


def _about(pieces: Pieces, piece: int) -> dict[str, Any]:
    return {"side": pieces.routes.board.side_of[piece], "place": pieces.routes.board.place_texts[pieces.loc[piece]]}


def _find_obstacle(
    pieces: Pieces, piece: int, seat: int, trail: Trail, card: Card, *, sweeps: bool = False
) -> Reason | None:
    """Return the first thing that stops a piece on a trail, or None."""
    routes = pieces.routes
    board = routes.board
    rank = routes.rank_of[piece]
    about = _about(pieces, piece)
    side, team = board.side_of[piece], board.team(seat)
    for node, hurdle in routes.hurdles(card, piece, trail, sweeps=sweeps):
        other = pieces.occ[board.cell[node]]
        if other < 0 or other == piece:
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
            case Hurdle.OWN if board.side_of[other] == side:
                return Reason("own_swept" if node == trail[-1] else "own_passed", about | {"on": place})
            case Hurdle.PAIR if pieces.occ[board.cell[node] % board.length + 1] >= 0:
                return Reason("pair_passed", about | {"on": place})
            case Hurdle.TEAM if board.side_of[other] in team:
                return Reason("team_safe", data)
            case Hurdle.PARTNER if board.side_of[other] in team and board.side_of[other] != side:
                return Reason("team_safe", data)
            case Hurdle.ROYAL if theirs is not None and theirs.royal:
                return Reason("royal", data | {"rank": theirs.letter})
    return None


def _magnet_reasons(pieces: Pieces, side: int) -> Iterator[Reason]:
    standing = [piece for piece in pieces.routes.board.pieces_of[side] if pieces.loc[piece] > KENNEL]
    if not standing:
        yield Reason("in_kennel", {"side": side})
    for piece in standing:
        yield Reason("nobody_ahead", _about(pieces, piece))
