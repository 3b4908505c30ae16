"""Friends who play for others: who may be asked, what they may do, and how it ends."""

import random
from dataclasses import replace

import pytest

from bot import rights
from bot.errors import NotAtTable, NotModerator, Problem
from bot.languages import language_for
from bot.occupants import Scope, StandInReason
from bot.preferences import AwayHow
from bot.proposal import ProposalKind
from bot.rights import Deed
from bot.table import NoteKind, Status, Table
from bot.tables.absence import Remedy
from bot.tables.effects import NewsKind
from bot.tables.service import Tables
from bot.tables.turns import take_turn
from bot.texts.leaving import will_be_reminded
from bot.texts.preferences import away_set
from engine import players
from engine.record import load_record
from engine.secret import whole
from tests.bot.gaming import Ear, Programs, after_exchange, gone, kinds, later, play_on, refused, rest, started, turn
from tests.bot.people import ANN, EVE, FOUR, GUILD, MOD

pytestmark = pytest.mark.on_a_file

DAY = 86_400


async def game(tables: Tables) -> Table:
    """A game of four after the exchange."""
    return await after_exchange(tables, (await started(tables, *FOUR)).id)


def on_turn(table: Table) -> tuple[int, int]:
    return next(iter(table.waiting_for.items()))


async def standing_in(tables: Tables) -> tuple[Table, int]:
    """The game, and the seat on turn, which Eve plays for its owner."""
    table = await game(tables)
    seat, owner = on_turn(table)
    await tables.friends.ask(table.id, person(owner), EVE, GUILD)
    await tables.friends.agree(table.id, EVE)
    return await rest(tables, table.id), seat


def person(user_id: int):
    return next(one for one in FOUR if one.id == user_id)


def some_action(table: Table, seat: int) -> str:
    return str(players.choose("heuristic", whole(table.game), seat, random.Random(1)))


async def test_asked_friend_changes_nothing_until_they_agree(programs: Programs) -> None:
    tables = await programs.run()
    table = await game(tables)
    seat, owner = on_turn(table)
    asked = await tables.friends.ask(table.id, person(owner), EVE, GUILD)
    assert asked.waiting_for == table.waiting_for
    assert asked.played_by(EVE.id) is None
    with pytest.raises(NotAtTable):
        tables.seated(asked, EVE.id)
    assert await tables.of_member(EVE.id) == ()
    assert await tables.own_by_code(EVE.id, table.code) == ()
    await refused(NotAtTable, tables.turns.act(table.id, EVE.id, None, some_action(table, seat)))
    (played,) = await tables.friends.agree(table.id, EVE)
    assert played.waiting_for == {seat: EVE.id}
    assert (await (await programs.restart()).get(table.id)).waiting_for == {seat: EVE.id}


async def test_friend_plays_that_seat_and_decides_nothing_else(programs: Programs) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    assert tables.seated(table, EVE.id).seat == seat
    allowed = {Deed.HAND, Deed.PLAY, Deed.HINT, Deed.TAKE_BACK}
    for deed in Deed:
        if rights.Relation.PLAYER in deed.rule.who and rights.Relation.ANYONE not in deed.rule.who:
            assert rights.may(deed, EVE, table) == (deed in allowed), deed
    assert [each.id for each in await tables.of_member(EVE.id)] == [table.id]
    assert await tables.own_by_code(EVE.id, table.code) == (table.id,)
    after = await tables.turns.act(table.id, EVE.id, None, some_action(table, seat))
    assert (await tables.log(table.id))[-1].actor == EVE.id
    assert after.occupants[seat].user_id != EVE.id
    await refused(NotAtTable, tables.turns.leave_game(table.id, EVE))


async def test_owner_who_plays_is_back(programs: Programs) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    owner = table.occupants[seat].user_id
    after = await tables.turns.act(table.id, owner, None, some_action(table, seat))
    assert (after.occupants[seat].plays, after.occupants[seat].friend) == (owner, None)
    assert after.played_by(EVE.id) is None
    await refused(NotAtTable, tables.turns.act(table.id, EVE.id, None, "fold"))


async def test_one_press_takes_the_seat_back(programs: Programs) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    owner = person(table.occupants[seat].user_id)
    after = await tables.absence.reclaim(table.id, owner)
    assert after.waiting_for == {seat: owner.id}
    await refused(Problem.NOT_ASKED_TO_PLAY, tables.friends.stop(table.id, EVE), tables.friends.agree(table.id, EVE))


