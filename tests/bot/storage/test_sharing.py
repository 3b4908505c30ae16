"""Several processes share one database: each serves its shards, hears of the others, and takes over from the dead."""

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bot.errors import MovedOn
from bot.preferences import AwayHow
from bot.shards import ALL, Shards
from bot.storage import Store, locks, migrating
from bot.storage.faults import FaultKind
from engine.secret import whole
from tests.bot.gaming import Ear, Programs, act, kind_of, play_on, refused, started, waited
from tests.bot.people import ANN, DAILY, FOUR
from tools.bench.actions import Counted
from tools.postgres import ask, end_sessions, sessions, take_over

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


async def test_each_process_finds_due_work_of_its_guilds(programs: Programs) -> None:
    one, other = await programs.run(shards=FIRST), await programs.run(shards=SECOND)
    here, there = await started(one, *FOUR, guild=HERE), await started(other, *FOUR, guild=THERE)
    (mine, _), (theirs, _) = programs.opened
    programs.clock.now += 3 * DAILY
    now = int(programs.clock.now)
    assert await mine.deadlines.games_due(now) == (here.id,)
    assert await theirs.deadlines.games_due(now) == (there.id,)
    assert await mine.messages.ids_to_wake() == (here.id,)
    assert await theirs.messages.ids_to_wake() == (there.id,)
    assert await one.places.guilds_played_in() == [HERE]
    assert await theirs.deadlines.ids_started_after(0) == (there.id,)
    await programs.by_hand(f"DELETE FROM deadlines WHERE game_id = {there.id}")
    assert await theirs.deadlines.next_due() is None
    assert await mine.deadlines.next_due() == min(clock.due_at or 0 for clock in here.clocks.values())


# Several at work on the same tables (split brain, or before the shards were divided)


async def test_what_is_due_fires_once_whoever_finds_it(programs: Programs) -> None:
    several = [await programs.run() for _ in range(3)]
    games = [await started(several[0], *FOUR, guild=HERE + number) for number in range(4)]
    heard = [Ear(one) for one in several]
    for share in (0.5, 0.4, 0.1, 1.0):
        programs.clock.now += DAILY * share + 1
        await asyncio.gather(*(one.deadlines.catch_up() for one in several))
        await asyncio.gather(*(one.settled() for one in several))
    told = Counter((table_id, due) for one in heard for table_id, news in one.heard for due in news)
    assert {table_id for table_id, _ in told} == {game.id for game in games}
    assert {due.kind.value for _, due in told} == {"ninety", "up"}
    assert set(told.values()) == {1}


async def test_a_time_away_ends_once(programs: Programs) -> None:
    one, other = await programs.run(shards=FIRST), await programs.run(shards=SECOND)
    here, there = await started(one, *FOUR, guild=HERE), await started(other, *FOUR, guild=THERE)
    await one.users.set_away(ANN, int(programs.clock.now) + DAILY, AwayHow.COMPUTER)
    assert (await other.get(there.id)).occupants[there.owners[ANN.id]].computer is not None
    programs.clock.now += DAILY + 1
    before = [await one.get(game.id) for game in (here, there)]
    await asyncio.gather(one.deadlines.catch_up(), other.deadlines.catch_up())
    for old in before:
        table = await one.get(old.id)
        assert table.occupants[table.owners[ANN.id]].computer is None
        kinds = [note.kind for note in await one.notes(old.id)]
        assert kinds.count("back") == 1, kinds
    assert (await one.users.preferences(ANN.id)).away_until is None


# Hearing of each other


async def test_owner_of_a_guild_shows_changes_made_elsewhere(programs: Programs) -> None:
    """A press in a direct message arrives at shard 0, wherever the game is played."""
    one, other = await programs.run(shards=FIRST), await programs.run(shards=SECOND)
    (store, _), (listening, _) = programs.opened
    there = await started(other, *FOUR, guild=THERE)
    heard: list[int] = []
    listening.locks.on_change = heard.append
    await store.locks.take()
    await listening.locks.take()
    mine, theirs = Ear(one), Ear(other)
    await act(one, there)
    await one.settled()
    assert mine.changed == []
    await until(lambda: bool(heard))
    assert heard == [there.id]
    await other.follow_up(there.id)
    await other.settled()
    assert theirs.changed == [there.id]
    assert (await other.get(there.id)).number == there.number + 1
    # What one does at its own tables does not concern the others.
    heard.clear()
    assert mine.changed.count((await started(one, *FOUR, guild=HERE)).id)
    await store.locks.release()
    await listening.locks.release()
    assert heard == []


