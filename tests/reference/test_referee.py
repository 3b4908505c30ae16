"""Games watched by a referee that knows for itself who must act, with what, and what comes of it.

`make fuzz` follows games to their end; here each kind of game is followed for a while.
"""

from __future__ import annotations

import random

import pytest

from engine import Game, Options
from tests.reference.counting import kinds
from tests.reference.referee import follow

ACTIONS = 150


@pytest.mark.parametrize(("system", "players", "canadian"), kinds())
def test_a_game_goes_as_the_referee_says(system: str, players: int, canadian: bool) -> None:
    rng = random.Random(f"{system} {players} {canadian}")
    follow(Game.new(system, players, rng.randbytes(32), Options(canadian_seven=canadian)), rng, ACTIONS)
