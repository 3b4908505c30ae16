"""Sharing out the cards of a draw pile that was dealt whole: whatever can come out even does, and nothing else."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from engine.hidden.whole_piles import Contradiction, Holder, Shown, Trade, share

CARDS = "ABCDEFGH"


class Truth:
    """A round as it really was, and what everybody knows of it: by seat, cards with pile and arrival, some shown."""

    def __init__(self, dice: random.Random, *, drawing: bool, showing: float) -> None:
        self.piles = [Counter[str](), Counter(CARDS * 4)]
        self.holders: list[Holder] = []
        self.hands: list[list[tuple[str, int, int]]] = []
        for _ in range(dice.randint(2, 5)):
            held = [int(dice.random() < 0.4) for _ in range(5)]
            draws = [1] * dice.randint(0, 3) if drawing else []
            hand = [(dice.choice(CARDS), pile, 0) for pile in held]
            hand += [(dice.choice(CARDS), pile, when) for when, pile in enumerate(draws, start=1)]
            self.piles[0].update(card for card, pile, _ in hand if pile == 0)
            self.hands.append(hand)
            shown = []
            here = [one for one in hand if one[2] == 0]
            for when in range(len(draws) + 1):
                if when:
                    here += [one for one in hand if one[2] == when]
                while here and (dice.random() < showing or len(here) > 5):
                    card, _, since = here.pop(dice.randrange(len(here)))
                    shown.append(Shown(card, dice.choice((0, since)), when))
            self.holders.append(Holder(held, draws, shown, {}))

    def check(self) -> None:
        """Everything known comes true."""
        used = Counter[str]()
        for holder in self.holders:
            assert holder.count_free(0) == 0
            assert len(holder.arrived) == len(holder.shown) + holder.spare + len(holder.kept.get(0, ()))
            used.update(holder.kept.get(0, ()))
            used.update(one.card for one, pile in zip(holder.shown, holder.planned, strict=True) if pile == 0)
            assert can_follow(holder)
        assert used == self.piles[0]


def can_follow(holder: Holder) -> bool:
    """Whether each card shown can come from an arrival of the pile it is planned to come from."""
    free = sorted(holder.arrived, key=lambda one: one[1])
    for one, planned in sorted(zip(holder.shown, holder.planned, strict=True), key=lambda pair: pair[0].until):
        pile = 1 if planned is None else planned
        fits = [slot for slot in free if slot[0] == pile and one.since <= slot[1] <= one.until]
        if not fits:
            return False
        free.remove(fits[0])
    return True


@pytest.mark.parametrize("showing", [0.3, 0.7, 1.0])
def test_dealt_cards_can_be_dealt_again(showing: float) -> None:
    for seed in range(300):
        dice = random.Random(f"{showing} {seed}")
        truth = Truth(dice, drawing=False, showing=showing)
        share(0, truth.piles, truth.holders, [], dice)
        truth.check()


def test_with_cards_drawn_later_it_nearly_always_can() -> None:
    failed = 0
    for seed in range(600):
        dice = random.Random(seed)
        truth = Truth(dice, drawing=True, showing=0.6)
        try:
            share(0, truth.piles, truth.holders, [], dice)
        except Contradiction:
            failed += 1
        else:
            truth.check()
    assert failed < 60


def holders_of(*hands: tuple[str, int]) -> list[Holder]:
    """Holders of five cards each: which of them they show, in order, and how many are of the pile."""
    return [
        Holder([0] * count + [1] * (5 - count), [], [Shown(card, 0, 0) for card in shows], {}) for shows, count in hands
    ]


def shown_from_the_pile(holders: Sequence[Holder]) -> list[str]:
    return [
        "".join(sorted(one.card for one, pile in zip(holder.shown, holder.planned, strict=True) if pile == 0))
        for holder in holders
    ]


def test_there_may_be_only_one_way() -> None:
    """Only the last one shows an F and a G and only the second one a B, so the A is with the first one."""
    for seed in range(50):
        holders = holders_of(("ACCDE", 1), ("ABBBB", 2), ("CDEFG", 2))
        share(0, [Counter("ABFGB"), Counter(CARDS * 4)], holders, [], random.Random(seed))
        assert shown_from_the_pile(holders) == ["A", "BB", "FG"]


def test_every_way_comes_up() -> None:
    found = set()
    for seed in range(200):
        holders = holders_of(("AABBC", 2), ("AABBC", 2))
        share(0, [Counter("AABC"), Counter(CARDS * 4)], holders, [], random.Random(seed))
        found.add(shown_from_the_pile(holders)[0])
    assert found == {"AA", "AB", "AC", "BC"}


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(Contradiction):
        share(0, [Counter("HH"), Counter(CARDS)], holders_of(("ABCDE", 1), ("ABCDH", 1)), [], random.Random(1))


def test_a_trade_is_changed_if_nothing_else_helps() -> None:
    """The first one shows nothing of the pile, so what it passed on was the only card it had from there."""
    for seed in range(50):
        holders = holders_of(("AAAAA", 1), ("BAAAA", 0))
        trades = [Trade(holders[0], holders[1], 1, Counter({0: 1, 1: 4}))]
        share(0, [Counter("B"), Counter(CARDS * 9)], holders, trades, random.Random(seed))
        assert shown_from_the_pile(holders) == ["", "B"]
        assert trades[0].pile == 0
        assert sorted(holders[1].arrived) == [(0, 0), (1, 0), (1, 0), (1, 0), (1, 0)]


def test_stuck_hand_holds_nothing_playable() -> None:
    for seed in range(50):
        holders = [Holder([0, 0], [], [], {"A": 1}), Holder([0, 0], [], [], {})]
        share(0, [Counter("AABB"), Counter(CARDS)], holders, [], random.Random(seed))
        assert [sorted(holder.kept[0]) for holder in holders] == [["B", "B"], ["A", "A"]]


def test_early_shown_card_comes_from_the_pile() -> None:
    """Of its two cards of the pile, one is shown before anything else has come."""
    for seed in range(50):
        first = Holder([0, 0], [1], [Shown("A", 0, 0), Shown("A", 0, 1)], {})
        holders = [first, Holder([0], [], [], {})]
        share(0, [Counter("ABC"), Counter(CARDS * 4)], holders, [], random.Random(seed))
        assert first.planned == [0, None]
