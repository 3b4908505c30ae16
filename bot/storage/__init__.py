"""Keeping tables in a database: the schema, its migrations, and the one class that speaks SQL."""

from bot.storage.changes import Change
from bot.storage.records import (
    LOBBY_SEAT,
    ActionRow,
    DeadlineRow,
    GameRow,
    LogRow,
    NoteRow,
    ProposalRow,
    SeatRow,
    Snapshot,
)
from bot.storage.store import Store

__all__ = [
    "LOBBY_SEAT",
    "ActionRow",
    "Change",
    "DeadlineRow",
    "GameRow",
    "LogRow",
    "NoteRow",
    "ProposalRow",
    "SeatRow",
    "Snapshot",
    "Store",
]
