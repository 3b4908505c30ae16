"""A good way to share the points of a seven, found without looking at every way (rules, section 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

from engine.players.gains import WIN, Gains
from engine.rules.board import KENNEL, PIECES
from engine.rules.definition import Spill
from engine.rules.moves import seven_rule, sharers, winners
from engine.rules.pieces import SplitMove
from engine.rules.routes import Powers
from engine.rules.sevens import Sharers, find_split, split_moves

Parts = tuple[tuple[int, int], ...]
"""The parts of a split: piece and target."""

_Part = tuple[int, float, int, int, bool]
"""One possible part: points, gain, piece, target, and whether the piece enters its lane. No points: it stays."""


class _Standing(NamedTuple):
    """The allies, and what stands where, as bits: the cells with a piece, and the walls.

    `moved`: pieces that are not counted there because they have to be moved first.
    """

    allies: frozenset[int]
    cells: int
    walls: int
    moved: frozenset[int]


def best_split(gains: Gains, seat: int, powers: Powers, least: float) -> SplitMove | None:
    """Return a legal way to share a card's points that gains more than `least`, or None."""
    found = [share_seven(gains, seat, powers)]
    among = sharers(gains.pieces, seat, powers)
    moved = frozenset(piece for side in among.own + among.partners for piece in _find_blocking(gains, side))
    if moved:
        found.append(share_seven(gains, seat, powers, moved))
    for hoped in sorted((way for way in found if way is not None and way[0] > least), reverse=True):
        split = _order_parts(gains, among, powers.split, hoped[1])
        if split is None and hoped[0] > WIN / 2:
            split = _find_winning(gains, among, powers.split)
        if split is not None:
            return split
    return None


def _find_winning(gains: Gains, among: Sharers, points: int) -> SplitMove | None:
    """Return a way to share points that wins, looking at all of them, or None."""
    splits = split_moves(gains.pieces, points, seven_rule(gains.routes), among)
    return next((split for split in splits if winners(gains.pieces.after(split))), None)


def _find_blocking(gains: Gains, side: int) -> frozenset[int]:
    """Return a side's first pieces in its lane, up to the first gap, if they could go deeper to make room."""
    board = gains.board
    occ = gains.pieces.occ
    found: list[int] = []
    if 0 < gains.pieces.in_lane[side] < PIECES:
        for slot in range(PIECES):
            piece = occ[board.cell[board.lane(side, slot)]]
            if piece >= 0:
                found.append(piece)
            elif found:
                return frozenset(found)
    return frozenset()


def share_seven(
    gains: Gains, seat: int, powers: Powers, moved: frozenset[int] = frozenset()
) -> tuple[float, Parts] | None:
    """Return a good way to share a card's points among the pieces that may take them: gain, parts (own pieces first).

    Each piece is considered by itself, so the parts may get in each other's way; the pieces in `moved` go deeper into
    the lane first. None if nothing is found.
    """
    pieces = gains.pieces
    rule = seven_rule(gains.routes)
    points = powers.split
    _, sides, partners, together, _ = sharers(pieces, seat, powers)
    allies = gains.allies[seat]
    wanted = sum(PIECES - pieces.in_lane[ally] for ally in allies)
    standing = _standing(gains, allies, moved)
    own = _all_ways(gains, sides, points, standing)
    out = sum(PIECES - pieces.in_lane[side] for side in sides)
    if together:
        own += _all_ways(gains, partners, points, standing)
        out = wanted
    most = rule.most
    best = _share_out(own, points, most=most)[points]
    if sum(any(part[4] for part in ways) for ways in own) < out:
        return best
    # What brings all own pieces in wins, or leaves the other points to the partner.
    home = _share_out(own, points, entering=out, most=most)
    if out == wanted:
        for spent in range(1 if rule.lapse else points, points + 1):
            best = _pick_better(best, home[spent], WIN)
        return best
    if not partners:
        return best
    for spent in range(1, points):
        if home[spent] is None:
            continue
        left = points - spent
        ways = _all_ways(gains, partners, left, standing)
        if rule.spill is Spill.SHARED:
            spilled = _share_out(ways, left)[left]
        else:
            spilled = max((share for way in ways if (share := _share_out([way], left)[left])), default=None)
        best = _pick_better(best, home[spent], 0.0, spilled)
        last = wanted - out
        if last == 1 or rule.spill is Spill.SHARED:
            finished = _share_out(ways, left, entering=last)
            for also in range(1 if rule.lapse else left, left + 1):
                best = _pick_better(best, home[spent], WIN, finished[also])
    return best


def _standing(gains: Gains, allies: frozenset[int], moved: frozenset[int]) -> _Standing:
    """Return what stands where, apart from pieces that are moved first."""
    pieces = gains.pieces
    routes = gains.routes
    loc = pieces.loc
    cells = 0
    walls = pieces.walls
    for node in loc:
        if node > KENNEL:
            cells |= routes.cell_bit[node]
    for piece in moved:
        cells &= ~routes.cell_bit[loc[piece]]
        walls &= ~routes.wall[loc[piece]]
    return _Standing(allies, cells, walls, moved)


