"""What a host arranges in the lobby, whom people invite, and who looks for a table."""

import asyncio
import random
from dataclasses import replace

import pytest

from bot.errors import (
    AlreadySeated,
    BadPreference,
    BadTerms,
    NotAtTable,
    NotHost,
    Problem,
    SitsHere,
    TooManyOfYours,
    TooManySeated,
    WrongStatus,
)
from bot.occupants import Person
from bot.proposal import ProposalKind
from bot.table import IN_DMS, INVITED, SEEK_LIFE, NoteKind, Seek, Status, Table, Terms
from bot.tables.service import Tables
from bot.tables.users import MOST_BLOCKS
from engine import OptionRefused, Options, WhyNot
from tests.bot.gaming import Programs, later, lobby, play_on, refused, started
from tests.bot.people import ANN, BEN, CAT, CHANNEL, DAILY, DAN, EVE, FOUR, GUILD, MOD

pytestmark = pytest.mark.on_a_file


@pytest.mark.usefixtures("sqlite_in_threads")
async def test_host_changes_the_game_in_the_lobby(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN, BEN)
    changed = await tables.arranging.set_terms(table.id, ANN, {"system": "royal", "pace": "live", "hints": True})
    assert (changed.terms.system, changed.terms.players, changed.terms.pace) == ("royal", 4, "live")
    assert (changed.terms.hints, changed.occupants) == (True, table.occupants)
    assert changed == await (await programs.run()).get(table.id)
    note = (await tables.notes(table.id))[-1]
    assert (note.kind, note.actor_id) == (NoteKind.CHANGED, ANN.id)
    assert dict(note.data) == {"system": "royal", "pace": "live", "hints": True}


async def test_all_keep_a_seat_when_the_number_changes(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN, computers=2, terms=Terms("royal"))
    two = await tables.arranging.set_terms(table.id, ANN, {"players": 2})
    assert (two.seats, two.owners) == ((0, 2), {ANN.id: 0, BEN.id: 2})
    six = await tables.arranging.set_terms(table.id, ANN, {"players": 6})
    assert (six.owners, six.free) == ({ANN.id: 0, BEN.id: 2}, (1, 3, 4, 5))


async def test_new_system_brings_its_nearest_number_of_players(tables: Tables) -> None:
    table = await lobby(tables, ANN, terms=Terms("royal", 5))
    assert (await tables.arranging.set_terms(table.id, ANN, {"system": "classic"})).players == 4


async def test_nobody_is_put_out_by_a_smaller_game(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN, CAT, terms=Terms("royal", 6))
    why = await refused(TooManySeated, tables.arranging.set_terms(table.id, ANN, {"players": 2}))
    assert (why.players, why.count) == (2, 3)
    for number in (DAN, EVE):
        table = await tables.lobby.join(table.id, number)
    await refused(TooManySeated, tables.arranging.set_terms(table.id, ANN, {"system": "classic"}))
    assert await tables.get(table.id) == table


async def test_only_the_host_changes_terms_before_the_start(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN)
    for changes in ({"players": 6}, {"pace": "hasty"}, {"system": "chess"}):
        await refused(BadTerms, tables.arranging.set_terms(table.id, ANN, changes))
    await refused(NotHost, tables.arranging.set_terms(table.id, BEN, {"hints": True}))
    await refused(NotHost, tables.arranging.other_partners(table.id, BEN))
    assert (await tables.arranging.set_terms(table.id, ANN, {"hints": False})).version == table.version
    playing = await started(tables, CAT, computers=3)
    await refused(WrongStatus, tables.arranging.set_terms(playing.id, CAT, {"hints": True}))


async def test_host_chooses_an_unrated_game(tables: Tables) -> None:
    table = await tables.arranging.set_terms((await lobby(tables, *FOUR)).id, ANN, {"rated": False})
    assert (table.is_rated, table.not_before is not None) == (False, True), "and the others get to see it"
    assert (await tables.arranging.set_terms(table.id, ANN, {"rated": True})).is_rated
    mixed = await lobby(tables, ANN, computers=3, terms=Terms(rated=False))
    await refused(Problem.NEVER_RATED, tables.arranging.set_terms(mixed.id, ANN, {"rated": True}))


@pytest.mark.usefixtures("sqlite_in_threads")
async def test_changes_at_the_same_time_both_count(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN)
    other = await programs.run()
    await asyncio.gather(
        tables.arranging.set_terms(table.id, ANN, {"pace": "live"}),
        other.arranging.set_terms(table.id, ANN, {"hints": True}),
        tables.lobby.join(table.id, BEN),
    )
    after = await other.get(table.id)
    assert (after.terms.pace, after.terms.hints, len(after.owners)) == ("live", True, 2)


