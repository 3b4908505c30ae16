"""What a finished game leaves behind: figures and feats from its log, for whom a seat counts, ratings, rebuilding."""

import random
from dataclasses import asdict, replace
from typing import Any

import pytest
from sqlalchemy import select

from bot.occupants import Person, StandInReason
from bot.results import ALL_SYSTEMS, EVERYWHERE, MU, Count, Feat, Result
from bot.storage import schema
from bot.table import Automatic, Logged, Note, NoteKind, Status, Table, Terms
from bot.tables.finished.counting import count_figures, figures, results_of
from bot.tables.finished.rating import rate
from bot.tables.service import Tables
from engine import Options
from engine.secret import whole
from tests.bot.gaming import Programs, games, later, play_on, rest, result, started, turn
from tests.bot.people import ANN, BEN, CAT, DAILY, EVE, FOUR, GUILD, MOD
from tests.engine.staging import staged

# What a seat did


def after(pieces: dict[int, str], *actions: str, **more: Any) -> dict[int, Any]:
    """What each seat has done after these actions of seat 0, partner of seat 2."""
    game = staged("classic", 4, hands={0: " ".join(one.split()[0] for one in actions) + " 2", 1: "3"}, pieces=pieces)
    return count_figures(game.state.copy(), [(0, text) for text in actions])


def test_captures_are_counted_for_both_sides() -> None:
    found = after({0: "20", 1: "26"}, "6 20>26")
    assert (found[0].captures, found[0].suffered) == (1, 0)
    assert (found[1].captures, found[1].suffered) == (0, 1)
    assert not found[0].feats | found[1].feats


def test_own_teams_piece_is_no_capture() -> None:
    found = after({0: "20", 2: "26"}, "6 20>26")
    assert (found[0].captures, found[2].suffered) == (0, 1)
    assert found[0].feats == {Feat.FRIENDLY_FIRE}


def test_piece_captured_before_its_start_was_close() -> None:
    assert after({0: "10", 1: "16"}, "6 10>16")[1].feats == {Feat.SO_CLOSE}


def test_a_lane_filled_with_one_seven() -> None:
    found = after({0: "c d 64 62"}, "7 64>b 62>a")
    assert (found[0].home, found[0].seven) == (2, 2)
    assert Feat.FULL_LANE in found[0].feats


def test_lane_filled_piece_by_piece_is_ordinary() -> None:
    found = after({0: "b c d 62"}, "4 62>a")
    assert found[0].home == 1
    assert not found[0].feats & {Feat.FULL_LANE}


def test_a_wolf_takes_three_with_one_seven() -> None:
    found = after({0: "20", 1: "21 22 24"}, "7 20>27")
    assert (found[0].captures, found[0].seven, found[0].feats) == (3, 1, {Feat.WOLF})


def test_special_wins_are_recognised() -> None:
    found = after({0: "a b c d", 2: "b c d 30"}, "4 2.30>a")
    assert found[0].feats == {Feat.HELPER, Feat.LAMB, Feat.NO_KING}
    assert found[2].feats == {Feat.LAMB, Feat.NO_KING}
    assert not found[1].feats


# For whom it counts


@pytest.fixture
async def over(tables: Tables) -> Table:
    return await play_on(tables, (await started(tables, *FOUR)).id, random.Random(1))


async def rows(tables: Tables) -> tuple[list[Any], list[Any]]:
    """Everything that is written of results and ratings."""
    results, ratings = schema.results, schema.ratings
    found = await tables._store.rows(select(results).order_by(results.c.game_id, results.c.seat))
    kept = await tables._store.rows(select(ratings).order_by(*ratings.primary_key))
    return [dict(row) for row in found], [dict(row) for row in kept]


async def derived(tables: Tables, table: Table, log: list[Logged] | None = None) -> tuple[Result, ...]:
    return results_of(table, log or await tables.log(table.id), figures(whole(table.game)))


