"""Splitting a seven: every way to share its points among several pieces (rules, section 6).

There is one reading of what may come next, `_Sharing.next`: given the parts so far, it yields every possible next part.
The search follows all of them, the check of a given split only those that it names. Many pieces can share points in
hundreds of thousands of ways: then some are listed (`MOST`), and any other is found part by part (`splits_after`).

Nothing is changed along the way: walls, cells and placement bits are carried along as integers. Pieces are tried in the
order of the spaces they are on, so the parts found for a placement depend on the placement alone. Two parts whose
pieces cannot touch the same spaces have the same effect in either order, so only one order is searched; where pieces
are close together, a situation that has been met before is not searched again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from itertools import islice
from sys import maxsize
from typing import Final, NamedTuple

from engine.rules.board import KENNEL, PIECES
from engine.rules.definition import SevenRule, Spill
from engine.rules.pieces import Pieces, SplitMove, SplitTrail


class Sharers(NamedTuple):
    """The sides that may take points: those played, and the partners' for a spill or (`together`) freely.

    `seat` plays; `finishes`: a side's last piece may come home.
    """

    seat: int
    own: tuple[int, ...]
    partners: tuple[int, ...]
    together: bool
    """Own and partners' pieces in any order, with `canadian_seven` (section 13)."""
    finishes: bool = True


_Shared = tuple[int, int, int, int, int, int, int, int, int, int, SplitTrail | None, bool]
"""The parts so far, and what follows from them; a plain tuple, because a split makes many.

(left, least, tried, free, change, walls, cells, out, team, room, trail, done). `left`: points still to share, at least
`least` of them in the next part. `tried`: the pieces that may take it; `free`: all that have not been moved or burned.
`change`: the placement bits changed. `out`, `team`: own and team's pieces that are not in their lane yet. `room`: the
number of pieces that may still share. `trail`: the parts; `done` if they make a whole split.
"""

_LEFT: Final = 0
_CHANGE: Final = 4
_TRAIL: Final = 10
_DONE: Final = 11


MOST = 4_000
"""The most ways to share the points of a card that are listed: eight pieces have up to 3,432."""

_FEW = 2
"""The most pieces that share the points in most of the ways that are listed if there are too many."""

Tests = Sequence[Callable[[int, int], bool]]
"""Conditions for the parts of a split (piece, target), in order."""


def split_moves(pieces: Pieces, points: int, rule: SevenRule, sharers: Sharers, most: int = maxsize) -> list[SplitMove]:
    """Return every split of the points, one for each placement that results; if there are more than `most`, only some.

    These are one with each part that can come first, and others up to `most`, those among few pieces first; if `most`
    is 1, any.
    """
    sharing = _Sharing(pieces, rule, sharers)
    return _list(sharing, sharing.begin(points), most)


def splits_after(
    pieces: Pieces, points: int, rule: SevenRule, sharers: Sharers, tests: Tests, most: int = maxsize
) -> list[SplitMove]:
    """Return the splits that begin with parts that pass these tests, at most `most` as `split_moves` does."""
    sharing = _Sharing(pieces, rule, sharers)
    begun = next(_follow(sharing.in_every_order(), sharing.begin(points), tests), None)
    return [] if begun is None else _list(sharing, begun, most)


def find_split(pieces: Pieces, points: int, rule: SevenRule, sharers: Sharers, tests: Tests) -> SplitMove | None:
    """Return the split whose parts pass these tests; None if the rules do not allow it."""
    sharing = _Sharing(pieces, rule, sharers)
    ends = _follow(sharing.in_every_order(), sharing.begin(points), tests)
    return next((SplitMove(end[_CHANGE], end[_TRAIL]) for end in ends if end[_DONE] and end[_TRAIL] is not None), None)


def _list(sharing: _Sharing, shared: _Shared, most: int) -> list[SplitMove]:
    """Return the splits that can follow, as `split_moves` does."""
    if shared[_DONE] and shared[_TRAIL] is not None:
        return [SplitMove(shared[_CHANGE], shared[_TRAIL])]
    found: dict[int, SplitTrail] = {}
    if _search(sharing, shared, found, {} if sharing.crowded else None, most):
        return [SplitMove(change, trail) for change, trail in found.items()]
    some: dict[int, SplitTrail] = {}
    if most > 1:
        _begin_with_each(sharing.in_every_order(), shared, some)
        most = max(most, len(some))
        left, least, tried, free, change, walls, cells, out, team, room, trail, done = shared
        few = (left, least, tried, free, change, walls, cells, out, team, min(room, _FEW), trail, done)
        _search(sharing, few, some, {} if sharing.crowded else None, most)
    return [SplitMove(change, trail, others=True) for change, trail in islice((some | found).items(), most)]


def _begin_with_each(sharing: _Sharing, shared: _Shared, found: dict[int, SplitTrail]) -> None:
    """Find a split for each part that can come next, with a placement of its own if there is one."""
    dead: set[tuple[int, int, int, int]] = set()
    for after in sharing.next(shared):
        end = next((end for end in _ends(sharing, after, dead) if end[_CHANGE] not in found), None)
        if end is not None and end[_TRAIL] is not None:
            found[end[_CHANGE]] = end[_TRAIL]


