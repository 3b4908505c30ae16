"""When the host has gone, somebody who plays becomes the host, so that players can still move or cancel the game."""

from __future__ import annotations

from typing import Any

import pytest

from bot.table import Status
from tests.cogs.playing import seat_everyone, the_table
from tests.cogs.timing import history
from tests.simtable import SimTable

pytestmark = pytest.mark.usefixtures("deep_sleep")


async def resign(table: SimTable, member: Any) -> None:
    """Give up the seat."""
    asked = await table.slash(member, "dog resign")
    await table.click(member, "Yes, resign", on=asked.shown)


async def hosts(table: SimTable, member: Any) -> None:
    """Check that this member is the host: named as such in the history, and free to cancel the game."""
    opened = await the_table(table)
    assert opened.host_id == member.id
    assert f"<@{member.id}> is the host now." in await history(table, member)
    asked = await table.slash(member, "dog cancel")
    await table.click(member, f"Yes, cancel {opened.code}", on=asked.shown)
    assert (await table.bot.tables.get(opened.id)).status is Status.CANCELLED


async def test_a_host_who_resigns_is_followed_by_the_next_in_turn_order(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await seat_everyone(table)
    await resign(table, ann)
    await hosts(table, ben)
