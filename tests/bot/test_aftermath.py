"""The aftermath of a change: what failed unexpectedly is tried again, and what cannot succeed is left alone."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from bot.errors import BrokenLog
from bot.pools import Pools
from bot.table import Status
from bot.tables.aftermath import FIRST_PAUSE, LONGEST_PAUSE, Aftermath
from tests.virtual import on_virtual_time


class Lobby:
    """A table at which nothing is to be played."""

    status = Status.LOBBY
    game = None


class Failing:
    """Transactions that cannot read a table until `problem` is None; `asked`: the times at which they were to."""

    def __init__(self, problem: Exception | None) -> None:
        self.problem = problem
        self.asked: list[float] = []

    def on_change(self, _: object) -> None:
        pass

    def shows(self, _: int) -> bool:
        return False

    async def get(self, _: int) -> Any:
        self.asked.append(asyncio.get_running_loop().time())
        if self.problem is not None:
            raise self.problem
        return Lobby()


@on_virtual_time
async def test_what_failed_unexpectedly_is_tried_again_after_longer_and_longer_pauses() -> None:
    tables = Failing(RuntimeError("nobody expects this"))
    aftermath = Aftermath(tables, Pools())  # type: ignore[arg-type]
    aftermath.touch(7)
    await asyncio.sleep(20 * LONGEST_PAUSE)
    pauses = [after - before for before, after in zip(tables.asked, tables.asked[1:], strict=False)]
    assert pauses[:3] == pytest.approx([FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE])
    assert pauses[-2:] == pytest.approx([LONGEST_PAUSE] * 2)

    tables.problem = None
    await asyncio.sleep(LONGEST_PAUSE)
    tables.asked.clear()
    await asyncio.sleep(3 * LONGEST_PAUSE)
    assert not tables.asked, "the table is at rest"

    tables.problem = RuntimeError("again")
    aftermath.touch(7)
    await asyncio.sleep(1.5 * FIRST_PAUSE)
    assert len(tables.asked) == 2, "it begins with a short pause again"
    await aftermath.close()


@on_virtual_time
async def test_a_log_that_does_not_replay_is_not_tried_again_and_again() -> None:
    tables = Failing(BrokenLog(7))
    aftermath = Aftermath(tables, Pools())  # type: ignore[arg-type]
    aftermath.touch(7)
    await asyncio.sleep(20 * LONGEST_PAUSE)
    assert len(tables.asked) == 1
    await aftermath.close()


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "bot.tables.aftermath")
