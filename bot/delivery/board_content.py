"""The contents of a board: its text, its mentions, and what a past board keeps, as pure functions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from bot.calls import Calls, find_asked, find_calls, is_called_off
from bot.languages import Language
from bot.message import Message, Why
from bot.moment import NOTHING_TOLD, Moment
from bot.preferences import Preferences
from bot.table import Logged, Note, NoteKind, Status, Table
from bot.tables.computers import is_thinking
from bot.tables.courses import PublicCourse
from bot.texts.moves import tell
from bot.texts.names import Names
from bot.texts.public import boards, lobbies
from bot.texts.public.history import LEAST_MOVES, MOST_LAST, story
from bot.texts.public.winks import has_round_end, round_lines, tale, winks
from engine import ActionKind, Entry, EventKind, Phase, PublicGame, View

_UNREPORTED = frozenset(
    {
        EventKind.GAVE,
        EventKind.DECLARED,
        EventKind.NEEDS_NONE,
        EventKind.ANSWERED_GAVE,
        EventKind.DECLINED,
        EventKind.EXCHANGED,
    }
)
"""Events of an exchange that no board reports by themselves."""

_HEADINGS = _UNREPORTED | {EventKind.DEALT, EventKind.SHUFFLED}
"""Events of which a board has no more than the heading of their round."""


@dataclass(frozen=True, slots=True)
class BoardContent:
    """The contents of a board.

    `entries`: what has happened, also for the picture. `why_new`: why it must be a new message, since edits do not
    ping; None if the present message may be edited. `calls`: whom it calls; `calm`: even what is new may be an edit,
    since all who are asked are there. `role`: the role to mention.
    """

    entries: tuple[Entry, ...] = ()
    text: str = ""
    why_new: Why | None = None
    calls: Calls = field(default_factory=Calls)
    calm: bool = False
    role: int | None = None


def board_content(
    table: Table,
    game: PublicGame,
    course: PublicCourse,
    preferences: Mapping[int, Preferences],
    notes: Sequence[Note],
    rows: Sequence[Logged],
    *,
    left: Sequence[str],
    there: Collection[int],
) -> BoardContent:
    """Return a board of this state.

    `preferences`: of all who own a seat; `rows`: the log; `left`: see `board`; `there`: the users who are at the table
    and need no ping.
    """
    language, view, over, shown = table.language, game.view(), table.status is Status.OVER, table.shown
    number, undone, agreed = _find_progress(table, None if shown is None else shown.moment, notes)
    untold = course.entries(number + 1)
    asked = find_asked(table, notes, rows, untold, is_undone=bool(undone) and not agreed)
    calls = find_calls(table, asked, preferences, there)
    why_new = _why_new(table, view, untold, calls, agreed=agreed, begun=number >= 0)
    entries = () if why_new is None else untold
    if not entries or table.is_live:
        # Of a live game, the board before has told some already, but only now are players called to it.
        entries = max(_entries_to_tell(course, game, rows), entries, key=len)
    if not untold and not undone and shown is not None and shown.to_id == table.channel_id:
        entries = _leave_out_untold(language, table, entries, shown.text, _left_to_hand(table, entries, rows))
    # What led here is told by the board above.
    lines = () if undone and _find_takeback(table.moment, notes) is not None else entries
    after = _winks_and_rounds(language, table, course, lines)
    most = MOST_LAST if over else None
    only, in_hand = _only_moves(table, course, lines, rows), _left_to_hand(table, lines, rows)
    happened_lines = story(
        language, table, lines, notes, rows, after=after, most=most, only_moves=only, in_hand=in_hand
    )
    if over:
        happened_lines += tale(language, table, course.entries(0))
    text = boards.board(language, table, view, happened_lines, preferences, undone, left)
    waiting = frozenset(table.waiting_for.values())
    calm = why_new in (Why.TURN, Why.NEWS) and number >= 0 and bool(waiting) and waiting.issubset(there)
    return BoardContent(entries, text, why_new, calls, calm)


def _why_new(
    table: Table, view: View, untold: Sequence[Entry], calls: Calls, *, agreed: bool, begun: bool
) -> Why | None:
    """Return why a board has to be a new message; None if the present one may be edited.

    `untold`: what has happened since; `agreed`: something was taken back by consent; `begun`: the game was shown.
    """
    over = table.status is Status.OVER
    if calls.awaited:
        return Why.OVER if over or is_called_off(table) else Why.TURN
    if over and view.phase is not Phase.END:
        return Why.OVER
    if agreed:
        return Why.TAKEN_BACK
    # While a computer player takes its time, the current board is kept up to date without calling any player.
    happened = bool(untold) and (_is_news(untold) or not view.phase.is_exchange)
    return Why.NEWS if happened and not (begun and is_thinking(table)) else None


@dataclass(frozen=True, slots=True)
class PastBoard:
    """The contents of a past board: its text, the state it showed (None in the lobby), and the entries it told.

    Without text it goes, unless its picture stays. `tells`: it keeps what happened.
    """

    text: str
    game: PublicGame | None = None
    entries: tuple[Entry, ...] = ()
    tells: bool = False


def past_board(
    language: Language,
    table: Table,
    board: Message,
    notes: Sequence[Note],
    rows: Sequence[Logged],
    course: PublicCourse | None,
    before: Moment | None = None,
) -> PastBoard:
    """Return what a past board keeps: its story without mentions, and the way to the game if that has moved.

    `before`: up to which moment the past board above it has told the story.
    """
    game = table.game
    then: PublicGame | None = None
    entries: tuple[Entry, ...] = ()
    tells = False
    if game is None or course is None or board.moment <= NOTHING_TOLD:
        text = lobbies.lobby(language, table)
    else:
        number = min(_find_progress(table, board.moment, notes)[0], game.number)
        then = course.at(number)
        entries = _entries_to_tell(course, then, rows)
        repeats = before is not None and before[0] == board.moment[0]
        new = tuple(entry for entry in entries if before is None or not repeats or entry.number > before[1])
        back, shown = _find_takeback(board.moment, notes), table.shown
        if shown is not None and shown != board and shown.moment == board.moment:
            # The newest board tells the same.
            happened: Sequence[str] = ()
        elif back is None and all(event.kind in _HEADINGS for entry in new for event in entry.events):
            happened = ()
        elif back is None:
            more = _winks_and_rounds(language, table, course, new)
            happened = story(
                language,
                table,
                new,
                notes,
                rows,
                with_notes=False,
                after=more,
                only_moves=_only_moves(table, course, new, rows),
                in_hand=_left_to_hand(table, new, rows),
            )
            # What the board before it has told already stands there.
            happened = [line for line in happened if line in board.text.splitlines()] or happened
        else:
            happened = [boards.taken_back(language, _count(back))]
        text, tells = boards.past(language, happened), bool(happened) and back is None
    if board.to_id != table.channel_id:
        text = boards.add_new_place(language, table, text)
    return PastBoard(text, then, entries, tells)


def _only_moves(table: Table, course: PublicCourse, entries: Sequence[Entry], rows: Sequence[Logged]) -> frozenset[int]:
    """Return the numbers of people's moves that were their only ones, as far as all can see that.

    None in live games, whose players have pressed them, and none where one person plays, whose hand tells it.
    """
    if table.is_live or len(table.owners) < 2:
        return frozenset()
    of_persons = {row.number for row in rows[entries[0].number - 1 :] if isinstance(row.actor, int)} if entries else ()
    numbers = (entry.number for entry in entries if entry.number in of_persons)
    return frozenset(number for number in numbers if course.was_plainly_only_move(number))


def _left_to_hand(table: Table, entries: Sequence[Entry], rows: Sequence[Logged]) -> frozenset[int]:
    """Return the numbers of moves that no board needs to tell: those of a person alone with computers."""
    if not (table.is_solo and table.is_open):
        return frozenset()
    moves = (entry.number for entry in entries if entry.kind is ActionKind.PLAY and 0 < entry.number <= len(rows))
    return frozenset(number for number in moves if isinstance(rows[number - 1].actor, int))


def _winks_and_rounds(
    language: Language, table: Table, course: PublicCourse, entries: Sequence[Entry]
) -> Mapping[int, Sequence[str]]:
    """Return the lines to tell after these entries, by their numbers: winks, and the round that has ended."""
    after = winks(language, table, entries)
    if has_round_end(entries):
        for number, lines in round_lines(language, table, course.rounds()).items():
            after[number] = [*after.get(number, ()), *lines]
    return after


def _find_progress(table: Table, moment: Moment | None, notes: Sequence[Note]) -> tuple[int, int, bool]:
    """Return the last action that was told by a moment and still stands, and what was taken back since.

    That is: the number of actions taken back, and whether others had to agree to that, so that hours may have passed.
    """
    takebacks, number = NOTHING_TOLD if moment is None else moment
    if moment is None or moment <= NOTHING_TOLD or takebacks == table.takebacks:
        return number, 0, False
    undone = [note for note in notes if note.kind == NoteKind.UNDONE][takebacks:]
    number = min(number, *(note.number for note in undone))
    return number, sum(_count(note) for note in undone), any(note.data.get("agreed", False) for note in undone)


def _find_takeback(moment: Moment, notes: Sequence[Note]) -> Note | None:
    """Return the takeback that led to exactly this moment, without anything played since; None if there is none."""
    undone = [note for note in notes if note.kind == NoteKind.UNDONE][: moment[0]]
    return undone[-1] if undone and len(undone) == moment[0] and undone[-1].number == moment[1] else None


def _entries_to_tell(course: PublicCourse, game: PublicGame, rows: Sequence[Logged]) -> tuple[Entry, ...]:
    """Return the entries told by the board of `game`, a state of this course: all since the last person acted.

    Gifts are not told, except those that complete an exchange once it is over. `rows`: the log, which may be longer
    than the game.
    """
    exchanging = game.phase.is_exchange
    entries = {entry.number: entry for entry in course.entries(course.first)}

    def is_unreported(number: int) -> bool:
        if number not in entries:
            entries.update((entry.number, entry) for entry in course.entries(1))
        exchanged = any(event.kind is EventKind.EXCHANGED for event in entries[number].events)
        return not _is_news((entries[number],)) and (exchanging or not exchanged)

    acted = (
        row.number
        for row in reversed(rows[: game.number])
        if isinstance(row.actor, int) and not is_unreported(row.number)
    )
    first = max(1, next(acted, 1))
    return tuple(entry for entry in course.entries(first) if entry.number <= game.number)


def _leave_out_untold(
    language: Language, table: Table, entries: tuple[Entry, ...], text: str, in_hand: Collection[int]
) -> tuple[Entry, ...]:
    """Return these entries without the first ones that the board with this text does not tell: one before it does.

    `in_hand`: the numbers of those that it leaves to the hand.
    """
    if table.is_live or len(entries) > LEAST_MOVES:
        return entries
    names = Names.of(table, language)
    told = [
        [] if entry.number in in_hand else tell(language, names, (entry,), leave_out=_HEADINGS) for entry in entries
    ]
    first = next((index for index, sentences in enumerate(told) if sentences and sentences[0] in text), 0)
    while first > 0 and not told[first - 1]:
        first -= 1
    return entries[first:]


def _is_news(entries: Sequence[Entry]) -> bool:
    """Return True if something happened that players will want to see."""
    return any(event.kind not in _UNREPORTED for entry in entries for event in entry.events)


def _count(note: Note) -> int:
    """Return the number of actions that a takeback took back."""
    count = note.data.get("count")
    return count if isinstance(count, int) else 1
