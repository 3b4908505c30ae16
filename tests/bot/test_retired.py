"""Boards that have lost their buttons: noted for many tables at once, and never forgotten while the program runs."""

from __future__ import annotations

import pytest

from bot.storage import PAST, StandingRow
from bot.storage.faults import DatabaseLocked, Fault
from bot.tables.telling import MANY
from tools.whole_actions import Workshop, workshop


async def played(shop: Workshop, table_id: int) -> None:
    """Two turns, after which a board has been followed by another one."""
    for _ in range(8):
        assert await shop.act(table_id)
        await shop.tables.settled(table_id)


async def stored(shop: Workshop, table_id: int) -> list[StandingRow]:
    """The boards that, as the database has it, are still to lose their buttons."""
    return [row for row in await shop.store.telling.standing(table_id) if row.about == PAST]


async def test_they_are_noted_for_many_tables_in_one_statement() -> None:
    async with workshop() as shop:
        ids = [(await shop.seated(number)).id for number in range(1, 4)]
        for table_id in ids:
            await played(shop, table_id)
            assert await shop.tables.telling.standing(table_id) == (), "nothing is left to do"
        before = [len(await stored(shop, table_id)) for table_id in ids]
        assert all(before)
        assert sum(before) < MANY
        shop.cost.clear()
        await shop.tables.telling.close()
        assert len(shop.cost.statements) == 1
        assert [await stored(shop, table_id) for table_id in ids] == [[], [], []]


async def test_they_are_noted_when_there_are_many() -> None:
    async with workshop() as shop:
        table = await shop.seated(1)
        most = 0
        for _ in range(6):
            await played(shop, table.id)
            most = max(most, len(await stored(shop, table.id)))
        assert most > 1
        assert len(await stored(shop, table.id)) < MANY < 48


async def test_after_a_crash_meanwhile_they_are_looked_at_again() -> None:
    async with workshop() as shop:
        table = await shop.seated(1)
        await played(shop, table.id)
        assert table.id in await shop.store.telling.ids_to_wake()


async def test_what_cannot_be_written_is_written_later() -> None:
    async with workshop() as shop:
        table = await shop.seated(1)
        await played(shop, table.id)
        write = shop.store.telling.forget_notices

        async def cannot(_: object) -> None:
            raise DatabaseLocked("dog.db")

        shop.store.telling.forget_notices = cannot  # type: ignore[method-assign,assignment]
        with pytest.raises(Fault):
            await shop.tables.telling.write_retired()
        assert await stored(shop, table.id)
        assert await shop.tables.telling.standing(table.id) == ()
        shop.store.telling.forget_notices = write  # type: ignore[method-assign]
        await shop.tables.telling.write_retired()
        assert await stored(shop, table.id) == []
