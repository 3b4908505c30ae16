"""Deadlines: the store's part for the scheduler. Nothing here loads a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import BigInteger, bindparam, case, delete, func, select, update

from bot.proposal import ProposalKind
from bot.shards import Shards
from bot.storage import schema
from bot.storage.database import Database, StorePart, replace_row
from bot.storage.games import AT_TABLE, in_shards, of_games_in
from bot.table import SeatClock, Stage

_deadlines = schema.deadlines.c

Advance = tuple[int, int, SeatClock, SeatClock]
"""A game, a seat, and its clock before and after: it should wait for another stage or moment."""


class DeadlineStore(StorePart):
    """Reads deadlines, and moves those that change nothing about their game."""

    def __init__(self, database: Database, shards: Shards) -> None:
        super().__init__(database)
        self._in_shards = in_shards(shards)
        self._of_games = of_games_in(shards, _deadlines.game_id)

    async def next_due(self) -> int | None:
        """Return the Unix second of the earliest deadline or end of an absence, or None."""
        first = select(_deadlines.due_at).where(_deadlines.due_at.is_not(None)).order_by(_deadlines.due_at).limit(1)
        if self._in_shards:
            first = first.join(schema.games, schema.games.c.id == _deadlines.game_id).where(*self._in_shards)
        back = select(func.min(schema.users.c.away_until))
        times = (*await self._database.column(first), *await self._database.column(back))
        return min((at for at in times if at is not None), default=None)

    async def games_due(self, now: int, limit: int | None = 100) -> tuple[int, ...]:
        """Return the games with something due, the longest overdue first."""
        return await self._database.column(
            select(_deadlines.game_id)
            .where(_deadlines.due_at <= now, *self._of_games)
            .group_by(_deadlines.game_id)
            .order_by(func.min(_deadlines.due_at), _deadlines.game_id)
            .limit(limit)
        )

    async def first_ends(self) -> dict[int, int]:
        """Return, by game of ours, the Unix second at which a player's time first ends or has ended."""
        rows = await self._database.rows(
            select(_deadlines.game_id, func.min(_deadlines.ends_at).label("at"))
            .where(_deadlines.ends_at.is_not(None), *self._of_games)
            .group_by(_deadlines.game_id)
        )
        return {row["game_id"]: row["at"] for row in rows}

    async def due(self, game_ids: Sequence[int], now: int) -> Mapping[int, tuple[str, Mapping[int, SeatClock]]]:
        """Return by game its pace and, by seat, the clocks that are due; games with none are missing."""
        clocks: dict[int, tuple[str, dict[int, SeatClock]]] = {}
        for row in map(dict, await self._database.rows(_DUE, of_games=tuple(game_ids), now=now)):
            game_id, seat, pace = row.pop("game_id"), row.pop("seat"), row.pop("pace")
            clocks.setdefault(game_id, (pace, {}))[1][seat] = SeatClock(**row)
        return clocks

    async def running(self) -> Sequence[tuple[int, int, str, SeatClock]]:
        """Return all clocks that run: game, seat, pace, clock."""
        clocks = []
        mine = (~AT_TABLE, _deadlines.since.is_not(None), _deadlines.due_at.is_not(None), *self._of_games)
        for row in map(dict, await self._database.rows(_WITH_PACE.where(*mine))):
            game_id, seat, pace = row.pop("game_id"), row.pop("seat"), row.pop("pace")
            clocks.append((game_id, seat, pace, SeatClock(**row)))
        return clocks

    async def last_change(self) -> int:
        """Return the Unix second of the last change of a game; 0 if there is none."""
        return int(await self._database.value(select(func.max(schema.games.c.changed_at)).where(*self._in_shards)) or 0)

    async def at_tables(self) -> Mapping[int, frozenset[Stage]]:
        """Return by game the stages due at the table rather than at a seat."""
        rows = await self._database.rows(
            select(_deadlines.game_id, _deadlines.stage).where(
                AT_TABLE, _deadlines.due_at.is_not(None), *self._of_games
            )
        )
        stages_of: dict[int, set[Stage]] = {}
        for row in rows:
            stages_of.setdefault(row["game_id"], set()).add(row["stage"])
        return {game_id: frozenset(stages) for game_id, stages in stages_of.items()}

    async def skip(
        self,
        key: str,
        begun: int,
        now: int,
        clocks: Sequence[tuple[int, int, SeatClock]],
        tables: Mapping[int, frozenset[Stage]],
    ) -> None:
        """Write clocks that have skipped the time from `begun` to `now`, and let what is due at these tables skip it.

        Note under `key` that it has been skipped up to now: all or nothing.
        """
        seconds = now - begun
        async with self._database.writing() as connection:
            if tables:
                rows = [{"this": game_id, "seconds": seconds, "now": now} for game_id in tables]
                for move in _MOVE:
                    await connection.execute(move, rows)
            if notices := [game_id for game_id, stages in tables.items() if Stage.NOTICE in stages]:
                moved = [{"this": game_id, "seconds": seconds} for game_id in notices]
                await connection.execute(_MOVE_NOTICE, moved)
            if clocks:
                rows = [
                    {"of_game": game_id, "of_seat": seat, **{name: getattr(clock, name) for name in _SKIPPED}}
                    for game_id, seat, clock in clocks
                ]
                await connection.execute(_SKIP, rows)
            for statement in replace_row(schema.facts, key=key, value=str(now)):
                await connection.execute(statement)

    async def advance(self, moves: Sequence[Advance]) -> bool:
        """Let clocks wait for something else, all or none; False if any clock has changed meanwhile."""
        async with self._database.writing() as connection:
            moved = await connection.execute(_ADVANCE, [_advance(move) for move in moves])
            if moved.rowcount != len(moves):
                await connection.rollback()
            return bool(moved.rowcount == len(moves))

    async def ids_started_after(self, moment: int) -> tuple[int, ...]:
        """Return the games with a clock that claims to have been started after this moment."""
        return await self._database.column(
            select(_deadlines.game_id)
            .where(_deadlines.since > moment, _deadlines.due_at.is_not(None), *self._of_games)
            .distinct()
        )

    async def drop(self, game_id: int, seat: int) -> None:
        """Forget what was due at a game; its version stays."""
        over = delete(schema.deadlines).where(_deadlines.game_id == game_id, _deadlines.seat == seat)
        await self._database.write(over)

    async def postpone(self, game_id: int, now: int, until: int) -> None:
        """Postpone everything that is due at a game which cannot be dealt with now."""
        over = update(schema.deadlines).where(_deadlines.game_id == game_id, _deadlines.due_at <= now)
        await self._database.write(over.values(due_at=until))


