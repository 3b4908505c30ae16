"""How often and how much at once somebody may ask, so that nobody can starve the others.

There are four limits, the cheapest check first: how much a person asks at all; how many of their requests are worked on
at the same time; discord.py's cooldown per command and person, by what the command costs; and token buckets, per person
and per guild, for whatever reaches other people or has turned out useless (lobbies, joins, nudges, proposals,
suggestions, presses of dead buttons). People who reach a limit are told so, but not forever: after a number of refusals
they get no answer any more, since answering is what a refusal costs. All of this is in memory, small, and forgotten at
a restart. `docs/permissions.md` lists what everything costs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from bot.errors import Crowded, TooOften
from bot.rights import Bound, Cost, Rate

AT_ONCE = 8
"""How many requests of one person are worked on at the same time; others are refused."""

MANY, MOST = 48, 96
"""How many requests are worked on at the same time: of people who already have one under way, and in all.

Each takes about 20 ms of a processor in all, so whatever is worked on is answered within two seconds, and everything
else is refused at once.
"""


EVERYTHING = Rate(60, 40)
"""How much one person may ask, counting all kinds of commands and buttons together."""

REFUSALS = Rate(15, 30)
"""How many refusals one person is told about; if they still go on, they get no answer until they pause."""

MOST_BUCKETS = 20_000
"""The most buckets kept; beyond that, those that are full again are dropped, or nearly full ones."""


COMMANDS: Mapping[Cost, Rate] = {
    Cost.LOOK: Rate(30, 30),
    Cost.CHANGE: Rate(20, 60),
    Cost.POST: Rate(10, 60),
    Cost.SLOW: Rate(4, 60),
    Cost.THINK: Rate(6, 60),
}
"""How often one person may use each command."""

SUGGESTIONS = Bound(Rate(60, 20), Rate(1_200, 20))
"""Suggestions while somebody types; beyond this there are none for a while."""

DEAD = Rate(20, 60)
"""Presses of buttons that no longer lead anywhere; beyond this they are answered without looking anything up."""


class Rates:
    """The buckets of one program."""

    def __init__(self) -> None:
        self._buckets: dict[tuple[str, int], tuple[float, float, Rate]] = {}
        self._working: Counter[int] = Counter()

    def enter(self, user_id: int, now: float) -> None:
        """Count anything this person asks before it is looked at. Raises `TooOften` as `spend` does."""
        self.spend("everything", user_id, EVERYTHING, now)

    def tells(self, user_id: int, now: float) -> bool:
        """Whether this person should be told that something was too often; counts it if so."""
        try:
            self.spend("refusals", user_id, REFUSALS, now)
        except TooOften:
            return False
        return True

    @contextmanager
    def working(self, user_id: int) -> Iterator[None]:
        """Count a request of this person as being worked on.

        Raises `TooOften` if too many of theirs are under way already, and `Crowded` if too many of everybody's are: a
        person's first request is still accepted when others' additional ones no longer are.
        """
        mine, everybodys = self._working[user_id], self._working.total()
        if everybodys >= (MANY if mine else MOST):
            raise Crowded
        if mine >= AT_ONCE:
            raise TooOften(0)
        self._working[user_id] += 1
        try:
            yield
        finally:
            self._stop(user_id)

    @contextmanager
    def waiting(self, user_id: int) -> Iterator[None]:
        """Not count a request being worked on while it only waits in a line of its own, perhaps for minutes."""
        self._stop(user_id)
        try:
            yield
        finally:
            self._working[user_id] += 1

    def _stop(self, user_id: int) -> None:
        self._working[user_id] -= 1
        if not self._working[user_id]:
            del self._working[user_id]

    def spend(self, what: str, whose: int, rate: Rate, now: float) -> None:
        """Count one more `what` for a person or guild. Raises `TooOften`, with the seconds until one counts again."""
        left = self.check(what, whose, rate, now)
        self._buckets[what, whose] = (left - 1, now, rate)
        if len(self._buckets) > MOST_BUCKETS:
            self._sweep(now)

    def check(self, what: str, whose: int, rate: Rate, now: float) -> float:
        """How many are still allowed, at least 1; raises what `spend` would, but counts nothing."""
        left, then, _ = self._buckets.get((what, whose), (float(rate.times), now, rate))
        left = min(float(rate.times), left + max(0.0, now - then) * rate.times / rate.seconds)
        if left < 1:
            raise TooOften((1 - left) * rate.seconds / rate.times)
        return left

    def bound(self, what: str, bound: Bound, user_id: int, guild_id: int | None, now: float) -> None:
        """Count one more for a person and for their guild. Raises `TooOften` as `spend` does."""
        self.spend(what, user_id, bound.person, now)
        if guild_id is not None:
            self.spend(f"{what} guild", guild_id, bound.guild, now)

    def _sweep(self, now: float) -> None:
        """Forget the buckets that are full again and, if that is not enough, those that are nearest to it."""

        def filled(key: tuple[str, int]) -> float:
            left, then, rate = self._buckets[key]
            return left / rate.times + max(0.0, now - then) / rate.seconds

        self._buckets = {key: kept for key, kept in self._buckets.items() if filled(key) < 1}
        if len(self._buckets) > MOST_BUCKETS:
            for key in sorted(self._buckets, key=filled, reverse=True)[: MOST_BUCKETS // 2]:
                del self._buckets[key]
