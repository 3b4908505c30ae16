"""Occupants of tables: people and computer players, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """The strength of a computer player at a table; the names are those of `engine.players`."""

    EASY = "easy"
    NORMAL = "normal"
    STRONG = "strong"


USUAL = Level.NORMAL
"""The level unless another is chosen, and that of computers standing in for absent players."""


class Scope(StrEnum):
    """A power at Discord: moderate this table, or the whole guild; manage the guild; own it."""

    MODERATE_TABLE = "moderate table"
    MODERATE_GUILD = "moderate guild"
    MANAGE_GUILD = "manage guild"
    OWN_GUILD = "own guild"


@dataclass(frozen=True, slots=True)
class Person:
    """The member who asks for something: Discord id, name to show, what they may moderate, ids of their roles.

    `contribution`: what they add to the shuffles of a game that they join with this request: the request's own id.
    """

    id: int
    name: str
    moderates: frozenset[Scope] = frozenset()
    roles: frozenset[int] = frozenset()
    contribution: str | None = None


class StandInReason(StrEnum):
    """The reasons why a computer, or a friend, plays a seat that was a person's."""

    ABSENT = "absent"
    HANDED = "handed"
    AWAY = "away"
    LEFT = "left"
    LEFT_GUILD = "left_guild"
    BANNED = "banned"
    FRIEND = "friend"


@dataclass(frozen=True, slots=True)
class Occupant:
    """The occupant of a seat.

    With both `user_id` and `computer`, the seat belongs to the person, and the computer plays until they reclaim it.
    """

    name: str
    user_id: int | None = None
    """The person."""
    computer: str | None = None
    """The level of a computer player, see `Level`."""
    why: StandInReason | None = None
    """Why a computer took over in the middle of a game."""
    offered: bool = False
    """True if another member may take the seat over."""
    missed: int = 0
    """Turns in a row that were played for the person because time was up."""
    contribution: str | None = None
    """The words that the seat has added to the shuffles, or will at the start."""
    friend: int | None = None
    """The friend who has been asked to play for the person or, with the reason FRIEND, does."""

    @property
    def plays(self) -> int | None:
        """The id of the person who decides here, or None if a computer does."""
        if self.computer is not None:
            return None
        return self.friend if self.why is StandInReason.FRIEND else self.user_id

    @property
    def is_computer(self) -> bool:
        """Return True if this is a computer player rather than a stand-in for a person."""
        return self.user_id is None

    @property
    def may_reclaim(self) -> bool:
        """Return True if the person who owns the seat may take it back: from another player, or from being on offer."""
        return self.user_id is not None and (self.plays != self.user_id or self.offered)
