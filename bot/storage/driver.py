"""The driver for SQLite files: aiosqlite, but with one visit to its thread per statement.

SQLAlchemy makes a cursor, executes, fetches and closes in one visit each, and rolls back whenever a connection is
returned; every visit wakes the event loop. Here a statement is one visit, and nothing is rolled back without a
transaction, which saves a sixteenth of the processor time of an action.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import aiosqlite
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
    AsyncAdapt_aiosqlite_dbapi,
)
from sqlalchemy.util.concurrency import await_only


class Cursor(AsyncAdapt_aiosqlite_cursor):
    """Executes a statement and fetches all its results in one visit."""

    __slots__ = ()

    _awaitable_cursor_close = False
    _adapt_connection: Connection

    def __init__(self, adapt_connection: Connection) -> None:
        self._adapt_connection = adapt_connection
        self._connection = adapt_connection._connection
        self._cursor = _left(None)
        self._soft_closed_memoized = {}  # type: ignore[assignment]
        self._rows = deque()

    async def _execute_async(self, operation: Any, parameters: Any) -> None:
        await self._do(lambda cursor: cursor.execute(operation, () if parameters is None else parameters))

    async def _executemany_async(self, operation: Any, seq_of_parameters: Any) -> None:
        await self._do(lambda cursor: cursor.executemany(operation, seq_of_parameters))

    async def _do(self, execute: Callable[[sqlite3.Cursor], object]) -> None:
        driver: Any = self._connection

        def visit() -> tuple[Any, deque[Any]]:
            cursor = driver._conn.cursor()
            try:
                execute(cursor)
                return _left(cursor), deque(cursor.fetchall() if cursor.description else ())
            finally:
                cursor.close()

        async with self._adapt_connection._execute_mutex:
            self._adapt_connection.in_doubt = True
            self._cursor, self._rows = await driver._execute(visit)
            self._adapt_connection.in_doubt = False


def _left(cursor: sqlite3.Cursor | None) -> Any:
    """What a statement has left behind, in the form of a cursor that is closed already."""
    return SimpleNamespace(
        arraysize=1,
        description=cursor and cursor.description,
        lastrowid=cursor and cursor.lastrowid,
        rowcount=cursor.rowcount if cursor else -1,
        close=lambda: None,
    )


class Connection(AsyncAdapt_aiosqlite_connection):
    """A connection with such cursors. `in_doubt`: a caller was cancelled, and its statement may still be executed."""

    __slots__ = ("in_doubt",)

    _cursor_cls = Cursor  # type: ignore[assignment]

    def __init__(self, dbapi: Any, connection: Any) -> None:
        super().__init__(dbapi, connection)
        self.in_doubt = False

    def rollback(self) -> None:
        """Roll back, if there may be anything to."""
        driver: Any = self._connection
        if self.in_doubt or (driver._connection is not None and driver.in_transaction):
            super().rollback()
            self.in_doubt = False


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