async def test_everybody_gets_every_partner_in_turn(tables: Tables) -> None:
    table = await lobby(tables, *FOUR)
    partners = set()
    for _ in range(3):
        table = await tables.arranging.other_partners(table.id, ANN)
        partners.add(table.occupants[2].name)
    assert partners == {"Ben", "Cat", "Dan"}
    assert table.occupants == (await lobby(tables, *FOUR)).occupants, "the third time it is as it was"


async def test_a_computer_that_is_replaced_is_noted(tables: Tables) -> None:
    table = await lobby(tables, ANN, computers=3)
    await tables.lobby.join(table.id, BEN, 2)
    note = (await tables.notes(table.id))[-1]
    assert (note.kind, note.actor_id, note.seat, note.data["name"]) == (NoteKind.REPLACED, BEN.id, 2, "Luna")


@pytest.mark.usefixtures("sqlite_in_threads")
async def test_a_seat_is_kept_for_whoever_is_invited(tables: Tables, programs: Programs) -> None:
    table = await tables.arranging.invite((await lobby(tables, ANN)).id, ANN, [BEN, CAT])
    assert {seat: who.user_id for seat, who in table.expected.items()} == {1: BEN.id, 2: CAT.id}
    assert (await (await programs.run()).get(table.id)).expected == table.expected
    table = await tables.lobby.join(table.id, DAN)
    assert table.seat_of(DAN.id) == 3, "others get the seats that are kept last"
    table = await tables.lobby.join(table.id, CAT)
    assert (table.seat_of(CAT.id), list(table.expected)) == (2, [1])


async def test_invitations_that_make_no_sense_are_refused(tables: Tables) -> None:
    await tables.moderation.ban(MOD, GUILD, EVE.id)
    table = await lobby(tables, ANN, BEN)
    await tables.arranging.invite(table.id, BEN, [CAT])
    await refused(SitsHere, tables.arranging.invite(table.id, ANN, [BEN]))
    for people in ([ANN, BEN], [CAT], [EVE], []):
        await refused(Problem.NOBODY_TO_INVITE, tables.arranging.invite(table.id, ANN, people))
    await refused(NotAtTable, tables.arranging.invite(table.id, DAN, [DAN]))
    await tables.lobby.fill(table.id, ANN)
    await refused(Problem.TABLE_FULL, tables.arranging.invite(table.id, ANN, [DAN]))


async def test_locked_lobbies_admit_who_is_invited(tables: Tables) -> None:
    table = await lobby(tables, ANN, terms=Terms(admits=INVITED))
    await tables.arranging.invite(table.id, ANN, [BEN])
    await refused(Problem.NOT_ADMITTED, tables.lobby.join(table.id, CAT), tables.lobby.join(table.id, CAT, 2))
    assert await tables.finding.waiting_tables(GUILD) == ()
    await tables.lobby.join(table.id, BEN)
    await refused(NotHost, tables.arranging.set_terms(table.id, BEN, {"admits": None}))
    await tables.arranging.set_terms(table.id, ANN, {"admits": 77})
    await refused(Problem.NOT_ADMITTED, tables.lobby.join(table.id, CAT))
    table = await tables.lobby.join(table.id, replace(CAT, roles=frozenset({77})))
    assert table.owners.keys() == {ANN.id, BEN.id, CAT.id}


async def test_blocks_keep_people_from_being_matched(tables: Tables) -> None:
    await tables.users.block(BEN.id, CAT.id)
    table = await lobby(tables, ANN, BEN)
    found = await tables.finding.seek(GUILD, CAT, await tables.finding.waiting_tables(GUILD))
    assert isinstance(found, Seek)
    assert await tables.finding.who_fits(table) == ()
    assert (await tables.lobby.join(table.id, CAT)).seat_of(CAT.id), "only a host's blocks close a lobby"
    own = await lobby(tables, BEN)
    await refused(Problem.NOT_ADMITTED, tables.lobby.join(own.id, CAT))
    assert await tables.users.without_blockers(CAT.id, (BEN.id, DAN.id)) == (DAN.id,)
    await tables.users.unblock(BEN.id, CAT.id)
    assert (await tables.lobby.join(own.id, CAT)).seat_of(CAT.id)


