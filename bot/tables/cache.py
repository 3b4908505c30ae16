"""Caches of what the store says, and whether they may be used (Freshness)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Generic, TypeVar

from bot.shards import Shards

K = TypeVar("K")
V = TypeVar("V")

CACHED = 10_000
"""The most values of a kind in a cache: of people, guilds, channels, codes."""

Freshness = Callable[[int | None], bool]
"""Tells if the cached tables and settings of a guild may be used.

None stands for what belongs to no guild: people's preferences, and the index of tables.
"""


def own_shards(shards: Shards, is_listening: Callable[[], bool]) -> Freshness:
    """Return the freshness where each process has its own shards, and announces changes to tables of other processes.

    What is in the guilds we serve is current as long as announcements reach us (`is_listening`), as they always do on a
    file, which one process has to itself; what belongs to no guild, only if there is no other process. An announcement
    that is still on its way does no harm: a change decided on an outdated table is refused by the database, and decided
    again.
    """

    def is_current(guild_id: int | None) -> bool:
        return (shards.everything if guild_id is None else shards.serves(guild_id)) and is_listening()

    return is_current


class ReadCache(Generic[K, V]):
    """Cache of the newest `CACHED` values that `read` has found, by key, used while they are current (`is_current`)."""

    def __init__(
        self, read: Callable[[frozenset[K]], Awaitable[Mapping[K, V]]], is_current: Callable[[K], bool]
    ) -> None:
        self._read = read
        self._is_current = is_current
        self._known: dict[K, V] = {}
        self._changes = 0

    async def several(self, keys: Iterable[K]) -> Mapping[K, V]:
        """Return the values of these keys."""
        wanted = frozenset(keys)
        known = {key: self._known[key] for key in wanted if key in self._known and self._is_current(key)}
        if missing := wanted - known.keys():
            changes = self._changes
            known |= (read := await self._read(missing))
            if changes == self._changes:  # otherwise what was read may be outdated already
                self._known |= read
                while len(self._known) > CACHED:
                    del self._known[next(iter(self._known))]
        return known

    async def get(self, key: K) -> V:
        """Return the value of this key."""
        return (await self.several((key,)))[key]

    def known(self, key: K) -> V | None:
        """Return the value of this key, if it need not be read."""
        return self._known.get(key) if self._is_current(key) else None

    def forget(self, key: K) -> None:
        """Read this again next time: it has changed."""
        self._changes += 1
        self._known.pop(key, None)

    def clear(self) -> None:
        """Read everything again next time."""
        self._changes += 1
        self._known.clear()


def one_by_one(read: Callable[[K], Awaitable[V]]) -> Callable[[frozenset[K]], Awaitable[Mapping[K, V]]]:
    """Return a function that reads several keys, from one that reads a single key."""

    async def several(keys: frozenset[K]) -> Mapping[K, V]:
        return {key: await read(key) for key in keys}

    return several
