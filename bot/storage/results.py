"""Results of seats, and ratings: written once per finished game and read for statistics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from itertools import groupby
from typing import Any

from sqlalchemy import Integer, Select, and_, bindparam, cast, delete, exists, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.results import ALL_SYSTEMS, EVERYWHERE, PROVISIONAL, Count, RankedLine, RatedGame, Rating, Result, Season
from bot.storage import schema
from bot.storage.database import StorePart
from bot.storage.members import is_member, off_lists
from bot.table import NoteKind

_games, _users, _notes = schema.games.c, schema.users.c, schema.notes.c
_results, _ratings, _seasons = schema.results.c, schema.ratings.c, schema.seasons.c

Rate = Callable[[Sequence[Result], Mapping[int, Rating], int, str], Sequence[Rating]]
"""The ratings after a game, given its results, by user the ratings before, and the guild and system they are for."""

_RATING_AT_A_TIME = 0x646F67
"""The lock under which a shared database is rated."""


class ResultStore(StorePart):
    """Writes results and ratings, and finds what statistics need."""

    async def record(self, results: Sequence[Result], rate: Rate) -> None:
        """Write the results and ratings of a game, all or nothing; a game that is written already is left alone."""
        game_id = results[0].game_id
        async with self._database.writing() as connection:
            if connection.dialect.name == "postgresql":
                await connection.execute(select(func.pg_advisory_xact_lock(_RATING_AT_A_TIME)))
            if (await connection.execute(_IS_WRITTEN, {"this": game_id})).first() is not None:
                return
            await connection.execute(_WRITE_RESULTS, [asdict(result) for result in results])
            if any(result.rated for result in results):
                await _rate(connection, results, rate)

    async def erase(self) -> None:
        """Erase everything that `record` has written."""
        await self._database.write(delete(schema.ratings), delete(schema.results))

    async def games_over(self) -> tuple[int, ...]:
        """Return the games that were played to their end, in the order in which they ended."""
        return await self._database.column(
            select(_games.id).where(_games.status == "over").order_by(_games.ended_at, _games.id)
        )

    async def of_game(self, game_id: int) -> tuple[Sequence[Result], Mapping[int, Rating]]:
        """Return the results of a game's seats and, by user, the ratings in its guild."""
        results = [Result(*row.values()) for row in await self._database.rows(_OF_GAME, this=game_id)]
        if not any(result.rated for result in results):
            return results, {}
        rows = await self._database.rows(
            select(schema.ratings).where(
                _ratings.game_id == game_id,
                _ratings.guild_id == results[0].guild_id,
                _ratings.system == ALL_SYSTEMS,
                is_listed(_ratings.user_id),
            )
        )
        return results, {row["user_id"]: Rating(**row) for row in rows}

    async def of_member(self, user_id: int, guild_id: int, system: str) -> Sequence[Result]:
        """Return a user's results, the newest last; `guild_id` and `system` may be `EVERYWHERE` and `ALL_SYSTEMS`."""
        rows = await self._database.rows(
            _RESULTS.where(_results.user_id == user_id, *_within(schema.results, guild_id, system)).order_by(
                _results.ended_at, _results.game_id
            )
        )
        return [Result(*row.values()) for row in rows]

    async def partners(self, user_id: int, guild_id: int, system: str, most: int) -> Mapping[int, Count]:
        """Return the partners with whom a user has won most, in the same team."""
        mine, other = schema.results, schema.results.alias()
        wins = func.count()
        rows = await self._database.rows(
            select(other.c.user_id, wins.label("wins"))
            .join(mine, and_(mine.c.game_id == other.c.game_id, mine.c.team == other.c.team))
            .where(
                mine.c.user_id == user_id,
                *_within(mine, guild_id, system),
                other.c.user_id != user_id,
                is_listed(other.c.user_id),
                mine.c.won,
                ~mine.c.left_early,
                ~other.c.left_early,
            )
            .group_by(other.c.user_id)
            .order_by(wins.desc(), other.c.user_id)
            .limit(most)
        )
        return {row["user_id"]: Count(row["wins"], row["wins"]) for row in rows}

    async def ratings(self, user_id: int, guild_id: int, system: str, most: int) -> Sequence[Rating]:
        """Return a user's newest ratings, the newest last."""
        rows = await self._database.rows(
            select(schema.ratings)
            .where(_ratings.guild_id == guild_id, _ratings.system == system, _ratings.user_id == user_id)
            # The sum keeps SQLite from going through all users' ratings in the order of time.
            .order_by((_ratings.at + 0).desc(), _ratings.game_id.desc())
            .limit(most)
        )
        return [Rating(**row) for row in reversed(rows)]

    async def ranked(
        self, guild_id: int, system: str, since: int | None, until: int | None, most: int
    ) -> Sequence[RankedLine]:
        """Return the best of a guild by rating, the provisional last; or by their gain `since` a moment, and until one.

        People who have left the guild, and those whom a moderator took off, are left out.
        """
        listed = is_listed(_ratings.user_id), _ratings.user_id.not_in(off_lists(guild_id))
        here = (_ratings.guild_id == guild_id, _ratings.system == system, *listed)
        if since is None:
            best: Select[Any] = (
                select(_ratings.user_id, _ratings.mu.label("points"), _ratings.sigma, _ratings.games, _ratings.wins)
                .where(*here, schema.IS_NEWEST)
                .order_by(_ratings.games < PROVISIONAL, _ratings.mu.desc(), _ratings.user_id)
            )
        else:
            points = func.sum(_ratings.gain)
            best = (
                select(
                    _ratings.user_id,
                    points.label("points"),
                    func.min(_ratings.sigma).label("sigma"),
                    func.count().label("games"),
                    func.sum(cast(_ratings.won, Integer)).label("wins"),
                )
                .where(*here, _ratings.at >= since, *([] if until is None else [_ratings.at < until]))
                .group_by(_ratings.user_id)
                .order_by(points.desc(), _ratings.user_id)
            )
        rows = await self._database.rows(best.limit(most))
        names = await self.names(guild_id, [row["user_id"] for row in rows])
        return [
            RankedLine(
                user_id := row["user_id"],
                names.get(user_id, ""),
                row["points"],
                row["sigma"],
                Count(row["games"], row["wins"]),
                since is None and row["games"] < PROVISIONAL,
            )
            for row in rows
        ]

    async def rated_among(self, cup_id: int, guild_id: int, system: str, since: int, until: int) -> Sequence[RatedGame]:
        """Return a guild's rated games that ended since a moment, until one, with no one who never entered a cup.

        In the order in which they ended.
        """
        mine = (_ratings.guild_id == guild_id, _ratings.system == system)
        games = select(_ratings.game_id).where(*mine, _ratings.at >= since, _ratings.at < until)
        entered = select(schema.cup_entries.c.user_id).where(schema.cup_entries.c.cup_id == cup_id)
        resigned = exists().where(_notes.game_id == _results.game_id, _notes.kind == NoteKind.RESIGNED)
        rows = await self._database.rows(
            _RESULTS.add_columns(_games.started_at, resigned.label("resigned"))
            .join(schema.games, _games.id == _results.game_id)
            .where(_results.game_id.in_(games), _results.user_id.in_(entered))
            .order_by(_results.ended_at, _results.game_id, _results.seat)
        )
        rated = []
        for game_id, seats in groupby(rows, lambda row: row["game_id"]):
            *_, last = several = [[*row.values()] for row in seats]
            if len(several) == several[0][_PLAYERS]:
                results = tuple(Result(*values[:-2]) for values in several)
                rated.append(RatedGame(game_id, last[-2] or 0, results, bool(last[-1])))
        return rated

    async def seasons(self, guild_id: int) -> Sequence[Season]:
        """Return the seasons of a guild's leaderboard, the newest last."""
        rows = await self._database.rows(
            select(*(schema.seasons.c[field.name] for field in fields(Season)))
            .where(_seasons.guild_id == guild_id)
            .order_by(_seasons.number)
        )
        return [Season(**row) for row in rows]

    async def begin_season(self, guild_id: int, at: int, reason: str) -> None:
        """End the season that goes on, and begin the next."""
        async with self._database.writing() as connection:
            await connection.execute(_END_SEASON, {"of_guild": guild_id, "at": at, "why": ""})
            newest = select(func.max(_seasons.number)).where(_seasons.guild_id == guild_id)
            number = 1 + ((await connection.execute(newest)).scalar() or 0)
            values = {"guild_id": guild_id, "number": number, "began_at": at, "reason": reason}
            await connection.execute(insert(schema.seasons).values(**values))

    async def end_season(self, guild_id: int, at: int, reason: str) -> bool:
        """End the season that goes on; False if there is none."""
        values = {"of_guild": guild_id, "at": at, "why": reason}
        async with self._database.writing() as connection:
            return bool((await connection.execute(_END_SEASON, values)).rowcount)

    async def names(self, guild_id: int, user_ids: Sequence[int]) -> Mapping[int, str]:
        """Return the names of these people in a guild, or in that of their last finished game (`EVERYWHERE`)."""
        last = (
            select(_results.user_id, func.max(_results.game_id).label("game_id"))
            .where(_results.user_id.in_(user_ids), *_within(schema.results, guild_id, ALL_SYSTEMS))
            .group_by(_results.user_id)
            .subquery()
        )
        rows = await self._database.rows(
            select(last.c.user_id, schema.members.c.name)
            .join(schema.games, _games.id == last.c.game_id)
            .join(schema.members, is_member(_games.guild_id, last.c.user_id))
        )
        return {row["user_id"]: row["name"] for row in rows}


