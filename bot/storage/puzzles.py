"""Tries and posts of the daily puzzles: the store's part for puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, delete, insert, select, update

from bot.shards import Shards
from bot.storage import schema
from bot.storage.database import Database, StorePart
from bot.storage.members import is_member, meet, newest, off_lists
from bot.storage.results import is_listed

_tries, _posts, _guilds = schema.puzzle_tries.c, schema.puzzle_posts.c, schema.guilds.c


def _refused_elsewhere(channel_id: ColumnElement[int | None] | int) -> ColumnElement[bool]:
    """Return the condition that the last post was refused, and in another channel than this one."""
    return (_posts.message_id == 0) & (_posts.channel_id != channel_id)


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """A person's result in the puzzle of a day."""

    user_id: int
    name: str
    tries: int
    solved: bool


@dataclass(frozen=True, slots=True)
class PuzzlePost:
    """A puzzle in a guild's channel; `message_id` None: it may be there or not, 0: it could not be posted."""

    guild_id: int
    day: int
    channel_id: int
    nonce: str
    at: int
    message_id: int | None = None


class PuzzleStore(StorePart):
    """Reads and writes tries and posts."""

    def __init__(self, database: Database, shards: Shards) -> None:
        super().__init__(database)
        self._shards = shards

    async def tried(self, day: int, guild_id: int, user_id: int, name: str, *, solved: bool) -> PuzzleResult:
        """Count a try at the puzzle of a day; once it is solved nothing changes any more. Returns the result so far."""
        theirs = (_tries.day == day) & (_tries.user_id == user_id)
        async with self._database.writing() as connection:
            await connection.execute(
                update(schema.puzzle_tries)
                .where(theirs, ~_tries.solved)
                .values(tries=_tries.tries + 1, solved=solved, name=name)
            )
            await meet(connection, guild_id, {user_id: name})
            row = (await connection.execute(select(_tries.tries, _tries.solved).where(theirs))).first()
            if row is None:
                new = {"day": day, "user_id": user_id, "guild_id": guild_id, "name": name}
                await connection.execute(insert(schema.puzzle_tries).values(**new, tries=1, solved=solved))
                return PuzzleResult(user_id, name, 1, solved)
            return PuzzleResult(user_id, name, row.tries, row.solved)

    async def tries(self, day: int, user_id: int) -> int:
        """Return how often a person has tried the puzzle of a day."""
        return sum(
            await self._database.column(select(_tries.tries).where(_tries.day == day, _tries.user_id == user_id))
        )

    async def solvers(self, day: int, guild_id: int) -> tuple[PuzzleResult, ...]:
        """Return the members of a guild who have solved the puzzle of a day, the fewest tries first.

        Those who want to be left out of statistics are not named.
        """
        rows = await self._database.rows(
            select(_tries.user_id, newest(_tries.name).label("name"), _tries.tries, _tries.solved)
            .outerjoin(schema.members, is_member(_tries.guild_id, _tries.user_id))
            .where(_tries.guild_id == guild_id, _tries.day == day, _tries.solved)
            .where(is_listed(_tries.user_id), _tries.user_id.not_in(off_lists(guild_id)))
            .order_by(_tries.tries, _tries.name)
        )
        return tuple(PuzzleResult(**row) for row in rows)

    async def days_solved(self, user_id: int, most: int) -> tuple[int, ...]:
        """Return the last days whose puzzle a person has solved, newest first."""
        return await self._database.column(
            select(_tries.day).where(_tries.user_id == user_id, _tries.solved).order_by(_tries.day.desc()).limit(most)
        )

    async def unposted(self, day: int) -> Sequence[tuple[int, int]]:
        """Return the guilds we serve that want the puzzle of a day and may not have it, with their channels.

        A puzzle that could not be posted is wanted in another channel.
        """
        rows = await self._database.rows(
            select(_guilds.guild_id, _guilds.puzzle_in)
            .outerjoin_from(schema.guilds, schema.puzzle_posts, _posts.guild_id == _guilds.guild_id)
            .where(_guilds.puzzle_in.is_not(None))
            .where(_posts.message_id.is_(None) | (_posts.day < day) | _refused_elsewhere(_guilds.puzzle_in))
            .order_by(_guilds.guild_id)
        )
        return [(row["guild_id"], row["puzzle_in"]) for row in rows if self._shards.serves(row["guild_id"])]

    async def refused(self, day: int) -> Sequence[tuple[int, int]]:
        """Return the guilds we serve whose puzzle of a day was refused, with the channels where it is wanted."""
        rows = await self._database.rows(
            select(_posts.guild_id, _posts.channel_id)
            .join_from(schema.puzzle_posts, schema.guilds, _posts.guild_id == _guilds.guild_id)
            .where(_posts.day == day, _posts.message_id == 0, _posts.channel_id == _guilds.puzzle_in)
        )
        return [(row["guild_id"], row["channel_id"]) for row in rows if self._shards.serves(row["guild_id"])]

    async def forget_refusal(self, guild_id: int) -> None:
        """Forget that a guild's puzzle could not be posted, so that it is wanted again."""
        await self._database.write(
            delete(schema.puzzle_posts).where(_posts.guild_id == guild_id, _posts.message_id == 0)
        )

    async def claim(self, post: PuzzlePost) -> PuzzlePost | None:
        """Note a post before it is sent; returns the post noted before for that day, if any; None if it is there."""
        values = {"day": post.day, "channel_id": post.channel_id, "nonce": post.nonce, "at": post.at}
        async with self._database.writing() as connection:
            changed = await connection.execute(
                update(schema.puzzle_posts)
                .where(_posts.guild_id == post.guild_id)
                .where((_posts.day < post.day) | _refused_elsewhere(post.channel_id))
                .values(**values, message_id=None)
            )
            if changed.rowcount:
                return post
            known = select(schema.puzzle_posts).where(_posts.guild_id == post.guild_id)
            row = (await connection.execute(known)).mappings().first()
            if row is None:
                await connection.execute(insert(schema.puzzle_posts).values(guild_id=post.guild_id, **values))
                return post
            return PuzzlePost(**row) if row["message_id"] is None else None

    async def posted(self, post: PuzzlePost, message_id: int) -> None:
        """Note that a post is there (0: that it cannot be)."""
        noted = update(schema.puzzle_posts).where(_posts.guild_id == post.guild_id, _posts.nonce == post.nonce)
        await self._database.write(noted.values(message_id=message_id))
