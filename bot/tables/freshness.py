"""Whether what is remembered of a table may be handed out without asking the database."""

from __future__ import annotations

from typing import Protocol


class Freshness(Protocol):
    """Asked before anything remembered is handed out."""

    def is_current(self, table_id: int) -> bool:
        """Whether nobody but this process can have changed the table since it was remembered.

        People's preferences are asked for as table 0.
        """


class SoleProcess:
    """One process has the database to itself, as always on SQLite: what it remembers is current."""

    def is_current(self, table_id: int) -> bool:
        """Always."""
        return True


class SharedDatabase:
    """Other processes write to the same database: every load asks it, and only a log of the same version is kept."""

    def is_current(self, table_id: int) -> bool:
        """Never certain."""
        return False
