"""What a computer player chooses, in the engine's own terms: carried out at once, or told as an action."""

from __future__ import annotations

from engine.actions import Action, ActionKind
from engine.describe import play_action
from engine.flow import Flow
from engine.moves import Play

Choice = tuple[ActionKind, "Play | str | int | None"]
"""The kind of action, and with it the play, the card (give, ask, discard) or the index of the rank (place)."""


def choice_action(flow: Flow, seat: int, choice: Choice) -> Action:
    """The action that a choice stands for."""
    kind, what = choice
    if isinstance(what, Play):
        return play_action(flow.field, seat, what)
    if isinstance(what, int):
        return Action(kind, rank=flow.board.system.ranks[what].letter)
    return Action(kind, what)


def carry_out(flow: Flow, seat: int, choice: Choice) -> None:
    """Carry a legal choice out on the flow, which changes in place."""
    kind, what = choice
    if isinstance(what, Play):
        flow.play(seat, what)
    elif isinstance(what, str):
        if kind is ActionKind.GIVE:
            flow.give(seat, what)
        elif kind is ActionKind.ASK:
            flow.declare(seat, what)
        else:
            flow.discard(seat, what)
    elif isinstance(what, int):
        flow.place(seat, what)
    elif kind is ActionKind.NONE:
        flow.declare(seat, None)
    elif kind is ActionKind.DECLINE:
        flow.decline(seat)
    elif kind is ActionKind.JUMP:
        flow.jump(seat)
    elif kind is ActionKind.STAY:
        flow.stay(seat)
    else:
        flow.fold(seat)
