"""The people who play in a guild: their names, and whether they are on its leaderboard.

A name comes with everything that a member asks, and is written down if it is another one than before. Nothing is posted
for that: what is shown from then on has the new name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot import rights
from bot.guild_records import LogEntry
from bot.occupants import Person
from bot.pace import DAY
from bot.table import Table
from bot.tables.effects import new_people
from bot.tables.transactions import Service, Transactions

CHECKED_FOR = DAY
"""Seconds for which Discord is not asked again whether a person on a leaderboard is a member."""


class Roster(Service):
    """Names of members, and who is left out of leaderboards."""

    def __init__(self, transactions: Transactions) -> None:
        super().__init__(transactions)
        self._members = self._profiles.members

    async def list_unlisted(self, guild_id: int) -> tuple[int, ...]:
        """Return the people whom moderators took off the lists of a guild."""
        return await self._store.members.unlisted(guild_id)

    async def note_name(self, guild_id: int, user_id: int, name: str) -> None:
        """Note that a person is a member of a guild, and what they are called there; only players are remembered."""
        known = await self._members.get((guild_id, user_id))
        if known is None or (known.name == name and not known.gone):
            return
        try:
            await self._store.members.note_name(guild_id, user_id, name)
        finally:
            self._members.forget((guild_id, user_id))
        if known.name != name:
            await self._transactions.rename(guild_id, user_id, name)

    async def note_left(self, guild_id: int, user_id: int) -> None:
        """Note that a person is no longer a member of a guild; they are off its leaderboard until they are seen."""
        try:
            await self._store.members.note_departure(guild_id, user_id)
        finally:
            self._members.forget((guild_id, user_id))

    async def to_check(self, guild_id: int, user_ids: Iterable[int]) -> Sequence[int]:
        """Return those of these people about whom Discord is to be asked now: once a day each."""
        now = self._now()
        return await self._store.members.claim_checks(guild_id, user_ids, now, now - CHECKED_FOR)

    async def is_unlisted(self, guild_id: int, user_id: int) -> bool:
        """Return True if a moderator took this person off the leaderboard of a guild."""
        known = await self._members.get((guild_id, user_id))
        return known is not None and known.unlisted

    async def list_(self, person: Person, guild_id: int, user_id: int, *, unlisted: bool, reason: str = "") -> bool:
        """Take a member off the leaderboard of a guild, or put them back, which goes into the guild's log.

        Return False if there is nothing to change. Raises `NotModerator`.
        """
        rights.need(rights.Deed.LIST, person)
        kind, data = "unlisted" if unlisted else "listed", {"reason": reason} if reason else {}
        entry = LogEntry(guild_id, self._now(), kind, person.id, user_id, None, data)
        try:
            return await self._store.members.set_unlisted(entry, unlisted=unlisted)
        finally:
            self._members.forget((guild_id, user_id))

    def note_change(self, before: Table | None, after: Table, *_: object) -> None:
        """Ask the store again about people who have come to a table: they are players now."""
        for user_id in new_people(before, after):
            self._members.forget((after.guild_id, user_id))
