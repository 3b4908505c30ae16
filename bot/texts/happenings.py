"""What happens at a table besides moves, for the history: absence, seats changing hands, places, proposals."""

from __future__ import annotations

from bot.languages import Language
from bot.table import Note, NoteKind, ProposalKind
from bot.texts.clock import day
from bot.texts.markup import bold, channel, quoted, safe
from bot.texts.words import MARKS, level_name


def told_note(language: Language, note: Note, who: str, seat: str) -> str:
    """The sentence for a note. `who`: a mention of whoever did it, `seat`: the seat it is about; empty if unknown."""
    t = language.t
    match note.kind:
        case NoteKind.TIME_UP:
            return t("{seat}'s time is up.", seat=seat)
        case NoteKind.WAITED:
            return t("{who} gives {seat} more time.", who=who, seat=seat)
        case NoteKind.AUTO_PLAYED:
            if who:
                return t("{who} lets a computer play this turn for {seat}.", who=who, seat=seat)
            return t("A computer plays this turn for {seat}.", seat=seat)
        case NoteKind.HANDED:
            if who:
                return t("{who} hands {seat}'s seat to a computer.", who=who, seat=seat)
            return t("A computer plays for {seat} from now on.", seat=seat)
        case NoteKind.OFFERED:
            return t("{who} offers {seat}'s seat to others.", who=who, seat=seat)
        case NoteKind.RECLAIMED:
            return t("{seat} is back.", seat=seat)
        case NoteKind.TAKEN_OVER:
            return t("{who} takes over {seat}'s seat.", who=who, seat=seat)
        case NoteKind.NUDGED:
            return t("{who} nudges {seat}.", who=who, seat=seat)
        case NoteKind.LEFT_GUILD | NoteKind.REMOVED:
            name = safe(str(note.data.get("name", "")))
            mark = "" if note.seat is None else f"{MARKS[note.seat]} "
            return t("{name} is no longer here.", name=f"{mark}{bold(name)}" if name else seat)
        case NoteKind.AWAY:
            until, zone = note.data.get("until"), note.data.get("zone")
            date = day(until if isinstance(until, int) else note.at, zone if isinstance(zone, str) else None)
            return t("{who} is away until {day}.", who=who or seat, day=date)
        case NoteKind.LEVEL:
            level = level_name(language, str(note.data.get("level", "")))
            return t("{who} changes {seat}'s level: {level}.", who=who, seat=seat, level=level)
        case NoteKind.BACK:
            return t("{who} is back.", who=who or seat)
        case _:
            return _table_note(language, note, who)


def _table_note(language: Language, note: Note, who: str) -> str:
    """The sentence for a note about the whole table."""
    t = language.t
    match note.kind:
        case NoteKind.ASLEEP:
            return t("Nobody is playing right now, so the game is waiting.")
        case NoteKind.PAUSED:
            reason = quoted(str(note.data.get("reason", "")))
            if reason:
                return t("{who} pauses the game: {reason}", who=who, reason=reason)
            return t("{who} pauses the game.", who=who)
        case NoteKind.RESUMED:
            return t("{who} resumes the game.", who=who) if who else t("The game continues.")
        case NoteKind.MOVED:
            return t("{who} moves the game to {place}.", who=who, place=channel(note.data.get("to", 0)))
        case NoteKind.PLACE_LOST:
            return t("I can no longer post here: the clock stands still.")
        case NoteKind.PLACE_FOUND:
            return t("I can post again.")
        case NoteKind.UNDONE:
            count = note.data.get("count")
            return language.n(
                "{who} takes a move back.",
                "{who} takes the last {count} moves back.",
                count if isinstance(count, int) else 1,
                who=who,
            )
        case NoteKind.PROPOSED:
            if note.data.get("kind") == ProposalKind.TAKEBACK:
                return t("{who} asks to take a move back.", who=who)
            return t("{who} proposes to give the game up.", who=who)
        case NoteKind.DECLINED:
            if note.data.get("withdrawn"):
                return t("{who} withdraws the request.", who=who)
            return t("{who} does not agree.", who=who)
        case NoteKind.EXPIRED:
            return t("Nobody started the game within a day.")
        case NoteKind.CONCEDED:
            return t("🏳️ {who} gives the game up.", who=who)
        case _:
            return ""
