"""Quiet hours: a sleeping player's clock stands still, in their own time zone, and nobody wakes them.

The simulated Discord begins at midnight UTC on 2026-01-01, when it is the same time in London.
"""

from typing import Any

from bot.errors import NoSummerTime, QuietTooSoon
from tests.cogs.playing import seat_everyone
from tests.cogs.timing import now, quiet, since
from tests.simtable import SimTable

HOUR = 3_600


async def test_quiet_hours_hold_only_their_owners_clock(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await quiet(table, ann, "0:20", "7:20")
    await seat_everyone(table, rules="royal-basic", players=2, pace="brisk")
    midnight = now(table)
    board = table.board()
    assert f"🔵 **ann** <t:{midnight + 8 * HOUR}:R>" in board.text
    assert f"🟢 **ben** <t:{midnight + HOUR}:R>" in board.text
    await table.wait(0.9 * HOUR)
    (reminder,) = since(table, board)
    assert reminder.pinged == {ben.id}


async def test_wrong_quiet_hours_are_refused_kindly(table: SimTable) -> None:
    ann = table.members[0]
    wrong: tuple[dict[str, Any], ...] = (
        {"from": "22:00", "until": "9:00", "time_zone": "Europe/Zurich"},
        {"from": "late", "until": "9:00", "time_zone": "Europe/Zurich"},
        {"from": "22:00", "until": "7:00", "time_zone": "Atlantis"},
        {"from": "22:00", "until": "7:00"},
        {"from": "22:00", "time_zone": "Europe/Zurich"},
    )
    for options in wrong:
        await table.slash(ann, "dog me quiet", **options)
    assert (await table.bot.tables.users.preferences(ann.id)).quiet_from is None


async def test_city_is_offered_for_zones_without_summer_time(table: SimTable) -> None:
    ann = table.members[0]
    hours: dict[str, Any] = {"from": "22:00", "until": "7:00"}
    refused = await table.slash(ann, "dog me quiet", **hours, time_zone="EST")
    assert refused.is_refused(NoSummerTime)
    assert "America/New_York" in refused.text
    assert (await table.bot.tables.users.preferences(ann.id)).time_zone is None
    zones = await table.suggestions(ann, "dog me quiet", "time_zone", "est")
    assert next(iter(zones.values())) == "America/New_York"
    await quiet(table, ann, "22:00", "7:00", "UTC")


async def test_quiet_hours_and_zone_survive_a_restart(table: SimTable) -> None:
    ann = table.members[0]
    await quiet(table, ann, "21:00", "6:00", "Asia/Tokyo")
    await table.restart(crash=True)
    hours: dict[str, Any] = {"from": "22:30", "until": "7:00"}
    assert "from 22:30 to 07:00 (Asia/Tokyo)" in (await table.slash(ann, "dog me quiet", **hours)).text


async def test_zones_and_hours_are_suggested_while_typing(table: SimTable) -> None:
    ann = table.members[0]
    zones = await table.suggestions(ann, "dog me quiet", "time_zone", "new yo")
    assert list(zones.values()) == ["America/New_York"]
    assert len(await table.suggestions(ann, "dog me quiet", "time_zone", "")) == 25
    assert next(iter(await table.suggestions(ann, "dog me quiet", "from", ""))) == "22:00"
    assert next(iter(await table.suggestions(ann, "dog me quiet", "until", ""))) == "07:00"
    assert list(await table.suggestions(ann, "dog me quiet", "until", "06")) == ["06:00"]


async def test_moved_quiet_hours_tell_the_next_change(table: SimTable) -> None:
    ann = table.members[0]
    again = now(table) + 24 * HOUR
    await quiet(table, ann, "22:00", "6:00")
    await table.wait(HOUR)
    hours: dict[str, Any] = {"from": "21:00", "until": "6:00"}
    refused = await table.slash(ann, "dog me quiet", **hours)
    assert refused.is_refused(QuietTooSoon)
    assert f"<t:{again}:f>" in refused.text
