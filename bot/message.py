"""Messages: what a table says on Discord, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.moment import NOTHING_TOLD, Moment
from bot.proposal import ProposalKind

BY_HAND = "by hand"
"""In place of a time, in the mark of a message about a full lobby: it does not start by itself."""


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
    CONCEDE = "concede"
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


PROPOSALS = frozenset(map(About, ProposalKind))
"""The subjects of messages that ask the players something."""

NONCE_LIFE = 120
"""Seconds for which Discord is relied on to know a nonce again, so that sending again posts nothing twice.

It promises no more than "the past few minutes".
"""


HALTED = -1
"""The version of a letter that says that its game is paused or asleep, so that its buttons are gone."""


@dataclass(frozen=True, slots=True)
class Message:
    """Something that a table says on Discord: what has been said and still stands, or is to be said."""

    nonce: str
    """Identifies it, for Discord too."""
    about: About
    to_id: int
    """The channel or thread it is in; the person whom a letter is for."""
    message_id: int | None
    """None as long as it may not be there, 0 if it was told without leaving a message."""
    at: int
    """Unix seconds when it was first sent."""
    text: str = ""
    """The text as it was sent."""
    marks: Mapping[int, str] = field(default_factory=dict)
    """The seats it is about, each with a value whose change makes it out of date.

    A board has there the decisions for which people have been called up to then (see `bot.calls`); a letter the
    decision for which its person was called; what asks people into a lobby has their user ids in place of seats.
    """
    version: int = 0
    """The version of the table that a board shows. For a letter outside direct messages, `HALTED` or another number."""
    moment: Moment = NOTHING_TOLD
    """The moment that a board shows."""

    @property
    def stands(self) -> bool:
        """Return True if there is something to see."""
        return bool(self.message_id)
