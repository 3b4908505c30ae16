"""Taking back, alone and with consent; giving the game up, allowing hints.

What revealed cards is never taken back without somebody else's consent, who is told what was seen.
"""

import random
from dataclasses import replace
from functools import partial

import pytest

from bot.consent import is_agreed, is_refused
from bot.errors import AskAgain, Declined, FeatureOff, MovedOn, NotAtTable, NotPossible, Problem
from bot.languages import language_for
from bot.moment import Moment
from bot.occupants import Person
from bot.preferences import AwayHow
from bot.proposal import Proposal, ProposalKind
from bot.table import Automatic, Feature, NoteKind, Status, Table, Terms
from bot.tables.proposals import Seen, seen_in
from bot.tables.service import Tables
from bot.texts.moves import tell
from bot.texts.names import Names
from bot.texts.public import boards, letters, proposals
from bot.texts.public.history import story
from bot.texts.public.letters import because
from engine import Phase
from engine.players import choose
from engine.secret import whole
from tests.bot.gaming import (
    Programs,
    act,
    after_exchange,
    kinds,
    later,
    play_on,
    refused,
    rest,
    started,
    stored_in,
    turn,
    waited,
)
from tests.bot.people import ANN, BEN, BY_ID, CAT, DAILY, EVE, FOUR, GUILD, MOD

pytestmark = pytest.mark.on_a_file


async def acted(tables: Tables, table: Table) -> tuple[Table, int, int]:
    """Somebody acts; the table when it rests, their seat and id."""
    await act(tables, table)
    return await rest(tables, table.id), *waited(table)


async def played(tables: Tables) -> tuple[Table, Table, int, int]:
    """A game before and after somebody played a card that ended nothing."""
    before = await turn(tables)
    while True:
        after, seat, user_id = await acted(tables, before)
        if after.number == before.number + 1 and (await stored_in(tables, after.id))[-1][1] != "fold":
            return before, after, seat, user_id
        before = after


async def test_ones_own_last_action_is_taken_back(tables: Tables, programs: Programs) -> None:
    before, after, seat, user_id = await played(tables)
    programs.clock.now += 3_600
    now = int(programs.clock())
    assert await tables.proposals.can_undo(after.id, user_id)
    undone = await tables.proposals.undo(after.id, BY_ID[user_id])
    assert whole(undone.game).view(seat) == whole(before.game).view(seat)
    assert undone.number == before.number
    assert len(await tables.log(after.id)) == before.number
    note = (await tables.notes(after.id))[-1]
    assert (note.kind, note.seat, note.data) == ("undone", seat, {"number": after.number, "count": 1, "agreed": False})
    assert waited(undone) == (seat, user_id)
    assert undone.clocks[seat].ends_at == now + DAILY, "the time begins anew"
    assert whole((await (await programs.restart()).get(after.id)).game).log == whole(before.game).log


async def test_button_is_stale_after_a_takeback(tables: Tables) -> None:
    _, after, _, user_id = await played(tables)
    following, other = waited(after)
    old = after.decision(following)
    await tables.proposals.undo(after.id, BY_ID[user_id])
    table = await play_on(tables, after.id, random.Random(2), 1)
    if following in table.waiting_for:
        await refused(MovedOn, tables.turns.act(table.id, other, old, whole(table.game).legal(following)[0]))
        await tables.turns.act(table.id, other, table.decision(following), whole(table.game).legal(following)[0])


async def test_undo_and_answers_hold_for_what_was_shown(tables: Tables) -> None:
    _, after, seat, user_id = await played(tables)
    shown = after.acted_at(seat)
    await refused(Problem.ACTED_SINCE, tables.proposals.undo(after.id, BY_ID[user_id], Moment(0, shown.number - 1)))
    undone = await tables.proposals.undo(after.id, BY_ID[user_id], shown)
    await refused(Problem.ACTED_SINCE, tables.proposals.undo(after.id, BY_ID[user_id], shown))
    assert (await tables.get(after.id)).number == undone.number, "a second press takes no second move back"
    pause = (await tables.proposals.propose_pause(after.id, BY_ID[user_id])).proposals[ProposalKind.PAUSE]
    other = BY_ID[next(person for person in pause.must_agree if person != user_id)]
    answer = partial(tables.proposals.answer, after.id, other, ProposalKind.PAUSE, True)
    await refused(Problem.NO_PROPOSAL, answer(pause.at - 1))
    await answer(pause.at)


