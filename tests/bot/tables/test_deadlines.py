"""Clocks of running games: reminders, time up, what the others may do, pauses, restarts and jumps of the clock."""

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from bot.clocks import LOBBY_SEAT
from bot.consent import ASLEEP, HOST_SILENT, HOST_WAITS, NOTICE, PAUSE, SILENCE
from bot.errors import NotAtTable, NotHost, Problem, WrongStatus
from bot.message import About, Message
from bot.occupants import StandInReason
from bot.preferences import AwayHow
from bot.table import FULL_LIFE, LOBBY_LIFE, STARTS_AFTER, SeatClock, Status, Table, Terms
from bot.tables.absence import Remedy, play_for
from bot.tables.effects import NewsKind
from bot.tables.service import Tables
from bot.texts import leaving
from bot.texts.public import boards
from engine.secret import whole
from tests.bot.gaming import (
    Ear,
    Programs,
    act,
    gone,
    kinds,
    later,
    lobby,
    others,
    overdue,
    play_on,
    refused,
    rest,
    started,
    turn,
    waited,
)
from tests.bot.people import ANN, BEN, BY_ID, DAILY, FOUR, MOD

pytestmark = pytest.mark.on_a_file

DUEL = Terms(system="royal-basic", players=2)


async def test_a_reminder_comes_at_nine_tenths(tables: Tables, programs: Programs) -> None:
    ear = Ear(tables)
    table = await turn(tables)
    seat, _ = waited(table)
    told = []
    for share in (0.49, 0.02, 0.38, 0.02, 0.08, 0.02):
        await later(tables, programs.clock, DAILY * share)
        told.append(ear.kinds())
    assert told == [[], [], [], [NewsKind.NINETY], [], [NewsKind.UP]]
    table = await tables.get(table.id)
    assert table.clocks[seat].overdue
    assert "time_up" in await kinds(tables, table.id)
    await act(tables, table)


async def test_gift_leaves_the_clocks_of_the_others(tables: Tables, programs: Programs) -> None:
    table = await started(tables, *FOUR)
    programs.clock.now += 1_000
    seat, _ = waited(table)
    after = await act(tables, table)
    kept = {one: clock for one, clock in table.clocks.items() if one != seat}
    assert {one: after.clocks[one] for one in kept if one in after.clocks} == kept


async def test_a_reminder_changes_nothing_and_is_told_once(tables: Tables, programs: Programs) -> None:
    ear = Ear(tables)
    table = await turn(tables)
    ear.changed.clear()
    await later(tables, programs.clock, DAILY * 9 / 10)
    await later(tables, programs.clock, 0)
    assert ear.kinds() == [NewsKind.NINETY]
    assert ear.changed == []
    assert (await tables.get(table.id)).version == table.version


async def test_when_nobody_chooses_the_computer_plays_this_turn(tables: Tables, programs: Programs) -> None:
    ear = Ear(tables)
    table, seat, user_id = await overdue(tables, programs)
    number = table.number
    await later(tables, programs.clock, DAILY / 10 - 1)
    assert ear.kinds() == [NewsKind.UP]
    assert (await tables.get(table.id)).number == number
    await later(tables, programs.clock, 1)
    assert ear.kinds() == []
    table = await tables.get(table.id)
    row = (await tables.log(table.id))[number]
    assert (row.seat, row.actor) == (seat, "clock")
    assert table.occupants[seat].user_id == user_id
    assert table.occupants[seat].missed == 1
    assert table.occupants[seat].plays == user_id, "only this turn"


