"""Quiet hours: the clock stands still during them, even when clocks go forward or back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clocks import DAY, NO_REST, Rest, due, elapsed, is_time_zone, resting_until, time_zones
from bot.errors import BadPreference
from bot.preferences import Preferences, check_preferences

ZURICH = ZoneInfo("Europe/Zurich")
NIGHT = Rest("Europe/Zurich", 22 * 60, 7 * 60)
HOUR = 3_600

ZONES = ["UTC", "Europe/Zurich", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"]
moments = st.integers(1_600_000_000, 2_000_000_000)
rests = st.builds(
    lambda zone, begins, length, away: Rest(zone, begins, (begins + length) % DAY, away),
    st.sampled_from(ZONES),
    st.integers(0, DAY - 1),
    st.integers(1, 600),
    st.none() | moments,
)


def at(text: str, zone: ZoneInfo = ZURICH) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=zone).timestamp())


@pytest.mark.parametrize(
    ("start", "hours", "end"),
    [
        ("2026-06-01 12:00", 3, "2026-06-01 15:00"),
        ("2026-06-01 20:00", 3, "2026-06-02 08:00"),
        ("2026-06-01 23:30", 1, "2026-06-02 08:00"),
        ("2026-06-01 03:00", 0, "2026-06-01 07:00"),
        ("2026-06-01 21:00", 1, "2026-06-01 22:00"),
        ("2026-06-01 12:00", 24, "2026-06-02 21:00"),
        # 15 hours of each day count, whether the night has 8, 9 or 10.
        ("2026-03-28 12:00", 24, "2026-03-29 21:00"),
        ("2026-10-24 12:00", 24, "2026-10-25 21:00"),
        ("2026-03-28 07:00", 15 * 4, "2026-03-31 22:00"),
    ],
)
def test_the_clock_stands_still_at_night(start: str, hours: int, end: str) -> None:
    reached = due(at(start), hours * HOUR, NIGHT)
    expected = at(end)
    assert datetime.fromtimestamp(reached, ZURICH) == datetime.fromtimestamp(expected, ZURICH)


def test_nights_in_which_clocks_change_are_as_long_as_they_are() -> None:
    assert at("2026-03-29 07:00") - at("2026-03-28 22:00") == 8 * HOUR
    assert due(at("2026-03-28 21:59"), 120, NIGHT) == at("2026-03-29 07:01")
    assert due(at("2026-10-24 21:59"), 120, NIGHT) == at("2026-10-25 07:01")
    # Quiet hours that begin or end in the hour that is skipped.
    assert due(at("2026-03-29 01:00"), 2 * HOUR, Rest("Europe/Zurich", 150, 240)) == at("2026-03-29 04:30")
    assert elapsed(at("2026-03-29 00:00"), at("2026-03-29 06:00"), Rest("Europe/Zurich", 60, 150)) == 5 * HOUR - 5_400


def test_being_away_makes_it_stand_still_too() -> None:
    rest = Rest(None, None, None, 50_000)
    assert due(10_000, 100, rest) == 50_100
    assert due(60_000, 100, rest) == 60_100
    assert resting_until(20_000, rest) == 50_000
    assert resting_until(50_000, rest) is None
    # Coming back at night.
    assert due(10_000, 0, Rest("UTC", 0, 60, DAY * 60 + 60)) == DAY * 60 + HOUR


@given(moments, st.integers(0, 300_000), rests)
def test_exactly_the_time_goes_by_until_it_is_due(start: int, seconds: int, rest: Rest) -> None:
    end = due(start, seconds, rest)
    assert end >= start + seconds
    assert elapsed(start, end, rest) == pytest.approx(seconds, abs=1)


@given(moments, st.integers(0, 300_000), st.integers(0, 300_000), rests)
def test_time_adds_up_however_it_is_cut(start: int, first: int, more: int, rest: Rest) -> None:
    middle, end = start + first, start + first + more
    assert elapsed(start, middle, rest) + elapsed(middle, end, rest) == pytest.approx(elapsed(start, end, rest))
    assert due(start, first, rest) <= due(start, first + more, rest)
    assert due(due(start, first, rest), more, rest) == due(start, first + more, rest)


@given(moments, rests)
def test_nobody_is_told_anything_while_resting(now: int, rest: Rest) -> None:
    until = resting_until(now, rest)
    if until is None:
        assert due(now, 0, rest) == now
        assert elapsed(now, now + 1, rest) == pytest.approx(1, abs=1)
    else:
        assert elapsed(now, until, rest) == 0
        assert resting_until(until, rest) is None


@given(moments, st.integers(0, 10_000_000))
def test_without_quiet_hours_it_is_plain_addition(start: int, seconds: int) -> None:
    assert due(start, seconds) == start + seconds
    assert elapsed(start, start + seconds, NO_REST) == seconds


@given(moments, st.integers(1, 259_200), rests)
def test_at_least_14_hours_of_each_day_count(start: int, seconds: int, rest: Rest) -> None:
    begins = max(start, rest.away_until or 0)
    # One night of the year is an hour longer than its wall clock says.
    assert due(start, seconds, rest) - begins <= seconds * 24 / 14 + 11 * HOUR + HOUR


def test_time_zones_can_be_chosen_by_name() -> None:
    assert "Europe/Zurich" in time_zones()
    assert is_time_zone("America/St_Johns")
    assert is_time_zone("UTC")
    assert not is_time_zone("Middle/Earth")
    assert not is_time_zone("../../etc/passwd")
    assert datetime.fromtimestamp(due(0, 60, Rest("No/Where", 0, 60)), UTC).hour == 1


def test_ten_hours_a_day_may_be_quiet_and_not_a_minute_more() -> None:
    fits = Preferences(1, quiet_from=22 * 60, quiet_until=8 * 60)
    check_preferences(fits)
    for until in (8 * 60 + 1, 22 * 60):
        with pytest.raises(BadPreference):
            check_preferences(replace(fits, quiet_until=until))
