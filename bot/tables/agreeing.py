"""Making proposals to the other players, their answers, and what is done once all agree. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot import consent
from bot.errors import Declined, NotPossible, Problem
from bot.moment import Moment
from bot.occupants import Person, StandInReason
from bot.proposal import Proposal, ProposalKind
from bot.table import BY_PLAYERS, Feature, Note, NoteKind, Status, Table
from bot.tables import seating
from bot.tables.effects import Effect, News, NewsKind, drop_proposal, need_game, note
from bot.tables.endings import cancel_game, win_game
from bot.tables.playing import let_wait, resume_game, take_back

DONE: Mapping[ProposalKind, NoteKind] = {
    ProposalKind.TAKEBACK: NoteKind.UNDONE,
    ProposalKind.RESIGN: NoteKind.RESIGNED,
    ProposalKind.HINTS: NoteKind.CHANGED,
    ProposalKind.WAIT: NoteKind.WAITED,
    ProposalKind.STAND_IN: NoteKind.HANDED,
    ProposalKind.OFFER: NoteKind.OFFERED,
    ProposalKind.CANCEL: NoteKind.CANCELLED,
    ProposalKind.PAUSE: NoteKind.PAUSED,
    ProposalKind.RESUME: NoteKind.RESUMED,
}
"""For each proposal, the note that what it asked has been done: `agreed` if those asked wanted it."""


def need_voice(table: Table, user_id: int) -> None:
    """Raise `COMPUTER_PLAYS` for an owner who is absent or has left: first they take their seat back."""
    if user_id not in table.voices:
        raise NotPossible(Problem.COMPUTER_PLAYS)


def can_carry_out(table: Table, kind: ProposalKind) -> bool:
    """Return True if what was asked can be done while the table has this status, and nothing is off that it takes."""
    if kind is ProposalKind.HINTS and Feature.HINTS in table.off:
        return False
    while_paused = (ProposalKind.CANCEL, ProposalKind.PAUSE, ProposalKind.RESUME)
    return table.status is Status.PLAYING or (table.status is Status.PAUSED and kind in while_paused)


def carry_out(table: Table, proposal: Proposal, at: int) -> Effect:
    """Return the table after a proposal was agreed on, with a note of that. Raises `ACROSS_DEAL`."""
    effect = _carry_out(table, proposal, at)
    if not proposal.must_agree:
        return effect
    done = DONE[proposal.kind]
    notes = [replace(each, data={**each.data, "agreed": True}) if each.kind is done else each for each in effect.notes]
    return replace(effect, notes=notes)


def _carry_out(table: Table, proposal: Proposal, at: int) -> Effect:
    who, seat, about = proposal.user_id, proposal.seat, proposal.about
    table = replace(table, proposals=drop_proposal(table, proposal.kind))
    match proposal.kind:
        case ProposalKind.TAKEBACK:
            return take_back(table, proposal.number, seat, who, at, agreed=True)
        case ProposalKind.HINTS:
            after = replace(table, terms=replace(table.terms, hints=True))
            return Effect(after, [note(table, NoteKind.CHANGED, at, who, seat, hints=True)])
        case ProposalKind.RESIGN:
            teams = need_game(table).board.teams
            won = next(team for team in teams if seat not in team)
            lost = next(team for team in teams if seat in team)
            over, ended = win_game(table, won, at)
            return Effect(over, [note(table, NoteKind.RESIGNED, at, who, seat, seats=list(lost)), *ended])
        case ProposalKind.CANCEL:
            return cancel_game(table, Person(who, table.occupants[seat].name), at)
        case ProposalKind.PAUSE:
            by = BY_PLAYERS if table.paused_by is None else table.paused_by
            after = replace(table, status=Status.PAUSED, paused_by=by, paused_until=at + consent.PAUSE)
            return Effect(after, [note(table, NoteKind.PAUSED, at, who, seat)])
        case ProposalKind.RESUME:
            return resume_game(table, at, who, seat)
        case ProposalKind.WAIT | ProposalKind.STAND_IN | ProposalKind.OFFER:
            assert about is not None, "these proposals concern a seat"
            return _decide_about(table, proposal.kind, about, who, at)


def _decide_about(table: Table, kind: ProposalKind, seat: int, by: int, at: int) -> Effect:
    """Return the table after the others have decided about the seat of a player who does not answer."""
    owner = table.occupants[seat]
    if kind is ProposalKind.WAIT:
        return let_wait(table, seat, by, at)
    if kind is ProposalKind.STAND_IN:
        after = replace(table, occupants=seating.stand_in(table.occupants, seat, StandInReason.HANDED))
        told, due = NoteKind.HANDED, NewsKind.HANDED
    else:
        after = replace(table, occupants={**table.occupants, seat: replace(owner, offered=True)})
        told, due = NoteKind.OFFERED, NewsKind.OFFERED
    noted = note(table, told, at, by, seat, user_id=owner.user_id, name=owner.name)
    return Effect(after, [noted], news=[News(due, seat, owner.user_id)])


def ask_others(table: Table, proposal: Proposal, notes: Sequence[Note] = ()) -> Effect:
    """Return the table with a proposal that waits for answers, or what follows if there is no one to ask.

    Making the same again changes nothing; making one that waits for one's own answer is a yes. `notes`: what has
    happened at the table, where that is a bound. Raises `COMPUTER_PLAYS` for one who no longer plays here,
    `PROPOSAL_OPEN`, and `Declined` for what the others have just refused.
    """
    before = table.proposals.get(proposal.kind)
    if before is not None and (before.number, before.about) == (proposal.number, proposal.about):
        if before.user_id == proposal.user_id:
            return Effect(table)
        if proposal.user_id in before.must_agree:
            return record_answer(table, before, proposal.user_id, proposal.at, yes=True)
    need_voice(table, proposal.user_id)
    own = (ProposalKind.TAKEBACK, ProposalKind.RESIGN)
    if before is not None and before.kind not in own and proposal.at - before.at < consent.PROPOSAL_LIFE:
        raise NotPossible(Problem.PROPOSAL_OPEN)
    if (again_from := consent.declined_until(proposal, notes)) is not None:
        raise Declined(again_from)
    if consent.is_agreed(proposal) and not consent.is_notice(proposal):
        return carry_out(table, proposal, proposal.at)
    said: dict[str, object] = {"kind": proposal.kind, "move": str(Moment(table.takebacks, proposal.number))}
    if proposal.about is not None:
        said["about"] = proposal.about
    noted = note(table, NoteKind.PROPOSED, proposal.at, proposal.user_id, proposal.seat, **said)
    return Effect(replace(table, proposals={**table.proposals, proposal.kind: proposal}), [noted])


def record_answer(table: Table, proposal: Proposal, user_id: int, at: int, *, yes: bool) -> Effect:
    """Return the table after one of those asked has answered, for the first time or otherwise than before."""
    agreed = [user for user in proposal.agreed if user != user_id]
    refused = [user for user in proposal.refused if user != user_id]
    (agreed if yes else refused).append(user_id)
    after = replace(proposal, agreed=tuple(agreed), refused=tuple(refused))
    if consent.is_agreed(after):
        return carry_out(table, after, at)
    if not consent.is_refused(after):
        return Effect(replace(table, proposals={**table.proposals, proposal.kind: after}))
    seat = table.seat_of(user_id)
    noted = note(table, NoteKind.DECLINED, at, user_id, seat, kind=proposal.kind, withdrawn=False)
    return Effect(replace(table, proposals=drop_proposal(table, proposal.kind)), [noted])
