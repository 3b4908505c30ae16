"""The history of a game in pages, as anyone may read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.languages import Language
from bot.table import Logged, Note, NoteKind, Table
from bot.texts.happenings import told_note
from bot.texts.moves import tell
from bot.texts.words import Names
from engine import Entry

PAGE = 1500
"""Characters of history on one page: leaves room for the head line within Discord's 2,000."""


def pages(
    language: Language, table: Table, entries: Iterable[Entry], notes: Iterable[Note], log: Sequence[Logged]
) -> list[str]:
    """The whole history, oldest first, cut into pages between lines; at least one page."""
    names = Names.of(table, language)
    by_computer = {row.number for row in log if not row.actor.isdigit() and row.actor != "rule"}
    pending = sorted(notes, key=lambda note: note.number)
    lines: list[str] = []
    for entry in entries:
        while pending and pending[0].number < entry.number:
            lines.extend(_told_note(language, names, pending.pop(0)))
        for sentence in tell(language, names, (entry,)):
            mark = "🤖 " if entry.number in by_computer and _was_person(table, entry) else ""
            lines.append(f"`{entry.number:>3}` {mark}{sentence}")
    for note in pending:
        lines.extend(_told_note(language, names, note))
    return _cut(lines) or [language.t("Nothing has happened yet.")]


def _was_person(table: Table, entry: Entry) -> bool:
    """Whether the seat belongs to a person, so that a computer's move there is worth a mark."""
    who = None if entry.seat is None else table.people.get(entry.seat)
    return who is not None and who.user_id is not None


def _told_note(language: Language, names: Names, note: Note) -> list[str]:
    who = f"<@{note.actor_id}>" if note.actor_id is not None else ""
    seat = names.marked(note.seat) if note.seat is not None else ""
    told: Mapping[str, str] = {
        NoteKind.OPENED: language.t("{who} opens the table.", who=who),
        NoteKind.STARTED: language.t("{who} starts the game.", who=who),
        NoteKind.HOSTED: language.t("{who} is the host now.", who=who),
        NoteKind.RESIGNED: language.t("{who} resigns; {seat} plays on.", who=who, seat=seat),
        NoteKind.CANCELLED: language.t("{who} cancels the game.", who=who),
    }
    sentence = told.get(note.kind) or told_note(language, note, who, seat)
    return [f"· {sentence}"] if sentence else []


def _cut(lines: Sequence[str]) -> list[str]:
    cut: list[str] = []
    page = ""
    for line in lines:
        if page and len(page) + 1 + len(line) > PAGE:
            cut.append(page)
            page = line
        else:
            page = f"{page}\n{line}" if page else line
    return [*cut, page] if page else cut
