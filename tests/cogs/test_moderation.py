"""Moderation: settings, limits, pausing, bans and the log; by those who may, and nobody else."""

from __future__ import annotations

from typing import Any

import discord

from bot.table import Status
from tests.cogs.playing import on_turn, pass_time, past_the_exchange, the_table
from tests.simtable import SimTable


async def test_settings_are_shown_and_changed_by_moderators_only(table: SimTable, moderator: Any) -> None:
    ann = table.members[0]
    answer = await table.slash(ann, "dog settings", pace="brisk")
    assert answer.private
    assert "Only those who manage" in answer.text
    answer = await table.slash(moderator, "dog settings", pace="brisk", rules="family", per_member=1)
    assert answer.private
    assert "Family DOG" in answer.text
    await table.slash(ann, "dog new")
    opened = await the_table(table)
    assert opened.system == "family"
    assert opened.terms.pace == "brisk"
    refused = await table.slash(ann, "dog new")
    assert "may play or host 1 open game" in refused.text


async def test_managing_messages_is_not_enough_for_settings(table: SimTable) -> None:
    role = table.guild.create_role("helpers", permissions=discord.Permissions(manage_messages=True))
    helper = table.guild.add_member(table.env.create_user("helper"), roles=[role])
    answer = await table.slash(helper, "dog settings", pace="brisk")
    assert answer.private
    assert "manage the server" in answer.text
    assert (await table.bot.tables.guild(table.guild.id)).pace is None


async def test_channels_and_openers_are_limited(table: SimTable, moderator: Any) -> None:
    ann = table.members[0]
    other = table.guild.create_text_channel("games")
    await table.slash(moderator, "dog settings", games_in=other)
    answer = await table.slash(ann, "dog new")
    assert f"<#{other.id}>" in answer.text
    assert await table.bot.tables.open_tables() == ()
    await table.slash(moderator, "dog settings", channels="all", openers="moderators")
    assert "Only moderators" in (await table.slash(ann, "dog new")).text
    await table.slash(moderator, "dog new")
    assert len(await table.bot.tables.open_tables()) == 1


async def test_a_paused_game_does_not_tick(table: SimTable, moderator: Any) -> None:
    await past_the_exchange(table, pace="brisk")
    opened = await the_table(table)
    assert "Only those who manage" in (await table.slash(await on_turn(table), "dog pause")).text
    await table.slash(moderator, "dog pause", reason="dinner")
    assert (await the_table(table)).status is Status.PAUSED
    assert "paused" in table.board().text
    await pass_time(table, 3_600 * 3)
    assert (await the_table(table)).number == opened.number
    await table.restart()
    await table.slash(moderator, "dog resume")
    after = await the_table(table)
    assert after.status is Status.PLAYING
    history = await table.slash(table.members[0], "dog history")
    assert "dinner" in history.text


async def test_bans_take_people_out_of_games_and_keep_them_out(table: SimTable, moderator: Any) -> None:
    await past_the_exchange(table, pace="brisk")
    ben = table.members[1]
    assert "Only those who manage" in (await table.slash(ben, "dog moderate ban", member=ben.user)).text
    answer = await table.slash(moderator, "dog moderate ban", member=ben.user, reason="rude")
    assert "1 game" in answer.text
    assert (await the_table(table)).seat_of(ben.id) is None or (await the_table(table)).people[1].plays is None
    assert "rude" in (await table.slash(ben, "dog new")).text
    assert "rude" in (await table.slash(moderator, "dog moderate bans")).text
    log = await table.slash(moderator, "dog moderate log")
    assert log.private
    assert "banned" in log.text
    assert "may play again" in (await table.slash(moderator, "dog moderate unban", member=ben.user)).text
    assert "not banned" in (await table.slash(moderator, "dog moderate unban", member=ben.user)).text
    assert (await table.slash(ben, "dog new")).private


async def test_the_log_is_empty_at_first_and_for_moderators_only(table: SimTable, moderator: Any) -> None:
    assert "nothing here yet" in (await table.slash(moderator, "dog moderate log")).text
    assert "Nobody" in (await table.slash(moderator, "dog moderate bans")).text
    for command in ("dog moderate log", "dog moderate bans"):
        answer = await table.slash(table.members[0], command)
        assert answer.private
        assert "Only those who manage" in answer.text
