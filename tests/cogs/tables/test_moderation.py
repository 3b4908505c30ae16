"""Moderation: settings and limits, pauses, who is kept out of games, and the log; for those who may alone."""

import random
import re
from typing import Any

from bot.errors import Banned, Moderators, Problem, TooManyOfYours
from bot.guild_settings import GuildSettings
from bot.occupants import Person, Scope
from bot.table import Status
from bot.texts.markup import MESSAGE_LIMIT
from bot.texts.names import MARKS
from tests.cogs.playing import (
    asked_directly,
    ban,
    cancel,
    meanwhile,
    on_turn,
    past_the_exchange,
    question,
    take_turn,
    the_table,
)
from tests.cogs.timing import BRISK, DAY, history, log, now, since, solo
from tests.simtable import SimTable


async def test_settings_are_shown_and_changed(table: SimTable, moderator: Any) -> None:
    ann = table.members[0]
    await table.slash(moderator, "dog-admin settings", pace="brisk", rules="family", per_member=1)
    await table.slash(ann, "dog new")
    opened = await the_table(table)
    assert opened.system == "family"
    assert opened.terms.pace == "brisk"
    assert (await table.slash(ann, "dog new")).is_refused(TooManyOfYours)
    answer = await table.slash(moderator, "dog-admin settings", per_member=0)
    assert "**Open games per member, played or hosted: no limit**" in answer.text, "what has changed stands out"
    assert "**Rules" not in answer.text
    await table.slash(ann, "dog new")
    assert len(await table.bot.tables.places.in_guild(table.guild.id)) == 2


async def test_settings_are_copied_and_put_back(table: SimTable, moderator: Any) -> None:
    shown = await table.slash(moderator, "dog-admin settings", pace="brisk", per_member=3, games_in=table.channel)
    line = (await table.click(moderator, "Show as text", on=shown.shown)).text.rpartition("\n")[2]
    assert "channels" not in line
    values = await table.choose(moderator, "Default rules", on=shown.shown)
    chosen = await table.choose(moderator, "Keezen", on=values.shown)
    assert (await table.bot.tables.moderation.guild(table.guild.id)).system == "keezen"
    question = await table.click(moderator, "Restore defaults", on=chosen.shown)
    assert (await table.bot.tables.moderation.guild(table.guild.id)).per_member == 3
    await table.click(moderator, "Yes, restore defaults", on=question.shown)
    assert await table.bot.tables.moderation.guild(table.guild.id) == GuildSettings(table.guild.id)
    for copied in (line, "DOG {]"):
        await table.slash(moderator, "dog-admin settings", copy=copied)
        assert (await table.bot.tables.moderation.guild(table.guild.id)).per_member == 3


async def test_channel_that_cannot_be_used_is_named(table: SimTable, moderator: Any) -> None:
    await table.slash(moderator, "dog-admin settings", games_in=table.channel)
    await table.deny_bot("attach_files")
    for path in ("dog-admin settings", "dog-admin status"):
        assert "I can't play in" in (await table.slash(moderator, path)).text


async def test_only_the_owner_deletes_a_servers_data(table: SimTable, moderator: Any) -> None:
    ann = await solo(table)
    moderation, guild_id = table.bot.tables.moderation, table.guild.id
    shown = await table.slash(moderator, "dog-admin settings", per_member=3)
    assert "Delete server data" not in shown.shown.labels
    server = table.bot.get_guild(guild_id)
    server.owner_id = moderator.id
    shown = await table.slash(moderator, "dog-admin settings")
    question = await table.click(moderator, "Delete server data", on=shown.shown)
    assert (await the_table(table)).status is Status.PLAYING
    server.owner_id = ann.id
    refused = await table.click(moderator, "Yes, delete everything", on=question.shown)
    assert refused.is_refused(Moderators.OWNER)
    server.owner_id = moderator.id
    await table.click(moderator, "Yes, delete everything", on=question.shown)
    assert await moderation.guild(guild_id) == GuildSettings(guild_id)
    assert [entry.kind for entry in await moderation.guild_log(guild_id)] == ["wiped"]
    assert await table.bot.store.games.ids() == ()
    assert "My hand" not in table.board().labels
    await table.slash(ann, "dog new")
    assert len(await table.bot.tables.places.in_guild(guild_id)) == 1


