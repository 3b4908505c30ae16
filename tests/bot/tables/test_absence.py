"""Absent people: nudging, offering and taking over seats, leaving the guild, being away, quiet hours of a game."""

import pytest

from bot.calls import find_called
from bot.errors import (
    AlreadyNudged,
    AlreadySeated,
    AwayTooLong,
    BadPreference,
    Banned,
    HasTime,
    NotAtTable,
    Problem,
    QuietTooSoon,
    Resting,
    TurnOver,
    WrongStatus,
)
from bot.moment import Moment
from bot.occupants import Person
from bot.preferences import AwayHow, Notify
from bot.table import INVITED, STARTS_AFTER, NoteKind, Status, Table, Terms
from bot.tables.absence import Remedy
from bot.tables.effects import NewsKind
from bot.tables.service import Tables
from bot.texts.public import history
from engine.secret import whole
from tests.bot import gaming
from tests.bot.gaming import (
    Ear,
    Programs,
    act,
    kinds,
    later,
    lobby,
    others,
    overdue,
    refused,
    rest,
    shown_as,
    started,
    turn,
    waited,
)
from tests.bot.people import ANN, BEN, BY_ID, CAT, DAILY, DAN, EVE, FAY, FOUR, GUILD, MOD

pytestmark = pytest.mark.on_a_file


async def test_a_nudge_once_for_each_decision(tables: Tables, programs: Programs) -> None:
    table = await turn(tables)
    seat, user_id = waited(table)
    half = int(programs.clock()) + DAILY // 2
    early = await refused(HasTime, tables.absence.nudge(table.id, others(table)))
    assert (early.user_id, early.half_at) == (user_id, half)
    await later(tables, programs.clock, DAILY / 2)
    assert await tables.absence.nudge(table.id, others(table)) == (user_id,)
    await refused(AlreadyNudged, tables.absence.nudge(table.id, others(table), seat))
    await refused(Problem.NOBODY_TO_NUDGE, tables.absence.nudge(table.id, BY_ID[user_id]))
    await refused(NotAtTable, tables.absence.nudge(table.id, EVE))
    assert (await kinds(tables, table.id))[-1] == "nudged"
    table = await tables.get(table.id)
    assert table.clocks[seat].ends_at == half + DAILY // 2, "a nudge is no action"
    await act(tables, table)
    table = await rest(tables, table.id)
    await later(tables, programs.clock, DAILY / 2)
    assert await tables.absence.nudge(table.id, others(table)) == (waited(table)[1],)


async def test_a_nudge_reaches_everyone_missing_in_an_exchange(tables: Tables, programs: Programs) -> None:
    table = await started(tables, *FOUR)
    seat = table.owners[ANN.id]
    await tables.turns.act(table.id, ANN.id, table.decision(seat), whole(table.game).legal(seat)[0])
    await later(tables, programs.clock, DAILY / 2)
    assert set(await tables.absence.nudge(table.id, ANN)) == {BEN.id, CAT.id, DAN.id}
    await refused(Problem.YOU_FIRST, tables.absence.nudge(table.id, BEN))
    await refused(WrongStatus, tables.absence.nudge((await lobby(tables, ANN)).id, ANN))


async def test_a_takeback_allows_no_second_nudge(tables: Tables) -> None:
    table = await started(tables, *FOUR, terms=Terms(pace="none"))
    _, user_id = waited(table)
    await act(tables, table)
    await tables.absence.nudge(table.id, BY_ID[user_id])
    await tables.proposals.undo(table.id, BY_ID[user_id])
    await act(tables, await tables.get(table.id))
    await refused(AlreadyNudged, tables.absence.nudge(table.id, BY_ID[user_id]))


