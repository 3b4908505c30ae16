"""Shared by the tests of the tables service: a clock that stands still, and ways to play on."""

import errno
import random
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from bot.calls import find_to_call
from bot.errors import BotError
from bot.message import About, Message
from bot.occupants import Person
from bot.results import Result
from bot.shards import ALL, Shards
from bot.storage import Store
from bot.storage.connection import make_engine
from bot.storage.rows import ActionRow
from bot.table import Actor, Automatic, Status, Table, Terms
from bot.tables.cache import own_shards
from bot.tables.computers import auto_seats
from bot.tables.effects import Effect, News, NewsKind, need_game
from bot.tables.finished.rating import rate
from bot.tables.service import Tables
from engine import Action, Game, Phase, PublicGame, View
from engine.players import choose
from engine.secret import whole
from tests.bot.people import BY_ID, CHANNEL, DAILY, EVE, FOUR, GUILD, SEED

THREE = ("classic", "family", "royal")
"""Systems that differ in all that is stored: ranks, who asks for help, who draws."""


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    now: float = 1_000_000.5

    def __call__(self) -> float:
        return self.now


@dataclass
class Programs:
    """A database file and the programs that run on it; `restart` starts a new one."""

    path: Path
    url: str = ""
    """The address of a database elsewhere; otherwise it is a file at `path`."""
    clock: Clock = field(default_factory=Clock)
    opened: list[tuple[Store, Tables]] = field(default_factory=list)
    most: int = 9
    """The most programs at once: 1 where SQLite works on the loop, which two would stop by waiting for each other."""

    async def run(
        self, seed: bytes = SEED, cache_games: int = 256, shards: Shards = ALL, *, announced: bool = False
    ) -> Tables:
        """Start one more program on the same database, serving these shards.

        `announced`: it relies on what others announce, as the bot does on a shared database.
        """
        assert len(self.opened) < self.most
        store = Store(self.address, shards)
        await store.open()
        tables = Tables(
            store,
            clock=self.clock,
            draw_secret=lambda: seed,
            rng=random.Random(1),
            cache_games=cache_games,
            # What a program remembers is current as long as no other program runs on its file.
            freshness=own_shards(shards, store.locks.is_listening) if announced else lambda _: len(self.opened) < 2,
            shards=shards,
        )
        self.opened.append((store, tables))
        return tables

    @property
    def address(self) -> str:
        """The address of the database."""
        return self.url or f"sqlite+aiosqlite:///{self.path.as_posix()}"

    async def by_hand(self, words: str) -> None:
        """Run a statement on the database, bypassing every program."""
        engine = make_engine(self.address)
        async with engine.execution_options(writes=True).begin() as connection:
            await connection.exec_driver_sql(words)
        await engine.dispose()

    async def stop(self) -> None:
        """Shut every program down cleanly."""
        for store, tables in self.opened:
            await tables.close()
            await store.close()
        self.opened.clear()

    async def restart(self, seed: bytes = SEED) -> Tables:
        """Shut every program down, then start a new one."""
        await self.stop()
        return await self.run(seed)


def no_locks(*_: object) -> None:
    """Fail as locking a file does on a network drive that knows no locks."""
    raise OSError(errno.ENOLCK, "No locks available")


def no_memory(*_: object, **__: object) -> sqlite3.Connection:
    """Fail as SQLite does on a network drive that shares no memory between programs."""
    problem = sqlite3.OperationalError("disk I/O error")
    problem.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMMAP
    raise problem


