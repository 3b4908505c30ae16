"""What is mixed into the shuffles, and the record of a game that nobody can play on."""

import random
from dataclasses import replace

import pytest

from bot.errors import NotAtTable, Problem, TableError, WrongStatus
from bot.occupants import Person
from bot.proposal import ProposalKind
from bot.table import Status
from bot.tables.service import Tables
from engine import SetupError
from engine.record import Record, Sitter, Takeover, load_record, read
from engine.rules.shuffle import commitment_of, seed_of
from engine.secret import whole
from tests.bot.gaming import Programs, after_exchange, kinds, lobby, play_on, refused, rest, started, turn
from tests.bot.people import ANN, BEN, CAT, CHANNEL, EVE, FOUR, GUILD, MOD, SEED
from tests.engine.records import verify

pytestmark = pytest.mark.on_a_file


def asking(person: Person, request: int) -> Person:
    """The same person, by this request."""
    return replace(person, contribution=str(request))


async def record_of(tables: Tables, table_id: int) -> Record:
    """The record of a game, which holds together by both checks."""
    text = await tables.records.text(table_id)
    assert list(verify.differences(text.encode())) == []
    return load_record(text.encode())


# -- what is mixed in


async def test_table_has_a_commitment_from_its_opening(programs: Programs) -> None:
    waiting = await lobby(await programs.run(), ANN)
    assert waiting.commitment == commitment_of(SEED)
    assert (await (await programs.restart()).get(waiting.id)).commitment == waiting.commitment


