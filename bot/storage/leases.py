"""Leases: which process serves which shards of a shared database, and how processes announce changes to each other.

A process leases its shards before it logs in, renews the lease every few seconds, and gives it back when it ends. The
lease is void once its time has run out, or once the session on the database server has ended: so a process that
restarts after a kill takes over at once, and a stand-by for a machine that lost power does so after `LASTS` seconds.

On the connection that holds the lease it also listens: a process that changes a game on a server served by another
process announces it in the same transaction (`GameWriter.announce`), and all are told whom to forget (`FORGOTTEN`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, Connection, Row, cast, column, delete, extract, func, insert, select, table, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.shards import Shards
from bot.storage.connection import listening
from bot.storage.faults import DividedOtherwise, Fault, LeaseLost, ShardInUse, Undivided, faults_at
from bot.storage.schema import leases

if TYPE_CHECKING:
    from bot.storage.database import Database

log = logging.getLogger(__name__)

LASTS = 20
"""Seconds for which a lease is valid after it was last renewed."""

PROLONGED = 5.0
"""Seconds between two renewals."""

ANSWERED = 5.0
"""Seconds to wait for the answer to a renewal."""

AGAIN = 1.0
"""Seconds until a broken connection is made again."""

LOCK = 0x444F48
"""The number of the lock under which leases are given out."""

UNDIVIDED = -1
"""The shard of a process that serves everything."""

NOW = cast(extract("epoch", func.clock_timestamp()), BigInteger)
"""The server's own clock, since those of several machines may disagree."""

FORGOTTEN = "dog_forgotten"
"""The name under which every process listens; announced are somebody's id and those of the games they were in."""

_SESSIONS = table("pg_stat_activity", column("pid"))

LIVES = (leases.c.until > NOW) & leases.c.session.in_(select(_SESSIONS.c.pid))
"""The valid leases: those whose time has not run out and whose owner is connected."""


def channel(shard: int) -> str:
    """The name under which the tenant of a shard listens."""
    return f"dog_shard_{shard}"


def tenants(connection: Connection) -> Sequence[Row[int, int, str]]:
    """Who holds leases at present: the shard, of how many, and the owner's name. For PostgreSQL."""
    return connection.execute(select(leases.c.shard, leases.c.count, leases.c.owner).where(LIVES)).all()


def refusal(shards: Shards, held: Sequence[Row[int, int, str]], where: str) -> Fault | None:
    """Why `shards` cannot be leased while others hold these (as `tenants` finds them), or None."""
    for shard, count, owner in held:
        if shard == UNDIVIDED or shards.everything:
            return Undivided(f"{where} ({owner})")
        if count != shards.count:
            return DividedOtherwise(f"{count}, here {shards.count}; {owner}")
        if shard in shards.ids:
            return ShardInUse(f"{shard} of {count} ({owner})")
    return None