async def _rate(connection: AsyncConnection, results: Sequence[Result], rate: Rate) -> None:
    """Write the ratings after a game. If later games are rated already, they are rated again after it."""
    first = results[0]
    users = [result.user_id for result in results if result.user_id is not None]
    known: dict[tuple[int, str], dict[int, Rating]] = {
        (guild_id, system): {} for guild_id in (first.guild_id, EVERYWHERE) for system in (first.system, ALL_SYSTEMS)
    }
    pools = {"guilds": [first.guild_id, EVERYWHERE], "systems": [first.system, ALL_SYSTEMS], "users": users}
    for row in (await connection.execute(_NEWEST, pools)).mappings():
        known[row["guild_id"], row["system"]][row["user_id"]] = Rating(**row)
    moment = (first.ended_at, first.game_id)
    if any((rating.at, rating.game_id) > moment for pool in known.values() for rating in pool.values()):
        for later in [first.game_id, *await _unrate_after(connection, *moment)]:
            rows = (await connection.execute(_OF_GAME, {"this": later})).mappings()
            await _rate(connection, [Result(*row.values()) for row in rows], rate)
        return
    new = [rating for pool_of, pool in known.items() for rating in rate(results, pool, *pool_of)]
    if past := [rating for pool in known.values() for rating in pool.values()]:
        await connection.execute(_IS_PAST, [_key(rating) for rating in past])
    await connection.execute(_WRITE_RATINGS, [asdict(rating) for rating in new])