@pytest.mark.parametrize("ends", ["friend", "owner", "both"])
async def test_changing_players_gains_no_time(programs: Programs, ends: str) -> None:
    tables = await programs.run()
    table = await game(tables)
    seat, owner = on_turn(table)
    programs.clock.now += 30_000
    await tables.friends.ask(table.id, person(owner), EVE, GUILD)
    (played,) = await tables.friends.agree(table.id, EVE)
    assert played.clocks[seat].ends_at == table.clocks[seat].ends_at
    match ends:
        case "friend":
            await tables.friends.stop(table.id, EVE)
        case "owner":
            await tables.absence.reclaim(table.id, person(owner))
        case "both":
            await tables.users.set_away(person(owner), int(programs.clock.now) + 2 * DAY, AwayHow.SLOW)
            await tables.users.come_back(person(owner))
    back = await rest(tables, table.id)
    assert back.clocks[seat].user_id == owner
    assert back.clocks[seat].ends_at == table.clocks[seat].ends_at


@pytest.mark.parametrize("why", ["sits", "banned", "blocked", "unknown", "gone", "saw", "both"])
async def test_friend_is_refused(programs: Programs, why: str) -> None:
    tables = await programs.run()
    table = await after_exchange(tables, (await started(tables, *FOUR)).id)
    friend, seat, owner = EVE, *on_turn(table)
    other = next(one for one in FOUR if one.id != owner)
    match why:
        case "sits":
            friend = other
        case "banned":
            await tables.moderation.ban(MOD, GUILD, EVE.id)
        case "blocked":
            await tables.users.block(owner, EVE.id)
        case "gone":
            await tables.friends.ask(table.id, other, EVE, GUILD)
            await tables.friends.stop(table.id, EVE)
            await tables.roster.note_left(GUILD, EVE.id)
        case "saw":
            await tables.friends.ask(table.id, other, EVE, GUILD)
            await tables.friends.agree(table.id, EVE)
            await tables.friends.stop(table.id, EVE)
        case "both":
            await tables.friends.ask(table.id, other, EVE, GUILD)
    await refused(
        Problem.NO_STAND_IN,
        tables.friends.ask(table.id, person(owner), friend, None if why in ("unknown", "gone") else GUILD),
    )
    assert (await tables.get(table.id)).occupants[seat].friend is None


async def test_ban_and_block_end_it(programs: Programs) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    owner = table.occupants[seat].user_id
    await tables.users.block(owner, EVE.id)
    assert (await tables.get(table.id)).waiting_for == {seat: owner}
    await tables.users.unblock(owner, EVE.id)
    await tables.friends.ask(table.id, person(owner), EVE, GUILD)
    await tables.moderation.ban(MOD, GUILD, EVE.id)
    assert (await tables.get(table.id)).occupants[seat].friend is None
    await refused(Problem.NOT_ASKED_TO_PLAY, tables.friends.agree(table.id, EVE))


async def test_away_with_a_friend_then_a_computer(programs: Programs) -> None:
    tables = await programs.run()
    table = await game(tables)
    seat, owner = on_turn(table)
    until = programs.clock.now + 5 * DAY
    await tables.users.set_away(person(owner), int(until), AwayHow.SLOW)
    (asked,) = await tables.friends.ask_everywhere(person(owner), EVE, GUILD)
    assert asked.occupants[seat].plays == owner
    (played,) = await tables.friends.agree(table.id, EVE)
    assert played.waiting_for == {seat: EVE.id}
    await tables.users.set_away(person(owner), int(until), AwayHow.COMPUTER)
    await tables.friends.leave(EVE.id)
    assert (await tables.get(table.id)).occupants[seat].why is StandInReason.AWAY
    await tables.users.come_back(person(owner))
    assert (await tables.get(table.id)).occupants[seat].plays == owner


async def test_time_away_ends_with_a_friend_at_the_table(programs: Programs) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    owner = person(table.occupants[seat].user_id)
    await tables.users.set_away(owner, int(programs.clock.now) + 2 * DAY, AwayHow.SLOW)
    assert (await tables.get(table.id)).waiting_for == {seat: EVE.id}
    await tables.users.come_back(owner)
    assert (await tables.get(table.id)).waiting_for == {seat: owner.id}


