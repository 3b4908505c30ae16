"""The happenings at a table, in order and in sentences: the entries of its game, and the notes between them."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from bot.languages import Language
from bot.languages import mark as _
from bot.occupants import Occupant
from bot.proposal import ProposalKind
from bot.table import Note, NoteKind, Table, Unseen
from bot.texts.markup import bold, channel, day_in, safe, user
from bot.texts.moves import tell
from bot.texts.names import MARKS, Names, computers_line, level_name, quote
from bot.texts.public.lobbies import EXPIRED, HOSTED, change_line
from bot.texts.public.notices import TIME_UP
from bot.texts.public.proposals import ASKS
from bot.texts.public.winks import phrase
from engine import Entry, EventKind


@dataclass(frozen=True, slots=True)
class Happening:
    """One happening in sentences: an entry or a note, `after` which action, and whether on a person's seat."""

    sentences: list[str]
    after: int
    entry: Entry | None = None
    note: Note | None = None
    persons: bool = False

    @property
    def has_exchange(self) -> bool:
        """True if cards changed hands."""
        events = () if self.entry is None else self.entry.events
        return any(event.kind is EventKind.EXCHANGED for event in events)


def tell_in_order(
    language: Language,
    table: Table,
    entries: Iterable[Entry],
    notes: Iterable[Note] = (),
    *,
    by_name: bool = False,
    leave_out: frozenset[EventKind] = frozenset(),
) -> Iterator[Happening]:
    """Return entries and notes in order, including the notes from before the first entry.

    `by_name`: people at the table are called by name instead of being mentioned.
    """
    pending = deque(_place_notes(notes))
    seats = _Seats(table, (note for _, note in pending))

    def tell_notes(before: int) -> Iterator[Happening]:
        """Tell the notes made before this action; the deal is action 0, and the start comes before it."""
        while pending and (pending[0][0] < before or (before == 0 and not seats.started)):
            after, note = pending.popleft()
            names = seats.names(language)
            seat = seats.seat_of(note.actor_id) if by_name else None
            actor, computer = None if seat is None else names.marked(seat), seats.computer_after(note, language)
            yield Happening(tell_note(language, names, note, actor, computer), after, note=note)
            seats.pass_note(note)

    for entry in entries:
        yield from tell_notes(entry.number)
        sentences = tell(language, seats.names(language), (entry,), leave_out=leave_out)
        yield Happening(list(sentences), entry.number, entry=entry, persons=seats.is_persons(entry.seat))
    yield from tell_notes(sys.maxsize)


def _place_notes(notes: Iterable[Note]) -> list[tuple[int, Note]]:
    """Return the notes, each with the last action before it that still stands: takebacks remove later ones."""
    placed: list[tuple[int, Note]] = []
    standing = sys.maxsize
    for note in reversed(tuple(notes)):
        standing = min(standing, note.number)
        placed.insert(0, (standing, note))
    return placed


class _Seats:
    """The owners of the seats as the story goes on: some of the notes change a seat's owner."""

    def __init__(self, table: Table, notes: Iterable[Note]) -> None:
        self.started = False
        self._table = table
        self._occupants = dict(table.occupants)
        self._later: dict[int, deque[Occupant]] = {seat: deque() for seat in table.occupants}
        for note in reversed(tuple(notes)):
            if note.kind in _CHANGES and note.seat in self._occupants:
                self._later[note.seat].appendleft(self._occupants[note.seat])
                self._occupants[note.seat] = _before(note)

    def pass_note(self, note: Note) -> None:
        """Move on past a note."""
        self.started = self.started or note.kind == NoteKind.STARTED
        if note.kind in _CHANGES and note.seat in self._occupants:
            self._occupants[note.seat] = self._later[note.seat].popleft()

    def computer_after(self, note: Note, language: Language) -> str:
        """Return the computer player to whom a note gives a seat; empty if it gives none to one."""
        later = self._later.get(note.seat) if note.kind in _CHANGES and note.seat is not None else None
        if not later or note.seat is None or later[0].user_id is not None:
            return ""
        occupants = {**self._occupants, note.seat: later[0]}
        return Names.of(replace(self._table, occupants=occupants), language).marked(note.seat)

    def names(self, language: Language) -> Names:
        """Return the names in the seats at this point of the story."""
        return Names.of(replace(self._table, occupants=self._occupants), language)

    def seat_of(self, user_id: int | None) -> int | None:
        """Return the seat of this member at this point of the story, or None."""
        return next((seat for seat, who in self._occupants.items() if user_id and who.user_id == user_id), None)

    def is_persons(self, seat: int | None) -> bool:
        """Return True if the seat belongs to a person, so that a computer's move there deserves a mark."""
        who = None if seat is None else self._occupants.get(seat)
        return who is not None and who.user_id is not None


