"""Seconds that a virtual machine did not have, as /proc/stat tells them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.wire.stolen import AFTER, BEFORE, Stolen


def stat(user: int, idle: int, stolen: int) -> str:
    return f"cpu  {user} 0 0 {idle} 0 0 0 {stolen} 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n"


def test_what_was_stolen_is_counted_and_disturbs_what_is_near(tmp_path: Path) -> None:
    file = tmp_path / "stat"
    file.write_text(stat(1000, 1000, 50))
    watched = Stolen(file)
    for second in range(1, 101):
        # Two cores of 100 ticks a second; half of second 40 is stolen, and a little of every other one.
        gone = sum(100 if one == 40 else 2 for one in range(1, second + 1))
        file.write_text(stat(1000 + 150 * second, 1000 + 50 * second - gone, 50 + gone))
        watched.look(float(second))
    assert watched.share == pytest.approx((99 * 2 + 100) / 20_000)
    assert watched.undisturbed(40 - AFTER - 1.5)
    assert not watched.undisturbed(40 - AFTER - 0.5)
    assert not watched.undisturbed(40)
    assert not watched.undisturbed(40 + BEFORE - 0.5)
    assert watched.undisturbed(40 + BEFORE + 0.5)
    assert watched.undisturbed(100)


def test_a_machine_that_does_not_tell_is_taken_as_undisturbed(tmp_path: Path) -> None:
    watched = Stolen(tmp_path / "nothing")
    watched.look(1.0)
    assert watched.share == 0
    assert watched.undisturbed(1.0)