async def test_first_hand_alone_comes_out_and_is_verified(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(7)
    tables = await programs.run()
    monkeypatch.setattr(tables.lobby, "draw_secret", lambda: dice.randbytes(32))
    for person in FOUR:
        opened = await tables.lobby.open(asking(person, person.id), GUILD, CHANNEL, first=True)
        await tables.lobby.fill(opened.id, person)
        table = await tables.lobby.start(opened.id, person)
        assert any(table.board.system.cards[card].brings_out for card in whole(table.game).view(0).hand or ())
        await tables.turns.cancel(table.id, person)
        assert (await tables.records.verify(table.id)).differences == ()


async def test_shuffles_follow_from_secret_and_contributions(programs: Programs) -> None:
    tables = await programs.run()
    waiting = await lobby(tables, asking(ANN, 11), asking(BEN, 12), asking(CAT, 13), computers=1)
    await tables.lobby.contribute(waiting.id, BEN, "a rainy Tuesday")
    table = await (await programs.restart(bytes(32))).lobby.start(waiting.id, ANN)
    given = {0: "11", 1: "a rainy Tuesday", 2: "13"}
    assert (table.contributions, whole(table.game).seed) == (given, seed_of(SEED, given))


async def test_contribution_goes_with_its_person(tables: Tables) -> None:
    waiting = await lobby(tables, asking(ANN, 11), asking(BEN, 12))
    await tables.lobby.move_seat(waiting.id, BEN, 3)
    await tables.lobby.leave(waiting.id, ANN)
    assert (await tables.lobby.join(waiting.id, asking(CAT, 13))).contributions == {0: "13", 3: "12"}


async def test_who_plays_again_contributes_anew(tables: Tables) -> None:
    table = await started(tables, asking(ANN, 11), computers=3)
    await tables.turns.cancel(table.id, ANN)
    assert list((await tables.lobby.rematch(table.id, asking(ANN, 21))).contributions.values()) == ["21"]


@pytest.mark.parametrize("text", ["", "two\nlines", "\x00", "\ud800", "x" * 61])
async def test_contribution_is_one_short_line(tables: Tables, text: str) -> None:
    waiting = await lobby(tables, asking(ANN, 11))
    await refused(SetupError, tables.lobby.contribute(waiting.id, ANN, text))
    await refused(SetupError, tables.lobby.join(waiting.id, replace(BEN, contribution=text)))
    assert await tables.get(waiting.id) == waiting


async def test_contributions_come_from_seats_before_the_start(tables: Tables) -> None:
    waiting = await lobby(tables, ANN)
    await refused(NotAtTable, tables.lobby.contribute(waiting.id, EVE, "mine"))
    await tables.lobby.fill(waiting.id, ANN)
    begun = await tables.lobby.start(waiting.id, ANN)
    await refused(WrongStatus, tables.lobby.contribute(waiting.id, ANN, "later"))
    assert (await tables.get(waiting.id)).contributions == begun.contributions


# -- records


async def test_finished_game_is_a_valid_record(tables: Tables) -> None:
    table = await started(tables, *(asking(person, person.id) for person in FOUR[:3]), computers=1)
    after = await play_on(tables, table.id, random.Random(3))
    assert after.status is Status.OVER
    record = await record_of(tables, table.id)
    assert (record.secret, record.contributions, record.log) == (SEED, table.contributions, whole(after.game).log)
    assert (record.winners, record.awarded, record.takeovers) == (after.won, False, ())
    assert record.sitters == {
        **{seat: Sitter(person.name) for seat, person in enumerate(FOUR[:3])},
        3: Sitter(after.occupants[3].name, "normal"),
    }
    found = await tables.records.verify(table.id)
    text = record.text()
    assert found.differences == ()
    assert found.shuffles == text.count("\n+ shuffle ")
    assert found.cards == sum(len(line.split(" ")) - 3 for line in text.split("\n") if line[:4] in ("+ de", "+ dr"))


async def test_record_is_closed_while_play_can_continue(tables: Tables) -> None:
    waiting = await lobby(tables, *FOUR)

    async def closed(error: type[TableError] | Problem) -> None:
        await refused(error, tables.records.text(waiting.id), tables.records.verify(waiting.id))

    await closed(WrongStatus)
    await tables.lobby.start(waiting.id, ANN)
    await closed(Problem.NOT_OVER)
    await tables.moderation.pause(waiting.id, MOD, "")
    await closed(Problem.NOT_OVER)
    await tables.turns.cancel(waiting.id, MOD, "spam")
    assert (await record_of(tables, waiting.id)).winners == ()


async def test_a_lobby_that_was_cancelled_has_no_record(tables: Tables) -> None:
    waiting = await lobby(tables, ANN)
    await tables.turns.cancel(waiting.id, ANN)
    await refused(WrongStatus, tables.records.text(waiting.id))


async def test_takeovers_and_contributions_of_a_seat_stay_apart(tables: Tables) -> None:
    table = await started(tables, *(asking(person, person.id) for person in FOUR))
    before = table.contributions
    table = await play_on(tables, table.id, random.Random(3), 6)
    number = table.number
    await tables.turns.leave_game(table.id, BEN)
    table = await rest(tables, table.id)
    name = table.occupants[1].name
    later = table.number
    await tables.absence.take_over(table.id, asking(EVE, 99), 1)
    assert (await tables.get(table.id)).contributions == before
    await play_on(tables, table.id, random.Random(3), 4)
    await tables.turns.cancel(table.id, MOD, "spam")
    record = await record_of(tables, table.id)
    assert record.sitters[1] == Sitter("Ben")
    assert record.takeovers == (Takeover(number + 1, 1, Sitter(name, "normal")), Takeover(later + 1, 1, Sitter("Eve")))


async def test_takeover_counts_from_the_first_standing_action(tables: Tables) -> None:
    table = await turn(tables)
    seat, user_id = next(iter(table.waiting_for.items()))
    await tables.turns.act(table.id, user_id, table.decision(seat), whole(table.game).legal(seat)[0])
    await tables.turns.leave_game(
        table.id, next(person for person in FOUR if person.id not in table.waiting_for.values())
    )
    mine = next(person for person in FOUR if person.id == user_id)
    table = await tables.proposals.undo(table.id, mine)
    await tables.turns.cancel(table.id, MOD, "spam")
    (takeover,) = (await record_of(tables, table.id)).takeovers
    assert takeover.number == table.number + 1


async def test_abandoned_game_names_its_winners(tables: Tables) -> None:
    table = await started(tables, *FOUR)
    await after_exchange(tables, table.id)
    await tables.proposals.propose_resigning(table.id, ANN)
    await tables.proposals.answer(table.id, CAT, ProposalKind.RESIGN, yes=True)
    record = await record_of(tables, table.id)
    assert (record.winners, record.awarded) == ((1, 3), True)


@pytest.mark.parametrize(
    ("column", "what"), [("secret", "commitment: "), ("commitment", "commitment: "), ("seed", "seed: ")]
)
async def test_row_changed_by_hand_is_found(programs: Programs, column: str, what: str) -> None:
    table = await started(await programs.run(), *FOUR)
    # Nothing has been played, so that the log fits any seed.
    other = f"'\\x{bytes(32).hex()}'" if programs.url else f"x'{bytes(32).hex()}'"
    await programs.by_hand(f"UPDATE games SET {column} = {other}")
    tables = await programs.restart()
    await tables.turns.cancel(table.id, ANN)
    found = await tables.records.verify(table.id)
    assert any(what in one for one in found.differences)
    assert len(found.differences) <= 10


async def test_text_changed_by_hand_is_found(programs: Programs) -> None:
    table = await started(await programs.run(), asking(ANN, 11), computers=3)
    await programs.by_hand("UPDATE seats SET contribution = '12' WHERE seat = 0")
    tables = await programs.restart()
    await tables.turns.cancel(table.id, ANN)
    text = await tables.records.text(table.id)
    assert any("seed: " in str(error) for error in read(text.encode()).differences())
    assert (await tables.records.verify(table.id)).differences


async def test_occupants_are_noted_only_when_they_change(tables: Tables) -> None:
    table = await started(tables, *FOUR)
    assert (await kinds(tables, table.id)).count("sits") == 4
    await play_on(tables, table.id, random.Random(3), 3)
    assert (await kinds(tables, table.id)).count("sits") == 4
