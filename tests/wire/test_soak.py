"""Short versions of the long runs: kills, stops, an outage, shared servers."""

import pytest

from tests.wire.conftest import CALM
from tools.campaigns import shards, soak
from tools.campaigns.players import Players
from tools.postgres import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


async def test_stop_during_play_ends_cleanly() -> None:
    report = await soak.stops(1, games=3, within=60)
    assert not report.faults, str(report)


async def test_nothing_is_lost_or_said_twice_by_kills() -> None:
    report = await soak.kills(2, games=3)
    assert not report.faults, str(report)


@pytest.mark.usefixtures("in_threads")
async def test_failing_posts_lose_and_repeat_nothing() -> None:
    report = await soak.faults(10, games=3)
    assert not report.faults, str(report)


@pytest.mark.usefixtures("in_threads")
async def test_clicks_are_answered_behind_the_global_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Players, "patience", CALM)
    report = await soak.held(10, 3)
    assert not report.faults, str(report)


@pytest.mark.usefixtures("in_threads")
async def test_after_an_outage_every_table_is_told_once() -> None:
    report = await soak.outage(4, 7)
    assert not report.faults, str(report)


@pytest.mark.usefixtures("in_threads")
async def test_vanished_places_hold_up_no_other_table() -> None:
    report = await soak.gone(games=6, actions=15)
    assert not report.faults, str(report)


@pytest.mark.postgres
async def test_shared_servers_lose_and_repeat_nothing(server: Server) -> None:
    report = await shards.soak(
        8, processes=2, count=2, games=4, every=3, systems="classic", by_letter=0.5, server=server
    )
    assert not report.faults, str(report)
    assert not report.title.startswith("0 kills")
    assert ("begun in direct messages", "0") not in report.rows