async def test_no_nudge_in_quiet_hours(tables: Tables, programs: Programs) -> None:
    programs.clock.now = 9 * 3_600.0
    table = await turn(tables)
    _, user_id = waited(table)
    await tables.users.prefer(user_id, quiet_from=22 * 60, quiet_until=7 * 60)
    for hours in (12, 2):
        await later(tables, programs.clock, hours * 3_600)
    caught = await refused(Resting, tables.absence.nudge(table.id, others(table)))
    assert (caught.user_id, caught.until) == (user_id, 31 * 3_600)
    programs.clock.now = 32 * 3_600
    assert await tables.absence.nudge(table.id, others(table)) == (user_id,)


async def test_quiet_hours_chosen_later_count_from_then_on(tables: Tables, programs: Programs) -> None:
    programs.clock.now = 12 * 3_600.0
    table = await turn(tables)
    seat, user_id = waited(table)
    programs.clock.now += 6 * 3_600
    await tables.users.prefer(user_id, time_zone="Asia/Tokyo", quiet_from=7 * 60, quiet_until=16 * 60)
    after = await rest(tables, table.id)
    assert after.clocks[seat].ends_at == (12 + 24 + 9) * 3_600, "quiet from 22:00 to 7:00 UTC"
    assert after.clocks[seat].due_at == (12 + 12 + 9) * 3_600
    assert after.version == table.version + 1, "so that the board shows it"
    programs.clock.now += 3_600
    await tables.users.prefer(user_id, quiet_from=None, quiet_until=None)
    assert (await tables.get(table.id)).clocks[seat].ends_at == (12 + 24) * 3_600


async def test_quiet_hours_change_daily_and_slips_are_correctable(tables: Tables, programs: Programs) -> None:
    begun = int(programs.clock.now)

    async def choose(first: int | None, last: int | None, zone: str = "Europe/London") -> None:
        hours = [None if hour is None else 60 * hour for hour in (first, last)]
        await tables.users.prefer(ANN.id, quiet_from=hours[0], quiet_until=hours[1], time_zone=zone)

    for zone in ("Asia/Tokyo", "Europe/London"):
        await choose(None, None, zone)
    await choose(22, 6)
    programs.clock.now = begun + 600
    await choose(23, 6)
    tables = await programs.restart()
    for seconds in (601, DAILY - 1):
        programs.clock.now = begun + seconds
        for hours in ((21, 6), (23, 6, "Asia/Tokyo")):
            assert (await refused(QuietTooSoon, choose(*hours))).again_at == begun + DAILY, (
                "putting it right gives no new day"
            )
        # They end at any time, and the same ones may come back.
        await choose(None, None)
        await refused(QuietTooSoon, choose(9, 19))
        await choose(23, 6)
    programs.clock.now = begun + DAILY
    await choose(21, 6)
    programs.clock.now += 3_600
    assert (await refused(QuietTooSoon, choose(22, 6))).again_at == begun + 2 * DAILY
    # Weekends follow the zone.
    await refused(QuietTooSoon, choose(None, None, "Asia/Tokyo"))


async def test_downtime_causes_no_reminder_in_quiet_hours(tables: Tables, programs: Programs) -> None:
    programs.clock.now = 12 * 3_600.0
    _, user_id = waited(await turn(tables))
    await tables.users.prefer(user_id, quiet_from=22 * 60, quiet_until=7 * 60)
    ear = Ear(tables)
    programs.clock.now = 12 * 3_600
    await later(tables, programs.clock, 4 * DAILY + 11 * 3_600)
    assert ear.kinds() == []
    await later(tables, programs.clock, 8 * 3_600)
    assert ear.kinds() == [NewsKind.UP]


async def test_nobody_is_played_for_while_they_sleep(tables: Tables, programs: Programs) -> None:
    programs.clock.now = 12 * 3_600.0
    table, _, user_id = await overdue(tables, programs)
    await tables.users.prefer(user_id, quiet_from=13 * 60, quiet_until=20 * 60)
    await later(tables, programs.clock, 7 * 3_600 + DAILY / 10 - 1)
    assert (await tables.get(table.id)).number == table.number
    await later(tables, programs.clock, 1)
    assert (await tables.get(table.id)).number > table.number


