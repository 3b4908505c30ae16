"""The rules, sentence by sentence, as the naive reading and the engine have them; house rules; examples on pages."""

import doctest
from pathlib import Path

import pytest

from engine import SYSTEMS, Options, RuleSystem
from tests.reference import naive
from tests.reference.compare import by_engine
from tests.reference.cousins import COUSINS
from tests.reference.positions import HOUSES
from tests.reference.sentences import CASES, Case

RULES = Path(__file__).parents[2] / "docs" / "rules"
PAGES = sorted(RULES.glob("*.md"))


def _name(case: Case) -> str:
    return f"{case.section} {case.system} {case.players}: {case.says}"


@pytest.mark.parametrize("case", [*CASES, *COUSINS], ids=_name)
def test_both_readings_say_what_the_sentence_says(case: Case) -> None:
    assert {found for found in naive.actions(case.position()) if found.card == case.card} == case.found()
    assert {found for found in by_engine(case.position()) if found.card == case.card} == case.found()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=str)
def test_the_page_of_a_system_names_its_sources(system: RuleSystem) -> None:
    page = " ".join((RULES / f"{system.id}.md").read_text(encoding="utf-8").split())
    assert [source for source in system.sources if source not in page] == []


@pytest.mark.parametrize("rule", Options.names())
def test_house_rules_are_in_reference_and_rules_page(rule: str) -> None:
    assert any(rule == word.partition("=")[0] for _system, _players, house in HOUSES for word in house.split())
    assert f"`{rule}`" in (RULES / "index.md").read_text(encoding="utf-8")
