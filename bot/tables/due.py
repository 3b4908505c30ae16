"""The effects of clocks that are due: each waits for the next thing, or the table changes. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from bot import clocks
from bot.calls import find_to_call
from bot.clocks import Rest, resting_until
from bot.consent import NOTICE, is_notice
from bot.proposal import ProposalKind
from bot.table import NoteKind, SeatClock, Stage, Status, Table
from bot.tables.absence import play_for
from bot.tables.agreeing import carry_out
from bot.tables.effects import Effect, News, NewsKind, note
from bot.tables.endings import end_asleep
from bot.tables.playing import resume_game
from bot.tables.transactions import Decide


@dataclass(frozen=True, slots=True)
class ClockWait:
    """A clock as it is, and as it waits for what comes next; the reminder to give now, if any."""

    before: SeatClock
    clock: SeatClock
    reminder: News | None = None


def next_step(seat: int, clock: SeatClock, now: int, rest: Rest) -> ClockWait | Decide:
    """Return the step for a clock that has come to its stage: let it go on, or change the table."""
    if (at_table := _AT_TABLE.get(clock.stage)) is not None:
        return lambda table: at_table(table, now)
    if (until := resting_until(now, rest)) is not None:
        # It came due while the program was not running; during a rest no one is disturbed or played for.
        return ClockWait(clock, replace(clock, due_at=until))
    stage = clock.stage if clock.stage in (Stage.AUTO, Stage.SILENT) else clocks.last_reached(clock, now, rest)
    if stage is None:
        following = clocks.wait_for(clock, clock.stage, rest)
        return ClockWait(clock, replace(following, due_at=following.due_at or now))
    of_seat = _offer_longer if stage is Stage.NINETY and clock.waited else _OF_SEAT.get(stage)
    if of_seat is None:
        following = clocks.wait_for(clock, Stage.NINETY if stage is Stage.HALF else Stage.UP, rest)
        news = News(NewsKind.NINETY, seat, clock.user_id, clock.decision) if stage is Stage.NINETY else None
        return ClockWait(clock, following, news)

    def decide(table: Table) -> Effect:
        current = _current_clock(table, seat, clock, now)
        return Effect(table) if current is None else of_seat(table, seat, current, now, rest)

    return decide


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


_OF_SEAT: Mapping[Stage, Callable[[Table, int, SeatClock, int, Rest], Effect]] = {
    Stage.UP: _end_time,
    Stage.AUTO: _play_turn,
    Stage.SILENT: _note_silence,
}
"""The effects of the stages of a seat's clock, from the clock as it is now."""


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


_AT_TABLE: Mapping[Stage, Callable[[Table, int], Effect]] = {Stage.PAUSE: _end_pause, Stage.NOTICE: _offer_seat}
"""The stages that are due at a table, not at one of its seats."""


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
