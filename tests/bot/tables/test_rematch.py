"""Playing again: the same people on their seats, or with a free seat; and who comes along."""

import asyncio

import pytest

from bot.errors import Banned, NotAtTable, Problem, WrongStatus
from bot.preferences import AwayHow
from bot.table import Feature, Status, Table
from bot.tables.service import Tables
from tests.bot.gaming import Programs, refused, started, turn
from tests.bot.people import ANN, BEN, BY_ID, CAT, DAN, EVE, FOUR, GUILD, MOD

pytestmark = pytest.mark.on_a_file


async def cancelled(tables: Tables) -> Table:
    """A game of four people that was cancelled."""
    return await tables.turns.cancel((await turn(tables)).id, ANN)


def seats(table: Table) -> dict[int, str]:
    """Who sits where."""
    return {seat: who.name for seat, who in sorted(table.occupants.items())}


async def test_again_with_the_same_people_on_their_seats(tables: Tables) -> None:
    table = await turn(tables)
    await refused(WrongStatus, tables.lobby.rematch(table.id, ANN))
    await tables.turns.cancel(table.id, ANN)
    await refused(NotAtTable, tables.lobby.rematch(table.id, EVE))
    again = await tables.lobby.rematch(table.id, BEN)
    assert (again.status, again.host_id, again.rematch_of, again.terms) == (Status.LOBBY, BEN.id, table.id, table.terms)
    assert set(again.owners) == {BEN.id}, "the others have not agreed to anything yet"
    assert {who.user_id for who in again.expected.values()} == BY_ID.keys() - {BEN.id}
    for person in (CAT, ANN, DAN):
        assert (await tables.lobby.rematch(table.id, person)).id == again.id, "pressed again it is the same lobby"
    again = await tables.get(again.id)
    for person in BY_ID.values():
        assert again.seat_of(person.id) == table.seat_of(person.id)
    assert not again.expected
    await tables.lobby.start(again.id, BEN)


async def test_again_with_a_free_seat(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, computers=2)
    await tables.turns.cancel(table.id, ANN)
    again = await tables.lobby.rematch(table.id, ANN, free_seat=True)
    assert (set(again.owners), [who.user_id for who in again.expected.values()]) == ({ANN.id}, [BEN.id])
    assert len(again.free) == 2, "Ben's, and one for somebody else"
    whole = await turn(tables)
    await tables.turns.cancel(whole.id, ANN)
    again = await tables.lobby.rematch(whole.id, BEN, free_seat=True)
    assert set(again.owners) == {BEN.id}
    assert not again.expected, "whoever comes along presses the button"


async def test_banned_people_are_not_asked_again(tables: Tables) -> None:
    table = await turn(tables)
    await tables.turns.cancel(table.id, ANN)
    await tables.moderation.ban(MOD, GUILD, CAT.id)
    await refused(Banned, tables.lobby.rematch(table.id, CAT))
    again = await tables.lobby.rematch(table.id, ANN)
    assert {who.user_id for who in again.expected.values()} == {BEN.id, DAN.id}


@pytest.mark.parametrize("free_seat", [False, True])
async def test_simultaneous_rematches_share_one_lobby_and_their_places(tables: Tables, free_seat: bool) -> None:
    table = await cancelled(tables)
    pressed = [tables.lobby.rematch(table.id, person, free_seat=free_seat) for person in FOUR]
    (again,) = {one.id for one in await asyncio.gather(*pressed)}
    assert seats(await tables.get(again)) == {0: "Ann", 1: "Ben", 2: "Cat", 3: "Dan"}


async def test_simultaneous_rematches_free_one_computer_seat(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, computers=2)
    await tables.turns.cancel(table.id, ANN)
    await asyncio.gather(*[tables.lobby.rematch(table.id, one, free_seat=True) for one in (ANN, BEN)])
    (again,) = [one for one in await tables.of_member(ANN.id) if one.is_open]
    assert (set(again.owners), len(again.free), len(again.occupants)) == ({ANN.id, BEN.id}, 1, 3)


@pytest.mark.parametrize("free_seat", [False, True])
async def test_returning_player_gets_the_same_place(tables: Tables, free_seat: bool) -> None:
    table = await cancelled(tables)
    again = await tables.lobby.rematch(table.id, BEN)
    for person in (CAT, DAN, ANN):
        await tables.lobby.rematch(table.id, person)
    assert (await tables.lobby.leave(again.id, ANN)).free == (0,)
    assert (await tables.lobby.rematch(table.id, ANN, free_seat=free_seat)).seat_of(ANN.id) == 0


async def test_latecomer_takes_a_computers_seat_only(tables: Tables) -> None:
    table = await cancelled(tables)
    again = await tables.lobby.rematch(table.id, BEN, free_seat=True)
    await tables.lobby.fill(again.id, BEN)
    after = await tables.lobby.rematch(table.id, DAN)
    assert (set(after.owners), after.free) == ({BEN.id, DAN.id}, ())
    for person in (CAT, EVE):
        await tables.lobby.join(again.id, person)
    assert (await refused(Problem.TABLE_FULL, tables.lobby.rematch(table.id, ANN))).code == again.code


async def test_invited_only_is_no_player_of_the_start(tables: Tables) -> None:
    table = await cancelled(tables)
    again = await tables.lobby.rematch(table.id, BEN)
    await tables.lobby.fill(again.id, BEN)
    begun = await tables.lobby.start(again.id, BEN)
    assert set(begun.owners) == {clock.user_id for clock in begun.clocks.values()} == {BEN.id}
    assert (await refused(WrongStatus, tables.lobby.rematch(table.id, ANN))).code == again.code
    assert (await tables.lobby.rematch(table.id, BEN)).status is Status.PLAYING, "he sits there"


async def test_owner_replaced_at_the_end_is_invited(tables: Tables, programs: Programs) -> None:
    table = await turn(tables)
    await tables.users.set_away(DAN, int(programs.clock()) + 90_000, AwayHow.COMPUTER)
    await tables.turns.cancel(table.id, ANN)
    again = await tables.lobby.rematch(table.id, ANN)
    assert {who.user_id for who in again.expected.values()} == {BEN.id, CAT.id, DAN.id}


async def test_rematch_without_computers_where_they_are_off(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, computers=2)
    await tables.turns.cancel(table.id, MOD, "over")
    await tables.moderation.configure_guild(MOD, GUILD, off=(Feature.COMPUTERS,))
    again = await tables.lobby.rematch(table.id, ANN)
    assert again.off == (Feature.COMPUTERS,)
    assert [who.user_id for who in again.occupants.values()] == [ANN.id]
