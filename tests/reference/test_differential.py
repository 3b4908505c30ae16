"""The engine and the naive reading agree, over thousands of positions of every system and player count.

`make fuzz` does the same for a hundred thousand and more.
"""

from __future__ import annotations

import itertools
import json

import pytest

from tests.reference.compare import difference, smallest
from tests.reference.positions import CONFIGURATIONS, stream

POSITIONS = 900
CANADIAN_POSITIONS = 70
CANADIAN_MOST = 5  # the naive reading's canadian sevens grow tenfold with every two more pieces; `make fuzz` has them
CHUNKS = 2


def _agree(system: str, players: int, chunk: int, count: int, canadian: bool = False) -> None:
    for position in itertools.islice(stream(chunk, system, players, canadian, CANADIAN_MOST), count):
        if difference(position) is not None:
            bare = smallest(position, difference)
            pytest.fail(f"{json.dumps(bare)}\n{difference(bare)}", pytrace=False)


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize(("system", "players"), CONFIGURATIONS)
def test_two_readings_agree(system: str, players: int, chunk: int) -> None:
    _agree(system, players, chunk, POSITIONS // CHUNKS)


@pytest.mark.parametrize(("system", "players"), [(s, p) for s, p in CONFIGURATIONS if not s.startswith("royal")])
def test_two_readings_agree_with_the_canadian_seven(system: str, players: int) -> None:
    _agree(system, players, CHUNKS, CANADIAN_POSITIONS, canadian=True)