async def test_choice_holds_for_the_turn_shown(tables: Tables, programs: Programs) -> None:
    table, seat, _ = await overdue(tables, programs)
    shown, choose = table.clocks[seat].decision, tables.absence.answer_absence
    earlier = Moment(shown.takebacks, shown.number - 1)
    await refused(TurnOver, choose(table.id, others(table), seat, Remedy.PLAY, earlier))
    assert (await choose(table.id, others(table), seat, Remedy.PLAY, shown)).number > table.number


async def abandoned(tables: Tables) -> tuple[Table, int, int]:
    """A game one of whose players has left the server: the seat, and whose it was."""
    table = await turn(tables)
    seat, user_id = waited(table)
    await tables.absence.member_left(GUILD, user_id)
    return await rest(tables, table.id), seat, user_id


async def test_a_member_takes_over_an_abandoned_seat(tables: Tables) -> None:
    table, seat, user_id = await abandoned(tables)
    assert table.open_seats == (seat,)
    table = await tables.absence.take_over(table.id, EVE, seat)
    assert (table.seat_of(EVE.id), table.seat_of(user_id)) == (seat, None)
    assert table.occupants[seat].plays == EVE.id
    note = next(one for one in reversed(await tables.notes(table.id)) if one.kind == NoteKind.TAKEN_OVER)
    assert (note.kind, note.actor_id, note.seat) == ("taken_over", EVE.id, seat)
    assert note.data["old_user_id"] == user_id
    assert {row.actor for row in (await tables.log(table.id)) if row.seat == seat} == {user_id, "computer"}
    await refused(AlreadySeated, tables.absence.take_over(table.id, EVE, seat))
    await refused(NotAtTable, tables.absence.reclaim(table.id, BY_ID[user_id]))


async def test_who_may_not_take_over(tables: Tables, programs: Programs) -> None:
    table, seat, user_id = await abandoned(tables)
    await refused(Problem.NO_SUCH_SEAT, tables.absence.take_over(table.id, EVE, 9))
    helper = next(person for person in FOUR if person.id != user_id)
    await refused(AlreadySeated, tables.absence.take_over(table.id, helper, seat))
    own = table.seat_of(helper.id)
    await tables.turns.leave_game(table.id, helper)
    await refused(Problem.SAW_OTHER_HAND, tables.absence.take_over(table.id, helper, seat))
    await tables.absence.take_over(table.id, helper, own)
    await tables.moderation.ban(MOD, GUILD, FAY.id, "cheating")
    await refused(Banned, tables.absence.take_over(table.id, FAY, seat))


@pytest.mark.parametrize("why", ["blocked", "locked", "freed", "offered"])
async def test_no_way_past_a_host_by_taking_over(tables: Tables, programs: Programs, why: str) -> None:
    table = await lobby(tables, ANN, BEN, CAT, terms=Terms(pace="daily"))
    if why == "freed":
        table = await tables.lobby.join(table.id, EVE)
        await tables.lobby.free_seat(table.id, ANN, EVE.id)
    await tables.lobby.join(table.id, DAN)
    if why in ("locked", "offered"):
        await tables.arranging.set_terms(table.id, ANN, {"admits": INVITED})
    programs.clock.now += STARTS_AFTER
    await tables.lobby.start(table.id, ANN)
    if why == "blocked":
        await tables.users.block(ANN.id, EVE.id)
    if why == "offered":
        table = await gaming.gone(tables, programs, await rest(tables, table.id), DAN)
        for person in (ANN, BEN):
            await tables.absence.answer_absence(table.id, person, table.seat_of(DAN.id), Remedy.OFFER)
        assert (await tables.absence.take_over(table.id, EVE, table.seat_of(DAN.id))).seat_of(EVE.id) is not None
        return
    seat = (await tables.get(table.id)).seat_of(DAN.id)
    await tables.turns.leave_game(table.id, DAN)
    await refused(Problem.NOT_ADMITTED, tables.absence.take_over(table.id, EVE, seat))
    assert (await tables.absence.take_over(table.id, FAY, seat)).seat_of(FAY.id) == seat if why != "locked" else True


