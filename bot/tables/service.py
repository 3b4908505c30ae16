"""The tables service: every request about a table goes through here.

`Tables` consists of one service per subject; `bot.tables.transactions` makes every change, and what follows
from it is in `bot.tables.aftermath`.
"""

from __future__ import annotations

import random
import secrets
import sys
import time
from collections.abc import Callable, Collection
from contextlib import suppress

from bot.errors import NoSuchTable, NotAtTable, StorageError, WrongStatus
from bot.pools import Pools
from bot.shards import ALL, Shards
from bot.storage import Store
from bot.storage.rows import OverRow
from bot.table import Logged, Note, SeatTable, Status, Table
from bot.tables.absence import Absence
from bot.tables.aftermath import Aftermath
from bot.tables.arranging import Arranging
from bot.tables.cache import Freshness, ReadCache, one_by_one, own_shards
from bot.tables.codes import read_code
from bot.tables.courses import PublicCourse
from bot.tables.cup_games import CupGames
from bot.tables.deadlines import Deadlines
from bot.tables.finding import Finding
from bot.tables.finished.counting import Results
from bot.tables.finished.records import Records
from bot.tables.finished.reviewing import Reviews
from bot.tables.finished.seasons import Seasons
from bot.tables.friends import Friends
from bot.tables.hosts import Hosts
from bot.tables.learning.exercises import Puzzles
from bot.tables.learning.hints import Hints
from bot.tables.lobby import Lobby
from bot.tables.memory import Memory
from bot.tables.messages import Messages
from bot.tables.moderation import Moderation
from bot.tables.places import Places
from bot.tables.planning import Planning
from bot.tables.privacy import Privacy
from bot.tables.profiles import Profiles
from bot.tables.proposals import Proposals
from bot.tables.roster import Roster
from bot.tables.transactions import Listener, Transactions
from bot.tables.turns import Turns
from bot.tables.users import Users
from engine import EventKind, SeatGame
from engine.secret import whole

_NEVER = sys.maxsize

MOST_FINISHED = 25
"""The most finished games that a lookup returns: as many as Discord suggests."""


