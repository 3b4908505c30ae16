"""Lobbies that start by themselves, and hosts who vanish: no player waits for another without an end."""

import random

import pytest

from bot.consent import HOST_SILENT, HOST_WAITS
from bot.errors import NotHost, OtherTerms, Problem
from bot.languages import language_for
from bot.message import About, Message
from bot.table import FULL_LIFE, STARTS_AFTER, Lost, NoteKind, Seek, Status, Terms
from bot.tables.effects import NewsKind
from bot.tables.service import Tables
from bot.texts.public import lobbies
from engine.secret import whole
from tests.bot.gaming import (
    Ear,
    Programs,
    act,
    kinds,
    later,
    lobby,
    play_on,
    refused,
    rest,
    shown_as,
    started,
    turn,
    waited,
)
from tests.bot.people import ANN, BEN, CAT, CHANNEL, DAILY, DAN, EVE, FOUR, GUILD

pytestmark = pytest.mark.on_a_file

DUEL, BY_HAND = Terms(system="royal-basic", players=2), Terms(system="royal-basic", players=2, by_hand=True)


async def test_a_full_lobby_starts_after_two_minutes(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN, BEN, terms=DUEL)
    tables = await programs.restart()
    await later(tables, programs.clock, STARTS_AFTER - 1)
    assert (await tables.get(table.id)).status is Status.LOBBY
    await later(tables, programs.clock, 1)
    table = await rest(tables, table.id)
    assert table.status is Status.PLAYING
    note = next(one for one in await tables.notes(table.id) if one.kind is NoteKind.STARTED)
    assert note.actor_id is None


async def test_free_seat_or_new_terms_restart_the_countdown(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN, BEN, terms=DUEL)
    programs.clock.now += 60
    assert (await tables.lobby.leave(table.id, BEN)).full_since is None
    table = await tables.lobby.join(table.id, CAT)
    assert table.full_since == int(programs.clock())
    programs.clock.now += 60
    table = await tables.arranging.set_terms(table.id, ANN, {"pace": "live"})
    assert table.starts_at == int(programs.clock()) + STARTS_AFTER


@pytest.mark.parametrize("by_hand", [True, False])
@pytest.mark.parametrize("what", ["system", "partners"])
async def test_changed_terms_delay_the_start(tables: Tables, programs: Programs, what: str, by_hand: bool) -> None:
    table = await lobby(tables, *FOUR, terms=Terms(by_hand=by_hand))
    programs.clock.now += HOST_WAITS
    if what == "system":
        table = await tables.arranging.set_terms(table.id, ANN, {"system": "royal"})
    else:
        table = await tables.arranging.other_partners(table.id, ANN)
    when = f"from <t:{table.not_before}:T>" if by_hand else f"at <t:{table.starts_at}:T>"
    assert when in lobbies.everyone_here(language_for("en-US"), table)
    tables = await programs.restart()
    programs.clock.now += STARTS_AFTER - 1
    for person in (ANN, BEN):
        await refused(OtherTerms, tables.lobby.start(table.id, person))
    programs.clock.now += 1
    assert (await tables.lobby.start(table.id, ANN)).status is Status.PLAYING


async def test_earlier_changed_terms_delay_a_full_lobby(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN, BEN)
    await tables.arranging.set_terms(table.id, ANN, {"hints": True})
    programs.clock.now += HOST_WAITS
    await tables.lobby.fill(table.id, ANN)
    await refused(OtherTerms, tables.lobby.start(table.id, ANN))
    programs.clock.now += STARTS_AFTER
    assert (await tables.lobby.start(table.id, ANN)).status is Status.PLAYING


async def test_terms_that_guests_saw_delay_no_host(tables: Tables) -> None:
    table = await lobby(tables, ANN, terms=DUEL)
    await tables.arranging.set_terms(table.id, ANN, {"pace": "live"})
    table = await tables.lobby.join(table.id, BEN)
    await tables.arranging.set_terms(table.id, ANN, {"by_hand": True})
    assert (await tables.lobby.start(table.id, ANN)).status is Status.PLAYING


async def test_alone_with_computers_the_host_starts(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN, computers=1, terms=DUEL)
    assert (table.full_since, table.starts_at) == (None, None)


async def test_by_hand_any_player_starts_after_an_hour(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN, BEN, terms=BY_HAND)
    await later(tables, programs.clock, HOST_WAITS - 1)
    await refused(NotHost, tables.lobby.start(table.id, BEN))
    await later(tables, programs.clock, 1)
    assert (await tables.lobby.start(table.id, BEN)).status is Status.PLAYING


