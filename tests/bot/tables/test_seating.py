"""Who may sit where, as plain functions; and the codes of games."""

import random

import pytest

from bot.errors import AlreadySeated, NotAtTable, Problem, SeatTaken
from bot.occupants import Occupant, Person, StandInReason
from bot.tables import seating
from bot.tables.codes import ANIMALS, draw_code, read_code
from tests.bot.gaming import raises

FOUR = (0, 1, 2, 3)
ANN, BEN, CAT, DAN, EVE = (Person(number, name) for number, name in enumerate(["Ann", "Ben", "Cat", "Dan", "Eve"], 1))
A, B, C, D = (Occupant(person.name, user_id=person.id) for person in (ANN, BEN, CAT, DAN))
REX = Occupant("Rex", computer="heuristic")


def test_people_take_the_first_free_or_named_seat() -> None:
    people = seating.join(seating.join({}, FOUR, ANN), FOUR, BEN, 3)
    assert people == {0: A, 3: B}
    assert seating.join(people, FOUR, CAT) == {0: A, 3: B, 1: C}


def test_computer_yields_when_full_or_named() -> None:
    assert seating.join({0: REX, 1: B}, FOUR, ANN) == {0: REX, 1: B, 2: A}
    assert seating.join({0: REX, 1: B}, FOUR, ANN, 0) == {0: A, 1: B}
    assert seating.join({0: B, 1: C, 2: REX, 3: D}, FOUR, ANN) == {0: B, 1: C, 2: A, 3: D}


def test_joining_is_refused_with_the_reason() -> None:
    with pytest.raises(AlreadySeated) as seated:
        seating.join({2: A}, FOUR, ANN, 3)
    assert seated.value.seat == 2
    with pytest.raises(SeatTaken) as taken:
        seating.join({2: B}, FOUR, ANN, 2)
    assert (taken.value.seat, taken.value.user_id) == (2, BEN.id)
    with raises(Problem.NO_SUCH_SEAT):
        seating.join({}, (0, 2), ANN, 1)
    with raises(Problem.TABLE_FULL):
        seating.join({0: A, 1: B, 2: C, 3: D}, FOUR, EVE)


def test_moving_changes_places_with_a_computer() -> None:
    assert seating.move({0: A, 1: REX}, FOUR, ANN.id, 1) == {1: A, 0: REX}
    assert seating.move({0: A}, FOUR, ANN.id, 3) == {3: A}
    people = {0: A}
    assert seating.move(people, FOUR, ANN.id, 0) is people
    with pytest.raises(SeatTaken):
        seating.move({0: A, 1: B}, FOUR, ANN.id, 1)
    with pytest.raises(NotAtTable):
        seating.move({0: A}, FOUR, BEN.id, 1)


def test_computers_come_and_go() -> None:
    people = seating.add_computer({0: A}, FOUR, "heuristic")
    people = seating.add_computer(people, FOUR, "random", 3)
    assert people[1].computer == "heuristic"
    assert people[3].computer == "random"
    assert people[1].name != people[3].name
    assert set(seating.remove_computer(people, 3)) == {0, 1}
    with raises(Problem.NO_COMPUTER):
        seating.remove_computer({0: A}, 0)
    with pytest.raises(SeatTaken):
        seating.add_computer({0: A}, FOUR, "heuristic", 0)
    with raises(Problem.TABLE_FULL):
        seating.add_computer({0: A, 1: B, 2: C, 3: REX}, FOUR, "heuristic")


def test_six_computers_have_six_names() -> None:
    six = tuple(range(6))
    people: seating.Seating = {}
    for _ in six:
        people = seating.add_computer(people, six, "heuristic")
    assert len({one.name for one in people.values()}) == 6


def test_seat_handed_to_a_computer_has_no_owner() -> None:
    people = seating.vacate({0: A, 1: B}, BEN.id, StandInReason.LEFT)
    assert (people[1].user_id, people[1].computer) == (None, "normal")
    assert people[1].offered, "another player may take over"


def test_stand_in_is_replaced_only_for_its_owner() -> None:
    for why in StandInReason:
        people = seating.stand_in({0: A, 1: B}, 1, why)
        assert (people[1].user_id, people[1].computer, people[1].why) == (BEN.id, "normal", why)
        assert people[1].offered is (why is StandInReason.LEFT_GUILD)
        assert people[0] == A
        if why is not StandInReason.LEFT_GUILD:
            with raises(Problem.SEAT_NOT_OPEN):
                seating.take_over(people, FOUR, EVE, 1)
        else:
            assert seating.take_over(people, FOUR, EVE, 1)[1] == Occupant("Eve", user_id=EVE.id)
        assert seating.give_back(people, 1) == {0: A, 1: B}


def test_codes_are_drawn_until_one_is_free() -> None:
    dice = random.Random(1)
    short = {f"{animal}-{number}" for animal in ANIMALS for number in range(1, 10)}
    assert draw_code((), dice) in short
    assert draw_code(short, dice) not in short


def test_codes_are_read_as_people_type_them() -> None:
    for text in ("FOX-7", "fox-7", " Fox 7 ", "fox7", "FOX-07"):
        assert read_code(text) == "FOX-7", text
    for text in ("", "7", "fox", "fox-7-8", "f-1", "FOX-7777777"):
        assert read_code(text) is None, text
    assert all(read_code(f"{animal}-12") == f"{animal}-12" for animal in ANIMALS)
