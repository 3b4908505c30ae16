"""Metrics for monitoring, and the log of deeds: a line for each thing the bot does.

Lines and figures name ids, kinds and times; never a card, a text, a name or a token. A figure's labels have few values,
since monitoring keeps each combination apart.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import aiohttp
import structlog
from prometheus_client import Counter, Gauge, Histogram

from bot.message import About, Message, Why
from bot.moment import Moment
from bot.table import Status, Table

_SOON = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
_FAST = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)

INTERACTIONS = Counter("dog_interactions", "What people asked for, by kind and result", ("kind", "result"))
ACKNOWLEDGED = Histogram("dog_acknowledged_seconds", "From an interaction's arrival to its first answer", buckets=_SOON)
SHOWN = Histogram("dog_board_seconds", "From a change of a table to the board that shows it", buckets=_SOON)
DRAWN = Histogram("dog_drawing_seconds", "Drawing a picture, waiting included", buckets=_FAST)
POSTS = Counter("dog_posts", "Messages sent, by what they are", ("about",))
PINGS = Counter("dog_pings", "People called by a message")
REQUESTS = Counter("dog_discord_requests", "Requests to Discord, by the status of the answer", ("status",))
ERRORS = Counter("dog_discord_errors", "What Discord refused, by its code", ("code",))
LAG = Histogram("dog_loop_lag_seconds", "How late the event loop is", buckets=_FAST)
WAITING = Gauge("dog_pool_waiting", "Pieces of work that are waited for, by pool", ("pool",))
TABLES = Gauge("dog_tables", "Open tables, by status", ("status",))
BEHIND = Gauge("dog_deadlines_behind_seconds", "How long the earliest deadline has been due and not handled")
SHARDS = Gauge("dog_shards", "Shards of this process, by state", ("state",))
FAULTY = Gauge("dog_database_faulty", "1 while the database cannot be written")

GUILDS = Gauge("dog_guilds", "Servers that this process serves")
INFO = Gauge("dog_info", "Always 1: the version of the bot and of Python", ("version", "python"))
CHILDREN = Gauge("dog_children_memory_bytes", "Memory of the processes that draw and think")
ROOM = Gauge("dog_disk_free_bytes", "Room on the disk where the games, or the bot's files, are kept")
BACKUP = Gauge("dog_backup_age_seconds", "Age of the newest backup by dog-bot; infinite if there was none")

LOOK_EVERY = 0.5
"""Seconds between two looks at how late the event loop is."""

MOST_WAITED_FOR = 10_000
"""The most tables whose changes are remembered until their board is there."""


def version_of_the_bot() -> str:
    """Return the installed version; `unknown` in a copy of the code that was never installed."""
    try:
        return version("dog-bot")
    except PackageNotFoundError:
        return "unknown"


log = structlog.wrap_logger(
    logging.getLogger("bot.deeds"),
    processors=[structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)
"""The log of deeds: `log.info(deed, **facts)`."""

_waited_for: dict[int, float] = {}


def record_request(kind: str, name: str, result: str, begun: float, **facts: Any) -> None:
    """Record a request (a `command`, a `press`) that came at this moment of `time.perf_counter`, and its result."""
    INTERACTIONS.labels(kind, result).inc()
    log.info(kind, name=name, result=result, ms=_since(begun), **facts)


def record_post(table: Table, message: Message, message_id: int, ping: Collection[int], why: Why) -> None:
    """Record a message of a table: what, where, for which moment, whom it calls, for which decisions, and why."""
    POSTS.labels(message.about.value).inc()
    where = {"guild": table.guild_id, "table": table.id, "moment": str(message.moment)}
    log.info("post", about=message.about.value, channel=message.to_id, message=message_id, why=why, **where)
    if ping:
        PINGS.inc(len(ping))
        calls = message.about in (About.BOARD, About.REMINDER) and table.status is Status.PLAYING
        seats = {seat for seat, who in table.occupants.items() if calls and who.plays in ping}
        decisions = {seat: mark for seat, mark in message.marks.items() if seat in seats}
        log.info("ping", users=sorted(ping), message=message_id, why=why, decisions=decisions or None, **where)


def record_letter(
    table: Table, user_id: int, moment: Moment, why: Why, arrived: bool, decisions: Mapping[int, str]
) -> None:
    """Record a direct message, which arrived or not; `decisions`: those it calls for, by seat."""
    POSTS.labels("letter").inc()
    where = {"guild": table.guild_id, "table": table.id, "moment": str(moment)}
    result = "ok" if arrived else "closed"
    log.info("post", about="letter", user=user_id, why=why, decisions=decisions or None, result=result, **where)


def record_change(table_id: int) -> None:
    """Start the time from a change of a table to the board that shows it."""
    if len(_waited_for) < MOST_WAITED_FOR:
        _waited_for.setdefault(table_id, time.perf_counter())


def record_board(table: Table, how: str) -> None:
    """Record that a board shows the newest state of its table, as a post or an edit."""
    begun = _waited_for.pop(table.id, None)
    if begun is not None:
        SHOWN.observe(time.perf_counter() - begun)
        log.info("board", how=how, ms=_since(begun), guild=table.guild_id, table=table.id, moment=str(table.moment))


def drop_change(table_id: int) -> None:
    """Stop waiting for a table's board, which is as it should be."""
    _waited_for.pop(table_id, None)


@contextmanager
def measure_drawing() -> Iterator[None]:
    """Measure how long a picture takes."""
    begun = time.perf_counter()
    try:
        yield
    finally:
        DRAWN.observe(time.perf_counter() - begun)


def _since(begun: float) -> int:
    return round(1000 * (time.perf_counter() - begun))


def trace_requests() -> aiohttp.TraceConfig:
    """Return a trace that counts the requests of a client session, by the status of the answer."""
    trace = aiohttp.TraceConfig()

    async def ended(_session: object, _context: object, about: aiohttp.TraceRequestEndParams) -> None:
        REQUESTS.labels(str(about.response.status)).inc()

    async def failed(_session: object, _context: object, about: aiohttp.TraceRequestExceptionParams) -> None:
        REQUESTS.labels("lost").inc()

    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace


def count_refusal(code: int) -> None:
    """Count a request that Discord has refused with this code."""
    ERRORS.labels(str(code)).inc()


async def measure_lag() -> None:
    """Measure how late the event loop is. Never returns."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LOOK_EVERY
        await asyncio.sleep(LOOK_EVERY)
        LAG.observe(max(0.0, loop.time() - due))
