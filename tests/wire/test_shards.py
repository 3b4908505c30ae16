"""Two real processes share the servers on a PostgreSQL; one is killed, and takes its shards back."""

from __future__ import annotations

import pytest

from tests.postgres import Server
from tests.wire import shards

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(600)]


async def test_nothing_is_lost_or_twice_while_processes_share_the_servers(server: Server) -> None:
    report = await shards.soak(
        8,
        processes=2,
        count=2,
        games=4,
        every=600,
        each=4,
        most=1,
        systems="classic",
        by_letter=0.5,
        server=server,
    )
    assert not report.faults, str(report)
    assert ("of them by direct message", "0") not in report.rows
    assert ("kills", "1") in report.rows
