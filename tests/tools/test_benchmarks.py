"""What `make bench` measures besides engine and pictures: many open tables, and many where computers think."""

import pytest

from engine.hidden.worlds import World
from tools.bench import __main__ as benchmarks
from tools.bench import tables, thinkers


async def test_start_and_idling_with_tables_are_measured() -> None:
    took, share = await tables.start_and_idle(20, 5, 0.1)
    assert took > 0
    assert share >= 0


@pytest.mark.parametrize("level", ["easy", "normal", "strong"])
async def test_event_loop_delay_under_thinking_is_measured(level: str) -> None:
    waited, took = await thinkers.longest_wait(level, tables=5, processes=0)
    assert 0 < waited <= took


def test_delay_of_loop_is_told_apart_from_clicks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def measured(level: str) -> tuple[float, float]:
        return (0.01 if level == "normal" else 0.02), 1.0

    monkeypatch.setattr(thinkers, "longest_wait", measured)
    monkeypatch.setattr(thinkers, "silence", lambda: None)
    monkeypatch.setattr(benchmarks, "decisions", lambda *_: (1.0, 2.0))
    assert benchmarks.main(["players"]) == 0
    said, normal, strong = capsys.readouterr().out.splitlines()[-3:]
    assert "hold the event loop" in said
    assert said.endswith("make load LOAD=computers)")
    assert normal.split() == ["normal", "10.0", "ms", "at", "most", "50"]
    assert strong.split() == ["strong", "20.0", "ms", "at", "most", "50"]


def test_repeated_deals_per_world_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert benchmarks.worlds("royal", 2, 1) == (1.0, 0)
    complete = World.complete
    again = iter([False, True])
    monkeypatch.setattr(World, "complete", lambda world: complete(world) and next(again, True))
    tries, lacking = benchmarks.worlds("royal", 2, 1)
    assert 1 < tries < 1.01
    assert lacking == 0
    monkeypatch.setattr(World, "complete", lambda _: False)
    monkeypatch.setattr("engine.hidden.worlds.TRIES", 3)
    tries, lacking = benchmarks.worlds("royal", 2, 1)
    assert tries == 3
    assert lacking > 100


def test_many_tables_are_a_part_of_the_benchmarks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def measured(count: int, actions: int, seconds: float) -> tuple[float, float]:
        assert count == 10_000
        assert seconds <= 15
        return 0.2, 0.5

    monkeypatch.setattr(tables, "start_and_idle", measured)
    assert benchmarks.main(["tables"]) == 1
    start, idle = capsys.readouterr().out.splitlines()
    assert start.split()[-5:] == ["200.0", "ms", "at", "most", "5,000"]
    assert idle.endswith("MISSED")