_WITH_PACE = select(schema.deadlines, schema.games.c.pace).join(schema.games, schema.games.c.id == _deadlines.game_id)
_SKIPPED = ("since", "spent", "due_at", "ends_at")
_SKIP = update(schema.deadlines).where(
    _deadlines.game_id == bindparam("of_game"), _deadlines.seat == bindparam("of_seat")
)
_TIMES = ("full_since", "starts_at", "not_before", "expires_at", "paused_until")
_seconds = bindparam("seconds", type_=BigInteger)
_seen = func.coalesce(schema.games.c.host_seen, schema.games.c.created_at) + _seconds
_now = bindparam("now", type_=BigInteger)
_MOVE = (
    update(schema.games)
    .where(schema.games.c.id == bindparam("this"))
    .values(
        # A sign of the host may have been noted by another process meanwhile.
        host_seen=case((_seen > _now, _now), else_=_seen),
        **{name: schema.games.c[name] + _seconds for name in _TIMES},
    ),
    update(schema.deadlines)
    .where(_deadlines.game_id == bindparam("this"), AT_TABLE)
    .values(due_at=_deadlines.due_at + _seconds, ends_at=_deadlines.ends_at + _seconds),
)
_MOVE_NOTICE = (
    update(schema.proposals)
    .where(schema.proposals.c.game_id == bindparam("this"), schema.proposals.c.kind == ProposalKind.OFFER)
    .values(at=schema.proposals.c.at + _seconds)
)
"""Statements that move all that is due at a table, and what it follows from (`bot.clocks.deadlines_of`)."""
_DUE = _WITH_PACE.where(
    _deadlines.game_id.in_(bindparam("of_games", expanding=True)),
    _deadlines.due_at <= bindparam("now"),
).order_by(_deadlines.seat)
_ADVANCE = update(schema.deadlines).where(
    _deadlines.game_id == bindparam("of_game"),
    _deadlines.seat == bindparam("of_seat"),
    _deadlines.decision == bindparam("was_decision"),
    _deadlines.stage == bindparam("was_stage"),
    _deadlines.due_at == bindparam("was_due_at"),
)
"""Statements that every reminder uses; built once, since building and keying them costs more than running them."""


def _advance(move: Advance) -> dict[str, object]:
    game_id, seat, before, after = move
    return {
        "of_game": game_id,
        "of_seat": seat,
        "was_decision": before.decision,
        "was_stage": before.stage,
        "was_due_at": before.due_at,
        "stage": after.stage,
        "due_at": after.due_at or 0,
    }