async def test_announced_changes_alone_are_read_again(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "ASKED_EVERY", 0.02)
    one, other = await programs.run(shards=FIRST, announced=True), await programs.run(shards=SECOND, announced=True)
    (store, _), (listening, _) = programs.opened
    gap = asyncio.Event()

    def missed() -> None:
        other.mark_outdated()
        gap.set()

    listening.locks.on_change, listening.locks.on_gap = other.mark_outdated, missed
    there = await started(other, *FOUR, guild=THERE)
    reads, elsewhere = Counted(), Counted()
    reads.watch(listening)
    await other.get(there.id)
    assert reads.statements, "nobody is listening yet"
    await listening.locks.take()
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
    keeping = asyncio.create_task(listening.locks.keep())
    await end_sessions(programs.url)
    await gap.wait()
    await until(listening.locks.is_listening)
    reads.statements.clear()
    await other.get(there.id)
    assert reads.statements, "something may have been missed"
    keeping.cancel()


async def test_nobody_remembers_whom_one_process_has_forgotten(programs: Programs) -> None:
    one, other = await programs.run(shards=FIRST, announced=True), await programs.run(shards=SECOND, announced=True)
    for store, tables in programs.opened:
        await store.locks.take()
        store.locks.on_change, store.locks.on_forgotten = tables.mark_outdated, tables.privacy.forgotten
    there = await play_on(other, (await started(other, *FOUR, guild=THERE)).id, random.Random(1))
    assert ANN.id in {row.actor for row in await other.log(there.id)}
    await one.privacy.forget(ANN.id)

    async def forgotten() -> bool:
        return ANN.id not in {row.actor for row in await other.log(there.id)}

    await until(forgotten)
    assert (await other.get(there.id)).seat_of(ANN.id) is None


async def test_decision_on_an_outdated_table_is_repeated(programs: Programs) -> None:
    """The announcement may come a moment later than the change."""
    one, other = await programs.run(shards=FIRST, announced=True), await programs.run(shards=SECOND, announced=True)
    _, (listening, _) = programs.opened
    await listening.locks.take()
    there = await started(other, *FOUR, guild=THERE)
    seat, user_id = waited(there)
    actions = whole(there.game).legal(seat)
    await one.turns.act(there.id, user_id, there.decision(seat), actions[0])
    done = await one.get(there.id)
    assert (await other.get(there.id)).version < done.version, "nothing was announced here"
    await refused(MovedOn, other.turns.act(there.id, user_id, there.decision(seat), actions[-1]))
    assert (await other.get(there.id)).version >= done.version


async def test_a_refused_change_is_not_told(programs: Programs) -> None:
    await programs.run(shards=FIRST)
    there = await started(await programs.run(shards=SECOND), *FOUR, guild=THERE)
    (store, _), (listening, _) = programs.opened
    heard: list[int] = []
    listening.locks.on_change = heard.append
    await listening.locks.take()
    with suppress(RuntimeError):
        async with store.games.change(there.id, there.version, 0) as writer:
            await writer.announce("dog_shard_1")
            raise RuntimeError
    async with store.games.change(there.id, there.version, 0) as writer:
        await writer.announce("dog_shard_1")
    await until(lambda: bool(heard))
    assert heard == [there.id]


