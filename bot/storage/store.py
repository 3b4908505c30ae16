"""The one class that speaks SQL: reads rows, and changes a table in one transaction or not at all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import RowMapping, Select, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import Outrun
from bot.storage import schema
from bot.storage.connection import make_engine, migrate
from bot.storage.records import ActionRow, GameRow, NoteRow, SeatRow, Snapshot

_OPEN = schema.games.c.status.in_(("lobby", "playing", "paused"))
_SEAT = (schema.seats.c.seat, schema.seats.c.user_id, schema.seats.c.computer, schema.seats.c.name)
_ACTION = (
    schema.actions.c.number,
    schema.actions.c.seat,
    schema.actions.c.text,
    schema.actions.c.actor,
    schema.actions.c.at,
)
_NOTE = (
    schema.notes.c.number,
    schema.notes.c.kind,
    schema.notes.c.at,
    schema.notes.c.actor_id,
    schema.notes.c.seat,
    schema.notes.c.data,
)


class Change:
    """What one transaction does to one game; made by `Store.change` and `Store.create`."""

    def __init__(self, connection: AsyncConnection, game_id: int) -> None:
        self._connection = connection
        self.game_id = game_id

    async def set(self, **values: object) -> None:
        """Set columns of the game's row."""
        await self._connection.execute(update(schema.games).where(schema.games.c.id == self.game_id).values(**values))

    async def seat(self, people: Iterable[SeatRow]) -> None:
        """Make these the people at the table, instead of whoever sat there."""
        await self._connection.execute(delete(schema.seats).where(schema.seats.c.game_id == self.game_id))
        rows = [
            {
                "game_id": self.game_id,
                "seat": row.seat,
                "user_id": row.user_id,
                "computer": row.computer,
                "name": row.name,
            }
            for row in people
        ]
        if rows:
            await self._connection.execute(insert(schema.seats), rows)

    async def append(self, action: ActionRow) -> None:
        """Append an action to the log. Raises `Outrun` if the log has one of this number already."""
        try:
            await self._connection.execute(
                insert(schema.actions).values(
                    game_id=self.game_id,
                    number=action.number,
                    seat=action.seat,
                    text=action.text,
                    actor=action.actor,
                    at=action.at,
                )
            )
        except IntegrityError:
            # Neither the statement nor its values may reach a log: the text can be a secret gift.
            raise Outrun(self.game_id, action.number) from None

    async def note(self, note: NoteRow) -> None:
        """Write down something that is no action."""
        await self._connection.execute(
            insert(schema.notes).values(
                game_id=self.game_id,
                number=note.number,
                kind=note.kind,
                at=note.at,
                actor_id=note.actor_id,
                seat=note.seat,
                data=dict(note.data),
            )
        )


