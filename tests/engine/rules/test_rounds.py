"""Deals and exchanges: what `tests/reference/referee.py`, which follows whole games, does not look at (section 3)."""

from collections import Counter

import pytest

from engine import (
    ROYAL,
    SYSTEMS,
    EventKind,
    Game,
    Options,
    WhyNot,
    board_for,
    why_refused,
)
from tests.engine.staging import KINDS, SEED, all_cards, hand, staged, texts


def seeds(count: int) -> list[bytes]:
    return [number.to_bytes(32, "big") for number in range(count)]


def test_royal_and_the_cousins_but_swiss_go_clockwise() -> None:
    clockwise = {name for name, system in SYSTEMS.items() if system.clockwise}
    assert clockwise == {"royal-basic", "royal", "keezen", "tock", "jackaroo"}


def test_the_jokers_of_each_deck() -> None:
    decks = {name: board_for(name, system.players[-1]).deck for name, system in SYSTEMS.items()}
    assert {name: deck["X"] for name, deck in decks.items() if "X" in deck} == {
        "classic": 6,
        "family": 8,
        "dobney": 4,
        "swiss": 9,
    }


def test_the_royal_deck() -> None:
    deck = dict(board_for("royal", 4).deck)
    assert (deck.pop("1/11"), deck.pop("13"), deck.pop("magnet")) == (10, 10, 6)
    assert set(deck.values()) == {7}
    assert len(ROYAL) == 15


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_the_first_seat_is_drawn_at_random(system: str, players: int) -> None:
    starters = Counter(Game.new(system, players, seed).view().starter for seed in seeds(120))
    assert set(starters) == set(board_for(system, players).seats)
    assert max(starters.values()) < 3 * 120 / players


def test_deal_continues_with_the_discards_as_new_pile() -> None:
    game = staged("classic", 4, hands={0: "2"}, pieces={0: "20"}, deck=7)
    lying = game.view().discards
    assert len(lying) == 110 - 8
    after = game.play(0, "2 20>22")
    assert after.round == 2
    assert set(after.view().hands.values()) == {5}
    assert (after.view().deck, after.view().discards) == (110 - 20, ())
    assert [event.kind for event in after.history(1)[0].events] == [
        EventKind.PLAYED,
        EventKind.ROUND_OVER,
        EventKind.SHUFFLED,
        EventKind.DEALT,
    ]
    assert all_cards(after) == Counter(after.board.deck)


def test_played_and_discarded_cards_are_open() -> None:
    game = staged("classic", 4, hands={0: "2 3", 1: "9 K K"}, pieces={0: "20", 1: "c d"}, deck=50)
    before = game.view().discards
    game = game.play(0, "2 20>22")
    assert game.view().discards == (*before, "2")
    game = staged("classic", 4, hands={0: "2 3", 1: "9 8"}, pieces={0: "20"}, deck=50).play(0, "2 20>22")
    game = game.play(1, "fold")
    assert game.view().discards[-3:] == ("2", "8", "9")
    assert game.history(game.number)[0].events[0].cards == ("8", "9")


# -- a team's exchange


def test_received_card_is_hidden_until_the_own_gift() -> None:
    game = Game.new("classic", 4, SEED)
    views = []
    for card in sorted(set(hand(game, 0))):
        after = game.play(0, f"give {card}")
        view = after.view(2)
        views.append((view.hand, view.gave, view.got, view.legal, view.last, view.hands, view.discards))
    assert all(view == views[0] for view in views)
    assert views[0][2] is None


# -- house rules (section 13; cousins, "Options")


def test_open_hands_are_seen_by_all() -> None:
    game = Game.new("keezen", 4, SEED, Options(open_hands=True))
    hands = {seat: game.view(seat).hand for seat in game.seats}
    assert all(game.view(viewer).shown == hands for viewer in (None, *game.seats))


def test_house_rule_keeps_the_starter_for_three_rounds() -> None:
    assert [board_for(name, 4, Options(starter_stays=True)).system.starts for name in ("keezen", "swiss")] == [3, 3]


