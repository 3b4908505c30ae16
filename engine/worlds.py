"""Dealing the cards that a seat has not seen, at random and so that everything it knows comes true.

What is taken into account:

* which cards have been shown, and from which draw pile a card came, if one ran out during the round;
* the cards that the seat gave and got, and where those it gave still are;
* what a seat that could not play cannot have held at the time;
* that a seat which laid its hand down showed all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from engine.errors import DogError
from engine.moves import hand_can_play
from engine.pieces import Pieces
from engine.record import Dealt, Drew, Exchanged, Fact, LaidOpen, Stuck
from engine.shuffle import SEED_BYTES
from engine.state import GameState, RoundStage
from engine.systems import Exchange

if TYPE_CHECKING:
    from engine.knowledge import Knowledge

TRIES = 200
"""How often a world is started afresh when the cards dealt contradict what is known."""
_RARE = 0.1
"""How many of a card a pile without any counts as having, where a likelihood is wanted."""
_SWAPS = 50
"""How often the hidden cards of an exchange are picked again when they leave somebody short of what they show later."""


class NoWorld(DogError):
    """No world was found that agrees with what is known."""


def deal_hidden(knowledge: Knowledge, rng: Random) -> World:
    """The cards of a world that agrees with what a seat knows; raises NoWorld if none was found."""
    for _ in range(TRIES):
        world = World(knowledge, rng)
        if world.complete():
            return world
    raise NoWorld("no world agrees with what is known")


class _Slot:
    """A card in somebody's hand: what it is (None: hidden), what it cannot be, and the draw pile it came from."""

    __slots__ = ("banned", "card", "pile")

    def __init__(self, pile: Counter[str]) -> None:
        self.pile = pile
        self.card: str | None = None
        self.banned: frozenset[str] = frozenset()


class _Other:
    """Another seat, once cards have been exchanged: the slots of its hidden cards, and what it will show of them.

    `kept`: how many hidden cards it will still hold in the end.
    """

    __slots__ = ("coming", "hidden", "kept", "seat")

    def __init__(self, seat: int, hand: Sequence[_Slot], coming: Counter[str], drawing: int) -> None:
        self.seat = seat
        self.hidden = [slot for slot in hand if slot.card is None]
        self.coming = coming - Counter(slot.card for slot in hand if slot.card is not None)
        self.kept = len(self.hidden) + drawing - self.coming.total()


class _Contradiction(Exception):  # never leaves this file
    """The cards dealt out so far do not agree with what is known."""


