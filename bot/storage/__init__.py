"""Keeping tables in a database: the schema, its migrations, and the one class that speaks SQL."""

from bot.storage.records import ActionRow, GameRow, NoteRow, SeatRow, Snapshot
from bot.storage.store import Change, Store

__all__ = ["ActionRow", "Change", "GameRow", "NoteRow", "SeatRow", "Snapshot", "Store"]
