"""Rate limits, kept by each process for the requests it serves.

There are three limits. A person has a bucket for everything they ask. A person has so many requests in flight. An
expensive deed (`Bound` in `bot.rights`) has a bucket for each person, and one for each server. All are small enough
that one member cannot make others wait.
"""

from __future__ import annotations

import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.errors import Busy, Load, TooOften
from bot.rights import Bound, Rate

log = logging.getLogger(__name__)

EVERYTHING = Rate(60, 40)
"""The rate of a person, counting all commands and buttons together."""

SUGGESTION = 0.25
"""The cost of suggestions for an option in that bucket; Discord asks for them at each pause in typing."""

LEADS_NOWHERE = 2
"""The additional cost of a button that no longer leads anywhere: each such press looks for a table in vain."""

TOLD = 15
"""The refusals that a person reads beyond an empty bucket; after that they get no answer until they pause."""

TELLING = Rate(1, 10)
"""The rate at which a person who presses buttons in a private message too often is told so; else nothing happens."""

IN_FLIGHT = 8
"""The most requests of a person that are served at the same time."""

ANSWERED_WITHIN = 2.0
"""Seconds within which what is admitted is answered, by the pace of recent answers; the rest is refused at once."""

AT_FIRST, FASTEST = 0.02, 0.01
"""Seconds from one answer to the next while requests wait: until that is measured, and the least that is believed."""

BACKLOG, ALWAYS = 8, 16
"""Requests in flight from which on the pace of answers is measured, and up to which all are admitted."""

MOST_BUCKETS = 20_000
"""The most buckets kept; beyond that, full ones are dropped, then nearly full ones."""

REMEMBERED = 4096
"""The most ids of interactions that are remembered; one that is delivered again comes within seconds."""


class Limits:
    """The limits of one process. Times are Unix seconds."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, processor: Callable[[], float] = time.process_time
    ) -> None:
        self._clock, self._processor = clock, processor
        self._pace = AT_FIRST
        """Seconds from one answer to the next while requests wait, a moving average."""
        self._last: tuple[float, float] | None = None
        """Time of the last answer and processor time until then, if requests were waiting."""
        self._buckets: dict[tuple[str, int], tuple[float, float, Rate]] = {}
        """By what it counts and whose it is: what is left in a bucket, when that was counted, and its rate."""
        self._in_flight: Counter[int] = Counter()
        self._arrived: OrderedDict[int, None] = OrderedDict()
        self._closed = False

    def close(self) -> None:
        """Admit nothing any more: the process is ending, and could not finish what it begins now."""
        self._closed = True

    def is_new(self, interaction_id: int) -> bool:
        """Return True the first time an interaction arrives; Discord delivers some again after a broken connection."""
        if self._closed or interaction_id in self._arrived:
            log.info("interaction %s is %s", interaction_id, "too late" if self._closed else "here already")
            return False
        self._arrived[interaction_id] = None
        if len(self._arrived) > REMEMBERED:
            self._arrived.popitem(last=False)
        return True

    def spend(self, user_id: int, now: float, cost: float = 1) -> None:
        """Take the cost of a request out of the person's bucket. Raises `TooOften`, with the seconds to wait."""
        self._take("everything", user_id, EVERYTHING, now, cost)

    def spend_deed(self, deed: str, bound: Bound, user_id: int, guild_id: int | None, now: float) -> None:
        """Take one expensive deed out of the buckets of the person and the server. Raises `TooOften`."""
        self._take(deed, user_id, bound.person, now)
        if guild_id is not None and bound.guild is not None:
            self._take(f"{deed} guild", guild_id, bound.guild, now)

    def charge(self, user_id: int, now: float, cost: float) -> None:
        """Take more out of the person's bucket, even if it is empty: what they asked turned out to cost that."""
        left = self._left("everything", user_id, EVERYTHING, now)
        self._buckets["everything", user_id] = (left - cost, now, EVERYTHING)

    def is_told(self, user_id: int, now: float) -> bool:
        """Return True if the person gets an answer to a refusal, which costs them one more request."""
        if self._left("everything", user_id, EVERYTHING, now) <= -TOLD:
            return False
        self.charge(user_id, now, 1)
        return True

    def was_told(self, user_id: int, now: float) -> bool:
        """Return True if the person has just been told so; otherwise count it as told."""
        try:
            self._take("told", user_id, TELLING, now)
        except TooOften:
            return True
        return False

    @property
    def most(self) -> int:
        """The most requests that may be in flight now."""
        return max(ALWAYS, round(ANSWERED_WITHIN / max(self._pace, FASTEST)))

    @contextmanager
    def in_flight(self, user_id: int) -> Iterator[None]:
        """Count a request of this person while it is served.

        Raises `TooOften` if too many of theirs are in flight, and `Busy` if it could not be answered in time: the first
        request of a person is still admitted when further ones of others are not.
        """
        mine, all_people = self._in_flight[user_id], self._in_flight.total()
        if all_people >= (self.most // 2 if mine else self.most):
            raise Busy(Load.PEOPLE)
        if mine >= IN_FLIGHT:
            raise TooOften(0)
        self._in_flight[user_id] += 1
        try:
            yield
        finally:
            self._measure()
            self._land(user_id)

    def _measure(self) -> None:
        """Learn the pace from the time since the last answer.

        What was not spent on the processor counts at most as much again: waiting for Discord delays no other request.
        """
        if self._in_flight.total() <= BACKLOG:
            self._last = None
            return
        clock, processor = self._clock(), self._processor()
        if self._last is not None:
            before, used = self._last
            self._pace += (min(clock - before, 2 * (processor - used)) - self._pace) / 16
        self._last = clock, processor

    @contextmanager
    def queued(self, user_id: int) -> Iterator[None]:
        """Exclude a request from the count while it waits in a queue of its own, perhaps for minutes."""
        self._land(user_id)
        try:
            yield
        finally:
            self._in_flight[user_id] += 1

    def _land(self, user_id: int) -> None:
        self._in_flight[user_id] -= 1
        if not self._in_flight[user_id]:
            del self._in_flight[user_id]

    def _left(self, what: str, whose: int, rate: Rate, now: float) -> float:
        """Return what is left in a bucket now."""
        left, then, _ = self._buckets.get((what, whose), (float(rate.times), now, rate))
        return min(float(rate.times), left + max(0.0, now - then) * rate.times / rate.seconds)

    def _take(self, what: str, whose: int, rate: Rate, now: float, cost: float = 1) -> None:
        left = self._left(what, whose, rate, now)
        if left < min(1, cost):
            raise TooOften((1 - left) * rate.seconds / rate.times)
        self._buckets[what, whose] = (left - cost, now, rate)
        if len(self._buckets) > MOST_BUCKETS:
            self._sweep(now)

    def _sweep(self, now: float) -> None:
        """Forget the buckets that are full again and, if that is not enough, those that are nearest to it."""

        def filled(key: tuple[str, int]) -> float:
            left, then, rate = self._buckets[key]
            return left / rate.times + max(0.0, now - then) / rate.seconds

        self._buckets = {key: kept for key, kept in self._buckets.items() if filled(key) < 1}
        if len(self._buckets) > MOST_BUCKETS:
            for key in sorted(self._buckets, key=filled, reverse=True)[: MOST_BUCKETS // 2]:
                del self._buckets[key]