async def test_ban_removes_people_and_keeps_them_out(table: SimTable, moderator: Any) -> None:
    await past_the_exchange(table, pace="brisk")
    ben = table.members[1]
    refused = await table.slash(moderator, "dog-admin moderate ban", member=moderator.user)
    assert refused.shown.labels == []
    question = await table.slash(moderator, "dog-admin moderate ban", member=ben.user, reason="rude")
    assert "> `rude`" in question.text
    assert str(ben.id) not in (await table.slash(moderator, "dog-admin moderate bans")).text
    assert "1 game" in (await table.click(moderator, "Yes, ban", on=question.shown)).text
    assert (await the_table(table)).seat_of(ben.id) is None or (await the_table(table)).occupants[1].plays is None
    assert (await table.slash(ben, "dog new")).is_refused(Banned)
    assert "rude" in (await table.slash(moderator, "dog-admin moderate bans")).text
    await table.slash(moderator, "dog-admin moderate unban", member=ben.user)
    assert "isn't banned" in (await table.slash(moderator, "dog-admin moderate unban", member=ben.user)).text
    assert str(ben.id) not in (await table.slash(moderator, "dog-admin moderate bans")).text


async def test_a_long_list_goes_on_in_further_messages(table: SimTable, moderator: Any) -> None:
    person = Person(moderator.id, "Mod", frozenset(Scope))
    for number in range(30):
        await table.bot.tables.moderation.ban(person, table.guild.id, 1_000 + number, "x" * 200)
    told = await table.slash(moderator, "dog-admin moderate bans")
    assert len(told.pages) > 3
    assert all(len(page.text) <= MESSAGE_LIMIT for page in told.pages)
    assert all(f"<@{1_000 + number}>" in told.text for number in range(30))


async def test_log_is_newest_first_and_survives_a_crash(table: SimTable, moderator: Any) -> None:
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
        f"<t:{now(table)}:f> {who} changed the settings: pace: brisk: 1 hour a turn",
        f"<t:{now(table) - 60}:f> {who} unbanned <@{dan.id}>",
        f"<t:{now(table) - 120}:f> {who} banned <@{dan.id}> from games",
        f"<t:{now(table) - 180}:f> {who} resumed **{code}**",
        f"<t:{now(table) - 240}:f> {who} paused **{code}**",
    ]
    await cancel(table, ann, code)
    assert len(await log(table, moderator)) == 5, "what a host does with the own game is no moderation"


async def how_many(table: SimTable) -> int:
    """How many tables are open."""
    return len(await table.bot.tables.places.in_guild(table.guild.id))


async def test_channel_is_allowed_and_forbidden_by_name(table: SimTable, moderator: Any) -> None:
    ann = table.members[0]
    other = table.guild.create_text_channel("games")
    await table.slash(moderator, "dog-admin settings", games_in=other)
    await table.slash(moderator, "dog-admin settings", games_in=table.channel)
    await table.slash(ann, "dog new")
    assert await how_many(table) == 1
    await table.slash(moderator, "dog-admin settings", games_in=table.channel)
    refused = await table.slash(ann, "dog new")
    assert f"<#{other.id}>" in refused.text
    assert f"<#{table.channel.id}>" not in refused.text
    assert await how_many(table) == 1
    await table.slash(ann, "dog new", channel=other)
    assert await how_many(table) == 2


async def test_expired_lobby_says_so_without_buttons(table: SimTable) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog new")
    lobby = table.board()
    opened = await the_table(table)
    await table.wait(DAY)
    after = table.read(lobby)
    assert "The game wasn't started in time." in after.text
    assert after.buttons == ()
    assert after.menus == ()
    assert since(table, lobby) == []
    assert "The game wasn't started in time." in await history(table, ann, opened.code)


