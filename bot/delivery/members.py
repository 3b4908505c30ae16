"""Lookups of members on Discord: who has left a guild, and who cannot see a call.

Without the privileged members intent, Discord does not report that a member has left. So the bot asks when it matters:
when it is the turn of a player who has not been seen for a while, when their time runs low, when they are nudged, and
once a day about those on a leaderboard that is looked at.
Discord answers such questions a few times a second in each guild. So nothing waits for more of them than that: the
others are asked in turn in the background, while boards and reminders go on.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import Any

import discord

from bot.delivery.sending import TROUBLE
from bot.delivery.unix_time import now
from bot.delivery.watching import granted_in
from bot.errors import StorageError
from bot.occupants import Occupant, StandInReason
from bot.pace import DAY
from bot.results import RankedLine
from bot.table import Table, Unseen
from bot.tables.service import Tables
from bot.tasks import Background
from bot.texts.markup import plain

log = logging.getLogger(__name__)

LATELY = 900.0
"""Seconds for which a member who was there is assumed not to have left."""

OWNERS = DAY
"""The same for the owner of a seat that another plays: they do not have to be there."""

MOST_SEEN = 50_000
"""Number of members remembered: those seen most recently."""

AWAITED, WINDOW = 4, 2.0
"""The most answers about members of a guild that are waited for, within that many seconds."""

AT_ONCE = 2
"""The most members of all guilds together who are looked up in the background at once: after a start that would be many
hundreds, and Discord takes fifty requests a second, answers and boards included."""

ROUNDS = 3
"""The most times a leaderboard is read because players on it have left."""

UNKNOWN = frozenset({10007, 10013})
"""Discord's error codes for a user who is not a member, or whose account is gone."""


def name_of(user: discord.abc.User) -> str:
    """Return a user's name as plain text: a member's name in the guild, otherwise the one shown everywhere."""
    return plain(user.display_name) or plain(user.name)


def global_name_of(user: discord.abc.User) -> str:
    """Return a user's name as plain text, as all of Discord knows it."""
    return plain(user.global_name or "") or plain(user.name)


