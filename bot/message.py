"""Messages: what a table says on Discord, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from bot.moment import NOTHING_TOLD, Moment
from bot.proposal import ProposalKind


class About(StrEnum):
    """The subject of a message: its table's newest state, something beside that, or a hand sent to one person.

    ASKED: an invitation, or the question whether they play for a friend, on its way to one person. TOLD: one reader in
    direct messages (0: none yet) has been told what `Message.text` names, and others have not.
    """

    BOARD = "board"
    LOST = "lost"
    UP = "up"
    FULL = "full"
    HANDED = "handed"
    REMINDER = "reminder"
    TAKEBACK = "takeback"
    RESIGN = "resign"
    HINTS = "hints"
    WAIT = "wait"
    STAND_IN = "stand_in"
    OFFER = "offer"
    CANCEL = "cancel"
    PAUSE = "pause"
    RESUME = "resume"
    LETTER = "letter"
    INVITE = "invite"
    FOUND = "found"
    ASKED = "asked"
    TOLD = "told"


class Why(StrEnum):
    """The reasons for messages: some decide what becomes of them, all stand in the log (see `docs/monitoring.md`)."""

    TURN = "turn"
    NEWS = "news"
    TAKEN_BACK = "taken back"
    OVER = "over"
    NO_BOARD = "no board"
    REMINDER = "reminder"
    NUDGE = "nudge"
    NOT_REACHED = "not reached"
    TIME_UP = "time up"
    HANDED = "handed"
    OFFERED = "offered"
    TAKEN = "taken"
    FULL = "full"
    UNSEEN = "unseen"
    FREED = "freed"
    PROPOSAL = "proposal"
    INVITED = "invited"
    FOUND = "found"
    LOST = "lost"
    DAY = "day"
    CUP = "cup"
    LOG = "log"


PROPOSALS = frozenset(map(About, ProposalKind))
"""The subjects of messages that ask the players something."""

NONCE_LIFE = 120
"""Seconds for which Discord is relied on to know a nonce again, so that sending again posts nothing twice.

It promises no more than "the past few minutes".
"""

HALTED = -1
"""The version of a letter that says that its game is paused or asleep, so that its buttons are gone."""

QUIETLY = "?"
"""The end of the mark of a person who was called without a ping."""


class CallMark(NamedTuple):
    """A board's mark of a seat: the decision for which its person was called; `quietly`: without a ping."""

    decision: Moment
    quietly: bool = False

    def __str__(self) -> str:
        """Return its text in `Message.marks`."""
        return f"{self.decision}{QUIETLY}" if self.quietly else str(self.decision)

    @classmethod
    def parse(cls, text: str) -> CallMark:
        """Read `str(mark)`."""
        return cls(Moment.parse(text.removesuffix(QUIETLY)), text.endswith(QUIETLY))


class FullMark(NamedTuple):
    """The mark of a full lobby: since when it is full, until when nothing starts it, and when it starts by itself."""

    full_since: int | None
    not_before: int | None
    starts_at: int | None

    def __str__(self) -> str:
        """Return its text in `Message.marks`."""
        return " ".join(map(str, self))

    @classmethod
    def parse(cls, text: str) -> FullMark:
        """Read `str(mark)`."""
        return cls(*(None if part == str(None) else int(part) for part in text.split()))


@dataclass(frozen=True, slots=True)
class Message:
    """Something that a table says on Discord: what has been said and still stands, or is to be said."""

    nonce: str
    """Identifies it, for Discord too."""
    about: About
    to_id: int
    """The channel or thread it is in; the person whom a letter, a question or a receipt is for."""
    message_id: int | None
    """None as long as it may not be there (`is_doubtful`), 0 if it was told without leaving a message."""
    at: int
    """Unix seconds when it was first sent."""
    text: str = ""
    """The text as it was sent; of an invitation, in whose name it comes; of a receipt, of what (`told`)."""
    marks: Mapping[int, str] = field(default_factory=dict)
    """The seats it is about, each with a value whose change makes it out of date.

    A board has there the decisions for which people have been called up to then (`CallMark`, see `bot.calls`); a letter
    the decision for which its person was called; what says that a lobby is full, a `FullMark`; what says that a player
    has lost a seat, their user id; a proposal, when it was made; what asks people into a lobby has their user ids in
    place of seats.
    """
    version: int = 0
    """The version of the table that a board shows. For a letter outside direct messages, `HALTED` or another number."""
    moment: Moment = NOTHING_TOLD
    """The moment that a board shows."""

    @property
    def stands(self) -> bool:
        """Return True if there is something to see."""
        return bool(self.message_id)

    @property
    def is_doubtful(self) -> bool:
        """Return True if it may be there or not: it is to be sent, or Discord has not answered."""
        return self.message_id is None

    @property
    def posted_id(self) -> int:
        """The id of what there is to see, 0 if there is nothing; a later message has a higher one."""
        return self.message_id or 0

    @property
    def told(self) -> About:
        """The outcome that the reader of a receipt has been told."""
        return About(self.text)
