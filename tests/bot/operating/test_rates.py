"""Token buckets: a number at once, then one after another; separate for each person and guild; small in memory."""

from contextlib import suppress

import pytest

from bot import rates
from bot.errors import TooOften
from bot.rates import AT_ONCE, COMMANDS, Rates
from bot.rights import Bound, Cost, Deed, Rate

RATE = Rate(3, 30)


def test_so_many_at_once_and_then_one_after_the_other() -> None:
    found = Rates()
    for _ in range(3):
        found.spend("x", 1, RATE, 100.0)
    with pytest.raises(TooOften) as refused:
        found.spend("x", 1, RATE, 104.0)
    assert refused.value.seconds == pytest.approx(6.0)
    found.spend("x", 1, RATE, 110.0)
    with pytest.raises(TooOften):
        found.spend("x", 1, RATE, 119.9)
    for _ in range(3):
        found.spend("x", 1, RATE, 1_000.0)
    with pytest.raises(TooOften):
        found.check("x", 1, RATE, 1_000.0)


def test_nobody_is_refused_for_what_others_do() -> None:
    found = Rates()
    for _ in range(3):
        found.spend("x", 1, RATE, 0.0)
    found.spend("x", 2, RATE, 0.0)
    found.spend("y", 1, RATE, 0.0)


def test_a_guild_has_a_bucket_of_its_own() -> None:
    found, bound = Rates(), Bound(Rate(2, 10), Rate(3, 10))
    for user in (1, 2, 3):
        found.bound("x", bound, user, 77, 0.0)
    with pytest.raises(TooOften):
        found.bound("x", bound, 4, 77, 0.0)
    found.bound("x", bound, 5, 78, 0.0)
    found.bound("x", bound, 6, None, 0.0)


def test_a_clock_that_is_put_back_gives_nothing_and_takes_nothing() -> None:
    found = Rates()
    for _ in range(3):
        found.spend("x", 1, RATE, 1_000.0)
    with pytest.raises(TooOften):
        found.spend("x", 1, RATE, 0.0)


def test_so_much_of_one_person_is_worked_on_at_the_same_time() -> None:
    found = Rates()
    held = [found.working(1) for _ in range(AT_ONCE)]
    for one in held:
        one.__enter__()
    with pytest.raises(TooOften) as refused, found.working(1):
        pass
    assert refused.value.seconds == 0
    with found.working(2):
        pass
    held[0].__exit__(None, None, None)
    with found.working(1):
        pass


def test_what_waits_in_a_line_of_its_own_is_not_being_worked_on() -> None:
    found = Rates()
    with found.working(1):
        with found.waiting(1):
            assert found._working.total() == 0
        assert found._working == {1: 1}
    assert found._working == {}


def test_buckets_that_are_full_again_are_forgotten_and_an_empty_one_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "MOST_BUCKETS", 100)
    found = Rates()
    for user in range(1_000):
        found.spend("x", user, RATE, float(user))
    assert len(found._buckets) <= 101
    busy = 7
    for user in range(2_000, 3_000):
        with suppress(TooOften):
            found.spend("x", busy, RATE, 1_000.0)
        found.spend("x", user, RATE, 1_000.0)
        assert len(found._buckets) <= 101
    with pytest.raises(TooOften):
        found.spend("x", busy, RATE, 1_000.0)


def test_everything_that_can_be_asked_has_a_cost_and_a_bound() -> None:
    assert COMMANDS.keys() == set(Cost)
    costly = {deed for deed in Deed if deed.rule.cost not in (Cost.LOOK, Cost.CHANGE) or deed is Deed.JOIN}
    assert {deed for deed in costly if deed.rule.bound is None} == {Deed.TAKE_BACK}, "only asking back reaches others"
