"""The puzzle of the day in a channel: posted once a day, and once even if the bot is killed."""

from typing import Any

from tests.simtable import Seen, SimTable


def posts(table: SimTable) -> list[Seen]:
    return [seen for seen in table.messages() if "Solve it" in seen.labels]


async def test_guild_gets_one_daily_puzzle_despite_kills(table: SimTable, moderator: Any) -> None:
    told = await table.slash(moderator, "dog-admin settings", puzzle_in=table.channel)
    assert "Puzzle of the day: <#" in told.text
    (first,) = posts(table)
    assert first.pictures
    assert first.pinged == frozenset()
    assert (await table.click(table.members[0], "Solve it", on=first)).pages[-1].private
    await table.restart(crash=True)
    assert len(posts(table)) == 1
    await table.wait(86_500)
    assert len(posts(table)) == 2
    await table.slash(moderator, "dog-admin settings", puzzle_in=table.channel)
    await table.wait(86_500)
    assert len(posts(table)) == 2


async def test_refused_puzzle_comes_when_its_permission_returns(table: SimTable, moderator: Any) -> None:
    table.refuse("POST", status=403, code=50013)
    await table.slash(moderator, "dog-admin settings", puzzle_in=table.channel)
    await table.deny_bot("send_messages")
    table.heal()
    await table.restart()
    assert "can't post the puzzle" in (await table.slash(moderator, "dog-admin status")).text
    assert posts(table) == []
    await table.deny_bot()
    assert len(posts(table)) == 1
    assert "puzzle" not in (await table.slash(moderator, "dog-admin status")).text
    await table.deny_bot("send_messages")
    await table.deny_bot()
    assert len(posts(table)) == 1, "one a day"


async def test_unusable_channel_is_left_alone_that_day(table: SimTable, moderator: Any) -> None:
    table.refuse("POST", status=403, code=50013)
    await table.slash(moderator, "dog-admin settings", puzzle_in=table.channel)
    table.heal()
    await table.wait(3_600)
    assert posts(table) == []
    await table.wait(86_500)
    assert len(posts(table)) == 1
