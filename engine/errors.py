"""Everything the engine can refuse, one class for each kind of refusal.

    DogError (a ValueError)
    |- FieldError       an argument or a field is wrong, and which one
    |  |- SetupError    a game cannot be set up like that, or an argument has the wrong type
    |  `- PositionError a position is malformed
    |- NotationError    a text is not an action
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
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True)
class Reason:
    """One reason why a card or a piece cannot do something, to be put into words by the interface.

    `code` is one of those listed in `engine.rules.why`; `data` fills in the sentence (side, place, card ...).
    """

    code: str
    data: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{key}={value}" for key, value in self.data.items())])


class DogError(ValueError):
    """Everything the engine refuses."""


class FieldError(DogError):
    """An argument or a field is wrong: `field` names it, `detail` says how."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(field, detail)
        self.field = field
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.field}: {self.detail}"


class SetupError(FieldError):
    """A game cannot be set up or queried like that; `field` names the argument at fault."""


class PositionError(FieldError):
    """A position is malformed; `field` names the part at fault, as in `pieces.2`."""


class NotationError(DogError):
    """A text is not the record of an action; `text` is the text given."""

    def __init__(self, text: str, detail: str) -> None:
        super().__init__(text, detail)
        self.text = text
        self.detail = detail

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        return f"{shown!r}: {self.detail}"


class Refusal(DogError):
    """An action that is not allowed now; `code` says which refusal it is, `data` carries what an answer needs."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(code, data)
        self.code = code
        self.data: dict[str, Any] = data

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{key}={value}" for key, value in self.data.items())])


class GameOver(Refusal):
    """The game has been won; nothing more can be played."""

    def __init__(self, winners: tuple[int, ...]) -> None:
        super().__init__("game_over", winners=winners)
        self.winners = winners


class NotYourTurn(Refusal):
    """The seat is not among those that must act."""

    def __init__(self, seat: int, to_act: tuple[int, ...]) -> None:
        super().__init__("not_your_turn", seat=seat, to_act=to_act)
        self.seat = seat
        self.to_act = to_act


class WrongKind(Refusal):
    """The seat is being asked for another kind of action; `wanted` names the kinds it may choose from."""

    def __init__(self, kind: str, phase: str, wanted: tuple[str, ...]) -> None:
        super().__init__("wrong_kind", kind=kind, phase=phase, wanted=wanted)
        self.kind = kind
        self.phase = phase
        self.wanted = wanted


class NoSuchCard(Refusal):
    """The card is not in the seat's hand."""

    def __init__(self, card: str, hand: tuple[str, ...]) -> None:
        super().__init__("no_such_card", card=card, hand=hand)
        self.card = card
        self.hand = hand


class MustPlay(Refusal):
    """Some card can be played, so nothing may be laid down (rules, section 4); `cards` are the playable ones."""

    def __init__(self, cards: tuple[str, ...]) -> None:
        super().__init__("must_play", cards=cards)
        self.cards = cards


class NotLegal(Refusal):
    """The rules do not allow this action in this position."""

    def __init__(self, action: str, reasons: tuple[Reason, ...] = ()) -> None:
        super().__init__("not_legal", action=action, reasons=reasons)
        self.action = action
        self.reasons = reasons
