"""Effects of changes: what becomes of a table, as a value; what functions that make them need; and writing them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.clocks import deadlines_of
from bot.errors import AskAgain, Moderators, NotModerator, NotPossible, Problem, WrongStatus, need_current
from bot.guild_records import LogEntry
from bot.moment import Moment
from bot.occupants import Person
from bot.proposal import Proposal, ProposalKind
from bot.storage.games import GameWriter
from bot.storage.rows import ActionRow
from bot.table import Note, NoteKind, Status, Table
from bot.tables import seating
from engine import Game
from engine.secret import whole


class NewsKind(StrEnum):
    """Kinds of news from deadlines."""

    NINETY = "ninety"
    UP = "up"
    HANDED = "handed"
    OFFERED = "offered"
    FREED = "freed"
    TAKEN = "taken"
    SEEKING = "seeking"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class News:
    """News that the state of a table does not show: for which seat, whose, and for which decision."""

    kind: NewsKind
    seat: int | None = None
    user_id: int | None = None
    decision: Moment | None = None


Check = Callable[[GameWriter], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a change: the next snapshot, notes, and the actions if there were any.

    `cut`: the first action taken back, if any. `logged`: a line for the guild's log. `games`: the game after each of
    the actions. `call_again`: the seats whose people are to be called again. `check`: looks at the store in the middle
    of the change, and raises a `TableError` to undo it. `news`: what else is to be said at the table.
    """

    after: Table
    notes: Sequence[Note] = ()
    actions: Sequence[ActionRow] = field(default=(), repr=False)
    cut: int | None = None
    logged: LogEntry | None = None
    games: Sequence[Game] = field(default=(), repr=False)
    call_again: frozenset[int] = frozenset()
    check: Check | None = None
    news: Sequence[News] = ()


def note(
    table: Table, kind: NoteKind, at: int, actor: int | None = None, seat: int | None = None, /, **data: object
) -> Note:
    """Return a note about what happened at this table."""
    return Note(kind, at, table.number, actor, seat, data)


def entry_of_game(table: Table, kind: str, at: int, actor: int | None = None) -> LogEntry:
    """Return what the guild's log channel is told of this table: one of the kinds in `FOR_CHANNEL`."""
    return LogEntry(table.guild_id, at, kind, actor, None, table.id)


def chain(effect: Effect, done: Effect) -> Effect:
    """Return an effect together with one that follows from its table."""
    return replace(
        effect,
        after=done.after,
        notes=[*effect.notes, *done.notes],
        cut=effect.cut if done.cut is None else done.cut,
        call_again=effect.call_again | done.call_again,
        news=[*effect.news, *done.news],
    )


def drop_proposal(table: Table, kind: ProposalKind) -> dict[ProposalKind, Proposal]:
    """Return the table's proposals except this one."""
    return {other: proposal for other, proposal in table.proposals.items() if other != kind}


def need(table: Table, *statuses: Status) -> None:
    """Raise `WrongStatus` unless the table has one of these; `IN_CUP` for one of a cup that waits to be begun."""
    if table.status not in statuses:
        raise WrongStatus(table.status, statuses)
    if table.status is Status.LOBBY:
        need_no_cup(table)


def need_no_cup(table: Table) -> None:
    """Raise `IN_CUP` at a table of a cup: its players neither end it without a result nor give seats away."""
    if table.cup_id is not None:
        raise NotPossible(Problem.IN_CUP)


def need_outsider(notes: Sequence[Note], person: Person) -> None:
    """Raise `NotModerator` for one who has played this game: players who have left it, or lost it, do not judge it."""
    if seating.has_played(notes, person.id):
        raise NotModerator(Moderators.MODERATOR)


def need_game(table: Table) -> Game:
    """Return the game being played. Raises `WrongStatus`."""
    if table.status is not Status.PLAYING or table.game is None:
        raise WrongStatus(table.status, (Status.PLAYING,))
    return whole(table.game)


def need_same_point(table: Table, point: Moment | None, command: str) -> None:
    """Raise `AskAgain` if a question about the end of the game was asked at another `point` (see `Table.point`)."""
    if table.is_open:
        need_current(point, table.point, AskAgain(command))


def new_people(before: Table | None, after: Table) -> dict[int, str]:
    """Return the names of those who have a seat, and had none at this table before, by their ids."""
    known = before.owners if before is not None else {}
    return {user_id: after.occupants[seat].name for user_id, seat in after.owners.items() if user_id not in known}


async def write(writer: GameWriter, before: Table, effect: Effect) -> None:
    """Write what an effect changes besides the game's row: rows that differ between the snapshots, actions, notes."""
    after = effect.after
    if effect.call_again:
        await writer.call_again(effect.call_again)
    if after.occupants != before.occupants:
        await writer.seat(after.occupants)
        await writer.meet(after.guild_id, new_people(before, after))
    if effect.cut is not None:
        await writer.cut(effect.cut)
    for action in effect.actions:
        await writer.append(action)
    await writer.note(*effect.notes)
    await writer.set_deadlines(deadlines_of(after), deadlines_of(before))
    if after.proposals != before.proposals:
        await writer.propose(after.proposals)
    if effect.logged is not None:
        await writer.log(effect.logged)
