"""Dealing the cards that a seat has not seen, at random and so that everything it knows comes true.

What is taken into account:

* which cards have been shown, and from which draw pile a card came, if one ran out during the round;
* the cards that the seat gave and got, and where those it gave still are;
* what a seat that could not play cannot have held at the time;
* that a seat which laid its hand down showed all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import DogError
from engine.moves import hand_can_play
from engine.pieces import Pieces
from engine.record import Dealt, Drew, Exchanged, Fact, LaidOpen, Stuck
from engine.shuffle import SEED_BYTES
from engine.state import GameState, RoundStage
from engine.systems import Exchange

if TYPE_CHECKING:
    from engine.knowledge import Knowledge

TRIES = 400
"""How often a world is started afresh when the cards dealt contradict what is known."""
_RARE = 0.1
"""How many of a card a pile without any counts as having, where a likelihood is wanted."""
_SWAPS = 50
"""How often the hidden cards of an exchange are picked again when they leave somebody short of what they show later."""


class NoWorld(DogError):
    """No world was found that agrees with what is known."""


class _Shown(NamedTuple):
    """A card that another seat shows: after how many draws of its own, and whether it can have been dealt to it.

    It cannot if the seat was stuck before with all that it had been dealt, and this card could have been played.
    """

    card: str
    drawn: int
    dealt: bool


class Dealer:
    """Deals worlds that agree with what a seat knows: what follows from that for every world, worked out once.

    `tries`: how many have been begun so far.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.tries = 0
        self.playable: dict[int, frozenset[str]] = {}
        """By the number of the fact that another seat was stuck: the cards it could have played, so did not hold."""
        self.shown: dict[int, list[_Shown]] = {seat: [] for seat in knowledge.board.seats}
        self.draws: Counter[int] = Counter()
        """What each seat shows and how many cards it draws during the round."""
        absent: dict[int, frozenset[str]] = dict.fromkeys(knowledge.board.seats, frozenset())
        for number, fact in enumerate(knowledge.record):
            match fact:
                case Stuck() if fact.seat != knowledge.seat:
                    self.playable[number] = self._playable(fact)
                    absent[fact.seat] |= self.playable[number]
                case Drew():
                    self.draws[fact.seat] += 1
                case LaidOpen():
                    for card in fact.cards:
                        one = _Shown(card, self.draws[fact.seat], card not in absent[fact.seat])
                        self.shown[fact.seat].append(one)
                case _:
                    pass

    def _playable(self, fact: Stuck) -> frozenset[str]:
        routes, options = self.knowledge.routes, self.knowledge.options
        pieces = Pieces(routes, fact.nodes)
        cards = routes.system.cards
        return frozenset(card for card in cards if hand_can_play(pieces, fact.seat, (card,), fact.last, options))

    def deal(self, rng: Random) -> World:
        """The cards of one world; raises NoWorld if none was found."""
        for attempt in range(TRIES):
            self.tries += 1
            world = World(self, rng, narrow=attempt >= TRIES // 2)
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

    def possible(self) -> int:
        """How many of the cards left in its pile it could be."""
        return self.pile.total() - sum(self.pile[card] for card in self.banned)


class _Other:
    """Another seat once cards have been exchanged: the piles of its hidden cards, and what it shows of them.

    `kept`: how many hidden cards it still holds in the end. `planned`: for each card shown, the pile from which it is
    taken to have come, if that is one that was dealt whole.
    """

    __slots__ = ("kept", "piles", "planned", "shown")

    def __init__(self, hand: Sequence[_Slot], shown: Sequence[_Shown], draws: int) -> None:
        known = Counter(slot.card for slot in hand if slot.card is not None)
        self.shown: list[_Shown] = []
        for one in shown:
            if known[one.card]:
                known[one.card] -= 1
            else:
                self.shown.append(one)
        self.piles = [slot.pile for slot in hand if slot.card is None]
        self.kept = len(self.piles) + draws - len(self.shown)
        self.planned: list[Counter[str] | None] = [None] * len(self.shown)

    def can_show(self, piles: Sequence[Counter[str]]) -> bool:
        """Whether the seat's slots allow for what it shows, looked at by itself."""
        *whole, last = piles
        from_last = sum(pile is last for pile in self.piles)
        dealt_whole = len(self.piles) - from_last
        may = must = 0
        for number, one in enumerate(self.shown, start=1):
            old = one.dealt and any(pile[one.card] for pile in whole)
            if not last[one.card]:
                if not old:
                    return False
                must += 1
            may += old
            if must > dealt_whole or number - from_last - one.drawn > may:
                return False
        return dealt_whole - self.kept <= may

    def plan(self, number: int, pile: Counter[str], left: Counter[str]) -> None:
        """Settle that a card shown (by number) came from a pile of which these are left."""
        self.planned[number] = pile
        left[self.shown[number].card] -= 1

    def unplanned(self, card: str) -> list[int]:
        """Where the seat shows this card and could have been dealt it (by number)."""
        return [
            number
            for number, one in enumerate(self.shown)
            if one.card == card and one.dealt and self.planned[number] is None
        ]

    def slots(self, pile: Counter[str]) -> int:
        """How many of its hidden cards from a pile are not planned yet."""
        return sum(one is pile for one in self.piles) - sum(one is pile for one in self.planned)

    def demands(self, pile: Counter[str], left: Counter[str]) -> Iterator[tuple[int, list[int]]]:
        """What must still be planned: which cards shown could be (by number), and how many more they are than needed.

        Whatever is shown before enough has been drawn from other piles must be from this one.
        """
        elsewhere = sum(one is not pile for one in self.piles)
        could: list[int] = []
        planned = 0
        for number, one in enumerate(self.shown):
            if self.planned[number] is pile:
                planned += 1
            elif self.planned[number] is None and one.dealt and left[one.card]:
                could.append(number)
            short = number + 1 - elsewhere - one.drawn - planned
            if short > 0:
                yield len(could) - short, could[:]


class _Contradiction(Exception):  # never leaves this file
    """The cards dealt out so far do not agree with what is known."""


class World:
    """One attempt to deal the hidden cards of a round so that everything known comes true.

    The round is replayed fact by fact, with hidden cards as slots in hands. A card that is shown leaves one of the
    slots it can have been in; at the end, the cards that nobody has seen are dealt into the slots that remain. A draw
    pile that runs out is known to have been dealt whole, and whatever is drawn afterwards had been open before.
    """

    def __init__(self, dealer: Dealer, rng: Random, *, narrow: bool = False) -> None:
        self._dealer = dealer
        self._narrow = narrow
        self._knowledge = knowledge = dealer.knowledge
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
        self._others: dict[int, _Other] = {}
        """The other seats once cards are shown, if there has been more than one pile by then."""
        self._whole: list[Counter[str]] = []
        """The piles that had been dealt whole by then."""
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
        except _Contradiction:
            return False
        return True

    def _follow(self, number: int, fact: Fact) -> None:
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
                if not self._begun:
                    self._plan()
                for card in fact.cards:
                    self._take(fact.seat, card)
                    self._open[card] += 1
            case Stuck():
                self._ban(number, fact.seat)
            case Drew():
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

        It comes from the pile for which it was planned. The fewer other cards a slot could hold, the likelier it is
        to be this one; with `narrow` it is always one of those, which comes out even more often.
        """
        if fitting and fitting[0].card is None and len(self._piles) > 1:
            fitting = self._as_planned(fitting, seat, card)
        if not fitting:
            raise _Contradiction
        if len(fitting) == 1 or fitting[0].card is not None:
            return self._rng.choice(fitting)
        if self._narrow:
            least = min(slot.possible() for slot in fitting)
            return self._rng.choice([slot for slot in fitting if slot.possible() == least])
        (found,) = self._rng.choices(fitting, [1 / slot.possible() for slot in fitting])
        return found

    # -- draw piles that ran out

    def _as_planned(self, fitting: Sequence[_Slot], seat: int, card: str) -> Sequence[_Slot]:
        """The slots of one pile: the one from which this card is planned to have come, otherwise the likeliest."""
        planned = self._others[seat].planned.pop(0) if self._others else None
        if planned is not None:
            return [slot for slot in fitting if slot.pile is planned]
        free = [slot for slot in fitting if all(slot.pile is not pile for pile in self._whole)]
        if not free:
            return free
        (one,) = self._rng.choices(free, [slot.pile[card] / slot.pile.total() for slot in free])
        return [slot for slot in free if slot.pile is one.pile]

    def _plan(self) -> None:
        """For each pile that was dealt whole, settle which of its hidden cards each seat shows later.

        All of them are in hands, and a seat that keeps few cards must show most of what it got from the pile, so that
        cannot be left to chance.
        """
        self._begun = True
        self._whole = self._piles[:-1]
        if not self._whole:
            return
        for seat, hand in self.hands.items():
            if seat != self._seat:
                self._others[seat] = _Other(hand, self._dealer.shown[seat], self._dealer.draws[seat])
        for pile in self._whole:
            self._deal_whole(pile)

    def _deal_whole(self, pile: Counter[str]) -> None:
        """Settle who shows which of a pile's hidden cards; the rest of them are kept until the end."""
        last = self._piles[-1]
        left = pile.copy()
        others = list(self._others.values())
        for other in others:
            for number, one in enumerate(other.shown):
                if one.dealt and left[one.card] and not last[one.card]:
                    other.plan(number, pile, left)
        while demands := [(spare, other, could) for other in others for spare, could in other.demands(pile, left)]:
            spare, other, could = min(demands, key=lambda demand: demand[0])
            if spare < 0:
                raise _Contradiction
            other.plan(self._rng.choice(could), pile, left)
        cards = list(left.elements())
        self._rng.shuffle(cards)
        slots = {other: other.slots(pile) for other in others}
        for card in cards:
            rare = max(last[card], _RARE) / max(1, last.total())
            likely: list[float] = []
            places: list[tuple[_Other, int | None]] = []
            for other in others:
                if slots[other] > 0:
                    for number in other.unplanned(card):
                        places.append((other, number))
                        likely.append(slots[other])
                    places.append((other, None))
                    likely.append(slots[other] * other.kept * rare)
            if not any(likely):
                raise _Contradiction
            ((other, shows),) = self._rng.choices(places, likely)
            slots[other] -= 1
            if shows is None:
                other.kept -= 1
            else:
                other.plan(shows, pile, left)

    # -- the exchange

    def _exchange(self, group: tuple[int, ...]) -> None:
        takers = group[1:] + group[:1]
        for _ in range(_SWAPS):
            passed = [self._passed(giver, taker) for giver, taker in zip(group, takers, strict=True)]
            if len(self._piles) == 1 or self._can_show(group, passed):
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

    def _can_show(self, group: Sequence[int], passed: Sequence[_Slot]) -> bool:
        """Whether everybody but the seat itself, whose cards are known, can show what it shows after an exchange."""
        shown, draws = self._dealer.shown, self._dealer.draws
        return all(
            _Other([*(slot for slot in self.hands[seat] if slot is not given), got], shown[seat], draws[seat]).can_show(
                self._piles
            )
            for seat, given, got in zip(group, passed, (passed[-1], *passed[:-1]), strict=True)
            if seat != self._seat
        )

    def _ban(self, number: int, seat: int) -> None:
        """Note that all the cards the seat can have held were ones that could not be played then."""
        if seat == self._seat:
            return
        playable = self._dealer.playable[number]
        for slot in self.hands[seat]:
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
