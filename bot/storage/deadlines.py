"""When something is due: the store's part for the scheduler. Nothing here loads a game."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import bindparam, func, select, update

from bot.shards import Shards
from bot.storage import schema
from bot.storage.database import Database
from bot.storage.games import in_shards, of_games_in
from bot.storage.records import DeadlineRow

_DEADLINE = tuple(column for column in schema.deadlines.c if column.name != "game_id")


@dataclass(frozen=True, slots=True)
class Advance:
    """A clock of a game that should wait for another stage or moment, with its previous row."""

    game_id: int
    before: DeadlineRow
    stage: str
    due_at: int


class _NotAll(Exception):
    """Not all clocks were as expected, so none is changed."""


class DeadlineStore:
    """Reads deadlines, and moves those that change nothing about their game."""

    def __init__(self, database: Database, shards: Shards) -> None:
        self._database = database
        self._in_shards = in_shards(shards)
        self._of_games = of_games_in(shards, schema.deadlines.c.game_id)

    async def next_due(self) -> int | None:
        """The Unix second of the earliest deadline or end of an absence, or None."""
        due = schema.deadlines
        first = select(due.c.due_at.label("at")).where(due.c.due_at.is_not(None)).order_by(due.c.due_at).limit(1)
        if self._in_shards:
            first = first.join(schema.games, schema.games.c.id == due.c.game_id).where(*self._in_shards)
        back = select(func.min(schema.players.c.away_until).label("at"))
        found = [
            row["at"]
            for row in (*await self._database.rows(first), *await self._database.rows(back))
            if row["at"] is not None
        ]
        return min(found, default=None)

    async def games_due(self, now: int, limit: int | None = 100) -> tuple[int, ...]:
        """The games with something due, the longest overdue first."""
        due = schema.deadlines.c
        rows = await self._database.rows(
            select(due.game_id)
            .where(due.due_at <= now, *self._of_games)
            .group_by(due.game_id)
            .order_by(func.min(due.due_at), due.game_id)
            .limit(limit)
        )
        return tuple(row["game_id"] for row in rows)

    async def ends(self) -> dict[int, int]:
        """The Unix second at which somebody's time first ends, or has ended, in each of our games where it does."""
        due = schema.deadlines.c
        rows = await self._database.rows(
            select(due.game_id, func.min(due.ends_at).label("at"))
            .where(due.ends_at.is_not(None), *self._of_games)
            .group_by(due.game_id)
        )
        return {row["game_id"]: row["at"] for row in rows}

    async def due(self, game_id: int, now: int) -> tuple[DeadlineRow, ...]:
        """What is due at a game, by seat."""
        rows = await self._database.rows(_DUE, of_game=game_id, now=now)
        return tuple(DeadlineRow(**row) for row in rows)

    async def due_at_many(self, game_ids: Sequence[int], now: int) -> dict[int, list[DeadlineRow]]:
        """What is due at each of these games, by seat."""
        due = schema.deadlines.c
        rows = await self._database.rows(
            select(schema.deadlines).where(due.game_id.in_(tuple(game_ids)), due.due_at <= now).order_by(due.seat)
        )
        found: dict[int, list[DeadlineRow]] = {}
        for row in rows:
            values = dict(row)
            found.setdefault(values.pop("game_id"), []).append(DeadlineRow(**values))
        return found

    async def advance_all(self, moves: Sequence[Advance]) -> bool:
        """Let many clocks wait for something else, all or none; False if one of them is no longer as it was."""
        with suppress(_NotAll):
            async with self._database.writing() as connection:
                moved = await connection.execute(_ADVANCE, [_advance(move) for move in moves])
                if moved.rowcount != len(moves):
                    raise _NotAll
            return True
        return False

    async def running_since_after(self, moment: int) -> tuple[int, ...]:
        """The games with a clock that claims to have been started after this moment."""
        due = schema.deadlines.c
        rows = await self._database.rows(
            select(due.game_id).where(due.since > moment, due.due_at.is_not(None), *self._of_games).distinct()
        )
        return tuple(row["game_id"] for row in rows)

    async def advance(self, game_id: int, before: DeadlineRow, stage: str, due_at: int) -> bool:
        """Let a clock wait for another stage or moment; False if it is no longer as `before`."""
        row = _advance(Advance(game_id, before, stage, due_at))
        async with self._database.writing() as connection:
            moved = await connection.execute(_ADVANCE, row)
            return moved.rowcount == 1

    async def postpone(self, game_id: int, now: int, until: int) -> None:
        """Postpone everything that is due at a game which cannot be dealt with now."""
        due = schema.deadlines.c
        async with self._database.writing() as connection:
            await connection.execute(
                update(schema.deadlines).where(due.game_id == game_id, due.due_at <= now).values(due_at=until)
            )


_OF_GAME = schema.deadlines.c.game_id == bindparam("of_game")
_DUE = (
    select(*_DEADLINE).where(_OF_GAME, schema.deadlines.c.due_at <= bindparam("now")).order_by(schema.deadlines.c.seat)
)
_ADVANCE = update(schema.deadlines).where(
    _OF_GAME,
    schema.deadlines.c.seat == bindparam("of_seat"),
    schema.deadlines.c.decision == bindparam("was_decision"),
    schema.deadlines.c.stage == bindparam("was_stage"),
    schema.deadlines.c.due_at == bindparam("was_due_at"),
)
"""Statements that every reminder uses; built once, since building and keying them costs more than running them."""


def _advance(move: Advance) -> dict[str, object]:
    return {
        "of_game": move.game_id,
        "of_seat": move.before.seat,
        "was_decision": move.before.decision,
        "was_stage": move.before.stage,
        "was_due_at": move.before.due_at,
        "stage": move.stage,
        "due_at": move.due_at,
    }
