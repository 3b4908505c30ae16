"""Messages that need nothing more: the store forgets them with the next that is added, and nothing is done twice."""

import pytest

from bot.delivery.errands import past_boards
from bot.storage.faults import Fault, FaultKind
from bot.storage.messages import MessageStore
from tests.bot.gaming import refused
from tools.bench.actions import Workshop, workshop


async def played(shop: Workshop, table_id: int) -> int:
    """Play until another board has followed; returns how many boards the database has, besides the newest."""
    for _ in range(8):
        assert await shop.act(table_id)
        await shop.tables.settled(table_id)
    assert past_boards(await shop.tables.get(table_id)) == (), "nothing is left to do"
    return await stored(shop, table_id)


async def stored(shop: Workshop, table_id: int) -> int:
    snapshot = await shop.store.games.snapshot(table_id)
    return sum(row.about == "board" for row in snapshot.table.messages) - 1


async def test_one_message_at_most_stays_until_next_board() -> None:
    async with workshop() as shop:
        one, other = await shop.begin_game(1), await shop.begin_game(2)
        assert await played(shop, one.id) == 1
        assert one.id in await shop.store.messages.ids_to_wake(), "after a crash it is looked at again"
        assert await played(shop, other.id) == 1
        assert await stored(shop, one.id) == 0


async def test_in_the_end_none_is_left() -> None:
    async with workshop() as shop:
        table = await shop.begin_game(1)
        await played(shop, table.id)
        await shop.tables.messages.close()
        assert await stored(shop, table.id) == 0


async def test_what_cannot_be_written_is_written_later(monkeypatch: pytest.MonkeyPatch) -> None:
    async with workshop() as shop:
        table = await shop.begin_game(1)
        await played(shop, table.id)

        async def cannot(*_: object, **__: object) -> None:
            raise Fault(FaultKind.LOCKED, "dog.db")

        message = (await shop.tables.get(table.id)).messages[-1]
        with monkeypatch.context() as locked:
            locked.setattr(MessageStore, "add", cannot)
            locked.setattr(MessageStore, "drop", cannot)
            await refused(FaultKind.LOCKED, shop.tables.messages.add(table.id, message))
            await shop.tables.messages.close()
        assert await stored(shop, table.id) == 1
        await shop.tables.messages.close()
        assert await stored(shop, table.id) == 0
