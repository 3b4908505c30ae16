"""Token buckets: a number at once, then one after another; separate for each person and guild; small in memory."""

from contextlib import suppress

import pytest

from bot import limits
from bot.errors import Busy, TooOften
from bot.limits import ALWAYS, BACKLOG, IN_FLIGHT, TOLD, Limits
from bot.rights import Bound, Deed, Post, Rate


@pytest.fixture(autouse=True)
def _small_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EVERYTHING", Rate(3, 30))


def test_a_bucket_fills_again() -> None:
    found = Limits()
    for _ in range(3):
        found.spend(1, 100.0)
    with pytest.raises(TooOften) as refused:
        found.spend(1, 104.0)
    assert refused.value.seconds == pytest.approx(6.0)
    found.spend(1, 110.0)
    with pytest.raises(TooOften):
        found.spend(1, 119.9)
    for _ in range(3):
        found.spend(1, 1_000.0)
    with pytest.raises(TooOften):
        found.spend(1, 1_000.0)


def test_each_person_has_a_bucket() -> None:
    found = Limits()
    for _ in range(3):
        found.spend(1, 0.0)
    found.spend(2, 0.0)


def test_small_costs_add_up() -> None:
    found = Limits()
    for _ in range(12):
        found.spend(1, 0.0, 0.25)
    with pytest.raises(TooOften):
        found.spend(1, 0.0, 0.25)


def test_refusals_are_told_so_many_times() -> None:
    found = Limits()
    found.charge(1, 0.0, 3)
    assert [found.is_told(1, 0.0) for _ in range(TOLD + 2)] == [*[True] * TOLD, False, False]
    with pytest.raises(TooOften):
        found.spend(1, 150.0)
    assert found.is_told(1, 150.0)
    found.spend(1, 170.0)


def test_expensive_deed_has_a_server_bucket() -> None:
    found, bound = Limits(), Bound(Rate(2, 10), Rate(3, 10))
    for user in (1, 2, 3):
        found.spend_deed("x", bound, user, 77, 0.0)
    with pytest.raises(TooOften):
        found.spend_deed("x", bound, 4, 77, 0.0)
    found.spend_deed("x", bound, 5, 78, 0.0)
    found.spend_deed("x", bound, 6, None, 0.0)
    found.spend_deed("y", bound, 4, 77, 0.0)


def test_clock_put_back_fills_no_bucket() -> None:
    found = Limits()
    for _ in range(3):
        found.spend(1, 1_000.0)
    with pytest.raises(TooOften):
        found.spend(1, 0.0)


def test_a_person_has_so_many_requests_in_flight() -> None:
    found = Limits()
    held = [found.in_flight(1) for _ in range(IN_FLIGHT)]
    for one in held:
        one.__enter__()
    with pytest.raises(TooOften) as refused, found.in_flight(1):
        pass
    assert refused.value.seconds == 0
    with found.in_flight(2):
        pass
    held[0].__exit__(None, None, None)
    with found.in_flight(1):
        pass


def test_busy_bot_serves_one_request_per_person() -> None:
    found = Limits()
    most = found.most
    held = [found.in_flight(user) for user in range(most // 2)]
    for one in held:
        one.__enter__()
    with pytest.raises(Busy), found.in_flight(0):
        pass
    more = [found.in_flight(user) for user in range(most // 2, most)]
    for one in more:
        one.__enter__()
    with pytest.raises(Busy), found.in_flight(most):
        pass
    for one in (*held, *more):
        one.__exit__(None, None, None)
    with found.in_flight(0), found.in_flight(0):
        pass


@pytest.mark.parametrize(
    ("wall", "processor", "most"),
    [
        pytest.param(0.05, 0.05, 40, id="slow answers"),
        pytest.param(0.05, 0.03, 40, id="drawing beside them"),
        pytest.param(0.5, 0.01, 100, id="waiting for Discord"),
        pytest.param(0.001, 0.001, 200, id="fast answers"),
        pytest.param(1.0, 1.0, ALWAYS, id="hardly any"),
    ],
)
def test_requests_are_admitted_that_can_be_answered_in_time(wall: float, processor: float, most: int) -> None:
    now = used = 0.0
    found = Limits(lambda: now, lambda: used)
    waiting = [found.in_flight(user) for user in range(BACKLOG + 4)]
    for one in waiting:
        one.__enter__()
    for user in range(200):
        with found.in_flight(100 + user):
            now, used = now + wall, used + processor
    assert found.most == pytest.approx(most, abs=1)


def test_answers_without_a_queue_do_not_count() -> None:
    now = 0.0
    found = Limits(lambda: now, lambda: now)
    most = found.most
    for user in range(50):
        with found.in_flight(user):
            now += 3600.0
    assert found.most == most


def test_a_queued_request_is_not_in_flight() -> None:
    found = Limits()
    with found.in_flight(1):
        with found.queued(1):
            assert found._in_flight.total() == 0
        assert found._in_flight == {1: 1}
    assert found._in_flight == {}


def test_full_buckets_are_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BUCKETS", 100)
    found = Limits()
    for user in range(1_000):
        found.spend(user, float(user))
    assert len(found._buckets) <= 101
    busy = 7
    for user in range(2_000, 3_000):
        with suppress(TooOften):
            found.spend(busy, 1_000.0)
        found.spend(user, 1_000.0)
        assert len(found._buckets) <= 101
    with pytest.raises(TooOften):
        found.spend(busy, 1_000.0)


def test_an_interaction_is_new_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REMEMBERED", 2)
    found = Limits()
    assert [found.is_new(one) for one in (1, 1, 2, 3, 1)] == [True, False, True, True, True]
    found.close()
    assert not found.is_new(9)


def test_each_deed_that_posts_has_a_bound() -> None:
    posting = {deed for deed in Deed if deed.rule.post is not Post.NOWHERE}
    assert {deed for deed in posting if deed.rule.bound is None} == set()
    assert all(deed.rule.bound for deed in (Deed.JOIN, Deed.HINT, Deed.REVIEW, Deed.FILM, Deed.EXPORT, Deed.TAKE_BACK))