@pytest.mark.parametrize("before", [None, AwayHow.COMPUTER])
@pytest.mark.parametrize("how", AwayHow)
async def test_time_away_leaves_a_friend_who_plays(programs: Programs, before: AwayHow | None, how: AwayHow) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    owner, until = person(table.occupants[seat].user_id), int(programs.clock.now) + 2 * DAY
    for each in (before, how):
        away = () if each is None else await tables.users.set_away(owner, until, each)
    assert (await tables.get(table.id)).waiting_for == {seat: EVE.id}
    told = away_set(language_for(None), await tables.users.preferences(owner.id), away)
    assert told.endswith(f"<@{EVE.id}> is still playing for you at **{table.code}**.")
    assert "Games:" not in told
    await tables.friends.leave(EVE.id)
    assert (await tables.get(table.id)).waiting_for == ({} if how is AwayHow.COMPUTER else {seat: owner.id})


async def test_owner_who_leaves_the_server_has_lost(programs: Programs) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    await tables.absence.member_left(GUILD, table.occupants[seat].user_id)
    left = await tables.get(table.id)
    assert (left.occupants[seat].why, left.occupants[seat].plays) == (StandInReason.LEFT_GUILD, None)
    assert left.played_by(EVE.id) is None


async def test_result_stays_the_owners(programs: Programs) -> None:
    tables = await programs.run()
    table = await after_exchange(tables, (await started(tables, ANN, computers=3)).id)
    await tables.friends.ask(table.id, ANN, EVE, GUILD)
    await tables.friends.agree(table.id, EVE)
    after = await play_on(tables, table.id, random.Random(3))
    assert after.status is Status.OVER
    await tables.results.write_down(after)
    results, _ = await tables.results.of_game(table.id)
    assert [(one.seat, one.user_id, one.left_early) for one in results] == [(0, ANN.id, False)]
    record = load_record((await tables.records.text(table.id)).encode())
    assert any(takeover.sitter.name == EVE.name for takeover in record.takeovers)
    assert NoteKind.STANDS_IN in await kinds(tables, table.id)


async def test_friend_is_exported_and_forgotten(programs: Programs) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    exported = await tables.privacy.export(EVE.id)
    assert any(row.get("friend") == EVE.id for row in exported["seats"])
    await tables.privacy.forget(EVE.id)
    after = await tables.get(table.id)
    assert after.occupants[seat].plays == after.occupants[seat].user_id
    assert "seats" not in await tables.privacy.export(EVE.id)


async def test_friend_who_is_away_stops(programs: Programs) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    await tables.users.set_away(EVE, int(programs.clock.now) + DAY, AwayHow.SLOW)
    after = await tables.get(table.id)
    assert after.occupants[seat].plays == after.occupants[seat].user_id


async def test_friend_sees_one_hand_only(programs: Programs) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    await tables.friends.stop(table.id, EVE)
    other = next(one for one in FOUR if table.seat_of(one.id) != seat)
    await refused(Problem.NO_STAND_IN, tables.friends.ask(table.id, other, EVE, GUILD))
    gone = await tables.turns.leave_game(table.id, other)
    await refused(Problem.SAW_OTHER_HAND, tables.absence.take_over(table.id, EVE, table.seat_of(other.id)))
    assert gone.occupants[table.seat_of(other.id)].offered


async def test_friend_who_was_late_plays_on(programs: Programs) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    missed = replace(table.occupants[seat], missed=2)
    late = replace(table, occupants={**table.occupants, seat: missed})
    after = take_turn(late, seat, whole(table.game).legal(seat)[0], EVE.id, int(programs.clock.now)).after
    assert (after.occupants[seat].plays, after.occupants[seat].missed) == (EVE.id, 0)


async def test_friend_who_blocks_the_owner_seems_silent(programs: Programs) -> None:
    tables = await programs.run()
    table = await game(tables)
    seat, owner = on_turn(table)
    await tables.users.block(EVE.id, owner)
    asked = await tables.friends.ask(table.id, person(owner), EVE, GUILD)
    assert asked.occupants[seat].friend == EVE.id
    await refused(Problem.NO_STAND_IN, tables.friends.agree(table.id, EVE))


async def test_friend_without_the_role_is_not_asked(programs: Programs) -> None:
    tables = await programs.run()
    table = await game(tables)
    _seat, owner = on_turn(table)
    await tables.moderation.configure_guild(MOD, GUILD, play_role=7)
    for friend, here in ((EVE, GUILD), (replace(EVE, roles=frozenset({7})), None)):
        await refused(Problem.NO_STAND_IN, tables.friends.ask(table.id, person(owner), friend, here))
    await tables.friends.ask(table.id, person(owner), replace(EVE, roles=frozenset({7})), GUILD)


async def test_friend_takes_back_their_own_action(programs: Programs) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    after = await tables.turns.act(table.id, EVE.id, None, some_action(table, seat))
    assert (await tables.proposals.undo(table.id, EVE, after.acted_at(seat))).waiting_for == {seat: EVE.id}


