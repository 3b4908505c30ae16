"""When Python collects garbage: new objects often, everything only when nobody is waiting.

Reference counting frees nearly everything at once; the collector is for reference cycles. It goes through all old
objects whenever enough of them are new, and with a thousand games in memory that blocks the event loop for a third of a
second. So old objects are checked in a quiet moment instead, and those left over from the start never: they stay
anyway.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import time

log = logging.getLogger(__name__)

NEW = (2_000, 4, 1_000_000)
"""The collector's thresholds: how many new objects trigger a look at the newest generation, how many such looks include
the second, and how many of those would include everything: practically never."""

LOOK_EVERY = 5.0
"""Seconds over which the load is measured to find a quiet moment."""

QUIET = 0.02
"""The share of a core that the process uses at most while nobody asks it for anything."""

ANEW_AFTER = 600.0
"""Seconds after which everything is checked again, in a quiet moment."""

AT_LAST = 6 * 3600.0
"""Seconds after which that is done even if no moment was quiet."""


async def collect_when_quiet() -> None:
    """Leave full collections to quiet moments. Never returns; call it when the start is complete."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*NEW)
    collected, used = time.monotonic(), time.process_time()
    while True:
        await asyncio.sleep(LOOK_EVERY)
        before, used = used, time.process_time()
        since = time.monotonic() - collected
        if is_due(since, (used - before) / LOOK_EVERY):
            found = gc.collect()
            collected, used = time.monotonic(), time.process_time()
            log.debug("collected %s objects that referred to each other", found)


def is_due(since: float, share: float) -> bool:
    """Whether to check everything now: this many seconds after the last time, with this share of a core in use."""
    return since >= AT_LAST or (since >= ANEW_AFTER and share <= QUIET)