async def test_yes_to_an_end_holds_where_asked(tables: Tables) -> None:
    before, after, _, user_id = await played(tables)
    person = BY_ID[user_id]
    for late in (
        tables.turns.cancel(after.id, person, point=before.point),
        tables.turns.leave_game(after.id, person, before.point),
        tables.proposals.propose_resigning(after.id, person, before.point),
    ):
        await refused(AskAgain, late)
    assert await tables.get(after.id) == after
    assert (await tables.turns.leave_game(after.id, person, after.point)).seat_of(user_id) is None


async def test_not_when_somebody_has_acted_since(tables: Tables) -> None:
    _, after, _, user_id = await played(tables)
    await act(tables, after)
    await refused(Problem.ACTED_SINCE, tables.proposals.undo(after.id, BY_ID[user_id]))
    assert not await tables.proposals.can_undo(after.id, user_id)


async def test_gift_can_be_taken_back_until_the_exchange(tables: Tables) -> None:
    after, seat, user_id = await acted(tables, await started(tables, *FOUR))
    assert seat in (await tables.proposals.undo(after.id, BY_ID[user_id])).waiting_for
    table = await rest(tables, after.id)
    last = 0
    while table.game is not None and table.game.phase is Phase.EXCHANGE:
        table, _, last = await acted(tables, table)
    await refused(Problem.REVEALED, tables.proposals.undo(table.id, BY_ID[last]))


async def test_takeback_needs_an_own_action(tables: Tables) -> None:
    table = await started(tables, *FOUR)
    for method in (tables.proposals.undo, tables.proposals.request_takeback):
        await refused(Problem.NOTHING_TO_UNDO, method(table.id, ANN))
        await refused(NotAtTable, method(table.id, EVE))


def opponents(table: Table, seat: int) -> set[int]:
    """The user ids of those who play against a seat."""
    own = (seat, *whole(table.game).board.partners(seat))
    return {user for user, one in table.owners.items() if one not in own}


async def test_a_takeback_needs_the_opponents(tables: Tables) -> None:
    before, after, seat, user_id = await played(tables)
    asker = BY_ID[user_id]
    table = await tables.proposals.request_takeback(after.id, asker)
    assert table.number == after.number
    assert await tables.proposals.request_takeback(after.id, asker) == table, "asking twice is asking once"
    must_agree = table.proposals["takeback"].must_agree
    assert set(must_agree) == opponents(after, seat)
    await refused(Problem.NOT_ASKED, tables.proposals.answer(table.id, asker, "takeback", True))
    for one in must_agree[:-1]:
        table = await tables.proposals.answer(table.id, BY_ID[one], "takeback", True)
        assert table.number == after.number
    await refused(Problem.NOT_ASKED, tables.proposals.answer(table.id, BY_ID[must_agree[0]], "takeback", True))
    table = await tables.proposals.answer(table.id, BY_ID[must_agree[-1]], "takeback", True)
    assert (table.number, dict(table.proposals)) == (before.number, {})
    assert waited(table) == (seat, user_id)
    assert (await kinds(tables, table.id))[-2:] == ["proposed", "undone"]


async def test_takeback_includes_later_actions_of_others(tables: Tables) -> None:
    before, after, seat, user_id = await played(tables)
    await act(tables, after)
    table = await tables.proposals.request_takeback(after.id, BY_ID[user_id])
    for one in table.proposals["takeback"].must_agree:
        table = await tables.proposals.answer(table.id, BY_ID[one], "takeback", True)
    assert (table.number, waited(table)) == (before.number, (seat, user_id))