@pytest.mark.parametrize("away", [True, False])
async def test_absent_friend_costs_no_owner_who_is_away(programs: Programs, away: bool) -> None:
    tables = await programs.run()
    ear = Ear(tables)
    table, seat = await standing_in(tables)
    owner = person(table.occupants[seat].user_id)
    if away:
        await tables.users.set_away(owner, int(programs.clock.now) + 29 * DAY, AwayHow.SLOW)
    table = await gone(tables, programs, table, EVE)
    why = StandInReason.AWAY if away else StandInReason.ABSENT
    assert (table.occupants[seat].why, table.occupants[seat].friend) == (why, None)
    told = [news.user_id for _, heard in ear.heard for news in heard if news.kind is NewsKind.HANDED]
    assert told == ([] if away else [owner.id]), "the one who can take it back is told"
    assert (NoteKind.HANDED in await kinds(tables, table.id)) is not away
    if away:
        await tables.users.come_back(owner)
        assert (await tables.get(table.id)).occupants[seat].plays == owner.id


async def test_silent_friend_costs_no_owner_who_is_away(programs: Programs) -> None:
    tables = await programs.run()
    table = await turn(tables, pace="none")
    seat, owner = on_turn(table)
    await tables.users.set_away(person(owner), int(programs.clock.now) + 29 * DAY, AwayHow.SLOW)
    await tables.friends.ask(table.id, person(owner), EVE, GUILD)
    await tables.friends.agree(table.id, EVE)
    await later(tables, programs.clock, 8 * DAY)
    asking, *voters = (one for one in FOUR if one.id != owner)
    await tables.absence.answer_absence(table.id, asking, seat, Remedy.COMPUTER)
    after = await tables.proposals.answer(table.id, voters[0], ProposalKind.STAND_IN, True)
    assert after.occupants[seat].why is StandInReason.AWAY


async def test_quiet_hours_of_two_stop_no_clock(programs: Programs) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    owner = person(table.occupants[seat].user_id)
    await tables.absence.reclaim(table.id, owner)
    await tables.friends.ask(table.id, owner, EVE, GUILD)
    await refused(Problem.NO_STAND_IN, tables.friends.agree(table.id, EVE))
    await tables.turns.act(table.id, owner.id, None, some_action(table, seat))
    (played,) = await tables.friends.agree(table.id, EVE)
    assert played.played_by(EVE.id) == seat


async def test_who_has_left_the_server_names_no_friend(programs: Programs) -> None:
    tables = await programs.run()
    table = await game(tables)
    _seat, owner = on_turn(table)
    await tables.absence.member_left(GUILD, owner)
    await refused(Problem.COMPUTER_PLAYS, tables.friends.ask(table.id, person(owner), EVE, GUILD))


@pytest.mark.parametrize("part", ["plays", "played", "left"])
async def test_moderator_who_has_played_judges_no_game(programs: Programs, part: str) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    rest_of_them = [one for one in FOUR if one.id != table.occupants[seat].user_id]
    judge = EVE
    match part:
        case "played":
            await tables.friends.stop(table.id, EVE)
        case "left":
            judge, *rest_of_them = rest_of_them
            await tables.turns.leave_game(table.id, judge)
    judge = replace(judge, moderates=frozenset(Scope))
    await refused(
        (NotModerator, NotAtTable),
        tables.turns.cancel(table.id, judge, "lost"),
        tables.moderation.pause(table.id, judge),
    )
    await tables.moderation.pause(table.id, MOD)
    await refused(NotModerator, tables.moderation.resume(table.id, judge))
    assert await tables.moderation.ban(judge, GUILD, rest_of_them[0].id) == ()
    assert (await tables.get(table.id)).seat_of(rest_of_them[0].id) is not None


async def test_nudged_friend_is_named_by_the_seat(programs: Programs) -> None:
    tables = await programs.run()
    table, seat = await standing_in(tables)
    told = will_be_reminded(table.language, table, (EVE.id,))
    assert table.occupants[seat].name in told


async def test_friend_agrees_where_servers_let_them(programs: Programs) -> None:
    tables = await programs.run()
    table, other = await game(tables), await game(tables)
    _seat, owner = on_turn(table)
    await tables.friends.ask_everywhere(person(owner), EVE, GUILD)
    played = await tables.friends.agree(table.id, EVE, [other.id])
    assert [each.id for each in played] == [other.id]
    await refused(Problem.NOT_ASKED_TO_PLAY, tables.friends.agree(table.id, EVE, []))
