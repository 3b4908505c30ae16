"""Quiet hours, being away, nudging, the list of games and the next one."""

from __future__ import annotations

from tests.cogs.playing import on_turn, past_the_exchange, the_table
from tests.simtable import SimTable

DAY = 86_400


async def test_quiet_hours_are_set_with_a_time_zone_from_the_list(table: SimTable) -> None:
    ann = table.members[0]
    zones = await table.suggestions(ann, "dog quiet", "time_zone", "zur")
    assert "Europe/Zurich" in zones.values()
    answer = await table.slash(ann, "dog quiet", **{"from": "22:00", "until": "7:30", "time_zone": "Europe/Zurich"})
    assert answer.private
    assert "22:00" in answer.text
    assert "07:30" in answer.text
    assert "no quiet hours" in (await table.slash(ann, "dog quiet")).text


async def test_wrong_quiet_hours_are_refused_kindly(table: SimTable) -> None:
    ann = table.members[0]
    for options in (
        {"from": "22:00", "until": "9:00", "time_zone": "Europe/Zurich"},
        {"from": "late", "until": "9:00", "time_zone": "Europe/Zurich"},
        {"from": "22:00", "until": "7:00", "time_zone": "Atlantis"},
        {"from": "22:00", "until": "7:00"},
        {"from": "22:00", "time_zone": "Europe/Zurich"},
    ):
        answer = await table.slash(ann, "dog quiet", **options)
        assert answer.private
        assert "wrong on our side" not in answer.text
    assert (await table.bot.tables.person(ann.id)).quiet_from is None


async def test_away_holds_the_clock_and_back_ends_it(table: SimTable) -> None:
    await past_the_exchange(table)
    member = await on_turn(table)
    days = await table.suggestions(member, "dog away", "until", "2026-01-1")
    assert days
    before = next(iter((await the_table(table)).clocks.values())).ends_at
    answer = await table.slash(member, "dog away", until="2026-01-10")
    assert answer.private
    assert "away" in answer.text
    after = next(iter((await the_table(table)).clocks.values())).ends_at
    assert before is not None
    assert after is not None
    assert after > before + 5 * DAY
    assert f"<t:{after}:R>" in table.board().text
    assert "Welcome back" in (await table.slash(member, "dog away")).text


async def test_away_with_a_computer_hands_the_seat_over_and_back(table: SimTable) -> None:
    await past_the_exchange(table)
    member = await on_turn(table)
    await table.slash(member, "dog away", until="2026-01-10", meanwhile="computer")
    assert "is away until <t:1768046400:D>; a computer plays." in table.board().text
    assert "Welcome back" in (await table.slash(member, "dog away")).text
    opened = await the_table(table)
    assert opened.people[opened.seat_of(member.id) or 0].plays == member.id


async def test_wrong_days_are_refused_kindly(table: SimTable) -> None:
    for until in ("tomorrow", "2025-01-01", "2030-01-01", "2026-13-40"):
        answer = await table.slash(table.members[0], "dog away", until=until)
        assert answer.private
        assert "wrong on our side" not in answer.text
    assert (await table.bot.tables.person(table.members[0].id)).away_until is None


async def test_a_nudge_pings_once_a_turn_and_not_in_quiet_hours(table: SimTable) -> None:
    await past_the_exchange(table)
    asked = await on_turn(table)
    other = next(member for member in table.members if member.id != asked.id)
    answer = await table.slash(other, "dog nudge")
    assert answer.private
    assert table.newest().pinged == {asked.id}
    before = len(table.messages())
    assert "already" in (await table.slash(other, "dog nudge")).text
    assert len(table.messages()) == before
    guest = table.guild.add_member(table.env.create_user("guest"))
    assert (await table.slash(guest, "dog nudge")).private
    assert len(table.messages()) == before


async def test_nobody_is_nudged_in_quiet_hours(table: SimTable) -> None:
    await past_the_exchange(table)
    asked = await on_turn(table)
    other = next(member for member in table.members if member.id != asked.id)
    await table.slash(asked, "dog quiet", **{"from": "22:00", "until": "7:00", "time_zone": "Europe/London"})
    before = len(table.messages())
    assert "rests" in (await table.slash(other, "dog nudge")).text
    assert len(table.messages()) == before


async def test_next_opens_the_most_urgent_hand(table: SimTable) -> None:
    ann, ben = table.members[:2]
    assert "not your turn" in (await table.slash(ann, "dog next")).text
    codes = {}
    for pace in ("relaxed", "brisk"):
        await table.slash(ann, "dog new", pace=pace)
        lobby = table.board()
        for _ in range(3):
            await table.click(ann, "Add computer", on=lobby)
            lobby = table.read(lobby)
        await table.click(ann, "Start", on=lobby)
        codes[pace] = (await the_table(table)).code
    answer = await table.slash(ann, "dog next")
    assert answer.private
    assert codes["brisk"] in answer.text
    assert answer.shown is not None
    assert answer.shown.pictures
    games = await table.slash(ann, "dog games")
    assert games.text.index(codes["brisk"]) < games.text.index(codes["relaxed"])
    assert ":R>" in games.text
    assert "no open games" in (await table.slash(ben, "dog games")).text
