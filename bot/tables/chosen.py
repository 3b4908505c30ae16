"""What people and guilds have chosen, as the other services need it: preferences, rest, settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.clocks.quiet import NO_REST, Rest
from bot.preferences import GuildSettings, Preferences, preferences_of, settings_of
from bot.storage import Store


class Chosen:
    """Reads what has been chosen; choosing is `bot.tables.people`' and `bot.tables.moderation`'s."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def person(self, user_id: int) -> Preferences:
        """What a person prefers."""
        return preferences_of(user_id, await self._store.people.preferences(user_id))

    async def several(self, user_ids: Iterable[int]) -> Mapping[int, Preferences]:
        """What each of these persons prefers, by user id."""
        wanted = frozenset(user_ids)
        rows = await self._store.people.several(wanted) if wanted else {}
        return {user_id: preferences_of(user_id, rows.get(user_id, {})) for user_id in wanted}

    async def rests(self, user_ids: Iterable[int]) -> Mapping[int, Rest]:
        """When the clocks of these persons stand still; who has chosen nothing is absent."""
        wanted = frozenset(user_ids)
        if not wanted:
            return {}
        rows = await self._store.people.several(wanted)
        return {user_id: preferences_of(user_id, row).rest for user_id, row in rows.items()}

    async def rest(self, user_id: int) -> Rest:
        """When the clock of a person stands still."""
        return (await self.rests([user_id])).get(user_id, NO_REST)

    async def guild(self, guild_id: int) -> GuildSettings:
        """What a guild has set for its games."""
        return settings_of(guild_id, await self._store.guilds.preferences(guild_id))
