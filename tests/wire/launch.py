"""The real `python -m bot`, pointed at a Discord on this machine: `python tests/wire/launch.py` in its folder.

The one setting is `WIRE_API`, the address of the REST side. Only this launcher reads it, so nothing that runs in
production can be pointed anywhere else. It sets discord.py's address and runs `python -m bot`, unchanged. With
`WIRE_GAUGES=FILE` it also writes, twice a second, how long the event loop was held up and how many SQL statements ran.
"""

import asyncio
import gc
import json
import os
import runpy
import sys
import time
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yarl
from discord import http
from discord.gateway import DiscordWebSocket

WRITE_EVERY = 0.5
LOOK_EVERY = 0.01


def point(address: str) -> None:
    """Make discord.py speak to this address, on this machine only.

    Raises:
        ValueError: the address is elsewhere.
    """
    parts = urlsplit(address)
    if parts.hostname != "127.0.0.1":
        raise ValueError(f"WIRE_API must lie on 127.0.0.1, not on {parts.hostname}")
    http.Route.BASE = address
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{parts.port}/gateway/")


def kind_of(statement: str) -> str:
    """What a statement does to which table: "UPDATE games", "SELECT actions"."""
    first, *words = statement.split()
    if first in ("SELECT", "DELETE"):
        return f"{first} {words[words.index('FROM') + 1] if 'FROM' in words[:-1] else ''}".strip()
    if first in ("INSERT", "UPDATE"):
        return f"{first} {words[first == 'INSERT']}"
    return first


class Collections:
    """How long garbage collection held up the process since last asked: in all, and the longest one.

    Of that one also the seconds of processor and the generation: the rest of its time it was waiting for a core.
    """

    def __init__(self) -> None:
        self._begun = self._used = 0.0
        self._spent, self._longest = 0.0, (0.0, 0.0, 0)
        gc.callbacks.append(self._note)

    def _note(self, phase: str, about: dict[str, int]) -> None:
        if phase == "start":
            self._begun, self._used = time.perf_counter(), time.thread_time()
            return
        took, used = time.perf_counter() - self._begun, time.thread_time() - self._used
        self._spent += took
        self._longest = max(self._longest, (took, used, about["generation"]))

    def since(self) -> dict[str, object]:
        """The figures, which then start afresh."""
        found: dict[str, object] = {"collecting": self._spent, "collecting_longest": self._longest}
        self._spent, self._longest = 0.0, (0.0, 0.0, 0)
        return found


async def gauge(file: Path) -> None:
    """Write the longest time for which the event loop was held up since the last line, and the statements so far.

    `used` is the most processor that the loop's thread needed between two looks, one moment of sleep included. What
    held the loop beyond that was waiting: for a core, for another thread, or for a disk.
    """
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    statements: Counter[str] = Counter()

    def count(_connection: object, _cursor: object, statement: str, *about: object) -> None:
        statements[kind_of(statement)] += 1

    event.listen(Engine, "before_cursor_execute", count)
    collected = Collections()
    longest, busiest, written = 0.0, 0.0, time.perf_counter()
    with file.open("a", encoding="utf-8", buffering=1) as out:
        while True:
            begun, used = time.perf_counter(), time.thread_time()
            await asyncio.sleep(LOOK_EVERY)
            now = time.perf_counter()
            longest = max(longest, now - begun - LOOK_EVERY)
            busiest = max(busiest, time.thread_time() - used)
            if now - written >= WRITE_EVERY:
                line = {
                    "at": time.time(),
                    "held": longest,
                    "used": busiest,
                    "statements": statements.total(),
                    "kinds": statements,
                    **collected.since(),
                }
                out.write(json.dumps(line) + "\n")
                longest, busiest, written = 0.0, 0.0, now


def gauge_beside(file: Path) -> None:
    """Run the gauges beside whatever the program runs with `asyncio.run`."""
    plain = asyncio.run

    async def both(work: Coroutine[Any, Any, Any]) -> Any:
        gauging = asyncio.create_task(gauge(file), name="gauges")
        try:
            return await work
        finally:
            gauging.cancel()

    def run(work: Coroutine[Any, Any, Any], **more: Any) -> Any:
        return plain(both(work), **more)

    asyncio.run = run  # type: ignore[assignment]


def draw_nothing_ahead() -> None:
    """Begin no processes before they are needed, and have them draw nothing ahead.

    In tests nobody waits for that, and it keeps two cores busy for as long as a start takes.
    """
    from bot import program
    from bot.pools import Pools

    Pools.begin = lambda self: None  # type: ignore[method-assign]
    program.Pools = lambda processes, ahead: Pools(processes)  # type: ignore[attr-defined, misc, assignment]


if __name__ == "__main__":
    # As with `python -m bot`, the current folder comes first, not the one that this file is in.
    sys.path[0] = str(Path.cwd())
    point(os.environ["WIRE_API"])
    if os.environ.get("WIRE_GAUGES"):
        gauge_beside(Path(os.environ["WIRE_GAUGES"]))
    if os.environ.get("WIRE_NOTHING_AHEAD"):
        draw_nothing_ahead()
    sys.argv[1:] = []
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