async def test_a_no_ends_a_takeback_for_that_move(tables: Tables, programs: Programs) -> None:
    _, after, _, user_id = await played(tables)
    table = await tables.proposals.request_takeback(after.id, BY_ID[user_id])
    table = await (await programs.restart()).get(table.id)
    assert "takeback" in table.proposals, "it survives a restart"
    tables = programs.opened[0][1]
    await tables.proposals.answer(table.id, BY_ID[table.proposals["takeback"].must_agree[0]], "takeback", False)
    await refused(
        Problem.NO_PROPOSAL,
        tables.proposals.answer(table.id, BY_ID[table.proposals["takeback"].must_agree[1]], "takeback", True),
    )
    await refused(Problem.ASKED_ALREADY, tables.proposals.request_takeback(after.id, BY_ID[user_id]))


async def test_playing_on_ends_a_takeback_for_that_move(tables: Tables) -> None:
    _, after, _, user_id = await played(tables)
    table = await tables.proposals.request_takeback(after.id, BY_ID[user_id])
    after = await act(tables, table)
    assert dict(after.proposals) == {}
    await refused(
        (Problem.ASKED_ALREADY, Problem.ACROSS_DEAL), tables.proposals.request_takeback(after.id, BY_ID[user_id])
    )


async def test_a_partner_who_acted_since_is_asked_too(tables: Tables) -> None:
    _, after, seat, user_id = await played(tables)
    (partner,) = whole(after.game).board.partners(seat)
    table = after
    while waited(table)[0] != partner:
        table = await rest(tables, (await act(tables, table)).id)
    table = await rest(tables, (await act(tables, table)).id)
    asked = await tables.proposals.request_takeback(table.id, BY_ID[user_id])
    assert set(asked.proposals["takeback"].must_agree) == set(BY_ID) - {user_id}


async def test_those_who_play_or_are_away_are_asked(tables: Tables, programs: Programs) -> None:
    _, after, _, user_id = await played(tables)
    table = await tables.proposals.request_takeback(after.id, BY_ID[user_id])
    first, *others = table.proposals["takeback"].must_agree
    table = await tables.turns.leave_game(table.id, BY_ID[first])
    assert table.proposals["takeback"].must_agree == tuple(others)
    await tables.users.set_away(BY_ID[others[-1]], int(programs.clock()) + DAILY, AwayHow.COMPUTER)
    table = await tables.get(table.id)
    assert table.proposals["takeback"].must_agree == tuple(others), (
        "a seat that is waited for on its owner's return is theirs"
    )
    assert table.takebacks == 0
    table = await tables.proposals.answer(table.id, BY_ID[others[-1]], "takeback", True)
    assert (table.takebacks, dict(table.proposals)) == (1, {})


async def test_last_departure_completes_the_consent_of_the_rest(tables: Tables) -> None:
    _, after, _, user_id = await played(tables)
    table = await tables.proposals.request_takeback(after.id, BY_ID[user_id])
    *agree, goes = table.proposals["takeback"].must_agree
    for one in agree:
        table = await tables.proposals.answer(table.id, BY_ID[one], "takeback", True)
    assert table.takebacks == 0
    table = await tables.turns.leave_game(table.id, BY_ID[goes])
    assert (table.takebacks, dict(table.proposals)) == (1, {})
    assert list(await kinds(tables, table.id))[-2:] == ["left", "undone"]


def test_votes_of_those_who_have_gone_do_not_count() -> None:
    asked = Proposal(ProposalKind.OFFER, 0, 1, 0, 0, must_agree=(3, 4), agreed=(2,))
    assert not is_agreed(asked)
    assert is_agreed(replace(asked, agreed=(2, 3)))
    alone = replace(asked, must_agree=(3,), agreed=(), refused=(2,))
    assert not is_refused(alone)
    assert is_refused(replace(alone, refused=(3,)))


async def test_nobody_left_to_ask_ends_the_question(tables: Tables) -> None:
    _, after, _, user_id = await played(tables)
    table = await tables.proposals.request_takeback(after.id, BY_ID[user_id])
    for one in table.proposals["takeback"].must_agree:
        table = await tables.turns.leave_game(table.id, BY_ID[one])
    assert (table.takebacks, dict(table.proposals)) == (0, {})


async def test_a_proposal_goes_with_its_maker(tables: Tables) -> None:
    _, after, _, user_id = await played(tables)
    await tables.proposals.request_takeback(after.id, BY_ID[user_id])
    assert dict((await tables.turns.leave_game(after.id, BY_ID[user_id])).proposals) == {}


