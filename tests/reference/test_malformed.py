"""Hundreds of malformed positions, each refused with an error that names the field; `make fuzz` tries ten thousand."""

from __future__ import annotations

import pytest

from tests.fuzz.refusals import check_lines, check_malformed


@pytest.mark.parametrize("seed", range(4))
def test_malformed_positions_are_refused(seed: int) -> None:
    assert check_malformed(seed, 250) == []


def test_lines_that_are_no_positions_are_refused() -> None:
    assert check_lines() == []
