"""Rows read from several tables at once, or secret: a game with all its rows, and the actions.

Other rows are the values of `bot.table` and `bot.preferences` themselves: the types of columns (`schema.py`) see to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.consent import HOST_SILENT, NOTICE, is_notice
from bot.moment import START
from bot.plans import Plan
from bot.proposal import ProposalKind
from bot.table import Actor, Logged, Lost, SeatClock, Stage, Status, Table

LOBBY_SEAT, PAUSE_SEAT, NOTICE_SEAT, HOST_SEAT, CLOSE_SEAT = -1, -2, -3, -4, -5
"""The seats of a table's own deadlines: a lobby ends or starts, a pause ends, a seat is offered, a host is gone, the
thread of a game that is over is closed."""


def is_at_table(seat: int) -> bool:
    """Return True if what is due at this seat is due at the table itself."""
    return seat < 0


def deadlines_of(table: Table) -> Mapping[int, SeatClock]:
    """Return a table's deadlines by seat: its clocks and, below zero, those of no seat."""
    due = dict(table.clocks)
    if table.status is Status.LOBBY and table.expires_at is not None:
        due |= lobby_deadline(table.expires_at)
        if table.starts_at is not None:
            due[LOBBY_SEAT] = _at_the_table(Stage.START, table.starts_at)
    if table.is_open and len(table.owners) > 1:
        silent_at = (table.host_seen or table.created_at) + HOST_SILENT
        due[HOST_SEAT] = replace(_at_the_table(Stage.HOST, silent_at), ends_at=None)
    if table.is_open and table.paused_until is not None:
        due[PAUSE_SEAT] = _at_the_table(Stage.PAUSE, table.paused_until)
    offer = table.proposals.get(ProposalKind.OFFER)
    if offer is not None and is_notice(offer):
        due[NOTICE_SEAT] = _at_the_table(Stage.NOTICE, offer.at + NOTICE)
    if not table.is_open and table.closes_at is not None:
        due[CLOSE_SEAT] = _at_the_table(Stage.CLOSE, table.closes_at)
    return due


def lobby_deadline(at: int) -> Mapping[int, SeatClock]:
    """Return the deadline of a lobby that expires at this Unix second."""
    return {LOBBY_SEAT: _at_the_table(Stage.LOBBY, at)}


def _at_the_table(stage: Stage, at: int) -> SeatClock:
    return SeatClock(START, 0, stage, None, 0, 0, at, at)


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
