"""Custom ids: a press comes back as it was sent, fits into Discord's 100 characters, and nonsense means nothing."""

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.moment import Moment
from bot.proposal import ProposalKind
from bot.rights import Deed
from bot.showing.controls import Absent, ShowHistory
from bot.showing.cup_panels import PlanPart
from bot.showing.lessons import Book
from bot.showing.presses import LONGEST, MOST, PRESSES, Press, parse
from bot.showing.terms import OpenTable, TermsPart
from bot.table import Terms
from bot.tables.absence import Remedy
from cogs import COGS
from engine import Options, Teams

NUMBERS = st.integers(0, 10**9)
PATHS = st.lists(st.integers(0, 300), max_size=7).map(tuple)
MOMENTS = st.builds(Moment, st.integers(0, 50), st.integers(0, 99_999))
_BY_TYPE: dict[str, st.SearchStrategy[Any]] = {"tuple[int, ...]": PATHS, "bool": st.booleans()}
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "decision": MOMENTS,
    "moment": MOMENTS,
    "point": MOMENTS,
    "remedy": st.sampled_from(Remedy),
    "kind": st.sampled_from(ProposalKind),
    "part": st.sampled_from(TermsPart),
    "topic": st.sampled_from(PlanPart),
    "book": st.sampled_from(Book),
    "what": st.none() | NUMBERS,
}


@st.composite
def any_press(draw: st.DrawFn) -> Press:
    """A press of any kind."""
    kind = draw(st.sampled_from(sorted(PRESSES.values(), key=lambda one: one.verb)))
    values = {
        field.name: draw(_BY_TYPE.get(str(field.type), VALUES.get(field.name, NUMBERS))) for field in fields(kind)
    }
    return kind(**values)


@given(any_press(), st.sampled_from(["", "0", "24"]))
def test_a_press_comes_back_as_it_was_sent(press: Press, tag: str) -> None:
    custom_id = press.custom_id(tag)
    assert len(custom_id) <= LONGEST
    assert parse(custom_id) == press


def test_optional_numbers_may_be_left_out() -> None:
    for press in (
        Absent(5, Remedy.OFFER),
        Absent(5, Remedy.WAIT, 0, 2),
        Absent(5, Remedy.WAIT, 1, 2, Moment(1, 9)),
        ShowHistory(5),
    ):
        assert parse(press.custom_id()) == press


@given(st.text() | st.from_regex(r"dog:[a-z_]{1,22}:[0-9.:-]{1,90}(#.*)?", fullmatch=True))
def test_nonsense_means_nothing_or_something_harmless(text: str) -> None:
    press = parse(text)
    if press is not None:
        assert type(press) in PRESSES.values()
        assert 0 <= press.table <= MOST


@pytest.mark.parametrize(
    "custom_id",
    [
        *("", "dog", "dog:hand", "dog:hand:", "dog:nothing:1", "dog:hand:1.2", "dog:play:", "dog:why:1.2.3"),
        *("dog:hand:1-2", "dog:play:1.2.3-4", "dog:why:1.2.3-4", "dog:go:1.2-", "dog:go:1.2-3-4", "dog:hand:1.-2"),
        *("dog:answer:1.9.5.1", "dog:hand:-1", f"dog:hand:{MOST + 1}", "dog:hand:٣", "dog:go:1.2." + "1." * 60),
        *("dog2:hand:1", "dog:hand:x", "other:hand:1"),
    ],
)
def test_damaged_ids_are_not_ours(custom_id: str) -> None:
    assert parse(custom_id) is None


def test_everything_that_can_be_pressed_says_who_may() -> None:
    assert COGS, "with the cogs, all presses are known"
    assert all(kind.deed in Deed for kind in PRESSES.values())
    assert all(kind.verb == verb for verb, kind in PRESSES.items())


@given(MOMENTS, MOMENTS)
def test_moments_are_texts_and_grow(one: Moment, other: Moment) -> None:
    assert Moment.parse(str(one)) == one
    assert (one < other) is ((one.takebacks, one.number) < (other.takebacks, other.number))
    assert str(one).isdecimal() is (one.takebacks == 0)


@pytest.mark.parametrize("text", ["", "-", "1-", "--1", "1-2-3", "x", "1.5"])
def test_what_is_no_moment_is_none(text: str) -> None:
    with pytest.raises(ValueError):
        Moment.parse(text)


@pytest.mark.parametrize("pace", ["live", "daily-w", "9h", "9h+3d", "48h+3d-w"])
def test_terms_survive_a_button(pace: str) -> None:
    house = Options(canadian_seven=True, teams=Teams.ALONE)
    plain = {"talk": False, "by_hand": True, "rated": False, "admits": 77}
    terms = Terms("swiss", 6, house, pace, "de", "felt", hints=True, **plain)
    for meant in (terms, replace(terms, admits=0), replace(terms, admits=None)):
        press = parse(OpenTable.of(meant, thread=True).custom_id())
        assert isinstance(press, OpenTable)
        assert press.terms(Terms(theme="felt")) == meant
