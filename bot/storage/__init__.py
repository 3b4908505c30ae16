"""Keeping tables in a database: the schema, its migrations, and one class per subject that speaks SQL."""

from __future__ import annotations

from bot.shards import ALL, Shards
from bot.storage.cups import CupStore
from bot.storage.database import Database
from bot.storage.deadlines import DeadlineStore
from bot.storage.faults import Fault, FaultKind
from bot.storage.games import GameStore
from bot.storage.locks import ShardLocks
from bot.storage.members import MemberStore
from bot.storage.messages import MessageStore
from bot.storage.migrating import migrate
from bot.storage.privacy import PrivacyStore
from bot.storage.puzzles import PuzzleStore
from bot.storage.results import ResultStore
from bot.storage.users import GuildStore, UserStore


class Store(Database):
    """The database at a `DATABASE_URL`, with one part for each subject. Call `open` first and `close` last.

    `shards`: the servers of this process; what is due or still to be told is only found for those. Raises
    `SettingsError` for a bad URL.
    """

    def __init__(self, url: str, shards: Shards = ALL) -> None:
        super().__init__(url)
        self.games = GameStore(self)
        self.users = UserStore(self)
        self.guilds = GuildStore(self)
        self.members = MemberStore(self)
        self.deadlines = DeadlineStore(self, shards)
        self.messages = MessageStore(self, shards)
        self.results = ResultStore(self)
        self.privacy = PrivacyStore(self)
        self.puzzles = PuzzleStore(self, shards)
        self.cups = CupStore(self, shards)
        self.locks = ShardLocks(self, shards)

    async def open(self) -> None:
        """Bring the schema up to date. Raises `DatabaseTooNew` and any `Fault` that is in the way."""
        await self.open_with(migrate)

    async def close(self) -> None:
        """Give the shards back, and close every connection."""
        await self.locks.release()
        await super().close()

    def _check_ours(self) -> None:
        super()._check_ours()
        if self.locks.are_lost():
            raise self._report(Fault(FaultKind.UNREACHABLE, self.where))
