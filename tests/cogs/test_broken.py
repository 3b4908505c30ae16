"""A game whose log no longer replays: it can only be ended, and holds nothing else up."""

from typing import Any

import pytest

from bot.errors import BrokenLog
from bot.table import Status, Table
from tests.cogs.playing import past_the_exchange, spoil, the_table
from tests.simtable import SimTable


async def broken(table: SimTable) -> Table:
    """A running game whose log has been spoiled; returns it as it was before."""
    await past_the_exchange(table)
    opened = await the_table(table)
    await spoil(table, opened.id)
    with pytest.raises(BrokenLog):
        await table.bot.tables.get(opened.id)
    return opened


async def status(table: SimTable, opened: Table) -> str:
    """The game's status in the store."""
    snapshot = await table.bot.store.games.without_log(opened.id)
    assert snapshot is not None
    return str(snapshot.table.status)


@pytest.mark.parametrize("by", ["host", "moderator"])
async def test_a_broken_game_is_cancelled_by_its_code(table: SimTable, moderator: Any, by: str) -> None:
    opened = await broken(table)
    who = moderator if by == "moderator" else table.members[0]
    asked = await table.slash(who, "dog cancel", game=opened.code)
    assert f"Cancel **{opened.code}** for everyone?" in asked.text
    done = await table.click(who, f"Yes, cancel {opened.code}", on=asked.shown)
    assert f"**{opened.code}** is cancelled." in done.text
    assert await status(table, opened) == Status.CANCELLED
    log = await table.slash(moderator, "dog-admin moderate log")
    assert (f"cancelled **{opened.code}**" in log.text) is (by == "moderator")
    await table.slash(table.members[0], "dog new")
    assert (await the_table(table)).status is Status.LOBBY


async def test_nobody_else_cancels_a_broken_game_and_other_commands_say_what_can_be_done(table: SimTable) -> None:
    opened = await broken(table)
    refused = await table.slash(table.members[1], "dog cancel", game=opened.code)
    assert f"**{opened.code}**: Only the host" in refused.text
    assert await status(table, opened) == Status.PLAYING
    for command in ("dog board", "dog hand", "dog resign"):
        assert "</dog cancel:" in (await table.slash(table.members[0], command, game=opened.code)).text
