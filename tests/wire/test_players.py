"""What the people of long runs take for the acknowledgement of an action."""

from __future__ import annotations

import pytest

from bot.languages import Language
from bot.texts.names import Names
from bot.texts.questions import already_done, helped_line, received_line
from engine import ActionKind
from tests.wire.players import is_done

ENGLISH = Language("en")
NAMES = Names({0: "Ann", 2: "Ben"})


@pytest.mark.parametrize(
    ("text", "kind", "done"),
    [
        ("✅ You played the 4: 2 → 6.", ActionKind.PLAY, True),
        (already_done(ENGLISH, "You played the 4: 2 → 6."), ActionKind.PLAY, True),
        (f"**FOX-1**\n{received_line(ENGLISH, NAMES, '3', 'K', 2)}", ActionKind.GIVE, True),
        (f"**FOX-1**\n{helped_line(ENGLISH, NAMES, '3', 'K', 2)}", ActionKind.GIVE, True),
        # The hand still tells of the exchange when a play is refused.
        (f"**FOX-1**\n{received_line(ENGLISH, NAMES, '3', 'K', 2)}", ActionKind.PLAY, False),
        ("**FOX-1**\nWhich card do you give?", ActionKind.GIVE, False),
        ("Please try again.", ActionKind.PLAY, False),
    ],
)
def test_an_action_is_acknowledged_by_a_tick_or_by_the_swap_it_completed(
    text: str, kind: ActionKind, done: bool
) -> None:
    assert is_done(text, kind) is done
