"""The computer players that think: easy, normal and strong. How they think: docs/computer-players.md."""

from __future__ import annotations

from random import Random

from engine.hidden.knowledge import Knowledge
from engine.players.best import find_promising, strong_effort
from engine.players.candidates import candidates
from engine.players.courtesy import choose_courteous
from engine.players.gains import change_gain
from engine.players.search import search
from engine.players.weights import weights_for
from engine.rules.actions import ActionKind
from engine.rules.moves import Play, plays
from engine.rules.pieces import SplitMove
from engine.rules.resolved import Resolved
from engine.rules.routes import Walk
from engine.rules.state import RoundStage

_OVERLOOKS = 0.3
_OVERLOOKS_SUBTLE = 0.6
"""The probability that easy overlooks a play that is plain, or takes thought (backward, split, swap)."""
_GIVES_AWAY = 0.35
"""The probability that easy gives or discards a card at random."""
_WHIM = 0.15
"""The largest error of easy's judgement, in the unit of the weights."""


def play_easy(known: Knowledge, rng: Random) -> Resolved:
    """Choose what looks good at first sight: some plays are overlooked, dangers ignored, good cards wasted."""
    if known.stage == RoundStage.TURN:
        pieces = known.pieces
        weights = weights_for(known.board)
        allies = frozenset(known.board.team(known.seat))
        best: tuple[float, Play] | None = None
        seen: tuple[float, Play] | None = None
        for play in plays(pieces, known.seat, known.hand, known.last_card, known.victim):
            gain = change_gain(pieces, weights, pieces.change(play.move), allies) + _WHIM * rng.random()
            if best is None or gain > best[0]:
                best = gain, play
            overlooked = rng.random() < (_OVERLOOKS_SUBTLE if _is_subtle(known, play) else _OVERLOOKS)
            if not overlooked and (seen is None or gain > seen[0]):
                seen = gain, play
        chosen = seen or best
        if chosen is not None:
            return Resolved(ActionKind.PLAY, chosen[1])
        known.note_stuck()
    found = candidates(known, weights_for(known.board))
    return rng.choice(found).does if rng.random() < _GIVES_AWAY else found[0].does


def _is_subtle(known: Knowledge, play: Play) -> bool:
    """Return True if a play takes thought to see."""
    match play.move:
        case SplitMove():
            return len(play.move.parts()) > 1
        case Walk(piece, target):
            board = known.board
            origin = known.pieces.loc[piece]
            ahead = (board.cell[target] - board.cell[origin]) % board.length
            return board.is_loop(origin) and board.is_loop(target) and ahead > board.length // 2
    return True


def play_normal(known: Knowledge, rng: Random) -> Resolved:
    """Choose what looks best one action ahead, by the learnt value."""
    found = candidates(known, weights_for(known.board))
    return choose_courteous(known, [(candidate.does, candidate.score) for candidate in found])


def play_strong(known: Knowledge, rng: Random) -> Resolved:
    """Choose what does best in worlds that agree with what the seat knows."""
    effort = strong_effort(known.board)
    choices = find_promising(known, effort)
    if len(choices) == 1:
        return choices[0]
    tried = search(known, weights_for(known.board), rng, choices, effort)
    return choose_courteous(known, [(candidate.does, candidate.against(tried[0])) for candidate in tried])
