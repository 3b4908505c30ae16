"""The clocks of seats: pure functions from one state of a clock to the next (`bot.table.SeatClock`).

A clock belongs to one decision of one person. It is made when the person is asked, held while the game stands still,
and gone once the seat has acted. After its time is up it runs once more, for a shorter time, while the others choose
what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.clocks.quiet import NO_REST, Rest, due, elapsed
from bot.moment import Moment
from bot.table import PACES, SeatClock, Stage, Status, Table

SHARES = {Stage.HALF: 0.5, Stage.NINETY: 0.9, Stage.UP: 1.0, Stage.AUTO: 1.0}
"""The share of the allowed time that has passed when a stage is reached."""

CHOOSING = 10
"""The others have a tenth of the pace to choose."""

MOST_MISSED = 3
"""After this many turns in a row played because time was up, the seat goes to a computer."""

Rests = Mapping[int, Rest]
"""When each person's clock stands still, by user id; people missing from it never rest."""


def wind(table: Table, now: int, rests: Rests) -> Mapping[int, SeatClock]:
    """The clocks that a table must have now, derived from those it has."""
    if table.game is None or table.status not in (Status.PLAYING, Status.PAUSED):
        return {}
    stands = table.status is Status.PAUSED or table.lost is not None
    clocks = {}
    for seat in table.game.to_act:
        user_id = table.people[seat].plays
        decision = table.decision(seat)
        if user_id is None or decision is None:
            continue
        rest = rests.get(user_id, NO_REST)
        clock = table.clocks.get(seat)
        if clock is None or (clock.decision, clock.user_id) != (decision, user_id):
            clock = fresh(decision, user_id, PACES[table.terms.pace], now, rest)
        if stands and not clock.held:
            clock = hold(clock, now, rest)
        elif not stands and clock.held:
            clock = run(clock, now, rest)
        clocks[seat] = clock
    return clocks


def asked(table: Table) -> frozenset[int]:
    """The people whose rest `wind` needs to know."""
    if table.game is None:
        return frozenset()
    ids = (table.people[seat].plays for seat in table.game.to_act if seat in table.people)
    return frozenset(user_id for user_id in ids if user_id is not None)


def fresh(decision: Moment, user_id: int, pace: int | None, now: int, rest: Rest) -> SeatClock:
    """A clock that starts now; without a pace it never runs out."""
    if pace is None:
        return SeatClock(decision, user_id, Stage.NONE, now, 0, 0, None, None)
    return _timed(SeatClock(decision, user_id, Stage.HALF, now, 0, pace, None, None), rest)


def choosing(clock: SeatClock, pace: int, now: int, rest: Rest) -> SeatClock:
    """The clock whose time has run out: from now on the others have a tenth of the pace."""
    allowed = max(1, pace // CHOOSING)
    return _timed(replace(clock, stage=Stage.AUTO, since=now, spent=0, allowed=allowed), rest)


def again(clock: SeatClock, pace: int, now: int, rest: Rest) -> SeatClock:
    """The clock started again with the whole pace; it remembers that somebody has nudged."""
    return replace(fresh(clock.decision, clock.user_id, pace, now, rest), nudged=clock.nudged)


def hold(clock: SeatClock, now: int, rest: Rest) -> SeatClock:
    """The clock, held because the game stands still."""
    if clock.since is None:
        return clock
    spent = clock.spent + round(elapsed(clock.since, now, rest))
    return replace(clock, since=None, spent=min(spent, clock.allowed), due_at=None, ends_at=None)


def run(clock: SeatClock, now: int, rest: Rest) -> SeatClock:
    """The clock, running (again) from now on with what is left of its time."""
    return _timed(replace(clock, since=now), rest)


def rest_differently(clock: SeatClock, now: int, before: Rest, after: Rest) -> SeatClock:
    """The clock of a person whose quiet hours or absence change now; time already spent stays spent."""
    return clock if clock.held else run(hold(clock, now, before), now, after)


def set_right(clock: SeatClock, now: int, rest: Rest) -> SeatClock:
    """A clock that claims to have started in the future, because the time of day was wrong: it starts now instead."""
    return clock if clock.since is None or clock.since <= now else run(clock, now, rest)


def reached(clock: SeatClock, now: int, rest: Rest) -> Stage | None:
    """The last stage of a person's time reached by `now`, skipping any that were missed; None if there is none."""
    if clock.since is None or clock.stage in (Stage.AUTO, Stage.NONE):
        return None
    stages = [Stage.HALF, Stage.NINETY, Stage.UP]
    for stage in reversed(stages[stages.index(clock.stage) :]):
        if _due_at(clock, stage, rest) <= now:
            return stage
    return None


def waiting_for(clock: SeatClock, stage: Stage, rest: Rest) -> SeatClock:
    """The clock, now waiting for this stage."""
    return _timed(replace(clock, stage=stage), rest)


def _timed(clock: SeatClock, rest: Rest) -> SeatClock:
    if clock.stage is Stage.NONE:
        return clock
    return replace(clock, due_at=_due_at(clock, clock.stage, rest), ends_at=_due_at(clock, Stage.UP, rest))


def _due_at(clock: SeatClock, stage: Stage, rest: Rest) -> int:
    assert clock.since is not None
    return due(clock.since, SHARES[stage] * clock.allowed - clock.spent, rest)
