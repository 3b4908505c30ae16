"""Hosts who vanish: signs of them, and the players who follow."""

from __future__ import annotations

from dataclasses import replace

from bot.consent import HOST_SILENT
from bot.table import Logged, NoteKind, Table
from bot.tables.effects import Effect, note
from bot.tables.transactions import Service, Transactions
from engine.secret import whole

KEPT_EVERY = 900
"""Seconds after which signs of hosts are written down, those of all tables together."""


class Hosts(Service):
    """Replaces hosts who have been silent for too long.

    Every act of a host at the table is a sign. Signs are kept in memory and written down now and
    then, at the end of the program, and before a host is said to be silent.
    """

    def __init__(self, transactions: Transactions) -> None:
        super().__init__(transactions)
        self._signs: dict[int, int] = {}
        self._kept_at = 0

    def note_sign(self, table_id: int) -> None:
        """Note that the host of a table does something there."""
        self._signs[table_id] = self._now()

    async def skip(self, table: Table, seconds: int) -> None:
        """Count this much time for no host's silence: Discord has refused what the table says."""
        self._signs[table.id] = min(self._now(), await self._last_sign(table) + seconds)

    async def keep(self, *, at_once: bool = False) -> None:
        """Write down the signs noted since the last time, if that was long ago, or `at_once`."""
        now = self._now()
        if not self._signs or (not at_once and self._kept_at + KEPT_EVERY > now):
            return
        seen, self._signs, self._kept_at = self._signs, {}, now
        try:
            await self._store.games.note_hosts_seen(seen, HOST_SILENT)
        except BaseException:
            self._signs = seen | self._signs
            raise
        for table_id, at in seen.items():
            self._memory.saw_host(table_id, at)

    async def replace_silent(self, table_id: int) -> bool:
        """Let another player follow a host of whom there has been no sign for too long, and look again later.

        Returns False if there has been a sign: then the deadline is only moved on.
        """
        table = await self._transactions.get_even_broken(table_id)
        sign = await self._last_sign(table)
        if sign + HOST_SILENT > self._now():
            self._signs[table_id] = sign
            await self.keep(at_once=True)
            return False
        after = await self._transactions.change(table_id, self.choose_next, follow=False, even_broken=True)
        if (after.host_seen or after.created_at) + HOST_SILENT <= self._now():
            await self._store.games.schedule_host_check(table_id, self._now() + HOST_SILENT)
        return True

    async def choose_next(self, table: Table) -> Effect:
        """Return the table with the next player as its host who has acted or decided since the host last did.

        It is not handed round among players who are all silent; the one who comes back takes it on (`succeed`).
        """
        if not table.is_open or await self._last_sign(table) + HOST_SILENT > self._now():
            return Effect(table)
        # A sign may count later than it was given (`skip`), so what players did is compared.
        last = await self._last_acted(table, table.host_id)
        for user in _in_turn(table):
            if user != table.host_id and await self._last_acted(table, user) > last:
                return self._hosted(table, user)
        return Effect(table)

    async def succeed(self, table_id: int, user_id: int) -> Table:
        """Make another player host if the host is silent and this player wants what only a host may do.

        The next player follows who has given a sign, or else the one who asks. Returns the table.
        """

        async def decide(table: Table) -> Effect:
            now = self._now()
            if user_id == table.host_id or table.seat_of(user_id) is None or not table.is_open:
                return Effect(table)
            if await self._last_sign(table) + HOST_SILENT > now:
                return Effect(table)
            for user in _in_turn(table):
                if user == user_id or await self._last_acted(table, user) + HOST_SILENT > now:
                    return self._hosted(table, user)
            return self._hosted(table, user_id)

        return await self._transactions.change(table_id, decide, even_broken=True)

    def _hosted(self, table: Table, heir: int) -> Effect:
        now = self._now()
        self._signs.pop(table.id, None)
        return Effect(replace(table, host_id=heir, host_seen=now), [note(table, NoteKind.HOSTED, now, heir)])

    async def _last_sign(self, table: Table) -> int:
        """Return the Unix second of the last thing that the host is known to have done at a table."""
        seen = max(self._signs.get(table.id, 0), table.host_seen or table.created_at)
        return max(seen, await self._last_acted(table, table.host_id))

    async def _last_acted(self, table: Table, user_id: int) -> int:
        """Return the Unix second of the last action or decision of a member at a table, or of its opening.

        That they became host is not their decision.
        """
        rows = (row for row in reversed(await self._memory.log(table.id)) if row.actor == user_id)
        acted = next((row.at for row in rows if not _was_forced(table, row)), table.created_at)
        notes = (
            seen.at
            for seen in await self._memory.notes(table.id)
            if seen.actor_id == user_id and seen.kind is not NoteKind.HOSTED
        )
        return max((acted, *notes))


def _was_forced(table: Table, row: Logged) -> bool:
    """Return True for an action without a choice, which may have been played in a player's name (`Planning`)."""
    game = None if table.game is None or row.number > table.number else whole(table.game).earlier(row.number - 1)
    return game is not None and len(game.legal(row.seat)) == 1


def _in_turn(table: Table) -> list[int]:
    """Return the people who play at a table, in turn order, the one after the host first."""
    host = table.seat_of(table.host_id)
    first = 0 if host is None else table.seats.index(host) + 1
    order = (*table.seats[first:], *table.seats[:first])
    plays = (table.occupants[seat].plays for seat in order if seat in table.occupants)
    return [user for user in plays if user is not None and user in table.owners]
