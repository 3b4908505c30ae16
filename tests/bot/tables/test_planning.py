"""Plans: played in their owner's name at once, in the case they were made for, seen by nobody else."""

import json
import random
from dataclasses import replace

import pytest

from bot.errors import NotAtTable, Problem
from bot.moment import Moment
from bot.occupants import Person
from bot.plans import MOST, Case, Plan, Planned
from bot.preferences import OnlyMove, Preferences
from bot.table import Status, Table, Terms
from bot.tables import planning, playing
from bot.tables.courses import find_only_move
from bot.tables.service import Tables
from engine import ActionKind, Game, SeatGame
from engine.secret import whole
from tests.bot.gaming import Programs, act, after_exchange, play_on, refused, rest, started, turn, waited
from tests.bot.people import ANN, BY_ID, EVE, FOUR

pytestmark = pytest.mark.on_a_file


def ahead(table: Table, seat: int) -> SeatGame | None:
    return SeatGame(whole(table.game), seat).if_asked()


def following(table: Table) -> tuple[int, Person]:
    """The seat that plays after the one on turn, and its member."""
    seat = table.board.next_seat(waited(table)[0])
    return seat, BY_ID[table.occupants[seat].user_id or 0]


async def planned(tables: Tables, case: Case = Case.ANY, about: int | None = None) -> tuple[Table, int, Person, str]:
    """A game in which the next player has planned a move that is still legal after the first move of the one on turn.

    With the table: the seat, its member and the move.
    """
    for seed in range(40):
        table = await turn(tables)
        table = await play_on(tables, table.id, random.Random(seed), actions=seed % 7)
        if whole(table.game).phase.value != "turn" or len(table.waiting_for) != 1:
            continue
        seat, person = following(table)
        now = waited(table)[0]
        game = ahead(table, seat)
        after = whole(table.game).play(now, whole(table.game).legal(now)[0])
        shared = [each for each in (game.legal if game else ()) if each in after.legal(seat)]
        if after.to_act == (seat,) and len(after.legal(seat)) > 1 and shared and shared[0].kind is ActionKind.PLAY:
            step = Planned(str(shared[0]), case, now if about is None else about, table.moment)
            await tables.planning.add(table.id, person, step)
            return table, seat, person, str(shared[0])
    raise AssertionError("no such game")


async def test_plan_is_played_before_the_table_is_shown(tables: Tables, programs: Programs) -> None:
    table, seat, person, action = await planned(tables)
    version = (await tables.get(table.id)).version
    assert version == table.version, "nobody sees that there is a plan"
    tables = await programs.restart()
    await act(tables, await tables.get(table.id))
    after = await rest(tables, table.id)
    assert whole(after.game).log[table.number + 1] == (seat, action)
    assert (await tables.log(table.id))[table.number + 1].actor == person.id
    plan = tables.planning.of(after, person.id)
    assert (plan.steps, plan.played) == ((), table.number + 2)


async def test_dropped_plan_is_not_played(tables: Tables) -> None:
    table, seat, person, _action = await planned(tables)
    await tables.planning.drop(table.id, person)
    await act(tables, table)
    assert (await rest(tables, table.id)).to_act == (seat,)


@pytest.mark.parametrize("case", [Case.OUT, Case.HIT, Case.FOLDED])
async def test_plan_lapses_in_another_case(tables: Tables, case: Case) -> None:
    table, seat, person, _action = await planned(tables, case, about=99)
    await act(tables, table)
    after = await rest(tables, table.id)
    assert after.to_act == (seat,), "the player is called as usual"
    assert tables.planning.of(after, person.id).steps, "and can read what did not come"


async def test_plan_lapses_after_takeback(tables: Tables) -> None:
    table, _seat, person, _action = await planned(tables)
    await tables.planning.drop(table.id, person)
    step = Planned("13 1>14", Case.ANY, None, Moment(table.takebacks, table.number))
    await tables.planning.add(table.id, person, step)
    on_turn = BY_ID[waited(table)[1]]
    await act(tables, table)
    undone = await tables.proposals.undo(table.id, on_turn)
    assert tables.planning.of(undone, person.id).steps == ()


async def test_planned_card_is_given_in_the_exchange(tables: Tables) -> None:
    table = await turn(tables)
    for person in FOUR:
        for card in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")[-MOST:]:
            if table.decision(table.seat_of(person.id) or 0) is None:
                await tables.planning.add(table.id, person, Planned(f"give {card}", Case.EXCHANGE, None, table.moment))
    while whole(table.game).round == 1:
        await act(tables, table)
        table = await rest(tables, table.id)
    given = [Game.replay("classic", 4, whole(table.game).seed, None, whole(table.game).log)]
    texts = [text for _, text in given[0].log if text.startswith("give")]
    assert all(text.removeprefix("give ") in ("J", "Q", "K") for text in texts[4:])


