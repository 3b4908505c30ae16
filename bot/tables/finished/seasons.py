"""Seasons of a guild's leaderboard: what is gained from one moment to the next, ranked by itself.

They begin each month if the guild wants that, or when a moderator says so; ratings go on through all of them. Months
are found when the seasons are looked at, which comes to the same as if they had been noted at midnight.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from bot import rights
from bot.guild_records import LogEntry
from bot.occupants import Person
from bot.results import Season
from bot.tables.transactions import Service, Transactions
from bot.tasks import Locks


class Seasons(Service):
    """The seasons of guilds."""

    def __init__(self, transactions: Transactions) -> None:
        super().__init__(transactions)
        self._locks: Locks[int] = Locks()

    async def of_guild(self, guild_id: int) -> Sequence[Season]:
        """Return all seasons of a guild, the newest last, with those that months have begun."""
        async with self._locks.of(guild_id):
            seasons = await self._store.results.seasons(guild_id)
            if not (await self._profiles.guilds.get(guild_id)).monthly:
                return seasons
            # After a season that a moderator has ended, the next month begins another.
            last = seasons[-1] if seasons else None
            since = None if last is None else last.began_at if last.ended_at is None else last.ended_at
            for first in months(since, self._now()):
                await self._store.results.begin_season(guild_id, first, "")
            return await self._store.results.seasons(guild_id)

    async def begin(self, person: Person, guild_id: int, reason: str) -> Season:
        """End the season that goes on, if there is one, and begin the next, for a reason. Raises `NotModerator`."""
        rights.need(rights.Deed.LIST, person)
        await self.of_guild(guild_id)
        await self._store.results.begin_season(guild_id, self._now(), reason)
        await self._log(person, guild_id, "season", reason)
        return (await self._store.results.seasons(guild_id))[-1]

    async def end(self, person: Person, guild_id: int, reason: str) -> bool:
        """End the season that goes on, without another, for a reason; False if there is none. Raises `NotModerator`."""
        rights.need(rights.Deed.LIST, person)
        await self.of_guild(guild_id)
        if not await self._store.results.end_season(guild_id, self._now(), reason):
            return False
        await self._log(person, guild_id, "season_over", reason)
        return True

    async def _log(self, person: Person, guild_id: int, kind: str, reason: str) -> None:
        data = {"reason": reason}
        await self._store.guilds.write_log(LogEntry(guild_id, self._now(), kind, person.id, None, None, data))


def months(since: int | None, now: int) -> Sequence[int]:
    """Return the beginnings of months after a moment up to now, the earliest first; of this month alone for None."""
    moment = datetime.fromtimestamp(now, UTC)
    year, month = moment.year, moment.month
    starts: list[int] = []
    while True:
        first = int(datetime(year, month, 1, tzinfo=UTC).timestamp())
        if since is not None and first <= since:
            return starts[::-1]
        starts.append(first)
        if since is None:
            return starts
        year, month = (year - 1, 12) if month == 1 else (year, month - 1)
