"""Games set up by hand in a certain situation, for single sentences of the rules."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from engine import SYSTEMS, Game, Options, Position, parse_position
from engine.players import choose
from engine.rules.pieces import Pieces
from engine.rules.routes import routes_for
from engine.staged import SEED, stage

KINDS = [(key, players) for key, system in SYSTEMS.items() for players in system.players if players <= 6]
"""Every system with every number of players that boards are drawn for."""
LARGEST = [(key, max(system.players)) for key, system in SYSTEMS.items()]
"""Each system with its largest number of players."""

TWO = Options.from_words("teams=two canadian_seven")
CROWD = {side: f"{16 * side + 3} {16 * side + 6} {16 * side + 9} {16 * side + 12}" for side in range(0, 8, 2)}
"""Sixteen pieces of two teams that can share a seven."""


def course(game: Game, dice: random.Random, most: int = 10_000, level: str = "random") -> list[Game]:
    """The states of this game, itself first, as computer players take it on: to its end, or for this many actions."""
    states = [game]
    while game.to_act and len(states) <= most:
        seat = game.to_act[0]
        game = game.play(seat, choose(level, game, seat, dice))
        states.append(game)
    return states


def placed(game: Game, pieces: Mapping[int, str]) -> dict[int, tuple[str, ...]]:
    """Four pieces per side: those written (`20 1* a`), the others in the kennel."""
    ranks = [rank.letter for rank in game.system.ranks]
    found = {}
    for side in game.seats:
        texts = pieces.get(side, "").split()
        if ranks:
            texts += [f"{rank}-" for rank in ranks if rank not in {text[0] for text in texts}]
        found[side] = tuple(texts + ["-"] * (4 - len(texts)))
    return found


def staged(
    system: str,
    players: int,
    *,
    hands: Mapping[int, str],
    pieces: Mapping[int, str] | None = None,
    turn: int = 0,
    last: str | None = None,
    next_cards: str = "",
    deck: int | None = None,
    options: Options | None = None,
) -> Game:
    """A game in the middle of a round, at the turn of a seat.

    `hands` are texts like `7 J`; seats left out hold nothing. The draw pile gives `next_cards` first. With `deck` it
    holds only this many cards in all, and the rest lie open.
    """
    dealt = Game.new(system, players, SEED, options)
    held = {side: hands.get(side, "").split() for side in dealt.seats}
    position = Position(
        dealt.system, players, placed(dealt, pieces or {}), turn, tuple(held[turn]), last, options or Options()
    )
    game = stage(position, held)
    cards, first = game.state.cards, next_cards.split()
    rest = sorted((Counter(cards.deck) - Counter(first)).elements())
    size = len(first) + len(rest) if deck is None else deck
    cards.deck = rest[: size - len(first)] + first[::-1]
    cards.discards = rest[size - len(first) :]
    return game


def exchanging(
    system: str,
    hands: Mapping[int, str],
    pieces: Mapping[int, str] | None = None,
    *,
    players: int = 4,
    asking: str = "",
) -> Game:
    """A game at its first exchange, with these hands and pieces; the other hands are as they were dealt.

    With `asking`, seat 2 calls for help and would give this card, and only seat 0 has yet to answer.
    """
    game = Game.new(system, players, SEED)
    state = game._state.copy()
    if pieces is not None:
        data = {
            "rules": system,
            "players": players,
            "pieces": {str(side): list(found) for side, found in placed(game, pieces).items()},
            "seat": 0,
            "hand": [],
        }
        state.pieces = Pieces.at(routes_for(game.board), parse_position(data).nodes())
    for seat, held in hands.items():
        state.cards.hands[seat] = held.split()
    game = Game(state, players, SEED, (), game._last)
    if asking:
        for seat in game.seats:
            game = game.play(seat, f"ask {asking}" if seat == 2 else "none")
    return game


def texts(game: Game, seat: int) -> set[str]:
    """The record texts of everything a seat may do."""
    return {str(action) for action in game.legal(seat)}


def hand(game: Game, seat: int) -> list[str]:
    return sorted(game.view(seat).hand or ())


def all_cards(game: Game) -> Counter[str]:
    cards = game._state.cards
    found = Counter([*cards.deck, *cards.discards, *game._state.aside.values()])
    for held in cards.hands:
        found.update(held)
    return found


def past_exchange(game: Game) -> Game:
    """The same game after an exchange in which everybody gives their first card, or asks for no help."""
    round_number = game.round
    while game.phase in ("exchange", "answer") and game.round == round_number:
        seat = game.to_act[0]
        wish: Sequence[str] = [text for text in sorted(texts(game, seat)) if not text.startswith("ask")]
        game = game.play(seat, wish[0])
    return game


def crowded(hand: str = "7") -> Game:
    """A game in which sixteen pieces can share a seven."""
    return staged("swiss", 8, hands={0: hand, 1: "2"}, pieces=CROWD, options=TWO)
