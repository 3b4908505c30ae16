"""Plans: what a player wants to do at the next decision of their seat, and when; secret from all others."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from bot.moment import Moment

MOST = 3
"""The most plans for a turn, and for an exchange; the first that fits is played."""


class Case(StrEnum):
    """The case in which a plan is carried out, if it is legal then."""

    ANY = "any"
    UNTOUCHED = "untouched"
    """No other player has moved or sent back a piece of the sides that it moves."""
    OUT = "out"
    """A certain player has brought a piece out."""
    HIT = "hit"
    """A certain player has sent back a piece of the planner."""
    FOLDED = "folded"
    """A certain player has laid down the hand."""
    EXCHANGE = "exchange"
    """The next exchange: the card is still to come."""


EVENTS = (Case.OUT, Case.HIT, Case.FOLDED)
"""The cases that are about another player's seat."""


@dataclass(frozen=True, slots=True)
class Planned:
    """An action for the next turn or exchange: its record text, the case, whose seat that is about, and since when."""

    action: str = field(repr=False)
    case: Case
    seat: int | None
    since: Moment


@dataclass(frozen=True, slots=True)
class Plan:
    """The plans of a person for a seat, the first choice first. `played`: the number of the last action planned."""

    user_id: int
    steps: tuple[Planned, ...] = ()
    played: int | None = None
