"""Reviews of finished games: the course, and those of a person's turns that could clearly have been better.

A turn is judged by what its seat could know at the time, in worlds sampled for it, never by what the others held. The
worst turns are looked at again, each time in worlds of their own: a turn that only looked worse by chance is no
mistake. Nor is one that only one judge calls worse: see `engine.players.best.loss_of`.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from bot.errors import NotPossible, Problem, TooOften
from bot.moment import Moment
from bot.pools import Pools
from bot.table import Status, Table
from bot.tables.computers import dice_from
from bot.tables.effects import need
from bot.tables.transactions import Service, Transactions
from bot.tasks import SingleFlight
from engine import Action, Game, SeatGame
from engine.hidden.knowledge import Knowledge
from engine.hidden.worlds import NoWorld
from engine.players.best import REVIEW, Rated, chances, is_same, loss_of, rate, resolve_for
from engine.players.courtesy import choose_courteous, price
from engine.players.motives import Motive, MotiveKind, motives
from engine.players.search import Effort
from engine.rules.resolved import Resolved
from engine.secret import whole

SHOWN = 3
"""The most turns that are shown."""

FIRST_LOOK = Effort(5, 8, even=True)
"""The effort spent on every turn; only the worst are looked at again."""

SECOND_LOOKS = 10
"""The most turns that are looked at again."""

WORLDS = 64
"""The number of worlds in which the judges compare the played action with the better one."""

LEAST = 0.04
"""A smaller loss of the chance to win is not worth mentioning."""

SURELY = 0.01
"""This much at least must have been lost, by the interval, for a turn to count as clearly worse."""

KEPT = 64
"""The most curves, and the most people's turns, that are remembered."""

EACH = 3
"""The most games at a time for which a person's turns are worked out."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A moment of the game: after how many actions, in which round, each seat's chance to win by public knowledge."""

    number: int
    round: int
    chances: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that could have been better: the action of this `number`, and what the seat might have done instead.

    `before`: the chance to win with the better action; `loss`: how much less it was with the one that was played, with
    `low` and `high`, the least and the most that may be (95 %). `motive`: what speaks for the better action and not for
    the other one, if that can be said.
    """

    number: int
    seat: int
    played: Action
    better: Action
    before: float
    loss: float
    low: float
    high: float
    motive: Motive | None


@dataclass(frozen=True, slots=True)
class Review:
    """A finished game under review; `turns`: this person's worst, each with the game as its seat knew it then.

    `looked_at`: how many of their decisions were examined; None for a person who did not play.
    """

    curve: tuple[CurvePoint, ...]
    turns: tuple[tuple[SeatGame, Turn], ...]
    looked_at: int | None


@dataclass(frozen=True, slots=True)
class _Looked:
    """A person's worst turns, and how many of their decisions were examined."""

    found: tuple[Turn, ...]
    examined: int


def need_over(table: Table) -> None:
    """Raise `NOT_OVER` for a game that goes on, and `WrongStatus` for one that never came to an end."""
    if table.status in (Status.PLAYING, Status.PAUSED):
        raise NotPossible(Problem.NOT_OVER)
    need(table, Status.OVER)


_Asked = tuple[int, Moment, int]
"""The key of a person's turns: the table, its moment, and the person."""


class Reviews(Service):
    """Reviews of finished games, made in a pool of their own, one at a time."""

    def __init__(self, transactions: Transactions, pools: Pools) -> None:
        super().__init__(transactions)
        self._pools = pools
        self._curves: SingleFlight[tuple[int, Moment], tuple[CurvePoint, ...]] = SingleFlight("review", KEPT)
        self._turns: SingleFlight[_Asked, _Looked] = SingleFlight("review", KEPT)

    async def review(self, table_id: int, user_id: int, tell: Callable[[int], Awaitable[None]]) -> Review:
        """Return the course of a game and, for a member who played in it, their own turns.

        Only this member's own actions count, even if another player has the seat by now. Raises `NOT_OVER`,
        `WrongStatus`, `TooOften` if reviews of several games are under way for this member, and `Busy` if so
        many are that this one would come too late.

        Args:
            tell: called at once if the member has to wait, with the number of people who are served first.
        """
        table = await self._memory.get(table_id)
        need_over(table)
        assert table.game is not None
        game = whole(table.game)
        mine = [row for row in await self._memory.log(table_id) if str(row.actor) == str(user_id)]
        # No one plays two seats of a game; if it ever happened, neither hand would be shown.
        numbers = tuple(row.number for row in mine) if len({row.seat for row in mine}) == 1 else ()
        wish = (table_id, table.moment, user_id)
        waiting = self._turns.in_flight
        # No person may ask for game after game while none is done.
        if numbers and wish not in waiting and sum(other[2] == user_id for other in waiting) >= EACH:
            raise TooOften(0)
        curve = self._curves.begin(wish[:2], lambda: self._pools.review(_curve, game))
        ahead = len(self._turns.in_flight)
        if not numbers:
            if ahead and not curve.done():
                await tell(ahead)
            return Review(await asyncio.shield(curve), (), None)
        turns = self._turns.begin(wish, lambda: self._pools.review(_look_back, game, numbers, table_id))
        waiting = self._turns.in_flight
        if wish in waiting and (ahead := waiting.index(wish)):
            await tell(ahead)
        points, looked = await asyncio.gather(asyncio.shield(curve), asyncio.shield(turns))
        return Review(points, await asyncio.to_thread(_with_games, game, looked.found), looked.examined)


