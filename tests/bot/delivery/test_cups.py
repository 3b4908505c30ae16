"""Cups step by step, with a Discord that only counts: a program killed after each step, two at once, and the rules."""

import asyncio
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bot.cup import Cup, CupCourse, CupPlan, CupStage, Format, How, Overdue
from bot.delivery import cup_runner, posting
from bot.errors import Banned, CupProblem, NotInCup, Problem
from bot.languages.direction import RIGHT_TO_LEFT
from bot.occupants import Person
from bot.showing.emojis import dress, undress
from bot.table import OPEN, Feature, Lost, Status, Table, Terms
from bot.tables.absence import Remedy
from bot.tables.endings import CupEnding, count_home
from bot.tables.service import Tables
from engine import Options, Teams
from engine.record import load_record
from engine.secret import whole
from tests.bot.gaming import Programs, refused
from tests.bot.people import CHANNEL, GUILD, MOD
from tools.campaigns.cups import CHANNEL_GONE, Hall, act_once, opened, people, write_game

DAY = 86_400
pytestmark = pytest.mark.on_a_file


@pytest.fixture
def hall(programs: Programs, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Hall:
    monkeypatch.setattr(cup_runner, "now", programs.clock)
    monkeypatch.setattr(posting, "now", programs.clock)
    monkeypatch.setattr(cup_runner, "PATIENCE", 600.0)
    monkeypatch.setattr(cup_runner, "poster_png", lambda *_: b"")
    monkeypatch.setattr(cup_runner, "standings_png", lambda *_: b"")
    return Hall(programs.opened[0][0], programs.clock)


def check_nothing_twice(hall: Hall) -> None:
    assert not hall.discord.faults()


async def play_all(hall: Hall, dice: random.Random) -> Cup:
    """Every table is decided by dice until the cup is over."""
    store = hall.store
    for _ in range(60):
        tables = await hall.work()
        for table_id in await store.games.open_ids():
            table = await tables.get(table_id)
            await tables.cup_games.decide(table_id, dice.randrange(len(table.board.teams)), CupEnding.MODERATOR)
        cup = await hall.cup()
        if not cup.is_open:
            await hall.work()
            return await hall.cup()
    raise AssertionError("the cup never ends")


async def test_all_posts_are_dressed(hall: Hall) -> None:
    await opened(hall, CupPlan(replace(CupPlan().terms, locale="ar"), format=Format.PAIRS), people(8))
    await hall.work()
    cup = await hall.cup()
    _tables, _cups, runner = hall.begin()
    assert await runner.ask_partner(cup, cup.entries[1], 9)
    await runner._refresh(cup.id)
    told = [*(content for _, content, _ in hall.discord.posts.values()), *hall.discord.edits]
    assert len(told) > 3
    assert all(RIGHT_TO_LEFT in text and dress(undress(text)) == text for text in told)


@pytest.mark.parametrize("killed", [False, True])
async def test_a_round_is_drawn_opened_and_said_once(hall: Hall, killed: bool) -> None:
    await opened(hall, CupPlan(rounds=2, overdue=Overdue.PIECES), people(9))
    hall.discord.deadly = killed
    for _ in range(2):
        tables = await hall.work()
        hall.discord.deadly = False
        await act_once(hall, tables)
        hall.discord.deadly = killed
        hall.clock.now += 8 * DAY
    await hall.work()
    cup = await hall.cup()
    assert cup.stage is CupStage.OVER
    assert len(cup.rounds) == 2
    assert len(hall.discord.threads) == 4
    check_nothing_twice(hall)
    games = await hall.store.games.ids_of_cup(cup.id)
    assert sorted(games) == [1, 2, 3, 4]
    assert {how for round in cup.rounds for match in round.matches for how in [match.outcomes[0].how]} <= {
        How.PIECES,
        How.ENDED,
    }


async def play_round(hall: Hall) -> None:
    """Everyone acts, then the first team of each table wins."""
    tables = await hall.work()
    await act_once(hall, tables)
    for table_id in await hall.store.games.open_ids():
        await tables.cup_games.decide(table_id, 0, CupEnding.MODERATOR)
    await hall.work()


async def test_a_cup_goes_into_records_and_statistics(hall: Hall) -> None:
    entered = people(4)
    await opened(hall, CupPlan(rounds=2), entered)
    for _ in range(2):
        await play_round(hall)
    cup = await hall.cup()
    first = [entry for entry in cup.entries.values() if entry.place == 1]
    assert first
    assert len(first) < 4
    told = [text for _, text, _ in hall.discord.posts.values()][-1]
    assert told.count("road to victory") == len(first), "each winner's"
    tables, *_ = hall.begin()
    assert {line.name for line in await tables.results.cups_won(GUILD)} == {entry.name for entry in first}
    assert not await tables.results.cups_won(GUILD, cup.ended_at + 1)
    for entry in cup.entries.values():
        (line,) = (await tables.results.stats(entry.user_id, GUILD)).cups
        assert (line.cup, line.place) == ("Spring", entry.place)
    await tables.users.prefer(first[0].user_id, unlisted=True)
    assert first[0].name not in {line.name for line in await tables.results.cups_won(GUILD)}
    table_id, _ = (await hall.store.games.ids_of_cup(cup.id))[2]
    record = load_record((await tables.records.text(table_id)).encode())
    assert record.event == (2, "Spring")
    assert record.winners


async def test_players_change_no_table_that_waits_to_be_begun(hall: Hall) -> None:
    entered = people(4)
    await opened(hall, CupPlan(rounds=2), entered)
    tables, cups, _ = hall.begin()
    table = await cups.open_game(await cups.begin(await hall.cup()), 1)
    host = next(person for person in entered if person.id == table.host_id)
    assert table.status is Status.LOBBY
    await refused(Problem.IN_CUP, tables.lobby.leave(table.id, host))
    await refused(Problem.IN_CUP, tables.lobby.start(table.id, host))
    await refused(Problem.IN_CUP, tables.turns.cancel(table.id, host))
    await refused(Problem.IN_CUP, tables.arranging.set_terms(table.id, host, {"pace": "live"}))


async def test_seats_of_a_cup_are_not_given_away(hall: Hall) -> None:
    entered = people(4)
    await opened(hall, CupPlan(rounds=2), entered)
    tables = await hall.work()
    (table_id,) = await hall.store.games.open_ids()
    table = await tables.get(table_id)
    assert table.terms.rated
    assert not table.hints
    ann, ben, *_ = [next(one for one in entered if one.id == user) for user in table.owners]
    outside, seat = people(5)[4], table.owners[ann.id]
    await refused(Problem.IN_CUP, tables.proposals.propose_hints(table_id, ann))
    await refused(Problem.IN_CUP, tables.friends.ask(table_id, ann, outside, GUILD))
    await refused(Problem.IN_CUP, tables.absence.take_over(table_id, outside, seat))
    await refused(Problem.IN_CUP, tables.absence.answer_absence(table_id, ben, seat, Remedy.OFFER))
    await refused(Problem.IN_CUP, tables.turns.cancel(table_id, ann))


async def test_a_full_cup_takes_no_more(hall: Hall) -> None:
    plan = CupPlan(format=Format.PAIRS, course=CupCourse.ALL)
    _, cups, _ = hall.begin()
    cup = await cups.open((await cups.plan(MOD, GUILD, CHANNEL, "Full", plan)).id, MOD, GUILD)
    *entered, late = people(plan.most + 1)
    await asyncio.gather(*(cups.enter(cup.id, person, GUILD) for person in entered[:3]))
    for person in entered[3:]:
        await cups.enter(cup.id, person, GUILD)
    assert {entry.number for entry in (await cups.get(cup.id)).entries.values()} == {*range(1, 33)}
    await refused(CupProblem.FULL, cups.enter(cup.id, late, GUILD))
    await refused(CupProblem.ENTERED, cups.enter(cup.id, entered[0], GUILD))
    await refused(CupProblem.NOT_ENTERED, cups.leave(cup.id, late, GUILD))


async def test_computers_play_for_those_forgotten_after_the_draw(hall: Hall) -> None:
    entered = people(8)
    await opened(hall, CupPlan(rounds=2), entered)
    tables, cups, _ = hall.begin()
    await cups.begin(await hall.cup())
    await tables.privacy.forget(entered[2].id)
    tables = await hall.work()
    found = [await tables.get(table_id) for table_id in await hall.store.games.open_ids()]
    assert sorted(len(table.owners) for table in found) == [3, 4]
    assert all(user > 0 for table in found for user in table.owners)


async def test_two_programs_do_it_once(hall: Hall) -> None:
    await opened(hall, CupPlan(rounds=2), people(8))
    for _ in range(3):
        await asyncio.gather(*(hall.begin()[2].work() for _ in range(2)))
    await hall.work()
    cup = await hall.cup()
    assert len(cup.rounds) == 1
    assert len(await hall.store.games.ids_of_cup(cup.id)) == 2
    # Both may have opened a thread at the same moment; only one has a table.
    said = Counter(text for _, text, _ in hall.discord.posts.values())
    assert max(said.values()) == 1


async def test_trouble_at_discord_is_tried_again(hall: Hall) -> None:
    await opened(hall, CupPlan(rounds=2), people(8))
    hall.discord.fails = 7
    for _ in range(9):
        await hall.work()
    assert len(hall.discord.threads) == 2
    check_nothing_twice(hall)


PLANS = {
    "drawn": CupPlan(rounds=3, length=None),
    "pairs": CupPlan(format=Format.PAIRS, rounds=3, length=None),
    "alone": CupPlan(Terms("classic", 4, Options(teams=Teams.ALONE)), Format.ALONE, rounds=3, length=None),
    "all": CupPlan(Terms("keezen", 2), Format.ALONE, CupCourse.ALL, length=None),
    "knockout": CupPlan(Terms("keezen", 2), Format.ALONE, CupCourse.KNOCKOUT, best_of=3, length=None),
}


@pytest.mark.parametrize("name", PLANS)
async def test_cups_come_to_their_end(hall: Hall, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    # Nobody acts at these tables, which would cost them their places.
    monkeypatch.setattr("bot.cups.changes.MISSED", 10**6)
    await opened(hall, PLANS[name], people(8))
    cup = await play_all(hall, random.Random(8))
    assert cup.stage is CupStage.OVER
    assert all(match.is_over(cup.plan.best_of) for round in cup.rounds for match in round.matches)
    check_nothing_twice(hall)


async def test_missing_two_tables_costs_the_place(hall: Hall) -> None:
    entered = people(8)
    await opened(hall, CupPlan(rounds=4), entered)
    gone = entered[3].id
    for _ in range(3):
        tables = await hall.work()
        await act_once(hall, tables, without=[gone])
        hall.clock.now += 8 * DAY
    await hall.work()
    cup = await hall.cup()
    entry = cup.entry_of(gone)
    assert entry is not None
    assert (entry.missed, entry.until) == (2, 2)
    assert all(entry.number not in match.players for match in cup.rounds[2].matches)
    assert all(other.missed == 0 for other in cup.entries.values() if other is not entry)


async def test_computers_play_on_when_time_is_up(hall: Hall) -> None:
    await opened(hall, CupPlan(rounds=2, overdue=Overdue.COMPUTERS), people(4))
    tables = await hall.work()
    await act_once(hall, tables)
    hall.clock.now += 8 * DAY
    await hall.work()
    cup = await hall.cup()
    outcome = cup.rounds[0].matches[0].outcomes[0]
    assert outcome.how is How.COMPUTERS
    assert outcome.won is not None
    assert outcome.absent == ()
    assert outcome.home[outcome.won] == 8


async def act_on(tables: Tables, table_id: int) -> Table:
    """Everyone at a table plays the first thing they can until it is over."""
    while (table := await tables.get(table_id)).is_open:
        (seat, user), *_ = table.waiting_for.items()
        await tables.turns.act(table_id, user, table.decision(seat), whole(table.game).legal(seat)[0])
        await tables.settled(table_id)
    return table


async def test_a_capped_game_ends_with_its_last_round(hall: Hall) -> None:
    await opened(hall, CupPlan(rounds=2, scoring="pieces", cap=2), people(4))
    tables = await hall.work()
    (table_id,) = await hall.store.games.open_ids()
    table = await act_on(tables, table_id)
    assert (table.game.round, table.rounds) == (3, 2), "the cards of the third were dealt, and are not played"
    await hall.work()
    outcome = (await hall.cup()).rounds[0].matches[0].outcomes[0]
    assert (outcome.how, outcome.rounds, outcome.absent) == (How.CAPPED, 2, ())
    view = whole(table.game).view()
    assert outcome.won == (None if table.status is Status.CANCELLED else table.board.teams.index(table.won))
    assert outcome.home == tuple(count_home(team, view.pieces) for team in table.board.teams)


async def test_tables_in_dms_count_where_the_cup_is(hall: Hall) -> None:
    await opened(hall, CupPlan(rounds=2, cap=1, in_dms=True), people(4))
    tables = await hall.work()
    (table_id,) = await hall.store.games.open_ids()
    table = await tables.get(table_id)
    assert table.in_dms
    assert not hall.discord.threads
    assert {channel for channel, _, _ in hall.discord.posts.values()} == {CHANNEL}
    assert len(hall.discord.posts) == 2, "the opening and the round; no one is called in the channel"
    await tables.cup_games.decide(table_id, 0, CupEnding.MODERATOR)
    await tables.settled()
    winner = table.occupants[table.board.teams[0][0]].user_id
    assert [result.guild_id for result in (await tables.results.stats(winner, GUILD)).results] == [GUILD]


async def test_a_player_without_dms_gets_a_thread(hall: Hall) -> None:
    await opened(hall, CupPlan(rounds=2, in_dms=True), people(8))
    tables, *_ = hall.begin()
    await tables.users.dm_closed(people(8)[0].id)
    tables = await hall.work()
    found = [await tables.get(table_id) for table_id in await hall.store.games.open_ids()]
    assert sorted(table.in_dms for table in found) == [False, True]
    assert len(hall.discord.threads) == 1
    check_nothing_twice(hall)


async def test_players_whom_no_letter_reaches_are_called(hall: Hall) -> None:
    entered = people(4)
    await opened(hall, CupPlan(rounds=2, in_dms=True), entered)

    async def refused_letter(_table_id: int, user_id: int) -> None:
        if user_id == entered[2].id:
            await tables.users.dm_closed(user_id)

    tables, _, runner = hall.begin()
    runner._reaches = refused_letter
    await runner.work()
    await tables.settled()
    ((text, pinged),) = [(text, users) for _, text, users in hall.discord.posts.values() if "/dog hand" in text]
    assert pinged == [entered[2].id]
    assert all(f"<@{person.id}>" in text for person in entered), "no one reads who accepts no direct messages"
    assert "message" not in text


async def test_computers_play_on_no_further_than_the_cap(hall: Hall) -> None:
    await opened(hall, CupPlan(rounds=2, overdue=Overdue.COMPUTERS, cap=3), people(4))
    await act_once(hall, await hall.work())
    hall.clock.now += 8 * DAY
    await hall.work()
    outcome = (await hall.cup()).rounds[0].matches[0].outcomes[0]
    assert (outcome.how, outcome.rounds) == (How.COMPUTERS, 3)


async def test_moderators_decide_what_is_left(hall: Hall) -> None:
    entered = people(8)
    await opened(hall, CupPlan(rounds=2, overdue=Overdue.MODERATOR), entered)
    await hall.work()
    _, cups, _ = hall.begin()
    cup = await hall.cup()
    elsewhere = next(one for one in entered if cup.entry_of(one.id).number in cup.rounds[0].matches[1].players)
    playing, game = replace(elsewhere, moderates=MOD.moderates), cup.rounds[0].matches[0].games[0]
    await refused(CupProblem.OWN_CUP, cups.decide(cup.id, playing, GUILD, game, 0))
    hall.clock.now += 8 * DAY
    await hall.work()
    assert [text for _, text, _ in hall.discord.posts.values() if "moderator decides" in text]
    _, cups, _ = hall.begin()
    cup = await hall.cup()
    first, second = (match.games[0] for match in cup.rounds[0].matches)
    own = next(one for one in entered if cup.entry_of(one.id).number in cup.rounds[0].matches[0].players)
    await refused(CupProblem.NOT_YOURS, cups.decide(cup.id, own, GUILD, first, 0))
    playing = replace(own, moderates=MOD.moderates)
    await refused(CupProblem.OWN_TABLE, cups.decide(cup.id, playing, GUILD, first, 0))
    await cups.decide(cup.id, replace(elsewhere, moderates=MOD.moderates), GUILD, first, 1)
    await cups.decide(cup.id, MOD, GUILD, second, 1)
    await refused(CupProblem.DECIDED, cups.decide(cup.id, MOD, GUILD, second, 0))
    await hall.work()
    assert len((await hall.cup()).rounds) == 2


async def test_partners_of_those_who_leave_wait_for_others(hall: Hall) -> None:
    await opened(hall, CupPlan(format=Format.PAIRS, rounds=3, length=None), people(9))
    await hall.work()
    cup = await hall.cup()
    (over,) = [entry for entry in cup.entries.values() if entry.partner is None]
    gone, left = (cup.entries[number] for number in cup.sides(1)[0])
    _, cups, _ = hall.begin()
    await cups.leave(cup.id, Person(gone.user_id, gone.name), GUILD)
    await play_round(hall)
    cup = await hall.cup()
    assert len(cup.rounds) == 2
    assert tuple(sorted((left.number, over.number))) in cup.sides(2)
    assert gone.number not in {number for match in cup.rounds[1].matches for number in match.players}


async def test_a_pair_is_out_where_no_side_can_enter(hall: Hall) -> None:
    await opened(hall, CupPlan(format=Format.PAIRS, course=CupCourse.ALL, length=None), people(8))
    await hall.work()
    cup = await hall.cup()
    gone, left = (cup.entries[number] for number in cup.sides(1)[0])
    _, cups, _ = hall.begin()
    cup = await cups.leave(cup.id, Person(gone.user_id, gone.name), GUILD)
    assert (cup.entries[gone.number].until, cup.entries[left.number].until) == (1, 1)
    assert (gone.number, left.number) in cup.sides(1), "they have played"


async def test_a_cup_that_waits_for_discord_delays_no_other(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cup_runner, "PATIENCE", 0.05)
    for name in ("Slow", "Fast"):
        await opened(hall, CupPlan(rounds=2), people(4), name)
    create, never = hall.discord.create_thread, asyncio.Event()

    async def create_thread(name: str, **more: Any) -> Any:
        await (never.wait() if name.startswith("Slow") else asyncio.sleep(0))
        return await create(name, **more)

    monkeypatch.setattr(hall.discord, "create_thread", create_thread)
    *_, runner = hall.begin()
    while not hall.discord.threads:
        await runner.work()
    assert [thread.name[:4] for thread in hall.discord.threads] == ["Fast"]
    never.set()
    monkeypatch.setattr(cup_runner, "PATIENCE", 60.0)
    await runner.work()
    await runner.close()
    assert sorted(thread.name[:4] for thread in hall.discord.threads) == ["Fast", "Slow"]


async def test_late_entries_leavers_and_the_banned(hall: Hall) -> None:
    entered = people(9)
    await opened(hall, CupPlan(rounds=3, length=None), entered[:8])
    tables = await hall.work()
    _, cups, _ = hall.begin()
    cup = await hall.cup()
    await cups.enter(cup.id, entered[8], GUILD)
    await cups.leave(cup.id, entered[0], GUILD)
    await refused(CupProblem.CLOSED, cups.enter(cup.id, entered[0], GUILD))
    await tables.moderation.ban(MOD, GUILD, entered[1].id)
    await refused(Banned, cups.enter(cup.id, entered[1], GUILD))
    for table_id in await hall.store.games.open_ids():
        await tables.cup_games.decide(table_id, 0, CupEnding.MODERATOR)
    await hall.work()
    cup = await hall.cup()
    assert len(cup.rounds) == 2
    there = {number for side in cup.sides(2) for number in side}
    assert there == {3, 4, 5, 6, 7, 8, 9}


async def test_cancelled_cups_end_their_tables(hall: Hall) -> None:
    cup = await opened(hall, CupPlan(rounds=2), people(8))
    await hall.work()
    _, cups, _ = hall.begin()
    host, playing = Person(77, "Host"), replace(people(1)[0], moderates=MOD.moderates)
    cup = await hall.cup()
    cup = await hall.store.cups.change(cup, replace(cup, host_id=host.id))
    for person, problem in ((people(1)[0], "NOT_YOURS"), (host, "NOT_YOURS"), (playing, "OWN_CUP")):
        await refused(CupProblem[problem], cups.cancel(cup.id, person, GUILD, "I lose"))
    await refused(CupProblem.NO_REASON, cups.cancel(cup.id, MOD, GUILD))
    await cups.cancel(cup.id, MOD, GUILD, "cheating")
    tables = await hall.work()
    games = await hall.store.games.ids_of_cup(cup.id)
    for table_id, _ in games.values():
        assert [note.data.get("reason") for note in await tables.notes(table_id)][-1] == "cheating"
    assert {status for _, status in games.values()} == {Status.CANCELLED}
    assert not [status for _, status in games.values() if status in OPEN]
    assert sum("cancelled" in text for _, text, _ in hall.discord.posts.values()) == 1


async def test_partners_need_each_others_yes(hall: Hall) -> None:
    ann, ben, cleo = people(3)
    _, cups, _ = hall.begin()
    cup = await cups.plan(MOD, GUILD, CHANNEL, "Pairs", CupPlan(format=Format.PAIRS))
    cup = await cups.open(cup.id, MOD, GUILD)
    cup = await cups.enter(cup.id, ann, GUILD, ben)
    assert cup.sides(1) == ()
    cup = await cups.enter(cup.id, cleo, GUILD, ann)
    assert cup.sides(1) == (), "Ann has not asked Cleo"
    cup = await cups.enter(cup.id, ben, GUILD, ann)
    assert cup.sides(1) == ((1, 3),)
    await refused(CupProblem.PARTNER_TAKEN, cups.enter(cup.id, cleo, GUILD, ben))
    await refused(CupProblem.NOT_YOURSELF, cups.enter(cup.id, cleo, GUILD, cleo))
    tables, *_ = hall.begin()
    await tables.moderation.ban(MOD, GUILD, people(4)[3].id)
    await refused(CupProblem.PARTNER_BARRED, cups.enter(cup.id, cleo, GUILD, people(4)[3]))
    cup = await cups.leave(cup.id, ben, GUILD)
    assert cup.entries[1].partner is None


async def test_a_lost_day_is_given_back(hall: Hall) -> None:
    await opened(hall, CupPlan(rounds=2), people(4))
    await hall.work()
    before = (await hall.cup()).rounds[0].ends_at
    _, cups, _ = hall.begin()
    await cups.skip(DAY)
    assert (await hall.cup()).rounds[0].ends_at == before + DAY


async def test_time_in_which_discord_refuses_ends_no_round(hall: Hall) -> None:
    await opened(hall, CupPlan(rounds=2), people(8))
    tables = await hall.work()
    waiting = await hall.store.games.open_ids()
    hall.clock.now += 7 * DAY - 600
    tables, _, runner = hall.begin()
    for table_id in waiting:
        tables.deadlines.stall(table_id)
    hall.clock.now += 3 * 3_600
    await runner.work()
    assert not [match for match in (await hall.cup()).rounds[0].matches if match.outcomes], "no one could play"
    before = (await hall.cup()).rounds[0].ends_at
    for table_id in waiting:
        await tables.deadlines.note_accepted(table_id)
    assert (await hall.cup()).rounds[0].ends_at == before + 3 * 3_600, "once for all tables"


async def test_refused_announcement_is_told_and_tried_again(hall: Hall) -> None:
    hall.discord.refuses = 50_013
    _, cups, runner = hall.begin()
    cup = await cups.open((await cups.plan(MOD, GUILD, CHANNEL, "Spring", CupPlan())).id, MOD, GUILD)
    await runner.work()
    assert runner.refused(cup) is Lost.PERMISSIONS
    assert hall.discord.letters == [MOD.id]
    hall.discord.refuses = 0
    await runner.work()
    assert not hall.discord.posts, "nothing has changed"
    await runner.look(GUILD, None)
    await runner.work()
    assert len(hall.discord.posts) == 1
    assert runner.refused(cup) is None


async def test_no_host_who_plays_extends_or_cancels(hall: Hall) -> None:
    host = people(1)[0]
    cup = await opened(hall, CupPlan(rounds=2), people(4))
    await hall.work()
    cup = await hall.cup()
    store = hall.store.cups
    cup = await store.change(cup, replace(cup, host_id=host.id))
    _, cups, _ = hall.begin()
    for one in (host, replace(host, moderates=MOD.moderates)):
        await refused(CupProblem.OWN_CUP, cups.extend(cup.id, one, GUILD))
        await refused(CupProblem.OWN_CUP, cups.cancel(cup.id, one, GUILD, "I lose"))
    before = cup.rounds[0].ends_at
    assert (await cups.extend(cup.id, MOD, GUILD)).rounds[0].ends_at == before + DAY
    for _ in range(6):
        await cups.extend(cup.id, MOD, GUILD)
    await refused(CupProblem.LONG_ENOUGH, cups.extend(cup.id, MOD, GUILD))


async def test_a_guild_has_three_cups_at_most(hall: Hall) -> None:
    _, cups, _ = hall.begin()
    hosts = [replace(MOD, id=MOD.id + number) for number in range(4)]
    drafts = [await cups.plan(host, GUILD, CHANNEL, f"Cup {host.id}", CupPlan()) for host in hosts]
    opening = [cups.open(draft.id, host, GUILD) for draft, host in zip(drafts, hosts, strict=True)]
    found = await asyncio.gather(*opening, return_exceptions=True)
    assert sum(isinstance(one, NotInCup) and one.kind is CupProblem.TOO_MANY for one in found) == 1
    assert len(await cups.of_guild(GUILD)) == 3


async def test_too_few_end_it(hall: Hall) -> None:
    _, cups, _ = hall.begin()
    cup = await cups.open((await cups.plan(MOD, GUILD, CHANNEL, "Few", CupPlan())).id, MOD, GUILD)
    await cups.enter(cup.id, people(1)[0], GUILD)
    await refused(CupProblem.TOO_FEW, cups.begin_now(cup.id, MOD, GUILD))
    hall.clock.now += 2 * DAY
    await hall.work()
    assert (await hall.cup()).stage is CupStage.CANCELLED


LADDER = CupPlan(format=Format.ALONE, course=CupCourse.LADDER, again=True)
ALL_FOUR = (10_001, 10_002), (10_003, 10_004)


async def ladder(hall: Hall, plan: CupPlan = LADDER) -> Cup:
    """A ladder that four have entered."""
    cup = await opened(hall, plan, people(4), "Ladder")
    await hall.work()
    return cup


async def games_in(hall: Hall, cup: Cup) -> int:
    _, cups, _ = hall.begin()
    return sum(len(round.matches) for round in (await cups.played(cup)).rounds)


@pytest.mark.parametrize("killed", [False, True])
async def test_a_ladder_follows_another_once(hall: Hall, killed: bool) -> None:
    first = await ladder(hall)
    ends_at = first.rounds[-1].ends_at
    hall.clock.now += 60
    now = int(hall.clock())
    await write_game(hall.store, now, now + 60, *ALL_FOUR)
    under_way = now
    assert await games_in(hall, first) == 1
    hall.discord.deadly = killed
    hall.clock.now = ends_at + 60
    await hall.work()
    assert (await hall.cup()).id == first.id, "what has just ended is still being counted"
    hall.clock.now = ends_at + 600
    for _ in range(2):
        await asyncio.gather(*(hall.work() for _ in range(1 if killed else 2)))
    check_nothing_twice(hall)
    following, before = await hall.cup(), await hall.store.cups.get(first.id)
    assert before is not None
    assert (before.stage, following.stage, following.id) == (CupStage.OVER, CupStage.RUNNING, first.id + 1)
    assert [before.entries[number].place for number in (1, 2, 3, 4)] == [1, 1, 3, 3]
    assert [entry.user_id for entry in following.entries.values()] == [person.id for person in people(4)]
    await write_game(hall.store, under_way, ends_at + 5, *ALL_FOUR)
    assert (await games_in(hall, before), await games_in(hall, following)) == (1, 1), "it ended in the second"
    told = [text for _, text, _ in hall.discord.posts.values()]
    assert sum("wins!" in text or "win!" in text for text in told) == 1
    tables, *_ = hall.begin()
    assert {line.name for line in await tables.results.cups_won(GUILD)} == {"P1", "P2"}
    (line,) = (await tables.results.stats(10_003, GUILD)).cups
    assert (line.cup, line.place) == ("Ladder", 3)


@pytest.mark.parametrize("why", ["few", "once", "off", "forgotten", "gone"])
async def test_no_ladder_follows_without_reason(hall: Hall, why: str) -> None:
    host = replace(people(9)[8], moderates=MOD.moderates)
    _, cups, _ = hall.begin()
    cup = await cups.open((await cups.plan(host, GUILD, CHANNEL, "Ladder", LADDER)).id, host, GUILD)
    for person in people(4):
        await cups.enter(cup.id, person, GUILD)
    tables, *_ = hall.begin()
    if why == "once":
        await refused(CupProblem.NOT_YOURS, cups.repeat(cup.id, people(1)[0], GUILD, again=False))
        await cups.repeat(cup.id, host, GUILD, again=False)
    if why == "off":
        await tables.moderation.configure_guild(MOD, GUILD, off=(Feature.CUPS,))
    if why == "forgotten":
        await tables.privacy.forget(host.id)
    if why == "gone":
        await hall.work()
        hall.discord.refuses = CHANNEL_GONE
    if why != "few":
        now = int(hall.clock()) + 5
        await write_game(hall.store, now, now + 60, *ALL_FOUR)
    hall.clock.now += 62 * DAY
    await hall.work()
    await hall.work()
    (last,) = await cups.of_guild(GUILD)
    assert last.stage is (CupStage.CANCELLED if why == "few" else CupStage.OVER)
    assert sum("Too few" in text for _, text, _ in hall.discord.posts.values()) == (why == "few")


async def test_a_ladder_counts_what_was_begun_in_it(hall: Hall) -> None:
    cup = await ladder(hall, replace(LADDER, terms=Terms("classic", 4)))
    _, cups, _ = hall.begin()
    ann, ben, *_ = people(4)
    hall.clock.now += 60
    now = int(hall.clock())
    await write_game(hall.store, now - 90, now, *ALL_FOUR)
    await write_game(hall.store, now, now + 60, *ALL_FOUR, system="family")
    await write_game(hall.store, now, now + 60, *ALL_FOUR, guild_id=GUILD + 1)
    await write_game(hall.store, now, now + 60, *ALL_FOUR, rated=False)
    assert await games_in(hall, cup) == 0, "begun before, by other rules, elsewhere, unrated"
    await cups.leave(cup.id, ann, GUILD)
    await refused(CupProblem.CLOSED, cups.enter(cup.id, ann, GUILD))
    await write_game(hall.store, now, now + 90, *ALL_FOUR)
    await write_game(hall.store, now + 1, now + 95, *ALL_FOUR)
    cup = await cups.get(cup.id)
    assert await games_in(hall, cup) == 1, "one was begun before Ann left"
    assert [line.side for line in await cups.standings(cup)] == [(1,), (2,), (3,), (4,)]
    tables, *_ = hall.begin()
    await tables.privacy.forget(ben.id)
    assert await games_in(hall, await cups.get(cup.id)) == 1, "a forgotten player's games are still the others'"


async def test_no_player_of_a_ladder_ends_it(hall: Hall) -> None:
    cup = await ladder(hall)
    _, cups, _ = hall.begin()
    ann = replace(people(1)[0], moderates=MOD.moderates)
    await cups.leave(cup.id, ann, GUILD)
    await refused(CupProblem.OWN_CUP, cups.cancel(cup.id, ann, GUILD, "I lose"))
    await refused(CupProblem.NOT_RUNNING, cups.extend(cup.id, MOD, GUILD))
    await cups.skip(DAY)
    assert (await cups.get(cup.id)).rounds == cup.rounds, "its month is no longer"
    await cups.cancel(cup.id, MOD, GUILD, "no one plays fair")
    await hall.work()
    assert "no one plays fair" in [text for _, text, _ in hall.discord.posts.values()][-1]
    assert (await hall.cup()).stage is CupStage.CANCELLED
