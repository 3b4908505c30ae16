"""Friends who play for others: named by the owner of a seat, agreed to by themselves, until the owner is back.

The friend sees that seat's hand only, and nothing else of the owner's is theirs: they cannot leave, resign or agree
to anything. While no friend has agreed, everything goes on as without one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from bot import clocks
from bot.calls import call_again, find_called
from bot.errors import Banned, NotAtTable, NotPossible, Problem, WrongStatus
from bot.occupants import Person, StandInReason
from bot.preferences import AwayHow, Preferences
from bot.rights import may_play
from bot.table import Note, NoteKind, Status, Table
from bot.tables import seating
from bot.tables.effects import Effect, need, need_no_cup, note
from bot.tables.transactions import Service


class Friends(Service):
    """Naming friends, agreeing, and ending it."""

    async def ask(self, table_id: int, person: Person, friend: Person, here: int | None = None) -> Table:
        """Ask a friend to play a person's seat, in place of any other who was asked.

        `here`: a guild where the friend is now; in others they must have played before.

        Raises `WrongStatus`, `NotAtTable`, `IN_CUP`, `FRIEND_PLAYS`, `COMPUTER_PLAYS` for an owner who has left the
        server, and `NO_STAND_IN`, which does not say why: the friend sits at the table or has seen another hand of its
        game, may not play or is unknown on its server, or is blocked by the person. A friend who has blocked the person
        is as one who does not answer: nothing tells the two apart.
        """

        async def decide(table: Table) -> Effect:
            need(table, Status.PLAYING, Status.PAUSED)
            need_no_cup(table)
            seat = seating.need_seat(table.occupants, person.id)
            if table.occupants[seat].why is StandInReason.FRIEND:
                raise NotPossible(Problem.FRIEND_PLAYS)
            if table.occupants[seat].why is StandInReason.LEFT_GUILD:
                # Who has left the server has lost: no friend takes that back.
                raise NotPossible(Problem.COMPUTER_PLAYS)
            settings = await self._profiles.guilds.get(table.guild_id)
            if settings.play_role is not None and not (table.guild_id == here and may_play(friend, settings)):
                raise NotPossible(Problem.NO_STAND_IN)
            if table.guild_id == here:
                await self._store.members.meet(table.guild_id, {friend.id: friend.name})
            await self._check(table, seat, friend.id, agrees=False)
            return Effect(replace(table, occupants=seating.ask_friend(table.occupants, seat, friend.id)))

        return await self._change(table_id, decide)

    async def ask_everywhere(self, person: Person, friend: Person, here: int | None = None) -> tuple[Table, ...]:
        """Ask a friend to play all seats of a person that can be given; returns the tables. `here`: as for `ask`."""
        asked = []
        for table_id in await self._ids(person.id):
            try:
                asked.append(await self.ask(table_id, person, friend, here))
            except (NotPossible, NotAtTable, WrongStatus):
                continue
        return tuple(asked)

    async def wanted(self, table_id: int, user_id: int) -> tuple[Table, ...]:
        """Return all tables whose seats the owner of one at this table has asked a person to play."""
        table = await self._memory.get_without_game(table_id)
        seat = _asked(table, user_id)
        owner = None if seat is None else table.occupants[seat].user_id
        tables = [table] if owner is None else await self._transactions.several(await self._ids(user_id))
        asked = ((each, _asked(each, user_id)) for each in tables)
        return tuple(each for each, seat in asked if seat is not None and each.occupants[seat].user_id == owner)

    async def _ids(self, user_id: int) -> tuple[int, ...]:
        return await self._store.games.ids_of_member(user_id)

    async def agree(self, table_id: int, person: Person, among: Collection[int] | None = None) -> tuple[Table, ...]:
        """Let a person play all seats for which the owner of one at this table has asked them; returns the tables.

        `among`: the ids of the tables at which their servers let them play, if that was looked up.

        Raises `NOT_ASKED_TO_PLAY` if there is none any more, and `NO_STAND_IN` if none can be given to them now; while
        a clock runs, a seat is given once between actions.
        """
        played, why = [], Problem.NOT_ASKED_TO_PLAY
        for table in await self.wanted(table_id, person.id):
            if among is not None and table.id not in among:
                continue
            try:
                played.append(await self._begin(table.id, person))
            except NotPossible as refused:
                why = refused.kind
        if not played:
            raise NotPossible(why)
        return tuple(played)

    async def _begin(self, table_id: int, person: Person) -> Table:
        """Let a person who was asked play the seat."""

        async def decide(table: Table) -> Effect:
            seat = _asked(table, person.id)
            if seat is None or table.status not in (Status.PLAYING, Status.PAUSED):
                raise NotPossible(Problem.NOT_ASKED_TO_PLAY)
            await self._check(table, seat, person.id, agrees=True)
            begun = [noted for noted in await self._memory.notes(table.id) if noted.kind is NoteKind.STANDS_IN]
            if seat in table.clocks and any((noted.seat, noted.number) == (seat, table.number) for noted in begun):
                # To and fro, the quiet hours of two people could stop a clock.
                raise NotPossible(Problem.NO_STAND_IN)
            noted = note(table, NoteKind.STANDS_IN, self._now(), person.id, seat, name=person.name, user_id=person.id)
            return await self.pass_on(table, seat, seating.let_friend_play(table.occupants, seat), noted)

        return await self._change(table_id, decide)

    async def pass_on(self, table: Table, seat: int, occupants: seating.Occupants, noted: Note | None) -> Effect:
        """Return the table with another person on a seat: the clock of its decision goes on, and they are called."""
        now, before = self._now(), table.occupants[seat].plays
        after = replace(table, occupants=occupants, messages=call_again(table.messages, [seat]))
        user_id, clock = occupants[seat].plays, table.clocks.get(seat)
        if clock is not None and before is not None and user_id is not None:
            rests = await self._profiles.rests([before, user_id])
            old, new = (clocks.at_pace(rests[user], table.terms.pace) for user in (before, user_id))
            clock = replace(clocks.rest_differently(clock, now, old, new), user_id=user_id)
            after = replace(after, clocks={**after.clocks, seat: clock})
        return Effect(after, [noted] if noted else [], call_again=frozenset({seat} & find_called(table).keys()))

    async def stop(self, table_id: int, person: Person) -> tuple[Table, ...]:
        """Let a person no longer play, or no longer be asked to play, for the owner of the seat at this table.

        Everywhere: one press ends what one press began. Raises `NOT_ASKED_TO_PLAY`.
        """
        table = await self._memory.get(table_id)
        seats = _concerning(table, person.id)
        if seats is None:
            raise NotPossible(Problem.NOT_ASKED_TO_PLAY)
        return await self.leave(person.id, owner=table.occupants[seats].user_id)

    async def leave(self, user_id: int, guild_id: int | None = None, owner: int | None = None) -> tuple[Table, ...]:
        """Take all seats from a person that they play for others (or for one owner), and ask them no more.

        Computers play on for owners who are away; the others play themselves again.
        """
        changed = []
        for table_id in await self._ids(user_id):
            table = await self._memory.get_without_game(table_id)
            seat = _concerning(table, user_id)
            theirs = None if seat is None else table.occupants[seat].user_id
            if seat is None or theirs is None or guild_id not in (None, table.guild_id) or owner not in (None, theirs):
                continue
            prefers = await self._profiles.users.get(theirs)
            changed.append(await self._end(table_id, user_id, prefers))
        return tuple(changed)

    async def bring_back(self, user_id: int) -> None:
        """Give a person the seats back that friends play for them; no clock begins anew."""
        for table_id in await self._ids(user_id):
            await self._bring_back(table_id, user_id)

    async def _bring_back(self, table_id: int, user_id: int) -> Table:

        async def decide(table: Table) -> Effect:
            seat = table.seat_of(user_id)
            if seat is None or table.occupants[seat].why is not StandInReason.FRIEND:
                return Effect(table)
            noted = note(table, NoteKind.BACK, self._now(), user_id, seat)
            waited = table.is_slow and (await self._profiles.users.get(user_id)).away_how is AwayHow.SLOW
            # Where the clock waited, it is said when that ends.
            return await self.pass_on(table, seat, seating.give_back(table.occupants, seat), None if waited else noted)

        return await self._change(table_id, decide)

    async def _end(self, table_id: int, user_id: int, prefers: Preferences) -> Table:

        async def decide(table: Table) -> Effect:
            seat = _concerning(table, user_id)
            if seat is None:
                return Effect(table)
            if table.occupants[seat].why is not StandInReason.FRIEND:
                return Effect(replace(table, occupants=seating.ask_friend(table.occupants, seat, None)))
            now = self._now()
            is_away = prefers.away_until is not None and prefers.away_until > now
            noted = note(table, NoteKind.STOOD_DOWN, now, user_id, seat, user_id=user_id)
            if is_away and (prefers.away_how is AwayHow.COMPUTER or not table.is_slow):
                occupants = seating.stand_in(table.occupants, seat, StandInReason.AWAY)
                return Effect(replace(table, occupants=occupants), [noted])
            return await self.pass_on(table, seat, seating.give_back(table.occupants, seat), noted)

        return await self._change(table_id, decide)

    async def _check(self, table: Table, seat: int, friend: int, *, agrees: bool) -> None:
        """Raise `NO_STAND_IN` if a friend cannot play this seat, or cannot be asked to."""
        owner = table.occupants[seat].user_id or 0
        try:
            await self._profiles.check_ban(table.guild_id, friend)
        except Banned:
            raise NotPossible(Problem.NO_STAND_IN) from None
        blocks = await self._store.users.blocks_among({owner, friend})
        is_blocked = (owner, friend) in blocks or (agrees and (friend, owner) in blocks)
        others = [who for place, who in table.occupants.items() if place != seat]
        is_here = friend in table.owners or any(friend in (who.friend, who.user_id) for who in others)
        saw = any(
            noted.seat not in (None, seat) and has_seen_hand(noted, friend)
            for noted in await self._memory.notes(table.id)
        )
        known = None if table.in_dms else await self._store.members.find(table.guild_id, friend)
        unknown = not table.in_dms and (known is None or known.gone)
        if is_blocked or is_here or saw or unknown:
            raise NotPossible(Problem.NO_STAND_IN)


def _asked(table: Table, user_id: int) -> int | None:
    """Return the seat for which a person has been asked to play, and does not yet."""
    seats = ((seat, who) for seat, who in table.occupants.items() if who.friend == user_id)
    return next((seat for seat, who in seats if who.why is not StandInReason.FRIEND), None)


def _concerning(table: Table, user_id: int) -> int | None:
    """Return the seat that a person plays for a friend, or is asked to."""
    return next((seat for seat, who in table.occupants.items() if who.friend == user_id), None)


def has_seen_hand(noted: Note, user_id: int) -> bool:
    """Return True if this note shows that the person saw this seat's hand."""
    if user_id in (noted.data.get("old_user_id"), noted.data.get("user_id")):
        return True
    return noted.actor_id == user_id and noted.kind in (NoteKind.LEFT, NoteKind.TAKEN_OVER, NoteKind.LEFT_GUILD)
