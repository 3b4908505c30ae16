"""Splitting a seven: every way to share its points out among several pieces (rules, section 6).

The search goes part by part and changes nothing on the way: walls, cells and placement bits are carried along as
numbers. Two parts whose pieces cannot touch the same spaces give the same in either order, so only one of the orders
is followed; and where pieces are close together, a situation met before is not gone through again.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.board import KENNEL
from engine.field import SPLIT, Field, Move, SplitTrail
from engine.systems import SevenRule, Spill


class Sharers(NamedTuple):
    """Who may take points: the side played, the partner for the spill, and whether both share freely."""

    side: int
    partner: int | None
    together: bool
    """With `canadian_seven`: own and partner's pieces in any order (section 13)."""


def split_moves(field: Field, points: int, rule: SevenRule, sharers: Sharers) -> list[Move]:
    """Every split of the points, one for each placement it leads to."""
    search = _Search(field, rule, sharers)
    search.run(points)
    return [(SPLIT, -1, change, trail) for change, trail in search.found.items()]


class _Search:
    """One search; `found` maps the placement bits changed to the parts that change them."""

    def __init__(self, field: Field, rule: SevenRule, sharers: Sharers) -> None:
        self.field = field
        self.rule = rule
        loc = field.loc
        own = [piece for piece in range(4 * sharers.side, 4 * sharers.side + 4) if loc[piece] > KENNEL]
        theirs: list[int] = []
        if sharers.partner is not None:
            first = 4 * sharers.partner
            theirs = [piece for piece in range(first, first + 4) if loc[piece] > KENNEL]
        self.pieces = own + theirs
        self.side = sharers.side
        self.partner = sharers.partner
        self.own_count = len(own)
        everyone = (1 << len(self.pieces)) - 1
        owners = (1 << len(own)) - 1
        self.everyone = everyone
        self.first = everyone if sharers.together else owners
        self.spill = everyone & ~self.first
        self.found: dict[int, SplitTrail] = {}

    def run(self, points: int) -> None:
        """Fill `found`."""
        field = self.field
        cell_bit = field.routes.cell_bit
        out = 4 - field.in_lane[self.side]
        team = out if self.partner is None else out + 4 - field.in_lane[self.partner]
        cells = 0
        for node in field.loc:
            if node > KENNEL:
                cells |= cell_bit[node]
        self._prepare()
        self.seen: dict[tuple[int, int, int], int] | None = {} if self.crowded else None
        self._walk(points, 1, self.first, self.everyone, 0, field.walls, cells, out, team, None)

    def _prepare(self) -> None:
        """For each piece what it can do, and which pieces before it need not be tried right after it."""
        field = self.field
        routes = field.routes
        zones = [routes.zones[piece >> 2][field.loc[piece]] for piece in self.pieces]
        self.rows = [routes.split_rows[piece >> 2][field.loc[piece]] for piece in self.pieces]
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

    def _walk(
        self,
        left: int,
        least: int,
        tried: int,
        free: int,
        change: int,
        walls: int,
        cells: int,
        out: int,
        team: int,
        trail: SplitTrail | None,
    ) -> None:
        """Try every next part.

        `left`: points to share out, at least `least` in this part. `tried`: the pieces to try now; `free`: all that
        have not been moved or burned. `out`, `team`: own and team's pieces not in their lane yet.
        """
        field = self.field
        routes = field.routes
        pieces, all_rows, found, seen = self.pieces, self.rows, self.found, self.seen
        takes, lapse = self.rule.takes_at_end, self.rule.lapse
        while tried:
            bit = tried & -tried
            tried ^= bit
            index = bit.bit_length() - 1
            piece = pieces[index]
            node = field.loc[piece]
            rest = free ^ bit
            own = index < self.own_count
            spilling = bit & self.spill
            if rest & (self.spill if spilling else self.first) or (team == 1 and lapse) or (out == 1 and self.spill):
                from_least = least
            else:
                from_least = left
            bits = routes.placement_bit[piece]
            here = change ^ bits[node]
            walls_here = walls & routes.open[node]
            cells_here = cells & ~routes.cell_bit[node]
            rows = all_rows[index]
            for points in range(from_least, left + 1):
                for target, stops, passed, lands, enters in rows[points]:
                    if walls & stops:
                        continue
                    hit = cells_here & (passed | lands)
                    after = here ^ bits[target]
                    remaining = rest
                    if hit:
                        if hit & lands and not takes:
                            continue
                        after, remaining = self._burn(hit, after, rest, trail)
                    still = left - points
                    team_now = team - enters
                    if not still or (lapse and not team_now):
                        if after not in found:
                            found[after] = (trail, piece, points, target)
                        continue
                    out_now = out - 1 if enters and own else out
                    next_least = 1
                    if out_now or not self.spill:
                        next_tried = remaining & self.first & self.skip[index]
                    elif not spilling:
                        next_tried = remaining & self.spill
                        if self.rule.spill is Spill.ONE and not (lapse and team_now == 1):
                            next_least = still
                    elif self.rule.spill is Spill.SHARED:
                        next_tried = remaining & self.spill & self.skip[index]
                    else:
                        continue
                    if not next_tried:
                        continue
                    if seen is not None:
                        state = (after, remaining, still)
                        done = seen.get(state, 0)
                        next_tried &= ~done
                        if not next_tried:
                            continue
                        seen[state] = done | next_tried
                    self._walk(
                        still,
                        next_least,
                        next_tried,
                        remaining,
                        after,
                        walls_here | routes.wall[target],
                        cells_here & ~hit | lands,
                        out_now,
                        team_now,
                        (trail, piece, points, target),
                    )

    def _burn(self, hit: int, change: int, free: int, trail: SplitTrail | None) -> tuple[int, int]:
        """Send home whoever stands on the cells hit: the placement bits and the pieces free to move after it."""
        placement_bit = self.field.routes.placement_bit
        while hit:
            bit = hit & -hit
            hit ^= bit
            piece, node, moved = self._standing(bit, trail)
            change ^= placement_bit[piece][node]
            if not moved and piece in self.pieces:
                free &= ~(1 << self.pieces.index(piece))
        return change, free

    def _standing(self, bit: int, trail: SplitTrail | None) -> tuple[int, int, bool]:
        """Who stands on a cell after the parts so far: piece, node, and whether one of the parts brought it there."""
        cell_bit = self.field.routes.cell_bit
        while trail is not None:
            before, piece, _, target = trail
            if cell_bit[target] == bit:
                return piece, target, True
            trail = before
        piece = self.field.occ[bit.bit_length() - 1]
        return piece, self.field.loc[piece], False
