"""How computer players decide, and when the ones that take their time act."""

import asyncio
import logging
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from bot.errors import Busy
from bot.occupants import Level, Occupant
from bot.pools import MOST_THOUGHTS, Pools, _within
from bot.table import Logged, Table, Terms
from bot.tables.computers import (
    BUDGET,
    CALM_AFTER,
    QUICKEST,
    ROUNDED,
    SPREAD,
    AutoSeat,
    Thinking,
    auto_seats,
    dice_of,
    think,
    who_acts_next,
)
from bot.workers import WorkerDied
from engine import Action, Game
from tests.bot import shown
from tests.bot.gaming import refused
from tests.engine.staging import staged
from tests.virtual import on_virtual_time

PATIENCE = 250.0
"""Seconds in which a process starts and answers, however busy the machine is."""


class Stuck:
    """Workers that accept everything and do nothing."""

    size = 2

    def __init__(self) -> None:
        self.taken = 0

    async def do(self, work: Callable[..., Any], *args: Any) -> Any:
        self.taken += 1
        await asyncio.sleep(1_000_000)


def stuck(processes: int = 0) -> tuple[Pools, Stuck]:
    pools, crew = Pools(processes), Stuck()
    pools._thinking = crew  # type: ignore[assignment]
    return pools, crew


def on_turn(level: str = Level.STRONG) -> AutoSeat:
    """A seat that has to give a card, and has a choice."""
    game = Game.new("classic", 4, bytes(32))
    return AutoSeat(game, game.to_act[0], level)


def lower(mover: AutoSeat) -> AutoSeat:
    return replace(mover, level=Level.NORMAL)


@pytest.mark.parametrize("processes", [0, 2])
@on_virtual_time
async def test_slow_pool_costs_no_more_than_the_budget(processes: int) -> None:
    pools, crew = stuck(processes)
    thinking, mover = Thinking(pools), on_turn()
    began = asyncio.get_running_loop().time()
    action = await thinking.action(mover)
    assert asyncio.get_running_loop().time() - began == pytest.approx(BUDGET)
    assert action == lower(mover).action()
    assert crew.taken == 1


@on_virtual_time
async def test_two_hundred_tables_wait_without_blocking_others() -> None:
    pools, crew = stuck()
    thinking = Thinking(pools)
    loop = asyncio.get_running_loop()
    tables = [asyncio.create_task(thinking.action(on_turn())) for _ in range(200)]
    turns, most = 0, MOST_THOUGHTS * crew.size
    while not all(task.done() for task in tables[most:]):
        # Clicks that arrive meanwhile are served between any two decisions.
        turns += 1
        await asyncio.sleep(0)
    assert turns >= 200 - most
    assert loop.time() == 0
    await asyncio.gather(*tables)
    assert loop.time() == pytest.approx(BUDGET)
    assert crew.taken == most


def test_trouble_and_its_end_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "bot.tables.computers")

    @on_virtual_time
    async def troubled() -> None:
        pools = Pools()
        thinking, mover = Thinking(pools), on_turn()
        problems = [Busy(), TimeoutError(), WorkerDied("gone"), None, TimeoutError(), None, MemoryError("K 5"), None]

        async def thought(*_: object) -> Action:
            problem = problems.pop(0)
            if problem is not None:
                raise problem
            return lower(mover).action()

        pools.think = thought  # type: ignore[method-assign]
        for times in (3, 1, 1):
            for _ in range(times):
                await thinking.action(mover)
            await asyncio.sleep(CALM_AFTER)
            await thinking.action(mover)

    troubled()
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"] * 3
    busy, three, late, one, unexpected, _ = (record.getMessage() for record in caplog.records)
    assert "are busy" in busy
    assert "; 3 answered at a lower level" in three
    assert "are busy" not in late
    assert "; 1 answered at a lower level" in one, "it is counted anew"
    assert "fail with MemoryError" in unexpected
    assert "K 5" not in unexpected, "the text could reveal a hand"


async def test_other_process_chooses_the_same_move() -> None:
    pools, mover = Pools(), on_turn("normal")
    asked = (mover.game, mover.seat, mover.level)
    try:
        assert await pools.think(PATIENCE, think, *asked) == mover.action()
    finally:
        pools.close()


