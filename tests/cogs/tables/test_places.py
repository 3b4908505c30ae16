"""Where games are played: in threads of their own, moved, where places get lost, several games side by side."""

import re
from typing import Any

import discord
import pytest

from bot.errors import ChannelNotAllowed, NotHost
from bot.interactions.places import open_thread
from bot.interactions.request import Request
from bot.table import Table
from cogs import places
from engine.secret import whole
from tests.cogs.playing import act, cancel, past_the_exchange, seat_everyone, the_table
from tests.cogs.timing import BRISK, duel, is_time_up, now, since
from tests.simtable import SimTable


async def game_of(table: SimTable, member: Any) -> Table:
    """This member's only game, wherever it is played."""
    (found,) = await table.bot.tables.of_member(member.id)
    return found


async def in_a_thread(table: SimTable) -> tuple[Any, Any]:
    """A game of two that is played in a thread of the channel; returns its host and the thread."""
    await seat_everyone(table, rules="royal-basic", players=2, pace="brisk")
    host = table.members[0]
    await table.slash(host, "dog table move", thread=True)
    (thread,) = table.channel.threads
    return host, thread


async def test_game_can_have_its_own_thread(table: SimTable) -> None:
    ann = table.members[0]
    await table.slash(ann, "dog new", thread=True)
    thread = table.channel.threads[0]
    opened = (await table.bot.tables.of_member(ann.id))[0]
    assert opened.channel_id == thread.id
    assert opened.parent_id == table.channel.id
    assert opened.code in str(thread.name)
    assert "Join" in table.newest(channel=thread).labels
    left = next(seen for seen in table.messages() if f"<#{thread.id}>" in seen.text)
    assert opened.code in left.text
    assert left.buttons == ()


async def test_the_guild_default_opens_threads(table: SimTable, moderator: Any) -> None:
    await table.slash(moderator, "dog-admin settings", threads=True)
    ann = table.members[0]
    await table.slash(ann, "dog new")
    assert len(table.channel.threads) == 1
    await table.slash(ann, "dog new", thread=False)
    assert len(table.channel.threads) == 1


@pytest.mark.parametrize(
    ("status", "code", "told"),
    [
        (400, 160006, "Discord's limit of open threads"),
        (400, 50024, "Discord won't open a thread in"),
        (500, 0, "Discord won't open a thread in"),
        (403, 50013, "create public threads"),
    ],
)
async def test_game_without_thread_stays_in_the_channel(table: SimTable, status: int, code: int, told: str) -> None:
    ann = table.members[0]
    table.fail("POST", f"/channels/{table.channel.id}/threads", status=status, code=code, times=None)
    answer = await table.slash(ann, "dog new", thread=True)
    assert told in answer.text
    opened = await the_table(table)
    assert f"**{opened.code}** stays in this channel." in answer.text
    assert "Join" in table.board().labels
    assert table.channel.threads == []
    elsewhere = table.guild.create_text_channel("elsewhere")
    table.fail("POST", f"/channels/{elsewhere.id}/threads", status=status, code=code, times=None)
    assert told in (await table.slash(ann, "dog table move", to=elsewhere, thread=True)).text
    assert (await the_table(table)).id == opened.id


async def test_channel_without_threads_keeps_the_game(table: SimTable) -> None:
    voice = table.guild.create_voice_channel("voice")
    answer = await table.slash(table.members[0], "dog new", channel=voice, thread=True)
    opened = (await table.bot.tables.of_member(table.members[0].id))[0]
    assert f"This kind of channel has no threads. **{opened.code}** stays in this channel." in answer.text
    assert "Join" in table.newest(channel=voice).labels


async def test_moved_game_keeps_all_without_second_ping(table: SimTable) -> None:
    await past_the_exchange(table, pace="brisk")
    before = await the_table(table)
    old = table.board()
    elsewhere = table.guild.create_text_channel("elsewhere")
    stranger = table.members[1]
    assert (await table.slash(stranger, "dog table move", to=elsewhere)).is_refused(NotHost)
    await table.slash(table.members[0], "dog table move", to=elsewhere)
    after = await table.bot.tables.get(before.id)
    assert whole(after.game).log == whole(before.game).log
    assert after.channel_id == elsewhere.id
    here = table.newest(channel=elsewhere)
    assert "My hand" in here.labels
    assert here.pinged == frozenset()
    assert f"<#{elsewhere.id}>" in table.read(old).text
    assert table.read(old).buttons == ()
    member = next(one for one in table.members if one.id in after.waiting_for.values())
    assert (await table.click(member, "My hand", on=here)).shown.pictures