# Locks


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer is late just because the machine is busy with other things."""
    monkeypatch.setattr(locks, "ANSWERED", 120.0)
    monkeypatch.setattr(locks, "AGAIN", 0.01)


@pytest.fixture
async def process(server_database: str) -> AsyncIterator[Callable[[Shards], Awaitable[Store]]]:
    """Makes the store of a process that wants these shards."""
    made: list[Store] = []

    async def make(shards: Shards) -> Store:
        store = Store(server_database, shards)
        await store.open()
        made.append(store)
        return store

    yield make
    for store in made:
        await store.close()


Make = Callable[[Shards], Awaitable[Store]]
NINE = [Shards(9, frozenset(ids)) for ids in ({0, 1, 2}, {3, 4, 5}, {6, 7, 8})]


async def test_every_shard_is_served_by_one_process(process: Make) -> None:
    for shards in NINE:
        await (await process(shards)).locks.take()
    for shards, kind, said in [
        (Shards(9, frozenset({5})), FaultKind.SHARD_IN_USE, "shard 5 of 9"),
        (Shards(12, frozenset({11})), FaultKind.DIVIDED_OTHERWISE, "9, here 12"),
        (ALL, FaultKind.UNDIVIDED, "SHARD_IDS"),
    ]:
        caught = await refused(kind, (await process(shards)).locks.take(), match=said)
        assert f"process {os.getpid()}" in str(caught)
        assert caught.kind.passing


async def test_undivided_there_is_one_process(process: Make) -> None:
    first = await process(ALL)
    await first.locks.take()
    for shards in (ALL, NINE[0]):
        await refused(FaultKind.UNDIVIDED, (await process(shards)).locks.take())
    await first.locks.release()
    await (await process(NINE[0])).locks.take()


async def test_of_many_at_once_one_gets_the_shard(process: Make) -> None:
    wanted = [await process(NINE[0]) for _ in range(5)]
    found = await asyncio.gather(*(store.locks.take() for store in wanted), return_exceptions=True)
    assert Counter(map(kind_of, found)) == {None: 1, FaultKind.SHARD_IN_USE: 4}


async def test_process_without_locks_writes_nothing_and_ends(
    process: Make, server_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, standby = await process(NINE[0]), await process(NINE[0])
    await first.locks.take()
    await first.remember("who", "first")
    await end_sessions(server_database)
    await until(first.locks.are_lost)
    await refused(FaultKind.UNREACHABLE, first.remember("who", "first again"))
    await take_over(standby)
    await standby.remember("who", "standby")
    monkeypatch.setattr(locks, "ASKED_EVERY", 0)
    await refused(FaultKind.SHARD_IN_USE, first.locks.keep(), match=f"shard 0 of 9 .*process {os.getpid()}")
    await refused(FaultKind.UNREACHABLE, first.remember("who", "first again"))
    assert await first.recall("who") == "standby"


async def test_locks_are_taken_again(process: Make, server_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "ASKED_EVERY", 0.02)
    store = await process(NINE[0])
    missed, heard = asyncio.Event(), asyncio.Event()
    store.locks.on_gap, store.locks.on_change = missed.set, lambda game_id: heard.set()
    await store.locks.take()
    keeping = asyncio.create_task(store.locks.keep())
    await end_sessions(server_database)
    await missed.wait()
    await store.remember("who", "still here")
    await tell(server_database, "SELECT pg_notify('dog_shard_2', '7')")
    await heard.wait()
    await refused(FaultKind.SHARD_IN_USE, (await process(NINE[0])).locks.take())
    keeping.cancel()


async def test_session_that_does_not_answer_is_replaced(
    process: Make, server_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its locks are waited for, as long as the server has not ended it: it is our own."""
    monkeypatch.setattr(locks, "ASKED_EVERY", 0.02)
    monkeypatch.setattr(locks, "ANSWERED", 0.5)
    store = await process(NINE[0])
    await store.locks.take()
    (session,) = await sessions(server_database)
    os.kill(session, signal.SIGSTOP)
    keeping = asyncio.create_task(store.locks.keep())
    try:
        await until(lambda: waiting(server_database))
        assert store.locks.are_lost()
        assert not keeping.done()
    finally:
        os.kill(session, signal.SIGCONT)
    await until(store.locks.is_listening)
    assert await sessions(server_database) not in ((), (session,))
    keeping.cancel()


async def test_new_version_leaves_the_schema_under_the_old(
    process: Make, server_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await process(ALL)).locks.take()
    monkeypatch.setattr(migrating, "head", lambda: "9999")
    newer = Store(server_database)
    await refused(FaultKind.IN_USE, newer.open(), match="process")
    await newer.close()


async def waiting(url: str) -> bool:
    """Return True if a session waits for a lock on a shard."""
    return bool(await ask(url, "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND NOT granted"))


async def tell(url: str, words: str) -> None:
    """Run a statement on the database, bypassing every program."""
    await Programs(Path(), url).by_hand(words)