async def test_never_across_a_deal(tables: Tables) -> None:
    table = await turn(tables)
    dealt = table.game.round
    last = 0
    while table.game is not None and table.game.round == dealt:
        table, _, last = await acted(tables, table)
    await refused(
        (Problem.ACROSS_DEAL, Problem.ACTED_SINCE, Problem.REVEALED), tables.proposals.undo(table.id, BY_ID[last])
    )
    await refused(Problem.ACROSS_DEAL, tables.proposals.request_takeback(table.id, BY_ID[last]))


async def test_giving_up_needs_the_partners_agreement(tables: Tables, programs: Programs) -> None:
    table = await turn(tables)
    mine = table.seat_of(ANN.id)
    (partner,) = whole(table.game).board.partners(mine)
    friend = BY_ID[table.occupants[partner].user_id or 0]
    table = await tables.proposals.propose_resigning(table.id, ANN)
    assert table.status is Status.PLAYING
    foe = next(person for person in BY_ID.values() if person not in (ANN, friend))
    await refused(Problem.NOT_ASKED, tables.proposals.answer(table.id, foe, "resign", True))
    await tables.proposals.answer(table.id, friend, "resign", False)
    await refused(Declined, tables.proposals.propose_resigning(table.id, ANN))
    programs.clock.now += 3_600
    table = await tables.proposals.propose_resigning(table.id, ANN)
    await act(tables, table)  # the game goes on meanwhile
    table = await tables.proposals.answer(table.id, friend, "resign", True)
    assert table.status is Status.OVER
    assert set(table.won) == set(table.seats) - {mine, partner}
    assert (await tables.get(table.id)).won == table.won
    assert (await kinds(tables, table.id))[-2:] == ["resigned", "ended"]
    assert table.clocks == {}


async def test_giving_up_needs_no_agreement_of_a_computer(tables: Tables) -> None:
    table = await started(tables, ANN, computers=3)
    assert (await tables.proposals.propose_resigning(table.id, ANN)).status is Status.OVER


async def test_giving_up_needs_two_teams(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CAT, terms=Terms(system="royal", players=3))
    await refused(Problem.NO_RESIGNING, tables.proposals.propose_resigning(table.id, ANN))


async def acts(tables: Tables, table: Table, dice: random.Random) -> tuple[Table, int]:
    """Let one person the game waits for act; returns the table afterwards, and the number of the action."""
    seat, user_id = waited(table)
    await tables.turns.act(table.id, user_id, None, choose("heuristic", whole(table.game), seat, dice))
    return await rest(tables, table.id), table.number + 1


@pytest.mark.parametrize("system", ["classic", "royal"])
async def test_seen_cards_are_not_taken_back_among_computers(tables: Tables, system: str) -> None:
    table = await started(tables, ANN, computers=3, terms=Terms(system=system))
    dice = random.Random(7)
    expected = {Seen.EXCHANGE, Seen.CARD} if system == "royal" else {Seen.EXCHANGE, Seen.HAND, None}
    met: set[Seen | None] = set()
    for count in range(60):
        if not table.waiting_for or (met >= expected and count > 8):
            break
        before = table
        table, number = await acts(tables, table, dice)
        seen = seen_in(table.game.history(number))
        if table.game.phase is Phase.END:
            break
        if table.game.round != before.game.round:  # type: ignore[union-attr]
            continue
        if seen:
            met |= seen
            for attempt in (tables.proposals.request_takeback, tables.proposals.undo):
                await refused(
                    (Problem.ACTED_SINCE, Problem.REVEALED, Problem.SEEN_BY_ALL, Problem.ACROSS_DEAL),
                    attempt(table.id, ANN),
                )
            continue
        met.add(None)
        assert (await tables.proposals.request_takeback(table.id, ANN)).number == before.number
        await tables.turns.act(table.id, ANN.id, None, whole(table.game).log[number - 1][1])
        table = await rest(tables, table.id)
    assert met >= expected