async def test_replaced_owner_may_not_take_another_seat(tables: Tables, programs: Programs) -> None:
    table, seat, user_id = await abandoned(tables)
    await tables.absence.take_over(table.id, EVE, seat)
    helper = next(person for person in FOUR if person.id != user_id)
    free = (await tables.get(table.id)).seat_of(helper.id)
    await tables.turns.leave_game(table.id, helper)
    await refused(Problem.SAW_OTHER_HAND, tables.absence.take_over(table.id, BY_ID[user_id], free))


async def test_leaving_the_guild_frees_the_seats(tables: Tables) -> None:
    game, waiting = await turn(tables), await lobby(tables, BEN, ANN)
    assert await tables.absence.member_left(GUILD + 1, ANN.id) == ()
    assert {one.id for one in await tables.absence.member_left(GUILD, ANN.id)} == {game.id, waiting.id}
    table = await rest(tables, game.id)
    seat = table.seat_of(ANN.id)
    assert (table.occupants[seat].why, table.open_seats) == ("left_guild", (seat,))
    assert (await tables.get(waiting.id)).seat_of(ANN.id) is None
    assert await tables.absence.member_left(GUILD, ANN.id) == ()
    assert (await tables.absence.reclaim(game.id, ANN)).occupants[seat].plays == ANN.id


@pytest.mark.parametrize("alone", [False, True])
async def test_deserted_game_ends_and_makes_room(tables: Tables, alone: bool) -> None:
    await tables.moderation.configure_guild(MOD, GUILD, per_channel=1)
    table = await started(tables, ANN, computers=3) if alone else await started(tables, ANN, BEN, CAT, DAN)
    people = [ANN] if alone else [ANN, BEN, CAT, DAN]
    for person in people:
        assert (await tables.get(table.id)).is_open
        await tables.absence.member_left(GUILD, person.id)
    table = await tables.get(table.id)
    assert table.status is Status.CANCELLED
    told = "\n".join(history.pages(table.language, table, (), await tables.notes(table.id), ()))
    assert "All players have left" in told
    assert "cancels" not in told
    assert (await lobby(tables, EVE)).is_open


async def test_away_with_a_computer_until_the_day_comes(tables: Tables, programs: Programs) -> None:
    table = await turn(tables)
    until = int(programs.clock()) + 3 * DAILY
    (changed,) = await tables.users.set_away(ANN, until, AwayHow.COMPUTER)
    seat = changed.seat_of(ANN.id)
    assert (changed.occupants[seat].why, changed.occupants[seat].plays, changed.open_seats) == ("away", None, ())
    await later(tables, programs.clock, 3 * DAILY - 5)
    assert (await tables.get(table.id)).occupants[seat].plays is None
    await later(tables, programs.clock, 5)
    assert (await tables.get(table.id)).occupants[seat].plays == ANN.id
    assert (await tables.users.preferences(ANN.id)).away_until is None
    noted = await kinds(tables, table.id)
    assert "away" in noted
    assert "back" in noted


async def test_away_with_the_clock_standing_still(tables: Tables, programs: Programs) -> None:
    ear = Ear(tables)
    table = await turn(tables)
    seat, user_id = waited(table)
    await shown_as(tables, table, 5)
    until = int(programs.clock()) + 5 * DAILY
    await tables.users.set_away(BY_ID[user_id], until, AwayHow.SLOW)
    table = await rest(tables, table.id)
    assert table.clocks[seat].ends_at == until + DAILY
    await later(tables, programs.clock, 5 * DAILY)
    assert ear.kinds() == []
    table = await tables.get(table.id)
    assert seat not in find_called(table), "who comes home is called"
    assert table.clocks[seat].ends_at == int(programs.clock()) + DAILY
    await shown_as(tables, table, 6)
    await later(tables, programs.clock, DAILY)
    assert ear.kinds() == [NewsKind.UP]


