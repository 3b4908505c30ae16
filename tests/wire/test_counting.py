"""How long runs count calls and acknowledged actions."""

import pytest

from bot.languages import Language
from bot.texts.dialogue import already_done, exchange_line, help_line
from bot.texts.names import Names
from engine import ActionKind
from tools.campaigns.players import Call, calls_by_decision, is_done

ASKED = {26: {2: 26}, 27: {3: 27}, 28: {0: 28, 1: 28, 2: 28, 3: 28}, 29: {1: 28, 2: 28, 3: 28}, 30: {1: 28, 2: 28}}


def counted(*numbers: int, since: int = 26, by_people: tuple[int, ...] = (27, 28, 29, 30)) -> dict[int, int]:
    """How often seat 3 was called for which decision, by messages that came after this many actions."""
    calls = [Call(3, number, "") for number in numbers]
    found = calls_by_decision(calls, ASKED.__getitem__, by_people, since)
    return {decision: len(heard) for (_, decision), heard in found.items()}


@pytest.mark.parametrize(
    ("numbers", "found"),
    [
        ((27, 28), {27: 1, 28: 1}),
        # One that was on its way belongs to the decision just made, but only the first.
        ((28, 28), {27: 1, 28: 1}),
        ((28, 28, 28), {27: 1, 28: 2}),
        ((27, 28, 28), {27: 1, 28: 2}),
        ((27, 27), {27: 2}),
        ((27, 28, 29), {27: 1, 28: 2}),
        # Long after the decision it is not excused.
        ((29, 29), {28: 2}),
    ],
)
def test_a_second_call_for_a_decision_is_seen(numbers: tuple[int, ...], found: dict[int, int]) -> None:
    assert counted(*numbers) == found


def test_nothing_is_looked_up_before_the_begin() -> None:
    assert counted(28, 28, since=28) == {28: 2}


def test_consequences_do_not_count_as_time_to_look() -> None:
    assert counted(29, 29, by_people=(27, 28)) == {27: 1, 28: 1}


ENGLISH = Language("en")
NAMES = Names({0: "Ann", 2: "Ben"})


@pytest.mark.parametrize(
    ("text", "kind", "done"),
    [
        ("✅ You played the 4: 2 → 6.", ActionKind.PLAY, True),
        (already_done(ENGLISH, "You played the 4: 2 → 6."), ActionKind.PLAY, True),
        (f"**FOX-1** · {exchange_line(ENGLISH, '3', 'K', NAMES.marked(2), NAMES.marked(2))}", ActionKind.GIVE, True),
        (f"**FOX-1** · {help_line(ENGLISH, '3', 'K', NAMES.marked(2), NAMES.marked(2))}", ActionKind.GIVE, True),
        # The hand still tells of the exchange when a play is refused.
        (f"**FOX-1** · {exchange_line(ENGLISH, '3', 'K', NAMES.marked(2), NAMES.marked(2))}", ActionKind.PLAY, False),
        ("**FOX-1**\nWhich card do you give?", ActionKind.GIVE, False),
        ("Please try again.", ActionKind.PLAY, False),
    ],
)
def test_tick_or_completed_exchange_acknowledges_an_action(text: str, kind: ActionKind, done: bool) -> None:
    assert is_done(text, kind) is done
