"""A short version of the run with a database in trouble: the real process reports it, and plays on afterwards."""

from __future__ import annotations

import pytest

from tests.wire import database

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


async def test_whatever_befalls_the_database_is_told_and_play_goes_on_afterwards() -> None:
    """For a lock that lasts too long see `tests/bot/test_faults.py`, where nobody has to wait for it."""
    report = await database.trouble([0.0], for_good=False)
    assert not report.faults, str(report)
