"""Actions and their record text, the form in which every game is stored (`str(action)` and `Action.parse`).

    give K        ask K        none        decline        place N        fold        discard 13        jump        stay
    5 12>17                    one piece moves
    A ->1                      out of the kennel (in `royal` with the rank: `13 N->1`)
    5 2.40>45                  a piece of side 2, if it is not the player's own
    7 12>15 20>24              a split seven, in the order in which it is carried out
    J 12<>1.30                 a swap with the piece of side 1 on 30
    J idle                     a swap card without effect
    10 robs 1                  the card costs seat 1 a card
    X:7 12>15 20>24            a joker named as a 7; `=:13 12>25` is a copy that counts as a 13

Places are written as on the board: a track number, a lane slot `a` to `d`, `P3` on an inner path, `-` for the kennel.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from engine.errors import NotationError
from engine.rules.cards import CARD_ID


class ActionKind(StrEnum):
    """A kind of action."""

    PLAY = "play"
    FOLD = "fold"
    GIVE = "give"
    ASK = "ask"
    NONE = "none"
    DECLINE = "decline"
    PLACE = "place"
    DISCARD = "discard"
    JUMP = "jump"
    STAY = "stay"


_PLACE = r"(?:[1-9][0-9]{0,2}|[a-d]|[A-Z][1-9])"
_PART = re.compile(
    rf"(?:(?P<side>[0-9])\.)?(?P<origin>[A-Z]?-|{_PLACE})(?:>(?P<target>{_PLACE})|<>(?P<other>[0-9]\.{_PLACE}))"
)
_CARD = re.compile(CARD_ID)
_BARE = {kind.value: kind for kind in (ActionKind.FOLD, ActionKind.NONE, ActionKind.DECLINE)}
_BARE |= {kind.value: kind for kind in (ActionKind.JUMP, ActionKind.STAY)}
_WITH_CARD = {kind.value: kind for kind in (ActionKind.GIVE, ActionKind.ASK, ActionKind.DISCARD)}
_IDLE = "idle"
_ROBS = "robs"
_SEAT = re.compile(r"[0-9]")
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Part:
    """One piece moved from `origin` to `target`, both places as texts.

    `side` is the piece's side if it is not the player's own, else None. For a swap, `target` names the other piece with
    its side, as in `1.30`.
    """

    side: int | None
    origin: str
    target: str
    swap: bool = False

    def __str__(self) -> str:
        prefix = "" if self.side is None else f"{self.side}."
        return f"{prefix}{self.origin}{'<>' if self.swap else '>'}{self.target}"


@dataclass(frozen=True, slots=True)
class Action:
    """One seat's action: a small value that prints as the text it parses from.

    `card` is the card played, given, discarded or offered in a call for help; `named`: what a joker or copy stands for;
    `parts` are the pieces moved, none for a swap card played without effect; `rank` is the letter of the piece placed;
    `victim` is the seat that the card costs a card.
    """

    kind: ActionKind
    card: str | None = None
    named: str | None = None
    parts: tuple[Part, ...] = ()
    rank: str | None = None
    victim: int | None = None

    def __str__(self) -> str:
        if self.kind is ActionKind.PLAY:
            card = self.card if self.named is None else f"{self.card}:{self.named}"
            if self.victim is not None:
                return f"{card} {_ROBS} {self.victim}"
            return " ".join([str(card), *map(str, self.parts)]) if self.parts else f"{card} {_IDLE}"
        if self.kind is ActionKind.PLACE:
            return f"{self.kind} {self.rank}"
        return self.kind.value if self.card is None else f"{self.kind} {self.card}"

    @classmethod
    def parse(cls, text: str) -> Action:
        """Read an action from its record text; raises NotationError.

        Neither whether the card exists nor whether the action is legal is checked here.
        """
        if not isinstance(text, str):
            raise NotationError(str(type(text).__name__), "an action is a text")
        if len(text) > _LONGEST:
            raise NotationError(text, "too long for an action")
        first, *rest = text.split(" ")
        if first in _BARE and not rest:
            return cls(_BARE[first])
        if first in _WITH_CARD:
            if len(rest) != 1 or _CARD.fullmatch(rest[0]) is None:
                raise NotationError(text, f"{first} needs one card")
            return cls(_WITH_CARD[first], rest[0])
        if first == ActionKind.PLACE.value:
            if len(rest) != 1 or len(rest[0]) != 1 or not ("A" <= rest[0] <= "Z"):
                raise NotationError(text, "place needs one rank")
            return cls(ActionKind.PLACE, rank=rest[0])
        card, colon, named = first.partition(":")
        if _CARD.fullmatch(card) is None or (colon and _CARD.fullmatch(named) is None):
            raise NotationError(text, "does not begin with a card or a word that is known")
        if not rest:
            raise NotationError(text, "says no piece")
        if rest[0] == _ROBS:
            if len(rest) != 2 or _SEAT.fullmatch(rest[1]) is None:
                raise NotationError(text, "robs needs one seat")
            return cls(ActionKind.PLAY, card, named if colon else None, victim=int(rest[1]))
        parts = () if rest == [_IDLE] else tuple(_parse_part(text, part) for part in rest)
        return cls(ActionKind.PLAY, card, named if colon else None, parts)


def read_action(given: object, cards: Container[str]) -> Action:
    """Return the action given, or the action of a text; raises NotationError for anything with no record text.

    Args:
        cards: the cards that exist.
    """
    action = _well_formed(given)
    for card in (action.card, action.named):
        if card is not None and card not in cards:
            raise NotationError(str(action), f"there is no card {card!r} here")
    return action


def _well_formed(given: object) -> Action:
    if not isinstance(given, Action):
        return Action.parse(given)  # type: ignore[arg-type]  # which is refused if it is no text
    kind, parts = cast("tuple[object, object]", (given.kind, given.parts))
    if not (isinstance(kind, ActionKind) and isinstance(parts, tuple)):
        raise NotationError(type(given).__name__, "has fields of the wrong type")
    text = str(given)
    if Action.parse(text) != given:
        raise NotationError(text, "reads as another action")
    return given


def _parse_part(text: str, part: str) -> Part:
    found = _PART.fullmatch(part)
    if found is None:
        raise NotationError(text, f"{part[:20]!r} is not a move")
    side, origin, target, other = found.group("side", "origin", "target", "other")
    number = None if side is None else int(side)
    return Part(number, origin, target) if other is None else Part(number, origin, other, swap=True)
