"""No text, picture or replay reveals a card: games that differ only in what a member never saw look the same."""

import random

import pytest

from tests.bot import shown
from tests.engine.staging import LARGEST

GAMES = 1
"""Games of each system, on its largest board; `python -m tests.fuzz --shown 200` takes more, of every kind."""


@pytest.mark.slow
@pytest.mark.parametrize(("system", "players"), LARGEST)
async def test_twins_read_and_look_the_same(system: str, players: int) -> None:
    found = await shown.compared((system, players, ""), random.Random(f"shown {system} {players}"), GAMES)
    assert found.leaks == []
    assert found.pairs > GAMES * players
    assert found.films == GAMES
