"""The steps of clocks that are due, one for each stage (`make_steps`): wait for the next thing, or change the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from bot import clocks
from bot.calls import find_to_call
from bot.clocks import Rest, is_at_table, resting_until
from bot.consent import NOTICE, is_notice
from bot.pace import HOUR
from bot.proposal import ProposalKind
from bot.table import NoteKind, SeatClock, Stage, Status, Table
from bot.tables.absence import play_for
from bot.tables.agreeing import carry_out
from bot.tables.effects import Effect, News, NewsKind, note
from bot.tables.endings import end_asleep
from bot.tables.hosts import Hosts
from bot.tables.lobby import Lobby
from bot.tables.playing import resume_game
from bot.tables.transactions import Decide

PUT_OFF = HOUR
"""Seconds until a game that could not be dealt with is looked at again."""


@dataclass(frozen=True, slots=True)
class Due:
    """A clock that is due now, and when the person rests whose it is."""

    seat: int
    clock: SeatClock
    now: int
    rest: Rest


@dataclass(frozen=True, slots=True)
class ClockWait:
    """A clock as it is, and as it waits for what comes next; the reminder to give now, if any."""

    before: SeatClock
    clock: SeatClock
    reminder: News | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the table; `even_broken`: where the log does not replay, too."""

    decide: Decide
    even_broken: bool = False


Step = ClockWait | Change | Callable[[int], Awaitable[bool]]
"""The next step for a clock: it goes on, or a change, or what is done with the table's id; True if that has changed."""

Steps = Mapping[Stage, Callable[[Due], Step]]


def make_steps(lobby: Lobby, hosts: Hosts) -> Steps:
    """Return the step that each stage brings."""
    return {
        Stage.HALF: _wait_for_ninety,
        Stage.NINETY: _remind,
        Stage.UP: _change_seat(_end_time),
        Stage.AUTO: _change_seat(_play_turn),
        Stage.SILENT: _change_seat(_note_silence),
        Stage.LOBBY: lambda _: Change(lobby.expire, even_broken=True),
        Stage.START: lambda _: Change(lobby.start_if_full, even_broken=True),
        Stage.PAUSE: lambda due: Change(partial(_end_pause, now=due.now)),
        Stage.NOTICE: lambda due: Change(partial(_offer_seat, now=due.now)),
        Stage.HOST: lambda _: hosts.replace_silent,
        Stage.CLOSE: _ask_to_close,
    }


def next_step(steps: Steps, due: Due) -> Step:
    """Return the step for a clock that is due: that of the last stage which it has reached."""
    clock, now, rest = due.clock, due.now, due.rest
    if is_at_table(due.seat):
        return steps[clock.stage](due)
    if (until := resting_until(now, rest)) is not None:
        # It came due while the program was not running; during a rest no one is disturbed or played for.
        return ClockWait(clock, replace(clock, due_at=until))
    stage = clock.stage if clock.stage in (Stage.AUTO, Stage.SILENT) else clocks.last_reached(clock, now, rest)
    if stage is None:
        following = clocks.wait_for(clock, clock.stage, rest)
        return ClockWait(clock, replace(following, due_at=following.due_at or now))
    return steps[stage](due)


def _wait_for_ninety(due: Due) -> Step:
    return ClockWait(due.clock, clocks.wait_for(due.clock, Stage.NINETY, due.rest))


def _remind(due: Due) -> Step:
    """Remind the player; in a turn that has waited, the others may wait even longer instead."""
    clock = due.clock
    if clock.waited:
        return _change_seat(_offer_longer)(due)
    reminder = News(NewsKind.NINETY, due.seat, clock.user_id, clock.decision)
    return ClockWait(clock, clocks.wait_for(clock, Stage.UP, due.rest), reminder)


def _ask_to_close(due: Due) -> Step:
    """Have the thread closed, again and again until it is, or cannot be."""
    return ClockWait(due.clock, replace(due.clock, due_at=due.now + PUT_OFF), News(NewsKind.CLOSE))


