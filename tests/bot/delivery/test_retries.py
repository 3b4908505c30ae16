"""Retries: later and later for each table, and all at once when Discord is back after an outage."""

import asyncio
from collections.abc import Collection

from bot.delivery.retries import FIRST, IN_A_ROW, LOOKED_AFTER, Retries
from tests.virtual import on_virtual_time


class Tables:
    """Tables that may be touched; `touched` records which were, and when."""

    def __init__(self) -> None:
        self.touched: list[tuple[int, float]] = []
        self.caught_up: list[set[int]] = []

    def touch(self, table_id: int) -> None:
        self.touched.append((table_id, asyncio.get_running_loop().time()))

    def catch_up(self, table_ids: Collection[int]) -> None:
        self.caught_up.append(set(table_ids))


@on_virtual_time
async def test_a_table_is_tried_later_and_later() -> None:
    tables = Tables()
    retries = Retries(tables.touch, tables.catch_up)
    for _ in range(2):
        retries.retry_later((1, "boards"))
        await asyncio.sleep(100)
    assert tables.touched == [(1, FIRST), (1, 100 + 2 * FIRST)]


@on_virtual_time
async def test_return_of_discord_catches_up_once() -> None:
    tables = Tables()
    retries = Retries(tables.touch, tables.catch_up)
    for table_id in (1, 2, 3):
        retries.retry_later((table_id, "boards"))
    retries.retry_later((3, "letters"))
    retries.retry_later((4, "letters"))
    retries.resume()
    retries.resume()
    await asyncio.sleep(10 * LOOKED_AFTER)
    assert tables.caught_up == [{1, 2, 3, 4}]
    assert tables.touched == []


@on_virtual_time
async def test_one_troubled_table_is_no_outage() -> None:
    tables = Tables()
    retries = Retries(tables.touch, tables.catch_up)
    for _ in range(IN_A_ROW - 1):
        retries.retry_later((1, "boards"))
        retries.resume()
        retries.retry_later((1, "boards"))
    retries.resume()
    assert tables.caught_up == []
    retries.close()


@on_virtual_time
async def test_outage_is_probed_every_minute() -> None:
    tables = Tables()
    retries = Retries(tables.touch, tables.catch_up)
    for _ in range(8):
        for table_id in (1, 2):
            retries.retry_later((table_id, "boards"))
    for _ in range(3):
        await asyncio.sleep(LOOKED_AFTER)
        tried, at = tables.touched[-1]
        assert at % LOOKED_AFTER == 0
        retries.retry_later((tried, "boards"))
    retries.close()
    assert [at for _, at in tables.touched] == [LOOKED_AFTER, 2 * LOOKED_AFTER, 3 * LOOKED_AFTER]


@on_virtual_time
async def test_who_is_closed_tries_nothing() -> None:
    tables = Tables()
    retries = Retries(tables.touch, tables.catch_up)
    retries.retry_later((1, "boards"))
    retries.close()
    retries.retry_later((2, "boards"))
    retries.resume()
    await asyncio.sleep(10 * LOOKED_AFTER)
    assert tables.touched == []
    assert tables.caught_up == []
