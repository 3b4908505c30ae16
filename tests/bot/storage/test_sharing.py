"""Several processes share one database: each serves its shards, hears of the others, and takes over from the dead."""

import asyncio
import os
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.errors import StaleBoard
from bot.preferences import AwayHow
from bot.shards import ALL, Shards
from bot.storage import Store, leases, migrating
from bot.storage.connection import make_engine
from bot.storage.faults import DatabaseInUse, DividedOtherwise, LeaseLost, ShardInUse, Undivided
from bot.storage.leases import Lease
from engine.secret import whole
from tests.bot.gaming import Ear, House, act, play_on, refused, started, waited
from tests.bot.people import ANN, DAILY, FOUR
from tools.bench.actions import Counted

FIRST, SECOND = Shards(2, frozenset({0})), Shards(2, frozenset({1}))
HERE, THERE = 4 << 22, 5 << 22
"""Guilds of the first and of the second process."""


async def until(so: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait until news from the database server has brought this about; the test's own timeout ends a wait in vain."""
    while True:
        found = so()
        if found if isinstance(found, bool) else await found:
            return
        await asyncio.sleep(0.005)


pytestmark = pytest.mark.postgres


@pytest.fixture
def database(server_database: str) -> str:
    """These tests are about a server."""
    return server_database


# Each has its own


async def test_each_finds_what_is_due_and_untold_in_its_own_guilds(house: House) -> None:
    one, other = await house.run(shards=FIRST), await house.run(shards=SECOND)
    here, there = await started(one, *FOUR, guild=HERE), await started(other, *FOUR, guild=THERE)
    (mine, _), (theirs, _) = house.opened
    house.clock.now += 3 * DAILY
    now = int(house.clock.now)
    assert await mine.deadlines.games_due(now) == (here.id,)
    assert await theirs.deadlines.games_due(now) == (there.id,)
    assert await mine.messages.ids_to_wake() == (here.id,)
    assert await theirs.messages.ids_to_wake() == (there.id,)
    assert await one.places.guilds_played_in() == [HERE]
    assert await theirs.deadlines.running_since_after(0) == (there.id,)
    await house.by_hand(f"DELETE FROM deadlines WHERE game_id = {there.id}")
    assert await theirs.deadlines.next_due() is None
    assert await mine.deadlines.next_due() == min(clock.due_at or 0 for clock in here.clocks.values())


# Several at work on the same tables (split brain, or before the shards were divided)


async def test_what_is_due_fires_once_whoever_finds_it(house: House) -> None:
    programs = [await house.run() for _ in range(3)]
    games = [await started(programs[0], *FOUR, guild=HERE + number) for number in range(4)]
    heard = [Ear(one) for one in programs]
    for share in (0.5, 0.4, 0.1, 1.0):
        house.clock.now += DAILY * share + 1
        await asyncio.gather(*(one.deadlines.catch_up() for one in programs))
        await asyncio.gather(*(one.settled() for one in programs))
    told = Counter((table_id, due) for one in heard for table_id, news in one.heard for due in news)
    assert {table_id for table_id, _ in told} == {game.id for game in games}
    assert {due.kind.value for _, due in told} >= {"half", "ninety", "up"}
    assert set(told.values()) == {1}


async def test_a_time_away_ends_once(house: House) -> None:
    one, other = await house.run(shards=FIRST), await house.run(shards=SECOND)
    here, there = await started(one, *FOUR, guild=HERE), await started(other, *FOUR, guild=THERE)
    await one.users.set_away(ANN, int(house.clock.now) + DAILY, AwayHow.COMPUTER)
    assert (await other.get(there.id)).occupants[there.owners[ANN.id]].computer is not None
    house.clock.now += DAILY + 1
    before = [await one.get(game.id) for game in (here, there)]
    await asyncio.gather(one.deadlines.catch_up(), other.deadlines.catch_up())
    for old in before:
        table = await one.get(old.id)
        assert table.occupants[table.owners[ANN.id]].computer is None
        kinds = [note.kind for note in await one.notes(old.id)]
        assert kinds.count("back") == 1, kinds
    assert (await one.users.preferences(ANN.id)).away_until is None


# Hearing of each other


async def test_whoever_serves_a_guild_shows_what_was_done_elsewhere(house: House) -> None:
    """A press in a direct message arrives at shard 0, wherever the game is played."""
    one, other = await house.run(shards=FIRST), await house.run(shards=SECOND)
    (store, _), (listening, _) = house.opened
    there = await started(other, *FOUR, guild=THERE)
    heard: list[int] = []
    listening.lease.on_change = heard.append
    await store.lease.take()
    await listening.lease.take()
    mine, theirs = Ear(one), Ear(other)
    await act(one, there)
    await one.settled()
    assert mine.changed == []
    await until(lambda: bool(heard))
    assert heard == [there.id]
    await other.appeared(there.id)
    await other.settled()
    assert theirs.changed == [there.id]
    assert (await other.get(there.id)).number == there.number + 1
    # What one does at its own tables does not concern the others.
    heard.clear()
    assert mine.changed.count((await started(one, *FOUR, guild=HERE)).id)
    await store.lease.give_back()
    await listening.lease.give_back()
    assert heard == []


async def test_what_is_announced_is_read_again_and_nothing_else(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "PROLONGED", 0.05)
    monkeypatch.setattr(leases, "AGAIN", 0.01)
    one, other = await house.run(shards=FIRST, announced=True), await house.run(shards=SECOND, announced=True)
    (store, _), (listening, _) = house.opened
    gap = asyncio.Event()

    def missed() -> None:
        other.outdated()
        gap.set()

    listening.lease.on_change, listening.lease.on_gap = other.outdated, missed
    there = await started(other, *FOUR, guild=THERE)
    reads, elsewhere = Counted(), Counted()
    reads.watch(listening)
    await other.get(there.id)
    assert reads.statements, "nobody is listening yet"
    await listening.lease.take()
    await other.get(there.id)
    reads.statements.clear()
    await other.get(there.id)
    assert reads.statements == []
    # At another process's table one cannot be certain.
    await one.get(there.id)
    elsewhere.watch(store)
    await one.get(there.id)
    assert elsewhere.statements
    await act(one, there)
    done = (await one.settled(), await one.get(there.id))[1]

    async def seen() -> bool:
        return (await other.get(there.id)).version == done.version

    await until(seen)
    assert await other.log(there.id) == await one.log(there.id)
    reads.statements.clear()
    await other.get(there.id)
    assert reads.statements == []
    # A connection that has ended announces nothing.
    keeping = asyncio.create_task(listening.lease.keep())
    await ended(house.url)
    await gap.wait()
    await until(listening.lease.is_listening)
    reads.statements.clear()
    await other.get(there.id)
    assert reads.statements, "something may have been missed"
    keeping.cancel()


async def test_nobody_remembers_whom_one_process_has_forgotten(house: House) -> None:
    one, other = await house.run(shards=FIRST, announced=True), await house.run(shards=SECOND, announced=True)
    for store, tables in house.opened:
        await store.lease.take()
        store.lease.on_change, store.lease.on_forgotten = tables.outdated, tables.privacy.forgotten
    there = await play_on(other, (await started(other, *FOUR, guild=THERE)).id, random.Random(1))
    assert ANN.id in {row.actor for row in await other.log(there.id)}
    await one.privacy.forget(ANN.id)

    async def forgotten() -> bool:
        return ANN.id not in {row.actor for row in await other.log(there.id)}

    await until(forgotten)
    assert (await other.get(there.id)).seat_of(ANN.id) is None


async def test_what_is_decided_on_an_outdated_table_is_decided_again(house: House) -> None:
    """The announcement may come a moment later than the change."""
    one, other = await house.run(shards=FIRST, announced=True), await house.run(shards=SECOND, announced=True)
    _, (listening, _) = house.opened
    await listening.lease.take()
    there = await started(other, *FOUR, guild=THERE)
    seat, user_id = waited(there)
    actions = whole(there.game).legal(seat)
    await one.turns.act(there.id, user_id, there.decision(seat), actions[0])
    done = await one.get(there.id)
    assert (await other.get(there.id)).version < done.version, "nothing was announced here"
    await refused(StaleBoard, other.turns.act(there.id, user_id, there.decision(seat), actions[-1]))
    assert (await other.get(there.id)).version >= done.version


async def test_a_refused_change_is_not_told(house: House) -> None:
    await house.run(shards=FIRST)
    there = await started(await house.run(shards=SECOND), *FOUR, guild=THERE)
    (store, _), (listening, _) = house.opened
    heard: list[int] = []
    listening.lease.on_change = heard.append
    await listening.lease.take()
    with suppress(RuntimeError):
        async with store.games.change(there.id, there.version, 0) as writer:
            await writer.announce("dog_shard_1")
            raise RuntimeError
    async with store.games.change(there.id, there.version, 0) as writer:
        await writer.announce("dog_shard_1")
    await until(lambda: bool(heard))
    assert heard == [there.id]


# Leases


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """No lease expires, and no answer is late, just because the machine is busy with other things."""
    monkeypatch.setattr(leases, "LASTS", 1_000)
    monkeypatch.setattr(leases, "ANSWERED", 120.0)


@pytest.fixture
async def lease(server_database: str) -> AsyncIterator[Callable[[Shards], Awaitable[Lease]]]:
    """Makes a process that wants these shards, and returns its lease."""
    made: list[Store] = []

    async def make(shards: Shards) -> Lease:
        store = Store(server_database, shards)
        await store.open()
        made.append(store)
        return store.lease

    yield make
    for store in made:
        await store.close()


Make = Callable[[Shards], Awaitable[Lease]]
NINE = [Shards(9, frozenset(ids)) for ids in ({0, 1, 2}, {3, 4, 5}, {6, 7, 8})]


async def test_every_shard_is_served_by_one_process(lease: Make) -> None:
    for shards in NINE:
        await (await lease(shards)).take()
    for shards, kind, said in [
        (Shards(9, frozenset({5})), ShardInUse, "shard 5 of 9"),
        (Shards(12, frozenset({11})), DividedOtherwise, "9, here 12"),
        (ALL, Undivided, "SHARD_IDS"),
    ]:
        caught = await refused(kind, (await lease(shards)).take(), match=said)
        assert f"process {os.getpid()}" in str(caught)
        assert caught.passing


async def test_undivided_there_is_one_process(lease: Make) -> None:
    first = await lease(ALL)
    await first.take()
    for shards in (ALL, NINE[0]):
        await refused(Undivided, (await lease(shards)).take())
    await first.give_back()
    await (await lease(NINE[0])).take()


async def test_of_many_at_once_one_gets_the_shard(lease: Make) -> None:
    wanted = [await lease(NINE[0]) for _ in range(5)]
    found = await asyncio.gather(*(one.take() for one in wanted), return_exceptions=True)
    assert sorted(type(one).__name__ for one in found) == ["NoneType", *["ShardInUse"] * 4]


async def test_the_shards_of_a_dead_process_are_free_at_once(lease: Make, server_database: str) -> None:
    await (await lease(NINE[0])).take()
    second = await lease(NINE[0])
    await ended(server_database)

    async def taken() -> bool:
        # The server needs a moment to end a session.
        try:
            await second.take()
        except ShardInUse:
            return False
        return True

    await until(taken)


async def test_a_silent_process_loses_its_shards_and_ends(
    lease: Make, server_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "PROLONGED", 0.05)
    silent, second = await lease(NINE[0]), await lease(NINE[0])
    await silent.take()
    await refused(ShardInUse, second.take())
    await tell(server_database, "UPDATE leases SET until = until - 3600")
    await second.take()
    await refused(LeaseLost, silent.keep(), match="shards 0, 1, 2 of 9")


async def test_a_lease_is_prolonged_and_survives_a_broken_connection(
    lease: Make, server_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "PROLONGED", 0.05)
    monkeypatch.setattr(leases, "AGAIN", 0.01)
    mine = await lease(NINE[0])
    missed, heard = asyncio.Event(), asyncio.Event()
    mine.on_gap, mine.on_change = missed.set, lambda game_id: heard.set()
    await mine.take()
    await tell(server_database, "UPDATE leases SET until = until - 500")
    keeping = asyncio.create_task(mine.keep())

    async def prolonged() -> bool:
        return await ask(server_database, "SELECT min(until) - extract(epoch FROM now()) > 800 FROM leases") is True

    await until(prolonged)
    assert not missed.is_set()
    await ended(server_database)
    await missed.wait()
    await tell(server_database, "SELECT pg_notify('dog_shard_2', '7')")
    await heard.wait()
    await refused(ShardInUse, (await lease(NINE[0])).take())
    keeping.cancel()


async def test_what_was_given_back_is_not_asked_for_again(lease: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is stopping must not mistake the absence of its rows for a loss."""
    monkeypatch.setattr(leases, "PROLONGED", 0.02)
    first, second = await lease(NINE[0]), await lease(NINE[0])
    await first.take()
    keeping = asyncio.create_task(first.keep())
    await first.give_back()
    await second.take()
    await keeping


async def test_a_new_version_does_not_change_the_schema_under_the_old(
    lease: Make, server_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await lease(ALL)).take()
    monkeypatch.setattr(migrating, "head", lambda: "9999")
    newer = Store(server_database)
    await refused(DatabaseInUse, newer.open(), match="process")
    await newer.close()


async def tell(url: str, words: str) -> None:
    """Run a statement on the database, bypassing every program."""
    await House(Path(), url).by_hand(words)


async def ask(url: str, words: str) -> object:
    """What the database answers to a query."""
    engine = make_engine(url)
    async with engine.connect() as connection:
        found: object = (await connection.execute(text(words))).scalar()
    await engine.dispose()
    return found


async def ended(url: str) -> None:
    """End the sessions that hold leases, as the system does when a process is killed."""
    await tell(url, "SELECT pg_terminate_backend(session::int) FROM leases")
