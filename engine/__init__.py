"""The rules of DOG in five systems: pure, without input or output, standard library only."""

from engine.actions import Action, ActionKind, Part
from engine.board import Board, board_for
from engine.cards import ROYAL, STANDARD, Card, Colour
from engine.errors import (
    DogError,
    GameOver,
    MustPlay,
    NoSuchCard,
    NotationError,
    NotLegal,
    NotYourTurn,
    PositionError,
    Reason,
    Refusal,
    SetupError,
    WrongKind,
)
from engine.events import Entry, Event, EventKind, Outcome, Placement, Step, StepKind
from engine.game import Game
from engine.position import Position, parse_position
from engine.systems import SYSTEMS, Options, RuleSystem
from engine.view import Phase, View

__all__ = [
    "ROYAL",
    "STANDARD",
    "SYSTEMS",
    "Action",
    "ActionKind",
    "Board",
    "Card",
    "Colour",
    "DogError",
    "Entry",
    "Event",
    "EventKind",
    "Game",
    "GameOver",
    "MustPlay",
    "NoSuchCard",
    "NotLegal",
    "NotYourTurn",
    "NotationError",
    "Options",
    "Outcome",
    "Part",
    "Phase",
    "Placement",
    "Position",
    "PositionError",
    "Reason",
    "Refusal",
    "RuleSystem",
    "SetupError",
    "Step",
    "StepKind",
    "View",
    "WrongKind",
    "board_for",
    "parse_position",
]