class Members:
    """Looks people up, frees the seats of those who have left, and keeps them off the guild's leaderboard."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client, self._tables = client, tables
        self._seen: OrderedDict[tuple[int, int], float] = OrderedDict()
        self._awaited: dict[int, tuple[float, int]] = {}
        self._later: dict[int, dict[int, Table | None]] = {}
        self._background = Background()
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._closed = False
        self.on_unseen: Callable[[int, int, Unseen], Coroutine[Any, Any, None]] | None = None
        """Awaited with the ids of a table and a player who cannot see or answer what calls them, and the reason."""

    def note_seen(self, guild_id: int | None, user_id: int) -> None:
        """Remember that a user did something in a guild just now."""
        if guild_id is not None:
            self._seen[guild_id, user_id] = now()
            self._seen.move_to_end((guild_id, user_id))
            while len(self._seen) > MOST_SEEN:
                self._seen.popitem(last=False)

    async def find_left(self, table: Table, users: Iterable[int]) -> frozenset[int]:
        """Return the users who have left the table's guild, and free their seats there.

        With the owner of a seat goes the friend who plays it. Users about whom Discord does not answer count as
        members. So do all of them if it has been asked about too many of this guild just now; they are looked up in the
        background (`look`).
        """
        guild = self._client.get_guild(table.guild_id)
        asked = tuple(users)
        owners = {who.friend: who.user_id or 0 for who in _played_by_others(table) if who.friend in asked}
        wanted = (*asked, *owners.values())
        if guild is None or not wanted:
            return frozenset()
        if not self._may_wait(guild.id, len(wanted)):
            self._look(guild, wanted, table)
            return frozenset()
        answers = await asyncio.gather(*(self._is_gone(guild, user, table) for user in wanted))
        gone = frozenset(user for user, is_gone in zip(wanted, answers, strict=True) if is_gone)
        for user in gone:
            await self._let_go(guild, user)
        return gone | {friend for friend, owner in owners.items() if owner in gone}

    async def drop_left(
        self, guild_id: int, read: Callable[[], Awaitable[Sequence[RankedLine]]]
    ) -> Sequence[RankedLine]:
        """Return the lines of a leaderboard without those who have left the guild.

        Discord is asked about each person at most once a day. Those about whom it does not answer stay; answers that
        take long count from the next time on.
        """
        lines, guild = await read(), self._client.get_guild(guild_id)
        for _ in range(ROUNDS):
            if guild is None or not await self._have_left(guild, [line.user_id for line in lines]):
                break
            lines = await read()
        return lines

    def look(self, table: Table, users: Iterable[int]) -> None:
        """Look these users up in the background, unless they were there `LATELY`; free the seats of those who left.

        So are, once a day, the owners of seats that others play: no one else would notice that they have left.
        """
        guild = self._client.get_guild(table.guild_id)
        if guild is not None:
            wanted = {who.user_id or 0: OWNERS for who in _played_by_others(table)} | dict.fromkeys(users, LATELY)
            long_ago = {
                user for user, span in wanted.items() if self._seen.get((guild.id, user), -math.inf) < now() - span
            }
            self._look(guild, [user for user in wanted if user in long_ago], table)

    async def can_see(self, table: Table, user: int) -> bool:
        """Return True if a user is a member of the table's guild and can see its channel; False if that is unknown."""
        guild = self._client.get_guild(table.guild_id)
        place = None if guild is None else guild.get_channel_or_thread(table.channel_id)
        if guild is None or place is None:
            return False
        member = await find_member(guild, user)
        granted = None if member is None else granted_in(place, member)
        # Discord would have to be asked who is in a private thread.
        private = isinstance(place, discord.Thread) and place.is_private()
        return granted is not None and granted.view_channel and (not private or granted.manage_threads)

    async def find_unseeing(self, place: Any, users: Iterable[int]) -> tuple[int, ...]:
        """Return the members among these users who cannot see a place; those about whom Discord does not answer can."""
        wanted = tuple(users)
        unseen = await asyncio.gather(*(_is_hidden_from(place, user) for user in wanted))
        return tuple(user for user, is_unseen in zip(wanted, unseen, strict=True) if is_unseen)

    def close(self) -> None:
        """Stop all lookups in the background, whatever is still being shown."""
        self._closed = True
        self._background.close()

    def _may_wait(self, guild_id: int, count: int) -> bool:
        """Return True if Discord will soon answer about this many members of a guild, and count them then."""
        if guild_id in self._later:
            return False
        moment = asyncio.get_running_loop().time()
        begun, looked_up = self._awaited.get(guild_id, (-math.inf, 0))
        if moment - begun >= WINDOW:
            begun, looked_up = moment, 0
        if looked_up and looked_up + count > AWAITED:
            return False
        self._awaited[guild_id] = begun, looked_up + count
        return True

    async def _have_left(self, guild: discord.Guild, listed: Sequence[int]) -> bool:
        """Return True if some of those on a list turn out to have left just now."""
        wanted = await self._tables.roster.to_check(guild.id, listed)
        if not wanted:
            return False
        if not self._may_wait(guild.id, len(wanted)):
            self._look(guild, wanted)
            return False
        asked = [self._background.begin(self._ask(guild, user), f"look up member {user}") for user in wanted]
        answered, _ = await asyncio.wait(asked, timeout=WINDOW)
        return any(not task.cancelled() and task.exception() is None and task.result() for task in answered)

    async def _ask(self, guild: discord.Guild, user: int, table: Table | None = None) -> bool:
        """Look a person up, perhaps as a player of a table; True if they have left."""
        gone = await self._is_gone(guild, user, table)
        if gone:
            await self._let_go(guild, user)
        return gone

    async def _let_go(self, guild: discord.Guild, user: int) -> None:
        """Free the seats of a person who has left, and take them off the leaderboard."""
        await self._tables.absence.member_left(guild.id, user)
        await self._tables.roster.note_left(guild.id, user)

    def _look(self, guild: discord.Guild, users: Iterable[int], table: Table | None = None) -> None:
        wanted: dict[int, Table | None] = dict.fromkeys(users, table)
        if not wanted or self._closed:
            return
        if guild.id in self._later:
            self._later[guild.id].update(wanted)
            return
        self._later[guild.id] = wanted
        self._background.begin(self._look_up(guild), f"look up members of guild {guild.id}")

    async def _look_up(self, guild: discord.Guild) -> None:
        waiting = self._later[guild.id]
        try:
            while waiting:
                async with self._turns:
                    user = next(iter(waiting))
                    await self._ask(guild, user, waiting.pop(user))
        finally:
            # After a failure, the users left over are looked up when it matters again.
            del self._later[guild.id]

    async def _is_gone(self, guild: discord.Guild, user: int, table: Table | None) -> bool:
        """Return True if a player has left; a member who cannot see or answer a call is told another way."""
        try:
            member = await guild.fetch_member(user)
            self.note_seen(guild.id, user)
            unseen = None if table is None else _why_unseen(guild, member, table)
            if table is not None and unseen is not None and self.on_unseen is not None:
                self._background.begin(self.on_unseen(table.id, user, unseen), "tell a player who cannot see a call")
        except TROUBLE as error:
            if isinstance(error, discord.NotFound) and error.code in UNKNOWN:
                return True
            log.info("member %s could not be looked up: %s", user, error)
        else:
            with suppress(StorageError):
                await self._tables.roster.note_name(guild.id, user, name_of(member))
        return False


async def find_member(guild: discord.Guild, user_id: int) -> discord.Member | None:
    """Return a member of a guild, by asking Discord; None if they are none, or it does not say."""
    try:
        return await guild.fetch_member(user_id)
    except TROUBLE as error:
        log.info("member %s could not be looked up: %s", user_id, error)
        return None


def _played_by_others(table: Table) -> Iterable[Occupant]:
    """Return those whose seats a friend or a computer plays while they are away."""
    return (who for who in table.occupants.values() if who.why in (StandInReason.AWAY, StandInReason.FRIEND))


async def _is_hidden_from(place: Any, user: int) -> bool:
    """Return True if a member of its guild cannot see a channel or thread."""
    member = await find_member(place.guild, user)
    granted = None if member is None else granted_in(place, member)
    if granted is None:
        return False
    if not granted.view_channel:
        return True
    if not isinstance(place, discord.Thread) or not place.is_private() or granted.manage_threads:
        return False
    try:
        await place.fetch_member(user)
    except TROUBLE as error:
        return isinstance(error, discord.NotFound)
    return False


def _why_unseen(guild: discord.Guild, member: discord.Member, table: Table) -> Unseen | None:
    """Return why a member cannot see a table's channel, or answer there; None if they can, as far as is known."""
    place = guild.get_channel_or_thread(table.channel_id)
    if member.is_timed_out():
        return Unseen.TIMED_OUT
    granted = None if place is None else granted_in(place, member)
    return None if granted is None or granted.view_channel else Unseen.HIDDEN