async def test_a_finished_game_is_written_once(tables: Tables, over: Table) -> None:
    results, ratings = await rows(tables)
    assert [(one["seat"], one["user_id"], one["won"]) for one in results] == [
        (seat, over.occupants[seat].user_id, seat in over.won) for seat in sorted(over.seats)
    ]
    assert all(one["rated"] and one["people"] and not one["left_early"] for one in results)
    assert sum(one["captures"] for one in results) <= sum(one["suffered"] for one in results)
    assert {(one["guild_id"], one["system"]) for one in ratings} == {
        (GUILD, "classic"),
        (GUILD, ALL_SYSTEMS),
        (EVERYWHERE, "classic"),
        (EVERYWHERE, ALL_SYSTEMS),
    }
    assert all((one["mu"] > MU) == one["won"] and one["gain"] == one["mu"] - MU for one in ratings)
    await tables.results.write_down(over)
    assert await rows(tables) == (results, ratings)


@pytest.mark.on_a_file
async def test_time_to_move_is_the_median_of_decisions(tables: Tables, over: Table) -> None:
    log = [replace(row, at=row.number * 10 + 1_000_000) for row in await tables.log(over.id)]
    found = await derived(tables, replace(over, started_at=1_000_000), log)
    assert all(
        one.time_to_move is not None and one.time_to_move % 10 == 0 and 10 <= one.time_to_move <= 40 for one in found
    )


@pytest.mark.on_a_file
@pytest.mark.parametrize("way", ["taken over", *StandInReason])
async def test_who_left_a_team_that_wins_has_lost(tables: Tables, over: Table, way: str) -> None:
    seat = over.won[0]
    who = over.occupants[seat]
    left = way not in (StandInReason.AWAY, StandInReason.FRIEND)
    notes: list[Note] = []
    if way == "taken over":
        after = replace(who, user_id=EVE.id)
        notes = [Note(NoteKind.TAKEN_OVER, 5, 9, EVE.id, seat, {"old_user_id": who.user_id})]
    elif way in (StandInReason.LEFT, StandInReason.BANNED):
        after = replace(who, user_id=None, computer="normal", why=StandInReason(way))
        kind = NoteKind.LEFT if way == StandInReason.LEFT else NoteKind.REMOVED
        notes = [Note(kind, 5, 9, who.user_id, seat, {"user_id": who.user_id})]
    else:
        after = replace(who, computer="normal", why=StandInReason(way))
    table = replace(over, occupants={**over.occupants, seat: after})
    found = results_of(table, await tables.log(over.id), figures(whole(table.game)), notes)
    (one,) = [one for one in found if one.seat == seat]
    assert (one.user_id, one.won, one.left_early, one.victory) == (who.user_id, True, left, not left)
    assert all(one.rated for one in found), "for all others the game stays rated"
    ratings = {one.user_id: one for one in rate(found, {}, GUILD, ALL_SYSTEMS)}
    assert (ratings[who.user_id].gain < 0) is left
    assert ratings[over.occupants[over.won[1]].user_id].gain > 0


@pytest.mark.on_a_file
async def test_timed_out_turns_leave_a_game_rated(tables: Tables, over: Table) -> None:
    clock = [
        replace(row, actor=Automatic.CLOCK) if row.seat == 0 and row.number > 40 else row
        for row in await tables.log(over.id)
    ]
    assert all(one.rated and one.people and one.user_id is not None for one in await derived(tables, over, clock))


@pytest.mark.on_a_file
async def test_a_victory_that_others_decided_changes_no_rating(tables: Tables, over: Table) -> None:
    won, lost = over.won[0], next(seat for seat in over.seats if seat not in over.won)
    log = [
        replace(row, actor=Automatic.COMPUTER) if row.seat in (won, lost) and row.number > 40 else row
        for row in await tables.log(over.id)
    ]
    found = await derived(tables, over, log)
    assert {one.seat: one.rated for one in found} == {seat: seat != won for seat in over.seats}
    ratings = {one.user_id: one for one in rate(found, {}, GUILD, ALL_SYSTEMS)}
    assert ratings.keys() == {who.user_id for seat, who in over.occupants.items() if seat != won}
    assert ratings[over.occupants[lost].user_id].gain < 0


