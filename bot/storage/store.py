"""The store: one database, and one part for each subject that is kept in it."""

from __future__ import annotations

from bot.shards import ALL, Shards
from bot.storage.database import Database
from bot.storage.deadlines import DeadlineStore
from bot.storage.games import GameStore
from bot.storage.guilds import GuildStore
from bot.storage.health import Health
from bot.storage.leases import Lease
from bot.storage.people import PeopleStore
from bot.storage.telling import TellingStore


class Store:
    """The database, at a `DATABASE_URL`. Call `open` first and `close` last; raises `SettingsError` for a bad URL.

    `shards`: which servers this process serves. What is due or still to be told is only found for those.
    """

    def __init__(self, url: str, shards: Shards = ALL) -> None:
        self.database = Database(url)
        self.games = GameStore(self.database)
        self.people = PeopleStore(self.database)
        self.guilds = GuildStore(self.database)
        self.deadlines = DeadlineStore(self.database, shards)
        self.telling = TellingStore(self.database, shards)
        self.lease = Lease(self.database, shards)

    @property
    def health(self) -> Health:
        """Which fault of the database is in the way at present."""
        return self.database.health

    @property
    def shared(self) -> bool:
        """Whether other processes may write here too."""
        return self.database.shared

    @property
    def opened(self) -> bool:
        """Whether `open` has succeeded."""
        return self.database.opened

    async def watch(self) -> None:
        """Notice what happens to the database file even if nobody plays. Never returns."""
        await self.database.watch()

    async def open(self) -> None:
        """Bring the schema up to date; raises `DatabaseTooNew`."""
        await self.database.open()

    async def close(self) -> None:
        """Give the shards back, and close every connection."""
        await self.lease.give_back()
        await self.database.close()

    async def recall(self, key: str) -> str | None:
        """What was remembered under this key, or None."""
        return await self.database.recall(key)

    async def remember(self, key: str, value: str) -> None:
        """Remember a fact under a key, replacing what was there."""
        await self.database.remember(key, value)
