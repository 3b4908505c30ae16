"""Whether what is remembered of a table may be handed out without asking the database."""

from __future__ import annotations

from typing import Protocol


class Freshness(Protocol):
    """Asked before anything that is remembered is handed out."""

    def is_current(self, table_id: int) -> bool:
        """Whether nobody but this process can have changed the table since it was remembered.

        Preferences of people are asked for as table 0.
        """


class SoleProcess:
    """One process has the database to itself, as always on SQLite: what it remembers is the truth."""

    def is_current(self, table_id: int) -> bool:
        """It is."""
        return True


class SharedDatabase:
    """Other processes write to the same database: every load asks it, and only the log of the same version is kept."""

    def is_current(self, table_id: int) -> bool:
        """It may not be."""
        return False