async def test_bans_of_a_server_leave_dms_alone(tables: Tables) -> None:
    await tables.moderation.ban(MOD, GUILD, BEN.id)
    table = await tables.lobby.open(BEN, IN_DMS, IN_DMS)
    await tables.moderation.ban(MOD, GUILD, ANN.id)
    assert (await tables.lobby.join(table.id, ANN)).seat_of(ANN.id) is not None
    invited = await tables.arranging.invite((await lobby(tables, CAT, guild=IN_DMS)).id, CAT, [BEN])
    assert [who.user_id for who in invited.expected.values()] == [BEN.id]


async def test_only_who_chose_it_is_uninvited(tables: Tables) -> None:
    await tables.users.prefer(BEN.id, uninvited=True)
    assert await tables.users.find_uninvited([ANN.id, BEN.id]) == (BEN.id,)


async def test_rematch_leaves_out_whom_its_host_blocks(tables: Tables) -> None:
    over = await play_on(tables, (await started(tables, *FOUR)).id, random.Random(1))
    await tables.users.block(ANN.id, BEN.id)
    again = await tables.lobby.rematch(over.id, ANN)
    assert {who.user_id for who in again.invited.values()} == {CAT.id, DAN.id}
    await refused(Problem.NOT_ADMITTED, tables.lobby.rematch(over.id, BEN))


@pytest.mark.usefixtures("sqlite_in_threads")
async def test_role_is_told_once_an_hour(tables: Tables, programs: Programs) -> None:
    await tables.moderation.configure_guild(MOD, GUILD, tell_role=77)
    first, second = await lobby(tables, ANN), await lobby(tables, BEN)
    locked = await lobby(tables, CAT, terms=Terms(admits=INVITED))
    thread = await tables.lobby.open(DAN, GUILD, CHANNEL + 1, parent_id=CHANNEL)
    for table in (locked, thread):
        assert await tables.finding.role_to_tell(table) is None
    assert await tables.finding.role_to_tell(first) == 77
    programs.clock.now += 3_599
    assert await (await programs.run()).finding.role_to_tell(second) is None
    programs.clock.now += 1
    assert await tables.finding.role_to_tell(second) == 77
    await tables.moderation.configure_guild(MOD, GUILD, tell_role=None)
    programs.clock.now += 3_600
    assert await tables.finding.role_to_tell(second) is None


async def test_nobody_blocks_themselves_or_everybody(tables: Tables) -> None:
    await refused(BadPreference, tables.users.block(ANN.id, ANN.id))
    for number in range(MOST_BLOCKS):
        await tables.users.block(ANN.id, 1000 + number)
    await refused(BadPreference, tables.users.block(ANN.id, BEN.id))


async def test_a_table_is_opened_with_invitations(tables: Tables) -> None:
    table = await tables.lobby.open(ANN, GUILD, CHANNEL, invited=[BEN, ANN, BEN])
    assert {seat: who.name for seat, who in table.expected.items()} == {1: "Ben"}


async def test_search_joins_the_oldest_fitting_table(tables: Tables) -> None:
    await lobby(tables, ANN, terms=Terms(pace="live"))
    fitting = await lobby(tables, BEN, terms=Terms("royal", 3))
    await lobby(tables, CAT, terms=Terms("royal", 3))
    among = await tables.finding.waiting_tables(GUILD)
    found = await tables.finding.seek(GUILD, DAN, among, system="royal", pace="daily")
    assert not isinstance(found, Seek)
    assert (found.id, found.seat_of(DAN.id)) == (fitting.id, 1)
    assert await tables.finding.searches(GUILD) == ()


@pytest.mark.usefixtures("sqlite_in_threads")
async def test_search_waits_for_a_fitting_table_and_expires(tables: Tables, programs: Programs) -> None:
    await tables.finding.seek(GUILD, DAN, (), system="royal", players=3)
    seek = await tables.finding.seek(GUILD, DAN, (), system="royal")
    assert isinstance(seek, Seek)
    assert await (await programs.run()).finding.searches(GUILD) == (seek,), "the second takes the place of the first"
    other, fitting = await lobby(tables, ANN), await lobby(tables, BEN, terms=Terms("royal", 2))
    assert (await tables.finding.who_fits(other), await tables.finding.who_fits(fitting)) == ((), (seek,))
    programs.clock.now += SEEK_LIFE
    assert await tables.finding.searches(GUILD) == ()


async def sought(tables: Tables, *seekers: Person) -> Table:
    """The table that opens for people on any servers, the last of whom completes their number."""
    for person in seekers:
        found = await tables.finding.seek_anywhere(person, "en", players=len(seekers), system="royal-basic")
    assert isinstance(found, Table)
    return found


