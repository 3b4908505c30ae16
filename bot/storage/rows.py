"""Rows read from several tables at once, or secret: a game with all its rows, and the actions.

Other rows are the values of `bot.table` and `bot.preferences` themselves: the types of columns (`schema.py`) see to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.plans import Plan
from bot.table import Actor, Logged, Lost, Table


@dataclass(frozen=True, slots=True)
class ActionRow:
    """A row of `actions`, without the game it belongs to. The text stays out of its `repr`: gifts are secret."""

    number: int
    seat: int
    text: str = field(repr=False)
    actor: Actor
    at: int

    @property
    def logged(self) -> Logged:
        """The public part of the action."""
        return Logged(self.number, self.seat, self.actor, self.at)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game as of one moment: its table without the game itself, and what that follows from.

    `rules`: the version of the rule system. `seed` is None in the lobby and stays out of the `repr`, so that no log can
    show it. `actions` is None if the reader has them already. `plans`: by seat.
    """

    table: Table
    rules: int
    seed: bytes | None = field(repr=False)
    actions: tuple[ActionRow, ...] | None
    plans: Mapping[int, Plan] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class OverRow:
    """A finished game. `mine`: the member it was looked up for had a seat."""

    id: int
    code: str
    system: str
    channel_id: int
    mine: bool


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """The place of an open game: its columns in `games`, and its id."""

    id: int
    channel_id: int
    parent_id: int | None
    lost: Lost | None
