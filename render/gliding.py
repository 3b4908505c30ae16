"""Pieces on their way: where the moving pieces of a scene are at any moment of its move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine import StepKind
from render import sprites, strokes
from render.geometry import Layout, Point
from render.scene import Scene, Spot


@dataclass(frozen=True)
class Mover:
    """A piece that moves: where it ends up, as its piece text, and its path."""

    side: int
    piece: str
    way: tuple[Point, ...]

    @property
    def spot(self) -> Spot:
        """Where it ends up."""
        return self.side, sprites.place(self.piece)

    def at(self, share: float) -> Point:
        """Where it is after this share (0 to 1) of the move; it starts and stops gently."""
        eased = share * share * (3 - 2 * share)
        lengths = [math.dist(one, other) for one, other in pairwise(self.way)]
        left = eased * sum(lengths)
        for (one, other), length in zip(pairwise(self.way), lengths, strict=True):
            if left <= length:
                part = left / length if length else 0.0
                return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part
            left -= length
        return self.way[-1]


def movers(scene: Scene, layout: Layout) -> list[Mover]:
    """The pieces moved by a scene's last move, each once."""
    lines = [line for line in strokes.trails(scene, layout) if line.bright]
    ways: list[tuple[int, str, tuple[Point, ...]]] = []
    for line in lines:
        step = line.step
        if step.kind is StepKind.SWAP and step.other is not None:
            ways.append((step.side, step.other[1], line.points))
            ways.append((step.other[0], step.origin, line.points[::-1]))
            continue
        before = next((way for way in ways if way[0] == step.side and way[1] == step.origin != "-"), None)
        if before is not None:
            # The same piece moves on, as the citizen does in a jump.
            ways.remove(before)
            ways.append((step.side, step.target, before[2] + line.line))
        else:
            ways.append((step.side, step.target, line.line))
    found = []
    for side, place, way in ways:
        piece = _piece_at(scene.placement[side], place)
        if piece is not None and len(way) > 1:
            found.append(Mover(side, piece, way))
    return found


def _piece_at(pieces: Sequence[str], place: str) -> str | None:
    return next((piece for piece in pieces if sprites.place(piece) == place), None)
