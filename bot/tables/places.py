"""Places of tables: moving a game, and channels that cannot be used."""

from __future__ import annotations

from dataclasses import replace

from bot import rights
from bot.guild_records import LogEntry
from bot.occupants import Person, Scope
from bot.storage.games import GameWriter
from bot.storage.rows import PlaceRow
from bot.table import OPEN, Lost, NoteKind, Table
from bot.tables.effects import Effect, need, note
from bot.tables.profiles import check_room
from bot.tables.transactions import Service


class Places(Service):
    """Tables and their channels."""

    async def in_guild(self, guild_id: int) -> tuple[PlaceRow, ...]:
        """Return the places of a guild's open games, and of those whose end could not be shown, oldest first."""
        return await self._store.games.places(guild_id)

    async def guilds_played_in(self) -> list[int]:
        """Return the guilds with open games that this process serves."""
        return [guild_id for guild_id in await self._store.games.guilds() if self._transactions.serves(guild_id)]

    async def move(
        self, table_id: int, person: Person, channel_id: int, parent_id: int | None = None, *, rehearse: bool = False
    ) -> Table:
        """Continue in another channel, or in a thread of the channel `parent_id`; see `bot.rights`.

        The board message follows without calling players again. Moderators of the guild may move a game into a channel
        that is full. Raises `WrongStatus`, `NotHost`, `ChannelNotAllowed`, `TooManyHere`. `rehearse`: nothing changes,
        but what it would raise is raised.
        """

        async def decide(table: Table) -> Effect:
            need(table, *OPEN)
            rights.need(rights.Deed.MOVE, person, table)
            settings = await self._profiles.check_channel(table.guild_id, channel_id, parent_id)
            if (table.channel_id, table.lost) == (channel_id, None):
                return Effect(table)
            place = parent_id or channel_id

            async def check(writer: GameWriter) -> None:
                # Where the game already counts it takes up no more room: a thread counts as its channel.
                if Scope.MODERATE_GUILD not in person.moderates and place != (table.parent_id or table.channel_id):
                    await check_room(writer, settings, place)

            now = self._now()
            data = {"from": table.channel_id, "to": channel_id}
            moderated = Scope.MODERATE_TABLE in person.moderates
            entry = LogEntry(table.guild_id, now, "moved", person.id, None, table.id, data) if moderated else None
            after = replace(table, channel_id=channel_id, parent_id=parent_id, lost=None)
            return Effect(after, [note(table, NoteKind.MOVED, now, person.id, **data)], logged=entry, check=check)

        return await self._change(table_id, decide, rehearse=rehearse)

    async def note_lost(self, table_id: int, reason: Lost, *, private: bool = False) -> None:
        """Note why the table's channel cannot be used; its clocks stand still from now on.

        `private`: it was a private thread, so nothing is said about it in the channel that it belonged to.
        """

        def decide(table: Table) -> Effect:
            if not table.is_open or table.lost == reason:
                return Effect(table)
            noted = note(table, NoteKind.PLACE_LOST, self._now(), reason=reason)
            parent = None if private else table.parent_id
            return Effect(replace(table, lost=reason, parent_id=parent), [noted] if table.lost is None else [])

        await self._transactions.change(table_id, decide, even_broken=True)

    async def note_found(self, table_id: int) -> None:
        """Note that the table's channel can be used again."""

        def decide(table: Table) -> Effect:
            if table.lost is None:
                return Effect(table)
            noted = note(table, NoteKind.PLACE_FOUND, self._now())
            return Effect(replace(table, lost=None), [noted] if table.is_open else [])

        await self._transactions.change(table_id, decide, even_broken=True)
