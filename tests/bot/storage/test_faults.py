"""A database in trouble while people play: changes are kept or refused, never half done, and play resumes after it."""

import asyncio
import logging
import os
import random
import resource
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from bot.storage import connection
from bot.storage import database as watching
from bot.storage.faults import Fault, FaultKind
from tests.bot.gaming import Programs, act, kind_of, play_on, refused, rest, started, turn
from tests.bot.people import ANN, FOUR


@pytest.fixture
def database() -> str:
    """These tests are about the file."""
    return ""


def content(path: Path) -> list[tuple[object, ...]]:
    """Everything stored about games."""
    with closing(sqlite3.connect(path)) as rows:
        names = ("games", "seats", "actions", "notes", "deadlines", "proposals")
        return [row for name in names for row in rows.execute(f"SELECT * FROM {name} ORDER BY 1, 2")]


async def pragma(programs: Programs, words: str) -> None:
    """Run a PRAGMA on the connection that writes."""
    store, _ = programs.opened[-1]
    async with store._writer.connect() as writer:
        await (await writer.get_raw_connection()).driver_connection.execute(f"PRAGMA {words}")


async def patience(programs: Programs, seconds: float) -> None:
    """Set how long the running program waits for its turn to write, and for other programs."""
    store, _ = programs.opened[-1]
    pool: Any = store._writer.sync_engine.pool
    pool._timeout = seconds
    await pragma(programs, f"busy_timeout = {int(seconds * 1000)}")


@asynccontextmanager
async def refused_by_the_disk(programs: Programs) -> AsyncIterator[None]:
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, most[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)


@asynccontextmanager
async def read_only(programs: Programs) -> AsyncIterator[None]:
    await pragma(programs, "query_only = ON")
    yield
    await pragma(programs, "query_only = OFF")