async def test_paused_game_resumes_with_its_time(table: SimTable, moderator: Any) -> None:
    ann = await solo(table)
    board = table.board()
    await table.wait(1_000)
    await table.slash(moderator, "dog-admin pause", reason="dinner")
    assert (await the_table(table)).status is Status.PAUSED
    assert f"<@{moderator.id}> pauses the game: “dinner”" in await history(table, ann)
    told = f"Paused by a moderator. It continues on <t:{now(table) + 7 * DAY}:f> at the latest."
    assert told in table.read(board).text
    await table.wait(DAY)
    assert since(table, board) == []
    await table.slash(moderator, "dog-admin resume")
    ((clock,), text) = (await the_table(table)).clocks.values(), table.board().text
    assert clock.ends_at == now(table) + BRISK - 1_000
    assert "⏳" not in text, "no one waits for a player who is alone"
    assert [seen.pinged for seen in since(table, board)] == [{ann.id}], "after a long pause"


async def test_moderators_see_how_the_bot_is_doing(table: SimTable, moderator: Any) -> None:
    await solo(table)
    told = (await table.slash(moderator, "dog-admin status")).text
    assert re.match(r"Version \*\*[\w.]+\*\*, running since <t:\d+", told)
    assert "1 open table here" in told
    assert "All boards are up to date." in told


async def test_guild_names_and_uses_house_rules(table: SimTable, moderator: Any) -> None:
    ann, ben = moderator, table.members[1]
    made = await table.slash(ann, "dog-admin house make", name="Grandma's *rules*")
    chosen = await table.choose(ann, "No card exchange.", on=made.shown)
    await table.choose(ann, "A 4 can go forward, too.", on=chosen.shown)
    await table.slash(ann, "dog-admin house use", set="grandma's *rules*")
    listed = (await table.slash(ann, "dog-admin house list")).text
    assert "No card exchange. A 4 can go forward, too. New games use it." in listed
    assert "*rules*" not in listed.replace("\\*", "")
    await table.slash(ben, "dog new")
    assert "🏠 No card exchange\n" in table.board().text
    await table.slash(ben, "dog new", house="none")
    assert "🏠" not in table.board().text
    await table.slash(ann, "dog-admin house delete", set="set:1")
    assert "no such house rule" in (await table.slash(ben, "dog new", house="set:1")).text
    assert "No named house rules" in (await table.slash(ann, "dog-admin house list")).text


async def test_a_running_game_is_cancelled_by_agreement(table: SimTable) -> None:
    await past_the_exchange(table)
    opened = await meanwhile(table, random.Random(2), lambda now: now.number >= 20)
    host, *others = table.members
    await cancel(table, host, opened.code)
    asked = question(table)
    assert asked.pinged == {member.id for member in others}
    calls = table.calls(others[0])
    for member in others:
        assert (await the_table(table)).status is Status.PLAYING
        await table.click(member, "Agree", on=asked)
    assert (await table.bot.tables.get(opened.id)).status is Status.CANCELLED
    assert table.calls(others[0]) == calls + 1


async def test_moderator_cancels_with_a_public_reason(table: SimTable, moderator: Any) -> None:
    await past_the_exchange(table)
    opened = await the_table(table)
    assert (await table.slash(moderator, "dog-admin cancel", game=opened.code)).is_refused(Problem.NO_REASON)
    question_ = await table.slash(moderator, "dog-admin cancel", game=opened.code, reason="spam")
    await table.click(moderator, f"Yes, cancel {opened.code}", on=question_.shown)
    board = table.board()
    assert f"<@{moderator.id}> cancels the game: “spam”" in board.text
    assert board.pinged == {member.id for member in table.members}
    assert any("spam" in line for line in await log(table, moderator))


