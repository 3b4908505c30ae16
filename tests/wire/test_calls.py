"""How the soak counts calls: a real second call is seen, a message that was already on its way is not one."""

from __future__ import annotations

from tests.wire.calls import Call, calls_by_decision

ASKED = {26: {2: 26}, 27: {3: 27}, 28: {0: 28, 1: 28, 2: 28, 3: 28}, 29: {1: 28, 2: 28, 3: 28}, 30: {1: 28, 2: 28}}


def counted(*numbers: int, since: int = 26, by_people: tuple[int, ...] = (27, 28, 29, 30)) -> dict[int, int]:
    """How often seat 3 was called for which decision, by messages that came after this many actions."""
    calls = [Call(3, number, "") for number in numbers]
    found = calls_by_decision(calls, ASKED.__getitem__, by_people, since)
    return {decision: len(heard) for (_, decision), heard in found.items()}


def test_one_call_for_each_decision() -> None:
    assert counted(27, 28) == {27: 1, 28: 1}


def test_a_board_that_was_on_its_way_belongs_to_the_decision_just_made() -> None:
    assert counted(28, 28) == {27: 1, 28: 1}


def test_a_second_call_is_seen() -> None:
    assert counted(27, 28, 28) == {27: 1, 28: 2}
    assert counted(27, 27) == {27: 2}
    assert counted(27, 28, 29) == {27: 1, 28: 2}
    assert counted(28, 28, 28) == {27: 1, 28: 2}


def test_a_call_long_after_the_decision_is_not_excused() -> None:
    assert counted(29, 29) == {28: 2}


def test_nothing_is_looked_up_before_the_begin() -> None:
    assert counted(28, 28, since=28) == {28: 2}


def test_what_follows_by_itself_does_not_count_as_time_to_look() -> None:
    assert counted(29, 29, by_people=(27, 28)) == {27: 1, 28: 1}