async def test_plans_that_make_no_sense_are_refused(tables: Tables) -> None:
    table = await turn(tables)
    _seat, user_id = waited(table)
    step = Planned("13 1>14", Case.ANY, None, table.moment)
    await refused(Problem.PLAN_NOW, tables.planning.add(table.id, BY_ID[user_id], step))
    await refused(NotAtTable, tables.planning.add(table.id, EVE, step), tables.planning.drop(table.id, EVE))
    _, person = following(table)
    for number in range(MOST):
        await tables.planning.add(table.id, person, replace(step, action=f"13 1>{number + 14}"))
    await refused(Problem.PLANS_FULL, tables.planning.add(table.id, person, replace(step, action="2 1>3")))
    live = await turn(tables, pace="live")
    await refused(Problem.NO_PLANS, tables.planning.add(live.id, following(live)[1], step))
    assert tables.planning.of(table, user_id).steps == ()


async def test_plans_are_their_owners_alone(tables: Tables) -> None:
    table, _seat, person, action = await planned(tables)
    for other in FOUR:
        mine = json.dumps(await tables.privacy.export(other.id))
        assert (action in mine) == (other is person)
        assert bool(tables.planning.of(table, other.id).steps) == (other is person)
    assert action not in repr(table)
    await tables.privacy.forget(person.id)
    assert "plans" not in await tables.privacy.export(person.id)


async def test_only_move_is_played_in_slow_games(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "USUAL", OnlyMove.SLOW)
    waits = {}
    for pace in ("daily", "brisk"):
        table = await started(tables, *FOUR, terms=Terms(pace=pace))
        table = await after_exchange(tables, table.id)
        dice, waits[pace] = random.Random(4), 0
        while whole(table.game).round < 4 and table.number < 60:
            seat, _ = waited(table)
            waits[pace] += find_only_move(whole(table.game), seat, alone=False) is not None
            table = await play_on(tables, table.id, dice, actions=1)
    assert waits["daily"] == 0 < waits["brisk"]
    alone = await started(tables, ANN, computers=3, terms=Terms(pace="daily"))
    assert [playing.plays_only_move(alone, Preferences(ANN.id, only_move=chosen)) for chosen in (None, *OnlyMove)] == [
        False,
        *(chosen is not OnlyMove.NEVER for chosen in OnlyMove),
    ], "no one waits for a person alone"


async def test_only_move_is_no_sign_of_its_player(tables: Tables) -> None:
    table = await turn(tables)
    seat, user_id = waited(table)
    late = replace(table, occupants={**table.occupants, seat: replace(table.occupants[seat], missed=2)})
    action, missed = whole(table.game).legal(seat)[0], {}
    for left in (None, Plan(user_id)):
        played = planning.carry_out_following(late, planning.Following(seat, action, left), 0)
        missed[left is None] = played.after.occupants[seat].missed
    assert missed == {True: 2, False: 0}, "they have planned since their last turn"


@pytest.mark.parametrize("system", ["classic", "jackaroo"])
async def test_person_alone_begins_every_round_themselves(tables: Tables, system: str) -> None:
    await tables.users.prefer(ANN.id, only_move=OnlyMove.ALL)
    table = await started(tables, ANN, computers=3, terms=Terms(system=system, pace="daily"))
    dice, played = random.Random(6), 0
    for _ in range(60):
        before = table.number
        table = await play_on(tables, table.id, dice, actions=1)
        if table.status is not Status.PLAYING:
            break
        log, course = whole(table.game).log, tables.course(table)
        dealt = [each.number for each in course.entries(before + 2) if playing.has_deal((each,))]
        assert all(seat != waited(table)[0] for seat, _ in log[min(dealt, default=len(log)) :]), "unseen cards"
        forced = [text for seat, text in log[before + 1 :] if seat == waited(table)[0] and text != "fold"]
        assert not any(":" in text for text in forced), "a joker"
        played += len(forced)
    assert played, "but later moves are played for them"


async def test_only_move_goes_with_the_choice_before(tables: Tables) -> None:
    await tables.users.prefer(ANN.id, only_move=OnlyMove.ALL)
    table = await started(tables, ANN, computers=1, terms=Terms("royal", 2, pace="brisk"))
    dice = random.Random(5)
    for _ in range(200):
        table = await play_on(tables, table.id, dice, actions=1)
        if table.status is not Status.PLAYING:
            table = await started(tables, ANN, computers=1, terms=Terms("royal", 2, pace="brisk"))
            continue
        own = [row.number for row in await tables.log(table.id) if row.actor == ANN.id]
        course = tables.course(table)
        forced = [number for number in own if course.was_only_move(number, alone=True)]
        if own[-1] in forced and await tables.proposals.can_undo(table.id, ANN.id):
            after = await tables.proposals.undo(table.id, ANN)
            assert after.number == [number for number in own if number not in forced][-1] - 1
            assert (await rest(tables, table.id)).number == after.number, "Ann chooses again"
            return
    raise AssertionError("Ann never had one move only")
