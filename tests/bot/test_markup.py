"""Names from people: on one line, in their own order, without towers of marks, whatever they are made of."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.texts.markup import MARKS_IN_A_ROW, plain, safe

NASTY = st.text(st.characters() | st.sampled_from("\u202e\u2066\u200f\u0489\u0301\u0336\n\t\u200b*_`[]()<>@#:/"))


@given(NASTY)
def test_a_name_keeps_its_line_and_its_order(text: str) -> None:
    found = plain(text)
    assert "\n" not in found
    assert found == plain(found)
    assert not any(
        unicodedata.bidirectional(one) in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
        for one in found
    )
    row = 0
    for one in found:
        row = row + 1 if unicodedata.category(one) in ("Mn", "Me") and one != "\ufe0f" else 0
        assert row <= MARKS_IN_A_ROW


@given(NASTY)
def test_a_name_neither_mentions_nor_links(text: str) -> None:
    found = safe(plain(text))
    assert "<" not in found
    assert "://" not in found
    assert "@everyone" not in found
    assert "@here" not in found


@pytest.mark.parametrize("name", ["Zoë", "José", "李雷", "محمد", "👩\u200d👩\u200d👧", "❤\ufe0f", "O'Neil-Smith 3rd"])
def test_names_that_people_have_stay_as_they_are(name: str) -> None:
    assert plain(name) == name
