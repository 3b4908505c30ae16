"""The public story of a game: the whole in pages, or the part that a board tells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace

from bot.languages import Language
from bot.proposal import ProposalKind
from bot.table import Automatic, Logged, Note, NoteKind, Status, Table
from bot.texts.markup import OWN_SIGNS, SMALL, bold, fill_pages, fixed, moment, small
from bot.texts.moves import tell_event
from bot.texts.names import MARKS, Names, round_name, sentences, system_name
from bot.texts.public import boards
from bot.texts.public.happenings import Happening, tell_in_order, tell_note
from bot.texts.public.proposals import refusal
from engine import Entry, Event, EventKind, Exchange

PAGE, LAST_PAGE = 1400, 1850
"""Characters of history on one page, and on the last, which takes in a shorter rest: with room for the heading."""


def pages(
    language: Language, table: Table, entries: Iterable[Entry], notes: Iterable[Note], log: Sequence[Logged]
) -> list[str]:
    """Return the whole history, oldest first, by rounds with dates, in pages divided between lines; at least one page.

    Every line calls a seat by the name of its player at that time.
    """
    lines: list[str] = []
    before = began = 0
    exchanges: list[str] = []
    for told in tell_in_order(language, table, entries, notes, leave_out=_HEADED):
        if told.note is not None:
            lines += map(_set_apart, told.sentences)
            continue
        if told.sentences:
            first, *others = _mark_computer(told, log)
            if told.has_exchange and exchanges:
                # Gifts of several teams are mixed, so all stand in one line.
                lines.pop()
            else:
                exchanges, began = [], before
            exchanges += [first] if told.has_exchange and not others else []
            # Gifts are not told one by one, but count.
            number = f"{told.after:>3}" if told.after - began < 2 else f"{began + 1}–{told.after}"
            before = told.after
            lines += [f"{fixed(number)} {' '.join(exchanges) or first}", *map(_set_apart, others)]
        deals = [event for event in told.entry.events if event.kind is EventKind.DEALT] if told.entry else []
        lines += [_round_line(language, table, event, told.after, log) for event in deals]
    *pages, last = fill_pages(lines, PAGE) or [language.t("Nothing has happened yet.")]
    if pages and len(pages[-1]) + 1 + len(last) <= LAST_PAGE:
        # It is opened first, and should tell more than a line.
        last = f"{pages.pop()}\n{last}"
    return [*pages, last]


def head(language: Language, table: Table, page: int, pages: int) -> str:
    """Head a page of the history; `page` from 0."""
    if pages == 1:
        return bold(table.code)
    return language.t("{code}: page {page} of {pages}", code=bold(table.code), page=page + 1, pages=pages)


def _round_line(language: Language, table: Table, event: Event, number: int, log: Sequence[Logged]) -> str:
    """Return the heading of a round: its number, its cards, and when it was dealt."""
    at = log[number - 1].at if 0 < number <= len(log) else table.started_at or table.created_at
    if not event.count:
        return f"{bold(tell_event(language, Names.of(table, language), event))} · {moment(at)}"
    return language.n(
        "{round} · {count} card · {when}",
        "{round} · {count} cards · {when}",
        event.count,
        round=bold(round_name(language, event.round or 0, table.cap)),
        when=moment(at),
    )


def story(
    language: Language,
    table: Table,
    entries: Sequence[Entry],
    notes: Iterable[Note],
    log: Sequence[Logged],
    *,
    with_notes: bool = True,
    after: Mapping[int, Sequence[str]] | None = None,
    most: int | None = None,
    only_moves: Collection[int] = (),
    in_hand: Collection[int] = (),
) -> list[str]:
    """Tell these entries on a board: the newest (`most`, by default a lap) in a line each, of others what matters.

    The newest round begins with its heading. A computer's move on a person's seat is marked, as in the history.
    `with_notes`: include other public news: seats that changed hands, turns played for a player, a pause that lasts.
    `after`: lines to add after an entry, by its number, as many as there is room for. `only_moves`: those of moves that
    are marked as the only ones. `in_hand`: those of moves that a hand tells, unless lines follow them. Besides headings
    there are at most `MOST_NEWS` lines; other news folds with the moves before it. What came before the last moves of a
    game that is over is left to its story.
    """
    first = entries[0].number if entries else table.number + 1
    notes = tuple(notes)
    newer = _find_public_news(table, notes) if with_notes else ()
    # Who has won is told in the status line.
    leave_out = _HEADED | {EventKind.SHUFFLED} | ({EventKind.WON} if table.status is Status.OVER else set())
    if table.board.exchange is not Exchange.ASK:
        # It is the same in each round.
        leave_out |= {EventKind.EXCHANGED}
    names, after = Names.of(table, language), after or {}
    found = [
        replace(told, sentences=[refused] if (refused := refusal(language, table, notes, told.note)) else [])
        if told.note is not None and told.note.kind is NoteKind.DECLINED
        else told
        for told in tell_in_order(language, table, entries, notes, by_name=True, leave_out=leave_out)
    ]
    news = [told for told in found if told.note is None or (told.note in newer and told.after >= first - 1)]
    news = [told for told in news if told.sentences]
    news = [told for told in news if told.entry is None or told.after not in in_hand or after.get(told.after)]
    moves = [told for told in news if told.entry is not None]
    most = min(max(LEAST_MOVES, table.players), MOST_MOVES) if most is None else most
    # One move more takes no more room than the line that would stand for it.
    room = most + (LEAST_MOVES <= most < MOST_MOVES)
    start = 0 if len(moves) <= room else news.index(moves[-most])
    is_over, lines = table.status is Status.OVER, list[str]()

    def sum_before() -> list[str]:
        return [] if is_over else sum_up(language, names, [told.entry for told in news[:start] if told.entry])

    def count_lines() -> int:
        return len(sum_before()) + sum(len(told.sentences) for told in news[start:])

    while start < len(news) - 1 and count_lines() > MOST_NEWS:
        start += 1
    summed, spare = [told.entry for told in news[:start] if told.entry is not None], MOST_NEWS - count_lines()
    extras = dict[int, Sequence[str]]()
    for told in reversed(news[start:]):
        if told.entry is not None and len(extra := after.get(told.entry.number, ())) <= spare:
            extras[told.entry.number], spare = extra, spare - len(extra)
    late = [entry for entry in entries if _is_late_gift(entry, log)]
    dealt = [event for entry in entries for event in entry.events if event.kind in _HEADED]
    shown = {id(told) for told in news[start:]}
    for told in found:
        if told.note is not None:
            lines += map(_set_apart, told.sentences if id(told) in shown else ())
            continue
        assert told.entry is not None
        if told.entry in late[-1:]:
            givers = [entry.seat for entry in late if entry.seat is not None]
            lines.append(_chosen_cards(language, names.listed(language, givers), len(givers)))
        if id(told) in shown:
            lines += _mark_only_move(language, told.entry, _mark_computer(told, log), only_moves)
            lines += extras.get(told.entry.number, ())
        elif summed and told.entry is summed[-1]:
            lines += sum_before()
        lines += [_round_head(language, table, event) for event in told.entry.events if event in dealt[-1:]]
    return lines


def why_over(language: Language, table: Table, notes: Iterable[Note]) -> str:
    """Return why a game ended before its last piece was home; empty if it did not."""
    if boards.has_resigned(table):
        return boards.resigned(language, table)
    ends = (NoteKind.DECIDED, NoteKind.CANCELLED)
    note = next((note for note in reversed(tuple(notes)) if note.kind in ends), None)
    if note is None:
        return ""
    names = Names.of(table, language)
    seat = None if note.actor_id is None else table.seat_of(note.actor_id)
    return sentences(*tell_note(language, names, note, None if seat is None else names.marked(seat)))


LEAST_MOVES, MOST_MOVES, MOST_LAST, MOST_SUMMED, MOST_SINCE, MOST_NEWS = 4, 6, 2, 6, 3, 6
"""A board tells as many moves in a line each as there are players, but at least and at most so many; then the most that
the last board tells, the most events named in the line about those before, the most lines at the beginning of a hand,
and the most lines of news on a board."""


def since(
    language: Language,
    table: Table,
    entries: Iterable[Entry],
    log: Sequence[Logged],
    seat: int,
    *,
    by_board: bool = False,
    most: int = MOST_SINCE,
) -> list[str]:
    """Return what others have done since the player on a seat looked, in at most `most` lines.

    `by_board`: the board is beside it and tells the rest, so only what has hurt or helped the player's team is told.
    """
    others, names = [entry for entry in entries if entry.seat != seat], Names.of(table, language)
    if by_board:
        team = {seat, *table.board.partners(seat)}
        others = [entry for entry in others if _touches(entry, seat, team)][-most:]
    leave_out = _HEADED | {EventKind.EXCHANGED, EventKind.SHUFFLED, EventKind.WON}
    found = tell_in_order(language, table, others, by_name=True, leave_out=leave_out)
    told = [(happened.entry, "\n".join(_mark_computer(happened, log))) for happened in found if happened.sentences]
    before = told[: len(told) - most + 1] if len(told) > most else []
    head = list(filter(None, ["\n".join(sum_up(language, names, [entry for entry, _text in before if entry]))]))
    return [*head, *(text for _entry, text in told[max(len(told) - most + len(head), 0) :])]


def before_and_after(
    language: Language, table: Table, entries: Sequence[Entry], log: Sequence[Logged], seat: int, *, by_board: bool
) -> tuple[list[str], list[str]]:
    """Return what others did before and after the last action of a player's seat, as `since` does; without one, before.

    Together that is at most `MOST_SINCE` lines, or one more.
    """
    own = max((entry.number for entry in entries if entry.seat == seat), default=None)
    later = [entry for entry in entries if own is not None and entry.number > own]
    after = since(language, table, later, log, seat, by_board=by_board)
    earlier, most = entries[: len(entries) - len(later)], max(MOST_SINCE - len(after), 1)
    return since(language, table, earlier, log, seat, by_board=by_board, most=most), after


def _touches(entry: Entry, seat: int, team: Set[int]) -> bool:
    """Return True if an entry of another seat has hurt or helped a player: pieces sent back, moved, or brought home."""
    for event in entry.events:
        if seat in event.seats and event.kind is EventKind.PLAYED:
            return True
        for step in event.steps:
            gone = {side for side, _place in step.sent_home}
            moved = {step.side, *(step.other[:1] if step.other else ())} - {event.seat}
            home = step.side in team and step.comes_home
            if home or seat in moved or gone & team or (gone and event.seat in team):
                return True
    return False


def sum_up(language: Language, names: Names, entries: Sequence[Entry]) -> list[str]:
    """Return in one line which pieces these entries sent back or brought home, none if none; below, how many more."""
    told, more = dict[str, None](), 0
    for entry in entries:
        before = len(told)
        for event in entry.events:
            if event.seat is None:
                continue
            for step in event.steps:
                for side, _place in step.sent_home:
                    who, whose = names.marked(event.seat), names.marked(side)
                    told[language.t("⚔ {name} sent back {other}", name=who, other=whose)] = None
                if step.comes_home:
                    told[language.t("🏠 {name}: a piece home", name=names.marked(step.side))] = None
        more += len(told) == before
    head = [" · ".join(list(told)[-MOST_SUMMED:])] if told else []
    count = language.n("{count} more move before these", "{count} more moves before these", more)
    return [*head, small(count)] if head and more else head


def _mark_only_move(
    language: Language, entry: Entry, sentences: Sequence[str], only_moves: Collection[int]
) -> Sequence[str]:
    """Return the sentences about an entry; its move marked if it was the only one."""
    if entry.number not in only_moves or not sentences:
        return sentences
    return [language.t("{move} (only move)", move=sentences[0]), *sentences[1:]]


def _round_head(language: Language, table: Table, event: Event) -> str:
    """Return the heading of a round on a board; the first names the rules."""
    told = bold(round_name(language, event.round or 0, table.cap))
    if event.round == 1:
        told += f" · {system_name(language, table.system)}"
    return told if table.cup_id is None else f"🏆 {told}"


def _is_late_gift(entry: Entry, log: Sequence[Logged]) -> bool:
    """Return True if a computer gave a card in the exchange for a person whose time was up."""
    gave = any(event.kind in (EventKind.GAVE, EventKind.ANSWERED_GAVE) for event in entry.events)
    return gave and 0 < entry.number <= len(log) and log[entry.number - 1].actor is Automatic.CLOCK


def _chosen_cards(language: Language, names: str, count: int) -> str:
    """Say for whom computers chose a card to give, never which."""
    return language.n(
        "🤖 A computer chose {names}'s card.", "🤖 Computers chose the cards of {names}.", count, names=names
    )


def _set_apart(sentence: str) -> str:
    """Set a sentence apart from the moves, unless it has a sign of its own."""
    signs = tuple(sign for sign in OWN_SIGNS if sign not in MARKS)
    return sentence if sentence.startswith(signs) else f"· {sentence}"


def _mark_computer(told: Happening, log: Sequence[Logged]) -> list[str]:
    """Return the sentences about an entry; marked if a computer played on a person's seat."""
    entry = told.entry
    assert entry is not None
    exchanged = any(event.kind is EventKind.EXCHANGED for event in entry.events)
    actor = log[entry.number - 1].actor if 0 < entry.number <= len(log) else Automatic.RULE
    computer = actor in (Automatic.COMPUTER, Automatic.CLOCK) and told.persons and not exchanged
    # Small print stays small print.
    return [f"🤖 {text}" if computer and not text.startswith(SMALL) else text for text in told.sentences]


