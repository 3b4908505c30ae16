"""The lobby: opening, sitting down, computers, terms, host, start, cancel, and finding tables again."""

import asyncio

import pytest

from bot.errors import (
    AlreadySeated,
    BadTerms,
    NoSuchTable,
    NotAtTable,
    NotHost,
    Problem,
    SeatsFree,
    SeatTaken,
    WrongStatus,
)
from bot.moment import NOTHING_TOLD
from bot.occupants import Level, Person, Scope
from bot.table import NoteKind, Status, Terms
from bot.tables.service import Tables
from engine.rules.shuffle import seed_of
from engine.secret import whole
from tests.bot.gaming import Programs, lobby, refused, shown_as, started
from tests.bot.people import ANN, BEN, CAT, CHANNEL, EVE, FOUR, GUILD, SEED

pytestmark = pytest.mark.on_a_file


async def test_the_host_sits_on_the_first_seat(tables: Tables) -> None:
    table = await tables.lobby.open(ANN, GUILD, CHANNEL, Terms(pace="live", locale="de", theme="wood"))
    assert (table.status, table.host_id, table.version) == (Status.LOBBY, ANN.id, 1)
    assert (table.seats, table.free, table.seat_of(ANN.id)) == ((0, 1, 2, 3), (1, 2, 3), 0)
    assert (table.system, table.players, table.game, table.number) == ("classic", 4, None, 0)
    assert (table.terms.pace, table.terms.locale, table.terms.theme) == ("live", "de", "wood")
    assert (table.created_at, table.started_at) == (1_000_000, None)
    assert table == await tables.get(table.id)


@pytest.mark.parametrize(
    ("terms", "field"), [(Terms("chess"), "system"), (Terms("classic", 5), "players"), (Terms(pace="hasty"), "pace")]
)
async def test_terms_that_do_not_exist_are_refused(tables: Tables, terms: Terms, field: str) -> None:
    assert (await refused(BadTerms, tables.lobby.open(ANN, GUILD, CHANNEL, terms))).field == field
    assert await tables.in_channel(CHANNEL) == ()


@pytest.mark.usefixtures("sqlite_in_threads")
async def test_what_is_returned_is_what_is_stored(tables: Tables, programs: Programs) -> None:
    other = await programs.run()
    table = await tables.lobby.open(ANN, GUILD, CHANNEL)
    for step in (
        tables.lobby.join(table.id, BEN, 3),
        tables.lobby.move_seat(table.id, BEN, 1),
        tables.lobby.add_computer(table.id, BEN),
        tables.lobby.add_computer(table.id, BEN, 3, Level.STRONG),
        tables.lobby.move_seat(table.id, ANN, 3),
        tables.lobby.remove_computer(table.id, ANN, 2),
        tables.lobby.leave(table.id, ANN),
        tables.turns.cancel(table.id, BEN),
    ):
        returned = await step
        assert returned == await tables.get(table.id) == await other.get(table.id)
    assert returned.version == 9


async def test_a_step_that_changes_nothing_is_no_change(tables: Tables) -> None:
    table = await lobby(tables, ANN)
    assert (await tables.lobby.move_seat(table.id, ANN, 0)).version == table.version


async def test_refusals_change_nothing(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN)
    for refusal, attempt in (
        (AlreadySeated, tables.lobby.join(table.id, BEN, 3)),
        (SeatTaken, tables.lobby.join(table.id, CAT, 0)),
        (SeatTaken, tables.lobby.move_seat(table.id, BEN, 0)),
        (NotAtTable, tables.lobby.leave(table.id, CAT)),
        (NotAtTable, tables.lobby.move_seat(table.id, CAT, 3)),
        (NotAtTable, tables.lobby.add_computer(table.id, CAT)),
        (NotAtTable, tables.lobby.remove_computer(table.id, CAT, 3)),
        (Problem.NO_COMPUTER, tables.lobby.remove_computer(table.id, BEN, 0)),
        (BadTerms, tables.lobby.add_computer(table.id, BEN, None, "genius")),
        (NotHost, tables.lobby.start(table.id, BEN)),
        (NotHost, tables.turns.cancel(table.id, BEN)),
        (SeatsFree, tables.lobby.start(table.id, ANN)),
        (WrongStatus, tables.turns.act(table.id, ANN.id, None, "fold")),
        (WrongStatus, tables.turns.leave_game(table.id, ANN)),
        (NoSuchTable, tables.lobby.join(999, CAT)),
    ):
        await refused(refusal, attempt)
    assert await tables.get(table.id) == table