async def test_seat_goes_to_a_computer_after_three_timeouts(tables: Tables, programs: Programs) -> None:
    ear = Ear(tables)
    table = await turn(tables)
    absent = ANN.id
    seat = table.seat_of(absent)
    for _ in range(400):
        table = await rest(tables, table.id)
        if table.occupants[seat].computer is not None or table.status is not Status.PLAYING:
            break
        present = [(one, user) for one, user in table.waiting_for.items() if user != absent]
        if present:
            one, user = present[0]
            await tables.turns.act(table.id, user, None, whole(table.game).legal(one)[0])
        else:
            await later(tables, programs.clock, DAILY)
            await later(tables, programs.clock, DAILY / 10)
    found = ear.kinds()
    assert (await kinds(tables, table.id)).count("auto_played") == 3
    assert found[-1] is NewsKind.HANDED
    occupant = table.occupants[seat]
    assert (occupant.user_id, occupant.why, occupant.offered) == (absent, "absent", False)
    await refused(Problem.COMPUTER_PLAYS, tables.turns.act(table.id, absent, None, "fold"))
    table = await tables.absence.reclaim(table.id, ANN)
    assert table.occupants[seat].plays == absent
    assert table.occupants[seat].missed == 0
    assert (await kinds(tables, table.id))[-1] == "reclaimed"
    await refused(Problem.NOTHING_TO_RECLAIM, tables.absence.reclaim(table.id, ANN))


@pytest.mark.parametrize("chosen", [False, True])
async def test_third_late_turn_costs_the_seat(tables: Tables, programs: Programs, chosen: bool) -> None:
    table, seat, _ = await overdue(tables, programs)
    late = replace(table.occupants[seat], missed=2)
    table = replace(table, occupants={**table.occupants, seat: late})
    by = others(table).id if chosen else None
    effect = play_for(table, seat, int(programs.clock()), by=by)
    assert effect.after.occupants[seat].why is StandInReason.ABSENT
    assert [each.kind for each in effect.news] == [NewsKind.HANDED]
    told = leaving.chosen(table.language, effect.after, Remedy.PLAY, seat, 0)
    assert "until they take the seat back" in told


async def test_acting_oneself_starts_the_count_anew(tables: Tables, programs: Programs) -> None:
    table, seat, user_id = await overdue(tables, programs)
    await later(tables, programs.clock, DAILY / 10)
    table = await tables.get(table.id)
    assert table.occupants[seat].missed == 1
    while table.occupants[seat].missed and table.status is Status.PLAYING:
        table = await play_on(tables, table.id, random.Random(1), 1)
    assert table.seat_of(user_id) == seat
    assert table.occupants[seat].missed == 0


async def test_the_others_may_let_the_computer_play(tables: Tables, programs: Programs) -> None:
    table, seat, user_id = await overdue(tables, programs)
    number = table.number
    after = await tables.absence.answer_absence(table.id, others(table), seat, Remedy.PLAY)
    assert after.number > number
    assert (after.occupants[seat].plays, after.occupants[seat].missed) == (user_id, 1)
    (note,) = [one for one in await tables.notes(table.id) if one.kind == "auto_played"]
    assert note.actor_id == others(table).id


async def test_who_may_not_choose(tables: Tables, programs: Programs) -> None:
    table, seat, user_id = await overdue(tables, programs)
    await refused(Problem.OWN_SEAT, tables.absence.answer_absence(table.id, BY_ID[user_id], seat, Remedy.WAIT))
    await refused(NotAtTable, tables.absence.answer_absence(table.id, MOD, seat, Remedy.WAIT))
    helper = others(table)
    another = next(one for one in table.seats if one not in (seat, table.seat_of(helper.id)))
    await refused(Problem.NOT_OVERDUE, tables.absence.answer_absence(table.id, helper, another, Remedy.WAIT))
    await act(tables, table)
    await refused(Problem.NOT_OVERDUE, tables.absence.answer_absence(table.id, helper, seat, Remedy.PLAY))


async def test_lobbies_expire_after_a_day(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN, BEN)
    assert table.expires_at == table.created_at + DAILY
    await later(tables, programs.clock, DAILY - 2)
    assert (await tables.get(table.id)).status is Status.LOBBY
    await later(tables, programs.clock, 2)
    assert (await tables.get(table.id)).status is Status.CANCELLED
    assert (await kinds(tables, table.id))[-1] == "expired"
    assert await programs.opened[0][0].deadlines.next_due() is None


