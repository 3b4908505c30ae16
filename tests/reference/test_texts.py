"""Record texts lead where the engine says, and placements are written in canonical order."""

from __future__ import annotations

import itertools

import pytest

from tests.reference.counting import kinds
from tests.reference.positions import stream
from tests.reference.texts import problem

POSITIONS = 60


@pytest.mark.parametrize(("system", "players", "canadian"), kinds())
def test_texts_lead_where_the_engine_says(system: str, players: int, canadian: bool) -> None:
    for position in itertools.islice(stream(60, system, players, canadian, 3), POSITIONS):
        assert problem(position) is None, position
