"""Time: when a person's clock stands still, how the clock of a seat runs, and what is due at a table.

A person rests in daily quiet hours in their time zone, and while away: arithmetic on Unix seconds. The windows follow
the wall clock, so a night in which clocks are put forward or back is as long as it really is.

A seat's clock (`bot.table.SeatClock`) belongs to one decision of one person: pure functions from one state of it to the
next. It is made when the person is asked, held while the game stands still, and gone once the seat has acted. After its
time is up it runs once more, for a shorter time, while the others choose what to do. What is due at the table itself
follows from the table (`deadlines_of`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from heapq import merge
from zoneinfo import ZoneInfo

from bot.consent import HOST_SILENT, NOTICE, SILENCE, is_notice
from bot.moment import START, Moment
from bot.pace import Pace, pace_of
from bot.proposal import ProposalKind
from bot.table import SeatClock, Stage, Status, Table
from bot.time_zones import find_zone

MINUTES_A_DAY = 1_440

SATURDAY = 5

MOST_QUIET = 600
"""The most minutes a day that may be quiet."""


@dataclass(frozen=True, slots=True)
class Rest:
    """The times at which a person's clock stands still.

    `quiet_from` and `quiet_until` are minutes of the day in `time_zone` (an IANA name; None: UTC), both None if there
    are no quiet hours. `away_until` is a Unix second or None. `weekends`: Saturdays and
    Sundays, in that zone, are rest.
    """

    time_zone: str | None = None
    quiet_from: int | None = None
    quiet_until: int | None = None
    away_until: int | None = None
    weekends: bool = False


def at_pace(rest: Rest, pace: str) -> Rest:
    """Return when a player's clock stands still at a table with this pace.

    Time away stops slow clocks only; weekends, those where the players have agreed on it.
    """
    # An unknown pace is one game's fault, which must not keep others waiting.
    pace_found = pace_of(pace)
    if pace_found is None or pace_found.is_slow:
        return rest if pace_found is None or pace_found.weekends else replace(rest, weekends=True)
    return replace(rest, away_until=None)


NO_REST = Rest()
"""No rest at all: the clock never stands still."""


def due(start: float, seconds: float, rest: Rest = NO_REST) -> int:
    """Return the Unix second, outside the rest, at which a clock started at `start` has run for `seconds`."""
    moment = max(start, rest.away_until or start)
    left = max(0.0, seconds)
    for begins, ends in _windows(moment, rest):
        if ends <= moment:
            continue
        # A clock that would run out just as the rest begins runs out before it.
        if begins > moment and begins - moment >= left:
            break
        left -= max(0.0, begins - moment)
        moment = ends
    reached = moment + left
    return int(reached) + (reached > int(reached))


def elapsed(start: float, end: float, rest: Rest = NO_REST) -> float:
    """Return the seconds that the clock ran between two moments; 0 if the end comes before the start."""
    moment = max(start, rest.away_until or start)
    total = 0.0
    for begins, ends in _windows(moment, rest):
        if begins >= end:
            break
        if ends <= moment:
            continue
        total += max(0.0, begins - moment)
        moment = ends
    return total + max(0.0, end - moment)


def resting_until(now: float, rest: Rest) -> int | None:
    """Return until when the clock stands still, or None if it is running now."""
    away = rest.away_until is not None and now < rest.away_until
    quiet = next((begins for begins, _ in _windows(now, rest)), now + 1) <= now
    until = due(now, 0, rest)
    return until if until > now and (away or quiet) else None


def _windows(moment: float, rest: Rest) -> Iterator[tuple[float, float]]:
    """Yield quiet hours and weekends that end after `moment`, by their beginning and without end, if there are any.

    They may overlap.
    """
    return merge(_quiet_hours(moment, rest), _weekends(moment, rest))


def _weekends(moment: float, rest: Rest) -> Iterator[tuple[float, float]]:
    """Yield the weekends that end after `moment`, in order and without end; nothing if clocks run then."""
    if not rest.weekends:
        return
    zone = find_zone(rest.time_zone or "UTC") or ZoneInfo("UTC")
    day = datetime.fromtimestamp(moment, UTC).astimezone(zone).date()
    day -= timedelta(days=(day.weekday() - SATURDAY) % 7)
    while True:
        ends = _moment(day + timedelta(days=2), 0, zone)
        if ends > moment:
            yield _moment(day, 0, zone), ends
        day += timedelta(days=7)


def _quiet_hours(moment: float, rest: Rest) -> Iterator[tuple[float, float]]:
    """Yield the quiet hours that end after `moment`, in order and without end; nothing if there are none."""
    if rest.quiet_from is None or rest.quiet_until is None or rest.quiet_from == rest.quiet_until:
        return
    # Clocks still run if this machine does not know a zone any more.
    zone = find_zone(rest.time_zone or "UTC") or ZoneInfo("UTC")
    over_midnight = timedelta(days=rest.quiet_until < rest.quiet_from)
    day = datetime.fromtimestamp(moment, UTC).astimezone(zone).date() - timedelta(days=2)
    while True:
        begins = _moment(day, rest.quiet_from, zone)
        ends = _moment(day + over_midnight, rest.quiet_until, zone)
        if begins < ends and ends > moment:
            yield begins, ends
        day += timedelta(days=1)


def _moment(day: date, minutes: int, zone: ZoneInfo) -> float:
    """Return the Unix second of a wall-clock time; one that is skipped counts as if clocks had not been put forward."""
    return datetime(day.year, day.month, day.day, minutes // 60, minutes % 60, tzinfo=zone).timestamp()


SHARES = {Stage.HALF: 0.5, Stage.NINETY: 0.9, Stage.UP: 1.0, Stage.AUTO: 1.0, Stage.SILENT: 1.0}
"""The share of the allowed time that has passed when a stage is reached."""

CHOOSING = 10
"""The others have a tenth of the pace to choose."""

MOST_MISSED = 3
"""After this many turns in a row played because time was up, the seat goes to a computer."""

Rests = Mapping[int, Rest]
"""By user id, the rest of each person; people missing from it never rest."""


def wind(table: Table, now: int, rests: Rests) -> Mapping[int, SeatClock]:
    """Return the clocks that a table must have now, derived from those it has."""
    if table.game is None or table.status not in (Status.PLAYING, Status.PAUSED):
        return {}
    stands = table.status is Status.PAUSED or table.lost is not None or table.announced is not None
    clocks = {}
    for seat in table.game.to_act:
        user_id = table.occupants[seat].plays
        decision = table.decision(seat)
        if user_id is None or decision is None:
            continue
        rest = at_pace(rests.get(user_id, NO_REST), table.terms.pace)
        clock = table.clocks.get(seat)
        if clock is None or (clock.decision, clock.user_id) != (decision, user_id):
            clock = fresh(decision, user_id, table.time_of(seat), now, rest)
        if stands and not clock.held:
            clock = hold(clock, now, rest)
        elif not stands and clock.held:
            clock = run(clock, now, rest)
        clocks[seat] = clock
    return clocks


def people_to_wind(table: Table) -> frozenset[int]:
    """Return the people whose rest `wind` needs to know."""
    if table.game is None:
        return frozenset()
    ids = (table.occupants[seat].plays for seat in table.game.to_act if seat in table.occupants)
    return frozenset(user_id for user_id in ids if user_id is not None)


def fresh(decision: Moment, user_id: int, pace: Pace, now: int, rest: Rest) -> SeatClock:
    """Return a clock that starts now; without a pace it only says when the player has been silent for long."""
    if pace.seconds is None:
        return _set_times(SeatClock(decision, user_id, Stage.SILENT, now, 0, SILENCE, None, None), rest)
    allowed = pace.seconds + pace.bank
    return _set_times(SeatClock(decision, user_id, Stage.HALF, now, 0, allowed, None, None, bank=pace.bank), rest)


def overtime(clock: SeatClock, now: int, rest: Rest) -> int:
    """Return the seconds that a decision has taken from the seat's bank by now."""
    spent = clock.spent + (0 if clock.since is None else elapsed(clock.since, now, rest))
    return max(0, min(clock.bank, round(spent) - (clock.allowed - clock.bank)))


