"""Turns: events, refusals and views, besides what the reference and its referee compare (sections 4 and 8 to 12)."""

from collections import Counter

import pytest

from engine import (
    EventKind,
    Game,
    GameOver,
    MustPlay,
    NoSuchCard,
    NotLegal,
    NotYourTurn,
    Options,
    Phase,
    StepKind,
    Teams,
    WrongKind,
)
from tests.engine.staging import SEED, all_cards, hand, past_exchange, staged, texts

# -- must play (section 4.1)


def test_playable_card_must_be_played() -> None:
    game = staged("classic", 4, hands={0: "2 9 K", 1: "2"}, pieces={0: "a 20 c d"})
    assert "fold" not in texts(game, 0)
    with pytest.raises(MustPlay) as refused:
        game.play(0, "fold")
    assert refused.value.cards == ("2", "9", "K")


def test_sevens_order_can_be_told_either_way() -> None:
    game = staged("classic", 4, hands={0: "7", 1: "2"}, pieces={0: "20 40"})
    assert game.play(0, "7 20>23 40>44").view().pieces == game.play(0, "7 40>44 20>23").view().pieces


# -- nothing to play (section 9)


def test_team_player_shows_lays_down_and_is_out() -> None:
    game = staged("classic", 4, hands={0: "9 5 5", 1: "2 3"}, pieces={1: "20"})
    assert texts(game, 0) == {"fold"}
    after = game.play(0, "fold")
    (event,) = after.history(1)[0].events
    assert (event.kind, event.cards) == (EventKind.FOLDED, ("5", "5", "9"))
    assert after.view().out == {0}
    assert after.view().hands[0] == 0
    after = after.play(1, "2 20>22")
    assert after.to_act == (1,), "whoever is out is passed over"


@pytest.mark.parametrize(("players", "following"), [(2, 2), (3, 1), (5, 1)])
def test_alone_one_card_is_discarded_and_one_drawn(players: int, following: int) -> None:
    hands = {0: "8 9", following: "2"}
    game = staged("royal-basic", players, hands=hands, pieces={0: "- - - -"}, next_cards="13 6")
    assert (game.phase, texts(game, 0)) == (Phase.REDRAW, {"discard 8", "discard 9"})
    after = game.play(0, "discard 8")
    assert hand(after, 0) == ["13", "9"]
    assert [(event.kind, event.card, event.count) for event in after.history(1)[0].events] == [
        (EventKind.DISCARDED, "8", 0),
        (EventKind.DREW, None, 1),
    ]
    assert after.phase is Phase.TURN
    assert texts(after, 0) == {"13 ->1"}, "an action that is possible now must be played"


def test_empty_draw_pile_shuffles_the_discards() -> None:
    game = staged("royal-basic", 2, hands={0: "8 9", 2: "2"}, deck=0)
    after = game.play(0, "discard 8")
    assert [event.kind for event in after.history(1)[0].events] == [
        EventKind.DISCARDED,
        EventKind.SHUFFLED,
        EventKind.DREW,
    ]
    assert (after.view().deck, after.view().discards) == (110 - 3, ())
    assert all_cards(after) == Counter(after.board.deck)


def test_played_card_is_redrawn_if_all_are_held() -> None:
    game = staged("royal", 4, hands={0: "2", 2: "3"}, pieces={0: "N9"})
    cards = game._state.cards
    cards.hands[2] += [*cards.deck, *cards.discards]
    cards.deck, cards.discards = [], []
    after = game.play(0, "2 9>11")
    assert (hand(after, 0), after.view().deck, after.view().discards) == (["2"], 0, ())


# -- helping and winning (section 10)


def test_team_wins_when_all_eight_are_in() -> None:
    game = staged("classic", 4, hands={0: "3 3", 1: "5", 2: "9"}, pieces={0: "63 b c d", 2: "a b c d"})
    after = game.play(0, "3 63>a")
    assert (after.winners, after.phase, after.to_act) == ((0, 2), Phase.END, ())
    assert after.history(1)[0].events[-1].kind is EventKind.WON
    assert after.view().hands == {0: 1, 1: 1, 2: 1, 3: 0}, "over at once, with cards in hand"
    with pytest.raises(GameOver) as refused:
        after.play(1, "fold")
    assert refused.value.winners == (0, 2)