async def test_a_question_stands_once_and_leaves_nothing(table: SimTable) -> None:
    await past_the_exchange(table)
    ann, ben, cleo, dan = table.members
    answer = await table.slash(ann, "dog table pause")
    assert answer.shown is not None
    asked, board = question(table), table.board()
    assert table.newest() == asked
    assert asked.pinged == {ben.id, cleo.id, dan.id}
    assert "asks to pause" in board.text
    assert "Waiting for" not in board.text
    assert "Agree" not in board.labels
    assert (await table.click(ben, "Agree", on=asked)).text == ""
    assert f"Waiting for: {MARKS[2]} <@{cleo.id}> and {MARKS[3]} <@{dan.id}>." in table.read(asked).text
    # It is brought below a new board without another call, and asked anew if it was deleted.
    calls = table.calls(cleo)
    await take_turn(table, await on_turn(table), random.Random(1))
    moved = question(table)
    assert not table.exists(asked)
    assert table.newest() == moved
    assert table.calls(cleo) <= calls + 1, "for their turn at most"
    await table.click(dan, "Disagree", on=moved)
    told = "disagreed, so the game continues."
    assert told in table.board().text
    assert told in table.read(answer.shown).text, "in place of the answer"
    assert [seen for seen in table.messages() if "Agree" in seen.labels] == []
    for _ in range(2):
        await take_turn(table, await on_turn(table), random.Random(1))
    assert not any(told in seen.text for seen in table.messages())


async def test_a_deleted_question_is_asked_anew(table: SimTable) -> None:
    await past_the_exchange(table)
    ann, ben, cleo, _ = table.members
    await table.slash(ann, "dog table pause")
    asked = question(table)
    table.delete(asked)
    await table.slash(cleo, "dog board")
    again = question(table)
    assert again.id != asked.id
    table.delete(again)
    await table.forge(ben, str(again.custom_ids[0]), on=table.board())
    await table.wait(60)
    assert "Agree" in table.newest().labels


async def test_partners_alone_read_that_one_may_resign(table: SimTable) -> None:
    await past_the_exchange(table)
    ann, ben, cleo, _ = table.members
    before = len(table.messages())
    reply = await table.slash(ann, "dog table resign")
    await table.click(ann, "Ask my team to resign", on=reply.shown)
    assert "resign" not in "".join(seen.text for seen in table.messages())
    assert "resign" not in (await table.slash(ben, "dog history")).text
    await table.restart(crash=True)
    assert len(table.messages()) == before
    assert len([seen for seen in table.letters(cleo) if "Agree" in seen.labels]) == 1
    await table.click(cleo, "Disagree", on=asked_directly(table, cleo))
    assert "disagreed, so the game continues" in table.letters(ann)[-1].text, "their answer is too old to be changed"
    assert not any("disagreed" in seen.text or "resign" in seen.text for seen in table.messages())


async def test_team_without_direct_messages_is_asked_in_public(table: SimTable) -> None:
    await past_the_exchange(table)
    ann, _, cleo, _ = table.members
    table.close_dms(cleo)
    reply = await table.slash(ann, "dog table resign")
    await table.click(ann, "Ask my team to resign", on=reply.shown)
    assert question(table).pinged == {cleo.id}
    assert "resign" not in table.board().text
    await table.click(cleo, "Agree", on=question(table))
    assert " resigned." in table.board().text.splitlines()[-1]


async def test_seated_moderator_asks_for_a_pause(table: SimTable, moderator: Any) -> None:
    ann = table.members[0]
    await table.slash(moderator, "dog new", rules="royal-basic", players=2)
    await table.click(ann, "Join")
    await table.click(moderator, "Start")
    code = (await the_table(table)).code
    await table.slash(moderator, "dog-admin pause", game=code)
    assert question(table).pinged == {ann.id}
    await table.click(ann, "Agree", on=question(table))
    assert (await the_table(table)).status is Status.PAUSED
    await table.slash(ann, "dog table resume")
    assert question(table).pinged == {moderator.id}
    await table.click(moderator, "Agree", on=question(table))
    assert (await the_table(table)).status is Status.PLAYING
