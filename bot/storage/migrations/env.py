"""Alembic's entry: runs migrations on the connection it is given, or on `DATABASE_URL` when called by hand."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from alembic import context
from sqlalchemy import Connection, False_, TypeDecorator

from bot.settings import load_settings
from bot.storage.connection import file_of, make_engine
from bot.storage.files import make_private
from bot.storage.schema import metadata


def render(kind: str, item: Any, _context: object) -> str | Literal[False]:
    """Return the code of a type or default of ours in a new migration; False: the usual code."""
    if kind == "server_default" and isinstance(getattr(item, "arg", item), False_):
        return "sa.false()"
    if kind != "type" or not isinstance(item, TypeDecorator):
        return False
    return f"sa.{item.impl_instance!r}"


def run(connection: Connection) -> None:
    """Run the migrations in the transaction of `connection`."""
    context.configure(
        connection=connection, target_metadata=metadata, render_as_batch=True, compare_type=True, render_item=render
    )
    with context.begin_transaction():
        context.run_migrations()


async def run_by_hand() -> None:
    """Run the migrations for `alembic upgrade` and the like on the command line."""
    engine = make_engine(load_settings().database_url)
    if (file := file_of(engine.url)) is not None:
        make_private(file)
    async with engine.execution_options(writes=True, migrates=True).begin() as connection:
        await connection.run_sync(run)
    await engine.dispose()


if context.is_offline_mode():
    context.configure(url=load_settings().database_url, target_metadata=metadata, literal_binds=True)
    with context.begin_transaction():
        context.run_migrations()
elif (given := context.config.attributes.get("connection")) is not None:
    run(given)
else:
    asyncio.run(run_by_hand())
