"""The real `python -m bot`, pointed at a Discord on this machine: `python tools/wire/launch.py` in its folder.

The one setting is `WIRE_API`, the address of the REST side. Only this launcher reads it, so nothing that runs in
production can be pointed anywhere else. It sets discord.py's address and runs `python -m bot`, unchanged. With
`WIRE_GAUGE=FILE` it also writes, twice a second, the longest time for which the event loop was held up. With
`WIRE_PATIENCE=SECONDS`, answers that take longer than that are announced. With `WIRE_BARE=1`, the bot speaks English
alone and brings no emojis.
"""

import asyncio
import gc
import os
import runpy
import sys
import time
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


async def gauge(file: Path) -> None:
    """Write, line by line, the longest time in seconds for which the event loop was held up since the last line."""
    longest, written = 0.0, time.perf_counter()
    with file.open("a", encoding="utf-8", buffering=1) as out:
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(LOOK_EVERY)
            now = time.perf_counter()
            longest = max(longest, now - begun - LOOK_EVERY)
            if now - written >= WRITE_EVERY:
                out.write(f"{longest:.6f}\n")
                longest, written = 0.0, now


def gauge_beside(file: Path) -> None:
    """Run the gauge beside the work that the program runs with `asyncio.run`."""
    plain = asyncio.run

    async def both(work: Coroutine[Any, Any, Any]) -> Any:
        gauging = asyncio.create_task(gauge(file), name="gauge")
        try:
            return await work
        finally:
            gauging.cancel()

    def run(work: Coroutine[Any, Any, Any], **more: Any) -> Any:
        return plain(both(work), **more)

    asyncio.run = run  # type: ignore[assignment]


def draw_nothing_ahead() -> None:
    """Begin no processes before they are needed, and have them draw nothing ahead.

    Tests do not need that, and it keeps two cores busy for as long as a start takes.
    """
    # As `bot/__main__.py` does before it imports anything; it switches it on again.
    gc.disable()
    from bot import program
    from bot.pools import Pools

    Pools.begin = lambda self: None  # type: ignore[method-assign]
    program.Pools = lambda processes, ahead: Pools(processes)  # type: ignore[attr-defined, misc, assignment]


def begin_bare() -> None:
    """Speak English alone, and bring no emojis.

    Reading all languages and naming the commands in each takes a third of a start; drawing and uploading emojis goes on
    for a minute after each start on a Discord without them.
    """
    gc.disable()
    from bot import languages
    from bot.showing import emojis

    async def bring(*_: object, **_named: object) -> None:
        pass

    languages._offered.clear()
    emojis.bring = bring


def announce_after(seconds: float) -> None:
    """Announce answers that take longer than this; with 0, all that have to read or draw anything."""
    gc.disable()
    from bot.interactions import answers

    answers.PATIENCE = seconds


if __name__ == "__main__":
    # As with `python -m bot`, the current folder comes first, not the folder of this file.
    sys.path[0] = str(Path.cwd())
    # Where the bot is installed there is none; here SimCord brings it, and structlog would import it.
    sys.modules["rich"] = None  # type: ignore[assignment]
    point(os.environ["WIRE_API"])
    if os.environ.get("WIRE_GAUGE"):
        gauge_beside(Path(os.environ["WIRE_GAUGE"]))
    if os.environ.get("WIRE_NOTHING_AHEAD"):
        draw_nothing_ahead()
    if os.environ.get("WIRE_BARE"):
        begin_bare()
    if os.environ.get("WIRE_PATIENCE"):
        announce_after(float(os.environ["WIRE_PATIENCE"]))
    sys.argv[1:] = []
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
