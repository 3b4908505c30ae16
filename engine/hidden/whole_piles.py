"""Draw piles known to have been dealt to the last card: who shows which of their cards, and who keeps the rest.

If a draw pile runs out during a round, all seats know which cards it held, and that all of them went into hands, how
many each seat got from it, and what each seat shows later. So its hidden cards are shared out before any of them is
shown (`engine.hidden.worlds`): left to chance, they would hardly ever come out even.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

_RARE = 0.1
"""Counts instead of 0, in likelihoods, for a card of which a pile has none left."""
_CHANGES = 20
"""The most times that a card passed on is moved to another pile than the one chance chose."""


class Contradiction(Exception):  # caught in engine.hidden.worlds
    """The cards dealt out so far do not agree with what is known."""


class Shown(NamedTuple):
    """A card that another seat shows, and when the seat can have got it.

    Arrivals are counted: 0 is the hand when the first card was shown, 1 the first draw after that, and so on. The card
    came with an arrival from `since` to `until`: before, the seat was stuck, though this card could have been played.
    """

    card: str
    since: int
    until: int


class Holder:
    """Another seat with hidden cards: where they come from, which it shows, and which it is assumed to keep.

    `arrived`: of each hidden card, the number of its pile and of its arrival. `planned`: for each card shown, the pile
    it is assumed to come from, once that is settled. `kept`: the cards the seat still holds in the end, by pile.
    """

    __slots__ = ("_barred", "arrived", "kept", "planned", "shown")

    def __init__(
        self, held: Iterable[int], draws: Sequence[int], shown: Sequence[Shown], barred: Mapping[str, int]
    ) -> None:
        """`held` and `draws`: the piles of its hidden cards; `barred`: how many arrivals cannot be a card (if any)."""
        self.arrived = [(pile, 0) for pile in held] + [(pile, when) for when, pile in enumerate(draws, start=1)]
        self.shown = shown
        self._barred = barred
        self.planned: list[int | None] = [None] * len(shown)
        self.kept: dict[int, list[str]] = {}

    def can_show(self, piles: Sequence[Counter[str]]) -> bool:
        """Return True if its hidden cards can account for all the cards it shows, other seats left aside."""
        shows: dict[int, int] = {}

        def find(number: int, tried: set[int]) -> bool:
            card, since, until = self.shown[number]
            for at, (pile, when) in enumerate(self.arrived):
                if at not in tried and since <= when <= until and piles[pile][card]:
                    tried.add(at)
                    if at not in shows or find(shows[at], tried):
                        shows[at] = number
                        return True
            return False

        return all(find(number, set()) for number in range(len(self.shown)))

    def can_have_shown(self, number: int, pile: int) -> bool:
        """Return True if a card shown (by number) can have come from a pile, by when cards arrived from there."""
        _, since, until = self.shown[number]
        return any(source == pile and since <= when <= until for source, when in self.arrived)

    def can_keep(self, card: str, pile: int) -> bool:
        """Return True if the seat can keep this card from this pile."""
        since = self._barred.get(card, 0)
        return any(source == pile and since <= when for source, when in self.arrived)

    def count_free(self, pile: int) -> int:
        """Return the number of its cards from a pile that are not settled yet."""
        settled = self.planned.count(pile) + len(self.kept.get(pile, ()))
        return sum(source == pile for source, _ in self.arrived) - settled

    @property
    def spare(self) -> int:
        """The number of cards it keeps besides those settled."""
        return len(self.arrived) - len(self.shown) - sum(map(len, self.kept.values()))

    def is_in_time(self, number: int, pile: int) -> bool:
        """Return True if the seat always has enough cards from a pile with this shown card from there, too."""
        shows = 0
        for at, showing in enumerate(self.shown):
            shows += at == number or self.planned[at] == pile
            if at >= number and shows > sum(source == pile and when <= showing.until for source, when in self.arrived):
                return False
        return True

    def demands(self, pile: int) -> Iterator[tuple[int, list[int]]]:
        """Yield how many more of the cards it shows must come from a pile, and which could (by number).

        A card shown before enough cards have come from other piles must be from this one; once all have come, that
        follows from the size of the pile.
        """
        in_all = sum(source != pile for source, _ in self.arrived)
        could: list[int] = []
        planned = 0
        for number, showing in enumerate(self.shown):
            if self.planned[number] == pile:
                planned += 1
            elif self.planned[number] is None and self.can_have_shown(number, pile):
                could.append(number)
            elsewhere = sum(source != pile and when <= showing.until for source, when in self.arrived)
            short = number + 1 - elsewhere - planned
            if short > 0 and elsewhere < in_all:
                yield short, could[:]


class Trade:
    """A hidden card that one holder has passed on to another: the number of its pile, which may be changed.

    `dealt`: how many cards of each pile the giver could have passed on.
    """

    __slots__ = ("dealt", "giver", "pile", "taker")

    def __init__(self, giver: Holder, taker: Holder, pile: int, dealt: Counter[int]) -> None:
        self.giver = giver
        self.taker = taker
        self.pile = pile
        self.dealt = dealt

    def change(self, pile: int) -> None:
        """Let it be a card of another pile."""
        self.giver.arrived.remove((pile, 0))
        self.taker.arrived.remove((self.pile, 0))
        self.giver.arrived.append((self.pile, 0))
        self.taker.arrived.append((pile, 0))
        self.pile = pile


class _Place(NamedTuple):
    """A place for a card of the pile: its holder, and the number of the card shown that it then is (None: kept)."""

    holder: Holder
    shows: int | None


def share(
    pile: int, piles: Sequence[Counter[str]], holders: Sequence[Holder], trades: Sequence[Trade], rng: Random
) -> None:
    """Settle for each hidden card of a pile which holder shows or keeps it; earlier piles are settled before.

    Args:
        pile: the number of the pile.
        piles: the hidden cards of each pile that go to these holders or, from the last pile, may remain.
        trades: what holders have exchanged; changed if nothing else helps.

    Raises:
        Contradiction: it cannot be done; perhaps only because of what chance has settled before.
    """
    _PileSharing(pile, piles, holders, trades, rng).share_out()


class _PileSharing:
    def __init__(
        self,
        pile: int,
        piles: Sequence[Counter[str]],
        holders: Sequence[Holder],
        trades: Sequence[Trade],
        rng: Random,
    ) -> None:
        self._pile = pile
        self._left = piles[pile].copy()
        self._later = [(number, cards) for number, cards in enumerate(piles) if number > pile]
        self._holders = holders
        self._trades = trades
        self._changes = _CHANGES
        self._rng = rng
        self._rest = sum((cards for _, cards in self._later), Counter[str]())
        self._settled: list[tuple[_Place, str]] = []
        """The choices of chance, which may be changed to make room for another card."""

    def share_out(self) -> None:
        self._settle_forced()
        cards = list(self._left.elements())
        self._rng.shuffle(cards)
        for card in cards:
            while not self._find_place(card) and not self._make_room(card, set()):
                self._change_a_trade()
        if any(any(holder.demands(self._pile)) for holder in self._holders):
            raise Contradiction

    def _settle_forced(self) -> None:
        for holder in self._holders:
            for number, planned in enumerate(holder.planned):
                if planned is None and not self._can_come_later(holder, number):
                    self._plan(holder, number)
        while demands := [
            (sum(self._left[holder.shown[number].card] > 0 for number in could) - short, holder, could)
            for holder in self._holders
            for short, could in holder.demands(self._pile)
        ]:
            _, holder, could = min(demands, key=lambda demand: demand[0])
            if not self._meet(holder, could, set()):
                self._change_a_trade(holder)

    def _meet(self, holder: Holder, could: Sequence[int], moved: set[str]) -> bool:
        """Let one of these cards come from the pile, even if another holder has to show a different one for it."""
        if holder.count_free(self._pile) <= 0:
            return False
        for number in self._rng.sample(could, len(could)):
            card = holder.shown[number].card
            if self._left[card]:
                self._left[card] -= 1
                self._put(_Place(holder, number), card)
                return True
        for number in could:
            card = holder.shown[number].card
            if card in moved:
                continue
            moved.add(card)
            for settled in self._settled[:]:
                other = settled[0].holder
                if other is holder or settled[1] != card:
                    continue
                self._take_back(*settled)
                self._put(_Place(holder, number), card)
                demands = [others for _, others in other.demands(self._pile)]
                if not demands or self._meet(other, demands[0], moved):
                    return True
                self._take_back(_Place(holder, number), card)
                self._put(*settled)
        return False

    def _can_come_later(self, holder: Holder, number: int) -> bool:
        card = holder.shown[number].card
        return any(cards[card] and holder.can_have_shown(number, pile) for pile, cards in self._later)

    def _plan(self, holder: Holder, number: int) -> None:
        card = holder.shown[number].card
        if not (self._left[card] and holder.count_free(self._pile) > 0 and holder.can_have_shown(number, self._pile)):
            raise Contradiction
        holder.planned[number] = self._pile
        self._left[card] -= 1

    def _change_a_trade(self, less: Holder | None = None) -> None:
        """Let a card that was passed on be of another pile, so that a holder has one less of this pile."""
        changes: list[tuple[Trade, int]] = []
        for trade in self._trades:
            for pile in trade.dealt:
                if self._pile not in (pile, trade.pile) or pile == trade.pile:
                    continue
                loser = trade.giver if pile == self._pile else trade.taker
                if (
                    less in (None, loser)
                    and trade.giver.count_free(pile) > 0
                    and trade.taker.count_free(trade.pile) > 0
                ):
                    changes.append((trade, pile))
        if not changes or not self._changes:
            raise Contradiction
        self._changes -= 1
        trade, pile = self._rng.choice(changes)
        trade.change(pile)

    def _find_place(self, card: str) -> bool:
        """Place a card where there is room; return True if there is."""
        rare = max(self._rest[card], _RARE) / max(1, self._rest.total())
        places: list[_Place] = []
        likely: list[float] = []
        for holder in self._holders:
            free = holder.count_free(self._pile)
            for place in self._places(holder, card):
                places.append(place)
                likely.append(free if place.shows is not None else free * holder.spare * rare)
        if not places:
            return False
        (place,) = self._rng.choices(places, likely)
        self._put(place, card)
        return True

    def _places(self, holder: Holder, card: str) -> Iterator[_Place]:
        """Yield where a card can go with one holder as things are."""
        pile = self._pile
        if holder.count_free(pile) <= 0:
            return
        for number, showing in enumerate(holder.shown):
            fits = showing.card == card and holder.planned[number] is None and holder.can_have_shown(number, pile)
            if fits and holder.is_in_time(number, pile):
                yield _Place(holder, number)
        if holder.spare > 0 and holder.can_keep(card, pile):
            yield _Place(holder, None)

    def _make_room(self, card: str, moved: set[str]) -> bool:
        """Place a card in another's stead, which goes elsewhere, perhaps in the same way (an augmenting path)."""
        moved.add(card)
        for settled in self._rng.sample(self._settled, len(self._settled)):
            (holder, _), other = settled
            if other in moved:
                continue
            self._take_back(*settled)
            for place in list(self._places(holder, card)):
                self._put(place, card)
                unmet = any(holder.demands(self._pile))
                if not unmet and (self._find_place(other) or self._make_room(other, moved)):
                    return True
                self._take_back(place, card)
            self._put(*settled)
        return False

    def _put(self, place: _Place, card: str) -> None:
        self._settled.append((place, card))
        if place.shows is None:
            place.holder.kept.setdefault(self._pile, []).append(card)
        else:
            place.holder.planned[place.shows] = self._pile

    def _take_back(self, place: _Place, card: str) -> None:
        self._settled.remove((place, card))
        if place.shows is None:
            place.holder.kept[self._pile].remove(card)
        else:
            place.holder.planned[place.shows] = None
