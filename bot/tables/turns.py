"""Playing: acting, table talk, leaving, ending a game early."""

from __future__ import annotations

from dataclasses import replace

from bot import rights
from bot.consent import has_begun, to_ask
from bot.errors import NotHost, NotPossible, Problem, need_current
from bot.guild_records import LogEntry
from bot.moment import Moment
from bot.occupants import Person, StandInReason
from bot.proposal import Proposal, ProposalKind
from bot.table import OPEN, Note, NoteKind, Status, Table
from bot.tables import seating
from bot.tables.agreeing import ask_others
from bot.tables.effects import Effect, need, need_game, need_no_cup, need_outsider, need_same_point, note
from bot.tables.endings import cancel_game, remove_member
from bot.tables.lobby import find_matched, look_on
from bot.tables.playing import play_action
from bot.tables.transactions import Service
from engine import Action


def take_turn(table: Table, seat: int, action: Action, user_id: int, at: int) -> Effect:
    """Return the table after a person's action. Raises what the engine refuses."""
    effect = play_action(table, need_game(table).play(seat, action), seat, action, user_id, at)
    if table.occupants[seat].missed == 0 and not table.occupants[seat].offered:
        return effect
    if table.occupants[seat].why is StandInReason.FRIEND:
        return replace(effect, after=replace(effect.after, occupants=seating.let_friend_play(table.occupants, seat)))
    # A player who acts is present: nothing is counted against them, and their seat is no longer on offer.
    return replace(effect, after=replace(effect.after, occupants=seating.give_back(table.occupants, seat)))


def _with_owner(table: Table, user_id: int, now: int) -> tuple[Table, list[Note]]:
    """Return the table with a person who acts back in the seat that a friend plays for them, and the note of it."""
    seat = table.seat_of(user_id)
    if seat is None or table.occupants[seat].why is not StandInReason.FRIEND:
        return table, []
    occupants = seating.give_back(table.occupants, seat)
    noted = note(table, NoteKind.RECLAIMED, now, user_id, seat, name=table.occupants[seat].name)
    return replace(table, occupants=occupants), [noted]


class Turns(Service):
    """Acting, table talk, leaving, and ending any open table, lobbies included."""

    async def act(self, table_id: int, user_id: int, decision: Moment | None, action: Action | str) -> Table:
        """Take an action for the member's seat; it is committed when this returns.

        `decision` is the one the member was looking at, None for whatever is current. Raises `WrongStatus`,
        `NotAtTable`, `COMPUTER_PLAYS`, `MovedOn`, and what the engine refuses.
        """

        def decide(table: Table) -> Effect:
            need_game(table)
            table, notes = _with_owner(table, user_id, self._now())
            seat = seating.need_play(table.occupants, user_id)
            need_current(decision, table.decision(seat))
            chosen = Action.parse(action) if isinstance(action, str) else action
            effect = take_turn(table, seat, chosen, user_id, self._now())
            return replace(effect, notes=[*notes, *effect.notes])

        return await self._change(table_id, decide)

    async def say(self, table_id: int, person: Person, phrase: str) -> Table:
        """Say a phrase, once between actions. Raises `WrongStatus`, `NotAtTable`, `NO_TALK`, `SAID_ALREADY`."""

        async def decide(table: Table) -> Effect:
            need(table, Status.PLAYING)
            seat = seating.need_seat(table.occupants, person.id)
            if not table.terms.talk:
                raise NotPossible(Problem.NO_TALK)
            for seen in reversed(await self._memory.notes(table.id)):
                if seen.number != table.number:
                    break
                if seen.kind is NoteKind.SAID and seen.actor_id == person.id:
                    raise NotPossible(Problem.SAID_ALREADY)
            return Effect(table, [note(table, NoteKind.SAID, self._now(), person.id, seat, phrase=phrase)])

        return await self._change(table_id, decide)

    async def leave_game(self, table_id: int, person: Person, point: Moment | None = None) -> Table:
        """Leave the seat for good; without any person the table is cancelled.

        With a `point`, only if the game is still there. Raises `WrongStatus`, `NotAtTable`, `AskAgain`.
        """

        def decide(table: Table) -> Effect:
            need_same_point(table, point, "dog table resign")
            need(table, Status.PLAYING, Status.PAUSED)
            seating.need_seat(table.occupants, person.id)
            return remove_member(table, person.id, StandInReason.LEFT, self._now(), NoteKind.LEFT, person.id)

        return await self._change(table_id, decide)

    async def cancel(self, table_id: int, person: Person, reason: str = "", point: Moment | None = None) -> Table:
        """End a table without a winner, or ask the others whether to end it; see `bot.consent`.

        With a `point`, only if the game is still there.

        The host ends a lobby, and a game before its first card has been played; a moderator any game that they have
        not played, with a `reason` if several people play it. A game whose log is broken cannot go on: anyone who plays
        it ends it. Players of a cup end no table. Raises `WrongStatus`, `NotHost`, `NotAtTable`, `NotModerator`,
        `NO_REASON`, `PROPOSAL_OPEN`, `IN_CUP`, `AskAgain`.
        """

        async def end(table: Table, over: Effect) -> Effect:
            """Let the others whom the table has brought together look on, unless they have played."""
            if has_begun(table):
                return over
            return look_on(over, await self._memory.notes(table_id), find_matched(table, person), self._now())

        async def decide(table: Table) -> Effect:
            need_same_point(table, point, "dog table cancel")
            need(table, *OPEN)
            rights.need(rights.Deed.CANCEL, person, table)
            now, seat = self._now(), table.seat_of(person.id)
            if seat is None:
                need_outsider(await self._memory.notes(table.id), person)
            must_agree = need_consent_to_cancel(table, person, reason)
            if seat is None:
                data = {"reason": reason} if reason else {}
                entry = LogEntry(table.guild_id, now, "cancelled", person.id, None, table.id, data)
                return await end(table, replace(cancel_game(table, person, now, reason), logged=entry))
            if must_agree:
                proposal = Proposal(ProposalKind.CANCEL, seat, person.id, 0, now, must_agree)
                return ask_others(table, proposal, await self._memory.notes(table.id))
            return await end(table, cancel_game(table, person, now))

        return await self._transactions.change(table_id, decide, even_broken=True)


def need_consent_to_cancel(table: Table, person: Person, reason: str = "") -> tuple[int, ...]:
    """Return the user ids of those who must agree before a person cancels this table; none if it ends at once.

    Raises `NotHost`, `IN_CUP`, and for one who does not play `NO_REASON`.
    """
    seat = table.seat_of(person.id)
    # A game that has started, can go on and belongs to several people.
    together = table.game is not None and len(table.owners) > 1
    if seat is None:
        if together and not reason:
            raise NotPossible(Problem.NO_REASON)
        return ()
    if table.game is not None or table.status is Status.LOBBY:
        need_no_cup(table)
    is_host = person.id == table.host_id
    if table.status is Status.LOBBY and not is_host:
        raise NotHost(table.host_id, or_moderator=True)
    if not together or (is_host and not has_begun(table)):
        return ()
    return to_ask(table, ProposalKind.CANCEL, seat)
