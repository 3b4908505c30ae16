"""The path down to one action: questions, skipped ones, sevens in any order."""

from __future__ import annotations

import random

import pytest

from bot.choosing import Asks, Decided, NoSuchPath, Question, choose
from engine import Action, Game
from tests.engine.staging import KINDS, course


def actions(*texts: str) -> list[Action]:
    return [Action.parse(text) for text in texts]


def ask(step: Question | Decided) -> Question:
    assert isinstance(step, Question)
    return step


def test_a_lone_card_is_not_asked_for() -> None:
    legal = actions("5 12>17")
    assert choose(legal) == Decided(legal[0], ())
    question = ask(choose(actions("5 12>17", "5 20>25")))
    assert question.asks is Asks.MOVE
    assert question.card == "5"


def test_which_piece_and_where_to_are_one_question() -> None:
    legal = actions("5 12>17", "5 20>25", "A 12>13", "A 12>23", "A ->1")
    question = ask(choose(legal, [1]))
    assert question.asks is Asks.MOVE
    assert [str(answer.value) for answer in question.answers] == ["12>13", "12>23", "->1"]
    assert choose(legal, [1, 2]) == Decided(legal[4], (1, 2))


def test_steps_with_one_answer_are_skipped() -> None:
    legal = actions("5 12>17", "5 20>25", "A ->1")
    assert ask(choose(legal)).asks is Asks.CARD
    assert choose(legal, [0, 1]) == Decided(legal[1], (0, 1))
    assert choose(legal, [1]) == Decided(legal[2], (1,))


def test_a_joker_asks_what_it_stands_for() -> None:
    legal = actions("X:5 12>17", "X:6 12>18", "X:A ->1")
    question = ask(choose(legal))
    assert question.asks is Asks.NAMED
    assert [answer.value for answer in question.answers] == ["5", "6", "A"]
    assert choose(legal, [2]) == Decided(legal[2], (2,))


def test_a_seven_may_begin_with_any_part() -> None:
    legal = actions("7 12>19", "7 20>27", "7 12>15 20>24", "7 12>16 20>23")
    question = ask(choose(legal))
    assert question.asks is Asks.MOVE
    parts = [str(answer.value) for answer in question.answers]
    assert sorted(parts) == ["12>15", "12>16", "12>19", "20>23", "20>24", "20>27"]
    for first in ("12>15", "20>24"):
        assert choose(legal, [parts.index(first)]) == Decided(legal[2], (parts.index(first),))


def test_when_the_order_matters_it_is_asked() -> None:
    legal = actions("7 12>15 14>18", "7 14>18 12>15")
    question = ask(choose(legal, [0]))
    assert question.asks is Asks.ORDER
    assert choose(legal, [0, 1]) == Decided(legal[1], (0, 1))


def test_a_seven_that_may_lapse_asks_whether_to_go_on() -> None:
    legal = actions("7 60>b", "7 60>b 2.20>25", "7 60>b 2.21>26")
    first = ask(choose(legal))
    index = [str(answer.value) for answer in first.answers].index("60>b")
    question = ask(choose(legal, [index]))
    assert question.asks is Asks.MOVE
    assert [str(answer.value) for answer in question.answers] == ["None", "2.20>25", "2.21>26"]
    assert choose(legal, [index, 0]) == Decided(legal[0], (index, 0))
    assert choose(legal, [index, 1]) == Decided(legal[1], (index, 1))


def test_different_kinds_are_asked_first() -> None:
    legal = actions("ask K", "ask 5", "none")
    question = ask(choose(legal))
    assert question.asks is Asks.WHAT
    none = [str(answer.value) for answer in question.answers].index("none")
    assert choose(legal, [none]) == Decided(legal[2], (none,))


@pytest.mark.parametrize("path", [[7], [0, 0], [-1]])
def test_a_path_that_leads_nowhere_is_refused(path: list[int]) -> None:
    with pytest.raises(NoSuchPath):
        choose(actions("5 12>17", "5 20>25"), path)


def test_nothing_to_choose_is_refused() -> None:
    with pytest.raises(NoSuchPath):
        choose([])


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_every_legal_action_can_be_reached_and_nothing_else(system: str, players: int) -> None:
    """Over random games: the leaves of the tree are the legal actions, and no question is too long for its menus."""
    rng = random.Random(players)
    for game in course(Game.new(system, players, rng.randbytes(32)), rng, 60):
        legal = game.legal(game.to_act[0]) if game.to_act else ()
        if 0 < len(legal) <= 400:
            assert set(_leaves(legal)) == set(legal)


def _leaves(legal: tuple[Action, ...], path: tuple[int, ...] = ()) -> list[Action]:
    step = choose(legal, path)
    if isinstance(step, Decided):
        return [step.action]
    assert 1 <= len(step.answers) <= 100
    return [leaf for index in range(len(step.answers)) for leaf in _leaves(legal, (*path, index))]
