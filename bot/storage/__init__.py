"""Keeping tables in a database: the schema, its migrations, and one class per subject that speaks SQL."""

from bot.storage.changes import Change
from bot.storage.deadlines import Advance
from bot.storage.faults import Fault
from bot.storage.records import (
    LOBBY_SEAT,
    PAST,
    UNSURE,
    ActionRow,
    BoardRow,
    DeadlineRow,
    GameRow,
    LetterRow,
    LogRow,
    NoteRow,
    PlaceRow,
    ProposalRow,
    QuietRow,
    SeatRow,
    Snapshot,
    StandingRow,
)
from bot.storage.store import Store

__all__ = [
    "LOBBY_SEAT",
    "PAST",
    "UNSURE",
    "ActionRow",
    "Advance",
    "BoardRow",
    "Change",
    "DeadlineRow",
    "Fault",
    "GameRow",
    "LetterRow",
    "LogRow",
    "NoteRow",
    "PlaceRow",
    "ProposalRow",
    "QuietRow",
    "SeatRow",
    "Snapshot",
    "StandingRow",
    "Store",
]
