"""Taking back, and what the others are asked for: proposals and their answers (see `bot.consent`).

A player takes their own last action back alone as long as no other player has acted and nothing hidden was seen; where
several people play, a computer's card counts as seen too, and so does one that its owner had to play. After that the
opponents are asked, once for each action, and are told what has been seen. Where there is no one to ask, what has been
seen stays seen: no one draws a card, looks at it, and takes it back. Nothing at all is taken back across a deal.

An only move that was played for its owner is no choice to come back to: it goes with the action before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from itertools import takewhile

from bot.consent import to_ask
from bot.errors import FeatureOff, Moderators, NotModerator, NotPossible, Problem, TableError, WrongStatus, need_current
from bot.moment import Moment
from bot.occupants import Person
from bot.proposal import Proposal, ProposalKind
from bot.table import Actor, Automatic, Feature, Logged, Note, NoteKind, Status, Table
from bot.tables import seating
from bot.tables.agreeing import ask_others, can_carry_out, record_answer
from bot.tables.courses import PublicCourse
from bot.tables.effects import Effect, drop_proposal, need, need_game, need_no_cup, need_same_point, note
from bot.tables.playing import has_deal, plays_only_move, take_back
from bot.tables.transactions import Service
from engine import Entry, EventKind


class Seen(StrEnum):
    """Something hidden that has been seen."""

    CARD = "card"
    """A card that was drawn, or lost."""
    EXCHANGE = "exchange"
    """The cards that changed hands."""
    HAND = "hand"
    """A hand that was laid down."""
    ANSWER = "answer"
    """A call for help, or its answer."""


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
    """Return what these entries revealed, and a takeback leaves known, except which card a player chose."""
    seen = set()
    for entry in entries:
        for event in entry.events:
            if event.kind is EventKind.FOLDED and not event.cards:
                continue
            if event.kind in _SEEN:
                seen.add(_SEEN[event.kind])
            elif event.count > 0:
                seen.add(Seen.CARD)
    return frozenset(seen)


def last_action(table: Table, log: Sequence[Logged], user_id: int, forced: Collection[int] = ()) -> Logged:
    """Return a member's last action, not among those that were played for them (`forced`).

    Raises `WrongStatus`, `NotAtTable`, `COMPUTER_PLAYS`, `NOTHING_TO_UNDO`.
    """
    need_game(table)
    seat = seating.need_play(table.occupants, user_id)
    mine = [
        row for row in log[: table.number] if row.seat == seat and row.actor == user_id and row.number not in forced
    ]
    if not mine:
        raise NotPossible(Problem.NOTHING_TO_UNDO)
    return mine[-1]


def check_alone(table: Table, log: Sequence[Logged], user_id: int, forced: Collection[int]) -> Logged:
    """Return the member's last action, if they may take it back alone; `forced`: as in `last_action`.

    Raises as `last_action`, `ACTED_SINCE`, `REVEALED`.
    """
    game = need_game(table)
    mine = last_action(table, log, user_id, forced)
    free: set[Actor] = {Automatic.RULE, user_id}
    if len(table.owners) == 1:
        free.add(Automatic.COMPUTER)
    if len(log) != table.number or any(row.actor not in free for row in log[mine.number :]):
        raise NotPossible(Problem.ACTED_SINCE)
    entries = game.history(mine.number)
    if has_deal(entries) or seen_in(entries):
        raise NotPossible(Problem.REVEALED)
    return mine


def check_with_consent(
    table: Table, log: Sequence[Logged], notes: Sequence[Note], user_id: int, forced: Collection[int]
) -> tuple[Logged, tuple[int, ...]]:
    """Return the member's last action, and whom they must ask; `forced`: as in `last_action`.

    Raises as `last_action`, `ACROSS_DEAL`, `TAKEBACK_OPEN`, `ASKED_ALREADY`, `SEEN_BY_ALL`.
    """
    game = need_game(table)
    mine = last_action(table, log, user_id, forced)
    entries = game.history(mine.number)
    if has_deal(entries):
        raise NotPossible(Problem.ACROSS_DEAL)
    must_agree = to_ask(table, ProposalKind.TAKEBACK, mine.seat, number=mine.number)
    if not must_agree and seen_in(entries):
        raise NotPossible(Problem.SEEN_BY_ALL)
    move, open_ = str(Moment(table.takebacks, mine.number)), table.proposals.get(ProposalKind.TAKEBACK)
    if open_ is None or open_.number != mine.number:
        if open_ is not None and open_.user_id != user_id:
            # No player ends another's proposal by making one of their own.
            raise NotPossible(Problem.TAKEBACK_OPEN)
        asked_before = (seen.data for seen in notes if seen.kind is NoteKind.PROPOSED and seen.actor_id == user_id)
        if any(data.get("move") == move and data["kind"] == ProposalKind.TAKEBACK for data in asked_before):
            raise NotPossible(Problem.ASKED_ALREADY)
    return mine, must_agree


class Proposals(Service):
    """Taking back and proposing."""

    async def undo(self, table_id: int, person: Person, moment: Moment | None = None) -> Table:
        """Take back the person's last action, without asking the others; with a `moment`, only if it was done then.

        Raises what `check_alone` does, and `ACTED_SINCE` at another moment (see `Table.acted_at`).
        """

        async def decide(table: Table) -> Effect:
            if (seat := table.played_by(person.id)) is not None:
                need_current(moment, table.acted_at(seat), NotPossible(Problem.ACTED_SINCE))
            log = await self._memory.log(table.id)
            mine = check_alone(table, log, person.id, await self._forced(table, log, person.id))
            return take_back(table, mine.number, mine.seat, person.id, self._now())

        return await self._change(table_id, decide)

    async def can_undo(self, table_id: int, user_id: int) -> bool:
        """Return True if this member may take their last action back without asking."""
        table = await self._memory.get(table_id)
        try:
            log = await self._memory.log(table_id)
            check_alone(table, log, user_id, await self._forced(table, log, user_id))
        except TableError:
            return False
        return True

    async def request_takeback(self, table_id: int, person: Person) -> Table:
        """Ask the opponents to let the game return to the state before the person's last action, once for each action.

        If there is no one to ask, it does so at once. Raises `WrongStatus`, `NotAtTable`, `COMPUTER_PLAYS`,
        `NOTHING_TO_UNDO`, `ACROSS_DEAL`, `TAKEBACK_OPEN`, `ASKED_ALREADY`, and `SEEN_BY_ALL`.
        """

        async def decide(table: Table) -> Effect:
            log, notes = await self._memory.log(table.id), await self._memory.notes(table.id)
            forced = await self._forced(table, log, person.id)
            mine, must_agree = check_with_consent(table, log, notes, person.id, forced)
            return ask_others(
                table, Proposal(ProposalKind.TAKEBACK, mine.seat, person.id, mine.number, self._now(), must_agree)
            )

        return await self._change(table_id, decide)

    async def propose_resigning(self, table_id: int, person: Person, point: Moment | None = None) -> Table:
        """Resign the game to the other team once the partner agrees; at once if the team has no other person.

        A partner who is away is asked too. The proposal waits for its answer however the game goes on. With a `point`,
        only if the game is still there. Raises `WrongStatus`, `NotAtTable`, `COMPUTER_PLAYS`, `AskAgain`, and
        `NO_RESIGNING` unless there are two teams.
        """

        async def decide(table: Table) -> Effect:
            need_same_point(table, point, "dog table resign")
            game = need_game(table)
            if len(game.board.teams) != 2:
                raise NotPossible(Problem.NO_RESIGNING)
            return await self._asked(table, ProposalKind.RESIGN, seating.need_play(table.occupants, person.id))

        return await self._change(table_id, decide)

    async def propose_hints(self, table_id: int, person: Person) -> Table:
        """Ask all other owners to allow hints.

        Raises `WrongStatus`, `NotAtTable`, `COMPUTER_PLAYS`, `HINTS_ALLOWED`, `IN_CUP`.
        """

        async def decide(table: Table) -> Effect:
            need_game(table)
            need_no_cup(table)
            seat = seating.need_play(table.occupants, person.id)
            if table.hints:
                raise NotPossible(Problem.HINTS_ALLOWED)
            return await self._asked(table, ProposalKind.HINTS, seat)

        return await self._change(table_id, decide)

    async def propose_pause(self, table_id: int, person: Person) -> Table:
        """Ask the others to pause the game, or to let its pause last seven days from then.

        Raises `WrongStatus`, `NotAtTable`, `NOBODY_PLAYS` for a game that is asleep, `PROPOSAL_OPEN`.
        """

        async def decide(table: Table) -> Effect:
            need(table, Status.PLAYING, Status.PAUSED)
            if table.status is Status.PLAYING and table.asleep:
                raise NotPossible(Problem.NOBODY_PLAYS)
            return await self._asked(table, ProposalKind.PAUSE, seating.need_seat(table.occupants, person.id))

        return await self._change(table_id, decide)

    async def propose_resuming(self, table_id: int, person: Person) -> Table:
        """Ask the others to end a pause that they have agreed on.

        Raises `WrongStatus`, `NotAtTable`, `NotModerator` for a moderator's pause, `NOBODY_PLAYS` for a game that is
        asleep, `PROPOSAL_OPEN`.
        """

        async def decide(table: Table) -> Effect:
            if table.status is Status.PLAYING and table.asleep:
                raise NotPossible(Problem.NOBODY_PLAYS)
            need(table, Status.PAUSED)
            seat = seating.need_seat(table.occupants, person.id)
            if not table.paused_by_players:
                raise NotModerator(Moderators.MODERATOR)
            return await self._asked(table, ProposalKind.RESUME, seat)

        return await self._change(table_id, decide)

    async def _forced(self, table: Table, log: Sequence[Logged], user_id: int) -> frozenset[int]:
        """Return the numbers of a person's newest actions that were played for them, as their only moves."""
        if table.game is None:
            return frozenset()
        course = PublicCourse(self._memory.course(table))
        own = (row.number for row in reversed(log[: table.number]) if row.actor == user_id)
        forced = frozenset(takewhile(partial(course.was_only_move, alone=table.is_solo), own))
        if not forced or plays_only_move(table, (await self._profiles.users.several((user_id,)))[user_id]):
            return forced
        return frozenset()

    async def _asked(self, table: Table, kind: ProposalKind, seat: int) -> Effect:
        user_id, must_agree = table.occupants[seat].user_id, to_ask(table, kind, seat)
        assert user_id is not None, "only owners of seats ask"
        proposal = Proposal(kind, seat, user_id, 0, self._now(), must_agree)
        return ask_others(table, proposal, await self._memory.notes(table.id))

    async def answer(
        self, table_id: int, person: Person, kind: ProposalKind, yes: bool, at: int | None = None
    ) -> Table:
        """Answer a proposal, that made `at` this time if given; it is decided once enough have.

        Its maker's no withdraws it.

        Raises `WrongStatus`, `NotAtTable`, `NO_PROPOSAL`, `NOT_ASKED`, and `FeatureOff` for hints.
        """

        def decide(table: Table) -> Effect:
            proposal = table.proposals.get(kind)
            if proposal is None or at not in (None, proposal.at):
                raise NotPossible(Problem.NO_PROPOSAL)
            need(table, Status.PLAYING, Status.PAUSED)
            seat = seating.need_seat(table.occupants, person.id)
            if kind is ProposalKind.HINTS and Feature.HINTS in table.off:
                if yes:
                    raise FeatureOff(Feature.HINTS)
            elif not can_carry_out(table, kind):
                raise WrongStatus(table.status, (Status.PLAYING,))
            now = self._now()
            if person.id == proposal.user_id and not yes:
                noted = note(table, NoteKind.DECLINED, now, person.id, seat, kind=kind, withdrawn=True)
                return Effect(replace(table, proposals=drop_proposal(table, kind)), [noted])
            if person.id not in proposal.must_agree or (yes and person.id in proposal.agreed):
                raise NotPossible(Problem.NOT_ASKED)
            return record_answer(table, proposal, person.id, now, yes=yes)

        return await self._change(table_id, decide)