async def test_deadline_found_too_early_waits(
    tables: Tables, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For instance because the clock was put back, or new time granted, between the query and the lock."""
    late, _, _ = await overdue(tables, programs)
    waiting = await lobby(tables, ANN, BEN)
    ear = Ear(tables)
    deadlines = programs.opened[0][0].deadlines
    find, read = deadlines.games_due, deadlines.due

    async def games_due(now: int, limit: int | None = 100) -> tuple[int, ...]:
        return await find(now + 2 * DAILY, limit)

    async def due(game_ids: Sequence[int], now: int) -> Mapping[int, Mapping[int, SeatClock]]:
        return await read(game_ids, now + 2 * DAILY)

    monkeypatch.setattr(deadlines, "games_due", games_due)
    monkeypatch.setattr(deadlines, "due", due)
    await tables.deadlines.catch_up()
    await tables.settled()
    assert ear.kinds() == []
    assert (await tables.get(late.id)).number == late.number
    assert (await tables.get(waiting.id)).status is Status.LOBBY


async def test_a_lobby_that_was_started_does_not_expire(tables: Tables, programs: Programs) -> None:
    table = await started(tables, ANN, computers=3, terms=Terms(pace="none"))
    ear = Ear(tables)
    await later(tables, programs.clock, 5 * DAILY)
    assert ear.kinds() == [], "without a pace nothing is ever due"
    assert (await tables.get(table.id)).status is Status.PLAYING
    assert LOBBY_SEAT not in (await tables.get(table.id)).clocks


async def test_paused_games_do_not_tick(tables: Tables, programs: Programs) -> None:
    ear = Ear(tables)
    table = await turn(tables)
    seat, user_id = waited(table)
    await later(tables, programs.clock, 10_000)
    table = await tables.moderation.pause(table.id, MOD, "dinner")
    assert table.clocks[seat].held
    await refused(
        WrongStatus,
        tables.turns.act(table.id, user_id, None, "fold"),
        tables.absence.nudge(table.id, others(table)),
        tables.proposals.request_takeback(table.id, others(table)),
        tables.moderation.pause(table.id, MOD),
    )
    await later(tables, programs.clock, 6 * DAILY)
    assert ear.kinds() == []
    table = await tables.moderation.resume(table.id, MOD)
    assert table.clocks[seat].ends_at == int(programs.clock()) + DAILY - 10_000
    await later(tables, programs.clock, DAILY * 9 / 10 - 10_000)
    assert ear.kinds() == [NewsKind.NINETY]


async def test_restart_keeps_deadlines_and_tells_tables_once(programs: Programs) -> None:
    tables = await programs.run()
    first, second = await turn(tables), await turn(tables)
    await later(tables, programs.clock, 100)
    programs.clock.now += 5 * DAILY
    tables = await programs.restart()
    ear = Ear(tables)
    await tables.deadlines.catch_up()
    await tables.settled()
    assert sorted(table_id for table_id, _ in ear.heard) == [first.id, second.id]
    assert ear.kinds() == [NewsKind.UP, NewsKind.UP], "nobody is played for who could not be told that time was up"
    await later(tables, programs.clock, DAILY / 10)
    for one in (first, second):
        assert "auto_played" in await kinds(tables, one.id)


async def _overdue(tables: Tables, programs: Programs) -> Table:
    return (await overdue(tables, programs))[0]


async def _paused(tables: Tables, _: Programs) -> Table:
    return await tables.moderation.pause((await turn(tables)).id, MOD)


async def _noticed(tables: Tables, programs: Programs) -> Table:
    """A game of two in which a seat was announced to be on offer."""
    table = await gone(tables, programs, await started(tables, ANN, BEN, terms=DUEL), ANN)
    return await tables.absence.answer_absence(table.id, BEN, table.seat_of(ANN.id), Remedy.OFFER)


async def _host_silent(tables: Tables, programs: Programs) -> Table:
    table = await started(tables, *FOUR, terms=Terms(pace="none"))
    await later(tables, programs.clock, 1)
    legal = whole(table.game).legal(table.seat_of(BEN.id))
    return await tables.turns.act(table.id, BEN.id, None, legal[0])


async def _may_start(tables: Tables, table: Table) -> bool:
    """Return True if a player other than the host may start a full lobby; then it has begun."""
    try:
        await tables.lobby.start(table.id, BEN)
    except NotHost:
        return False
    return True


Making = Callable[[Tables, Programs], Awaitable[Table]]
Happening = Callable[[Tables, Table, Table], Awaitable[bool] | bool]

CLOCKS: Mapping[str, tuple[float, Making, Happening]] = {
    "a turn": (
        DAILY,
        lambda tables, _: turn(tables),
        lambda _, before, after: after.clocks[waited(before)[0]].overdue,
    ),
    "the others choose": (DAILY / 10, _overdue, lambda _, before, after: after.number > before.number),
    "silence": (
        SILENCE,
        lambda tables, _: turn(tables, pace="none"),
        lambda _, before, after: after.clocks[waited(before)[0]].silent,
    ),
    "a pause": (
        PAUSE,
        _paused,
        lambda _, __, after: after.status is Status.PLAYING,
    ),
    "notice": (NOTICE, _noticed, lambda _, __, after: bool(after.open_seats)),
    "a lobby": (LOBBY_LIFE, lambda tables, _: lobby(tables, ANN), lambda _, __, after: not after.is_open),
    "a full lobby": (
        FULL_LIFE,
        lambda tables, _: lobby(tables, ANN, BEN, terms=replace(DUEL, by_hand=True)),
        lambda _, __, after: not after.is_open,
    ),
    "a start": (
        STARTS_AFTER,
        lambda tables, _: lobby(tables, ANN, BEN, terms=DUEL),
        lambda _, __, after: after.status is Status.PLAYING,
    ),
    "a host who waits": (
        HOST_WAITS,
        lambda tables, _: lobby(tables, ANN, BEN, terms=replace(DUEL, by_hand=True)),
        lambda tables, _, after: _may_start(tables, after),
    ),
    "a silent host": (
        HOST_SILENT,
        _host_silent,
        lambda _, before, after: after.host_id != before.host_id,
    ),
}
"""By what ends, how long it takes, how a table comes there, and whether it has happened since."""


@pytest.mark.parametrize("name", CLOCKS)
async def test_no_clock_runs_while_the_bot_is_down(programs: Programs, name: str) -> None:
    lasts, make, has_happened = CLOCKS[name]
    tables = await programs.run()
    await tables.wake()
    before = await make(tables, programs)
    await later(tables, programs.clock, lasts / 2)
    for _ in range(2):
        await programs.stop()
        programs.clock.now += 3 * DAILY
        tables = await programs.run()
        await tables.wake()
        await tables.settled()
    seen = []
    for seconds in (lasts / 2 - 2, 3):
        await later(tables, programs.clock, seconds)
        found = has_happened(tables, before, await tables.get(before.id))
        seen.append(found if isinstance(found, bool) else await found)
    assert seen == [False, True]


async def test_boards_tell_how_long_the_bot_was_down(programs: Programs) -> None:
    table = await turn(await programs.run())
    programs.clock.now += 3 * DAILY
    tables = await programs.restart()
    await tables.wake()
    await tables.settled()
    assert (await tables.notes(table.id))[-1].data == {"seconds": 3 * DAILY}


async def test_a_short_stop_is_nothing_to_speak_of(programs: Programs) -> None:
    table = await turn(await programs.run())
    seat, _ = waited(table)
    programs.clock.now += 30
    tables = await programs.restart()
    await tables.wake()
    assert (await tables.get(table.id)).clocks[seat] == table.clocks[seat]
    assert "down" not in await kinds(tables, table.id)


async def test_a_clock_put_back_costs_nobody_their_time(tables: Tables, programs: Programs) -> None:
    programs.clock.now += 40 * DAILY
    table = await turn(tables)
    seat, _ = waited(table)
    programs.clock.now -= 40 * DAILY
    await tables.deadlines.clock_jumped(programs.clock())
    assert (await rest(tables, table.id)).clocks[seat].ends_at == int(programs.clock()) + DAILY


async def test_a_broken_game_holds_up_no_other(
    tables: Tables, programs: Programs, caplog: pytest.LogCaptureFixture
) -> None:
    broken, other = await turn(tables), await turn(tables)
    store = programs.opened[0][0]
    async with store.writing() as connection:
        await connection.exec_driver_sql(f"UPDATE actions SET text = 'fold' WHERE game_id = {broken.id}")
        await connection.exec_driver_sql(f"UPDATE games SET version = version + 1 WHERE id = {broken.id}")
    ear = Ear(tables)
    await later(tables, programs.clock, DAILY)
    assert [table_id for table_id, _ in ear.heard] == [other.id]
    assert (await store.deadlines.next_due()) > programs.clock(), "it is looked at again later, not all the time"
    said = [record for record in caplog.records if f"deadline of table {broken.id}" in record.getMessage()]
    assert [(record.levelname, record.exc_info) for record in said] == [("ERROR", None)]


async def test_idle_game_sleeps_until_a_player_returns(tables: Tables, programs: Programs) -> None:
    table = await started(tables, ANN, computers=3)
    for _ in range(3):
        await later(tables, programs.clock, DAILY)
        await later(tables, programs.clock, DAILY / 10)
    table = await rest(tables, table.id)
    assert table.asleep
    number = table.number
    await later(tables, programs.clock, 10 * DAILY)
    assert (await tables.get(table.id)).number == number
    assert (await kinds(tables, table.id)).count("asleep") == 1
    table = await tables.absence.reclaim(table.id, ANN)
    assert not table.asleep
    table = await rest(tables, table.id)
    assert ANN.id in table.waiting_for.values()
    assert table.clocks[0].ends_at == int(programs.clock()) + DAILY, "the whole time"
    assert table.paused_until is None


async def all_absent(tables: Tables, programs: Programs) -> Table:
    table = await started(tables, ANN, BEN, terms=DUEL)
    while not table.asleep:
        await later(tables, programs.clock, DAILY * 1.1)
        table = await rest(tables, table.id)
    return table


async def test_game_that_no_one_plays_ends_some_day(tables: Tables, programs: Programs) -> None:
    table = await all_absent(tables, programs)
    assert table.paused_until == int(programs.clock()) + ASLEEP
    assert f"<t:{table.paused_until}:D>" in boards.paused_line(table.language, table)
    await tables.absence.reclaim(table.id, ANN)
    while not (table := await rest(tables, table.id)).asleep:
        await later(tables, programs.clock, DAILY * 1.1)
    await later(tables, programs.clock, ASLEEP - 1)
    assert (await tables.get(table.id)).is_open
    await later(tables, programs.clock, 1)
    ended = await tables.get(table.id)
    assert (ended.status, ended.won) == (Status.CANCELLED, ())
    await refused(WrongStatus, tables.absence.reclaim(table.id, ANN))


async def test_sleeping_game_waits_for_those_announced_back(tables: Tables, programs: Programs) -> None:
    table = await all_absent(tables, programs)
    await tables.absence.reclaim(table.id, ANN)
    await tables.users.set_away(ANN, int(programs.clock()) + 30 * DAILY, AwayHow.COMPUTER)
    table = await rest(tables, table.id)
    assert (table.asleep, table.paused_until) == (True, None)
    await later(tables, programs.clock, 30 * DAILY)
    assert not (await rest(tables, table.id)).asleep


HOUR = 3_600


async def test_bank_lasts_for_the_whole_game(tables: Tables, programs: Programs) -> None:
    ear = Ear(tables)
    table = await turn(tables, pace="8h+3d")
    seat, user_id = waited(table)
    await later(tables, programs.clock, 7.5 * HOUR)
    assert ear.kinds() == [NewsKind.NINETY], "reminders come in the time for the move"
    await later(tables, programs.clock, 12.5 * HOUR)
    table = await act(tables, table)
    assert table.banked == {seat: 12 * HOUR}
    undone = await tables.proposals.undo(table.id, BY_ID[user_id])
    assert undone.banked == {seat: 12 * HOUR}, "a takeback brings no time back"
    clock = undone.clocks[seat]
    assert (clock.allowed, clock.bank) == (68 * HOUR, 60 * HOUR)
    assert (await (await programs.restart()).get(table.id)).banked == undone.banked


async def test_time_is_up_when_the_bank_is_empty(tables: Tables, programs: Programs) -> None:
    table = await turn(tables, pace="8h+3d")
    seat, user_id = waited(table)
    await later(tables, programs.clock, 79 * HOUR)
    assert not (await tables.get(table.id)).clocks[seat].overdue
    await later(tables, programs.clock, HOUR)
    table = await tables.get(table.id)
    assert (table.clocks[seat].overdue, table.time_of(seat).bank) == (True, 0)
    other = others(table)
    await tables.absence.answer_absence(table.id, other, seat, Remedy.WAIT)
    waiting = (await tables.get(table.id)).clocks[seat]
    assert (waiting.allowed, waiting.bank) == (8 * HOUR, 0)
    assert user_id == waiting.user_id


async def test_late_call_brings_no_second_wait(tables: Tables, programs: Programs) -> None:
    table, seat, _ = await overdue(tables, programs)
    await tables.absence.answer_absence(table.id, others(table), seat, Remedy.WAIT)
    tables.deadlines.stall(table.id)
    programs.clock.now += HOUR
    table = await tables.get(table.id)
    await tables.deadlines.note_called(table.id, table.decisions([seat]))
    clock = (await tables.get(table.id)).clocks[seat]
    assert (clock.waited, clock.since) == (1, int(programs.clock()))


async def test_time_to_choose_begins_once_others_are_told(tables: Tables, programs: Programs) -> None:
    table, seat, _ = await overdue(tables, programs)
    tables.deadlines.stall(table.id)
    await later(tables, programs.clock, 5 * HOUR)
    table = await tables.get(table.id)
    assert table.clocks[seat].overdue, "nothing is played unseen"
    await tables.deadlines.choose_from_now(table.id)
    table = await tables.get(table.id)
    assert table.clocks[seat].due_at == int(programs.clock()) + DAILY // 10
    marks = {seat: str(table.clocks[seat].ends_at)}
    await tables.messages.add(table.id, Message("nonce", About.UP, table.channel_id, 5, 0, "", marks))
    programs.clock.now += HOUR
    await tables.deadlines.choose_from_now(table.id)
    assert (await tables.get(table.id)).clocks == table.clocks, "they know until when"


async def test_no_seat_is_offered_while_discord_refuses(tables: Tables, programs: Programs) -> None:
    table = await gone(tables, programs, await started(tables, ANN, BEN, terms=DUEL), BEN)
    seat = table.seat_of(BEN.id)
    await tables.absence.answer_absence(table.id, ANN, seat, Remedy.OFFER)
    tables.deadlines.stall(table.id)
    await later(tables, programs.clock, NOTICE)
    assert not (await tables.get(table.id)).occupants[seat].offered, "he may not have been told"
    await tables.deadlines.note_accepted(table.id)
    await later(tables, programs.clock, 60)
    assert (await tables.get(table.id)).occupants[seat].offered


async def test_outage_leaves_the_bank_alone(tables: Tables, programs: Programs) -> None:
    await tables.deadlines.skip_downtime()
    table = await turn(tables, pace="8h+3d")
    seat, _ = waited(table)
    await later(tables, programs.clock, 9 * HOUR)
    await programs.stop()
    programs.clock.now += 48 * HOUR
    tables = await programs.run()
    await tables.wake()
    await later(tables, programs.clock, HOUR)
    assert (await act(tables, await tables.get(table.id))).banked == {seat: 2 * HOUR}