def test_a_team_of_three_wins_with_all_twelve() -> None:
    pieces = {0: "a b c d", 2: "a b c d", 4: "63 b c d"}
    game = staged("swiss", 6, hands={0: "3", 1: "2"}, pieces=pieces, options=Options(teams=Teams.TWO))
    assert (game.view().finished, texts(game, 0)) == ({0, 2}, {"3 4.63>66", "3 4.63>a"})
    assert game.play(0, "3 4.63>a").winners == (0, 2, 4)
    pieces[2] = "b c d"
    game = staged("swiss", 6, hands={0: "3", 1: "2"}, pieces=pieces, options=Options(teams=Teams.TWO))
    assert game.play(0, "3 4.63>a").winners == ()


# -- cards that act on others (cousins)


def test_ten_costs_the_next_opponent_a_seeded_card() -> None:
    game = staged("tock", 4, hands={0: "10", 2: "3", 3: "9 8"}, pieces={2: "40", 3: "50"})
    assert texts(game, 0) == {"10 robs 3"}, "nobody else holds cards but the partner; and it must be played"
    after = game.play(0, "10 robs 3")
    (lost,) = (event for event in after.history(1)[0].events if event.kind is EventKind.LOST)
    assert (lost.seat, after.view().discards[-1]) == (3, lost.card)
    assert hand(after, 3) == sorted({"9", "8"} - {lost.card})
    assert after.view() == game.play(0, "10 robs 3").view()
    assert after.to_act == (2,)


def test_in_the_complex_game_the_victim_chooses() -> None:
    game = staged("jackaroo", 4, hands={0: "10", 1: "9 8", 2: "3"}, pieces={1: "40"}, options=Options(complex=True))
    game = game.play(0, "10 robs 1")
    assert (game.phase, game.to_act, texts(game, 1)) == (Phase.LOSE, (1,), {"discard 8", "discard 9"})
    game = game.play(1, "discard 9")
    assert (game.view().discards[-1], hand(game, 1), game.to_act) == ("9", ["8"], (1,))


def test_house_rule_lets_the_stuck_discard_one() -> None:
    game = staged("tock", 4, hands={0: "9 8", 1: "2"}, pieces={1: "30"}, options=Options(stuck_discard_one=True))
    assert texts(game, 0) == {"discard 9", "discard 8"}
    game = game.play(0, "discard 9").play(1, "2 30>32")
    assert (game.to_act, hand(game, 0), game.view().out) == ((0,), ["8"], frozenset())


# -- special spaces, jumps (section 12)


def test_citizen_may_move_on_after_the_draw() -> None:
    game = staged("royal", 4, hands={0: "2", 1: "2"}, pieces={0: "C9", 1: "K27"}, next_cards="13 6")
    after = game.play(0, "2 9>11")
    assert (after.phase, after.to_act, texts(after, 0)) == (Phase.JUMP, (0,), {"jump", "stay"})
    assert hand(after, 0) == ["13"], "the card is seen before the choice"
    jumped = after.play(0, "jump")
    assert jumped.view().pieces[0][2] == "C43", "the next that nobody stands on"
    assert hand(jumped, 0) == ["13"], "the second landing draws no card"
    assert jumped.to_act == (1,)
    (event,) = jumped.history(2)[0].events
    assert (event.kind, event.steps[0].kind) == (EventKind.JUMPED, StepKind.JUMP)
    stayed = after.play(0, "stay")
    assert (stayed.view().pieces[0][2], stayed.to_act) == ("C11", (1,))


# -- whose turn