async def _unrate_after(connection: AsyncConnection, at: int, game_id: int) -> Sequence[int]:
    """Take back the ratings of games after a moment; returns those games, the earliest first."""
    gone = or_(_ratings.at > at, and_(_ratings.at == at, _ratings.game_id > game_id))
    users = (await connection.execute(select(_ratings.user_id).where(gone).distinct())).scalars().all()
    await connection.execute(delete(schema.ratings).where(gone))
    await renew(connection, _ratings.user_id.in_(users))
    later = or_(_results.ended_at > at, and_(_results.ended_at == at, _results.game_id > game_id))
    result = await connection.execute(
        select(_results.game_id)
        .where(_results.rated, later)
        .group_by(_results.ended_at, _results.game_id)
        .order_by(_results.ended_at, _results.game_id)
    )
    return result.scalars().all()


async def renew(connection: AsyncConnection, whose: Any) -> None:
    """Where the newest rating is gone, mark the rating before as the newest; `whose`: a condition on `ratings`."""
    other = schema.ratings.alias()
    same = and_(
        other.c.guild_id == _ratings.guild_id, other.c.system == _ratings.system, other.c.user_id == _ratings.user_id
    )
    after = or_(other.c.at > _ratings.at, and_(other.c.at == _ratings.at, other.c.game_id > _ratings.game_id))
    await connection.execute(
        update(schema.ratings).where(whose, ~_ratings.newest, ~exists().where(same, after)).values(newest=True)
    )


def _key(rating: Rating) -> dict[str, object]:
    return {f"of_{name}": getattr(rating, name) for name in ("guild_id", "system", "user_id", "game_id")}


def is_listed(user_id: Any) -> Any:
    """Return the condition that a user appears in statistics: not left out, and not forgotten (a negative id)."""
    # Written so that no index is searched for it: those for a guild and a system find far fewer rows.
    return and_(0 - user_id < 0, user_id.not_in(select(_users.user_id).where(_users.unlisted)))


def _within(table: Any, guild_id: int, system: str) -> list[Any]:
    """Return the conditions for rows of a guild and a rule system, or all of them."""
    conditions = [table.c.guild_id == guild_id] if guild_id != EVERYWHERE else []
    return [*conditions, table.c.system == system] if system != ALL_SYSTEMS else conditions


_END_SEASON = (
    update(schema.seasons)
    .where(_seasons.guild_id == bindparam("of_guild"), _seasons.ended_at.is_(None))
    .values(ended_at=bindparam("at"), end_reason=bindparam("why"))
)
_IS_WRITTEN = select(_results.game_id).where(_results.game_id == bindparam("this")).limit(1)
_RESULTS: Select[Any] = select(*(schema.results.c[field.name] for field in fields(Result)))
"""The columns in the order of `Result`: by their places, a thousand are made in two thirds of the time."""
_PLAYERS = [field.name for field in fields(Result)].index("players")
_OF_GAME = _RESULTS.where(_results.game_id == bindparam("this")).order_by(_results.seat)
_WRITE_RESULTS = insert(schema.results)
_NEWEST = select(schema.ratings).where(
    _ratings.guild_id.in_(bindparam("guilds", expanding=True)),
    _ratings.system.in_(bindparam("systems", expanding=True)),
    _ratings.user_id.in_(bindparam("users", expanding=True)),
    schema.IS_NEWEST,
)
_IS_PAST = (
    update(schema.ratings)
    .where(
        _ratings.guild_id == bindparam("of_guild_id"),
        _ratings.system == bindparam("of_system"),
        _ratings.user_id == bindparam("of_user_id"),
        _ratings.game_id == bindparam("of_game_id"),
    )
    .values(newest=False)
)
_WRITE_RATINGS = insert(schema.ratings)
"""Statements at the end of every game; built once, since building and keying them costs more than running them."""