@pytest.mark.parametrize("kind", ["channel", "private thread"])
async def test_host_moves_no_game_out_of_sight(table: SimTable, kind: str) -> None:
    ann, ben, *_ = table.members
    await seat_everyone(table, rules="royal-basic", players=2, pace="brisk")
    if kind == "channel":
        hall = table.guild.create_text_channel("hall")
        table.overwrite(hall, {ben: discord.PermissionOverwrite(view_channel=False)})
        await table.env.settle()
    else:
        hall = await table.private_thread(ann, with_bot=True)
    code = (await game_of(table, ann)).code
    refused = (await table.slash(ann, "dog table move", channel=hall, game=code)).text
    assert "**ben** can't see" in refused
    assert (await game_of(table, ann)).channel_id == table.channel.id
    if kind == "channel":
        table.overwrite(hall, {})
    else:
        table.env.backend.add_thread_member(hall.id, ben.id)
    await table.env.settle()
    await table.slash(ann, "dog table move", channel=hall, game=code)
    assert (await game_of(table, ann)).channel_id == hall.id


async def test_lost_thread_is_told_once_in_its_channel(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new", rules="royal-basic", players=2, thread=True)
    thread = table.channel.threads[0]
    await table.click(ben, "Join", on=table.newest(channel=thread))
    await table.click(ann, "Start", on=next(seen for seen in table.messages(channel=thread) if seen.pictures))
    before = {seen.id for seen in table.messages()}
    await table.archive(thread)
    await table.run(act(table, (await table.bot.tables.of_member(ann.id))[0]))
    told = [seen for seen in table.messages() if seen.id not in before]
    assert [seen.pinged for seen in told] == [{ann.id, ben.id}]
    assert "archived" in told[0].text
    assert table.letters(ann) == table.letters(ben) == []
    await table.restart(crash=True)
    opened = (await table.bot.tables.of_member(ann.id))[0]
    await table.run(act(table, opened))
    assert [seen for seen in table.messages() if seen.id not in before] == told
    # Ben is not the host, but any player may find a new place for a game that has none.
    await table.slash(ben, "dog table move", game=opened.code)
    assert not table.exists(told[0])
    assert "My hand" in table.board().labels


async def test_deleted_channel_is_told_by_letter_and_list(table: SimTable) -> None:
    table.provoked = True
    ann, ben, cleo, dan = table.members
    await table.slash(ben, "dog me notify", where="dm")
    await table.slash(cleo, "dog me notify", where="silent")
    table.close_dms(dan)
    hall = table.guild.create_text_channel("hall")
    await past_the_exchange(table)
    letters = {member.id: len(table.letters(member)) for member in table.members}
    opened = await the_table(table)
    await table.delete_channel(table.channel)
    assert [len(table.letters(member)) - letters[member.id] for member in table.members] == [1, 1, 1, 0]
    for member in (ann, ben, cleo):
        assert opened.code in table.letters(member)[-1].text
    listed = await table.slash(cleo, "dog games", channel=hall)
    assert f"**{opened.code}**" in listed.text
    assert "⚠️ channel gone: </dog table move:" in listed.text
    await table.slash(dan, "dog table move", game=opened.code, channel=hall)
    assert "My hand" in table.newest(channel=hall).labels


async def test_time_up_buttons_move_with_the_game(table: SimTable) -> None:
    late, other = await duel(table)
    await table.wait(BRISK)
    up = table.newest()
    elsewhere = table.guild.create_text_channel("elsewhere")
    await table.slash(table.members[0], "dog table move", to=elsewhere)
    assert not table.exists(up)
    (here,) = [seen for seen in table.messages(channel=elsewhere) if is_time_up(seen)]
    assert here.text == up.text.replace(f"<@{late.id}>", f"**{late.name}**")
    assert (here.labels, here.pinged) == (up.labels, frozenset()), "those concerned have been told"
    await table.click(other, up.labels[0], on=here)
    (clock,) = (await game_of(table, other)).clocks.values()
    assert clock.waited == 1


async def test_turn_played_during_a_move_leaves_no_board(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    await past_the_exchange(table)

    async def slowly(request: Request, place: discord.TextChannel, name: str) -> discord.Thread:
        thread = await open_thread(request, place, name)
        await act(table, await the_table(table), settled=True)
        return thread

    monkeypatch.setattr(places, "open_thread", slowly)
    await table.slash(table.members[0], "dog table move", thread=True)
    (thread,) = table.channel.threads
    assert [seen.labels for seen in table.messages()] == [[] for _ in table.messages()]
    assert not any("<@" in seen.text for seen in table.messages())
    assert "My hand" in table.newest(channel=thread).labels


async def test_only_misplaced_game_moves_without_being_named(table: SimTable) -> None:
    ann, thread = await in_a_thread(table)
    await table.delete_channel(thread)
    code = (await game_of(table, ann)).code
    assert re.search(rf"</dog table move:\d+> with `game:{code}`\.", table.newest().text)
    await table.slash(ann, "dog table move")
    assert (await game_of(table, ann)).lost is None


async def test_deleted_channel_takes_its_threads_along(table: SimTable) -> None:
    ann, thread = await in_a_thread(table)
    tried = table.posts(thread)
    hall = table.guild.create_text_channel("hall")
    table.provoked = True
    await table.delete_channel(table.channel)
    lost = await game_of(table, ann)
    assert lost.lost == "gone"
    assert all(clock.held for clock in lost.clocks.values())
    assert table.posts(thread) == tried
    for member in table.members[:2]:
        (letter,) = table.letters(member)
        assert lost.code in letter.text
    await table.wait(2 * BRISK)
    await table.slash(ann, "dog table move", channel=hall, game=lost.code)
    assert "My hand" in table.newest(channel=hall).labels
    assert (await game_of(table, ann)).number == lost.number


@pytest.mark.parametrize("lost", ["gone", "permissions"])
async def test_places_lost_while_down_are_noticed_at_start(table: SimTable, lost: str) -> None:
    ann, ben = await duel(table)
    number, tried = (await the_table(table)).number, table.posts()
    table.provoked = True
    await table.bot.close()
    await (table.delete_channel(table.channel) if lost == "gone" else table.deny_bot("send_messages"))
    await table.start()
    await table.wait(2 * BRISK)
    game = await game_of(table, ann)
    assert (game.lost, game.number) == (lost, number)
    assert [len(table.letters(member)) for member in (ann, ben)] == [1, 1]
    assert table.posts() == tried


@pytest.mark.parametrize("lost", ["permissions", "access"])
async def test_lost_place_is_noticed_without_a_post(table: SimTable, lost: str) -> None:
    members = await duel(table)
    await table.slash(members[1], "dog me notify", where="silent")
    number, tried = (await the_table(table)).number, table.posts()
    calls = [table.calls(member) for member in members]
    await (table.deny_bot("send_messages") if lost == "permissions" else table.remove_bot())
    assert (await game_of(table, members[1])).lost == lost
    for member in members:
        told = [f"I can't post in <#{table.channel.id}>" in letter.text for letter in table.letters(member)]
        assert told == [True] * (lost == "permissions"), "from outside the server, there is nowhere to move it to"
    await table.wait(2 * BRISK)
    assert table.posts() == tried
    await (table.deny_bot() if lost == "permissions" else table.invite_bot())
    found = await game_of(table, members[1])
    assert (found.lost, found.number) == (None, number)
    assert f"⏳ <t:{now(table) + BRISK}:R>" in table.board().text
    assert [table.calls(member) for member in members] == calls


async def test_permissions_come_and_go_with_roles(table: SimTable) -> None:
    await past_the_exchange(table)
    ann = table.members[0]
    calls = [table.calls(member) for member in table.members]
    role = table.guild.create_role("players", permissions=discord.Permissions(send_messages=True))
    await table.deny_roles("send_messages")
    assert (await game_of(table, ann)).lost == "permissions"
    await table.equip_bot(role, held=True)
    assert (await game_of(table, ann)).lost is None
    await table.equip_bot(role, held=False)
    assert (await game_of(table, ann)).lost == "permissions"
    await table.equip_bot(role, held=True)
    assert (await game_of(table, ann)).lost is None
    table.env.backend.delete_role(table.guild.id, role.id)
    await table.env.settle()
    assert (await game_of(table, ann)).lost == "permissions"
    await table.deny_roles()
    assert (await game_of(table, ann)).lost is None
    assert "My hand" in table.board().labels
    assert [table.calls(member) for member in table.members] == calls


async def test_channel_permissions_hold_in_its_threads(table: SimTable) -> None:
    ann, thread = await in_a_thread(table)
    tried = table.posts(thread)
    await table.deny_bot("send_messages_in_threads")
    assert (await game_of(table, ann)).lost == "permissions"
    assert table.posts(thread) == tried
    await table.deny_bot()
    assert (await game_of(table, ann)).lost is None
    assert "My hand" in table.newest(channel=thread).labels


async def test_new_board_reopens_an_archived_thread(table: SimTable) -> None:
    """Discord refuses edits in an archived thread; a new message opens it again, unless it is locked."""
    ann, thread = await in_a_thread(table)
    table.refuse("PATCH", channel=thread, status=400, code=50083)
    calls = [table.calls(member) for member in table.members]
    before = table.newest(channel=thread)
    await table.run(act(table, await game_of(table, ann)))
    assert (await game_of(table, ann)).lost is None
    board = table.newest(channel=thread)
    assert board.id != before.id
    assert "My hand" in board.labels
    assert [table.calls(member) for member in table.members] == calls
    table.heal()
    await table.run(act(table, await game_of(table, ann)))
    assert before.id not in [seen.id for seen in table.messages(channel=thread)]


@pytest.mark.parametrize("told", [True, False], ids=["noticed", "refused"])
async def test_in_a_locked_thread_a_game_waits(table: SimTable, told: bool) -> None:
    ann, thread = await in_a_thread(table)
    ben = table.members[1]
    newest = table.newest()
    table.refuse("PATCH", channel=thread, status=400, code=50083)
    table.refuse("POST", channel=thread, status=403, code=160005)
    if told:
        table.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True, "locked": True})
        await table.env.settle()
    else:
        await table.run(act(table, await game_of(table, ann)))
    lost = await game_of(table, ann)
    assert lost.lost == "archived"
    assert all(clock.held for clock in lost.clocks.values())
    (told_of,) = since(table, newest)
    assert told_of.pinged == {ann.id, ben.id}
    assert "archived" in told_of.text
    table.heal()
    table.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": False, "locked": False})
    await table.env.settle()
    assert (await game_of(table, ann)).lost is None
    assert since(table, newest) == []
    assert "My hand" in table.newest(channel=thread).labels


