"""Moving a whole database to another one, from SQLite to PostgreSQL and back: rows, sequences, and a comparison."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import ExitStack

from sqlalchemy import JSON, Connection, MetaData, Table, func, insert, select, text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import StorageError
from bot.storage import schema
from bot.storage.alone import alone
from bot.storage.connection import address, file_of, make_engine, writing
from bot.storage.faults import DatabaseForeign, fault_of, place
from bot.storage.migrating import head, migrate, revision_of

BATCH = 1_000
"""How many rows are written at a time."""


class CannotCopy(StorageError):
    """The requested copy, backup or restore is not possible; the text says why, in one line."""


async def copy(source_url: str, target_url: str) -> Mapping[str, int]:
    """Copy everything from one database into another, empty one; returns how many rows each table has.

    It is read as of one moment and written in one transaction, which is committed only if both sides are equal. No bot
    may run on either. Raises `CannotCopy`, and what is wrong with one of the databases.
    """
    source, target = address(source_url), address(target_url)
    if place(source) == place(target):
        raise CannotCopy("A database cannot be copied into itself: name two.")
    if (file := file_of(source)) is not None and not file.exists():
        raise CannotCopy(f"There is no database {file}, so there is nothing to copy.")
    with ExitStack() as locks:
        locks.enter_context(alone(source_url))
        locks.enter_context(alone(target_url))
        return await _copy(source, target)


async def _copy(source: URL, target: URL) -> Mapping[str, int]:
    reader, opened = make_engine(source), make_engine(target)
    writer = writing(opened)
    at = place(target)
    try:
        await migrate(opened)
        async with writer.begin() as new:
            if await _filled(new):
                raise CannotCopy(f"The database {at} is not empty: name one without games.")
            at = place(source)
            async with reader.connect() as old:
                await _check_revision(old, at)
                tables = _tables()
                counts = {table.name: await _copy_table(old, new, table) for table in tables}
                for table in tables:
                    if await _digest(old, table) != await _digest(new, table):
                        raise CannotCopy(f"The table {table.name} did not arrive as it was; nothing was kept of it.")
                at = place(target)
            if target.get_backend_name() == "postgresql":
                await new.run_sync(_set_sequences)
        return counts
    except StorageError:
        raise
    except Exception as problem:
        raise fault_of(problem, at) or problem from None
    finally:
        for engine in (reader, writer, opened):
            await engine.dispose()


def _tables() -> tuple[Table, ...]:
    """The tables, referenced ones first; a missing JSON value stays missing, rather than becoming JSON's null.

    Who serves which shards belongs to one time and place, and is left out.
    """
    metadata = MetaData()
    for table in schema.metadata.sorted_tables:
        if table is schema.leases:
            continue
        for column in table.to_metadata(metadata).columns:
            if isinstance(column.type, JSON):
                column.type = JSON(none_as_null=True)
    return tuple(metadata.sorted_tables)


async def _filled(connection: AsyncConnection) -> bool:
    """Whether there is anything in a database."""
    for table in schema.metadata.sorted_tables:
        if (await connection.execute(select(func.count()).select_from(table))).scalar_one():
            return True
    return False


async def _check_revision(connection: AsyncConnection, where: str) -> None:
    revision = await connection.run_sync(revision_of)
    if revision is None:
        raise DatabaseForeign(where)
    if revision != head():
        raise CannotCopy(
            f"The database {where} is of an older version ({revision}): bring it up to date first, with "
            "`alembic upgrade head` or by starting the bot on it once."
        )


async def _copy_table(old: AsyncConnection, new: AsyncConnection, table: Table) -> int:
    count = 0
    async with old.stream(select(table).order_by(*table.primary_key)) as rows:
        async for part in rows.mappings().partitions(BATCH):
            await new.execute(insert(table), [dict(row) for row in part])
            count += len(part)
    return count


async def _digest(connection: AsyncConnection, table: Table) -> tuple[int, str]:
    """How many rows a table has, and a digest of everything in them."""
    count, digest = 0, hashlib.sha256()
    async with connection.stream(select(table).order_by(*table.primary_key)) as rows:
        async for row in rows:
            digest.update(json.dumps(list(row), default=bytes.hex, sort_keys=True).encode())
            count += 1
    return count, digest.hexdigest()


def _set_sequences(connection: Connection) -> None:
    """Let PostgreSQL's generated ids continue after the last one that was copied."""
    for table in schema.metadata.sorted_tables:
        column = table.autoincrement_column
        if column is None:
            continue
        name = connection.execute(
            text("SELECT pg_get_serial_sequence(:table, :column)"), {"table": table.name, "column": column.name}
        ).scalar()
        if name is not None:
            last = connection.execute(select(func.max(column))).scalar()
            connection.execute(select(func.setval(name, last or 1, last is not None)))