class Tables:
    """The tables of one store. Methods raise `TableError`s; see `bot.errors`.

    `clock` gives Unix seconds, `draw_secret` 32 fresh bytes for each table; `rng` is only used for their codes.
    `cache_games` is how many loaded tables are kept in memory, and `freshness` says whether they may be handed out
    without asking the store; by default this process has the store to itself. Slow computer players think in `pools`.
    `shards`: the guilds whose tables this process keeps going and shows.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float] = time.time,
        draw_secret: Callable[[], bytes] = lambda: secrets.token_bytes(32),
        rng: random.Random | None = None,
        cache_games: int = 256,
        freshness: Freshness | None = None,
        pools: Pools | None = None,
        shards: Shards = ALL,
    ) -> None:
        self._store = store
        freshness = freshness or own_shards(shards, store.locks.is_listening)
        self._memory = Memory(store, freshness, cache_games)
        self._profiles = Profiles(store, freshness)
        self._transactions = Transactions(store, self._memory, self._profiles, clock=clock, shards=shards)
        self._found = _Found(store, freshness)
        pools = pools or Pools()
        self.results, self.seasons = Results(self._transactions, pools), Seasons(self._transactions)
        self.aftermath = Aftermath(self._transactions, pools, self.results.write_down)
        self.lobby = Lobby(self._transactions, draw_secret, rng or random.SystemRandom())
        self.hosts = Hosts(self._transactions)
        self.deadlines = Deadlines(self._transactions, self.aftermath, self.lobby, self.hosts)
        self.arranging = Arranging(self._transactions)
        self.finding = Finding(self._transactions, self.lobby)
        self.cup_games = CupGames(self._transactions, pools, self.lobby)
        self.hints = Hints(self._transactions, pools)
        self.reviews, self.records = Reviews(self._transactions, pools), Records(self._transactions, pools)
        self.turns, self.proposals = Turns(self._transactions), Proposals(self._transactions)
        self.absence = Absence(self._transactions)
        self.friends = Friends(self._transactions)
        self.planning = Planning(self._transactions)
        self.messages = Messages(store, self._memory)
        self.places, self.moderation = Places(self._transactions), Moderation(self._transactions)
        self.roster = Roster(self._transactions)
        self.privacy = Privacy(self._transactions)
        self.users = Users(self._transactions, self.aftermath, self.deadlines)
        self.puzzles = Puzzles(store, clock)
        self._transactions.listeners += [
            self._found.note_change,  # which tables a code, a channel and a member lead to
            self.aftermath.note_change,  # computers move, and the table is shown
            self.deadlines.note_change,  # the clock that ends first
            self.roster.note_change,  # members whose names are remembered
        ]

    def now(self) -> int:
        """Return the time in Unix seconds."""
        return self._transactions.now()

    def serves(self, guild_id: int) -> bool:
        """Return True if this process serves a guild."""
        return self._transactions.serves(guild_id)

    def on_change(self, listener: Listener) -> None:
        """Have `listener` called after every change, once the service itself has noted it."""
        self._transactions.listeners.append(listener)

    async def check_ban(self, guild_id: int, user_id: int) -> None:
        """Raise `Banned` for a member who may not take part in games of this guild."""
        await self._profiles.check_ban(guild_id, user_id)

    # Reading

    async def get(self, table_id: int) -> Table:
        """Return the table as it is now. Raises `NoSuchTable`, `BrokenLog`."""
        return await self._memory.get(table_id)

    async def get_even_broken(self, table_id: int) -> Table:
        """Return the table; without its game if the log is broken, to be cancelled. Raises `NoSuchTable`."""
        return await self._transactions.get_even_broken(table_id)

    async def get_without_game(self, table_id: int) -> Table:
        """Return the table, without its game unless that is known already. Raises `NoSuchTable`."""
        return await self._memory.get_without_game(table_id)

    async def log(self, table_id: int) -> tuple[Logged, ...]:
        """Return the actions of a table, with who took each; also for one whose log is broken."""
        return await self._memory.log(table_id)

    async def notes(self, table_id: int) -> tuple[Note, ...]:
        """Return the notes of a table, oldest first."""
        return await self._memory.notes(table_id)

    def has_passed(self, table: Table) -> bool:
        """Return True if a newer state of this table is known."""
        return self._memory.has_passed(table)

    def mark_outdated(self, table_id: int | None = None) -> None:
        """Ask the store before this table (None: any) is handed out again: another process has changed it."""
        self._memory.mark_outdated(table_id)

    async def by_code(self, guild_id: int, code: str) -> Table:
        """Return the open game of a guild with this code, else its last finished one. Raises `NoSuchTable`."""
        read = read_code(code)
        ids = await self._found.codes.get((guild_id, read)) if read else ()
        if not ids:
            raise NoSuchTable(code)
        return await self.get(ids[0])

    async def in_channel(self, channel_id: int) -> tuple[Table, ...]:
        """Return the open tables of a channel, newest first."""
        return await self._transactions.several(await self._found.channels.get(channel_id))

    async def of_member(self, user_id: int) -> tuple[Table, ...]:
        """Return the open tables, in any guild, where this member owns or plays a seat, newest first."""
        tables = await self._transactions.several(await self._found.members.get(user_id))
        return tuple(table for table in tables if table.played_by(user_id) is not None)

    async def last_ended(self, channel_id: int) -> Table | None:
        """Return the game of this channel that ended last, or None."""
        table_id = await self._store.games.id_last_ended(channel_id)
        return None if table_id is None else await self.get(table_id)

    async def own_by_code(self, user_id: int, code: str) -> tuple[int, ...]:
        """Return the games with this code in which a person has a seat, of each server the newest: open, else over."""
        read = read_code(code)
        return await self._store.games.own_ids_by_code(user_id, read) if read else ()

    async def list_finished(self, guild_id: int | None, user_id: int, channel_id: int) -> tuple[OverRow, ...]:
        """Return games of a guild, or of all guilds, that were played to their end, the likeliest to be meant first.

        A person's own games come first, then those in this channel, then the newest.
        """
        rows = await self._store.games.find_finished(guild_id, user_id, channel_id, MOST_FINISHED)
        return tuple(sorted(rows, key=lambda row: (not row.mine, row.channel_id != channel_id)))

    def course(self, table: Table) -> PublicCourse:
        """Return the newest states of this snapshot's game, and what happened in them, as far as it is public."""
        return PublicCourse(self._memory.course(table))

    def seated(self, table: Table, user_id: int) -> SeatTable:
        """Return this snapshot as the owner of a seat, or the friend who plays it, may know it.

        Raises `NotAtTable`, `WrongStatus` in the lobby.
        """
        seat = table.played_by(user_id)
        if seat is None:
            raise NotAtTable(user_id)
        if table.game is None:
            raise WrongStatus(table.status, (Status.PLAYING,))
        return SeatTable(table, SeatGame(whole(table.game), seat))

    def seated_ahead(self, table: Table, user_id: int) -> SeatTable | None:
        """Return this snapshot as if it were the turn of the owner of a seat; None if there is nothing to plan.

        Raises as `seated` does.
        """
        seated = self.seated(table, user_id)
        waits = table.status is Status.PLAYING and seated.decision is None
        ahead = seated.game.if_asked() if waits and not table.is_live else None
        return None if ahead is None else SeatTable(table, ahead, ahead=True)

    def list_drawn(self, table: Table, user_id: int, since: int) -> tuple[str, ...]:
        """Return the cards that the person on a seat has drawn since action number `since`. Raises as `seated` does."""
        now = self.seated(table, user_id).game
        happened = (event for entry in self.course(table).entries(since + 1) for event in entry.events)
        if not any(event.kind is EventKind.DREW and event.seat == now.seat for event in happened):
            # Usually nothing has to be played again to know.
            return ()
        return now.cards_drawn_since(SeatGame(self._memory.course(table).at(since), now.seat))

    # Changing, and what follows

    async def follow_up(self, table_id: int) -> Table:
        """Start what follows on a table that was just made, or changed by another process, and return it."""
        return await self._transactions.follow_up(table_id)

    async def settled(self, table_id: int | None = None) -> None:
        """Wait until nothing is under way (for one table, or for all). Not to be called from within a delivery."""
        await self.aftermath.settled(table_id)

    async def touch_in_turn(self, table_ids: Collection[int]) -> None:
        """Drive many tables and have them delivered, a few at a time, the one with the earliest deadline first."""
        try:
            ends = await self._store.deadlines.first_ends()
        except StorageError:
            # Their order is unknown then; all of them still get their turn.
            ends = {}
        self.aftermath.touch_in_turn(table_ids, lambda table_id: (ends.get(table_id, _NEVER), table_id))

    async def wake(self) -> None:
        """Start the clock, and drive and announce the tables that need it, a few at a time in the background.

        Called when the program starts; the most urgent tables come first. A table whose channel shows its newest state
        needs nothing and is not loaded. The clock is started in any case; a failure is raised afterwards.
        """
        try:
            paused = await self.deadlines.skip_downtime()
            behind = await self._store.messages.ids_to_wake()
            await self.deadlines.begin_untold(behind)
            await self.touch_in_turn(behind)
            await self.deadlines.clock_jumped(self._transactions.now())
        finally:
            self.deadlines.start()
        await self.deadlines.tell_downtime(paused)
        await self.touch_in_turn(paused)

    async def close(self, seconds: float = 2.0) -> None:
        """Let what is under way finish, posts within these seconds, and begin nothing; commits are completed."""
        await self.deadlines.close()
        with suppress(StorageError):
            await self.hosts.keep(at_once=True)
        await self.aftermath.close(seconds)
        await self.messages.close()


class _Found:
    """Index of tables by code, channel and member, cached since nearly every command asks."""

    def __init__(self, store: Store, freshness: Freshness) -> None:
        async def of_code(place: tuple[int, str]) -> tuple[int, ...]:
            game_id = await store.games.id_by_code(*place)
            return () if game_id is None else (game_id,)

        def of_all(_: object) -> bool:
            return freshness(None)

        self.codes = ReadCache(one_by_one(of_code), of_all)
        self.channels = ReadCache(one_by_one(store.games.ids_in_channel), of_all)
        self.members = ReadCache(one_by_one(store.games.ids_of_member), of_all)

    def note_change(self, before: Table | None, after: Table, *_: object) -> None:
        """Forget what a change has made wrong."""
        old = (None, False, frozenset()) if before is None else (before.channel_id, before.is_open, before.named)
        if old == (after.channel_id, after.is_open, after.named):
            return
        for table in (before, after):
            if table is not None:
                self.codes.forget((table.guild_id, table.code))
                self.channels.forget(table.channel_id)
                for user_id in table.named:
                    self.members.forget(user_id)