async def test_coming_back_early(tables: Tables, programs: Programs) -> None:
    seat, user_id = waited(await turn(tables))
    person = BY_ID[user_id]
    for how in AwayHow:
        await tables.users.set_away(person, int(programs.clock()) + 9 * DAILY, how)
    (table,) = await tables.users.come_back(person)
    assert table.occupants[seat].plays == user_id
    assert await tables.users.come_back(person) == ()
    table = await rest(tables, table.id)
    await tables.users.set_away(person, int(programs.clock()) + 9 * DAILY, AwayHow.COMPUTER)
    await tables.users.set_away(person, int(programs.clock()) + 9 * DAILY, AwayHow.SLOW)
    assert (await rest(tables, table.id)).occupants[seat].plays == user_id, "another choice replaces the first"


async def test_everybody_away_and_the_game_sleeps(tables: Tables, programs: Programs) -> None:
    table = await started(tables, ANN, computers=3)
    number = table.number
    await tables.users.set_away(ANN, int(programs.clock()) + DAILY, AwayHow.COMPUTER)
    table = await rest(tables, table.id)
    assert (table.asleep, table.number, table.waiting_for) == (True, number, {})
    await later(tables, programs.clock, DAILY)
    table = await rest(tables, table.id)
    assert (table.asleep, set(table.waiting_for.values())) == (False, {ANN.id})


async def test_what_people_prefer(tables: Tables, programs: Programs) -> None:
    assert (await tables.users.preferences(5)).notify is Notify.CHANNEL
    await tables.users.prefer(5, notify="dm", time_zone="Europe/Zurich", theme="wood", locale="de")
    assert (await tables.users.prefer(5, quiet_from=0, quiet_until=600)).wants_dm
    again = await (await programs.restart()).users.preferences(5)
    assert (again.notify, again.time_zone, again.quiet_until) == (Notify.DM, "Europe/Zurich", 600)


@pytest.mark.parametrize(
    "wrong",
    [
        {"notify": "pigeon"},
        {"time_zone": "Middle/Earth"},
        {"quiet_from": 0, "quiet_until": 601},
        {"quiet_from": 0},
        {"quiet_from": 0, "quiet_until": 1_440},
        {"quiet_from": 60, "quiet_until": 60},
        {"dm_closed_at": 5},
    ],
)
async def test_preferences_that_cannot_be(tables: Tables, wrong: dict[str, object]) -> None:
    await refused(BadPreference, tables.users.prefer(5, **wrong))
    assert await tables.users.preferences(5) == await tables.users.preferences(5)
    assert (await tables.users.preferences(5)).quiet_from is None


async def test_closed_direct_messages_are_retried_on_request(tables: Tables) -> None:
    await tables.users.prefer(5, notify=Notify.DM)
    await tables.users.dm_closed(5)
    person = await tables.users.preferences(5)
    assert (person.wants_dm, person.wants_channel_ping) == (False, True)
    assert (await tables.users.prefer(5, notify=Notify.BOTH)).wants_dm


async def test_away_for_too_long_or_in_the_past(tables: Tables, programs: Programs) -> None:
    for until in (0, int(programs.clock()), int(programs.clock()) + 31 * DAILY):
        await refused(BadPreference, tables.users.set_away(Person(5, "Eve"), until, AwayHow.SLOW))


