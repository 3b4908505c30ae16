"""Where games are played: threads of their own, moving, places that are lost, several games side by side."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import players
from tests.cogs.playing import on_turn, pass_time, past_the_exchange, seat_everyone, take_turn, the_table
from tests.simtable import SimTable


async def test_a_game_can_have_a_thread_of_its_own(table: SimTable) -> None:
    ann = table.members[0]
    answer = await table.slash(ann, "dog new", thread=True)
    assert answer.private
    thread = table.channel.threads[0]
    opened = (await table.bot.tables.of_member(ann.id))[0]
    assert opened.channel_id == thread.id
    assert opened.parent_id == table.channel.id
    assert opened.code in str(thread.name)
    lobby = table.newest(channel=thread)
    assert "Join" in lobby.labels
    left = next(seen for seen in table.messages() if f"<#{thread.id}>" in seen.text)
    assert opened.code in left.text
    assert left.buttons == ()


async def test_the_guild_default_opens_threads(table: SimTable, moderator: Any) -> None:
    await table.slash(moderator, "dog settings", threads=True)
    ann = table.members[0]
    await table.slash(ann, "dog new")
    assert len(table.channel.threads) == 1
    await table.slash(ann, "dog new", thread=False)
    assert len(table.channel.threads) == 1


@pytest.mark.parametrize(
    ("status", "code", "told"),
    [
        (400, 160006, "as many open threads as Discord allows"),
        (400, 50024, "Discord opens no thread in"),
        (500, 0, "Discord opens no thread in"),
        (403, 50013, "create public threads"),
    ],
)
async def test_without_a_thread_the_game_stays_in_the_channel(
    table: SimTable, status: int, code: int, told: str
) -> None:
    ann = table.members[0]
    table.fail("POST", f"/channels/{table.channel.id}/threads", status=status, code=code, times=None)
    answer = await table.slash(ann, "dog new", thread=True)
    assert answer.private
    assert told in answer.text
    assert "The game stays in this channel." in answer.text
    opened = await the_table(table)
    assert f"Table **{opened.code}** is open: <#{table.channel.id}>" in answer.text
    assert "Join" in table.board().labels
    assert table.channel.threads == []
    elsewhere = table.guild.create_text_channel("elsewhere")
    table.fail("POST", f"/channels/{elsewhere.id}/threads", status=status, code=code, times=None)
    refused = await table.slash(ann, "dog move", to=elsewhere, thread=True)
    assert refused.private
    assert told in refused.text
    assert (await the_table(table)).id == opened.id


@pytest.mark.parametrize("usual", [False, True], ids=["asked for", "by the server's settings"])
async def test_where_there_are_no_threads_the_game_stays_in_the_channel(
    table: SimTable, moderator: Any, usual: bool
) -> None:
    await table.slash(moderator, "dog settings", threads=usual)
    voice = table.guild.create_voice_channel("voice")
    answer = await table.slash(table.members[0], "dog new", channel=voice, **({} if usual else {"thread": True}))
    assert answer.private
    assert "This kind of channel has no threads. The game stays in this channel." in answer.text
    assert "Join" in table.newest(channel=voice).labels


async def test_a_game_moves_to_another_channel_without_losing_anything_or_pinging_again(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    before = await the_table(table)
    old = table.board()
    elsewhere = table.guild.create_text_channel("elsewhere")
    stranger = table.members[1]
    answer = await table.slash(stranger, "dog move", to=elsewhere)
    assert "Only the host" in answer.text
    answer = await table.slash(table.members[0], "dog move", to=elsewhere)
    assert answer.private
    after = await table.bot.tables.get(before.id)
    assert after.game is not None
    assert before.game is not None
    assert after.game.log == before.game.log
    assert after.channel_id == elsewhere.id
    here = table.newest(channel=elsewhere)
    assert "My hand" in here.labels
    assert here.pinged == frozenset()
    assert f"<#{elsewhere.id}>" in table.read(old).text
    assert table.read(old).buttons == ()
    member = next(one for one in table.members if one.id in after.waiting_for.values())
    assert (await table.click(member, "My hand", on=here)).private


async def test_an_archived_thread_is_noticed_and_told_by_letter_and_in_private(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog notify", where="both")
    await table.slash(ann, "dog new", thread=True)
    thread = table.channel.threads[0]
    for _ in range(3):
        await table.click(ann, "Add computer", on=table.newest(channel=thread))
    await table.click(ann, "Start", on=table.newest(channel=thread))
    await table.archive(thread)
    opened = (await table.bot.tables.of_member(ann.id))[0]
    hand = await table.slash(ann, "dog hand", channel=thread)
    assert hand.shown is not None
    card = next(button for button in hand.shown.buttons if button.custom_id and ":go:" in button.custom_id)
    asked = await table.press(ann, str(card.custom_id), on=hand.shown)
    assert asked.shown is not None
    done = await table.click(ann, "Confirm", on=asked.shown)
    assert "✅" in done.text, "the move is kept"
    lost = await table.bot.tables.get(opened.id)
    assert lost.lost == "archived"
    assert "archived" in table.mail(ann)[-1].text
    again = await table.slash(ann, "dog hand", channel=thread)
    assert "/dog move" in again.text
    assert ben.id not in lost.persons
    moved = await table.slash(ann, "dog move", game=opened.code)
    assert moved.private
    after = await table.bot.tables.get(opened.id)
    assert after.lost is None
    assert after.channel_id == table.channel.id
    assert "My hand" in table.board().labels


async def test_a_deleted_channel_stops_the_clock_until_the_game_is_moved(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    opened = await the_table(table)
    table.provoked = True
    refuge = table.guild.create_text_channel("refuge")
    table.fail("POST", f"/channels/{table.channel.id}/messages", status=404, code=10003, times=None)
    table.fail("PATCH", f"/channels/{table.channel.id}/messages/*", status=404, code=10003, times=None)
    member = await on_turn(table)
    await take_turn(table, member, random.Random(1), by="slash")
    lost = await table.bot.tables.get(opened.id)
    assert lost.lost == "gone"
    assert all(clock.held for clock in lost.clocks.values())
    number = lost.number
    await pass_time(table, 3_600 * 3)
    assert (await table.bot.tables.get(opened.id)).number == number
    await table.slash(table.members[0], "dog move", to=refuge, game=opened.code)
    board = table.newest(channel=refuge)
    assert "My hand" in board.labels
    assert board.pinged == set((await table.bot.tables.get(opened.id)).waiting_for.values())


async def test_a_lost_thread_is_told_in_its_channel_once(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new", rules="royal-basic", players=2, thread=True)
    thread = table.channel.threads[0]
    await table.click(ben, "Join", on=table.newest(channel=thread))
    await table.click(ann, "Start", on=table.newest(channel=thread))
    before = {seen.id for seen in table.messages()}
    await table.archive(thread)
    await _act(table, (await table.bot.tables.of_member(ann.id))[0])
    told = [seen for seen in table.messages() if seen.id not in before]
    assert [seen.pinged for seen in told] == [{ann.id, ben.id}]
    assert "archived" in told[0].text
    assert table.mail(ann) == table.mail(ben) == []
    await table.restart(crash=True)
    opened = (await table.bot.tables.of_member(ann.id))[0]
    await _act(table, opened)
    assert [seen for seen in table.messages() if seen.id not in before] == told
    # Ben is not the host; but whoever plays may find a game without a place a new one.
    await table.slash(ben, "dog move", game=opened.code)
    assert not table.exists(told[0])
    assert "My hand" in table.board().labels


async def test_a_deleted_channel_is_told_by_letter_and_in_the_list_of_games(table: SimTable) -> None:
    table.provoked = True
    ann, ben, cleo, dan = table.members
    await table.slash(ben, "dog notify", where="dm")
    await table.slash(cleo, "dog notify", where="silent")
    table.close_dms(dan)
    hall = table.guild.create_text_channel("hall")
    await past_the_exchange(table)
    letters = {member.id: len(table.mail(member)) for member in table.members}
    opened = await the_table(table)
    await table.delete_channel(table.channel)
    assert [len(table.mail(member)) - letters[member.id] for member in table.members] == [1, 1, 0, 0]
    for member in (ann, ben):
        assert "is gone" in table.mail(member)[-1].text
        assert opened.code in table.mail(member)[-1].text
    listed = await table.slash(cleo, "dog games", channel=hall)
    assert f"**{opened.code}** · Classic DOG · ⚠️ has lost its place: `/dog move`" in listed.text
    await table.slash(dan, "dog move", game=opened.code, channel=hall)
    assert "My hand" in table.newest(channel=hall).labels


async def _act(table: SimTable, opened: Any) -> None:
    """What a computer player would do, for whoever is asked first."""
    seat, user = next(iter(opened.waiting_for.items()))
    action = players.choose("heuristic", opened.game, seat, random.Random(1))
    await table.run(table.bot.tables.act(opened.id, user, None, action))


async def test_several_games_in_one_channel_do_not_get_in_each_others_way(table: SimTable) -> None:
    ann, ben = table.members[:2]
    codes = []
    for member in (ann, ben):
        await table.slash(member, "dog new", rules="classic")
        lobby = table.board()
        for _ in range(3):
            await table.click(member, "Add computer", on=lobby)
            lobby = table.read(lobby)
        await table.click(member, "Start", on=lobby)
        codes.append((await table.bot.tables.of_member(member.id))[0].code)
    assert codes[0] != codes[1]
    for turn in range(6):
        member = (ann, ben)[turn % 2]
        opened = (await table.bot.tables.of_member(member.id))[0]
        answer = await table.slash(member, "dog hand")
        assert opened.code in answer.text
        assert codes[1 - turn % 2] not in answer.text
    for seen in table.messages():
        assert any(code in seen.text for code in codes)


async def test_permissions_that_come_back_let_the_game_go_on(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    opened = await the_table(table)
    await table.deny_bot("send_messages")
    member = await on_turn(table)
    await take_turn(table, member, random.Random(1), by="slash")
    assert (await table.bot.tables.get(opened.id)).lost == "permissions"
    await table.deny_bot()
    assert (await table.bot.tables.get(opened.id)).lost is None
    assert "My hand" in table.board().labels
    assert table.board().text.count("<@") == 1


async def test_a_game_against_computers_plays_on_in_a_thread(table: SimTable) -> None:
    await seat_everyone(table, computers=3)
    ann = table.members[0]
    await table.slash(ann, "dog move", thread=True)
    thread = table.channel.threads[0]
    opened = (await table.bot.tables.of_member(ann.id))[0]
    assert opened.channel_id == thread.id
    board = table.newest(channel=thread)
    assert opened.shown is not None
    assert board.id == opened.shown.message_id
    assert "My hand" in board.labels
