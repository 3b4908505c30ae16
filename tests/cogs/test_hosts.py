"""When the host has gone, somebody who plays becomes the host, so that players can still move or cancel the game."""

from __future__ import annotations

from typing import Any

import pytest

from bot.showing.presses import parse
from bot.table import Status
from tests.cogs.playing import ban, come_back, seat_everyone, the_table
from tests.cogs.timing import BRISK, history
from tests.simtable import SimTable

pytestmark = pytest.mark.usefixtures("deep_sleep")


async def resign(table: SimTable, member: Any) -> None:
    """Give up the seat."""
    asked = await table.slash(member, "dog resign")
    await table.click(member, "Yes, resign", on=asked.shown)


async def hosts(table: SimTable, member: Any) -> None:
    """Check that this member is the host: named as such in the history, and free to cancel the game."""
    opened = await the_table(table)
    assert opened.host_id == member.id
    assert f"<@{member.id}> is the host now." in await history(table, member)
    asked = await table.slash(member, "dog cancel")
    await table.click(member, f"Yes, cancel {opened.code}", on=asked.shown)
    assert (await table.bot.tables.get(opened.id)).status is Status.CANCELLED


async def test_a_host_who_resigns_is_followed_by_the_next_in_turn_order(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await seat_everyone(table)
    await resign(table, ann)
    await hosts(table, ben)


async def test_who_is_away_follows_nobody(table: SimTable) -> None:
    ann, ben, cleo, _ = table.members
    await seat_everyone(table)
    await table.slash(ben, "dog me away", until="2026-01-05", meanwhile="computer")
    await resign(table, ann)
    await hosts(table, cleo)


async def test_a_host_who_left_the_server_is_followed(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await seat_everyone(table)
    opened = await the_table(table)
    await table.run(table.bot.tables.absence.member_left(opened.guild_id, ann.id))
    assert ann.id in (await the_table(table)).persons, "the seat stays theirs"
    await hosts(table, ben)


async def test_a_banned_host_is_followed(table: SimTable, moderator: Any) -> None:
    ann, ben = table.members[:2]
    await seat_everyone(table)
    await ban(table, moderator, ann)
    await hosts(table, ben)


async def test_a_host_whose_seat_was_taken_over_is_followed(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await seat_everyone(table, rules="royal-basic", players=2, pace="brisk")
    await table.wait(BRISK)
    up = next(seen for seen in table.messages() if "Offer the seat to others" in seen.labels)
    seat = (await the_table(table)).persons[ann.id]
    offer = next(
        button
        for button in up.buttons
        if button.label == "Offer the seat to others" and getattr(parse(str(button.custom_id)), "seat", None) == seat
    )
    await table.press(ben, str(offer.custom_id), on=up)
    guest = table.guild.add_member(table.env.create_user("guest"))
    asked = await table.click(guest, "Take over: ann", on=table.board())
    await table.click(guest, "Yes, take over", on=asked.shown)
    await hosts(table, ben)


async def test_an_absent_host_stays_the_host(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await seat_everyone(table)
    await table.slash(ann, "dog me away", until="2026-01-05", meanwhile="computer")
    assert (await the_table(table)).host_id == ann.id
    assert "Only the host" in (await table.slash(ben, "dog cancel")).text


async def test_a_host_who_left_a_game_that_sleeps_is_followed_by_who_wakes_it(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await seat_everyone(table, rules="royal-basic", players=2)
    opened = await the_table(table)
    await table.slash(ben, "dog me away", until="2026-01-05", meanwhile="computer")
    await table.run(table.bot.tables.absence.member_left(opened.guild_id, ann.id))
    assert (await the_table(table)).status is Status.PAUSED
    assert (await the_table(table)).host_id == ann.id
    await come_back(table, ben)
    assert (await the_table(table)).status is Status.PLAYING
    await hosts(table, ben)
