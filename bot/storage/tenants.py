"""Tenants: the processes that hold leases on a shared database, and who may join them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import BigInteger, Connection, cast, column, extract, func, inspect, select, table

from bot.shards import Shards
from bot.storage.faults import DividedOtherwise, Fault, ShardInUse, Undivided
from bot.storage.schema import leases

UNDIVIDED = -1
"""The shard of a process that serves everything."""

NOW = cast(extract("epoch", func.clock_timestamp()), BigInteger)
"""The server's own clock, since those of several machines may disagree."""

_SESSIONS = table("pg_stat_activity", column("pid"))

LIVES = (leases.c.until > NOW) & leases.c.session.in_(select(_SESSIONS.c.pid))
"""The valid leases: those whose time has not run out and whose owner is connected."""


@dataclass(frozen=True, slots=True)
class Tenant:
    """A process that holds the lease of a shard, one of `count`; `owner` names it for people."""

    shard: int
    count: int
    owner: str


def channel(shard: int) -> str:
    """The name under which the tenant of a shard listens."""
    return f"dog_shard_{shard}"


def tenants(connection: Connection) -> tuple[Tenant, ...]:
    """Who holds leases at present; nobody if the schema does not have them yet. For PostgreSQL."""
    if not inspect(connection).has_table(leases.name):
        return ()
    rows = connection.execute(select(leases.c.shard, leases.c.count, leases.c.owner).where(LIVES))
    return tuple(Tenant(*row) for row in rows)


def refusal(shards: Shards, others: Sequence[Tenant], where: str) -> Fault | None:
    """Why a process may not serve these shards of the database `where` beside the others; None if it may."""
    for one in others:
        if one.shard == UNDIVIDED or shards.everything:
            return Undivided(f"{where} ({one.owner})")
        if one.count != shards.count:
            return DividedOtherwise(f"{one.count}, here {shards.count}; {one.owner}")
        if one.shard in shards.ids:
            return ShardInUse(f"{one.shard} of {one.count} ({one.owner})")
    return None
