"""The rules, sentence by sentence, as the naive reading and the engine have them; and the examples on their pages."""

import doctest
from pathlib import Path

import pytest

from tests.reference import naive
from tests.reference.compare import by_engine
from tests.reference.sentences import CASES, Case

PAGES = sorted((Path(__file__).parents[2] / "docs" / "rules").glob("*.md"))


def _name(case: Case) -> str:
    return f"{case.section} {case.system} {case.players}: {case.says}"


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_the_naive_reading_says_what_the_sentence_says(case: Case) -> None:
    assert {found for found in naive.actions(case.position()) if found.card == case.card} == case.found()


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_the_engine_says_what_the_sentence_says(case: Case) -> None:
    assert {found for found in by_engine(case.position()) if found.card == case.card} == case.found()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0
