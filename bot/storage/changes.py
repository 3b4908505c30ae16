"""What one transaction does to one game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import Conflict
from bot.storage import schema
from bot.storage.faults import violated
from bot.storage.records import ActionRow, DeadlineRow, LogRow, NoteRow, ProposalRow, SeatRow

OPEN = schema.games.c.status.in_(("lobby", "playing", "paused"))


class Change:
    """What one transaction does to one game; made by `GameStore.change` and `GameStore.create`."""

    def __init__(self, connection: AsyncConnection, game_id: int) -> None:
        self._connection = connection
        self.game_id = game_id

    async def set(self, **values: object) -> None:
        """Set columns of the game's row."""
        await self._connection.execute(_SET, {"this": self.game_id, **values})

    async def uncall(self, seats: Iterable[int]) -> None:
        """Note that the people on these seats have not been called."""
        games = schema.games
        row = (await self._connection.execute(select(games.c.called).where(games.c.id == self.game_id))).scalar_one()
        gone = {str(seat) for seat in seats}
        await self.set(called={seat: decision for seat, decision in row.items() if seat not in gone})

    async def seat(self, people: Iterable[SeatRow]) -> None:
        """Make these the people at the table, in place of those who sat there."""
        await self._connection.execute(delete(schema.seats).where(schema.seats.c.game_id == self.game_id))
        rows = [{"game_id": self.game_id, **asdict(row)} for row in people]
        if rows:
            await self._connection.execute(insert(schema.seats), rows)

    async def append(self, action: ActionRow) -> None:
        """Append an action to the log. Raises `Conflict` if the log already has one with this number."""
        try:
            await self._connection.execute(_APPEND, {"game_id": self.game_id, **asdict(action)})
        except IntegrityError as problem:
            if violated(problem) not in ("pk_actions", "actions.game_id, actions.number"):
                raise
            # Neither the statement nor its values may reach a log: the text can be a secret gift.
            raise Conflict(self.game_id, action.number) from None

    async def cut(self, number: int) -> None:
        """Remove the actions from `number` on from the log."""
        await self._connection.execute(
            delete(schema.actions).where(schema.actions.c.game_id == self.game_id, schema.actions.c.number >= number)
        )

    async def note(self, *notes: NoteRow) -> None:
        """Write down things that are not actions, in this order."""
        rows = [{"game_id": self.game_id, **asdict(note), "data": dict(note.data)} for note in notes]
        if rows:
            await self._connection.execute(_NOTE, rows)

    async def set_deadlines(self, deadlines: Iterable[DeadlineRow], before: Iterable[DeadlineRow] = ()) -> None:
        """Make these the game's deadlines, in place of those it had `before`; unchanged ones are not touched.

        When a turn passes on, one row changes hands, so it is one statement.
        """
        old = {row.seat: row for row in before}
        new = {row.seat: row for row in deadlines}
        gone = [seat for seat in old if seat not in new]
        come = [row for seat, row in new.items() if seat not in old]
        moved = [(seat, row) for seat, row in new.items() if seat in old and row != old[seat]]
        moved += zip(gone, come, strict=False)
        if moved:
            rows = [{"this": self.game_id, "whose": seat, **asdict(row)} for seat, row in moved]
            await self._connection.execute(_MOVE_DEADLINE, rows)
        if spare := gone[len(come) :]:
            mine = schema.deadlines.c.game_id == self.game_id
            await self._connection.execute(delete(schema.deadlines).where(mine, schema.deadlines.c.seat.in_(spare)))
        if added := come[len(gone) :]:
            rows = [{"game_id": self.game_id, **asdict(row)} for row in added]
            await self._connection.execute(_ADD_DEADLINE, rows)

    async def propose(self, proposals: Iterable[ProposalRow]) -> None:
        """Make these the game's proposals, in place of those it had."""
        await self._connection.execute(delete(schema.proposals).where(schema.proposals.c.game_id == self.game_id))
        rows = [{"game_id": self.game_id, **asdict(row)} for row in proposals]
        if rows:
            await self._connection.execute(insert(schema.proposals), rows)

    async def log(self, entry: LogRow) -> None:
        """Write a line to the guild's log."""
        await self._connection.execute(insert(schema.guild_log).values(**{**asdict(entry), "data": dict(entry.data)}))

    async def tell(self, channel: str) -> None:
        """Announce, once this is committed, that the game has changed, to the process that listens under this name."""
        await self._connection.execute(select(func.pg_notify(channel, str(self.game_id))))

    async def open_in_channel(self, channel_id: int) -> int:
        """How many games are open in a channel and its threads, not counting this one."""
        games = schema.games.c
        place = (games.channel_id == channel_id) | (games.parent_id == channel_id)
        return await self._count(select(func.count()).where(OPEN, place, games.id != self.game_id))

    async def open_of_member(self, guild_id: int, user_id: int) -> int:
        """In how many open games of a guild this member owns a seat or is the host, not counting this one."""
        games, seats = schema.games.c, schema.seats.c
        seated = select(seats.game_id).where(seats.user_id == user_id)
        mine = (games.guild_id == guild_id) & ((games.host_id == user_id) | games.id.in_(seated))
        return await self._count(select(func.count()).where(OPEN, mine, games.id != self.game_id))

    async def _keep_others_out(self) -> None:
        """Keep other changes of this guild from counting its games until this one is committed.

        On SQLite there is one writer at a time; elsewhere, two that count at once would both get the last place.
        """
        if self._connection.dialect.name == "postgresql":
            guild = select(schema.games.c.guild_id).where(schema.games.c.id == self.game_id).scalar_subquery()
            await self._connection.execute(select(func.pg_advisory_xact_lock(guild)))

    async def _count(self, statement: object) -> int:
        await self._keep_others_out()
        return int((await self._connection.execute(statement)).scalar_one())  # type: ignore[call-overload]


_SET = update(schema.games).where(schema.games.c.id == bindparam("this"))
_APPEND = insert(schema.actions)
_NOTE = insert(schema.notes)
_ADD_DEADLINE = insert(schema.deadlines)
_MOVE_DEADLINE = update(schema.deadlines).where(
    schema.deadlines.c.game_id == bindparam("this"), schema.deadlines.c.seat == bindparam("whose")
)
"""Statements that every action uses; built once, since building and keying them costs more than running them."""
