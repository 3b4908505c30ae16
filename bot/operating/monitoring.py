"""`/healthz` and `/metrics` on a port of this machine: the bot's health, and its figures for Prometheus.

Health alone is told on a socket too (`bot.operating.healthy`).
"""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from bot import metrics
from bot.client import DogBot
from bot.delivery.unix_time import now
from bot.errors import SettingsError, StorageError
from bot.operating.healthy import OK, health_socket
from bot.operating.listening import listen
from bot.storage.backup import BACKED_UP
from bot.storage.connection import file_of, parse_url
from bot.table import Status

HOST = "127.0.0.1"
"""Other machines have no business here: the collector of figures runs beside the bot."""

_BOT = web.AppKey("bot", DogBot)


@asynccontextmanager
async def serve_monitoring(bot: DogBot, port: int | None) -> AsyncIterator[None]:
    """Answer on this port until the block ends; None: on no port. Raises SettingsError if it is taken."""
    if port is None:
        yield
        return
    app = web.Application()
    app[_BOT] = bot
    app.router.add_get("/healthz", _health)
    app.router.add_get("/metrics", _figures)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    watching = asyncio.create_task(metrics.measure_lag(), name="how late the event loop is")
    try:
        try:
            await web.TCPSite(runner, HOST, port).start()
        except OSError as problem:
            raise SettingsError(
                f"METRICS_PORT: {HOST}:{port} cannot be used ({problem.strerror}): name another port."
            ) from None
        yield
    finally:
        watching.cancel()
        await runner.cleanup()


@asynccontextmanager
async def tell_health(bot: DogBot) -> AsyncIterator[None]:
    """Tell `dog-bot healthy` how the bot is until the block ends."""

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(f"{find_trouble(bot) or OK}\n".encode())
        writer.close()

    async with listen(health_socket(), answer, "`dog-bot healthy` cannot be answered"):
        yield


def find_trouble(bot: DogBot) -> str:
    """Return what keeps the bot from serving, in a line; empty if it is well. Outages of Discord do not count."""
    if bot.is_closed():
        return "ending"
    if bot.store.fault is not None:
        return str(bot.store.fault)
    return "" if bot.is_ready() else "starting"


async def _health(request: web.Request) -> web.Response:
    trouble = find_trouble(request.app[_BOT])
    return web.Response(text=f"{trouble or OK}\n", status=503 if trouble else 200)


def children_memory() -> int:
    """Return the bytes of memory that the child processes of this one use; 0 where the system does not tell."""
    total, page = 0, os.sysconf("SC_PAGE_SIZE")
    for task in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError, ValueError):
            for child in task.read_text().split():
                with suppress(OSError):
                    total += page * int(Path(f"/proc/{child}/statm").read_text().split()[1])
    return total


async def _figures(request: web.Request) -> web.Response:
    bot = request.app[_BOT]
    for pool, waiting in bot.pools.waiting.items():
        metrics.WAITING.labels(pool).set(waiting)
    connected = sum(not shard.is_closed() for shard in bot.shards.values())
    metrics.SHARDS.labels("connected").set(connected)
    metrics.SHARDS.labels("away").set(len(bot.shards) - connected)
    metrics.FAULTY.set(bot.store.fault is not None)
    metrics.GUILDS.set(len(bot.guilds))
    metrics.INFO.labels(metrics.version_of_the_bot(), platform.python_version()).set(1)
    metrics.CHILDREN.set(children_memory())
    file = file_of(parse_url(bot.settings.database_url))
    with suppress(OSError):
        metrics.ROOM.set(shutil.disk_usage(file.parent if file else ".").free)
    try:
        backed_up = await bot.store.recall(BACKED_UP)
        metrics.BACKUP.set(time.time() - int(backed_up) if backed_up else float("inf"))
        counts, due = await bot.store.games.open_by_status(), await bot.store.deadlines.next_due()
    except StorageError:
        # The database is in trouble, which the figures already say.
        pass
    else:
        for status in (Status.LOBBY, Status.PLAYING, Status.PAUSED):
            metrics.TABLES.labels(status.value).set(counts.get(status, 0))
        metrics.BEHIND.set(max(0.0, now() - due) if due is not None else 0.0)
    return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})
