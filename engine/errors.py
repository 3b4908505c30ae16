"""Everything the engine can refuse, one class for each kind of refusal.

    DogError (a ValueError)
    |- FieldError       an argument or a field is wrong, and which one
    |  |- SetupError    a game cannot be set up like that, or an argument has the wrong type
    |  |  `- OptionRefused  a house rule cannot be chosen here; says why
    |  `- PositionError a position is malformed
    |- NotationError    a text is not an action
    |- RecordError      a record cannot be read, or does not hold together, and where
    `- Refusal          an action is understood but not allowed now
       |- GameOver      nothing can be played after the win
       |- NotYourTurn   this seat is not being asked
       |- WrongKind     this seat is being asked for another kind of action
       |- NoSuchCard    the card is not in the hand
       |- MustPlay      nothing may be laid down while a card can be played
       `- NotLegal      the rules do not allow it; says why

Each carries the data needed to tell a person why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, ClassVar


@dataclass(frozen=True)
class Reason:
    """One reason why a card or a piece cannot do something, to be put into words by the interface.

    `code` is one of those listed in `engine.rules.why`; `data` fills in the sentence (side, place, card ...).
    """

    code: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{key}={value}" for key, value in self.data.items())])


class DogError(ValueError):
    """Everything the engine refuses."""


@dataclass(eq=False)
class FieldError(DogError):
    """An argument or a field is wrong: `field` names it, `detail` says how."""

    field: str
    detail: str

    def __str__(self) -> str:
        return f"{self.field}: {self.detail}"


class SetupError(FieldError):
    """A game cannot be set up or queried like that; `field` names the argument at fault."""


class WhyNot(StrEnum):
    """The reason why a house rule cannot be chosen."""

    ALREADY = "the game is played like that anyway"
    NO_SUCH_TEAMS = "this many do not play in such teams"
    NO_PARTNERS = "everybody plays alone"
    NO_SEVEN = "no card is shared among pieces"
    NO_JOKER = "there are no jokers"
    NOT_COMPLEX = "there is no complex game"


@dataclass(eq=False)
class OptionRefused(SetupError):
    """A house rule cannot be chosen with this rule system, number of players and other house rules."""

    option: str
    why: WhyNot

    def __str__(self) -> str:
        return f"{self.field}: {self.detail}"


class PositionError(FieldError):
    """A position is malformed; `field` names the part at fault, as in `pieces.2`."""


@dataclass(eq=False)
class NotationError(DogError):
    """A text is not the record of an action; `text` is the text given."""

    text: str
    detail: str

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        return f"{shown!r}: {self.detail}"


@dataclass(eq=False)
class RecordError(DogError):
    """A record cannot be read, or what it says does not hold together; `line` and `column` count from 1."""

    line: int
    column: int
    detail: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.detail}"


@dataclass(eq=False)
class Refusal(DogError):
    """An action that is not allowed now; `code` says which refusal it is."""

    code: ClassVar[str]

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{item.name}={getattr(self, item.name)}" for item in fields(self))])


@dataclass(eq=False)
class GameOver(Refusal):
    """The game has been won; nothing more can be played."""

    code = "game_over"
    winners: tuple[int, ...]


@dataclass(eq=False)
class NotYourTurn(Refusal):
    """The seat is not among those that must act."""

    code = "not_your_turn"
    seat: int
    to_act: tuple[int, ...]


@dataclass(eq=False)
class WrongKind(Refusal):
    """The seat is being asked for another kind of action; `wanted` names the kinds it may choose from."""

    code = "wrong_kind"
    kind: str
    phase: str
    wanted: tuple[str, ...]


@dataclass(eq=False)
class NoSuchCard(Refusal):
    """The card is not in the seat's hand."""

    code = "no_such_card"
    card: str
    hand: tuple[str, ...]


@dataclass(eq=False)
class MustPlay(Refusal):
    """Some card can be played, so nothing may be laid down (rules, section 4); `cards` are the playable ones."""

    code = "must_play"
    cards: tuple[str, ...]


@dataclass(eq=False)
class NotLegal(Refusal):
    """The rules do not allow this action in this position."""

    code = "not_legal"
    action: str
    reasons: tuple[Reason, ...] = ()
