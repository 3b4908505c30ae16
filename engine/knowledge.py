"""What a seat knows of a game: its own cards and what everybody has seen. Players get this and nothing else.

It can make worlds: whole games that agree with everything the seat knows, with the hidden cards dealt at random. A
world differs from the real game only in what the seat cannot tell. What is taken into account:

* which cards have been shown, and what was in the draw pile when it was last shuffled;
* the cards that the seat gave and got, and where those it gave still are;
* what a seat that could not play cannot have held at the time;
* that a seat which laid its hand down showed all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from engine.actions import ActionKind
from engine.board import Board
from engine.checks import kinds, kinds_on_turn
from engine.errors import DogError
from engine.moves import hand_can_play
from engine.pieces import Pieces
from engine.record import Dealt, Drew, Exchanged, Fact, LaidOpen, Stuck
from engine.shuffle import SEED_BYTES
from engine.state import GameState, RoundStage
from engine.systems import Exchange

if TYPE_CHECKING:
    from engine.game import Game

TRIES = 200
"""How often a world is started afresh when the cards dealt contradict what is known."""


class NoWorld(DogError):
    """No world was found that agrees with what is known."""


class Knowledge:
    """What one seat knows. `hand` is its own; `record` is what everybody has seen in this round.

    The pieces must not be changed. `came`: the cards that this seat got from the draw pile in this round. `sizes`: by
    side, how many cards everybody holds, as far as everybody may know. `starter`: the seat that began the round.
    """

    __slots__ = (
        "_can_play",
        "_copy",
        "_kinds",
        "came",
        "gave",
        "got",
        "hand",
        "jumper",
        "last_card",
        "options",
        "pieces",
        "record",
        "routes",
        "seat",
        "sizes",
        "stage",
        "starter",
    )

    def __init__(self, state: GameState, seat: int) -> None:
        self.seat = seat
        self.routes = state.routes
        self.options = state.options
        self.pieces = state.pieces
        self.stage = state.stage
        self.hand = tuple(state.cards.hands[seat])
        self.sizes = sizes_shown(state)
        self.starter = state.starter
        self.last_card = state.last_card
        self.jumper = state.jumper
        self.gave = state.gave.get(seat)
        self.got = state.got.get(seat)
        self.record = state.record
        self.came = state.came[seat]
        self._can_play: bool | None = None
        self._kinds = None if state.stage == RoundStage.TURN else kinds(state, seat)
        self._copy: Callable[[], GameState] = lambda: _public(state, seat)

    @classmethod
    def of(cls, game: Game, seat: int) -> Knowledge:
        """What this seat knows of a game; raises SetupError if nobody sits there."""
        game.check_seat(seat)
        return cls.of_state(game.state, seat)

    @classmethod
    def of_state(cls, state: GameState, seat: int) -> Knowledge:
        """The same for a state; an independent copy, so the state may change afterwards."""
        known = cls(_public(state, seat), seat)
        known.sizes = sizes_shown(state)
        return known

    @property
    def board(self) -> Board:
        """The board."""
        return self.routes.board

    @property
    def asked(self) -> tuple[ActionKind, ...]:
        """The kinds of action that the seat is asked for."""
        if self._kinds is None:
            if self._can_play is None:
                self._can_play = hand_can_play(self.pieces, self.seat, self.hand, self.last_card, self.options)
            self._kinds = kinds_on_turn(self.board, self._can_play)
        return self._kinds

    def found_none(self) -> None:
        """Note that no card can be played, which was found out while looking for one."""
        self._can_play = False

    def sample(self, rng: Random) -> GameState:
        """A world: a game state that this seat cannot tell from the real one, with the hidden cards dealt at random.

        Raises:
            NoWorld: none was found.
        """
        state = self._copy()
        for _ in range(TRIES):
            world = _World(self, rng)
            if world.complete():
                world.put_into(state, rng)
                return state
        raise NoWorld("no world agrees with what is known")


def sizes_shown(state: GameState) -> list[int]:
    """By side, how many cards everybody holds, as far as everybody may know."""
    sizes = [0] * state.board.sides
    for seat in state.board.seats:
        sizes[seat] = state.shown_size(seat)
    return sizes


def _public(state: GameState, seat: int) -> GameState:
    """A copy without anything the seat does not know; others' cards are left out."""
    new = state.copy()
    new.cards.seed = bytes(SEED_BYTES)
    new.cards.deck = []
    # The order in which hands were laid down would give gifts away.
    new.cards.discards = list(state.cards.open_cards())
    new.cards.laid_down = []
    new.record = [_told(fact, new) for fact in new.record]
    secret = state.board.exchange is Exchange.ASK
    for other in state.board.seats:
        if other == seat:
            continue
        new.cards.hands[other] = []
        new.came[other] = []
        new.gave.pop(other, None)
        new.got.pop(other, None)
        new.aside.pop(other, None)
        partner = state.board.partner(other)
        if secret and partner in state.undeclared and other in new.declared:
            new.declared[other] = False
    new._can_play = None
    return new


