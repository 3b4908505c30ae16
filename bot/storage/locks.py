"""Several processes on one PostgreSQL: the locks on the shards of each, and news of changes by others.

A process locks its shards before it logs in. The locks are advisory locks of one session on the server, which frees
them when the session ends: when the process ends or is killed, and about 15 seconds after its machine has gone. A
process whose session has ended writes nothing until it has the locks again; if they are taken by then, it ends.

On the same connection it listens: a process that changes a game on a server served by another process announces it in
the same transaction (`GameWriter.announce`), and all are told which users to forget (`FORGOTTEN`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.shards import Shards
from bot.storage.connection import make_listener
from bot.storage.faults import Fault, FaultKind, faults_at

if TYPE_CHECKING:
    from bot.storage.database import Database

log = logging.getLogger(__name__)

ASKED_EVERY = 2.0
"""Seconds between two looks at the connection that holds the locks."""

ANSWERED = 5.0
"""Seconds to wait for an answer on it. Both together are less than the server waits before it frees the locks."""

AGAIN = 1.0
"""Seconds until a broken connection is made again."""

LOCK = 0x444F47
"""The number of the lock under which locks are given out, and the schema is changed."""

SPACE = 0x444F0000
"""The first half of a lock's number is this plus the count of shards, the second half the shard."""

TAKEN = frozenset({FaultKind.UNDIVIDED, FaultKind.SHARD_IN_USE, FaultKind.DIVIDED_OTHERWISE})
"""The faults of shards that another process serves; others may pass while the locks are taken again."""

UNDIVIDED = (SPACE, 0)
"""The lock of a process that serves everything."""

FORGOTTEN = "dog_forgotten"
"""The channel of all processes: announced are a forgotten user's id and those of the games they were in."""

_HELD = text(
    f"""SELECT classid::bigint - {SPACE} AS count, objid::bigint AS shard, pid, coalesce(application_name, '') AS owner
    FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND classid::bigint BETWEEN {SPACE} AND {SPACE + 0xFFFFF}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ORDER BY 1, 2"""
)


def channel(shard: int) -> str:
    """Return the name under which the process that serves a shard listens."""
    return f"dog_shard_{shard}"


def held_locks(connection: Connection) -> Sequence[Row[int, int, int, str]]:
    """Return every shard that is locked at present: `count`, `shard`, `pid`, `owner`. For PostgreSQL."""
    return connection.execute(_HELD).all()


def refusal(shards: Shards, held: Iterable[Row[int, int, int, str]], where: str) -> Fault | None:
    """Return why `shards` cannot be locked while others hold these locks, or None."""
    for count, shard, _, owner in held:
        if not count or shards.everything:
            return Fault(FaultKind.UNDIVIDED, f"{where} ({owner})")
        if count != shards.count:
            return Fault(FaultKind.DIVIDED_OTHERWISE, f"{count}, here {shards.count}; {owner}")
        if shard in shards.ids:
            return Fault(FaultKind.SHARD_IN_USE, f"{shard} of {count} ({owner})")
    return None


class ShardLocks:
    """This process's locks on its shards. A file needs none: it is locked itself (`lock_file`).

    `on_change(game_id)` is called when another process has changed a game that we serve, `on_forgotten(user_id,
    game_ids)` when a user was forgotten, and `on_gap()` when either may have been missed.
    """

    def __init__(self, database: Database, shards: Shards) -> None:
        self._database = database
        self._shards = shards
        owner = f"dog on {socket.gethostname()[:30]}, process {os.getpid()}"
        self._engine = make_listener(database.engines[0], owner) if database.shared else None
        self._line: AsyncConnection | None = None
        self._driver: Any = None
        """The connection of `_line` as asyncpg has it, which knows at once that it has ended."""
        self._session = 0
        """The session on the server that holds the locks, or held them last."""
        self.on_change: Callable[[int], None] = lambda game_id: None
        self.on_forgotten: Callable[[int, Sequence[int]], None] = lambda user_id, game_ids: None
        self.on_gap: Callable[[], None] = lambda: None

    def is_listening(self) -> bool:
        """Return True while the shards are ours, and we are told of every change that others make to their games."""
        return self._engine is None or (self._driver is not None and not self._driver.is_closed())

    def are_lost(self) -> bool:
        """Return True if the session that held the locks has ended."""
        return self._driver is not None and self._driver.is_closed()

    async def take(self) -> None:
        """Lock the shards, and begin to listen. Raises a fault that is `TAKEN`, or another."""
        if self._engine is None:
            return
        with faults_at(self._database.where):
            line = await self._engine.connect()
            try:
                driver: Any = (await line.get_raw_connection()).driver_connection
                if not self._shards.everything:
                    for name in (FORGOTTEN, *map(channel, sorted(self._shards.ids))):
                        await driver.add_listener(name, self._receive)
                await self._lock(line)
            except BaseException:
                await _hang_up(line)
                raise
        self._line, self._driver, self._session = line, driver, driver.get_server_pid()

    async def keep(self) -> None:
        """Take the locks again whenever their session ends. Never returns; raises a fault that is `TAKEN`."""
        while True:
            await asyncio.sleep(ASKED_EVERY)
            if self._line is not None and not await self._answers():
                log.warning("the connection that holds %s is lost; nothing is written meanwhile", self._shards)
                await self._take_again()
                log.warning("%s are held again", self._shards)
                # Whatever was announced meanwhile is lost.
                self.on_gap()

    async def release(self) -> None:
        """Let another process serve the shards; if the server does not answer, the end of the session does that."""
        line, self._line, self._driver = self._line, None, None
        if line is not None:
            with suppress(Exception):
                async with asyncio.timeout(ANSWERED):
                    await line.execute(select(func.pg_advisory_unlock_all()))
            await _hang_up(line)

    async def _answers(self) -> bool:
        assert self._line is not None
        try:
            async with asyncio.timeout(ANSWERED):
                await self._line.execute(select(1))
        except Exception:
            # It may be late only: the server must not find two sessions of ours.
            await _hang_up(self._line)
            return False
        return True

    async def _take_again(self) -> None:
        while True:
            try:
                async with asyncio.timeout(ANSWERED):
                    return await self.take()
            except Exception as problem:
                if isinstance(problem, Fault) and problem.kind in TAKEN:
                    raise
                await asyncio.sleep(AGAIN)

    async def _lock(self, line: AsyncConnection) -> None:
        await line.execute(select(func.pg_advisory_lock(LOCK)))
        # Our last session may not have ended yet on the server; then its locks are waited for.
        others = [lock for lock in await line.run_sync(held_locks) if lock.pid != self._session]
        if (refused := refusal(self._shards, others, self._database.where)) is not None:
            raise refused
        count = SPACE + self._shards.count
        for key in [UNDIVIDED] if self._shards.everything else [(count, shard) for shard in sorted(self._shards.ids)]:
            await line.execute(select(func.pg_advisory_lock(*key)))
        await line.execute(select(func.pg_advisory_unlock(LOCK)))

    def _receive(self, _connection: object, _session: int, name: str, words: str) -> None:
        first, *others = map(int, words.split())
        if name == FORGOTTEN:
            self.on_forgotten(first, others)
        else:
            self.on_change(first)


async def _hang_up(line: AsyncConnection) -> None:
    """Close a connection, whatever state it is in."""
    with suppress(Exception):
        await line.invalidate()
    with suppress(Exception):
        await line.close()
