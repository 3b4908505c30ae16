"""Stored games go on after every change of the engine: the same log, the same events, the same cards."""

import json

import pytest

from tests.reference.logs import GOLDEN, digest, replayed

STORED = json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", STORED)
def test_stored_log_leads_where_it_led(name: str) -> None:
    assert digest(replayed(STORED[name])) == STORED[name]["came_of_it"]
