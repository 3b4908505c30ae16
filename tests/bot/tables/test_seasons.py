"""Seasons of a leaderboard: begun by moderators with a reason, or by months; each ranks what was gained in it."""

from datetime import UTC, datetime

import pytest

from bot.errors import NotModerator
from bot.languages import language_for
from bot.results import Season
from bot.tables.finished.seasons import months
from bot.tables.service import Tables
from bot.texts.stats import season_line
from tests.bot.gaming import Programs, games, later, refused, result
from tests.bot.people import ANN, GUILD, MOD


def first(year: int, month: int) -> int:
    return int(datetime(year, month, 1, tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    ("since", "found"),
    [
        (None, [first(2026, 2)]),
        (first(2026, 2), []),
        (first(2025, 12) - 1, [first(2025, 12), first(2026, 1), first(2026, 2)]),
        (first(2026, 2) + 5, []),
    ],
)
def test_months_since_a_moment(since: int | None, found: list[int]) -> None:
    assert list(months(since, first(2026, 2) + 5_000)) == found


async def test_moderators_begin_and_end_seasons(tables: Tables, programs: Programs) -> None:
    seasons = tables.seasons
    await refused(NotModerator, seasons.begin(ANN, GUILD, "mine"), seasons.end(ANN, GUILD, "mine"))
    assert not await seasons.end(MOD, GUILD, "none")
    now = tables.now()
    assert await seasons.begin(MOD, GUILD, "new rules") == Season(1, now, None, "new rules")
    await later(tables, programs.clock, 50)
    await seasons.begin(MOD, GUILD, "again")
    assert await seasons.end(MOD, GUILD, "summer")
    assert list(await seasons.of_guild(GUILD)) == [
        Season(1, now, now + 50, "new rules"),
        Season(2, now + 50, now + 50, "again", "summer"),
    ]
    assert season_line(language_for(None), (await seasons.of_guild(GUILD))[-1]).endswith("ended it: “summer”")
    assert [(one.kind, one.data["reason"]) for one in await tables.moderation.guild_log(GUILD)] == [
        ("season_over", "summer"),
        ("season", "again"),
        ("season", "new rules"),
    ]
    assert await seasons.of_guild(GUILD + 1) == []


async def test_months_begin_seasons_by_themselves(tables: Tables, programs: Programs) -> None:
    await tables.moderation.configure_guild(MOD, GUILD, monthly=True)
    (one,) = await tables.seasons.of_guild(GUILD)
    assert one.began_at <= tables.now()
    await later(tables, programs.clock, 65 * 86_400)
    found = await tables.seasons.of_guild(GUILD)
    assert len(found) in (3, 4)
    assert [season.ended_at for season in found] == [*(season.began_at for season in found[1:]), None]
    assert await tables.seasons.of_guild(GUILD) == found
    await tables.seasons.end(MOD, GUILD, "a pause")
    assert (await tables.seasons.of_guild(GUILD))[-1].ended_at == tables.now(), "until the next month"
    await later(tables, programs.clock, 32 * 86_400)
    assert (await tables.seasons.of_guild(GUILD))[-1].ended_at is None


async def test_a_season_ranks_what_was_gained_in_it(programs: Programs) -> None:
    tables = await programs.run()
    await games(tables, [result(1, 10, (1, 2), (3, 4)), result(2, 20, (3, 4), (1, 2)), result(3, 30, (1, 2), (3, 4))])
    line = {place.user_id: place for place in await tables.results.ranked(GUILD, since=10, until=20)}
    assert line[1].count.games == 1
    assert line[1].points > 0 > line[3].points
    line = {place.user_id: place for place in await tables.results.ranked(GUILD, since=20, until=30)}
    assert line[3].points > 0 > line[1].points
