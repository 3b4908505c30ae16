"""Lobbies that start by themselves, and hosts who vanish: no player waits for another without an end."""

from bot.consent import HOST_SILENT, HOST_WAITS
from bot.errors import NobodySits, NotHost, OwnSeat, SeatFreed
from bot.table import FULL_LIFE, STARTS_AFTER, NoteKind, Status, Terms
from bot.tables import DueKind, Tables
from tests.bot.gaming import Ear, House, kinds, later, lobby, refused, rest, started
from tests.bot.people import ANN, BEN, CAT, FOUR

DUEL, BY_HAND = Terms(system="royal-basic", players=2), Terms(system="royal-basic", players=2, by_hand=True)


async def test_a_full_lobby_starts_after_two_minutes(tables: Tables, house: House) -> None:
    table = await lobby(tables, ANN, BEN, terms=DUEL)
    tables = await house.restart()
    await later(tables, house.clock, STARTS_AFTER - 1)
    assert (await tables.get(table.id)).status is Status.LOBBY
    await later(tables, house.clock, 1)
    table = await rest(tables, table.id)
    assert table.status is Status.PLAYING
    note = next(one for one in await tables.notes(table.id) if one.kind is NoteKind.STARTED)
    assert note.actor_id is None


async def test_a_free_seat_or_other_terms_begin_the_count_anew(tables: Tables, house: House) -> None:
    table = await lobby(tables, ANN, BEN, terms=DUEL)
    house.clock.now += 60
    assert (await tables.lobby.leave(table.id, BEN)).full_since is None
    table = await tables.lobby.join(table.id, CAT)
    assert table.full_since == int(house.clock())
    house.clock.now += 60
    table = await tables.arranging.set_terms(table.id, ANN, {"pace": "live"})
    assert table.starts_at == int(house.clock()) + STARTS_AFTER


async def test_alone_with_computers_the_host_starts(tables: Tables, house: House) -> None:
    table = await lobby(tables, ANN, computers=1, terms=DUEL)
    assert (table.full_since, table.starts_at) == (None, None)


async def test_by_hand_any_player_starts_after_an_hour(tables: Tables, house: House) -> None:
    table = await lobby(tables, ANN, BEN, terms=BY_HAND)
    await later(tables, house.clock, HOST_WAITS - 1)
    await refused(NotHost, tables.lobby.start(table.id, BEN))
    await later(tables, house.clock, 1)
    assert (await tables.lobby.start(table.id, BEN)).status is Status.PLAYING


async def test_a_full_lobby_lives_for_a_week(tables: Tables, house: House) -> None:
    table = await lobby(tables, ANN, BEN, terms=BY_HAND)
    await later(tables, house.clock, FULL_LIFE - 1)
    assert (await tables.get(table.id)).status is Status.LOBBY
    await later(tables, house.clock, 1)
    assert (await tables.get(table.id)).status is Status.CANCELLED


async def test_a_silent_host_is_followed_after_two_days(tables: Tables, house: House) -> None:
    table = await started(tables, *FOUR)
    house.clock.now += HOST_SILENT - 1
    assert (await tables.lobby.succeed(table.id, CAT)).host_id == ANN.id
    await house.opened[0][0].games.saw_host(table.id, int(house.clock()))
    house.clock.now += HOST_SILENT - 1
    assert (await tables.lobby.succeed(table.id, CAT)).host_id == ANN.id, "a press is a sign"
    house.clock.now += 1
    assert (await tables.lobby.succeed(table.id, CAT)).host_id == CAT.id, "Ben is silent too"
    assert (await kinds(tables, table.id))[-1] == "hosted"


async def test_the_next_player_with_a_sign_follows(tables: Tables, house: House) -> None:
    table = await started(tables, *FOUR)
    house.clock.now += HOST_SILENT
    await tables.turns.say(table.id, BEN, "howl")
    assert (await tables.lobby.succeed(table.id, CAT)).host_id == BEN.id


async def test_a_freed_player_does_not_come_back(tables: Tables) -> None:
    ear = Ear(tables)
    table = await lobby(tables, ANN, BEN, CAT)
    await refused(NotHost, tables.lobby.free_seat(table.id, BEN, table.seat_of(CAT.id)))
    await refused(OwnSeat, tables.lobby.free_seat(table.id, ANN, table.seat_of(ANN.id)))
    await refused(NobodySits, tables.lobby.free_seat(table.id, ANN, table.free[0]))
    table = await tables.lobby.free_seat(table.id, ANN, table.seat_of(BEN.id))
    assert table.seat_of(BEN.id) is None
    await rest(tables, table.id)
    assert DueKind.FREED in ear.kinds()
    await refused(SeatFreed, tables.lobby.join(table.id, BEN))
