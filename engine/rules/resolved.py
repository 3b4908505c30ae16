"""Actions in the engine's own terms."""

from __future__ import annotations

from typing import NamedTuple

from engine.rules.actions import ActionKind
from engine.rules.moves import Play
from engine.rules.state import GameState


class Resolved(NamedTuple):
    """The kind of an action together with the play, the card (give, ask, discard) or the index of the rank (place)."""

    kind: ActionKind
    what: Play | str | int | None = None


def carry_out(state: GameState, seat: int, resolved: Resolved) -> None:
    """Carry out something that is allowed, on a state that changes in place."""
    what = resolved.what
    if isinstance(what, Play):  # by far the most frequent
        state.play(seat, what)
        return
    match resolved:
        case (ActionKind.GIVE, str() as card):
            state.give(seat, card)
        case (ActionKind.DISCARD, str() as card):
            state.discard(seat, card)
        case (ActionKind.ASK, str() as card):
            state.declare(seat, card)
        case (ActionKind.NONE, _):
            state.declare(seat, None)
        case (ActionKind.PLACE, int() as index):
            state.place(seat, index)
        case (ActionKind.DECLINE, _):
            state.decline(seat)
        case (ActionKind.JUMP, _):
            state.jump(seat)
        case (ActionKind.STAY, _):
            state.stay(seat)
        case _:
            state.fold(seat)
