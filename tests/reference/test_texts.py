"""What other programs read and write: texts lead where the engine says, and malformed positions are refused."""

import itertools

import pytest

from tests.reference.malformed import check_lines, check_malformed
from tests.reference.positions import KINDS, stream
from tests.reference.texts import problem

POSITIONS = 30


@pytest.mark.parametrize(("system", "players", "house"), KINDS)
def test_texts_lead_where_the_engine_says(system: str, players: int, house: str) -> None:
    for position in itertools.islice(stream(60, system, players, house, 3), POSITIONS):
        assert problem(position) is None, position


@pytest.mark.parametrize("seed", range(2))
def test_malformed_position_is_refused_naming_its_field(seed: int) -> None:
    assert check_malformed(seed, 250) == []


def test_lines_that_are_no_positions_are_refused() -> None:
    assert check_lines() == []