def _with_games(game: Game, turns: tuple[Turn, ...]) -> tuple[tuple[SeatGame, Turn], ...]:
    return tuple((SeatGame(game.earlier(turn.number - 1), turn.seat), turn) for turn in turns)


def _curve(game: Game) -> tuple[CurvePoint, ...]:
    """Return the course of a game."""
    state = game.earlier(0)
    points = [CurvePoint(0, state.round, chances(state))]
    for seat, text in game.log:
        state = state.play(seat, Action.parse(text))
        points.append(CurvePoint(state.number, state.round, chances(state)))
    return tuple(points)


def _look_back(game: Game, numbers: tuple[int, ...], table_id: int) -> _Looked:
    """Return those of these actions that were clearly worse than another: the worst, in the order of the game."""
    state = game.earlier(0)
    wanted = set(numbers)
    examined = 0
    looked: list[tuple[float, Game, int, Action]] = []
    for seat, text in game.log:
        action = Action.parse(text)
        if state.number + 1 in wanted and len(state.legal(seat)) > 1:
            rated = _rated(state, seat, action, FIRST_LOOK, f"first|{table_id}")
            if rated is not None:
                examined += 1
                behind = rated[0].behind - rated[1].behind
                if behind > 0:
                    looked.append((behind, state, seat, action))
        state = state.play(seat, action)
    looked.sort(key=lambda entry: -entry[0])
    turns = [
        turn
        for _, before, seat, action in looked[:SECOND_LOOKS]
        if (turn := _clearly_worse(before, seat, action, table_id)) is not None
    ]
    worst = sorted(turns, key=lambda turn: -turn.loss)[:SHOWN]
    return _Looked(tuple(sorted(worst, key=lambda turn: turn.number)), examined)


def _clearly_worse(game: Game, seat: int, action: Action, table_id: int) -> Turn | None:
    """Return the turn with the action that would have been better, if there is no doubt about it."""
    rated = _rated(game, seat, action, REVIEW, f"second|{table_id}")
    if rated is None:
        return None
    mine, better = rated
    if mine is better or mine.behind - better.behind < LEAST:
        return None
    known = Knowledge.of(game, seat)
    try:
        lost = loss_of(known, mine.does, better.does, _dice(game, seat, f"third|{table_id}"), WORLDS)
    except NoWorld:
        return None
    # A chance given up for the partner's sake is no mistake.
    kindness = max(0.0, price(known, better.does) - price(known, mine.does))
    if lost.loss < LEAST + kindness or lost.low < SURELY + kindness:
        return None
    motive = _motive(known, mine.does, better.does)
    return Turn(game.number + 1, seat, action, better.action, lost.chance, lost.loss, lost.low, lost.high, motive)


_SAYS_NOTHING = frozenset(
    {
        MotiveKind.MOVES_ON,
        MotiveKind.SHARES,
        MotiveKind.SPARES_OWN,
        MotiveKind.SPARES,
        MotiveKind.CAN_SPARE,
        MotiveKind.BEST,
    }
)
"""Motives of actions for which nothing else speaks."""


def _motive(known: Knowledge, played: Resolved, better: Resolved) -> Motive | None:
    """Return why the better action is better than the one that was played; None if nothing can be said."""
    reasons = motives(known, better, against=played)
    return next((motive for motive in reasons if motive.kind not in _SAYS_NOTHING), None)


def _rated(game: Game, seat: int, action: Action, effort: Effort, words: str) -> tuple[Rated, Rated] | None:
    """Return the ratings of an action and of the best, courtesy included; None, rarely, if no world was found."""
    known = Knowledge.of(game, seat)
    does = resolve_for(game, seat, action)
    try:
        rated = rate(known, _dice(game, seat, words), effort, also=[does])
    except NoWorld:
        return None
    mine = next(option for option in rated if is_same(known, option.does, does))
    best = choose_courteous(known, [(option.does, option.value) for option in rated])
    return mine, next(option for option in rated if option.does is best)


def _dice(game: Game, seat: int, words: str) -> random.Random:
    """Return dice that come from the moment, not from the seed, so that nothing hidden can influence them."""
    return dice_from(f"{words}|{game.number}|{seat}".encode())
