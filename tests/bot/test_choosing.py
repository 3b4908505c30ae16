"""The path down to one action: questions, skipped ones, sevens in any order."""

import random
from dataclasses import replace

import pytest

from bot.choosing import Asks, Decided, NoSuchPath, Offered, Question, choose, list_offered, path_to
from engine import Action, Game, SeatGame
from engine.rules.cards import Out
from tests.engine.staging import KINDS, course, crowded, staged


def actions(*texts: str) -> list[Action]:
    return [Action.parse(text) for text in texts]


def ask(step: Question | Decided) -> Question:
    assert isinstance(step, Question)
    return step


def decided(action: Action, *path: int) -> Decided:
    return Decided(action, action, path)


def test_a_lone_card_is_not_asked_for() -> None:
    legal = actions("5 12>17")
    assert choose(legal) == decided(legal[0])
    question = ask(choose(actions("5 12>17", "5 20>25")))
    assert question.asks is Asks.MOVE
    assert question.card == "5"


def test_which_piece_and_where_to_are_one_question() -> None:
    legal = actions("5 12>17", "5 20>25", "A 12>13", "A 12>23", "A ->1")
    question = ask(choose(legal, [1]))
    assert question.asks is Asks.MOVE
    assert [str(answer.value) for answer in question.answers] == ["12>13", "12>23", "->1"]
    assert choose(legal, [1, 2]) == decided(legal[4], 1, 2)


def test_steps_with_one_answer_are_skipped() -> None:
    legal = actions("5 12>17", "5 20>25", "A ->1")
    assert ask(choose(legal)).asks is Asks.CARD
    assert choose(legal, [0, 1]) == decided(legal[1], 0, 1)
    assert choose(legal, [1]) == decided(legal[2], 1)


def test_a_joker_asks_what_it_stands_for() -> None:
    legal = actions("X:5 12>17", "X:6 12>18", "X:A ->1")
    question = ask(choose(legal))
    assert question.asks is Asks.NAMED
    assert [answer.value for answer in question.answers] == ["5", "6", "A"]
    assert choose(legal, [2]) == decided(legal[2], 2)


def test_seven_asks_for_piece_and_steps_in_turn() -> None:
    legal = actions("7 12>19", "7 20>27", "7 12>15 20>24", "7 12>16 20>23", "7 12>15 30>34", "7 12>15 20>22 30>32")
    question = ask(choose(legal))
    assert (question.asks, [answer.value for answer in question.answers]) == (
        Asks.PIECE,
        [(None, "12"), (None, "20"), (None, "30")],
    )
    steps = ask(choose(legal, [0]))
    assert (steps.asks, steps.piece) == (Asks.MOVE, (None, "12"))
    assert [str(answer.value) for answer in steps.answers] == ["12>19", "12>15", "12>16"]
    assert choose(legal, [0, 2]) == decided(legal[3], 0, 2)
    further = ask(choose(legal, [0, 1]))
    assert (further.asks, [str(part) for part in further.chosen]) == (Asks.PIECE, ["12>15"])
    assert [answer.value for answer in further.answers] == [(None, "20"), (None, "30")]
    assert choose(legal, [0, 1, 0, 0]) == decided(legal[2], 0, 1, 0, 0)


def test_a_seven_may_begin_with_any_part() -> None:
    legal = actions("7 12>19", "7 12>15 20>24", "7 12>16 20>23")
    assert choose(legal, [1, 0]) == decided(legal[1], 1, 0)


def test_order_of_a_seven_is_asked_if_needed() -> None:
    legal = actions("7 12>15 14>18", "7 14>18 12>15")
    assert choose(legal, [0]) == decided(legal[0], 0)
    assert choose(legal, [1]) == decided(legal[1], 1)
    three = actions("7 1>3 2>4 5>8", "7 2>4 1>3 5>8")
    assert ask(choose(three, [2, 0])).asks is Asks.ORDER
    assert choose(three, [2, 0, 1]) == decided(three[1], 2, 0, 1)


def test_seven_that_may_lapse_asks_before_stopping() -> None:
    legal = actions("7 60>b", "7 60>b 2.20>25", "7 60>b 2.21>26")
    question = ask(choose(legal, [0]))
    assert question.asks is Asks.PIECE
    assert [answer.value for answer in question.answers] == [None, (2, "20"), (2, "21")]
    assert choose(legal, [0, 0]) == decided(legal[0], 0, 0)
    assert choose(legal, [0, 1]) == decided(legal[1], 0, 1)


