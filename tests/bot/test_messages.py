"""Messages that need nothing more: noted for many tables at once, and never forgotten while the program runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.delivery.plan import followed
from bot.storage.faults import DatabaseLocked
from bot.table import Message
from bot.tables import messages
from bot.tables.messages import MANY
from tools.bench.actions import Workshop, workshop


@asynccontextmanager
async def others_shown(shop: Workshop) -> AsyncIterator[None]:
    """Other tables are being shown the whole time."""
    shop.delivery._under_way += 1
    yield
    shop.delivery._under_way -= 1


async def played(shop: Workshop, table_id: int) -> None:
    """Play two turns, after which another board has followed the first."""
    for _ in range(8):
        assert await shop.act(table_id)
        await shop.tables.settled(table_id)


async def stored(shop: Workshop, table_id: int) -> list[str]:
    """The boards that, according to the database, still have buttons to lose: all but the newest."""
    snapshot = await shop.store.games.without_log(table_id)
    return [row.nonce for row in snapshot.table.messages if row.about == "board"][:-1]


async def left(shop: Workshop, table_id: int) -> tuple[Message, ...]:
    """The boards that, as far as is known here, still have buttons to lose."""
    return followed(await shop.tables.get(table_id))


async def test_they_are_noted_at_once_where_nothing_else_is_shown() -> None:
    async with workshop() as shop:
        table = await shop.seated(1)
        for _ in range(8):
            assert await shop.act(table.id)
            await shop.tables.settled(table.id)
            assert await stored(shop, table.id) == []


async def test_while_others_are_shown_they_are_noted_together() -> None:
    async with workshop() as shop, others_shown(shop):
        ids = [(await shop.seated(number)).id for number in range(1, 4)]
        for table_id in ids:
            await played(shop, table_id)
            assert await left(shop, table_id) == (), "nothing is left to do"
        before = [len(await stored(shop, table_id)) for table_id in ids]
        assert all(before)
        assert sum(before) < MANY
        shop.cost.clear()
        await shop.tables.messages.write_done()
        assert len(shop.cost.statements) == 1
        assert [await stored(shop, table_id) for table_id in ids] == [[], [], []]


async def test_they_are_noted_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MANY", 8)
    async with workshop() as shop, others_shown(shop):
        table = await shop.seated(1)
        counts = []
        for _ in range(16):
            assert await shop.act(table.id)
            await shop.tables.settled(table.id)
            counts.append(len(await stored(shop, table.id)))
        assert max(counts) == 7
        assert counts[-1] < 7


async def test_after_a_crash_meanwhile_they_are_looked_at_again() -> None:
    async with workshop() as shop, others_shown(shop):
        table = await shop.seated(1)
        await played(shop, table.id)
        assert table.id in await shop.store.messages.ids_to_wake()


async def test_what_cannot_be_written_is_written_later() -> None:
    async with workshop() as shop, others_shown(shop):
        table = await shop.seated(1)
        await played(shop, table.id)
        write = shop.store.messages.drop

        async def cannot(_: object) -> None:
            raise DatabaseLocked("dog.db")

        shop.store.messages.drop = cannot  # type: ignore[method-assign,assignment]
        await shop.tables.messages.write_done()
        assert await stored(shop, table.id)
        assert await left(shop, table.id) == ()
        shop.store.messages.drop = write  # type: ignore[method-assign]
        await shop.tables.messages.write_done()
        assert await stored(shop, table.id) == []


async def test_two_who_write_at_once_forget_nothing() -> None:
    async with workshop() as shop, others_shown(shop):
        one, other = await shop.seated(1), await shop.seated(2)
        await played(shop, one.id)
        writing = asyncio.gather(*(shop.tables.messages.write_done() for _ in range(2)))
        await played(shop, other.id)
        await writing
        await shop.tables.messages.write_done()
        assert await stored(shop, one.id) == await stored(shop, other.id) == []
