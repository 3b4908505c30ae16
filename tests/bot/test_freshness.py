"""When what a process remembers may be handed out without asking the database."""

from __future__ import annotations

import pytest

from bot.shards import ALL, Shards
from bot.tables.memory import announced

MINE = Shards(4, frozenset({1, 2}))


@pytest.mark.parametrize(
    ("shards", "guild_id", "current"),
    [
        (MINE, 1 << 22, True),
        (MINE, 6 << 22, True),
        (MINE, 3 << 22, False),
        # People's preferences belong to no guild: any process may change them.
        (MINE, None, False),
        (Shards(4, frozenset({0, 1})), None, False),
        (ALL, 3 << 22, True),
        (ALL, None, True),
    ],
)
def test_what_we_serve_is_current_while_we_hear(shards: Shards, guild_id: int | None, current: bool) -> None:
    hears = True
    is_current = announced(shards, lambda: hears)
    assert is_current(guild_id) is current
    hears = False
    assert not is_current(guild_id)
