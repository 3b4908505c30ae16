"""Where a game is played: moving it, and noticing that its channel cannot be used any more."""

from __future__ import annotations

from dataclasses import replace

from bot.errors import BrokenLog, Outrun, TableError
from bot.storage import Change, LogRow, NoteRow
from bot.table import OPEN, NoteKind, Person, Table
from bot.tables import seats
from bot.tables.desk import Desk
from bot.tables.limits import Check, check_room
from bot.tables.steps import Step, need


class Places(Desk):
    """Tables and their channels."""

    async def move(self, table_id: int, person: Person, channel_id: int, parent_id: int | None = None) -> Table:
        """Go on in another channel, or in a thread of the channel `parent_id`; for who has a seat, and moderators.

        The board message is forgotten, so that a new one is posted there. Moderators may move a game into a channel
        that is full. Raises `WrongStatus`, `NotAtTable`, `ChannelNotAllowed`, `TooManyHere`.
        """
        check = await self._room(await self.get(table_id), person, channel_id, parent_id)

        def decide(table: Table) -> Step:
            _need_mover(table, person)
            if (table.channel_id, table.lost) == (channel_id, None):
                return Step(table)
            now = self._now()
            data = {"from": table.channel_id, "to": channel_id}
            note = NoteRow(table.number, NoteKind.MOVED, now, person.id, None, data)
            after = replace(table, channel_id=channel_id, parent_id=parent_id, lost=None, shown=None)
            entry = LogRow(table.guild_id, now, "moved", person.id, None, table.id, data) if person.moderator else None
            return Step(after, [note], logged=entry)

        return await self._change(table_id, decide, check=check)

    async def check_move(self, table_id: int, person: Person, channel_id: int, parent_id: int | None = None) -> None:
        """Raise what `move` would raise now, so that no thread is opened in vain."""
        table = await self.get(table_id)
        try:
            _need_mover(table, person)
            check = await self._room(table, person, channel_id, parent_id)
            async with self._store.look(table_id) as change:
                await check(change)
        except TableError as refused:
            refused.code = table.code
            raise

    async def _room(self, table: Table, person: Person, channel_id: int, parent_id: int | None) -> Check:
        """What refuses a place that is full. Raises `ChannelNotAllowed`."""
        settings = await self._check_channel(table.guild_id, channel_id, parent_id)
        place = parent_id or channel_id

        async def check(change: Change) -> None:
            # Where the game counts already it takes nobody's room: a thread counts as its channel.
            if not person.moderator and place != (table.parent_id or table.channel_id):
                await check_room(change, settings, place)

        return check

    async def place_lost(self, table_id: int, reason: str) -> bool:
        """Note that the table's channel cannot be used: `gone`, `archived`, `access` or `permissions`.

        Its clocks stand still from now on. True if this is news, so that the players should be told.
        """
        news = False

        def decide(table: Table) -> Step:
            nonlocal news
            news = table.is_open and table.lost is None
            if not table.is_open or table.lost == reason:
                return Step(table)
            note = NoteRow(table.number, NoteKind.PLACE_LOST, self._now(), None, None, {"reason": reason})
            return Step(replace(table, lost=reason), [note] if news else [])

        await self._change(table_id, decide, allow_broken=True)
        return news

    async def place_found(self, table_id: int) -> bool:
        """Note that the table's channel can be used again; False if it was not known to be lost."""
        news = False

        def decide(table: Table) -> Step:
            nonlocal news
            news = table.is_open and table.lost is not None
            if not news:
                return Step(table)
            note = NoteRow(table.number, NoteKind.PLACE_FOUND, self._now(), None, None, {})
            return Step(replace(table, lost=None), [note])

        await self._change(table_id, decide, allow_broken=True)
        return news

    async def guild_gone(self, guild_id: int) -> None:
        """The bot was removed from a guild: the games there stand still until it is back."""
        for table_id in await self._store.ids_in_guild(guild_id):
            try:
                await self.place_lost(table_id, "access")
            except (BrokenLog, Outrun):
                continue

    async def remember_board(self, table_id: int, channel_id: int, message_id: int, version: int, moment: int) -> None:
        """Remember the message that shows the table, and the `Table.version` and `Table.moment` it shows."""
        await self._store.set_quietly(
            table_id,
            board_channel_id=channel_id,
            board_message_id=message_id,
            shown_version=version,
            shown_number=moment,
        )

    async def forget_board(self, table_id: int) -> None:
        """Forget the message that shows the table: it is gone."""
        await self._store.set_quietly(
            table_id, board_channel_id=None, board_message_id=None, shown_version=None, shown_number=None
        )


def _need_mover(table: Table, person: Person) -> None:
    """Raise `WrongStatus` or `NotAtTable` unless this person may move the game."""
    need(table, *OPEN)
    if not person.moderator:
        seats.seat_of(table.people, person.id)
