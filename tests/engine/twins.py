"""Pairs of whole games that differ only in cards that a viewer never saw.

A game is recorded with every card marked, so that it is known afterwards which cards have stayed hidden. Its twin has
other cards in those places, and other gifts between the other players: two hidden cards may trade places, a card given
may trade places with one that its receiver kept, and a card that was offered in vain or not yet handed over may be any
other. What the viewer saw is the same at every moment, so everything made from what a viewer may see has to be the
same.

The twin is a real game: it has a seed and a log, and is replayed with every action checked against the rules.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple, TypeVar
from unittest import mock

from engine import Action, ActionKind, EventKind, Exchange, Game, NotLegal, Options, Refusal
from engine.players import choose
from engine.rules.piles import Cards
from engine.rules.shuffle import draw_first, shuffle

T = TypeVar("T")
Shuffles = dict[int, list["Marked"]]
_HIDDEN = (ActionKind.GIVE, ActionKind.ASK)


class Marked(str):
    """A card that can be told apart from others of its kind: it equals only itself."""

    __slots__ = ("place", "shuffle")

    shuffle: int
    place: int


class Gift(NamedTuple):
    """A card laid aside by `giver` in action `number`; `taker` got it, or None if nobody has (yet, or ever)."""

    number: int
    round: int
    giver: int
    card: Marked
    kept: list[Marked]
    """The cards that stayed in the giver's hand."""
    taker: int | None


class Recording(NamedTuple):
    """A game as far as it was played, with what is known about its marked cards."""

    game: Game
    shuffles: Shuffles
    gifts: list[Gift]
    hidden: dict[int, list[Marked]]
    """The cards in each hand that have been there since they were drawn."""
    undealt: list[Marked]


_arranged: dict[bytes, Shuffles] = {}
_same: dict[bytes, bytes] = {}
"""By the seed of a twin, that of the game it is a twin of."""
_lost: dict[tuple[bytes, int], str] = {}
"""By the seed of a game and the number of an action, the card that chance took in it."""


@contextmanager
def arranging() -> Iterator[None]:
    """Inside this, games whose seed has an arrangement are dealt accordingly, and recorded games have marked cards."""

    def arranged(seed: bytes, number: int, cards: Sequence[T]) -> list[T]:
        known = _arranged.get(seed)
        if known is None:
            return shuffle(seed, number, cards)
        if number not in known:
            known[number] = _marked(number, shuffle(seed, number, [str(card) for card in cards]))
        if sorted(known[number]) != sorted(str(card) for card in cards):
            raise AssertionError("the open cards of a twin are others")
        return list(known[number])  # cards are texts

    by_chance = Cards.pick_lost

    def lost(cards: Cards, seat: int, action: int) -> str:
        """A twin loses the same card, which all have seen."""
        if cards.seed not in _same:
            return _lost.setdefault((cards.seed, action), str(by_chance(cards, seat, action)))
        card = _lost[_same[cards.seed], action]
        if card not in cards.hands[seat]:
            raise NotLegal("a twin does not hold the card that is lost")
        return card

    with mock.patch("engine.rules.piles.shuffle", arranged), mock.patch.object(Cards, "pick_lost", lost):
        yield


def _marked(shuffle: int, cards: Sequence[str]) -> list[Marked]:
    found = []
    for place, text in enumerate(cards):
        card = Marked(text)
        card.shuffle, card.place = shuffle, place
        found.append(card)
    return found


def recorded(kind: tuple[str, int, str], dice: random.Random, actions: int) -> Recording:
    """A game of computer players, mostly random, of at most this many actions; inside `arranging`."""
    system, players, house = kind
    seed = dice.randbytes(32)
    _arranged[seed] = {}
    game = Game.new(system, players, seed, Options.from_words(house))
    gifts: list[Gift] = []
    while game.to_act and game.number < actions:
        seat = dice.choice(game.to_act)
        action = choose("heuristic" if dice.random() < 0.3 else "random", game, seat, dice)
        if action.kind in _HIDDEN and action.card is not None:
            hand = game._state.cards.hands[seat]
            card = next(one for one in hand if one == action.card)
            assert isinstance(card, Marked)
            kept = [one for one in hand if one is not card and isinstance(one, Marked)]
            gifts.append(Gift(game.number, game.round, seat, card, kept, None))
        game = game.play(seat, Action.parse(str(action)))  # without its mark
        for event in game.history(game.number)[0].events:
            if event.kind is EventKind.EXCHANGED:
                gifts = [_handed_over(gift, event.seats) for gift in gifts]
            elif event.kind is EventKind.DECLINED and event.seat is not None:
                gifts = [_taken_back(gift, game.board.team(event.seat)) for gift in gifts]
    cards = game._state.cards
    hidden = {seat: [card for card in cards.hands[seat] if isinstance(card, Marked)] for seat in game.seats}
    return Recording(game, _arranged[seed], gifts, hidden, [card for card in cards.deck if isinstance(card, Marked)])


def _handed_over(gift: Gift, group: tuple[int, ...]) -> Gift:
    if gift.taker is not None or gift.giver not in group:
        return gift
    return gift._replace(taker=group[(group.index(gift.giver) + 1) % len(group)])


