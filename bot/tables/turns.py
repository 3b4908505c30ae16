"""Playing: acting, resigning, ending a game early; and what needs consent: taking back, conceding, allowing hints.

Without asking, one's own last action may be taken back for a minute, as long as only computers and rules have acted
since and nothing hidden was seen. Later, or once somebody has acted, everybody else who owns a seat has to agree, and
is told what has been seen. If nobody else owns a seat, what has been seen stays seen: nobody draws a card, looks at it,
and takes it back. Nothing at all is taken back across a deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum

from bot import rights
from bot.errors import (
    AcrossDeal,
    HintsAllowed,
    NoConcession,
    NoProposal,
    NoTalk,
    NotAsked,
    NothingToUndo,
    NoUndo,
    SaidAlready,
    StaleBoard,
    TableError,
    UndoRefused,
)
from bot.moment import Moment
from bot.occupants import Person, StandInReason
from bot.preferences import LogEntry
from bot.table import OPEN, Automatic, Logged, NoteKind, Proposal, ProposalKind, Status, Table
from bot.tables import seating
from bot.tables.effects import (
    Effect,
    cancelled,
    carried_out,
    dealt,
    need,
    need_game,
    note,
    played,
    proposed,
    removed,
    taken_back,
    without_proposal,
)
from bot.tables.transactions import Service, change
from engine import Action, Entry, EventKind

UNDO_SECONDS = 60
"""How long a player may take back an action without asking."""


class Seen(StrEnum):
    """What somebody has seen that was hidden before."""

    CARD = "card"
    """A card that was drawn, or lost."""
    EXCHANGE = "exchange"
    """The cards that changed hands."""
    HAND = "hand"
    """A hand that was laid down."""
    ANSWER = "answer"
    """Whether somebody called for help, or what the answer was."""


_SEEN = {
    EventKind.EXCHANGED: Seen.EXCHANGE,
    EventKind.FOLDED: Seen.HAND,
    EventKind.LOST: Seen.CARD,
    EventKind.ASKED: Seen.ANSWER,
    EventKind.NEEDS_NONE: Seen.ANSWER,
    EventKind.ANSWERED_GAVE: Seen.ANSWER,
    EventKind.DECLINED: Seen.ANSWER,
}


def seen_in(entries: Iterable[Entry]) -> frozenset[Seen]:
    """What these entries brought to light and a takeback leaves known, except which card somebody chose to play."""
    found = set()
    for entry in entries:
        for event in entry.events:
            if event.kind is EventKind.FOLDED and not event.cards:
                continue
            if event.kind in _SEEN:
                found.add(_SEEN[event.kind])
            elif event.count > 0:
                found.add(Seen.CARD)
    return frozenset(found)


def last_action(table: Table, log: Sequence[Logged], user_id: int) -> Logged:
    """A member's last action. Raises `WrongStatus`, `NotAtTable`, `ComputerPlays`, `NothingToUndo`."""
    need_game(table)
    seat = seating.need_play(table.occupants, user_id)
    mine = [row for row in log[: table.number] if row.seat == seat and row.actor == user_id]
    if not mine:
        raise NothingToUndo
    return mine[-1]


def check_alone(table: Table, log: Sequence[Logged], user_id: int, now: int) -> Logged:
    """The member's last action, if they may take it back alone. Raises what `last_action` does, and `UndoRefused`."""
    game = need_game(table)
    mine = last_action(table, log, user_id)
    since = log[mine.number :]
    if len(log) != table.number or any(row.actor not in (Automatic.COMPUTER, Automatic.RULE) for row in since):
        raise UndoRefused(NoUndo.ACTED)
    entries = game.history(mine.number)
    if dealt(entries) or seen_in(entries):
        raise UndoRefused(NoUndo.REVEALED)
    if now - mine.at > UNDO_SECONDS:
        raise UndoRefused(NoUndo.LATE)
    return mine


def check_with_consent(table: Table, log: Sequence[Logged], user_id: int) -> tuple[Logged, tuple[int, ...]]:
    """The member's last action, and all other owners. Raises as `last_action`, `AcrossDeal`, `UndoRefused` (SEEN)."""
    game = need_game(table)
    mine = last_action(table, log, user_id)
    entries = game.history(mine.number)
    if dealt(entries):
        raise AcrossDeal
    must_agree = tuple(owner for owner in table.owners if owner != user_id)
    if not must_agree and seen_in(entries):
        raise UndoRefused(NoUndo.SEEN)
    return mine, must_agree