async def test_a_full_lobby_lives_for_a_week(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN, BEN, terms=BY_HAND)
    await later(tables, programs.clock, FULL_LIFE - 1)
    assert (await tables.get(table.id)).status is Status.LOBBY
    await later(tables, programs.clock, 1)
    assert (await tables.get(table.id)).status is Status.CANCELLED


async def test_a_silent_host_is_followed_after_two_days(tables: Tables, programs: Programs) -> None:
    table = await started(tables, *FOUR)
    await later(tables, programs.clock, HOST_SILENT - 1)
    tables.hosts.note_sign(table.id)
    await later(tables, programs.clock, HOST_SILENT - 1)
    assert (await tables.get(table.id)).host_id == ANN.id, "a press is a sign"
    await tables.turns.say(table.id, BEN, "howl")
    await later(tables, programs.clock, 1)
    table = await tables.get(table.id)
    assert (table.host_id, (await kinds(tables, table.id))[-1]) == (BEN.id, "hosted")
    assert table.host_seen == int(programs.clock())


async def test_signs_of_hosts_outlive_a_restart(tables: Tables, programs: Programs) -> None:
    table = await started(tables, *FOUR)
    programs.clock.now += HOST_SILENT / 2
    tables.hosts.note_sign(table.id)
    tables = await programs.restart()
    await later(tables, programs.clock, HOST_SILENT / 2)
    assert (await tables.get(table.id)).host_id == ANN.id


async def test_an_action_of_the_host_is_a_sign(tables: Tables, programs: Programs) -> None:
    table = await started(tables, *FOUR, terms=Terms(pace="none"))
    programs.clock.now += HOST_SILENT / 2
    await tables.turns.act(table.id, ANN.id, None, whole(table.game).legal(table.seat_of(ANN.id))[0])
    await later(tables, programs.clock, HOST_SILENT / 2)
    assert (await tables.get(table.id)).host_id == ANN.id
    await tables.turns.say(table.id, BEN, "howl")
    await later(tables, programs.clock, HOST_SILENT / 2)
    assert (await tables.get(table.id)).host_id == BEN.id


async def test_a_forced_action_is_no_sign(tables: Tables, programs: Programs) -> None:
    table = await turn(tables, pace="none")
    dice = random.Random(2)
    for _ in range(200):
        seat, user_id = waited(table)
        if user_id == ANN.id and len(whole(table.game).legal(seat)) == 1:
            break
        table = await play_on(tables, table.id, dice, actions=1)
    programs.clock.now += HOST_SILENT / 2
    await act(tables, table)
    await tables.turns.say(table.id, BEN, "howl")
    await later(tables, programs.clock, HOST_SILENT / 2)
    assert (await tables.get(table.id)).host_id != ANN.id, "it may have been played for her"


async def test_no_host_is_silent_while_discord_refuses(tables: Tables, programs: Programs) -> None:
    table = await started(tables, *FOUR, terms=Terms(pace="none"))
    tables.deadlines.stall(table.id)
    await later(tables, programs.clock, HOST_SILENT)
    assert (await tables.get(table.id)).host_id == ANN.id
    await tables.deadlines.note_accepted(table.id)
    await later(tables, programs.clock, HOST_SILENT - 1)
    assert (await tables.get(table.id)).host_id == ANN.id, "she has as long as any host"
    await tables.turns.say(table.id, BEN, "howl")
    await later(tables, programs.clock, 1)
    assert (await tables.get(table.id)).host_id == BEN.id


async def test_a_table_without_people_is_not_handed_round(tables: Tables, programs: Programs) -> None:
    table = await started(tables, *FOUR, terms=Terms(pace="none"))
    for _ in range(4):
        await later(tables, programs.clock, HOST_SILENT)
    assert (await tables.get(table.id)).host_id == ANN.id
    assert "hosted" not in await kinds(tables, table.id)
    assert (await tables.hosts.succeed(table.id, DAN.id)).host_id == DAN.id, "he is there"


async def test_the_host_follows_signs_not_seats(tables: Tables, programs: Programs) -> None:
    table = await started(tables, *FOUR, terms=Terms(pace="none"))
    programs.clock.now += 1
    await tables.turns.say(table.id, CAT, "howl")
    for _ in range(3):
        await later(tables, programs.clock, HOST_SILENT)
        assert (await tables.get(table.id)).host_id == CAT.id
    assert (await kinds(tables, table.id)).count("hosted") == 1


async def test_the_next_player_with_a_sign_follows(tables: Tables, programs: Programs) -> None:
    table = await started(tables, *FOUR)
    programs.clock.now += HOST_SILENT
    await tables.turns.say(table.id, BEN, "howl")
    assert (await tables.hosts.succeed(table.id, EVE.id)).host_id == ANN.id, "she does not play"
    assert (await tables.hosts.succeed(table.id, CAT.id)).host_id == BEN.id


