"""The naive reading and the engine, sentence by sentence."""

from __future__ import annotations

import pytest

from tests.reference import naive
from tests.reference.compare import by_engine
from tests.reference.sentences import CASES, Case


def _name(case: Case) -> str:
    return f"{case.section} {case.system} {case.players}: {case.says}"


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_the_naive_reading_says_what_the_sentence_says(case: Case) -> None:
    assert {found for found in naive.actions(case.position()) if found.card == case.card} == case.found()


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_the_engine_says_what_the_sentence_says(case: Case) -> None:
    assert {found for found in by_engine(case.position()) if found.card == case.card} == case.found()
