"""The terms of a new table, as a plain function: what is asked for, a position, and what is usual."""

from dataclasses import replace

import pytest

from bot.errors import Problem
from bot.table import Terms
from bot.tables.finished.records import Beginning
from bot.tables.terms import choose_terms
from engine import Options, Teams
from tests.bot.gaming import raises

USUAL = Terms(system="swiss", players=6, pace="steady", locale="de", theme="wood", options=Options(quick=True))
BEGINS = Beginning("tock", 3, Options(own_safe=True), "a position", {})


def test_nothing_asked_is_the_usual() -> None:
    assert choose_terms(USUAL) == USUAL


def test_what_is_asked_comes_first() -> None:
    asked = choose_terms(
        replace(USUAL, hints=True), system="keezen", players=8, options=Options(), teams=Teams.TWO, pace="live"
    )
    assert (asked.system, asked.players, asked.pace) == ("keezen", 8, "live")
    assert asked.options == Options(teams=Teams.TWO)
    assert (asked.hints, asked.locale, asked.theme) == (True, "de", "wood")


def test_usual_count_and_house_give_way_to_the_game() -> None:
    asked = choose_terms(replace(USUAL, options=Options(no_joker_finish=True)), system="tock")
    assert (asked.players, asked.options) == (6, Options())
    assert choose_terms(USUAL, system="classic").players == 4
    assert choose_terms(USUAL, players=7).options == USUAL.options, "no game for seven is offered with other rules"


def test_position_brings_its_own_rules_unrated() -> None:
    terms = choose_terms(USUAL, BEGINS)
    assert (terms.system, terms.players, terms.options, terms.origin) == ("tock", 3, BEGINS.options, "a position")
    assert (terms.rated, terms.pace, terms.locale) == (False, "steady", "de")
    assert choose_terms(USUAL, BEGINS, system="tock", players=3, rated=False) == terms
    for other in ({"system": "keezen"}, {"players": 4}, {"options": Options()}, {"teams": Teams.TWO}):
        with raises(Problem.OTHER_RULES):
            choose_terms(USUAL, BEGINS, **other)
    with raises(Problem.FROM_POSITION):
        choose_terms(USUAL, BEGINS, rated=True)


def test_hints_and_open_hands_are_never_rated() -> None:
    for usual in (replace(USUAL, hints=True), replace(USUAL, options=Options(open_hands=True))):
        assert choose_terms(usual).rated, "as far as the game can be"
        with raises(Problem.NEVER_RATED):
            choose_terms(usual, rated=True)
    assert not choose_terms(USUAL, rated=False).rated


@pytest.mark.parametrize(
    ("hours", "bank", "weekends", "pace"),
    [(8, 3, True, "steady"), (24, 0, True, "daily"), (24, 0, False, "daily-w"), (5, 2, True, "5h+2d")],
)
def test_hours_and_bank_make_a_pace(hours: int, bank: int, weekends: bool, pace: str) -> None:
    assert choose_terms(USUAL, hours=hours, bank=bank, weekends=weekends).pace == pace


def test_paces_that_there_are_not() -> None:
    with raises(Problem.NO_WEEKENDS):
        choose_terms(USUAL, pace="live", weekends=False)
    with raises(Problem.NO_SUCH_PACE):
        choose_terms(USUAL, pace="none", bank=3)