def _told(fact: Fact, state: GameState) -> Fact:
    """A deal, without the order of the cards in hands that were laid down before it."""
    if isinstance(fact, Dealt):
        return Dealt(state.cards.in_order(fact.open_cards), fact.starter, fact.count)
    return fact


class _Slot:
    """A card in somebody's hand: what it is (None: hidden), and what it cannot be."""

    __slots__ = ("banned", "card")

    def __init__(self, card: str | None = None) -> None:
        self.card = card
        self.banned: frozenset[str] = frozenset()


class _Contradiction(Exception):  # never leaves this file
    """The cards dealt out so far do not agree with what is known."""


def _mix(cards: list[str], rng: Random) -> None:
    """Shuffle in place; much faster than `Random.shuffle`, and needed for every world."""
    chance = rng.random
    cards.sort(key=lambda _: chance())


class _World:
    """One attempt to deal the hidden cards of a round so that everything known comes true.

    The round is replayed fact by fact, with hidden cards as slots in hands. A card that is shown leaves one of the
    slots it can have been in; at the end, the cards that nobody has seen are dealt into the slots that remain.
    """

    def __init__(self, knowledge: Knowledge, rng: Random) -> None:
        self._knowledge = knowledge
        self._rng = rng
        self._seat = knowledge.seat
        self._open: Counter[str] = Counter()
        self._shuffled: Counter[str] = Counter()
        """What was in the draw pile when it was last shuffled."""
        self._left = 0
        self._came = iter(knowledge.came)
        self._own_aside: list[str] = []
        self._deck: list[str] = []
        self.hands: dict[int, list[_Slot]] = {seat: [] for seat in knowledge.board.seats}

    def complete(self) -> bool:
        """Deal everything; False if that leads to a contradiction."""
        try:
            for fact in self._knowledge.record:
                self._follow(fact)
            missing = Counter(slot.card or "" for slot in self.hands[self._seat]) - Counter(self._knowledge.hand)
            self._own_aside = list(missing.elements())
            for card in self._own_aside:
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
                for card in fact.cards:
                    self._take(fact.seat, card)
                    self._open[card] += 1
            case Stuck():
                self._ban(fact)
            case Drew():
                self._draw(fact.seat)

    def _shuffle(self, pile: Counter[str]) -> None:
        self._shuffled = pile
        self._left = pile.total()

    def _draw(self, seat: int) -> None:
        if not self._left:
            pile, self._open = self._open, Counter()
            self._shuffle(pile)
        self._left -= 1
        self.hands[seat].append(_Slot(next(self._came) if seat == self._seat else None))

    def _take(self, seat: int, card: str) -> _Slot:
        """Take a card out of a hand that must hold it.

        Slots where it is known to be come first, then those that could hold the fewest other cards, so that everything
        that may be left in the hand stays possible.
        """
        hand = self.hands[seat]
        fitting = [slot for slot in hand if slot.card == card]
        if not fitting:
            fitting = [slot for slot in hand if slot.card is None and card not in slot.banned]
            most = max((len(slot.banned) for slot in fitting), default=0)
            fitting = [slot for slot in fitting if len(slot.banned) == most]
        if not fitting:
            raise _Contradiction
        slot = self._rng.choice(fitting)
        slot.card = card
        hand.remove(slot)
        return slot

    def _exchange(self, group: tuple[int, ...]) -> None:
        passed = [self._given(seat, group[(index + 1) % len(group)]) for index, seat in enumerate(group)]
        for slot, taker in zip(passed, group[1:] + group[:1], strict=True):
            self.hands[taker].append(slot)

    def _given(self, seat: int, taker: int) -> _Slot:
        knowledge = self._knowledge
        if seat == self._seat and knowledge.gave is not None:
            return self._take(seat, knowledge.gave)
        if taker == self._seat and knowledge.got is not None:
            return self._take(seat, knowledge.got)
        hand = self.hands[seat]
        return hand.pop(self._rng.randrange(len(hand)))

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
        """Deal the unseen cards into the slots that remain, the most constrained ones first.

        Cards that were not shuffled into the draw pile cannot be there, so they are in somebody's hand.
        """
        hidden = Counter(self._knowledge.board.system.deck) - self._open - Counter(self._own_aside)
        hidden -= Counter(slot.card for hand in self.hands.values() for slot in hand if slot.card is not None)
        places = [slot for hand in self.hands.values() for slot in hand if slot.card is None]
        self._rng.shuffle(places)
        for slot in sorted((slot for slot in places if slot.banned), key=lambda slot: -len(slot.banned)):
            allowed = [card for card in hidden.elements() if card not in slot.banned]
            if not allowed:
                raise _Contradiction
            slot.card = self._rng.choice(allowed)
            hidden[slot.card] -= 1
        free = [slot for slot in places if not slot.banned]
        certain = list((hidden - self._shuffled).elements())
        rest = list((hidden - Counter(certain)).elements())
        if len(certain) > len(free):
            raise _Contradiction
        _mix(rest, self._rng)
        for slot, card in zip(free, certain + rest, strict=False):
            slot.card = card
        self._deck = (certain + rest)[len(free) :]
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
