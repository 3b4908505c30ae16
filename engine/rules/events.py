"""The public history: steps of pieces, events, and the entries of a game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.rules.actions import ActionKind
from engine.rules.board import SLOTS

Placement = dict[int, tuple[str, ...]]
"""Four piece texts per side, in canonical order."""


class StepKind(StrEnum):
    """A way from one place to another."""

    OUT = "out"
    FORWARD = "forward"
    BACKWARD = "backward"
    SWAP = "swap"
    MAGNET = "magnet"
    JUMP = "jump"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class Step:
    """One piece on its way; places are written as `side` calls them."""

    kind: StepKind
    side: int
    origin: str
    target: str
    path: tuple[str, ...]
    """The places from origin to target, both included; only these two for out, swap, jump and place."""
    sent_home: tuple[tuple[int, str], ...] = ()
    """(side, place) of each piece taken, in order."""
    rank: str | None = None
    other: tuple[int, str] | None = None
    """In a swap, the (side, place) of the other piece."""
    value: int = 0
    """The points used."""
    other_rank: str | None = None
    """In a swap, the rank of the other piece."""

    @property
    def comes_home(self) -> bool:
        """Return True if the piece goes into its lane, where it was not before."""
        return self.target in SLOTS and self.origin not in SLOTS


class EventKind(StrEnum):
    """A kind of event."""

    DEALT = "dealt"
    GAVE = "gave"
    DECLARED = "declared"
    ASKED = "asked"
    NEEDS_NONE = "needs_none"
    ANSWERED_GAVE = "answered_gave"
    DECLINED = "declined"
    EXCHANGED = "exchanged"
    PLAYED = "played"
    FOLDED = "folded"
    DISCARDED = "discarded"
    DREW = "drew"
    PLACED = "placed"
    JUMPED = "jumped"
    STAYED = "stayed"
    LOST = "lost"
    SHUFFLED = "shuffled"
    ROUND_OVER = "round_over"
    WON = "won"


@dataclass(frozen=True, slots=True)
class Event:
    """A public event; it never holds a hidden card."""

    kind: EventKind
    seat: int | None = None
    """The seat that acted."""
    card: str | None = None
    """The open card played, discarded or lost."""
    named: str | None = None
    """The card that it stood for."""
    steps: tuple[Step, ...] = ()
    """The steps of pieces that moved."""
    cards: tuple[str, ...] = ()
    """The open cards laid down in a fold."""
    count: int = 0
    """The number of cards dealt to each seat, or drawn."""
    round: int = 0
    """The round dealt or ended."""
    seats: tuple[int, ...] = ()
    """The seats of an exchange or a win, or the victim of a card."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One numbered action of a game's public history.

    Number 0 is the first deal, which no action caused; it has neither seat nor kind. `kind` is also None for a call for
    help, or for saying that none is needed, until the partner has declared too.
    """

    number: int
    seat: int | None
    kind: ActionKind | None
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of an action on the board: its steps, the placement after it, cards drawn, and a possible jump.

    `jump` is the placement after the citizen's optional jump, or None.
    """

    steps: tuple[Step, ...]
    placement: Placement
    draws: int = 0
    jump: Placement | None = None
