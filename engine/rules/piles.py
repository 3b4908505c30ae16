"""The cards of a game: the draw pile, the discards and the hands, and the public facts about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from engine.rules.board import Board
from engine.rules.shuffle import lost_card, shuffle


class Cards:
    """All cards of a game, changed in place. `hands` is indexed by side; cards are drawn from the end of `deck`.

    `discards` holds the open cards in the order in which the next shuffle will take them, which is part of what a seed
    and a log mean. A hand laid down whole lies there in the order in which its cards were received, and that would
    reveal gifts: the last one is what the partner gave face down. So people are shown `open_cards`, never `discards`.
    `laid_down`: where in `discards` such hands begin and end.
    """

    __slots__ = ("deck", "discards", "hands", "laid_down", "order", "seed", "shuffles")

    def __init__(
        self, board: Board, seed: bytes, discards: Sequence[str] = (), hands: Mapping[int, Sequence[str]] | None = None
    ) -> None:
        """Shuffle all cards but these, which lie open already or are in open hands, by side."""
        self.seed = seed
        self.order = {card: index for index, card in enumerate(board.system.cards)}
        self.laid_down: list[tuple[int, int]] = []
        self.hands: list[list[str]] = [list((hands or {}).get(side, ())) for side in range(board.sides)]
        self.deck: list[str] = []
        left = Counter(board.deck) - Counter(chain(discards, *self.hands))
        self.discards: list[str] = [card for card in board.deck for _ in range(left[card])]
        self.shuffles = 0
        self.reshuffle()
        self.discards = list(discards)

    def copy(self) -> Cards:
        """Return an independent copy."""
        new = Cards.__new__(Cards)
        new.seed = self.seed
        new.order = self.order
        new.laid_down = self.laid_down[:]
        new.hands = [hand[:] for hand in self.hands]
        new.deck = self.deck[:]
        new.discards = self.discards[:]
        new.shuffles = self.shuffles
        return new

    def reshuffle(self) -> None:
        """Shuffle the discards into a new draw pile because the old one has run out."""
        self.shuffles += 1
        self.deck = shuffle(self.seed, self.shuffles, self.discards)
        self.discards = []
        self.laid_down = []

    def deal(self, seats: Sequence[int], count: int) -> None:
        """Deal cards to the seats, one at a time in turn, shuffling the discards when the pile runs out (section 3)."""
        needed = count * len(seats)
        if needed <= len(self.deck):
            dealt = self.deck[: -needed - 1 : -1]
            del self.deck[-needed:]
            for number, seat in enumerate(seats):
                self.hands[seat] += dealt[number :: len(seats)]
            return
        for _ in range(count):
            for seat in seats:
                self.draw(seat)

    def draw(self, seat: int) -> int:
        """Draw a card for a seat, shuffling the discards if necessary; return 1, or 0 if there is nothing to draw."""
        if not self.deck:
            if not self.discards:
                return 0
            self.reshuffle()
        self.hands[seat].append(self.deck.pop())
        return 1

    def lay_open(self, seat: int, card: str) -> None:
        """Put a card from a hand on the discards."""
        self.hands[seat].remove(card)
        self.discards.append(card)

    def pick_lost(self, seat: int, action: int) -> str:
        """Return the card of a hand that chance takes in an action."""
        return self.hands[seat][lost_card(self.seed, action, len(self.hands[seat]))]

    def lay_down(self, seat: int) -> None:
        """Put a whole hand on the discards."""
        begin = len(self.discards)
        self.discards += self.hands[seat]
        self.laid_down.append((begin, len(self.discards)))
        self.hands[seat] = []

    def in_order(self, cards: Iterable[str]) -> tuple[str, ...]:
        """Sort cards by the system's catalogue, which does not reveal when each was received."""
        return tuple(sorted(cards, key=self.order.__getitem__))

    def open_cards(self) -> tuple[str, ...]:
        """Return the open cards since the last shuffle, oldest first; whole hands in the catalogue's order."""
        shown = self.discards[:]
        for begin, end in self.laid_down:
            shown[begin:end] = self.in_order(shown[begin:end])
        return tuple(shown)


class Dealt(NamedTuple):
    """A round was dealt: `open_cards` lay open before it, `each` seat got this many cards, one at a time in turn.

    `sizes`: by seat how many of them it got, if the game began in the middle of the round.
    """

    open_cards: tuple[str, ...]
    starter: int
    each: int
    sizes: Mapping[int, int] | None = None

    def takers(self, board: Board) -> list[int]:
        """Return the seats in the order in which they got cards."""
        turns, sizes = board.turns[self.starter], self.sizes
        if sizes is None:
            return [*turns] * self.each
        return [seat for number in range(self.each) for seat in turns if number < sizes[seat]]


class Exchanged(NamedTuple):
    """Each seat in `group` passed a hidden card to the next one in it."""

    group: tuple[int, ...]


class LaidOpen(NamedTuple):
    """A seat played, discarded or laid down these cards."""

    seat: int
    cards: tuple[str, ...]


class Stuck(NamedTuple):
    """A seat could not play any of its cards: where the pieces were (`nodes`), and what cards then depended on.

    `last`: what a copy would have stood for; `victim`: whom a card would have cost a card.
    """

    seat: int
    nodes: tuple[int, ...]
    last: str | None
    victim: int | None


class Drew(NamedTuple):
    """A seat drew a card."""

    seat: int


Fact = Dealt | Exchanged | LaidOpen | Stuck | Drew
"""A public fact about the cards in a round; computer players reason from all of them, in order."""