def _all_ways(gains: Gains, sides: Sequence[int], points: int, standing: _Standing) -> list[list[_Part]]:
    """Return for each piece of some sides that is not in the kennel the parts of a split that it could take."""
    loc = gains.pieces.loc
    own = (piece for side in sides for piece in gains.board.pieces_of[side])
    return [_ways(gains, piece, points, standing) for piece in own if loc[piece] > KENNEL]


def _ways(gains: Gains, piece: int, points: int, standing: _Standing) -> list[_Part]:
    """Return a piece's best part for each number of points, with and without entering the lane."""
    pieces = gains.pieces
    occ = pieces.occ
    allies, cells, walls, moved = standing
    table = gains.weights.table
    side_of = gains.board.side_of
    rule = seven_rule(gains.routes)
    takes = rule.takes_at_end
    safe = gains.board.system.own_safe
    rival = gains.rival
    node = pieces.loc[piece]
    row = table[piece]
    here = row[node] - gains.exposure(piece, node)
    others = cells & ~gains.routes.cell_bit[node]
    found: list[_Part] = []
    if piece not in moved:
        found.append((0, 0.0, piece, node, False))
    count = -1
    for ways in gains.routes.split_rows[side_of[piece]][node][: points + 1]:
        count += 1
        best: dict[bool, _Part] = {}
        for target, stops, passed, lands, enters in ways:
            if walls & stops:
                continue
            gain = row[target] - gains.exposure(piece, target) - here
            hit = (passed | lands) & others
            if hit:
                if hit & lands and not takes:
                    continue
                if safe and any(side_of[taken] in allies for taken in pieces.standing_on(hit)):
                    continue
                while hit:
                    bit = hit & -hit
                    hit ^= bit
                    taken = occ[bit.bit_length() - 1]
                    lost = table[taken][pieces.loc[taken]] - table[taken][KENNEL]
                    gain += -lost if side_of[taken] in allies else lost * rival
            before = best.get(bool(enters))
            if before is None or gain > before[1]:
                best[bool(enters)] = (count, gain, piece, target, bool(enters))
        found += best.values()
    return found


def _order_parts(gains: Gains, among: Sharers, points: int, parts: Parts) -> SplitMove | None:
    """Return the parts as a legal split, own pieces first, each group by where it ends, up or down; None if not."""
    rule = seven_rule(gains.routes)
    ordered = sorted(parts, key=_end, reverse=True)
    own = [part for part in ordered if gains.board.side_of[part[0]] in among.own]
    theirs = [part for part in ordered if gains.board.side_of[part[0]] not in among.own]
    for first in (own, own[::-1]) if len(own) > 1 else (own,):
        for then in (theirs, theirs[::-1]) if len(theirs) > 1 else (theirs,):
            tests = [_is_part(piece, end) for piece, end in first + then]
            found = find_split(gains.pieces, points, rule, among, tests)
            if found is not None:
                return found
    return None


def _share_out(
    ways: Sequence[Sequence[_Part]], points: int, entering: int = 0, most: int | None = None
) -> list[tuple[float, Parts] | None]:
    """Return the best way to spend each number of points, 0 to `points`, on some pieces, each moved at most once.

    Args:
        entering: only ways in which this many pieces enter their lane; 0 if it does not matter.
        most: the most pieces that may be moved, if that is limited.
    """
    if most is not None and len(ways) > most:
        found = [_share_out(some, points, entering) for some in combinations(ways, most)]
        return [max(filter(None, shares), default=None, key=_gain) for shares in zip(*found, strict=True)]
    # best[e][p]: the greatest gain of p points among the pieces so far, e of which enter, and the parts that give it.
    best: list[list[tuple[float, Parts] | None]] = [[None] * (points + 1) for _ in range(entering + 1)]
    best[0][0] = (0.0, ())
    for parts in ways:
        before = best
        best = [[None] * (points + 1) for _ in range(entering + 1)]
        for count, gain, piece, end, enters in parts:
            step = 1 if enters and entering else 0
            for entered in range(entering + 1 - step):
                for already in range(points - count + 1):
                    reached = before[entered][already]
                    if reached is None:
                        continue
                    total = reached[0] + gain
                    now = best[entered + step][already + count]
                    if now is None or total > now[0]:
                        best[entered + step][already + count] = (
                            total,
                            (*reached[1], (piece, end)) if count else reached[1],
                        )
    return best[entering]


def _pick_better(
    best: tuple[float, Parts] | None,
    own: tuple[float, Parts] | None,
    bonus: float,
    theirs: tuple[float, Parts] | None = (0.0, ()),
) -> tuple[float, Parts] | None:
    """Return the best way so far, or own parts and the partner's together if these gain more."""
    if own is None or theirs is None:
        return best
    total = own[0] + theirs[0] + bonus
    return best if best is not None and best[0] >= total else (total, own[1] + theirs[1])


def _gain(way: tuple[float, Parts]) -> float:
    return way[0]


def _end(part: tuple[int, int]) -> int:
    return part[1]


def _is_part(piece: int, end: int) -> Callable[[int, int], bool]:
    return lambda moved, target: moved == piece and target == end
