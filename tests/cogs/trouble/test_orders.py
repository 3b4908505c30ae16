"""Operators' orders to a bot that runs: carried out by it, seen by its players."""

import asyncio
import getpass
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from bot.operating.operators import socket_of, take_orders
from bot.program import main
from bot.table import Status
from tests.cogs.playing import seat_everyone
from tests.simtable import SimTable


async def test_a_bot_that_runs_carries_orders_out_itself(
    table: SimTable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "bot.operating")
    ben = table.members[1]
    await seat_everyone(table)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", table.bot.settings.database_url)
    said: list[int] = []

    async def order(*words: str) -> None:
        async with take_orders(table.bot):
            assert socket_of(table.bot.settings).stat().st_mode & 0o777 == 0o600
            said.append(await asyncio.to_thread(main, words))
        await table.run(table.bot.tables.settled())
        assert not socket_of(table.bot.settings).exists()

    before = table.board()
    await order("announce", "Update *soon*.")
    board = table.board()
    assert (said, board.id) == ([0], before.id)
    assert r"Update \*soon\*." in board.text
    assert all(clock.held for clock in (await table.bot.tables.get(1)).clocks.values())
    # The bot is stopped, all the time for it passes, and nobody has lost a turn.
    await table.restart()
    await table.wait(86_400 + 3_600)
    assert (await table.bot.tables.get(1)).number == 0
    await order("announce", "--over")
    assert "Update" not in table.board().text
    await order("block", str(ben.id))
    before = generate_latest().decode()
    assert "has blocked you" in (await table.click(ben, "My hand")).text
    assert "has blocked you" in (await table.slash(ben, "dog games")).text
    now = generate_latest().decode()
    for kind in ("press", "command"):
        sample = f'dog_interactions_total{{kind="{kind}",result="blocked"}}'
        assert sample in now
        assert sample not in before
    await order("block", str(ben.id), "--undo")
    assert "has blocked you" not in (await table.slash(ben, "dog games")).text
    await order("end", "1", "--dry-run")
    await order("end", "1")
    assert (await table.bot.tables.get(1)).status is Status.CANCELLED
    me = getpass.getuser()
    orders = [one.getMessage() for one in caplog.records if one.getMessage().startswith("order end")]
    assert orders == [f"order end (dry run) by {me}, about 1: done", f"order end by {me}, about 1: done"]
    capsys.readouterr()