def _change_seat(effect: Callable[[Table, int, SeatClock, int, Rest], Effect]) -> Callable[[Due], Step]:
    """Return the step that has this effect, from the clock as it is then, if the same is still due."""

    def step(due: Due) -> Step:
        def decide(table: Table) -> Effect:
            current = _current_clock(table, due.seat, due.clock, due.now)
            return Effect(table) if current is None else effect(table, due.seat, current, due.now, due.rest)

        return Change(decide)

    return step


def _end_time(table: Table, seat: int, clock: SeatClock, now: int, rest: Rest) -> Effect:
    """Let the others choose from now on what happens to this seat."""
    pace = table.time_of(seat)
    if pace.seconds is None:
        return Effect(table)
    if is_uncalled(table, seat):
        # Discord did not accept the message that would have called them: no time passes unseen.
        return Effect(replace(table, clocks={**table.clocks, seat: clocks.restart(clock, pace, now, rest)}))
    if clock.waited:
        return _play_turn(table, seat, clock, now, rest)
    choosing = {**table.clocks, seat: clocks.let_choose(clock, pace.seconds, now, rest)}
    banked = {**table.banked, seat: table.banked.get(seat, 0) + clock.bank} if clock.bank else table.banked
    noted = note(table, NoteKind.TIME_UP, now, None, seat, user_id=clock.user_id)
    news = [News(NewsKind.UP, seat, clock.user_id, clock.decision)]
    return Effect(replace(table, clocks=choosing, banked=banked), [noted], news=news)


def _offer_longer(table: Table, seat: int, clock: SeatClock, _now: int, rest: Rest) -> Effect:
    """Let the others ask each other to wait even longer, once most of the time that they have given is over."""
    return Effect(replace(table, clocks={**table.clocks, seat: clocks.wait_for(clock, Stage.UP, rest)}))


def _play_turn(table: Table, seat: int, _clock: SeatClock, now: int, _rest: Rest) -> Effect:
    """Let a computer play this turn, since the others do not wait."""
    return play_for(table, seat, now, by=None)


def _note_silence(table: Table, seat: int, clock: SeatClock, now: int, rest: Rest) -> Effect:
    """Let the others decide about a player who has not answered for long at a table without a clock."""
    if is_uncalled(table, seat):
        fresh = clocks.fresh(clock.decision, clock.user_id, table.pace, now, rest)
        return Effect(replace(table, clocks={**table.clocks, seat: fresh}))
    silent = {**table.clocks, seat: replace(clock, stage=Stage.NONE, due_at=None)}
    noted = note(table, NoteKind.SILENT, now, None, seat, user_id=clock.user_id)
    news = [News(NewsKind.UP, seat, clock.user_id, clock.decision)]
    return Effect(replace(table, clocks=silent), [noted], news=news)


def _end_pause(table: Table, now: int) -> Effect:
    """Let a game go on whose pause has lasted as long as it may; one that no one plays ends."""
    if not table.is_open or table.paused_until is None or table.paused_until > now:
        return Effect(table)
    return resume_game(table, now) if table.status is Status.PAUSED else end_asleep(table, now)


def _offer_seat(table: Table, now: int) -> Effect:
    """Offer a seat, two days after that was announced."""
    offer = table.proposals.get(ProposalKind.OFFER)
    if offer is None or not is_notice(offer) or offer.at + NOTICE > now or table.status is not Status.PLAYING:
        return Effect(table)
    return carry_out(table, offer, now)


def is_uncalled(table: Table, seat: int) -> bool:
    """Return True if this seat must act and was not called, at a table where messages are posted."""
    return table.shown is not None and seat in find_to_call(table)


def _current_clock(table: Table, seat: int, clock: SeatClock, now: int) -> SeatClock | None:
    """Return the clock of a seat as it is now, if it is still for the same decision and due."""
    current = table.clocks.get(seat)
    if table.status is not Status.PLAYING or current is None or current.due_at is None or current.due_at > now:
        return None
    same = (current.decision, current.user_id, current.stage) == (clock.decision, clock.user_id, clock.stage)
    return current if same else None
