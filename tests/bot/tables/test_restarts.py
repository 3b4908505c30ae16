"""The log is the truth: whatever a program does, a new one on the same file is where people were told the game is."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.errors import BrokenLog
from bot.table import Status
from tests.bot.gaming import Ear, Programs, lobby, play_on, refused, rest, shown_as, started, turn, views
from tests.bot.people import ANN, BEN, CAT, DAN, FOUR

ROOT = Path(__file__).parents[3]


async def test_a_restart_at_any_point_changes_nothing(programs: Programs) -> None:
    dice = random.Random(11)
    tables = await programs.run()
    table = await started(tables, ANN, BEN, computers=2)
    for _ in range(12):
        table = await play_on(tables, table.id, dice, dice.randint(1, 8))
        before = views(table), table.occupants, table.version, await tables.log(table.id), await tables.notes(table.id)
        tables = await programs.restart()
        table = await tables.get(table.id)
        after = views(table), table.occupants, table.version, await tables.log(table.id), await tables.notes(table.id)
        assert after == before


@pytest.mark.on_a_file
async def test_the_computers_go_on_after_a_restart(programs: Programs) -> None:
    tables = await programs.run()
    table = await lobby(tables, ANN, computers=3)
    await tables.close()  # the program ends before the computers move
    await tables.lobby.start(table.id, ANN)
    tables = await programs.restart()
    assert (await tables.get(table.id)).number == 0
    ear = Ear(tables)
    await tables.wake()
    table = await rest(tables, table.id)
    await tables.settled()
    assert table.waiting_for == {0: ANN.id}
    assert ear.changed == [table.id]


async def test_waking_asks_for_outdated_open_tables_only(programs: Programs) -> None:
    tables = await programs.run()
    made = [await lobby(tables, ANN) for _ in range(6)]
    await tables.turns.cancel(made[0].id, ANN)
    await shown_as(tables, await turn(tables), 2)
    made.append(await turn(tables))
    tables = await programs.restart()
    ear = Ear(tables)
    await tables.wake()
    await tables.settled()
    assert sorted(ear.changed) == [table.id for table in made[1:]]


@pytest.mark.on_a_file
async def test_a_small_cache_is_only_slower(programs: Programs) -> None:
    tables = await programs.run(cache_games=1)
    one = await started(tables, *FOUR)
    two = await started(tables, DAN, CAT, BEN, ANN)
    dice = random.Random(12)
    for _ in range(5):
        one = await play_on(tables, one.id, dice, 1)
        two = await play_on(tables, two.id, dice, 1)
        assert len(tables._memory._known) == 1
    fresh = await programs.restart()
    assert views(await fresh.get(one.id)) == views(one)
    assert views(await fresh.get(two.id)) == views(two)


@pytest.mark.on_a_file
@pytest.mark.parametrize(
    "damage",
    ["UPDATE actions SET text = 'give 99' WHERE number = 2", "DELETE FROM actions WHERE number = 3"],
    ids=["changed", "a gap"],
)
async def test_game_that_does_not_replay_can_be_cancelled(
    programs: Programs, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    tables = await programs.run()
    table = await play_on(tables, (await started(tables, *FOUR)).id, random.Random(13), 6)
    await programs.stop()
    await programs.by_hand(damage)
    tables = await programs.run()
    broken = await refused(BrokenLog, tables.get(table.id))
    assert "give" not in str(broken)
    assert broken.__cause__ is None
    assert await tables.in_channel(table.channel_id) == ()
    await tables.wake()
    await tables.settled()
    assert "give" not in caplog.text
    assert (await tables.turns.cancel(table.id, ANN)).status is Status.CANCELLED


PLAYER = """
import asyncio, random, sys
from pathlib import Path
from tests.bot.gaming import Programs, started, play_on
from tests.bot.people import FOUR

async def main():
    tables = await Programs(Path(sys.argv[1]), sys.argv[2]).run()
    table = await started(tables, *FOUR)
    dice = random.Random(14)
    act = tables.turns.act
    async def acknowledged(*arguments):
        table = await act(*arguments)
        print(table.id, table.number, flush=True)
        return table
    tables.turns.act = acknowledged
    await play_on(tables, table.id, dice, 1_000)

asyncio.run(main())
"""


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
async def test_kill_loses_nothing_acknowledged(programs: Programs) -> None:
    actions = 20

    def play_and_die() -> list[str]:
        with subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(programs.path), programs.url],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            lines = [process.stdout.readline() for _ in range(actions)]
            process.send_signal(signal.SIGKILL)
            return lines + process.stdout.readlines()

    lines = await asyncio.to_thread(play_and_die)
    table_id, number = map(int, lines[-1].split())
    tables = await programs.run()
    assert (await tables.get(table_id)).number >= number >= actions
    assert (await play_on(tables, table_id, random.Random(15), 5)).number > number
