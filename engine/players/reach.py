"""The reach of single cards on a board, in any hand: which pieces they could bring home, or take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.players.features import REACH, danger_of
from engine.players.heuristic import way_behind
from engine.rules.board import KENNEL, PIECES
from engine.rules.moves import card_moves, stands_for
from engine.rules.pieces import Pieces
from engine.rules.routes import Powers, Walk


def can_come_home(pieces: Pieces, piece: int) -> bool:
    """Return True if some card of the rule system would bring a loop piece into its lane from where it stands."""
    routes = pieces.routes
    board = routes.board
    node = pieces.loc[piece]
    return board.is_loop(node) and any(
        board.is_lane(target) for powers in routes.named for target in _targets(pieces, powers, piece)
    )


def hunters(pieces: Pieces, piece: int) -> frozenset[int]:
    """Return the opposing pieces that some card of the rule system would let take a loop piece where it stands.

    Of a side's pieces in the kennel, any of which could come out, only the first is named.
    """
    routes = pieces.routes
    board = routes.board
    node = pieces.loc[piece]
    if not board.is_loop(node) or routes.wall[node]:
        return frozenset()
    team = board.team(board.side_of[piece])
    others = [other for seat in board.seats if seat not in team for other in _distinct_pieces(pieces, seat)]
    cell = board.cell[node]
    return frozenset(
        other for other in others if any(_can_take(pieces, powers, other, cell) for powers in routes.named)
    )


def _distinct_pieces(pieces: Pieces, side: int) -> list[int]:
    """Return the pieces of a side, of those in its kennel only the first."""
    own = pieces.routes.board.pieces_of[side]
    waiting = [piece for piece in own if pieces.loc[piece] == KENNEL]
    return [piece for piece in own if piece not in waiting[1:]]


def is_safe(pieces: Pieces, piece: int) -> bool:
    """Return True if no opponent could take a loop piece now, nor is near enough to once its way is clear."""
    return not danger_of(pieces, piece) and not hunters(pieces, piece)


def spaces_ahead(pieces: Pieces, piece: int, node: int) -> int | None:
    """Return how many spaces of its lap a piece on the track gains by standing on `node`; negative if it loses some.

    None unless it is on the track before and afterwards: only there spaces can be counted.
    """
    board = pieces.routes.board
    here = pieces.loc[piece]
    if not all(board.is_loop(at) and board.cell[at] <= board.length for at in (here, node)):
        return None
    side = board.side_of[piece]
    return way_behind(board, side, node) - way_behind(board, side, here)


def count_behind(pieces: Pieces, node: int, sides: Sequence[int]) -> int:
    """Count the pieces of these sides that stand close behind a guarded start and cannot get past it."""
    board = pieces.routes.board
    here = board.cell[node]
    count = 0
    for side in sides:
        for piece in board.pieces_of[side]:
            rank = pieces.routes.rank_of[piece]
            if rank is not None and rank.vaults:
                continue
            cell = board.cell[pieces.loc[piece]]
            count += 0 < cell <= board.length and 0 < (here - cell) % board.length <= REACH
    return count


def can_bring_home(pieces: Pieces, seat: int, card: str) -> bool:
    """Return True if a card brings a piece of the seat's from the track into its lane."""
    enters = pieces.routes.board.enters
    walks = _walks_with(pieces, seat, card)
    return any(enters(pieces.loc[walk.piece], walk.target) for walk in walks)


def find_way_home(pieces: Pieces, seat: int, hand: Sequence[str], piece: int) -> tuple[str, int, str] | None:
    """Return two cards of a hand that bring a piece from the track into its lane if nothing changes, or None.

    With where it stops in between: first card, node, second card. Neither stands for others, nor takes a piece of the
    team.
    """
    board = pieces.routes.board
    team = board.team(board.side_of[piece])
    usual = [card for card in dict.fromkeys(hand) if not board.system.cards[card].wild]
    for card in usual:
        for walk in _walks_with(pieces, seat, card):
            taken = pieces.occ[board.cell[walk.target]]
            if walk.piece != piece or not board.is_loop(walk.target) or (taken >= 0 and board.side_of[taken] in team):
                continue
            after = pieces.after(walk)
            for then in usual:
                is_held = then != card or hand.count(card) > 1
                walks = _walks_with(after, seat, then) if is_held else ()
                if any(each.piece == piece and board.enters(walk.target, each.target) for each in walks):
                    return card, walk.target, then
    return None


def takes_with(pieces: Pieces, seat: int, card: str) -> int | None:
    """Return the side of an opponent's piece that a seat can take with a card, by steps or coming out, or None."""
    board = pieces.routes.board
    team = board.team(seat)
    hit = (pieces.occ[board.cell[walk.target]] for walk in _walks_with(pieces, seat, card))
    return next((board.side_of[taken] for taken in hit if taken >= 0 and board.side_of[taken] not in team), None)


def _walks_with(pieces: Pieces, seat: int, card: str) -> Iterator[Walk]:
    """Yield the moves that a card allows a seat by steps or coming out."""
    for powers in stands_for(pieces.routes, card, None):
        if powers.rows is not None:
            moves = card_moves(pieces, powers, seat, None)
            yield from (move for move in moves if isinstance(move, Walk))


def _can_take(pieces: Pieces, powers: Powers, hunter: int, cell: int) -> bool:
    routes = pieces.routes
    board = routes.board
    if any(board.cell[target] == cell for target in _targets(pieces, powers, hunter, parts=False)):
        return True
    node, bit = pieces.loc[hunter], 1 << cell
    if powers.sweeps is not None:
        guard = pieces.guards(board.side_of[hunter], board.side_of[hunter])[hunter % PIECES]
        ways = powers.sweeps[hunter][node]
        if any(way[3] & bit and not pieces.walls & way[1] and not guard & way[2] for way in ways):
            return True
    if not powers.split or node == KENNEL:
        return False
    assert routes.system.seven is not None
    rows = routes.split_rows[board.side_of[hunter]][node]
    return any(
        (passed | (landed if routes.system.seven.takes_at_end else 0)) & bit and not pieces.walls & walls
        for row in rows[: powers.split + 1]
        for _, walls, passed, landed, _ in row
    )


def _targets(pieces: Pieces, powers: Powers, piece: int, *, parts: bool = True) -> list[int]:
    """Return where a card brings a piece by its steps, or (`parts`) by some of its points."""
    routes = pieces.routes
    side = routes.board.side_of[piece]
    node = pieces.loc[piece]
    found: list[int] = []
    guard = pieces.guards(side, side)[piece % PIECES] if routes.guarded else 0
    if powers.rows is not None:
        found += [
            target
            for target, stops, ranks in powers.rows[piece][node]
            if not pieces.walls & stops and not guard & ranks
        ]
    if powers.sweeps is not None:
        found += [way[0] for way in powers.sweeps[piece][node] if not pieces.walls & way[1] and not guard & way[2]]
    if parts and powers.split and node != KENNEL:
        guards = routes.split_guards[side][node] if guard else {}
        found += [
            way[0]
            for points, row in enumerate(routes.split_rows[side][node][: powers.split + 1])
            for way in row
            if not pieces.walls & way[1] and not (guard and guard & guards[points, way[0]])
        ]
    return found
