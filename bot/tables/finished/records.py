"""The record of a game that is over, as text, and checks of what is stored of a game.

A record holds what is hidden while a game is played, above all its secret: it is handed out only when the game cannot
be played on.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.errors import BrokenLog, NoSuchMove, NotPossible, Problem, WrongStatus
from bot.occupants import USUAL, Level, Occupant
from bot.pools import Pools
from bot.storage import Store
from bot.table import Note, NoteKind, Status, Table, Terms
from bot.tables.courses import replay
from bot.tables.transactions import Service, Transactions
from engine import Options, RecordError
from engine.record import Record, Sitter, Takeover, read
from engine.rules.origins import write_origin
from engine.secret import whole

MOST = 10
"""The most differences that are told."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking a game: differences, at most `MOST`, and the extent of the check.

    `shuffles`, `cards`: how many shuffles there were, and how many cards were dealt or drawn.
    """

    differences: tuple[str, ...]
    shuffles: int
    cards: int


MOST_UPLOADED = 256 << 10
"""The most bytes of a record that a person sends: several times those of a long game, checked within seconds."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """The position of a game from which another one can begin: by seat, the computers that played there."""

    system: str
    players: int
    options: Options
    origin: str
    computers: Mapping[int, Occupant]

    def terms(self, usual: Terms) -> Terms:
        """Return these terms for a game that begins there."""
        game = replace(usual, system=self.system, players=self.players, options=self.options)
        return replace(game, origin=self.origin, rated=False)


class Records(Service):
    """The records of games, written and checked where films are made: a long game takes a moment."""

    def __init__(self, transactions: Transactions, pools: Pools) -> None:
        super().__init__(transactions)
        self._pools = pools

    async def text(self, table_id: int) -> str:
        """Return the record as a file. Raises `NOT_OVER`, `WrongStatus` for a game that never began, `Busy`."""
        return await self._pools.film(Record.text, await self._record(table_id))

    async def verify(self, table_id: int) -> Verdict:
        """Compute everything in the record anew. Raises what `text` does."""
        return await self._pools.film(_verdict, await self._record(table_id))

    async def beginning(self, table_id: int, at: int, keeps: int | None = None) -> Beginning:
        """Return the position of a game that is over after so many actions, with the hand of the seat that `keeps` it.

        Raises what `text` does, `NoSuchMove`.
        """
        table = await self._memory.get(table_id)
        need_ended(table)
        assert table.game is not None
        game = whole(table.game)
        last = game.number - bool(game.winners)
        if not 0 <= at <= last:
            raise NoSuchMove(last)
        begun = await asyncio.to_thread(game.earlier, at)
        computers = {
            seat: Occupant(who.name, computer=who.computer) for seat, who in table.occupants.items() if who.is_computer
        }
        return Beginning(game.system.id, game.players, game.options, write_origin(begun.state, keeps), computers)

    async def read_beginning(self, data: bytes, at: int) -> Beginning:
        """Return the same of a record that a person has sent.

        Raises `RECORD_TOO_LARGE`, `NOT_A_RECORD`, `FORGED_RECORD`, `NoSuchMove`, `Busy`.
        """
        if len(data) > MOST_UPLOADED:
            raise NotPossible(Problem.RECORD_TOO_LARGE)
        beginning = await self._pools.film(_read_beginning, data, at)
        if isinstance(beginning, Beginning):
            return beginning
        raise NotPossible(beginning) if isinstance(beginning, Problem) else NoSuchMove(beginning)

    async def _record(self, table_id: int) -> Record:
        table = await self._memory.get(table_id)
        need_ended(table)
        assert table.game is not None
        game = whole(table.game)
        sitters, takeovers = _read_sitters(table, await self._memory.notes(table_id))
        return Record(
            game.system.id,
            game.system.version,
            game.players,
            game.options,
            sitters,
            takeovers,
            table.commitment,
            await self._store.games.secret(table_id),
            table.contributions,
            game.seed,
            table.won,
            awarded=bool(table.won and not game.winners),
            log=game.log,
            event=await self._event(table),
            origin=game.origin,
        )

    async def _event(self, table: Table) -> tuple[int, str] | None:
        """Return the round and the name of the cup that a game belongs to."""
        cup = None if table.cup_id is None else await self._store.cups.get(table.cup_id)
        cup_game = None if cup is None or table.cup_game is None else cup.game(table.cup_game)
        return None if cup is None or cup_game is None else (cup_game[0] + 1, cup.name)


def _read_beginning(data: bytes, at: int) -> Beginning | Problem | int:
    """Return the position in a record after so many actions; why there is none, or the last number that there is."""
    try:
        reading = read(data)
    except RecordError:
        return Problem.NOT_A_RECORD
    if next(reading.differences(), None) is not None:
        return Problem.FORGED_RECORD
    record = reading.record
    game = record.game()
    last = game.number - bool(game.winners)
    if not 0 <= at <= last:
        return last
    levels = {takeover.seat: takeover.sitter for takeover in record.takeovers}
    sitting = {**record.sitters, **levels}
    computers = {
        seat: Occupant(who.name, computer=who.computer if who.computer in list(Level) else USUAL)
        for seat, who in sitting.items()
        if who.computer is not None
    }
    origin = write_origin(game.earlier(at).state)
    return Beginning(record.system, record.players, record.options, origin, computers)


def need_ended(table: Table) -> None:
    """Raise `NOT_OVER` for a game that can still be played, and `WrongStatus` for one that never began."""
    if table.status in (Status.PLAYING, Status.PAUSED):
        raise NotPossible(Problem.NOT_OVER)
    if table.game is None:
        raise WrongStatus(table.status, (Status.OVER,))


def _read_sitters(table: Table, notes: tuple[Note, ...]) -> tuple[dict[int, Sitter], tuple[Takeover, ...]]:
    """Return who began on each seat, and the later changes of players."""
    sitters: dict[int, Sitter] = {}
    takeovers: list[Takeover] = []
    standing = table.number
    placed: list[tuple[int, Note]] = []
    for note in reversed(notes):
        # A takeback removes actions, so what happened after those comes before the ones played instead.
        standing = min(standing, note.number)
        placed.insert(0, (standing, note))
    for number, note in placed:
        if note.kind is not NoteKind.SITS or note.seat is None:
            continue
        level = note.data.get("computer")
        sitter = Sitter(str(note.data["name"]) or "?", None if level is None else str(level))
        if note.seat in sitters:
            takeovers.append(Takeover(number + 1, note.seat, sitter))
        else:
            sitters[note.seat] = sitter
    return sitters, tuple(takeovers)


def _verdict(record: Record) -> Verdict:
    text = record.text()
    differences = tuple(str(error) for error in itertools.islice(read(text.encode()).differences(), MOST))
    words = [line.split(" ") for line in text.splitlines()]
    cards = sum(len(line) - 3 for line in words if line[:2] in (["+", "deal"], ["+", "draw"]))
    return Verdict(differences, sum(line[:2] == ["+", "shuffle"] for line in words), cards)


async def faults_of(store: Store, records: Records, game_id: int) -> tuple[str, ...]:
    """Return the faults of a game that was started, as sentences; nothing if it is sound. Change nothing."""
    snapshot = await store.games.snapshot(game_id)
    if snapshot is None:
        return ("there is no such game",)
    table = snapshot.table
    if snapshot.seed is None or snapshot.actions is None:
        return ("it has not started",)
    numbers = [action.number for action in snapshot.actions]
    if numbers != list(range(1, len(numbers) + 1)):
        return ("actions are missing from its log",)
    try:
        course = replay(snapshot)
    except BrokenLog:
        return (f"{len(numbers)} actions, and one of them is not allowed by its rules",)
    assert course is not None
    faults = []
    if table.status in (Status.PLAYING, Status.PAUSED) and course.game.winners:
        faults.append("it was won, and is still being played")
    if table.status is Status.OVER and course.game.winners and table.won != course.game.winners:
        faults.append(f"seats {course.game.winners} won, and it says {table.won}")
    if not set(table.occupants) <= set(course.game.seats):
        faults.append("a player has a seat that it does not have")
    if table.status is Status.OVER:
        faults += [f"record: {difference}" for difference in (await records.verify(game_id)).differences]
    return tuple(faults)