class World:
    """One attempt to deal the hidden cards of a round so that everything known comes true.

    The round is replayed fact by fact, with hidden cards as slots in hands. A card that is shown leaves one of the
    slots it can have been in; at the end, the cards that nobody has seen are dealt into the slots that remain. A draw
    pile that runs out is known to have been dealt whole, and whatever is drawn afterwards had been open before.
    """

    def __init__(self, knowledge: Knowledge, rng: Random) -> None:
        self._knowledge = knowledge
        self._rng = rng
        self._seat = knowledge.seat
        self._open: Counter[str] = Counter()
        self._piles: list[Counter[str]] = []
        """The cards of each draw pile of this round, without those that are known to have been in a slot."""
        self._left = 0
        """How many cards the last pile still has."""
        self._came = iter(knowledge.came)
        self._deck: list[str] = []
        self.hands: dict[int, list[_Slot]] = {seat: [] for seat in knowledge.board.seats}
        self._coming: dict[int, Counter[str]] = {seat: Counter() for seat in self.hands}
        """What each seat is yet to show."""
        self._drawing = Counter(fact.seat for fact in knowledge.record if isinstance(fact, Drew))
        """How many cards each seat is yet to draw during the round."""
        for fact in knowledge.record:
            if isinstance(fact, LaidOpen):
                self._coming[fact.seat].update(fact.cards)
        self._planned = False
        self._plans: list[tuple[Counter[str], dict[int, Counter[str]]]] = []
        """For each pile that was dealt whole: what each seat is yet to show of its hidden cards."""

    def complete(self) -> bool:
        """Deal everything; False if that leads to a contradiction."""
        try:
            for fact in self._knowledge.record:
                self._follow(fact)
            missing = Counter(slot.card or "" for slot in self.hands[self._seat]) - Counter(self._knowledge.hand)
            for card in missing.elements():
                self._take(self._seat, card)
            self._fill()
        except _Contradiction:
            return False
        return True

    def _follow(self, fact: Fact) -> None:
        match fact:
            case Dealt():
                self._open = Counter(fact.open_cards)
                self._shuffle(Counter(self._knowledge.board.system.deck) - self._open)
                for _ in range(fact.count):
                    for seat in self._knowledge.board.turns[fact.starter]:
                        self._draw(seat)
            case Exchanged():
                self._exchange(fact.group)
            case LaidOpen():
                if not self._planned:
                    self._plan()
                for card in fact.cards:
                    self._coming[fact.seat][card] -= 1
                    self._take(fact.seat, card)
                    self._open[card] += 1
            case Stuck():
                self._ban(fact)
            case Drew():
                self._drawing[fact.seat] -= 1
                self._draw(fact.seat)

    def _shuffle(self, cards: Counter[str]) -> None:
        # In the order of the catalogue: that in which cards were laid down may give hidden ones away.
        deck = self._knowledge.board.system.deck
        self._piles.append(Counter({card: cards[card] for card in deck if cards[card]}))
        self._left = cards.total()

    def _draw(self, seat: int) -> None:
        if not self._left:
            shown, self._open = self._open, Counter()
            self._shuffle(shown)
        self._left -= 1
        slot = _Slot(self._piles[-1])
        if seat == self._seat:
            self._hold(slot, next(self._came))
        self.hands[seat].append(slot)

    def _hold(self, slot: _Slot, card: str) -> None:
        """Note which card a hidden slot holds."""
        if not slot.pile[card]:
            raise _Contradiction
        slot.card = card
        slot.pile[card] -= 1

    def _take(self, seat: int, card: str) -> None:
        """Take a card out of a hand that must hold it."""
        slot = self._pick(self._fitting(seat, card), seat, card)
        if slot.card is None:
            self._hold(slot, card)
        self.hands[seat].remove(slot)

    def _fitting(self, seat: int, card: str) -> list[_Slot]:
        """The slots of a hand in which a card can be, or only those in which it is known to be."""
        hand = self.hands[seat]
        return [slot for slot in hand if slot.card == card] or [
            slot for slot in hand if slot.card is None and card not in slot.banned and slot.pile[card]
        ]

    def _pick(self, fitting: Sequence[_Slot], seat: int, card: str) -> _Slot:
        """The slot in which a card is taken to be.

        It comes from the pile for which it was planned. Slots that could hold the fewest other cards come first, so
        that everything that may be left in the hand stays possible.
        """
        if not fitting:
            raise _Contradiction
        if fitting[0].card is None and len(self._piles) > 1:
            fitting = self._as_planned(fitting, seat, card)
        most = max(len(slot.banned) for slot in fitting)
        return self._rng.choice([slot for slot in fitting if slot.card is not None or len(slot.banned) == most])

    # -- draw piles that ran out

    def _as_planned(self, fitting: Sequence[_Slot], seat: int, card: str) -> Sequence[_Slot]:
        """The slots of one pile: the one from which this card is planned to have come, otherwise the likeliest."""
        for pile, planned in self._plans:
            if planned[seat][card]:
                found = [slot for slot in fitting if slot.pile is pile]
                if found:
                    planned[seat][card] -= 1
                    return found
        free = [slot for slot in fitting if all(slot.pile is not pile for pile, _ in self._plans)]
        if not free:
            raise _Contradiction
        (one,) = self._rng.choices(free, [slot.pile[card] / slot.pile.total() for slot in free])
        return [slot for slot in free if slot.pile is one.pile]

    def _plan(self) -> None:
        """For each pile that was dealt whole, settle which of its hidden cards each seat shows later.

        All of them are in hands, and a seat that keeps few cards must show most of what it got from the pile, so that
        cannot be left to chance.
        """
        self._planned = True
        if len(self._piles) == 1:
            return
        others = [
            _Other(seat, hand, self._coming[seat], self._drawing[seat])
            for seat, hand in self.hands.items()
            if seat != self._seat
        ]
        for pile in self._piles[:-1]:
            self._plans.append((pile, self._deal_whole(pile, others)))

    def _deal_whole(self, pile: Counter[str], others: Sequence[_Other]) -> dict[int, Counter[str]]:
        """Who shows which of a pile's hidden cards; the rest of them are kept until the end.

        Cards that few seats can have come first, and seats that have few other places for a card are preferred.
        """
        last = self._piles[-1]
        planned = {other.seat: Counter[str]() for other in others}
        left = {other.seat: sum(slot.pile is pile for slot in other.hidden) for other in others}
        cards = list(pile.elements())
        self._rng.shuffle(cards)
        cards.sort(key=lambda card: sum(other.kept > 0 or other.coming[card] > 0 for other in others))
        for index, card in enumerate(cards):
            rest = Counter(cards[index:])
            among = [other for other in others if left[other.seat]]
            likely: list[float] = []
            for other in among:
                possible = other.kept + (other.coming & rest).total()
                need = left[other.seat] / possible if possible else 0.0
                likely += [need * other.coming[card], need * other.kept * max(last[card], _RARE) / last.total()]
            if not any(likely):
                raise _Contradiction
            (choice,) = self._rng.choices(range(len(likely)), likely)
            other = among[choice // 2]
            left[other.seat] -= 1
            if choice % 2:
                other.kept -= 1
            else:
                other.coming[card] -= 1
                planned[other.seat][card] += 1
        return planned

    # -- the exchange

    def _exchange(self, group: tuple[int, ...]) -> None:
        takers = group[1:] + group[:1]
        for _ in range(_SWAPS):
            passed = [self._passed(giver, taker) for giver, taker in zip(group, takers, strict=True)]
            if len(self._piles) == 1 or self._all_enough(group, passed):
                break
        else:
            raise _Contradiction
        for giver, slot, taker in zip(group, passed, takers, strict=True):
            self.hands[giver].remove(slot)
            if taker == self._seat and self._knowledge.got is not None and slot.card is None:
                self._hold(slot, self._knowledge.got)
        for slot, taker in zip(passed, takers, strict=True):
            self.hands[taker].append(slot)

    def _passed(self, giver: int, taker: int) -> _Slot:
        """The slot that a seat passes on, which may be chosen again."""
        knowledge = self._knowledge
        if giver == self._seat and knowledge.gave is not None:
            return self._pick(self._fitting(giver, knowledge.gave), giver, knowledge.gave)
        if taker == self._seat and knowledge.got is not None:
            return self._pick(self._fitting(giver, knowledge.got), giver, knowledge.got)
        hand = self.hands[giver]
        return hand[self._rng.randrange(len(hand))]

    def _all_enough(self, group: Sequence[int], passed: Sequence[_Slot]) -> bool:
        """Whether everybody but the seat itself, whose cards are known, can show what it shows after an exchange."""
        return all(
            self._enough(seat, [*(slot for slot in self.hands[seat] if slot is not given), got])
            for seat, given, got in zip(group, passed, (passed[-1], *passed[:-1]), strict=True)
            if seat != self._seat
        )

    def _enough(self, seat: int, slots: Sequence[_Slot]) -> bool:
        """Whether a seat with these slots has enough from each pile for those cards that only this pile can hold."""
        coming = self._coming[seat] - Counter(slot.card for slot in slots if slot.card is not None)
        last = self._piles[-1]
        for pile in self._piles:
            room = sum(slot.card is None and slot.pile is pile for slot in slots)
            others = [other for other in self._piles if other is not pile]
            for card, count in coming.items():
                if pile[card] and not any(other[card] for other in others):
                    room -= count
            if room + (self._drawing[seat] if pile is last else 0) < 0:
                return False
        return True

    def _ban(self, fact: Stuck) -> None:
        """Note that all the cards the seat can have held were ones that could not be played then."""
        if fact.seat == self._seat:
            return
        knowledge = self._knowledge
        pieces = Pieces(knowledge.routes, fact.nodes)
        playable = frozenset(
            card
            for card in knowledge.board.system.cards
            if hand_can_play(pieces, fact.seat, (card,), fact.last, knowledge.options)
        )
        for slot in self.hands[fact.seat]:
            slot.banned |= playable
            if slot.card in slot.banned:
                raise _Contradiction

    def _fill(self) -> None:
        """Deal the unseen cards of each pile into the slots that remain, the most constrained ones first."""
        places = [slot for hand in self.hands.values() for slot in hand if slot.card is None]
        self._rng.shuffle(places)
        for pile in self._piles:
            mine = [slot for slot in places if slot.pile is pile]
            for slot in sorted((slot for slot in mine if slot.banned), key=lambda slot: -len(slot.banned)):
                allowed = [card for card in pile.elements() if card not in slot.banned]
                if not allowed:
                    raise _Contradiction
                self._hold(slot, self._rng.choice(allowed))
            free = [slot for slot in mine if not slot.banned]
            rest = list(pile.elements())
            _mix(rest, self._rng)
            for slot, card in zip(free, rest, strict=False):
                slot.card = card
            self._deck = rest[len(free) :]
        if len(self._deck) != self._left:
            raise _Contradiction

    def put_into(self, state: GameState, rng: Random) -> None:
        """Hand the cards out to a state: hands in the order of the catalogue, the rest as the draw pile."""
        cards = state.cards
        order = list(cards.order)
        for seat, hand in self.hands.items():
            if seat != self._seat:
                cards.hands[seat] = sorted((slot.card or "" for slot in hand), key=order.index)
        self._choose_wishes(state, rng)
        cards.deck = self._deck
        cards.seed = rng.randbytes(SEED_BYTES)

    def _choose_wishes(self, state: GameState, rng: Random) -> None:
        """Givers have a card face down before them; those who only declared may or may not have asked for help."""
        if state.stage != RoundStage.EXCHANGE:
            return
        asking = state.board.exchange is Exchange.ASK
        for seat in state.board.seats:
            if seat == self._seat or seat not in state.declared or self._exchanged(seat):
                continue
            partner = state.board.partner(seat)
            open_wish = asking and partner in state.undeclared
            if open_wish:
                state.declared[seat] = rng.random() < 0.5
            if state.declared[seat] and (open_wish or not asking or partner in state.answering):
                hand = state.cards.hands[seat]
                card = hand.pop(rng.randrange(len(hand)))
                state.aside[seat] = state.gave[seat] = card

    def _exchanged(self, seat: int) -> bool:
        return any(isinstance(fact, Exchanged) and seat in fact.group for fact in self._knowledge.record)


def _mix(cards: list[str], rng: Random) -> None:
    """Shuffle in place; much faster than `Random.shuffle`, and needed for every world."""
    chance = rng.random
    cards.sort(key=lambda _: chance())
