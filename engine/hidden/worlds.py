"""Dealing the cards that a seat has not seen, at random and in agreement with everything it knows.

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
from engine.hidden.whole_piles import Contradiction, Holder, Shown, Trade, share
from engine.rules.definition import Exchange
from engine.rules.moves import hand_can_play
from engine.rules.pieces import Pieces
from engine.rules.piles import Dealt, Drew, Exchanged, Fact, LaidOpen, Stuck
from engine.rules.shuffle import SEED_BYTES
from engine.rules.state import GameState, RoundStage

if TYPE_CHECKING:
    from engine.hidden.knowledge import Knowledge

TRIES = 400
"""The most attempts at a world whose cards agree with what is known."""
_EXCHANGES = 50
"""The most attempts at an exchange that leaves each seat the cards it shows later."""


class NoWorld(DogError):
    """No world was found that agrees with what is known."""


class Dealer:
    """A dealer of worlds that agree with a seat's knowledge; what holds for all of them is worked out once.

    `tries`: the number of worlds begun so far.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.tries = 0
        self.playable: dict[int, frozenset[str]] = {}
        """By the number of the fact that another seat was stuck: the cards it could have played, so did not hold."""
        seats = knowledge.board.seats
        self.shown: dict[int, list[Shown]] = {seat: [] for seat in seats}
        """The cards that each seat shows."""
        self.draws: dict[int, list[int]] = {seat: [] for seat in seats}
        """The piles from which each seat draws during the round, by number."""
        self.barred: dict[int, dict[str, int]] = {seat: {} for seat in seats}
        """For each seat and card, how many of its arrivals (see `Shown`) cannot be this card, if any cannot."""
        self.piles: list[Counter[str]] = []
        """The cards of each draw pile of this round, before any is drawn."""
        self.left = 0
        """The number of cards that the last pile still has in the end."""
        self._follow_all()
        self.whole = range(len(self.piles) - (self.left > 0))
        """The piles that are dealt to the last card."""

    def _follow_all(self) -> None:
        seat = self.knowledge.seat
        open_cards: Counter[str] = Counter()
        for number, fact in enumerate(self.knowledge.record):
            match fact:
                case Dealt():
                    self._shuffle(Counter(self.knowledge.board.deck) - Counter(fact.open_cards))
                    open_cards = Counter(fact.open_cards)
                    for _ in fact.takers(self.knowledge.board):
                        open_cards = self._draw(open_cards)
                case Drew():
                    open_cards = self._draw(open_cards)
                    self.draws[fact.seat].append(len(self.piles) - 1)
                case LaidOpen():
                    open_cards.update(fact.cards)
                    for card in fact.cards:
                        since = self.barred[fact.seat].get(card, 0)
                        self.shown[fact.seat].append(Shown(card, since, len(self.draws[fact.seat])))
                case Stuck() if fact.seat != seat:
                    self.playable[number] = self._find_playable(fact)
                    for card in self.playable[number]:
                        self.barred[fact.seat][card] = len(self.draws[fact.seat]) + 1
                case _:
                    pass

    def _shuffle(self, cards: Counter[str]) -> None:
        # In the order of the catalogue: that in which cards were laid down may give hidden ones away.
        deck = self.knowledge.board.deck
        self.piles.append(Counter({card: cards[card] for card in deck if cards[card]}))
        self.left = cards.total()

    def _draw(self, open_cards: Counter[str]) -> Counter[str]:
        if not self.left:
            self._shuffle(open_cards)
            open_cards = Counter()
        self.left -= 1
        return open_cards

    def _find_playable(self, fact: Stuck) -> frozenset[str]:
        routes = self.knowledge.routes
        pieces = Pieces.at(routes, fact.nodes)
        cards = routes.system.cards
        return frozenset(card for card in cards if hand_can_play(pieces, fact.seat, (card,), fact.last, fact.victim))

    def deal(self, rng: Random) -> World:
        """Deal the cards of one world; raises NoWorld if none was found."""
        for attempt in range(TRIES):
            self.tries += 1
            world = World(self, rng, narrow=attempt >= TRIES // 2)
            if world.complete():
                return world
        raise NoWorld("no world agrees with what is known")


class _Slot:
    """A card in a hand: its id (None: hidden), what it cannot be, and the number of its draw pile."""

    __slots__ = ("banned", "card", "pile")

    def __init__(self, pile: int) -> None:
        self.pile = pile
        self.card: str | None = None
        self.banned: frozenset[str] = frozenset()


class World:
    """One attempt to deal the hidden cards of a round so that everything known comes true.

    The round is replayed fact by fact, with hidden cards as slots in hands. A card that is shown leaves a slot that can
    have held it; at the end, the unseen cards are dealt into the slots that remain. A draw pile that runs out is known
    to have been dealt whole, and the cards drawn afterwards had been open before.
    """

    def __init__(self, dealer: Dealer, rng: Random, *, narrow: bool = False) -> None:
        self._dealer = dealer
        self._narrow = narrow
        self._knowledge = knowledge = dealer.knowledge
        self._rng = rng
        self._seat = knowledge.seat
        self._piles = [pile.copy() for pile in dealer.piles]
        """The cards of each draw pile of this round, without those that are known to have been in a slot."""
        self._drawn_from = 0
        self._left = dealer.piles[0].total() if dealer.piles else 0
        """The number of the pile from which cards are drawn at the moment, and how many it still has."""
        self._came = iter(knowledge.came)
        self._deck: list[str] = []
        self.hands: dict[int, list[_Slot]] = {seat: [] for seat in knowledge.board.seats}
        self._holders: dict[int, Holder] = {}
        """The other seats once cards are shown, if there are piles that are dealt whole."""
        self._trades: list[tuple[int, int, int, Counter[int]]] = []
        """Of each hidden card that others have exchanged: giver, taker, its pile, and what the giver could pass on."""
        self._begun = False

    def complete(self) -> bool:
        """Deal everything; False if that leads to a contradiction."""
        try:
            for number, fact in enumerate(self._knowledge.record):
                self._follow(number, fact)
            missing = Counter(slot.card or "" for slot in self.hands[self._seat]) - Counter(self._knowledge.hand)
            for card in missing.elements():
                self._take(self._seat, card)
            self._fill()
        except Contradiction:
            return False
        return True

    def _follow(self, number: int, fact: Fact) -> None:
        match fact:
            case Dealt():
                for seat in fact.takers(self._knowledge.board):
                    self._draw(seat)
            case Exchanged():
                self._exchange(fact.group)
            case LaidOpen():
                if not self._begun:
                    self._plan()
                for card in fact.cards:
                    self._take(fact.seat, card)
            case Stuck():
                self._ban(number, fact.seat)
            case Drew():
                self._draw(fact.seat)

    def _draw(self, seat: int) -> None:
        if not self._left:
            self._drawn_from += 1
            self._left = self._dealer.piles[self._drawn_from].total()
        self._left -= 1
        slot = _Slot(self._drawn_from)
        if seat == self._seat:
            self._hold(slot, next(self._came))
        self.hands[seat].append(slot)

    def _hold(self, slot: _Slot, card: str) -> None:
        """Note which card a hidden slot holds."""
        pile = self._piles[slot.pile]
        if not pile[card]:
            raise Contradiction
        slot.card = card
        pile[card] -= 1

    def _take(self, seat: int, card: str) -> None:
        """Take a card out of a hand that must hold it."""
        slot = self._pick(self._find_fitting(seat, card), seat)
        if slot.card is None:
            self._hold(slot, card)
        self.hands[seat].remove(slot)

    def _find_fitting(self, seat: int, card: str) -> list[_Slot]:
        """Return the slots of a hand in which a card can be, or only those in which it is known to be."""
        hand = self.hands[seat]
        return [slot for slot in hand if slot.card == card] or [
            slot for slot in hand if slot.card is None and card not in slot.banned and self._piles[slot.pile][card]
        ]

    def _pick(self, fitting: Sequence[_Slot], seat: int) -> _Slot:
        """Choose the slot that holds a card from those in which it can be.

        It comes from the pile for which it was planned. The fewer other cards a slot could hold, the likelier it is
        to be this one; with `narrow` it is always one of those, which comes out even more often.
        """
        if fitting and fitting[0].card is None and self._holders:
            planned = self._holders[seat].planned.pop(0)
            source = len(self._piles) - 1 if planned is None else planned
            fitting = [slot for slot in fitting if slot.pile == source]
        if not fitting:
            raise Contradiction
        if len(fitting) == 1 or fitting[0].card is not None:
            return self._rng.choice(fitting)
        if self._narrow:
            least = min(map(self._count_possible, fitting))
            return self._rng.choice([slot for slot in fitting if self._count_possible(slot) == least])
        (found,) = self._rng.choices(fitting, [1 / self._count_possible(slot) for slot in fitting])
        return found

    def _count_possible(self, slot: _Slot) -> int:
        """Return how many of the cards left in its pile a slot could hold."""
        pile = self._piles[slot.pile]
        return pile.total() - sum(pile[card] for card in slot.banned)

    # -- draw piles that ran out

    def _plan(self) -> None:
        """Settle who shows and who keeps which of the hidden cards of the piles that are dealt whole."""
        self._begun = True
        if not self._dealer.whole:
            return
        hidden = [pile.copy() for pile in self._piles]
        own = self._dealer.draws[self._seat]
        for card, source in zip(self._knowledge.came[-len(own) :] if own else (), own, strict=True):
            hidden[source][card] -= 1
        for seat in self.hands:
            if seat != self._seat:
                self._holders[seat] = self._holder(seat, self.hands[seat])
        trades = [
            Trade(self._holders[giver], self._holders[taker], pile, dealt) for giver, taker, pile, dealt in self._trades
        ]
        for number in self._dealer.whole:
            share(number, hidden, tuple(self._holders.values()), trades, self._rng)
        for seat, holder in self._holders.items():
            unseen = [slot for slot in self.hands[seat] if slot.card is None]
            for slot, source in zip(unseen, (pile for pile, when in holder.arrived if when == 0), strict=True):
                slot.pile = source

    def _holder(self, seat: int, hand: Sequence[_Slot]) -> Holder:
        """Return a seat as a holder, its hand as it was when the first card was shown."""
        known = Counter(slot.card for slot in hand if slot.card is not None)
        shown: list[Shown] = []
        for showing in self._dealer.shown[seat]:
            if known[showing.card]:
                known[showing.card] -= 1
            else:
                shown.append(showing)
        held = [slot.pile for slot in hand if slot.card is None]
        return Holder(held, self._dealer.draws[seat], shown, self._dealer.barred[seat])

    # -- the exchange

    def _exchange(self, group: tuple[int, ...]) -> None:
        takers = group[1:] + group[:1]
        for _ in range(_EXCHANGES):
            passed = [self._pick_passed(giver, taker) for giver, taker in zip(group, takers, strict=True)]
            if len(self._piles) == 1 or self._can_show(group, passed):
                break
        else:
            raise Contradiction
        for giver, slot, taker in zip(group, passed, takers, strict=True):
            if slot.card is None and self._seat not in (giver, taker):
                self._trades.append((giver, taker, slot.pile, _count_piles(self.hands[giver])))
        for giver, slot, taker in zip(group, passed, takers, strict=True):
            self.hands[giver].remove(slot)
            if taker == self._seat and self._knowledge.got is not None and slot.card is None:
                self._hold(slot, self._knowledge.got)
        for slot, taker in zip(passed, takers, strict=True):
            self.hands[taker].append(slot)

    def _pick_passed(self, giver: int, taker: int) -> _Slot:
        """Choose the slot that a seat passes on."""
        knowledge = self._knowledge
        if giver == self._seat and knowledge.gave is not None:
            return self._pick(self._find_fitting(giver, knowledge.gave), giver)
        if taker == self._seat and knowledge.got is not None:
            return self._pick(self._find_fitting(giver, knowledge.got), giver)
        hand = self.hands[giver]
        return hand[self._rng.randrange(len(hand))]

    def _can_show(self, group: Sequence[int], passed: Sequence[_Slot]) -> bool:
        """Return True if after an exchange all seats but the knowing one can still show what they show."""
        return all(
            self._holder(seat, [*(slot for slot in self.hands[seat] if slot is not given), got]).can_show(self._piles)
            for seat, given, got in zip(group, passed, (passed[-1], *passed[:-1]), strict=True)
            if seat != self._seat
        )

    def _ban(self, number: int, seat: int) -> None:
        """Note that the seat held only cards that could not be played then."""
        if seat == self._seat:
            return
        playable = self._dealer.playable[number]
        for slot in self.hands[seat]:
            slot.banned |= playable
            if slot.card in slot.banned:
                raise Contradiction

    def _fill(self) -> None:
        """Deal the unseen cards of each pile into the slots that remain, the most constrained ones first."""
        places = [slot for hand in self.hands.values() for slot in hand if slot.card is None]
        self._rng.shuffle(places)
        for number, pile in enumerate(self._piles):
            mine = [slot for slot in places if slot.pile == number]
            if self._holders and number in self._dealer.whole:
                self._fill_as_planned(number, mine)
                continue
            for slot in sorted((slot for slot in mine if slot.banned), key=lambda slot: -len(slot.banned)):
                allowed = [card for card in pile.elements() if card not in slot.banned]
                if not allowed:
                    raise Contradiction
                self._hold(slot, self._rng.choice(allowed))
            free = [slot for slot in mine if not slot.banned]
            rest = list(pile.elements())
            _mix(rest, self._rng)
            for slot, card in zip(free, rest, strict=False):
                slot.card = card
            self._deck = rest[len(free) :]
        if len(self._deck) != self._left:
            raise Contradiction

    def _fill_as_planned(self, number: int, mine: Sequence[_Slot]) -> None:
        """Deal each seat the cards of a pile that it keeps by plan, and then let seats exchange cards at random."""
        for seat, holder in self._holders.items():
            kept = holder.kept.get(number, [])
            slots = [slot for slot in self.hands[seat] if slot.card is None and slot.pile == number]
            for slot in sorted(slots, key=lambda slot: -len(slot.banned)):
                allowed = [card for card in kept if card not in slot.banned]
                if not allowed:
                    raise Contradiction
                self._hold(slot, self._rng.choice(allowed))
                kept.remove(slot.card or "")
        for slot in mine:
            other = self._rng.choice(mine)
            if slot.card not in other.banned and other.card not in slot.banned:
                slot.card, other.card = other.card, slot.card

    def put_into(self, state: GameState, rng: Random) -> None:
        """Hand the cards out to a state: hands in the order of the catalogue, the rest as the draw pile."""
        cards = state.cards
        order = list(cards.order)
        for seat, hand in self.hands.items():
            if seat != self._seat:
                cards.hands[seat] = sorted((slot.card or "" for slot in hand), key=order.index)
        choose_wishes(state, self._seat, rng)
        cards.deck = self._deck
        cards.seed = rng.randbytes(SEED_BYTES)


def choose_wishes(state: GameState, viewer: int, rng: Random) -> None:
    """Lay hidden gifts aside: those who only declared may or may not have asked for help."""
    if state.stage != RoundStage.EXCHANGE:
        return
    asking = state.board.exchange is Exchange.ASK
    for seat in state.board.seats:
        if seat == viewer or seat not in state.declared or _has_exchanged(state, seat):
            continue
        partners = set(state.board.partners(seat))
        open_wish = asking and bool(partners & state.undeclared)
        if open_wish:
            state.declared[seat] = rng.random() < 0.5
        if state.declared[seat] and (open_wish or not asking or partners & state.answering):
            hand = state.cards.hands[seat]
            card = hand.pop(rng.randrange(len(hand)))
            state.aside[seat] = state.gave[seat] = card


def _has_exchanged(state: GameState, seat: int) -> bool:
    return any(isinstance(fact, Exchanged) and seat in fact.group for fact in state.record)


def _count_piles(hand: Sequence[_Slot]) -> Counter[int]:
    """Count the hidden cards of a hand by pile."""
    return Counter(slot.pile for slot in hand if slot.card is None)


def _mix(cards: list[str], rng: Random) -> None:
    """Shuffle in place; much faster than `Random.shuffle`, and needed for every world."""
    chance = rng.random
    cards.sort(key=lambda _: chance())