def spend(before: Table, after: Table, now: int, rests: Rests) -> Mapping[int, int]:
    """Return the seconds gone of each seat's bank, with those of decisions that are over; a takeback returns none."""
    gone = dict(after.banked)
    for seat, clock in before.clocks.items():
        over = clock.decision != after.decision(seat) or clock.user_id != after.occupants[seat].plays
        rest = at_pace(rests.get(clock.user_id, NO_REST), before.terms.pace)
        if over and (used := overtime(clock, now, rest)):
            gone[seat] = gone.get(seat, 0) + used
    return gone if gone != after.banked else after.banked


def let_choose(clock: SeatClock, pace: int, now: int, rest: Rest) -> SeatClock:
    """Return the clock whose time has run out: from now on the others have a tenth of the pace."""
    allowed = max(1, pace // CHOOSING)
    return _set_times(replace(clock, stage=Stage.AUTO, since=now, spent=0, allowed=allowed, bank=0), rest)


def restart(clock: SeatClock, pace: Pace, now: int, rest: Rest) -> SeatClock:
    """Return the clock started again with the whole pace; it remembers that it was nudged, and how often it waited."""
    return replace(fresh(clock.decision, clock.user_id, pace, now, rest), nudged=clock.nudged, waited=clock.waited)


def wait_again(clock: SeatClock, pace: int) -> SeatClock:
    """Return the clock of a turn that the others let wait, held until `wind` starts it with the whole pace."""
    return replace(
        clock,
        stage=Stage.HALF,
        since=None,
        spent=0,
        allowed=pace,
        due_at=None,
        ends_at=None,
        waited=clock.waited + 1,
        bank=0,
    )


def hold(clock: SeatClock, now: int, rest: Rest) -> SeatClock:
    """Return the clock, held because the game stands still."""
    if clock.since is None:
        return clock
    spent = clock.spent + round(elapsed(clock.since, now, rest))
    return replace(clock, since=None, spent=min(spent, clock.allowed), due_at=None, ends_at=None)


def run(clock: SeatClock, now: int, rest: Rest) -> SeatClock:
    """Return the clock, running (again) from now on with what is left of its time."""
    return _set_times(replace(clock, since=now), rest)


def skip(clock: SeatClock, begun: int, now: int, rest: Rest) -> SeatClock:
    """Return the clock without the time from `begun` to `now`, in which the player could not act."""
    return clock if clock.held else run(hold(clock, max(begun, clock.since or 0), rest), now, rest)


def rest_differently(clock: SeatClock, now: int, before: Rest, after: Rest) -> SeatClock:
    """Return the clock of a person whose quiet hours or absence change now; time already spent stays spent."""
    return clock if clock.held else run(hold(clock, now, before), now, after)


def set_right(clock: SeatClock, now: int, rest: Rest) -> SeatClock:
    """Start a clock now if it claims to have started in the future, because the time of day was wrong."""
    return clock if clock.since is None or clock.since <= now else run(clock, now, rest)


def last_reached(clock: SeatClock, now: int, rest: Rest) -> Stage | None:
    """Return the last stage reached by `now`, skipping any that were missed; None if there is none."""
    if clock.since is None or clock.stage in (Stage.AUTO, Stage.SILENT, Stage.NONE):
        return None
    stages = [Stage.HALF, Stage.NINETY, Stage.UP]
    for stage in reversed(stages[stages.index(clock.stage) :]):
        if _due_at(clock, stage, rest) <= now:
            return stage
    return None


def wait_for(clock: SeatClock, stage: Stage, rest: Rest) -> SeatClock:
    """Return the clock, now waiting for this stage."""
    return _set_times(replace(clock, stage=stage), rest)


def _set_times(clock: SeatClock, rest: Rest) -> SeatClock:
    if clock.stage is Stage.NONE:
        return clock
    due_at = _due_at(clock, clock.stage, rest)
    return replace(
        clock, due_at=due_at, ends_at=None if clock.stage is Stage.SILENT else _due_at(clock, Stage.UP, rest)
    )


def _due_at(clock: SeatClock, stage: Stage, rest: Rest) -> int:
    assert clock.since is not None
    # People are reminded within the time of the decision, before their bank is used.
    allowed = clock.allowed - clock.bank if stage in (Stage.HALF, Stage.NINETY) else clock.allowed
    return due(clock.since, SHARES[stage] * allowed - clock.spent, rest)


LOBBY_SEAT, PAUSE_SEAT, NOTICE_SEAT, HOST_SEAT, CLOSE_SEAT = -1, -2, -3, -4, -5
"""The seats of a table's own deadlines: a lobby ends or starts, a pause ends, a seat is offered, a host is gone, the
thread of a game that is over is closed."""


def is_at_table(seat: int) -> bool:
    """Return True if what is due at this seat is due at the table itself."""
    return seat < 0


def deadlines_of(table: Table) -> Mapping[int, SeatClock]:
    """Return a table's deadlines by seat: its clocks and, below zero, those of no seat."""
    due = dict(table.clocks)
    if table.status is Status.LOBBY and table.expires_at is not None:
        due |= lobby_deadline(table.expires_at)
        if table.starts_at is not None:
            due[LOBBY_SEAT] = _at_the_table(Stage.START, table.starts_at)
    if table.is_open and len(table.owners) > 1:
        silent_at = (table.host_seen or table.created_at) + HOST_SILENT
        due[HOST_SEAT] = replace(_at_the_table(Stage.HOST, silent_at), ends_at=None)
    if table.is_open and table.paused_until is not None:
        due[PAUSE_SEAT] = _at_the_table(Stage.PAUSE, table.paused_until)
    offer = table.proposals.get(ProposalKind.OFFER)
    if offer is not None and is_notice(offer):
        due[NOTICE_SEAT] = _at_the_table(Stage.NOTICE, offer.at + NOTICE)
    if not table.is_open and table.closes_at is not None:
        due[CLOSE_SEAT] = _at_the_table(Stage.CLOSE, table.closes_at)
    return due


def lobby_deadline(at: int) -> Mapping[int, SeatClock]:
    """Return the deadline of a lobby that expires at this Unix second."""
    return {LOBBY_SEAT: _at_the_table(Stage.LOBBY, at)}


def _at_the_table(stage: Stage, at: int) -> SeatClock:
    return SeatClock(START, 0, stage, None, 0, 0, at, at)
