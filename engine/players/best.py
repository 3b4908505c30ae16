"""Rating actions: how good each is for the seat's team, how certain that is, and how much the others fall short.

Everything follows from what the seat can know. Used by the strong player, hints and reviews.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from engine.hidden.knowledge import Knowledge
from engine.players.candidates import candidates
from engine.players.search import Effort, Tried, mean_of, outcome, search
from engine.players.value import round_chances
from engine.players.weights import plain_weights, weights_for
from engine.rules import moves
from engine.rules.actions import Action
from engine.rules.board import Board
from engine.rules.checks import resolve
from engine.rules.describe import play_action
from engine.rules.moves import Play, find_listed
from engine.rules.resolved import Resolved

if TYPE_CHECKING:
    from engine.game import Game

_SPEED = 1 if str(moves.__file__).endswith(".py") else 2
"""A factor for the worlds that strong tries in the same time: 2 where the engine is compiled (`setup.py`)."""
STRONG = Effort(6, 32 * _SPEED)
"""The most that the strong player spends on a decision; it stops when more worlds would change nothing."""
STRONG_OF_FEW = Effort(6, 96 * _SPEED)
"""The same where two or three play: rounds are short there, so it takes no longer than elsewhere and wins more."""
REVIEW = Effort(5, 32, even=True)
"""Enough worlds to tell a mistake from chance."""
_FEW = 3


@dataclass(frozen=True)
class Rated:
    """An action with the chance of the seat's team to win, 0 to 1, and its 95 % interval.

    `behind`: how much lower that is than the best action's chance, over the worlds in which both were tried, with an
    interval of its own; all 0 for the best one, and never less than 0: an action that was dropped early, after doing
    better in a few worlds, counts as just as good. `worlds`: how many it was tried in.
    """

    action: Action
    does: Resolved
    value: float
    low: float
    high: float
    worlds: int
    behind: float
    behind_low: float
    behind_high: float


def strong_effort(board: Board) -> Effort:
    """Return the most that the strong player spends on a decision on this board."""
    return STRONG_OF_FEW if board.players <= _FEW else STRONG


def rate(known: Knowledge, rng: Random, effort: Effort = STRONG, also: Sequence[Resolved] = ()) -> tuple[Rated, ...]:
    """Rate the most promising actions of a seat to act, and those in `also`, best first.

    The result is the same for the same knowledge and state of `rng`.
    """
    weights = weights_for(known.board)
    choices = find_promising(known, effort)
    for other in also:
        if not any(is_same(known, other, choice) for choice in choices):
            choices.append(other)
    best, *others = search(known, weights, rng, choices, effort)
    # The search puts first what stayed longest, but what was dropped late may have fallen further behind.
    rated = [_rated(known, candidate, best) for candidate in others]
    return (_rated(known, best, best), *sorted(rated, key=lambda rating: rating.behind))


@dataclass(frozen=True)
class Loss:
    """The cost of one action compared with another: `chance` to win with the better one, and the `loss` of chance.

    `low` and `high`: the 95 % interval of `loss` in all judges' eyes, from the lowest end to the highest.
    """

    chance: float
    loss: float
    low: float
    high: float


def loss_of(known: Knowledge, worse: Resolved, better: Resolved, rng: Random, worlds: int) -> Loss:
    """Measure the cost of an action against a better one, in this many new worlds.

    The value at the end of a round is itself an estimate, whose errors are the same in every world. So two judges that
    know nothing of each other have to agree, the learnt weights and the plain ones; the smaller loss counts. Raises
    NoWorld: no world was found to try them in.
    """
    judges = (weights_for(known.board), plain_weights(known.board))
    chances: list[float] = []
    pairs: list[list[float]] = [[] for _ in judges]
    for _ in range(worlds):
        world, seed = known.sample(rng), rng.getrandbits(32)
        for judge, found in zip(judges, pairs, strict=True):
            with_better, with_worse = (
                outcome(known, judge, does, world.copy(), Random(seed)) for does in (better, worse)
            )
            found.append(with_better - with_worse)
            if judge is judges[0]:
                chances.append(with_better)
    spans = [interval(found) for found in pairs]
    return Loss(
        sum(chances) / worlds,
        min(sum(found) / worlds for found in pairs),
        min(low for low, _ in spans),
        max(high for _, high in spans),
    )


def resolve_for(game: Game, seat: int, action: Action) -> Resolved:
    """Return a seat's action in the form that ratings take; raises a Refusal if it is not allowed."""
    return resolve(game.state, seat, action)


def chances(game: Game) -> dict[int, float]:
    """Return the chance of each seat's team to win, by public facts: the pieces, and who starts the round."""
    board = game.board
    if game.winners:
        return {seat: float(seat in game.winners) for seat in game.seats}
    found = round_chances(game.state.pieces, weights_for(board), game.state.starter)
    return {seat: chance for team, chance in zip(board.teams, found, strict=True) for seat in team}


def is_same(known: Knowledge, does: Resolved, other: Resolved) -> bool:
    """Return True if two actions use the same card with the same result."""
    if isinstance(does.what, Play) and isinstance(other.what, Play):
        pieces = known.pieces
        return does.what.card == other.what.card and pieces.change(does.what.move) == pieces.change(other.what.move)
    return does == other


def find_promising(known: Knowledge, effort: Effort) -> list[Resolved]:
    """Return the actions worth trying, by the plain weights, which value tempo more than the learnt ones do."""
    return [found.does for found in candidates(known, plain_weights(known.board))[: effort.candidates]]


def action_for(known: Knowledge, does: Resolved) -> Action:
    """Return the action as the legal actions list it: a joker can have several names that lead to the same."""
    kind, what = does
    if isinstance(what, Play):
        listed = find_listed(known.pieces, known.seat, what, known.last_card, known.victim)
        return play_action(known.pieces, known.seat, listed)
    if isinstance(what, int):
        return Action(kind, rank=known.board.system.ranks[what].letter)
    return Action(kind, what)


def _rated(known: Knowledge, tried: Tried, best: Tried) -> Rated:
    pairs = [theirs - mine for mine, theirs in zip(tried.results, best.results, strict=False)]
    behind = max(0.0, sum(pairs) / len(pairs))
    behind_low, behind_high = interval(pairs)
    value = best.mean - behind
    low, high = interval(tried.results)
    return Rated(
        action_for(known, tried.does),
        tried.does,
        min(1.0, max(0.0, value)),
        min(1.0, max(0.0, value - (high - low) / 2)),
        min(1.0, max(0.0, value + (high - low) / 2)),
        len(tried.results),
        behind,
        behind_low,
        max(0.0, behind_high),
    )


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of the mean of some values (approximately, by Student's distribution)."""
    if len(values) < 2:
        return values[0] - 0.5, values[0] + 0.5
    mean, error = mean_of(values)
    reach = (1.96 + 2.4 / (len(values) - 1)) * error
    return mean - reach, mean + reach
