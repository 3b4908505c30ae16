"""The big letters that connect the choices to the picture of the board.

If every piece has one way to go, the letters are on the pieces; if there are more, on the places they can reach; if
those are too many, or shared, on the pieces again, each with several answers. In a swap both pieces have one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine import Step

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Spot = tuple[int, str]
"""A piece or a place of the board: side and place."""

MOST_PLACES = 15
"""More letters than this would cover the board; then they go on the pieces."""


@dataclass(frozen=True, slots=True)
class Marks:
    """`spots`: the letters in the picture. `heads`: what precedes each answer, in order; empty for none."""

    spots: Mapping[Spot, str]
    heads: tuple[str, ...]


def letters_for(steps: Sequence[Step | None]) -> Marks:
    """Letters for the steps of the answers; None for an answer that moves nothing."""
    moves = [step for step in steps if step is not None]
    pieces = _numbered((step.side, step.origin) for step in moves)
    if any(step.other is not None for step in moves):
        both = _numbered([*pieces, *(step.other for step in moves if step.other is not None)])
        heads = (None if step is None else _pair(both, step) for step in steps)
        return _letters(both, heads)
    targets = _numbered((step.side, step.target) for step in moves)
    if len(pieces) < len(moves) == len(targets) <= MOST_PLACES:
        return _letters(targets, (None if step is None else targets.get((step.side, step.target)) for step in steps))
    return _letters(pieces, (None if step is None else pieces.get((step.side, step.origin)) for step in steps))


def _numbered(spots: Iterable[Spot]) -> dict[Spot, str]:
    return dict(zip(dict.fromkeys(spots), LETTERS, strict=False))


def _pair(both: Mapping[Spot, str], step: Step) -> str | None:
    found = (both.get((step.side, step.origin)), None if step.other is None else both.get(step.other))
    return " ⇄ ".join(letter for letter in found if letter) or None


def _letters(spots: Mapping[Spot, str], heads: Iterable[str | None]) -> Marks:
    return Marks(spots, tuple(head or "" for head in heads))
