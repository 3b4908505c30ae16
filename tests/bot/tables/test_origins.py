"""Tables that begin in the middle of another game, out of its replay or a record: what they keep, what is refused."""

import random
from dataclasses import replace

import pytest

from bot.errors import NoSuchMove, Problem
from bot.table import Status, Table, Terms
from bot.tables.finished.records import MOST_UPLOADED
from bot.tables.service import Tables
from engine.record import load_record
from engine.secret import whole
from tests.bot.gaming import Programs, after_exchange, play_on, refused, started
from tests.bot.people import ANN, CHANNEL, EVE, GUILD
from tests.engine.records import EXAMPLE, verify


async def ended(tables: Tables) -> Table:
    """A game of Ann with three computers that she ended after the exchange."""
    table = await after_exchange(tables, (await started(tables, ANN, computers=3)).id)
    return await tables.turns.cancel(table.id, ANN)


async def from_there(tables: Tables, table: Table, at: int) -> Table:
    begins = await tables.records.beginning(table.id, at)
    terms = begins.terms(Terms())
    opened = await tables.lobby.open(ANN, GUILD, CHANNEL, terms, seat=0, computers=begins.computers)
    return await tables.lobby.start(opened.id, ANN)


async def test_table_goes_on_from_a_finished_game(programs: Programs) -> None:
    tables = await programs.run()
    before = await ended(tables)
    table = await from_there(tables, before, before.number)
    assert not table.is_rated
    assert not table.can_be_rated
    assert whole(table.game).view().pieces == whole(before.game).view().pieces
    assert whole(table.game).state.cards.hands != whole(before.game).state.cards.hands
    assert [table.occupants[seat].name for seat in (1, 2, 3)] == [before.occupants[seat].name for seat in (1, 2, 3)]
    again = await (await programs.restart()).get(table.id)
    assert whole(again.game).view() == whole(table.game).view()


async def test_its_record_begins_there_and_it_counts_nowhere(programs: Programs) -> None:
    tables = await programs.run()
    before = await ended(tables)
    table = await from_there(tables, before, before.number)
    after = await play_on(tables, table.id, random.Random(3))
    assert after.status is Status.OVER
    text = await tables.records.text(table.id)
    assert load_record(text.encode()).origin == table.terms.origin
    assert list(verify.differences(text.encode())) == []
    assert (await tables.records.verify(table.id)).differences == ()
    await tables.results.write_down(after)
    assert await tables.results.of_game(table.id) == ([], {})
    again = await tables.lobby.rematch(table.id, ANN)
    assert again.terms.origin == table.terms.origin


async def test_running_games_and_other_moves_are_refused(programs: Programs) -> None:
    tables = await programs.run()
    running = await started(tables, ANN, computers=3)
    await refused(Problem.NOT_OVER, tables.records.beginning(running.id, 0))
    over = await tables.turns.cancel(running.id, ANN)
    for at in (-1, over.number + 1):
        await refused(NoSuchMove, tables.records.beginning(over.id, at))


async def test_terms_of_a_position_stay(programs: Programs) -> None:
    tables = await programs.run()
    begins = await tables.records.read_beginning(EXAMPLE, 57)
    opened = await tables.lobby.open(ANN, GUILD, CHANNEL, begins.terms(Terms()))
    for changes in ({"rated": True}, {"system": "tock"}, {"players": 6}, {"options": Terms().options}):
        await refused(Problem.FROM_POSITION, tables.arranging.set_terms(opened.id, ANN, changes))
    assert (await tables.arranging.set_terms(opened.id, ANN, {"pace": "live"})).terms.origin == begins.origin
    assert await tables.finding.waiting_tables(GUILD) == ()
    assert (await tables.lobby.join(opened.id, EVE)).seat_of(EVE.id) == 1


BAD = {
    b"": Problem.NOT_A_RECORD,
    b"\xff\x00": Problem.NOT_A_RECORD,
    b"a rainy Tuesday": Problem.NOT_A_RECORD,
    EXAMPLE.replace(b"classic 1", b"dragons 1"): Problem.NOT_A_RECORD,
    EXAMPLE.replace(b"classic 1", b"swiss 1"): Problem.FORGED_RECORD,
    EXAMPLE.replace(b'"Ann"', b'"Eve"'): Problem.FORGED_RECORD,
    EXAMPLE.replace(b"first: 2", b"first: 1"): Problem.FORGED_RECORD,
    b"x" * (MOST_UPLOADED + 1): Problem.RECORD_TOO_LARGE,
}


@pytest.mark.parametrize("data", BAD, ids=range(len(BAD)))
async def test_bad_records_are_refused(programs: Programs, data: bytes) -> None:
    await refused(BAD[data], (await programs.run()).records.read_beginning(data, 0))


async def test_moves_beyond_a_record_are_refused(programs: Programs) -> None:
    tables = await programs.run()
    last = len(load_record(EXAMPLE).log) - 1
    assert (await tables.records.read_beginning(EXAMPLE, last)).computers
    for at in (-1, last + 1, 10**30):
        assert (await refused(NoSuchMove, tables.records.read_beginning(EXAMPLE, at))).last == last


async def test_kept_terms_are_checked(programs: Programs) -> None:
    tables = await programs.run()
    begins = await tables.records.read_beginning(EXAMPLE, 57)
    forged = replace(begins.terms(Terms()), system="tock")
    with pytest.raises(Exception, match="origin"):
        await tables.lobby.open(ANN, GUILD, CHANNEL, forged)
