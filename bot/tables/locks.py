"""Locks: they keep two changes from touching the same table, or its messages, at the same time."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary


class Locks:
    """A lock for each table, which exists as long as somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def of(self, table_id: int) -> asyncio.Lock:
        """The lock of this table."""
        found = self._locks.get(table_id)
        if found is None:
            found = self._locks[table_id] = asyncio.Lock()
        return found
