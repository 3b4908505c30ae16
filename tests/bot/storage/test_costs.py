"""What an action costs the database, counted so that no query creeps back in: commit, answer and new board together."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.occupants import Person, Scope
from bot.storage.deadlines import Advance
from bot.table import Stage
from bot.tables.effects import News
from bot.tables.service import Tables
from engine.secret import whole
from tools.bench.actions import Workshop, workshop

COMMIT, SHOW = 3, 3
"""Statements of an action: game, log, deadline; and of its board: that it is sent, that it is there, and the end of the
one before. The last is for many tables at once when there is a lot going on: see `test_messages`."""

MOST_BYTES = 2_500
"""The size of these statements with their values."""


DAY = 86_400

now = [0.0]
"""The time, in tests that let it pass."""


async def play(shop: Workshop, table_id: int) -> list[str]:
    """The statements of one action, including everything that follows from it."""
    shop.cost.clear()
    assert await shop.act(table_id)
    await shop.tables.settled(table_id)
    return shop.cost.statements


async def test_an_action_is_six_statements() -> None:
    async with workshop() as shop:
        table = await shop.begin_game(1)
        for _ in range(4):
            await play(shop, table.id)
        for number in range(8):
            statements = await play(shop, table.id)
            committed = len([one for one in statements if one.startswith("INSERT INTO actions")])
            assert 1 <= committed <= 4, "forced folds are actions too"
            # A new round asks everybody, so one row becomes several.
            asks = any(one.startswith("INSERT INTO deadlines") for one in statements)
            assert len(statements) <= COMMIT * committed + asks + SHOW, f"action {number}: {statements}"
            assert shop.cost.bytes <= MOST_BYTES * committed
            assert shop.cost.sent > 10_000, "a hand and a board were drawn"
            assert not [one for one in statements if one.startswith("SELECT")], "what is known is not read again"
        assert (await shop.tables.get(table.id)).shown is not None


async def test_a_gift_is_fewer_statements_than_a_turn() -> None:
    """The board is edited, so there is no old message to note."""
    async with workshop() as shop:
        table = await shop.begin_game(1)
        assert len(await play(shop, table.id)) == 4


async def test_what_is_remembered_is_what_is_stored() -> None:
    async with workshop() as shop:
        table = await shop.begin_game(1)
        for _ in range(24):
            await play(shop, table.id)
        known = await shop.tables.get(table.id)
        log, notes = await shop.tables.log(table.id), await shop.tables.notes(table.id)
        await shop.tables.messages.close()
        shop.tables._memory.forget(table.id)
        read = await shop.tables.get(table.id)
        assert whole(read.game).log == whole(known.game).log
        assert [getattr(read, name) == getattr(known, name) for name in known.__slots__ if name != "game"].count(
            False
        ) == 0
        assert (await shop.tables.log(table.id), await shop.tables.notes(table.id)) == (log, notes)


async def test_notes_read_during_a_write_are_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are read after the write, but before this process has learnt of it."""
    async with workshop() as shop:
        table = await shop.begin_game(1)
        change = shop.store.games.change
        seen: list[int] = []

        @asynccontextmanager
        async def then_read(game_id: int, *about: Any, **values: Any) -> AsyncIterator[Any]:
            async with change(game_id, *about, **values) as changing:
                yield changing
            seen.append(len(await shop.tables.notes(game_id)))

        shop.tables._memory.forget(table.id)
        await shop.tables.get(table.id)
        monkeypatch.setattr(shop.store.games, "change", then_read)
        await shop.tables.places.move(table.id, Person(99, "Moderator", frozenset(Scope)), table.channel_id + 1)
        notes = await shop.tables.notes(table.id)
        shop.tables._memory.forget(table.id)
        assert await shop.tables.notes(table.id) == notes
        assert seen == [len(notes)], "it was read at the wrong moment"


async def test_shared_database_is_asked_on_every_load() -> None:
    async with workshop() as shop:
        table = await shop.begin_game(1)
        assert not shop.store.shared
        await shop.tables.get(table.id)
        other = Tables(shop.store, freshness=lambda _: False)
        seen = await other.get(table.id)
        await play(shop, table.id)
        after = await shop.tables.get(table.id)
        assert (await other.get(table.id)).version == after.version > seen.version
        shop.cost.clear()
        await other.get(table.id)
        assert not [one for one in shop.cost.statements if "FROM actions" in one], "the log of this version is known"
        assert len(shop.cost.statements) == 5
        await other.close()


async def test_repeated_lookup_of_a_channel_reads_nothing() -> None:
    async with workshop() as shop:
        table = await shop.begin_game(1)
        await shop.tables.in_channel(1)
        shop.cost.clear()
        assert [one.id for one in await shop.tables.in_channel(1)] == [table.id]
        assert shop.cost.statements == []
        other = await shop.begin_game(2)
        await shop.tables.places.move(other.id, Person(21, "Player 1", frozenset(Scope)), 1)
        assert {one.id for one in await shop.tables.in_channel(1)} == {table.id, other.id}


async def test_reminders_share_a_transaction_and_load_no_game() -> None:
    async with workshop(clock=lambda: now[0]) as shop:
        now[0] = 1_000_000.0
        ids = [(await shop.begin_game(number)).id for number in range(1, 6)]
        due: list[int] = []

        async def deliver(table_id: int, changed: bool, news: Sequence[News]) -> None:
            due.extend([table_id] * len(news))

        shop.tables.aftermath.deliver = deliver
        for table_id in ids:
            shop.tables._memory.forget(table_id)
        now[0] += DAY * 9 / 10
        shop.cost.clear()
        await shop.tables.deadlines.catch_up()
        await shop.tables.settled()
        assert sorted(due) == sorted(ids * 4), "everybody gives a card at the same time"
        assert len([one for one in shop.cost.statements if one.startswith("UPDATE deadlines")]) == 1
        assert not [one for one in shop.cost.statements if "FROM actions" in one]


async def test_changed_clock_is_read_alone() -> None:
    async with workshop(clock=lambda: now[0]) as shop:
        now[0] = 1_000_000.0
        ids = [(await shop.begin_game(number)).id for number in range(1, 4)]
        now[0] += DAY / 2
        advance, lost = shop.store.deadlines.advance, []

        async def outrun(moves: Sequence[Advance]) -> bool:
            # Somebody else has just dealt with the first one.
            if not lost:
                game_id, seat, before, _ = moves[0]
                after = replace(before, stage=Stage.NINETY, due_at=int(now[0]) + 100)
                lost.append(await advance([(game_id, seat, before, after)]))
            return await advance(moves)

        shop.store.deadlines.advance = outrun  # type: ignore[method-assign]
        await shop.tables.deadlines.catch_up()
        await shop.tables.settled()
        assert lost == [True]
        for table_id in ids:
            shop.tables._memory.forget(table_id)
            assert {clock.stage for clock in (await shop.tables.get(table_id)).clocks.values()} == {"ninety"}