@pytest.mark.parametrize("share", [0.4, 0.95], ids=["reminder", "time is up"])
async def test_refused_notice_reveals_a_lost_place(table: SimTable, share: float) -> None:
    absent, other = await duel(table)
    number = (await the_table(table)).number
    await table.wait(BRISK * share)
    table.refuse("POST", "PATCH", status=403, code=50013)
    await table.wait(BRISK * 2)
    lost = await game_of(table, other)
    assert (lost.lost, lost.number) == ("permissions", number), "no one is played for whom the others can't see"
    for member in (absent, other):
        (letter,) = table.letters(member)
        assert lost.code in letter.text
    table.heal()
    await table.deny_bot()
    assert (await game_of(table, other)).lost is None
    assert is_time_up(table.newest()) is (share > 0.5)


async def test_unjoined_private_thread_is_refused_before_opening(table: SimTable) -> None:
    ann, thread = table.members[0], await table.private_thread(table.members[0], with_bot=False)
    before = table.messages()
    said = (await table.slash(ann, "dog new", channel=thread)).text
    assert "I'm not in the private thread" in said
    assert not await table.bot.tables.of_member(ann.id)
    assert table.messages() == before


async def test_private_threads_events_stay_in_it(table: SimTable) -> None:
    ann, ben = table.members[:2]
    thread = await table.private_thread(ann)
    await table.slash(ben, "dog table seek")
    await table.slash(ann, "dog new", channel=thread)
    assert (await game_of(table, ann)).channel_id == thread.id
    before = len(table.messages())
    table.provoked = True
    await table.delete_channel(thread)
    assert (await game_of(table, ann)).lost == "gone"
    assert len(table.messages()) == before
    assert [len(table.letters(one)) for one in (ann, ben)] == [1, 0]


