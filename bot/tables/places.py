"""Where a game is played: moving it, and noticing that its channel can no longer be used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bot import rights
from bot.errors import TableError
from bot.moment import Moment
from bot.storage import Change, LogRow, NoteRow, PlaceRow, Store
from bot.table import OPEN, Lost, NoteKind, Person, Scope, Table
from bot.tables.chosen import Admission, Check, check_room
from bot.tables.effects import Effect, need
from bot.tables.telling import Telling
from bot.tables.transactions import Transactions


class Places:
    """Tables and their channels."""

    def __init__(self, transactions: Transactions, store: Store, telling: Telling, admission: Admission) -> None:
        self._transactions = transactions
        self._store = store
        self._telling = telling
        self._admission = admission

    async def move(self, table_id: int, person: Person, channel_id: int, parent_id: int | None = None) -> Table:
        """Continue in another channel, or in a thread of the channel `parent_id`; see `bot.rights`.

        The board message follows without calling anybody again. Moderators of the guild may move a game into a channel
        that is full. Raises `WrongStatus`, `NotHost`, `ChannelNotAllowed`, `TooManyHere`.
        """
        check = await self._room(await self._transactions.get(table_id), person, channel_id, parent_id)

        def decide(table: Table) -> Effect:
            _need_mover(table, person)
            if (table.channel_id, table.lost) == (channel_id, None):
                return Effect(table)
            now = self._transactions.now()
            data = {"from": table.channel_id, "to": channel_id}
            note = NoteRow(table.number, NoteKind.MOVED, now, person.id, None, data)
            after = replace(table, channel_id=channel_id, parent_id=parent_id, lost=None)
            moderated = Scope.TABLE in person.moderates
            entry = LogRow(table.guild_id, now, "moved", person.id, None, table.id, data) if moderated else None
            return Effect(after, [note], logged=entry)

        return await self._transactions.change(table_id, decide, check=check)

    async def check_move(self, table_id: int, person: Person, channel_id: int, parent_id: int | None = None) -> None:
        """Raise now what `move` would raise, so that no thread is opened in vain."""
        table = await self._transactions.get(table_id)
        try:
            _need_mover(table, person)
            check = await self._room(table, person, channel_id, parent_id)
            async with self._store.games.look(table_id) as change:
                await check(change)
        except TableError as refused:
            refused.code = table.code
            raise

    async def _room(self, table: Table, person: Person, channel_id: int, parent_id: int | None) -> Check:
        """The check that refuses a place that is full. Raises `ChannelNotAllowed`."""
        settings = await self._admission.check_channel(table.guild_id, channel_id, parent_id)
        place = parent_id or channel_id

        async def check(change: Change) -> None:
            # Where the game already counts it takes up no more room: a thread counts as its channel.
            if Scope.GUILD not in person.moderates and place != (table.parent_id or table.channel_id):
                await check_room(change, settings, place)

        return check

    async def lost(self, table_id: int, reason: Lost) -> None:
        """Note that the table's channel cannot be used: `gone`, `archived`, `access` or `permissions`.

        Its clocks stand still from now on.
        """

        def decide(table: Table) -> Effect:
            if not table.is_open or table.lost == reason:
                return Effect(table)
            note = NoteRow(table.number, NoteKind.PLACE_LOST, self._transactions.now(), None, None, {"reason": reason})
            return Effect(replace(table, lost=reason), [note] if table.lost is None else [])

        await self._transactions.change(table_id, decide, allow_broken=True)

    async def found(self, table_id: int) -> None:
        """Note that the table's channel can be used again."""

        def decide(table: Table) -> Effect:
            if table.lost is None:
                return Effect(table)
            note = NoteRow(table.number, NoteKind.PLACE_FOUND, self._transactions.now(), None, None, {})
            return Effect(replace(table, lost=None), [note] if table.is_open else [])

        await self._transactions.change(table_id, decide, allow_broken=True)

    async def remember_board(
        self, table: Table, message_id: int, called: Mapping[int, Moment] | None = None, letters: Iterable[int] = ()
    ) -> None:
        """Remember the message that shows this snapshot of a table in its channel.

        `called`: by seat, the decisions for which people were called with it. `letters`: who is to get their hand by
        direct message. A lobby shows less than the first deal, which is entry 0 of a game's history.
        """
        await self._telling.remember_board(table, message_id, called or {}, letters)

    async def forget_board(self, table_id: int) -> None:
        """Forget the message that shows the table: its channel is gone, and no other one is to be posted."""
        await self._telling.forget_board(table_id)

    async def guilds_played_in(self) -> tuple[int, ...]:
        """The guilds with open tables."""
        return await self._store.telling.guilds_played_in()

    async def in_guild(self, guild_id: int) -> tuple[PlaceRow, ...]:
        """Where the open tables of a guild are played."""
        return await self._store.telling.places(guild_id)


def _need_mover(table: Table, person: Person) -> None:
    """Raise `WrongStatus` or `NotHost` unless this person may move the game."""
    need(table, *OPEN)
    rights.need(rights.Deed.MOVE, person, table)
