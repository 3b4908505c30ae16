"""Computer players by name: random, the heuristic (`engine.players.heuristic`), and easy, normal and strong (`levels`).

A player is given what its seat knows (`engine.hidden.knowledge`), and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.errors import GameOver, NotYourTurn, SetupError
from engine.hidden.knowledge import Knowledge
from engine.players import heuristic
from engine.players.best import action_for
from engine.players.levels import play_easy, play_normal, play_strong
from engine.rules.actions import Action, ActionKind
from engine.rules.definition import IdleSwap
from engine.rules.moves import Play, card_moves, plays, stands_for
from engine.rules.resolved import Resolved
from engine.rules.state import RoundStage

if TYPE_CHECKING:
    from engine.game import Game

Player = Callable[[Knowledge, Random], Resolved]
"""A computer player: chooses for a seat that must act, from what that seat knows."""


def choose(name: object, game: Game, seat: int, rng: Random) -> Action:
    """Choose a legal action for a seat to act; the same for the same game and state of `rng`.

    Args:
        name: one of `PLAYERS`.

    Raises:
        SetupError: there is no such player or seat, or `rng` is not a random generator.
        NotYourTurn, GameOver: the seat is not being asked for anything.
    """
    player = player_of(name)
    if not isinstance(rng, Random):
        raise SetupError("rng", "must be a random.Random")
    game.check_seat(seat)
    if game.winners:
        raise GameOver(game.winners)
    if seat not in game.to_act:
        raise NotYourTurn(seat, game.to_act)
    known = Knowledge.of(game, seat)
    return action_for(known, player(known, rng))


def player_of(name: object) -> Player:
    """Return the computer player of this name; raises SetupError."""
    player = PLAYERS.get(name) if isinstance(name, str) else None
    if player is None:
        raise SetupError("player", f"must be one of {', '.join(PLAYERS)}")
    return player


def play_at_random(known: Knowledge, rng: Random) -> Resolved:
    """Play any card that can be played, in any way; otherwise, take any action that is asked for."""
    if known.stage == RoundStage.TURN:
        play = _any_play(known, rng)
        if play is not None:
            return Resolved(ActionKind.PLAY, play)
        known.note_stuck()
    asked = known.asked
    kind = asked[int(rng.random() * len(asked))]
    hand = known.hand
    if kind in (ActionKind.GIVE, ActionKind.ASK, ActionKind.DISCARD):
        return Resolved(kind, hand[int(rng.random() * len(hand))])
    if kind is ActionKind.PLACE:
        return Resolved(kind, int(rng.random() * len(known.board.system.ranks)))
    return Resolved(kind)


def _any_play(known: Knowledge, rng: Random) -> Play | None:
    """Return a play of a card chosen at random from those that can be played, or None."""
    pieces, last = known.pieces, known.last_card
    victim = known.victim if known.routes.robs else None
    chance = rng.random
    hand = known.hand
    cards = list(hand)
    while cards:
        card = cards.pop(int(chance() * len(cards)))
        names = stands_for(known.routes, card, last)
        if len(names) > 1:
            left = list(names)
            while left:
                powers = left.pop(int(chance() * len(left)))
                moves = card_moves(pieces, powers, known.seat, victim)
                if moves:
                    return Play(card, powers.card.id, moves[int(chance() * len(moves))])
        elif names:
            moves = card_moves(pieces, names[0], known.seat, victim)
            if moves:
                return Play(card, names[0].card.id, moves[int(chance() * len(moves))])
        cards = [other for other in cards if other != card]
    # What remains is a swap without effect, which is only allowed because nothing else can be played.
    return (
        next(plays(pieces, known.seat, hand, last, victim), None)
        if known.board.system.swap.idle is IdleSwap.LAST
        else None
    )


PLAYERS: Mapping[str, Player] = MappingProxyType(
    {
        "random": play_at_random,
        "heuristic": heuristic.play,
        "easy": play_easy,
        "normal": play_normal,
        "strong": play_strong,
    }
)
"""The computer players, by name."""
