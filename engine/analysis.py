"""The analysis interface: one position a line in, one line with all its actions out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.actions import Action
from engine.describe import outcome, play_action
from engine.errors import DogError, PositionError
from engine.events import Outcome
from engine.field import Field
from engine.moves import plays
from engine.position import Position, parse_position, placement_to_json
from engine.routes import routes_for

_LONGEST_LINE = 100_000


@dataclass(frozen=True)
class Candidate:
    """One action that a position allows, and what it would do."""

    action: Action
    outcome: Outcome

    def to_json(self) -> dict[str, Any]:
        """The action as the analysis interface prints it."""
        jump = self.outcome.jump
        return {
            "card": self.action.card,
            "pieces": placement_to_json(self.outcome.placement),
            "draws": self.outcome.draws,
            "jump": None if jump is None else placement_to_json(jump),
            "text": str(self.action),
        }


def position_actions(position: Position) -> tuple[Candidate, ...]:
    """All that the position's seat can play, one for each card and placement; nothing once the game is won.

    Raises PositionError when the position is malformed.
    """
    field = Field(routes_for(position.board), position.nodes())
    found = plays(field, position.seat, position.hand, position.last, position.options)
    return tuple(Candidate(play_action(field, position.seat, play), outcome(field, play)) for play in found)


def answer(line: bytes | str) -> dict[str, Any]:
    """The answer to one line: the actions, or what is wrong with it. Never raises."""
    try:
        position = parse_position(_read(line))
        return {"actions": [candidate.to_json() for candidate in position_actions(position)]}
    except DogError as error:
        return {"error": str(error)}


def answers(lines: Iterable[bytes | str]) -> Iterator[str]:
    """The answers to all lines that are not empty, as JSON lines."""
    for line in lines:
        if line.strip():
            yield json.dumps(answer(line), separators=(",", ":"))


def _read(line: bytes | str) -> object:
    if len(line) > _LONGEST_LINE:
        raise PositionError("position", "is too long")
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        return json.loads(text, object_pairs_hook=_no_twins)
    except UnicodeDecodeError:
        raise PositionError("position", "is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, DogError):
            raise
        raise PositionError("position", "is not JSON") from None


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise PositionError("position", "names something twice")
    return found
