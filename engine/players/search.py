"""Searching over worlds: the outcome of each candidate at the end of the round, for different hidden cards.

Every candidate is tried in the same worlds, so that luck with the cards affects all of them alike. Candidates that do
badly are dropped early, and the others are tried in more worlds (sequential halving).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2, sqrt
from random import Random

from engine.hidden.knowledge import Knowledge
from engine.hidden.worlds import NoWorld
from engine.players.exchange import answer, calls_for_help, gift
from engine.players.playouts import Playout
from engine.players.policy import Greedy
from engine.players.value import round_chances
from engine.players.weights import Weights
from engine.rules.actions import ActionKind
from engine.rules.definition import Exchange
from engine.rules.resolved import Resolved, carry_out
from engine.rules.state import GameState, RoundStage

_SOONEST = 6
_SURE = 2.0
_LITTLE = 0.002
"""After `_SOONEST` worlds a candidate is dropped if it is unlikely (by `_SURE` standard errors) to beat the best by
more than this: because it does badly, or because the two are much the same."""


@dataclass(frozen=True)
class Effort:
    """The extent of a search: this many candidates in this many worlds each, on average.

    `even`: every candidate gets the same number of worlds, so that any two can be compared; otherwise those that do
    badly are dropped early.
    """

    candidates: int
    worlds: int
    even: bool = False


@dataclass
class Tried:
    """A candidate and its results: the chance of the seat's team to win, world by world."""

    does: Resolved
    results: list[float]
    passed: int = 0
    """The number of times it was among the better half."""

    @property
    def mean(self) -> float:
        """The mean of the results."""
        return sum(self.results) / len(self.results)

    def against(self, best: Tried) -> float:
        """Return the best candidate's mean, less how far this one fell behind in the worlds in which both were tried.

        A candidate dropped early was tried in fewer worlds, perhaps lucky ones.
        """
        behind = [theirs - mine for mine, theirs in zip(self.results, best.results, strict=False)]
        return best.mean - sum(behind) / len(behind)


class _Worlds:
    """Worlds that agree with what a seat knows, made when first needed."""

    def __init__(self, known: Knowledge, rng: Random) -> None:
        self._known = known
        self._rng = rng
        self._worlds: list[tuple[GameState, int]] = []
        self._hard = False
        """True once a search for another world has been in vain."""

    def get(self, number: int) -> tuple[GameState, Random]:
        """Return a copy of the world with this number, and its dice. Raises NoWorld if none at all was found."""
        while len(self._worlds) <= number:
            self._worlds.append((self._find_another(), self._rng.getrandbits(32)))
        world, seed = self._worlds[number]
        return world.copy(), Random(seed)

    def _find_another(self) -> GameState:
        """Return a new world or, where hardly any is to be found, one found already."""
        if not self._hard:
            try:
                return self._known.sample(self._rng)
            except NoWorld:
                if not self._worlds:
                    raise
                self._hard = True
        return self._rng.choice(self._worlds)[0]


def search(known: Knowledge, weights: Weights, rng: Random, choices: Sequence[Resolved], effort: Effort) -> list[Tried]:
    """Try the possible actions, the best first."""
    tried = [Tried(does, []) for does in choices]
    worlds = _Worlds(known, rng)
    left = tried
    rounds = 1 if effort.even else max(1, ceil(log2(len(tried))))
    budget = effort.worlds * len(tried)
    for number in range(rounds):
        done = len(left[0].results)
        for world in range(done, done + max(1, budget // rounds // len(left))):
            for candidate in left:
                candidate.results.append(outcome(known, weights, candidate.does, *worlds.get(world)))
            if not effort.even and len(left) > 1:
                left = _keep_hopeful(left)
                if len(left) == 1:
                    break
        if number < rounds - 1:
            left = sorted(left, key=lambda candidate: -candidate.mean)[: ceil(len(left) / 2)]
        for candidate in left:
            candidate.passed = number + 1
        if len(left) == 1:
            break
    return sorted(tried, key=lambda candidate: (-candidate.passed, -candidate.mean))


def _keep_hopeful(left: list[Tried]) -> list[Tried]:
    """Return the candidates, all tried in the same worlds, that may yet turn out better than the best of them."""
    if len(left[0].results) < _SOONEST:
        return left
    best = max(left, key=lambda candidate: candidate.mean)
    found = []
    for candidate in left:
        mean, error = mean_of([theirs - mine for mine, theirs in zip(candidate.results, best.results, strict=True)])
        if candidate is best or _SURE * error - mean >= _LITTLE:
            found.append(candidate)
    return found


def mean_of(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of two values or more, and its standard error."""
    count = len(values)
    mean = sum(values) / count
    return mean, sqrt(sum((value - mean) ** 2 for value in values) / (count - 1) / count)


def outcome(known: Knowledge, weights: Weights, does: Resolved, world: GameState, rng: Random) -> float:
    """Return the chance of the seat's team to win if the seat does this in a world and the round is played out."""
    begun = world.round
    carry_out(world, known.seat, does)
    _go_to_turn(world, weights, rng)
    teams = known.board.teams
    if world.stage == RoundStage.END:
        chances = [float(team == world.winners) for team in teams]
    elif world.round != begun:
        chances = round_chances(world.pieces, weights, world.starter)
    else:
        course = Playout(world, weights)
        course.finish(rng)
        chances = course.chances()
    return next(chance for team, chance in zip(teams, chances, strict=True) if known.seat in team)


def _go_to_turn(state: GameState, weights: Weights, rng: Random) -> None:
    """Bring a world to the next turn: exchange, first pieces, the citizen's jump, each as seems best."""
    policy: Greedy | None = None
    begun = state.round
    while state.stage not in (RoundStage.TURN, RoundStage.END) and state.round == begun:
        policy = policy or Greedy(state.pieces, weights)
        seat = state.to_act()[0]
        carry_out(state, seat, quick_choice(state, policy, seat, rng))


def quick_choice(state: GameState, policy: Greedy, seat: int, rng: Random) -> Resolved:
    """Choose for a seat that is not on turn to play a card."""
    board = state.board
    hand = state.cards.hands[seat]
    if state.stage == RoundStage.JUMP:
        assert state.jumper is not None
        policy.look(policy.allies[seat])
        gains = policy.gain(*state.jumper, policy.allies[seat]) > 0
        return Resolved(ActionKind.JUMP if gains else ActionKind.STAY)
    if state.stage == RoundStage.PLACE:
        return Resolved(ActionKind.PLACE, rng.randrange(len(board.system.ranks)))
    if state.stage == RoundStage.LOSE:
        return Resolved(ActionKind.DISCARD, min(hand, key=policy.weights.cost.__getitem__))
    taker = board.taker(seat)
    assert taker is not None
    if seat in state.answering:
        card = answer(policy, seat, hand, taker)
        return Resolved(ActionKind.DECLINE) if card is None else Resolved(ActionKind.GIVE, card)
    given = gift(policy, seat, hand, taker)
    if board.exchange is not Exchange.ASK:
        return Resolved(ActionKind.GIVE, given)
    return Resolved(ActionKind.ASK, given) if calls_for_help(policy, seat, hand) else Resolved(ActionKind.NONE)
