"""Taking back a move that revealed cards: never without somebody else's consent, who is told what was seen."""

from __future__ import annotations

import random

import pytest

from bot.errors import AcrossDeal, NothingToUndo, UndoRefused
from bot.languages import language_for
from bot.table import Person, ProposalKind, Table, Terms
from bot.tables import Tables
from bot.tables.absence import Remedy
from bot.tables.consent import Seen, seen_in
from bot.texts import proposals
from engine import Phase
from engine.players import choose
from engine.secret import whole
from tests.bot.gaming import ANN, BEN, BY_ID, CAT, FOUR, House, after_exchange, later, play_on, rest, started, waited


async def act(tables: Tables, table: Table, dice: random.Random) -> tuple[Table, int]:
    """Let one person the game waits for act; returns the table afterwards, and the number of the action."""
    seat, user_id = waited(table)
    assert table.game is not None
    await tables.turns.act(table.id, user_id, None, choose("heuristic", whole(table.game), seat, dice))
    return await rest(tables, table.id), table.number + 1


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("system", ["classic", "royal"])
async def test_alone_among_computers_nothing_that_was_seen_is_taken_back(tables: Tables, system: str) -> None:
    table = await started(tables, ANN, computers=3, terms=Terms(system=system))
    dice = random.Random(7)
    expected = {Seen.EXCHANGE, Seen.CARD} if system == "royal" else {Seen.EXCHANGE, Seen.HAND, None}
    met: set[Seen | None] = set()
    for count in range(60):
        if not table.waiting_for or (met >= expected and count > 8):
            break
        before = table
        table, number = await act(tables, table, dice)
        assert table.game is not None
        seen = seen_in(table.game.history(number))
        if table.game.phase is Phase.END:
            break
        if table.game.round != before.game.round:  # type: ignore[union-attr]
            continue
        if seen:
            met |= seen
            for attempt in (tables.consent.request_takeback, tables.consent.undo):
                with pytest.raises((UndoRefused, AcrossDeal)):
                    await attempt(table.id, ANN)
            continue
        met.add(None)
        undone = await tables.consent.request_takeback(table.id, ANN)
        assert undone.number == before.number
        await tables.turns.act(table.id, ANN.id, None, whole(table.game).log[number - 1][1])
        table = await rest(tables, table.id)
    assert met >= expected


async def test_an_exchange_is_not_taken_back_alone_by_looking_at_the_card_again_and_again(tables: Tables) -> None:
    table = await started(tables, ANN, computers=3)
    assert table.game is not None
    assert table.game.phase is Phase.EXCHANGE
    table, _ = await act(tables, table, random.Random(1))
    with pytest.raises(UndoRefused) as refused:
        await tables.consent.request_takeback(table.id, ANN)
    assert refused.value.reason == "seen"


async def test_only_computers_have_acted_since_and_nothing_was_seen(tables: Tables, house: House) -> None:
    table = await after_exchange(tables, (await started(tables, ANN, computers=3)).id)
    dice = random.Random(3)
    for _ in range(40):
        before = table
        table, number = await act(tables, table, dice)
        assert table.game is not None
        if table.number > number and not seen_in(table.game.history(number)) and table.game.round == before.game.round:  # type: ignore[union-attr]
            break
    else:
        pytest.fail("computers never answered with plain moves")
    until = await tables.consent.can_undo(table.id, ANN.id)
    assert until == int(house.clock()) + 60
    house.clock.now += 61
    with pytest.raises(UndoRefused) as refused:
        await tables.consent.undo(table.id, ANN)
    assert refused.value.reason == "late"
    house.clock.now -= 61
    undone = await tables.consent.undo(table.id, ANN)
    assert undone.number == before.number


async def test_owners_who_may_come_back_are_asked_too(tables: Tables, house: House) -> None:
    table = await after_exchange(tables, (await started(tables, *FOUR, terms=Terms(pace="brisk"))).id)
    dice = random.Random(5)
    seat, absent = waited(table)
    await later(tables, house.clock, 3_600)
    other = next(person for person in FOUR if person.id != absent)
    await tables.absence.answer_absence(table.id, other, seat, Remedy.COMPUTER)
    table = await rest(tables, table.id)
    assert table.people[seat].may_reclaim
    asker = BY_ID[waited(table)[1]]
    table, number = await act(tables, table, dice)
    try:
        table = await tables.consent.request_takeback(table.id, asker)
    except AcrossDeal:
        pytest.skip("the move ended the round")
    proposal = table.proposals[ProposalKind.TAKEBACK]
    assert absent in proposal.asked
    for user_id in proposal.asked:
        assert table.number >= number, "not before the last one has agreed"
        table = await tables.consent.answer(table.id, BY_ID[user_id], ProposalKind.TAKEBACK, True)
    assert table.number == number - 1


async def test_whoever_is_asked_is_told_what_was_seen(tables: Tables) -> None:
    table = await started(tables, ANN, BEN, terms=Terms(system="royal", players=2))
    dice = random.Random(2)
    told: set[str] = set()
    for _ in range(30):
        asker = Person(waited(table)[1], "")
        before = table
        table, number = await act(tables, table, dice)
        assert table.game is not None
        if table.game.round != before.game.round:  # type: ignore[union-attr]
            continue
        try:
            asked = await tables.consent.request_takeback(table.id, asker)
        except NothingToUndo:
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
        assert table.game is not None
        folds = [entry.number for entry in table.game.history(1) for event in entry.events if event.cards]
        if folds:
            break
    assert Seen.HAND in seen_in(table.game.history(folds[-1]))
