"""A seat's knowledge of a game: its own cards and the public record. Computer players get nothing else.

It can make worlds: whole games that agree with everything the seat knows, with the hidden cards dealt at random
(`engine.hidden.worlds`). A world differs from the real game only in what the seat cannot tell.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from engine.hidden.worlds import Dealer, choose_wishes
from engine.rules.actions import ActionKind
from engine.rules.board import Board
from engine.rules.checks import kinds, kinds_on_turn
from engine.rules.definition import Exchange
from engine.rules.moves import hand_can_play
from engine.rules.piles import Dealt, Fact
from engine.rules.shuffle import SEED_BYTES
from engine.rules.state import GameState, RoundStage

if TYPE_CHECKING:
    from engine.game import Game


class Knowledge:
    """One seat's knowledge. `hand` is its own; `record` holds the public facts of this round.

    The pieces must not be changed. `came`: the cards that this seat got from the draw pile in this round. `starter`:
    the seat that began the round.
    """

    __slots__ = (
        *("_asked", "_can_play", "_deals", "_sizes", "_state", "came", "gave", "got", "hand", "jumper", "last_card"),
        *("pieces", "record", "routes", "seat", "stage", "starter"),
    )

    def __init__(self, state: GameState, seat: int, sizes: list[int] | None = None) -> None:
        self.seat = seat
        self.routes = state.routes
        self.pieces = state.pieces
        self.stage = state.stage
        self.hand = tuple(state.cards.hands[seat])
        self.starter = state.starter
        self.last_card = state.last_card
        self.jumper = state.jumper
        self.gave = state.gave.get(seat)
        self.got = state.got.get(seat)
        self.record = state.record
        self.came = state.came[seat]
        self._state = state
        self._sizes = sizes
        self._can_play: bool | None = None
        self._asked: tuple[ActionKind, ...] | None = None
        self._deals: Dealer | None = None

    @classmethod
    def of(cls, game: Game, seat: int) -> Knowledge:
        """Return what this seat knows of a game; raises SetupError if there is no such seat."""
        game.check_seat(seat)
        return cls.of_state(game.state, seat)

    @classmethod
    def of_state(cls, state: GameState, seat: int, sizes: list[int] | None = None) -> Knowledge:
        """Return the same for a state, as a copy, so that the state may change afterwards.

        `sizes`: by side, the sizes of the hands, if they do not follow from the state.
        """
        return cls(_hide_cards(state, seat), seat, _public_sizes(state) if sizes is None else sizes)

    @property
    def board(self) -> Board:
        """The board."""
        return self.routes.board

    @property
    def sizes(self) -> list[int]:
        """By side, the public sizes of the hands."""
        if self._sizes is None:
            self._sizes = _public_sizes(self._state)
        return self._sizes

    @property
    def victim(self) -> int | None:
        """The seat that the own cards can cost a card: the next opponent in turn who holds any, or None."""
        if not self.routes.robs:
            return None
        team = self.board.team(self.seat)
        return next((seat for seat in self.board.after[self.seat] if self.sizes[seat] and seat not in team), None)

    @property
    def asked(self) -> tuple[ActionKind, ...]:
        """The kinds of action that the seat is asked for."""
        if self._asked is None:
            if self.stage != RoundStage.TURN:
                self._asked = kinds(self._state, self.seat)
            else:
                if self._can_play is None:
                    self._can_play = hand_can_play(self.pieces, self.seat, self.hand, self.last_card, self.victim)
                self._asked = kinds_on_turn(self.board, self._can_play)
        return self._asked

    @property
    def _dealer(self) -> Dealer:
        if self._deals is None:
            self._deals = Dealer(self)
        return self._deals

    def note_stuck(self) -> None:
        """Note that no card can be played, as a search for one has shown."""
        self._can_play = False

    def sample(self, rng: Random) -> GameState:
        """Deal a world: a state that this seat cannot tell from the real state, with hidden cards at random.

        Raises NoWorld: none was found.
        """
        if self.board.system.open_hands:
            return self._sample_open(rng)
        world = self._dealer.deal(rng)
        state = _hide_cards(self._state, self.seat)
        world.put_into(state, rng)
        return state

    def _sample_open(self, rng: Random) -> GameState:
        """Deal a world of open hands: only the draw pile and gifts not yet handed over are hidden."""
        state = _hide_cards(self._state, self.seat)
        cards = state.cards
        seen = [card for hand in cards.hands for card in hand] + cards.discards + list(state.aside.values())
        cards.deck = sorted((Counter(self.board.deck) - Counter(seen)).elements())
        rng.shuffle(cards.deck)
        cards.seed = rng.randbytes(SEED_BYTES)
        choose_wishes(state, self.seat, rng)
        return state


def _public_sizes(state: GameState) -> list[int]:
    sizes = [0] * state.board.sides
    for seat in state.board.seats:
        sizes[seat] = state.shown_size(seat)
    return sizes


def _hide_cards(state: GameState, seat: int) -> GameState:
    """Copy a state without anything the seat does not know; others' cards are left out unless hands are open."""
    new = state.copy()
    new.cards.seed = bytes(SEED_BYTES)
    new.cards.deck = []
    # The order in which hands were laid down would give gifts away.
    new.cards.discards = list(state.cards.open_cards())
    new.cards.laid_down = []
    new.record = [_hide_order(fact, new) for fact in new.record]
    secret = state.board.exchange is Exchange.ASK
    for other in state.board.seats:
        if other == seat:
            continue
        laid = [state.aside[other]] if other in state.aside else []
        open_hand = [*state.cards.hands[other], *laid] if state.board.system.open_hands else []
        new.cards.hands[other] = list(state.cards.in_order(open_hand))
        new.came[other] = []
        new.gave.pop(other, None)
        new.got.pop(other, None)
        new.aside.pop(other, None)
        waiting = any(partner in state.undeclared for partner in state.board.partners(other))
        if secret and waiting and other in new.declared:
            new.declared[other] = False
    new._can_play = None
    return new


def _hide_order(fact: Fact, state: GameState) -> Fact:
    """Return a fact, a deal without the order of the cards in hands that were laid down before it."""
    if isinstance(fact, Dealt):
        return fact._replace(open_cards=state.cards.in_order(fact.open_cards))
    return fact
