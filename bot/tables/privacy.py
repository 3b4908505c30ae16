"""People's own data: exported, forgotten, outlived."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from bot.occupants import StandInReason
from bot.pace import DAY
from bot.storage.privacy import GONE_AFTER
from bot.table import IN_DMS, NoteKind, Table
from bot.tables.effects import Effect
from bot.tables.endings import remove_member
from bot.tables.friends import Friends
from bot.tables.transactions import Service

log = logging.getLogger(__name__)


class Privacy(Service):
    """Personal data, for the person concerned and for the operator."""

    async def export(self, user_id: int) -> dict[str, Any]:
        """Return everything that is stored about a person, by table, as values of JSON."""
        return {"user_id": user_id, "exported_at": self._now(), **await self._store.privacy.export(user_id)}

    async def forget(self, user_id: int) -> None:
        """Forget a person: open games lose them first, as if they had left; then nothing leads to them any more.

        In finished games a person without a name has their seats, so that games, records and statistics of others stay
        as they are. Bans stay.
        """
        now = self._now()

        def leave(table: Table) -> Effect:
            return remove_member(table, user_id, StandInReason.LEFT, now, NoteKind.LEFT, user_id)

        await Friends(self._transactions).leave(user_id)
        await self._transactions.everywhere(None, user_id, leave)
        # Numbers below zero are no user's at Discord; this one is kept nowhere else.
        self.forgotten(user_id, await self._store.privacy.forget(user_id, -secrets.randbelow(2**62) - 1))

    def forgotten(self, user_id: int, game_ids: Sequence[int]) -> None:
        """Drop a person whom the database has forgotten from the cache, with these games they were in."""
        for game_id in game_ids:
            self._memory.forget(game_id)
        self._profiles.users.forget(user_id)
        self._profiles.members.clear()

    async def sweep(self, keep_days: int, is_there: Callable[[int], bool]) -> None:
        """Delete what is no longer kept. `is_there`: True for a guild that the bot is in.

        After `keep_days` days these are names in finished games, what moderators did, and lobbies that never started;
        after 30 days, everything of a guild that the bot has left.
        """
        now = self._now()
        for game_id in await self._store.privacy.delete_outlived(now - keep_days * DAY):
            self._memory.forget(game_id)
        self._profiles.members.clear()
        for guild_id, left_at in (await self._store.privacy.guilds()).items():
            if guild_id == IN_DMS or not self._transactions.serves(guild_id):
                continue
            if is_there(guild_id) != (left_at is None):
                left_at = None if is_there(guild_id) else now
                await self._profiles.set_guild(guild_id, left_at=left_at)
            if left_at is not None and left_at <= now - GONE_AFTER:
                for game_id in await self._store.privacy.delete_guild(guild_id):
                    self._memory.forget(game_id)
                log.info("what guild %s has left behind is deleted", guild_id)