@asynccontextmanager
async def held(programs: Programs) -> AsyncIterator[None]:
    holder = sqlite3.connect(programs.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    yield
    holder.close()


@pytest.mark.parametrize(
    ("trouble", "kind"),
    [(refused_by_the_disk, FaultKind.DISK_TROUBLE), (read_only, FaultKind.READ_ONLY), (held, FaultKind.LOCKED)],
)
async def test_refused_action_leaves_nothing_and_play_continues(
    programs: Programs, trouble: Callable[[Programs], AbstractAsyncContextManager[None]], kind: FaultKind
) -> None:
    tables = await programs.run()
    store, _ = programs.opened[-1]
    table = await turn(tables)
    await patience(programs, 0.05)
    async with trouble(programs):
        before = content(programs.path)
        await refused(kind, act(tables, table), tables.lobby.open(ANN, 1, 2, None))
        # Looking involves no writing, and waits for nobody who writes.
        assert (await tables.get(table.id)).number == table.number
        assert kind_of(store.fault) is kind
    await patience(programs, connection.PATIENCE)
    assert content(programs.path) == before
    await act(tables, await tables.get(table.id))
    assert store.fault is None
    again = await play_on(tables, table.id, random.Random(1), actions=5)
    assert again.number >= table.number + 6
    assert (await (await programs.restart()).get(table.id)).number == again.number


async def test_fault_ends_by_itself(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody asks for anything meanwhile."""
    await started(await programs.run(), *FOUR)
    store, _ = programs.opened[-1]
    tries = 0

    async def sleep(_: float) -> None:
        nonlocal tries
        tries += 1
        if tries == 3:
            await pragma(programs, "query_only = OFF")

    await pragma(programs, "query_only = ON")
    await refused(FaultKind.READ_ONLY, store.remember("a", "b"))
    monkeypatch.setattr(watching.asyncio, "sleep", sleep)
    await store.try_while_faulty()
    assert (store.fault, tries) == (None, 3)


async def test_a_full_database_keeps_what_it_has(programs: Programs) -> None:
    tables = await programs.run()
    table = await turn(tables)
    with closing(sqlite3.connect(programs.path)) as rows:
        pages = rows.execute("PRAGMA page_count").fetchone()[0]
    await pragma(programs, f"max_page_count = {pages}")
    store, _ = programs.opened[-1]
    for _ in range(400):
        table = await rest(tables, table.id)
        before = content(programs.path)
        if store.fault is not None:
            break
        try:
            await act(tables, table)
        except Fault as fault:
            if fault.kind is not FaultKind.FULL:
                raise
            break
    assert kind_of(store.fault) is FaultKind.FULL
    assert content(programs.path) == before
    await pragma(programs, "max_page_count = 1000000")
    await tables.aftermath.drive(table.id)
    table = await rest(tables, table.id)
    await act(tables, table)
    assert (await tables.get(table.id)).number == table.number + 1


@pytest.mark.parametrize("room", [0, 100, 3 * 4096 + 50])
async def test_change_is_kept_once_there_is_room(programs: Programs, room: int) -> None:
    """Whatever failed before: a statement half way through or at its end, with others waiting behind it."""
    tables = await programs.run()
    store, _ = programs.opened[-1]
    table = await turn(tables)
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    for size in (10, 9_000, 100_000):
        grown = max(file.stat().st_size for file in programs.path.parent.iterdir())
        resource.setrlimit(resource.RLIMIT_FSIZE, (grown + room, most[1]))
        failed = 0
        try:
            for _ in range(300):
                notes = (store.remember(f"{number}", "x" * size) for number in range(4))
                found = await asyncio.gather(*notes, return_exceptions=True)
                failed += sum(kind_of(one) is FaultKind.DISK_TROUBLE for one in found)
                if failed > 2:
                    break
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, most)
        assert failed > 2
        await act(tables, table)
        table = await rest(tables, table.id)
    assert store.fault is None


async def test_waiting_writer_is_told_of_the_fault(programs: Programs) -> None:
    tables = await programs.run()
    games = [await turn(tables) for _ in range(4)]
    await patience(programs, 0.05)
    async with held(programs):
        before = content(programs.path)
        found = await asyncio.gather(*(act(tables, game) for game in games), return_exceptions=True)
    assert [kind_of(one) for one in found] == [FaultKind.LOCKED] * len(games)
    await patience(programs, connection.PATIENCE)
    assert content(programs.path) == before
    await asyncio.gather(*(act(tables, game) for game in games))


async def test_short_lock_is_waited_for(programs: Programs) -> None:
    tables = await programs.run()
    table = await turn(tables)
    store, _ = programs.opened[-1]
    begun = asyncio.Event()
    event.listen(store._writer.sync_engine, "begin", lambda _: begun.set(), insert=True)
    async with held(programs):
        acting = asyncio.create_task(act(tables, table))
        await begun.wait()
        assert not acting.done()
    await acting
    assert (await tables.get(table.id)).number == table.number + 1


async def test_fault_and_its_end_are_logged_once(programs: Programs, caplog: pytest.LogCaptureFixture) -> None:
    tables = await programs.run()
    store, _ = programs.opened[-1]
    heard: list[Fault | None] = []
    store.on_fault = heard.append
    table = await turn(tables)
    async with read_only(programs):
        for _ in range(3):
            await refused(FaultKind.READ_ONLY, act(tables, table))
    await act(tables, table)
    assert [kind_of(one) for one in heard] == [FaultKind.READ_ONLY, None]
    said = [record for record in caplog.records if record.name == "bot.storage.database"]
    assert [record.levelno for record in said] == [logging.CRITICAL, logging.WARNING]


# The file itself


async def test_missing_file_is_not_written_until_it_returns(programs: Programs) -> None:
    tables = await programs.run()
    table = await turn(tables)
    moved = programs.path.with_name("elsewhere.db")
    os.rename(programs.path, moved)
    for _ in range(2):
        await refused(FaultKind.GONE, act(tables, table))
    assert kind_of(programs.opened[-1][0].fault) is FaultKind.GONE
    assert not programs.path.exists(), "an empty database would be taken for the games"
    os.rename(moved, programs.path)
    await act(tables, table)
    assert programs.opened[-1][0].fault is None


async def test_a_file_that_is_replaced_is_not_written(programs: Programs) -> None:
    tables = await programs.run()
    table = await turn(tables)
    programs.path.rename(programs.path.with_name("old.db"))
    programs.path.write_bytes(b"")
    await refused(FaultKind.GONE, act(tables, table))
    assert programs.path.read_bytes() == b""


async def watched(programs: Programs, monkeypatch: pytest.MonkeyPatch, looks: int) -> Fault | None:
    """Let the program look at the file this many times while nobody plays; returns the fault it has found."""
    left = looks

    async def soon(_: float) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise asyncio.CancelledError

    store, _ = programs.opened[-1]

    async def nothing() -> None:
        pass

    monkeypatch.setattr(watching.asyncio, "sleep", soon)
    await refused(asyncio.CancelledError, store.watch(nothing))
    monkeypatch.undo()
    return store.fault


async def test_a_removed_file_is_noticed_though_nobody_plays(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    await started(await programs.run(), *FOUR)
    assert await watched(programs, monkeypatch, looks=3) is None
    programs.path.unlink()
    assert kind_of(await watched(programs, monkeypatch, looks=1)) is FaultKind.GONE


async def test_damaged_pages_are_noticed_though_nobody_reads_them(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    await started(await programs.run(), *FOUR)
    await programs.restart()
    with programs.path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(4096)
        file.write(b"\xaa" * (size - 4096))
    assert kind_of(await watched(programs, monkeypatch, looks=watching.CHECK_PAGES_EVERY)) is FaultKind.DAMAGED


async def test_visiting_program_takes_nothing_along(programs: Programs) -> None:
    """The last one to leave clears the log away; it has to notice that the bot is still there."""
    tables = await programs.run()
    table = await turn(tables)
    await act(tables, table)
    look = f"import sqlite3; sqlite3.connect({str(programs.path)!r}).execute('SELECT count(*) FROM games').fetchone()"
    done = await asyncio.create_subprocess_exec(sys.executable, "-c", look)
    assert await done.wait() == 0
    before = (await tables.get(table.id)).number
    await play_on(tables, table.id, random.Random(1), actions=3)
    number = (await tables.get(table.id)).number
    assert number > before
    with closing(sqlite3.connect(f"file:{programs.path}?mode=ro", uri=True)) as rows:
        assert rows.execute("SELECT count(*) FROM actions").fetchone() == (number,)
