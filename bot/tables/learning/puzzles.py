"""The puzzle of the day: who has tried it, streaks, and in which channels it is still to be posted.

A day is one in UTC, counted from 1 January 1970.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.people import Person
from bot.storage import PuzzlePost, Store, Tried

DAY = 86_400

LONGEST_STREAK = 1_000
"""The most days that are looked at for a streak."""

NONCE_KNOWN = 120
"""Seconds for which Discord surely knows a nonce, so that sending again posts nothing twice."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody stands: today's solvers in their guild, whether they have solved it, and their streak in days."""

    solvers: tuple[Tried, ...]
    solved: bool
    streak: int


class Puzzles:
    """Tries and posts. `clock` gives Unix seconds."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store.puzzles, clock
        self.solvers, self.posted = self._store.solvers, self._store.posted

    def today(self) -> int:
        """The day whose puzzle it is."""
        return int(self._clock()) // DAY

    def seconds_left(self) -> float:
        """Seconds until the next day."""
        return DAY - self._clock() % DAY

    async def tried(self, day: int, guild_id: int, person: Person, *, solved: bool) -> Tried | None:
        """Count a try at today's puzzle; those of other days are for practice, and None is returned."""
        if day != self.today():
            return None
        return await self._store.tried(day, guild_id, person.id, person.name, solved=solved)

    async def standing(self, guild_id: int, user_id: int) -> Standing:
        """How somebody stands today in a guild (0: nowhere)."""
        today = self.today()
        solvers = await self.solvers(today, guild_id) if guild_id else ()
        days = await self._store.days_solved(user_id, LONGEST_STREAK)
        return Standing(solvers, today in days[:1], streak(days, today))

    async def to_post(self) -> tuple[PuzzlePost, ...]:
        """Today's puzzle for every channel that does not have it yet, each noted before it is returned.

        Among them are those that may be there already.
        """
        today, now = self.today(), int(self._clock())
        claimed = [
            await self._store.claim(PuzzlePost(guild_id, today, channel_id, secrets.token_hex(12), now))
            for guild_id, channel_id in await self._store.unposted(today)
        ]
        return tuple(post for post in claimed if post is not None)

    def is_fresh(self, post: PuzzlePost) -> bool:
        """Whether sending a post again cannot post it twice, because Discord still knows its nonce."""
        return self._clock() - post.at <= NONCE_KNOWN


def streak(days: Sequence[int], today: int) -> int:
    """How many days in a row, up to today or yesterday, are among these, newest first."""
    if not days or days[0] < today - 1:
        return 0
    count = 1
    while count < len(days) and days[count] == days[0] - count:
        count += 1
    return count
