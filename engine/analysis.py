"""The analysis interface: one position per line in, one line with all its actions out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from sys import maxsize
from typing import Any

from engine.errors import DogError, PositionError
from engine.position import Position, parse_position, placement_to_json
from engine.rules.actions import Action
from engine.rules.describe import draws, play_action, preview
from engine.rules.events import Placement, Preview
from engine.rules.moves import Play, plays
from engine.rules.pieces import Pieces
from engine.rules.placement import PlacementWriter
from engine.rules.routes import routes_for

_LONGEST_LINE = 100_000


@dataclass(frozen=True)
class PossibleAction:
    """One action that a position allows, and what it would do; `Preview` explains the fields."""

    action: Action
    placement: Placement
    draws: int
    jump: Placement | None
    _pieces: Pieces = field(repr=False, compare=False)
    _play: Play = field(repr=False, compare=False)

    @property
    def preview(self) -> Preview:
        """Its full effect, with the steps of the pieces."""
        return preview(self._pieces, self._play)

    def to_json(self) -> dict[str, Any]:
        """Return the action as the analysis interface prints it."""
        return {
            "card": self.action.card,
            "pieces": placement_to_json(self.placement),
            "draws": self.draws,
            "jump": None if self.jump is None else placement_to_json(self.jump),
            "text": str(self.action),
        }


def position_actions(position: Position) -> tuple[PossibleAction, ...]:
    """Return what the position's seat can play, one action for each card and placement; none once the game is won.

    Raises PositionError if the position is malformed.
    """
    if not isinstance(position, Position):
        raise PositionError("position", "must be a Position")
    position.check()
    board = position.board
    state = Pieces.at(routes_for(board), position.nodes())
    before = state.bits()
    writer = PlacementWriter(board)
    found: list[PossibleAction] = []
    for play in plays(state, position.seat, position.hand, position.last, position.victim, most=maxsize):
        after = writer.write(before ^ state.change(play.move))
        drawn = draws(state, play)
        jump = preview(state, play).jump if drawn else None
        found.append(PossibleAction(play_action(state, position.seat, play), after, drawn, jump, state, play))
    return tuple(found)


def all_actions(data: object) -> dict[str, Any]:
    """Return all actions of a position, both as JSON; raises PositionError."""
    return {"actions": [found.to_json() for found in position_actions(parse_position(data))]}


def answer(line: bytes | str, about: Callable[[object], dict[str, Any]] = all_actions) -> dict[str, Any]:
    """Answer one line of JSON, or say what is wrong with it. Never raises."""
    try:
        return about(_read(line))
    except DogError as error:
        return {"error": str(error)}


def answers(lines: Iterable[bytes | str], about: Callable[[object], dict[str, Any]] = all_actions) -> Iterator[str]:
    """Yield the answers to all non-empty lines, as JSON lines."""
    for line in lines:
        if line.strip():
            yield json.dumps(answer(line, about), separators=(",", ":"))


def _read(line: bytes | str) -> object:
    """Parse a line; raises PositionError."""
    if len(line) > _LONGEST_LINE:
        raise PositionError("position", "is too long")
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        return json.loads(text, object_pairs_hook=_refuse_duplicates)
    except UnicodeDecodeError:
        raise PositionError("position", "is not UTF-8") from None
    except DogError:
        raise
    except (ValueError, RecursionError):
        raise PositionError("position", "is not JSON") from None


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise PositionError("position", "names something twice")
    return found