async def gone(tables: Tables, table: Table, how: str) -> Table:
    """The table after its host has gone in one of the ways there are."""
    if how == "leaves":
        await tables.turns.leave_game(table.id, ANN)
    elif how == "leaves the server":
        await tables.absence.member_left(GUILD, ANN.id)
        assert (await tables.get(table.id)).seat_of(ANN.id) is not None, "the seat stays theirs"
    else:
        await tables.moderation.ban(MOD, GUILD, ANN.id, "cheating")
    return await rest(tables, table.id)


@pytest.mark.parametrize("how", ["leaves", "leaves the server", "is banned"])
async def test_next_player_follows_an_absent_host(tables: Tables, how: str) -> None:
    table = await turn(tables)
    assert table.host_id == ANN.id
    assert (await gone(tables, table, how)).host_id == BEN.id
    assert NoteKind.HOSTED in await kinds(tables, table.id)


async def test_who_is_away_follows_no_host(tables: Tables, programs: Programs) -> None:
    table = await turn(tables)
    await tables.users.set_away(BEN, int(programs.clock()) + DAILY, AwayHow.COMPUTER)
    assert (await gone(tables, table, "leaves")).host_id == CAT.id


async def test_replaced_host_is_followed_by_a_present_player(tables: Tables, programs: Programs) -> None:
    table = await started(tables, *FOUR)
    seat = table.seat_of(ANN.id)
    await tables.turns.leave_game(table.id, ANN)
    assert (await tables.absence.take_over(table.id, EVE, seat)).host_id == BEN.id
    other = await started(tables, *FOUR)
    await tables.users.set_away(ANN, int(programs.clock()) + DAILY, AwayHow.COMPUTER)
    assert (await rest(tables, other.id)).host_id == ANN.id


async def test_waking_player_becomes_host_of_a_sleeping_game(tables: Tables, programs: Programs) -> None:
    table = await started(tables, ANN, BEN, terms=Terms(system="royal-basic", players=2))
    await tables.users.set_away(BEN, int(programs.clock()) + DAILY, AwayHow.COMPUTER)
    table = await gone(tables, table, "leaves")
    assert (table.asleep, table.host_id) == (True, ANN.id)
    await tables.users.come_back(BEN)
    table = await rest(tables, table.id)
    assert (table.asleep, table.host_id) == (False, BEN.id)


async def test_games_wait_for_forty_five_days_a_year(tables: Tables, programs: Programs) -> None:
    person = Person(5, "Eve")
    await tables.users.set_away(person, int(programs.clock()) + 30 * DAILY, AwayHow.SLOW)
    programs.clock.now += 10 * DAILY
    await tables.users.come_back(person)
    assert (await tables.users.preferences(5)).away_left(int(programs.clock())) == 35 * DAILY, (
        "only what was used counts"
    )
    for _ in range(2):
        await tables.users.set_away(person, int(programs.clock()) + 17 * DAILY, AwayHow.SLOW)
        programs.clock.now += 17 * DAILY
        await later(tables, programs.clock, 1)
    refusal = await refused(AwayTooLong, tables.users.set_away(person, int(programs.clock()) + 3 * DAILY, AwayHow.SLOW))
    assert refusal.count == 1
    await tables.users.set_away(person, int(programs.clock()) + 30 * DAILY, AwayHow.COMPUTER)
    programs.clock.now += 365 * DAILY
    assert (await tables.users.preferences(5)).away_left(int(programs.clock())) == 45 * DAILY


async def test_fast_game_does_not_wait_for_the_absent(tables: Tables, programs: Programs) -> None:
    table = await turn(tables, pace="brisk")
    seat, user_id = waited(table)
    (changed,) = await tables.users.set_away(BY_ID[user_id], int(programs.clock()) + 20 * DAILY, AwayHow.SLOW)
    assert (changed.occupants[seat].plays, changed.occupants[seat].why) == (None, "away")
    table = await tables.absence.reclaim(table.id, BY_ID[user_id])
    assert all(clock.ends_at <= int(programs.clock()) + 3_600 for clock in table.clocks.values())