def hold(database: Path) -> subprocess.Popen[bytes]:
    """Another process that runs on this file, as far as ours can tell, until it is killed or its input ends."""
    words = (
        "import fcntl, os, sys; lock = open(sys.argv[1], 'w'); fcntl.lockf(lock, fcntl.LOCK_EX)\n"
        "lock.write(str(os.getpid())); lock.flush(); print('held', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", words, f"{database}.lock"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert other.stdout.readline() == b"held\n"
    return other


async def lobby(
    tables: Tables, *people: Person, computers: int = 0, terms: Terms | None = None, guild: int = GUILD
) -> Table:
    """A table in the lobby: these people, the first of them the host, and then computers."""
    host = people[0]
    table = await tables.lobby.open(host, guild, CHANNEL, terms)
    for person in people[1:]:
        table = await tables.lobby.join(table.id, person)
    for _ in range(computers):
        table = await tables.lobby.add_computer(table.id, host)
    return table


async def started(tables: Tables, *people: Person, **more: Any) -> Table:
    """A game that has just begun, with nothing left for computers to do; `more` as for a lobby."""
    table = await lobby(tables, *people, **more)
    await tables.lobby.start(table.id, people[0])
    return await rest(tables, table.id)


async def rest(tables: Tables, table_id: int) -> Table:
    """The table once all background work is done."""
    await tables.settled(table_id)
    return await tables.get(table_id)


async def play_on(tables: Tables, table_id: int, dice: random.Random, actions: int | None = None) -> Table:
    """Let the people at the table act this many times, or until the game is over.

    They choose as a computer player would, and now and then at random. Of a game that is played to its end, only what
    follows from a person's last action is played by the service; what comes before is written at once.
    """
    table = await rest(tables, table_id)
    if actions is None:
        now = tables._transactions.now()
        table = await tables._transactions.change(
            table_id, lambda before: _nearly_over(before, dice, now), follow=False
        )
    while table.status is Status.PLAYING and (actions is None or actions > 0):
        seat, user_id = next(iter(table.waiting_for.items()))
        action = _chosen(whole(table.game), seat, dice)
        await tables.turns.act(table_id, user_id, table.decision(seat), action)
        table = await rest(tables, table_id)
        actions = None if actions is None else actions - 1
    return table


def _chosen(game: Game, seat: int, dice: random.Random) -> Action:
    return choose(dice.choice(["random", *["heuristic"] * 4]), game, seat, dice)


_known: dict[tuple[object, ...], tuple[list[Action], Any]] = {}
"""What is chosen in whole games: many tests play the same one, and choosing takes most of the time."""


def _nearly_over(before: Table, dice: random.Random, now: int) -> Effect:
    """A game in which all that is left to do is somebody's last action and what computers and rules do afterwards."""
    table, played_so_far, last = before, list[tuple[Table, ActionRow]](), 0
    begun = need_game(before)
    key = (begun.system.id, begun.seed, begun.options, begun.log, tuple(before.owners.items()), dice.getstate())
    chosen, state = _known.get(key, ([], None))
    while (game := need_game(table)).phase is not Phase.END:
        if (auto := next(auto_seats(game, table.occupants), None)) is not None:
            seat = auto.seat
            actor: Actor = Automatic.RULE if auto.level is None else Automatic.COMPUTER
        else:
            seat, actor = next(iter(table.waiting_for.items()))
            last = len(played_so_far)
        if state is None:
            chosen.append(game.legal(seat)[0] if actor is Automatic.RULE else _chosen(game, seat, dice))
        action = chosen[len(played_so_far)]
        after = game.play(seat, action)
        table = replace(table, game=PublicGame(after))
        played_so_far.append((table, ActionRow(after.number, seat, str(action), actor, now)))
    _known[key] = chosen, dice.getstate() if state is None else state
    dice.setstate(_known[key][1])
    kept = played_so_far[:last]
    if not kept:
        return Effect(before)
    games = [need_game(table) for table, _ in kept]
    return Effect(kept[-1][0], actions=[row for _, row in kept], games=games)


def views(table: Table) -> Mapping[int | None, View]:
    """What everybody sees: each seat, and spectators under None."""
    return {seat: whole(table.game).view(seat) for seat in (*table.seats, None)}


async def later(tables: Tables, clock: Clock, seconds: float) -> None:
    """Let this much time pass, and do everything that falls due by then."""
    clock.now += seconds
    await tables.deadlines.catch_up()
    await tables.settled()


def waited(table: Table) -> tuple[int, int]:
    """One seat that the game is waiting for, and its member."""
    return next(iter(table.waiting_for.items()))


async def act(tables: Tables, table: Table) -> Table:
    """Somebody the game is waiting for takes their first legal action; the table right after it."""
    seat, user_id = waited(table)
    return await tables.turns.act(table.id, user_id, table.decision(seat), whole(table.game).legal(seat)[0])


async def kinds(tables: Tables, table_id: int) -> list[str]:
    """The kinds of the table's notes, in order."""
    return [note.kind for note in await tables.notes(table_id)]


async def after_exchange(tables: Tables, table_id: int) -> Table:
    """The table after the exchange, on a person's turn: everybody gives their first card."""
    table = await rest(tables, table_id)
    while table.game is not None and table.game.phase in (Phase.EXCHANGE, Phase.ANSWER):
        await act(tables, table)
        table = await rest(tables, table_id)
    return table


def kind_of(error: object) -> Enum | None:
    """Return the value that says which problem an error is about; None if it has none, or there is no error."""
    return getattr(error, "kind", None)


def raises(kind: Any, match: str | None = None) -> Any:
    """Expect an error like this: of a class, about a problem (a value of its kind), or of any of several."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    classes = tuple(BotError if isinstance(one, Enum) else one for one in kinds)
    return pytest.raises(
        classes,
        match=match,
        check=lambda error: any(
            kind_of(error) is one if isinstance(one, Enum) else isinstance(error, one) for one in kinds
        ),
    )


async def refused(kind: Any, *attempts: Awaitable[object], match: str | None = None) -> Any:
    """See each of these attempts refused like this (see `raises`); returns the last refusal."""
    for attempt in attempts:
        with raises(kind, match) as caught:
            await attempt
    return caught.value


class Ear:
    """Stands in for delivery: records which tables `changed`, and (`heard`) what deadlines brought."""

    def __init__(self, tables: Tables) -> None:
        self.changed: list[int] = []
        self.heard: list[tuple[int, tuple[News, ...]]] = []
        tables.aftermath.deliver = self.deliver

    async def deliver(self, table_id: int, changed: bool, news: tuple[News, ...]) -> None:
        if changed:
            self.changed.append(table_id)
        if news:
            self.heard.append((table_id, news))

    def kinds(self) -> list[NewsKind]:
        found = [one.kind for _, news in self.heard for one in news]
        self.heard.clear()
        return found


async def turn(tables: Tables, **terms: str) -> Table:
    """A game of four people, on the turn of one of them."""
    table = await started(tables, *FOUR, terms=replace(Terms(), **terms))  # type: ignore[arg-type]
    return await after_exchange(tables, table.id)


async def shown_as(tables: Tables, table: Table, message_id: int) -> None:
    """Note that the table's newest state is shown by this message in its channel, which calls whoever is asked."""
    called = {seat: str(decision) for seat, decision in table.decisions(find_to_call(table)).items()}
    board = Message(
        f"nonce {message_id}", About.BOARD, table.channel_id, message_id, 0, "", called, table.version, table.to_tell
    )
    await tables.messages.add(table.id, board)


def others(table: Table) -> Person:
    """Somebody at the table the game is not waiting for."""
    return next(BY_ID[user_id] for user_id in table.owners if user_id not in table.waiting_for.values())


async def overdue(tables: Tables, programs: Programs) -> tuple[Table, int, int]:
    """A game, with the seat and the member whose time is up."""
    table = await turn(tables)
    seat, user_id = waited(table)
    await later(tables, programs.clock, DAILY)
    return await tables.get(table.id), seat, user_id


async def gone(tables: Tables, programs: Programs, table: Table, person: Person) -> Table:
    """The table once this player, or friend who plays, has missed three turns, while all others act."""
    seat = table.played_by(person.id)
    assert seat is not None
    for _ in range(400):
        table = await rest(tables, table.id)
        if table.occupants[seat].computer is not None:
            return table
        waiting = [one for one in table.waiting_for.items() if one[1] != person.id]
        if waiting:
            await tables.turns.act(table.id, waiting[0][1], None, whole(table.game).legal(waiting[0][0])[0])
        else:
            await later(tables, programs.clock, DAILY * 1.1)
    raise AssertionError("the seat is never a computer's")


async def stored_in(tables: Tables, table_id: int) -> list[tuple[int, str]]:
    """The log of a game as it is stored."""
    return [(row.seat, row.text) for row in await tables._store.games.actions(table_id)]


def result(game_id: int, at: int, *teams: tuple[int, ...], **more: Any) -> list[Result]:
    """A rated game that the first team has won."""
    return [
        Result(
            game_id, 2 * number + index, GUILD, user, "classic", sum(map(len, teams)), at,
            rated=True, people=True, team=number, won=not number, left_early=False, rounds=9,
            captures=1, suffered=1, home=2, seven=2, time_to_move=60, feats=(),
        )
        for number, team in enumerate(teams)
        for index, user in enumerate(team)
    ]  # fmt: skip


async def games(tables: Tables, results: list[list[Result]]) -> None:
    """Write finished games that nobody played, with these results."""
    for one in results:
        table = await lobby(tables, EVE)
        await tables.turns.cancel(table.id, EVE)
        assert table.id == one[0].game_id
    for one in results:
        await tables._store.results.record(one, rate)