def test_dice_of_a_decision_follow_from_the_seed() -> None:
    game, other = Game.new("classic", 4, bytes(32)), Game.new("classic", 4, bytes(31) + b"1")
    later = game.play(game.to_act[0], game.legal(game.to_act[0])[0])
    rolled = [dice_of(*asked).random() for asked in ((game, 0), (other, 0), (game, 1), (later, 0))]
    assert len(set(rolled)) == 4, "another seed, another seat, another moment: other dice"
    assert dice_of(game, 0).random() == rolled[0], "and the same ones after a restart"


def _spin() -> None:
    while True:
        pass


def test_a_process_stops_what_is_late() -> None:
    with pytest.raises(TimeoutError):
        _within(0.0, _spin)


@pytest.mark.parametrize("moment", ["armed", "disarmed"])
def test_alarm_close_to_the_end_counts_as_late(moment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it would end the process: nothing else there expects it."""

    def alarm(_: object, seconds: float) -> None:
        if (seconds > 0) == (moment == "armed"):
            signal.raise_signal(signal.SIGALRM)

    before = signal.getsignal(signal.SIGALRM)
    monkeypatch.setattr(signal, "setitimer", alarm)
    try:
        with pytest.raises(TimeoutError):
            _within(time.monotonic() + 1000, int)
    finally:
        signal.signal(signal.SIGALRM, before)


async def test_late_process_is_freed_killed_one_missed() -> None:
    with closing(Pools(1)) as pools:
        process = await pools.think(PATIENCE, os.getpid)
        await refused(TimeoutError, pools.think(0.01, _spin))
        assert await pools.think(PATIENCE, os.getpid) == process
        await refused(WorkerDied, pools.think(PATIENCE, os.kill, process, signal.SIGKILL))
        assert await pools.think(PATIENCE, os.getpid) != process


STARTED = 1_000


def table_of(game: Game, pace: str) -> Table:
    """A game for two between Ann and a computer player, begun at `STARTED`."""
    people = {0: Occupant("Ann", user_id=1), 2: Occupant("Rex", computer="normal")}
    terms = Terms(game.system.id, 2, pace=pace)
    return replace(shown.table_of(game), occupants=people, terms=terms, started_at=STARTED)


def until_it_is_asked(numbers: Sequence[int]) -> Game:
    """A game in which the computer player on seat 2 is asked something after this many actions, one of `numbers`."""
    for seed in range(200):
        game = Game.new("royal", 2, bytes([seed] * 32))
        while game.number <= max(numbers):
            if 2 in game.to_act and len(game.legal(2)) > 1 and (game.decision(2) or 0) in numbers:
                return game
            seat = game.to_act[0]
            game = game.play(seat, game.legal(seat)[0])
    raise AssertionError("nobody is asked then")


@pytest.mark.parametrize("number", [0, 2, 3])
def test_the_pause_begins_when_the_seat_was_asked(number: int) -> None:
    game = until_it_is_asked([number])
    log = [Logged(one, 0, 1, STARTED + 1_000 * one) for one in range(1, game.number + 1)]
    seat, when = who_acts_next(table_of(game, "live"), log)
    assert seat.seat == 2
    asked = STARTED + 1_000 * number
    assert asked + ROUNDED + QUICKEST <= when <= asked + ROUNDED + QUICKEST + SPREAD


def test_at_other_paces_it_acts_at_once() -> None:
    assert who_acts_next(table_of(until_it_is_asked([2]), "daily"), ())[1] == 0


def folding(people: int, played: int = 0) -> list[AutoSeat]:
    """The seats that need no person where seat 0 can only fold; `people` sit at the table; cards already `played`."""
    game = staged("classic", 4, hands={0: "5 6 9", 1: "2"})
    game = Game(game.state, 4, game.seed, ((0, "give 4"), *((0, "4 1>5"),) * played), game.history(0)[0], None)
    who = {seat: Occupant("Ann", user_id=seat + 1) for seat in range(people)}
    return list(auto_seats(game, {seat: who.get(seat, Occupant("Rex", computer="normal")) for seat in range(4)}))


def test_person_alone_lays_down_a_whole_hand() -> None:
    assert folding(1) == []
    assert [seat.level for seat in folding(1, played=1)] == [None], "part of it has been played"
    assert [seat.level for seat in folding(2)] == [None], "another person would wait"