def _ends(sharing: _Sharing, shared: _Shared, dead: set[tuple[int, int, int, int]]) -> Iterator[_Shared]:
    """Yield the ends of the splits that go on from here, those in few parts first; `dead`: where there are none."""
    left, _, tried, free, change, walls, cells, out, team, room, trail, done = shared
    if done:
        yield shared
        return
    state = (change, free, left, room)
    if state in dead:
        return
    dead.add(state)
    # A single part that uses all points is the rule.
    last = (left, left, tried, free, change, walls, cells, out, team, room, trail, done)
    for after in sharing.next(last):
        if after[_DONE]:
            dead.discard(state)
            yield after
    for after in sorted(sharing.next(shared), key=_points_left):
        for end in _ends(sharing, after, dead):
            dead.discard(state)
            yield end


def _points_left(shared: _Shared) -> int:
    return shared[_LEFT]


def _search(
    sharing: _Sharing,
    shared: _Shared,
    found: dict[int, SplitTrail],
    seen: dict[tuple[int, int, int, int], int] | None,
    most: int,
) -> bool:
    """Search everything that may follow; `found` maps the placement bits changed to the parts that change them.

    Return False if there is more than `most`: then the search ends early.
    """
    for after in sharing.next(shared, found):
        if len(found) > most:
            return False
        if seen is not None:
            left, least, tried, free, change, walls, cells, out, team, room, trail, _ = after
            state = (change, free, left, room)
            known = seen.get(state, 0)
            fresh = tried & ~known
            if not fresh:
                continue
            seen[state] = known | fresh
            if fresh != tried:
                after = (left, least, fresh, free, change, walls, cells, out, team, room, trail, False)
        if not _search(sharing, after, found, seen, most):
            return False
    return len(found) <= most


def _follow(sharing: _Sharing, shared: _Shared, tests: Tests) -> Iterator[_Shared]:
    """Yield the states after parts that pass these tests in order."""
    if not tests:
        yield shared
        return
    wanted, *rest = tests
    for after in sharing.next(shared):
        trail = after[_TRAIL]
        if trail is not None and wanted(trail[1], trail[3]) and not (rest and after[_DONE]):
            yield from _follow(sharing, after, rest)