class Turns(Service):
    """Acting, taking back, resigning, and ending any open table, lobbies included."""

    @change
    def act(self, table: Table, user_id: int, decision: Moment | None, action: Action | str) -> Effect:
        """Take an action for the member's seat; it is committed when this returns.

        `decision` is the one the member was looking at, None for whatever is current. Raises `WrongStatus`,
        `NotAtTable`, `ComputerPlays`, `StaleBoard`, and what the engine refuses.
        """
        game = need_game(table)
        seat = seating.need_play(table.occupants, user_id)
        current = table.decision(seat)
        if decision is not None and decision != current:
            raise StaleBoard(decision, current)
        chosen = Action.parse(action) if isinstance(action, str) else action
        effect = played(table, game.play(seat, chosen), seat, chosen, user_id, self._now())
        if table.occupants[seat].missed == 0 and not table.occupants[seat].offered:
            return effect
        # Somebody who acts is present: nothing is counted against them, and their seat is no longer on offer.
        return replace(effect, after=replace(effect.after, occupants=seating.give_back(table.occupants, seat)))

    @change
    async def say(self, table: Table, person: Person, phrase: str) -> Effect:
        """Say a phrase, once between actions. Raises `WrongStatus`, `NotAtTable`, `NoTalk`, `SaidAlready`."""
        need(table, Status.PLAYING)
        seat = seating.need_seat(table.occupants, person.id)
        if not table.terms.talk:
            raise NoTalk
        for one in reversed(await self._memory.notes(table.id)):
            if one.number != table.number:
                break
            if one.kind is NoteKind.SAID and one.actor_id == person.id:
                raise SaidAlready
        return Effect(table, [note(table, NoteKind.SAID, self._now(), person.id, seat, phrase=phrase)])

    @change
    def resign(self, table: Table, person: Person) -> Effect:
        """Leave the seat for good; without any person the table is cancelled. Raises `WrongStatus`, `NotAtTable`."""
        need(table, Status.PLAYING, Status.PAUSED)
        seating.need_seat(table.occupants, person.id)
        return removed(table, person.id, StandInReason.RESIGNED, self._now(), NoteKind.RESIGNED, person.id)

    async def cancel(self, table_id: int, person: Person) -> Table:
        """End a table without a winner; see `bot.rights` for who may. Raises `WrongStatus`, `NotHost`."""

        def decide(table: Table) -> Effect:
            need(table, *OPEN)
            now = self._now()
            if table.host_id == person.id:
                return cancelled(table, person, now)
            rights.need(rights.Deed.CANCEL, person, table)
            entry = LogEntry(table.guild_id, now, "cancelled", person.id, None, table.id)
            return replace(cancelled(table, person, now), logged=entry)

        return await self._transactions.change(table_id, decide, even_broken=True)


class Consent(Service):
    """Taking back and proposing."""

    @change
    async def undo(self, table: Table, person: Person) -> Effect:
        """Take back one's own last action, without asking anybody. Raises what `check_alone` does."""
        now = self._now()
        mine = check_alone(table, await self._memory.log(table.id), person.id, now)
        return taken_back(table, mine.number, mine.seat, person.id, now)

    async def can_undo(self, table_id: int, user_id: int) -> int | None:
        """The Unix second until which this member may take back without asking, or None if they may not."""
        table = await self._transactions.get(table_id)
        log = await self._memory.log(table_id)
        try:
            return check_alone(table, log, user_id, self._transactions.now()).at + UNDO_SECONDS
        except TableError:
            return None

    @change
    async def request_takeback(self, table: Table, person: Person) -> Effect:
        """Ask everybody else who owns a seat to let the game return to the state before one's own last action.

        If there is nobody to ask, it does so at once. Raises `WrongStatus`, `NotAtTable`, `ComputerPlays`,
        `NothingToUndo`, `AcrossDeal`, and `UndoRefused` (SEEN).
        """
        mine, must_agree = check_with_consent(table, await self._memory.log(table.id), person.id)
        now = self._now()
        if not must_agree:
            return taken_back(table, mine.number, mine.seat, person.id, now)
        return proposed(table, Proposal(ProposalKind.TAKEBACK, mine.seat, person.id, mine.number, now, must_agree))

    @change
    def propose_conceding(self, table: Table, person: Person) -> Effect:
        """Concede the game to the other team once the partner agrees; at once if the team has no other person.

        A partner who is away is asked too. The question waits for its answer however the game goes on.

        Raises `WrongStatus`, `NotAtTable`, `ComputerPlays`, and `NoConcession` unless there are two teams.
        """
        game = need_game(table)
        seat = seating.need_play(table.occupants, person.id)
        if len(game.board.teams) != 2:
            raise NoConcession
        team = next(team for team in game.board.teams if seat in team)
        partners = (table.occupants[one].user_id for one in team if one != seat)
        must_agree = tuple(user_id for user_id in partners if user_id in table.voices)
        now = self._now()
        proposal = Proposal(ProposalKind.CONCEDE, seat, person.id, 0, now, must_agree)
        return proposed(table, proposal) if must_agree else carried_out(table, proposal, now)

    @change
    def propose_hints(self, table: Table, person: Person) -> Effect:
        """Ask all other owners to allow hints. Raises `WrongStatus`, `NotAtTable`, `ComputerPlays`, `HintsAllowed`."""
        need_game(table)
        seat = seating.need_play(table.occupants, person.id)
        if table.hints:
            raise HintsAllowed
        must_agree = tuple(owner for owner in table.owners if owner != person.id)
        return proposed(table, Proposal(ProposalKind.HINTS, seat, person.id, 0, self._now(), must_agree))

    @change
    def answer(self, table: Table, person: Person, kind: ProposalKind, yes: bool) -> Effect:
        """Agree to a proposal or not: once all have agreed it happens; one no ends it. Its maker's no withdraws it.

        Raises `WrongStatus`, `NotAtTable`, `NoProposal`, `NotAsked`.
        """
        need(table, Status.PLAYING)
        seat = seating.need_seat(table.occupants, person.id)
        proposal = table.proposals.get(kind)
        if proposal is None:
            raise NoProposal(kind)
        withdrawn = person.id == proposal.user_id and not yes
        if not withdrawn and (person.id not in proposal.must_agree or person.id in proposal.agreed):
            raise NotAsked(kind)
        now = self._now()
        if not yes:
            noted = note(table, NoteKind.DECLINED, now, person.id, seat, kind=kind, withdrawn=withdrawn)
            return Effect(replace(table, proposals=without_proposal(table, kind)), [noted])
        agreed = replace(proposal, agreed=(*proposal.agreed, person.id))
        if not set(agreed.agreed) >= set(agreed.must_agree):
            return Effect(replace(table, proposals={**table.proposals, kind: agreed}))
        return carried_out(table, agreed, now)