async def test_a_host_who_is_alone_has_no_deadline(tables: Tables, programs: Programs) -> None:
    await started(tables, ANN, computers=3, terms=Terms(pace="none"))
    due = await programs.opened[0][0].deadlines.next_due()
    assert due is None or due > programs.clock.now + HOST_SILENT, "only silence"


async def test_a_computer_on_the_last_seat_starts_nothing(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN, BEN)
    table = await tables.lobby.fill(table.id, BEN)
    assert table.full_since == int(programs.clock())
    assert table.starts_at is None
    table = await tables.lobby.join(table.id, CAT)
    assert table.starts_at == int(programs.clock()) + STARTS_AFTER, "a player sat down"


async def test_the_countdown_begins_anew_when_it_may_again(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN, BEN, terms=BY_HAND)
    programs.clock.now += 3 * HOST_WAITS
    table = await tables.arranging.set_terms(table.id, ANN, {"by_hand": False})
    assert table.starts_at == int(programs.clock()) + STARTS_AFTER
    assert table.full_since == int(programs.clock()) - 3 * HOST_WAITS, "any player may still start it"
    await tables.places.note_lost(table.id, Lost.PERMISSIONS)
    assert (await tables.get(table.id)).starts_at is None
    programs.clock.now += DAILY
    await tables.places.note_found(table.id)
    assert (await tables.get(table.id)).starts_at == int(programs.clock()) + STARTS_AFTER


async def test_no_game_starts_before_its_players_are_told(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN, BEN, terms=DUEL)
    await shown_as(tables, table, 6)
    await later(tables, programs.clock, STARTS_AFTER)
    table = await tables.get(table.id)
    assert (table.status, table.starts_at) == (Status.LOBBY, int(programs.clock()) + STARTS_AFTER)
    await tables.messages.add(table.id, Message("told", About.FULL, CHANNEL, 7, 0, marks=table.full_marks))
    await later(tables, programs.clock, STARTS_AFTER)
    assert (await tables.get(table.id)).status is Status.PLAYING


async def test_start_missed_while_down_is_announced_again(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN, BEN, terms=DUEL)
    tables = await programs.restart()
    await later(tables, programs.clock, 3 * HOST_WAITS)
    assert (await tables.get(table.id)).starts_at == int(programs.clock()) + STARTS_AFTER


async def test_late_free_seat_does_not_end_the_lobby(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN, BEN, terms=BY_HAND)
    await later(tables, programs.clock, 2 * DAILY)
    await tables.lobby.leave(table.id, BEN)
    await later(tables, programs.clock, DAILY - 1)
    assert (await tables.get(table.id)).status is Status.LOBBY
    await later(tables, programs.clock, 1)
    assert (await tables.get(table.id)).status is Status.CANCELLED


async def test_a_freed_player_does_not_come_back(tables: Tables) -> None:
    ear = Ear(tables)
    table = await tables.lobby.open(ANN, GUILD, CHANNEL, invited=[BEN])
    for person in (BEN, CAT):
        await tables.lobby.join(table.id, person)
    await refused(NotHost, tables.lobby.free_seat(table.id, BEN, CAT.id))
    await refused(Problem.OWN_SEAT, tables.lobby.free_seat(table.id, ANN, ANN.id))
    await refused(Problem.NO_PLAYER_THERE, tables.lobby.free_seat(table.id, ANN, DAN.id))
    table = await tables.lobby.free_seat(table.id, ANN, BEN.id)
    await refused(Problem.NO_PLAYER_THERE, tables.lobby.free_seat(table.id, ANN, BEN.id))
    assert (table.seat_of(BEN.id), table.expected) == (None, {})
    await rest(tables, table.id)
    assert NewsKind.FREED in ear.kinds()
    await refused(Problem.NOT_ADMITTED, tables.lobby.join(table.id, BEN), tables.lobby.join(table.id, BEN, 3))
    await refused(Problem.NOBODY_TO_INVITE, tables.arranging.invite(table.id, CAT, [BEN]))
    found = await tables.finding.seek(GUILD, BEN, [await tables.get(table.id)])
    assert isinstance(found, Seek), "the search goes on elsewhere"
    assert await tables.finding.who_fits(await tables.get(table.id)) == ()


async def test_a_host_may_invite_a_freed_player_again(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN, CAT)
    await tables.lobby.free_seat(table.id, ANN, BEN.id)
    await tables.arranging.invite(table.id, ANN, [BEN])
    assert (await tables.lobby.join(table.id, BEN)).seat_of(BEN.id) is not None
