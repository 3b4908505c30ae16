"""The driver for SQLite files: aiosqlite, but with one visit to its thread per statement.

SQLAlchemy makes a cursor, executes, fetches and closes in one visit each, needs three more to begin, and rolls back
whenever a connection is returned: some 14 visits for a transaction of three statements, each of which wakes the event
loop. Here a statement is one visit, a transaction is begun together with its first statement, and a connection without
a transaction needs no rollback: 4 visits.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeVar

import aiosqlite
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
    AsyncAdapt_aiosqlite_dbapi,
)
from sqlalchemy.util.concurrency import await_only

T = TypeVar("T")


def _done(cursor: sqlite3.Cursor | None = None) -> Any:
    """What a statement has left behind, in the form of a cursor that is closed already."""
    return SimpleNamespace(
        arraysize=1,
        description=cursor and cursor.description,
        lastrowid=cursor and cursor.lastrowid,
        rowcount=cursor.rowcount if cursor else -1,
        close=lambda: None,
    )


class Cursor(AsyncAdapt_aiosqlite_cursor):
    """Executes a statement and fetches all its results in one visit."""

    __slots__ = ()

    _awaitable_cursor_close = False
    _adapt_connection: Connection

    def __init__(self, adapt_connection: Connection) -> None:
        self._adapt_connection = adapt_connection
        self._connection = adapt_connection._connection
        self._cursor = _done()
        self._soft_closed_memoized = {}  # type: ignore[assignment]
        self._rows = deque()

    async def _execute_async(self, operation: Any, parameters: Any) -> None:
        await self._do(lambda cursor: cursor.execute(operation, () if parameters is None else parameters))

    async def _executemany_async(self, operation: Any, seq_of_parameters: Any) -> None:
        await self._do(lambda cursor: cursor.executemany(operation, seq_of_parameters))

    async def _do(self, execute: Callable[[sqlite3.Cursor], object]) -> None:
        opening = self._adapt_connection.take_opening()

        def visit(connection: sqlite3.Connection) -> tuple[Any, deque[Any]]:
            cursor = connection.cursor()
            try:
                if opening is not None:
                    cursor.execute(opening)
                execute(cursor)
                rows = deque(cursor.fetchall() if cursor.description else ())
                return _done(cursor), rows
            finally:
                cursor.close()

        async with self._adapt_connection._execute_mutex:
            self._cursor, self._rows = await self._adapt_connection.visit(visit)


class Connection(AsyncAdapt_aiosqlite_connection):
    """A connection that knows whether a transaction is open without asking its thread."""

    __slots__ = ("_idle", "_opening")

    _cursor_cls = Cursor  # type: ignore[assignment]

    def __init__(self, dbapi: Any, connection: Any) -> None:
        super().__init__(dbapi, connection)
        self._opening: str | None = None
        self._idle = True

    def open_with(self, statement: str) -> None:
        """Begin a transaction with this statement, together with the first one executed."""
        self._opening = statement

    def take_opening(self) -> str | None:
        """What to execute first if a transaction has yet to begin."""
        opening, self._opening = self._opening, None
        return opening

    async def visit(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do something with SQLite's connection, on its thread."""
        driver: Any = self._connection
        # A cancelled caller leaves work behind that is still to be done: then only the thread knows.
        self._idle = False
        try:
            found: T = await driver._execute(lambda: work(driver._conn))
        except asyncio.CancelledError:
            raise
        except BaseException:
            self._idle = True
            raise
        self._idle = True
        return found

    def commit(self) -> None:
        """Commit, if anything was done."""
        if self._ends():
            self._finish(sqlite3.Connection.commit)

    def rollback(self) -> None:
        """Roll back, if anything was done."""
        if self._ends():
            self._finish(sqlite3.Connection.rollback)

    def _ends(self) -> bool:
        """Whether there may be a transaction to end."""
        self._opening = None
        driver: Any = self._connection
        connection: sqlite3.Connection | None = driver._connection
        return connection is not None and not (self._idle and not connection.in_transaction)

    def _finish(self, work: Callable[[sqlite3.Connection], None]) -> None:
        try:
            await_only(self.visit(work))
        except Exception as error:
            self._handle_exception(error)


class Driver(AsyncAdapt_aiosqlite_dbapi):
    """What SQLAlchemy takes for the aiosqlite module."""

    def __init__(self) -> None:
        super().__init__(aiosqlite, sqlite3)

    def connect(self, *words: Any, **options: Any) -> Connection:
        """Open a connection, on a thread of its own."""
        connection = aiosqlite.connect(*words, **options)
        connection._thread.daemon = True
        return Connection(self, await_only(_opened(connection)))


async def _opened(connection: aiosqlite.Connection) -> aiosqlite.Connection:
    return await connection
