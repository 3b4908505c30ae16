"""What a server allows: where, by whom and how many games are opened, and the defaults; and lobbies that expire."""

from __future__ import annotations

from typing import Any

import pytest

from bot.table import Status
from tests.cogs.playing import seat_everyone, the_table
from tests.cogs.timing import DAY, down, history, since
from tests.simtable import Answer, SimTable

pytestmark = pytest.mark.usefixtures("deep_sleep")


async def opens(table: SimTable, member: Any, **options: Any) -> Answer:
    """Try to open a table."""
    return await table.slash(member, "dog new", **options)


async def how_many(table: SimTable) -> int:
    """How many tables are open."""
    return len(await table.bot.tables.places.in_guild(table.guild.id))


async def cancel(table: SimTable, member: Any) -> None:
    """Cancel the newest table of the channel."""
    code = (await the_table(table)).code
    asked = await table.slash(member, "dog cancel", game=code)
    await table.click(member, f"Yes, cancel {code}", on=asked.shown)


async def test_the_servers_usual_rules_and_pace_hold_unless_a_game_says_otherwise(
    table: SimTable, moderator: Any
) -> None:
    ann = table.members[0]
    await table.slash(moderator, "dog-admin settings", rules="royal", pace="live")
    await table.restart(crash=True)
    await opens(table, ann)
    assert "DOG Royal" in table.board().text
    assert "3 minutes a move" in table.board().text
    await opens(table, ann, rules="classic", pace="relaxed")
    assert "Classic DOG" in table.board().text
    assert "72 hours a move" in table.board().text


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


async def test_a_game_goes_on_in_a_channel_that_is_forbidden_by_now(table: SimTable, moderator: Any) -> None:
    await seat_everyone(table, computers=3)
    await table.slash(moderator, "dog-admin settings", games_in=table.guild.create_text_channel("games"))
    answer = await table.click(table.members[0], "My hand", on=table.board())
    assert answer.shown is not None
    assert answer.shown.pictures
    assert (await the_table(table)).status is Status.PLAYING


async def test_only_members_of_a_role_open_games_and_anybody_joins(table: SimTable, moderator: Any) -> None:
    role = table.guild.create_role("players")
    guest = table.guild.add_member(table.env.create_user("guest"), roles=[role])
    ann = table.members[0]
    await table.slash(moderator, "dog-admin settings", openers="roles", role=role)
    refused = await opens(table, ann)
    assert refused.private
    assert f"<@&{role.id}>" in refused.text
    assert await how_many(table) == 0
    await opens(table, guest)
    assert await how_many(table) == 1
    await table.click(ann, "Join", on=table.board())
    assert ann.id in (await the_table(table)).persons


async def test_so_many_games_a_member_and_nought_means_without_limit(table: SimTable, moderator: Any) -> None:
    ann, ben = table.members[:2]
    await table.slash(moderator, "dog-admin settings", per_member=1)
    await opens(table, ann)
    await table.restart()
    assert "may play or host 1 open game" in (await opens(table, ann)).text
    await opens(table, ben)
    assert await how_many(table) == 2
    answer = await table.slash(moderator, "dog-admin settings", per_member=0)
    assert "Open games per member, played or hosted: no limit" in answer.text
    await opens(table, ann)
    assert await how_many(table) == 3


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


async def test_a_lobby_that_expired_while_the_bot_was_off_is_closed_at_the_start(table: SimTable) -> None:
    ann = table.members[0]
    await opens(table, ann)
    lobby = table.board()
    await down(table, 2 * DAY)
    assert await how_many(table) == 0
    assert table.read(lobby).buttons == ()
    assert since(table, lobby) == []


async def test_an_old_button_of_a_lobby_that_expired_answers_kindly(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await opens(table, ann)
    lobby = table.board()
    table.fail("PATCH", f"/channels/{table.channel.id}/messages/{lobby.id}", times=None)
    await table.wait(DAY)
    answer = await table.click(ben, "Join", on=table.read(lobby))
    assert answer.private
    assert "was cancelled" in answer.text
    assert await how_many(table) == 0


async def test_so_many_games_a_channel(table: SimTable, moderator: Any) -> None:
    await table.slash(moderator, "dog-admin settings", per_channel=2)
    for member in table.members[:2]:
        await opens(table, member)
    refused = await opens(table, table.members[2])
    assert f"Only 2 games may be open in <#{table.channel.id}>" in refused.text
    assert await how_many(table) == 2