@pytest.mark.parametrize("kind", ["voice", "stage"])
async def test_voice_channels_chat_can_have_a_game(table: SimTable, kind: str) -> None:
    ann = table.members[0]
    place = table.guild.create_voice_channel("talk") if kind == "voice" else table.guild.create_stage_channel("talk")
    await table.env.settle()
    await table.slash(ann, "dog new", channel=place)
    opened = await game_of(table, ann)
    assert opened.channel_id == place.id
    await table.slash(ann, "dog table move", game=opened.code)
    assert (await game_of(table, ann)).channel_id == table.channel.id
    await table.deny_bot("connect", channel=place)
    said = (await table.slash(ann, "dog table move", to=place)).text
    assert "connect" in said


async def test_games_can_be_allowed_in_forum_posts(table: SimTable, moderator: Any) -> None:
    ann, forum = table.members[0], table.guild.create_forum_channel("clubs")
    await table.env.settle()
    table.let_command(moderator, "dog-admin")
    await table.slash(moderator, "dog-admin settings", games_in=forum)
    post = table.env.backend.create_thread(forum.id, "dog club", owner_id=ann.id)
    await table.env.settle()
    place = next(one for one in forum.threads if one.id == post.id)
    await table.slash(ann, "dog new", channel=place)
    assert (await game_of(table, ann)).channel_id == place.id
    assert (await table.slash(ann, "dog new")).is_refused(ChannelNotAllowed)


