"""`/dog me away` until a day: games wait for the absent, or a computer plays for them; and on that day they are back.

The simulated Discord begins at midnight UTC on 2026-01-01.
"""

from tests.cogs.playing import the_table
from tests.cogs.timing import DAY, duel, history, marked, now, plays, quiet, solo
from tests.simtable import SimTable

HOUR = 3_600


def today(table: SimTable) -> int:
    """The midnight before now, in UTC: a start of the bot takes some seconds."""
    return now(table) // DAY * DAY


async def test_the_day_begins_in_ones_own_time_zone(table: SimTable) -> None:
    ann = await solo(table, "daily")
    await quiet(table, ann, "22:00", "6:00", "Asia/Tokyo")
    answer = await table.slash(ann, "dog me away", until="2026-01-04", meanwhile="slow")
    day = today(table) + 3 * DAY - 9 * HOUR
    assert f"until <t:{today(table) + 3 * DAY + 12 * HOUR}:D>" in answer.text, (
        "noon: the same day for readers everywhere"
    )
    assert "Slow games can wait 42 more days" in answer.text
    # A day without the hours from 22 to 6.
    (clock,) = (await the_table(table)).clocks.values()
    assert clock.ends_at == day + 6 * HOUR + DAY + 8 * HOUR


async def test_computer_stands_in_until_the_day_of_return(
    table: SimTable,
) -> None:
    ann, ben = await duel(table, "relaxed")
    day = today(table) + 2 * DAY
    await table.slash(ann, "dog me away", until="2026-01-03", meanwhile="computer")
    assert await plays(table, ann) is None
    assert set((await the_table(table)).waiting_for.values()) == {ben.id}
    board = table.board()
    assert f"{await marked(table, ann)} is away until <t:{day + 12 * HOUR}:D>. A computer is playing." in board.text
    assert "Take my seat back" in board.labels
    assert "Take over" not in " ".join(board.labels)
    await table.wait(DAY)
    await table.restart(crash=True)
    await table.wait(day - 1 - now(table))
    assert await plays(table, ann) is None
    await table.wait(1)
    assert await plays(table, ann) == ann.id
    told = await history(table, ben)
    assert f"<@{ann.id}> is away until" in told
    assert f"<@{ann.id}> is back." in told


async def test_absence_holds_in_all_games_and_names_them(table: SimTable) -> None:
    ann = await solo(table, "daily")
    codes = {(await the_table(table)).code}
    await solo(table, "daily")
    codes |= {one.code for one in await table.bot.tables.in_channel(table.channel.id)}
    assert len(codes) == 2
    answer = await table.slash(ann, "dog me away", until="2026-01-03", meanwhile="slow")
    assert all(f"**{code}**" in answer.text for code in codes)
    for code in codes:
        (mine,) = [line for line in (await table.slash(ann, "dog games")).text.splitlines() if code in line]
        assert f"<t:{today(table) + 3 * DAY}:R>" in mine


async def test_days_are_suggested(table: SimTable) -> None:
    days = await table.suggestions(table.members[0], "dog me away", "until", "2026-01-1")
    assert list(days.values()) == [f"2026-01-{day}" for day in range(10, 20)]


async def test_wrong_days_are_refused_kindly(table: SimTable) -> None:
    for until in ("tomorrow", "2025-01-01", "2030-01-01", "2026-13-40"):
        answer = await table.slash(table.members[0], "dog me away", until=until)
        assert ("Write the day like this" in answer.text) is (until in ("tomorrow", "2026-13-40"))
    assert (await table.bot.tables.users.preferences(table.members[0].id)).away_until is None


async def test_computer_plays_from_start_for_the_absent(table: SimTable) -> None:
    ann, ben = table.members[:2]
    await table.slash(ann, "dog new", rules="royal-basic", players=2)
    await table.click(ben, "Join", on=table.board())
    await table.slash(ben, "dog me away", until="2026-01-20", meanwhile="computer")
    calls = table.calls(ben)
    await table.click(ann, "Start", on=table.board())
    assert await plays(table, ben) is None
    assert f"{await marked(table, ben)} is away until" in table.board().text
    assert table.calls(ben) == calls
    await table.click(ben, "Take my seat back", on=table.board())
    assert await plays(table, ben) == ben.id