class Store:
    """The database, at a `DATABASE_URL`. Call `open` first and `close` last; raises `SettingsError` for a bad URL."""

    def __init__(self, url: str) -> None:
        self._engine: AsyncEngine = make_engine(url)
        self._writer: AsyncEngine = self._engine.execution_options(writes=True)

    async def open(self) -> None:
        """Bring the schema up to date; raises `DatabaseTooNew`."""
        await migrate(self._engine)

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()

    # Reading

    async def _rows(self, statement: Select[Any]) -> Sequence[RowMapping]:
        async with self._engine.connect() as connection:
            found: Sequence[RowMapping] = (await connection.execute(statement)).mappings().all()
            return found

    async def _games(self, statement: Select[Any]) -> tuple[GameRow, ...]:
        return tuple(GameRow(**row) for row in await self._rows(statement))

    async def game(self, game_id: int) -> GameRow | None:
        """The row of a game, or None."""
        found = await self._games(select(schema.games).where(schema.games.c.id == game_id))
        return found[0] if found else None

    async def snapshot(self, game_id: int, known: int | None = None) -> Snapshot | None:
        """A game, its people and its log as of one moment, or None; the log is left out at version `known`."""
        async with self._engine.connect() as connection:
            rows = await connection.execute(select(schema.games).where(schema.games.c.id == game_id))
            found = rows.mappings().first()
            if found is None:
                return None
            game = GameRow(**found)
            rows = await connection.execute(
                select(*_SEAT).where(schema.seats.c.game_id == game_id).order_by(schema.seats.c.seat)
            )
            seats = tuple(SeatRow(**row) for row in rows.mappings())
            if game.version == known:
                return Snapshot(game, seats, None)
            rows = await connection.execute(
                select(*_ACTION).where(schema.actions.c.game_id == game_id).order_by(schema.actions.c.number)
            )
            return Snapshot(game, seats, tuple(ActionRow(**row) for row in rows.mappings()))

    async def actions(self, game_id: int, after: int = 0) -> tuple[ActionRow, ...]:
        """The log of a game, from action `after` + 1 on."""
        rows = await self._rows(
            select(*_ACTION)
            .where(schema.actions.c.game_id == game_id, schema.actions.c.number > after)
            .order_by(schema.actions.c.number)
        )
        return tuple(ActionRow(**row) for row in rows)

    async def notes(self, game_id: int) -> tuple[NoteRow, ...]:
        """What else happened at a table, oldest first."""
        rows = await self._rows(select(*_NOTE).where(schema.notes.c.game_id == game_id).order_by(schema.notes.c.id))
        return tuple(NoteRow(**row) for row in rows)

    async def open_ids(self) -> tuple[int, ...]:
        """The ids of all open games, oldest first."""
        rows = await self._rows(select(schema.games.c.id).where(_OPEN).order_by(schema.games.c.id))
        return tuple(row["id"] for row in rows)

    async def open_codes(self, guild_id: int) -> frozenset[str]:
        """The codes of a guild's open games."""
        rows = await self._rows(select(schema.games.c.code).where(_OPEN, schema.games.c.guild_id == guild_id))
        return frozenset(row["code"] for row in rows)

    async def ids_in_channel(self, channel_id: int) -> tuple[int, ...]:
        """The ids of the open games of a channel, newest first."""
        rows = await self._rows(
            select(schema.games.c.id)
            .where(_OPEN, schema.games.c.channel_id == channel_id)
            .order_by(schema.games.c.id.desc())
        )
        return tuple(row["id"] for row in rows)

    async def ids_of_member(self, user_id: int) -> tuple[int, ...]:
        """The ids of the open games in which this member owns a seat, in any guild, newest first."""
        rows = await self._rows(
            select(schema.games.c.id)
            .join(schema.seats, schema.seats.c.game_id == schema.games.c.id)
            .where(_OPEN, schema.seats.c.user_id == user_id)
            .order_by(schema.games.c.id.desc())
        )
        return tuple(row["id"] for row in rows)

    async def id_by_code(self, guild_id: int, code: str) -> int | None:
        """The open game with this code in a guild, else the newest finished one, else None."""
        rows = await self._rows(
            select(schema.games.c.id)
            .where(schema.games.c.guild_id == guild_id, schema.games.c.code == code)
            .order_by(_OPEN.desc(), schema.games.c.id.desc())
            .limit(1)
        )
        return rows[0]["id"] if rows else None

    async def id_last_ended(self, channel_id: int) -> int | None:
        """The game of a channel that ended last (won or cancelled after its start), or None."""
        rows = await self._rows(
            select(schema.games.c.id)
            .where(
                schema.games.c.channel_id == channel_id,
                schema.games.c.ended_at.is_not(None),
                schema.games.c.started_at.is_not(None),
            )
            .order_by(schema.games.c.ended_at.desc(), schema.games.c.id.desc())
            .limit(1)
        )
        return rows[0]["id"] if rows else None

    # Writing

    @asynccontextmanager
    async def create(self, **values: object) -> AsyncIterator[Change]:
        """Insert a game at version 1 and go on changing it in the same transaction.

        Raises `Outrun` if the guild has an open game of this code.
        """
        async with self._writer.begin() as connection:
            try:
                result = await connection.execute(insert(schema.games).values(version=1, **values))
            except IntegrityError:
                raise Outrun(0) from None
            key = result.inserted_primary_key
            assert key is not None, "an insert of one row has a key"
            yield Change(connection, key[0])

    @asynccontextmanager
    async def change(self, game_id: int, version: int, at: int) -> AsyncIterator[Change]:
        """Change a game that is at `version`, in one transaction; afterwards it is at `version` + 1.

        Everything is undone if the block raises. Raises `Outrun` if the game is at another version (or gone).
        """
        async with self._writer.begin() as connection:
            raised = await connection.execute(
                update(schema.games)
                .where(schema.games.c.id == game_id, schema.games.c.version == version)
                .values(version=version + 1, changed_at=at)
            )
            if raised.rowcount != 1:
                raise Outrun(game_id)
            yield Change(connection, game_id)

    async def set_quietly(self, game_id: int, **values: object) -> None:
        """Set columns of a game's row that are no part of its state (the announcer's); the version stays."""
        async with self._writer.begin() as connection:
            await Change(connection, game_id).set(**values)

    # Preferences and memory

    async def recall(self, key: str) -> str | None:
        """What was remembered under this key, or None."""
        rows = await self._rows(select(schema.memory.c.value).where(schema.memory.c.key == key))
        return rows[0]["value"] if rows else None

    async def remember(self, key: str, value: str) -> None:
        """Remember a fact under a key, instead of what was there."""
        async with self._writer.begin() as connection:
            await connection.execute(delete(schema.memory).where(schema.memory.c.key == key))
            await connection.execute(insert(schema.memory).values(key=key, value=value))

    async def preferences(self, kind: str, key: int) -> Mapping[str, Any]:
        """The preferences row of a person (`players`) or a guild (`guilds`); empty if there is none."""
        table, column = _PREFERENCES[kind]
        rows = await self._rows(select(table).where(column == key))
        return dict(rows[0]) if rows else {}

    async def prefer(self, kind: str, key: int, **values: object) -> None:
        """Set preferences of a person or a guild."""
        table, column = _PREFERENCES[kind]
        async with self._writer.begin() as connection:
            changed = await connection.execute(update(table).where(column == key).values(**values))
            if changed.rowcount == 0:
                await connection.execute(insert(table).values({column.name: key, **values}))


_PREFERENCES = {
    "players": (schema.players, schema.players.c.user_id),
    "guilds": (schema.guilds, schema.guilds.c.guild_id),
}
