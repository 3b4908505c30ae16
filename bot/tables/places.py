"""Where a game is played: moving it, and noticing that its channel can no longer be used."""

from __future__ import annotations

from dataclasses import replace

from bot import rights
from bot.storage import Change, LogRow, PlaceRow, Store
from bot.table import OPEN, Lost, NoteKind, Person, Scope, Table
from bot.tables.chosen import Chosen, check_room
from bot.tables.effects import Effect, need, note
from bot.tables.transactions import Transactions


class Places:
    """Tables and their channels."""

    def __init__(self, transactions: Transactions, store: Store, chosen: Chosen) -> None:
        self._transactions = transactions
        self._store = store
        self._chosen = chosen

    async def move(self, table_id: int, person: Person, channel_id: int, parent_id: int | None = None) -> Table:
        """Continue in another channel, or in a thread of the channel `parent_id`; see `bot.rights`.

        The board message follows without calling anybody again. Moderators of the guild may move a game into a channel
        that is full. Raises `WrongStatus`, `NotHost`, `ChannelNotAllowed`, `TooManyHere`.
        """
        return await self._transactions.change(
            table_id, lambda table: self._moved(table, person, channel_id, parent_id)
        )

    async def check_move(self, table_id: int, person: Person, channel_id: int, parent_id: int | None = None) -> None:
        """Raise now what `move` would raise, so that no thread is opened in vain."""
        await self._transactions.look(table_id, lambda table: self._moved(table, person, channel_id, parent_id))

    async def _moved(self, table: Table, person: Person, channel_id: int, parent_id: int | None) -> Effect:
        need(table, *OPEN)
        rights.need(rights.Deed.MOVE, person, table)
        settings = await self._chosen.check_channel(table.guild_id, channel_id, parent_id)
        if (table.channel_id, table.lost) == (channel_id, None):
            return Effect(table)
        place = parent_id or channel_id

        async def check(change: Change) -> None:
            # Where the game already counts it takes up no more room: a thread counts as its channel.
            if Scope.GUILD not in person.moderates and place != (table.parent_id or table.channel_id):
                await check_room(change, settings, place)

        now = self._transactions.now()
        data = {"from": table.channel_id, "to": channel_id}
        moderated = Scope.TABLE in person.moderates
        entry = LogRow(table.guild_id, now, "moved", person.id, None, table.id, data) if moderated else None
        after = replace(table, channel_id=channel_id, parent_id=parent_id, lost=None)
        return Effect(after, [note(table, NoteKind.MOVED, now, person.id, **data)], logged=entry, check=check)

    async def lost(self, table_id: int, reason: Lost) -> None:
        """Note that the table's channel cannot be used: `gone`, `archived`, `access` or `permissions`.

        Its clocks stand still from now on.
        """

        def decide(table: Table) -> Effect:
            if not table.is_open or table.lost == reason:
                return Effect(table)
            noted = note(table, NoteKind.PLACE_LOST, self._transactions.now(), reason=reason)
            return Effect(replace(table, lost=reason), [noted] if table.lost is None else [])

        await self._transactions.change(table_id, decide, allow_broken=True)

    async def found(self, table_id: int) -> None:
        """Note that the table's channel can be used again."""

        def decide(table: Table) -> Effect:
            if table.lost is None:
                return Effect(table)
            noted = note(table, NoteKind.PLACE_FOUND, self._transactions.now())
            return Effect(replace(table, lost=None), [noted] if table.is_open else [])

        await self._transactions.change(table_id, decide, allow_broken=True)

    async def guilds_played_in(self) -> tuple[int, ...]:
        """The guilds with open tables."""
        return await self._store.messages.guilds_played_in()

    async def in_guild(self, guild_id: int) -> tuple[PlaceRow, ...]:
        """Where the open tables of a guild are played."""
        return await self._store.messages.places(guild_id)
