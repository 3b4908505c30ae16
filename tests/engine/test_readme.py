"""The engine's own introduction runs."""

from __future__ import annotations

import doctest

import engine


def test_the_examples_of_the_introduction_run() -> None:
    results = doctest.testmod(engine)
    assert results.attempted > 15
    assert results.failed == 0
