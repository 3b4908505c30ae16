"""What a server allows: where, by whom and how many games are opened, and the defaults; and lobbies that expire."""

from typing import Any

import pytest

from bot.table import Status
from tests.cogs.playing import the_table
from tests.cogs.timing import DAY, history, since
from tests.simtable import Answer, SimTable

pytestmark = pytest.mark.usefixtures("deep_sleep")


async def opens(table: SimTable, member: Any, **options: Any) -> Answer:
    """Try to open a table."""
    return await table.slash(member, "dog new", **options)


async def how_many(table: SimTable) -> int:
    """How many tables are open."""
    return len(await table.bot.tables.places.in_guild(table.guild.id))


async def test_a_language_that_nobody_speaks_is_refused(table: SimTable, moderator: Any) -> None:
    assert "en" in await table.suggestions(moderator, "dog-admin settings", "language", "en")
    answer = await table.slash(moderator, "dog-admin settings", language="tlh")
    assert "I do not speak that language" in answer.text
    answer = await table.slash(moderator, "dog-admin settings", language="en")
    assert "Language: en" in answer.text


async def test_a_channel_is_allowed_and_forbidden_again_by_naming_it(table: SimTable, moderator: Any) -> None:
    ann = table.members[0]
    other = table.guild.create_text_channel("games")
    await table.slash(moderator, "dog-admin settings", games_in=other)
    await table.slash(moderator, "dog-admin settings", games_in=table.channel)
    await opens(table, ann)
    assert await how_many(table) == 1
    await table.slash(moderator, "dog-admin settings", games_in=table.channel)
    refused = await opens(table, ann)
    assert f"<#{other.id}>" in refused.text
    assert f"<#{table.channel.id}>" not in refused.text
    assert await how_many(table) == 1
    await table.slash(ann, "dog new", channel=other)
    assert await how_many(table) == 2


async def test_only_members_of_a_role_open_games_and_anybody_joins(table: SimTable, moderator: Any) -> None:
    role = table.guild.create_role("players")
    guest = table.guild.add_member(table.env.create_user("guest"), roles=[role])
    ann = table.members[0]
    await table.slash(moderator, "dog-admin settings", openers="roles", role=role)
    refused = await opens(table, ann)
    assert f"<@&{role.id}>" in refused.text
    assert await how_many(table) == 0
    await opens(table, guest)
    assert await how_many(table) == 1
    await table.click(ann, "Join", on=table.board())
    assert ann.id in (await the_table(table)).persons


async def test_a_lobby_expires_after_a_day_to_the_second(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await opens(table, ann)
    lobby = table.board()
    opened = await the_table(table)
    await table.wait(DAY / 2)
    await table.restart(crash=True)
    await table.wait(DAY / 2 - 1)
    await table.click(ben, "Join", on=table.read(lobby))
    assert (await the_table(table)).status is Status.LOBBY
    await table.wait(1)
    assert (await table.bot.tables.get(opened.id)).status is Status.CANCELLED
    after = table.read(lobby)
    assert "Nobody started this game within a day." in after.text
    assert after.buttons == ()
    assert after.menus == ()
    assert since(table, lobby) == []
    assert "Nobody started the game within a day." in await history(table, ann, opened.code)