async def test_changes_within_a_process_queue_up(tables: Tables) -> None:
    table = await lobby(tables, ANN)
    await asyncio.gather(*(tables.lobby.move_seat(table.id, ANN, 1 + number % 3) for number in range(30)))
    assert (await tables.get(table.id)).version == table.version + 30


async def test_next_person_hosts_and_empty_tables_are_cancelled(tables: Tables) -> None:
    table = await tables.lobby.leave((await lobby(tables, ANN, BEN, computers=1)).id, ANN)
    assert (table.host_id, table.status) == (BEN.id, Status.LOBBY)
    table = await tables.lobby.leave(table.id, BEN)
    assert (table.status, table.ended_at) == (Status.CANCELLED, 1_000_000)
    assert await tables.in_channel(table.channel_id) == ()
    assert [note.kind for note in await tables.notes(table.id)] == [
        NoteKind.OPENED,
        NoteKind.HOSTED,
        NoteKind.CANCELLED,
    ]


async def test_moderators_may_cancel_without_a_seat(tables: Tables) -> None:
    table = await lobby(tables, ANN)
    table = await tables.turns.cancel(table.id, Person(EVE.id, EVE.name, moderates=frozenset({Scope.MODERATE_TABLE})))
    assert table.status is Status.CANCELLED
    await refused(WrongStatus, tables.turns.cancel(table.id, ANN))


async def test_start_uses_the_secret_and_the_contributions(tables: Tables) -> None:
    waiting = await lobby(tables, *FOUR)
    table = await tables.lobby.start(waiting.id, ANN)
    assert (table.occupants, table.terms) == (waiting.occupants, waiting.terms)
    assert (table.status, table.started_at) == (Status.PLAYING, 1_000_000)
    assert whole(table.game).seed == seed_of(SEED, {})
    assert table == await tables.get(table.id)
    await refused(WrongStatus, tables.lobby.join(table.id, EVE), tables.lobby.start(table.id, ANN))


async def test_secrets_are_never_alike(programs: Programs) -> None:
    tables = await programs.run()
    tables.lobby.draw_secret = type(tables)(tables._store).lobby.draw_secret
    seeds = set()
    for _ in range(3):
        seeds.add(whole((await started(tables, ANN, computers=3)).game).seed)
    assert {len(seed) for seed in seeds} == {32}
    assert len(seeds) == 3


async def test_tables_are_found_again(tables: Tables) -> None:
    first, second = await lobby(tables, ANN), await lobby(tables, BEN, ANN)
    assert await tables.in_channel(CHANNEL) == await tables.of_member(ANN.id) == (second, first)
    assert await tables.by_code(GUILD, first.code.lower().replace("-", " ")) == first
    for code in ("FOX-99", "???"):
        await refused(NoSuchTable, tables.by_code(GUILD, code))
    over = await tables.turns.cancel((await started(tables, CAT, computers=3)).id, CAT)
    assert await tables.last_ended(CHANNEL) == over
    assert over not in await tables.in_channel(CHANNEL)


async def test_games_of_a_guild_have_distinct_codes(tables: Tables) -> None:
    moderator = Person(7, "Mod", moderates=frozenset({Scope.MANAGE_GUILD}))
    await tables.moderation.configure_guild(moderator, GUILD, per_channel=None, per_member=None)
    made = await asyncio.gather(*(tables.lobby.open(ANN, GUILD, CHANNEL) for _ in range(30)))
    assert len({table.code for table in made}) == 30


async def test_the_board_message_is_remembered_over_a_restart(tables: Tables, programs: Programs) -> None:
    table = await lobby(tables, ANN)
    assert table.shown is None
    await shown_as(tables, table, 6)
    again = await (await programs.restart()).get(table.id)
    assert (again.shown.to_id, again.shown.message_id) == (CHANNEL, 6)
    assert (again.shown.version, again.shown.moment, again.version) == (1, NOTHING_TOLD, 1)
    tables = programs.opened[0][1]
    await tables.messages.drop_all(table.id)
    assert (await tables.get(table.id)).shown is None