class Lease:
    """This process's lease. A file needs none: it is locked (`alone`).

    `on_change(game_id)` is called when another process has changed a game that we serve, `on_forgotten(user_id,
    game_ids)` when somebody was forgotten, and `on_gap()` when either may have been missed.
    """

    def __init__(self, database: Database, shards: Shards) -> None:
        self._database = database
        self._shards = shards
        self._token = secrets.token_hex(16)
        self._owner = f"{socket.gethostname()[:150]}, process {os.getpid()}"
        self._engine = listening(database.engines[0]) if database.shared else None
        self._line: AsyncConnection | None = None
        self._over = False
        self._listening = False
        self.on_change: Callable[[int], None] = lambda game_id: None
        self.on_forgotten: Callable[[int, Sequence[int]], None] = lambda user_id, game_ids: None
        self.on_gap: Callable[[], None] = lambda: None

    def is_listening(self) -> bool:
        """Whether we are told of every change that others make to a game that we serve; on a file, nobody does."""
        return self._engine is None or self._listening

    async def take(self) -> None:
        """Lease the shards, and begin to listen. Raises `Undivided`, `ShardInUse`, `DividedOtherwise`, other faults."""
        if self._engine is None:
            return
        with faults_at(self._database.where):
            await self._connect()
        refused = await self._take()
        if refused is not None:
            await self.give_back()
            raise refused
        self._listening = True

    async def _take(self) -> Fault | None:
        """Write down the lease; if somebody else's is in the way, returns why it is refused."""
        ids = [UNDIVIDED] if self._shards.everything else sorted(self._shards.ids)
        mine = {"count": self._shards.count, "token": self._token, "owner": self._owner}
        assert self._line is not None
        async with self._database.writing() as connection:
            await connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
            held = await connection.run_sync(tenants)
            if (refused := refusal(self._shards, held, self._database.where)) is not None:
                return refused
            await connection.execute(delete(leases).where(~LIVES))
            session = (await self._line.execute(select(func.pg_backend_pid()))).scalar_one()
            until = (await connection.execute(select(NOW))).scalar_one() + LASTS
            rows = [{"shard": shard, "session": session, "until": until, **mine} for shard in ids]
            await connection.execute(insert(leases), rows)
        return None

    async def keep(self) -> None:
        """Renew the lease until it is given back. Raises `LeaseLost`."""
        while not self._over:
            await asyncio.sleep(PROLONGED)
            if self._engine is None or self._over:
                continue
            try:
                async with asyncio.timeout(ANSWERED):
                    await self._prolong()
            except LeaseLost:
                raise
            except Exception as problem:
                log.warning("the connection that holds %s is broken: %s", self._shards, type(problem).__name__)
                await self._reconnect()

    async def give_back(self) -> None:
        """Let another process serve the shards; if the database refuses, the lease simply runs out."""
        self._over = True
        if self._engine is None:
            return
        with suppress(Exception):
            async with asyncio.timeout(ANSWERED):
                if self._line is not None:
                    await self._line.execute(delete(leases).where(leases.c.token == self._token))
        await self._hang_up()

    async def _prolong(self) -> None:
        assert self._line is not None
        mine = update(leases).where(leases.c.token == self._token)
        session = func.pg_backend_pid()
        done = await self._line.execute(mine.values(until=NOW + LASTS, session=session))
        if done.rowcount < (1 if self._shards.everything else len(self._shards.ids)):
            raise LeaseLost(str(self._shards))

    async def _reconnect(self) -> None:
        while not self._over:
            try:
                async with asyncio.timeout(ANSWERED):
                    await self._hang_up()
                    await self._connect()
                    await self._prolong()
            except LeaseLost:
                raise
            except Exception:
                await asyncio.sleep(AGAIN)
            else:
                log.warning("%s are held again", self._shards)
                # Whatever was announced meanwhile is lost.
                self.on_gap()
                self._listening = True
                return

    async def _connect(self) -> None:
        assert self._engine is not None
        self._line = line = await self._engine.connect()
        driver: Any = (await line.get_raw_connection()).driver_connection
        driver.add_termination_listener(lambda _: self._ended(line))
        if self._shards.everything:
            return
        for shard in sorted(self._shards.ids):
            await driver.add_listener(channel(shard), self._receive)
        await driver.add_listener(FORGOTTEN, self._receive)

    async def _hang_up(self) -> None:
        line, self._line, self._listening = self._line, None, False
        if line is not None:
            with suppress(Exception):
                await line.invalidate()
            with suppress(Exception):
                await line.close()
        if self._engine is not None:
            await self._engine.dispose()

    def _ended(self, line: AsyncConnection) -> None:
        """A connection has ended; `keep` notices when it next renews the lease."""
        if line is self._line:
            self._listening = False

    def _receive(self, _connection: object, _session: int, name: str, text: str) -> None:
        first, *others = map(int, text.split())
        if name == FORGOTTEN:
            self.on_forgotten(first, others)
        else:
            self.on_change(first)
