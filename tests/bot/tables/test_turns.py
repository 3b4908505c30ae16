"""Playing: people's actions, what computers and forced folds do on their own, and who is told."""

import asyncio
import logging
import random

import pytest

from bot.errors import MovedOn, NotAtTable, Problem, WrongStatus
from bot.table import Automatic, NoteKind, Status, Table, Terms
from bot.tables.service import Tables
from engine import Action, ActionKind, NotYourTurn, Phase, Refusal
from engine.secret import whole
from tests.bot.gaming import Ear, Programs, act, lobby, play_on, refused, rest, started, stored_in, turn, views, waited
from tests.bot.people import ANN, BEN, CAT, DAN, EVE, FOUR, SEED

pytestmark = pytest.mark.on_a_file


def legal(table: Table, seat: int) -> tuple[Action, ...]:
    return whole(table.game).legal(seat)


@pytest.mark.usefixtures("sqlite_in_threads")
async def test_an_action_is_stored_when_the_call_returns(tables: Tables, programs: Programs) -> None:
    table = await turn(tables)
    seat, user_id = waited(table)
    programs.clock.now += 60
    action = legal(table, seat)[0]
    played = await tables.turns.act(table.id, user_id, table.decision(seat), action)
    stranger = await programs.run()
    assert views(await stranger.get(table.id)) == views(played)
    last = (await stranger.log(table.id))[-1]
    assert (last.number, last.seat, last.actor) == (played.number, seat, user_id)
    assert (await stored_in(stranger, table.id))[-1] == (seat, str(action))
    assert (last.at, played.changed_at) == (1_000_060, 1_000_060)
    assert played.version == table.version + 1


async def test_refused_action_says_why_and_changes_nothing(tables: Tables) -> None:
    table = await turn(tables)
    seat, user_id = waited(table)
    number, action = table.decision(seat), legal(table, seat)[0]
    earlier = number._replace(number=number.number - 1)
    waiting = next(person.id for person in (ANN, BEN) if person.id != user_id)
    await refused(NotAtTable, tables.turns.act(table.id, EVE.id, number, action))
    await refused(NotYourTurn, tables.turns.act(table.id, waiting, None, action))
    assert (await refused(MovedOn, tables.turns.act(table.id, waiting, number, action))).decision == number
    assert (await refused(MovedOn, tables.turns.act(table.id, user_id, earlier, action))).decision == earlier
    await refused(Refusal, tables.turns.act(table.id, user_id, number, "2 1>60"))
    assert await tables.get(table.id) == table


@pytest.mark.usefixtures("sqlite_in_threads")
async def test_everybody_gives_at_the_same_time(tables: Tables, programs: Programs) -> None:
    other = await programs.run()
    table = await started(tables, *FOUR)
    assert len(table.waiting_for) == 4
    await asyncio.gather(
        *(
            (tables, other)[seat % 2].turns.act(table.id, user_id, table.decision(seat), legal(table, seat)[0])
            for seat, user_id in table.waiting_for.items()
        )
    )
    await other.settled()
    assert (await rest(tables, table.id)).game.phase is Phase.TURN


async def test_the_click_is_answered_before_the_computers_move(tables: Tables) -> None:
    table = await started(tables, ANN, computers=3)
    assert table.number == 3, "three computers have given already"
    assert (await tables.turns.act(table.id, ANN.id, table.decision(0), legal(table, 0)[0])).number == 4
    table = await rest(tables, table.id)
    assert table.waiting_for == {0: ANN.id} or table.status is Status.OVER
    assert {row.actor for row in await tables.log(table.id) if row.seat != 0} == {Automatic.COMPUTER}


async def test_change_is_told_once_after_computers_moved(tables: Tables) -> None:
    told: list[tuple[int, tuple[int, ...]]] = []

    async def deliver(table_id: int, changed: bool, news: object) -> None:
        table = await tables.get(table_id)
        told.append((table.version, tuple(table.waiting_for)))

    tables.aftermath.deliver = deliver
    table = await started(tables, ANN, computers=3)
    told.clear()
    await tables.turns.act(table.id, ANN.id, None, legal(table, 0)[0])
    assert told == [((await rest(tables, table.id)).version, (0,))]


async def test_lobby_changes_and_ends_are_told_too(tables: Tables) -> None:
    ear = Ear(tables)
    table = await tables.lobby.open(ANN, 1, 2)
    await tables.settled()
    await tables.lobby.join(table.id, BEN)
    await tables.settled()
    await tables.turns.cancel(table.id, ANN)
    await tables.settled()
    assert ear.changed == [table.id] * 3


