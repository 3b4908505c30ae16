"""Computer players: one that plays at random, and one that weighs what each action does (see `engine.heuristic`).

A player looks only at what its seat may know: the board, its own hand, and the card that a copy would stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine import heuristic
from engine.actions import Action, ActionKind
from engine.checks import kinds
from engine.choices import Resolved, action_of
from engine.errors import GameOver, NotYourTurn, SetupError
from engine.moves import Play, card_moves, plays, stands_for
from engine.pieces import Move
from engine.state import GameState, RoundStage
from engine.systems import IdleSwap

if TYPE_CHECKING:
    from engine.game import Game

Player = Callable[[GameState, int, Random], Resolved]
"""Chooses for a seat that must act."""


def choose(name: str, game: Game, seat: int, rng: Random) -> Action:
    """An action for a seat that must act now, always a legal one; the same for the same game and state of `rng`.

    Args:
        name: one of `PLAYERS`.

    Raises:
        SetupError: there is no such player or seat, or `rng` is no source of chance.
        NotYourTurn, GameOver: the seat is not asked for anything.
    """
    player = player_of(name)
    _check_rng(rng)
    game.check_seat(seat)
    if game.winners:
        raise GameOver(game.winners)
    if seat not in game.to_act:
        raise NotYourTurn(seat, game.to_act)
    state = game._state
    kind, what = player(state, seat, rng)
    if isinstance(what, Play):
        what = _as_listed(state, seat, what)
    return action_of(state, seat, Resolved(kind, what))


def _as_listed(state: GameState, seat: int, play: Play) -> Play:
    """The play among all that does the same with the same card: a joker can be named in more than one way for it."""
    if play.card == play.named:
        return play
    pieces = state.pieces
    change = pieces.change(play.move)
    same = plays(pieces, seat, (play.card,), state.last_card, state.options)
    return next((other for other in same if pieces.change(other.move) == change), play)


def player_of(name: object) -> Player:
    """The computer player of this name; raises SetupError."""
    player = PLAYERS.get(name) if isinstance(name, str) else None
    if player is None:
        raise SetupError("player", f"must be one of {', '.join(PLAYERS)}")
    return player


def _check_rng(rng: object) -> None:
    if not isinstance(rng, Random):
        raise SetupError("rng", "must be a random.Random")


def play_at_random(state: GameState, seat: int, rng: Random) -> Resolved:
    """Any card that can be played, used in any way; any other action that is asked for."""
    if state.stage == RoundStage.TURN:
        play = _any_play(state, seat, rng)
        if play is not None:
            return Resolved(ActionKind.PLAY, play)
        state.found_none()
    asked = kinds(state, seat)
    kind = asked[int(rng.random() * len(asked))]
    hand = state.cards.hands[seat]
    if kind in (ActionKind.GIVE, ActionKind.ASK, ActionKind.DISCARD):
        return Resolved(kind, hand[int(rng.random() * len(hand))])
    if kind is ActionKind.PLACE:
        return Resolved(kind, int(rng.random() * len(state.board.system.ranks)))
    return Resolved(kind)


def _any_play(state: GameState, seat: int, rng: Random) -> Play | None:
    """A play of a card chosen at random among those that can be played, or None."""
    pieces, options, last = state.pieces, state.options, state.last_card
    chance = rng.random
    hand = state.cards.hands[seat]
    cards = hand[:]
    while cards:
        card = cards.pop(int(chance() * len(cards)))
        names = stands_for(state.routes, card, last)
        if len(names) > 1:
            left = list(names)
            while left:
                powers = left.pop(int(chance() * len(left)))
                moves = card_moves(pieces, powers, seat, options)
                if moves:
                    return Play(card, powers.card.id, _any(moves, chance))
        elif names:
            moves = card_moves(pieces, names[0], seat, options)
            if moves:
                return Play(card, names[0].card.id, _any(moves, chance))
        cards = [other for other in cards if other != card]
    # What remains is a swap without effect that may be played only because nothing else can.
    return (
        next(plays(pieces, seat, hand, last, options), None) if state.board.system.swap.idle is IdleSwap.LAST else None
    )


def _any(moves: list[Move], chance: Callable[[], float]) -> Move:
    return moves[int(chance() * len(moves))]


PLAYERS: Mapping[str, Player] = MappingProxyType({"random": play_at_random, "heuristic": heuristic.play})
"""The computer players by name."""
