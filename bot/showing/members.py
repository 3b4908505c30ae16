"""Whether people are still members of the guild where they play.

Without the privileged members intent Discord tells nobody that a member has left. So it is asked when it matters: when
somebody's turn comes, when their time runs low, and when they are nudged.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable

import discord

from bot.showing.retries import TROUBLE
from bot.table import Table
from bot.tables import Tables

log = logging.getLogger(__name__)

UNKNOWN = frozenset({10007, 10013})
"""Discord's error codes for somebody who is no member, or whose account is gone."""


class Members:
    """Looks people up, and frees the seats of those who have left."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables

    async def left(self, table: Table, users: Iterable[int]) -> frozenset[int]:
        """Those of these users who have left the table's guild; their seats there are freed.

        Anybody whom Discord does not tell about counts as a member.
        """
        guild = self._client.get_guild(table.guild_id)
        if guild is None:
            return frozenset()
        wanted = tuple(users)
        answers = await asyncio.gather(*(self._is_gone(guild, user) for user in wanted))
        gone = frozenset(user for user, is_gone in zip(wanted, answers, strict=True) if is_gone)
        for user in gone:
            await self._tables.seats.member_left(guild.id, user)
        return gone

    async def _is_gone(self, guild: discord.Guild, user: int) -> bool:
        try:
            await guild.fetch_member(user)
        except TROUBLE as error:
            if isinstance(error, discord.NotFound) and error.code in UNKNOWN:
                return True
            log.info("member %s could not be looked up: %s", user, error)
        return False