async def test_unseen_actions_of_computers_can_be_taken_back(tables: Tables, programs: Programs) -> None:
    table = await after_exchange(tables, (await started(tables, ANN, computers=3)).id)
    dice = random.Random(3)
    for _ in range(40):
        before = table
        table, number = await acts(tables, table, dice)
        if table.number > number and not seen_in(table.game.history(number)) and table.game.round == before.game.round:  # type: ignore[union-attr]
            break
    else:
        pytest.fail("computers never answered with plain moves")
    programs.clock.now += 3_600
    assert (await tables.proposals.undo(table.id, ANN)).number == before.number


async def followed_by(tables: Tables, table: Table, actor: Automatic) -> tuple[Table, Person, int]:
    """The table once a person's card was followed by one of this actor, with nothing else seen; who, and the number."""
    dice = random.Random(3)
    for _ in range(60):
        before, asker = table, Person(waited(table)[1], "")
        table, number = await acts(tables, table, dice)
        since = (await tables.log(table.id))[number:]
        same_round = table.game.round == before.game.round  # type: ignore[union-attr]
        if since and {row.actor for row in since} == {actor} and same_round and not seen_in(table.game.history(number)):
            return table, asker, number
    raise AssertionError("no such moment")


async def test_cards_of_computers_end_undo_among_people(tables: Tables) -> None:
    table = await after_exchange(tables, (await started(tables, ANN, BEN, computers=2)).id)
    table, asker, number = await followed_by(tables, table, Automatic.COMPUTER)
    assert not await tables.proposals.can_undo(table.id, asker.id)
    await refused(Problem.ACTED_SINCE, tables.proposals.undo(table.id, asker))
    asked = await tables.proposals.request_takeback(table.id, asker)
    proposal = asked.proposals[ProposalKind.TAKEBACK]
    assert proposal.number == number
    assert set(proposal.must_agree) == {ANN.id, BEN.id} - {asker.id}


async def test_cards_of_stand_ins_end_undo(tables: Tables, programs: Programs) -> None:
    table = await after_exchange(tables, (await started(tables, ANN, BEN, terms=Terms("swiss", 2))).id)
    await tables.users.set_away(BEN, int(programs.clock()) + DAILY, AwayHow.COMPUTER)
    table = await rest(tables, table.id)
    assert table.occupants[table.owners[BEN.id]].plays is None
    table, asker, _ = await followed_by(tables, table, Automatic.COMPUTER)
    assert asker.id == ANN.id
    await refused(Problem.ACTED_SINCE, tables.proposals.undo(table.id, asker))


async def test_cards_that_time_played_end_undo(tables: Tables, programs: Programs) -> None:
    table = await after_exchange(tables, (await started(tables, *FOUR, terms=Terms(pace="brisk"))).id)
    dice = random.Random(3)
    table, number = await acts(tables, table, dice)
    asker = Person((await tables.log(table.id))[number - 1].actor, "")
    assert await tables.proposals.can_undo(table.id, asker.id)
    while table.number == number:
        await later(tables, programs.clock, 3_600)
        table = await rest(tables, table.id)
    assert (await tables.log(table.id))[number].actor is Automatic.CLOCK
    await refused(Problem.ACTED_SINCE, tables.proposals.undo(table.id, asker))


async def test_owners_who_may_come_back_are_asked_too(tables: Tables, programs: Programs) -> None:
    table = await after_exchange(tables, (await started(tables, *FOUR, terms=Terms(pace="brisk"))).id)
    dice = random.Random(5)
    seat, absent = waited(table)
    await tables.users.set_away(BY_ID[absent], int(programs.clock()) + DAILY, AwayHow.COMPUTER)
    table = await rest(tables, table.id)
    assert table.occupants[seat].may_reclaim
    asker = BY_ID[waited(table)[1]]
    table, number = await acts(tables, table, dice)
    try:
        table = await tables.proposals.request_takeback(table.id, asker)
    except NotPossible as refusal:
        if refusal.kind is not Problem.ACROSS_DEAL:
            raise
        pytest.skip("the move ended the round")
    proposal = table.proposals[ProposalKind.TAKEBACK]
    assert absent in proposal.must_agree
    for user_id in proposal.must_agree:
        assert table.number >= number, "not before the last one has agreed"
        table = await tables.proposals.answer(table.id, BY_ID[user_id], ProposalKind.TAKEBACK, True)
    assert table.number == number - 1