class _Sharing:
    """One position in which points are shared, in one order of those that have the same effect."""

    def __init__(self, pieces: Pieces, rule: SevenRule, sharers: Sharers) -> None:
        self.pieces = pieces
        self.rule = rule
        own = self._pieces_out(sharers.own)
        theirs = self._pieces_out(sharers.partners)
        self.sharing = own + theirs
        self.sharers = sharers
        board = pieces.routes.board
        self.safe = board.team(sharers.seat) if board.system.own_safe else ()
        self.watched = pieces.routes.bans or not sharers.finishes
        self.own_count = len(own)
        self.everyone = (1 << len(self.sharing)) - 1
        self.first = self.everyone if sharers.together else (1 << len(own)) - 1
        self.spill = self.everyone & ~self.first
        self._prepare()

    def _pieces_out(self, sides: tuple[int, ...]) -> list[int]:
        """Return the pieces of some sides that are not in the kennel, in the order of their spaces."""
        loc, board = self.pieces.loc, self.pieces.routes.board
        own = (piece for side in sides for piece in board.pieces_of[side])
        found = [(board.cell[node], piece) for piece in own if (node := loc[piece]) > KENNEL]
        found.sort()
        return [piece for _, piece in found]

    def _prepare(self) -> None:
        """Look up what each piece can do, and which earlier pieces need not be tried right after it."""
        pieces = self.pieces
        routes = pieces.routes
        side_of = routes.board.side_of
        zones = [routes.zones[side_of[piece]][pieces.loc[piece]] for piece in self.sharing]
        self.rows = [routes.split_rows[side_of[piece]][pieces.loc[piece]] for piece in self.sharing]
        self.skip: list[int] = []
        self.crowded = False
        for index, zone in enumerate(zones):
            apart = 0
            for before in range(index):
                if zone & zones[before]:
                    self.crowded = True
                else:
                    apart |= 1 << before
            self.skip.append(~apart)

    def in_every_order(self) -> _Sharing:
        """Return the same, but with all orders."""
        same = copy(self)
        same.skip = [-1] * len(self.sharing)
        return same

    def begin(self, points: int) -> _Shared:
        """Return the state before the first part."""
        pieces = self.pieces
        cell_bit = pieces.routes.cell_bit
        in_lane = pieces.in_lane
        out = team = 0
        for side in self.sharers.own:
            out += PIECES - in_lane[side]
        for side in self.sharers.partners:
            team += PIECES - in_lane[side]
        team += out
        cells = 0
        for node in pieces.loc:
            if node > KENNEL:
                cells |= cell_bit[node]
        room = self.rule.most or len(self.sharing)
        return points, 1, self.first, self.everyone, 0, pieces.walls, cells, out, team, room, None, False

    def next(self, shared: _Shared, found: dict[int, SplitTrail] | None = None) -> Iterator[_Shared]:
        """Yield everything that one more part can lead to; whole splits are only added to `found`, if that is given."""
        left, least, tried, free, change, walls, cells, out, team, room, trail, _ = shared
        pieces = self.pieces
        routes = pieces.routes
        takes, lapse, watched = self.rule.takes_at_end, self.rule.lapse, self.watched
        first = self.first if room > 1 else 0
        ends = (team == 1 and lapse) or (out == 1 and self.spill)
        while tried:
            bit = tried & -tried
            tried ^= bit
            index = bit.bit_length() - 1
            piece = self.sharing[index]
            node = pieces.loc[piece]
            rest = free ^ bit
            own = index < self.own_count
            spilling = bit & self.spill
            if ends or rest & (self.spill if spilling else first):
                from_least = least
            else:
                from_least = left
            bits = routes.placement_bit[piece]
            here = change ^ bits[node]
            walls_here = walls & routes.open[node]
            cells_here = cells & ~routes.cell_bit[node]
            rows = self.rows[index]
            for points in range(from_least, left + 1):
                for target, stops, passed, lands, enters in rows[points]:
                    if walls & stops:
                        continue
                    if watched and self._is_stopped(free, cells, trail, piece, points, target, enters):
                        continue
                    hit = cells_here & (passed | lands)
                    after = here ^ bits[target]
                    remaining = rest
                    if hit:
                        if hit & lands and not takes:
                            continue
                        after, remaining = self._burn(hit, after, rest, trail)
                        if remaining < 0:
                            continue
                    still = left - points
                    team_now = team - enters
                    part = (trail, piece, points, target)
                    if not still or (lapse and not team_now):
                        if found is not None:
                            if after not in found:
                                found[after] = part
                            continue
                        yield 0, 1, 0, 0, after, 0, 0, out, team_now, 0, part, True
                        continue
                    out_now = out - 1 if enters and own else out
                    next_least = 1
                    if out_now or not self.spill:
                        next_tried = remaining & first & self.skip[index]
                    elif not spilling:
                        next_tried = remaining & self.spill
                        if self.rule.spill is Spill.ONE and not (lapse and team_now == 1):
                            next_least = still
                    elif self.rule.spill is Spill.SHARED:
                        next_tried = remaining & self.spill & self.skip[index]
                    else:
                        continue
                    if next_tried:
                        yield (
                            still,
                            next_least,
                            next_tried,
                            remaining,
                            after,
                            walls_here | routes.wall[target],
                            cells_here & ~hit | lands,
                            out_now,
                            team_now,
                            room - 1,
                            part,
                            False,
                        )

    def _is_stopped(
        self, free: int, cells: int, trail: SplitTrail | None, piece: int, points: int, target: int, enters: bool
    ) -> bool:
        """Return True if a part meets pieces that cannot be passed, or brings a last piece home that it may not."""
        routes = self.pieces.routes
        board = routes.board
        side = board.side_of[piece]
        if enters and not self.sharers.finishes:
            moved, chain = 0, trail
            while chain is not None:
                before, other, _, end = chain
                came = board.enters(self.pieces.loc[other], end)
                moved += came and board.side_of[other] == side
                chain = before
            if self.pieces.in_lane[side] + moved == PIECES - 1:
                return True
        guard = routes.split_guards[side][self.pieces.loc[piece]][points, target]
        if not guard:
            return False
        own = after = 0
        while trail is not None:
            before, other, _, end = trail
            if board.side_of[other] == side and not routes.cell_bit[end] & after:
                own |= routes.cell_bit[end]
            after |= routes.cell_bit[end]
            trail = before
        for index, other in enumerate(self.sharing):
            if free >> index & 1 and other != piece and board.side_of[other] == side:
                own |= routes.cell_bit[self.pieces.loc[other]]
        stands = own << 2 * board.cells | self.pieces.pairs(cells) << 3 * board.cells
        return bool(guard & stands)

    def _burn(self, hit: int, change: int, free: int, trail: SplitTrail | None) -> tuple[int, int]:
        """Send home the pieces on these cells; return the placement bits and the free pieces (-1: not allowed)."""
        placement_bit = self.pieces.routes.placement_bit
        while hit:
            bit = hit & -hit
            hit ^= bit
            piece, node, moved = self._standing_on(bit, trail)
            if self.safe and self.pieces.routes.board.side_of[piece] in self.safe:
                return change, -1
            change ^= placement_bit[piece][node]
            if not moved and piece in self.sharing:
                free &= ~(1 << self.sharing.index(piece))
        return change, free

    def _standing_on(self, bit: int, trail: SplitTrail | None) -> tuple[int, int, bool]:
        """Return what stands on a cell after the parts so far: piece, node, and True if a part brought it there."""
        cell_bit = self.pieces.routes.cell_bit
        while trail is not None:
            before, piece, _, target = trail
            if cell_bit[target] == bit:
                return piece, target, True
            trail = before
        piece = self.pieces.occ[bit.bit_length() - 1]
        return piece, self.pieces.loc[piece], False
