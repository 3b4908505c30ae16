"""Custom ids: a press comes back as it was sent, fits into Discord's 100 characters, and nonsense means nothing."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.moment import Moment
from bot.rights import RULES
from bot.showing import old_presses, presses
from bot.showing.press import LONGEST, MOST, Press
from bot.showing.presses import PRESSES, Absent, AnswerProposal, Go, PlayNow, ShowHistory, Undo, parse
from bot.table import ProposalKind
from bot.tables.absence import Remedy

NUMBERS = st.integers(0, 10**9)
MOMENTS = st.builds(Moment, st.integers(0, 50), st.integers(0, 99_999))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "decision": MOMENTS,
    "moment": MOMENTS,
    "point": MOMENTS,
    "remedy": st.sampled_from(Remedy),
    "kind": st.sampled_from(ProposalKind),
    "yes": st.booleans(),
    "free_seat": st.booleans(),
    "canadian": st.booleans(),
    "canadian_seven": st.booleans(),
    "hints": st.booleans(),
    "thread": st.booleans(),
    "path": st.lists(st.integers(0, 300), max_size=7).map(tuple),
    "page": st.none() | NUMBERS,
    "what": st.none() | NUMBERS,
}


@st.composite
def any_press(draw: st.DrawFn) -> Press:
    """A press of any kind."""
    kind = draw(st.sampled_from(sorted(PRESSES.values(), key=lambda one: one.verb)))
    values = {field.name: draw(VALUES.get(field.name, NUMBERS)) for field in fields(kind)}
    return kind(**values)


@given(any_press(), st.sampled_from(["", "0", "24"]))
def test_a_press_comes_back_as_it_was_sent(press: Press, tag: str) -> None:
    custom_id = press.custom_id(tag)
    assert len(custom_id) <= LONGEST
    assert parse(custom_id) == press
    assert old_presses.read(custom_id) is None, "no generation reads the other's"


def test_optional_numbers_may_be_left_out() -> None:
    for press in (
        Absent(5, Remedy.OFFER),
        Absent(5, Remedy.WAIT, 2),
        Absent(5, Remedy.WAIT, 2, Moment(1, 9)),
        ShowHistory(5),
    ):
        assert parse(press.custom_id()) == press


@given(st.text() | st.from_regex(r"dog2?:[a-z_]{1,22}:[0-9.:-]{1,90}(#.*)?", fullmatch=True))
def test_nonsense_means_nothing_or_something_harmless(text: str) -> None:
    for read in (parse, old_presses.read):
        press = read(text)
        if press is not None:
            assert type(press) in PRESSES.values()
            assert 0 <= press.table <= MOST


@pytest.mark.parametrize(
    "custom_id",
    [
        *("", "dog2", "dog2:hand", "dog2:hand:", "dog2:nothing:1", "dog2:hand:1.2", "dog2:play:", "dog2:why:1.2"),
        *(
            "dog2:hand:1-2",
            "dog2:play:1.2.3-4",
            "dog2:why:1.2.3-4",
            "dog2:go:1.2-",
            "dog2:go:1.2-3-4",
            "dog2:hand:1.-2",
        ),
        *("dog2:answer:1.9.5.1", "dog2:hand:-1", f"dog2:hand:{MOST + 1}", "dog2:hand:٣", "dog2:go:1.2." + "1." * 60),
        *("dog:nothing:1:2", "dog:hand:1", "dog:hand:x:1", "other:hand:1:2"),
    ],
)
def test_damaged_ids_are_not_ours(custom_id: str) -> None:
    assert parse(custom_id) is None
    assert old_presses.read(custom_id) is None


def test_everything_that_can_be_pressed_says_who_may() -> None:
    assert all(kind.deed in RULES for kind in PRESSES.values())
    assert len({kind.verb for kind in PRESSES.values()}) == len(PRESSES)


@pytest.mark.parametrize(
    ("old", "meant"),
    [
        ("dog:hand:7:31#0", presses.ShowHand(7)),
        ("dog:history:7:31#1", ShowHistory(7)),
        ("dog:history:7:31:4", ShowHistory(7, 4)),
        ("dog:agree:7:1700000000:1", AnswerProposal(7, ProposalKind.CONCEDE, 1_700_000_000, True)),
        ("dog:refuse:7:1700000000:0", AnswerProposal(7, ProposalKind.TAKEBACK, 1_700_000_000, False)),
        ("dog:absent_offer:7:12:3", Absent(7, Remedy.OFFER, 3, Moment(0, 12))),
        ("dog:absent_wait:7:0", Absent(7, Remedy.WAIT)),
        ("dog:take_over:7:31:2", presses.TakeOver(7, 2)),
        ("dog:again:7:0", presses.Rematch(7, True)),
        ("dog:seat:7:3#2", presses.TakeSeat(7)),
        ("dog:concede:7:30", presses.GiveUp(7, Moment(0, 31))),
    ],
)
def test_buttons_of_earlier_versions_are_understood(old: str, meant: Press) -> None:
    assert old_presses.read(old) == meant


@pytest.mark.parametrize("old", ["dog:go:7:12:0.1", "dog:why:7:12:3", "dog:play:7:12:0.1.0", "dog:undo:7:12"])
def test_steps_of_the_old_dialogue_play_nothing(old: str) -> None:
    press = old_presses.read(old)
    assert isinstance(press, Go | PlayNow | Undo)
    if isinstance(press, PlayNow):
        assert press.path == (MOST,), "no answer has this number"
    else:
        assert old_presses.NEVER in (getattr(press, "decision", None), getattr(press, "moment", None))


def test_two_counters_in_one_number_are_still_read() -> None:
    assert parse("dog2:play:7.2000017.0.3#1") == PlayNow(7, Moment(2, 17), (0, 3))
    assert parse("dog2:play:7.2-17.0.3#1") == PlayNow(7, Moment(2, 17), (0, 3))
    assert old_presses.read("dog:cancel_sure:7:3000005") == presses.CancelSure(7, Moment(3, 5))


@given(MOMENTS, MOMENTS)
def test_moments_are_texts_and_grow(one: Moment, other: Moment) -> None:
    assert Moment.parse(str(one)) == one
    assert (one < other) is ((one.takebacks, one.number) < (other.takebacks, other.number))
    assert str(one).isdecimal() is (one.takebacks == 0)


@pytest.mark.parametrize("text", ["", "-", "1-", "--1", "1-2-3", "x", "1.5"])
def test_what_is_no_moment_is_none(text: str) -> None:
    with pytest.raises(ValueError):
        Moment.parse(text)