async def test_whoever_is_asked_is_told_what_was_seen(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, terms=Terms(system="royal", players=2))
    dice = random.Random(2)
    told: set[str] = set()
    for _ in range(30):
        asker = Person(waited(table)[1], "")
        before = table
        table, number = await acts(tables, table, dice)
        if table.game.round != before.game.round:  # type: ignore[union-attr]
            continue
        try:
            asked = await tables.proposals.request_takeback(table.id, asker)
        except NotPossible as refusal:
            if refusal.kind is not Problem.NOTHING_TO_UNDO:
                raise
            continue
        line = proposals.proposal_line(language_for("en-US"), asked, ProposalKind.TAKEBACK)
        assert ("since then." in line) is bool(seen_in(table.game.history(number)))
        told.update(part for part in ("A card has been drawn", "The exchanged cards have been seen") if part in line)
        table = await rest(tables, table.id)
    assert told == {"A card has been drawn", "The exchanged cards have been seen"}


async def test_a_hand_that_is_laid_down_is_seen(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CAT, computers=1)
    for turns in range(200):
        table = await play_on(tables, table.id, random.Random(turns), 1)
        folds = [entry.number for entry in table.game.history(1) for event in entry.events if event.cards]
        if folds:
            break
    assert Seen.HAND in seen_in(table.game.history(folds[-1]))


async def test_hints_come_on_when_all_agree_and_stay(tables: Tables, programs: Programs) -> None:
    table = await started(tables, ANN, BEN, CAT, computers=1)
    asked = await tables.proposals.propose_hints(table.id, BEN)
    assert asked.proposals[ProposalKind.HINTS].must_agree == (ANN.id, CAT.id)
    line = proposals.proposal_line(language_for("en-US"), asked, ProposalKind.HINTS)
    assert "would be unrated" in line
    disagreed = await tables.proposals.answer(table.id, CAT, ProposalKind.HINTS, False)
    assert (disagreed.hints, disagreed.proposals) == (False, {})
    await refused(Declined, tables.proposals.propose_hints(table.id, BEN))
    programs.clock.now += DAILY
    await tables.proposals.propose_hints(table.id, BEN)
    await tables.proposals.answer(table.id, CAT, ProposalKind.HINTS, True)
    # Playing on neither answers nor withdraws the question.
    table = await play_on(tables, table.id, random.Random(1), 3)
    assert not table.hints
    agreed = await tables.proposals.answer(table.id, ANN, ProposalKind.HINTS, True)
    assert (agreed.hints, agreed.proposals) == (True, {})
    assert "hints stay off" in await became(tables, asked, agreed, ProposalKind.HINTS)
    await refused(Problem.HINTS_ALLOWED, tables.proposals.propose_hints(table.id, ANN))


async def test_only_questions_count_the_answers(tables: Tables) -> None:
    language, kind = language_for("en-US"), ProposalKind.PAUSE
    asked = await tables.proposals.propose_pause((await started(tables, ANN, BEN, CAT, computers=1)).id, BEN)
    told = proposals.proposal_message(language, asked, kind, (ANN.id,))
    assert f"Waiting for: 🔵 <@{ANN.id}> and 🟢 **{CAT.name}**." in told
    answered = await tables.proposals.answer(asked.id, ANN, kind, True)
    assert f"Waiting for: 🟢 **{CAT.name}**." in proposals.proposal_message(language, answered, kind, (ANN.id,))
    assert proposals.asked_line(language, asked, kind) == proposals.asked_line(language, answered, kind)
    asks = proposals.others_asked(language, asked, kind)
    assert asks.endswith("the others have been asked. Once they agree, the game is paused for seven days.")


