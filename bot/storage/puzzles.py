"""Who has tried the puzzle of a day, and where it has been posted: the store's part for puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import insert, select, update

from bot.shards import Shards
from bot.storage import schema
from bot.storage.database import Database, Part


@dataclass(frozen=True, slots=True)
class Tried:
    """How one person has done with the puzzle of a day."""

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


class PuzzleStore(Part):
    """Reads and writes tries and posts."""

    def __init__(self, database: Database, shards: Shards) -> None:
        super().__init__(database)
        self._shards = shards

    async def tried(self, day: int, guild_id: int, user_id: int, name: str, *, solved: bool) -> Tried:
        """Count a try at the puzzle of a day; once it is solved nothing changes any more. Returns how it is now."""
        tries = schema.puzzle_tries
        theirs = (tries.c.day == day) & (tries.c.user_id == user_id)
        async with self._database.writing() as connection:
            await connection.execute(
                update(tries).where(theirs, ~tries.c.solved).values(tries=tries.c.tries + 1, solved=solved, name=name)
            )
            row = (await connection.execute(select(tries.c.tries, tries.c.solved).where(theirs))).first()
            if row is None:
                new = {"day": day, "user_id": user_id, "guild_id": guild_id, "name": name}
                await connection.execute(insert(tries).values(**new, tries=1, solved=solved))
                return Tried(user_id, name, 1, solved)
            return Tried(user_id, name, row.tries, row.solved)

    async def solvers(self, day: int, guild_id: int) -> tuple[Tried, ...]:
        """Everybody in a guild who has solved the puzzle of a day, those with the fewest tries first."""
        tries = schema.puzzle_tries.c
        rows = await self._database.rows(
            select(tries.user_id, tries.name, tries.tries, tries.solved)
            .where(tries.guild_id == guild_id, tries.day == day, tries.solved)
            .order_by(tries.tries, tries.name)
        )
        return tuple(Tried(**row) for row in rows)

    async def days_solved(self, user_id: int, most: int) -> tuple[int, ...]:
        """The last days whose puzzle a person has solved, newest first."""
        tries = schema.puzzle_tries.c
        return await self._database.column(
            select(tries.day).where(tries.user_id == user_id, tries.solved).order_by(tries.day.desc()).limit(most)
        )

    async def unposted(self, day: int) -> Sequence[tuple[int, int]]:
        """The guilds we serve that want the puzzle of a day and do not have it for certain, with their channels."""
        guilds, posts = schema.guilds.c, schema.puzzle_posts.c
        rows = await self._database.rows(
            select(guilds.guild_id, guilds.puzzle_in)
            .outerjoin_from(schema.guilds, schema.puzzle_posts, posts.guild_id == guilds.guild_id)
            .where(guilds.puzzle_in.is_not(None), posts.message_id.is_(None) | (posts.day < day))
            .order_by(guilds.guild_id)
        )
        return [(row["guild_id"], row["puzzle_in"]) for row in rows if self._shards.serves(row["guild_id"])]

    async def claim(self, post: PuzzlePost) -> PuzzlePost | None:
        """Note a post before it is sent; if that day's was noted before, that one, or None if it is there."""
        posts = schema.puzzle_posts
        values = {"day": post.day, "channel_id": post.channel_id, "nonce": post.nonce, "at": post.at}
        async with self._database.writing() as connection:
            changed = await connection.execute(
                update(posts)
                .where(posts.c.guild_id == post.guild_id, posts.c.day < post.day)
                .values(**values, message_id=None)
            )
            if changed.rowcount:
                return post
            row = (await connection.execute(select(posts).where(posts.c.guild_id == post.guild_id))).mappings().first()
            if row is None:
                await connection.execute(insert(posts).values(guild_id=post.guild_id, **values))
                return post
            return PuzzlePost(**row) if row["message_id"] is None else None

    async def posted(self, post: PuzzlePost, message_id: int) -> None:
        """Note that a post is there (0: that it cannot be)."""
        posts = schema.puzzle_posts.c
        noted = update(schema.puzzle_posts).where(posts.guild_id == post.guild_id, posts.nonce == post.nonce)
        await self._database.write(noted.values(message_id=message_id))
