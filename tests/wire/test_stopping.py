"""SIGTERM to the real process: it finishes what is running, leaves the rest to the next start, and exits with status 0.

Whatever might keep it from ending is held here until it has ended, so that the process has to end on its own.
"""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bot.operating.checking import LATER
from bot.storage import Store
from tests.wire.conftest import Room
from tools.postgres import end_sessions, take_over
from tools.wire.faults import CALLBACKS, EDITS, NEVER, POSTS, Fault
from tools.wire.mirror import Mirror
from tools.wire.people import boards, verbs
from tools.wire.process import BotProcess
from tools.wire.server import Wire

WITHIN = 20.0
"""Seconds after which it must be hanging: it gives itself five, and anything that is held here would take longer."""


async def stop(room: Room) -> None:
    """Stop it while somebody goes on asking for things, and check how it ended."""
    stopping = asyncio.create_task(room.bot.stop(within=WITHIN))
    while not stopping.done():
        room.ann.type(room.channel, "dog new", rules="royal-basic", players=2)
        await asyncio.sleep(0.05)
    code, _ = stopping.result()
    told = room.bot.log_text()
    assert code == 0, told[-3000:]
    for trouble in ("Traceback", "Session is closed", "Unclosed", "never retrieved", "never awaited", "ERROR"):
        assert trouble not in told, told[-3000:]


@pytest.mark.usefixtures("in_threads")
async def test_unfinished_sends_are_left_to_the_next_start(room: Room) -> None:
    """They take effect, but their answers never come."""
    async with room.bot:
        await room.ann.slash(room.channel, "dog new", rules="royal-basic", players=2)
        lobby = await room.board("fill")
        for route in (POSTS, EDITS):
            room.wire.faults.add(Fault.LATE_AFTER, route=route, late=NEVER)
        await room.ann.click(lobby, "fill")
        await room.ann.wait_for(lambda: "start" in verbs(lobby))
        room.wire.faults.add(Fault.LATE_AFTER, route=CALLBACKS, late=NEVER)
        asked = room.ann.type(room.channel, "dog help")
        other = room.ann.type(room.channel, "dog new", rules="royal-basic", players=2)
        await room.ann.wait_for(lambda: asked.acknowledged is not None and other.acknowledged is not None)
        await stop(room)
        room.wire.faults.clear()
        await room.bot.start()
        await room.board("start")
        await room.press("start", "hand")
        mirror = Mirror(room.bot.database)
        await room.ann.wait_for(
            lambda: (
                sum(bool(one.live) for one in boards(room.channel)) == mirror.value("SELECT count(*) FROM games")
                and not mirror.behind()
            )
        )
        mirror.close()
        # Nor does a Discord that does not hang up hold it up.
        room.wire.gateway.hangs_up = False
        await stop(room)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_stop_while_the_program_is_read_is_quiet(name: str) -> None:
    program = (
        "import os, signal, sys, types; import bot.__main__ as start;"
        f"stop = lambda: os.kill(os.getpid(), signal.{name});"
        "sys.modules['bot.program'] = types.SimpleNamespace(main=stop); sys.argv = ['dog-bot']; start.run()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    ignored = signal.getsignal(getattr(signal, name)) is signal.SIG_IGN
    assert ignored or (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
async def test_stop_while_logging_in_is_quiet(room: Room, name: str) -> None:
    """Whatever was under way when the connection was closed has nothing to complain of."""
    if signal.getsignal(getattr(signal, name)) is signal.SIG_IGN:
        pytest.skip("these tests were started with nohup, which the program respects")
    room.wire.faults.add(Fault.LATE_AFTER, route="PUT /applications/", late=NEVER)
    starting = asyncio.create_task(room.bot.start())
    await room.ann.wait_for(lambda: bool(room.wire.faults.counts))
    os.kill(room.bot.pid, getattr(signal, name))
    code = await room.bot.wait()
    await asyncio.gather(starting, return_exceptions=True)
    told = room.bot.log_text()
    assert (code, room.bot.tracebacks()) == (0, 0), told[-3000:]
    assert told.splitlines()[-1].endswith("bot: stopped")


async def test_locked_database_and_film_delay_no_stop(room: Room) -> None:
    async with room.bot:
        await room.begin()
        holder = sqlite3.connect(room.bot.database, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        film = room.ann.type(room.channel, "dog replay", whole=True)
        waiting = room.ann.type(room.channel, "dog new", rules="royal-basic", players=2)
        await room.ann.wait_for(lambda: film.acknowledged is not None and waiting.acknowledged is not None)
        await stop(room)
        holder.close()


@pytest.mark.postgres
async def test_process_ends_whose_shards_another_has(wire: Wire, tmp_path: Path, server_database: str) -> None:
    """Its session on the server ends, and the other process is faster."""
    bot = BotProcess(wire, tmp_path, settings={"DATABASE_URL": server_database})
    async with bot:
        other = Store(server_database)
        await end_sessions(server_database)
        await take_over(other)
        code = await bot.wait()
        await other.close()
    assert code == LATER, bot.log_text()[-3000:]
    assert "Another process of the bot runs on" in bot.log_text()
    assert bot.tracebacks() == 0
