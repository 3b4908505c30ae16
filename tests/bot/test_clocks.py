"""When people rest, and how the clock of a seat runs: from one state to the next, and derived for a whole table."""

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import clocks
from bot.clocks import (
    MINUTES_A_DAY,
    NO_REST,
    Rest,
    due,
    elapsed,
    resting_until,
)
from bot.consent import SILENCE
from bot.errors import BadPreference
from bot.moment import Moment
from bot.occupants import Occupant
from bot.pace import PACES, Pace, pace_of
from bot.preferences import Preferences, check_preferences
from bot.table import Lost, SeatClock, Stage, Status, Table, Terms
from bot.time_zones import CITIES, city_for, has_summer_time, is_time_zone, time_zones
from engine import Game
from tests.bot.shown import table_of

ZURICH = ZoneInfo("Europe/Zurich")
NIGHT = Rest("Europe/Zurich", 22 * 60, 7 * 60)
HOUR = 3_600

ZONES = ["UTC", "Europe/Zurich", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"]
moments = st.integers(1_600_000_000, 2_000_000_000)
rests = st.builds(
    lambda zone, begins, length, away: Rest(zone, begins, (begins + length) % MINUTES_A_DAY, away),
    st.sampled_from(ZONES),
    st.integers(0, MINUTES_A_DAY - 1),
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
    assert datetime.fromtimestamp(reached, ZURICH) == datetime.fromtimestamp(at(end), ZURICH)


def test_nights_of_clock_changes_have_their_length() -> None:
    assert at("2026-03-29 07:00") - at("2026-03-28 22:00") == 8 * HOUR
    assert due(at("2026-03-28 21:59"), 120, NIGHT) == at("2026-03-29 07:01")
    assert due(at("2026-10-24 21:59"), 120, NIGHT) == at("2026-10-25 07:01")
    # Quiet hours that begin or end in the hour that is skipped.
    assert due(at("2026-03-29 01:00"), 2 * HOUR, Rest("Europe/Zurich", 150, 240)) == at("2026-03-29 04:30")
    assert elapsed(at("2026-03-29 00:00"), at("2026-03-29 06:00"), Rest("Europe/Zurich", 60, 150)) == 5 * HOUR - 5_400


@pytest.mark.parametrize(
    ("start", "hours", "end"),
    [
        # 5 June 2026 is a Friday.
        ("2026-06-05 22:00", 1, "2026-06-05 23:00"),
        ("2026-06-05 22:00", 24, "2026-06-08 22:00"),
        ("2026-06-06 12:00", 24, "2026-06-09 00:00"),
        ("2026-06-05 12:00", 24 * 6, "2026-06-15 12:00"),
        # The clocks are put forward on Sunday.
        ("2026-03-28 12:00", 1, "2026-03-30 01:00"),
    ],
)
def test_the_clock_stands_still_at_weekends(start: str, hours: int, end: str) -> None:
    rest = Rest("Europe/Zurich", weekends=True)
    assert due(at(start), hours * HOUR, rest) == at(end)
    assert elapsed(at(start), at(end), rest) == hours * HOUR


def test_weekends_and_nights_overlap() -> None:
    rest = replace(NIGHT, weekends=True)
    assert due(at("2026-06-05 21:00"), 2 * HOUR, rest) == at("2026-06-08 08:00")
    assert resting_until(at("2026-06-06 12:00"), rest) == at("2026-06-08 07:00")
    assert resting_until(at("2026-06-08 06:00"), rest) == at("2026-06-08 07:00")
    assert resting_until(at("2026-06-08 07:00"), rest) is None


def test_weekends_rest_where_the_pace_says_so() -> None:
    away = Rest("UTC", away_until=5)
    assert clocks.at_pace(away, "daily-w") == replace(away, weekends=True)
    assert clocks.at_pace(away, "8h+3d") == away, "with its bank, a decision can take a day"
    assert clocks.at_pace(away, "8h") == Rest("UTC")


@pytest.mark.parametrize(
    ("text", "pace"),
    [
        ("daily", Pace(86_400)),
        ("8h+3d", PACES["steady"]),
        ("168h+14d-w", Pace(168 * HOUR, 14 * 86_400, weekends=False)),
        ("169h", None),
        ("0h+3d", None),
        ("8h+15d", None),
        ("live-w", None),
        ("none-w", None),
        ("8h-w", None),
        ("-w", None),
        ("8h+3d-w-w", None),
    ],
)
def test_paces_have_limits(text: str, pace: Pace | None) -> None:
    assert pace_of(text) == pace


def test_bank_is_used_after_the_time_of_a_move() -> None:
    start = at("2026-06-01 12:00")
    clock = clocks.fresh(Moment(0, 1), 7, Pace(8 * HOUR, bank=24 * HOUR), start, NO_REST)
    assert (clock.due_at, clock.ends_at) == (start + 4 * HOUR, start + 32 * HOUR), "a reminder within the 8 hours"
    assert clocks.overtime(clock, start + 8 * HOUR, NO_REST) == 0
    assert clocks.overtime(clock, start + 10 * HOUR, NO_REST) == 2 * HOUR
    assert clocks.overtime(clock, start + 99 * HOUR, NO_REST) == 24 * HOUR
    held = clocks.hold(clock, start + 9 * HOUR, NO_REST)
    assert clocks.overtime(held, start + 99 * HOUR, NO_REST) == HOUR, "a pause costs nothing"
    down = clocks.skip(clock, start + 9 * HOUR, start + 19 * HOUR, NO_REST)
    assert clocks.overtime(down, start + 20 * HOUR, NO_REST) == 2 * HOUR, "nor does an outage"


def test_being_away_makes_it_stand_still_too() -> None:
    rest = Rest(None, None, None, 50_000)
    assert due(10_000, 100, rest) == 50_100
    assert due(60_000, 100, rest) == 60_100
    assert resting_until(20_000, rest) == 50_000
    assert resting_until(50_000, rest) is None
    # Coming back at night.
    assert due(10_000, 0, Rest("UTC", 0, 60, MINUTES_A_DAY * 60 + 60)) == MINUTES_A_DAY * 60 + HOUR


@given(moments, st.integers(0, 300_000), rests)
def test_time_until_due_is_exact(start: int, seconds: int, rest: Rest) -> None:
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


PLACES = frozenset(
    [
        "Brazil/Acre",
        "Brazil/DeNoronha",
        "Brazil/East",
        "Brazil/West",
        "Canada/Saskatchewan",
        "Canada/Yukon",
        "Hongkong",
        "Iceland",
        "Iran",
        "Jamaica",
        "Japan",
        "Kwajalein",
        "Libya",
        "Mexico/BajaSur",
        "Mexico/General",
        "PRC",
        "ROC",
        "ROK",
        "Singapore",
        "Turkey",
        "US/Arizona",
        "US/Hawaii",
        "US/Samoa",
        "W-SU",
        "Egypt",
    ]
)
"""Countries and regions that have no summer time (or none any more), under names that are no city's."""

UNIVERSAL = frozenset(f"{family}{name}" for family in ("", "Etc/") for name in ("UTC", "UCT", "Universal", "Zulu"))


def test_abbreviated_and_fixed_zones_are_refused() -> None:
    for name in sorted(available_timezones() - set(time_zones()) - PLACES - UNIVERSAL - {"Factory", "localtime"}):
        assert is_time_zone(name) == has_summer_time(name), name
        assert has_summer_time(name) or city_for(name) in time_zones(), name
    assert all(is_time_zone(name) for name in (*time_zones(), *(PLACES & available_timezones()), *UNIVERSAL))


def test_only_cities_are_suggested() -> None:
    assert {name.partition("/")[0] for name in time_zones()}.isdisjoint({"Etc", "US", "Canada", "EST", "SystemV"})


@pytest.mark.parametrize(
    ("name", "city"),
    [
        ("EST", "America/New_York"),
        ("mst", "America/Denver"),
        ("GMT", "Europe/London"),
        ("Etc/GMT+5", "America/New_York"),
        ("UTC-5", "America/New_York"),
        ("GMT +2", "Europe/Athens"),
        ("+05:30", "Asia/Kolkata"),
        ("PDT", "America/Los_Angeles"),
        ("UTC", None),
        ("Etc/UTC", None),
        ("UTC+99", None),
        ("Europe/Zurich", None),
        ("Atlantis", None),
    ],
)
def test_a_city_for_an_abbreviation(name: str, city: str | None) -> None:
    assert city_for(name) == city


def test_every_city_for_an_abbreviation_is_suggested() -> None:
    assert set(CITIES) <= set(time_zones())
    assert {city_for(f"UTC{hours:+}") for hours in range(-12, 15)} <= set(time_zones())


def test_ten_quiet_hours_are_the_most() -> None:
    fits = Preferences(1, quiet_from=22 * 60, quiet_until=8 * 60)
    check_preferences(fits)
    for until in (8 * 60 + 1, 22 * 60):
        with pytest.raises(BadPreference):
            check_preferences(replace(fits, quiet_until=until))


NOW = 1_000_000
PACE = 1_000
DECISION = Moment(0, 7)
ANN = 5


def clock(stage: Stage = Stage.HALF, *, nudged: bool = False) -> SeatClock:
    """Ann's clock, started at `NOW` with the full pace, waiting for this stage."""
    fresh = clocks.fresh(DECISION, ANN, Pace(PACE), NOW, NO_REST)
    return replace(clocks.wait_for(fresh, stage, NO_REST), nudged=nudged)


def test_a_fresh_clock_waits_for_half_its_time() -> None:
    assert clock() == SeatClock(DECISION, ANN, Stage.HALF, NOW, 0, PACE, NOW + 500, NOW + 1_000)


def test_without_a_pace_a_clock_only_notices_silence() -> None:
    still = clocks.fresh(DECISION, ANN, Pace(None), NOW, NO_REST)
    assert still == SeatClock(DECISION, ANN, Stage.SILENT, NOW, 0, SILENCE, NOW + SILENCE, None)
    assert clocks.last_reached(still, NOW + 10**9, NO_REST) is None
    assert clocks.run(clocks.hold(still, NOW + 5, NO_REST), NOW + 9, NO_REST).due_at == NOW + 4 + SILENCE
    silent = replace(still, stage=Stage.NONE, due_at=None)
    assert clocks.run(clocks.hold(silent, NOW + 5, NO_REST), NOW + 9, NO_REST).due_at is None


@pytest.mark.parametrize(
    ("stage", "due_at"), [(Stage.HALF, 500), (Stage.NINETY, 900), (Stage.UP, 1_000), (Stage.AUTO, 1_000)]
)
def test_each_stage_has_its_share_of_the_time(stage: Stage, due_at: int) -> None:
    assert clock(stage).due_at == NOW + due_at
    assert clock(stage).ends_at == NOW + PACE


@pytest.mark.parametrize(
    ("stage", "passed", "reached"),
    [
        (Stage.HALF, 499, None),
        (Stage.HALF, 500, Stage.HALF),
        (Stage.HALF, 899, Stage.HALF),
        (Stage.HALF, 900, Stage.NINETY),
        (Stage.HALF, 1_000, Stage.UP),
        (Stage.NINETY, 899, None),
        (Stage.NINETY, 900, Stage.NINETY),
        (Stage.UP, 999, None),
        (Stage.UP, 1_000, Stage.UP),
        (Stage.AUTO, 5_000, None),
    ],
)
def test_stages_that_were_missed_are_passed_over(stage: Stage, passed: int, reached: Stage | None) -> None:
    assert clocks.last_reached(clock(stage), NOW + passed, NO_REST) is reached


def test_restarted_clock_has_full_pace_and_remembers_nudges() -> None:
    late = replace(clock(Stage.AUTO, nudged=True), spent=300, since=NOW + 700)
    assert clocks.restart(late, Pace(PACE), NOW + 2_000, NO_REST) == SeatClock(
        DECISION, ANN, Stage.HALF, NOW + 2_000, 0, PACE, NOW + 2_500, NOW + 3_000, nudged=True
    )
    assert not clocks.restart(clock(), Pace(PACE), NOW, NO_REST).nudged


@pytest.mark.parametrize(("pace", "tenth"), [(1_000, 100), (180, 18), (5, 1)])
def test_others_choose_within_a_tenth_of_the_pace(pace: int, tenth: int) -> None:
    choosing = clocks.let_choose(clock(Stage.UP, nudged=True), pace, NOW + 1_500, NO_REST)
    assert choosing.overdue
    assert (choosing.since, choosing.spent, choosing.allowed, choosing.nudged) == (NOW + 1_500, 0, tenth, True)
    assert choosing.due_at == choosing.ends_at == NOW + 1_500 + tenth


def test_elapsed_time_stays_elapsed_while_held() -> None:
    held = clocks.hold(clock(), NOW + 300, NO_REST)
    assert (held.since, held.spent, held.due_at, held.ends_at) == (None, 300, None, None)
    assert held.held
    assert clocks.hold(held, NOW + 999, NO_REST) is held
    assert clocks.last_reached(held, NOW + 10_000, NO_REST) is None
    running = clocks.run(held, NOW + 5_000, NO_REST)
    assert (running.due_at, running.ends_at) == (NOW + 5_200, NOW + 5_700)


def test_no_more_than_the_whole_time_goes_by() -> None:
    assert clocks.hold(clock(), NOW + 5_000, NO_REST).spent == PACE


def test_later_rest_keeps_the_elapsed_time() -> None:
    away = Rest(away_until=NOW + 10_000)
    rested = clocks.rest_differently(clock(), NOW + 300, NO_REST, away)
    assert (rested.spent, rested.ends_at) == (300, NOW + 10_000 + 700)
    held = clocks.hold(clock(), NOW + 300, NO_REST)
    assert clocks.rest_differently(held, NOW + 400, NO_REST, away) is held


def test_a_clock_from_the_future_begins_now() -> None:
    assert clocks.set_right(clock(), NOW - 5_000, NO_REST).ends_at == NOW - 5_000 + PACE
    assert clocks.set_right(clock(), NOW, NO_REST) == clock()
    held = clocks.hold(clock(), NOW + 300, NO_REST)
    assert clocks.set_right(held, NOW - 5_000, NO_REST) is held


def gifts(**changes: object) -> Table:
    """A game in its first exchange, which asks everybody for a card."""
    return replace(table_of(Game.new("classic", 4, bytes(32))), **changes)  # type: ignore[arg-type]


def test_everybody_who_is_asked_gets_a_clock() -> None:
    table = gifts(terms=Terms(pace="daily"))
    found = clocks.wind(table, NOW, {103: Rest(away_until=NOW + 50)})
    assert {seat: one.user_id for seat, one in found.items()} == {0: 100, 1: 101, 2: 102, 3: 103}
    assert [one.ends_at for one in found.values()] == [NOW + 86_400] * 3 + [NOW + 86_450]
    fast = clocks.wind(gifts(terms=Terms(pace="brisk")), NOW, {103: Rest(away_until=NOW + 50)})
    assert [one.ends_at for one in fast.values()] == [NOW + 3_600] * 4, "fast games do not wait"
    assert clocks.people_to_wind(table) == {100, 101, 102, 103}


def test_a_clock_runs_on_while_its_decision_stands() -> None:
    table = gifts()
    wound = replace(table, clocks=clocks.wind(table, NOW, {}))
    assert clocks.wind(wound, NOW + 500, {}) == wound.clocks
    found = clocks.wind(replace(wound, asked_since={0: 1}), NOW + 500, {})
    assert found[0].since == NOW + 500, "another decision, another clock"
    assert found[1] == wound.clocks[1]
    other = replace(wound, occupants={**wound.occupants, 1: Occupant("Eve", 7)})
    hers = clocks.wind(other, NOW + 500, {})[1]
    assert (hers.user_id, hers.since) == (7, NOW + 500)


def test_computers_and_finished_games_need_no_clock() -> None:
    table = gifts()
    people = {
        **table.occupants,
        2: Occupant("Bello", computer="normal"),
        3: replace(table.occupants[3], computer="normal"),
    }
    assert set(clocks.wind(replace(table, occupants=people), NOW, {})) == {0, 1}
    assert clocks.people_to_wind(replace(table, occupants=people)) == {100, 101}
    for status in (Status.LOBBY, Status.OVER, Status.CANCELLED):
        assert clocks.wind(replace(table, status=status), NOW, {}) == {}
    lobby = replace(table, game=None)
    assert clocks.wind(lobby, NOW, {}) == {}
    assert clocks.people_to_wind(lobby) == frozenset()


@pytest.mark.parametrize("still", [{"status": Status.PAUSED}, {"lost": Lost.GONE}])
def test_clocks_stop_and_continue_with_the_game(still: dict[str, object]) -> None:
    table = gifts(terms=Terms(pace="brisk"))
    running = replace(table, clocks=clocks.wind(table, NOW, {}))
    held = replace(running, **still)  # type: ignore[arg-type]
    held = replace(held, clocks=clocks.wind(held, NOW + 600, {}))
    assert all(one.held and one.spent == 600 for one in held.clocks.values())
    assert clocks.wind(held, NOW + 9_000, {}) == held.clocks
    again = clocks.wind(replace(held, status=Status.PLAYING, lost=None), NOW + 9_000, {})
    assert [one.ends_at for one in again.values()] == [NOW + 9_000 + 3_000] * 4
