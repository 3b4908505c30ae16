"""Whether people are still members of the guild where they play.

Without the privileged members intent, Discord tells nobody that a member has left. So the bot asks when it matters:
when it is the turn of somebody who has not been seen for a while, when their time runs low, and when they are nudged.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import OrderedDict
from collections.abc import Iterable

import discord

from bot.showing.retries import TROUBLE
from bot.table import Table
from bot.tables import Tables

log = logging.getLogger(__name__)

LATELY = 900.0
"""Seconds for which somebody who was there is assumed not to have left."""

MOST_SEEN = 50_000
"""How many people are remembered: those seen most recently."""

UNKNOWN = frozenset({10007, 10013})
"""Discord's error codes for somebody who is not a member, or whose account is gone."""


class Members:
    """Looks people up, and frees the seats of those who have left."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._seen: OrderedDict[tuple[int, int], float] = OrderedDict()

    def saw(self, guild_id: int | None, user_id: int) -> None:
        """Remember that somebody did something in a guild just now."""
        if guild_id is not None:
            self._seen[guild_id, user_id] = discord.utils.utcnow().timestamp()
            self._seen.move_to_end((guild_id, user_id))
            while len(self._seen) > MOST_SEEN:
                self._seen.popitem(last=False)

    async def left(self, table: Table, users: Iterable[int], *, lately: bool = False) -> frozenset[int]:
        """Those of these users who have left the table's guild; their seats there are freed.

        `lately`: skip those who were there within the last `LATELY` seconds. Anybody about whom Discord does not answer
        counts as a member.
        """
        guild = self._client.get_guild(table.guild_id)
        if guild is None:
            return frozenset()
        since = discord.utils.utcnow().timestamp() - LATELY if lately else math.inf
        wanted = tuple(user for user in users if self._seen.get((guild.id, user), -math.inf) < since)
        answers = await asyncio.gather(*(self._is_gone(guild, user) for user in wanted))
        gone = frozenset(user for user, is_gone in zip(wanted, answers, strict=True) if is_gone)
        for user in gone:
            await self._tables.seats.member_left(guild.id, user)
        return gone

    async def _is_gone(self, guild: discord.Guild, user: int) -> bool:
        try:
            await guild.fetch_member(user)
            self.saw(guild.id, user)
        except TROUBLE as error:
            if isinstance(error, discord.NotFound) and error.code in UNKNOWN:
                return True
            log.info("member %s could not be looked up: %s", user, error)
        return False
