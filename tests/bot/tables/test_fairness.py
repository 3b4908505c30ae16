"""What costs another player something needs that player's consent, or has a limit: `bot.consent`, line by line."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.consent import NOTICE, PAUSE, SILENCE, can_wait_longer
from bot.delivery.errands import wanted_marks
from bot.errors import Declined, NotAtTable, NotHost, NotModerator, NotPossible, Problem, WrongStatus
from bot.languages import language_for
from bot.message import About
from bot.occupants import Person, Scope, StandInReason
from bot.preferences import AwayHow
from bot.proposal import Proposal, ProposalKind
from bot.table import BY_PLAYERS, Status, Table, Terms
from bot.tables.absence import Remedy
from bot.tables.effects import NewsKind
from bot.tables.service import Tables
from bot.texts import leaving
from bot.texts.names import Names
from bot.texts.public import letters, notices, proposals
from engine.secret import whole
from tests.bot.gaming import (
    Ear,
    Programs,
    act,
    after_exchange,
    gone,
    kinds,
    later,
    lobby,
    others,
    overdue,
    play_on,
    refused,
    rest,
    started,
    turn,
    waited,
)
from tests.bot.people import ANN, BEN, BY_ID, CAT, DAILY, EVE, FOUR, GUILD, MOD

pytestmark = pytest.mark.on_a_file

DUEL = Terms(system="royal-basic", players=2)


def present(table: Table, seat: int) -> list[Person]:
    """The people at the table other than the one on this seat."""
    return [BY_ID[user] for user in table.owners if user != table.occupants[seat].user_id]


# Time is up


async def test_the_others_wait_once_then_a_computer_plays(tables: Tables, programs: Programs) -> None:
    ear = Ear(tables)
    table, seat, user_id = await overdue(tables, programs)
    number = table.number
    table = await tables.absence.answer_absence(table.id, others(table), seat, Remedy.WAIT)
    assert (table.clocks[seat].ends_at, table.clocks[seat].overdue) == (int(programs.clock()) + DAILY, False)
    await later(tables, programs.clock, DAILY * 9 / 10)
    assert ear.kinds() == [NewsKind.UP], "no further reminder"
    await later(tables, programs.clock, DAILY / 10 - 1)
    assert (await tables.get(table.id)).number == number
    await later(tables, programs.clock, 1)
    table = await tables.get(table.id)
    assert table.number > number, "no player has to press anything"
    assert (table.occupants[seat].plays, table.occupants[seat].missed) == (user_id, 1)


async def test_two_who_wait_at_once_wait_once(tables: Tables, programs: Programs) -> None:
    table, seat, _ = await overdue(tables, programs)
    first, second, third = present(table, seat)
    waiting = (
        tables.absence.answer_absence(table.id, person, seat, Remedy.WAIT, waited=0) for person in (first, second)
    )
    await asyncio.gather(*waiting)
    table = await tables.get(table.id)
    assert (table.clocks[seat].waited, dict(table.proposals)) == (1, {})
    longer = await tables.absence.answer_absence(table.id, third, seat, Remedy.WAIT, waited=1)
    assert longer.proposals.keys() == {ProposalKind.WAIT}


async def test_waiting_longer_is_offered_near_the_end(tables: Tables, programs: Programs) -> None:
    table, seat, _ = await overdue(tables, programs)
    table = await tables.absence.answer_absence(table.id, present(table, seat)[0], seat, Remedy.WAIT)
    assert not can_wait_longer(table, seat)
    await later(tables, programs.clock, DAILY * 9 / 10)
    table = await tables.get(table.id)
    assert can_wait_longer(table, seat)
    assert wanted_marks(table, About.UP) == {seat: str(table.clocks[seat].ends_at)}
    duel = replace(table, occupants={one: replace(who, computer="easy") for one, who in table.occupants.items()})
    assert wanted_marks(duel, About.UP) == {}, "no one is there to agree"


async def test_waiting_again_needs_all_others(tables: Tables, programs: Programs) -> None:
    table, seat, _ = await overdue(tables, programs)
    first, second, third = present(table, seat)
    await tables.absence.answer_absence(table.id, first, seat, Remedy.WAIT)
    begun = int(programs.clock())
    for _ in range(3):
        table = await tables.absence.answer_absence(table.id, second, seat, Remedy.WAIT)
    assert table.proposals[ProposalKind.WAIT].must_agree == tuple(
        user for user in table.owners if user in (first.id, third.id)
    )
    assert not can_wait_longer(table, seat), "the question stands alone"
    # Asking for what one is being asked is a yes.
    table = await tables.absence.answer_absence(table.id, first, seat, Remedy.WAIT)
    told = leaving.chosen(table.language, table, Remedy.WAIT, seat, first.id)
    missing = Names.of(table, table.language).marked(table.owners[third.id])
    assert told == f"**{table.code}**: you agreed. Waiting for: {missing}."
    assert table.clocks[seat].ends_at == begun + DAILY
    programs.clock.now += 100
    table = await tables.proposals.answer(table.id, third, ProposalKind.WAIT, True)
    assert (table.clocks[seat].ends_at, table.clocks[seat].waited) == (begun + 100 + DAILY, 2)


async def test_one_no_ends_the_waiting(tables: Tables, programs: Programs) -> None:
    table, seat, _ = await overdue(tables, programs)
    number = table.number
    first, second, third = present(table, seat)
    await tables.absence.answer_absence(table.id, first, seat, Remedy.WAIT)
    await tables.absence.answer_absence(table.id, second, seat, Remedy.WAIT)
    table = await tables.proposals.answer(table.id, third, ProposalKind.WAIT, False)
    assert dict(table.proposals) == {}
    await later(tables, programs.clock, DAILY)
    assert (await tables.get(table.id)).number > number


async def test_presses_in_turns_do_not_stop_a_game(tables: Tables, programs: Programs) -> None:
    table, seat, _ = await overdue(tables, programs)
    number, others_here = table.number, present(table, seat)
    for hour in range(30):
        for person in others_here[:2]:
            try:
                await tables.absence.answer_absence(table.id, person, seat, Remedy.WAIT)
            except Declined:
                continue
            except NotPossible as refusal:
                if refusal.kind not in (Problem.NOT_OVERDUE, Problem.NO_MORE_WAITING, Problem.PROPOSAL_OPEN):
                    raise
        await later(tables, programs.clock, 3_600)
        if (await tables.get(table.id)).number > number:
            assert hour >= 23
            return
    raise AssertionError("two players have stopped the game")


async def test_in_a_duel_there_is_one_wait(tables: Tables, programs: Programs) -> None:
    table = await after_exchange(tables, (await started(tables, ANN, BEN, terms=DUEL)).id)
    seat, _ = waited(table)
    await later(tables, programs.clock, DAILY)
    (other,) = present(table, seat)
    await tables.absence.answer_absence(table.id, other, seat, Remedy.WAIT)
    await refused(Problem.NO_MORE_WAITING, tables.absence.answer_absence(table.id, other, seat, Remedy.WAIT))


async def test_the_late_player_plays_while_the_others_wait(tables: Tables, programs: Programs) -> None:
    table, seat, user_id = await overdue(tables, programs)
    first, second, _ = present(table, seat)
    await tables.absence.answer_absence(table.id, first, seat, Remedy.WAIT)
    await tables.absence.answer_absence(table.id, second, seat, Remedy.WAIT)
    await tables.turns.act(table.id, user_id, None, whole(table.game).legal(seat)[0])
    table = await rest(tables, table.id)
    assert ProposalKind.WAIT not in table.proposals, "the question has gone with the turn"


async def test_a_wait_survives_a_restart(tables: Tables, programs: Programs) -> None:
    table, seat, _ = await overdue(tables, programs)
    first, second, _ = present(table, seat)
    await tables.absence.answer_absence(table.id, first, seat, Remedy.WAIT)
    await tables.absence.answer_absence(table.id, second, seat, Remedy.WAIT)
    again = await (await programs.restart()).get(table.id)
    assert (again.clocks[seat].waited, again.proposals[ProposalKind.WAIT].about) == (1, seat)


# A seat


async def test_no_single_player_gives_a_seat_away(tables: Tables, programs: Programs) -> None:
    table, seat, _ = await overdue(tables, programs)
    for remedy, refusal in ((Remedy.OFFER, Problem.NOT_GONE), (Remedy.COMPUTER, Problem.NOT_SILENT)):
        await refused(refusal, tables.absence.answer_absence(table.id, others(table), seat, remedy))
    table = await gone(tables, programs, table, BY_ID[table.occupants[seat].user_id or 0])
    await refused(Problem.SEAT_NOT_OPEN, tables.absence.take_over(table.id, EVE, seat))


async def test_a_seat_is_offered_by_a_majority(tables: Tables, programs: Programs) -> None:
    ear = Ear(tables)
    table = await gone(tables, programs, await turn(tables), ANN)
    seat = table.seat_of(ANN.id)
    await refused(NotAtTable, tables.absence.answer_absence(table.id, EVE, seat, Remedy.OFFER))
    await refused(Problem.OWN_SEAT, tables.absence.answer_absence(table.id, ANN, seat, Remedy.OFFER))
    table = await tables.absence.answer_absence(table.id, BEN, seat, Remedy.OFFER)
    assert table.open_seats == ()
    await refused(Problem.NOT_ASKED, tables.proposals.answer(table.id, ANN, ProposalKind.OFFER, True))
    ear.kinds()
    table = await tables.proposals.answer(table.id, CAT, ProposalKind.OFFER, True)
    assert table.open_seats == (seat,)
    await rest(tables, table.id)
    assert ear.kinds() == [NewsKind.OFFERED]
    assert (await tables.absence.take_over(table.id, EVE, seat)).occupants[seat].plays == EVE.id


async def test_a_majority_against_keeps_the_seat(tables: Tables, programs: Programs) -> None:
    table = await gone(tables, programs, await turn(tables), ANN)
    seat = table.seat_of(ANN.id)
    await tables.absence.answer_absence(table.id, BEN, seat, Remedy.OFFER)
    table = await tables.proposals.answer(table.id, CAT, ProposalKind.OFFER, False)
    assert ProposalKind.OFFER in table.proposals, "one of two is no majority yet"
    dan = next(person for person in FOUR if person not in (ANN, BEN, CAT))
    table = await tables.proposals.answer(table.id, dan, ProposalKind.OFFER, False)
    assert (dict(table.proposals), table.open_seats) == ({}, ())


async def test_the_owner_ends_an_offer_with_one_press(tables: Tables, programs: Programs) -> None:
    table = await gone(tables, programs, await turn(tables), ANN)
    seat = table.seat_of(ANN.id)
    await tables.absence.answer_absence(table.id, BEN, seat, Remedy.OFFER)
    assert dict((await tables.absence.reclaim(table.id, ANN)).proposals) == {}
    table = await gone(tables, programs, await tables.get(table.id), ANN)
    await tables.absence.answer_absence(table.id, BEN, seat, Remedy.OFFER)
    await tables.proposals.answer(table.id, CAT, ProposalKind.OFFER, True)
    table = await tables.absence.reclaim(table.id, ANN)
    assert (table.open_seats, table.occupants[seat].plays) == ((), ANN.id)
    await refused(Problem.SEAT_NOT_OPEN, tables.absence.take_over(table.id, EVE, seat))


async def test_duel_offers_a_seat_after_notice(tables: Tables, programs: Programs) -> None:
    table = await gone(tables, programs, await started(tables, ANN, BEN, terms=DUEL), ANN)
    seat = table.seat_of(ANN.id)
    asked = await tables.absence.answer_absence(table.id, BEN, seat, Remedy.OFFER)
    assert asked.open_seats == ()
    tables = await programs.restart()
    await later(tables, programs.clock, NOTICE - 1)
    assert (await tables.get(table.id)).open_seats == ()
    await later(tables, programs.clock, 1)
    assert (await tables.get(table.id)).open_seats == (seat,)


async def test_without_a_clock_silence_lets_a_computer_play(tables: Tables, programs: Programs) -> None:
    ear = Ear(tables)
    table = await turn(tables, pace="none")
    seat, absent = waited(table)
    first, second, _ = present(table, seat)
    assert table.clocks[seat].ends_at is None
    await later(tables, programs.clock, SILENCE - 1)
    await refused(Problem.NOT_SILENT, tables.absence.answer_absence(table.id, first, seat, Remedy.COMPUTER))
    assert ear.kinds() == []
    await later(tables, programs.clock, 1)
    assert ear.kinds() == [NewsKind.UP]
    table = await tables.absence.answer_absence(table.id, first, seat, Remedy.COMPUTER)
    assert table.occupants[seat].plays == absent, "one of three is no majority"
    table = await tables.proposals.answer(table.id, second, ProposalKind.STAND_IN, True)
    assert (table.occupants[seat].plays, table.occupants[seat].may_reclaim) == (None, True)
    table = await tables.absence.reclaim(table.id, BY_ID[absent])
    assert table.occupants[seat].plays == absent


async def test_without_a_clock_one_vote_decides_a_duel(tables: Tables, programs: Programs) -> None:
    table = await after_exchange(tables, (await started(tables, ANN, BEN, terms=replace(DUEL, pace="none"))).id)
    seat, absent = waited(table)
    await later(tables, programs.clock, SILENCE)
    (other,) = present(table, seat)
    table = await tables.absence.answer_absence(table.id, other, seat, Remedy.COMPUTER)
    assert table.occupants[seat].plays is None
    assert table.seat_of(absent) == seat


# Leaving


async def test_resigning_early_is_told_not_to_be_rated(tables: Tables) -> None:
    table, language = await started(tables, *FOUR), language_for("en-US")
    assert "isn't rated before round 3" in leaving.ask_resigning(language, table, 0)
    unrated = replace(table, terms=replace(table.terms, hints=True))
    assert "rated" not in leaving.ask_resigning(language, unrated, 0)


async def test_reminder_asks_for_a_card_in_the_exchange(tables: Tables) -> None:
    table = await started(tables, *FOUR)
    clock = next(iter(table.clocks.values()))
    assert "a card is still missing" in notices.reminder(language_for("en-US"), table, "Ann", 1, clock)


@pytest.mark.parametrize(
    "say",
    [
        letters.handed,
        letters.taken,
        letters.offered,
        letters.offer_asked,
        letters.time_up,
        lambda language, table, seat: notices.handed(language, table, "Ann", 1),
        lambda language, table, seat: notices.handed(language, table, "Ann, Ben", 2),
        lambda language, table, seat: notices.time_up(language, table, {seat: table.clocks[seat]}),
        lambda language, table, seat: proposals.proposal_line(language, table, ProposalKind.OFFER),
        lambda language, table, seat: proposals.proposal_line(language, table, ProposalKind.STAND_IN),
        leaving.ask_leave_game,
    ],
)
async def test_leaving_a_rated_game_is_told_to_lose(tables: Tables, say: Callable[..., str]) -> None:
    table = await started(tables, *FOUR)
    seat = table.seat_of(ANN.id)
    assert seat is not None
    late = replace(table.occupants[seat], missed=2)
    kinds = (ProposalKind.OFFER, ProposalKind.STAND_IN)
    asked = {kind: Proposal(kind, 1, BEN.id, 0, 0, (CAT.id,), about=seat) for kind in kinds}
    table = replace(table, occupants={**table.occupants, seat: late}, proposals=asked)
    assert "It's rated" in say(language_for("en-US"), table, seat)
    unrated = replace(table, terms=replace(table.terms, hints=True))
    assert "rated" not in say(language_for("en-US"), unrated, seat)


async def test_without_partners_no_team_is_named(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, terms=DUEL)
    assert leaving.ask_leave_game(language_for("en-US"), table, table.seats[0]).endswith("It's rated: you lose.")


@pytest.mark.parametrize(("missed", "is_warned"), [(0, False), (1, True)])
async def test_second_late_turn_warns_of_the_third(tables: Tables, missed: int, is_warned: bool) -> None:
    language, table = language_for("en-US"), await started(tables, *FOUR)
    seat = table.seat_of(ANN.id)
    assert seat is not None
    late = replace(table, occupants={**table.occupants, seat: replace(table.occupants[seat], missed=missed)})
    unrated = replace(late, terms=replace(late.terms, hints=True))
    for of, cost in ((late, "lose"), (unrated, "computer plays on")):
        for told in (letters.time_up(language, of, seat), notices.time_up(language, of, {seat: of.clocks[seat]})):
            assert ("After a third" in told and cost in told.partition("After a third")[2]) is is_warned
    assert "lose" not in letters.time_up(language, unrated, seat)


async def test_third_late_turn_says_it_in_unrated_games(tables: Tables) -> None:
    table = await started(tables, *FOUR, terms=Terms(hints=True))
    late = replace(table.occupants[table.seats[0]], missed=2)
    table = replace(table, occupants={**table.occupants, table.seats[0]: late})
    told = letters.time_up(language_for("en-US"), table, table.seats[0])
    assert told.endswith("Then a computer keeps your seat until you come back.")


async def test_computer_that_finishes_brings_no_victory(tables: Tables) -> None:
    table = await started(tables, *FOUR)
    seat, language = table.seat_of(ANN.id), language_for("en-US")
    assert seat is not None
    won = replace(table, won=(seat,))
    said = []
    for why in (StandInReason.AWAY, StandInReason.ABSENT):
        played = replace(table.occupants[seat], computer="normal", why=why)
        said.append(letters.ended(language, replace(won, occupants={**table.occupants, seat: played}), seat))
    assert ["you won" in one for one in said] == [True, False]


# Cancelling


async def test_a_running_game_is_cancelled_by_all(tables: Tables) -> None:
    table = await play_on(tables, (await turn(tables)).id, random.Random(1), 4)
    host = BY_ID[table.host_id]
    table = await tables.turns.cancel(table.id, host)
    assert table.status is Status.PLAYING
    must_agree = table.proposals[ProposalKind.CANCEL].must_agree
    assert set(must_agree) == set(BY_ID) - {host.id}
    for user in must_agree:
        assert table.status is Status.PLAYING
        table = await tables.proposals.answer(table.id, BY_ID[user], ProposalKind.CANCEL, True)
    assert table.status is Status.CANCELLED


async def test_any_player_may_ask_to_cancel(tables: Tables) -> None:
    table = await play_on(tables, (await turn(tables)).id, random.Random(1), 4)
    guest = next(person for person in FOUR if person.id != table.host_id)
    table = await tables.turns.cancel(table.id, guest)
    table = await tables.proposals.answer(table.id, BY_ID[table.host_id], ProposalKind.CANCEL, False)
    assert (table.status, dict(table.proposals)) == (Status.PLAYING, {})
    await refused(Declined, tables.turns.cancel(table.id, guest))
    asked = await tables.proposals.propose_pause(table.id, guest)
    assert ProposalKind.PAUSE in asked.proposals, "another question"
    await tables.proposals.answer(table.id, guest, ProposalKind.PAUSE, False)
    await refused(Declined, tables.proposals.propose_pause(table.id, guest))
    other = next(person for person in FOUR if person.id not in (guest.id, table.host_id))
    assert ProposalKind.CANCEL in (await tables.turns.cancel(table.id, other)).proposals, "another player"


async def test_before_the_first_card_the_host_cancels(tables: Tables) -> None:
    table = await started(tables, *FOUR)
    guest = next(person for person in FOUR if person.id != table.host_id)
    assert (await tables.turns.cancel(table.id, guest)).status is Status.PLAYING, "the others are asked"
    assert (await tables.turns.cancel(table.id, BY_ID[table.host_id])).status is Status.CANCELLED


async def test_alone_a_game_is_cancelled_at_once(tables: Tables) -> None:
    table = await play_on(tables, (await started(tables, ANN, computers=3)).id, random.Random(1), 4)
    assert (await tables.turns.cancel(table.id, ANN)).status is Status.CANCELLED


async def test_a_lobby_is_cancelled_by_its_host(tables: Tables) -> None:
    table = await lobby(tables, ANN, BEN)
    await refused(NotHost, tables.turns.cancel(table.id, BEN))
    assert (await tables.turns.cancel(table.id, ANN)).status is Status.CANCELLED


async def test_a_moderator_cancels_with_a_reason(tables: Tables) -> None:
    table = await turn(tables)
    await refused(Problem.NO_REASON, tables.turns.cancel(table.id, MOD))
    await refused(NotAtTable, tables.turns.cancel(table.id, EVE))
    assert (await tables.turns.cancel(table.id, MOD, "spam")).status is Status.CANCELLED
    entry = (await tables.moderation.guild_log(GUILD, 1))[0]
    assert (entry.kind, entry.actor_id, entry.data) == ("cancelled", MOD.id, {"reason": "spam"})


async def test_a_seated_moderator_is_a_player(tables: Tables) -> None:
    table = await turn(tables)
    seated = Person(ANN.id, ANN.name, moderates=frozenset(Scope))
    await refused(NotModerator, tables.moderation.pause(table.id, seated))
    table = await play_on(tables, table.id, random.Random(1), 4)
    assert (await tables.turns.cancel(table.id, seated, "mine")).status is Status.PLAYING
    await tables.moderation.ban(seated, GUILD, BEN.id, "beats me")
    assert (await tables.get(table.id)).seat_of(BEN.id) is not None


# Pausing


async def test_a_moderators_pause_ends_after_a_week(tables: Tables, programs: Programs) -> None:
    table = await tables.moderation.pause((await turn(tables)).id, MOD)
    assert table.paused_until == int(programs.clock()) + PAUSE
    tables = await programs.restart()
    await later(tables, programs.clock, PAUSE - 1)
    assert (await tables.get(table.id)).status is Status.PAUSED
    await later(tables, programs.clock, 1)
    table = await tables.get(table.id)
    assert (table.status, table.paused_by, table.paused_until) == (Status.PLAYING, None, None)
    assert (await kinds(tables, table.id))[-1] == "resumed"


async def test_players_pause_and_go_on_by_agreement(tables: Tables, programs: Programs) -> None:
    table = await turn(tables)
    first, *more = FOUR
    table = await tables.proposals.propose_pause(table.id, first)
    assert table.status is Status.PLAYING
    for person in more:
        table = await tables.proposals.answer(table.id, person, ProposalKind.PAUSE, True)
    assert (table.status, table.paused_by) == (Status.PAUSED, BY_PLAYERS)
    programs.clock.now += 3 * DAILY
    table = await tables.proposals.propose_pause(table.id, first)
    for person in more:
        table = await tables.proposals.answer(table.id, person, ProposalKind.PAUSE, True)
    assert table.paused_until == int(programs.clock()) + PAUSE, "renewed"
    table = await tables.proposals.propose_resuming(table.id, first)
    for person in more:
        assert table.status is Status.PAUSED
        table = await tables.proposals.answer(table.id, person, ProposalKind.RESUME, True)
    assert table.status is Status.PLAYING


async def test_who_may_not_pause_or_resume(tables: Tables, programs: Programs) -> None:
    table = await turn(tables)
    await refused(NotAtTable, tables.proposals.propose_pause(table.id, EVE))
    await refused(WrongStatus, tables.proposals.propose_resuming(table.id, ANN))
    await tables.moderation.pause(table.id, MOD)
    await refused(
        NotModerator, tables.proposals.propose_resuming(table.id, ANN), tables.moderation.resume(table.id, ANN)
    )
    await tables.moderation.resume(table.id, MOD)
    for person in FOUR:
        await tables.users.set_away(person, int(programs.clock()) + DAILY, AwayHow.COMPUTER)
    asleep = await rest(tables, table.id)
    assert (asleep.asleep, asleep.status) == (True, Status.PLAYING), "it is not paused"
    asked = tables.proposals.propose_pause(table.id, ANN), tables.proposals.propose_resuming(table.id, ANN)
    await refused(Problem.NOBODY_PLAYS, *asked)


# Questions


@pytest.mark.parametrize("left", [False, True])
async def test_who_no_longer_plays_asks_nothing(tables: Tables, programs: Programs, left: bool) -> None:
    table = await gone(tables, programs, await turn(tables), ANN)
    if left:
        await tables.absence.member_left(GUILD, ANN.id)
    seat, _late = waited(await rest(tables, table.id))
    await later(tables, programs.clock, DAILY)
    await refused(
        Problem.COMPUTER_PLAYS,
        tables.proposals.propose_pause(table.id, ANN),
        tables.turns.cancel(table.id, ANN),
        *(tables.absence.answer_absence(table.id, ANN, seat, remedy) for remedy in (Remedy.WAIT, Remedy.PLAY)),
    )
    assert not (await tables.get(table.id)).proposals


async def test_a_question_is_not_replaced_for_a_day(tables: Tables, programs: Programs) -> None:
    table = await started(tables, *FOUR)
    await later(tables, programs.clock, DAILY)
    table = await tables.get(table.id)
    one, two = [seat for seat, clock in table.clocks.items() if clock.overdue][:2]
    first, second = present(table, one)[0], present(table, two)[-1]
    for seat in (one, two):
        await tables.absence.answer_absence(table.id, present(table, seat)[0], seat, Remedy.WAIT)
    await tables.absence.answer_absence(table.id, first, one, Remedy.WAIT)
    if second.id != first.id:
        await refused(Problem.PROPOSAL_OPEN, tables.absence.answer_absence(table.id, second, two, Remedy.WAIT))


async def test_a_takeback_ends_questions_about_a_turn(tables: Tables, programs: Programs) -> None:
    table = await turn(tables)
    _, actor = waited(table)
    await act(tables, table)
    await later(tables, programs.clock, DAILY)
    table = await tables.get(table.id)
    (late,) = [seat for seat, clock in table.clocks.items() if clock.overdue]
    first, second, _ = present(table, late)
    await tables.absence.answer_absence(table.id, first, late, Remedy.WAIT)
    table = await tables.absence.answer_absence(table.id, second, late, Remedy.WAIT)
    assert ProposalKind.WAIT in table.proposals
    table = await tables.proposals.undo(table.id, BY_ID[actor])
    assert ProposalKind.WAIT not in table.proposals


async def test_computers_keep_their_level_among_several(tables: Tables, programs: Programs) -> None:
    table = await started(tables, ANN, BEN, computers=2)
    computer = next(seat for seat, who in table.occupants.items() if who.is_computer)
    await refused(Problem.LEVELS_FIXED, tables.lobby.set_level(table.id, ANN, computer, "easy"))
    await refused(NotHost, tables.lobby.set_level((await lobby(tables, ANN, BEN, computers=1)).id, BEN, 2, "easy"))
    await tables.users.set_away(BEN, int(programs.clock.now) + DAILY, AwayHow.COMPUTER)
    seat = table.owners[BEN.id]
    assert (await tables.get(table.id)).occupants[seat].computer == "normal"
    await refused(Problem.LEVELS_FIXED, tables.lobby.set_level(table.id, ANN, seat, "easy"))
    alone = await started(tables, ANN, computers=3)
    await refused(Problem.NOT_A_COMPUTER, tables.lobby.set_level(alone.id, ANN, alone.owners[ANN.id], "easy"))
    computer = next(seat for seat, who in alone.occupants.items() if who.is_computer)
    assert (await tables.lobby.set_level(alone.id, ANN, computer, "easy")).occupants[computer].computer == "easy"


async def asked(tables: Tables, kind: ProposalKind) -> Table:
    """A game in which Ann has asked the three others this."""
    table = await turn(tables)
    await act(tables, table)
    if kind is ProposalKind.CANCEL:
        return await tables.turns.cancel(table.id, ANN)
    ask = tables.proposals.propose_hints if kind is ProposalKind.HINTS else tables.proposals.propose_pause
    return await ask(table.id, ANN)


@pytest.mark.parametrize("kind", [ProposalKind.CANCEL, ProposalKind.HINTS, ProposalKind.PAUSE])
async def test_votes_of_strangers_count_once_or_not_at_all(
    tables: Tables, programs: Programs, kind: ProposalKind
) -> None:
    table = await asked(tables, kind)
    early, *_, last = (BY_ID[user] for user in table.proposals[kind].must_agree)
    await refused(NotAtTable, tables.proposals.answer(table.id, EVE, kind, True))
    await tables.proposals.answer(table.id, early, kind, True)
    await refused(Problem.NOT_ASKED, tables.proposals.answer(table.id, early, kind, True))
    before = (await tables.get(table.id)).proposals[kind]
    tables = await programs.restart()
    assert (await tables.get(table.id)).proposals[kind] == before
    # Another account sits down on a seat that was left, and votes.
    leaver = next(person for person in FOUR if person.id in before.must_agree and person not in (early, last))
    table = await tables.turns.leave_game(table.id, leaver)
    await tables.absence.take_over(table.id, EVE, table.open_seats[0])
    await refused(Problem.NOT_ASKED, tables.proposals.answer(table.id, EVE, kind, True))
    assert kind in (await tables.get(table.id)).proposals, "the last one has not been heard"
    after = await tables.proposals.answer(table.id, last, kind, True)
    assert kind not in after.proposals, "those who are left have all agreed"