def test_refusals_say_what_an_answer_needs() -> None:
    game = staged("classic", 4, hands={0: "2 Q", 1: "3"}, pieces={0: "20", 1: "30"})
    with pytest.raises(NotYourTurn) as turn:
        game.play(1, "3 30>33")
    assert (turn.value.seat, turn.value.to_act) == (1, (0,))
    with pytest.raises(NoSuchCard) as card:
        game.play(0, "9 20>29")
    assert (card.value.card, sorted(card.value.hand)) == ("9", ["2", "Q"])
    with pytest.raises(WrongKind) as kind:
        game.play(0, "give 2")
    assert (kind.value.kind, kind.value.phase, kind.value.wanted) == ("give", "turn", ("play",))
    with pytest.raises(NotLegal) as move:
        game.play(0, "2 20>23")
    assert move.value.action == "2 20>23"


@pytest.mark.parametrize(
    ("system", "pieces", "card", "reasons"),
    [
        ("classic", {}, "5", ["in_kennel side=0"]),
        ("classic", {}, "7", ["in_kennel side=0"]),
        ("classic", {0: "12", 1: "17"}, "5", ["protected side=0 place=12 by=1 on=17"]),
        ("classic", {0: "13", 1: "17"}, "5", ["blocked side=0 place=13 by=1 on=17"]),
        ("classic", {0: "a c"}, "2", ["lane_occupied side=0 place=a on=c", "lane_overrun side=0 place=c steps=2"]),
        ("classic", {0: "c"}, "4", ["lane_overrun side=0 place=c steps=4", "not_back side=0 place=c"]),
        ("classic", {0: "d"}, "7", ["not_in_full points=7"]),
        ("classic", {1: "20"}, "J", ["no_own_swap side=0"]),
        ("classic", {0: "20"}, "J", ["nothing_to_swap"]),
        ("royal", {0: "J12", 1: "K14"}, "5", ["rank_higher side=0 place=12 by=1 on=14 rank=K"]),
        ("royal", {0: "N12", 1: "K18"}, "6", ["royal side=0 place=12 by=1 on=18 rank=K"]),
        ("royal", {0: "K12"}, "8", ["too_long side=0 place=12 rank=K steps=8"]),
        ("royal", {0: "J12"}, "magnet", ["nobody_ahead side=0 place=12"]),
        ("royal", {}, "magnet", ["in_kennel side=0"]),
        ("royal", {0: "J12"}, "=", ["nothing_to_copy"]),
        ("tock", {0: "1"}, "5", ["nobody_to_push"]),
        ("tock", {1: "19"}, "5", ["not_moved side=1 place=19"]),
        ("tock", {0: "70"}, "8", ["no_lap side=0 place=70 steps=8"]),
        ("tock", {}, "10", ["in_kennel side=0", "nobody_to_rob"]),
        ("jackaroo", {0: "72 74"}, "6", ["own_passed side=0 place=72 on=74", "no_lap side=0 place=74 steps=6"]),
        ("jackaroo", {0: "22", 1: "24", 2: "25"}, "5", ["pair_passed side=0 place=22 on=24"]),
    ],
)
def test_obstacles_are_named_for_what_they_are(
    system: str, pieces: dict[int, str], card: str, reasons: list[str]
) -> None:
    game = staged(system, 4, hands={0: card}, pieces=pieces)
    assert [str(reason) for reason in game.why_not(0, card)] == reasons


# -- numbers and decisions


def test_a_decision_stands_while_others_give_their_cards() -> None:
    game = Game.new("classic", 4, SEED)
    assert [game.decision(seat) for seat in game.seats] == [0, 0, 0, 0]
    game = game.play(1, game.legal(1)[0])
    assert [game.decision(seat) for seat in game.seats] == [0, None, 0, 0]
    game = past_exchange(game)
    assert game.number == 4
    assert [game.decision(seat) for seat in game.seats if seat in game.to_act] == [4]


def test_redraw_and_jump_are_separate_decisions() -> None:
    game = staged("royal", 2, hands={0: "8 9", 2: "2"}, next_cards="6")
    assert game.play(0, "discard 8").decision(0) == 1
    game = staged("royal", 4, hands={0: "2", 1: "2"}, pieces={0: "C9"})
    assert game.play(0, "2 9>11").decision(0) == 1
