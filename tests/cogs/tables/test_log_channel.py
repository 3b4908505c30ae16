"""The log channel: a line when a game opens or ends, or a moderator does something; each once."""

from typing import Any

import discord
import pytest

from bot.guild_records import LogEntry
from bot.languages import language_for
from bot.texts.guild import posted
from tests.cogs.playing import ban, cancel, the_table
from tests.cogs.timing import solo
from tests.simtable import SimTable


def lines(table: SimTable, channel: Any) -> list[str]:
    return [line for seen in table.messages(channel=channel) for line in seen.text.split("\n")]


async def test_log_channel_tells_games_and_moderators(table: SimTable, moderator: Any) -> None:
    hall = table.guild.create_text_channel("hall")
    ann, who = table.members[0], f"<@{moderator.id}>"
    await table.slash(ann, "dog new")
    await table.slash(moderator, "dog-admin settings", log_in=hall)
    assert lines(table, hall) == [f"{who} changed the settings"], "nothing from before"
    await table.click(ann, "Settings")
    await cancel(table, ann, (await the_table(table)).code)
    await solo(table)
    code = (await the_table(table)).code
    await ban(table, moderator, table.members[3])
    told = lines(table, hall)
    assert told[1].endswith("ended without a winner")
    assert told[2:] == [f"<@{ann.id}> opened **{code}**", f"{who} banned <@{table.members[3].id}> from games"]
    assert not any(seen.pinged for seen in table.messages(channel=hall))
    assert "opened" not in (await table.slash(moderator, "dog-admin moderate log")).text
    await table.slash(moderator, "dog-admin settings", log_in=hall)
    await table.slash(moderator, "dog-admin settings", per_member=5)
    assert lines(table, hall) == [*told, f"{who} stopped logging in this channel"]


async def test_first_channel_of_an_old_server_keeps_the_log(
    table: SimTable, moderator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(table.env.backend, "snowflake", lambda: table.guild.id)
        general = table.guild.create_text_channel("general")
    await table.slash(moderator, "dog-admin settings", log_in=general)
    assert lines(table, general) == [f"<@{moderator.id}> changed the settings"]


@pytest.mark.parametrize("how", ["moved", "defaults", "wiped"])
async def test_last_line_says_who_ended_the_log(table: SimTable, moderator: Any, how: str) -> None:
    hall, other = (table.guild.create_text_channel(name) for name in ("hall", "other"))
    table.bot.get_guild(table.guild.id).owner_id = moderator.id
    shown = await table.slash(moderator, "dog-admin settings", log_in=hall)
    table.refuse("POST", channel=hall)
    match how:
        case "moved":
            await table.slash(moderator, "dog-admin settings", log_in=other)
        case "defaults":
            asked = await table.click(moderator, "Restore defaults", on=shown.shown)
            await table.click(moderator, asked.shown.labels[0], on=asked.shown)
        case _:
            asked = await table.click(moderator, "Delete server data", on=shown.shown)
            await table.click(moderator, asked.shown.labels[0], on=asked.shown)
    table.heal()
    await table.wait(90)
    told = "deleted this server's data" if how == "wiped" else "stopped logging in this channel"
    assert lines(table, hall)[-1] == f"<@{moderator.id}> {told}"
    assert lines(table, other) == ([f"<@{moderator.id}> changed the settings"] if how == "moved" else [])


async def test_log_waits_for_discord_and_survives_kills(table: SimTable, moderator: Any) -> None:
    hall = table.guild.create_text_channel("hall")
    await table.slash(moderator, "dog-admin settings", log_in=hall)
    table.refuse("POST", channel=hall)
    await table.slash(table.members[0], "dog new")
    await table.slash(moderator, "dog-admin settings", per_member=5)
    assert len(lines(table, hall)) == 1
    await table.restart(crash=True)
    table.heal()
    await table.wait(120)
    assert len(lines(table, hall)) == 3
    await table.restart(crash=True)
    assert len(lines(table, hall)) == 3


async def test_refused_log_is_named_until_permission_returns(table: SimTable, moderator: Any) -> None:
    hall = table.guild.create_text_channel("hall")
    await table.slash(moderator, "dog-admin settings", log_in=hall)
    await table.deny_bot("send_messages", channel=hall)
    await table.slash(moderator, "dog-admin settings", per_member=5)
    tried = table.posts(hall)
    await table.slash(moderator, "dog-admin settings", per_member=6)
    assert table.posts(hall) == tried, "what is closed is left alone"
    assert "can't write the log" in (await table.slash(moderator, "dog-admin status")).text
    await table.deny_bot(channel=hall)
    assert len(lines(table, hall)) == 3
    assert "write the log" not in (await table.slash(moderator, "dog-admin status")).text
    await table.deny_bot("send_messages", channel=hall)
    await table.slash(moderator, "dog-admin settings", log_in=hall)
    assert "permission" in (await table.slash(moderator, "dog-admin settings", log_in=hall)).text


async def test_log_tells_nothing_of_hidden_games(table: SimTable, moderator: Any) -> None:
    hall, ann = table.guild.create_text_channel("hall"), table.members[0]
    await table.slash(moderator, "dog-admin settings", log_in=hall)
    seen = discord.PermissionOverwrite(view_channel=True)
    hidden = discord.PermissionOverwrite(view_channel=False)
    bot = discord.Object(table.env.backend.bot_user.id)
    table.overwrite(table.channel, {table.guild.default_role: hidden, ann: seen, bot: seen})
    await table.slash(ann, "dog new")
    code = (await the_table(table)).code
    assert lines(table, hall)[-1] == "A game in a private channel"
    assert code not in "".join(lines(table, hall))
    table.overwrite(hall, {table.guild.default_role: hidden, bot: seen})
    await cancel(table, ann, code)
    assert code in lines(table, hall)[-1], "those who see the log see the game"


def test_log_names_no_cup_and_no_reason() -> None:
    data = {"cup": "Secret cup", "reason": "a fight"}
    entries = [LogEntry(1, 0, kind, 5, None, None, data) for kind in ("cup_cancelled", "cup_extended", "banned")]
    told = "".join(posted(language_for(None), entries, {}))
    assert "cup" in told
    assert not any(word in told for word in data.values())
