"""Commands without options: they show how things are, with buttons to change and to end it, and erase nothing."""

from __future__ import annotations

import pytest

from cogs.me import AWAY_DAYS, SetAway
from tests.simtable import SimTable


async def test_quiet_hours_are_shown_changed_and_ended(table: SimTable) -> None:
    ann = table.members[0]
    bare = await table.slash(ann, "dog me quiet")
    assert "You have no quiet hours" in bare.text
    assert bare.shown is not None
    assert bare.shown.labels == []
    await table.slash(ann, "dog me quiet", until="07:30", time_zone="Europe/Zurich", **{"from": "22:00"})
    for _ in range(2):
        shown = (await table.slash(ann, "dog me quiet")).shown
        assert shown is not None
        assert "22:00 to 07:30" in shown.text, "looking erases nothing"
    changed = await table.choose(ann, "23:00 – 07:00", on=shown)
    assert "23:00 to 07:00" in changed.text, "put right within ten minutes"
    assert changed.shown is not None
    ended = await table.click(ann, "End", on=changed.shown)
    assert "You have no quiet hours" in ended.text


async def test_an_absence_is_shown_changed_and_ended(table: SimTable) -> None:
    ann = table.members[0]
    bare = await table.slash(ann, "dog me away")
    assert "You are not away" in bare.text
    away = await table.choose(ann, "3 days", on=bare.shown)
    assert "You are away until" in away.text
    until = (await table.bot.tables.people.person(ann.id)).away_until
    again = await table.slash(ann, "dog me away")
    assert "You are away until" in again.text
    assert (await table.bot.tables.people.person(ann.id)).away_until == until, "looking brings nobody back"
    longer = await table.choose(ann, "7 days", on=again.shown)
    assert (await table.bot.tables.people.person(ann.id)).away_until == until + 4 * 86_400
    assert longer.shown is not None
    assert "Welcome back" in (await table.click(ann, "End", on=longer.shown)).text


async def test_forged_lengths_of_an_absence_are_refused(table: SimTable, caplog: pytest.LogCaptureFixture) -> None:
    ann = table.members[0]
    bare = await table.slash(ann, "dog me away")
    assert bare.shown is not None
    for value in (0, AWAY_DAYS + 2, 2**31 - 1, 2**31, 2**53, 2**63 - 1):
        answer = await table.forge(ann, SetAway(0).choosing(value).custom_id(), on=bare.shown)
        assert answer.private
        assert "has begun already" in answer.text if value == 0 else f"{AWAY_DAYS} days" in answer.text
    assert (await table.bot.tables.people.person(ann.id)).away_until is None
    assert "Traceback" not in caplog.text


async def test_the_look_is_shown_changed_and_ended(table: SimTable) -> None:
    ann = table.members[0]
    bare = await table.slash(ann, "dog me theme")
    assert "like the boards of each table" in bare.text
    chosen = await table.choose(ann, "wood", on=bare.shown)
    assert "**wood**" in chosen.text
    again = await table.slash(ann, "dog me theme")
    assert "**wood**" in again.text
    ended = await table.click(ann, "End", on=again.shown)
    assert "like the boards of each table" in ended.text
    assert (await table.bot.tables.people.person(ann.id)).theme is None


async def test_resigning_in_the_lobby_is_leaving_it(table: SimTable) -> None:
    ann, ben, *_ = table.members
    await table.slash(ann, "dog new")
    await table.click(ben, "Join", on=table.board())
    asked = await table.slash(ben, "dog resign")
    assert "has not started yet" in asked.text
    await table.click(ben, "Leave", on=asked.shown)
    assert "ben" not in table.board().text


async def test_a_ban_asks_first_and_nobody_bans_themselves(table: SimTable, moderator: object) -> None:
    ben = table.members[1]
    refused = await table.slash(moderator, "dog-admin moderate ban", member=moderator.user)  # type: ignore[arg-type, attr-defined]
    assert "cannot ban yourself" in refused.text
    asked = await table.slash(moderator, "dog-admin moderate ban", member=ben.user, reason="rude")  # type: ignore[arg-type]
    assert "> `rude`" in asked.text
    assert "Nobody" in (await table.slash(moderator, "dog-admin moderate bans")).text  # type: ignore[arg-type]
    told = await table.click(moderator, "Yes, ban", on=asked.shown)  # type: ignore[arg-type]
    assert "may no longer play here" in told.text
    assert "rude" in (await table.slash(moderator, "dog-admin moderate bans")).text  # type: ignore[arg-type]
