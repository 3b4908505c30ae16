"""Strangers send what no client of theirs would: all is answered privately or ignored, and nothing changes."""

from __future__ import annotations

from tests.wire.hostile import attack


async def test_hostile_interactions_change_nothing_and_leave_no_traceback() -> None:
    result = await attack(300, within=60)
    assert result.good, str(result)
    assert result.answered > result.ignored