def test_piece_comes_first_where_many_can_move() -> None:
    legal = actions(*(f"1-7 {origin}>{origin + steps}" for origin in (10, 20) for steps in range(1, 8)))
    assert ask(choose(legal)).asks is Asks.PIECE
    assert choose(legal, [1, 2]) == decided(legal[9], 1, 2)
    swaps = actions(*(f"J {origin}<>1.{other}" for origin in (10, 20) for other in range(30, 40)))
    assert ask(choose(swaps)).asks is Asks.MOVE


def test_equal_actions_are_offered_under_every_name() -> None:
    game = staged("classic", 4, hands={0: "X 5", 1: "2"}, pieces={0: "12"})
    found = list_offered(SeatGame(game, 0))
    out = [action for action in found if [str(part) for part in action.parts] == ["->1"]]
    assert sorted(str(action) for action in out) == ["X:A ->1", "X:K ->1"]
    assert len({found[action] for action in out}) == 1
    assert set(found.values()) == set(game.legal(0))
    question = choose(found, [0])
    assert isinstance(question, Question)
    king = next(number for number, answer in enumerate(question.answers) if answer.value == "K")
    ways = ask(choose(found, [0, king]))
    index = next(number for number, answer in enumerate(ways.answers) if str(answer.value) == "->1")
    end = choose(found, [0, king, index])
    assert isinstance(end, Decided)
    assert str(end.chosen_as) == "X:K ->1"
    assert end.action in game.legal(0)


def test_different_kinds_are_asked_first() -> None:
    legal = actions("ask K", "ask 5", "none")
    question = ask(choose(legal))
    assert question.asks is Asks.WHAT
    none = [str(answer.value) for answer in question.answers].index("none")
    assert choose(legal, [none]) == decided(legal[2], none)


@pytest.mark.parametrize("path", [[7], [0, 0], [-1]])
def test_a_path_that_leads_nowhere_is_refused(path: list[int]) -> None:
    with pytest.raises(NoSuchPath):
        choose(actions("5 12>17", "5 20>25"), path)


def test_nothing_to_choose_is_refused() -> None:
    with pytest.raises(NoSuchPath):
        choose([])


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_exactly_the_legal_actions_can_be_reached(system: str, players: int) -> None:
    """Over random games, under every name: the leaves of the tree are the legal actions, and paths lead to them."""
    rng = random.Random(players)
    for game in course(Game.new(system, players, rng.randbytes(32)), rng, 30):
        seat = game.to_act[0] if game.to_act else 0
        legal, found = game.legal(seat), list_offered(SeatGame(game, seat))
        if 0 < len(legal) <= 400:
            assert {found[action] for action in _leaves(found)} == set(legal)
            assert all(found[action] == action for action in legal)
            for name in (card.id for card in game.system.cards.values() if Out() in card.powers):
                # Whoever looks for a way out finds it under every card that is one.
                outs = [one for one in legal if one.named and one.parts and one.parts[0].origin.endswith("-")]
                wild = [one for one in outs if game.system.cards[one.card or ""].wild]
                assert all(replace(one, named=name) in found for one in wild)
            for action in rng.sample(legal, min(5, len(legal))):
                step = choose(found, path_to(found, action))
                assert isinstance(step, Decided)
                assert step.action == action


def test_ways_too_many_to_list_are_chosen_part_by_part() -> None:
    game = SeatGame(crowded("X"), 0)
    found, action = list_offered(game), Action.parse("X:7 4.70>71 9>11 3>7")
    end = choose(found, path_to(found, action))
    assert isinstance(end, Decided)
    assert game.preview(end.action).placement == game.preview(action).placement
    assert [*end.chosen_as.parts] == [*action.parts]
    with pytest.raises(NoSuchPath):
        path_to(found, Action.parse("X:7 4.70>71 9>17"))


def _leaves(legal: Offered, path: tuple[int, ...] = ()) -> list[Action]:
    step = choose(legal, path)
    if isinstance(step, Decided):
        return [step.chosen_as]
    assert 1 <= len(step.answers) <= 100
    return [leaf for index in range(len(step.answers)) for leaf in _leaves(legal, (*path, index))]
