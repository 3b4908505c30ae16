"""The aftermath of a change: computers move, what needs no person is played, and whoever shows the table is told.

All of it happens in the background, at most one run at a time for each table, and can be asked for again at any time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from bot.errors import Conflict
from bot.table import Status, Table
from bot.tables.driver import next_move
from bot.tables.settling import Settler
from bot.tables.steps import played
from bot.tables.transactions import Locks, Transactions

log = logging.getLogger(__name__)


class DueKind(StrEnum):
    """What a deadline brought."""

    HALF = "half"
    NINETY = "ninety"
    UP = "up"
    AUTO_PLAYED = "auto_played"
    HANDED = "handed"
    TAKEN = "taken"
    LOBBY = "lobby"


@dataclass(frozen=True, slots=True)
class Due:
    """Something that a deadline brought at a table, to be told: on which seat, whose, and for which decision."""

    kind: DueKind
    seat: int | None = None
    user_id: int | None = None
    decision: int | None = None


Callback = Callable[[int], Awaitable[None]]
DueCallback = Callable[[int, tuple[Due, ...]], Awaitable[None]]


class Aftermath:
    """Sees to what follows a change; hears of every one that `transactions` makes."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._driving = Locks()
        self._callbacks: list[Callback] = []
        self._due_callbacks: list[DueCallback] = []
        self._changed: set[int] = set()
        self._news: dict[int, list[Due]] = {}
        self._settler = Settler(self._settle)
        transactions.on_change(self.touch)

    def on_change(self, callback: Callback) -> None:
        """Have `callback(table_id)` awaited after every change, once the computers have moved.

        Never twice at the same time for one table; changes meanwhile lead to one more call. What it raises is logged.
        """
        self._callbacks.append(callback)

    def on_deadline(self, callback: DueCallback) -> None:
        """Have `callback(table_id, news)` awaited when deadlines of a table have come.

        It is called once for all that came together, after the callbacks of `on_change` and never at the same time as
        them for one table. For reminders nothing has changed, so those are not called. What it raises is logged.
        """
        self._due_callbacks.append(callback)

    def touch(self, table_id: int) -> None:
        """Drive a table and call back, as after a change."""
        self._changed.add(table_id)
        self._settler.touch(table_id)

    def touch_in_turn(self, table_ids: Iterable[int]) -> None:
        """Drive many tables and call back, a few at a time."""
        ids = tuple(table_ids)
        self._changed.update(ids)
        self._settler.touch_in_turn(ids)

    def tell(self, table_id: int, news: Iterable[Due]) -> None:
        """Have this told the next time that the table settles."""
        self._news.setdefault(table_id, []).extend(news)

    def tell_in_turn(self, table_id: int, news: Iterable[Due]) -> None:
        """Have this told when the table's turn comes; nothing about it has changed."""
        self.tell(table_id, news)
        self._settler.touch_in_turn([table_id])

    async def settled(self, table_id: int | None = None) -> None:
        """Wait until nothing is under way in the background (for one table, or for all)."""
        await self._settler.settled(table_id)

    async def close(self) -> None:
        """Let what is under way finish and begin nothing new."""
        await self._settler.close()

    async def drive(self, table_id: int) -> Table | None:
        """Play what needs no person until a person must act; safe at any time.

        Returns the table at rest, or None when the program ends before it is. Thinking happens in a worker thread
        without the lock; a move is thrown away if the table has changed meanwhile. This runs by itself after every
        change.
        """
        async with self._driving.of(table_id):
            while True:
                table = await self._transactions.get(table_id)
                if table.status is not Status.PLAYING or table.game is None:
                    return table
                move = await asyncio.to_thread(next_move, table.game, table.people)
                if move is None:
                    return table
                if self._settler.closed:
                    return None
                now = self._transactions.now()
                try:
                    await self._transactions.commit(
                        table, played(table, move.after, move.seat, move.action, move.actor, now)
                    )
                except Conflict:
                    continue

    async def _settle(self, table_id: int) -> None:
        if table_id in self._changed:
            self._changed.discard(table_id)
            try:
                await self.drive(table_id)
            except Exception:
                log.exception("driving table %s failed", table_id)
            for callback in self._callbacks:
                try:
                    await callback(table_id)
                except Exception:
                    log.exception("announcing table %s failed", table_id)
        news = tuple(self._news.pop(table_id, ()))
        if not news:
            return
        for told in self._due_callbacks:
            try:
                await told(table_id, news)
            except Exception:
                log.exception("telling table %s of its deadlines failed", table_id)
