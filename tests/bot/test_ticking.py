"""Clocks of single seats: what they wait for, hold and forget, in plain numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot import clocks as ticking
from bot.clocks import NO_REST, Rest
from bot.moment import Moment
from bot.table import Lost, Occupant, SeatClock, Stage, Status, Table, Terms
from engine import Game
from tests.bot.shown import table_of

NOW = 1_000_000
PACE = 1_000
DECISION = Moment(0, 7)
ANN = 5


def clock(stage: Stage = Stage.HALF, *, nudged: bool = False) -> SeatClock:
    """Ann's clock, started at `NOW` with the full pace, waiting for this stage."""
    fresh = ticking.fresh(DECISION, ANN, PACE, NOW, NO_REST)
    return replace(ticking.waiting_for(fresh, stage, NO_REST), nudged=nudged)


def test_a_fresh_clock_waits_for_half_its_time() -> None:
    assert clock() == SeatClock(DECISION, ANN, Stage.HALF, NOW, 0, PACE, NOW + 500, NOW + 1_000)


def test_without_a_pace_a_clock_waits_for_nothing_and_never_runs_out() -> None:
    still = ticking.fresh(DECISION, ANN, None, NOW, NO_REST)
    assert still == SeatClock(DECISION, ANN, Stage.NONE, NOW, 0, 0, None, None)
    assert ticking.reached(still, NOW + 10**9, NO_REST) is None
    assert ticking.run(ticking.hold(still, NOW + 5, NO_REST), NOW + 9, NO_REST).due_at is None


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
    assert ticking.reached(clock(stage), NOW + passed, NO_REST) is reached


def test_a_clock_started_anew_has_the_whole_pace_and_still_knows_that_somebody_nudged() -> None:
    late = replace(clock(Stage.AUTO, nudged=True), spent=300, since=NOW + 700)
    assert ticking.again(late, PACE, NOW + 2_000, NO_REST) == SeatClock(
        DECISION, ANN, Stage.HALF, NOW + 2_000, 0, PACE, NOW + 2_500, NOW + 3_000, nudged=True
    )
    assert not ticking.again(clock(), PACE, NOW, NO_REST).nudged


@pytest.mark.parametrize(("pace", "tenth"), [(1_000, 100), (180, 18), (5, 1)])
def test_the_others_have_a_tenth_of_the_pace_to_choose(pace: int, tenth: int) -> None:
    choosing = ticking.choosing(clock(Stage.UP, nudged=True), pace, NOW + 1_500, NO_REST)
    assert choosing.overdue
    assert (choosing.since, choosing.spent, choosing.allowed, choosing.nudged) == (NOW + 1_500, 0, tenth, True)
    assert choosing.due_at == choosing.ends_at == NOW + 1_500 + tenth


def test_what_has_gone_by_stays_gone_by_while_a_clock_is_held() -> None:
    held = ticking.hold(clock(), NOW + 300, NO_REST)
    assert (held.since, held.spent, held.due_at, held.ends_at) == (None, 300, None, None)
    assert held.held
    assert ticking.hold(held, NOW + 999, NO_REST) is held
    assert ticking.reached(held, NOW + 10_000, NO_REST) is None
    running = ticking.run(held, NOW + 5_000, NO_REST)
    assert (running.due_at, running.ends_at) == (NOW + 5_200, NOW + 5_700)


def test_no_more_than_the_whole_time_goes_by() -> None:
    assert ticking.hold(clock(), NOW + 5_000, NO_REST).spent == PACE


def test_rest_that_begins_later_keeps_what_has_gone_by() -> None:
    away = Rest(away_until=NOW + 10_000)
    rested = ticking.rest_differently(clock(), NOW + 300, NO_REST, away)
    assert (rested.spent, rested.ends_at) == (300, NOW + 10_000 + 700)
    held = ticking.hold(clock(), NOW + 300, NO_REST)
    assert ticking.rest_differently(held, NOW + 400, NO_REST, away) is held


def test_a_clock_from_the_future_begins_now() -> None:
    assert ticking.set_right(clock(), NOW - 5_000, NO_REST).ends_at == NOW - 5_000 + PACE
    assert ticking.set_right(clock(), NOW, NO_REST) == clock()
    held = ticking.hold(clock(), NOW + 300, NO_REST)
    assert ticking.set_right(held, NOW - 5_000, NO_REST) is held


def gifts(**changes: object) -> Table:
    """A game in its first exchange, which asks everybody for a card."""
    game = Game.new("classic", 4, bytes(32))
    return replace(table_of(game), **changes)  # type: ignore[arg-type]


def test_everybody_who_is_asked_gets_a_clock() -> None:
    table = gifts(terms=Terms(pace="brisk"))
    clocks = ticking.wind(table, NOW, {103: Rest(away_until=NOW + 50)})
    assert {seat: one.user_id for seat, one in clocks.items()} == {0: 100, 1: 101, 2: 102, 3: 103}
    assert [one.ends_at for one in clocks.values()] == [NOW + 3_600] * 3 + [NOW + 3_650]
    assert ticking.asked(table) == {100, 101, 102, 103}


def test_a_clock_runs_on_while_its_decision_stands() -> None:
    table = gifts()
    wound = replace(table, clocks=ticking.wind(table, NOW, {}))
    assert ticking.wind(wound, NOW + 500, {}) == wound.clocks
    asked_again = replace(wound, anew={0: 1})
    clocks = ticking.wind(asked_again, NOW + 500, {})
    assert clocks[0].since == NOW + 500, "another decision, another clock"
    assert clocks[1] == wound.clocks[1]
    other = replace(wound, people={**wound.people, 1: Occupant("Eve", 7)})
    hers = ticking.wind(other, NOW + 500, {})[1]
    assert (hers.user_id, hers.since) == (7, NOW + 500)


def test_computers_and_finished_games_need_no_clock() -> None:
    table = gifts()
    people = {**table.people, 2: Occupant("Bello", computer="normal"), 3: replace(table.people[3], computer="normal")}
    assert set(ticking.wind(replace(table, people=people), NOW, {})) == {0, 1}
    assert ticking.asked(replace(table, people=people)) == {100, 101}
    for status in (Status.LOBBY, Status.OVER, Status.CANCELLED):
        assert ticking.wind(replace(table, status=status), NOW, {}) == {}
    lobby = replace(table, game=None)
    assert ticking.wind(lobby, NOW, {}) == {}
    assert ticking.asked(lobby) == frozenset()


@pytest.mark.parametrize("still", [{"status": Status.PAUSED}, {"lost": Lost.GONE}])
def test_clocks_stand_still_with_the_game_and_go_on_with_it(still: dict[str, object]) -> None:
    table = gifts(terms=Terms(pace="brisk"))
    running = replace(table, clocks=ticking.wind(table, NOW, {}))
    held = replace(running, **still)  # type: ignore[arg-type]
    held = replace(held, clocks=ticking.wind(held, NOW + 600, {}))
    assert all(one.held and one.spent == 600 for one in held.clocks.values())
    assert ticking.wind(held, NOW + 9_000, {}) == held.clocks
    again = ticking.wind(replace(held, status=Status.PLAYING, lost=None), NOW + 9_000, {})
    assert [one.ends_at for one in again.values()] == [NOW + 9_000 + 3_000] * 4
