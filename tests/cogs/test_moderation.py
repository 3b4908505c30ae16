"""Moderation: a server's settings, who is kept out of games, and the log; for those who may, and nobody else."""

from typing import Any

import discord

from tests.cogs.playing import ban, cancel, past_the_exchange, the_table
from tests.cogs.timing import log, now, solo
from tests.simtable import SimTable


async def test_settings_are_shown_and_changed_by_moderators_only(table: SimTable, moderator: Any) -> None:
    ann = table.members[0]
    table.let_command(ann, "dog-admin")
    answer = await table.slash(ann, "dog-admin settings", pace="brisk")
    assert "Only those who manage" in answer.text
    answer = await table.slash(moderator, "dog-admin settings", pace="brisk", rules="family", per_member=1)
    assert "Family DOG" in answer.text
    assert "Open games per member, played or hosted: 1" in answer.text
    await table.slash(ann, "dog new")
    opened = await the_table(table)
    assert opened.system == "family"
    assert opened.terms.pace == "brisk"
    refused = await table.slash(ann, "dog new")
    assert "may play or host 1 open game" in refused.text
    answer = await table.slash(moderator, "dog-admin settings", per_member=0)
    assert "Open games per member, played or hosted: no limit" in answer.text
    await table.slash(ann, "dog new")
    assert len(await table.bot.tables.places.in_guild(table.guild.id)) == 2


async def test_managing_messages_is_not_enough_for_settings(table: SimTable) -> None:
    role = table.guild.create_role("helpers", permissions=discord.Permissions(manage_messages=True))
    helper = table.guild.add_member(table.env.create_user("helper"), roles=[role])
    answer = await table.slash(helper, "dog-admin settings", pace="brisk")
    assert "manage the server" in answer.text
    assert (await table.bot.tables.moderation.guild(table.guild.id)).pace is None


async def test_bans_take_people_out_of_games_and_keep_them_out(table: SimTable, moderator: Any) -> None:
    await past_the_exchange(table, pace="brisk")
    ben = table.members[1]
    table.let_command(ben, "dog-admin")
    assert "Only those who manage" in (await table.slash(ben, "dog-admin moderate ban", member=ben.user)).text
    refused = await table.slash(moderator, "dog-admin moderate ban", member=moderator.user)
    assert "cannot ban yourself" in refused.text
    asked = await table.slash(moderator, "dog-admin moderate ban", member=ben.user, reason="rude")
    assert "> `rude`" in asked.text
    assert "Nobody" in (await table.slash(moderator, "dog-admin moderate bans")).text
    answer = await table.click(moderator, "Yes, ban", on=asked.shown)
    assert "1 game" in answer.text
    assert (await the_table(table)).seat_of(ben.id) is None or (await the_table(table)).people[1].plays is None
    assert "rude" in (await table.slash(ben, "dog new")).text
    assert "rude" in (await table.slash(moderator, "dog-admin moderate bans")).text
    assert "may play again" in (await table.slash(moderator, "dog-admin moderate unban", member=ben.user)).text
    assert "not banned" in (await table.slash(moderator, "dog-admin moderate unban", member=ben.user)).text
    assert "Nobody" in (await table.slash(moderator, "dog-admin moderate bans")).text


async def test_the_log_tells_everything_newest_first_and_outlives_a_crash(table: SimTable, moderator: Any) -> None:
    ann = await solo(table)
    code = (await the_table(table)).code
    dan = table.members[3]
    await table.slash(moderator, "dog-admin pause", game=code)
    await table.wait(60)
    await table.slash(moderator, "dog-admin resume", game=code)
    await table.wait(60)
    await ban(table, moderator, dan)
    await table.wait(60)
    await table.slash(moderator, "dog-admin moderate unban", member=dan.user)
    await table.wait(60)
    await table.slash(moderator, "dog-admin settings", pace="brisk")
    await table.restart(crash=True)
    who = f"<@{moderator.id}>"
    assert await log(table, moderator) == [
        f"<t:{now(table)}:f> {who} changed the settings: pace: brisk",
        f"<t:{now(table) - 60}:f> {who} let <@{dan.id}> play again",
        f"<t:{now(table) - 120}:f> {who} banned <@{dan.id}> from games",
        f"<t:{now(table) - 180}:f> {who} resumed **{code}**",
        f"<t:{now(table) - 240}:f> {who} paused **{code}**",
    ]
    await cancel(table, ann, code)
    assert len(await log(table, moderator)) == 5, "what a host does with the own game is no moderation"
