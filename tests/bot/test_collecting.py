"""Garbage is collected while the bot is quiet; what startup leaves behind is not searched again."""

import asyncio
import gc
import time
import weakref
from collections.abc import Iterator

import pytest

from bot.program import COLLECT_AFTER, COLLECT_AT_LAST, QUIET, collect_when_quiet
from tests.virtual import on_virtual_time


class Node:
    """Refers to itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.itself = self


def leave_old_garbage() -> weakref.ref[Node]:
    """Leave a node that has become so old that only a full collection finds it."""
    node = Node()
    gc.collect(1)
    return weakref.ref(node)


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    """Put the collector's thresholds back."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.parametrize(("load", "after"), [(QUIET / 2, COLLECT_AFTER), (QUIET * 2, COLLECT_AT_LAST)])
@on_virtual_time
async def test_garbage_is_collected_in_quiet_moments(
    load: float, after: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = asyncio.get_running_loop().time
    monkeypatch.setattr(time, "monotonic", clock)
    monkeypatch.setattr(time, "process_time", lambda: load * clock())
    startup = Node()
    collecting = asyncio.create_task(collect_when_quiet())
    await asyncio.sleep(0)
    garbage, kept = leave_old_garbage(), weakref.ref(startup)
    del startup
    await asyncio.sleep(after - 1)
    assert garbage() is not None
    await asyncio.sleep(2)
    assert garbage() is None
    assert kept() is not None, "what startup leaves behind is not searched"
    collecting.cancel()
