"""What needs others' consent, or nobody's: taking actions back, and conceding the game to the other team."""

from __future__ import annotations

from dataclasses import replace

from bot.errors import ComputerPlays, NoConcession, NoProposal, NotAsked, TableError
from bot.storage import NoteRow
from bot.table import NoteKind, Person, Proposal, ProposalKind, Status, Table
from bot.tables import seating
from bot.tables.effects import Effect, need, need_game, proposed, taken_back, without_proposal
from bot.tables.memory import Memory
from bot.tables.transactions import Transactions
from bot.tables.undo import SECONDS, check_alone, check_with_consent


class Consent:
    """Taking back and proposing."""

    def __init__(self, transactions: Transactions, memory: Memory) -> None:
        self._transactions = transactions
        self._memory = memory

    async def undo(self, table_id: int, person: Person) -> Table:
        """Take back one's own last action, without asking anybody.

        Raises `WrongStatus`, `NotAtTable`, `ComputerPlays`, `NothingToUndo`, and `UndoRefused` (ACTED, REVEALED, LATE).
        """
        log = await self._memory.log(table_id)

        def decide(table: Table) -> Effect:
            now = self._transactions.now()
            mine = check_alone(table, log, person.id, now)
            return taken_back(table, mine.number, mine.seat, person.id, now)

        return await self._transactions.change(table_id, decide)

    async def can_undo(self, table_id: int, user_id: int) -> int | None:
        """The Unix second until which this member may take back without asking, or None if they may not."""
        table = await self._transactions.get(table_id)
        log = await self._memory.log(table_id)
        try:
            return check_alone(table, log, user_id, self._transactions.now()).at + SECONDS
        except TableError:
            return None

    async def request_takeback(self, table_id: int, person: Person) -> Table:
        """Ask everybody else who owns a seat to let the game return to the state before one's own last action.

        If there is nobody to ask, it does so at once. Raises `WrongStatus`, `NotAtTable`, `ComputerPlays`,
        `NothingToUndo`, `AcrossDeal`, and `UndoRefused` (SEEN).
        """
        log = await self._memory.log(table_id)

        def decide(table: Table) -> Effect:
            mine, asked = check_with_consent(table, log, person.id)
            now = self._transactions.now()
            if not asked:
                return taken_back(table, mine.number, mine.seat, person.id, now)
            return proposed(table, Proposal(ProposalKind.TAKEBACK, mine.seat, person.id, mine.number, now, asked))

        return await self._transactions.change(table_id, decide)

    async def propose_end(self, table_id: int, person: Person) -> Table:
        """Concede the game to the other team once the partner agrees; at once if the team has no other person.

        A partner who is away is asked too. The question waits for its answer however the game goes on.

        Raises `WrongStatus`, `NotAtTable`, `ComputerPlays`, and `NoConcession` unless there are two teams.
        """

        def decide(table: Table) -> Effect:
            game = need_game(table)
            seat = seating.need_seat(table.people, person.id)
            if table.people[seat].plays is None:
                raise ComputerPlays(seat)
            if len(game.board.teams) != 2:
                raise NoConcession
            team = next(team for team in game.board.teams if seat in team)
            partners = (table.people[one].user_id for one in team if one != seat)
            asked = tuple(user_id for user_id in partners if user_id in table.voices)
            now = self._transactions.now()
            proposal = Proposal(ProposalKind.CONCEDE, seat, person.id, 0, now, asked)
            return proposed(table, proposal) if asked else conceded(table, proposal, now)

        return await self._transactions.change(table_id, decide)

    async def answer(self, table_id: int, person: Person, kind: ProposalKind, yes: bool) -> Table:
        """Agree to a proposal or not: once all have agreed it happens; one no ends it. Its maker's no withdraws it.

        Raises `WrongStatus`, `NotAtTable`, `NoProposal`, `NotAsked`.
        """

        def decide(table: Table) -> Effect:
            need(table, Status.PLAYING)
            seat = seating.need_seat(table.people, person.id)
            proposal = table.proposals.get(kind)
            if proposal is None:
                raise NoProposal(kind)
            withdrawn = person.id == proposal.user_id and not yes
            if not withdrawn and (person.id not in proposal.asked or person.id in proposal.agreed):
                raise NotAsked(kind)
            now = self._transactions.now()
            if not yes:
                data = {"kind": kind, "withdrawn": withdrawn}
                note = NoteRow(table.number, NoteKind.DECLINED, now, person.id, seat, data)
                return Effect(replace(table, proposals=without_proposal(table, kind)), [note])
            agreed = replace(proposal, agreed=(*proposal.agreed, person.id))
            if not set(agreed.agreed) >= set(agreed.asked):
                return Effect(replace(table, proposals={**table.proposals, kind: agreed}))
            if kind == ProposalKind.TAKEBACK:
                return taken_back(table, proposal.number, proposal.seat, proposal.user_id, now, agreed=True)
            return conceded(table, agreed, now)

        return await self._transactions.change(table_id, decide)


def conceded(table: Table, proposal: Proposal, now: int) -> Effect:
    """The table won by the team that did not concede."""
    teams = need_game(table).board.teams
    won = next(team for team in teams if proposal.seat not in team)
    lost = next(team for team in teams if proposal.seat in team)
    notes = [
        NoteRow(table.number, NoteKind.CONCEDED, now, proposal.user_id, proposal.seat, {"seats": list(lost)}),
        NoteRow(table.number, NoteKind.ENDED, now, None, None, {"winners": list(won)}),
    ]
    return Effect(replace(table, status=Status.OVER, ended_at=now, won=tuple(won), proposals={}), notes)
