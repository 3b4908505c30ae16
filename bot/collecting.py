"""When Python looks for garbage: what is new often, everything only while nobody waits.

Reference counts free nearly all at once; the collector is for what refers to itself in a circle. It looks through all
that has grown old whenever enough of it is new, and with a thousand games in memory that holds the event loop for a
third of a second. So old objects are looked through in a quiet moment instead, and those that the start has left behind
never: they stay anyway.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import time

log = logging.getLogger(__name__)

NEW = (2_000, 5, 1_000_000)
"""How many new objects make the collector look through the newest, how often it does before it takes the second newest
along, and after how many of those it would look through all: practically never."""

LOOK_EVERY = 5.0
"""Seconds over which it is seen whether the moment is quiet."""

QUIET = 0.02
"""The share of a core that the process uses at most while nobody asks anything of it."""

ANEW_AFTER = 600.0
"""Seconds after which everything is looked through again, when the moment is quiet."""

AT_LAST = 6 * 3600.0
"""Seconds after which that is done also if no moment was."""


async def collect_when_quiet() -> None:
    """Leave it to quiet moments to look through everything. Never returns; call it when the start is over."""
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
    """Whether to look through everything now: so many seconds after the last time, at this share of a core in use."""
    return since >= AT_LAST or (since >= ANEW_AFTER and share <= QUIET)
