"""Whether what is remembered of a table may be handed out without asking the database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bot.shards import Shards


class Freshness(Protocol):
    """Asked before anything remembered is handed out."""

    def is_current(self, guild_id: int | None) -> bool:
        """Whether nobody but this process can have changed a guild's tables and settings since they were remembered.

        Unless we were told, and it was forgotten then. None stands for what belongs to no guild: people's preferences,
        and which tables there are.
        """


class SoleProcess:
    """One process has the database to itself, as always on SQLite: what it remembers is current."""

    def is_current(self, guild_id: int | None) -> bool:
        """Always."""
        return True


class SharedDatabase:
    """Other processes write to the same database: every load asks it, and only a log of the same version is kept."""

    def is_current(self, guild_id: int | None) -> bool:
        """Never certain."""
        return False


class Announced:
    """Several processes, each with its own shards: whoever changes a table that another one serves announces it.

    `hears` tells whether announcements reach us at present. One that is still on its way does no harm: a change decided
    on an outdated table is refused by the database, and decided again.
    """

    def __init__(self, shards: Shards, hears: Callable[[], bool]) -> None:
        self._shards = shards
        self._hears = hears

    def is_current(self, guild_id: int | None) -> bool:
        """In the guilds we serve, as long as we hear; of what belongs to none, only if there is no other process."""
        served = self._shards.everything if guild_id is None else self._shards.serves(guild_id)
        return served and self._hears()
