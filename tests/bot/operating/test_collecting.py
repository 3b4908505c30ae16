"""Garbage is collected while nobody waits; what startup leaves behind is not searched again."""

import asyncio
import gc

import pytest

from bot import program
from bot.program import COLLECT_AFTER, COLLECT_AT_LAST, NEW_OBJECTS, QUIET, collect_when_quiet, collects_now
from tests.bot.gaming import refused


@pytest.mark.parametrize(
    ("since", "share", "due"),
    [
        (0.0, 0.0, False),
        (COLLECT_AFTER - 1, 0.0, False),
        (COLLECT_AFTER, QUIET, True),
        (COLLECT_AFTER, 2 * QUIET, False),
        (COLLECT_AT_LAST - 1, 1.0, False),
        (COLLECT_AT_LAST, 1.0, True),
    ],
)
def test_everything_is_looked_through_in_quiet_moments(since: float, share: float, due: bool) -> None:
    assert collects_now(since, share) is due


async def test_the_start_is_set_aside_and_then_quiet_moments_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    moments = iter([False, True, False])

    async def sleep(_: float) -> None:
        asked.append("sleep")

    def due(_since: float, _share: float) -> bool:
        try:
            return next(moments)
        except StopIteration:
            raise asyncio.CancelledError from None

    monkeypatch.setattr(gc, "collect", lambda: asked.append("collect"))
    monkeypatch.setattr(gc, "freeze", lambda: asked.append("freeze"))
    monkeypatch.setattr(gc, "set_threshold", lambda *numbers: asked.append(str(numbers)))
    monkeypatch.setattr(program.asyncio, "sleep", sleep)
    monkeypatch.setattr(program, "collects_now", due)
    await refused(asyncio.CancelledError, collect_when_quiet())
    assert asked == ["collect", "freeze", str(NEW_OBJECTS), "sleep", "sleep", "collect", "sleep", "sleep"]