@pytest.mark.on_a_file
async def test_seat_counts_for_who_decided_half(tables: Tables) -> None:
    table = await play_on(tables, (await started(tables, ANN, BEN, CAT, computers=1)).id, random.Random(1))
    seat = table.seat_of(BEN.id)
    clock = [
        replace(row, actor=Automatic.CLOCK) if row.seat == seat and row.number > 40 else row
        for row in await tables.log(table.id)
    ]
    assert [one.user_id for one in await derived(tables, table, clock) if one.seat == seat] == [None]


async def leave(tables: Tables, table_id: int, way: str, person: Person) -> Table:
    if way == "leaves":
        return await tables.turns.leave_game(table_id, person)
    if way == "is banned":
        await tables.moderation.ban(MOD, GUILD, person.id)
    else:
        await tables.absence.member_left(GUILD, person.id)
    return await tables.get(table_id)


@pytest.mark.on_a_file
@pytest.mark.parametrize("way", ["leaves", "leaves the server", "is banned"])
@pytest.mark.parametrize("asleep", [True, False])
async def test_game_ends_when_all_but_one_left(tables: Tables, programs: Programs, asleep: bool, way: str) -> None:
    table = await play_on(tables, (await turn(tables)).id, random.Random(1), 30)
    while asleep and not table.asleep:
        await later(tables, programs.clock, DAILY * 1.1)
        table = await tables.get(table.id)
    for person in FOUR[:3]:
        assert table.is_open, "others have not left"
        table = await leave(tables, table.id, way, person)
    if not asleep:
        assert table.status is Status.PLAYING, "the last one may play on"
        table = await leave(tables, table.id, way, FOUR[3])
    assert table.status is Status.OVER
    await rest(tables, table.id)
    results, _ = await rows(tables)
    assert {one["user_id"]: one["left_early"] for one in results} == {person.id: person != FOUR[3] for person in FOUR}
    assert table.seat_of(FOUR[3].id) in table.won


@pytest.mark.on_a_file
async def test_only_open_contests_among_people_are_rated(tables: Tables) -> None:
    hinted = await started(tables, *FOUR, terms=Terms(hints=True))
    mixed = await started(tables, ANN, BEN, CAT, computers=1)
    opened = await started(tables, *FOUR, terms=Terms(options=Options(open_hands=True)))
    friendly = await started(tables, *FOUR, terms=Terms(rated=False))
    for number, table in enumerate((hinted, mixed, opened, friendly)):
        await play_on(tables, table.id, random.Random(number))
    results, ratings = await rows(tables)
    assert len(results) == 16
    assert {one["people"] for one in results if one["game_id"] == mixed.id} == {False}
    assert {one["people"] for one in results if one["game_id"] in (hinted.id, opened.id)} == {True}
    assert not ratings
    stats = await tables.results.stats(ANN.id, GUILD)
    assert stats.with_computers.games == 1
    assert stats.by_kind.keys() == {("classic", 4)}


@pytest.mark.on_a_file
async def test_early_resignation_is_unrated_and_cancelling_no_game(tables: Tables) -> None:
    table = await started(tables, *FOUR)
    await tables.proposals.propose_resigning(table.id, ANN)
    team = next(team for team in table.board.teams if table.seat_of(ANN.id) in team)
    (partner,) = [one for one in FOUR if one != ANN and table.seat_of(one.id) in team]
    assert (await tables.proposals.answer(table.id, partner, "resign", True)).status is Status.OVER  # type: ignore[arg-type]
    cancelled = await started(tables, *FOUR)
    await tables.turns.cancel(cancelled.id, ANN)
    await rest(tables, cancelled.id)
    results, ratings = await rows(tables)
    assert {one["game_id"] for one in results} == {table.id}
    assert not any(one["rated"] for one in results)
    assert not ratings


# Ratings


@pytest.mark.parametrize(
    "teams", [((1, 2), (3, 4)), ((1,), (2,), (3,), (4,)), ((1, 2, 3), (4, 5, 6)), ((1, 2), (3, 4), (5, 6))]
)
def test_teams_of_any_size_are_rated(teams: tuple[tuple[int, ...], ...]) -> None:
    found = {one.user_id: one for one in rate(result(1, 1, *teams), {}, GUILD, ALL_SYSTEMS)}
    assert len(found) == sum(map(len, teams))
    assert all((found[user].gain > 0) == (team == teams[0]) for team in teams for user in team)
    assert all(one.sigma < 500 for one in found.values())


