"""Looking back at a finished game: its course, and those of one person's turns that could clearly have been better.

A turn is judged by what its seat could know at the time, in worlds sampled for it, never by what the others held. It is
looked at twice, the second time in other worlds: what only looked worse by chance is not called a mistake.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from bot.errors import NotOver
from bot.moment import Moment
from bot.pools import Pools
from bot.table import Status, Table
from bot.tables.effects import need
from bot.tables.memory import Memory
from bot.tables.transactions import Transactions
from engine import Action, Game, SeatGame
from engine.knowledge import Knowledge
from engine.secret import whole
from engine.thinking.best import REVIEW, Effort, Rated, chances, rate, resolve_for, same
from engine.thinking.motives import Motive, motives
from engine.worlds import NoWorld

SHOWN = 3
"""The most turns that are shown."""

FIRST_LOOK = Effort(5, 8, even=True)
"""The effort spent on every turn; only the worst are looked at again."""

SECOND_LOOKS = 10
"""How many turns are looked at again."""

CAUTION = 1.5
"""The 95 % interval is widened by this factor: the worst of many turns often looks bad by chance."""

LEAST = 0.02
"""A smaller loss of the chance to win is not worth mentioning."""

KEPT = 64
"""How many reviews are remembered."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A moment of the game: after how many actions, in which round, each seat's chance to win by what all could see."""

    number: int
    round: int
    chances: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Found:
    """A turn that could have been better, as plain values; `number`: the action. See `Turn`."""

    number: int
    seat: int
    played: str
    better: str
    before: float
    after: float
    low: float
    high: float
    motive: Motive


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that could have been better: the game as its seat knew it, what it did, and what it might have done.

    `before` and `after`: the chance to win with the better action and with the one that was played; `low` and `high`:
    the least and the most that was lost (95 %, widened).
    """

    number: int
    game: SeatGame
    played: Action
    better: Action
    before: float
    after: float
    low: float
    high: float
    motive: Motive


@dataclass(frozen=True, slots=True)
class Review:
    """A finished game under review; `turns`: this person's worst, `looked_at`: how many decisions were examined."""

    curve: tuple[CurvePoint, ...]
    turns: tuple[Turn, ...]
    looked_at: int


_Plain = tuple[tuple[CurvePoint, ...], tuple[Found, ...]]


def need_over(table: Table) -> None:
    """Raise `NotOver` for a game that goes on, and `WrongStatus` for one that never came to an end."""
    if table.status in (Status.PLAYING, Status.PAUSED):
        raise NotOver().at(table.code)
    need(table, Status.OVER)


class Reviews:
    """Reviews of finished games, made in a pool of their own, one at a time."""

    def __init__(self, transactions: Transactions, memory: Memory, pools: Pools) -> None:
        self._transactions = transactions
        self._memory = memory
        self._pools = pools
        self._known: OrderedDict[tuple[int, Moment, int], _Plain] = OrderedDict()
        self._under_way: dict[tuple[int, Moment, int], asyncio.Task[_Plain]] = {}

    async def review(self, table_id: int, user_id: int) -> Review:
        """The course of a game for everybody and, for those who played in it, their own turns.

        Only this member's own actions count, even if somebody else has the seat by now. Raises `NotOver`,
        `WrongStatus`, and `Busy` if too many games are under review.
        """
        table = await self._transactions.get(table_id)
        need_over(table)
        assert table.game is not None
        game = whole(table.game)
        mine = [row for row in await self._memory.log(table_id) if str(row.actor) == str(user_id)]
        seats = {row.seat for row in mine}
        # Nobody plays two seats of a game; if it ever happened, neither hand would be shown.
        numbers = tuple(row.number for row in mine) if len(seats) == 1 else ()
        curve, found = await self._looked_back((table_id, table.moment, user_id if numbers else 0), game, numbers)
        turns = await asyncio.to_thread(_turns, game, found)
        return Review(curve, turns, len(numbers))

    async def _looked_back(self, key: tuple[int, Moment, int], game: Game, numbers: tuple[int, ...]) -> _Plain:
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        if key not in self._under_way:
            work = self._pools.review(_look_back, game, numbers, key[0])
            self._under_way[key] = asyncio.create_task(work, name="review")
            self._under_way[key].add_done_callback(lambda _: self._under_way.pop(key, None))
        # If one of those who asked has gone, the others still get it.
        plain = await asyncio.shield(self._under_way[key])
        self._known[key] = plain
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return plain


def _turns(game: Game, found: tuple[Found, ...]) -> tuple[Turn, ...]:
    return tuple(
        Turn(
            one.number,
            SeatGame(game.earlier(one.number - 1), one.seat),
            Action.parse(one.played),
            Action.parse(one.better),
            one.before,
            one.after,
            one.low,
            one.high,
            one.motive,
        )
        for one in found
    )


def _look_back(game: Game, numbers: tuple[int, ...], table_id: int) -> _Plain:
    """The course of a game, and which of these actions were clearly worse than another one, the worst first."""
    state = game.earlier(0)
    points = [CurvePoint(0, state.round, chances(state))]
    wanted = set(numbers)
    looked: list[tuple[float, Game, int, Action]] = []
    for seat, text in game.log:
        action = Action.parse(text)
        if state.number + 1 in wanted and len(state.legal(seat)) > 1:
            rated = _rated(state, seat, action, FIRST_LOOK, f"first|{table_id}")
            if rated and rated[0].behind > 0:
                looked.append((rated[0].behind, state, seat, action))
        state = state.play(seat, action)
        points.append(CurvePoint(state.number, state.round, chances(state)))
    looked.sort(key=lambda one: -one[0])
    found = [
        one
        for _, before, seat, action in looked[:SECOND_LOOKS]
        if (one := _clearly_worse(before, seat, action, table_id)) is not None
    ]
    worst = sorted(found, key=lambda one: one.after - one.before)[:SHOWN]
    return tuple(points), tuple(sorted(worst, key=lambda one: one.number))


def _clearly_worse(game: Game, seat: int, action: Action, table_id: int) -> Found | None:
    """What would have been better than this action, if there is no doubt about it."""
    rated = _rated(game, seat, action, REVIEW, f"second|{table_id}")
    if rated is None:
        return None
    mine, best = rated
    low = mine.behind - CAUTION * (mine.behind - mine.behind_low)
    high = mine.behind + CAUTION * (mine.behind_high - mine.behind)
    if low <= 0 or mine.behind < LEAST:
        return None
    motive = motives(Knowledge.of(game, seat), best.does, len(game.legal(seat)))[0]
    return Found(
        game.number + 1, seat, str(action), str(best.action), best.value, best.value - mine.behind, low, high, motive
    )


def _rated(game: Game, seat: int, action: Action, effort: Effort, words: str) -> tuple[Rated, Rated] | None:
    """How an action is rated, and the best one; None in the rare case that no world was found to try them in."""
    known = Knowledge.of(game, seat)
    does = resolve_for(game, seat, action)
    seed = hashlib.sha256(f"{words}|{game.number}|{seat}".encode()).digest()
    try:
        found = rate(known, random.Random(seed), effort, also=[does])
    except NoWorld:
        return None
    mine = next(one for one in found if same(known, one.does, does))
    return mine, found[0]
