"""The numbers of actions and sequences are those recorded in `golden/`; see `counting.py` and `perft.py`."""

from __future__ import annotations

import json

import pytest

from tests.reference import counting, perft
from tests.reference.compare import by_engine

POSITIONS = json.loads(counting.GOLDEN.read_text(encoding="utf-8"))
GAMES = json.loads(perft.GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("system", "players", "canadian"), counting.kinds())
def test_positions_have_as_many_actions_as_recorded(system: str, players: int, canadian: bool) -> None:
    wanted = POSITIONS[counting.name(system, players, canadian)]
    assert counting.counts(system, players, canadian, by_engine) == wanted


@pytest.mark.parametrize(("system", "players", "canadian"), counting.kinds())
def test_games_have_as_many_sequences_as_recorded(system: str, players: int, canadian: bool) -> None:
    assert perft.counts(system, players, canadian) == GAMES[counting.name(system, players, canadian)]
