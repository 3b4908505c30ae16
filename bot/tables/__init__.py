"""The tables service: everything that people do to a table goes through here.

`Tables` consists of one service per subject; how any change is made is in `bot.tables.transactions`, and what follows
from it in `bot.tables.aftermath`.
"""

from __future__ import annotations

import random
import secrets
import sys
import time
from collections.abc import Callable, Collection

from bot.errors import NotAtTable, StorageError, WrongStatus
from bot.pools import Pools
from bot.shards import ALL, Shards
from bot.storage import Store
from bot.table import SeatTable, Status, Table
from bot.tables.absence import Absence
from bot.tables.aftermath import Aftermath
from bot.tables.chosen import Chosen
from bot.tables.consent import Consent
from bot.tables.deadlines import Deadlines
from bot.tables.effects import Due, DueKind
from bot.tables.finding import Finding
from bot.tables.hints import Hints
from bot.tables.lobby import Lobby
from bot.tables.memory import Freshness, Memory, PublicCourse, shared_database, sole_process
from bot.tables.messages import Messages
from bot.tables.moderation import Moderation
from bot.tables.people import People
from bot.tables.places import Places
from bot.tables.reviewing import Reviews
from bot.tables.transactions import Transactions
from bot.tables.turns import Turns
from engine import SeatGame
from engine.secret import whole

__all__ = ["Due", "DueKind", "Tables"]

_NEVER = sys.maxsize


class Tables:
    """The tables of one store. Methods raise `TableError`s; see `bot.errors`.

    `clock` gives Unix seconds, `seeds` a fresh 32-byte seed for each game; `rng` is only used for the codes of games.
    `cache_games` is how many loaded tables are kept in memory, and `freshness` says whether they may be handed out
    without asking the store; by default this process has the store to itself. Slow computer players think in `pools`.
    `shards`: the guilds whose tables this process keeps going and shows.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float] = time.time,
        seeds: Callable[[], bytes] = lambda: secrets.token_bytes(32),
        rng: random.Random | None = None,
        cache_games: int = 256,
        freshness: Freshness | None = None,
        pools: Pools | None = None,
        shards: Shards = ALL,
    ) -> None:
        self._store = store
        freshness = freshness or (shared_database if store.shared else sole_process)
        chosen = Chosen(store, freshness)
        self._memory = Memory(store, freshness, cache_games)
        self._transactions = Transactions(store, self._memory, chosen, clock=clock, shards=shards)
        finding = Finding(self._transactions, store, freshness)
        # What any table may be asked is answered where it is known.
        self.by_code, self.last_ended, self.over = finding.by_code, finding.last_ended, finding.over
        self.in_channel, self.of_member = finding.in_channel, finding.of_member
        self.get, self.get_unplayable = self._transactions.get, self._transactions.get_unplayable
        self.get_without_game = self._transactions.get_without_game
        self.changed_elsewhere = self._transactions.changed_elsewhere
        self.log, self.notes = self._memory.log, self._memory.notes
        self.has_passed, self.outdated = self._memory.has_passed, self._memory.outdated
        pools = pools or Pools()
        self._aftermath = Aftermath(self._transactions, pools)
        self.touch, self.drive = self._aftermath.touch, self._aftermath.drive
        self.deliver_with, self.settled = self._aftermath.deliver_with, self._aftermath.settled
        self.deadlines = Deadlines(self._transactions, self._aftermath, store, chosen, clock)
        self.lobby = Lobby(self._transactions, store, chosen, seeds, rng or random.SystemRandom())
        self.hints = Hints(self._transactions, pools)
        self.reviews = Reviews(self._transactions, self._memory, pools)
        self.turns = Turns(self._transactions)
        self.absence = Absence(self._transactions, self._memory, chosen)
        self.messages = Messages(store, self._memory)
        self.consent = Consent(self._transactions, self._memory)
        self.places = Places(self._transactions, store, chosen)
        self.people = People(self._transactions, self._aftermath, self.deadlines, store, chosen)
        self.moderation = Moderation(self._transactions, store, chosen)

    def course(self, table: Table) -> PublicCourse:
        """The newest states of this snapshot's game, and what happened in them, as everybody may know it."""
        return PublicCourse(self._memory.course(table))

    def seated(self, table: Table, user_id: int) -> SeatTable:
        """This snapshot as the person who owns a seat may know it. Raises `NotAtTable`, `WrongStatus` in the lobby."""
        seat = table.seat_of(user_id)
        if seat is None:
            raise NotAtTable(user_id).at(table.code)
        if table.game is None:
            raise WrongStatus(table.status, (Status.PLAYING,)).at(table.code)
        return SeatTable(table, SeatGame(whole(table.game), seat))

    async def touch_in_turn(self, table_ids: Collection[int]) -> None:
        """Drive many tables and have them delivered, a few at a time, beginning where somebody has least time left."""
        try:
            ends = await self._store.deadlines.ends()
        except StorageError:
            # In that case nobody knows whose time is short; all of them still get their turn.
            ends = {}
        self._aftermath.touch_in_turn(sorted(table_ids, key=lambda table_id: (ends.get(table_id, _NEVER), table_id)))

    async def wake(self) -> None:
        """Start the clock, and drive and announce the tables that need it, a few at a time in the background.

        Called when the program starts; the most urgent tables come first. A table whose channel shows its newest state
        needs nothing and is not loaded. The clock is started in any case; a failure is raised afterwards.
        """
        try:
            behind = await self._store.messages.ids_to_wake()
            await self.deadlines.begin_untold(behind)
            await self.touch_in_turn(behind)
            await self.deadlines.clock_jumped(self._transactions.now())
        finally:
            self.deadlines.start()

    async def close(self, seconds: float = 2.0) -> None:
        """Let whatever is under way finish, and begin nothing new; every commit that was begun is completed.

        Posts and computations that take longer than this are cancelled.
        """
        await self.deadlines.close()
        await self._aftermath.close(seconds)
        await self.messages.close()