_NOTES: Mapping[str, str] = {
    NoteKind.OPENED: _("{who} opens the table."),
    NoteKind.STARTED: _("{who} starts the game."),
    NoteKind.HOSTED: HOSTED,
    NoteKind.LEFT: _("{seat} leaves. A computer plays on."),
    NoteKind.CANCELLED: _("{who} cancels the game."),
    NoteKind.FREED: _("{who} removes a player."),
    NoteKind.TIME_UP: TIME_UP,
    NoteKind.SILENT: _("{seat} hasn't responded in seven days."),
    NoteKind.WAITED: _("{who} gives {seat} more time."),
    NoteKind.AUTO_PLAYED: _("{who} lets a computer play this turn for {seat}."),
    NoteKind.HANDED: _("{who} hands {seat}'s seat to a computer."),
    NoteKind.OFFERED: _("{who} offers {seat}'s seat to others."),
    NoteKind.RECLAIMED: _("{seat} is back."),
    NoteKind.TAKEN_OVER: _("{who} takes over {seat}'s seat."),
    NoteKind.NUDGED: _("{who} nudges {seat}."),
    NoteKind.BACK: _("{who} is back."),
    NoteKind.STANDS_IN: _("{who} plays for {seat}."),
    NoteKind.STOOD_DOWN: _("{who} no longer plays for {seat}."),
    NoteKind.ASLEEP: _("The game is waiting for a player."),
    NoteKind.PAUSED: _("{who} pauses the game."),
    NoteKind.RESUMED: _("{who} resumes the game."),
    NoteKind.PLACE_LOST: _("I can't post here any more. All clocks are stopped."),
    NoteKind.PLACE_FOUND: _("I can post again."),
    NoteKind.DECLINED: _("{who} disagrees."),
    NoteKind.EXPIRED: EXPIRED,
    NoteKind.RESIGNED: _("🏳️ {who} resigns."),
}
"""The sentences for notes, by `who` and about whose `seat`; those for other notes depend on more."""

_AGREED: Mapping[str, str] = {
    NoteKind.CANCELLED: _("The players cancel the game."),
    NoteKind.WAITED: _("The players give {seat} more time."),
    NoteKind.HANDED: _("The players hand {seat}'s seat to a computer."),
    NoteKind.OFFERED: _("The players offer {seat}'s seat to others."),
    NoteKind.PAUSED: _("The players pause the game."),
    NoteKind.RESUMED: _("The players resume the game."),
    NoteKind.RESIGNED: _("🏳️ {who}'s team resigns."),
}
"""The sentences for what one player asked and the others agreed to."""

_UNREACHED: Mapping[Unseen, str] = {
    Unseen.HIDDEN: _("🙈 {seat} can't see this channel, and I can't message them. The clock stops for a day."),
    Unseen.TIMED_OUT: _("🙈 {seat} is timed out here, and I can't message them. The clock stops for a day."),
}

_DECIDED: Mapping[str, str] = {
    "capped": _("⌛ The last round of cards is over. Most pieces home wins."),
    "pieces": _("⌛ The round is over. Most pieces home wins."),
    "computers": _("⌛ The round is over. Computers played on."),
    "moderator": _("🏅 A moderator decided this table."),
    "cancelled": _("⌛ The cup was cancelled."),
}
"""The sentences for a game that its cup has ended, by how it was decided."""

_CHANGES = frozenset({NoteKind.TAKEN_OVER, NoteKind.LEFT, NoteKind.REMOVED})
"""The notes by which a seat gets another owner."""


def _before(note: Note) -> Occupant:
    """Return the owner of the seat until this note."""
    data = note.data
    if note.kind == NoteKind.TAKEN_OVER:
        name, user_id = data.get("old_name"), data.get("old_user_id")
    else:
        name, user_id = data.get("name"), data.get("user_id", note.actor_id)
    return Occupant(str(name), user_id=user_id if isinstance(user_id, int) else None)


