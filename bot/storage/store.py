"""The store: one database, and one part for each subject that is kept in it."""

from __future__ import annotations

from bot.storage.database import Database
from bot.storage.deadlines import Deadlines
from bot.storage.games import Games
from bot.storage.guilds import Guilds
from bot.storage.health import Health
from bot.storage.people import People
from bot.storage.telling import Telling


class Store:
    """The database, at a `DATABASE_URL`. Call `open` first and `close` last; raises `SettingsError` for a bad URL."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self.games = Games(self.database)
        self.people = People(self.database)
        self.guilds = Guilds(self.database)
        self.deadlines = Deadlines(self.database)
        self.telling = Telling(self.database)

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
        """Notice what happens to the database's file though nobody plays. Never returns."""
        await self.database.watch()

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write to the same database: never to a SQLite file, which has one owner."""
        return self.database.engines[0].dialect.name != "sqlite"

    async def open(self) -> None:
        """Bring the schema up to date; raises `DatabaseTooNew`."""
        await self.database.open()

    async def close(self) -> None:
        """Close every connection."""
        await self.database.close()

    async def recall(self, key: str) -> str | None:
        """What was remembered under this key, or None."""
        return await self.database.recall(key)

    async def remember(self, key: str, value: str) -> None:
        """Remember a fact under a key, instead of what was there."""
        await self.database.remember(key, value)
