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
from engine.choices import Choice, choice_action
from engine.errors import GameOver, NotYourTurn, SetupError
from engine.field import Move
from engine.flow import Flow, Stage
from engine.moves import Play, card_moves, plays, stands_for
from engine.systems import Idle

if TYPE_CHECKING:
    from engine.game import Game

Player = Callable[[Flow, int, Random], Choice]
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
    flow = game._flow
    kind, what = player(flow, seat, rng)
    if isinstance(what, Play):
        what = _as_listed(flow, seat, what)
    return choice_action(flow, seat, (kind, what))


def _as_listed(flow: Flow, seat: int, play: Play) -> Play:
    """The play among all that does the same with the same card: a joker can be named in more than one way for it."""
    if play.card == play.named:
        return play
    field = flow.field
    change = field.change(play.move)
    same = plays(field, seat, (play.card,), flow.last_card, flow.options)
    return next((other for other in same if field.change(other.move) == change), play)


def player_of(name: object) -> Player:
    """The computer player of this name; raises SetupError."""
    player = PLAYERS.get(name) if isinstance(name, str) else None
    if player is None:
        raise SetupError("player", f"must be one of {', '.join(PLAYERS)}")
    return player


def _check_rng(rng: object) -> None:
    if not isinstance(rng, Random):
        raise SetupError("rng", "must be a random.Random")


def play_at_random(flow: Flow, seat: int, rng: Random) -> Choice:
    """Any card that can be played, used in any way; any other action that is asked for."""
    if flow.stage == Stage.TURN:
        play = _any_play(flow, seat, rng)
        if play is not None:
            return ActionKind.PLAY, play
        flow.found_none()
    asked = kinds(flow, seat)
    kind = asked[int(rng.random() * len(asked))]
    hand = flow.stock.hands[seat]
    if kind in (ActionKind.GIVE, ActionKind.ASK, ActionKind.DISCARD):
        return kind, hand[int(rng.random() * len(hand))]
    if kind is ActionKind.PLACE:
        return kind, int(rng.random() * len(flow.board.system.ranks))
    return kind, None


def _any_play(flow: Flow, seat: int, rng: Random) -> Play | None:
    """A play of a card chosen at random among those that can be played, or None."""
    field, options, last = flow.field, flow.options, flow.last_card
    chance = rng.random
    hand = flow.stock.hands[seat]
    cards = hand[:]
    while cards:
        card = cards.pop(int(chance() * len(cards)))
        names = stands_for(flow.routes, card, last)
        if len(names) > 1:
            left = list(names)
            while left:
                powers = left.pop(int(chance() * len(left)))
                moves = card_moves(field, powers, seat, options)
                if moves:
                    return Play(card, powers.card.id, _any(moves, chance))
        elif names:
            moves = card_moves(field, names[0], seat, options)
            if moves:
                return Play(card, names[0].card.id, _any(moves, chance))
        cards = [other for other in cards if other != card]
    # What remains is a swap without effect that may be played only because nothing else can.
    return next(plays(field, seat, hand, last, options), None) if flow.board.system.swap.idle is Idle.LAST else None


def _any(moves: list[Move], chance: Callable[[], float]) -> Move:
    return moves[int(chance() * len(moves))]


PLAYERS: Mapping[str, Player] = MappingProxyType({"random": play_at_random, "heuristic": heuristic.play})
"""The computer players by name."""
