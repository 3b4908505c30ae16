"""Discord is away for a long while: afterwards every table hears soon, once, and first where time is shortest."""

from __future__ import annotations

import pytest

from bot.delivery.retries import LOOKED_AFTER
from bot.tables import aftermath
from tests.cogs.timing import play, solo
from tests.simtable import SimTable

pytestmark = pytest.mark.usefixtures("deep_sleep")

LONG = 1_900
"""Seconds: more than half of the shortest pace, so a reminder would be due."""


async def test_after_an_outage_all_tables_are_told_once_the_most_urgent_first(
    table: SimTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aftermath, "ROUNDS", 1)
    ann = table.members[0]
    places, before, told = {}, {}, {}
    for pace in ("relaxed", "daily", "brisk"):
        table.channel = places[pace] = table.guild.create_text_channel(pace)
        await solo(table, pace)
        table.refuse("POST", "PATCH", status=503)
    for pace, place in places.items():
        table.channel = place
        await play(table, ann)
        before[pace] = table.newest().id
    await table.wait(LONG)
    # Nobody is reminded of a turn they were not called for.
    assert not [one for one in table.env.http_requests if "still waiting" in str(one.json)]
    table.heal()
    await table.wait(LOOKED_AFTER)
    for pace, place in places.items():
        table.channel = place
        (told[pace],) = (seen.id for seen in table.messages() if seen.id > before[pace])
    # The first one to try finds Discord back; the others follow in turn.
    first, *others = sorted(told, key=lambda pace: told[pace])
    assert others == [pace for pace in ("brisk", "daily", "relaxed") if pace != first]
