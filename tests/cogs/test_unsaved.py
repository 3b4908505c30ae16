"""While the database cannot be written to, people are told so and nothing changes; afterwards games simply go on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.storage.faults import DatabaseReadOnly
from bot.storage.games import Change
from tests.simtable import SimTable


async def only_read(table: SimTable, on: str) -> None:
    """Make the connection that writes refuse to (`ON`), or write again (`OFF`)."""
    async with table.bot.store._writer.connect() as writer:
        driver = (await writer.get_raw_connection()).driver_connection
        await driver.execute(f"PRAGMA query_only = {on}")


async def test_people_hear_that_nothing_could_be_saved(table: SimTable) -> None:
    table.provoked = True
    ann = table.members[0]
    await only_read(table, "ON")
    answer = await table.slash(ann, "dog new")
    assert "cannot be saved" in answer.shown.text
    assert await table.bot.tables.in_channel(table.channel.id) == ()
    await only_read(table, "OFF")
    await table.slash(ann, "dog new")
    assert len(await table.bot.tables.in_channel(table.channel.id)) == 1


async def test_computers_that_were_held_up_go_on_once_it_is_over(
    table: SimTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.provoked = True
    ann, ben, *_ = table.members
    await table.slash(ann, "dog new")
    for _ in range(3):
        await table.click(ann, "Add computer")
    games = table.bot.store.games
    real = games.change

    @asynccontextmanager
    async def last(*args: Any, **more: Any) -> AsyncIterator[Change]:
        """One more change; the next one fails."""
        monkeypatch.setattr(games, "change", real)
        async with real(*args, **more) as change:
            yield change
        await only_read(table, "ON")

    monkeypatch.setattr(games, "change", last)
    await table.click(ann, "Start")
    (begun,) = await table.bot.tables.in_channel(table.channel.id)
    assert begun.number == 0, "the computers have given nothing"
    assert isinstance(table.bot.store.fault, DatabaseReadOnly)
    await only_read(table, "OFF")
    # The next thing written shows that it is over.
    await table.slash(ben, "dog me theme", look="wood")
    await table.wait(1)
    (going,) = await table.bot.tables.in_channel(table.channel.id)
    assert going.number == 3
    assert table.bot.store.fault is None


async def test_moderators_see_what_is_the_matter_with_the_database(table: SimTable, moderator: Any) -> None:
    table.provoked = True
    ann = table.members[0]
    told = [await table.slash(moderator, name) for name in ("dog-admin settings", "dog-admin moderate log")]
    assert not any("cannot be saved" in answer.text for answer in told)
    await only_read(table, "ON")
    refused = await table.slash(ann, "dog new")
    assert "The bot may not write to its database" in refused.text
    for name in ("dog-admin settings", "dog-admin moderate log"):
        answer = await table.slash(moderator, name)
        assert answer.text.startswith("⚠️ **Games cannot be saved at present.** The bot may not write to its database.")
        assert "dog.db" not in answer.text
        assert len(answer.text.splitlines()) > 1, "what was asked for is there too"
    await only_read(table, "OFF")
    await table.slash(ann, "dog new")
    answer = await table.slash(moderator, "dog-admin settings")
    assert "cannot be saved" not in answer.text