async def test_deleted_board_returns_when_a_player_looks(table: SimTable) -> None:
    asked, other = await duel(table)
    calls = table.calls(asked)
    table.delete(table.board())
    await table.slash(table.members[2], "dog board")
    assert not any("My hand" in seen.labels for seen in table.messages()), "only for players"
    first = await table.slash(other, "dog board")
    again = table.board()
    assert "My hand" in again.labels
    assert (await table.slash(other, "dog board")).text != first.text, "it is told once"
    assert table.board().id == again.id
    assert table.calls(asked) <= calls + 1


async def ended_in_thread(table: SimTable, moderator: Any) -> Any:
    """The thread of a lobby that was cancelled, on a server where threads are closed after two hours."""
    ann = table.members[0]
    await table.slash(moderator, "dog-admin settings", close_after=2)
    await table.slash(ann, "dog new", thread=True)
    thread = table.channel.threads[-1]
    (opened,) = await table.bot.tables.in_channel(thread.id)
    await cancel(table, ann, opened.code)
    return thread


def closed(table: SimTable, thread: Any) -> tuple[bool, bool]:
    """Return two facts about a thread: archived, and locked."""
    meta = table.env.backend.get_channel(thread.id).thread_metadata
    return meta.archived, meta.locked


async def test_thread_is_closed_after_its_game(table: SimTable, moderator: Any) -> None:
    thread = await ended_in_thread(table, moderator)
    table.fail("PATCH", f"/channels/{thread.id}")
    await table.restart(crash=True)
    await table.wait(7_100)
    assert closed(table, thread) == (False, False)
    await table.wait(200)
    assert closed(table, thread) == (False, False), "Discord had trouble"
    await table.wait(3_700)
    assert closed(table, thread) == (True, True)


async def test_thread_that_cannot_be_closed_is_named(table: SimTable, moderator: Any) -> None:
    thread = await ended_in_thread(table, moderator)
    table.fail("PATCH", f"/channels/{thread.id}", status=403, code=50013, times=None)
    await table.wait(7_300)
    assert f"can't archive <#{thread.id}>" in (await table.slash(moderator, "dog-admin status")).text
    table.heal()
    await table.wait(7_300)
    assert closed(table, thread) == (False, False), "what is refused for good is not tried again"


async def test_thread_with_another_game_stays_open(table: SimTable, moderator: Any) -> None:
    thread = await ended_in_thread(table, moderator)
    await table.slash(table.members[1], "dog new", channel=thread)
    await table.wait(7_300)
    assert closed(table, thread) == (False, False)
