"""People's own data: what is stored of somebody, forgetting them, and what is deleted in time."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from bot.people import StandInReason
from bot.storage.privacy import GONE_AFTER
from bot.table import NoteKind, Table
from bot.tables.effects import Effect, removed
from bot.tables.transactions import Service

log = logging.getLogger(__name__)

DAY = 86_400


class Privacy(Service):
    """What may be asked by the person concerned, and by whoever runs the bot."""

    async def export(self, user_id: int) -> dict[str, Any]:
        """Everything that is stored about somebody, by table, as values of JSON."""
        return {"user_id": user_id, "exported_at": self._now(), **await self._store.privacy.export(user_id)}

    async def forget(self, user_id: int) -> None:
        """Forget somebody: open games lose them first, as if they had resigned; then nothing leads to them any more.

        In finished games somebody without a name has their seats, so that games, records and statistics of others stay
        as they are. Bans stay.
        """
        now = self._now()

        def leave(table: Table) -> Effect:
            return removed(table, user_id, StandInReason.RESIGNED, now, NoteKind.RESIGNED, user_id)

        await self._transactions.everywhere(None, user_id, leave)
        # Numbers below zero are nobody's at Discord; this one is kept nowhere else.
        self.forgotten(user_id, await self._store.privacy.forget(user_id, -secrets.randbelow(2**62) - 1))

    def forgotten(self, user_id: int, game_ids: Sequence[int]) -> None:
        """Remember nothing of somebody whom the database has forgotten, nor of these games they were in."""
        for game_id in game_ids:
            self._memory.forget(game_id)
        self._chosen.forget(user_id)

    async def sweep(self, keep_days: int, is_there: Callable[[int], bool]) -> None:
        """Delete what is no longer kept. `is_there`: whether the bot is in a guild.

        After `keep_days` days these are names in finished games, what moderators did, and lobbies that nobody started;
        after 30 days, everything of a guild that the bot has left.
        """
        now = self._now()
        for game_id in await self._store.privacy.outlived(now - keep_days * DAY):
            self._memory.forget(game_id)
        for guild_id, left_at in (await self._store.privacy.guilds()).items():
            if not self._transactions.serves(guild_id):
                continue
            if is_there(guild_id) != (left_at is None):
                left_at = None if is_there(guild_id) else now
                await self._chosen.set_guild(guild_id, left_at=left_at)
            if left_at is not None and left_at <= now - GONE_AFTER:
                for game_id in await self._store.privacy.delete_guild(guild_id):
                    self._memory.forget(game_id)
                log.info("what guild %s has left behind is deleted", guild_id)