async def test_refusals_are_told_in_public_but_between_partners(tables: Tables) -> None:
    language, table = language_for("en-US"), await started(tables, *FOUR)
    for propose in (tables.proposals.propose_pause, tables.proposals.propose_resigning):
        ((kind, proposal),) = (await propose(table.id, ANN)).proposals.items()
        asked = proposal.must_agree[0]
        table = await tables.proposals.answer(table.id, BY_ID[asked], kind, False)
        notes = tuple(await tables.notes(table.id))
        told = proposals.refusal(language, table, notes, notes[-1])
        assert ("disagreed, so the game continues." in told) is (kind is ProposalKind.PAUSE)
    assert len([line for line in story(language, table, (), notes, ()) if "disagreed" in line]) == 1
    paused = replace(table, status=Status.PAUSED)
    notes += (replace(notes[-1], kind=NoteKind.PAUSED, data={}),)
    assert not any("disagreed" in line for line in story(language, paused, (), notes, ()))


async def test_end_says_once_who_resigned_and_what_counts(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    language, asked = language_for("en-US"), await started(tables, *FOUR)
    asked = await tables.proposals.propose_resigning(asked.id, ANN)
    (partner,) = asked.proposals[ProposalKind.RESIGN].must_agree
    over = await tables.proposals.answer(asked.id, BY_ID[partner], ProposalKind.RESIGN, True)
    notes = await tables.notes(over.id)
    told = boards.status_line(language, over, over.game.view())
    assert told.endswith(" resigned. Not rated: it ended before round 3.")
    assert because(letters.ended, notes)(language, over, over.seat_of(ANN.id)).endswith("ended before round 3.")
    left = replace(over.occupants[over.seat_of(partner)], user_id=None)
    left_over = replace(over, occupants={**over.occupants, over.seat_of(partner): left})
    assert boards.resigned(language, left_over).startswith(f"🔵 **{ANN.name}** resigned.")
    monkeypatch.setattr(boards, "RESIGNED_FROM", 1)
    assert boards.status_line(language, over, over.game.view()).endswith(" resigned.")
    assert not any("resign" in line for line in story(language, over, (), notes, ()))


async def test_a_refusal_is_news_until_the_next_move(tables: Tables) -> None:
    language, table = language_for("en-US"), await started(tables, *FOUR)
    ((kind, proposal),) = (await tables.proposals.propose_pause(table.id, ANN)).proposals.items()
    table = await tables.proposals.answer(table.id, BY_ID[proposal.must_agree[0]], kind, False)
    notes = tuple(await tables.notes(table.id))
    (line,) = story(language, table, (), notes, ())
    assert line.startswith("⏸️ ")
    assert line.endswith("disagreed, so the game continues.")
    assert table.code not in line
    table = await play_on(tables, table.id, random.Random(1), 1)
    assert not any("disagreed" in line for line in story(language, table, (), notes, ()))


async def test_a_single_player_asked_is_named(tables: Tables) -> None:
    asked = await tables.proposals.propose_pause((await started(tables, ANN, BEN, computers=2)).id, BEN)
    told = proposals.others_asked(language_for("en-US"), asked, ProposalKind.PAUSE)
    assert f"{ANN.name}** has been asked." in told


async def test_a_partner_reads_who_wins_by_resigning(tables: Tables) -> None:
    table = await started(tables, *FOUR)
    asked = await tables.proposals.propose_resigning(table.id, ANN)
    told = proposals.proposal_message(language_for("en-US"), asked, ProposalKind.RESIGN, ())
    mine = asked.board.team(asked.seat_of(ANN.id))
    names = Names.of(asked, language_for("en-US"))
    winners = names.listed(language_for("en-US"), [seat for seat in asked.seats if seat not in mine])
    assert f"the game ends and {winners} win." in told


async def became(tables: Tables, asked: Table, after: Table, kind: ProposalKind) -> str:
    """Return the sentence about a question."""
    proposal = asked.proposals[kind]
    marks = {proposal.seat: str(proposal.at)}
    return proposals.outcome(language_for("en-US"), after, kind, await tables.notes(after.id), marks)


async def test_an_undo_by_another_closes_a_takeback(tables: Tables) -> None:
    _, after, _, user_id = await played(tables)
    number = after.number
    after, _, second = await acted(tables, after)
    asked = await tables.proposals.request_takeback(after.id, BY_ID[user_id])
    undone = await tables.proposals.undo(after.id, BY_ID[second])
    told = await became(tables, asked, undone, ProposalKind.TAKEBACK)
    assert f"{BY_ID[second].name}** took their own move back, so this question is closed. This move stands: " in told
    names = Names.of(undone, language_for("en-US"))
    assert told.endswith(" ".join(tell(language_for("en-US"), names, whole(undone.game).history(number)[:1])))


async def test_a_takeback_names_all_moves_that_go(tables: Tables) -> None:
    language = language_for("en-US")
    _, after, _, user_id = await played(tables)
    number = after.number
    await acted(tables, after)
    asked = await tables.proposals.request_takeback(after.id, BY_ID[user_id])
    own, *later = [
        " ".join(tell(language, Names.of(asked, language), (entry,))) for entry in whole(asked.game).history(number)
    ]
    line = proposals.proposal_line(language, asked, ProposalKind.TAKEBACK)
    assert own
    assert later
    named = language.listed(text.removesuffix(".") for text in later)
    assert f"Take this move back? {own}\nThese go with it: {named}.\n" in line
    assert "\nWaiting for: " in line


def test_moves_that_go_are_named_while_there_is_room() -> None:
    english = language_for("en-US")
    assert proposals.name_moves(english, ["", "Kim · 5"]) == "Kim · 5 and 1 more move"
    assert proposals.name_moves(english, ["Kim folds: 2 5.", "Alex · 5"]) == "Kim folds: 2 5 and Alex · 5"
    told = proposals.name_moves(english, ["x" * 250] * 8)
    assert told.endswith(" and 6 more moves")


async def test_no_takeback_pushes_another_aside(tables: Tables) -> None:
    _, after, _, user_id = await played(tables)
    after, _, second = await acted(tables, after)
    asked = await tables.proposals.request_takeback(after.id, BY_ID[user_id])
    await refused(Problem.TAKEBACK_OPEN, tables.proposals.request_takeback(after.id, BY_ID[second]))
    assert (await tables.get(after.id)).proposals == asked.proposals
    await tables.proposals.answer(after.id, BY_ID[second], ProposalKind.TAKEBACK, False)
    assert (await tables.proposals.request_takeback(after.id, BY_ID[second])).proposals[ProposalKind.TAKEBACK]


async def test_playing_on_closes_a_takeback(tables: Tables) -> None:
    _, after, _, user_id = await played(tables)
    asked = await tables.proposals.request_takeback(after.id, BY_ID[user_id])
    after, *_ = await acted(tables, after)
    told = await became(tables, asked, after, ProposalKind.TAKEBACK)
    assert "moved on, so this question is closed. This move stands: " in told


async def test_pauses_say_what_was_decided(tables: Tables) -> None:
    table = await turn(tables)
    asked = await tables.proposals.propose_pause(table.id, ANN)
    for one in asked.proposals[ProposalKind.PAUSE].must_agree:
        await tables.proposals.answer(table.id, BY_ID[one], ProposalKind.PAUSE, True)
    said: list[str] = []
    for propose in (tables.proposals.propose_resuming, tables.proposals.propose_pause):
        asked = await propose(table.id, ANN)
        ((kind, proposal),) = asked.proposals.items()
        after = await tables.proposals.answer(table.id, BY_ID[proposal.must_agree[0]], kind, False)
        said.append(await became(tables, asked, after, kind))
    assert [text.split(", so ")[1] for text in said] == ["the game stays paused.", "the pause ends as planned."]


async def test_hints_come_on_when_the_last_undecided_leaves(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, CAT, computers=1)
    await tables.proposals.propose_hints(table.id, BEN)
    await tables.proposals.answer(table.id, ANN, ProposalKind.HINTS, True)
    assert (await tables.turns.leave_game(table.id, CAT)).terms.hints


async def test_hints_switched_off_meanwhile_are_not_agreed_to(tables: Tables) -> None:
    table = await turn(tables)
    await tables.proposals.propose_hints(table.id, BEN)
    await tables.moderation.configure_guild(MOD, GUILD, off=(Feature.HINTS,))
    await refused(FeatureOff, tables.proposals.answer(table.id, ANN, ProposalKind.HINTS, True))
    after = await tables.proposals.answer(table.id, ANN, ProposalKind.HINTS, False)
    assert (after.terms.hints, ProposalKind.HINTS in after.proposals) == (False, False)
