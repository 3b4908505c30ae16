"""Tips for somebody's first games: which one fits what a seat sees, pure."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine import KENNEL_TEXT, SLOTS, ActionKind, SeatGame, View
from engine.rules.cards import Backward, Out

MOST = 2
"""How often a tip is shown to one person."""


class Tip(StrEnum):
    """What a tip is about; the interface words it."""

    GIVE = "give"
    HELP = "help"
    FILL = "fill"
    EXACT = "exact"
    FOUR = "four"
    SAFE = "safe"


def tip_for(game: SeatGame, learned: Mapping[str, int]) -> Tip | None:
    """The tip that a person should see now, given how often each was shown; None if none fits."""
    view = game.view
    if not view.legal:
        return None
    return next((tip for tip, fits in _fitting(view).items() if fits and learned.get(key(tip), 0) < MOST), None)


def key(tip: Tip) -> str:
    """Under which name it is remembered how often a tip was shown."""
    return f"tip:{tip.value}"


def _fitting(view: View) -> Mapping[Tip, bool]:
    """Which tips fit, the most urgent first."""
    seat = view.viewer
    assert seat is not None, "only a seat gets tips"
    board, kinds = view.board, {action.kind for action in view.legal}
    partners = board.partners(seat)
    mine = view.pieces[seat]
    home = sum(text[-1] in SLOTS for text in mine)
    parts = [part for action in view.legal for part in action.parts]
    waits = any(not any(map(_is_out, view.pieces[one])) for one in partners)
    cards = board.system.cards
    brings_out = any(Out() in cards[card].powers or cards[card].wild for card in view.hand or ())
    goes_back = any(isinstance(power, Backward) for card in view.hand or () for power in cards[card].powers)
    fresh = any(text.endswith("*") for text in mine)
    out = any(_is_out(text) for text in mine)
    turn = ActionKind.PLAY in kinds
    enters = any(part.target in SLOTS and part.origin not in SLOTS for part in parts)
    return {
        Tip.GIVE: bool(kinds & {ActionKind.GIVE, ActionKind.ASK}) and waits and brings_out,
        Tip.HELP: turn and home == len(mine) and bool(partners),
        Tip.FILL: turn and enters and home < len(mine) - 1,
        Tip.EXACT: turn and home == len(mine) - 1 and out,
        Tip.FOUR: turn and goes_back and fresh,
        Tip.SAFE: turn and out,
    }


def _is_out(text: str) -> bool:
    return text[-1] not in SLOTS and not text.endswith(KENNEL_TEXT)