async def test_a_whole_game_of_people(tables: Tables) -> None:
    table = await play_on(tables, (await started(tables, *FOUR)).id, random.Random(4))
    assert table.status is Status.OVER
    assert len(table.game.winners) == 2
    assert table.ended_at == 1_000_000
    rows = await tables.log(table.id)
    assert [row.number for row in rows] == list(range(1, table.number + 1))
    texts = await stored_in(tables, table.id)
    assert texts == list(whole(table.game).log)
    folds = {
        row.actor for row, (_, text) in zip(rows, texts, strict=True) if Action.parse(text).kind is ActionKind.FOLD
    }
    assert folds == {Automatic.RULE}, "nobody has to click when nothing can be played"
    assert {row.actor for row in rows} == {Automatic.RULE, *(one.id for one in (ANN, BEN, CAT, DAN))}
    assert (await tables.notes(table.id))[-1].kind == NoteKind.ENDED
    await refused(WrongStatus, tables.turns.act(table.id, ANN.id, None, "fold"))
    assert table.waiting_for == {}


@pytest.mark.parametrize(
    ("system", "players"), [("family", 4), ("dobney", 6), ("royal-basic", 3), ("royal", 2), ("royal", 5)]
)
async def test_other_systems_are_played_the_same_way(tables: Tables, system: str, players: int) -> None:
    table = await started(tables, ANN, computers=players - 1, terms=Terms(system, players))
    table = await play_on(tables, table.id, random.Random(5), 6)
    assert table.number >= 12
    assert table.status is Status.OVER or set(table.waiting_for) == {0}


@pytest.mark.usefixtures("sqlite_in_threads")
async def test_table_is_driven_once_per_change(tables: Tables, programs: Programs) -> None:
    other = await programs.run()
    table = await started(tables, ANN, computers=3)
    table = await tables.turns.act(table.id, ANN.id, None, legal(table, 0)[0])
    results = await asyncio.gather(
        tables.aftermath.drive(table.id),
        tables.aftermath.drive(table.id),
        other.aftermath.drive(table.id),
        tables.settled(),
    )
    rows = await tables.log(table.id)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    assert {one.number for one in results[:3]} == {len(rows)}


async def test_failing_computer_does_not_hold_up_the_table(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> Action:
        raise RuntimeError("my hand is A K Q")

    monkeypatch.setattr("engine.players.choose", fail)
    table = await started(tables, ANN, computers=3)
    assert (await play_on(tables, table.id, random.Random(7), 3)).number > 6
    assert "RuntimeError" in caplog.text
    assert "my hand" not in caplog.text


async def test_a_computer_that_cheats_plays_something_legal(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("engine.players.choose", lambda *_: Action.parse("2 1>64"))
    assert (await started(tables, ANN, computers=3)).number == 3
    assert "not legal" in caplog.text


async def test_leaving_hands_the_seat_to_a_computer(tables: Tables) -> None:
    table = await started(tables, *FOUR)
    left = await tables.turns.leave_game(table.id, ANN)
    assert (left.host_id, left.seat_of(ANN.id)) == (BEN.id, None)
    assert left.occupants[0].computer == "normal"
    table = await rest(tables, table.id)
    assert 0 not in table.to_act, "the computer gives at once"
    await refused(NotAtTable, tables.turns.leave_game(table.id, ANN))
    note = next(one for one in await tables.notes(table.id) if one.kind == NoteKind.LEFT)
    assert (note.actor_id, note.seat, note.data) == (ANN.id, 0, {"name": "Ann"})
    for person in (BEN, CAT, DAN):
        table = await tables.turns.leave_game(table.id, person)
    assert table.status is Status.CANCELLED, "computers do not play among themselves"
    await tables.settled()
    assert (await tables.get(table.id)).version == table.version


async def test_no_secret_reaches_a_log(programs: Programs, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        tables = await programs.run()
        table = await play_on(tables, (await started(tables, *FOUR)).id, random.Random(8), 6)
        await programs.stop()
    for secret in (SEED.hex(), repr(SEED)[2:20], "give "):
        assert secret not in caplog.text
    for text in (repr(table), repr((await (await programs.run()).log(table.id))[:4])):
        assert "give" not in text


async def test_players_say_something_once_a_turn(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, computers=2)
    said = await tables.turns.say(table.id, ANN, "luck")
    note = (await tables.notes(table.id))[-1]
    assert (note.kind, note.actor_id, note.data["phrase"]) == (NoteKind.SAID, ANN.id, "luck")
    assert said.moment == table.moment, "nothing has happened to the game"
    await refused(Problem.SAID_ALREADY, tables.turns.say(table.id, ANN, "luck"))
    await tables.turns.say(table.id, BEN, "luck")
    await tables.turns.say((await act(tables, said)).id, ANN, "luck")


async def test_talk_needs_a_seat_permission_and_a_start(tables: Tables) -> None:
    quiet = await started(tables, ANN, computers=3, terms=Terms(talk=False))
    await refused(Problem.NO_TALK, tables.turns.say(quiet.id, ANN, "luck"))
    await refused(NotAtTable, tables.turns.say(quiet.id, BEN, "luck"))
    await refused(WrongStatus, tables.turns.say((await lobby(tables, ANN)).id, ANN, "luck"))