def _taken_back(gift: Gift, team: tuple[int, ...]) -> Gift:
    return gift._replace(taker=gift.giver) if gift.taker is None and gift.giver in team else gift


def twin(recording: Recording, viewer: int | None, dice: random.Random) -> Game | None:
    """A game that looks the same to this viewer, or None if the dice made one that breaks the rules."""
    game = recording.game
    # The twin's cards; those of the recording say whose place each one takes.
    shuffles = {number: _marked(number, cards) for number, cards in recording.shuffles.items()}

    def trade(one: Marked, other: Marked) -> None:
        cards = shuffles[one.shuffle]
        cards[one.place], cards[other.place] = cards[other.place], cards[one.place]

    def value(card: Marked) -> str:
        return str(shuffles[card.shuffle][card.place])

    in_hands = [card for seat in game.seats if seat != viewer for card in recording.hidden[seat]]
    for number in shuffles:
        hidden = [card for card in (*in_hands, *recording.undealt) if card.shuffle == number]
        for card in hidden:
            trade(card, dice.choice(hidden))
    log = list(game.log)
    by_giver = {(gift.giver, id(gift.card)): gift for gift in recording.gifts}
    kept_by = {(gift.giver, gift.round): gift.kept for gift in recording.gifts if gift.taker != gift.giver}
    given: dict[int, Marked] = {}
    for gift in recording.gifts:
        card = gift.card
        if gift.giver != viewer:
            if gift.taker is None or gift.taker == gift.giver:
                card = dice.choice([card, *gift.kept])
            elif gift.taker != viewer:
                own = [
                    one
                    for one in kept_by.get((gift.taker, gift.round), [])
                    if one.shuffle == card.shuffle and (gift.taker, id(one)) not in by_giver
                ]
                if own:
                    trade(card, dice.choice(own))
        given[gift.number] = card
    for number, card in given.items():
        seat, text = log[number]
        log[number] = seat, f"{text.split()[0]} {value(card)}"
    _vary_last_wish(game, viewer, log, dice)
    seed = dice.randbytes(32)
    while draw_first(seed, game.seats) != draw_first(game.seed, game.seats):
        seed = dice.randbytes(32)
    _arranged[seed] = shuffles
    _same[seed] = game.seed
    try:
        return Game.replay(game.system.id, game.players, seed, game.options, log)
    except Refusal:
        return None


def _vary_last_wish(game: Game, viewer: int | None, log: list[tuple[int, str]], dice: random.Random) -> None:
    """Until a partner has declared, nobody knows whether help was asked for."""
    if game.board.exchange is not Exchange.ASK or game.phase != "exchange":
        return
    for seat in game.seats:
        (partner,) = game.board.partners(seat)
        if seat == viewer or seat in game.to_act or partner not in game.to_act or dice.random() < 0.5:
            continue
        if partner in game._state.answering:
            continue
        number = max(number for number, (actor, _) in enumerate(log) if actor == seat)
        hand = [*game._state.cards.hands[seat], *filter(None, [game._state.aside.get(seat)])]
        log[number] = seat, ("none" if log[number][1] != "none" else f"ask {dice.choice(hand)}")


def changed(game: Game, other: Game) -> bool:
    """Whether two twins differ at all in a hand, in what was given, or in what is still to be drawn."""

    def hidden(one: Game) -> object:
        state = one._state
        hands = [sorted(map(str, hand)) for hand in state.cards.hands]
        return hands, list(map(str, state.cards.deck)), [Action.parse(text) for _, text in one.log]

    return hidden(game) != hidden(other)


class Compared(NamedTuple):
    """The result of comparing pairs of twins."""

    pairs: int
    leaks: list[str]
    """The viewers and logs of those that do not look the same."""
    happened: Counter[EventKind]
    """In how many of the pairs an event of each kind had happened."""


def compared(kind: tuple[str, int, str], dice: random.Random, games: int, twins: int = 4) -> Compared:
    """Compare twins of this many games, for every seat and a spectator: the view at the end and the whole history.

    Some dice make none, and some games allow none, so that up to three times as many of both are tried.
    """
    leaks: list[str] = []
    pairs, happened = 0, Counter[EventKind]()
    with arranging():
        for _ in range(3 * games):
            if pairs >= games * twins * (kind[1] + 1) * 7 // 8:
                break
            recording = recorded(kind, dice, dice.randrange(1, 90))
            game = recording.game
            kinds = {event.kind for entry in game.history(0) for event in entry.events}
            for viewer in (None, *game.seats):
                shown = repr(game.view(viewer)), repr(game.history(0))
                tried = (twin(recording, viewer, dice) for _ in range(3 * twins))
                for other in islice((one for one in tried if one is not None and changed(game, one)), twins):
                    pairs += 1
                    happened.update(kinds)
                    if (repr(other.view(viewer)), repr(other.history(0))) != shown:
                        leaks.append(f"{kind} seen by {viewer}: {game.log} and {other.log}")
    return Compared(pairs, leaks, happened)
