"""Starting: whatever the last run left unsaid is said, and nothing unreadable gets in the way of that."""

import asyncio
import random
import sqlite3
from typing import Any

import pytest

from bot.client import WAKE_AGAIN
from bot.delivery.sentences import Sentences
from bot.pools import Pools
from bot.settings import Settings
from bot.storage.messages import MessageStore
from tests.cogs.playing import cancel, choosing, on_turn, past_the_exchange, take_turn, the_table
from tests.cogs.timing import BRISK, duel, is_time_up, since, solo
from tests.simtable import SimTable


async def dies(*_: object) -> bool:
    """Something that never finishes, because the program dies first."""
    raise asyncio.CancelledError


async def next_turn(table: SimTable, monkeypatch: pytest.MonkeyPatch, *, passed: bool = False) -> tuple[Any, int]:
    """A game by letter in which no letter tells of the next turn, which has been played or not.

    Returns whose turn it is, and how many direct messages they had before.
    """
    for member in table.members:
        await table.slash(member, "dog me notify", where="dm")
    await past_the_exchange(table)
    with monkeypatch.context() as patched:
        patched.setattr(Sentences, "send", dies)
        before = {member.id: len(table.letters(member)) for member in table.members}
        await take_turn(table, await on_turn(table), random.Random(1))
        member = await on_turn(table)
        if passed:
            await take_turn(table, member, random.Random(1))
    return member, before[member.id]


async def test_busy_database_is_asked_again_at_start(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = await solo(table)
    board = table.board()
    table.refuse("POST")
    await take_turn(table, ann, random.Random(1))
    tries: list[int] = []
    ids_to_wake = MessageStore.ids_to_wake

    async def busy_at_first(store: MessageStore) -> tuple[int, ...]:
        tries.append(1)
        if len(tries) <= 2:
            raise sqlite3.OperationalError("database is locked")
        return await ids_to_wake(store)

    monkeypatch.setattr(MessageStore, "ids_to_wake", busy_at_first)
    table.heal()
    await table.restart(crash=True)
    assert since(table, board) == []
    calls = table.calls(ann)
    await table.wait(WAKE_AGAIN)
    assert since(table, board) == []
    await table.wait(WAKE_AGAIN)
    assert (len(since(table, board)), table.calls(ann)) == (1, calls + 1)
    assert len(tries) == 3


async def test_deadlines_come_though_the_start_fails(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = await solo(table)
    board = table.board()
    table.provoked = True

    async def locked(_: MessageStore) -> tuple[int, ...]:
        raise sqlite3.OperationalError("database is locked")

    monkeypatch.setattr(MessageStore, "ids_to_wake", locked)
    await table.restart()
    await table.wait(BRISK * 9 / 10)
    assert [seen.pinged for seen in since(table, board)] == [{ann.id}]


async def test_unreadable_game_delays_no_other(table: SimTable, settings: Settings) -> None:
    ann = await solo(table)
    broken = await the_table(table)
    await solo(table)
    other = await the_table(table)
    board = table.newest()
    await table.bot.close()
    table.provoked = True
    database = sqlite3.connect(settings.database_url.removeprefix("sqlite+aiosqlite:///"))
    database.execute("UPDATE games SET pace = 'weekly' WHERE id = ?", (broken.id,))
    database.execute("UPDATE messages SET version = 0 WHERE game_id = ?", (broken.id,))
    database.commit()
    database.close()
    await table.start()
    await table.wait(BRISK * 9 / 10)
    assert [seen.pinged for seen in since(table, board) if other.code in seen.text] == [{ann.id}]
    await table.wait(BRISK / 10)
    assert [is_time_up(seen) for seen in since(table, board) if other.code in seen.text] == [True]


async def test_refused_end_is_shown_after_the_next_start(table: SimTable) -> None:
    ann = table.members[0]
    await duel(table)
    opened = await the_table(table)
    board = table.board()
    table.refuse("PATCH", "POST")
    await cancel(table, ann, opened.code)
    assert "My hand" in table.read(board).labels
    table.heal()
    calls = table.calls(ann)
    await table.restart(crash=True)
    assert [seen.labels for seen in table.messages()][-2:] == [[], ["History"]]
    assert table.calls(ann) == calls


async def test_letter_lost_in_a_crash_is_written_after(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    member, before = await next_turn(table, monkeypatch)
    assert len(table.letters(member)) == before
    known = {seen.id for seen in table.letters(member)}
    await table.restart(crash=True)
    assert table.letters(member)[-1].id not in known
    assert choosing(table.letters(member)[-1])
    letters = table.letters(member)
    await table.restart(crash=True)
    assert table.letters(member) == letters


async def test_letter_about_a_passed_turn_is_not_written(table: SimTable, monkeypatch: pytest.MonkeyPatch) -> None:
    member, before = await next_turn(table, monkeypatch, passed=True)
    last = await on_turn(table)
    assert last.id != member.id
    await table.restart(crash=True)
    assert len(table.letters(member)) == before
    assert choosing(table.letters(last)[-1])


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Pools]:
    """The pools that were told to begin."""
    found: list[Pools] = []
    monkeypatch.setattr(Pools, "begin", lambda pools: found.append(pools))
    return found


async def test_a_start_lets_the_pools_draw_ahead(begun: list[Pools], table: SimTable) -> None:
    assert begun == [table.bot.pools]
