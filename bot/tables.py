"""The tables service: everything that people do to a table goes through here.

A change takes the table's lock, looks at the table as it is now, decides what it becomes, commits that in one
transaction and returns it. What follows from it (computers move, the channel shows it) happens afterwards in the
background, so that a click is answered at once.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from weakref import WeakValueDictionary

from bot import seats
from bot.codes import draw_code, read_code
from bot.driver import next_move
from bot.errors import BadTerms, BrokenLog, ComputerPlays, NoSuchTable, Outrun, SeatsFree, StaleBoard
from bot.loading import Loader
from bot.settling import Settler
from bot.steps import Step, cancelled, check_terms, columns, need, need_game, need_host, played, rows, without, write
from bot.storage import NoteRow, Store
from bot.table import LEVELS, OPEN, Logged, Note, NoteKind, Person, Status, Table, Terms
from engine import Action, Game, board_for

log = logging.getLogger(__name__)

Callback = Callable[[int], Awaitable[None]]

TRIES = 5
"""How often a change is decided anew when another process was faster."""


class Tables:
    """The tables of one store.

    `clock` gives Unix seconds, `seeds` a fresh 32-byte seed for each game, `rng` only the codes of games;
    `cache_games` is how many loaded games are kept in memory. Methods raise `TableError`s; see `bot.errors`.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float] = time.time,
        seeds: Callable[[], bytes] = lambda: secrets.token_bytes(32),
        rng: random.Random | None = None,
        cache_games: int = 256,
    ) -> None:
        self._store = store
        self._clock = clock
        self._seeds = seeds
        self._rng = rng or random.SystemRandom()
        self._loader = Loader(store, cache_games)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._driving: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._callbacks: list[Callback] = []
        self._settler = Settler(self._settle)

    # Looking

    async def get(self, table_id: int) -> Table:
        """The table as it is now. Raises `NoSuchTable`, `BrokenLog`."""
        return await self._loader.load(table_id)

    async def by_code(self, guild_id: int, code: str) -> Table:
        """The open game of a guild with this code, typed in any way, else its last finished one.

        Raises `NoSuchTable`.
        """
        read = read_code(code)
        table_id = await self._store.id_by_code(guild_id, read) if read else None
        if table_id is None:
            raise NoSuchTable(code)
        return await self.get(table_id)

    async def in_channel(self, channel_id: int) -> tuple[Table, ...]:
        """The open tables of a channel, newest first."""
        return await self._several(await self._store.ids_in_channel(channel_id))

    async def of_member(self, user_id: int) -> tuple[Table, ...]:
        """The open tables, in any guild, at which this member owns a seat, newest first."""
        return await self._several(await self._store.ids_of_member(user_id))

    async def last_ended(self, channel_id: int) -> Table | None:
        """The game of this channel that ended last, or None."""
        table_id = await self._store.id_last_ended(channel_id)
        return None if table_id is None else await self.get(table_id)

    async def open_tables(self) -> tuple[int, ...]:
        """The ids of all open tables, oldest first."""
        return await self._store.open_ids()

    async def log(self, table_id: int) -> tuple[Logged, ...]:
        """The action log with who did what. Gifts in it are secret: not for people before the game is over."""
        actions = await self._store.actions(table_id)
        return tuple(Logged(one.number, one.seat, one.text, one.actor, one.at) for one in actions)

    async def notes(self, table_id: int) -> tuple[Note, ...]:
        """What else happened at the table, oldest first."""
        notes = await self._store.notes(table_id)
        return tuple(Note(one.kind, one.at, one.number, one.actor_id, one.seat, one.data) for one in notes)

    # The lobby

    async def open_lobby(self, person: Person, guild_id: int, channel_id: int, terms: Terms | None = None) -> Table:
        """Open a table in the lobby; `person` is its host and sits on the first seat. Raises `BadTerms`."""
        terms = terms or Terms()
        check_terms(terms)
        now = self._now()
        places = board_for(terms.system, terms.players).seats
        people = seats.join({}, places, person)
        for attempt in range(TRIES):
            code = draw_code(await self._store.open_codes(guild_id), self._rng)
            try:
                async with self._store.create(
                    code=code,
                    guild_id=guild_id,
                    channel_id=channel_id,
                    host_id=person.id,
                    status=Status.LOBBY,
                    created_at=now,
                    changed_at=now,
                    **columns(terms),
                ) as change:
                    await change.seat(rows(people))
                    await change.note(NoteRow(0, NoteKind.OPENED, now, person.id, None, {}))
            except Outrun:
                if attempt == TRIES - 1:
                    raise
                continue
            break
        self._settler.touch(change.game_id)
        return await self.get(change.game_id)

    async def configure(self, table_id: int, person: Person, terms: Terms) -> Table:
        """Change what is agreed on; people keep their seats where the new ones allow it.

        Raises `WrongStatus`, `NotHost`, `BadTerms`, `TableFull`.
        """
        check_terms(terms)

        def decide(table: Table) -> Step:
            need(table, Status.LOBBY)
            need_host(table, person)
            places = board_for(terms.system, terms.players).seats
            return Step(replace(table, terms=terms, seats=places, people=seats.reseat(table.people, places)))

        return await self._change(table_id, decide)

    async def join(self, table_id: int, person: Person, seat: int | None = None) -> Table:
        """Seat a person: on `seat`, or on the first free one, or else in place of a computer.

        Raises `WrongStatus`, `AlreadySeated`, `NoSuchSeat`, `SeatTaken`, `TableFull`.
        """
        return await self._reseat(table_id, lambda table: seats.join(table.people, table.seats, person, seat))

    async def leave(self, table_id: int, person: Person) -> Table:
        """Leave the lobby. The next person becomes the host; without persons the table is cancelled.

        Raises `WrongStatus`, `NotAtTable`.
        """

        def decide(table: Table) -> Step:
            need(table, Status.LOBBY)
            return without(table, seats.leave(table.people, person.id), person, self._now())

        return await self._change(table_id, decide)

    async def move_seat(self, table_id: int, person: Person, seat: int) -> Table:
        """Move to a free seat, or change places with a computer.

        Raises `WrongStatus`, `NotAtTable`, `NoSuchSeat`, `SeatTaken`.
        """
        return await self._reseat(table_id, lambda table: seats.move(table.people, table.seats, person.id, seat))

    async def add_computer(
        self, table_id: int, person: Person, seat: int | None = None, level: str = LEVELS[0]
    ) -> Table:
        """Seat a computer player on `seat` or on the first free one; anyone at the table may.

        Raises `WrongStatus`, `NotAtTable`, `NoSuchSeat`, `SeatTaken`, `TableFull`, `BadTerms` for an unknown level.
        """
        if level not in LEVELS:
            raise BadTerms("level", level, LEVELS)

        def add(table: Table) -> seats.Seating:
            seats.seat_of(table.people, person.id)
            return seats.add_computer(table.people, table.seats, level, seat)

        return await self._reseat(table_id, add)

    async def remove_computer(self, table_id: int, person: Person, seat: int | None = None) -> Table:
        """Free the seat of a computer player (the last one's by default); anyone at the table may.

        Raises `WrongStatus`, `NotAtTable`, `NoSuchSeat`, `NoComputerThere`.
        """

        def remove(table: Table) -> seats.Seating:
            seats.seat_of(table.people, person.id)
            return seats.remove_computer(table.people, table.seats, seat)

        return await self._reseat(table_id, remove)

    async def start(self, table_id: int, person: Person) -> Table:
        """Draw the seed and deal. Raises `WrongStatus`, `NotHost`, `SeatsFree`."""

        def decide(table: Table) -> Step:
            need(table, Status.LOBBY)
            need_host(table, person)
            if table.free:
                raise SeatsFree(table.free)
            game = Game.new(table.system, table.players, self._seeds(), table.options)
            now = self._now()
            after = replace(table, status=Status.PLAYING, game=game, started_at=now)
            return Step(after, [NoteRow(0, NoteKind.STARTED, now, person.id, None, {})])

        return await self._change(table_id, decide)

    # Playing

    async def act(self, table_id: int, user_id: int, decision: int | None, action: Action | str) -> Table:
        """Play an action for the member's seat; it is committed when this returns.

        `decision` is the one the member was looking at, None for whatever is current. Raises `WrongStatus`,
        `NotAtTable`, `ComputerPlays`, `StaleBoard`, and what the engine refuses.
        """

        def decide(table: Table) -> Step:
            game = need_game(table)
            seat = seats.seat_of(table.people, user_id)
            if table.people[seat].plays is None:
                raise ComputerPlays(seat)
            current = game.decision(seat)
            if decision is not None and decision != current:
                raise StaleBoard(decision, current)
            chosen = Action.parse(action) if isinstance(action, str) else action
            return played(table, game.play(seat, chosen), seat, chosen, str(user_id), self._now())

        return await self._change(table_id, decide)

    async def resign(self, table_id: int, person: Person) -> Table:
        """Give up the seat for good; a computer plays on. Without persons the game is cancelled.

        Raises `WrongStatus`, `NotAtTable`.
        """

        def decide(table: Table) -> Step:
            need(table, Status.PLAYING, Status.PAUSED)
            people, seat = seats.hand_to_computer(table.people, person.id, LEVELS[0])
            left = NoteRow(table.number, NoteKind.RESIGNED, self._now(), person.id, seat, {"name": person.name})
            step = without(table, people, person, self._now())
            return replace(step, notes=[left, *step.notes])

        return await self._change(table_id, decide)

    async def cancel(self, table_id: int, person: Person) -> Table:
        """End a table without a winner; for its host and for moderators. Raises `WrongStatus`, `NotHost`."""

        def decide(table: Table) -> Step:
            need(table, *OPEN)
            if not person.moderator:
                need_host(table, person)
            return cancelled(table, person, self._now())

        return await self._change(table_id, decide, allow_broken=True)

    async def drive(self, table_id: int) -> Table:
        """Play what needs no person until a person must act; safe at any time. Returns the table at rest.

        Thinking happens in a worker thread without the lock; a move is thrown away if the table has changed
        meanwhile. This runs by itself after every change.
        """
        async with _lock(self._driving, table_id):
            while True:
                table = await self.get(table_id)
                if table.status is not Status.PLAYING or table.game is None or self._settler.closed:
                    return table
                move = await asyncio.to_thread(next_move, table.game, table.people)
                if move is None:
                    return table
                step = played(table, move.after, move.seat, move.action, move.actor, self._now())
                try:
                    async with _lock(self._locks, table_id):
                        await self._commit(table, step)
                except Outrun:
                    continue

    # The announcer

    def on_change(self, callback: Callback) -> None:
        """Have `callback(table_id)` awaited after every change, once the computers have moved.

        Never twice at the same time for one table; changes meanwhile lead to one more call. What it raises is logged.
        """
        self._callbacks.append(callback)

    def touch(self, table_id: int) -> None:
        """Drive a table and call back, as after a change."""
        self._settler.touch(table_id)

    async def wake(self) -> None:
        """Drive and announce every open table, a few at a time in the background; for the start of the program."""
        self._settler.touch_in_turn(await self.open_tables())

    async def settled(self, table_id: int | None = None) -> None:
        """Wait until nothing is under way in the background (for one table, or for all)."""
        await self._settler.settled(table_id)

    async def close(self) -> None:
        """Let what is under way finish and begin nothing new; every commit that was begun is completed."""
        await self._settler.close()

    async def remember_board(self, table_id: int, channel_id: int, message_id: int, version: int, number: int) -> None:
        """Remember the message that shows the table, and the `Table.version` and action number it shows."""
        await self._store.set_quietly(
            table_id,
            board_channel_id=channel_id,
            board_message_id=message_id,
            shown_version=version,
            shown_number=number,
        )

    async def forget_board(self, table_id: int) -> None:
        """Forget the message that shows the table: it is gone."""
        await self._store.set_quietly(
            table_id, board_channel_id=None, board_message_id=None, shown_version=None, shown_number=None
        )

    # Inside

    def _now(self) -> int:
        return int(self._clock())

    async def _several(self, ids: Sequence[int]) -> tuple[Table, ...]:
        tables = []
        for table_id in ids:
            try:
                tables.append(await self.get(table_id))
            except BrokenLog as problem:
                log.error("%s", problem)
        return tuple(tables)

    async def _change(self, table_id: int, decide: Callable[[Table], Step], *, allow_broken: bool = False) -> Table:
        """Decide under the lock what a table becomes, commit it, and see to what follows."""
        for attempt in range(TRIES):
            async with _lock(self._locks, table_id):
                try:
                    before = await self.get(table_id)
                except BrokenLog:
                    if not allow_broken:
                        raise
                    before = await self._loader.load_unplayed(table_id)
                # The engine may need some milliseconds; the event loop has others to serve.
                step = await asyncio.to_thread(decide, before)
                if step.after is before:
                    return before
                try:
                    after = await self._commit(before, step)
                except Outrun:
                    if attempt == TRIES - 1:
                        raise
                    continue
            self._settler.touch(table_id)
            return after
        raise AssertionError("the last try returns or raises")

    async def _reseat(self, table_id: int, seating: Callable[[Table], seats.Seating]) -> Table:
        def decide(table: Table) -> Step:
            need(table, Status.LOBBY)
            people = seating(table)
            return Step(table if people is table.people else replace(table, people=people))

        return await self._change(table_id, decide)

    async def _commit(self, before: Table, step: Step) -> Table:
        """Write what differs between two snapshots, all or nothing. Raises `Outrun` if the store has moved on."""
        after = replace(step.after, version=before.version + 1, changed_at=self._now())
        async with self._store.change(before.id, before.version, after.changed_at) as change:
            await write(change, before, step)
        self._loader.remember(after.id, after.version, after.game)
        return after

    async def _settle(self, table_id: int) -> None:
        try:
            await self.drive(table_id)
        except Exception:
            log.exception("driving table %s failed", table_id)
        for callback in self._callbacks:
            try:
                await callback(table_id)
            except Exception:
                log.exception("announcing table %s failed", table_id)


def _lock(locks: WeakValueDictionary[int, asyncio.Lock], table_id: int) -> asyncio.Lock:
    """The table's lock, which lives as long as somebody holds it or waits for it."""
    found = locks.get(table_id)
    if found is None:
        found = locks[table_id] = asyncio.Lock()
    return found