async def test_who_confirmed_a_match_looks_on(tables: Tables, programs: Programs) -> None:
    table = await sought(tables, ANN, BEN, CAT)
    assert await tables.finding.searches(IN_DMS) == ()
    await tables.lobby.join(table.id, ANN)
    await later(tables, programs.clock, DAILY + 60)
    assert (await tables.get(table.id)).status is Status.CANCELLED
    looking = await tables.finding.searches(IN_DMS)
    assert {seek.user_id for seek in looking} == {ANN.id, CAT.id}, "Ben did not come"
    assert {(seek.system, seek.players, seek.ends_at - seek.at) for seek in looking} == {("royal-basic", 3, SEEK_LIFE)}
    await tables.finding.look_on(ANN.id, "en")
    again = await tables.finding.seek_anywhere(DAN, "en")
    assert isinstance(again, Table)
    assert {who.user_id for who in again.expected.values()} == {ANN.id, CAT.id}


async def test_cancelled_match_lets_the_others_look_on(tables: Tables) -> None:
    table = await sought(tables, ANN, BEN, CAT)
    await tables.lobby.join(table.id, ANN)
    await tables.turns.cancel(table.id, CAT)
    assert {seek.user_id for seek in await tables.finding.searches(IN_DMS)} == {ANN.id, BEN.id}
    table = await sought(tables, ANN, BEN, CAT)
    await tables.lobby.leave(table.id, CAT)
    assert {seek.user_id for seek in await tables.finding.searches(IN_DMS)} == {ANN.id, BEN.id}


async def test_match_that_was_played_begins_no_search(tables: Tables) -> None:
    table = await sought(tables, ANN, BEN)
    await tables.lobby.join(table.id, ANN)
    await tables.lobby.start(table.id, BEN)
    await play_on(tables, table.id, random.Random(1), 4)
    await tables.turns.cancel(table.id, BEN)
    await tables.proposals.answer(table.id, ANN, ProposalKind.CANCEL, True)
    assert (await tables.get(table.id)).status is Status.CANCELLED
    assert await tables.finding.searches(IN_DMS) == ()


async def test_a_lobby_of_friends_begins_no_search(tables: Tables, programs: Programs) -> None:
    await tables.lobby.open(ANN, IN_DMS, IN_DMS, invited=[BEN])
    await later(tables, programs.clock, DAILY + 60)
    assert await tables.finding.searches(IN_DMS) == ()


async def test_match_that_cannot_open_ends_no_search(tables: Tables) -> None:
    for _ in range(10):
        await tables.lobby.open(ANN, IN_DMS, IN_DMS)
    await tables.finding.seek_anywhere(BEN, "en", players=2, system="royal-basic")
    await refused(TooManyOfYours, tables.finding.seek_anywhere(ANN, "en", players=2, system="royal-basic"))
    assert [seek.user_id for seek in await tables.finding.searches(IN_DMS)] == [BEN.id]


@pytest.mark.usefixtures("sqlite_in_threads")
async def test_only_one_program_ends_a_search(tables: Tables, programs: Programs) -> None:
    await tables.finding.seek(GUILD, DAN, ())
    other = await programs.run()
    ended = await asyncio.gather(tables.finding.stop(GUILD, DAN.id), other.finding.stop(GUILD, DAN.id))
    assert sorted(ended) == [False, True]


async def test_joining_or_opening_a_table_ends_a_search(tables: Tables) -> None:
    for person in (ANN, BEN):
        await tables.finding.seek(GUILD, person, ())
    await tables.lobby.join((await lobby(tables, ANN)).id, BEN)
    assert await tables.finding.searches(GUILD) == ()


async def test_searches_that_make_no_sense_are_refused(tables: Tables) -> None:
    for wish in ({"system": "chess"}, {"pace": "hasty"}, {"system": "classic", "players": 5}, {"players": 40}):
        await refused(BadTerms, tables.finding.seek(GUILD, ANN, (), **wish))
    table = await lobby(tables, ANN)
    await refused(AlreadySeated, tables.lobby.join(table.id, ANN))
    assert isinstance(await tables.finding.seek(GUILD, ANN, [table]), Seek), "nobody is seated where they sit already"


async def test_unfit_house_rules_are_dropped_or_refused(tables: Tables) -> None:
    table = await lobby(tables, ANN, terms=Terms(options=Options(canadian_seven=True, open_hands=True)))
    royal = await tables.arranging.set_terms(table.id, ANN, {"system": "royal"})
    assert royal.options == Options(open_hands=True)
    assert (
        await refused(
            OptionRefused, tables.arranging.set_terms(table.id, ANN, {"options": Options(canadian_seven=True)})
        )
    ).why is WhyNot.NO_SEVEN
    assert (await tables.get(table.id)).options == royal.options
