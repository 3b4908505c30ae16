"""Trouble with Discord, the database or a log: what failed is done a little later, once, and holds nothing else up."""

import random
import sqlite3
from typing import Any

import discord
import pytest

import cogs.play
from bot.errors import BrokenLog, NotAtTable, StorageError
from bot.table import Status, Table
from tests.cogs.playing import (
    alone_on_turn,
    cancel,
    on_turn,
    pass_time,
    past_the_exchange,
    seat_everyone,
    spoil,
    take_turn,
    the_table,
)
from tests.cogs.timing import BRISK, DAY, duel, is_time_up, play, until_asked
from tests.simtable import SimTable

TENTH = BRISK // 10


def fails_once(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, error: Exception) -> list[int]:
    """Make the next call of a method raise this; returns a list that grows with every call."""
    work, calls = getattr(owner, name), []

    async def first_fails(*values: Any, **named: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            raise error
        return await work(*values, **named)

    monkeypatch.setattr(owner, name, first_fails)
    return calls


async def test_database_failure_after_a_post_calls_once(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table.provoked = True
    await past_the_exchange(table)
    before = table.board()
    locked = sqlite3.OperationalError("database is locked")
    fails_once(monkeypatch, table.bot.store.messages, "change", locked)
    await take_turn(table, await on_turn(table), random.Random(5))
    asked = await on_turn(table)
    calls = table.calls(asked)
    await table.wait(15)
    assert table.read(before).labels == []
    await table.slash(table.members[0], "dog me away", until="2026-01-03", meanwhile="slow")
    assert table.calls(asked) == calls


async def test_done_action_is_confirmed_though_showing_it_fails(
    table: SimTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    await past_the_exchange(table)
    player = await on_turn(table)
    fails_once(monkeypatch, table.bot.tables.aftermath, "drive", StorageError("disk full"))
    await take_turn(table, player, random.Random(5))
    assert any(seen.text.startswith("✅") for seen in table.private(player)[-2:])
    player = await alone_on_turn(table, random.Random(1))
    mine = (await table.slash(player, "dog hand")).shown
    fails_once(monkeypatch, cogs.play, "make_dialogue", StorageError("disk full"))
    assert (await table.click(player, "Undo", on=mine)).text == "↩️ Taken back."


async def test_refused_edits_become_posts_without_a_loop(table: SimTable) -> None:
    await seat_everyone(table)
    table.refuse("PATCH", status=403, code=50013)
    before = table.posts()
    await play(table, await on_turn(table))
    assert table.posts() - before == 1
    assert (await the_table(table)).lost is None


async def test_place_is_found_despite_an_uneditable_board(table: SimTable) -> None:
    await past_the_exchange(table)
    await table.deny_bot("send_messages")
    old = table.board()
    table.fail("PATCH", f"/channels/{table.channel.id}/messages/{old.id}", status=500, times=None)
    before = table.posts()
    await table.deny_bot()
    await table.wait(3_600)
    assert table.posts() - before == 1
    assert (await the_table(table)).lost is None


async def test_deadline_passes_without_member_lookup(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    await duel(table)
    await table.wait(BRISK * 0.95)
    fails_once(monkeypatch, table.bot.http, "get_member", discord.RateLimited(60.0))
    await table.wait(BRISK * 0.05 + TENTH * 0.9)
    assert any(is_time_up(seen) for seen in table.messages())


async def test_lost_seat_is_called_once_over_lost_place(table: SimTable) -> None:
    absent, _ = await duel(table)
    for _ in range(3):
        await until_asked(table, absent)
        await table.wait(BRISK + TENTH)

    def notices() -> int:
        return sum("Take my seat back" in seen.labels and not seen.pictures for seen in table.messages())

    assert notices() == 1
    calls = table.calls(absent)
    await table.deny_bot("send_messages")
    await table.wait(60)
    await table.deny_bot()
    assert (table.calls(absent), notices()) == (calls, 1)


async def test_end_that_cannot_be_shown_is_let_go(table: SimTable) -> None:
    await seat_everyone(table)
    opened = await the_table(table)
    table.refuse("POST", "PATCH", status=403, code=200000)
    await cancel(table, table.members[0], opened.code)
    before = table.posts()
    await pass_time(table, DAY)
    await table.restart()
    assert table.posts() == before + 1, "it is tried once more"
    assert await table.bot.store.messages.ids_to_wake() == ()


async def test_end_is_shown_once_the_place_is_found(table: SimTable) -> None:
    await seat_everyone(table)
    opened = await the_table(table)
    assert "My hand" in table.board().labels
    hall = table.guild.create_text_channel("hall")
    await table.deny_bot("send_messages")
    question = await table.slash(table.members[0], "dog table cancel", channel=hall, game=opened.code)
    await table.click(table.members[0], f"Yes, cancel {opened.code}", on=question.shown)
    await table.deny_bot()
    assert table.board().labels == ["History"]
    before = table.posts()
    await table.restart()
    await table.wait(3_600)
    assert table.posts() == before


async def broken(table: SimTable) -> Table:
    """A running game whose log has been spoiled; returns it as it was before."""
    await past_the_exchange(table)
    opened = await the_table(table)
    await spoil(table, opened.id)
    with pytest.raises(BrokenLog):
        await table.bot.tables.get(opened.id)
    return opened


async def status(table: SimTable, opened: Table) -> str:
    """The game's status in the store."""
    return str((await table.bot.store.games.snapshot(opened.id)).table.status)


async def test_a_broken_game_is_cancelled_by_its_code(table: SimTable, moderator: Any) -> None:
    opened = await broken(table)
    question = await table.slash(moderator, "dog table cancel", game=opened.code)
    await table.click(moderator, f"Yes, cancel {opened.code}", on=question.shown)
    assert await status(table, opened) == Status.CANCELLED
    (entry,) = await table.bot.tables.moderation.guild_log(table.guild.id)
    assert (entry.kind, entry.actor_id) == ("cancelled", moderator.id)
    await table.slash(table.members[0], "dog new")
    assert (await the_table(table)).status is Status.LOBBY


async def test_no_stranger_cancels_a_broken_game(table: SimTable) -> None:
    opened = await broken(table)
    stranger = table.guild.add_member(table.env.create_user("guest"))
    refused = await table.slash(stranger, "dog table cancel", game=opened.code)
    assert refused.is_refused(NotAtTable)
    assert await status(table, opened) == Status.PLAYING
    for command in ("dog board", "dog hand", "dog table resign"):
        assert "</dog table cancel:" in (await table.slash(table.members[0], command, game=opened.code)).text


async def only_read(table: SimTable, on: str) -> None:
    """Make the connection that writes refuse to (`ON`), or write again (`OFF`)."""
    async with table.bot.store._writer.connect() as writer:
        driver = (await writer.get_raw_connection()).driver_connection
        await driver.execute(f"PRAGMA query_only = {on}")


async def test_storage_failure_is_told_to_people_and_moderators(table: SimTable, moderator: Any) -> None:
    table.provoked = True
    ann = table.members[0]
    told = [await table.slash(moderator, name) for name in ("dog-admin settings", "dog-admin moderate log")]
    assert not any("can't save games" in answer.text for answer in told)
    await only_read(table, "ON")
    refused = (await table.slash(ann, "dog new")).text
    assert "can't save games" in refused
    assert "The bot can't write to its database" in refused
    assert await table.bot.tables.in_channel(table.channel.id) == ()
    for name in ("dog-admin settings", "dog-admin moderate log"):
        answer = await table.slash(moderator, name)
        assert answer.text.startswith("⚠️ **I can't save games right now.** The bot can't write to its database.")
        assert "dog.db" not in answer.text
        assert len(answer.text.splitlines()) > 1, "what was asked for is there too"
    await only_read(table, "OFF")
    await table.slash(ann, "dog new")
    assert len(await table.bot.tables.in_channel(table.channel.id)) == 1
    assert "can't save games" not in (await table.slash(moderator, "dog-admin settings")).text


@pytest.mark.parametrize(("status", "code"), [(400, 200000), (400, 50035), (413, 40005), (400, 50024), (403, 40333)])
async def test_what_is_refused_for_good_is_told(table: SimTable, status: int, code: int) -> None:
    table.provoked = True
    asked, other = await duel(table)
    before = table.posts()
    table.fail("POST", f"/channels/{table.channel.id}/messages", status=status, code=code, times=None)
    await play(table, asked)
    await table.wait(3 * 3_600)
    assert table.posts() - before == 2, "once more, and then no more"
    assert (await the_table(table)).lost is not None
    assert "`/dog table move`" in table.letters(other)[-1].text or "</dog table move:" in table.letters(other)[-1].text
    hand = await table.slash(other, "dog hand")
    assert "Discord is having trouble" not in hand.text
    assert "table move" in hand.text
    clock = (await the_table(table)).clocks[(await the_table(table)).seat_of(other.id)]
    assert clock.held
    table.heal()
    await table.wait(61)
    calls = table.calls(other)
    await table.slash(other, "dog hand")
    assert (await the_table(table)).lost is None, "a press tries once more"
    assert table.calls(other) == calls + 1


@pytest.mark.parametrize(
    ("status", "code", "posts", "told"),
    [
        (503, 0, None, ""),
        (400, 20028, None, ""),
        (400, 200000, 2, "AutoMod blocks one of my messages"),
        (400, 50035, 2, "Discord refuses one of my messages"),
        (403, 50013, 2, "I can't post in"),
    ],
)
async def test_a_notice_that_is_refused_is_told(
    table: SimTable, moderator: Any, status: int, code: int, posts: int | None, told: str
) -> None:
    table.provoked = True
    late, other = await duel(table)
    await table.wait(BRISK - 60)
    before = len(table.letters(late))
    posted = table.posts()
    table.fail("POST", f"/channels/{table.channel.id}/messages", status=status, code=code, times=None)
    await table.wait(61)
    assert posts is None or table.posts() - posted == posts
    letters = [seen.text for seen in table.letters(late)[before:]]
    assert any(told in text for text in letters) if told else letters == []
    lost = (await the_table(table)).lost
    assert (lost is not None) is (code == 50013)
    hand = (await table.slash(other, "dog hand")).text
    state = (await table.slash(moderator, "dog-admin status")).text
    if told and not lost:
        assert ("AutoMod" in hand, "AutoMod" in state) == (code == 200000,) * 2
        assert "table move" in hand
    await table.wait(300)
    assert posts is None or len(table.letters(late)) - before == len(letters), "once"


@pytest.mark.parametrize(
    ("status", "code", "posts"), [(503, 0, None), (400, 50035, 2), (403, 50278, 1), (403, 50007, 1)]
)
async def test_a_letter_that_is_refused_becomes_a_call(
    table: SimTable, status: int, code: int, posts: int | None
) -> None:
    asked, ben = await duel(table, pace="none")
    await table.slash(ben, "dog me notify", where="dm")
    table.refuse("POST", channel=ben.user.dm_channel, status=status, code=code)
    before = table.posts(ben.user.dm_channel)
    await play(table, asked)
    await table.wait(300)
    tried = table.posts(ben.user.dm_channel) - before
    called = any("I couldn't send you a direct message" in seen.text for seen in table.messages())
    assert (tried > 2, called) == (True, False) if posts is None else (tried, called) == (posts, True)


@pytest.mark.parametrize(
    ("status", "code", "posts", "told"),
    [
        (503, 0, None, ""),
        (400, 20028, None, ""),
        (400, 200000, 2, "AutoMod blocked the puzzle of the day"),
        (400, 50035, 2, "Discord refused the puzzle of the day"),
        (403, 50013, 1, "I can't post the puzzle of the day"),
        (404, 10003, 1, "The channel for the puzzle of the day is gone"),
    ],
)
async def test_a_puzzle_that_is_refused_is_told(
    table: SimTable, moderator: Any, status: int, code: int, posts: int | None, told: str
) -> None:
    table.provoked = True
    before = table.posts()
    table.refuse("POST", status=status, code=code)
    await table.slash(moderator, "dog-admin settings", puzzle_in=table.channel)
    await table.wait(600)
    tried = table.posts() - before
    assert tried > 2 if posts is None else tried == posts
    state = (await table.slash(moderator, "dog-admin status")).text
    assert told in state
    assert ("puzzle" in state) is bool(told)
    if told:
        hall = table.guild.create_text_channel("hall")
        await table.slash(moderator, "dog-admin settings", puzzle_in=hall)
        assert table.posts(hall) == 1, "another channel is tried at once"
        assert "puzzle" not in (await table.slash(moderator, "dog-admin status")).text


async def test_moderators_read_what_would_help(table: SimTable, moderator: Any) -> None:
    table.provoked = True
    asked, _ = await duel(table)
    table.fail("POST", f"/channels/{table.channel.id}/messages", status=400, code=200000, times=None)
    await play(table, asked)
    await table.wait(60)
    assert "AutoMod is blocking my messages" in (await table.slash(moderator, "dog-admin status")).text