REFUSED = [
    ("classic", 4, "four_forward", WhyNot.ALREADY),
    ("classic", 4, "pass_own", WhyNot.ALREADY),
    ("classic", 4, "pass_pairs", WhyNot.ALREADY),
    ("classic", 4, "complex", WhyNot.NOT_COMPLEX),
    ("classic", 4, "teams=two", WhyNot.ALREADY),
    ("classic", 4, "teams=alone canadian_seven", WhyNot.NO_PARTNERS),
    ("family", 4, "teams=alone no_exchange", WhyNot.ALREADY),
    ("dobney", 6, "no_joker_finish", None),
    ("royal", 4, "canadian_seven", WhyNot.NO_SEVEN),
    ("royal", 4, "no_joker_finish", WhyNot.NO_JOKER),
    ("royal", 4, "quick", WhyNot.ALREADY),
    ("royal-basic", 5, "stuck_discard_one", WhyNot.ALREADY),
    ("royal-basic", 5, "teams=two", WhyNot.NO_SUCH_TEAMS),
    ("swiss", 4, "teams=alone", WhyNot.NO_SUCH_TEAMS),
    ("swiss", 3, "teams=alone", WhyNot.ALREADY),
    ("keezen", 4, "no_exchange", WhyNot.ALREADY),
    ("keezen", 6, "teams=two", WhyNot.NO_SUCH_TEAMS),
    ("keezen", 4, "no_joker_finish", WhyNot.NO_JOKER),
    ("tock", 4, "starter_stays", WhyNot.ALREADY),
    ("tock", 4, "teams=alone no_exchange", WhyNot.ALREADY),
    ("tock", 6, "teams=alone", WhyNot.NO_SUCH_TEAMS),
    ("jackaroo", 4, "pass_own pass_pairs complex four_forward", None),
]


@pytest.mark.parametrize(("system", "players", "words", "why"), REFUSED)
def test_house_rule_without_effect_is_refused(system: str, players: int, words: str, why: WhyNot | None) -> None:
    refused = why_refused(SYSTEMS[system], players, Options.from_words(words))
    assert refused == (None if why is None else (words.split()[-1].partition("=")[0], why))


# -- family's call for help


def family(*actions: tuple[int, str]) -> Game:
    """A family game after some actions; `ask` alone asks with the first card."""
    game = Game.new("family", 4, SEED)
    for seat, text in actions:
        cards = hand(game, seat)
        game = game.play(seat, f"{text} {cards[0]}" if text in ("ask", "give") else text)
    return game


def test_if_one_asks_the_partner_may_give() -> None:
    game = family((0, "ask"), (2, "none"))
    assert texts(game, 2) == {"decline", *(f"give {card}" for card in hand(game, 2))}
    assert game.to_act == (1, 2, 3)
    wish, answer = game.view(0).gave, hand(game, 2)[0]
    game = game.play(2, f"give {answer}")
    assert (game.view(0).got, game.view(2).got) == (answer, wish)
    assert all(size == 6 for size in game.view().hands.values())


def test_if_the_partner_declines_there_is_no_exchange() -> None:
    before = family()
    game = family((0, "ask"), (2, "none"), (2, "decline"))
    assert hand(game, 0) == hand(before, 0)
    assert hand(game, 2) == hand(before, 2)
    assert (game.view(0).gave, game.view(0).got) == (None, None)


def test_the_partner_declares_without_knowing_the_wish() -> None:
    asked, needless = family((0, "ask")), family((0, "none"))
    for viewer in (None, 1, 2, 3):
        assert asked.view(viewer) == needless.view(viewer)
    assert asked.history(1) == needless.history(1)


def test_nothing_but_the_bare_wish_is_shown() -> None:
    before = family()
    shown = []
    for card in sorted(set(hand(before, 0))):
        game = before.play(0, f"ask {card}").play(2, "none")
        shown.append((game.view(2), game.view(None), game.history(0)))
    assert all(one == shown[0] for one in shown)
    assert [event.kind for event in shown[0][2][-1].events] == [EventKind.ASKED, EventKind.NEEDS_NONE]
