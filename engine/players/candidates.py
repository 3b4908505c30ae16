"""A seat's possible actions, the most promising first, judged one action ahead by what the seat knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.hidden.knowledge import Knowledge
from engine.players.exchange import answer, calls_for_help, worths_of_giving
from engine.players.gains import LEAST, change_gain
from engine.players.policy import Greedy
from engine.players.splitting import best_split
from engine.players.value import turn_chances
from engine.players.weights import Weights
from engine.rules.actions import ActionKind
from engine.rules.definition import StuckRule
from engine.rules.describe import draws
from engine.rules.moves import Play, plays, stands_for
from engine.rules.pieces import Pieces, RobMove, SplitMove
from engine.rules.resolved import Resolved
from engine.rules.state import RoundStage

LOOKED_AT = 14
"""The most plays that get a full valuation: those that gain most by single pieces."""
_OTHERWISE = 0.25
"""The margin for calling for help (or not) and for declining, in the unit of the weights."""


class Candidate(NamedTuple):
    """A possible action and its score: a chance to win, or a worth for gifts; only used for sorting."""

    does: Resolved
    score: float


def candidates(known: Knowledge, weights: Weights) -> list[Candidate]:
    """Return the seat's possible actions, best first; never empty. Plays that look bad at first may be left out."""
    found = list(_plays(known, weights)) if known.stage == RoundStage.TURN else []
    if not found:
        if known.stage == RoundStage.TURN:
            known.note_stuck()
        found = list(_other_actions(known, weights))
    return sorted(found, key=lambda candidate: -candidate.score)


def _plays(known: Knowledge, weights: Weights) -> Iterator[Candidate]:
    """Yield the plays that gain most by single pieces, each with its full valuation."""
    pieces = known.pieces
    allies = frozenset(known.board.team(known.seat))
    last = len(known.hand) == 1
    rough: list[tuple[float, int, Play]] = []
    for play in _looked_at(known, weights):
        gain = change_gain(pieces, weights, pieces.change(play.move), allies)
        if type(play.move) is RobMove:
            gain += weights.any_card
        rough.append((gain - (0.0 if last else weights.cost[play.card]), -len(rough), play))
    if len(rough) == 1:
        yield Candidate(Resolved(ActionKind.PLAY, rough[0][2]), 0.0)
        return
    for _, _, play in sorted(rough, reverse=True)[:LOOKED_AT]:
        yield Candidate(Resolved(ActionKind.PLAY, play), play_chance(known, weights, play))


def _looked_at(known: Knowledge, weights: Weights) -> Iterator[Play]:
    """Yield the listed plays; of a card whose points can be shared out in too many ways to list, a good one besides."""
    pieces, seat = known.pieces, known.seat
    many: set[tuple[str, str]] = set()
    for play in plays(pieces, seat, known.hand, known.last_card, known.victim):
        yield play
        if isinstance(play.move, SplitMove) and play.move.others:
            many.add((play.card, play.named))
    for card, named in sorted(many):
        policy = Greedy(pieces, weights)
        policy.look(policy.allies[seat])
        powers = next(each for each in stands_for(known.routes, card, known.last_card) if each.card.id == named)
        best = best_split(policy, seat, powers, LEAST)
        if best is not None:
            yield Play(card, named, best)


def play_chance(known: Knowledge, weights: Weights, play: Play) -> float:
    """Return the chance to win of the seat's team after a play."""
    after, drawn = known.pieces.after(play.move), draws(known.pieces, play)
    robbed = play.move.victim if isinstance(play.move, RobMove) else None
    return _chance(known, weights, after, _remove(known.hand, play.card), play.named, drawn, robbed)


def _chance(
    known: Knowledge,
    weights: Weights,
    after: Pieces,
    hand: tuple[str, ...],
    last: str | None,
    drawn: int,
    robbed: int | None = None,
) -> float:
    chances = turn_chances(after, weights, known.seat, hand, last, known.sizes, drawn, robbed)
    return next(chance for team, chance in zip(known.board.teams, chances, strict=True) if known.seat in team)


def _remove(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def _other_actions(known: Knowledge, weights: Weights) -> Iterator[Candidate]:
    """Yield every action that is not a play."""
    seat, hand = known.seat, known.hand
    asked = known.asked
    cards = tuple(dict.fromkeys(hand))
    if ActionKind.DISCARD in asked:
        drawn = int(known.board.stuck is StuckRule.REDRAW and known.stage == RoundStage.TURN)
        for card in cards:
            chance = _chance(known, weights, known.pieces, _remove(hand, card), known.last_card, drawn)
            yield Candidate(Resolved(ActionKind.DISCARD, card), chance)
    elif ActionKind.PLACE in asked:
        board = known.board
        for index, piece in enumerate(board.pieces_of[seat]):
            after = known.pieces.copy()
            after.move(piece, known.routes.out_target(seat))
            yield Candidate(Resolved(ActionKind.PLACE, index), _chance(known, weights, after, hand, None, 0))
    elif ActionKind.JUMP in asked:
        assert known.jumper is not None
        piece, target = known.jumper
        after = known.pieces.copy()
        after.move(piece, target)
        for kind, pieces in ((ActionKind.JUMP, after), (ActionKind.STAY, known.pieces)):
            yield Candidate(Resolved(kind), _chance(known, weights, pieces, hand, known.last_card, 0))
    elif ActionKind.FOLD in asked:
        yield Candidate(Resolved(ActionKind.FOLD), 0.0)
    else:
        yield from _gifts(known, Greedy(known.pieces, weights), asked)


def _gifts(known: Knowledge, policy: Greedy, asked: tuple[ActionKind, ...]) -> Iterator[Candidate]:
    seat, hand = known.seat, known.hand
    taker = known.board.taker(seat)
    assert taker is not None
    worths = worths_of_giving(policy, seat, hand, taker)
    most = max(worths.values())
    if ActionKind.DECLINE in asked:
        wanted = answer(policy, seat, hand, taker)
        for card, worth in worths.items():
            yield Candidate(Resolved(ActionKind.GIVE, card), worth + (1.0 if card == wanted else 0.0))
        yield Candidate(Resolved(ActionKind.DECLINE), most + _OTHERWISE if wanted is None else most - 1.0)
        return
    kind = ActionKind.ASK if ActionKind.ASK in asked else ActionKind.GIVE
    for card, worth in worths.items():
        yield Candidate(Resolved(kind, card), worth)
    if kind is ActionKind.ASK:
        calls = calls_for_help(policy, seat, hand)
        yield Candidate(Resolved(ActionKind.NONE), most - _OTHERWISE if calls else most + _OTHERWISE)
