"""Shards: Discord's division of servers among connections, and the shards that this process serves.

A server belongs to the shard `(id >> 22) % count`, which is Discord's formula. What belongs to no server, above all
direct messages, belongs to shard 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards `ids` out of `count`, which one process serves."""

    count: int = 1
    ids: frozenset[int] = frozenset({0})

    @classmethod
    def of(cls, count: int | None, ids: Iterable[int]) -> Shards:
        """Return the shards that `SHARD_COUNT` and `SHARD_IDS` name, or all of them if none are named."""
        wanted = frozenset(ids)
        return cls(count, wanted) if count is not None and wanted else ALL

    @property
    def everything(self) -> bool:
        """Return True if there is nothing left for another process to serve."""
        return len(self.ids) == self.count

    def shard_of(self, guild_id: int) -> int:
        """Return the shard that a server belongs to."""
        return (guild_id >> 22) % self.count

    def serves(self, guild_id: int | None) -> bool:
        """Return True if this process serves a server; None stands for what belongs to no server."""
        return (0 if guild_id is None else self.shard_of(guild_id)) in self.ids

    def __str__(self) -> str:
        return "all shards" if self.everything else f"shards {', '.join(map(str, sorted(self.ids)))} of {self.count}"


ALL = Shards()
"""Everything: one process serves all servers, over as many connections as it likes."""