_HEADED = frozenset({EventKind.DEALT})
"""The kinds of events that the headings of the history tell."""

_ON_BOARDS = frozenset(
    {
        NoteKind.HOSTED,
        NoteKind.WAITED,
        NoteKind.OFFERED,
        NoteKind.RECLAIMED,
        NoteKind.TAKEN_OVER,
        NoteKind.LEFT,
        NoteKind.LEFT_GUILD,
        NoteKind.REMOVED,
        NoteKind.BACK,
        NoteKind.STANDS_IN,
        NoteKind.STOOD_DOWN,
        NoteKind.PAUSED,
        NoteKind.DOWN,
        NoteKind.UNREACHED,
        NoteKind.CANCELLED,
        NoteKind.RESIGNED,
        NoteKind.DECIDED,
        NoteKind.CHANGED,
        NoteKind.LEVEL,
        NoteKind.SAID,
        NoteKind.DECLINED,
    }
)
"""The notes that a board tells in addition to the moves.

Not those that a computer plays: the sign before its move says it, and a line on the board while it plays on; nor those
that a player is away, for whom there is a line too. Nor those that a game continues after a pause: it is seen.
"""


def _find_public_news(table: Table, notes: Sequence[Note]) -> list[Note]:
    """Return the notes that a board tells; that of a pause only while it lasts, and if it gives a reason.

    That a turn waits, only until the next action.
    """
    # What was noted before a takeback stood on a board then, and what was before the start in the lobby.
    turns = (index for index, note in enumerate(notes) if note.kind in (NoteKind.STARTED, NoteKind.UNDONE))
    # The status line names those who have resigned.
    told = _ON_BOARDS - {NoteKind.RESIGNED} if boards.has_resigned(table) else _ON_BOARDS
    newer, lasts = [note for note in notes[max(turns, default=0) :] if note.kind in told], table.status is Status.PAUSED
    newer = [note for note in newer if note.kind is not NoteKind.PAUSED or (lasts and note.data.get("reason"))]
    newer = [note for note in newer if note.kind is not NoteKind.WAITED or note.number >= table.number]
    return [note for note in newer if note.kind is not NoteKind.DECLINED or _is_last_answer(table, notes, note)]


def _is_last_answer(table: Table, notes: Sequence[Note], declined: Note) -> bool:
    """Return True until the next move, question, pause or end after a refusal; partners' questions are no news."""
    later = reversed([note for note in notes if note.data.get("kind") != ProposalKind.RESIGN])
    newest = next((note for note in later if note.kind in _CLOSES_ANSWER), None)
    return newest is declined and declined.number >= table.number and table.status is not Status.OVER


_CLOSES_ANSWER = frozenset(
    {NoteKind.DECLINED, NoteKind.PROPOSED, NoteKind.PAUSED, NoteKind.RESUMED, NoteKind.CANCELLED, NoteKind.UNDONE}
)
"""The notes with which the news goes that a question was refused."""
