"""The tables service: everything that people do to a table goes through here.

`Tables` is put together from one class a subject; how any change is made is in `bot.tables.desk`.
"""

from __future__ import annotations

from bot.errors import NoSuchTable
from bot.table import Logged, Note, Table
from bot.tables.absence import Absence
from bot.tables.agreeing import Agreeing
from bot.tables.codes import read_code
from bot.tables.desk import Due, DueKind
from bot.tables.lobbies import Lobbies
from bot.tables.moderation import Moderation
from bot.tables.overdue import Overdue
from bot.tables.places import Places
from bot.tables.turns import Turns
from bot.tables.undo import Undo
from bot.tables.wishes import Wishes

__all__ = ["Due", "DueKind", "Tables"]


class Tables(Lobbies, Turns, Absence, Agreeing, Undo, Places, Moderation, Wishes, Overdue):
    """The tables of one store; made like a `bot.tables.desk.Desk`. Methods raise `TableError`s; see `bot.errors`."""

    async def by_code(self, guild_id: int, code: str) -> Table:
        """The open game of a guild with this code, typed in any way, else its last finished one.

        Raises `NoSuchTable`.
        """
        read = read_code(code)
        table_id = await self._store.id_by_code(guild_id, read) if read else None
        if table_id is None:
            raise NoSuchTable(code)
        return await self.get(table_id)

    async def in_channel(self, channel_id: int) -> tuple[Table, ...]:
        """The open tables of a channel, newest first."""
        return await self._several(await self._store.ids_in_channel(channel_id))

    async def of_member(self, user_id: int) -> tuple[Table, ...]:
        """The open tables, in any guild, at which this member owns a seat, newest first."""
        return await self._several(await self._store.ids_of_member(user_id))

    async def last_ended(self, channel_id: int) -> Table | None:
        """The game of this channel that ended last, or None."""
        table_id = await self._store.id_last_ended(channel_id)
        return None if table_id is None else await self.get(table_id)

    async def open_tables(self) -> tuple[int, ...]:
        """The ids of all open tables, oldest first."""
        return await self._store.open_ids()

    async def log(self, table_id: int) -> tuple[Logged, ...]:
        """The action log with who did what. Gifts in it are secret: not for people before the game is over."""
        actions = await self._store.actions(table_id)
        return tuple(Logged(one.number, one.seat, one.text, one.actor, one.at) for one in actions)

    async def notes(self, table_id: int) -> tuple[Note, ...]:
        """What else happened at the table, oldest first."""
        notes = await self._store.notes(table_id)
        return tuple(Note(one.kind, one.at, one.number, one.actor_id, one.seat, one.data) for one in notes)