async def test_late_count_is_rated_where_it_belongs(programs: Programs) -> None:
    tables = await programs.run()
    played = [result(1, 10, (1, 2), (3, 4)), result(2, 20, (1, 3), (2, 4)), result(3, 20, (4, 5), (1, 2))]
    await games(tables, played)
    expected = await rows(tables)
    await tables._store.results.erase()
    for one in (played[2], played[0], played[1]):
        await tables._store.results.record(one, rate)
    assert await rows(tables) == expected


async def test_everything_is_made_again_from_the_logs(tables: Tables) -> None:
    for number, computers in enumerate((0, 1, 0)):
        table = await started(tables, *FOUR[: 4 - computers], computers=computers)
        await play_on(tables, table.id, random.Random(number))
    expected = await rows(tables)
    assert len(expected[0]) == 12
    assert await tables.results.rebuild() == 3
    assert await rows(tables) == expected


@pytest.mark.on_a_file
async def test_results_missed_by_a_crash_count_at_start(programs: Programs) -> None:
    tables = await programs.run()
    over = await play_on(tables, (await started(tables, *FOUR)).id, random.Random(1))
    expected = await rows(tables)
    await tables._store.results.erase()
    tables = await programs.restart()
    await tables.wake()
    await tables.settled()
    assert await rows(tables) == expected
    assert over.id not in await tables._store.messages.ids_to_wake()


# What is asked


async def test_statistics_are_of_one_guild(tables: Tables, over: Table) -> None:
    won = over.occupants[over.won[0]].user_id or 0
    stats = await tables.results.stats(won, GUILD)
    assert stats.by_kind == {("classic", 4): Count(1, 1)}
    assert stats.partners == {over.occupants[over.won[1]].user_id: Count(1, 1)}
    assert stats.fastest == stats.results[0].rounds
    assert stats.rating.provisional
    assert (await tables.results.stats(won, GUILD + 1)).results == []
    assert (await tables.results.stats(won, EVERYWHERE)).by_kind == stats.by_kind
    assert (await tables.results.stats(won, GUILD, "royal")).results == []


async def test_hidden_member_looks_like_one_without_games(tables: Tables, over: Table) -> None:
    one, other = (over.occupants[seat].user_id or 0 for seat in over.won)
    await tables.users.prefer(one, unlisted=True)
    nobody = await tables.results.stats(EVE.id, GUILD)
    for guild_id in (GUILD, EVERYWHERE):
        assert asdict(await tables.results.stats(one, guild_id)) == asdict(nobody) | {"results": (), "course": ()}
    assert one not in (await tables.results.stats(other, GUILD)).partners
    assert one not in [place.user_id for place in await tables.results.ranked(GUILD)]
    assert one not in [place.user_id for place in await tables.results.ranked(GUILD, since=0)]
    results, ratings = await tables.results.of_game(over.id)
    assert one not in [found.user_id for found in results]
    assert one not in ratings
    await tables.users.prefer(one, unlisted=False)
    assert (await tables.results.stats(one, GUILD)).by_kind == {("classic", 4): Count(1, 1)}


async def test_leaders_rank_by_rating_or_by_monthly_gain(programs: Programs) -> None:
    tables = await programs.run()
    played = [result(number, number, (1, 2), (3, 4)) for number in range(1, 12)]
    played += [result(12, 50, (3, 5), (1, 2)), result(13, 60, (3, 5), (1, 2))]
    await games(tables, played)
    always = await tables.results.ranked(GUILD)
    assert {place.user_id for place in always[:2]} == {1, 2}
    assert [place.provisional for place in always] == [False] * 4 + [True], "5 has played two games"
    assert always[0].count == Count(13, 11)
    since = await tables.results.ranked(GUILD, since=50)
    assert {place.user_id for place in since[:2]} == {3, 5}
    assert since[0].count == Count(2, 2)
    assert since[-1].points < 0
    assert not await tables.results.ranked(GUILD + 1)
    assert not await tables.results.ranked(GUILD, "royal")