def tell_note(language: Language, names: Names, note: Note, actor: str | None = None, computer: str = "") -> list[str]:
    """Return the sentences for a note; `actor`: the name of its author, if not by mention.

    `computer`: the computer player to whom the note gives the seat.
    """
    seat = "" if note.seat is None else names.marked(note.seat)
    who = actor or (seat if note.actor_id is None else user(note.actor_id))
    if note.kind is NoteKind.LEFT and computer:
        return [language.t("{seat} leaves. A computer, {computer}, plays on.", seat=seat, computer=computer)]
    told = [sentence] if (sentence := _note(language, names, note, who, seat)) else []
    levels = note.data.get("levels")
    if note.kind == NoteKind.STARTED and isinstance(levels, Mapping):
        told.append(computers_line(language, names, {int(key): str(level) for key, level in levels.items()}))
    return told


def _note(language: Language, names: Names, note: Note, who: str, seat: str) -> str:
    """Return the sentence for a note: `who` did it, `seat` is whom it is about; empty if it needs none."""
    t, data = language.t, note.data
    match note.kind:
        case NoteKind.PROPOSED | NoteKind.DECLINED if data.get("kind") == ProposalKind.RESIGN:
            # That is between partners.
            return ""
        case kind if data.get("agreed") and kind in _AGREED:
            return t(_AGREED[kind], who=who, seat=seat)
        case NoteKind.AUTO_PLAYED if note.actor_id is None:
            return t("A computer plays this turn for {seat}.", seat=seat)
        case NoteKind.HANDED if note.actor_id is None:
            return t("A computer plays for {seat} from now on.", seat=seat)
        case NoteKind.DOWN:
            span = language.span(int(str(data["seconds"])), "minute")
            return t("⏸️ I was offline for {span}. All clocks were stopped.", span=span)
        case NoteKind.UNREACHED:
            return t(_UNREACHED[Unseen(str(data["reason"]))], seat=seat)
        case NoteKind.STARTED if note.actor_id is None:
            return t("The game starts.")
        case NoteKind.RESUMED if note.actor_id is None:
            return t("The game continues.")
        case NoteKind.LEFT_GUILD | NoteKind.REMOVED:
            name, mark = safe(str(data["name"])), "" if note.seat is None else f"{MARKS[note.seat]} "
            return t("{name} is no longer here.", name=f"{mark}{bold(name)}" if name else seat)
        case NoteKind.AWAY:
            until, zone = data["until"], data.get("zone")
            date = day_in(int(str(until)), zone if isinstance(zone, str) else None)
            return t("{who} is away until {day}.", who=who, day=date)
        case NoteKind.LEVEL:
            level = level_name(language, str(data["level"]))
            return t("{who} changes {seat}'s level: {level}.", who=who, seat=seat, level=level)
        case NoteKind.SAID:
            words = phrase(language, data.get("phrase"))
            return t("{who}: {words}", who=who, words=words) if words else ""
        case NoteKind.CHANGED | NoteKind.PARTNERS | NoteKind.REPLACED:
            return change_line(language, note, who)
        case NoteKind.INVITED if isinstance(users := data.get("users"), list):
            return t("{who} invites {people}.", who=who, people=language.listed(map(user, users)))
        case NoteKind.PAUSED if reason := quote(language, str(data.get("reason", ""))):
            return t("{who} pauses the game: {reason}", who=who, reason=reason)
        case NoteKind.CANCELLED if reason := quote(language, str(data.get("reason", ""))):
            return t("{who} cancels the game: {reason}", who=who, reason=reason)
        case NoteKind.CANCELLED if data.get("asleep"):
            return t("This game ended after half a year without a move.")
        case NoteKind.CANCELLED if data.get("deserted"):
            return t("All players have left, so this game is over.")
        case NoteKind.DECIDED:
            return t(_DECIDED.get(str(data.get("how")), ""))
        case NoteKind.MOVED:
            return t("{who} moves the game to {place}.", who=who, place=channel(data["to"]))
        case NoteKind.UNDONE:
            count = int(str(data["count"]))
            return language.n("{who} takes a move back.", "{who} takes the last {count} moves back.", count, who=who)
        case NoteKind.PROPOSED:
            about = data.get("about")
            name = names.marked(about) if isinstance(about, int) else ""
            return t(ASKS[ProposalKind(str(data["kind"]))], who=who, name=name)
        case NoteKind.DECLINED if data["withdrawn"]:
            return t("{who} withdraws the request.", who=who)
        case _:
            return t(_NOTES.get(note.kind, ""), who=who, seat=seat)
