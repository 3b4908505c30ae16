"""Scenarios: boards and tables in the middle of a game, to show, to play, to test. One JSON file each in `scenarios/`.

    about     a sentence; it is translated if the rules show the picture
    rules, players, options

A board laid out by hand, which no seed leads to, so it can be drawn and not be played on:

    pieces    by side, as `12 c - -`; a side that is left out has all of them in the kennel
    hand, last    cards of seat 0, as `7 J`; the card that was played last
    play      an action's text: the picture shows the board after it, with the move drawn in
    marks     letters in the picture, by side and place; without a letter, the rank before the place (`K26`) is drawn,
              or a shield on the piece there
    topic     the page of the rules that it belongs to

Or a table of computers that have played from a seed:

    seed, level    where it begins (a number), and who plays up to there
    until     the first state in this `round` and `phase` where `seat` has a choice and `holds` these cards, with so
              many pieces `home` (of all, in lanes) and `out` (of the seat, on the track)
    people    in turn order, as `Guest normal Kim normal`: a name, or a level for a computer
    pace, left    how long they have, and how many seconds of that are left
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from engine import Options, Step, StepKind, board_for, parse_position, place_of
from engine.analysis import position_actions
from render import Scene

FOLDER = Path(__file__).parents[1] / "scenarios"
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")


class ScenarioError(ValueError):
    """The scenario is missing, or its file cannot be used; the text says why."""


@dataclass(frozen=True, eq=False)
class Scenario:
    """A scenario; the fields are those of its file."""

    name: str
    about: str
    rules: str
    players: int
    options: Mapping[str, Any] = field(default_factory=dict)
    pieces: Mapping[str, str] | None = None
    hand: str = ""
    last: str | None = None
    play: str = ""
    marks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    topic: str = ""
    seed: int = 1
    level: str = "heuristic"
    until: Mapping[str, Any] = field(default_factory=dict)
    people: str = ""
    pace: str = "daily"
    left: int = 0

    @property
    def _letters(self) -> dict[tuple[int, str], str]:
        """The letters in the picture, by side and place."""
        return {(int(side), place): mark for side, marks in self.marks.items() for place, mark in marks.items()}

    def scene(self) -> Scene:
        """Return the picture of a board laid out by hand. Raises ValueError if its pieces, cards or play are wrong."""
        if self.pieces is None:
            raise ScenarioError(f"{self.name} is played, not laid out.")
        board = board_for(self.rules, self.players, Options.from_json(dict(self.options)))
        kennel = tuple(f"{rank.letter}-" for rank in board.system.ranks) or ("-",) * 4
        pieces = {str(seat): kennel for seat in board.seats} | {side: row.split() for side, row in self.pieces.items()}
        data = {"rules": self.rules, "players": self.players, "options": dict(self.options), "pieces": pieces}
        position = parse_position(data | {"seat": 0, "hand": self.hand.split(), "last": self.last})
        scene = Scene.from_position(position)
        possible = [(str(legal.action), legal.preview) for legal in position_actions(position)]
        ways = [step for _, preview in possible for step in preview.steps]
        if self.play:
            previews = [preview for text, preview in possible if text == self.play]
            if not previews:
                raise ScenarioError(f"{self.name}: {self.play!r} cannot be played here")
            placement, moves = previews[0].placement, ((0, previews[0].steps),)
            gone = previews[0].steps[-1].target
            ways = [Step(StepKind.JUMP, 0, gone, place, (gone, place)) for _, place in self._letters]
            scene = replace(scene, placement=placement, moves=moves, pile=(self.play.split()[0],), hands={}, to_act=())
        letters = self._letters
        if letters:
            # A choice is shown as a member sees it: with a spotlight, ways, and what could be played in the middle.
            targets = {(side, place_of(place)) for side, place in letters}
            lettered = tuple(step for step in ways if (step.side, step.target) in targets)
            scene = replace(
                scene, candidates=letters, chooser=position.seat, pile=scene.pile or position.hand, ways=lettered
            )
        actor = position.seat if letters or self.play else None
        return replace(scene, names={seat: NAMES[seat] for seat in board.seats}, actor=actor)


@cache
def load(name: str) -> Scenario:
    """Return the scenario of this name. Raises ScenarioError."""
    try:
        return Scenario(name=name, **json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise ScenarioError(f"There is no scenario {name}; tables are {', '.join(tables())}.") from None
    except (OSError, ValueError, TypeError) as problem:
        raise ScenarioError(f"{name}.json cannot be used: {problem}") from None


def names() -> tuple[str, ...]:
    """Return the names of all scenarios."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def tables() -> tuple[str, ...]:
    """Return the names of the scenarios that can be played on."""
    return tuple(name for name in names() if load(name).pieces is None)


@cache
def laid_out() -> tuple[Scenario, ...]:
    """Return the boards laid out by hand."""
    return tuple(scenario for scenario in map(load, names()) if scenario.pieces is not None)
