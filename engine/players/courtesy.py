"""Courtesy to partners: what they would mind, and how to avoid it where that costs little."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from engine.hidden.knowledge import Knowledge
from engine.players.features import features_for
from engine.rules.board import KENNEL, PIECES
from engine.rules.moves import Play
from engine.rules.pieces import Pieces, SwapMove
from engine.rules.resolved import Resolved

NEAR = 7
"""A piece at most this many spaces behind a guarded start counts as blocked by it."""
_GIVEN_UP = 0.06
"""The chance to win that a player gives up to avoid one thing that the partner would mind."""


class Offence(StrEnum):
    """Something that a partner would mind."""

    SENT_HOME = "sent home"
    """A partner's piece is sent to its kennel."""
    SWAPPED_BACK = "swapped back"
    """A swap moves a partner's piece back on its way."""
    LEFT_BLOCKED = "left blocked"
    """One of the seat's own pieces stands guarded on its start, right before a partner's piece."""


def offences(known: Knowledge, play: Play) -> frozenset[Offence]:
    """Return what partners would mind about a play; empty without partners, or when the pieces moved are theirs."""
    board, before = known.board, known.pieces
    partners = board.partners(known.seat)
    if not partners or before.in_lane[known.seat] == PIECES:
        return frozenset()
    after = before.after(play.move)
    found = set()
    for partner in partners:
        gone = features_for(board).gone[partner]
        for piece in board.pieces_of[partner]:
            if before.loc[piece] != KENNEL and after.loc[piece] == KENNEL:
                found.add(Offence.SENT_HOME)
            elif isinstance(play.move, SwapMove) and gone[after.loc[piece]] < gone[before.loc[piece]]:
                found.add(Offence.SWAPPED_BACK)
        if _is_blocking(after, known.seat, partner):
            found.add(Offence.LEFT_BLOCKED)
    return frozenset(found)


def _is_blocking(pieces: Pieces, seat: int, partner: int) -> bool:
    """Return True if a guarded piece of the seat stands on its start right before a piece of the partner."""
    board = pieces.routes.board
    start = board.start(seat)
    standing = [pieces.loc[piece] for piece in board.pieces_of[seat]]
    if not any(pieces.routes.wall[node] and board.cell[node] == start for node in standing):
        return False
    cells = [board.cell[pieces.loc[piece]] for piece in board.pieces_of[partner] if board.is_loop(pieces.loc[piece])]
    return any(cell <= board.length and 0 < (start - cell) % board.length <= NEAR for cell in cells)


def price(known: Knowledge, does: Resolved) -> float:
    """Return the chance to win that a courteous player gives up to avoid this action."""
    return _GIVEN_UP * len(offences(known, does.what)) if isinstance(does.what, Play) else 0.0


def choose_courteous(known: Knowledge, rated: Sequence[tuple[Resolved, float]]) -> Resolved:
    """Return the best of the rated actions (best first), or one nearly as good that the partner minds less."""
    best, chance = rated[0]
    if len(known.board.team(known.seat)) == 1 or not isinstance(best.what, Play):
        return best
    minded = price(known, best)
    if not minded:
        return best
    most = chance - minded
    for does, other in rated[1:]:
        if isinstance(does.what, Play) and other > most:
            found = other - price(known, does)
            if found > most:
                best, most = does, found
    return best
